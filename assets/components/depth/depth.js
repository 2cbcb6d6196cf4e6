// How alike two chosen tokens are at every depth of a model, under the sheet of it: one column a depth, where the sheet
// has it. A frame is dragged through them.
// What must not be seen yet arrives as NaN.

import { ALONE_AT, NARROWEST, sheetSides } from "../kit/camera.js";
import { make, onSlide, showTip, tipIn, told, vector, within } from "../kit/draw.js";
import { exact, fixed, short } from "../kit/format.js";
import { clamp, fade, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `at` are the columns, of `across`, that a depth is on the sheet: the source's, then the target's; `ends`, how many
 * letters the words have that its rows end in. `names` are the tokens in a sentence, the first `read` the source's.
 * Behind the header as float32
 * the cosines [column, token, token], or of a long text those of the two in `only` [column, 1, 1].
 * @typedef {{columns: {title: string, at: number[]}[], across: number, read: number, ends: number, names: string[],
 *   only: [number, number] | null,
 *   words: {label: string, axis: string, curve: string, numbered: string, more: string, veiled: string}}} Header
 */

const PHONE = 560; // below this only some numbers are written
const [LINE_BEFORE, MIDDLE_OF, LINE_AFTER] = [0.19, 0.31, 0.81]; // of a column: the line before it, its state, the next
const TOP_OF_PLOT = 22;
const [ALONE, HIGH, LOW] = [200, 78, 60]; // pixels of the plot: on a slide; under a sheet; of many rows, or on a phone
const MANY_ROWS = 14;
const MANY_DEPTHS = 12;
const ROOM = 0.2; // of the axis, below a curve that may go on downwards
const BENEATH = 16; // pixels of it below the least number, whose label may stand there
const BESIDE = 260; // pixels beside the curve of one of two stacks in which its caption stands
const [TICK, NAMED] = [36, 36]; // pixels before the curve where the axis' name ends, and the room it needs there
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
    const { columns, across, read, ends } = this.header;
    const alone = onSlide(this.root);
    const two = read < this.header.names.length;
    const half = this.width < PHONE && two; // of a phone: too narrow for a curve
    const sides = sheetSides(this.width, ends);
    this.many = columns.length > MANY_DEPTHS;
    const tight = this.width < PHONE || Math.max(read, this.header.names.length - read) > MANY_ROWS;
    this.bottom = TOP_OF_PLOT + (alone ? ALONE : tight ? LOW : HIGH);
    const [one, other] = this.pair.map((token) => Number(token >= read));
    const whole = !this.get("at"); // where the sheet's camera is: nearer, it has no frame
    const first = half && whole && one + other === 0; // of two stacks a phone's sheet then shows this one alone
    this.under = !(this.narrow || (half && !first) || alone || one !== other); // the sheet, whose titles are its own
    const [left, right] = this.under ? (first ? [sides[0], ALONE_AT] : sides) : this.narrow || half ? [44, 4] : sides;
    const columnsOver = first ? columns.at(-1).at[0] + 1 : across;
    this.joined = whole && this.under;
    this.titled = this.joined && !this.many; // by the titles of the sheet
    this.line = this.bottom + (this.titled ? 3 : 16); // of titles
    this.second = this.many || this.titled ? 0 : 13; // below it those that find no room there
    if (!this.under) {
      const step = (this.width - left - right) / columns.length;
      this.bands = columns.map((_, i) => [left + i * step, left + (i + 0.5) * step, left + (i + 1) * step]);
    } else {
      const x = (column) => left + (column * (this.width - left - right)) / columnsOver;
      const ofSheet = ({ at }, i) => {
        const from = i ? columns[i - 1].at[one] + LINE_AFTER : at[one] - LINE_BEFORE;
        return [from, at[one] + MIDDLE_OF, at[one] + LINE_AFTER].map(x);
      };
      this.bands = columns.map(ofSheet);
    }
    this.begins = this.bands[0][0];
    this.ends = this.bands.at(-1)[2];
  }

  // ---- drawing

  draw() {
    this.layout();
    const titles = this.titles();
    if (!titles.some((title) => Number(title.getAttribute("y")) > this.line)) this.second = 0; // all found room in one
    Object.assign(this.stage.style, { width: `${this.width}px`, height: `${this.line + 6 + this.second}px` });
    const { words, names } = this.header;
    this.svg.replaceChildren(...this.curveLines(), ...titles);
    const [one, other] = this.pair.map((token) => names[token]);
    const numbered = /[₀-₉]$/.test(one + other) ? words.numbered : "";
    const caption = words.curve.replace("{first}", () => one).replace("{second}", () => other + numbered);
    const captioned = make("p", "caption");
    captioned.append(...told(caption));
    this.below.replaceChildren(...(this.narrow ? [make("p", "scrolls", words.more)] : []), captioned);
    const [before, behind] = [this.begins - 40, this.width - this.ends - 24];
    const beside = Math.max(before, behind) > BESIDE;
    this.below.classList.toggle("beside", beside);
    const from = before > behind ? 0 : this.ends + 24;
    const place = { left: `${from}px`, width: `${before > behind ? before : this.width - from}px` };
    Object.assign(this.below.style, beside ? place : { left: "", width: "" });
    this.describe();
    fade(this.root);
  }

  text(x, y, words, className, anchor = "middle") {
    return vector("text", { x, y, class: className, "text-anchor": anchor }, words);
  }

  // The titles under the columns, where they find room; under the sheet the frame's alone, where it ends there.
  titles() {
    const taken = [];
    this.ruler ??= make("canvas").getContext("2d");
    this.ruler.font = `600 12px ${getComputedStyle(this.root).fontFamily}`;
    const named = this.titled ? [] : this.under ? [this.column] : this.chosenFirst();
    return named.flatMap((i) => {
      const { title } = this.header.columns[i];
      const half = 0.5 * this.ruler.measureText(title).width + (this.many ? 8 : 3);
      const x = clamp((this.bands[i][0] + this.bands[i][2]) / 2, half, this.width - half);
      const free = (y) => roomIn(taken, [x - half, y - 12, x + half, y]);
      const y = [this.line, this.line + this.second].find(free);
      return y ? [this.text(x, y, title, i === this.column ? "chosen" : "id")] : [];
    });
  }

  // Whose numbers are written, as far as there is room: none that only repeats the one before.
  numbered(curve) {
    const shown = curve.map((value) => (value === null ? "" : fixed(value, 3)));
    return this.chosenFirst().filter((i) => shown[i] && (i === this.column || shown[i] !== shown[i - 1]));
  }

  // The selected column, then the others.
  chosenFirst() {
    const every = this.header.columns.map((_, i) => i);
    return [this.column, ...every.filter((i) => i !== this.column)];
  }

  curveLines() {
    const { curve } = this;
    const { bottom } = this;
    const top = TOP_OF_PLOT;
    const known = curve.filter((v) => v !== null);
    const open = known.length < curve.length ? known.at(-1) - ROOM : 1;
    const low = Math.min(0.9, Math.floor(Math.min(...known, open) * 10) / 10);
    const y = (v) => bottom - BENEATH - ((v - low) / (1 - low)) * (bottom - BENEATH - top);
    const line = (x1, y1, x2, y2, kind) => vector("line", { x1, y1, x2, y2, class: kind });
    const parts = [];
    const step = 1 - low > 0.71 ? 0.5 : 1 - low > 0.35 ? 0.2 : 0.1;
    for (let v = 1; v > low - 0.001; v -= step) {
      parts.push(line(this.begins, y(v), this.ends, y(v), "grid"));
      parts.push(this.text(this.begins - 8, y(v) + 4, fixed(v, 1), "id", "end"));
    }
    const middle = this.begins - TICK < NAMED ? [0, 12, "start"] : [this.begins - TICK, y((1 + low) / 2) + 4, "end"];
    parts.push(this.text(...middle.slice(0, 2), this.header.words.axis, "id", middle[2]));
    for (const x of [...this.bands.map(([x]) => x), this.ends]) parts.push(line(x, 0, x, bottom + 6, "grid"));
    parts.push(this.frame());
    const points = curve.map((v, i) => (v === null ? null : [this.bands[i][1], y(v)]));
    points.forEach((point, i) => {
      if (point && points[i - 1]) parts.push(line(...points[i - 1], ...point, "curve"));
    });
    parts.push(...this.open(points, top, bottom - BENEATH));
    const r = this.many ? 3 : 4;
    for (const [cx, cy] of points.filter(Boolean)) parts.push(vector("circle", { cx, cy, r, class: "dot" }));
    const taken = points.filter(Boolean).map(([px, py]) => [px - r, py - r, px + r, py + r]);
    const half = this.many ? 26 : 17;
    for (const edge of this.edges()) taken.push([edge, 0, edge, bottom]);
    for (const i of this.numbered(curve)) {
      const x = this.besideFrame(i, points[i][0], half);
      const at = (this.many ? [-9] : [-9, 19])
        .map((by) => points[i][1] + by)
        .find((foot) => foot < bottom + 4 && roomIn(taken, [x - half, foot - 11, x + half, foot]));
      if (at) parts.push(this.text(x, at, fixed(curve[i], 3), "value"));
    }
    return parts;
  }

  edges() {
    const [from, , to] = this.bands[this.column];
    return [from, to];
  }

  // Where a number is written: not on the frame, nor on the numbers of the axis.
  besideFrame(i, x, half) {
    const [from, to] = this.edges();
    if (i < this.column) return Math.max(Math.min(x, from - half - 1), this.begins + 17);
    if (i > this.column) return Math.max(x, to + half + 1);
    return to - from > 42 ? clamp(x, this.begins + 17, to - 22) : to + half + 3;
  }

  // Behind the last point that may be seen the curve can go up or down.
  open(points, top, bottom) {
    const last = points.findLastIndex(Boolean);
    if (last === points.length - 1) return [];
    const [, x] = this.bands.at(-1);
    const from = last < 0 ? [this.begins, (top + bottom) / 2] : points[last];
    const wedge = `M${x},${top}L${from.join()}L${x},${bottom}`;
    return [vector("path", { d: wedge, class: "open" }), this.text(x - 12, (top + bottom) / 2 + 6, "?", "hidden")];
  }

  frame() {
    const [x, , end] = this.bands[this.column];
    const top = this.joined ? -10 : 1; // it comes from above, out of the rivers
    const named = this.ruler.measureText(this.header.columns[this.column].title).width + 6 < end - x;
    const height = (named || this.titled ? this.line + 4 + this.second : this.bottom + 3) - top;
    return vector("rect", { x, y: top, width: end - x, height, rx: 5, class: "frame" });
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
    const column = this.bands.findIndex(([from, , to]) => x >= from && x < to);
    return { x, y, column: column < 0 ? null : column };
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
    const { column } = this.place(event);
    if (column !== null) this.to(column);
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

// Takes a box [left, top, right, bottom] where none that was taken lies.
function roomIn(taken, box) {
  const [left, top, right, bottom] = box;
  const lies = taken.some(([a, b, c, d]) => left < c && a < right && top < d && b < bottom);
  return !lies && taken.push(box);
}

export default component(Depth);
