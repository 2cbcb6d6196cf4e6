// What lies at a place of the sheet.

import { clamp } from "../kit/picture.js";
import { lookers } from "./compared.js";
import { JOINS, LOOKS, STATE, TOP, pointsOn } from "./measures.js";
import { linesDrawn } from "./one_head.js";
import { curveOfLook, endsOf } from "./rivers.js";
import { curveOfStrand } from "./thread.js";

const NEAR = 7; // pixels to a line that is meant

/** What lies at a place of the stage. */
export function findAt(sheet, { x, y }) {
  const row = rowAt(sheet, y);
  if (x < sheet.left) return row === null ? null : { kind: "label", row };
  const knot = knotAt(sheet, x, y);
  if (knot) return knot;
  const along = sheet.camera.x + (x - sheet.left) / sheet.wide;
  const column = Math.floor(along);
  if (row === null || column < 0 || column >= sheet.columns.length) return null;
  const [from, to] = sheet.rowsOf(column);
  const inside = along - column;
  if (row < from || row >= to || inside > STATE) return lookAt(sheet, x, y);
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

export function rowAt(sheet, y) {
  const { tokens, read } = sheet.header;
  const at = Math.floor((y - sheet.camera.lens.top) / sheet.tall + sheet.camera.y);
  if (y < TOP || (read < tokens.length && at === read)) return null;
  const row = at > read ? at - 1 : at;
  return row >= 0 && row < tokens.length ? row : null;
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
    if (x < sheet.sx(one.column + LOOKS) || x > sheet.sx(one.column + JOINS)) continue;
    for (let i = 0; i < one.count; i++) {
      const [q, k] = endsOf(sheet, one, i);
      if (q === k || !rows.has(q) || one.shares[i] < least) continue;
      const near = pointsOn(curveOfLook(sheet, one, q, k)).some(([a, b]) => Math.hypot(a - x, b - y) < NEAR);
      if (near) return { kind: "look", q, k, share: one.shares[i] / 255, name: one.name, looks: one.looks };
    }
  }
  return null;
}
