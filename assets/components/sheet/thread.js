// The thread: the ancestry of the number that is followed, or what it goes into.

import { clip } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp } from "../kit/picture.js";
import { pointOn, STATE, TOP } from "./measures.js";

const DRAWN = 900; // ms until a thread has reached its end
const GATHERED = 1500; // ms in which its parts then run together, from the tables to the number
const THREAD = 18; // pixels of a thread where it carries all
const NAMED = 6; // knots of a thread that are named
const CROWDED = 6; // pixels between two knots; of nearer ones one is drawn
const APART = 8; // pixels between two names

// A thread that runs out of sight: the camera goes back until all of it is seen.
export function seekThread(sheet) {
  const { knots } = sheet.thread;
  const across = knots.map((knot) => sheet.knotStands(knot));
  const [low, high] = [Math.min(...across), Math.max(...across)];
  const seen = [sheet.camera.x, sheet.camera.x + sheet.across];
  if (low >= seen[0] && high <= seen[1]) return;
  const n = sheet.breadth;
  sheet.fly({ x: low - 0.06 * (high - low) - 0.4, y: 0, k: n / Math.max(3, 1.2 * (high - low) + 0.8) });
}

export function curveOfStrand(sheet, { made, of }) {
  const { knots } = sheet.thread;
  const [toX, toY] = sheet.at(knots[made]);
  if (of === null)
    return [
      [toX - 26, toY - 15],
      [toX - 16, toY - 15],
      [toX - 9, toY],
      [toX, toY],
    ];
  const [x, y] = sheet.at(knots[of]);
  const bend = Math.max(6, (toX - x) * 0.5);
  return [
    [x, y],
    [x + bend, y],
    [toX - bend, toY],
    [toX, toY],
  ];
}

export function paintThread(sheet, pen) {
  const { knots, strands } = sheet.thread;
  const [start] = sheet.at(knots[0]);
  const part = threadGrows(sheet) ? Math.min(1, (performance.now() - sheet.begun) / DRAWN) : 1;
  const reach = part < 1 && !sheet.onward ? start - part * (start - sheet.sx(-0.5)) : -1e9;
  for (const strand of strands) {
    const [[x, y], [ax, ay], [bx, by], [toX, toY]] = curveOfStrand(sheet, strand);
    if (toX < reach || Math.max(x, toX) < sheet.left || Math.min(x, toX) > sheet.width) continue;
    pen.strokeStyle = strand.value < 0 ? sheet.ink.orange : sheet.ink.accent;
    pen.setLineDash(strand.of === null ? [1, 3] : []);
    const bundle = strand.of === null;
    pen.lineWidth = clamp(THREAD * strand.share, 0.8, bundle ? 7 : THREAD);
    pen.globalAlpha = bundle ? 0.45 : 0.85;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.bezierCurveTo(ax, ay, bx, by, toX, toY);
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
  const seen = [];
  knots.forEach((knot, i) => {
    const [x, y] = sheet.at(knot);
    if (x < reach || x < sheet.left) return;
    if (i && !knot.learned && seen.some(([a, b]) => Math.hypot(a - x, b - y) < CROWDED)) return;
    seen.push([x, y]);
    pen.fillStyle = knot.learned ? sheet.ink.paper : sheet.ink.text;
    pen.strokeStyle = sheet.ink.text;
    pen.lineWidth = 1.2;
    pen.beginPath();
    pen.arc(x, y, i ? 2.6 : 5, 0, 2 * Math.PI);
    pen.fill();
    if (knot.learned || !i) pen.stroke();
  });
  nameKnots(sheet, pen, reach);
  if (threadGrows(sheet)) paintGathering(sheet, pen);
}

// Once the thread is drawn every part runs along it, as large as its share: what was fetched leaves its table, what a
// head mixes comes together, and all of it ends in the number; of what a number goes into, the other way.
function paintGathering(sheet, pen) {
  const part = (performance.now() - sheet.begun - DRAWN) / GATHERED;
  if (part < 0) return;
  const { knots, strands } = sheet.thread;
  const across = knots.map((knot) => sheet.at(knot)[0]);
  const [low, high] = [Math.min(...across), Math.max(...across)];
  const front = low + part * (high - low);
  pen.lineWidth = 1.5;
  pen.strokeStyle = sheet.ink.paper;
  for (const strand of strands) {
    if (strand.of === null) continue;
    const curve = curveOfStrand(sheet, strand);
    const [x, toX] = [curve[0][0], curve[3][0]];
    const t = (front - x) / Math.max(1, toX - x);
    if (t < 0 || t > 1) continue;
    const [px, py] = pointOn(curve, t);
    if (px < sheet.left) continue;
    pen.fillStyle = strand.value < 0 ? sheet.ink.orange : sheet.ink.accent;
    pen.beginPath();
    pen.arc(px, py, 2.5 + 7 * Math.sqrt(Math.min(1, strand.share)), 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  }
}

// The number itself, the tables its ways end in, then whatever carries most; none over another.
export function nameKnots(sheet, pen, reach) {
  const { knots } = sheet.thread;
  const rank = (i) => (i ? knots[i].share + (knots[i].learned ? 1 : 0) : 3);
  const order = knots.map((_, i) => i).sort((a, b) => rank(b) - rank(a));
  const taken = [];
  const said = sheet.header.said.length ? sheet.sx(sheet.columns.length - 1 + STATE) + 4 : Infinity;
  const edge = Math.min(sheet.width - 4, said);
  pen.font = `12px ${sheet.ink.font}`;
  pen.textBaseline = "alphabetic";
  for (const i of order) {
    if (taken.length >= (sheet.phone ? 3 : NAMED)) break;
    const [x, y] = sheet.at(knots[i]);
    if (x < Math.max(reach, sheet.left) || x > sheet.width || y < TOP || y > sheet.height) continue;
    const text = clip(`${knots[i].name} = ${short(knots[i].value)}`, sheet.phone ? 22 : 44);
    const wide = pen.measureText(text).width;
    const left = clamp(x - wide / 2, sheet.left + 2, edge - wide);
    const top = y - 22 > TOP ? y - 22 : y + 8;
    const box = [left - 3, top, left + wide + 3, top + 16];
    if (taken.some(([a, b, c, d]) => box[0] < c + APART && box[2] + APART > a && box[1] < d && box[3] > b)) continue;
    taken.push(box);
    pen.globalAlpha = 0.9;
    pen.fillStyle = sheet.ink.paper;
    pen.fillRect(box[0], box[1], wide + 6, 16);
    pen.globalAlpha = 1;
    pen.fillStyle = sheet.ink.text;
    pen.fillText(text, left, top + 12);
  }
}

/** Whether it is still on its way, or its parts are. */
export function threadGrows(sheet) {
  return !sheet.still.matches && Boolean(sheet.begun) && performance.now() - sheet.begun < DRAWN + GATHERED;
}
