// Rivers: a token each, as wide as its state is long; the streams that join them, and who looks at whom.

import { clamp } from "../kit/picture.js";
import { lookers } from "./compared.js";
import { inFrame } from "./frame.js";
import { JOINS, LEAST_ROW, LOOKS, STATE, TOP, WIDEST } from "./measures.js";
import { linesDrawn } from "./one_head.js";

const OTHERS = 0.36; // how strongly a river is drawn that is not compared
const STEPS = 14; // points along a stream that joins a river
const BEGIN = 0.12; // the first part of it, in which it becomes as wide as it is
const END = 0.45; // the last part of it, in which it goes over into the river
const MEMORY = [0.2, 0.9]; // rows free over what is read by the other stack, and under it
const BEND = 36; // pixels in which it gets there
const STRONG = 0.5; // share of a look from which on it is drawn where rows are drawn together

export function paintLayers(sheet, pen) {
  pen.strokeStyle = sheet.ink.line;
  pen.lineWidth = 1;
  const [from, to] = sheet.inSight();
  for (let i = from; i <= to; i++) {
    if (!sheet.columns[i].brief) continue;
    const x = Math.round(sheet.sx(i) - 0.19 * sheet.wide) + 0.5;
    pen.beginPath();
    pen.moveTo(x, TOP);
    pen.lineTo(x, sheet.height);
    pen.stroke();
  }
}

// Rows that are too narrow are drawn together: [first, last] of each that is drawn.
export function groupsOfRows(sheet) {
  const { read, tokens } = sheet.header;
  const by = Math.max(1, Math.ceil(LEAST_ROW / sheet.tall));
  const found = [];
  for (const [first, end] of read < tokens.length
    ? [
        [0, read],
        [read, tokens.length],
      ]
    : [[0, read]]) {
    const [top, bottom] = sheet.rowsInSight(first > 0);
    const from = first + Math.floor((top - first) / by) * by;
    for (let row = from; row <= bottom; row += by) found.push([row, Math.min(row + by, end)]);
  }
  return found;
}

/** The mean length over rows, as pixels of width. */
export function thickness(sheet, lengths, from, to) {
  let sum = 0;
  for (let i = from; i < to; i++) sum += lengths[i];
  const rows = to - from;
  return (Math.min(WIDEST, (0.5 * sum) / rows / sheet.header.full) || 0) * sheet.tall * rows;
}

export function paintRivers(sheet, pen) {
  const seen = (i) => sheet.sx(i + 3, i) > sheet.left && sheet.sx(i - 2, i) < sheet.width;
  for (const [a, b] of groupsOfRows(sheet)) {
    const target = a >= sheet.header.read;
    const offset = target ? sheet.header.read : 0;
    const own = sheet.sides[Number(target)].filter(seen);
    if (!own.length) continue;
    const y = (sheet.sy(a) + sheet.sy(b - 1) + sheet.tall) / 2;
    const points = [];
    let last = 0;
    for (const i of own) {
      const { kind, lengths, sum } = sheet.columns[i];
      const x = sheet.sx(i);
      if (kind === "state") {
        last = thickness(sheet, lengths, a - offset, b - offset);
        points.push([x, last], [x + STATE * sheet.wide, last]);
      } else {
        points.push([x + STATE * sheet.wide, last]);
        last = thickness(sheet, sum, a - offset, b - offset);
        points.push([x + 0.9 * sheet.wide, last]);
      }
    }
    const strength = compared(sheet, a, b) ? 1 : OTHERS;
    paintRiver(sheet, pen, points, y, strength);
    if (sheet.spread || sheet.rough) continue;
    for (const i of own) if (sheet.columns[i].kind === "written") paintTributary(sheet, pen, [i, a, b, y], strength);
  }
  paintMemory(sheet, pen);
}

/** Whether one of the two that are compared is drawn there; of a change every row is looked at alike. */
function compared(sheet, a, b) {
  return sheet.spread || ["q", "k"].some((name) => sheet.integer(name) >= a && sheet.integer(name) < b);
}

export function paintRiver(sheet, pen, points, y, strength = 1) {
  const widest = WIDEST * sheet.tall;
  const bank = (sign) => {
    const way = sign > 0 ? points : [...points].reverse();
    let before = null;
    for (const [x, thick] of way) {
      const at = y - (sign * Math.max(0.7, thick)) / 2;
      if (!before) pen.lineTo(x, at);
      else if (before[1] === at || sheet.wide < 14 || sheet.rough) pen.lineTo(x, at);
      else pen.bezierCurveTo((before[0] + x) / 2, before[1], (before[0] + x) / 2, at, x, at);
      before = [x, at];
    }
  };
  pen.fillStyle = sheet.ink.river;
  pen.globalAlpha = sheet.faded * strength * sheet.ink.strength * (0.56 - 0.28 * sheet.sharp);
  pen.beginPath();
  bank(1);
  bank(-1);
  pen.closePath();
  pen.fill();
  if (sheet.tall < 12 || sheet.rough) return;
  pen.strokeStyle = sheet.ink.river; // where it was cut, its banks are dashed
  pen.lineWidth = 1;
  pen.setLineDash([3, 3]);
  pen.globalAlpha = sheet.faded * strength;
  for (let i = 1; i < points.length; i++) {
    if (points[i][1] < widest - 0.01 || points[i - 1][1] < widest - 0.01) continue;
    for (const sign of [-1, 1]) {
      pen.beginPath();
      pen.moveTo(points[i - 1][0], y + (sign * widest) / 2);
      pen.lineTo(points[i][0], y + (sign * widest) / 2);
      pen.stroke();
    }
  }
  pen.setLineDash([]);
}

export function inkOf(sheet, i) {
  return sheet.columns[i].side === "feedforward" ? sheet.ink.network : sheet.ink.attention;
}

function paintTributary(sheet, pen, [i, a, b, y], strength) {
  const thick = thicknessOfTributary(sheet, i, a, b);
  if (thick < 0.5) return;
  const curve = curveOfTributary(sheet, i, a, b, y);
  pen.fillStyle = inkOf(sheet, i);
  pen.globalAlpha = sheet.faded * strength * (0.7 - 0.3 * sheet.sharp);
  pen.beginPath();
  for (const side of [1, -1])
    for (let step = 0; step <= STEPS; step++) {
      const share = (side > 0 ? step : STEPS - step) / STEPS;
      const half = (side * thick * Math.min(1, Math.sqrt(share / BEGIN), (1 - share) / END)) / 2;
      pen.lineTo(...besideCurve(curve, share, half));
    }
  pen.closePath();
  pen.fill();
}

/** A point so far to the side of a Bézier curve. */
function besideCurve(curve, share, far) {
  const rest = 1 - share;
  const at = (k) =>
    rest ** 3 * curve[0][k] +
    3 * rest * rest * share * curve[1][k] +
    3 * rest * share * share * curve[2][k] +
    share ** 3 * curve[3][k];
  const along = (k) =>
    rest * rest * (curve[1][k] - curve[0][k]) +
    2 * rest * share * (curve[2][k] - curve[1][k]) +
    share * share * (curve[3][k] - curve[2][k]);
  const [dx, dy] = [along(0), along(1)];
  const long = Math.hypot(dx, dy) || 1;
  return [at(0) - (far * dy) / long, at(1) + (far * dx) / long];
}

function thicknessOfTributary(sheet, i, a, b) {
  const { lengths, target } = sheet.columns[i];
  const offset = target ? sheet.header.read : 0;
  return Math.min(0.45 * sheet.tall * (b - a), thickness(sheet, lengths, a - offset, b - offset));
}

/** How what a column writes into the rows from a to b comes from beside the river into it. */
export function curveOfTributary(sheet, i, a, b = a + 1, y = sheet.middle(a)) {
  const { sum, target } = sheet.columns[i];
  const offset = target ? sheet.header.read : 0;
  const side = sheet.above(i);
  const beside = thickness(sheet, sum, a - offset, b - offset) - thicknessOfTributary(sheet, i, a, b);
  const into = y + (side * Math.max(0, beside)) / 2;
  const begins = side < 0 ? JOINS : 0;
  return [
    [sheet.sx(i + begins, i), y + side * 0.5 * sheet.tall * (b - a)],
    [sheet.sx(i + begins + 0.05, i), into],
    [sheet.sx(i + 0.5 * begins + 0.4, i), into],
    [sheet.sx(i + 0.9, i), into],
  ];
}

/** Where, over the rows of the second stack, the result of a row leads along that this stack looks at. */
export function memoryOf(sheet, row) {
  const { read, over } = sheet.header;
  const [first, last] = MEMORY;
  return sheet.camera.sy(first + ((over - last - first) * (row + 0.5)) / read);
}

// What was read stands ready for every layer of the stack that looks at it.
function paintMemory(sheet, pen) {
  const { read, tokens } = sheet.header;
  const source = sheet.sides[0].at(-1);
  if (read === tokens.length) return;
  const [x, last] = [sheet.sx(source) + STATE * sheet.wide, sheet.sx(sheet.columns.length - 1 + STATE)];
  const bend = Math.min(BEND, (sheet.header.gap * sheet.wide) / 2);
  pen.strokeStyle = sheet.ink.river;
  pen.lineWidth = 1;
  pen.globalAlpha = sheet.faded * 0.5;
  for (const [a] of groupsOfRows(sheet)) {
    if (a >= read) continue;
    pen.beginPath();
    const y = memoryOf(sheet, a);
    pen.moveTo(x, sheet.middle(a));
    pen.bezierCurveTo(x + 0.7 * bend, sheet.middle(a), x + 0.3 * bend, y, x + bend, y);
    pen.lineTo(last, y);
    pen.stroke();
  }
}

// Lines of like strength together: each stroke costs more than what is in it. Only those of some tokens: all of them
// would run together into one.
export function paintLooks(sheet, pen) {
  const looks = looksInSight(sheet);
  const least = leastDrawn(sheet);
  const bounds = [least, Math.max(96, least), Math.max(160, least), 256];
  const widest = Math.min(0.16 * sheet.tall, 0.4 * sheet.wide);
  pen.strokeStyle = sheet.ink.attention;
  pen.globalAlpha = sheet.faded * (0.8 - 0.4 * sheet.sharp);
  bounds.slice(1).forEach((high, j) => {
    pen.beginPath();
    for (const [share, [[x, y], [ax, ay], [bx, by], [toX, toY]]] of looks) {
      if (share < bounds[j] || share >= high) continue;
      pen.moveTo(x, y);
      pen.bezierCurveTo(ax, ay, bx, by, toX, toY);
    }
    pen.lineWidth = clamp(((bounds[j] + Math.min(high, 255)) / 510) * widest, 0.5, 6);
    pen.stroke();
  });
}

const leastDrawn = (sheet) => 255 * (sheet.tall < LEAST_ROW ? STRONG : sheet.header.share);

/** The lines that are seen: [share, curve] of each. On a phone those in the frame: more would be a thicket. */
export function looksInSight(sheet) {
  const [from, to] = sheet.inSight();
  const least = leastDrawn(sheet);
  const rows = lookers(sheet);
  const found = [];
  for (const one of linesDrawn(sheet)) {
    if (one.column < from - 1 || one.column > to + 1) continue;
    if (sheet.phone && !sheet.head && !inFrame(sheet, one.column)) continue;
    for (let i = 0; i < one.count; i++) {
      if (one.shares[i] < least) continue;
      const [q, k] = endsOf(sheet, one, i);
      if (q === k || !rows.has(q)) continue;
      const curve = curveOfLook(sheet, one, q, k);
      const [y, toY] = [curve[0][1], curve[3][1]];
      if (Math.max(y, toY) >= TOP && Math.min(y, toY) <= sheet.height) found.push([one.shares[i], curve]);
    }
  }
  return found;
}

export function endsOf(sheet, one, i) {
  const { read } = sheet.header;
  const target = sheet.columns[one.column].target;
  const shift = (across) => (target && !across ? read : 0);
  return [one.pairs[2 * i] + shift(false), one.pairs[2 * i + 1] + shift(one.across)];
}

export function curveOfLook(sheet, { column, across }, q, k) {
  const [x, toX] = [LOOKS, JOINS].map((part) => sheet.sx(column) + part * sheet.wide);
  const [y, toY] = [across ? memoryOf(sheet, k) : sheet.middle(k), sheet.middle(q) - 0.5 * sheet.tall];
  const bend = (toX - x) * 0.55;
  return [
    [x, y],
    [x + bend, y],
    [toX - bend, toY],
    [toX, toY],
  ];
}
