// What every part of the sheet measures by.

import { clamp } from "../kit/picture.js";

export const STATE = 0.62; // how much of a column a vector takes; the rest is the way to the next
export const TOP = 26;
export const ABOVE = 18; // pixels free over the first row, for what joins it from above, with its name
export const TALLEST = 64; // pixels of a row from near
export const LEAST_ROW = 3; // below so many pixels rows are drawn together
export const WIDEST = 0.92; // of a row: a river wider than that is cut
export const STRIPS = 44; // pixels of a column below which there are no strips
export const SHARP = 0.25; // so much nearer than where they begin strips are all there
export const TITLED = 104; // pixels of a column that has its whole title
export const PRINTED = 60; // pixels of a cell that has its number in it
export const CURVED = 0.19; // of a column: where its part of the curve beneath begins (depth.js)
export const LOOKS = -0.15; // where the lines into what attention adds begin, inside its layer,
export const JOINS = 0.28; // ... and where they end

/** How far strips are all there, from 0 to 1, where a column is so `wide` and the whole sheet `whole` pixels. */
export function sharpness(wide, whole, [strips]) {
  return clamp((wide / strippedFrom(whole, strips) - 1) / SHARP, 0, 1);
}

const strippedFrom = (whole, strips) => Math.max(STRIPS, whole / strips);

/** How many columns across one looks at strips from: so near that they are all there, and not as near as cells. */
export function acrossStrips(whole, [strips, cells]) {
  const sharp = whole / (strippedFrom(whole, strips) * (1 + SHARP));
  return Math.max(1.05 * cells, Math.min(sharp, clamp(whole / 90, cells + 1, 10)));
}

/** Some points on a curve, its end left out: there the next begins. */
export function pointsOn(curve) {
  return Array.from({ length: 13 }, (_, i) => pointOn(curve, (i + 0.5) / 13));
}

/** The point so far along a curve, from 0 to 1. */
export function pointOn([[x, y], [ax, ay], [bx, by], [toX, toY]], t) {
  const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
  return [a * x + b * ax + c * bx + d * toX, a * y + b * ay + c * by + d * toY];
}
