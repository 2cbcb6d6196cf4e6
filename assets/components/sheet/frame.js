// The depth whose curve is framed beneath: the frame goes on through the rivers of the stack that is compared.

import { NARROWEST } from "../kit/camera.js";
import { CURVED, TOP } from "./measures.js";
import { pairOf } from "./compared.js";

const AROUND = 4; // pixels free under the rows
const CORNER = 5;

/** Only of the whole, and where one begins: nearer, nothing stands over its place in the curve. */
const isFramed = (sheet) => sheet.atHome || sheet.camera.k <= 1.001;

export function paintFrame(sheet, pen) {
  if (!isFramed(sheet)) return;
  const { read, tokens } = sheet.header;
  const stacks = new Set(pairOf(sheet).map((row) => row >= read));
  const closed = stacks.size > 1 || (sheet.phone && (stacks.has(true) || !sheet.atHome || sheet.width < NARROWEST));
  pen.globalAlpha = 1;
  pen.strokeStyle = sheet.ink.text;
  pen.lineWidth = 1.5;
  for (const target of stacks) {
    const band = bandOf(sheet, target);
    if (!band) continue;
    const [first, last] = target ? [read, tokens.length - 1] : [0, read - 1];
    const top = Math.max(sheet.sy(first), TOP) + 1; // under the names of what joins the first row
    const under = Math.min(sheet.sy(last) + sheet.tall + AROUND, sheet.height - 1);
    const bottom = closed ? under : sheet.height + 2 * CORNER; // else it goes on around the curve
    pen.beginPath();
    pen.roundRect(band[0], top, band[1] - band[0], bottom - top, CORNER);
    pen.stroke();
  }
}

/** Whether a column lies in the frame, or there is none. */
export function inFrame(sheet, column) {
  const band = isFramed(sheet) && columnsOf(sheet, sheet.columns[column].target);
  return !band || (band[0] <= column && column < band[1]);
}

/** Where the columns of the selected depth begin and end on the screen. */
function bandOf(sheet, target) {
  const band = columnsOf(sheet, target);
  return band && band.map((i) => sheet.sx(i - CURVED, band[0]));
}

/** The first column of the selected depth in a stack, and the first behind it. */
function columnsOf(sheet, target) {
  const own = sheet.sides[Number(target)];
  const starts = own.filter((i) => sheet.columns[i].brief);
  const depth = sheet.index("depth", starts.length);
  if (depth >= starts.length) return null;
  const end = starts[depth + 1] ?? own.findLast((i) => sheet.columns[i].kind === "written") + 2;
  return [starts[depth], end];
}
