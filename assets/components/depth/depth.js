// How alike two chosen tokens are at every depth of a model: one column a depth. A frame is dragged through them.
// What must not be seen yet arrives as NaN.

import { make, showTip, tipIn, vector, within } from "../kit/draw.js";
import { exact, fixed, short } from "../kit/format.js";
import { clamp, fade, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `names` are the tokens in a sentence. Behind the header as float32 the cosines [column, token, token], or of a long
 * text those of the two in `only` [column, 1, 1].
 * @typedef {{columns: {title: string, shape: string}[], names: string[], only: [number, number] | null,
 *   words: {label: string, curve: string, more: string, veiled: string}}} Header
 */

const NARROWEST = 560; // below this the picture scrolls sideways inside its own box
const LEFT = 44;
const TITLE = 64; // pixels a title, or a number of the curve, needs across
const PLOT = { top: 58, bottom: 158 };
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -99, End: 99 };

class Depth extends Picture {
  static className = "depth";

  build() {
    this.stage = this.root.appendChild(make("div", "stage"));
    this.root.onscroll = () => fade(this.root);
    this.svg = this.stage.appendChild(vector("svg", { tabindex: 0, role: "slider" }));
    this.tip = tipIn(this.stage);
    this.below = this.root.parentNode.appendChild(make("div", "below")); // the box itself scrolls sideways
    this.atEnd(() => this.below.remove());
    this.svg.onkeydown = (event) => this.key(event);
    this.svg.onpointerdown = (event) => this.press(event);
    this.svg.onpointermove = (event) => this.hover(event);
    this.svg.onpointerup = this.svg.onpointercancel = () => (this.dragging = false);
    this.svg.onclick = (event) => this.pick(event);
    this.svg.onpointerleave = () => showTip(this.tip, null);
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    this.header = header;
    const count = header.only ? 1 : header.names.length ** 2;
    this.cosines = header.columns.map((_, i) => new Float32Array(body.buffer, 4 * count * i, count));
  }

  get column() {
    return this.index("depth", this.header.columns.length);
  }

  // The two that are compared; until the server has said which, those it sent.
  get pair() {
    const { names, only } = this.header;
    return ["q", "k"].map((name, i) => this.index(name, names.length, only?.[i]));
  }

  // The cosine of the pair in each column; null where it may not be seen, or only the server has it.
  get curve() {
    const [one, other] = this.pair;
    const { names, only } = this.header;
    const at = only ? 0 : one * names.length + other;
    return this.cosines.map((plane) => (this.lacks() || Number.isNaN(plane[at]) ? null : plane[at]));
  }

  // Of a long text another pair needs the whole vectors, which only the server has.
  lacks() {
    const only = this.header?.only;
    return Boolean(only) && this.pair.some((token, i) => token !== only[i]);
  }

  // ---- geometry

  layout() {
    const wide = this.root.clientWidth || NARROWEST;
    this.width = Math.max(NARROWEST, wide);
    this.narrow = wide < NARROWEST;
    this.step = (this.width - LEFT - 4) / this.header.columns.length;
    this.every = Math.ceil(TITLE / this.step); // of so many columns one has a title
  }

  middle(i) {
    return LEFT + (i + 0.5) * this.step;
  }

  // Whether a column has a title and its number: the selected one, and of many every so many-th that leaves it room.
  speaks(i) {
    const { column, every } = this;
    return i === column || (i % every === 0 && Math.abs(i - column) >= every);
  }

  // ---- drawing

  draw() {
    this.layout();
    Object.assign(this.stage.style, { width: `${this.width}px`, height: `${PLOT.bottom + 8}px` });
    const { columns, words, names } = this.header;
    const titles = columns.flatMap((column, i) => (this.speaks(i) ? this.title(column, i) : []));
    this.svg.replaceChildren(this.frame(), ...titles, ...this.curveLines());
    const [one, other] = this.pair.map((token) => names[token]);
    const caption = words.curve.replace("{first}", one).replace("{second}", other);
    this.below.replaceChildren(
      ...(this.narrow ? [make("p", "scrolls", words.more)] : []),
      make("p", "caption", caption),
    );
    this.describe();
    fade(this.root);
  }

  text(x, y, words, className, anchor = "middle") {
    return vector("text", { x, y, class: className, "text-anchor": anchor }, words);
  }

  title({ title, shape }, i) {
    const x = clamp(this.middle(i), TITLE / 2, this.width - TITLE / 2);
    return [this.text(x, 16, title, "title"), this.text(x, 32, shape, "id")];
  }

  curveLines() {
    const { curve } = this;
    const { top, bottom } = PLOT;
    const low = Math.min(0.9, Math.floor(Math.min(...curve.filter((v) => v !== null)) * 10) / 10);
    const y = (v) => bottom - ((v - low) / (1 - low)) * (bottom - top);
    const line = (x1, y1, x2, y2, kind) => vector("line", { x1, y1, x2, y2, class: kind });
    const parts = [];
    const step = 1 - low > 0.6 ? 0.5 : 1 - low > 0.25 ? 0.2 : 0.1;
    for (let v = 1; v > low - 0.001; v -= step) {
      parts.push(line(LEFT, y(v), this.width - 4, y(v), "grid"));
      parts.push(this.text(LEFT - 10, y(v) + 4, fixed(v, 1), "id", "end"));
    }
    const points = curve.map((v, i) => (v === null ? null : [this.middle(i), y(v)]));
    points.forEach((point, i) => {
      if (!point) parts.push(this.text(this.middle(i), bottom - 30, "?", "hidden"));
      else if (points[i - 1]) parts.push(line(...points[i - 1], ...point, "curve"));
    });
    points.forEach((point, i) => {
      if (!point) return;
      const [cx, cy] = point;
      parts.push(vector("circle", { cx, cy, r: this.every > 1 ? 3 : 4, class: "dot" }));
      if (this.speaks(i)) parts.push(this.text(Math.min(cx, this.width - TITLE / 2), cy - 9, short(curve[i]), "value"));
    });
    return parts;
  }

  frame() {
    const x = LEFT + this.column * this.step + 1;
    return vector("rect", { x, y: 1, width: this.step - 2, height: PLOT.bottom + 4, rx: 6, class: "frame" });
  }

  describe() {
    const { columns, words } = this.header;
    const i = this.column;
    const { curve } = this;
    const value = curve[i] === null ? words.veiled : short(curve[i]);
    this.named(this.svg, "slider", words.label);
    this.svg.setAttribute("aria-valuemin", 0);
    this.svg.setAttribute("aria-valuemax", columns.length - 1);
    this.svg.setAttribute("aria-valuenow", i);
    this.svg.setAttribute("aria-valuetext", `${columns[i].title}: ${value}`);
  }

  // ---- what a hand does

  place(event) {
    const { x, y } = within(event, this.svg);
    const column = Math.floor((x - LEFT) / this.step);
    return { x, y, column: column >= 0 && column < this.header.columns.length ? column : null };
  }

  // A finger scrolls, and chooses where it taps.
  press(event) {
    const { column } = this.place(event);
    if (column === null || event.pointerType === "touch") return;
    this.dragging = true;
    this.svg.setPointerCapture(event.pointerId);
    this.to(column);
  }

  pick(event) {
    const { column, row } = this.place(event);
    if (column !== null) this.to(column);
    else if (row !== null) this.select({ q: this.pair[1], k: row });
  }

  to(column) {
    if (column !== this.column) this.select({ depth: column });
  }

  key(event) {
    const step = pressed(event, KEYS);
    if (step) this.to(clamp(this.column + step, 0, this.header.columns.length - 1));
  }

  hover(event) {
    const { x, y, column } = this.place(event);
    if (this.dragging && column !== null) this.to(column);
    if (column === null) return showTip(this.tip, null);
    const value = this.curve[column];
    const text = `${this.header.columns[column].title}  ${value === null ? this.header.words.veiled : exact(value)}`;
    showTip(this.tip, text, { x, y: y - 30, width: this.width });
  }
}

export default component(Depth);
