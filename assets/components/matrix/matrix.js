// Any real matrix as a heat map. It holds a stack of planes (a layer's heads, say), shows the one the selection names,
// and switches between those it has without the server; for one it lacks, it asks.
//
// The numbers come as bytes and never carry the selection: one changed byte would send them all again.
// A cell that must not be seen yet arrives as NaN, so nothing in the browser can give it away.

import { averaged, boxOf, clip, fit, labelled, make, pixels, scale, screenRatio, within } from "../kit/draw.js";
import { showTip, themeOf, tipIn, titled, told, typeset, veil, yielding } from "../kit/draw.js";
import { exact, short } from "../kit/format.js";
import { clamp, entry, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";
import { aside } from "./labels.js";

/**
 * Rows or columns: `count` of them beginning at `from`, `param` the parameter that selects one. Without labels they are
 * numbers, said after `word`; `of` so many, where only some are sent. The open question names those `asked`. `room` is
 * how many letters labels get, `ids` stand beside them, which then begin at the edge, and in a `gutter` the 1
 * of x·E ("one"; "none" leaves the room). Of a matrix too large to send, each plane is one of the `windows`; `whole`
 * tells of the rest. Rows may follow another parameter until one is chosen (a table's row follows the token):
 * `follows`, each marked beside the whole unless `ticks` is false.
 * @typedef {{param: string, labels: string[] | null, count: number, from: number, word: string, of?: number,
 *   asked?: number[], room?: number,
 *   ids?: (number | string | null)[] | null, gutter?: "one" | "none", ticks?: boolean,
 *   windows?: {from: number, labels: string[], ids: (number | string | null)[] | null}[],
 *   follows?: {param: string, rows: (number | null)[]}}} Axis
 *
 * `id` is the picture's key on the page, `fragment` what is drawn anew where a plane or a cell is lacking. `name` says
 * which parameters name a plane, `planes` are their values, joined by "/", in order. `signed`: whether the colours have
 * two ends; else where a cell is negative. `reach` is where they end: a number, or one for each value of `reachBy`, a
 * parameter or several; `root`: colours deepen with the cube root of a number. Where the legend stands "above", it is
 * beside the title. `tall` is the height of all rows together. `whole`: all of it averaged in blocks. `also` is set
 * with every cell; of a `still` matrix no cell is selected, but one that is pressed may begin a `trail`. Where the
 * selected row is `copied`, lines lead down from it into the matrix below, its caption between them; or to it from the
 * one above.
 * Behind the header: the planes, then the whole, as float32.
 * @typedef {{id?: string, fragment?: string, name: string[], planes: string[], rows: Axis, columns: Axis,
 *   signed?: boolean, reach?: number | Record<string, number>, reachBy?: string | string[], tall?: number,
 *   root?: boolean, side?: number | null, band?: number,
 *   whole?: {rows: number, columns: number, of: [number, number], reach: number, tall: number}, also?: object,
 *   still?: boolean,
 *   trail?: string, legend?: boolean | "above", copied?: "down" | "up" | null,
 *   words: {label: string, range: string, marks: string, veiled: string, title: string, caption?: string,
 *     captions?: Record<string, string>, whole?: string, gutter?: string, corner?: string, one?: string,
 *     axes?: string[]}}} Header
 */

const GAP_FROM = 14; // cells at least this many pixels wide stand apart by a line
const SLANT = 0.66; // of the columns' labels, in radians
const LETTERS = 12; // of a label
const [FEW, SPARE] = [6, 28]; // columns that may be wide; pixels beyond the last
const [MANY, STOPS] = [24, 8]; // numbered rows of which only some have their number, and how many at most
const ROW = 14; // pixels that a row's label needs, a column's, which is slanted, and a column's number
const LOW = 8; // pixels of a row on a slide that would not hold all
const COLUMN = 20;
const NUMBER = 34;
const ROOT = 1 / 3 / 0.7; // a scale deepens by the power 0.7 already (draw.js)
const LOSS = 0.75; // of the width, that sharp cells must keep
const BELOW = 26; // and what stands between a row and its copy
const SLIDE = { duration: 600, easing: "ease-in-out" };
const FAR = 1e6;
const KEYS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -FAR],
  End: [0, FAR],
  PageUp: [-FAR, 0],
  PageDown: [FAR, 0],
};

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// What a column stands for, where they have another order.
const placeOf = ({ ids, from }, i) => ids?.[i] ?? from + i;

class Matrix extends Picture {
  static className = "matrix";
  static fonts = true;
  static speaks = true;

  build() {
    this.title = this.root.appendChild(make("div", "title"));
    this.picture = this.root.appendChild(make("div", "picture"));
    this.canvas = this.picture.appendChild(make("canvas"));
    this.marks = this.picture.appendChild(make("canvas", "marks"));
    this.tip = tipIn(this.picture);
    this.foot = this.root.appendChild(make("div", "foot"));
    this.marks.tabIndex = 0;
    this.cell = null; // under the pointer
    this.marks.onpointermove = (event) => this.point(this.at(event));
    this.marks.onpointerleave = () => this.point(null);
    this.marks.onclick = (event) => this.pick(this.at(event));
    this.marks.onkeydown = (event) => this.move(event);
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    const { planes, rows, columns, whole } = header;
    this.header = header;
    this.shown = -1; // which window
    this.plane = null; // the one that is drawn
    this.followed = rows.follows && this.get(rows.follows.param);
    this.values = new Float32Array(body.buffer, 0, planes.length * rows.count * columns.count);
    this.whole = whole ? new Float32Array(body.buffer, this.values.byteLength, whole.rows * whole.columns) : null;
    this.named(this.marks, "application", header.words.label);
    this.title.hidden = !header.words.title;
    this.store.lend(header.id ?? "matrix", {
      owner: this,
      header,
      key: (param, value) => this.key(param, value),
      plane: (key) => this.planeOf(key),
      reach: () => this.givenReach(),
    });
  }

  // ---- which plane

  /** The name of the selected plane; or of the one where `param` has another value. */
  key(param, value) {
    const { name, rows } = this.header;
    const parts = name.map((part) => (part === param ? value : this.get(part)));
    return [...parts, ...(rows.windows ? [this.openWindow()] : [])].join("/");
  }

  // The window that holds the selected row: the one shown as long as it does, else the one it is most in the middle of.
  openWindow() {
    const { rows } = this.header;
    const row = this.selectedRow() ?? rows.from;
    const middle = (rows.count - 1) / 2;
    const off = ({ from }) => (row >= from && row < from + rows.count ? Math.abs(row - from - middle) : Infinity);
    const { windows } = rows;
    if (this.shown < 0 || off(windows[this.shown]) === Infinity) {
      const nearest = windows.reduce((best, window, i) => (off(window) < off(windows[best]) ? i : best), 0);
      if (off(windows[nearest]) === Infinity) return -1;
      this.shown = nearest;
    }
    Object.assign(rows, windows[this.shown]);
    return this.shown;
  }

  planeOf(key) {
    const { planes, rows, columns } = this.header;
    const size = rows.count * columns.count;
    const i = planes.indexOf(key);
    return i < 0 ? null : this.values.subarray(i * size, (i + 1) * size);
  }

  // The selected row of the whole matrix; null where none is, or it must not be seen yet.
  selectedRow() {
    const { param, follows } = this.header.rows;
    return this.integer(param) ?? entry(follows?.rows, this.integer(follows?.param)) ?? null;
  }

  // The selected cell, counted from the corner of the window shown; `outside` of it too, while the next is on its way.
  selectedCell(outside = false) {
    const { rows, columns, still } = this.header;
    if (still) return null;
    const row = (this.selectedRow() ?? NaN) - rows.from;
    const at = this.integer(columns.param) ?? NaN;
    const column = columns.ids ? columns.ids.indexOf(at) : at - columns.from;
    const inside = row >= 0 && row < rows.count && column >= 0 && column < columns.count;
    const found = !Number.isNaN(row + column) && !(columns.ids && column < 0);
    return inside || (outside && found) ? { row, column } : null;
  }

  // Another token: its row again, not the one that was looked up by hand.
  selected(patch) {
    const { param, follows } = this.header?.rows ?? {};
    if (follows) {
      const now = this.get(follows.param);
      const moved = now !== this.followed;
      this.followed = now;
      if (moved && patch && !(param in patch) && this.get(param) !== null) this.select({ [param]: null });
    }
    this.redraw();
  }

  lacks() {
    if (!this.header) return false;
    const { rows, columns, whole } = this.header;
    const outside = ({ param, from, count, of }) => {
      const at = this.integer(param);
      return (whole || of) && at !== null && (at < from || at >= from + count);
    };
    return this.planeOf(this.key()) === null || (!rows.windows && outside(rows)) || Boolean(outside(columns));
  }

  value(row, column) {
    return this.plane[row * this.header.columns.count + column];
  }

  // ---- geometry

  layout() {
    const { rows, columns } = this.header;
    const width = this.root.clientWidth || 440;
    const narrow = width < 420;
    const longest = Math.max(...(rows.labels ?? []).map((label) => [...clip(label, LETTERS)].length), 1);
    this.letters = rows.room ? Math.min(rows.room, narrow ? 8 : 12) : LETTERS;
    this.gutter = rows.gutter ? 28 : 0; // x of x·E: one 1, else 0
    this.idRoom = rows.ids ? (narrow ? 42 : 46) : 0;
    const labels = 14 + 8.2 * (rows.room ? this.letters : longest);
    this.left = Math.min(narrow ? 84 : 104, labels) + this.gutter + this.idRoom;
    const square = columns.labels !== null && rows.count === columns.count;
    const room = width - this.left;
    let wide =
      (square ? Math.min(room, yielding(this.header.side ?? 350, ROW * rows.count)) : room - 4) / columns.count;
    const names = (columns.labels ?? []).map((label) => clip(label, LETTERS));
    const axes = this.header.words.axes?.length ? 1 : 0;
    const characters = names.slice(1, -1).every((name) => [...name].length === 1);
    this.raised = narrow && axes && characters; // the last name has a line of its own, beside what the columns are
    const upright = (pitch) => {
      const beside = [rows.ids ? 0 : this.left - 8, this.raised ? Infinity : room - pitch * columns.count];
      const most = labelSize(pitch);
      const sizes = narrow ? [most, 13, 12].filter((size) => size <= most) : [most];
      const fit = (size) => ({ size, aside: aside(names, Math.min(64, pitch), beside, size) });
      return sizes.map(fit).find((found) => found.aside) ?? null;
    };
    const narrower = Math.min(wide, (room - SPARE) / columns.count); // the last name may reach beyond its column
    if (!upright(wide) && upright(narrower)) wide = narrower;
    this.upright = upright(wide);
    this.leans = this.upright === null;
    if (this.leans) wide = this.narrowed(wide, room);
    const tallest = Math.max(1, ...names.map((label) => [...label].length));
    const band = this.leans ? Math.min(66, 16 + 5.4 * tallest) : 22;
    const lines = axes * (this.leans ? 2 : 1); // over the names of the columns
    this.top =
      Math.max(this.header.band ?? 0, this.leans ? Math.max(band, 20 * lines) : band + 18 * lines) +
      (this.whole ? this.wholeTall + (this.saidBeside ? 6 : 26) : 0);
    this.high = Math.min(
      64,
      square ? wide : clamp(yielding(this.header.tall ?? 350, LOW * rows.count) / rows.count, 3, 36),
    );
    this.wide = Math.min(square || columns.count > FEW ? 64 : 96, wide);
    const sharp = Math.floor(this.wide * screenRatio()) / screenRatio();
    if (this.wide >= 1 && this.wide < 4 && sharp > LOSS * this.wide) this.wide = sharp;
    this.below = this.header.copied === "down" ? BELOW : 4;
    this.size = [width, this.top + this.high * rows.count + this.below];
  }

  /** Whether what the whole is has room beside it, over the names of the rows. */
  get saidBeside() {
    return Boolean(this.header.rows.ids) && this.root.clientWidth >= ROOMY;
  }

  /** Whether it has the room over the names of the rows, too: where it is narrow, else more of that would be empty. */
  get wholeAcross() {
    return Boolean(this.header.rows.ids) && !this.saidBeside;
  }

  get wholeTall() {
    return yielding(this.header.whole.tall / (this.wholeAcross ? 1.6 : 1));
  }

  // Slanted labels reach beyond their columns, which must leave room for them at the right edge.
  narrowed(wide, room) {
    const pen = this.marks.getContext("2d");
    const size = labelSize(wide);
    pen.font = `600 ${size}px ${themeOf(this.root)("--st-code-font")}`;
    const reach = (label) =>
      pen.measureText(clip(label, LETTERS)).width * Math.cos(SLANT) + (size / 2) * Math.sin(SLANT) + 2;
    const widths = this.header.columns.labels.map((label, j) => (room - reach(label)) / (j + 0.5));
    return Math.max(wide / 2, Math.min(wide, ...widths));
  }

  at(event) {
    if (!this.plane) return null;
    const { rows, columns } = this.header;
    const { x, y } = within(event, this.marks);
    const column = Math.floor((x - this.left) / this.wide);
    const row = Math.floor((y - this.top) / this.high);
    if (row >= 0 && row < rows.count && column >= 0 && column < columns.count) return { row, column };
    return this.whole ? this.atWhole(x, y) : null;
  }

  // A place in the small picture of the whole -> the row and column of the real matrix under it.
  atWhole(x, y) {
    const { whole, rows, columns } = this.header;
    const [left, top, width, height] = this.wholeBox();
    if (x < left || x >= left + width || y < top || y >= top + height) return null;
    const row = Math.floor(((y - top) / height) * whole.of[0]);
    const column = Math.floor(((x - left) / width) * whole.of[1]);
    return { absolute: { [rows.param]: row, [columns.param]: column } };
  }

  wholeBox() {
    const right = this.left + this.wide * this.header.columns.count;
    const left = this.wholeAcross ? TICKS : this.left;
    return [left, this.saidBeside ? 0 : 20, right - left, this.wholeTall];
  }

  // ---- what a hand does

  point(cell) {
    this.cell = cell && !cell.absolute ? cell : null;
    this.drawMarks();
    if (!this.cell) return showTip(this.tip, null);
    const { row, column } = this.cell;
    const x = this.left + (column + 0.5) * this.wide;
    const y = Math.max(0, this.top + row * this.high - 26);
    showTip(this.tip, this.say(row, column), { x, y, gap: this.wide / 2 + 8, width: this.size[0] });
  }

  // A number of another run than the one that is selected in: the trail says which.
  begin({ row, column }) {
    const places = { row: this.header.rows.from + row, column: this.header.columns.from + column };
    const trail = this.header.trail.replace(/\{(\w+)\}/g, (_, name) => places[name] ?? this.get(name));
    this.marks.dataset.trail = trail; // by this the panel knows what was pressed, and takes the focus
    this.marks.focus();
    this.store.select({ trail }, {}, true);
  }

  pick(cell) {
    delete this.marks.dataset.trail;
    if (cell && this.header.trail) return this.begin(cell);
    if (!cell || this.header.still) return;
    const { rows, columns, also } = this.header;
    const { param, follows } = rows;
    const column = placeOf(columns, cell.column);
    const here = { [param]: rows.from + cell.row, [columns.param]: column };
    const patch = cell.absolute ?? here;
    if (follows && patch[param] === entry(follows.rows, this.integer(follows.param))) patch[param] = null;
    this.select(patch, also);
  }

  move(event) {
    const { still, trail } = this.header;
    if (trail && this.cell && event.key === "Enter") return this.begin(this.cell);
    const step = pressed(event, KEYS); // heard while the next window is on its way as well
    if (!step) return;
    const { rows, columns, whole } = this.header;
    const now = this.selectedCell(Boolean(whole || columns.of)) ?? (still ? this.cell : null) ?? { row: 0, column: 0 };
    const [allRows, allColumns] = whole?.of ?? [rows.from + rows.count, columns.of ?? columns.from + columns.count];
    const row = clamp(now.row + step[0], -rows.from, allRows - rows.from - 1);
    const column = clamp(now.column + step[1], -columns.from, allColumns - columns.from - 1);
    const here = row >= 0 && row < rows.count && column >= 0 && column < columns.count;
    this.heard.textContent = here && this.plane ? this.say(row, column, short) : "";
    if (still) return this.point({ row, column });
    this.pick({ row, column });
  }

  // Row, column, value: every digit on hover, four for a screen reader.
  say(row, column, written = exact) {
    const { rows, columns, words } = this.header;
    const numbered = (axis, i) => `${axis.word} ${axis === columns ? placeOf(axis, i) : axis.from + i}`;
    const name = (axis, i) => (axis.labels ? axis.labels[i] : numbered(axis, i));
    const value = this.value(row, column);
    const id = rows.ids ? ` ${rows.ids[row] ?? "?"}` : "";
    return `${name(rows, row)}${id} → ${name(columns, column)}  ${Number.isNaN(value) ? words.veiled : written(value)}`;
  }

  // ---- drawing

  draw() {
    const plane = this.planeOf(this.key());
    this.root.classList.toggle("waiting", this.lacks());
    if (!plane) return;
    this.plane = plane;
    this.layout();
    this.range();
    const { rows, columns, whole } = this.header;
    const pen = fit(this.canvas, this.size);
    this.paint(pen, plane, rows.count, columns.count, [this.left, this.top, this.wide, this.high]);
    this.markNegatives(pen);
    this.markVeiled(pen);
    if (whole) {
      const [left, top, width, height] = this.wholeBox();
      const cells = [left, top, width / whole.columns, height / whole.rows];
      this.paint(pen, this.whole, whole.rows, whole.columns, cells, whole.reach);
    }
    const still = this.cell && this.cell.row < rows.count && this.cell.column < columns.count;
    this.point(still ? this.cell : null); // what is said of a cell is of the plane that is drawn
    this.drawFoot();
    if (this.header.copied === "up") this.slide();
  }

  // What the selection says of the parameter, or the parameters, that reach and caption depend on.
  mode() {
    return [this.header.reachBy ?? []]
      .flat()
      .map((param) => this.get(param))
      .join("/");
  }

  givenReach() {
    const { reach } = this.header;
    return typeof reach === "number" ? reach : entry(reach, this.mode());
  }

  range() {
    let [low, high] = [Infinity, -Infinity];
    for (const value of this.plane)
      if (!Number.isNaN(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (low > high) [low, high] = [0, 0]; // every cell is veiled
    [this.lowest, this.highest] = [low, high];
    this.signed = this.header.signed ?? low < 0;
    this.reach = this.givenReach() ?? Math.max(Math.abs(low), Math.abs(high));
  }

  paint(pen, values, rows, columns, [left, top, wide, high], reach = this.reach) {
    const color = this.colors(reach);
    const veiled = veil(this.root);
    if (wide >= GAP_FROM && high >= GAP_FROM) {
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < columns; j++) {
          const value = values[i * columns + j];
          pen.fillStyle = `rgb(${Number.isNaN(value) ? veiled : color(value)})`;
          pen.fillRect(left + j * wide, top + i * high, wide - 0.75, high - 1.5);
        }
      return;
    }
    pen.imageSmoothingEnabled = high < 1;
    const small = averaged(pixels(values, rows, columns, color, veiled), wide);
    pen.drawImage(small, left, top, columns * wide, rows * high);
    if (high >= 8) for (let i = 1; i <= rows; i++) pen.clearRect(left, top + i * high - 1, columns * wide, 1);
  }

  colors(reach) {
    const color = scale(this.root, this.signed, reach);
    if (!this.header.root || !reach) return color;
    return (value) => color(Math.sign(value) * reach * (Math.abs(value) / reach) ** ROOT);
  }

  // Teal and orange are equally dark: on a washed-out projector only a mark tells the sign. A dash where a cell has
  // room for it, a dark foot where it is high and thin; cells smaller than that cannot carry a mark.
  markable() {
    return this.signed && this.high >= 6 && this.wide >= 1;
  }

  markNegatives(pen) {
    if (!this.markable() || this.get("marks") !== "1") return;
    pen.fillStyle = themeOf(this.root)("--st-text-color");
    const { rows, columns } = this.header;
    const { wide, high } = this;
    const dash = Math.min(8, (2 * wide) / 3);
    for (let i = 0; i < rows.count; i++)
      for (let j = 0; j < columns.count; j++) {
        if (!(this.value(i, j) < 0)) continue;
        const [x, y] = [this.left + j * wide, this.top + i * high];
        if (wide < 6) pen.fillRect(x, y + high - 4, wide, 2.5);
        else pen.fillRect(x + (wide - dash) / 2, y + high / 2 - 0.5, dash, 1);
      }
  }

  // Rows that must not be seen yet: for those that stand together one mark, and a frame, for a small number is as dark.
  markVeiled(pen) {
    const { rows, columns } = this.header;
    if (this.high < ROW) return;
    pen.fillStyle = themeOf(this.root)("--st-text-color");
    pen.font = `600 14px ${themeOf(this.root)("--st-font")}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.strokeStyle = themeOf(this.root)("--st-gray-text-color");
    pen.lineWidth = 1;
    pen.setLineDash([4, 3]);
    const wide = columns.count * this.wide;
    const veiled = (i) => this.plane.subarray(i * columns.count, (i + 1) * columns.count).every(Number.isNaN);
    for (let first = 0, i = 0; i < rows.count; first = ++i) {
      if (!veiled(first)) continue;
      while (i + 1 < rows.count && veiled(i + 1)) i++;
      const [top, high] = [this.top + first * this.high, (i + 1 - first) * this.high];
      pen.fillText("?", this.left + wide / 2, top + high / 2);
      pen.strokeRect(this.left + 1.5, top + 1, wide - 3.5, high - 3);
    }
    pen.setLineDash([]);
  }

  // Labels, crosshair and frame lie on a canvas of their own: a moving pointer does not redraw the cells.
  drawMarks() {
    if (!this.plane) return;
    const pen = fit(this.marks, this.size);
    const css = themeOf(this.root);
    const chosen = this.selectedCell();
    this.drawRowLabels(pen, css, chosen);
    this.drawColumnLabels(pen, css, chosen);
    pen.strokeStyle = css("--st-text-color");
    if (this.cell) this.drawCross(pen, this.cell);
    if (chosen) this.drawFrame(pen, chosen);
    if (chosen && this.header.copied) this.drawCopied(pen, css, chosen);
    if (this.whole) this.drawWindow(pen, css);
  }

  drawCross(pen, { row, column }) {
    const { rows, columns } = this.header;
    pen.globalAlpha = 0.5;
    pen.lineWidth = 1;
    frame(pen, this.left, this.top + row * this.high, columns.count * this.wide, this.high);
    frame(pen, this.left + column * this.wide, this.top, this.wide, rows.count * this.high);
    pen.globalAlpha = 1;
  }

  drawFrame(pen, { row, column }) {
    const x = this.left + column * this.wide;
    const y = this.top + row * this.high;
    const thin = this.wide < 4;
    const box = thin // around the cell, which is to be seen
      ? [x - 3, y - 1, this.wide + 6, this.high + 1]
      : [x, y, this.wide - 0.75, this.high - 1.5];
    const css = themeOf(this.root);
    pen.strokeStyle = css("--st-background-color"); // beside paper the frame stands out, however dark the cell
    pen.lineWidth = thin ? 4 : Math.min(6, 2.5 + this.wide / 5);
    frame(pen, ...box);
    pen.strokeStyle = css("--st-text-color");
    pen.lineWidth = thin ? 1.5 : 2.5;
    frame(pen, ...box);
    pen.lineWidth = 1;
    if (thin) frame(pen, this.left, y - 0.5, this.header.columns.count * this.wide, this.high);
  }

  // The row on its way from one matrix into the next: nothing is computed.
  drawCopied(pen, css, { row }) {
    const { rows, columns, copied, also, words } = this.header;
    const [top, bottom] = [this.top + row * this.high, this.top + (row + 1) * this.high];
    const wide = columns.count * this.wide;
    const down = copied === "down";
    const own = !rows.follows || this.selectedRow() === entry(rows.follows.rows, this.integer(rows.follows.param));
    const alone = Object.entries(also ?? {}).every(([name, value]) => this.get(name) === value);
    if (!own || !alone || rows.ids?.[row] === null) return;
    pen.fillStyle = css("--st-text-color");
    for (const x of [this.left - 2, this.left + wide + 2]) {
      pen.fillRect(x - 0.75, down ? bottom : 0, 1.5, down ? this.size[1] - bottom : top);
      if (!down) arrowhead(pen, x, top);
    }
    if (!down) return;
    pen.font = `13px ${css("--st-font")}`;
    pen.textAlign = "center";
    pen.textBaseline = "alphabetic";
    pen.fillText(words.caption ?? "", this.left + wide / 2, this.size[1] - 9);
  }

  // Another row was fetched: a copy of it slides down from the table, unless less motion was asked for.
  slide() {
    const [before, row] = [this.slid, this.selectedRow()];
    this.slid = row;
    const [chosen, table] = [
      this.selectedCell(),
      [...this.store.drawn].find(({ header }) => header?.copied === "down"),
    ];
    if (before === undefined || before === row || !chosen || !table || calm()) return;
    const [y, wide] = [this.top + chosen.row * this.high, this.header.columns.count * this.wide];
    const strip = this.picture.appendChild(make("canvas", "slid"));
    const part = [this.left, y, wide, this.high].map((length) => (length * this.canvas.width) / this.size[0]);
    fit(strip, [wide, this.high]).drawImage(this.canvas, ...part, 0, 0, wide, this.high);
    Object.assign(strip.style, { left: `${this.left}px`, top: `${y}px` });
    const there = boxOf(table.marks).top + table.top + (table.selectedCell()?.row ?? 0) * table.high;
    const away = there - boxOf(this.marks).top - y;
    const moved = strip.animate([{ transform: `translateY(${away}px)` }, { transform: "none" }], SLIDE);
    moved.onfinish = moved.oncancel = () => strip.remove();
  }

  drawRowLabels(pen, css, chosen) {
    const { rows } = this.header;
    const named = entry(rows.follows?.rows, this.integer(rows.follows?.param));
    const strong = apart(this.cell?.row, chosen?.row, this.high, ROW);
    const right = this.left - 8;
    const room = right - this.gutter - this.idRoom - 2;
    const edge = Boolean(rows.ids);
    pen.textBaseline = "middle";
    const need = rows.labels || rows.count <= MANY ? ROW : Math.max(ROW, (rows.count * this.high) / STOPS);
    labelled(rows.count, this.high, need, strong, rows.labels ? null : rows.from).forEach((drawn, i) => {
      if (!drawn) return;
      const y = this.top + (i + 0.5) * this.high;
      if (rows.asked?.includes(rows.from + i)) this.markAsked(pen, css, i);
      pen.font = `${strong.includes(i) ? 600 : 400} ${labelSize(this.high)}px ${css("--st-code-font")}`;
      pen.fillStyle = css("--st-text-color");
      const label = rows.labels ? clip(rows.labels[i], this.letters) : String(rows.from + i);
      pen.textAlign = edge ? "left" : "right";
      pen.fillText(fitting(pen, label, room), edge ? 4 : right - this.gutter - this.idRoom, y);
      pen.textAlign = "right";
      if (rows.gutter) pen.fillText(rows.gutter === "one" ? Number(rows.from + i === named) : "", this.left - 14, y);
      if (!strong.includes(i)) pen.fillStyle = css("--st-gray-text-color");
      if (rows.ids) pen.fillText(rows.ids[i] ?? "?", right - this.gutter, y);
    });
  }

  // In the colour of the question that names it.
  markAsked(pen, css, i) {
    pen.fillStyle = css("--st-green-background-color");
    pen.fillRect(0, this.top + i * this.high, this.left - this.gutter - 2, this.high - 1);
  }

  drawColumnLabels(pen, css, chosen) {
    const { columns } = this.header;
    const named = columns.labels !== null;
    const need = named ? COLUMN : NUMBER;
    const strong = apart(this.cell?.column, chosen?.column, this.wide, need);
    this.drawHeads(pen, css);
    pen.textBaseline = this.leans ? "middle" : "alphabetic";
    pen.fillStyle = css("--st-text-color");
    const pairs = named ? null : columns.ids?.map((id) => Math.floor(id / 2)); // dimensions, sines before cosines
    labelled(columns.count, this.wide, need, strong, named ? null : columns.from, pairs).forEach((drawn, j) => {
      if (!drawn) return;
      const size = named ? (this.upright?.size ?? labelSize(this.wide)) : 12;
      pen.font = `${strong.includes(j) ? 600 : 400} ${size}px ${css("--st-code-font")}`;
      const [left, right] = this.upright?.aside ?? [0, 0];
      const last = j === columns.count - 1;
      const x = this.left + (j + 0.5) * this.wide + (j ? (last ? right : 0) : -left);
      const label = named ? clip(columns.labels[j], LETTERS) : String(placeOf(columns, j));
      if (this.leans && [...label].length > 1) return drawSlanted(pen, label, x + 1, this.top - 8);
      if (named && last && right && this.raised) {
        pen.textAlign = "right";
        pen.fillText(label, this.left + columns.count * this.wide, this.top - 24);
        return;
      }
      pen.textAlign = "center";
      const half = this.header.copied ? pen.measureText(label).width / 2 : -FAR; // no number in a line's way
      const inside = clamp(x, this.left + half, this.left + columns.count * this.wide - half);
      pen.fillText(label, inside, this.top - (this.leans ? 12 : 6));
    });
  }

  // Over the row labels, what the columns are; beside them, ids, and x.
  drawHeads(pen, css) {
    const { rows, words } = this.header;
    pen.fillStyle = css("--st-gray-text-color");
    pen.textAlign = "right";
    pen.textBaseline = "alphabetic";
    pen.font = `13px ${css("--st-font")}`;
    if (words.axes?.length) this.drawAxes(pen, words.axes);
    if (words.corner) pen.fillText(words.corner, this.left - 8, this.top - 6);
    if (!rows.ids) return;
    pen.font = `12px ${css("--st-code-font")}`;
    pen.fillText("id", this.left - 8 - this.gutter, this.top - 6);
    if (words.gutter) pen.fillText(words.gutter, this.left - 14, this.top - 6);
    if (!words.one) return;
    pen.font = `13px ${css("--st-font")}`;
    pen.textAlign = "left";
    pen.fillText(words.one, 4, this.size[1] - 9);
  }

  // What rows and columns are: in the corner, or, where the names of columns stand upright, in a line over them.
  drawAxes(pen, [row, column]) {
    const [right, over] = [this.left - 8, this.top - 24];
    pen.fillText(row, right, this.leans ? this.top - 6 : over);
    if (!this.leans) pen.textAlign = "left";
    pen.fillText(column, this.leans ? right : this.left, over);
    pen.textAlign = "right";
  }

  // Where the window lies in the whole, and, for a table, the rows that are fetched: a tick each.
  drawWindow(pen, css) {
    const { rows, columns, whole, words } = this.header;
    const [left, top, width, height] = this.wholeBox();
    const [x, w] = [columns.from, columns.count].map((n) => (n / whole.of[1]) * width);
    const at = (row) => top + (row / whole.of[0]) * height;
    const y = at(rows.from);
    const h = Math.max(3, at(rows.from + rows.count) - y);
    pen.lineWidth = 1;
    pen.strokeStyle = css("--st-border-color");
    pen.strokeRect(left, top, width, height);
    pen.fillStyle = css("--st-primary-color");
    const fetched = rows.ticks === false ? [] : (rows.follows?.rows ?? []).filter((row) => row !== null);
    for (const row of new Set(fetched)) pen.fillRect(left - 9, at(row) - 0.5, 7, 1.5);
    pen.strokeStyle = css("--st-text-color");
    pen.lineWidth = 2;
    pen.strokeRect(left + x, y, w, h);
    if (this.saidBeside) this.sayBeside(pen, css, words.whole ?? "");
    else this.sayWhole(pen, css, words.whole ?? "", left, top - 7, width);
  }

  // A part of what the whole is on each line.
  sayBeside(pen, css, words) {
    pen.font = `13px ${css("--st-font")}`;
    pen.fillStyle = css("--st-gray-text-color");
    pen.textAlign = "left";
    pen.textBaseline = "top";
    words.split(/(?<=[；，]|[;,] )/).forEach((part, i) => pen.fillText(part, 0, 2 + 19 * i));
  }

  // What the whole is, less its last half-sentences where there is no room for them.
  sayWhole(pen, css, words, left, y, most) {
    pen.font = `13px ${css("--st-font")}`;
    pen.fillStyle = css("--st-gray-text-color");
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    const room = this.size[0] - 2;
    const wide = (text) => pen.measureText(text).width;
    let said = words;
    const fits = room < ROOMY ? room : most; // where it is narrow, over what stands beside it, too
    while (wide(said) > fits && /[;；]/.test(said)) said = said.replace(/[;；][^;；]*$/, "");
    pen.fillText(said, Math.max(0, Math.min(left, room - wide(said))), y);
  }

  // The legend, and pointed at the true range; the switch for the sign stands in it where there is a sign.
  drawFoot() {
    const { words, legend: shown, copied } = this.header;
    this.foot.hidden = copied === "down"; // the caption stands between the lines
    this.foot.style.paddingLeft = `${this.size[0] < ROOMY ? 0 : this.left}px`; // under the cells, not their names
    const caption = make("div", "caption");
    caption.append(...typeset(told(entry(words.captions, this.mode()) ?? words.caption ?? "")));
    if (shown === false) return this.write([words.title], [caption]);
    const line = make("div", "line");
    const legend = titled(this.legend(), `${words.range} ${exact(this.lowest)} … ${exact(this.highest)}`);
    legend.dataset.at = "range";
    line.append(legend);
    if (this.markable()) line.append(this.signSwitch());
    if (shown === "above") this.write([words.title, line], [caption]);
    else this.write([words.title], [line, caption]);
  }

  write(above, below) {
    this.keepingFocus(() => {
      this.title.replaceChildren(...above);
      this.foot.replaceChildren(...below);
    });
  }

  legend() {
    const bar = make("canvas", "legend");
    const pen = fit(bar, [120, 10]);
    const color = this.colors(this.reach);
    const from = this.signed ? -this.reach : 0;
    for (let x = 0; x < 120; x++) {
      pen.fillStyle = `rgb(${color(from + ((this.reach - from) * (x + 0.5)) / 120)})`;
      pen.fillRect(x, 0, 1, 10);
    }
    const legend = make("span", "range");
    const cut = [this.lowest < 1.001 * from, this.highest > 1.001 * this.reach];
    const ends = this.signed ? cut.map(() => cut.includes(true)) : cut; // both alike, as the colours are
    const [under, over] = ["≤ ", "≥ "].map((sign, i) => (ends[i] ? sign : ""));
    legend.append(make("span", "", under + short(from)), bar, make("span", "", over + short(this.reach)));
    return legend;
  }

  signSwitch() {
    const on = this.get("marks") === "1";
    const button = make("button", "sign", this.header.words.marks);
    button.dataset.at = "sign";
    button.title = this.header.words.help;
    button.setAttribute("aria-pressed", String(on));
    button.onclick = () => this.select({ marks: on ? null : "1" });
    return button;
  }
}

const ROOMY = 480; // pixels: there a caption has room beside the names of the rows
const TICKS = 12; // pixels before the whole, for its ticks
const labelSize = (wide) => clamp(wide * 0.8, 12, 14);

// The places whose labels are always drawn: the one pointed at, and the selected one unless it is too near to that.
function apart(pointed, chosen, pitch, need) {
  if (pointed === undefined) return chosen === undefined ? [] : [chosen];
  const near = chosen === undefined || (chosen !== pointed && Math.abs(chosen - pointed) * pitch < need);
  return near || chosen === pointed ? [pointed] : [pointed, chosen];
}

// A label cut to so many pixels: what goes beyond the edge of a canvas is gone without a sign.
function fitting(pen, text, room) {
  let shown = text;
  for (let most = [...text].length - 1; most > 1 && pen.measureText(shown).width > room; most--)
    shown = clip(text, most);
  return shown;
}

function arrowhead(pen, x, y) {
  pen.beginPath();
  pen.moveTo(x, y + 1);
  pen.lineTo(x - 4, y - 6);
  pen.lineTo(x + 4, y - 6);
  pen.fill();
}

const frame = (pen, x, y, w, h) => pen.strokeRect(x, y, Math.max(w, 3), Math.max(h, 3));

function drawSlanted(pen, text, x, y) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(-SLANT);
  pen.textAlign = "left";
  pen.fillText(text, 0, 0);
  pen.restore();
}

export default component(Matrix);
