// How the names of columns stand above a matrix.

import { upright, widthOf } from "../kit/draw.js";

const CLEAR = 5; // pixels more between the first or the last and the next one, as those are the long ones

/** How far the first label must move to the left and the last to the right for all to stand upright, where there is so
 * much room before and beyond; null where they cannot. */
export function aside(labels, pitch, [before, beyond] = [0, 0], size = 13) {
  const widths = labels.map((label) => widthOf(label, size) + 4);
  const shift = (edge, next) => Math.max(0, (widths.at(edge) + (widths.at(next) ?? 0)) / 2 + CLEAR - pitch);
  const shifts = labels.length > 2 ? [shift(0, 1), shift(-1, -2)] : [0, labels.length > 1 ? shift(-1, -2) : 0];
  const rooms = [before, beyond].map((room) => room + pitch / 2);
  const reaches = shifts.every((far, i) => (widths.at(-i) ?? 0) / 2 + far <= rooms[i]);
  return reaches && upright(labels.slice(1, -1), pitch, Infinity, size) ? shifts : null;
}
