// Vectors that add up. A few dimensions of the selected token as stacked bars, their numbers below; then one strip of
// the whole sum, rows of tokens by dimensions; each part has such a strip, too, behind a press.

import { averaged, clip, fit, inks, make, pixels, roundSteps, scale, vector, within } from "../kit/draw.js";
import { showTip, themeOf, tipIn, told, veil, yielding } from "../kit/draw.js";
import { exact, fixed, short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `sign` stands before the name; a `joined` panel has all parts side by side.
 * @typedef {{id: string, name: string, short: string, sign: string, joined: boolean, width: number}} Panel
 *
 * `made` is the setting of the switches this was made for; the tokens are a window beginning at `from`, out of `of`.
 * `reach` is where the colours end. Behind the header: the panels as float32.
 * @typedef {{fragment?: string, made: Record<string, string>, from: number, of: number, labels: string[],
 *   parts: string[], panels: Panel[], dModel: number, reach: number,
 *   words: {label: string, dim: string, veiled: string, caption: string, each: string, fewer: string}}} Header
 */

const [INK, BLUE] = [1, 5]; // of the inks: teal is what is positive, ochre the feed-forward network's
const DIMS = 6; // dimensions that stand as bars
const CELL = 54; // each at least so wide
const TALL = 148; // the bars
const EDGE = 8; // above and below them
const TITLE = 20;
const BETWEEN = 5;
const LOW = 5.5; // rows are at least so high
const PITCH = 16; // so high, they make room for a line of labels; two of lower ones do
const ROOM = 230; // for all rows
const SPOKEN = 12; // so high, a veiled row says that it is
const STOPS = 25; // of the scale of colours
const KEYS = {
  ArrowUp: [-1, 0, 0],
  ArrowDown: [1, 0, 0],
  ArrowLeft: [0, -1, 0],
  ArrowRight: [0, 1, 0],
  PageUp: [0, 0, -1],
  PageDown: [0, 0, 1],
};

class Addition extends Picture {
  static className = "addition";
  static fonts = true;
  static speaks = true;

  build() {
    this.bars = this.root.appendChild(vector("svg", { class: "bars", "aria-hidden": "true" }));
    this.large = this.root.appendChild(make("div", "large"));
    this.picture = this.root.appendChild(make("div", "picture"));
    this.canvas = this.picture.appendChild(make("canvas"));
    this.tip = tipIn(this.picture);
    this.every = this.root.appendChild(make("button", "every"));
    this.range = this.root.appendChild(make("span", "range"));
    this.caption = this.root.appendChild(make("div", "caption"));
    this.each = false; // whether each part has its strip, too
    this.every.onclick = () => {
      this.each = !this.each;
      this.redraw();
    };
    this.canvas.tabIndex = 0;
    this.canvas.onclick = (event) => this.pick(this.at(event));
    this.canvas.onpointermove = (event) => this.point(event, this.at(event));
    this.canvas.onpointerleave = () => showTip(this.tip, null);
    this.canvas.onkeydown = (event) => this.key(event);
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    this.header = header;
    this.panels = cut(header, new Float32Array(body.buffer));
    this.addends = this.panels.filter(({ joined }) => !joined);
    this.place = null;
    this.caption.replaceChildren(...told(header.words.caption));
    this.named(this.canvas, "application", header.words.label);
  }

  // ---- the selection

  // Other switches, or other tokens, are other sums: the server makes them.
  lacks() {
    if (!this.header) return false;
    const other = Object.entries(this.header.made).some(([name, id]) => String(this.get(name)) !== id);
    return other || !this.inside;
  }

  get row() {
    return this.index("pos", this.header.of) - this.header.from;
  }

  get dim() {
    return this.index("dim", this.header.dModel);
  }

  get inside() {
    return this.row >= 0 && this.row < this.header.labels.length;
  }

  get part() {
    const i = this.panels.findIndex(({ id }) => id === this.get("part"));
    return Math.max(0, i);
  }

  /** The strips that are seen: the whole's, and before it each part's where that was asked for. */
  get strips() {
    return this.each ? this.panels : this.panels.slice(-1);
  }

  pick(where) {
    if (where) this.select({ part: where.part, pos: this.header.from + where.row, dim: where.dim }, { k: null });
  }

  // ---- geometry

  layout() {
    const { labels, dModel } = this.header;
    const strips = this.strips;
    const width = this.root.clientWidth || 480;
    const count = labels.length;
    const narrow = width < 420;
    const high = yielding(clamp(Math.floor(ROOM / (strips.length * count)), LOW, PITCH), LOW);
    const lanes = high < PITCH ? 2 : 1;
    const letters = lanes > 1 ? (narrow ? 5 : 8) : 10;
    const longest = (texts) => Math.max(...texts.map((text) => [...wider(text)].length));
    const lane = 6 + 7 * longest(labels.map((label) => clip(label, letters)));
    const heads = 26 + 7.4 * longest(this.panels.map((panel) => `${panel.sign} ${panel.short}`));
    const left = Math.round(Math.max(lanes * lane + 4, Math.min(narrow ? 96 : 116, heads)));
    const room = width - left;
    const tops = strips.map((_, i) => TITLE + i * (TITLE + BETWEEN + high * count));
    const height = tops.at(-1) + high * count + 3;
    const columns = clamp(Math.floor(room / CELL), 3, Math.min(DIMS, dModel));
    const first = clamp(this.dim - (columns >> 1), 0, dModel - columns);
    const tall = yielding(TALL);
    this.place = { tall, width, left, lanes, lane, letters, high, room, tops, count, height, columns, first };
  }

  cellOf(panel) {
    return this.place.room / panel.width;
  }

  at(event) {
    if (!this.place) return null;
    const { left, tops, high, count, room } = this.place;
    const at = within(event, this.canvas);
    const [x, y] = [at.x - left, at.y];
    const strip = tops.findIndex((top) => y >= top && y < top + high * count);
    if (strip < 0 || x < 0 || x >= room) return null;
    const panel = this.strips[strip];
    const column = Math.floor(x / this.cellOf(panel));
    const found = { panel, strip, row: Math.floor((y - tops[strip]) / high), column };
    const { parts, dModel } = this.header;
    if (!panel.joined) return { ...found, part: panel.id, dim: column };
    return { ...found, part: parts[Math.floor(column / dModel)], dim: column % dModel };
  }

  say({ panel, row, column }, written = exact) {
    const { labels, words } = this.header;
    const value = panel.values[row * panel.width + column];
    const said = Number.isNaN(value) ? words.veiled : written(value);
    return `${panel.name} · ${labels[row]} · ${words.dim} ${column}  ${said}`;
  }

  // ---- drawing

  draw() {
    const colors = inks(this.root, [0, 1, 2, 3, 4, 5]);
    this.root.style.setProperty("--token", colors.get(INK));
    this.root.style.setProperty("--position", colors.get(BLUE));
    this.root.classList.toggle("waiting", this.lacks());
    this.layout();
    this.drawBars();
    this.drawLarge();
    this.drawStrips();
    this.drawRange();
    this.every.textContent = this.header.words[this.each ? "fewer" : "each"];
    this.every.setAttribute("aria-expanded", String(this.each));
  }

  get dims() {
    return Array.from({ length: this.place.columns }, (_, i) => this.place.first + i);
  }

  value(panel, dim) {
    return this.inside ? panel.values[this.row * panel.width + dim] : NaN;
  }

  // Each dimension a stack: what is positive upwards, what is negative downwards, and beside it a mark at what they
  // come to. Side by side, nothing is stacked.
  drawBars() {
    const { tall, width, left, room, columns } = this.place;
    const parts = this.addends.filter(({ id }) => id !== "sum");
    const total = this.panels.find(({ id }) => id === "sum");
    const stacks = this.dims.map((dim) => stacked(parts, (panel) => this.value(panel, dim), !total));
    const ends = stacks.flat().flatMap(({ from, to }) => [from, to]);
    const high = Math.max(0.001, ...ends);
    const low = Math.min(-0.001, ...ends);
    const y = (value) => EDGE + ((high - value) / (high - low)) * (tall - 2 * EDGE);
    const wide = room / columns;
    const nodes = [...this.axis(roundSteps(low, high, 4), y)];
    this.dims.forEach((dim, i) => {
      const x = left + i * wide;
      if (dim === this.dim) nodes.push(vector("rect", { x, y: 0, width: wide, height: tall, class: "here" }));
      nodes.push(...stacks[i].map((piece) => bar(piece, x, wide, y, total ? 1 : parts.length)));
      const sum = total ? this.value(total, dim) : NaN;
      if (!Number.isNaN(sum)) nodes.push(mark(x + wide * 0.8 + 1, y(sum)));
      nodes.push(this.press(dim, { x, y: 0, width: wide, height: tall }));
    });
    this.bars.setAttribute("viewBox", `0 0 ${width} ${tall}`);
    this.bars.setAttribute("height", tall);
    this.bars.setAttribute("width", width);
    this.bars.replaceChildren(...nodes);
  }

  press(dim, place) {
    const node = vector("rect", { ...place, class: "press" });
    const part = this.panels.at(-1).joined ? this.get("part") : "sum";
    node.onclick = () => this.pick({ part, row: this.row, dim });
    return node;
  }

  axis(steps, y) {
    const { width, left } = this.place;
    return steps.flatMap((value) => [
      vector("line", { x1: left, x2: width, y1: y(value), y2: y(value), class: value ? "grid" : "zero" }),
      vector("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, exact(value)),
    ]);
  }

  // The same numbers, a line a part: what is added, and what it comes to.
  drawLarge() {
    const { left, columns } = this.place;
    const { labels } = this.header;
    const numbers = this.addends.flatMap((panel) => [
      this.head(panel),
      ...this.dims.map((dim) => this.number(panel, dim)),
    ]);
    const indices = this.dims.map((dim) => make("span", dim === this.dim ? "index on" : "index", String(dim)));
    const token = make("span", "head token");
    token.append(make("b", "", this.inside ? labels[this.row] : ""), make("span", "index", this.header.words.dim));
    this.large.style.gridTemplateColumns = `${left}px repeat(${columns}, minmax(0, 1fr))`;
    this.keepingFocus(() => this.large.replaceChildren(token, ...indices, ...numbers));
  }

  head(panel) {
    const head = make("span", "head", `${panel.sign} ${panel.short}`.trim());
    head.append(make("i", `swatch ${panel.id}`));
    return head;
  }

  number(panel, dim) {
    const value = this.value(panel, dim);
    const hidden = Number.isNaN(value);
    const shown = hidden ? "–" : fixed(value, 3);
    const button = make("button", panel.id === "sum" ? "total" : "", shown);
    button.title = hidden ? this.header.words.veiled : exact(value);
    button.dataset.at = `${panel.id}-${dim}`;
    button.tabIndex = -1;
    if (dim === this.dim) button.classList.add(panel.id === this.get("part") ? "on" : "column");
    button.onclick = () => this.pick({ part: panel.id, row: this.row, dim });
    return button;
  }

  drawStrips() {
    const { left, room, high, count, width, height, tops } = this.place;
    const pen = fit(this.canvas, [width, height]);
    const css = themeOf(this.root);
    const color = scale(this.root, true, this.header.reach);
    const veiled = veil(this.root);
    pen.textBaseline = "middle";
    pen.imageSmoothingEnabled = false;
    this.strips.forEach((panel, i) => {
      const small = pixels(panel.values, count, panel.width, color, veiled);
      this.drawTitle(pen, css, panel, tops[i]);
      pen.drawImage(averaged(small, this.cellOf(panel)), left, tops[i], room, high * count);
      if (high >= SPOKEN) this.drawVeiled(pen, css, panel, tops[i]);
      if (high >= 6) for (let r = 1; r <= count; r++) pen.clearRect(left, tops[i] + r * high - 1, room, 1);
      this.drawRows(pen, css, tops[i]);
    });
    if (this.inside) this.drawSelected(pen, css);
  }

  drawVeiled(pen, css, panel, top) {
    const { left, room, high } = this.place;
    pen.font = `600 14px ${css("--st-font")}`;
    pen.fillStyle = css("--st-text-color");
    pen.textAlign = "center";
    this.header.labels.forEach((_, r) => {
      const row = panel.values.subarray(r * panel.width, (r + 1) * panel.width);
      if (row.every(Number.isNaN)) pen.fillText("?", left + room / 2, top + (r + 0.5) * high);
    });
  }

  /** What the colours of the strips mean. */
  drawRange() {
    const { reach } = this.header;
    const color = scale(this.root, true, reach);
    const bar = make("i");
    const stops = Array.from({ length: STOPS }, (_, i) => `rgb(${color(reach * ((2 * i) / (STOPS - 1) - 1))})`);
    bar.style.background = `linear-gradient(to right, ${stops})`;
    const ends = ["≤ ", "≥ "].map((sign, i) => make("span", "", sign + short(i ? reach : -reach)));
    this.range.replaceChildren(ends[0], bar, ends[1]);
  }

  // Above its rows; a long one on a narrow screen begins further left.
  drawTitle(pen, css, panel, top) {
    pen.font = `600 13px ${css("--st-font")}`;
    pen.fillStyle = css("--st-text-color");
    pen.textAlign = "left";
    const { left, width } = this.place;
    const title = `${this.each ? panel.sign : ""} ${panel.name}`.trim();
    pen.fillText(title, clamp(width - pen.measureText(title).width, 0, left), top - 10);
  }

  // Rows too low for a label each have them in two lanes, every second one further out, with a line to its row.
  drawRows(pen, css, top) {
    const { left, lanes, lane, letters, high } = this.place;
    pen.textAlign = "right";
    this.header.labels.forEach((label, r) => {
      const strong = r === this.row;
      const y = top + (r + 0.5) * high;
      const right = left - 6 - (r % lanes) * lane;
      pen.fillStyle = css("--st-border-color");
      if (r % lanes) pen.fillRect(right + 3, y - 0.5, left - right - 5, 1);
      pen.font = `${strong ? 600 : 400} 12px ${css("--st-code-font")}`;
      pen.fillStyle = css("--st-text-color");
      pen.fillText(clip(label, letters), right, y);
    });
  }

  // The selected row, and in it the dimensions that stand as bars above.
  drawSelected(pen, css) {
    const { left, room, high, tops, columns, first } = this.place;
    const { parts, dModel } = this.header;
    pen.strokeStyle = css("--st-text-color");
    this.strips.forEach((panel, i) => {
      const cell = this.cellOf(panel);
      const joinedAt = panel.joined ? Math.max(0, parts.indexOf(this.panels[this.part].id)) * dModel : 0;
      const y = tops[i] + this.row * high;
      pen.lineWidth = 1;
      pen.strokeRect(left, y - 0.5, room - 1, high);
      pen.lineWidth = 2;
      pen.strokeRect(left + (joinedAt + first) * cell - 1, y - 2, columns * cell + 2, high + 3);
      if (panel.joined) this.borders(pen, cell, tops[i]);
    });
  }

  borders(pen, cell, top) {
    const { left, high, count } = this.place;
    const { parts, dModel } = this.header;
    pen.lineWidth = 1;
    parts.slice(1).forEach((_, n) => pen.strokeRect(left + (n + 1) * dModel * cell, top - 2, 0.5, high * count + 4));
  }

  // ---- what a hand does

  point(event, where) {
    if (!where) return showTip(this.tip, null);
    const { tops, high, width } = this.place;
    const { x } = within(event, this.canvas);
    const y = tops[where.strip] + (where.row + 1) * high + 6;
    showTip(this.tip, this.say(where), { x, y, width });
  }

  key(event) {
    const step = pressed(event, KEYS);
    if (!step) return;
    const { of, from, dModel } = this.header;
    const [down, right, on] = step;
    const part = clamp(this.part + on, 0, this.addends.length - 1);
    const where = {
      part: this.addends[part].id,
      row: clamp(from + this.row + down, 0, of - 1) - from,
      dim: clamp(this.dim + right, 0, dModel - 1),
    };
    this.pick(where);
    const panel = this.addends[part];
    if (this.inside) this.heard.textContent = this.say({ panel, row: this.row, column: where.dim }, short);
  }
}

// Where each part's piece of a stack begins and ends; each from 0 where nothing is stacked.
function stacked(parts, valueOf, apart) {
  const ends = { up: 0, down: 0 };
  return parts.flatMap((panel, i) => {
    const value = valueOf(panel);
    if (Number.isNaN(value)) return [];
    const way = value < 0 ? "down" : "up";
    const from = apart ? 0 : ends[way];
    ends[way] = from + value;
    return [{ id: panel.id, from, to: from + value, place: apart ? i : 0 }];
  });
}

function bar({ id, from, to, place }, x, wide, y, lanes) {
  const [top, bottom] = [y(Math.max(from, to)), y(Math.min(from, to))];
  const width = (wide * 0.6) / lanes;
  const left = x + wide * 0.2 + place * width;
  return vector("rect", { x: left, y: top, width, height: Math.max(bottom - top, 0.5), class: `piece ${id}` });
}

// A triangle at the side of a stack: over it, it would look like one more piece.
function mark(x, y) {
  return vector("path", { d: `M${x} ${y}l8 -5v10z`, class: "total" });
}

// The panels' own numbers out of the one array behind the header.
function cut({ panels, labels }, values) {
  let from = 0;
  return panels.map((panel) => ({ ...panel, values: values.subarray(from, (from += labels.length * panel.width)) }));
}

const wider = (text) => text.replace(/[\u3400-\u9fff]/g, "$&$&"); // a Han character is as wide as two letters

export default component(Addition);
