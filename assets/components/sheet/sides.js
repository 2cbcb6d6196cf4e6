// What the parts of a river are called, each once, where it is first drawn; and what the decoder has of the encoder.

import { STATE, TITLED } from "./measures.js";
import { widthOf } from "./names.js";

const NAMES_APART = 12; // pixels from one name to the next, and before the line of the next layer
const OVER_ROW = 3; // from a name down to its row

/** The columns with a name over them, and that name; none where one of them has no room. */
function namedSides(sheet) {
  if (sheet.phone || sheet.layer || sheet.wide >= TITLED) return [];
  const { words } = sheet.header;
  const across = new Set(sheet.lines.flatMap((one) => (one.across ? [one.column] : [])));
  const found = new Map();
  sheet.columns.forEach(({ kind, side, target }, i) => {
    if (kind !== "written") return;
    const text = side === "feedforward" ? words.network : across.has(i) ? words.cross : words.attention;
    if (!found.has(text)) found.set(text, { i, text, target, ink: side === "feedforward" ? "network" : "attention" });
  });
  const named = [...found.values()];
  const roomy = ({ i, text, target }, j) => {
    const next = named[j + 1];
    return next?.target !== target || sheet.sx(next.i) - sheet.sx(i) > widthOf(sheet, text);
  };
  return named.every(roomy) ? named : [];
}

export function paintSides(sheet, pen) {
  const { read, tokens, words } = sheet.header;
  const named = namedSides(sheet);
  if (!named.length) return;
  for (const { i, text, target, ink } of named) {
    const foot = sheet.sy(target ? read : 0) - OVER_ROW;
    const wide = widthOf(sheet, text) * SMALLER;
    const next = sheet.columns.findIndex(({ brief }, j) => j > i && brief); // it ends where its layer does
    const x = Math.min(sheet.sx(i), sheet.sx(next < 0 ? sheet.columns.length : next) - NAMES_APART - wide);
    nameSide(sheet, pen, text, x, foot, "text");
    pen.fillStyle = sheet.ink[ink];
    pen.fillRect(x, foot, wide, 2);
  }
  const source = sheet.sides[0].at(-1);
  if (read < tokens.length)
    nameSide(sheet, pen, words.memory, sheet.sx(source + STATE) + 12, sheet.middle(0) - 3, "soft");
}

const SMALLER = 12 / 13; // what is painted, of what widthOf measures

function nameSide(sheet, pen, text, x, foot, ink) {
  pen.font = `12px ${sheet.ink.font}`;
  pen.textBaseline = "bottom";
  pen.lineWidth = 4;
  pen.strokeStyle = sheet.ink.paper;
  pen.strokeText(text, x, foot);
  pen.fillStyle = sheet.ink[ink];
  pen.fillText(text, x, foot);
}
