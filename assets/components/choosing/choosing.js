// How the next word is chosen: the state it is written from, and under that the rows of the table that answer it most:
// each as its products with the state, with what they add up to and its share.

import { make, vector } from "../kit/draw.js";
import { Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * @typedef {{id: number, rank: number, text: string, logit: string, share: string, part: number,
 *   note: string}} Row
 *
 * @typedef {{label: string, state: string, another: string, products: string, added: string, logit: string,
 *   sum: string, share: string, rest: string, restShare: string, restTrail: string}} ChoosingWords
 *
 * Behind the header: the state, then a row of the table for each of `rows`, as float32.
 * Where a row is `worked` out before the reader's eyes, it lies behind those.
 * @typedef {{rows: Row[], first: number, dModel: number, words: ChoosingWords, veiled: boolean,
 *   worked: {row: string, example: string, products: string, sum: string, score: string} | null}} Header
 */

const BAR = 3; // pixels of a bar, at least,
const LEAST = 24; // ... and at least so many of them
const [BESIDE, PART, BESIDE_STACKED] = [254, 1 / 2.1, 218]; // what stands beside the bars (choosing.css)
const GAP = 0.12; // between a bar and the next, on each side, as a part of its width
const STEPS = { ArrowUp: -1, ArrowDown: 1 };

class Choosing extends Picture {
  static className = "choosing";

  build() {
    this.asking = this.root.appendChild(make("div", "row asking"));
    this.worked = this.root.appendChild(make("div", "worked"));
    this.heads = this.root.appendChild(make("div", "row heads"));
    const answers = this.root.appendChild(make("div", "answers"));
    this.list = answers.appendChild(make("div", "list"));
    this.rest = answers.appendChild(make("div", "row rest"));
    this.list.onkeydown = (event) => this.key(event);
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    const { dModel, rows } = header;
    const row = (_, i) => new Float32Array(body.buffer, 4 * dModel * (i + 1), dModel);
    this.header = header;
    this.state = new Float32Array(body.buffer, 0, dModel);
    this.table = rows.map(row);
    this.example = header.worked ? row(null, rows.length) : null;
    this.named(this.list, "group", header.words.label);
  }

  draw() {
    const { words, rows, veiled } = this.header;
    this.root.classList.toggle("veiled", veiled);
    const products = this.products();
    const reach = reachOf(products);
    this.keepingFocus(() => {
      this.list.replaceChildren(...rows.map((row, i) => this.row(row, bars(products[i], reach))));
    });
    const together = this.together();
    const heads = [words.products, words.logit, words.share].map((head) => make("span", "head", head));
    if (together > 1) heads[0].append(make("small", "", words.added.replace("{n}", together)));
    heads[1].append(make("small", "", words.sum));
    this.heads.replaceChildren(make("span"), ...heads);
    const state = sums(this.state, together);
    this.asking.replaceChildren(
      make("span", "word", words.state),
      bars(state, reachOf([state])),
      make("span", "another", words.another),
    );
    this.worked.replaceChildren(...(this.example ? this.workedOut(together) : []));
    const share = make(words.restTrail ? "button" : "span", words.restTrail ? "door" : "", words.restShare);
    if (words.restTrail) share.dataset.trail = words.restTrail; // the page begins it (address.js)
    const left = veiled ? veil() : measure("", Math.max(0, 1 - rows.reduce((sum, { part }) => sum + part, 0)));
    if (!veiled) left.lastChild.append(share);
    this.rest.replaceChildren(make("span", "word", words.rest), left);
  }

  // A row and its products with the state, and what they come to: as every score is made.
  workedOut(together) {
    const { row, example, products, sum, score } = this.header.worked;
    const line = (name, values, ...said) => {
      const line = make("div", "row asking");
      line.append(make("span", "word", name), bars(values, reachOf([values])), ...said);
      return line;
    };
    const each = this.example.map((value, i) => value * this.state[i]);
    const added = [make("span", "number", sum), make("span", "whose", score)];
    const one = line(row, sums(this.example, together), make("span", "another", example));
    return [one, line(products, sums(each, together), ...added)];
  }

  // The selected row; where the address names one that is not here, none.
  chosen() {
    return this.integer("word") ?? this.header.first;
  }

  row({ id, rank, text, logit, share, part, note }, products) {
    const { veiled } = this.header;
    const on = !veiled && id === this.chosen();
    const row = make(veiled ? "div" : "button", on ? "row on" : "row");
    const word = make("span", "word");
    word.append(
      make("i", "", rank ? String(rank) : ""),
      make("b", "", text),
      ...(note ? [make("small", "", note)] : []),
    );
    row.append(word, products);
    if (veiled) {
      row.append(veil());
      return row;
    }
    row.append(make("span", "number", logit), measure(share, part));
    row.setAttribute("aria-pressed", String(on));
    row.dataset.at = `row-${id}`;
    row.onclick = () => this.select({ word: id });
    return row;
  }

  // Of each row, its products with the state; while the question is open the row alone, as they would answer it.
  products() {
    const { veiled } = this.header;
    const together = this.together();
    const product = (row) => (veiled ? row : row.map((value, i) => value * this.state[i]));
    return this.table.map((row) => sums(product(row), together));
  }

  // How many neighbours a bar adds up, in equal parts: bars as thin as a pixel are mere noise.
  together() {
    const { clientWidth } = this.root;
    const { dModel } = this.header;
    const room = matchMedia("(max-width: 640px)").matches
      ? clientWidth - BESIDE_STACKED
      : (clientWidth - BESIDE) * PART;
    let together = Math.max(1, Math.ceil(dModel / Math.max(LEAST, Math.floor(room / BAR))));
    while (dModel % together) together += 1;
    return together;
  }

  key(event) {
    const step = pressed(event, STEPS);
    const { rows, veiled } = this.header;
    if (step === undefined || veiled) return;
    const now = rows.findIndex(({ id }) => id === this.chosen());
    const next = rows[Math.max(0, Math.min(rows.length - 1, now + step))];
    this.select({ word: next.id });
    this.list.querySelector(`[data-at="row-${next.id}"]`)?.focus();
  }
}

// So many neighbours each added up.
function sums(values, together) {
  const added = new Float32Array(values.length / together);
  values.forEach((value, i) => (added[Math.floor(i / together)] += value));
  return added;
}

// The largest and the least of all, so that bars as high are as much in every row.
function reachOf(lines) {
  const all = lines.flatMap((line) => [...line]);
  return [Math.min(0, ...all), Math.max(0, ...all)];
}

// A bar for each value, up from the line where it is positive, down where it is negative.
function bars(values, [low, high]) {
  const strip = make("span", "strip");
  const svg = vector("svg", { viewBox: `0 0 ${values.length || 1} 1`, preserveAspectRatio: "none" });
  const zero = values.length ? high / (high - low) : 0.5;
  for (const sign of [1, -1]) {
    const path = [...values].map((value, i) => {
      const height = Math.max(0, sign * value) / (high - low);
      return height ? `M${i + GAP} ${zero}v${-sign * height}h${1 - 2 * GAP}v${sign * height}z` : "";
    });
    svg.append(vector("path", { d: path.join(""), class: sign > 0 ? "positive" : "negative" }));
  }
  svg.append(vector("path", { d: `M0 ${zero}H${values.length || 1}`, class: "zero" }));
  strip.append(svg);
  return strip;
}

// In the place of what must not be seen while the question is open.
function veil() {
  const cell = make("span", "veil");
  cell.append(make("i"), make("b", "", "?"));
  return cell;
}

// A share, and before it its bar.
function measure(text, part) {
  const cell = make("span", "share");
  const track = cell.appendChild(make("span", "track"));
  track.appendChild(make("span", "bar")).style.width = `${100 * part}%`;
  cell.append(make("span", "number", text));
  return cell;
}

export default component(Choosing);
