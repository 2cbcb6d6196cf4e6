// A sentence on its way through the model: one column a depth, one row a token, from the ids to the last layer.
// Above each layer its mean attention; beneath, how alike two chosen tokens are. A frame is dragged through the depth.
// Of an encoder-decoder the rows that are written stand under those that are read, each with the word it gives.
// What must not be seen yet arrives as NaN (cells) or null (the curve).

import { make, onSelection, pixels, scale, select, shared, short, unpack, veil } from "../shared/shared.js";

const SVG = "http://www.w3.org/2000/svg";
const NARROWEST = 700; // below this the picture scrolls sideways inside its own box

export default function ({ data, parentElement, setStateValue }) {
  const depth = (parentElement.depth ??= new Depth(parentElement));
  depth.ask = (selection) => setStateValue("selection", selection);
  depth.take(data);
  return () => {
    depth.end();
    delete parentElement.depth;
  };
}

class Depth {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "depth"));
    this.stage = this.root.appendChild(make("div", "stage"));
    this.canvas = this.stage.appendChild(make("canvas"));
    this.svg = this.stage.appendChild(document.createElementNS(SVG, "svg"));
    this.doors = this.stage.appendChild(make("div", "doors"));
    this.tip = this.stage.appendChild(make("div", "tip"));
    this.caption = parent.appendChild(make("p", "caption"));
    this.tip.hidden = true;
    this.svg.setAttribute("tabindex", "0");
    this.svg.setAttribute("role", "slider");
    this.svg.onkeydown = (event) => this.key(event);
    this.svg.onpointerdown = (event) => this.press(event);
    this.svg.onpointermove = (event) => this.hover(event);
    this.svg.onpointerup = () => (this.dragging = false);
    this.svg.onpointerleave = () => (this.tip.hidden = true);
    const redraw = () => this.draw();
    this.observer = new ResizeObserver(redraw);
    this.observer.observe(this.root);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.later = () => setTimeout(redraw, 80);
    this.dark.addEventListener("change", this.later);
    this.stop = onSelection(redraw);
    shared.pictures.add(this);
  }

  end() {
    this.stop();
    this.observer.disconnect();
    this.dark.removeEventListener("change", this.later);
    shared.pictures.delete(this);
    this.root.remove();
    this.caption.remove();
  }

  // Header: tokens, special, ids, read (how many of them), written [word, probability], first {title, shape, door},
  // columns [{title, shape, door, reach}], dims, attention [{column, rows, columns, kind, name, door}], pair,
  // curve (one number or null a column), words. Behind it: the states as float32, the attentions as bytes.
  take(bytes) {
    const [header, body] = unpack(bytes);
    this.header = header;
    const { tokens, columns, dims, attention } = header, cells = tokens.length * dims.length;
    this.states = columns.map((_, i) => new Float32Array(body.buffer, 4 * i * cells, cells));
    let at = 4 * columns.length * cells;
    this.attention = attention.map((one) => ({ ...one, bytes: body.subarray(at, (at += one.rows * one.columns)) }));
    this.draw();
  }

  // Another pair needs the whole vectors, which only the server has.
  lacks() {
    const { pair } = this.header, { q, k } = shared.selection;
    return Number(q) !== pair[0] || Number(k) !== pair[1];
  }

  report(selection) {
    this.ask(selection);
  }

  layout() {
    const { tokens, columns } = this.header, width = Math.max(NARROWEST, this.root.clientWidth || NARROWEST);
    const narrow = this.root.clientWidth < NARROWEST;
    const two = this.header.read < tokens.length; // two stacks, one above the other
    const left = narrow ? 92 : 136, right = two ? 132 : 4, step = (width - left - right) / columns.length;
    const high = Math.min(two ? 17 : 19, (two ? 290 : 200) / tokens.length), square = Math.min(two ? 52 : 82, step - 12);
    this.gap = two ? square + 22 : 0;
    const rows = { top: square + 48, bottom: square + 48 + high * tokens.length + this.gap };
    const curve = { top: rows.bottom + 28, bottom: rows.bottom + 120 };
    Object.assign(this, { width, left, step, wide: step - 12, high, square, rows, curve, height: curve.bottom + 8 });
  }

  x(i) {
    return this.left + i * this.step + 6;
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
    const middle = this.x(column) + this.wide / 2;
    if (kind === "encoder") return [middle - this.square / 2, 0];
    return [kind === "self" ? middle - this.square - 6 : middle + 6, this.y(this.header.read) - this.square - 4];
  }

  draw() {
    if (!this.header || shared.selection.depth === undefined) return;
    this.layout();
    this.stage.style.width = `${this.width}px`;
    this.stage.style.height = `${this.height}px`;
    this.paint();
    this.svg.replaceChildren(...this.labels(), ...this.writtenWords(), ...this.curveLines(), this.frame());
    const { columns, first } = this.header, pictures = this.attention.map((one) => this.picture(one)).filter(Boolean);
    const before = this.left > 120 ? [this.firstTitle(first)] : []; // on a phone the ids do not stand there
    this.doors.replaceChildren(this.legend(), ...before, ...columns.map((column, i) => this.title(column, i)), ...pictures);
    this.caption.textContent = this.header.words.curve;
    this.describe();
  }

  paint() {
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: this.width * ratio, height: this.height * ratio });
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.imageSmoothingEnabled = this.high < 1;
    const { tokens, dims, columns, read } = this.header, veiled = veil(this.root);
    const put = (values, rows, count, color, x, y, w, h) => pen.drawImage(pixels(values, rows, count, color, veiled), x, y, w, h);
    columns.forEach((column, i) => {
      const signed = scale(this.root, true, column.reach);
      // Rows far apart are drawn one by one, with a line between; crowded ones as one picture.
      const rows = (from, to) => this.states[i].subarray(from * dims.length, to * dims.length);
      const part = (from, to, tall) => put(rows(from, to), to - from, dims.length, signed, this.x(i), this.y(from), this.wide, tall);
      if (this.high >= 10) tokens.forEach((_, row) => part(row, row + 1, this.high - 1.5));
      else [[0, read], [read, tokens.length]].forEach(([from, to]) => to > from && part(from, to, (to - from) * this.high));
    });
    const weights = scale(this.root, false, 254);
    for (const one of this.attention) put(one.bytes, one.rows, one.columns, weights, ...this.corner(one), this.square, this.square);
  }

  text(x, y, words, className, anchor = "middle") {
    const node = document.createElementNS(SVG, "text");
    for (const [name, value] of Object.entries({ x, y, class: className, "text-anchor": anchor })) node.setAttribute(name, value);
    node.textContent = words;
    return node;
  }

  labels() {
    const { tokens, ids, special } = this.header, every = Math.ceil(14 / this.high), { q, k } = shared.selection;
    const shown = [];
    tokens.forEach((token, i) => {
      const picked = i === Number(q) || i === Number(k);
      const crowded = [q, k].some((other) => Number(other) !== i && Math.abs(Number(other) - i) < every);
      if (!picked && (i % every || crowded)) return;
      const y = this.y(i) + this.high / 2 + 4.5, kind = picked ? "picked" : special[i] ? "special" : "token";
      shown.push(this.text(82, y, [...token].length > 9 ? [...token].slice(0, 8).join("") + "…" : token, kind, "end"));
      if (this.left > 120) shown.push(this.text(110, y, ids[i], "id"));
    });
    return shown;
  }

  // At the end of every row that is written: the word it gives, and how sure it is.
  writtenWords() {
    const { written, read, words } = this.header, every = Math.ceil(14 / this.high), x = this.width - 126;
    if (!written.length) return [];
    const stack = (y, text) => this.text(4, y, text, "id", "start"), top = this.y(read);
    const shown = [stack(top - this.gap + 15, words.encoder), stack(top - 8, words.decoder)];
    written.forEach(([word, probability], i) => {
      if (i % every) return;
      const y = this.y(read + i) + this.high / 2 + 4.5, clipped = [...word].length > 9 ? [...word].slice(0, 8).join("") + "…" : word;
      shown.push(this.text(x, y, `→ ${clipped}`, "token", "start"), this.text(this.width - 2, y, probability.toFixed(2), "id", "end"));
    });
    return shown;
  }

  curveLines() {
    const { curve } = this.header, known = curve.filter((v) => v !== null);
    const low = Math.min(0.9, Math.floor(Math.min(...known) * 10) / 10), high = 1;
    const y = (v) => this.curve.bottom - ((v - low) / (high - low)) * (this.curve.bottom - this.curve.top);
    const parts = [], line = (x1, y1, x2, y2, kind) => {
      const node = document.createElementNS(SVG, "line");
      for (const [name, value] of Object.entries({ x1, y1, x2, y2, class: kind })) node.setAttribute(name, value);
      return node;
    };
    const step = high - low > 0.6 ? 0.5 : high - low > 0.25 ? 0.2 : 0.1;
    for (let v = high; v > low - 0.001; v -= step) parts.push(line(this.left, y(v), this.x(curve.length) - 12, y(v), "grid"), this.text(this.left - 10, y(v) + 4, v.toFixed(1), "id", "end"));
    const points = curve.map((v, i) => (v === null ? null : [this.x(i) + this.wide / 2, y(v)]));
    points.forEach((point, i) => {
      if (!point) return parts.push(this.text(this.x(i) + this.wide / 2, this.curve.bottom - 30, "?", "hidden"));
      if (points[i - 1]) parts.push(line(...points[i - 1], ...point, "curve"));
    });
    points.forEach((point, i) => {
      if (!point) return;
      const dot = document.createElementNS(SVG, "circle");
      for (const [name, value] of Object.entries({ cx: point[0], cy: point[1], r: 4, class: "dot" })) dot.setAttribute(name, value);
      parts.push(dot, this.text(point[0], point[1] - 9, short(curve[i]), "value"));
    });
    return parts;
  }

  frame() {
    const frame = document.createElementNS(SVG, "rect"), i = Number(shared.selection.depth);
    const at = { x: this.x(i) - 5, y: this.square + 4, width: this.wide + 10, height: this.curve.bottom - this.square, rx: 6, class: "frame" };
    for (const [name, value] of Object.entries(at)) frame.setAttribute(name, value);
    return frame;
  }

  // A column's title with its shape; where the stage exists, a door to it.
  title(column, i) {
    return this.titled(column, this.x(i) - 6, this.wide + 12);
  }

  // The ids come before the first vector.
  firstTitle(column) {
    return this.titled(column, this.left - 54, 56);
  }

  titled({ title, shape, door }, left, width) {
    const box = make("div", "title");
    Object.assign(box.style, { left: `${left}px`, top: `${this.square + 6}px`, width: `${width}px` });
    box.append(door ? this.door(door, title) : make("span", "", title), make("small", "", shape));
    return box;
  }

  // The attention above a layer is a door too.
  picture(one) {
    if (!one.door) return null;
    const link = this.door(one.door, ""), [left, top] = this.corner(one), side = `${this.square}px`;
    link.className = "picture";
    link.title = one.name;
    link.setAttribute("aria-label", `${one.name}, ${this.header.columns[one.column].title}`);
    Object.assign(link.style, { left: `${left}px`, top: `${top}px`, width: side, height: side });
    return link;
  }

  door({ id, href }, text) {
    const link = make("a", "", text);
    link.href = href;
    link.onclick = (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return; // a new tab is the visitor's affair
      event.preventDefault();
      document.querySelector(`.st-key-door-${id} a`)?.click(); // Streamlit's own link: only it turns the page in place
    };
    return link;
  }

  legend() {
    const box = make("p", "legend");
    box.style.width = `${this.left + 3 * this.step - 24}px`;
    for (const { text, kind } of this.header.words.legend) box.append(make("span", kind, text));
    return box;
  }

  describe() {
    const { columns, curve, words } = this.header, i = Number(shared.selection.depth);
    const value = curve[i] === null ? words.veiled : short(curve[i]);
    for (const [name, text] of Object.entries({ "aria-label": words.label, "aria-valuemin": 0, "aria-valuemax": columns.length - 1, "aria-valuenow": i, "aria-valuetext": `${columns[i].title}: ${value}` })) this.svg.setAttribute(name, text);
  }

  // ---- what a hand does

  place(event) {
    const box = this.svg.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const column = Math.floor((x - this.left) / this.step), row = this.rowAt(y);
    const { columns, tokens } = this.header;
    return { x, y, column: column >= 0 && column < columns.length ? column : null, row: row >= 0 && row < tokens.length ? row : null };
  }

  press(event) {
    const { column, row } = this.place(event);
    if (column === null && row !== null) return select({ q: Number(shared.selection.k), k: row }, 0);
    if (column === null) return;
    this.dragging = true;
    this.svg.setPointerCapture(event.pointerId);
    this.to(column);
  }

  to(column) {
    if (column !== Number(shared.selection.depth)) select({ depth: column }, 120);
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -99, End: 99 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.to(Math.max(0, Math.min(this.header.columns.length - 1, Number(shared.selection.depth) + step)));
  }

  hover(event) {
    const { x, y, column, row } = this.place(event), { tokens, dims, columns, words } = this.header;
    if (this.dragging && column !== null) this.to(column);
    this.tip.hidden = column === null || row === null;
    if (this.tip.hidden) return;
    const i = Math.max(0, Math.min(dims.length - 1, Math.floor(((x - this.x(column)) / this.wide) * dims.length)));
    const value = this.states[column][row * dims.length + i];
    this.tip.textContent = `${tokens[row]} · ${columns[column].title} · ${words.dim} ${dims[i]}  ${Number.isNaN(value) ? words.veiled : short(value)}`;
    this.tip.style.left = `${Math.min(x + 12, this.width - this.tip.offsetWidth - 4)}px`;
    this.tip.style.top = `${y - 30}px`;
  }
}
