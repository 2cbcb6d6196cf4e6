// Any real matrix as a heat map. It holds a stack of planes (a layer's heads, say), shows the one the selection names,
// and switches between those it has without the server; for one it lacks, it asks.
//
// The numbers come as bytes and never carry the selection: one changed byte would send them all again.
// A cell that must not be seen yet arrives as NaN, so nothing in the browser can give it away.

import { make, onSelection, pixels, scale, select, shared, short, unpack, veil } from "../shared/shared.js";

const GAP_FROM = 14; // cells at least this many pixels wide stand apart by a line
const SLANT = 0.66; // of the columns' labels, in radians

export default function ({ data, parentElement, setStateValue }) {
  const matrix = (parentElement.matrix ??= new Matrix(parentElement));
  matrix.ask = (selection) => setStateValue("selection", selection);
  matrix.take(data);
  return () => {
    matrix.end();
    delete parentElement.matrix;
  };
}

class Matrix {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "matrix"));
    this.picture = this.root.appendChild(make("div", "picture"));
    this.canvas = this.picture.appendChild(make("canvas"));
    this.marks = this.picture.appendChild(make("canvas", "marks"));
    this.tip = this.picture.appendChild(make("div", "tip"));
    this.heard = this.root.appendChild(make("div", "heard"));
    this.foot = this.root.appendChild(make("div", "foot"));
    this.tip.hidden = true;
    this.heard.setAttribute("aria-live", "polite");
    this.marks.tabIndex = 0;
    this.marks.setAttribute("role", "application");
    this.cell = null; // under the pointer
    this.marks.onpointermove = (event) => this.point(this.at(event));
    this.marks.onpointerleave = () => this.point(null);
    this.marks.onclick = (event) => this.pick(this.at(event));
    this.marks.onkeydown = (event) => this.move(event);
    const redraw = () => this.draw();
    this.observer = new ResizeObserver(redraw);
    this.observer.observe(this.root);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.later = () => setTimeout(redraw, 80); // the theme's variables follow a moment after
    this.dark.addEventListener("change", this.later);
    this.stop = onSelection(redraw);
    shared.pictures.add(this);
    const font = getComputedStyle(this.root).getPropertyValue("--st-code-font").split(",")[0];
    document.fonts.load(`14px ${font}`).then(redraw); // a canvas does not wait for fonts
  }

  end() {
    this.stop();
    this.observer.disconnect();
    this.dark.removeEventListener("change", this.later);
    shared.pictures.delete(this);
    if (shared.stack?.owner === this) shared.stack = null;
    this.root.remove();
  }

  // Header: name (which parameters name a plane), planes (their keys, in order), rows and columns ({param, labels, count,
  // from}), signed (whether the colours have two ends; else where a cell is negative), reach (a number, or one for each value of reachBy, which may be several parameters), tall (the height of all rows together), words.
  //
  // Of a matrix too large to send, the planes are windows: whole = {rows, columns, of, reach} is all of it averaged in
  // blocks, rows.windows = [{from, labels, ids}] says where each plane lies. Rows may follow another parameter until one
  // is chosen (a table's row follows the token): rows.follows = {param, rows}, each marked beside the whole unless rows.ticks
  // is false. `also` is set with every cell. Of a `still`
  // matrix no cell is selected.
  take(bytes) {
    const [header, body] = unpack(bytes);
    this.header = header;
    this.shown = -1; // which window
    this.values = new Float32Array(body.buffer, 0, header.planes.length * header.rows.count * header.columns.count);
    this.whole = header.whole ? new Float32Array(body.buffer, this.values.byteLength, header.whole.rows * header.whole.columns) : null;
    shared.stack = { owner: this, header, plane: (key) => this.planeOf(key) };
    this.marks.setAttribute("aria-label", header.words.label);
    this.draw();
    window.dispatchEvent(new CustomEvent("see:stack"));
  }

  key() {
    const { name, rows } = this.header;
    return [...name.map((param) => shared.selection[param]), ...(rows.windows ? [this.openWindow()] : [])].join("/");
  }

  // The window that holds the selected row: the one shown as long as it does, else the one it is most in the middle of.
  openWindow() {
    const { rows } = this.header, row = this.selectedRow() ?? rows.from;
    const off = ({ from }) => (row >= from && row < from + rows.count ? Math.abs(row - from - (rows.count - 1) / 2) : Infinity);
    if (this.shown < 0 || off(rows.windows[this.shown]) === Infinity) {
      const nearest = rows.windows.reduce((best, window, i) => (off(window) < off(rows.windows[best]) ? i : best), 0);
      if (off(rows.windows[nearest]) === Infinity) return -1;
      this.shown = nearest;
    }
    Object.assign(rows, rows.windows[this.shown]);
    return this.shown;
  }

  // The selected row of the whole matrix; null where none is, or it must not be seen yet.
  selectedRow() {
    const { param, follows } = this.header.rows, chosen = shared.selection[param] ?? follows?.rows[shared.selection[follows.param]];
    return chosen === undefined || chosen === null ? null : Number(chosen);
  }

  // Another token: its row again, not the one that was looked up by hand.
  letGo() {
    const { param, follows } = this.header?.rows ?? {};
    if (!follows) return;
    const now = shared.selection[follows.param];
    if (this.followed !== undefined && this.followed !== now && shared.selection[param] === this.held && (this.held ?? null) !== null)
      shared.selection[param] = shared.chosen[param] = null;
    [this.followed, this.held] = [now, shared.selection[param]];
  }

  planeOf(key) {
    const { planes, rows, columns } = this.header, size = rows.count * columns.count, i = planes.indexOf(key);
    return i < 0 ? null : this.values.subarray(i * size, (i + 1) * size);
  }

  // Is this the moment to ask the server? True where the selection names a plane, or a cell, that is not here.
  lacks() {
    if (!this.header) return false;
    const { rows, columns, whole } = this.header;
    const outside = ({ param, from, count }) => whole && (shared.selection[param] < from || shared.selection[param] >= from + count);
    return this.planeOf(this.key()) === null || (!rows.windows && outside(rows)) || outside(columns);
  }

  report(selection) {
    this.root.classList.add("waiting");
    this.ask(selection);
  }

  value(row, column) {
    return this.plane[row * this.header.columns.count + column];
  }

  // ---- geometry

  layout() {
    const { rows, columns } = this.header, width = this.root.clientWidth || 440, narrow = width < 420;
    const longest = rows.room ? Math.min(rows.room, narrow ? 8 : 12) : Math.max(...rows.labels.map((label) => [...clip(label)].length));
    this.letters = rows.room ? longest : 12;
    this.gutter = rows.gutter ? 24 : 0; // x of x·E: one 1, else 0
    this.idRoom = rows.ids ? 46 : 0;
    this.left = Math.min(narrow ? 84 : 104, 14 + 8.2 * longest) + this.gutter + this.idRoom;
    const square = columns.labels !== null && rows.count === columns.count;
    const tallest = Math.max(1, ...(columns.labels ?? [""]).map((label) => [...clip(label)].length));
    this.top = (columns.labels ? Math.min(66, 16 + 5.4 * tallest) : 22) + (this.whole ? 82 : 0);
    const room = width - this.left;
    this.wide = (square ? Math.min(room, 350) : room - 4) / columns.count;
    if (columns.labels) this.wide = this.narrowed(this.wide, room);
    this.high = square ? this.wide : Math.max(3, Math.min(36, (this.header.tall ?? 350) / rows.count));
    this.wide = Math.min(this.wide, 64);
    if (this.wide >= 1 && this.wide < 4) this.wide = Math.floor(this.wide * devicePixelRatio) / devicePixelRatio; // sharp
    this.high = Math.min(this.high, 64);
    this.size = [width, this.top + this.high * rows.count + 4];
  }

  // Slanted labels reach beyond their columns, which must leave room for them at the right edge.
  narrowed(wide, room) {
    const pen = this.marks.getContext("2d"), size = labelSize(wide);
    pen.font = `700 ${size}px ${getComputedStyle(this.root).getPropertyValue("--st-code-font")}`;
    const reach = (label) => pen.measureText(clip(label)).width * Math.cos(SLANT) + (size / 2) * Math.sin(SLANT) + 2;
    const widths = this.header.columns.labels.map((label, j) => (room - reach(label)) / (j + 0.5));
    return Math.max(wide / 2, Math.min(wide, ...widths));
  }

  at({ clientX, clientY }) {
    if (!this.plane) return null;
    const box = this.marks.getBoundingClientRect(), { rows, columns } = this.header;
    const x = clientX - box.left, y = clientY - box.top;
    const column = Math.floor((x - this.left) / this.wide), row = Math.floor((y - this.top) / this.high);
    if (row >= 0 && row < rows.count && column >= 0 && column < columns.count) return { row, column };
    return this.whole ? this.atWhole(x, y) : null;
  }

  // A place in the small picture of the whole -> the row and column of the real matrix under it.
  atWhole(x, y) {
    const { whole, rows, columns } = this.header, [left, top, width, height] = this.wholeBox();
    if (x < left || x >= left + width || y < top || y >= top + height) return null;
    return { absolute: { [rows.param]: Math.floor(((y - top) / height) * whole.of[0]), [columns.param]: Math.floor(((x - left) / width) * whole.of[1]) } };
  }

  wholeBox() {
    return [this.left, 20, this.wide * this.header.columns.count, 56];
  }

  // ---- what a hand does

  point(cell) {
    this.cell = cell && !cell.absolute ? cell : null;
    this.drawMarks();
    this.tip.hidden = !this.cell;
    if (!this.cell) return;
    this.tip.textContent = this.say(cell.row, cell.column);
    const x = this.left + (cell.column + 1) * this.wide + 8, beyond = x + this.tip.offsetWidth > this.size[0];
    this.tip.style.left = `${beyond ? Math.max(0, x - this.tip.offsetWidth - this.wide - 16) : x}px`;
    this.tip.style.top = `${Math.max(0, this.top + cell.row * this.high - 26)}px`;
  }

  pick(cell, pause = 0) {
    if (!cell || this.header.still) return;
    const { rows, columns, also } = this.header, { param, follows } = rows;
    const patch = { ...also, ...(cell.absolute ?? { [param]: rows.from + cell.row, [columns.param]: columns.from + cell.column }) };
    if (follows && patch[param] === follows.rows[shared.selection[follows.param]]) patch[param] = null;
    select(patch, pause);
  }

  move(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -1e6], End: [0, 1e6], PageUp: [-1e6, 0], PageDown: [1e6, 0] }[event.key];
    if (!step || !this.plane) return;
    event.preventDefault();
    const { rows, columns } = this.header, now = this.selected() ?? { row: 0, column: 0 };
    const within = (i, axis, whole = axis.count) => Math.max(-axis.from, Math.min(whole - axis.from - 1, i));
    const [allRows, allColumns] = this.header.whole?.of ?? [rows.from + rows.count, columns.from + columns.count];
    const cell = { row: within(now.row + step[0], rows, allRows), column: within(now.column + step[1], columns, allColumns) };
    const here = cell.row >= 0 && cell.row < rows.count && cell.column >= 0 && cell.column < columns.count;
    this.heard.textContent = here ? this.say(cell.row, cell.column) : "";
    this.pick(cell, 120);
  }

  selected() {
    const { rows, columns, still } = this.header;
    if (still) return null;
    const row = (this.selectedRow() ?? NaN) - rows.from, column = Number(shared.selection[columns.param] ?? NaN) - columns.from;
    return row >= 0 && row < rows.count && column >= 0 && column < columns.count ? { row, column } : null;
  }

  // Row, column, exact value: on hover, and for a screen reader.
  say(row, column) {
    const { rows, columns, words } = this.header;
    const name = (axis, i) => (axis.labels ? axis.labels[i] : `${axis.word} ${axis.from + i}`);
    const value = this.value(row, column);
    const id = rows.ids ? ` ${rows.ids[row] ?? "?"}` : "";
    return `${name(rows, row)}${id} → ${name(columns, column)}  ${Number.isNaN(value) ? words.veiled : exact(value)}`;
  }

  // ---- drawing

  draw() {
    if (!this.header) return;
    this.letGo();
    const plane = this.planeOf(this.key());
    if (!plane) return this.root.classList.add("waiting");
    this.plane = plane;
    this.root.classList.remove("waiting");
    this.layout();
    this.range();
    const pen = fit(this.canvas, this.size);
    this.paint(pen, plane, this.header.rows.count, this.header.columns.count, this.left, this.top, this.wide, this.high);
    this.markNegatives(pen);
    if (this.whole) {
      const [left, top, width, height] = this.wholeBox(), { rows, columns } = this.header.whole;
      this.paint(pen, this.whole, rows, columns, left, top, width / columns, height / rows, this.header.whole.reach);
    }
    this.drawMarks();
    this.drawFoot();
  }

  // What the selection says of the parameter, or the parameters, that reach and caption depend on.
  mode() {
    return [this.header.reachBy].flat().map((param) => shared.selection[param]).join("/");
  }

  range() {
    let low = Infinity, high = -Infinity;
    for (const value of this.plane) if (!Number.isNaN(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (low > high) [low, high] = [0, 0]; // every cell is veiled
    this.lowest = low;
    this.highest = high;
    this.signed = this.header.signed ?? low < 0;
    const { reach } = this.header;
    this.reach = (typeof reach === "number" ? reach : reach?.[this.mode()]) ?? Math.max(Math.abs(low), Math.abs(high));
  }

  paint(pen, values, rows, columns, left, top, wide, high, reach = this.reach) {
    const color = scale(this.root, this.signed, reach);
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
    const small = pixels(values, rows, columns, color, veiled);
    // Cells narrower than a pixel are averaged along the row alone: rows must not run into each other.
    const flat = Object.assign(document.createElement("canvas"), { width: Math.ceil(columns * Math.min(1, wide * devicePixelRatio)), height: rows });
    flat.getContext("2d").drawImage(small, 0, 0, flat.width, rows);
    pen.imageSmoothingEnabled = high < 1;
    pen.drawImage(flat, left, top, columns * wide, rows * high);
    if (high >= 8) for (let i = 1; i <= rows; i++) pen.clearRect(left, top + i * high - 1, columns * wide, 1);
  }

  // Teal and orange are equally dark: on a washed-out projector only a mark tells the sign. A dash where a cell has room
  // for it, a dark foot where it is high and thin; cells smaller than that cannot carry a mark.
  markable() {
    return this.signed && this.high >= 6 && this.wide >= 1;
  }

  markNegatives(pen) {
    if (!this.markable() || shared.selection.marks !== "1") return;
    pen.fillStyle = getComputedStyle(this.root).getPropertyValue("--st-text-color");
    const { rows, columns } = this.header, { wide, high } = this, thin = wide < 6;
    const dash = Math.min(8, (2 * wide) / 3);
    for (let i = 0; i < rows.count; i++)
      for (let j = 0; j < columns.count; j++) {
        if (!(this.value(i, j) < 0)) continue;
        const x = this.left + j * wide, y = this.top + i * high;
        if (thin) pen.fillRect(x, y + high - 4, wide, 2.5);
        else pen.fillRect(x + (wide - dash) / 2, y + high / 2 - 0.5, dash, 1);
      }
  }

  // Labels, crosshair and frame lie on a canvas of their own: a moving pointer does not redraw the cells.
  drawMarks() {
    if (!this.plane) return;
    const pen = fit(this.marks, this.size), style = getComputedStyle(this.root), css = (name) => style.getPropertyValue(name).trim();
    const { rows, columns } = this.header, chosen = this.selected();
    this.drawRowLabels(pen, css, chosen);
    this.drawColumnLabels(pen, css, chosen);
    pen.strokeStyle = css("--st-orange-color");
    const frame = (x, y, w, h) => pen.strokeRect(x, y, Math.max(w, 3), Math.max(h, 3));
    if (this.cell) {
      pen.globalAlpha = 0.5;
      pen.lineWidth = 1;
      frame(this.left, this.top + this.cell.row * this.high, columns.count * this.wide, this.high);
      frame(this.left + this.cell.column * this.wide, this.top, this.wide, rows.count * this.high);
      pen.globalAlpha = 1;
    }
    if (chosen) {
      const y = this.top + chosen.row * this.high;
      const x = this.left + chosen.column * this.wide, thin = this.wide < 4;
      pen.lineWidth = thin ? 1.5 : 2.5;
      if (thin) frame(x - 3, y - 1, this.wide + 6, this.high + 1); // around the cell, which is to be seen
      else frame(x, y, this.wide - 0.75, this.high - 1.5);
      pen.lineWidth = 1;
      if (thin) frame(this.left, y - 0.5, columns.count * this.wide, this.high);
    }
    if (this.whole) this.drawWindow(pen, css);
  }

  drawRowLabels(pen, css, chosen) {
    const { rows } = this.header, every = Math.ceil(11 / this.high), named = rows.follows?.rows[shared.selection[rows.follows.param]];
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    rows.labels.forEach((label, i) => {
      const strong = i === chosen?.row || i === this.cell?.row;
      if (i % every && !strong) return;
      if (!strong && [chosen?.row, this.cell?.row].some((other) => other !== undefined && other !== i && Math.abs(other - i) < every)) return;
      pen.font = `${strong ? 700 : 400} ${Math.max(10, Math.min(14, this.high * 0.8))}px ${css("--st-code-font")}`;
      pen.fillStyle = css("--st-text-color");
      const y = this.top + (i + 0.5) * this.high;
      pen.fillText(clip(label, this.letters), this.left - 8 - this.gutter - this.idRoom, y);
      if (rows.gutter) pen.fillText(rows.gutter === "one" ? Number(rows.from + i === named) : "", this.left - 14, y);
      if (!strong) pen.fillStyle = css("--st-gray-text-color");
      if (rows.ids) pen.fillText(rows.ids[i] ?? "?", this.left - 8 - this.gutter, y);
    });
  }

  drawColumnLabels(pen, css, chosen) {
    const { columns } = this.header, slanted = columns.labels !== null, need = slanted ? 13 : 34;
    const every = Math.ceil(need / this.wide);
    this.drawHeads(pen, css);
    pen.textBaseline = slanted ? "middle" : "alphabetic";
    pen.fillStyle = css("--st-text-color");
    for (let j = 0; j < columns.count; j++) {
      const strong = j === chosen?.column || j === this.cell?.column;
      if (j % every && !strong) continue;
      if (!strong && [chosen?.column, this.cell?.column].some((other) => other !== undefined && other !== j && Math.abs(other - j) < every)) continue;
      pen.font = `${strong ? 700 : 400} ${slanted ? labelSize(this.wide) : 11.5}px ${css("--st-code-font")}`;
      const x = this.left + (j + 0.5) * this.wide;
      if (!slanted) {
        pen.textAlign = "center";
        pen.fillText(String(columns.from + j), x, this.top - 6);
        continue;
      }
      pen.save();
      pen.translate(x + 1, this.top - 8);
      pen.rotate(-SLANT);
      pen.textAlign = "left";
      pen.fillText(clip(columns.labels[j]), 0, 0);
      pen.restore();
    }
  }

  // What stands beside the row labels: ids, and x.
  drawHeads(pen, css) {
    const { rows, words } = this.header;
    if (!rows.ids) return;
    pen.font = `11.5px ${css("--st-code-font")}`;
    pen.fillStyle = css("--st-gray-text-color");
    pen.textAlign = "right";
    pen.textBaseline = "alphabetic";
    pen.fillText("id", this.left - 8 - this.gutter, this.top - 6);
    if (words.gutter) pen.fillText(words.gutter, this.left - 14, this.top - 6);
  }

  // Where the window lies in the whole, and, for a table, the rows that are fetched: a tick each.
  drawWindow(pen, css) {
    const [left, top, width, height] = this.wholeBox(), { rows, columns, whole, words } = this.header;
    const [x, w] = [columns.from, columns.count].map((n) => (n / whole.of[1]) * width), at = (row) => top + (row / whole.of[0]) * height;
    const y = at(rows.from), h = Math.max(3, at(rows.from + rows.count) - y);
    pen.lineWidth = 1;
    pen.strokeStyle = css("--st-border-color");
    pen.strokeRect(left, top, width, height);
    pen.fillStyle = css("--st-primary-color");
    for (const row of new Set((rows.ticks !== false && rows.follows?.rows) || [])) if (row !== null) pen.fillRect(left - 9, at(row) - 0.5, 7, 1.5);
    pen.strokeStyle = css("--st-orange-color");
    pen.beginPath(); // the window, magnified: from its frame down to the rows
    for (const [from, to] of [[left + x, left], [left + x + w, left + columns.count * this.wide]]) {
      pen.moveTo(from, y + h);
      pen.lineTo(to, this.top);
    }
    pen.globalAlpha = 0.45;
    pen.stroke();
    pen.globalAlpha = 1;
    pen.lineWidth = 2;
    pen.strokeRect(left + x, y, w, h);
    pen.font = `13px ${css("--st-font")}`;
    pen.fillStyle = css("--st-gray-text-color");
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    const room = this.size[0] - 2, wide = (text) => pen.measureText(text).width;
    let said = words.whole;
    while (wide(said) > room && /[;；]/.test(said)) said = said.replace(/[;；][^;；]*$/, "");
    pen.fillText(said, Math.max(0, Math.min(left, room - wide(said))), top - 7);
  }

  // The legend tells the true range; the switch for the sign stands in it where there is a sign.
  drawFoot() {
    const captioned = this.header.words.captions?.[this.mode()] ?? this.header.words.caption;
    if (this.header.legend === false) return this.foot.replaceChildren(make("div", "caption", captioned));
    const { words } = this.header, bar = make("canvas", "legend");
    const pen = fit(bar, [120, 10]), color = scale(this.root, this.signed, this.reach);
    const from = this.signed ? -this.reach : 0;
    for (let x = 0; x < 120; x++) {
      pen.fillStyle = `rgb(${color(from + ((this.reach - from) * (x + 0.5)) / 120)})`;
      pen.fillRect(x, 0, 1, 10);
    }
    const legend = make("span", "range");
    legend.append(make("span", "", short(from)), bar, make("span", "", short(this.reach)));
    const found = make("span", "", `${words.range} ${short(this.lowest)} … ${short(this.highest)}`);
    found.title = `${exact(this.lowest)} … ${exact(this.highest)}`;
    const line = make("div", "line");
    line.append(legend, found);
    if (this.markable()) line.append(this.signSwitch());
    const had = this.root.getRootNode().activeElement?.className === "sign";
    this.foot.replaceChildren(line, make("div", "caption", captioned));
    if (had) this.foot.querySelector(".sign")?.focus();
  }

  signSwitch() {
    const on = shared.selection.marks === "1", button = make("button", "sign", this.header.words.marks);
    button.setAttribute("aria-pressed", String(on));
    button.onclick = () => select({ marks: on ? null : "1" }, 0);
    return button;
  }
}

// A canvas of a size in CSS pixels, sharp on any screen; returns its cleared pen.
function fit(canvas, [width, height]) {
  const ratio = window.devicePixelRatio || 1, [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    [canvas.width, canvas.height] = [w, h];
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

const labelSize = (wide) => Math.max(10, Math.min(14, wide * 0.8));

const clip = (label, most = 12) => ([...label].length > most ? [...label].slice(0, most - 1).join("") + "…" : label);

// As many digits as a float32 has.
const exact = (x) => String(Number(x.toPrecision(9))).replaceAll("-", "−");
