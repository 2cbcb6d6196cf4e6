// What if: how far a change spreads; only what is otherwise glows.

import { clamp } from "../kit/picture.js";
import { STATE } from "./measures.js";
import { groupsOfRows, thickness } from "./rivers.js";

const PLAYED = 2600; // ms until a change has come through all columns
const FETCHED = 600; // ms in which another word's row first comes out of the table

// How far a change spreads, once there is one: its tiles are others.
export function collectSpread(sheet) {
  const { given, body } = sheet.store.stacks.get("spread") ?? {};
  const own = given?.of.startsWith(sheet.header.of) ? given : null;
  sheet.swaps = own?.swaps ?? [];
  sheet.unsaid = own?.of === sheet.header.of ? own.said : ""; // why nothing glows that was to
  const spread = own && own.of !== sheet.header.of ? own : null;
  if (spread?.of === sheet.spread?.of) return;
  sheet.tiles.clear();
  sheet.spread = spread;
  sheet.slider.hidden = sheet.player.hidden = !spread;
  if (!spread) return;
  let at = 0;
  sheet.moved = sheet.columns.map(({ lengths }) => {
    const own = new Float32Array(body.buffer, at, lengths.length);
    at += own.byteLength;
    return own;
  });
  playSpread(sheet);
}

export function playSpread(sheet) {
  sheet.played = performance.now();
  sheet.move();
}

// Only what has changed glows: of each state, as wide as it is far from where it was.
export function paintSpread(sheet, pen) {
  const [from, to] = sheet.inSight();
  const come = comeThrough(sheet);
  const { read } = sheet.header;
  pen.globalAlpha = 0.9 - 0.55 * sheet.sharp;
  pen.fillStyle = sheet.ink.orange;
  const plays = spreadPlays(sheet);
  if (plays) {
    paintFetched(sheet, pen);
    pen.save();
    pen.beginPath();
    pen.rect(0, 0, sheet.sx(come), sheet.height);
    pen.clip();
  }
  for (const [a, b] of groupsOfRows(sheet)) {
    const offset = a >= read ? read : 0;
    const own = sheet.sides[Number(a >= read)].filter((i) => sheet.columns[i].kind === "state" && i >= from - 3);
    const y = (sheet.sy(a) + sheet.sy(b - 1) + sheet.tall) / 2;
    const points = [];
    for (const i of own) {
      if (i > to + 3 || i > come + (plays ? 3 : 0)) break;
      const thick = thickness(sheet, sheet.moved[i], a - offset, b - offset);
      points.push([sheet.sx(i), thick], [sheet.sx(i + STATE), thick]);
    }
    if (!points.some(([, thick]) => thick > 0)) continue;
    pen.beginPath();
    for (const [x, thick] of points) pen.lineTo(x, y - thick / 2);
    for (const [x, thick] of points.reverse()) pen.lineTo(x, y + thick / 2);
    pen.closePath();
    pen.fill();
  }
  if (plays) pen.restore();
}

// The row of a word that was put there slides from the table, behind the names, to its token.
function paintFetched(sheet, pen) {
  const left = 1 - (performance.now() - sheet.played) / FETCHED;
  if (left < 0) return;
  const x = sheet.sx(0) - left ** 2 * (sheet.sx(STATE) - sheet.left);
  for (const [row] of sheet.spread.renamed) {
    const thick = Math.max(4, thickness(sheet, sheet.moved[0], row, row + 1));
    pen.fillRect(x, sheet.middle(row) - thick / 2, STATE * sheet.wide, thick);
  }
}

/** Whether a change is on its way. */
export function spreadPlays(sheet) {
  return Boolean(sheet.spread) && sheet.played !== null && !sheet.still.matches;
}

/** How many columns the change has come through. */
export function comeThrough(sheet) {
  const n = sheet.columns.length;
  if (!spreadPlays(sheet)) return Number(sheet.slider.value || n);
  const begun = sheet.played + (sheet.spread.renamed.length ? FETCHED : 0);
  const part = clamp((performance.now() - begun) / PLAYED, 0, 1);
  sheet.slider.value = Math.ceil(part * n);
  if (part === 1) sheet.played = null;
  return part * n;
}
