// Dimensions as waves over positions: a lane for each of a few, the selected one always among them. A line is dragged
// through the positions; a lane that is pressed is selected. The dots are the numbers; what joins them is the formula
// of the waves, or, of a learned table, a straight line.
//
// It lends the rows it was given to the clocks.

import { make, told, vector, within, yielding } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * Positions `from` … `from` + `count` − 1, out of `positions`; `d` dimensions; `kinds` of encoding, each with the
 * `reach` that fills a lane; `period` of each pair of dimensions, in positions a radian; the first `tokens` positions
 * are the sentence's. Behind the header: the rows of each kind as float32.
 * @typedef {{id?: string, fragment?: string, from: number, count: number, positions: number, d: number,
 *   kinds: string[], reach: Record<string, number>, period: number[], tokens: number,
 *   words: {label: string, title: Record<string, string>, caption: Record<string, string>, dim: string,
 *     position: string}}} Header
 */

const LANE = 47; // pixels of a wave, and on a slide at least
const LOW = 26;
const TOP = 20;
const FOOT = 26;
const LEFT = 78;
const RIGHT = 12;
const SLIDES = 8; // pixels: a finger that went so far sideways does not scroll
const KEYS = {
  ArrowLeft: ["pos", -1],
  ArrowRight: ["pos", 1],
  ArrowUp: ["dim", -1],
  ArrowDown: ["dim", 1],
  Home: ["pos", -Infinity],
  End: ["pos", Infinity],
};

class Waves extends Picture {
  static className = "waves";
  static speaks = true;

  build() {
    this.svg = this.root.appendChild(vector("svg", { tabindex: 0 }));
    this.caption = this.root.appendChild(make("p", "caption"));
    this.svg.onpointerdown = (event) => this.press(event);
    this.svg.onpointermove = (event) => this.drag(event);
    this.svg.onpointerup = this.svg.onpointercancel = () => (this.dragging = false);
    this.svg.onclick = (event) => this.pick(event);
    this.svg.onkeydown = (event) => this.key(event);
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    const size = header.count * header.d;
    const planes = header.kinds.map((kind, i) => [kind, new Float32Array(body.buffer, 4 * i * size, size)]);
    this.header = header;
    this.planes = Object.fromEntries(planes);
    this.named(this.svg, "application", header.words.label);
    const row = (kind, position) => this.row(kind, position);
    this.store.lend(header.id ?? "waves", { owner: this, header, row });
  }

  // Other positions than these only the server has.
  lacks() {
    if (!this.header) return false;
    const at = this.now().pos - this.header.from;
    return at < 0 || at >= this.header.count;
  }

  now() {
    const { positions, d, kinds } = this.header;
    const kind = this.get("kind");
    return {
      pos: this.index("pos", positions),
      dim: this.index("dim", d),
      kind: kinds.includes(kind) ? kind : kinds[0],
    };
  }

  row(kind, position) {
    const { from, count, d } = this.header;
    const at = position - from;
    return at < 0 || at >= count ? null : this.planes[kind].subarray(at * d, (at + 1) * d);
  }

  // ---- drawing

  lanes(dim) {
    const { d } = this.header;
    const last = Math.max(0, d - 2 + (d % 2));
    const shown = [...new Set([0, d / 16, d / 8, d / 4, d / 2, last].map((i) => Math.floor(i / 2) * 2))];
    if (shown.includes(dim)) return shown;
    const off = (lane) => Math.abs(Math.log2(lane + 2) - Math.log2(dim + 2));
    const nearest = shown.reduce((best, lane) => (off(lane) < off(best) ? lane : best));
    return shown.map((lane) => (lane === nearest ? dim : lane));
  }

  x(position) {
    return LEFT + ((position - this.header.from) / (this.header.count - 1 || 1)) * this.room;
  }

  get pitch() {
    return yielding(LANE, LOW);
  }

  y(lane, value, kind) {
    const most = this.pitch * 0.43;
    return TOP + (lane + 0.5) * this.pitch - clamp((value / this.header.reach[kind]) * most, -most, most);
  }

  draw() {
    const { words } = this.header;
    const { pos, dim, kind } = this.now();
    const width = this.root.clientWidth || 480;
    this.root.classList.toggle("waiting", this.lacks());
    this.shown = this.lanes(dim);
    this.room = width - LEFT - RIGHT;
    const bottom = TOP + this.pitch * this.shown.length;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${bottom + FOOT}`);
    this.svg.setAttribute("height", bottom + FOOT);
    const row = this.row(kind, pos);
    const dot = (lane, i) => {
      const r = lane === dim ? 5.5 : 3.5;
      return vector("circle", { cx: this.x(pos), cy: this.y(i, row[lane], kind), r, class: "dot" });
    };
    this.svg.replaceChildren(
      vector("text", { x: LEFT, y: 12, class: "soft" }, words.title[kind]),
      ...this.sentence(bottom),
      ...this.shown.flatMap((lane, i) => this.lane(lane, i, lane === dim, kind)),
      vector("line", { x1: this.x(pos), x2: this.x(pos), y1: TOP, y2: bottom + 4, class: "here" }),
      ...(row ? this.shown.map(dot) : []),
      ...this.axis(pos, bottom + 19),
    );
    this.caption.replaceChildren(...told(words.caption[kind]));
  }

  // The positions of the sentence, as far as they are here.
  sentence(bottom) {
    const { from, count, tokens } = this.header;
    const last = Math.min(tokens, from + count) - 1;
    if (last < from) return [];
    const width = this.x(last) - this.x(from) + 8;
    return [vector("rect", { x: this.x(from) - 4, y: TOP, width, height: bottom - TOP, class: "sentence" })];
  }

  lane(dim, i, chosen, kind) {
    const { words, period } = this.header;
    const middle = TOP + (i + 0.5) * this.pitch;
    const look = (name) => (chosen ? `${name} chosen` : name);
    const label = { x: LEFT - 12, "text-anchor": "end" };
    const parts = [
      vector("line", { x1: LEFT, x2: LEFT + this.room, y1: middle, y2: middle, class: "zero" }),
      vector("text", { ...label, y: middle - 1, class: look("name") }, `${words.dim} ${dim}`),
      vector("polyline", { points: this.points(dim, i, kind), class: look("wave") }),
    ];
    if (kind === "sinusoidal") {
      const length = `λ ${turn(2 * Math.PI * period[dim >> 1])}`;
      parts.push(vector("text", { ...label, y: middle + 14, class: "length" }, length));
    }
    return chosen ? [...parts, ...this.dots(dim, i, kind)] : parts;
  }

  points(dim, i, kind) {
    const { from, count, period } = this.header;
    const points = [];
    if (kind !== "sinusoidal") {
      for (let p = from; p < from + count; p++) points.push([this.x(p), this.y(i, this.row(kind, p)[dim], kind)]);
    } else {
      const step = Math.min(1, (1.5 * (count - 1)) / Math.max(1, this.room)) || 1;
      const wave = dim % 2 ? Math.cos : Math.sin;
      for (let p = from; p <= from + count - 1 + 1e-9; p += step)
        points.push([this.x(p), this.y(i, wave(p / period[dim >> 1]), kind)]);
    }
    return points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(2)}`).join(" ");
  }

  dots(dim, i, kind) {
    const { from, count } = this.header;
    return Array.from({ length: count }, (_, at) => {
      const cy = this.y(i, this.row(kind, from + at)[dim], kind);
      return vector("circle", { cx: this.x(from + at), cy, r: 1.8, class: "number" });
    });
  }

  axis(pos, y) {
    const { from, count } = this.header;
    const every = this.room < 330 ? 20 : 10;
    const tick = (p, look) => vector("text", { x: this.x(p), y, "text-anchor": "middle", class: look }, p);
    const parts = [];
    for (let p = Math.ceil(from / every) * every; p < from + count; p += every)
      if (Math.abs(p - pos) >= every / 3) parts.push(tick(p, "tick"));
    return [...parts, tick(pos, "tick chosen")];
  }

  // ---- what a hand does

  // A finger may be about to scroll: it chooses where it taps, or slides along.
  press(event) {
    this.touchedAt = event.pointerType === "touch" ? event.clientX : null;
    this.dragging = true;
    this.svg.setPointerCapture(event.pointerId);
    if (this.touchedAt === null) this.pick(event);
  }

  drag(event) {
    if (!this.dragging || (this.touchedAt !== null && Math.abs(event.clientX - this.touchedAt) < SLIDES)) return;
    this.touchedAt = null;
    this.select({ pos: this.positionAt(event) });
  }

  pick(event) {
    const lane = Math.floor((within(event, this.svg).y - TOP) / this.pitch);
    const now = this.now();
    const [dim, pos] = [this.shown[lane] ?? now.dim, this.positionAt(event)];
    this.select({ ...(dim !== now.dim && { dim }), ...(pos !== now.pos && { pos }) });
  }

  positionAt(event) {
    const { from, count } = this.header;
    const share = (within(event, this.svg).x - LEFT) / this.room;
    return from + Math.round(clamp(share, 0, 1) * (count - 1));
  }

  key(event) {
    const step = pressed(event, KEYS);
    if (!step) return;
    const [name, by] = step;
    const { positions, d, words } = this.header;
    this.select({ [name]: clamp(this.now()[name] + by, 0, (name === "pos" ? positions : d) - 1) });
    const { pos, dim, kind } = this.now();
    const value = this.row(kind, pos)?.[dim];
    const place = `${words.position} ${pos}, ${words.dim} ${dim}`;
    this.heard.textContent = value === undefined ? "" : `${place}: ${short(value)}`;
  }
}

// A wavelength: one digit behind the point where it is short, thousands set apart.
function turn(x) {
  const digits = x < 1e4 ? 1 : 0;
  return x.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export default component(Waves);
