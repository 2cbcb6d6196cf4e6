// One position as a row of clock hands: each pair of dimensions is one hand, the cosine to the right, the sine upwards.
// The rows are those the waves hold; dragged there, the hands turn here. The slow ones wait behind a press.

import { fit, make, showTip, themeOf, tipIn, within } from "../kit/draw.js";
import { counted, short } from "../kit/format.js";
import { clamp, Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `of` is the id of the waves. With `moved` only `count` clocks, from fast to slow: a pale hand at the position, a full
 * one as many positions further as the parameter `param` says, and between them the angle it turned by.
 * @typedef {{of?: string, moved?: {param: string, count: number},
 *   words: {title: string, clock: string, dim: string, every: string, fewer: string}}} Data
 */

const NUMBER = 16; // px for a clock's number below it
const CLOCKS = "sinusoidal"; // the table whose pairs of dimensions are clocks

class Clocks extends Picture {
  static className = "clocks";
  static borrows = true;

  build() {
    this.title = this.root.appendChild(make("p", "title"));
    this.box = this.root.appendChild(make("div", "box"));
    this.canvas = this.box.appendChild(make("canvas"));
    this.tip = tipIn(this.box);
    this.fold = this.root.appendChild(make("button", "fold"));
    this.every = false; // whether the slow clocks are seen, too
    this.fold.onclick = () => {
      this.every = !this.every;
      this.redraw();
    };
    this.canvas.tabIndex = 0;
    this.canvas.onclick = (event) => this.pick(this.at(event));
    this.canvas.onpointermove = (event) => this.point(event, this.at(event));
    this.canvas.onpointerleave = () => showTip(this.tip, null);
    this.canvas.onkeydown = (event) => this.key(event);
    this.shown = [];
  }

  get waves() {
    return this.store.stacks.get(this.data.of ?? "waves") ?? null;
  }

  now() {
    const { kinds, positions, d } = this.waves.header;
    const kind = this.get("kind");
    return {
      pos: this.index("pos", positions),
      dim: this.index("dim", d),
      kind: this.data.moved ? CLOCKS : kinds.includes(kind) ? kind : kinds[0],
    };
  }

  get by() {
    return Number(this.get(this.data.moved?.param)) || 0;
  }

  // ---- drawing

  layout(pairs, dim) {
    const { moved } = this.data;
    const width = this.root.clientWidth || 900;
    this.columns = Math.min(pairs, Math.max(1, Math.floor(width / (moved ? 52 : 31))));
    this.shown = moved ? some(pairs, moved.count, dim >> 1) : this.every ? first(pairs) : fast(this.columns, dim >> 1);
    if (moved) this.columns = Math.min(this.columns, this.shown.length);
    this.size = Math.min(moved ? 84 : 40, width / this.columns);
    this.high = this.size + (moved ? NUMBER : 0);
    return fit(this.canvas, [width, Math.ceil(this.shown.length / this.columns) * this.high]);
  }

  draw() {
    const { waves } = this;
    if (!waves) return;
    const { pos, dim, kind } = this.now();
    this.root.hidden = kind !== CLOCKS; // a learned row is no set of clocks
    if (this.root.hidden) return;
    const row = waves.row(kind, pos);
    const pairs = Math.floor(waves.header.d / 2);
    if (!row || !pairs) return;
    this.row = row;
    const pen = this.layout(pairs, dim);
    const css = themeOf(this.root);
    this.shown.forEach((_, at) => this.clock(pen, css, at, dim >> 1));
    this.say(pos);
  }

  clock(pen, css, at, chosen) {
    const i = this.shown[at];
    const { moved } = this.data;
    const color = css(i === chosen ? "--st-text-color" : "--st-primary-color");
    const x = ((at % this.columns) + 0.5) * this.size;
    const y = Math.floor(at / this.columns) * this.high + this.size / 2;
    const radius = this.size / 2 - (moved ? 5 : 2);
    const [sine, cosine] = [this.row[2 * i], this.row[2 * i + 1]];
    const edge = i === chosen ? [color, 2] : [css("--st-border-color"), 1];
    circle(pen, x, y, radius, css("--st-secondary-background-color"), edge);
    if (!moved) return hand(pen, x, y, radius - 1.5, sine, cosine, color);
    const by = this.by / this.waves.header.period[i];
    const from = Math.atan2(sine, cosine);
    pen.globalAlpha = 0.25;
    sector(pen, x, y, radius * 0.62, from, by, color);
    pen.globalAlpha = 0.55;
    hand(pen, x, y, radius - 2, sine, cosine, color);
    pen.globalAlpha = 1;
    hand(pen, x, y, radius - 2, Math.sin(from + by), Math.cos(from + by), color);
    const weight = i === chosen ? 600 : 400;
    Object.assign(pen, { fillStyle: color, textAlign: "center", font: `${weight} 12px ${css("--st-code-font")}` });
    if (i !== chosen) pen.fillStyle = css("--st-gray-text-color");
    pen.fillText(String(i), x, y + this.size / 2 + NUMBER / 2);
  }

  say(pos) {
    const { words } = this.data;
    this.title.textContent = counted(words.title.replace("{position}", pos), "by", this.by);
    this.named(this.canvas, "application", this.title.textContent);
    this.fold.textContent = words[this.every ? "fewer" : "every"];
    this.fold.setAttribute("aria-expanded", String(this.every));
    this.fold.hidden = !words.every;
  }

  // ---- what a hand does

  at(event) {
    const { x, y } = within(event, this.canvas);
    const column = Math.floor(x / this.size);
    const i = Math.floor(y / this.high) * this.columns + column;
    return column >= 0 && column < this.columns ? (this.shown[i] ?? null) : null;
  }

  pick(i) {
    if (i !== null) this.select({ dim: 2 * i + (this.now().dim % 2) });
  }

  point(event, i) {
    if (i === null || !this.waves) return showTip(this.tip, null);
    const { words } = this.data;
    const [sine, cosine] = [this.row[2 * i], this.row[2 * i + 1]].map((value) => short(value));
    const { x, y, width } = within(event, this.canvas);
    const at = { x, y: y - 32, width };
    showTip(this.tip, `${words.clock} ${i} · ${words.dim} ${2 * i}, ${2 * i + 1}  sin ${sine}  cos ${cosine}`, at);
  }

  key(event) {
    const rows = { ArrowUp: -this.columns, ArrowDown: this.columns, Home: -Infinity, End: Infinity };
    const step = this.shown.length && pressed(event, { ArrowLeft: -1, ArrowRight: 1, ...rows });
    if (!step) return;
    const { dim } = this.now();
    const at = clamp(this.shown.indexOf(dim >> 1) + step, 0, this.shown.length - 1);
    this.select({ dim: 2 * this.shown[at] + (dim % 2) });
  }
}

const first = (count) => Array.from({ length: count }, (_, i) => i);

// The fastest clocks; a slower one that is chosen takes the last place.
const fast = (count, chosen) => [...first(count - 1), Math.max(count - 1, chosen)];

// So many of the clocks, evenly from the fastest to the slowest, the chosen one among them.
function some(pairs, count, chosen) {
  const even = Array.from({ length: count }, (_, k) => Math.round((k * (pairs - 1)) / Math.max(1, count - 1)));
  const shown = [...new Set(even)];
  const nearest = shown.reduce((best, i) => (Math.abs(i - chosen) < Math.abs(best - chosen) ? i : best));
  return shown.map((i) => (i === nearest ? chosen : i));
}

function circle(pen, x, y, radius, fill, [line, wide]) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  Object.assign(pen, { fillStyle: fill, strokeStyle: line, lineWidth: wide });
  pen.fill();
  pen.stroke();
}

function hand(pen, x, y, long, sine, cosine, color) {
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + cosine * long, y - sine * long);
  Object.assign(pen, { strokeStyle: color, lineWidth: 2 });
  pen.stroke();
}

// The angle a hand turned by, anticlockwise; a whole turn and more is the whole disc.
function sector(pen, x, y, radius, from, by, color) {
  const turned = clamp(by, -2 * Math.PI, 2 * Math.PI);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.arc(x, y, radius, -from, -from - turned, turned > 0);
  pen.fillStyle = color;
  pen.fill();
}

export default component(Clocks);
