// What lies at a place of the sheet.

import { clamp } from "../kit/picture.js";
import { lookers } from "./compared.js";
import { JOINS, LOOKS, STATE, TOP, pointsOn } from "./measures.js";
import { sourceInSight } from "./names.js";
import { linesDrawn } from "./one_head.js";
import { curveOfLook, endsOf } from "./rivers.js";
import { curveOfStrand } from "./thread.js";

const NEAR = 7; // pixels to a line that is meant

/** What lies at a place of the stage. */
export function findAt(sheet, { x, y }) {
  const [stands, down] = sheet.camera.under(x, y);
  const along = sheet.columnAt(stands);
  const column = Math.floor(along);
  const target = x < sheet.left ? !sourceInSight(sheet) : column >= sheet.second;
  const row = y < TOP ? null : rowAt(sheet, down, target);
  const label = row === null ? null : { kind: "label", row };
  if (x < sheet.left) return label;
  const knot = knotAt(sheet, x, y);
  if (knot) return knot;
  if (column >= sheet.columns.length) return null;
  if (stands > along && along === sheet.second) return lookAt(sheet, x, y) ?? label;
  if (row === null) return lookAt(sheet, x, y);
  const inside = along - column;
  if (inside > STATE) return lookAt(sheet, x, y);
  const look = !sheet.layer && inside < JOINS ? lookAt(sheet, x, y) : null;
  if (look) return look;
  const [, top, , high] = sheet.box(column, row);
  const { kind } = sheet.columns[column];
  if (kind === "state" && (y < top || y > top + high)) return lookAt(sheet, x, y);
  const dim = clamp(Math.floor((inside / STATE) * sheet.header.size), 0, sheet.header.size - 1);
  const tile = sheet.layer === "cells" ? sheet.tileAt("cells", column, row) : null;
  const one = tile && (kind === "state" || (y >= top && y <= top + high));
  return { kind: one ? "cell" : kind, column, row, dim, tile };
}

function rowAt(sheet, down, target) {
  const { tokens, read } = sheet.header;
  const row = Math.floor(down - sheet.down(target));
  const [from, to] = target ? [read, tokens.length] : [0, read];
  return row >= from && row < to ? row : null;
}

export function knotAt(sheet, x, y) {
  if (!sheet.thread?.knots.length) return null;
  const { knots, strands } = sheet.thread;
  const near = ([a, b], reach) => Math.hypot(a - x, b - y) <= reach;
  const i = knots.findIndex((knot) => near(sheet.at(knot), NEAR));
  if (i >= 0) return { kind: "knot", knot: knots[i] };
  const found = strands.find((strand) => pointsOn(curveOfStrand(sheet, strand)).some((point) => near(point, NEAR)));
  return found ? { kind: "strand", strand: found } : null;
}

export function lookAt(sheet, x, y) {
  const least = 255 * sheet.header.share;
  const rows = lookers(sheet);
  for (const one of linesDrawn(sheet)) {
    const from = sheet.sx(one.column);
    if (x < from + LOOKS * sheet.wide || x > from + JOINS * sheet.wide) continue;
    for (let i = 0; i < one.count; i++) {
      const [q, k] = endsOf(sheet, one, i);
      if (q === k || !rows.has(q) || one.shares[i] < least) continue;
      const near = pointsOn(curveOfLook(sheet, one, q, k)).some(([a, b]) => Math.hypot(a - x, b - y) < NEAR);
      if (near) return { kind: "look", q, k, share: one.shares[i] / 255, name: one.name, looks: one.looks };
    }
  }
  return null;
}
