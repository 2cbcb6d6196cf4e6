// Any real matrix as a heat map. It holds a stack of planes (a layer's heads, say), shows the one the selection names,
// and switches between those it has without the server; for one it lacks, it asks.
//
// The numbers come as bytes and never carry the selection: one changed byte would send them all again.
// A cell that must not be seen yet arrives as NaN, so nothing in the browser can give it away.

import { make, onSelection, scale, select, shared, short, unpack } from "../shared/shared.js";

const GAP_FROM = 14; // cells at least this many pixels wide stand apart by a line

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

  // Header: name (which parameters name a plane), planes (their keys, in order), rows, columns ({param, labels, count, from}),
  // signed, low, high (fixed range or null), veil (rows), words.
  take(bytes) {
    const [header, body] = unpack(bytes);
    this.header = header;
    this.values = new Float32Array(body.buffer, 0, header.planes.length * header.rows.count * header.columns.count);
    this.whole = header.whole ? new Float32Array(body.buffer, this.values.byteLength, header.whole.rows * header.whole.columns) : null;
    shared.stack = { owner: this, header, plane: (key) => this.planeOf(key) };
    this.marks.setAttribute("aria-label", header.words.label);
    this.draw();
    window.dispatchEvent(new CustomEvent("see:stack"));
  }

  key() {
    return this.header.name.map((param) => shared.selection[param]).join("/");
  }

  planeOf(key) {
    const { planes, rows, columns } = this.header, size = rows.count * columns.count, i = planes.indexOf(key);
    return i < 0 ? null : this.values.subarray(i * size, (i + 1) * size);
  }

  // Is this the moment to ask the server? True where the selection names a plane, or a cell, that is not here.
  lacks() {
    if (!this.header) return false;
    const outside = ({ param, from, count }) => this.header.whole && (shared.selection[param] < from || shared.selection[param] >= from + count);
    return this.planeOf(this.key()) === null || outside(this.header.rows) || outside(this.header.columns);
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
    const longest = Math.max(...rows.labels.map((label) => [...clip(label)].length));
    this.left = Math.min(narrow ? 84 : 104, 14 + 8.2 * longest);
    const square = columns.labels !== null && rows.count === columns.count;
    const tallest = Math.max(1, ...(columns.labels ?? [""]).map((label) => [...clip(label)].length));
    this.top = columns.labels ? Math.min(66, 16 + 5.4 * tallest) : 22;
    const lean = columns.labels ? Math.min(30, 4 * tallest) : 4; // the last slanted label reaches beyond its column
    const room = width - this.left - lean;
    if (square) {
      const side = Math.min(room, Math.max(330, Math.min(this.header.tall ?? 350, 350)));
      this.wide = this.high = side / rows.count;
    } else {
      this.wide = room / columns.count;
      this.high = Math.max(3, Math.min(36, 350 / rows.count));
    }
    this.wide = Math.min(this.wide, 64);
    this.high = Math.min(this.high, 64);
    this.size = [width, this.top + this.high * rows.count + 4];
    if (this.whole) this.size[1] += 84;
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
    return [this.left, this.top + this.high * this.header.rows.count + 22, Math.min(384, this.size[0] - this.left - 8), 56];
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
    if (!cell) return;
    const { rows, columns } = this.header;
    select(cell.absolute ?? { [rows.param]: rows.from + cell.row, [columns.param]: columns.from + cell.column }, pause);
  }

  move(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -1e6], End: [0, 1e6], PageUp: [-1e6, 0], PageDown: [1e6, 0] }[event.key];
    if (!step || !this.plane) return;
    event.preventDefault();
    const { rows, columns } = this.header, now = this.selected() ?? { row: 0, column: 0 };
    const within = (i, count) => Math.max(0, Math.min(count - 1, i));
    const cell = { row: within(now.row + step[0], rows.count), column: within(now.column + step[1], columns.count) };
    this.heard.textContent = this.say(cell.row, cell.column);
    this.pick(cell, 120);
  }

  selected() {
    const { rows, columns } = this.header;
    const row = Number(shared.selection[rows.param]) - rows.from, column = Number(shared.selection[columns.param]) - columns.from;
    return row >= 0 && row < rows.count && column >= 0 && column < columns.count ? { row, column } : null;
  }

  // Row, column, exact value: on hover, and for a screen reader.
  say(row, column) {
    const { rows, columns, words } = this.header;
    const name = (axis, i) => (axis.labels ? axis.labels[i] : `${axis.word} ${axis.from + i}`);
    const value = this.value(row, column);
    return `${name(rows, row)} → ${name(columns, column)}  ${Number.isNaN(value) ? words.veiled : exact(value)}`;
  }

  // ---- drawing

  draw() {
    if (!this.header) return;
    const plane = this.planeOf(this.key());
    if (!plane) return this.root.classList.add("waiting");
    this.plane = plane;
    this.root.classList.remove("waiting");
    this.layout();
    this.range();
    const pen = fit(this.canvas, this.size);
    this.paint(pen, plane, this.header.rows.count, this.header.columns.count, this.left, this.top, this.wide, this.high);
    if (this.header.rows.count * this.header.columns.count <= 40000) this.markNegatives(pen);
    if (this.whole) {
      const [left, top, width, height] = this.wholeBox(), { rows, columns } = this.header.whole;
      this.paint(pen, this.whole, rows, columns, left, top, width / columns, height / rows, this.header.whole.reach);
    }
    this.drawMarks();
    this.drawFoot();
  }

  range() {
    let low = Infinity, high = -Infinity;
    for (const value of this.plane) if (!Number.isNaN(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (low > high) [low, high] = [0, 0]; // every cell is veiled
    this.low = low;
    this.top_ = high;
    this.signed = low < 0;
    this.reach = this.header.reach?.[shared.selection[this.header.reachBy]] ?? Math.max(Math.abs(low), Math.abs(high));
  }

  paint(pen, values, rows, columns, left, top, wide, high, reach = this.reach) {
    const color = scale(this.root, this.signed, reach);
    const veil = getComputedStyle(this.root).getPropertyValue("--st-border-color");
    if (wide >= GAP_FROM && high >= GAP_FROM) {
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < columns; j++) {
          const value = values[i * columns + j];
          pen.fillStyle = Number.isNaN(value) ? veil : `rgb(${color(value)})`;
          pen.fillRect(left + j * wide, top + i * high, wide - 0.75, high - 1.5);
        }
      return;
    }
    const image = new ImageData(columns, rows), gray = [190, 186, 178];
    for (let i = 0; i < values.length; i++) image.data.set([...(Number.isNaN(values[i]) ? gray : color(values[i])), 255], 4 * i);
    const small = Object.assign(document.createElement("canvas"), { width: columns, height: rows });
    small.getContext("2d").putImageData(image, 0, 0);
    pen.imageSmoothingEnabled = wide < 1 || high < 1;
    pen.drawImage(small, left, top, columns * wide, rows * high);
  }

  // Teal and orange are equally dark: on a washed-out projector only a mark tells the sign.
  markNegatives(pen) {
    if (!this.signed || shared.selection.marks !== "1") return;
    pen.strokeStyle = getComputedStyle(this.root).getPropertyValue("--st-text-color");
    pen.lineWidth = 1;
    const { rows, columns } = this.header, half = Math.min(4, this.wide / 3, this.high / 3);
    pen.beginPath();
    for (let i = 0; i < rows.count; i++)
      for (let j = 0; j < columns.count; j++)
        if (this.value(i, j) < 0) {
          const x = this.left + (j + 0.5) * this.wide, y = this.top + (i + 0.5) * this.high;
          pen.moveTo(x - half, y);
          pen.lineTo(x + half, y);
        }
    pen.stroke();
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
    pen.lineWidth = 2.5;
    if (chosen) frame(this.left + chosen.column * this.wide, this.top + chosen.row * this.high, this.wide - 0.75, this.high - 1.5);
    if (this.whole) this.drawWindow(pen, css);
  }

  drawRowLabels(pen, css, chosen) {
    const { rows } = this.header, every = Math.ceil(11 / this.high);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    rows.labels.forEach((label, i) => {
      const strong = i === chosen?.row || i === this.cell?.row;
      if (i % every && !strong) return;
      if (!strong && [chosen?.row, this.cell?.row].some((other) => other !== undefined && other !== i && Math.abs(other - i) < every)) return;
      pen.font = `${strong ? 700 : 400} ${Math.max(10, Math.min(14, this.high * 0.8))}px ${css("--st-code-font")}`;
      pen.fillStyle = css("--st-text-color");
      pen.fillText(clip(label), this.left - 8, this.top + (i + 0.5) * this.high);
    });
  }

  drawColumnLabels(pen, css, chosen) {
    const { columns } = this.header, slanted = columns.labels !== null, need = slanted ? 13 : 34;
    const every = Math.ceil(need / this.wide);
    pen.textBaseline = slanted ? "middle" : "alphabetic";
    pen.fillStyle = css("--st-text-color");
    for (let j = 0; j < columns.count; j++) {
      const strong = j === chosen?.column || j === this.cell?.column;
      if (j % every && !strong) continue;
      if (!strong && [chosen?.column, this.cell?.column].some((other) => other !== undefined && other !== j && Math.abs(other - j) < every)) continue;
      pen.font = `${strong ? 700 : 400} ${slanted ? Math.max(10, Math.min(14, this.wide * 0.8)) : 11.5}px ${css("--st-code-font")}`;
      const x = this.left + (j + 0.5) * this.wide;
      if (!slanted) {
        pen.textAlign = "center";
        pen.fillText(String(columns.from + j), x, this.top - 6);
        continue;
      }
      pen.save();
      pen.translate(x + 1, this.top - 8);
      pen.rotate(-0.66);
      pen.textAlign = "left";
      pen.fillText(clip(columns.labels[j]), 0, 0);
      pen.restore();
    }
  }

  drawWindow(pen, css) {
    const [left, top, width, height] = this.wholeBox(), { rows, columns, whole, words } = this.header;
    pen.strokeStyle = css("--st-border-color");
    pen.lineWidth = 1;
    pen.strokeRect(left, top, width, height);
    pen.strokeStyle = css("--st-orange-color");
    pen.lineWidth = 2;
    pen.strokeRect(left + (columns.from / whole.of[1]) * width, top + (rows.from / whole.of[0]) * height, (columns.count / whole.of[1]) * width, Math.max(3, (rows.count / whole.of[0]) * height));
    pen.font = `13px ${css("--st-font")}`;
    pen.fillStyle = css("--st-gray-text-color");
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillText(words.whole, left, top - 7);
  }

  // The legend tells the true range; the switch for the sign stands in it where there is a sign.
  drawFoot() {
    const { words } = this.header, bar = make("canvas", "legend");
    const pen = fit(bar, [120, 10]), color = scale(this.root, this.signed, this.reach);
    const from = this.signed ? -this.reach : 0;
    for (let x = 0; x < 120; x++) {
      pen.fillStyle = `rgb(${color(from + ((this.reach - from) * (x + 0.5)) / 120)})`;
      pen.fillRect(x, 0, 1, 10);
    }
    const legend = make("span", "range");
    legend.append(make("span", "", short(from)), bar, make("span", "", short(this.reach)));
    const found = make("span", "", `${words.range} ${short(this.low)} … ${short(this.top_)}`);
    found.title = `${exact(this.low)} … ${exact(this.top_)}`;
    const line = make("div", "line");
    line.append(legend, found);
    if (this.signed) line.append(this.signSwitch());
    const had = this.root.getRootNode().activeElement?.className === "sign";
    this.foot.replaceChildren(line, make("div", "caption", words.captions?.[shared.selection[this.header.reachBy]] ?? words.caption));
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

const clip = (label) => ([...label].length > 12 ? [...label].slice(0, 11).join("") + "…" : label);

// As many digits as a float32 has.
const exact = (x) => String(Number(x.toPrecision(9))).replaceAll("-", "−");
