// Vectors that add up: one panel a part, rows of tokens under rows of tokens, dimension under dimension, and the sum.
// Beside each row its length; below, a few numbers of the selected token, large enough to be added in the head.

import { averaged, clip, fit, make, pixels, scale } from "../kit/draw.js";
import { showTip, themeOf, tipIn, veil } from "../kit/draw.js";
import { exact, short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `sign` stands before the name; a `joined` panel has all parts side by side; `norms` are the rows' lengths, null where
 * veiled.
 * @typedef {{id: string, name: string, short: string, sign: string, joined: boolean, width: number,
 *   norms: (number | null)[]}} Panel
 *
 * `made` is the setting of the switches this was made for; the tokens are a window beginning at `from`, out of `of`.
 * `reach` is where the colours end, `longest` the length that fills a bar. Behind the header: the panels as float32.
 * @typedef {{fragment?: string, made: Record<string, string>, from: number, of: number, labels: string[],
 *   parts: string[], panels: Panel[], dModel: number, reach: number, longest: number,
 *   words: {label: string, dim: string, veiled: string, caption: string}}} Header
 */

const TITLE = 18;
const BETWEEN = 5;
const BAR = 62;
const CELL = 52;
const LOW = 5.5; // rows are at least so high
const PITCH = 11; // so high, they make room for a line of labels; two of lower ones do
const ROOM = 230; // for all rows
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
    this.picture = this.root.appendChild(make("div", "picture"));
    this.canvas = this.picture.appendChild(make("canvas"));
    this.tip = tipIn(this.picture);
    this.large = this.root.appendChild(make("div", "large"));
    this.caption = this.root.appendChild(make("div", "caption"));
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
    this.caption.textContent = header.words.caption;
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

  pick(where) {
    if (where) this.select({ part: where.part, pos: this.header.from + where.row, dim: where.dim }, { k: null });
  }

  // ---- geometry

  layout() {
    const { labels } = this.header;
    const { panels } = this;
    const width = this.root.clientWidth || 480;
    const count = labels.length;
    const narrow = width < 420;
    const high = clamp(Math.floor(ROOM / (panels.length * count)), LOW, PITCH);
    const lanes = high < PITCH ? 2 : 1;
    const letters = lanes > 1 ? (narrow ? 5 : 8) : 10;
    const longest = (texts) => Math.max(...texts.map((text) => [...wider(text)].length));
    const lane = 6 + 7 * longest(labels.map((label) => clip(label, letters)));
    const heads = 10 + 7.4 * longest(panels.map((panel) => `${panel.sign} ${panel.short}`));
    const left = Math.max(lanes * lane + 4, Math.min(narrow ? 84 : 100, heads));
    const room = width - left - BAR;
    const tops = panels.map((_, i) => TITLE + i * (TITLE + BETWEEN + high * count));
    const height = tops.at(-1) + high * count + 3;
    this.place = { width, left, lanes, lane, letters, high, room, tops, count, height };
  }

  cellOf(panel) {
    return this.place.room / panel.width;
  }

  at({ clientX, clientY }) {
    if (!this.place) return null;
    const { left, tops, high, count, room } = this.place;
    const box = this.canvas.getBoundingClientRect();
    const x = clientX - box.left - left;
    const y = clientY - box.top;
    const panel = tops.findIndex((top) => y >= top && y < top + high * count);
    if (panel < 0 || x < 0 || x >= room) return null;
    const column = Math.floor(x / this.cellOf(this.panels[panel]));
    const found = { panel, row: Math.floor((y - tops[panel]) / high), column };
    const { joined, id } = this.panels[panel];
    const { parts, dModel } = this.header;
    if (!joined) return { ...found, part: id, dim: column };
    return { ...found, part: parts[Math.floor(column / dModel)], dim: column % dModel };
  }

  say({ panel, row, column }) {
    const { labels, words } = this.header;
    const { name, values, width } = this.panels[panel];
    const value = values[row * width + column];
    const said = Number.isNaN(value) ? words.veiled : exact(value);
    return `${name} · ${labels[row]} · ${words.dim} ${column}  ${said}`;
  }

  // ---- drawing

  draw() {
    this.root.classList.toggle("waiting", this.lacks());
    this.layout();
    const { left, room, high, count, width, height, tops } = this.place;
    const pen = fit(this.canvas, [width, height]);
    const css = themeOf(this.root);
    const color = scale(this.root, true, this.header.reach);
    const veiled = veil(this.root);
    pen.textBaseline = "middle";
    pen.imageSmoothingEnabled = false;
    this.panels.forEach((panel, i) => {
      const small = pixels(panel.values, count, panel.width, color, veiled);
      this.drawTitle(pen, css, panel, tops[i]);
      pen.drawImage(averaged(small, this.cellOf(panel)), left, tops[i], room, high * count);
      if (high >= 6) for (let r = 1; r <= count; r++) pen.clearRect(left, tops[i] + r * high - 1, room, 1);
      this.drawRows(pen, css, panel, tops[i]);
    });
    if (this.inside) this.drawSelected(pen, css);
    this.drawLarge(color);
  }

  drawTitle(pen, css, panel, top) {
    const { left, width } = this.place;
    const norm = this.inside ? panel.norms[this.row] : null;
    pen.font = `600 13px ${css("--st-font")}`;
    pen.fillStyle = css("--st-text-color");
    pen.textAlign = "left";
    pen.fillText(`${panel.sign} ${panel.name}`.trim(), left, top - 9);
    pen.font = `12px ${css("--st-code-font")}`;
    pen.fillStyle = css("--st-gray-text-color");
    pen.textAlign = "right";
    pen.fillText(norm === null ? "‖·‖" : `‖·‖ ${short(norm)}`, width, top - 9);
  }

  // Rows too low for a label each have them in two lanes, every second one further out, with a line to its row.
  drawRows(pen, css, { norms }, top) {
    const { left, lanes, lane, letters, high, width } = this.place;
    const { labels, longest } = this.header;
    pen.textAlign = "right";
    labels.forEach((label, r) => {
      const strong = r === this.row;
      const y = top + (r + 0.5) * high;
      const right = left - 6 - (r % lanes) * lane;
      if (norms[r] !== null) {
        const long = Math.max(0.5, ((BAR - 8) * norms[r]) / longest);
        pen.fillStyle = css(strong ? "--st-orange-color" : "--st-gray-color");
        pen.fillRect(width - BAR + 8, y - Math.max(1, high / 2 - 1), long, Math.max(1.5, high - 2));
      }
      pen.fillStyle = css("--st-border-color");
      if (r % lanes) pen.fillRect(right + 3, y - 0.5, left - right - 5, 1);
      pen.font = `${strong ? 700 : 400} 11px ${css("--st-code-font")}`;
      pen.fillStyle = css(strong ? "--st-orange-color" : "--st-text-color");
      pen.fillText(clip(label, letters), right, y);
    });
  }

  drawSelected(pen, css) {
    const { left, room, high, count, tops } = this.place;
    const { parts, dModel } = this.header;
    pen.strokeStyle = css("--st-orange-color");
    this.panels.forEach((panel, i) => {
      const [top, cell] = [tops[i], this.cellOf(panel)];
      const joinedAt = Math.max(0, parts.indexOf(this.panels[this.part].id)) * dModel;
      const x = left + ((panel.joined ? joinedAt : 0) + this.dim) * cell;
      const y = top + this.row * high;
      pen.lineWidth = 1;
      pen.strokeRect(left, y - 0.5, room, high);
      pen.globalAlpha = 0.5;
      pen.strokeRect(x, top, Math.max(1, cell), high * count);
      pen.globalAlpha = 1;
      pen.lineWidth = panel.id === this.get("part") ? 2.5 : 1.5;
      pen.strokeRect(x - 3, y - 1, cell + 6, high + 1);
      if (!panel.joined) return;
      pen.lineWidth = 1;
      const border = (n) => pen.strokeRect(left + n * dModel * cell, top - 2, 0.5, high * count + 4);
      parts.slice(1).forEach((_, n) => border(n + 1));
    });
  }

  // The selected token's numbers around the selected dimension, one line a part: what is added, cell by cell.
  drawLarge(color) {
    const { width, left } = this.place;
    const { dModel, labels } = this.header;
    const count = clamp(Math.floor((width - left) / CELL), 3, dModel);
    const first = clamp(this.dim - (count >> 1), 0, dModel - count);
    const dims = Array.from({ length: count }, (_, i) => first + i);
    const numbers = this.addends.flatMap((panel) => [
      make("span", "head", `${panel.sign} ${panel.short}`.trim()),
      ...dims.map((dim) => this.number(panel, dim, color)),
    ]);
    const indices = dims.map((dim) => make("span", dim === this.dim ? "index on" : "index", String(dim)));
    const token = make("span", "head", this.inside ? labels[this.row] : "");
    this.large.style.gridTemplateColumns = `${left}px repeat(${count}, 1fr)`;
    this.keepingFocus(() => this.large.replaceChildren(token, ...indices, ...numbers));
  }

  number(panel, dim, color) {
    const value = this.inside ? panel.values[this.row * panel.width + dim] : NaN;
    const hidden = Number.isNaN(value);
    const button = make("button", panel.id === "sum" ? "total" : "", hidden ? "–" : value.toFixed(3).replace("-", "−"));
    const [r, g, b] = hidden ? veil(this.root) : color(value);
    button.style.background = `rgb(${r},${g},${b})`;
    button.style.color = 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#1c2126" : "#ffffff";
    button.title = hidden ? this.header.words.veiled : exact(value);
    button.dataset.at = `${panel.id}-${dim}`;
    button.tabIndex = -1;
    if (dim === this.dim) button.classList.add(panel.id === this.get("part") ? "on" : "column");
    button.onclick = () => this.pick({ part: panel.id, row: this.row, dim });
    return button;
  }

  // ---- what a hand does

  point(event, where) {
    if (!where) return showTip(this.tip, null);
    const { tops, high, width } = this.place;
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    const y = tops[where.panel] + (where.row + 1) * high + 6;
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
    if (this.inside) this.heard.textContent = this.say({ panel: part, row: this.row, column: where.dim });
  }
}

// The panels' own numbers out of the one array behind the header.
function cut({ panels, labels }, values) {
  let from = 0;
  return panels.map((panel) => ({ ...panel, values: values.subarray(from, (from += labels.length * panel.width)) }));
}

const wider = (text) => text.replace(/[\u3400-\u9fff]/g, "$&$&"); // a Han character is as wide as two letters

export default component(Addition);
