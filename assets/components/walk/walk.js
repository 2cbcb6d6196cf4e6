// One word walked from left to right: at every place the longest candidate first, shorter ones until one is in the
// vocabulary; or merged, two pieces at a step. All steps of the word are here, so stepping needs no server.

import { make, vector } from "../kit/draw.js";
import { fade, Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A candidate is the text from `start` up to an end; `end` and `id` are the found one's, null where there is none.
 * Those longer than what was found are known to be absent, so only their number travels: `tried`.
 * Where pieces are merged, `ends` says where each piece of the word ends after the step.
 * @typedef {{start: number, end: number | null, id: number | null, tried: number, reason: string,
 *   ends: number[] | null}} Stop
 *
 * `unit` is the word's place among the words, `text` the word, or null where there is none to walk. Of a walk that is
 * veiled there is the word, and where it is looked up, as far as its first piece `reached`: how many candidates there
 * were is asked; `left` says what comes then.
 * @typedef {{unit: number, title: string, value: string, where: string, intro: string[],
 *   text: string | string[] | null,
 *   stops: Stop[], reached: number | null, left: string, marks: string, check: string, note?: string, veiled: string,
 *   words: Record<"no" | "there" | "less" | "none" | "gap", string>}} Data
 */

const SHOWN = 9; // candidates drawn at one stop
const FIRST = 4; // how many of them before the gap

class Walk extends Picture {
  static tag = "section";
  static className = "walk";

  take(data) {
    this.data = data;
    this.fresh = true;
  }

  // While the server is on its way with another word, this one stays as it is.
  draw() {
    const { data } = this;
    if (Number(this.get("word")) !== data.unit && !this.fresh) return;
    this.fresh = false;
    const scrolled = this.root.querySelector(".board")?.scrollLeft ?? 0;
    this.root.classList.toggle("veiled", data.veiled !== "");
    this.root.replaceChildren(...drawn(data, this.index("step", data.stops.length + 1, 1) || 1));
    const board = this.root.querySelector(".board");
    if (!board) return;
    board.scrollLeft = scrolled;
    board.onscroll = () => fade(board);
    fade(board);
  }
}

function drawn(data, at) {
  const stop = data.stops[at - 1];
  const parts = [head(data)];
  const beside = make("div", "beside");
  for (const text of data.intro) beside.append(make("p", "intro", text));
  if (stop) beside.append(make("p", "reason", stop.reason));
  if (stop && data.stops.length > 1) beside.append(result(data, at));
  if (data.left) beside.append(make("p", "reason", data.left), begun(data));
  if (data.veiled) beside.append(make("p", "intro", data.veiled));
  if (data.marks) beside.append(make("p", "reason", data.marks));
  if (data.check && at === data.stops.length) beside.append(make("p", "check", data.check));
  if (data.note) beside.append(make("p", "note", data.note));
  const body = make("div", "body");
  if (data.text !== null) body.append(board(data, at, stop));
  body.style.setProperty("--letters", [...(data.text ?? "")].length);
  body.append(beside);
  return [...parts, body];
}

function head({ title, value, where }) {
  const heading = make("h2", "", title);
  heading.append(make("bdi", "", value));
  const head = make("header");
  head.append(heading, make("span", "where", where));
  return head;
}

// The word's letters as columns, and under them the candidates of this stop.
function board({ text, stops, reached, words }, at, stop) {
  const letters = [...text];
  const box = make("div", "board");
  const inner = box.appendChild(make("div", "inner"));
  inner.style.setProperty("--n", letters.length);
  inner.append(wordLine(letters, stops, at), ...(stop ? lines(letters, stop, words) : veiled(letters, reached, words)));
  return box;
}

// The question says that the whole word is looked up, and the word less a letter, that neither is there, and what is.
function veiled(letters, reached, words) {
  if (reached === null) return [make("div", "veil")];
  const tried = [0, 1].map((less) => line(letters, 0, letters.length - less, null, words));
  return [...tried, unseen(letters.length, reached, words), line(letters, 0, reached, words.there, words)];
}

// As high as it is however many they are.
function unseen(count, reached, words) {
  const gap = make("div", "gap open");
  const shape = vector("svg", { viewBox: `0 0 ${count} 1`, preserveAspectRatio: "none" });
  shape.append(vector("polygon", { points: `0,0 ${count - 1},0 ${reached},1 0,1` }));
  gap.append(make("b", "", "? "), `⋮ ${words.less}`, shape);
  return gap;
}

function wordLine(letters, stops, at) {
  const line = make("div", "line letters");
  letters.forEach((letter, i) => {
    const done = stops.slice(0, at - 1).some(({ end, ends }) => !ends && end !== null && i < end);
    const cell = letterCell(letter, i, done ? "done" : "");
    if (i % 5 === 0) cell.dataset.i = i;
    line.append(cell);
  });
  return line;
}

function letterCell(letter, i, className) {
  const cell = make("span", `letter ${className}`, /^\p{M}/u.test(letter) ? `◌${letter}` : letter);
  cell.style.setProperty("--i", i);
  return cell;
}

function lines(letters, { start, end, id, tried, ends }, words) {
  if (ends) return [merged(letters, start, ends, id)];
  const shortest = end ?? start + 1;
  const reached = Array.from({ length: tried }, (_, i) => shortest + tried - 1 - i);
  const candidate = (to) => line(letters, start, to, to === end ? id : null, words);
  if (tried <= SHOWN) return reached.map(candidate);
  const gap = make("div", "line gap", words.gap.replace("{count}", tried - SHOWN + 1));
  return [...reached.slice(0, FIRST).map(candidate), gap, ...reached.slice(FIRST - SHOWN + 1).map(candidate)];
}

function line(letters, start, end, id, words) {
  const found = id !== null;
  const bar = make("span", "bar");
  bar.style.setProperty("--from", start);
  bar.style.setProperty("--size", end - start);
  if (start > 0) bar.append(make("i", "", "##"));
  letters.slice(start, end).forEach((letter, i) => bar.append(letterCell(letter, i, "")));
  const row = make("div", `line ${found ? "found" : "rejected"}`);
  row.style.setProperty("--to", end);
  row.append(bar, make("span", "verdict", found ? String(id) : words.no));
  return row;
}

// The pieces of the word after a merge; the new one stands out, with its id.
function merged(letters, start, ends, id) {
  const row = make("div", "line found");
  row.style.setProperty("--to", ends.at(-1));
  ends.forEach((end, i) => {
    const from = i ? ends[i - 1] : 0;
    const bar = make("span", from === start ? "bar" : "bar piece");
    bar.style.setProperty("--from", from);
    bar.style.setProperty("--size", end - from);
    letters.slice(from, end).forEach((letter, at) => bar.append(letterCell(letter, at, "")));
    row.append(bar);
  });
  row.append(make("span", "verdict", String(id)));
  return row;
}

// The pieces found so far, up to this stop.
function result({ text, stops, words }, at) {
  const letters = [...text];
  const row = make("p", "result");
  const { ends, start } = stops[at - 1];
  if (ends) {
    ends.forEach((end, i) => {
      const from = i ? ends[i - 1] : 0;
      row.append(make("span", from === start ? "piece at" : "piece", letters.slice(from, end).join("")));
    });
    return row;
  }
  stops.forEach(({ start, end }, i) => {
    const known = i < at && end !== null;
    const piece = known ? (start ? "##" : "") + letters.slice(start, end).join("") : i < at ? words.none : "…";
    row.append(make("span", i === at - 1 ? "piece at" : known ? "piece" : "piece open", piece));
  });
  return row;
}

// While it is asked how many are looked up: the piece that the question names, and the letters that are left.
function begun({ text, reached }) {
  const letters = [...text];
  const row = make("p", "result");
  row.append(make("span", "piece at", letters.slice(0, reached).join("")));
  row.append(make("span", "piece open", `##${letters.slice(reached).join("")}…`));
  return row;
}

export default component(Walk);
