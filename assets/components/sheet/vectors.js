// The numbers of a state, as strips and as cells: tiles, each painted once and kept as a picture.

import { inkOn, pixels, scale, veil } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp } from "../kit/picture.js";
import { PRINTED } from "./measures.js";

export function paintVectors(sheet, pen) {
  const [from, to] = sheet.inSight();
  const strength = (sheet.spread ? 1 : sheet.faded) * sheet.sharp;
  let made = 0;
  for (let i = from; i <= to; i++) {
    const [top, bottom] = sheet.rowsInSight(sheet.columns[i].target);
    for (let row = top; row <= bottom; row++) {
      const tile = sheet.tileAt(sheet.layer, i, row) ?? sheet.tileAt("strips", i, row) ?? sheet.tileAt("cells", i, row);
      if (!tile) continue;
      if (!tile.picture && made++ > 1) {
        paintLater(sheet);
        continue;
      }
      pen.globalAlpha = strength;
      paintVector(sheet, pen, tile, i, row);
    }
  }
}

// The picture of a tile takes its time: two of them a frame.
export function paintLater(sheet) {
  if (sheet.waiting) return;
  sheet.waiting = true;
  requestAnimationFrame(() => {
    sheet.waiting = false;
    if (sheet.given) sheet.paint();
  });
}

export function paintVector(sheet, pen, tile, i, row) {
  const { width, first, values, reach, count } = tile;
  tile.picture ??= pixels(values, count, width, scale(sheet.root, true, reach), veil(sheet.root));
  const [x, y, wide, high] = sheet.box(i, row);
  const cell = wide / width;
  const from = clamp(Math.floor((sheet.left - x) / cell), 0, width);
  const to = clamp(Math.ceil((sheet.width - x) / cell), 0, width);
  if (to <= from) return;
  pen.drawImage(tile.picture, from, row - first, to - from, 1, x + from * cell, y, (to - from) * cell, high);
  if (cell < PRINTED || high < 16 || width !== sheet.header.size) return;
  const paint = scale(sheet.root, true, reach);
  pen.font = `12px ${sheet.ink.code}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (let dim = from; dim < to; dim++) {
    const value = values[(row - first) * width + dim];
    pen.fillStyle = Number.isNaN(value) ? sheet.ink.soft : inkOn(paint(value));
    pen.fillText(Number.isNaN(value) ? "?" : short(value), x + (dim + 0.5) * cell, y + high / 2);
  }
  pen.textAlign = "left";
}

export function paintCursor(sheet, pen) {
  const { column, row, dim } = sheet.cursor;
  const [x, y, wide, high] = sheet.box(column, row);
  const cell = wide / sheet.header.size;
  const one = sheet.layer === "cells" && cell >= 4;
  pen.strokeStyle = sheet.ink.text;
  pen.lineWidth = 2;
  pen.strokeRect(one ? x + dim * cell : x, y, one ? cell : wide, high);
}
