// A sentence on its way through the model: one column a depth, one row a token, from the ids to the last layer.
// Above each layer its mean attention; beneath, how alike two chosen tokens are. A frame is dragged through the depth.
// Of an encoder-decoder the rows that are written stand under those that are read, each with the word it gives.
// What must not be seen yet arrives as NaN.

import { clip, fit, labelled, make, pixels, scale, showTip, tipIn, vector, veil, within } from "../kit/draw.js";
import { fixed, short } from "../kit/format.js";
import { clamp, fade, Picture, pressed, unpack } from "../kit/picture.js";
import { component, doorTo } from "../kit/streamlit.js";

/**
 * A link to another stage: `id` is the key of Streamlit's own link to it.
 * @typedef {{id: string, href: string} | null} Door
 *
 * `ids` stand beside the tokens, `read` is how many tokens are read; of those that are written, `written` has the word
 * and its probability. `first` is the title over the ids; `reach` where a column's colours end. `dims` are the
 * dimensions shown. `kind` of an attention is "encoder", "self" or "cross". `names` are the tokens in a sentence.
 * Behind the header as float32: the states [column, token, dim], then the cosines [column, token, token], or of a long
 * text those of the two in `only` [column, 1, 1]; then the attentions, a byte a weight.
 * @typedef {{fragment?: string, tokens: string[], special: boolean[], ids: (number | string)[], read: number,
 *   written: [string, number][], first: {title: string, shape: string, door: Door},
 *   columns: {title: string, shape: string, door: Door, reach: number}[], dims: number[],
 *   attention: {column: number, rows: number, columns: number, kind: string, name: string, door: Door}[],
 *   names: string[], only: [number, number] | null,
 *   words: {label: string, curve: string, more: string, dim: string, veiled: string, encoder: string, decoder: string,
 *     legend: {text: string, kind: string}[]}}} Header
 */

const NARROWEST = 700; // below this the picture scrolls sideways inside its own box
const FAINT = 0.4; // of a row that is not compared
const LETTERS = 9; // of a token
const LINE = 14; // pixels a label needs
const TITLE = 56; // and a title, or a number of the curve, across
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -99, End: 99 };

class Depth extends Picture {
  static className = "depth";

  build() {
    this.stage = this.root.appendChild(make("div", "stage"));
    this.root.onscroll = () => fade(this.root);
    this.canvas = this.stage.appendChild(make("canvas"));
    this.svg = this.stage.appendChild(vector("svg", { tabindex: 0, role: "slider" }));
    this.doors = this.stage.appendChild(make("div", "doors"));
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
    const { tokens, columns, dims, attention, only } = header;
    this.header = header;
    let at = 0;
    const planes = (count) => columns.map(() => new Float32Array(body.buffer, (at += 4 * count) - 4 * count, count));
    this.states = planes(tokens.length * dims.length);
    this.cosines = planes(only ? 1 : tokens.length ** 2);
    this.attention = attention.map((one) => ({ ...one, bytes: body.subarray(at, (at += one.rows * one.columns)) }));
  }

  get column() {
    return this.index("depth", this.header.columns.length);
  }

  // The two that are compared; until the server has said which, those it sent.
  get pair() {
    const { tokens, only } = this.header;
    return ["q", "k"].map((name, i) => this.index(name, tokens.length, only?.[i]));
  }

  // The cosine of the pair in each column; null where it may not be seen, or only the server has it.
  get curve() {
    const [one, other] = this.pair;
    const { tokens, only } = this.header;
    const at = only ? 0 : one * tokens.length + other;
    return this.cosines.map((plane) => (this.lacks() || Number.isNaN(plane[at]) ? null : plane[at]));
  }

  // Of a long text another pair needs the whole vectors, which only the server has.
  lacks() {
    const only = this.header?.only;
    return Boolean(only) && this.pair.some((token, i) => token !== only[i]);
  }

  // ---- geometry

  layout() {
    const { tokens, columns, read } = this.header;
    const width = Math.max(NARROWEST, this.root.clientWidth || NARROWEST);
    const two = (this.two = read < tokens.length); // two stacks, one above the other
    this.narrow = this.root.clientWidth < NARROWEST;
    const left = this.narrow ? 92 : 136;
    const right = two ? 132 : 4;
    const step = (width - left - right) / columns.length;
    const high = Math.min(two ? 17 : 19, (two ? 290 : 200) / tokens.length);
    const room = step < 2 * LINE ? 6 : 12; // between columns
    this.every = Math.ceil(TITLE / step); // of so many columns one has a title
    const square = Math.min(two ? 52 : 82, step - room);
    this.between = Math.min(40, square); // of a small picture between the stacks
    this.gap = two ? this.between + 16 : 0;
    const rows = { top: square + 48, bottom: square + 48 + high * tokens.length + this.gap };
    const plot = { top: rows.bottom + 28, bottom: rows.bottom + (two ? 98 : 134) };
    Object.assign(this, {
      width,
      left,
      step,
      wide: step - room,
      room,
      high,
      square,
      rows,
      plot,
      height: plot.bottom + 8,
    });
  }

  x(i) {
    return this.left + i * this.step + this.room / 2;
  }

  middle(i) {
    return this.x(i) + this.wide / 2;
  }

  // The top of a row; between the stacks there is room for the decoder's attention.
  y(row) {
    return this.rows.top + row * this.high + (row >= this.header.read ? this.gap : 0);
  }

  rowAt(y) {
    const below = y - this.rows.top - this.header.read * this.high;
    if (below >= 0 && below < this.gap) return -1;
    return Math.floor((y - this.rows.top - (below >= 0 ? this.gap : 0)) / this.high);
  }

  // Left and top of a small picture: the encoder's above the column, the decoder's two side by side between the stacks.
  corner({ column, kind }) {
    if (kind === "encoder" || !this.two) return [this.middle(column) - this.square / 2, 0];
    const left = kind === "self" ? this.middle(column) - this.between - 6 : this.middle(column) + 6;
    return [left, this.y(this.header.read) - this.between - 4];
  }

  side({ kind }) {
    return kind === "encoder" || !this.two ? this.square : this.between;
  }

  // Whether the legend has no room above the first columns.
  get crowded() {
    return this.narrow || this.every > 1;
  }

  // Whether a column has a title and its number: the selected one, and of many every so many-th that leaves it room.
  speaks(i) {
    const { column, every } = this;
    return i === column || (i % every === 0 && Math.abs(i - column) >= every);
  }

  titleOf(column, i) {
    const width = Math.max(this.wide + this.room, Math.min(TITLE, this.every * this.step));
    return this.title(column, Math.min(this.middle(i) - width / 2, this.width - width), width);
  }

  // ---- drawing

  draw() {
    this.layout();
    Object.assign(this.stage.style, { width: `${this.width}px`, height: `${this.height}px` });
    this.paint();
    this.svg.replaceChildren(...this.labels(), ...this.writtenWords(), ...this.curveLines(), this.frame());
    const { columns, first, words } = this.header;
    const before = this.narrow ? [] : [this.firstTitle(first)]; // on a phone there is no room for ids
    if (!this.crowded) before.unshift(this.legend());
    const titles = columns.flatMap((column, i) => (this.speaks(i) ? [this.titleOf(column, i)] : []));
    const doors = this.attention.filter(({ door }) => door).map((one) => this.picture(one));
    this.doors.replaceChildren(...before, ...titles, ...doors);
    const [one, other] = this.pair.map((token) => this.header.names[token]);
    const caption = words.curve.replace("{first}", one).replace("{second}", other);
    const more = make("p", "scrolls", words.more);
    this.below.replaceChildren(
      ...(this.narrow ? [more] : []),
      ...(this.crowded ? [this.legend()] : []),
      make("p", "caption", `${caption} ${words.legend.find(({ kind }) => kind === "note").text}`),
    );
    this.describe();
    fade(this.root);
  }

  paint() {
    const pen = fit(this.canvas, [this.width, this.height]);
    pen.imageSmoothingEnabled = this.high < 1;
    const { columns } = this.header;
    const veiled = veil(this.root);
    const put = (values, rows, count, color, x, y, w, h, strength = 1) => {
      pen.globalAlpha = strength;
      pen.drawImage(pixels(values, rows, count, color, veiled), x, y, w, h);
    };
    columns.forEach((column, i) => this.paintColumn(column, i, put));
    const weights = scale(this.root, false, 254);
    for (const one of this.attention)
      put(one.bytes, one.rows, one.columns, weights, ...this.corner(one), this.side(one), this.side(one));
  }

  // Rows far apart are drawn one by one, with a line between; crowded ones as one picture. The two that are compared
  // stand out.
  paintColumn({ reach }, i, put) {
    const { tokens, dims, read } = this.header;
    const signed = scale(this.root, true, reach);
    const rows = (from, to) => this.states[i].subarray(from * dims.length, to * dims.length);
    const part = (from, to, tall, strength) =>
      put(rows(from, to), to - from, dims.length, signed, this.x(i), this.y(from), this.wide, tall, strength);
    const spaced = this.high >= 10;
    if (spaced) tokens.forEach((_, row) => part(row, row + 1, this.high - 1.5, FAINT));
    else {
      part(0, read, read * this.high, FAINT);
      if (read < tokens.length) part(read, tokens.length, (tokens.length - read) * this.high, FAINT);
    }
    for (const row of this.pair) part(row, row + 1, spaced ? this.high - 1.5 : Math.max(2, this.high), 1);
  }

  text(x, y, words, className, anchor = "middle") {
    return vector("text", { x, y, class: className, "text-anchor": anchor }, words);
  }

  labels() {
    const { tokens, ids, special } = this.header;
    const { pair } = this;
    return labelled(tokens.length, this.high, LINE, pair).flatMap((drawn, i) => {
      if (!drawn) return [];
      const y = this.y(i) + this.high / 2 + 4.5;
      const kind = pair.includes(i) ? "picked" : special[i] ? "special" : "token";
      const token = this.text(82, y, clip(tokens[i], LETTERS), kind, "end");
      return this.narrow ? [token] : [token, this.text(110, y, ids[i], "id")];
    });
  }

  // At the end of every row that is written: the word it gives, and how sure it is.
  writtenWords() {
    const { written, read, words } = this.header;
    if (!written.length) return [];
    const stack = (y, text) => this.text(4, y, text, "id", "start");
    const top = this.y(read);
    const shown = [stack(top - this.gap + 15, words.encoder), stack(top - 8, words.decoder)];
    const drawn = labelled(written.length, this.high, LINE);
    written.forEach(([word, probability], i) => {
      if (!drawn[i]) return;
      const y = this.y(read + i) + this.high / 2 + 4.5;
      shown.push(this.text(this.width - 126, y, `→ ${clip(word, LETTERS)}`, "token", "start"));
      shown.push(this.text(this.width - 2, y, fixed(probability, 2), "id", "end"));
    });
    return shown;
  }

  curveLines() {
    const { curve } = this;
    const { top, bottom } = this.plot;
    const low = Math.min(0.9, Math.floor(Math.min(...curve.filter((v) => v !== null)) * 10) / 10);
    const y = (v) => bottom - ((v - low) / (1 - low)) * (bottom - top);
    const line = (x1, y1, x2, y2, kind) => vector("line", { x1, y1, x2, y2, class: kind });
    const parts = [];
    const step = 1 - low > 0.6 ? 0.5 : 1 - low > 0.25 ? 0.2 : 0.1;
    for (let v = 1; v > low - 0.001; v -= step) {
      parts.push(line(this.left, y(v), this.x(curve.length) - this.room, y(v), "grid"));
      parts.push(this.text(this.left - 10, y(v) + 4, fixed(v, 1), "id", "end"));
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
    const edge = this.room / 2 - 1;
    const [x, y] = [this.x(this.column) - edge, this.square + 4];
    const height = this.plot.bottom - this.square;
    return vector("rect", { x, y, width: this.wide + 2 * edge, height, rx: 6, class: "frame" });
  }

  // The ids come before the first vector.
  firstTitle(first) {
    return this.title(first, this.left - 54, 56);
  }

  // A column's title with its shape; where the stage exists, a door to it.
  title({ title, shape, door }, left, width) {
    const box = make("div", "title");
    Object.assign(box.style, { left: `${left}px`, top: `${this.square + 6}px`, width: `${width}px` });
    box.append(door ? doorTo(door, title, "reach") : make("span", "", title), make("small", "", shape));
    return box;
  }

  // The attention above a layer is a door, too.
  picture(one) {
    const link = doorTo(one.door, "", "picture");
    const [left, top] = this.corner(one).map((at) => `${at}px`);
    const side = `${this.side(one)}px`;
    link.title = one.name;
    link.setAttribute("aria-label", `${one.name}, ${this.header.columns[one.column].title}`);
    Object.assign(link.style, { left, top, width: side, height: side });
    return link;
  }

  legend() {
    const box = make("p", "legend");
    if (!this.crowded) box.style.width = `${this.left + 3 * this.step - 24}px`;
    for (const { text, kind } of this.header.words.legend)
      if (kind !== "note") box.append(make("span", kind, text), " ");
    return box;
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
    const inside = (i, count) => (i >= 0 && i < count ? i : null);
    const { columns, tokens } = this.header;
    const column = inside(Math.floor((x - this.left) / this.step), columns.length);
    return { x, y, column, row: inside(this.rowAt(y), tokens.length) };
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
    const { x, y, column, row } = this.place(event);
    const { tokens, dims, columns, words } = this.header;
    if (this.dragging && column !== null) this.to(column);
    if (column === null || row === null) return showTip(this.tip, null);
    const i = clamp(Math.floor(((x - this.x(column)) / this.wide) * dims.length), 0, dims.length - 1);
    const value = this.states[column][row * dims.length + i];
    const said = Number.isNaN(value) ? words.veiled : short(value);
    const text = `${tokens[row]} · ${columns[column].title} · ${words.dim} ${dims[i]}  ${said}`;
    showTip(this.tip, text, { x, y: y - 30, width: this.width });
  }
}

export default component(Depth);
