// Attention for one query, link by link: x becomes the query; every token offers a key; their products, divided by
// √d_k, become weights; each value is taken by its weight, and all of it is added up. Another query, key or head is
// drawn from what is here already. A press on a number follows it.

import { clip, make, pixels, scale, veil } from "../kit/draw.js";
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
 * @typedef {{name: string[], planes: string[], queries: string[], keys: string[], dHead: number, dModel: number,
 *   causal: boolean, words: ChainWords}} Header
 */

const LABEL = 104; // pixels of the words on the left
const NARROW = 32; // a key's column is at least so wide
const WIDE = 84; // and at most
const KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const PARTS = ["query", "key", "value", "context"];
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
    this.reaches = planes.map((_, i) => reachOf(this.query[i], this.key[i], this.value[i]));
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

  draw() {
    this.root.classList.toggle("waiting", this.lacks());
    if (this.lacks()) return;
    this.at = this.plane;
    Object.assign(this, this.attend(this.q));
    const { words, queries, dHead } = this.header;
    this.color = scale(this.root, true, this.reaches[this.at]);
    this.weightColor = scale(this.root, false, 1);
    this.veiled = veil(this.root);
    const token = queries[this.q];
    this.keepingFocus(() => {
      this.drawAsks(token);
      this.drawGrid();
    });
    this.gets.replaceChildren(
      make("span", "what", fill(words.context, { token })),
      this.strip(this.row("context", this.q), { show: "context", q: this.q }, "sum"),
      make("span", "shape", `${dHead}`),
    );
    this.caption.textContent = this.captioned(token);
  }

  drawAsks(token) {
    const { words, dModel, dHead, queries } = this.header;
    const input = Float32Array.from(this.inputs.subarray(this.q * dModel, (this.q + 1) * dModel), (b) => b / 127.5 - 1);
    const x = make("canvas", "input");
    pixels(input, 1, dModel, scale(this.root, true, 1), this.veiled, x);
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
    const room = Math.floor(((this.root.clientWidth || 480) - LABEL) / NARROW);
    const all = Array.from({ length: count }, (_, i) => i);
    if (count <= room) return all;
    const { weights } = this;
    const order = all.toSorted((a, b) => (b === this.k) - (a === this.k) || (weights[b] || 0) - (weights[a] || 0));
    return order.slice(0, Math.max(1, room - 1)).sort((a, b) => a - b);
  }

  drawGrid() {
    const { words, keys, dHead } = this.header;
    const columns = this.columns();
    const left = keys.length - columns.length;
    const { scores, weights } = this;
    const root = Math.sqrt(dHead);
    const digits = (this.root.clientWidth - LABEL) / columns.length < 40 ? 1 : 2;
    const follow = (show) => (k) => ({ show, q: this.q, k });
    const numbers = (show, written, value) => (k) =>
      this.number(Number.isNaN(value(k)) ? DASH : written(value(k)), value(k), follow(show)(k));
    const vector = (part) => (k) => this.strip(this.row(part, k), { show: part, k });
    const rows = [
      ["", (k) => this.head(k), () => make("span", "others", fill(words.others, { count: left }))],
      [words.key, vector("key")],
      [words.product, numbers("scores", (v) => fixed(v, 1), (k) => scores[k] * root)],
      [words.scaled, numbers("scores", (v) => fixed(v, digits), (k) => scores[k])],
      [words.weights, (k) => this.weight(weights[k], follow("weights")(k)), () => this.rest(weights, columns)],
      [words.taken, (k) => this.taken(k, weights[k])],
    ]; // prettier-ignore
    const cells = rows.flatMap(([label, cell, others]) => [
      make("span", "what", label),
      ...columns.map((k) => this.marked(cell(k), k, weights[k])),
      ...(left ? [others ? others() : make("span")] : []),
    ]);
    this.grid.style.gridTemplateColumns = `${LABEL}px repeat(${columns.length + (left ? 1 : 0)}, minmax(0, ${WIDE}px))`;
    this.grid.replaceChildren(...cells);
  }

  marked(node, k, weight) {
    node.classList.toggle("on", k === this.k);
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
    const node = this.number(hidden ? DASH : fixed(weight, 2), weight, patch);
    node.classList.add("weight");
    const color = hidden ? this.veiled : this.weightColor(weight);
    node.style.background = `rgb(${color})`;
    node.classList.toggle("deep", weight > 0.35);
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
    const canvas = pixels(values, 1, values.length, this.color, this.veiled);
    canvas.className = `strip ${kind}`;
    canvas.values = values;
    const dimAt = (event) => {
      const { left, width } = canvas.getBoundingClientRect();
      return clamp(Math.floor(((event.clientX - left) / width) * values.length), 0, values.length - 1);
    };
    canvas.dimAt = dimAt;
    canvas.onclick = (event) => this.select({ ...patch, dim: dimAt(event) });
    return canvas;
  }

  /** A key's value; what stands out of it is as high as its weight. */
  taken(k, weight) {
    const strip = this.strip(this.row("value", k), { show: "value", k }, "value");
    const share = `${100 * (weight || 0)}%`;
    strip.style.maskImage = `linear-gradient(to top, #000 ${share}, rgb(0 0 0 / 0.2) ${share})`;
    return strip;
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
    const { values, dataset } = target;
    const box = this.root.getBoundingClientRect();
    const at = { x: event.clientX - box.left, y: event.clientY - box.top + 16, width: box.width };
    if (values) {
      const dim = target.dimAt(event);
      const value = values[dim];
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
    const score = this.scores[this.k];
    this.heard.textContent = Number.isNaN(score)
      ? words.veiled
      : fill(words.heard, {
          token: queries[this.q],
          other: keys[this.k],
          product: short(score * Math.sqrt(this.header.dHead)),
          scaled: short(score),
          weight: short(this.weights[this.k]),
        });
  }
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

// ·W with its letter above it.
function map(letter) {
  const node = make("span", "map", "·W");
  node.append(make("sup", "", letter), " →");
  return node;
}

// Where the colours of a head's vectors end: a few numbers are much larger than the rest.
function reachOf(...arrays) {
  const sizes = arrays.flatMap((array) => Array.from(array, Math.abs)).filter((size) => !Number.isNaN(size));
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(0.98 * (sizes.length - 1))] || 1;
}

export default component(Chain);
