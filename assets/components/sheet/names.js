// The names around the sheet: of rows at the left, of columns above, and what the output says at the right.

import { clip, fit, labelled, make } from "../kit/draw.js";
import { fixed } from "../kit/format.js";
import { clamp } from "../kit/picture.js";
import { doorTo } from "../kit/streamlit.js";
import { lastLooker, pairOf } from "./compared.js";
import { CURVED, STATE, TITLED, TOP } from "./measures.js";
import { comeThrough } from "./spread.js";

const ROOM = 78; // pixels of a word that the output gives, before its probability
const HEADING = 20; // from the first of these up to what is written over them
const NAME = 90; // and before a river, of its token
const [HALF, BETWEEN] = [40, 8]; // of one of two stacks, with its name over it; and between these
const [PAST_LAYER, PAST_OTHER] = [12, 4]; // pixels from one title to the next, behind a layer's and behind another
export const LEAD = 5; // pixels of what lies before the first column that are seen
const AWAY = 80; // of the name of a stack that is out of sight
const RULE = 4; // between the line before columns and their title

// At the end of a row that the output reads: the word it gives, and how sure it is.
export function paintSaid(sheet, pen) {
  const { said, tokens } = sheet.header;
  const x = sheet.sx(sheet.columns.length - 1 + STATE) + 10;
  if (!said.length || x > sheet.width) return;
  pen.textBaseline = "middle";
  pen.font = `13px ${sheet.ink.font}`;
  const drawn = labelled(said.length, sheet.tall, 13);
  const ended = sheet.spread && comeThrough(sheet) >= sheet.columns.length;
  const became = new Map(ended ? sheet.spread.words.map(([i, , word]) => [i, word]) : []);
  const alone = sheet.phone || sheet.spread; // without their probabilities
  paintHeadings(sheet, pen, x, alone);
  said.forEach(([word, probability], i) => {
    const y = sheet.middle(tokens.length - said.length + i);
    if (!drawn[i] || y < TOP || y > sheet.height) return;
    pen.fillStyle = became.has(i) ? sheet.ink.orange : sheet.ink.text;
    pen.fillText(asFits(sheet, became.get(i) ?? word, 9, alone ? sheet.width - x : ROOM), x, y);
    pen.fillStyle = sheet.ink.soft;
    pen.textAlign = "right";
    if (!alone) pen.fillText(fixed(probability, 2), sheet.width, y);
    pen.textAlign = "left";
  });
}

function paintHeadings(sheet, pen, x, alone) {
  const { words, tokens, said } = sheet.header;
  const y = sheet.middle(tokens.length - said.length) - HEADING;
  if (y < TOP) return;
  pen.fillStyle = sheet.ink.soft;
  pen.font = `12px ${sheet.ink.font}`;
  pen.fillText(words.next, x, y);
  pen.textAlign = "right";
  if (!alone) pen.fillText(words.probability, sheet.width, y);
  pen.textAlign = "left";
  pen.font = `13px ${sheet.ink.font}`;
}

// A word that the output gives, as much of it as there is room for.
function asFits(sheet, word, most, room) {
  const text = `→ ${clip(word, most)}`;
  return most > 2 && widthOf(sheet, text) > room ? asFits(sheet, word, most - 1, room) : text;
}

// The names of the rows, over whatever lies beneath; while the rows stand where they stood, they stay.
export function moveMargin(sheet) {
  if (sheet.margined !== rowsOnScreen(sheet)) paintMargin(sheet);
}

function rowsOnScreen(sheet) {
  return `${sheet.camera.y} ${sheet.camera.tall} ${sourceInSight(sheet)}`;
}

/** Whether the names at the left are those of what is read: of two stacks as long as one sees some of the first. */
export function sourceInSight(sheet) {
  return sheet.camera.x < sheet.second;
}

/** The names of a target's rows, before its rivers, where there is room between the two stacks. */
export function paintTarget(sheet, pen) {
  const { read, tokens, gap } = sheet.header;
  if (read === tokens.length || !sourceInSight(sheet) || gap * sheet.wide < NAME) return;
  paintNames(sheet, pen, read, tokens.length, sheet.sx(sheet.second) - 12);
}

/** The name of one of two stacks, which leads there. */
export function halfOf(sheet, i) {
  const half = Object.assign(make("button"), { type: "button" });
  half.onclick = () => sheet.fly(sheet.stackAlone(i));
  return half;
}

/** Each over its half; at the edge, with an arrow, where that is out of sight. */
function moveHalves(sheet) {
  const { left, width, right, halves } = sheet;
  const edge = (i, of = i) => clamp(sheet.sx(i, of) - CURVED * sheet.wide, left, width);
  const [first, begin, end] = [edge(sheet.second, 0), edge(sheet.second), edge(sheet.columns.length)];
  const ends = [
    [left, Math.min(first, begin - BETWEEN)],
    [first - left > HALF ? begin : Math.max(begin, AWAY), Math.min(end, width - right)],
  ];
  const { words } = sheet.header;
  const texts = [
    [`← ${words.source}`, words.source],
    [`${words.target} →`, words.target],
  ];
  ends.forEach(([from, to], i) => {
    const half = halves.children[i];
    const seen = to - from > HALF;
    if (seen) Object.assign(half.style, { left: `${from}px`, right: "", width: `${to - from}px` });
    else Object.assign(half.style, { left: i ? "" : "0", right: i ? "0" : "", width: "" });
    half.classList.toggle("away", !seen);
    half.textContent = texts[i][Number(seen)];
  });
}

export function paintMargin(sheet) {
  sheet.margined = rowsOnScreen(sheet);
  const wide = sheet.left - LEAD;
  const pen = fit(sheet.margin, [wide, sheet.height]);
  pen.fillStyle = sheet.ink.paper;
  pen.fillRect(0, 0, wide, sheet.height);
  const { read, tokens } = sheet.header;
  const rows = sourceInSight(sheet) ? [0, read] : [read, tokens.length];
  paintNames(sheet, pen, ...rows, sheet.left - 10);
}

// Of the rows from one to another, with their right ends at x.
function paintNames(sheet, pen, from, to, x) {
  const { tokens, names, special } = sheet.header;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const pair = pairOf(sheet);
  const looks = sheet.head ? null : lastLooker(sheet);
  const renamed = new Map(sheet.spread?.renamed ?? []);
  const drawn = labelled(tokens.length, sheet.tall, 13, [...pair, ...renamed.keys()]);
  tokens.forEach((token, row) => {
    const y = sheet.middle(row);
    if (row < from || row >= to || !drawn[row] || y < TOP - 2 || y > sheet.height) return;
    const other = renamed.get(row);
    const picked = sheet.spread ? other : pair.includes(row) || row === looks;
    const size = sheet.tall < 15.5 ? 12 : sheet.phone || sheet.tall < 18 ? 13 : 14;
    pen.font = `${picked ? "600 " : ""}${size}px ${sheet.ink.code}`;
    pen.fillStyle = other ? sheet.ink.orange : special[row] && !picked ? sheet.ink.soft : sheet.ink.text;
    const index = other ? "" : names[row].slice(token.length);
    pen.fillText(clip(other ? `→${other}` : token, (sheet.phone ? 6 : 9) - index.length) + index, x, y);
  });
  pen.textAlign = "left";
}

/** Over every column its title, where it has room: from afar those of what enters, and of the layers. */
export function placeTitles(sheet) {
  const full = sheet.wide >= TITLED;
  const shown = full ? fullTitles(sheet) : sheet.phone ? layerNumbers(sheet) : briefTitles(sheet);
  const key = `${full} ${shown.map(({ i, text }) => `${i} ${text}`)}`;
  if (key !== sheet.shown) {
    sheet.shown = key;
    sheet.heads = shown.map((title) => ({ ...title, head: headOf(sheet, title) }));
    sheet.titles.replaceChildren(...overRows(sheet), ...sheet.heads.map(({ head }) => head));
  }
  moveTitles(sheet);
}

function fullTitles(sheet) {
  const [from, to] = sheet.inSight();
  const shown = [];
  let end = -1e9;
  for (let i = from; i <= to; i++) {
    const { title } = sheet.columns[i];
    const one = { i, text: title, look: "title" };
    if (sheet.sx(i) + STATE * sheet.wide < sheet.left + 40 || titleAt(sheet, one) < end) continue;
    shown.push(one);
    end = titleAt(sheet, one) + widthOf(sheet, title) + PAST_LAYER;
  }
  return shown;
}

/** Each begins at the line before its columns; what enters has one, and its steps are said on hover. */
function briefTitles(sheet) {
  const shown = [];
  let end = -1e9;
  for (const { i, to, look } of bandsOf(sheet)) {
    const layer = look === "title";
    const text = layer ? sheet.columns[i].brief : sheet.header.words.entrance;
    const steps = sheet.columns.slice(i, to).map(({ title }) => title);
    const one = { i, text, look: "title ruled", hint: layer ? "" : steps.join(" → ") };
    const x = titleAt(sheet, one);
    if (to <= sheet.columnAt(sheet.camera.x) || x < end) continue;
    shown.push(one);
    end = x + RULE + widthOf(sheet, text) + (layer ? PAST_LAYER : 0);
  }
  return shown;
}

/** On a phone what enters has one name, and each layer its number, in the middle of its columns. */
function layerNumbers(sheet) {
  const shown = [];
  let end = -1e9;
  for (const one of bandsOf(sheet)) {
    const x = titleAt(sheet, one);
    if (one.to <= sheet.columnAt(sheet.camera.x) || x < end) continue;
    shown.push(one);
    end = x + widthOf(sheet, one.text) + PAST_OTHER;
  }
  return shown;
}

function bandsOf({ columns, header }) {
  const starts = columns.flatMap(({ brief }, i) => (brief ? [i] : []));
  const number = (i) => /\d+/.exec(columns[i].brief)?.[0];
  const first = starts.filter((i, j) => number(i) || !j || number(starts[j - 1]));
  return first.map((i, j) => ({
    i,
    to: first[j + 1] ?? columns.length,
    text: number(i) ?? header.words.entrance,
    look: number(i) ? "title" : "title over",
  }));
}

function headOf(sheet, { i, text, look, hint }) {
  const door = doorOf(sheet, i);
  const head = door ? doorTo(door, text, `reach ${look}`) : make("span", look, text);
  if (hint) head.title = hint;
  return head;
}

/** Over the names of the rows the link to the page about tokens; on a phone what the numbers are of. */
function overRows(sheet) {
  const { first, words } = sheet.header;
  if (sheet.phone) {
    const layer = make("span", "of", words.ofLayers);
    layer.style.width = `${sheet.left - 10}px`;
    return sheet.wide >= TITLED ? [] : [layer];
  }
  return first ? [Object.assign(doorTo(first, words.table, "title"), { className: "reach ids" })] : [];
}

/** Where a title begins. */
function titleAt(sheet, { i, to, text, look }) {
  const lined = (column) => Math.max(sheet.sx(column, i) - CURVED * sheet.wide, sheet.left - 8);
  if (to) return Math.max((lined(i) + lined(to) - widthOf(sheet, text)) / 2, sheet.left - LEAD); // not over rows’
  return look === "title" ? Math.max(sheet.sx(i), sheet.left) : Math.round(lined(i));
}

/** The link to the page about a column; null where there is none. */
export function doorOf(sheet, i) {
  const { stage, door, opens } = sheet.columns[i];
  const link = sheet.header.stages[stage];
  return link ? { id: door, href: opens ? `${link.href}&${opens}` : link.href } : null;
}

/** Those that stand there go with their columns; out of sight where they have no room. */
export function moveTitles(sheet) {
  let end = Infinity;
  for (const one of sheet.heads.toReversed()) {
    const x = titleAt(sheet, one);
    const wide = widthOf(sheet, one.text);
    const fits = sheet.sx(one.to ?? one.i + 1, one.i) > sheet.left && x + wide < end;
    one.head.style.transform = `translateX(${Math.round(fits ? x : -sheet.width)}px)`;
    if (fits) end = x;
  }
  if (sheet.halves.children.length) moveHalves(sheet);
}

export function widthOf(sheet, text) {
  if (!sheet.texts.has(text)) {
    const pen = sheet.margin.getContext("2d");
    pen.font = `13px ${sheet.ink.font}`;
    sheet.texts.set(text, pen.measureText(text).width);
  }
  return sheet.texts.get(text);
}
