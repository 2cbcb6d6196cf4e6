// How the next word is chosen: the line that is being written, the state it is written from, and under that the rows of
// the table that answer it most: each as a strip of colours, with its dot product and its share.

import { make, pixels, rgb, scale, themeOf } from "../kit/draw.js";
import { Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * @typedef {{id: number, rank: number, text: string, logit: string, share: string, part: number,
 *   note: string}} Row
 *
 * @typedef {{label: string, line: string, writing: string, key: string, state: string, rows: string, mean: string,
 *   logit: string, share: string, rest: string,
 *   restShare: string, restTrail: string}} ChoosingWords
 *
 * Behind the header: the state, then a row of the table for each of `rows`, as float32.
 * @typedef {{at: number, written: string[], rows: Row[], first: number, dModel: number,
 *   words: ChoosingWords, veiled: boolean}} Header
 */

const STRIPE = 3; // pixels of a stripe, at least,
const LEAST = 24; // ... and at least so many of them
const [BESIDE, PART, BESIDE_STACKED] = [260, 1.2 / 2.2, 218]; // what stands beside the strips (choosing.css)
const STEPS = { ArrowUp: -1, ArrowDown: 1 };

class Choosing extends Picture {
  static className = "choosing";

  build() {
    this.line = this.root.appendChild(make("div", "line"));
    this.heads = this.root.appendChild(make("div", "row heads"));
    this.asking = this.root.appendChild(make("div", "row asking"));
    const answers = this.root.appendChild(make("div", "answers"));
    this.list = answers.appendChild(make("div", "list"));
    this.rest = answers.appendChild(make("div", "row rest"));
    this.list.onkeydown = (event) => this.key(event);
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    const { dModel, rows } = header;
    this.header = header;
    this.state = new Float32Array(body.buffer, 0, dModel);
    this.table = rows.map((_, i) => new Float32Array(body.buffer, 4 * dModel * (i + 1), dModel));
    this.named(this.line, "group", header.words.line);
    this.named(this.list, "group", header.words.label);
  }

  draw() {
    const { words, rows, written, at, veiled } = this.header;
    this.root.classList.toggle("veiled", veiled);
    this.line.hidden = !written.length;
    this.keepingFocus(() => {
      this.line.replaceChildren(
        make("span", "", words.writing),
        ...written.map((text, i) => this.chip(text, i, i === at)),
      );
      this.list.replaceChildren(...rows.map((row, i) => this.row(row, i)));
    });
    const heads = [words.rows, words.logit, words.share].map((head) => make("span", "head", head));
    const together = this.together();
    const key = make("span", "key");
    key.append(make("i", "negative-to-positive"));
    key.title = words.key;
    if (together > 1) heads[0].append(make("small", "", words.mean.replace("{n}", together)));
    this.heads.replaceChildren(make("span"), ...heads);
    this.asking.replaceChildren(make("span", "word", words.state), this.strip(this.state), key);
    const share = make(words.restTrail ? "button" : "span", words.restTrail ? "door" : "", words.restShare);
    if (words.restTrail) share.dataset.trail = words.restTrail; // the page begins it (address.js)
    const left = measure("", veiled ? 0 : Math.max(0, 1 - rows.reduce((sum, { part }) => sum + part, 0)));
    left.lastChild.append(share);
    this.rest.replaceChildren(make("span", "word", words.rest), left);
  }

  chip(text, i, on) {
    const chip = make("button", on ? "on" : "", text);
    chip.setAttribute("aria-pressed", String(on));
    chip.dataset.at = `q-${i}`;
    chip.onclick = () => this.select({ q: i, word: null });
    return chip;
  }

  // The selected row; where the address names one that is not here, none.
  chosen() {
    return this.integer("word") ?? this.header.first;
  }

  row({ id, rank, text, logit, share, part, note }, i) {
    const { veiled } = this.header;
    const on = !veiled && id === this.chosen();
    const row = make(veiled ? "div" : "button", on ? "row on" : "row");
    const word = make("span", "word");
    word.append(
      make("i", "", rank ? String(rank) : ""),
      make("b", "", text),
      ...(note ? [make("small", "", note)] : []),
    );
    row.append(word, this.strip(this.table[i]), make("span", "number", logit), measure(share, part));
    if (veiled) return row;
    row.setAttribute("aria-pressed", String(on));
    row.dataset.at = `row-${id}`;
    row.onclick = () => this.select({ word: id });
    return row;
  }

  // How many neighbours a stripe is the mean of: stripes as thin as a pixel are mere noise.
  together() {
    const { clientWidth } = this.root;
    const room = matchMedia("(max-width: 640px)").matches
      ? clientWidth - BESIDE_STACKED
      : (clientWidth - BESIDE) * PART;
    return Math.max(1, Math.ceil(this.header.dModel / Math.max(LEAST, Math.floor(room / STRIPE))));
  }

  strip(values) {
    const stripes = means(values, this.together());
    let reach = 0;
    for (const value of stripes) reach = Math.max(reach, Math.abs(value));
    const veiled = rgb(themeOf(this.root)("--st-border-color"));
    const strip = make("span", "strip");
    strip.append(pixels(stripes, 1, stripes.length, scale(this.root, true, reach), veiled));
    return strip;
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

// So many neighbours each as their mean; NaN where one is veiled.
function means(values, together) {
  const mean = (part) => part.reduce((sum, value) => sum + value, 0) / part.length;
  return Array.from({ length: Math.ceil(values.length / together) }, (_, i) =>
    mean(values.subarray(i * together, (i + 1) * together)),
  );
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
