// What is named in the picture itself: the steps of the input, once; of each stack what joins its rivers in the first
// layer; and what the decoder has of the encoder.

import { CURVED, TITLED } from "./measures.js";
import { LEAD, sourceInSight, widthOf } from "./names.js";
import { memoryOf } from "./rivers.js";

const [NAMES_APART, BEFORE_LINE, PAST_LINE] = [5, 8, 18]; // pixels between names, before the next layer, and past it
const OVER_ROW = 3; // from a name down to its row
const SMALLER = 12 / 13; // what is painted, of what widthOf measures

export function paintSides(sheet, pen) {
  if (sheet.layer || sheet.wide >= TITLED) return;
  if (sheet.sides[1].length && !(sheet.phone && sourceInSight(sheet))) nameMemory(sheet, pen);
  const known = new Set();
  sheet.sides.forEach((own, target) => {
    if (!own.length) return;
    const said = sheet.phone && !partsFit(sheet, own); // over the picture (said.js)
    const foot = sheet.sy(target ? sheet.header.read : 0) - OVER_ROW;
    if (!target && !said) nameSteps(sheet, pen, own, foot);
    for (const { x, wide, text, ink } of said ? [] : namedSides(sheet, own, known)) {
      known.add(text);
      name(sheet, pen, text, x, foot, "text");
      pen.fillStyle = sheet.ink[ink];
      pen.fillRect(x, foot, wide, 2);
    }
  });
}

/** All of a stack, where there is room for it; else what no stack before has named, as far as there is. */
function namedSides(sheet, own, known) {
  const parts = partsOf(sheet, own);
  const found = placed(sheet, parts);
  if (found.length === parts.length) return found;
  return placed(
    sheet,
    parts.filter(({ text }) => !known.has(text)),
  );
}

/** Whether every name stands over its layer alone. */
const partsFit = (sheet, own) => {
  const parts = partsOf(sheet, own);
  return placed(sheet, parts, 0).length === parts.length;
};

function nameMemory(sheet, pen) {
  const foot = memoryOf(sheet, 0) - OVER_ROW;
  name(sheet, pen, sheet.header.words.memory, sheet.sx(sheet.second), foot, "soft");
}

/** What is written in the first layer of a stack: its column, its name, its colour. */
function partsOf(sheet, own) {
  const { words } = sheet.header;
  const across = new Set(sheet.lines.flatMap((one) => (one.across ? [one.column] : [])));
  const found = new Map();
  for (const i of own) {
    const { kind, side } = sheet.columns[i];
    if (kind !== "written") continue;
    const text = side === "feedforward" ? words.network : across.has(i) ? words.cross : words.attention;
    if (!found.has(text)) found.set(text, { i, text, ink: side === "feedforward" ? "network" : "attention" });
  }
  return [...found.values()];
}

/** Each over its column, before its layer ends, or as far behind as the one before needs; none that would stand past
 * the layer. */
function placed(sheet, parts, past = PAST_LINE) {
  if (!parts.length) return [];
  const next = sheet.columns.findIndex(({ brief }, j) => j > parts.at(-1).i && brief);
  const line = sheet.sx((next < 0 ? sheet.columns.length : next) - CURVED, parts[0].i);
  let end = -Infinity;
  const found = parts.map((part) => {
    const wide = widthOf(sheet, part.text) * SMALLER;
    const x = Math.max(Math.min(sheet.sx(part.i), line - BEFORE_LINE - wide), end);
    end = x + wide + NAMES_APART;
    return { ...part, x, wide };
  });
  return found.filter(({ x, wide }) => x >= sheet.left - LEAD && x + wide < line + past);
}

/** What is done before the first layer, where all of it has room. */
function nameSteps(sheet, pen, own, foot) {
  const steps = own.slice(
    0,
    own.findIndex((i) => sheet.columns[i].kind === "written"),
  );
  const wide = steps.map((i) => widthOf(sheet, sheet.columns[i].brief) * SMALLER);
  if (wide.some((one) => one > sheet.wide - 1)) return;
  const middle = (i) => sheet.sx(i) + (0.5 - CURVED) * sheet.wide;
  steps.forEach((i, j) => name(sheet, pen, sheet.columns[i].brief, middle(i) - wide[j] / 2, foot, "soft"));
}

function name(sheet, pen, text, x, foot, ink) {
  pen.font = `12px ${sheet.ink.font}`;
  pen.textBaseline = "bottom";
  pen.fillStyle = sheet.ink.paper;
  pen.fillRect(x - 5, foot - 14, widthOf(sheet, text) * SMALLER + 10, 14);
  pen.fillStyle = sheet.ink[ink];
  pen.fillText(text, x, foot);
}
