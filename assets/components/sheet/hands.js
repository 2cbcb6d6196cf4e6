// What a hand does: pointer, wheel, two fingers, keys.

import { boxOf, showTip, within, zoomed } from "../kit/draw.js";
import { clamp, pressed } from "../kit/picture.js";
import { findAt } from "./find.js";
import { gather } from "./gather.js";
import { TOP } from "./measures.js";
import { pairOf } from "./compared.js";
import { sentenceOf } from "./said.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LEVELS = { "+": 1, "=": 1, "-": -1, "−": -1, 0: -9, Home: -9 };

// ---- what a hand does

export function giveHands(sheet) {
  const { stage } = sheet;
  stage.onpointermove = (event) => hovered(sheet, event);
  stage.onpointerleave = () => {
    showTip(sheet.tip, null);
    gather(sheet, null);
  };
  stage.onpointerdown = (event) => event.pointerType !== "touch" && dragged(sheet, event);
  stage.onclick = (event) => clicked(sheet, event);
  listen2(sheet, stage, "wheel", (event) => wheeled(sheet, event));
  listen2(sheet, stage, "touchstart", (event) => touched(sheet, event));
  listen2(sheet, stage, "touchmove", (event) => touched(sheet, event));
  stage.ontouchend = () => (sheet.fingers = null);
}

// Told to the browser that they may take an event from the page.
export function listen2(sheet, target, type, listener) {
  target.addEventListener(type, listener, { passive: false });
  sheet.atEnd(() => target.removeEventListener(type, listener));
}

export function dragged(sheet, event) {
  if (event.button || event.target.closest?.("a")) return;
  const from = sheet.camera.place;
  sheet.stageBox = null;
  const { x, y } = placeOn(sheet, event);
  sheet.dragged = false;
  const drag = (next) => {
    const at = placeOn(sheet, next);
    if (!sheet.dragged && Math.hypot(at.x - x, at.y - y) < 4) return;
    sheet.dragged = true;
    showTip(sheet.tip, null);
    sheet.to({ ...from, x: from.x - (at.x - x) / sheet.wide, y: from.y - (at.y - y) / sheet.tall });
  };
  const drop = () => {
    removeEventListener("pointermove", drag);
    removeEventListener("pointerup", drop);
    removeEventListener("pointercancel", drop);
  };
  addEventListener("pointermove", drag);
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);
}

// Turning the wheel scrolls the page, unless the sheet has the focus or a key is held; sideways it travels.
export function wheeled(sheet, event) {
  const size = event.deltaMode ? 16 : 1;
  if (event.ctrlKey || event.metaKey || sheet.stage.matches(":focus")) {
    event.preventDefault();
    const { x, y } = placeOn(sheet, event);
    sheet.zoom(Math.exp((-event.deltaY * size) / (event.ctrlKey ? 120 : 320)), x, y);
  } else if (sheet.camera.k > 1 && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    sheet.to({ ...sheet.camera.place, x: sheet.camera.x + (event.deltaX * size) / sheet.wide });
  }
}

// Where a hand is on the stage. That stands still while the camera moves, and is measured once: to measure amid changes
// has the browser lay the page out anew.
function placeOn(sheet, { clientX, clientY }) {
  sheet.stageBox ??= { ...boxOf(sheet.stage), zoom: zoomed(sheet.stage) };
  const { left, top, zoom } = sheet.stageBox;
  return { x: clientX / zoom - left, y: clientY / zoom - top };
}

// One finger scrolls the page, two move the sheet.
export function touched(sheet, event) {
  if (event.touches.length !== 2) return void (sheet.fingers = null);
  event.preventDefault();
  const [one, other] = [...event.touches].map((finger) => placeOn(sheet, finger));
  const now = {
    x: (one.x + other.x) / 2,
    y: (one.y + other.y) / 2,
    apart: Math.hypot(one.x - other.x, one.y - other.y) || 1,
  };
  const { fingers } = sheet;
  sheet.fingers = now;
  if (!fingers) return;
  sheet.to({
    ...sheet.camera.place,
    x: sheet.camera.x - (now.x - fingers.x) / sheet.wide,
    y: sheet.camera.y - (now.y - fingers.y) / sheet.tall,
  });
  sheet.zoom(now.apart / fingers.apart, now.x, now.y);
}

export function hovered(sheet, event) {
  if (sheet.camera.flight || event.buttons) return;
  const { x, y, width } = within(event, sheet.stage);
  const found = findAt(sheet, { x, y });
  gather(sheet, found?.row === undefined ? null : found);
  sheet.stage.classList.toggle("acts", Boolean(found) && found.kind !== "look");
  showTip(sheet.tip, found && sentenceOf(sheet, found), { x, y: Math.min(y + 14, sheet.height - 30), width });
}

// A row's name: one of the two that are compared, or the word that is replaced.
function named(sheet, row) {
  if (sheet.swaps[row] >= 0) return sheet.select({ swap: sheet.swaps[row], by: null });
  sheet.select({ q: pairOf(sheet)[1] ?? row, k: row });
}

export function clicked(sheet, event) {
  if (sheet.dragged) return void (sheet.dragged = false);
  if (event.target.closest?.("a, button")) return;
  const found = findAt(sheet, within(event, sheet.stage));
  showTip(sheet.tip, null);
  if (!found) return;
  if (event.pointerType === "touch") hovered(sheet, event);
  if (found.kind === "label") return named(sheet, found.row);
  if (found.kind === "knot") return sheet.follow(found.knot.trail);
  if (found.kind === "strand") return sheet.followStrand(found.strand);
  if (found.kind === "look") return;
  sheet.cursor = { column: found.column, row: found.row, dim: found.dim };
  if (found.kind === "cell") sheet.followCell();
  else sheet.toLevel(1);
}

export function keyed(sheet, event) {
  if (event.target !== sheet.stage) return;
  const level = pressed(event, LEVELS);
  if (level) return sheet.toLevel(level);
  if (event.key === "Enter") return entered(sheet, event);
  const way = pressed(event, ARROWS);
  if (!way) return;
  sheet.cursor ??= sheet.center();
  stepCursor(sheet, way);
  const { column, row, dim } = sheet.cursor;
  const found = sheet.layer === "cells" ? sheet.tileAt("cells", column, row) : null;
  const kind = found ? "cell" : sheet.columns[column].kind;
  sheet.heard.textContent = sentenceOf(sheet, { kind, column, row, dim, tile: found });
  const near = sheet.around(sheet.cursor, sheet.camera.k);
  if (cursorBeyond(sheet)) return sheet.fly(near);
  sheet.move();
  gather(sheet, sheet.cursor);
}

export function stepCursor(sheet, [x, y]) {
  const { cursor, header } = sheet;
  if (sheet.layer === "cells" && x) {
    cursor.dim += x;
    if (cursor.dim >= 0 && cursor.dim < header.size) return;
    cursor.dim = cursor.dim < 0 ? header.size - 1 : 0;
  }
  const column = clamp(cursor.column + x, 0, sheet.columns.length - 1);
  const row = clamp(cursor.row + y, 0, header.tokens.length - 1);
  const [from, to] = sheet.rowsOf(column);
  if (row >= from && row < to) Object.assign(cursor, { column, row });
  else if (y) Object.assign(cursor, { row, column: sheet.sides[Number(row >= header.read)][x < 0 ? 0 : 0] });
  else Object.assign(cursor, { column, row: from });
}

export function cursorBeyond(sheet) {
  const [x, y, wide] = sheet.box(sheet.cursor.column, sheet.cursor.row);
  const at = x + (sheet.layer === "cells" ? (wide * sheet.cursor.dim) / sheet.header.size : 0);
  return at < sheet.left || at > sheet.width - 40 || y < TOP || y > sheet.height - 20;
}

/** A number is followed; of anything larger the page is opened. */
export function entered(sheet, event) {
  event.preventDefault();
  const { column, row } = sheet.cursor ?? sheet.center();
  if (sheet.cursor && sheet.layer === "cells" && sheet.tileAt("cells", column, row)) sheet.followCell();
  else sheet.link.querySelector("a")?.click();
}
