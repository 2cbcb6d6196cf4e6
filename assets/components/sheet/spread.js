// What if: how far a change spreads; only what is otherwise glows.

import { STATE } from "./measures.js";
import { groupsOfRows, thickness } from "./rivers.js";

const PLAYED = 2600; // ms until a change has come through all columns

// How far a change spreads, once there is one: its tiles are others.
export function collectSpread(sheet) {
  const { given, body } = sheet.store.stacks.get("spread") ?? {};
  const own = given?.of.startsWith(sheet.header.of) ? given : null;
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
  pen.globalAlpha = sheet.layer ? 0.35 : 0.9;
  pen.fillStyle = sheet.ink.orange;
  for (const [a, b] of groupsOfRows(sheet)) {
    const offset = a >= read ? read : 0;
    const own = sheet.sides[Number(a >= read)].filter((i) => sheet.columns[i].kind === "state" && i >= from - 3);
    const y = (sheet.sy(a) + sheet.sy(b - 1) + sheet.tall) / 2;
    const points = [];
    for (const i of own) {
      if (i > to + 3 || i > come) break;
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
}

/** How many columns the change has come through. */
export function comeThrough(sheet) {
  const n = sheet.columns.length;
  if (sheet.played === null || sheet.still.matches) return Number(sheet.slider.value || n);
  const part = Math.min(1, (performance.now() - sheet.played) / PLAYED);
  sheet.slider.value = Math.ceil(part * n);
  if (part === 1) sheet.played = null;
  return part * n;
}
