// One word in several sentences: with each the sentence whose word is nearest, a curve through the depths, and all
// cosines as a square. The depth is chosen here alone: everything is there. Each cosine can be followed.

import { inkOn, make, marked, roundSteps, scale, vector, widthOf } from "../kit/draw.js";
import { exact, fixed, short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * Behind the header: cosines [depth, sentence, sentence], within [depth], across [depth].
 * @typedef {{param: string, word: string, sentences: string[], senses: number[], names: string[], compared: boolean[],
 *   said: string[][], words: SensesWords, kind: string, between: string,
 *   rows: string[][]}} Header
 *
 * @typedef {{label: string, within: string, across: string, nearest: string, cosines: string, axis: string
 *   }} SensesWords
 */

const TALL = 170;
const LEFT = 34;
const FOOT = 34;
const TOP = 10;
const SIDE = 380; // of the square, at most
const KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const [LETTERS, BESIDE] = [12, 2]; // pixels of a depth's name, and free on either side of it
const LEGIBLE = 44; // pixels of a cell that its number has room in
const PALE = 0.9; // a cosine as pale as any: a difference of a hundredth must not look large

class Senses extends Picture {
  static className = "senses";

  build() {
    this.left = this.root.appendChild(make("div", "left"));
    this.right = this.root.appendChild(make("div", "right"));
    this.list = this.left.appendChild(make("ol", "list"));
    this.said = this.left.appendChild(make("div", "said"));
    this.said.setAttribute("aria-live", "polite");
    this.names = this.right.appendChild(make("p", "names"));
    this.curve = this.right.appendChild(vector("svg", { role: "img" }));
    this.caption = this.right.appendChild(make("p", "caption"));
    this.square = this.right.appendChild(make("div", "square"));
    this.at = [1, 0]; // the cosine that has the focus
    this.square.onkeydown = (event) => this.move(pressed(event, KEYS));
    this.square.addEventListener("focusin", ({ target }) => this.here(target.dataset.at.split(",").map(Number)));
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    const numbers = new Float32Array(body.buffer);
    const [n, depths] = [header.sentences.length, header.names.length];
    this.header = header;
    this.cosines = numbers.subarray(0, depths * n * n);
    this.within = numbers.subarray(depths * n * n, depths * n * n + depths);
    this.across = numbers.subarray(depths * n * n + depths);
    this.curve.setAttribute("aria-label", header.words.label);
    const { within, across } = header.words;
    this.names.replaceChildren(make("span", "within", within), make("span", "across", across));
    this.caption.textContent = header.words.cosines;
  }

  get depth() {
    return this.index(this.header.param, this.header.names.length, this.header.names.length - 1);
  }

  cosine(i, j, depth = this.depth) {
    const n = this.header.sentences.length;
    return this.cosines[(depth * n + i) * n + j];
  }

  draw() {
    const { header, depth } = this;
    const many = header.names.length > 1;
    this.names.hidden = !many || !this.within.some(Number.isFinite);
    this.curve.toggleAttribute("hidden", this.names.hidden);
    this.root.classList.toggle("alone", this.names.hidden);
    this.list.replaceChildren(...header.sentences.map((_, i) => this.sentence(i)));
    this.said.replaceChildren(...header.said[depth].map(paragraph));
    if (!this.names.hidden) this.drawCurve();
    this.keepingFocus(() => this.drawSquare());
    this.level();
  }

  /** Beside the square alone, each sentence stands in its own row. */
  level() {
    const beside = this.names.hidden && this.right.offsetLeft > this.list.offsetLeft;
    const first = this.square.querySelector(".cell");
    this.list.style.marginTop = beside && first ? `${first.offsetTop - this.right.offsetTop}px` : "";
    this.list.style.gridAutoRows = beside && first ? `${first.offsetHeight}px` : "";
    this.root.classList.toggle("beside", beside);
  }

  // ---- the sentences

  sentence(i) {
    const { sentences, senses, word, words, compared } = this.header;
    const row = make("li", i && senses[i] !== senses[i - 1] ? "first" : "");
    row.append(make("span", "number", String(i + 1)), this.marked(sentences[i], word));
    if (!compared[this.depth] || this.names.hidden) return row; // alone, the square beside it says so
    const best = this.nearest(i);
    const right = senses[best] === senses[i];
    row.append(make("span", right ? "to" : "to wrong", `${words.nearest} ${best + 1}${right ? "" : " ✗"}`));
    return row;
  }

  marked(text, word) {
    const span = make("span", "text");
    const at = word ? text.toLowerCase().indexOf(word.toLowerCase()) : -1;
    if (at < 0) return Object.assign(span, { textContent: text });
    span.append(text.slice(0, at), make("b", "", text.slice(at, at + word.length)), text.slice(at + word.length));
    return span;
  }

  nearest(i) {
    const others = this.header.sentences.map((_, j) => j).filter((j) => j !== i);
    return others.reduce((best, j) => (this.cosine(i, j) > this.cosine(i, best) ? j : best));
  }

  // ---- the curve

  drawCurve() {
    const { names, words } = this.header;
    const width = Math.max(240, this.right.clientWidth || 420);
    const known = [...this.within, ...this.across].filter(Number.isFinite);
    const low = Math.min(0.5, ...known.map((value) => Math.floor(value * 10) / 10));
    const x = (i) => LEFT + 12 + (i / (names.length - 1)) * (width - LEFT - 36);
    const y = (value) => TOP + ((1 - value) / (1 - low)) * (TALL - TOP - FOOT);
    const ticks = roundSteps(low, 1, 4).flatMap((value) => [
      vector("line", { x1: LEFT, x2: width, y1: y(value), y2: y(value), class: "grid" }),
      vector("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, exact(value)),
    ]);
    const here = { x1: x(this.depth), x2: x(this.depth), y1: TOP, y2: TALL - FOOT, class: "here" };
    const named = this.legible(names, x);
    const wide = (width - LEFT) / names.length;
    const places = names.map((name, i) => this.place(named.has(i) ? name : "", i, x(i), wide));
    const axis = vector("text", { x: width, y: TALL - 2, "text-anchor": "end", class: "axis" }, words.axis);
    const lines = [...path(this.across, x, y, "across"), ...path(this.within, x, y, "within")];
    this.curve.setAttribute("viewBox", `0 0 ${width} ${TALL}`);
    this.curve.setAttribute("width", width);
    this.curve.setAttribute("height", TALL);
    this.curve.replaceChildren(...ticks, vector("line", here), ...lines, ...places, axis);
  }

  /** Whose names find room beside one another: the chosen one's, then from the left. */
  legible(names, x) {
    const [named, taken] = [new Set(), []];
    for (const i of [this.depth, ...names.keys()]) {
      const half = widthOf(names[i], LETTERS) / 2 + BESIDE;
      const [from, to] = [x(i) - half, x(i) + half];
      if (named.has(i) || taken.some((one) => from < one[1] && one[0] < to)) continue;
      named.add(i);
      taken.push([from, to]);
    }
    return named;
  }

  place(name, i, x, wide) {
    const group = vector("g", { class: "place" });
    const chosen = i === this.depth ? "tick on" : "tick";
    group.append(
      vector("text", { x, y: TALL - FOOT + 15, "text-anchor": "middle", class: chosen }, name),
      vector("rect", { x: x - wide / 2, y: 0, width: wide, height: TALL - 14, class: "press" }),
    );
    group.onclick = () => this.select({ [this.header.param]: i });
    return group;
  }

  // ---- the square

  drawSquare() {
    const { sentences, senses } = this.header;
    const n = sentences.length;
    const size = Math.min(n > 6 ? 34 : 52, Math.floor((Math.min(SIDE, this.right.clientWidth || SIDE) - n) / (n + 1)));
    const apart = sentences.flatMap((_, i) => sentences.flatMap((_, j) => (i === j ? [] : [this.cosine(i, j)])));
    const low = Math.min(PALE, ...apart);
    const color = scale(this.root, false, 1);
    const cells = [make("span")];
    for (let j = 0; j < n; j++) cells.push(make("span", "number", String(j + 1)));
    for (let i = 0; i < n; i++) {
      cells.push(make("span", "number", String(i + 1)));
      for (let j = 0; j < n; j++) cells.push(this.cell(i, j, low, color, size >= LEGIBLE));
    }
    this.square.style.gridTemplateColumns = `repeat(${n + 1}, ${size}px)`;
    this.square.style.gridTemplateRows = "22px";
    this.square.style.gridAutoRows = `${Math.max(20, size - 11)}px`;
    this.square.replaceChildren(...cells);
    this.named(this.square, this.header.rows.length ? "group" : "img", this.header.words.cosines);
    this.here([clamp(this.at[0], 0, n - 1), clamp(this.at[1], 0, n - 1)]);
  }

  cell(i, j, low, color, written) {
    const { between, kind, rows, senses } = this.header;
    const value = this.cosine(i, j);
    const begins = (k) => k > 0 && senses[k] !== senses[k - 1];
    const borders = `${begins(i) ? " top" : ""}${begins(j) ? " before" : ""}`;
    const [one, other] = [rows[this.depth]?.[i], rows[this.depth]?.[j]];
    const node = make(one && other ? "button" : "span", `cell${borders}`);
    const paper = color(Math.max(0, (value - low) / (1 - low || 1)) * 0.8);
    node.style.background = `rgb(${paper.join()})`;
    node.style.color = inkOn(paper);
    if (written) node.textContent = fixed(value, 2);
    node.title = `${i + 1} · ${j + 1}: ${short(value)}`;
    node.dataset.at = `${i},${j}`;
    if (one && other) {
      node.dataset.trail = `${kind}.${one}${between}${other}`;
      node.setAttribute("aria-label", written ? `${i + 1} · ${j + 1}: ${node.textContent}` : node.title);
      node.tabIndex = -1;
    }
    return node;
  }

  // ---- one of its cosines is within the keyboard's reach

  move(step) {
    if (!step) return;
    const last = this.header.sentences.length - 1;
    const [i, j] = this.at.map((place, axis) => clamp(place + step[axis], 0, last));
    this.square.querySelector(`button[data-at="${i},${j}"]`)?.focus();
  }

  here(at) {
    const button = ([i, j]) => this.square.querySelector(`button[data-at="${i},${j}"]`);
    for (const [place, index] of [
      [this.at, -1],
      [at, 0],
    ])
      if (button(place)) button(place).tabIndex = index;
    this.at = at;
  }
}

/** A sentence; a number in it may be one that can be pressed. */
function paragraph(html) {
  const node = make("p");
  node.append(marked(html));
  return node;
}

function path(values, x, y, look) {
  const points = [...values].flatMap((value, i) => (Number.isFinite(value) ? [[x(i), y(value)]] : []));
  const d = points.map(([px, py], i) => `${i ? "L" : "M"}${px.toFixed(1)},${py.toFixed(1)}`).join("");
  return [
    vector("path", { d, class: look }),
    ...points.map(([cx, cy]) => vector("circle", { cx, cy, r: 3.5, class: look })),
  ];
}

export default component(Senses);
