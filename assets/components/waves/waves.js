// Dimensions as waves over positions: a lane for each of a few, the selected one always among them. A line is dragged
// through the positions; a lane that is pressed is selected. The dots are the numbers; what joins them is the formula
// of the waves, or, of a learned table, a straight line.
//
// It keeps the rows it was given where the clocks can read them: shared.encoding.

import { begin, ending, make, onSelection, select, shared, short, unpack, vector } from "../shared/shared.js";

const LANE = 47, TOP = 20, FOOT = 26, LANES = 6;

export default function ({ data, parentElement, setStateValue }) {
  const root = begin(parentElement, "div", "waves");
  const waves = new Waves(root, data, (selection) => setStateValue("selection", selection));
  return ending(parentElement, () => waves.end());
}

class Waves {
  constructor(root, bytes, ask) {
    const [header, body] = unpack(bytes);
    Object.assign(this, { root, header, ask });
    const size = header.count * header.d;
    this.planes = Object.fromEntries(header.kinds.map((kind, i) => [kind, new Float32Array(body.buffer, 4 * i * size, size)]));
    this.encoding = { header, row: (kind, position) => this.row(kind, position) };
    shared.encoding = this.encoding;
    this.svg = vector("svg", { tabindex: 0, role: "application", "aria-label": header.words.label });
    this.heard = make("div", "heard");
    this.heard.setAttribute("aria-live", "polite");
    this.caption = make("p", "caption");
    root.replaceChildren(this.svg, this.heard, this.caption);
    root.classList.remove("waiting");
    this.svg.onpointerdown = (event) => this.press(event);
    this.svg.onpointermove = (event) => this.dragging && this.to(event);
    this.svg.onpointerup = this.svg.onpointercancel = () => (this.dragging = false);
    this.svg.onkeydown = (event) => this.key(event);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(root);
    this.stop = onSelection(() => this.draw());
    shared.pictures.add(this);
    this.draw();
    window.dispatchEvent(new CustomEvent("see:encoding"));
  }

  end() {
    this.stop();
    this.observer.disconnect();
    shared.pictures.delete(this);
    if (shared.encoding === this.encoding) shared.encoding = null;
  }

  // Other positions than these, and only the server has them.
  lacks() {
    const at = this.now().pos - this.header.from;
    return at < 0 || at >= this.header.count;
  }

  report(selection) {
    this.root.classList.add("waiting");
    this.ask(selection);
  }

  now() {
    const { pos, dim, kind } = shared.selection;
    return { pos: Number(pos ?? 0), dim: Number(dim ?? 0), kind: this.planes[kind] ? kind : this.header.kinds[0] };
  }

  row(kind, position) {
    const { from, count, d } = this.header, at = position - from;
    return at < 0 || at >= count ? null : this.planes[kind].subarray(at * d, (at + 1) * d);
  }

  // ---- drawing

  lanes(dim) {
    const { d } = this.header, last = Math.max(0, d - 2 + (d % 2));
    const shown = [...new Set([0, d / 16, d / 8, d / 4, d / 2, last].map((i) => Math.floor(i / 2) * 2))];
    if (shown.includes(dim)) return shown;
    const off = (lane) => Math.abs(Math.log2(lane + 2) - Math.log2(dim + 2));
    const nearest = shown.reduce((best, lane) => (off(lane) < off(best) ? lane : best));
    return shown.map((lane) => (lane === nearest ? dim : lane));
  }

  x(position) {
    return this.left + ((position - this.header.from) / (this.header.count - 1 || 1)) * this.room;
  }

  y(lane, value, kind) {
    const most = LANE * 0.43;
    return TOP + (lane + 0.5) * LANE - Math.max(-most, Math.min(most, (value / this.header.reach[kind]) * most));
  }

  draw() {
    if (shared.selection.pos === undefined) return;
    const { header } = this, { pos, dim, kind } = this.now(), width = this.root.clientWidth || 480;
    this.shown = this.lanes(dim);
    this.left = 78;
    this.room = width - this.left - 12;
    const high = TOP + LANE * this.shown.length, bottom = high + 4;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${high + FOOT}`);
    this.svg.setAttribute("height", high + FOOT);
    const parts = [vector("text", { x: this.left, y: 12, class: "soft" }, header.words.title[kind])];
    const sentence = Math.min(header.tokens, header.from + header.count) - 1;
    if (sentence >= header.from) parts.push(vector("rect", { x: this.x(header.from) - 4, y: TOP, width: this.x(sentence) - this.x(header.from) + 8, height: high - TOP, class: "sentence" }));
    this.shown.forEach((lane, i) => parts.push(...this.lane(lane, i, lane === dim, kind)));
    const x = this.x(pos);
    parts.push(vector("line", { x1: x, x2: x, y1: TOP, y2: bottom, class: "here" }));
    const row = this.row(kind, pos);
    if (row) this.shown.forEach((lane, i) => parts.push(vector("circle", { cx: x, cy: this.y(i, row[lane], kind), r: lane === dim ? 5.5 : 3.5, class: "dot" })));
    parts.push(...this.axis(pos, bottom + 15));
    this.svg.replaceChildren(...parts);
    this.caption.textContent = header.words.caption[kind];
  }

  lane(dim, i, chosen, kind) {
    const { words, period } = this.header, middle = TOP + (i + 0.5) * LANE, parts = [];
    const class_ = (name) => (chosen ? `${name} chosen` : name);
    const label = { x: this.left - 12, "text-anchor": "end" };
    parts.push(vector("line", { x1: this.left, x2: this.left + this.room, y1: middle, y2: middle, class: "zero" }));
    parts.push(vector("text", { ...label, y: middle - 1, class: class_("name") }, `${words.dim} ${dim}`));
    if (kind === "sinusoidal") parts.push(vector("text", { ...label, y: middle + 14, class: "length" }, `λ ${turn(2 * Math.PI * period[dim >> 1])}`));
    parts.push(vector("polyline", { points: this.points(dim, i, kind), class: class_("wave") }));
    if (chosen) parts.push(...this.dots(dim, i, kind));
    return parts;
  }

  points(dim, i, kind) {
    const { from, count, period } = this.header, points = [];
    if (kind !== "sinusoidal") {
      for (let p = from; p < from + count; p++) points.push([this.x(p), this.y(i, this.row(kind, p)[dim], kind)]);
    } else {
      const step = Math.min(1, (1.5 * (count - 1)) / this.room), wave = dim % 2 ? Math.cos : Math.sin;
      for (let p = from; p <= from + count - 1 + 1e-9; p += step) points.push([this.x(p), this.y(i, wave(p / period[dim >> 1]), kind)]);
    }
    return points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(2)}`).join(" ");
  }

  dots(dim, i, kind) {
    const { from, count } = this.header;
    return Array.from({ length: count }, (_, at) => vector("circle", { cx: this.x(from + at), cy: this.y(i, this.row(kind, from + at)[dim], kind), r: 1.8, class: "number" }));
  }

  axis(pos, y) {
    const { from, count } = this.header, every = this.room < 330 ? 20 : 10, parts = [];
    for (let p = Math.ceil(from / every) * every; p < from + count; p += every)
      if (Math.abs(p - pos) >= every / 3 || p === pos) parts.push(vector("text", { x: this.x(p), y, "text-anchor": "middle", class: "tick" }, p));
    const strong = vector("text", { x: this.x(pos), y, "text-anchor": "middle", class: "tick chosen" }, pos);
    return [...parts, strong];
  }

  // ---- what a hand does

  press(event) {
    const box = this.svg.getBoundingClientRect(), lane = Math.floor((event.clientY - box.top - TOP) / LANE);
    this.dragging = true;
    this.svg.setPointerCapture(event.pointerId);
    if (lane >= 0 && lane < this.shown.length && this.shown[lane] !== this.now().dim) select({ dim: this.shown[lane] }, 120);
    this.to(event);
  }

  to({ clientX }) {
    const { from, count } = this.header, box = this.svg.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (clientX - box.left - this.left) / this.room)), pos = from + Math.round(share * (count - 1));
    if (pos !== this.now().pos) select({ pos }, 120);
  }

  key(event) {
    const step = { ArrowLeft: ["pos", -1], ArrowRight: ["pos", 1], ArrowUp: ["dim", -1], ArrowDown: ["dim", 1], Home: ["pos", -1e6], End: ["pos", 1e6] }[event.key];
    if (!step) return;
    event.preventDefault();
    const [name, by] = step, now = this.now(), most = name === "pos" ? this.header.positions : this.header.d;
    const to = Math.max(0, Math.min(most - 1, now[name] + by));
    select({ [name]: to }, 120);
    const { pos, dim, kind } = this.now(), value = this.row(kind, pos)?.[dim];
    this.heard.textContent = value === undefined ? "" : `${this.header.words.position} ${pos}, ${this.header.words.dim} ${dim}: ${short(value)}`;
  }
}

// A wavelength: one digit behind the point where it is short, thousands set apart.
const turn = (x) => x.toLocaleString("en-US", { minimumFractionDigits: x < 1e4 ? 1 : 0, maximumFractionDigits: x < 1e4 ? 1 : 0 });
