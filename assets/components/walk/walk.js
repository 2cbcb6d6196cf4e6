// One word walked from left to right: at every place the longest candidate first, shorter ones until one is in the
// vocabulary. All steps of the word are here, so stepping needs no server. It sits alone in its fragment, so it is
// also the one that tells the server what was selected.
//
// Data: unit, title, value, where, intro, text (the word, or null where there is none to walk), stops [{start, end,
// id, tried, reason}], check, note, words. A candidate is the text from `start` up to an end; those longer than what
// was found are known to be absent, so only their number travels.

import { begin, ending, make, onSelection, shared } from "../shared/shared.js";

const SHOWN = 9, FIRST = 4; // candidates drawn at one stop, and how many of them before the gap

export default function ({ data, parentElement, setStateValue }) {
  const root = begin(parentElement, "section", "walk");
  const reporter = { report: (selection) => setStateValue("selection", selection) };
  shared.reporter = reporter;
  const draw = () => {
    if (Number(shared.selection.word) !== data.unit) return; // the server is on its way with another word
    const scrolled = root.querySelector(".board")?.scrollLeft ?? 0;
    root.replaceChildren(...drawn(data));
    const board = root.querySelector(".board");
    if (board) board.scrollLeft = scrolled;
  };
  root.replaceChildren(...drawn(data));
  const stop = onSelection(draw);
  return ending(parentElement, () => {
    stop();
    if (shared.reporter === reporter) shared.reporter = null;
  });
}

function drawn(data) {
  const at = Math.max(1, Math.min(data.stops.length, Number(shared.selection.step) || 1)), stop = data.stops[at - 1];
  const parts = [head(data)];
  for (const text of data.intro) parts.push(make("p", "intro", text));
  if (stop) parts.push(board(data, at, stop), make("p", "reason", stop.reason));
  if (stop && data.stops.length > 1) parts.push(result(data, at));
  if (data.check && at === data.stops.length) parts.push(make("p", "check", data.check));
  if (data.note) parts.push(make("p", "note", data.note));
  return parts;
}

function head({ title, value, where }) {
  const head = make("header"), heading = make("h2", "", title);
  heading.append(make("bdi", "", value));
  head.append(heading, make("span", "where", where));
  return head;
}

// The word's letters as columns, and under them the candidates of this stop.
function board(data, at, stop) {
  const letters = [...data.text], box = make("div", "board"), inner = box.appendChild(make("div", "inner"));
  inner.style.setProperty("--n", letters.length);
  inner.append(wordLine(letters, data.stops, at), ...lines(letters, stop, data.words));
  return box;
}

function wordLine(letters, stops, at) {
  const line = make("div", "line letters");
  letters.forEach((letter, i) => {
    const done = stops.slice(0, at - 1).some(({ end }) => end !== null && i < end);
    const cell = letterCell(letter, i, done ? "done" : "");
    if (i % 5 === 0) cell.dataset.i = i;
    line.append(cell);
  });
  return line;
}

function letterCell(letter, i, className) {
  const cell = make("span", `letter ${className}`, /^\p{M}/u.test(letter) ? "◌" + letter : letter);
  cell.style.setProperty("--i", i);
  return cell;
}

function lines(letters, { start, end, id, tried }, words) {
  const shortest = end ?? start + 1, ends = Array.from({ length: tried }, (_, i) => shortest + tried - 1 - i);
  const candidate = (to) => line(letters, start, to, to === end ? id : null, words);
  if (tried <= SHOWN) return ends.map(candidate);
  const gap = make("div", "line gap", words.gap.replace("{count}", tried - SHOWN + 1));
  return [...ends.slice(0, FIRST).map(candidate), gap, ...ends.slice(FIRST - SHOWN + 1).map(candidate)];
}

function line(letters, start, end, id, words) {
  const found = id !== null, row = make("div", `line ${found ? "found" : "rejected"}`), bar = make("span", "bar");
  bar.style.setProperty("--from", start);
  bar.style.setProperty("--size", end - start);
  if (start > 0) bar.append(make("i", "", "##"));
  letters.slice(start, end).forEach((letter, i) => bar.append(letterCell(letter, i, "")));
  row.append(bar, make("span", "verdict", found ? String(id) : words.no));
  return row;
}

// The pieces found so far, up to this stop.
function result({ text, stops, words }, at) {
  const letters = [...text], row = make("p", "result");
  stops.forEach(({ start, end }, i) => {
    const known = i < at && end !== null;
    const piece = make("span", i === at - 1 ? "piece at" : known ? "piece" : "piece open", known ? (start ? "##" : "") + letters.slice(start, end).join("") : i < at ? words.none : "…");
    row.append(piece);
  });
  return row;
}
