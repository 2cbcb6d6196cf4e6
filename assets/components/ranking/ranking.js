// Lists side by side, each in its own order: a row is a place, and a line leads from an entry to the same one in the
// next list. What a list has alone stands out.

import { clip, make, vector, widthOf } from "../kit/draw.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `same` is what an entry has in common with those it is joined to; `note` stands beside it, where there is room.
 * @typedef {{text: string, same: string, note: string, marked: boolean}} Entry
 *
 * @typedef {{title: string, entries: Entry[], foot: string}} Ranked
 *
 * `first` is the number of the first row.
 * @typedef {{lists: Ranked[], label: string, caption: string, first: number}} Data
 */

const ROW = 30;
const HEAD = 26;
const FOOT = 22;
const CHIP = 24;
const NUMBERS = 26; // of the rows, at the left
const WIDEST = 290; // of a list with the lines behind it
const LETTER = 7.8;
const BETWEEN = 34; // pixels of a line at least

class Ranking extends Picture {
  static className = "ranking";

  build() {
    this.svg = this.root.appendChild(vector("svg", { role: "img" }));
    this.caption = this.root.appendChild(make("p", "caption"));
  }

  take(data) {
    this.data = data;
    this.caption.textContent = data.caption;
  }

  draw() {
    const { lists, label, first } = this.data;
    const room = (this.root.clientWidth || 600) - NUMBERS;
    const rows = Math.max(...lists.map(({ entries }) => entries.length));
    const pitch = Math.min(WIDEST, room / (lists.length - 0.35));
    const columns = lists.map((list, i) => placed(list, NUMBERS + i * pitch, pitch - BETWEEN));
    const height = HEAD + rows * ROW + (lists.some(({ foot }) => foot) ? FOOT : 0);
    const width = Math.min(room + NUMBERS, NUMBERS + lists.length * pitch);
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const numbers = Array.from({ length: rows }, (_, i) => write(0, middle(i), first + i, "number"));
    const joined = columns.slice(1).flatMap((to, i) => lines(columns[i], to));
    this.svg.replaceChildren(...numbers, ...joined, ...columns.flatMap((column) => drawn(column, rows)));
    const heard = lists.map(({ title, entries }) => `${title}: ${entries.map(({ text }) => text).join(", ")}`);
    this.svg.setAttribute("aria-label", `${label} ${heard.join(". ")}`);
  }
}

const middle = (row) => HEAD + (row + 0.5) * ROW;
const write = (x, y, text, look) => vector("text", { x, y: y + 4.5, class: look }, text);

/** Where the entries of a list stand: the widths of their chips, and how far their notes reach. */
function placed({ title, entries, foot }, x, room) {
  const boxes = entries.map((entry) => {
    const text = clip(entry.text, Math.max(2, Math.floor((room - 16) / LETTER)));
    return { ...entry, shown: text, x, wide: widthOf(text) + 16 };
  });
  const beside = Math.max(0, ...boxes.map(({ wide }) => wide)) + 8;
  const fits = boxes.every(({ note }) => beside + widthOf(note) <= room);
  const ends = ({ wide, note }) => x + (note && fits ? beside + widthOf(note) + 6 : wide);
  return { title, foot, x, beside: x + beside, fits, boxes: boxes.map((box) => ({ ...box, end: ends(box) })) };
}

function drawn({ title, foot, x, beside, fits, boxes }, rows) {
  const chips = boxes.flatMap(({ text, shown, note, marked, wide }, i) => {
    const look = `chip${marked ? " marked" : ""}`;
    const box = vector("rect", { x, y: middle(i) - CHIP / 2, width: wide, height: CHIP, rx: 5, class: look });
    box.append(vector("title", {}, note ? `${text}: ${note}` : text));
    const beside_ = note && fits ? [write(beside, middle(i), note, "note")] : [];
    return [box, write(x + 8, middle(i), shown, look), ...beside_];
  });
  const below = foot ? [write(x, HEAD + rows * ROW + FOOT / 2 - 2, foot, "foot")] : [];
  return [write(x, 10, title, "title"), ...chips, ...below];
}

/** From each entry to the first one of the next list that is the same. */
function lines(from, to) {
  return from.boxes.flatMap(({ same, end }, i) => {
    const j = to.boxes.findIndex((box) => box.same === same);
    if (j < 0) return [];
    const [y, there, half] = [middle(i), middle(j), (end + to.x) / 2];
    const d = `M${end + 2},${y} C${half},${y} ${half},${there} ${to.x - 2},${there}`;
    return [vector("path", { d, class: i === j ? "line" : "line moved" })];
  });
}

export default component(Ranking);
