// Whom one query attends to in every head of a layer: a row a head, a column a key, and a dot whose area is the weight.
// The line under them counts the heads whose largest weight is there. Another query or layer is drawn from what is
// here already, or asked for.

import { clip, make, showTip, tipIn, told, upright, vector, widthOf, within, yielding } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp, entry, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `planes` are named `layer.head`; behind the header each [query, key] as float32, NaN where it must not be seen yet.
 * `known` names some heads, `does` says what a head of such a name does. What stands in braces is filled in here.
 * @typedef {{fragment?: string, planes: string[], queries: string[], keys: string[], heads: number,
 *   known: Record<string, string>, does: Record<string, string>, words: {label: string, query: string,
 *   earlier: string, later: string, head: string, most: string, others: string, veiled: string, caption: string,
 *   name: string, heard: string}}} Header
 */

const NAMED = 104; // pixels of the heads' numbers, with the name of the selected one
const NUMBERED = 38; // and without it, where there is little room
const ROW = 25; // a row is at least so high, and on a slide
const LOW = 13;
const HIGH = 50; // and at most
const FLAT = 30; // and on a phone, where all rows are seen at once
const PHONE = 480;
const TALL = 300; // of all rows together
const SLOPE = 34; // of the last key's name, which leans out to the right,
const END = 8; // ... or stands
const NARROW = 17; // a column is at least so wide
const WIDE = 64; // and at most
const TOP = 30; // of the keys' names, and where they are slanted
const STEEP = 62;
const RAISED = 16; // of a name that would not find room between two others
const SHORT = /^\p{Script=Han}{1,2}$/u; // not longer than high
const LETTERS = 11;
const KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

class Dots extends Picture {
  static className = "dots";
  static speaks = true;

  build() {
    this.asks = this.root.appendChild(make("div", "asks"));
    this.box = this.root.appendChild(make("div", "box"));
    this.caption = this.root.appendChild(make("p", "caption"));
    this.tip = tipIn(this.root);
    this.box.tabIndex = 0;
    this.box.onkeydown = (event) => this.move(event);
    this.box.onpointermove = (event) => this.point(event);
    this.box.onpointerleave = () => showTip(this.tip, null);
    this.box.onclick = (event) => this.pick(cellOf(event));
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    this.header = header;
    this.values = new Float32Array(body.buffer);
    this.named(this.box, "application", header.words.label);
  }

  // ---- what is selected

  get q() {
    return this.index("q", this.header.queries.length);
  }

  get k() {
    return this.index("k", this.header.keys.length);
  }

  get head() {
    return Number(this.get("head"));
  }

  lacks() {
    return Boolean(this.header) && !this.header.planes.includes(`${this.get("layer")}.1`);
  }

  /** The weights of the query in one head of the layer, counted from 1. */
  row(head) {
    const { planes, queries, keys } = this.header;
    const at = planes.indexOf(`${this.get("layer")}.${head}`);
    const from = (at * queries.length + this.q) * keys.length;
    return this.values.subarray(from, from + keys.length);
  }

  // ---- drawing

  draw() {
    this.root.classList.toggle("waiting", this.lacks());
    if (this.lacks()) return;
    const { words, queries, keys, heads } = this.header;
    this.rows = Array.from({ length: heads }, (_, i) => this.row(i + 1));
    this.drawAsks(words, queries);
    const columns = this.columns();
    this.high = yielding(clamp(TALL / heads, ROW, this.wide < PHONE ? FLAT : HIGH), LOW);
    const room = (lean) => clamp((this.wide - this.before - lean) / columns.length, NARROW, WIDE);
    const labels = columns.map((k) => clip(keys[k], LETTERS));
    const long = labels.filter((label) => !SHORT.test(label)).length;
    this.raised = long === 1 && !upright(labels, room(END), END); // alone, it stands over the others
    this.slanted = !this.raised && !upright(labels, room(END), END);
    const wide = room(this.slanted ? SLOPE : END);
    const at = (i) => this.before + (i + 0.5) * wide;
    this.top = this.slanted ? STEEP : this.raised ? TOP + RAISED : TOP;
    const size = { width: this.wide, height: this.top + this.high * heads + ROW + 4 };
    const svg = vector("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}` });
    columns.forEach((k, i) => svg.append(this.key(k, at(i))));
    svg.append(vector("text", { x: this.before - 10, y: this.top - 8, class: "head" }, words.head));
    this.rows.forEach((row, h) => this.drawRow(svg, row, h, columns, at, wide));
    this.drawMost(svg, columns, at);
    this.box.replaceChildren(svg);
    const left = keys.length - columns.length;
    const said = [words.caption, this.explained(this.head), left ? fill(words.others, { count: left }) : ""];
    this.caption.replaceChildren(...told(said.filter(Boolean).join(words.caption.includes("。") ? "" : " ")));
  }

  /** Pixels before the first column. */
  get before() {
    return this.wide < PHONE ? NUMBERED : NAMED;
  }

  get wide() {
    return this.root.clientWidth || 480;
  }

  drawAsks(words, queries) {
    const step = (by, sign, said) => {
      const button = make("button", "step", sign);
      button.title = said;
      button.setAttribute("aria-label", said);
      button.dataset.at = `step${by}`;
      button.disabled = this.q + by < 0 || this.q + by >= queries.length;
      button.onclick = () => this.select({ q: this.q + by });
      return button;
    };
    const who = make("span", "who", fill(words.query, { token: clip(queries[this.q], 16) }));
    this.keepingFocus(() => this.asks.replaceChildren(step(-1, "‹", words.earlier), who, step(1, "›", words.later)));
  }

  /** The keys there is room for: all of them, or those that any head attends to most, and the selected one. */
  columns() {
    const { keys } = this.header;
    const room = Math.max(1, Math.floor((this.wide - this.before - SLOPE) / NARROW));
    const all = keys.map((_, k) => k);
    if (keys.length <= room) return all;
    const most = all.map((k) => Math.max(...this.rows.map((row) => row[k] || 0)));
    const order = all.toSorted((a, b) => (b === this.k) - (a === this.k) || most[b] - most[a]);
    return order.slice(0, room).sort((a, b) => a - b);
  }

  key(k, x) {
    const label = clip(this.header.keys[k], LETTERS);
    const long = !SHORT.test(label);
    const leans = this.slanted && long;
    const y = this.top - 8 - (this.raised && long ? RAISED : 0);
    const turn = `translate(${x - (leans ? 3 : 0)} ${y})${leans ? " rotate(-42)" : ""}`;
    const anchor = leans ? "start" : this.raised && x > this.wide - widthOf(label) / 2 ? "end" : "middle";
    const text = vector("text", { transform: turn, "text-anchor": anchor }, label);
    text.setAttribute("class", k === this.k ? "key on" : "key");
    return text;
  }

  drawRow(svg, row, h, columns, at, wide) {
    const { high } = this;
    const y = this.top + (h + 0.5) * high;
    const on = h + 1 === this.head;
    const band = vector("rect", { x: 0, y: y - high / 2, width: this.wide, height: high });
    band.setAttribute("class", on ? "band on" : "band");
    band.dataset.cell = `${h + 1}`;
    const named = on && this.wide >= PHONE; // of the others a name is said where one points
    const number = this.before - 10; // where it ends
    const places = [
      [number, h + 1],
      [number - 22, named ? clip(this.known(h + 1), 11) : ""],
    ];
    svg.append(
      band,
      ...places.map(([x, said]) => vector("text", { x, y: y + 4, class: on ? "head on" : "head" }, said)),
    );
    const most = Math.min(high, wide) / 2 - 1;
    columns.forEach((k, i) => {
      const hidden = Number.isNaN(row[k]);
      const r = hidden ? 2 : Math.max(0.6, most * Math.sqrt(row[k]));
      const dot = vector("circle", { cx: at(i), cy: y, r });
      dot.setAttribute("class", hidden ? "hidden" : "dot");
      svg.append(dot);
      if (on && k === this.k) {
        const ring = vector("circle", { cx: at(i), cy: y, r: r + 2.5 });
        ring.setAttribute("class", "ring");
        svg.append(ring);
      }
      const target = vector("rect", { x: at(i) - wide / 2, y: y - high / 2, width: wide, height: high });
      target.setAttribute("class", "target");
      target.dataset.cell = `${h + 1} ${k}`;
      svg.append(target);
    });
  }

  known(head) {
    return entry(this.header.known, `${this.get("layer")}.${head}`) ?? "";
  }

  /** What the name of a head says; null where it has none. */
  explained(head) {
    const { words, does } = this.header;
    const name = this.known(head);
    return name ? fill(words.name, { head, name, does: does[name] }) : null;
  }

  name(head) {
    return `${head} ${clip(this.known(head), 11)}`.trim();
  }

  /** How many heads have their largest weight at each key. */
  drawMost(svg, columns, at) {
    if (this.rows.some((row) => row.some(Number.isNaN))) return;
    const counts = new Map();
    for (const row of this.rows) {
      const best = row.indexOf(Math.max(...row));
      counts.set(best, (counts.get(best) ?? 0) + 1);
    }
    const y = this.top + this.high * this.rows.length + ROW / 2 + 6;
    const line = vector("line", { x1: 0, x2: this.wide, y1: y - 14, y2: y - 14 });
    line.setAttribute("class", "line");
    svg.append(line, vector("text", { x: 4, y: y + 4, class: "most" }, this.header.words.most));
    columns.forEach((k, i) => {
      const text = vector("text", { x: at(i), y: y + 4, "text-anchor": "middle" }, `${counts.get(k) ?? ""}`);
      text.setAttribute("class", "count");
      svg.append(text);
    });
  }

  // ---- what a hand does

  sentence(head, k) {
    const { words, queries, keys } = this.header;
    const weight = this.rows[head - 1][k];
    const said = Number.isNaN(weight) ? words.veiled : short(weight);
    return fill(words.heard, { head: this.name(head), query: queries[this.q], key: keys[k], weight: said });
  }

  point(event) {
    const { head, k } = cellOf(event);
    const { x, y, width } = within(event, this.root);
    const said = k === null ? this.explained(head) : this.sentence(head, k);
    showTip(this.tip, said, { x, y: y + 16, width });
  }

  pick({ head, k }) {
    if (head) this.select({ head, q: this.q, ...(k === null ? {} : { k }) });
  }

  move(event) {
    const step = pressed(event, KEYS);
    if (!step || this.lacks()) return;
    const head = clamp(this.head + step[0], 1, this.header.heads);
    const k = clamp(this.k + step[1], 0, this.header.keys.length - 1);
    this.heard.textContent = this.sentence(head, k);
    this.pick({ head, k });
  }
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

function cellOf(event) {
  const [target] = event.composedPath();
  const [head, k] = (target.dataset?.cell ?? "").split(" ");
  return { head: Number(head || 0), k: k === undefined ? null : Number(k) };
}

export default component(Dots);
