// One position as a row of clock hands: each pair of dimensions is one hand, the cosine to the right, the sine upwards.
// The rows are those the waves hold; dragged there, the hands turn here.
//
// With `moved` = {param, count} only so many clocks, from fast to slow: a pale hand at the position, a full one as many
// positions further as the parameter says, and between them the angle it turned by.

import { begin, ending, make, onSelection, select, shared, short } from "../shared/shared.js";

export default function ({ data, parentElement }) {
  const root = begin(parentElement, "div", "clocks");
  const clocks = new Clocks(root, data);
  return ending(parentElement, () => clocks.end());
}

class Clocks {
  constructor(root, data) {
    Object.assign(this, { root, data });
    this.title = make("p", "title");
    this.box = make("div", "box");
    this.canvas = make("canvas");
    this.tip = make("div", "tip");
    this.foot = make("p", "foot");
    this.tip.hidden = true;
    this.box.append(this.canvas, this.tip);
    root.replaceChildren(this.title, this.box, this.foot);
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.onclick = (event) => this.pick(this.at(event));
    this.canvas.onpointermove = (event) => this.point(event);
    this.canvas.onpointerleave = () => (this.tip.hidden = true);
    this.canvas.onkeydown = (event) => this.key(event);
    const redraw = () => this.draw();
    this.observer = new ResizeObserver(redraw);
    this.observer.observe(root);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.later = () => setTimeout(redraw, 80); // the theme's variables follow a moment after
    this.dark.addEventListener("change", this.later);
    this.stop = onSelection(redraw);
    this.redraw = redraw;
    window.addEventListener("see:encoding", redraw);
    redraw();
  }

  end() {
    this.stop();
    this.observer.disconnect();
    this.dark.removeEventListener("change", this.later);
    window.removeEventListener("see:encoding", this.redraw);
  }

  now() {
    const { pos, dim, kind } = shared.selection, kinds = shared.encoding?.header.kinds ?? [];
    return { pos: Number(pos ?? 0), dim: Number(dim ?? 0), kind: kinds.includes(kind) ? kind : kinds[0] };
  }

  draw() {
    if (!shared.encoding || shared.selection.pos === undefined) return;
    const { pos, dim, kind } = this.now(), row = shared.encoding.row(kind, pos), { d } = shared.encoding.header;
    const { moved, words } = this.data, pairs = Math.floor(d / 2);
    if (!row || !pairs) return;
    this.row = row;
    this.shown = moved ? some(pairs, moved.count, dim >> 1) : Array.from({ length: pairs }, (_, i) => i);
    const width = this.root.clientWidth || 900, lines = moved ? 1 : pairs > 64 ? 4 : 2, [least, most] = moved ? [52, 84] : [19, 34];
    this.size = Math.max(least, Math.min(most, width / Math.ceil(this.shown.length / lines)));
    this.columns = Math.max(1, Math.floor(width / this.size));
    const high = Math.ceil(this.shown.length / this.columns) * this.size, ratio = devicePixelRatio || 1;
    Object.assign(this.canvas, { width: width * ratio, height: high * ratio });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${high}px` });
    const pen = this.canvas.getContext("2d"), style = getComputedStyle(this.root), css = (name) => style.getPropertyValue(name).trim();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const longest = kind === "sinusoidal" ? 1 : 1.5 * shared.encoding.header.reach[kind]; // a few learned pairs are cut off
    const radius = this.size / 2 - (moved ? 5 : 2);
    this.shown.forEach((i, at) => {
      const chosen = i === dim >> 1, color = css(chosen ? "--st-orange-color" : "--st-primary-color");
      const x = ((at % this.columns) + 0.5) * this.size, y = (Math.floor(at / this.columns) + 0.5) * this.size;
      const least = Math.max(longest, Math.hypot(row[2 * i], row[2 * i + 1])), [sine, cosine] = [row[2 * i] / least, row[2 * i + 1] / least];
      circle(pen, x, y, radius, css("--st-secondary-background-color"), chosen ? color : css("--st-border-color"), chosen ? 2 : 1);
      if (!moved) return hand(pen, x, y, radius - 1.5, sine, cosine, color);
      const by = Number(shared.selection[moved.param] ?? 0) / shared.encoding.header.period[i], from = Math.atan2(sine, cosine);
      pen.globalAlpha = 0.25;
      sector(pen, x, y, radius * 0.62, from, by, color);
      pen.globalAlpha = 0.55;
      hand(pen, x, y, radius - 2, sine, cosine, color);
      pen.globalAlpha = 1;
      hand(pen, x, y, radius - 2, Math.sin(from + by), Math.cos(from + by), color);
    });
    this.title.textContent = words.title[kind].replace("{position}", pos).replace("{by}", Number(shared.selection[moved?.param] ?? 0).toLocaleString("en-US").replace("-", "−"));
    this.canvas.setAttribute("aria-label", this.title.textContent);
    const ends = words.ends?.[kind] ?? [];
    this.foot.replaceChildren(...ends.map((text) => make("span", "", text)));
  }

  at({ clientX, clientY }) {
    if (!this.shown) return null;
    const box = this.canvas.getBoundingClientRect(), column = Math.floor((clientX - box.left) / this.size);
    const i = Math.floor((clientY - box.top) / this.size) * this.columns + column;
    return column >= 0 && column < this.columns && i >= 0 && i < this.shown.length ? this.shown[i] : null;
  }

  pick(i) {
    if (i !== null) select({ dim: 2 * i + (this.now().dim % 2) }, 0);
  }

  point(event) {
    const i = this.at(event), { words } = this.data;
    this.tip.hidden = i === null;
    if (i === null) return;
    const [sine, cosine] = [this.row[2 * i], this.row[2 * i + 1]], { kind } = this.now();
    const values = kind === "sinusoidal" ? `sin ${short(sine)}  cos ${short(cosine)}` : `${short(sine)}  ${short(cosine)}`;
    this.tip.textContent = `${words.clock} ${i} · ${words.dim} ${2 * i}, ${2 * i + 1}  ${values}`;
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left + 12;
    this.tip.style.left = `${Math.max(0, Math.min(x, box.width - this.tip.offsetWidth))}px`;
    this.tip.style.top = `${event.clientY - box.top - 32}px`;
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns, Home: -1e6, End: 1e6 }[event.key];
    if (!step) return;
    event.preventDefault();
    const { dim } = this.now(), at = Math.max(0, Math.min(this.shown.length - 1, this.shown.indexOf(dim >> 1) + step));
    select({ dim: 2 * this.shown[at] + (dim % 2) }, 120);
  }
}

// So many of the clocks, evenly from the fastest to the slowest, the chosen one among them.
function some(pairs, count, chosen) {
  const shown = [...new Set(Array.from({ length: count }, (_, k) => Math.round((k * (pairs - 1)) / Math.max(1, count - 1))))];
  const nearest = shown.reduce((best, i) => (Math.abs(i - chosen) < Math.abs(best - chosen) ? i : best));
  return shown.map((i) => (i === nearest ? chosen : i));
}

function circle(pen, x, y, radius, fill, line, wide) {
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
  const turned = Math.max(-2 * Math.PI, Math.min(2 * Math.PI, by));
  pen.beginPath();
  pen.moveTo(x, y);
  pen.arc(x, y, radius, -from, -from - turned, turned > 0);
  pen.fillStyle = color;
  pen.fill();
}
