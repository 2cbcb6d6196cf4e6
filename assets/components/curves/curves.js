// Lines over whole numbers: distances over a gap, norms over positions, wavelengths over dimensions. Pointing says the
// values there; a press selects, where the axis stands for a parameter.
//
// Header: x {from, count, step, word, param, also}, y {log, word, low, high}, series [{name, look, points}], marks
// [{x, y, text, anchor}], levels [{y, text}], height, words {label, caption}. Behind it: the series as float32; NaN is a gap.

import { begin, ending, make, onSelection, select, shared, short, unpack, vector } from "../shared/shared.js";

const LEFT = 58, RIGHT = 14, TOP = 12, FOOT = 36;

export default function ({ data, parentElement }) {
  const root = begin(parentElement, "div", "curves");
  const curves = new Curves(root, data);
  return ending(parentElement, () => curves.end());
}

class Curves {
  constructor(root, bytes) {
    const [header, body] = unpack(bytes), { count } = header.x;
    Object.assign(this, { root, header });
    this.values = header.series.map((_, i) => new Float32Array(body.buffer, 4 * i * count, count));
    this.box = make("div", "box");
    this.svg = vector("svg", { tabindex: 0, role: "application", "aria-label": header.words.label });
    this.tip = make("div", "tip");
    this.tip.hidden = true;
    this.box.append(this.svg, this.tip);
    root.replaceChildren(this.names(), this.box, make("p", "caption", header.words.caption ?? ""));
    this.at = null;
    this.svg.onpointermove = (event) => this.point(this.index(event));
    this.svg.onpointerleave = () => this.point(null);
    this.svg.onclick = (event) => this.pick(this.index(event), 0);
    this.svg.onkeydown = (event) => this.key(event);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(root);
    this.stop = onSelection(() => this.draw());
    this.range();
    this.draw();
  }

  end() {
    this.stop();
    this.observer.disconnect();
  }

  names() {
    const box = make("p", "names");
    for (const { name, look } of this.header.series) if (name) box.append(make("span", look, name));
    return box;
  }

  range() {
    const { y, levels } = this.header, seen = [...this.values.flatMap((line) => [...line]), ...(levels ?? []).map((level) => level.y)];
    const known = seen.filter((v) => Number.isFinite(v) && (!y.log || v > 0));
    let low = y.low ?? Math.min(...known), high = y.high ?? Math.max(...known);
    if (y.log) [low, high] = [Math.log10(low), Math.log10(high)];
    if (high - low < 1e-12) [low, high] = [low - 0.5, high + 0.5];
    Object.assign(this, { low: y.low === undefined ? low : low, high: high + (high - low) * 0.04 });
  }

  x(i) {
    return LEFT + (i / (this.header.x.count - 1 || 1)) * this.wide;
  }

  y(value) {
    const v = this.header.y.log ? Math.log10(value) : value;
    return TOP + this.tall - ((v - this.low) / (this.high - this.low)) * this.tall;
  }

  draw() {
    const { header } = this, width = this.root.clientWidth || 480, high = header.height ?? 190;
    Object.assign(this, { wide: width - LEFT - RIGHT, tall: high - TOP - FOOT });
    this.svg.setAttribute("viewBox", `0 0 ${width} ${high}`);
    this.svg.setAttribute("height", high);
    const bottom = TOP + this.tall, parts = [];
    for (const v of this.ticks()) {
      const y = this.y(v);
      parts.push(vector("line", { x1: LEFT, x2: LEFT + this.wide, y1: y, y2: y, class: "grid" }));
      parts.push(vector("text", { x: LEFT - 8, y: y + 4, "text-anchor": "end" }, tick(v)));
    }
    for (const i of this.stops()) parts.push(vector("text", { x: this.x(i), y: bottom + 16, "text-anchor": "middle" }, this.number(i)));
    parts.push(vector("text", { x: LEFT + this.wide, y: bottom + 31, "text-anchor": "end", class: "word" }, header.x.word));
    for (const { y, text } of header.levels ?? []) {
      parts.push(vector("line", { x1: LEFT, x2: LEFT + this.wide, y1: this.y(y), y2: this.y(y), class: "level" }));
      parts.push(vector("text", { x: LEFT + 6, y: this.y(y) + 14, class: "word" }, text));
    }
    this.values.forEach((line, k) => parts.push(...this.line(line, header.series[k])));
    const chosen = this.chosen();
    if (chosen !== null) parts.push(vector("line", { x1: this.x(chosen), x2: this.x(chosen), y1: TOP, y2: bottom, class: "here" }));
    for (const mark of header.marks ?? []) parts.push(...this.mark(mark));
    if (this.at !== null) {
      parts.push(vector("line", { x1: this.x(this.at), x2: this.x(this.at), y1: TOP, y2: bottom, class: "pointer" }));
      this.values.forEach((line, k) => Number.isFinite(line[this.at]) && parts.push(vector("circle", { cx: this.x(this.at), cy: this.y(line[this.at]), r: 3.5, class: header.series[k].look })));
    }
    this.svg.replaceChildren(...parts);
  }

  line(values, { look, points }) {
    const kept = [...values].map((v, i) => (Number.isFinite(v) && (!this.header.y.log || v > 0) ? [this.x(i), this.y(v)] : null));
    if (points) return kept.filter(Boolean).map(([cx, cy]) => vector("circle", { cx, cy, r: 2, class: look }));
    let path = "", open = false;
    for (const point of kept) {
      if (point) path += `${open ? "L" : "M"}${point[0].toFixed(1)},${point[1].toFixed(1)}`;
      open = point !== null;
    }
    return [vector("path", { d: path, class: look })];
  }

  mark({ x, y, text, anchor, below }) {
    const [cx, cy] = [this.x((x - this.header.x.from) / this.header.x.step), this.y(y)];
    const place = { start: 8, middle: 0, end: -8 }[anchor ?? "start"];
    return [vector("circle", { cx, cy, r: 4, class: "dot" }), vector("text", { x: cx + place, y: below ? cy + 18 : cy - 8, "text-anchor": anchor ?? "start", class: "said" }, text)];
  }

  number(i) {
    return this.header.x.from + i * this.header.x.step;
  }

  chosen() {
    const { param, from, step, count } = this.header.x;
    const i = param ? Math.round((Number(shared.selection[param] ?? NaN) - from) / step) : NaN;
    return i >= 0 && i < count ? i : null;
  }

  ticks() {
    if (!this.header.y.log) return stepped(this.low, this.high, 4);
    const all = [];
    for (let e = Math.ceil(this.low - 1e-9); e <= this.high; e++) all.push(10 ** e);
    return all;
  }

  stops() {
    const { from, step, count } = this.header.x, last = from + step * (count - 1);
    return stepped(from, last, this.wide < 360 ? 4 : 8).filter((v) => Number.isInteger((v - from) / step)).map((v) => (v - from) / step);
  }

  // ---- what a hand does

  index({ clientX }) {
    const box = this.svg.getBoundingClientRect();
    return Math.max(0, Math.min(this.header.x.count - 1, Math.round(((clientX - box.left - LEFT) / this.wide) * (this.header.x.count - 1))));
  }

  point(i) {
    this.at = i;
    this.tip.hidden = i === null;
    this.draw();
    if (i === null) return;
    const { x, series } = this.header;
    this.tip.textContent = [`${x.word} ${this.number(i)}`, ...this.values.map((line, k) => (Number.isFinite(line[i]) ? `${series[k].name ? `${series[k].name} ` : ""}${short(line[i])}` : "")).filter(Boolean)].join("\n");
    const left = this.x(i) + 10, beyond = left + this.tip.offsetWidth > this.root.clientWidth;
    this.tip.style.left = `${beyond ? Math.max(0, left - this.tip.offsetWidth - 20) : left}px`;
    this.tip.style.top = `${TOP}px`;
  }

  pick(i, pause) {
    const { param, also } = this.header.x;
    if (param) select({ ...also, [param]: this.number(i) }, pause);
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
    if (!step) return;
    event.preventDefault();
    const i = Math.max(0, Math.min(this.header.x.count - 1, (this.at ?? this.chosen() ?? 0) + step));
    this.point(i);
    this.pick(i, 120);
  }
}

// Round numbers between two ends, about as many as wanted.
function stepped(low, high, wanted) {
  const rough = (high - low) / wanted, size = 10 ** Math.floor(Math.log10(rough)), by = [1, 2, 5, 10].find((m) => m * size >= rough - 1e-12) * size;
  const all = [];
  for (let v = Math.ceil(low / by - 1e-9) * by; v <= high + 1e-9 * by; v += by) all.push(Number(v.toPrecision(12)));
  return all;
}

const tick = (v) => (v !== 0 && (Math.abs(v) < 0.001 || Math.abs(v) >= 1e7) ? short(v) : v.toLocaleString("en-US", { maximumFractionDigits: 4 }).replace("-", "−"));
