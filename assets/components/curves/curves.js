// Lines over whole numbers: distances over a gap, norms over positions, wavelengths over dimensions. Pointing says the
// values there; a press selects, where the axis stands for a parameter.

import { make, marked, roundSteps, showTip, tipIn, typeset, vector, within } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * The axis along: `count` numbers, `step` apart; `param` is what a press selects, `also` what it sets besides.
 * @typedef {{from: number, count: number, step: number, word: string, param?: string, also?: object}} Along
 *
 * A point that is said, `below` it or above.
 * @typedef {{x: number, y: number, text: string, anchor?: "start" | "middle" | "end", below?: boolean,
 *   clear?: boolean}} Mark
 *
 * `look` is "accent", "second", "faint", or "band" of two that have the ground between them; a series of `points` is
 * not joined; `levels` are lines across. Behind the header: the series as float32; NaN is a gap.
 * @typedef {{x: Along, y: {log?: boolean, down?: boolean, low?: number, high?: number},
 *   series: {name: string, look: string, points?: boolean, quiet?: boolean}[], marks?: Mark[],
 *   levels?: {y: number, text: string}[], spans?: {first: number, last: number, text: string, on?: boolean}[],
 *   height?: number, ends?: boolean, legend?: boolean,
 *   words: {label: string, caption?: string, spans?: string}}} Header
 */

const LEFT = 58;
const RIGHT = 14; // or as long as the longest name that stands there
const TOP = 12;
const FOOT = 36;
const [SPAN, GAP] = [24, 20]; // the boxes below the axis: how tall, and how far from it
const [WORD, FIGURE] = [6.5, 8.1]; // pixels that a character takes, at most, of a name and of what is said
const MOST = 8; // powers of ten that have a line
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

class Curves extends Picture {
  static className = "curves";

  build() {
    this.names = this.root.appendChild(make("p", "names"));
    this.box = this.root.appendChild(make("div", "box"));
    this.svg = this.box.appendChild(vector("svg", { tabindex: 0 }));
    this.tip = tipIn(this.box);
    this.caption = this.root.appendChild(make("p", "caption"));
    this.at = null; // under the pointer
    this.svg.onpointermove = (event) => this.point(this.indexAt(event));
    this.svg.onpointerleave = () => this.point(null);
    this.svg.onclick = (event) => this.pick(this.indexAt(event));
    this.svg.onkeydown = (event) => this.key(event);
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    const { count } = header.x;
    this.header = header;
    this.values = header.series.map((_, i) => new Float32Array(body.buffer, 4 * i * count, count));
    this.named(this.svg, "application", header.words.label);
    this.names.hidden = header.ends || !header.series.some(({ name }) => name);
    const other = (k) => k > 0 && this.isBand(k) && this.isBand(k - 1); // a band's other edge
    const named = header.legend && !header.ends ? header.series.filter(({ name }, k) => name && !other(k)) : [];
    this.names.replaceChildren(...named.map(({ look, points }) => make("span", points ? `${look} points` : look)));
    named.forEach(({ name }, i) => this.names.children[i].append(...typeset([name])));
    this.caption.replaceChildren(marked(header.words.caption ?? ""));
    this.range();
  }

  // ---- geometry

  range() {
    const { y, levels } = this.header;
    const seen = [...this.values.flatMap((line) => [...line]), ...(levels ?? []).map((level) => level.y)];
    const known = seen.filter((value) => this.shows(value));
    let low = y.low ?? Math.min(...known);
    let high = y.high ?? Math.max(...known);
    if (y.log) [low, high] = [Math.log10(low), Math.log10(high)];
    if (!(high - low >= 1e-12)) [low, high] = [(low || 0) - 0.5, (low || 0) + 0.5];
    this.low = low;
    this.high = high + (high - low) * 0.04;
  }

  shows(value) {
    return Number.isFinite(value) && (!this.header.y.log || value > 0);
  }

  x(i) {
    return LEFT + (i / (this.header.x.count - 1 || 1)) * this.wide;
  }

  y(value) {
    const height = this.header.y.log ? Math.log10(value) : value;
    const share = (height - this.low) / (this.high - this.low);
    return TOP + (this.header.y.down ? share : 1 - share) * this.tall;
  }

  number(i) {
    return Number((this.header.x.from + i * this.header.x.step).toPrecision(9));
  }

  chosen() {
    const { param, from, step, count } = this.header.x;
    const i = param ? Math.round((Number(this.get(param) ?? NaN) - from) / step) : NaN;
    return i >= 0 && i < count ? i : null;
  }

  // ---- drawing

  draw() {
    const { header } = this;
    const width = this.root.clientWidth || 480;
    const under = header.spans?.length ? SPAN + GAP + 2 : 0;
    const high = (header.height ?? 190) + under;
    const ends = header.ends ? header.series.map(({ name }) => RIGHT + wideOf(name)) : [];
    this.right = Math.max(RIGHT, ...ends);
    this.wide = width - LEFT - this.right;
    this.tall = high - under - TOP - FOOT;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${high}`);
    this.svg.setAttribute("height", high);
    const chosen = this.chosen();
    this.svg.replaceChildren(
      ...this.ticks().flatMap((value) => this.grid(value)),
      ...this.along(),
      ...(chosen === null ? [] : [this.upright(chosen, "here")]),
      ...(header.levels ?? []).flatMap((level) => this.level(level)),
      ...this.values.flatMap((line, k) => (this.isBand(k) ? this.band(k) : this.line(line, header.series[k]))),
      ...(header.marks ?? []).flatMap((mark) => this.mark(mark)),
      ...(header.ends ? this.ends() : []),
      ...this.spans(),
      ...(this.at === null ? [] : this.pointer(this.at)),
    );
  }

  across(y, look) {
    return vector("line", { x1: LEFT, x2: LEFT + this.wide, y1: y, y2: y, class: look });
  }

  upright(i, look) {
    return vector("line", { x1: this.x(i), x2: this.x(i), y1: TOP, y2: TOP + this.tall, class: look });
  }

  grid(value) {
    const y = this.y(value);
    const power = this.header.y.log && value < 0.001;
    const text = vector("text", { x: LEFT - 8, y: y + 4, "text-anchor": "end" }, power ? "10" : tick(value));
    if (power) text.append(vector("tspan", { dy: -4 }, tick(Math.round(Math.log10(value)))));
    return [this.across(y, "grid"), text];
  }

  along() {
    const bottom = TOP + this.tall;
    const number = (i) => {
      const text = tick(this.number(i));
      const most = LEFT + this.wide + 8 - 3.7 * text.length; // less half of it: a long one does not stick out
      return vector("text", { x: Math.min(this.x(i), most), y: bottom + 16, "text-anchor": "middle" }, text);
    };
    const at = { x: LEFT + this.wide, y: bottom + 31, "text-anchor": "end", class: "word" };
    return [...this.stops().map(number), vector("text", at, this.header.x.word)];
  }

  // A level's name stands at one of its ends, above or below it: where the lines and what is said are farthest.
  level({ y, text }) {
    const share = Math.min(1, (WORD * [...text].length) / this.wide);
    const said = (this.header.marks ?? []).map((mark) => this.said(mark));
    const room = ({ anchor, below }) => {
      const middle = this.y(y) + below - 4;
      if (middle + 4 > TOP + this.tall) return -1; // there the axis has its numbers
      const near = this.values.flatMap((line) => {
        const count = Math.ceil(share * line.length);
        const part = anchor === "start" ? line.slice(0, count) : line.slice(-count);
        return [...part].filter((value) => this.shows(value)).map((value) => Math.abs(this.y(value) - middle));
      });
      const from = LEFT + (anchor === "start" ? 0 : (1 - share) * this.wide);
      const beside = said.filter((mark) => mark.from < from + share * this.wide && mark.to > from);
      return Math.min(Infinity, ...near, ...beside.map(({ at }) => Math.abs(at.y - 4 - middle)));
    };
    const places = [14, -5].flatMap((below) => ["start", "end"].map((anchor) => ({ anchor, below })));
    const { anchor, below } = places.reduce((best, place) => (room(place) > room(best) ? place : best));
    const far = Math.min(Math.max(LEFT + this.wide - 6, WORD * [...text].length), LEFT + this.wide + this.right);
    const chosen = this.chosen();
    const here = chosen === null ? -Infinity : this.x(chosen); // an upright that does not go through the name
    const clear = here < LEFT + 12 + share * this.wide && here + 6 + share * this.wide < LEFT + this.wide;
    const near = clear ? Math.max(LEFT, here) + 6 : LEFT + 6;
    const at = { x: anchor === "start" ? near : far, y: this.y(y) + below, "text-anchor": anchor };
    return [this.across(this.y(y), "level"), vector("text", { ...at, class: "word" }, text)];
  }

  line(values, { look, points }) {
    const kept = [...values].map((value, i) => (this.shows(value) ? [this.x(i), this.y(value)] : null));
    if (points) return kept.filter(Boolean).map(([cx, cy]) => vector("circle", { cx, cy, r: 2, class: look }));
    let path = "";
    let open = false;
    for (const point of kept) {
      if (point) path += `${open ? "L" : "M"}${point[0].toFixed(1)},${point[1].toFixed(1)}`;
      open = point !== null;
    }
    return [vector("path", { d: path, class: look })];
  }

  isBand(k) {
    return this.header.series[k].look === "band";
  }

  // The ground between a series and the next, which is a band's other edge.
  band(k) {
    if (!this.values[k + 1] || !this.isBand(k + 1)) return [];
    const edge = (values) => [...values].map((value, i) => `${this.x(i).toFixed(1)},${this.y(value).toFixed(1)}`);
    const around = [...edge(this.values[k]), ...edge(this.values[k + 1]).reverse()];
    return [vector("path", { d: `M${around.join("L")}Z`, class: "band" })];
  }

  mark(mark) {
    const { cx, cy, at } = this.said(mark);
    return [vector("circle", { cx, cy, r: 4, class: "dot" }), vector("text", at, mark.text)];
  }

  // Where a point is and where its words stand: beside it, but not beyond the picture.
  said({ x, y, text, anchor = "start", below, clear }) {
    const { from: first, step } = this.header.x;
    const [cx, cy] = [this.x((x - first) / step), this.y(y)];
    const long = FIGURE * [...text].length;
    const left = cx + { start: 8, middle: -long / 2, end: -8 - long }[anchor];
    const from = clamp(left, 0, LEFT + this.wide + this.right - long);
    const place =
      from === left
        ? { x: cx + { start: 8, middle: 0, end: -8 }[anchor], "text-anchor": anchor }
        : { x: from, "text-anchor": "start" };
    const under = below && cy + 18 < TOP + this.tall;
    const above = clear ? this.above(cy - 8, from, from + long) : cy - 8;
    const at = { ...place, y: under ? cy + 18 : Math.max(TOP, above), class: "said" };
    return { cx, cy, at, from, to: from + long };
  }

  // The height at or above `y` at which words between two places cover no curve.
  above(y, from, to) {
    const { count } = this.header.x;
    const places = Array.from({ length: count }, (_, i) => i).filter((i) => this.x(i) >= from && this.x(i) <= to);
    const heights = this.values.flatMap((values) => places.map((i) => this.y(values[i]))).filter(Number.isFinite);
    const sorted = heights.sort((one, other) => other - one);
    return sorted.reduce((free, height) => (height < free + 4 && height > free - 14 ? height - 4 : free), y);
  }

  // Boxes that touch one another, each as long as what it tells holds; the name stands in it where it fits.
  spans() {
    const { spans, words } = this.header;
    if (!spans?.length) return [];
    const y = TOP + this.tall + FOOT + GAP;
    const boxes = spans.map(({ first, last, text, on }) => {
      const [from, to] = [this.x(Math.max(0, first - 0.5)), this.x(Math.min(this.header.x.count - 1, last + 0.5))];
      const group = vector("g", { class: on ? "span on" : "span" });
      group.append(vector("rect", { x: from, y, width: to - from, height: SPAN }));
      if (FIGURE * [...text].length < to - from - 4) {
        group.append(vector("text", { x: (from + to) / 2, y: y + 16, "text-anchor": "middle" }, text));
      } else if (on) group.append(vector("text", { x: to, y: y - 6, "text-anchor": "end" }, text));
      return group;
    });
    return [vector("text", { x: LEFT, y: y - 6, class: "word" }, words.spans ?? ""), ...boxes];
  }

  // The name of each line that comes to the edge, beside its end; where two would touch, the lower one moves down.
  ends() {
    const last = this.header.x.count - 1;
    const there = this.header.series
      .map(({ name, look }, k) => ({ name, look, y: this.y(this.values[k][last]) + 4 }))
      .filter(({ name, y }) => name && Number.isFinite(y))
      .sort((one, other) => one.y - other.y);
    there.forEach((one, i) => {
      if (i) one.y = Math.max(one.y, there[i - 1].y + 16);
    });
    let under = TOP + this.tall + 24;
    for (const one of there.toReversed()) under = one.y = Math.min(one.y, under - 16); // none beneath the axis
    return there.map(({ name, look, y }) => vector("text", { x: LEFT + this.wide + 8, y, class: `end ${look}` }, name));
  }

  pointer(i) {
    const dots = this.values.flatMap((line, k) => {
      if (!this.shows(line[i])) return [];
      return [vector("circle", { cx: this.x(i), cy: this.y(line[i]), r: 3.5, class: this.header.series[k].look })];
    });
    return [this.upright(i, "pointer"), ...dots];
  }

  ticks() {
    if (!this.header.y.log) return roundSteps(this.low, this.high, 4);
    const all = [];
    const every = Math.ceil((this.high - this.low) / MOST);
    for (let power = Math.ceil(this.low / every - 1e-9); power * every <= this.high; power++)
      all.push(10 ** (power * every));
    return all;
  }

  stops() {
    const { from, step, count } = this.header.x;
    const last = from + step * (count - 1);
    const fitting = Math.floor(this.wide / (24 + 7 * tick(last).length)); // so that none lies on another
    const numbers = roundSteps(from, last, Math.max(1, Math.min(this.wide < 360 ? 4 : 8, fitting)));
    const stand = Number.isInteger(step) ? numbers.filter(Number.isInteger) : numbers;
    return stand.map((number) => (number - from) / step);
  }

  // ---- what a hand does

  indexAt(event) {
    const last = this.header.x.count - 1;
    const share = (within(event, this.svg).x - LEFT) / this.wide;
    return clamp(Math.round(share * last), 0, last);
  }

  point(i) {
    this.at = i;
    this.redraw();
    if (i === null) return showTip(this.tip, null);
    const { x, series, spans, words } = this.header;
    const holds = (spans ?? []).find(({ first, last }) => first <= i && i <= last);
    const value = (line, { name, quiet }) => {
      if (!Number.isFinite(line[i]) || quiet) return "";
      return `${name ? `${name} ` : ""}${short(line[i])}`;
    };
    const values = this.values.map((line, k) => value(line, series[k]));
    const held = holds ? `${words.spans}: ${holds.text}` : "";
    const text = [`${x.word} ${tick(this.number(i))}`, ...values, held].filter(Boolean).join("\n");
    showTip(this.tip, text, { x: this.x(i), y: TOP, gap: 10, width: this.root.clientWidth });
  }

  pick(i) {
    const { param, also } = this.header.x;
    if (param) this.select({ [param]: this.number(i) }, also);
  }

  key(event) {
    const step = pressed(event, KEYS);
    if (!step) return;
    const i = clamp((this.at ?? this.chosen() ?? 0) + step, 0, this.header.x.count - 1);
    this.point(i);
    this.pick(i);
  }
}

// about how many pixels a name takes
const wideOf = (name) => [...name].reduce((sum, sign) => sum + (sign > "\u2e80" ? 13.5 : 7), 0);

const tick = (value) =>
  value !== 0 && (Math.abs(value) < 0.001 || Math.abs(value) >= 1e7)
    ? short(value)
    : value.toLocaleString("en-US", { maximumFractionDigits: 4 }).replace("-", "−");

export default component(Curves);
