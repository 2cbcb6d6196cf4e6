// What is said of the sheet: a sentence of what is pointed at, one below it, and a table for who does not see it.

import { make, marked } from "../kit/draw.js";
import { counted, exact, fixed, short } from "../kit/format.js";
import { clamp } from "../kit/picture.js";
import { doorTo } from "../kit/streamlit.js";
import { lastLooker, pairOf } from "./compared.js";
import { mixtureOf } from "./gather.js";
import { LEAST_ROW, WIDEST } from "./measures.js";
import { looksInSight } from "./rivers.js";
import { doorOf } from "./names.js";

const LISTED = 4; // tokens that are named of those that are mixed

export function sentenceOf(sheet, found) {
  const { words, names } = sheet.header;
  const { knots } = sheet.thread ?? {};
  const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
  const percent = (share) => `${share < 0.1 ? fixed(100 * share, 1) : Math.round(100 * share)} %`;
  if (found.kind === "label") return names[found.row];
  if (found.kind === "look")
    return fill(found.looks ?? words.looks, {
      query: names[found.q],
      key: names[found.k],
      share: percent(found.share),
      name: found.name,
    });
  if (found.kind === "knot") return `${found.knot.where} = ${exact(found.knot.value)}`;
  if (found.kind === "strand") {
    const { made, of, share, value, left, right, others } = found.strand;
    const facts = { to: knots[made].name, share: percent(share), rest: short(value) };
    if (of === null) return fill(counted(words.others, "count", others), facts);
    const product = left === null ? short(value) : `${short(left)} × ${short(right)} = ${short(value)}`;
    return fill(sheet.onward ? words.into : words.part, { ...facts, from: knots[of].name, product });
  }
  const { column, row, dim, tile } = found;
  const { title, lengths, target, kind } = sheet.columns[column];
  const facts = { token: names[row], place: title, dim };
  if (found.kind === "cell") {
    const value = tile.values[(row - tile.first) * tile.width + dim];
    return fill(sheet.spread ? words.differs : words.number, {
      ...facts,
      value: Number.isNaN(value) ? words.veiled : exact(value),
    });
  }
  const length = lengths[row - (target ? sheet.header.read : 0)];
  if (sheet.spread) {
    const moved = sheet.moved[column][row - (target ? sheet.header.read : 0)];
    return fill(words.apart, { ...facts, length: short(moved), share: percent(length ? moved / length : 0) });
  }
  const said = fill(kind === "written" ? words.writes : words.length, { ...facts, length: short(length) });
  const mixed = kind === "written" ? mixtureOf(sheet, found) : [];
  if (mixed.length) {
    const shown = mixed.slice(0, LISTED);
    const parts = shown.map(([key, share]) => `${names[key]} ${percent(share)}`);
    if (shown.reduce((sum, [, share]) => sum + share, 0) < 0.99) parts.push("…");
    const own = sheet.lines.find((one) => one.column === column);
    return `${said}${fill(own.mixed ?? words.mixed, { parts: parts.join(words.between) })}`;
  }
  return isCut(sheet, length) && kind === "state" ? `${said} ${words.wide}` : said;
}

/** Whether a river so wide has no room in its row. */
const isCut = ({ header }, length) => 0.5 * length > WIDEST * header.full;

// ---- what is said

export function sayAll(sheet) {
  const { words, tokens } = sheet.header;
  const [from, to] = sheet.inSight();
  const rows = Math.max(1, Math.ceil(LEAST_ROW / sheet.tall));
  const level = sheet.layer ?? "rivers";
  const threaded = Boolean(sheet.thread?.knots.length);
  const said = threaded && !sheet.layer ? [] : [saidOf(sheet, level)]; // a thread is what is looked at
  if (rows > 1) said.push(counted(words.pooled, "count", rows));
  if (sheet.spread) said.splice(0, 1, sheet.spread.said, ...(sheet.layer ? [words.minus] : []));
  if (sheet.unsaid) said.splice(0, 1, sheet.unsaid);
  if (threaded) said.push(sheet.onward ? words.onward : words.thread);
  sheet.turn.hidden = !threaded;
  sheet.turn.textContent = sheet.onward ? `← ${words.back}` : `${words.on} →`;
  const whole = sheet.phone && level === "rivers" && !threaded && !sheet.spread && !sheet.unsaid;
  sheet.what.replaceChildren(...(whole ? [marked(together([words.rivers, words.sides]))] : []));
  sheet.saying.replaceChildren(marked(together(whole ? marksSaid(sheet) : said)));
  const { column } = sheet.cursor ?? sheet.center();
  const { title, stage } = sheet.columns[column];
  const name = sheet.header.stages[stage]?.name;
  const named = `${words.open.replace("{stage}", name)}${title === name ? "" : ` · ${title}`}`;
  const door = sheet.cursor || sheet.layer ? doorOf(sheet, column) : null; // of the whole, no column is meant
  sheet.link.replaceChildren(...(door ? [doorTo(door, named, "reach")] : []));
  tabulate(sheet, level, clamp(from, 0, to), Math.min(to, from + 7), Math.min(11, tokens.length - 1));
}

// The sentence of a level; of rivers those of all that is drawn.
function saidOf(sheet, level) {
  const { words } = sheet.header;
  return level === "rivers" ? together([words.rivers, words.sides, ...marksSaid(sheet)]) : words[level];
}

/** The sentences of the lines, and of what is cut: each where some of that is in sight. */
function marksSaid(sheet) {
  const { words } = sheet.header;
  const [from, to] = sheet.inSight();
  const seen = sheet.columns.slice(from, to + 1);
  const lines = words.lines.replace("{tokens}", () => lookersNamed(sheet));
  const cut = seen.some(({ kind, lengths }) => kind === "state" && lengths.some((long) => isCut(sheet, long)));
  const banks = cut && !sheet.phone; // there it would take a line; what to notice says it
  return [...(looksInSight(sheet).length ? [sheet.head?.lines ?? lines] : []), ...(banks ? [words.cut] : [])];
}

function lookersNamed(sheet) {
  const { words, names } = sheet.header;
  const pair = [...new Set(pairOf(sheet))].map((row) => names[row]).join(words.both);
  const last = sheet.sx(sheet.second) < sheet.width ? lastLooker(sheet) : null;
  return last === null ? pair : pair + words.last.replace("{token}", () => names[last]);
}

// Sentences in Chinese stand without a space between.
function together(sentences) {
  return sentences.join(" ").replace(/([。）]) /g, "$1");
}

// Who does not see the names in the picture hears all of it.
function heardOf(sheet, level) {
  const { norms } = sheet.header.words;
  return level === "rivers" && norms ? together([saidOf(sheet, level), norms]) : saidOf(sheet, level);
}

// The same as a table, for who does not see it: of what is in sight, as much as can be listened to.
export function tabulate(sheet, level, from, to, most) {
  const { names, words } = sheet.header;
  const stacks = sheet.sides.flatMap((own, i) => (own.length ? [sheet.rowsInSight(i > 0)] : []));
  const rows = stacks.flatMap(([top, bottom]) => Array.from({ length: bottom - top + 1 }, (_, j) => top + j));
  const table = make("table");
  table.createCaption().append(marked(sheet.spread?.said ?? heardOf(sheet, level)));
  const head = table.createTHead().insertRow();
  head.append(make("td"));
  const body = table.createTBody();
  const dims = level === "cells" ? dimsInSight(sheet) : null;
  const columns = dims ?? Array.from({ length: to - from + 1 }, (_, j) => from + j);
  for (const i of columns) head.append(make("th", "", dims ? String(i) : sheet.columns[i].title));
  const at = sheet.center().column;
  for (const row of rows.slice(0, most + 1)) {
    const line = body.insertRow();
    line.append(make("th", "", names[row]));
    for (const i of columns) line.append(make("td", "", dims ? numberAt(sheet, at, row, i) : lengthAt(sheet, i, row)));
  }
  sheet.table.replaceChildren(table);
}

export function dimsInSight(sheet) {
  const middle = sheet.dimAt();
  const first = clamp(middle - 4, 0, Math.max(0, sheet.header.size - 8));
  return Array.from({ length: Math.min(8, sheet.header.size) }, (_, i) => first + i);
}

export function numberAt(sheet, column, row, dim) {
  const tile = sheet.tileAt("cells", column, row);
  return tile ? short(tile.values[(row - tile.first) * tile.width + dim]) : "";
}

export function lengthAt(sheet, column, row) {
  const [from, to] = sheet.rowsOf(column);
  const lengths = sheet.spread ? sheet.moved[column] : sheet.columns[column].lengths;
  return row >= from && row < to ? short(lengths[row - from]) : "";
}
