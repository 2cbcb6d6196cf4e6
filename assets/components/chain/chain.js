// Attention for one query, link by link: x becomes the query; every token offers a key; their products, divided by
// √d_k, become weights; each value is taken by its weight, and all of it is added up. Another query, key or head is
// drawn from what is here already. A press on a number follows it.

import { clip, inkOn, make, pixels, scale, veil, within } from "../kit/draw.js";
import { showTip, tipIn } from "../kit/draw.js";
import { fixed, short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * @typedef {{label: string, asks: string, earlier: string, later: string, key: string, product: string, scaled: string,
 *   weights: string, taken: string, context: string, others: string, veiled: string, masked: string,
 *   heard: string, one: string, two: string}} ChainWords
 *
 * `name` says which parameters name a plane (a head), `planes` are their values, joined by "/". Behind the header, of
 * each plane in turn: queries, then keys, values and contexts as float32; then x of each query, a byte a number.
 * @typedef {{fragment?: string, name: string[], planes: string[], queries: string[], keys: string[], dHead: number,
 *   dModel: number, causal: boolean, words: ChainWords}} Header
 */

const LABEL = 128; // pixels of the words on the left
const NARROW = 32; // a key's column is at least so wide
const WIDE = 120; // and at most
const KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const PARTS = ["query", "key", "value", "context"];
const GAP = 2; // pixels of the canvas between the vectors of a row
const TALL = 16; // and over each other: as many are full as its weight says
const FAINT = 64; // how much of the others is left, of 255
const DASH = "–";

class Chain extends Picture {
  static className = "chain";
  static speaks = true;

  build() {
    this.asks = this.root.appendChild(make("div", "asks"));
    this.grid = this.root.appendChild(make("div", "grid"));
    this.gets = this.root.appendChild(make("div", "gets"));
    this.caption = this.root.appendChild(make("p", "caption"));
    this.tip = tipIn(this.root);
    this.grid.tabIndex = 0;
    this.grid.onkeydown = (event) => this.move(event);
    this.root.onpointermove = (event) => this.point(event);
    this.root.onpointerleave = () => showTip(this.tip, null);
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    this.header = header;
    this.named(this.grid, "application", header.words.label);
    const { queries, keys, dHead, dModel, planes } = header;
    const [n, m] = [queries.length, keys.length];
    let from = 0;
    for (const part of PARTS) {
      const size = dHead * (part === "key" || part === "value" ? m : n);
      this[part] = planes.map(() => new Float32Array(body.buffer, 4 * (from += size) - 4 * size, size));
    }
    this.inputs = body.subarray(4 * from, 4 * from + n * dModel);
    this.reaches = [];
    this.shown = null;
  }

  // ---- what is selected

  get plane() {
    return this.header.planes.indexOf(this.header.name.map((name) => this.get(name)).join("/"));
  }

  get q() {
    return this.index("q", this.header.queries.length);
  }

  get k() {
    return this.index("k", this.header.keys.length);
  }

  lacks() {
    return Boolean(this.header) && this.plane < 0;
  }

  /** One vector of the selected head. */
  row(part, i) {
    const { dHead } = this.header;
    return this[part][this.at].subarray(i * dHead, (i + 1) * dHead);
  }

  // ---- what follows from queries and keys

  /** q·k ÷ √d_k of one pair. */
  score(q, k) {
    const [a, b] = [this.row("query", q), this.row("key", k)];
    return a.reduce((sum, value, i) => sum + value * b[i], 0) / Math.sqrt(a.length);
  }

  /** Scores and weights of a query, over every key. */
  attend(q) {
    const scores = this.header.keys.map((_, k) => this.score(q, k));
    const open = scores.map((score, k) => (this.header.causal && k > q ? -Infinity : score));
    const highest = Math.max(...open);
    const powers = open.map((score) => Math.exp(score - highest));
    const total = powers.reduce((sum, power) => sum + power, 0);
    return { scores, weights: powers.map((power) => power / total) };
  }

  // ---- drawing

  /** With the next frame: what it shows is long, and what was selected is first told to the server. */
  selected() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.redraw());
  }

  resized() {
    this.wide = this.shown = null;
    this.redraw();
  }

  // Another key alone marks another column; a query or a head is drawn anew.
  draw() {
    this.root.classList.toggle("waiting", this.lacks());
    if (this.lacks()) return;
    this.wide ??= this.root.clientWidth || 480; // measured once a size: to ask is to lay the page out
    this.at = this.plane;
    const [q, was] = [this.q, this.shown];
    if (was?.at !== this.at || was.q !== q) Object.assign(this, this.attend(q));
    const columns = this.columns();
    const shown = { at: this.at, q, columns: columns.join() };
    if (was?.at !== shown.at || was.q !== q || was.columns !== shown.columns) this.drawQuery(columns);
    this.shown = shown;
    for (const node of this.grid.children) node.classList.toggle("on", Number(node.dataset.k) === this.k);
    this.caption.textContent = this.captioned(this.header.queries[q]);
  }

  drawQuery(columns) {
    const { words, queries, dHead } = this.header;
    this.color = scale(this.root, true, this.reach);
    this.inputColor = scale(this.root, true, 1);
    this.weightColor = scale(this.root, false, 1);
    this.veiled = veil(this.root);
    const token = queries[this.q];
    this.keepingFocus(() => {
      this.drawAsks(token);
      this.drawGrid(columns);
    });
    const total = make("span", "total");
    const strip = this.strip(this.row("context", this.q), { show: "context", q: this.q }, "sum");
    const given = columns.length + (columns.length < this.header.keys.length ? 1 : 0);
    total.style.maxWidth = `${given * WIDE}px`; // as far as the columns
    total.append(strip, make("span", "shape", `${dHead}`));
    this.gets.replaceChildren(make("span", "what", fill(words.context, { token })), total);
  }

  /** Where the colours of this head's vectors end. */
  get reach() {
    const { at } = this;
    return (this.reaches[at] ??= reachOf(this.query[at], this.key[at], this.value[at]));
  }

  drawAsks(token) {
    const { words, dModel, dHead, queries } = this.header;
    const input = Float32Array.from(this.inputs.subarray(this.q * dModel, (this.q + 1) * dModel), (b) => b / 127.5 - 1);
    const x = make("canvas", "input");
    pixels(input, 1, dModel, this.inputColor, this.veiled, x);
    const step = (by, sign, said) => {
      const button = make("button", "step", sign);
      button.title = said;
      button.setAttribute("aria-label", said);
      button.dataset.at = `step${by}`;
      button.disabled = this.q + by < 0 || this.q + by >= queries.length;
      button.onclick = () => this.select({ q: this.q + by });
      return button;
    };
    this.asks.replaceChildren(
      step(-1, "‹", words.earlier),
      make("span", "who", fill(words.asks, { token: clip(token, 12) })),
      step(1, "›", words.later),
      make("span", "name", "x"),
      x,
      make("span", "shape", `${dModel}`),
      map("Q"),
      make("span", "name", "q"),
      this.strip(this.row("query", this.q), { show: "query", q: this.q }),
      make("span", "shape", `${dHead}`),
    );
  }

  /** The keys there is room for: all of them, or those looked at most, and the selected one. */
  columns() {
    const count = this.header.keys.length;
    const room = Math.floor((this.wide - LABEL) / NARROW);
    const all = Array.from({ length: count }, (_, i) => i);
    if (count <= room) return all;
    const { weights } = this;
    const order = all.toSorted((a, b) => (b === this.k) - (a === this.k) || (weights[b] || 0) - (weights[a] || 0));
    return order.slice(0, Math.max(1, room - 1)).sort((a, b) => a - b);
  }

  drawGrid(columns) {
    const { words, keys, dHead } = this.header;
    const left = keys.length - columns.length;
    const { scores, weights } = this;
    const root = Math.sqrt(dHead);
    const digits = (this.wide - LABEL) / columns.length < 40 ? 1 : 2;
    const follow = (show) => (k) => ({ show, q: this.q, k });
    const numbers = (show, written, value) => (k) =>
      this.number(Number.isNaN(value(k)) ? DASH : written(value(k)), value(k), follow(show)(k));
    const each = (cell) => columns.map((k) => this.marked(cell(k), k, weights[k]));
    const others = (said) => (left ? [said ?? make("span")] : []);
    const row = (label, cells, said) => [make("span", "what", label), ...cells, ...others(said)];
    this.grid.style.gridTemplateColumns = `${LABEL}px repeat(${columns.length + (left ? 1 : 0)}, minmax(0, ${WIDE}px))`;
    this.grid.replaceChildren(
      ...row("", each((k) => this.head(k)), make("span", "others", fill(words.others, { count: left }))),
      ...row(words.key, [this.vectors("key", columns, (k) => (weights[k] === 0 ? 0 : 1))]),
      ...row(words.product, each(numbers("scores", (v) => fixed(v, 1), (k) => scores[k] * root))),
      ...row(words.scaled, each(numbers("scores", (v) => fixed(v, digits), (k) => scores[k]))),
      ...row(words.weights, each((k) => this.weight(weights[k], follow("weights")(k))), this.rest(weights, columns)),
      ...row(words.taken, [this.vectors("value", columns, (k) => weights[k] || 0)]),
    ); // prettier-ignore
  }

  marked(node, k, weight) {
    node.dataset.k = k;
    node.classList.toggle("masked", weight === 0);
    return node;
  }

  head(k) {
    const node = make("span", "token", this.header.keys[k]);
    node.onclick = () => this.select({ k });
    return node;
  }

  number(text, value, patch) {
    const node = make("span", "number", text);
    node.dataset.said = Number.isNaN(value) ? this.header.words.veiled : short(value);
    node.onclick = () => this.select(patch);
    return node;
  }

  weight(weight, patch) {
    const hidden = Number.isNaN(weight);
    const said = weight > 0 && weight < 0.005 ? "<0.01" : fixed(weight, 2); // a key that is not masked gets something
    const node = this.number(hidden ? DASH : said, weight, patch);
    node.classList.add("weight");
    const color = hidden ? this.veiled : this.weightColor(weight);
    node.style.background = `rgb(${color})`;
    node.style.color = inkOn(color);
    if (weight === 0) node.dataset.said = this.header.words.masked;
    return node;
  }

  /** What the keys without a column are given, together. */
  rest(weights, columns) {
    const shown = new Set(columns);
    let sum = 0;
    weights.forEach((weight, k) => (sum += shown.has(k) ? 0 : weight));
    return this.weight(sum, {});
  }

  /** A vector, a cell a number; a press follows one of them. */
  strip(values, patch, kind = "") {
    const canvas = pixels(values, 1, values.length, this.color, this.veiled, make("canvas", `strip ${kind}`));
    canvas.cell = (part) => {
      const dim = clamp(Math.floor(part * values.length), 0, values.length - 1);
      return { value: values[dim], dim, patch };
    };
    return this.pressable(canvas);
  }

  /** A vector of every key side by side, on one canvas, because each costs; `share` of its height stands out. */
  vectors(show, columns, share) {
    const { dHead } = this.header;
    const step = dHead + GAP;
    const wide = columns.length * step;
    const image = new ImageData(wide, TALL);
    const colors = new Uint32Array(image.data.buffer);
    columns.forEach((k, i) => {
      const faint = TALL * (1 - share(k)); // down to this line
      this.row(show, k).forEach((value, dim) => {
        const [r, g, b] = Number.isNaN(value) ? this.veiled : this.color(value);
        const color = (b << 16) | (g << 8) | r;
        const x = i * step + GAP / 2 + dim;
        for (let y = 0; y < TALL; y++) colors[y * wide + x] = color | ((y + 0.5 < faint ? FAINT : 255) << 24);
      });
    });
    const canvas = Object.assign(make("canvas", `strip ${show}`), { width: wide, height: TALL });
    canvas.getContext("2d").putImageData(image, 0, 0);
    canvas.style.gridColumn = `span ${columns.length}`;
    canvas.cell = (part) => {
      const at = clamp(Math.floor(part * wide), 0, wide - 1);
      const k = columns[Math.floor(at / step)];
      const dim = clamp((at % step) - GAP / 2, 0, dHead - 1);
      return { value: this.row(show, k)[dim], dim, patch: { show, k } };
    };
    return this.pressable(canvas);
  }

  pressable(canvas) {
    canvas.onclick = (event) => {
      const { dim, patch } = canvas.cell(along(event, canvas));
      this.select({ ...patch, dim });
    };
    return canvas;
  }

  captioned(token) {
    const { words, keys } = this.header;
    const other = keys[this.k];
    if (!words.two || this.k === this.q) return words.one;
    const [there, back] = [this.scores[this.k], this.score(this.k, this.q)];
    if (Number.isNaN(there) || Number.isNaN(back)) return words.one;
    return fill(words.two, { token, other, there: short(there), back: short(back) });
  }

  // ---- what a hand does

  point(event) {
    const [target] = event.composedPath();
    const { cell, dataset } = target;
    const { x, y, width } = within(event, this.root);
    const at = { x, y: y + 16, width };
    if (cell) {
      const { value, dim } = cell(along(event, target));
      const said = Number.isNaN(value) ? this.header.words.veiled : short(value);
      showTip(this.tip, `[${dim}]  ${said}`, at);
    } else showTip(this.tip, dataset?.said ?? null, at);
  }

  move(event) {
    const step = pressed(event, KEYS);
    if (!step || this.lacks()) return;
    const { keys, queries, words } = this.header;
    const q = clamp(this.q + step[0], 0, queries.length - 1);
    this.select({ q, k: clamp(this.k + step[1], 0, keys.length - 1) });
    const { scores, weights } = this.attend(q);
    const score = scores[this.k];
    this.heard.textContent = Number.isNaN(score)
      ? words.veiled
      : fill(words.heard, {
          token: queries[this.q],
          other: keys[this.k],
          product: short(score * Math.sqrt(this.header.dHead)),
          scaled: short(score),
          weight: short(weights[this.k]),
        });
  }
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

// How far to the right of a canvas, from 0 to 1.
function along(event, canvas) {
  const { x, width } = within(event, canvas);
  return x / width;
}

// ·W with its letter above it.
function map(letter) {
  const node = make("span", "map", "·W");
  node.append(make("sup", "", letter), " →");
  return node;
}

// Where the colours of a head's vectors end: a few numbers are much larger than the rest.
function reachOf(...arrays) {
  const sizes = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let count = 0;
  for (const array of arrays) for (const value of array) if (!Number.isNaN(value)) sizes[count++] = Math.abs(value);
  return sizes.subarray(0, count).sort()[Math.floor(0.98 * (count - 1))] || 1;
}

export default component(Chain);
