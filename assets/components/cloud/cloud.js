// Words as points of a square map: a shape and a colour a group, the groups' names among them, and as many words as can
// be written without touching. From the selected word a line leads to each of those nearest in the space itself.

import { make, showTip, themeOf, tipIn, vector, within, yielding } from "../kit/draw.js";
import { fixed } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `groups` are places in `names`; a run of `snapshots`, values of the parameter `by`, can be played, of which one is
 * seen; a map with a `reach` keeps its scale and its middle. Behind the header: points
 * [word, dimensions], near [word, k], cosines [word, k].
 * @typedef {{fragment?: string, param: string, also: object, texts: string[], groups: number[], names: string[],
 *   dimensions: number, snapshots: number[], snapshot: number, fixed: boolean, by: string, reach: number,
 *   words: CloudWords}} Header
 *
 * @typedef {{label: string, hidden: string, cosine: string, turn: string, run: string, play: string, stop: string
 *   }} CloudWords
 */

const MOST = 540; // pixels along a side
const EDGE = 26;
const POINT = 4;
const REACH = 14; // pixels: so near to a point, it is meant
const PACE = 1100; // ms a snapshot stays
const GLIDE = 450; // ms the points take from one to the next
// A cross of arms that are 2a wide and reach b out.
const cross = (a, b) => `M${-a},${-b}H${a}V${-a}H${b}V${a}H${a}V${b}H${-a}V${a}H${-b}V${-a}H${-a}z`;
const box = (a, b) => `M${-a},${-b}H${a}V${b}H${-a}z`;
const SHAPES = [
  (r) => `M${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`,
  (r) => box(r, r),
  (r) => `M0,${-1.35 * r}L${1.35 * r},0L0,${1.35 * r}L${-1.35 * r},0z`,
  (r) => `M0,${-1.3 * r}L${1.25 * r},${r}H${-1.25 * r}z`,
  (r) => `M0,${1.3 * r}L${1.25 * r},${-r}H${-1.25 * r}z`,
  (r) => cross(r / 2.4, r * 1.25),
  (r) => box(r * 1.3, r * 0.7),
  (r) => box(r * 0.7, r * 1.3),
];
const SIDES = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
];
// Where a label may stand that must: sixteen ways out, nearer ones first.
const AROUND = [9, 20, 34, 50, 70, 95].flatMap((far) =>
  Array.from({ length: 16 }, (_, i) => [Math.cos((i * Math.PI) / 8), Math.sin((i * Math.PI) / 8), far]),
);
const KEYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

class Cloud extends Picture {
  static className = "cloud";
  static speaks = true;

  build() {
    this.box = this.root.appendChild(make("div", "box"));
    this.svg = this.box.appendChild(vector("svg", { tabindex: 0 }));
    this.tip = tipIn(this.box);
    this.run = this.root.appendChild(make("div", "run"));
    this.turned = [0.5, -0.35]; // a solid map, turned by hand
    this.svg.onpointermove = (event) => (this.grip ? this.drag(event) : this.point(event));
    this.svg.onpointerleave = () => showTip(this.tip, null);
    this.svg.onpointerdown = (event) => this.press(event);
    this.svg.onpointerup = this.svg.onpointercancel = () => (this.grip = null);
    this.svg.onclick = (event) => this.click(event);
    this.svg.onkeydown = (event) => this.key(event);
    this.atEnd(() => this.rest());
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    const numbers = new Float32Array(body.buffer);
    const count = header.texts.length;
    const before = this.header && sameWords(this.header, header) ? this.points : null;
    this.header = header;
    const points = placed(numbers.subarray(0, count * header.dimensions), header.dimensions, header.reach);
    const rest = numbers.subarray(count * header.dimensions);
    this.near = rest.subarray(0, rest.length / 2);
    this.cosines = rest.subarray(rest.length / 2);
    this.named(this.svg, "application", header.words.label);
    this.glide(before, points);
    if (!header.snapshots.length) this.rest();
  }

  // ---- the selection

  get chosen() {
    const now = String(this.get(this.header.param) ?? "");
    return this.header.texts.indexOf(now);
  }

  /** The words nearest to one in the space, where they are on the map and may be seen. */
  neighbours(i) {
    const each = this.near.length / this.header.texts.length;
    return Array.from({ length: i < 0 ? 0 : each }, (_, k) => ({
      at: this.near[i * each + k],
      cosine: this.cosines[i * each + k],
    })).filter(({ at }) => at >= 0);
  }

  // ---- points, and how they come where they are

  glide(from, to) {
    cancelAnimationFrame(this.frame);
    this.points = to;
    if (!from || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const begun = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - begun) / GLIDE);
      this.points = part < 1 ? to.map((point, i) => point.map((x, k) => from[i][k] + (x - from[i][k]) * part)) : to;
      this.moving = part < 1;
      this.redraw();
      if (part < 1) this.frame = requestAnimationFrame(step);
    };
    this.moving = true;
    this.frame = requestAnimationFrame(step);
    this.atEnd(() => cancelAnimationFrame(this.frame));
  }

  /** Each word's place in pixels. */
  seen() {
    const [yaw, pitch] = this.turned;
    const flat = this.points.map(([x, y, z]) => (z === undefined ? [x, y] : turned(x, y, z, yaw, pitch)));
    const half = this.size / 2 - EDGE;
    return flat.map(([x, y]) => [this.size / 2 + x * half, this.size / 2 - y * half]);
  }

  // ---- drawing

  draw() {
    this.size = Math.min(yielding(MOST), this.root.clientWidth || MOST);
    const colors = themeOf(this.root)("--st-chart-categorical-colors").split(/,(?![^(]*\))/);
    this.places = this.seen();
    const { chosen } = this;
    const near = this.neighbours(chosen);
    const nodes = near.map(({ at }) => this.line(chosen, at));
    nodes.push(...this.places.map((place, i) => this.mark(place, i, colors)));
    if (chosen >= 0) nodes.push(ring(this.places[chosen]));
    if (!this.moving) nodes.push(...this.labels(chosen, near));
    this.svg.setAttribute("viewBox", `0 0 ${this.size} ${this.size}`);
    this.svg.setAttribute("width", this.size);
    this.svg.setAttribute("height", this.size);
    this.svg.classList.toggle("solid", this.header.dimensions === 3);
    this.svg.replaceChildren(...nodes);
    this.drawRun();
  }

  line(from, to) {
    const [[x1, y1], [x2, y2]] = [this.places[from], this.places[to]];
    return vector("line", { x1, y1, x2, y2, class: "near" });
  }

  mark([x, y], i, colors) {
    const group = this.header.groups[i];
    const d = SHAPES[group % SHAPES.length](POINT);
    const fill = colors[group % colors.length].trim();
    return vector("path", { d, fill, transform: `translate(${x},${y})`, class: "point" });
  }

  // The selected word first, and those nearest to it with their cosines; names of groups; and whoever finds room.
  labels(chosen, near) {
    const { texts, names, dimensions } = this.header;
    const writer = new Writer(this.places, this.size);
    if (chosen >= 0) writer.beside(this.places[chosen], texts[chosen], "chosen");
    for (const { at, cosine } of near) writer.beside(this.places[at], `${texts[at]} ${fixed(cosine, 2)}`, "neighbour");
    if (dimensions === 2) for (const [g, name] of names.entries()) this.nameOf(writer, g, name);
    const written = new Set([chosen, ...near.map(({ at }) => at)]);
    if (dimensions === 2) texts.forEach((text, i) => written.has(i) || writer.word(this.places[i], text));
    return [...writer.leaders, ...writer.nodes];
  }

  nameOf(writer, group, name) {
    const own = this.places.filter((_, i) => this.header.groups[i] === group);
    if (!own.length || !name) return;
    const middle = (k) => own.map((place) => place[k]).sort((a, b) => a - b)[own.length >> 1];
    writer.group([middle(0), middle(1)], name);
  }

  // ---- the run

  drawRun() {
    const { snapshots, snapshot, words, by } = this.header;
    const solid = this.header.dimensions === 3 ? [make("span", "", words.turn)] : [];
    this.run.hidden = !snapshots.length && !solid.length;
    if (!snapshots.length) return this.run.replaceChildren(...solid);
    const play = make("button", "play", this.timer ? words.stop : words.play);
    play.dataset.at = "play";
    play.onclick = () => (this.timer ? this.rest() : this.play());
    const steps = snapshots.map((n) => {
      const step = make("button", n === snapshot ? "step on" : "step", String(n));
      step.dataset.at = `step-${n}`;
      step.setAttribute("aria-pressed", String(n === snapshot));
      step.onclick = () => (this.rest(), this.select({ [by]: n }));
      return step;
    });
    this.keepingFocus(() => this.run.replaceChildren(play, make("span", "", words.run), ...steps, ...solid));
  }

  play() {
    const { snapshots, by } = this.header;
    let next = 0;
    const step = () => {
      this.select({ [by]: snapshots[next++] });
      if (next >= snapshots.length) this.rest();
    };
    this.timer = setInterval(step, PACE);
    step();
    this.redraw();
  }

  rest() {
    clearInterval(this.timer);
    this.timer = null;
    this.redraw();
  }

  // ---- what a hand does

  at(event) {
    const at = within(event, this.svg);
    const away = ([x, y]) => Math.hypot(at.x - x, at.y - y);
    const best = this.places.reduce((i, place, k) => (i < 0 || away(place) < away(this.places[i]) ? k : i), -1);
    return best >= 0 && away(this.places[best]) <= REACH ? best : -1;
  }

  pick(i) {
    const { param, also, texts, words, fixed } = this.header;
    if (i >= 0 && !fixed && texts[i] !== words.hidden) this.select({ [param]: texts[i] }, also);
  }

  press(event) {
    this.moved = false;
    if (this.header.dimensions === 3) this.grip = [event.clientX, event.clientY, ...this.turned];
  }

  drag({ clientX, clientY }) {
    const [x, y, yaw, pitch] = this.grip;
    this.moved ||= Math.hypot(clientX - x, clientY - y) > 4;
    this.turned = [yaw + (clientX - x) / 150, clamp(pitch + (clientY - y) / 150, -1.5, 1.5)];
    this.redraw();
  }

  click(event) {
    if (!this.moved) this.pick(this.at(event));
  }

  point(event) {
    const i = this.at(event);
    if (i < 0) return showTip(this.tip, null);
    const [x, y] = this.places[i];
    const { texts, names, groups } = this.header;
    showTip(this.tip, `${texts[i]} · ${names[groups[i]]}`, { x, y: y - 30, width: this.size });
  }

  key(event) {
    const step = pressed(event, KEYS);
    if (!step) return;
    const { texts, names, groups, words } = this.header;
    const seen = texts.flatMap((text, i) => (text === words.hidden ? [] : [i]));
    const i = seen[clamp(seen.indexOf(this.chosen) + step, 0, seen.length - 1)];
    this.pick(i);
    const near = this.neighbours(i).map(({ at, cosine }) => `${texts[at]} ${fixed(cosine, 2)}`);
    this.heard.textContent = `${texts[i]}, ${names[groups[i]]}. ${words.cosine}: ${near.join(", ")}`;
  }
}

// Writes labels that touch neither each other nor, if it can be helped, a point.
class Writer {
  constructor(places, size) {
    this.places = places;
    this.size = size;
    this.boxes = [];
    this.nodes = [];
    this.leaders = [];
  }

  word([x, y], text) {
    const wide = width(text, 12);
    const boxes = SIDES.map(([right, down]) => around(x + right * (wide / 2 + 8), y + down * 14, wide));
    const best = boxes.find((box) => this.free(box, 0));
    if (best) this.write(best, text, "word");
  }

  // In any case: the nearest place there is around its point, with a line where that is not close by.
  beside([x, y], text, look) {
    const wide = width(text, 13);
    const boxes = AROUND.map(([right, down, far]) => around(x + right * (wide / 2 + far), y + down * far, wide));
    const best = boxes.find((box) => this.free(box, 0)) ?? leastTouching(boxes, this.boxes);
    const [to, at] = [clamp(x, best.left, best.right), clamp(y, best.top + 3, best.bottom - 3)];
    if (Math.hypot(to - x, at - y) > 12)
      this.leaders.push(vector("line", { x1: x, y1: y, x2: to, y2: at, class: "leader" }));
    this.write(best, text, look);
  }

  group([x, y], text) {
    const wide = width(text, 14);
    const steps = [0, -18, 18, -34, 34, -52, 52, -72, 72, -95, 95];
    const boxes = steps.flatMap((dy) => [0, -40, 40, -80, 80].map((dx) => around(x + dx, y + dy, wide, 9)));
    const best = [0, 1, 3].map((most) => boxes.find((box) => this.free(box, most))).find(Boolean);
    if (!best) return this.write(leastTouching(boxes, this.boxes), text, "group");
    this.write(best, text, "group");
  }

  free(box, points) {
    const inside = box.left >= 0 && box.top >= 0 && box.right <= this.size && box.bottom <= this.size;
    return inside && !this.boxes.some((other) => touch(box, other)) && this.covered(box) <= points;
  }

  covered({ left, top, right, bottom }) {
    return this.places.filter(([x, y]) => x > left - 3 && x < right + 3 && y > top - 2 && y < bottom + 2).length;
  }

  write(box, text, look) {
    this.boxes.push(box);
    const at = { x: (box.left + box.right) / 2, y: box.bottom - 4, "text-anchor": "middle", class: look };
    this.nodes.push(vector("text", at, text));
  }
}

const around = (x, y, wide, half = 8) => ({
  left: x - wide / 2,
  right: x + wide / 2,
  top: y - half,
  bottom: y + half,
});
const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const width = (text, size) => [...text].reduce((sum, c) => sum + (c > "\u2e80" ? size : size * 0.56), 4);

function leastTouching(boxes, others) {
  const count = (box) => others.filter((other) => touch(box, other)).length;
  return boxes.reduce((best, box) => (count(box) < count(best) ? box : best));
}

const ring = ([cx, cy]) => vector("circle", { cx, cy, r: 9, class: "ring" });

const sameWords = (one, other) =>
  one.dimensions === other.dimensions &&
  one.texts.length === other.texts.length &&
  one.texts.join() === other.texts.join();

// Points about their middle, the farthest of them at a distance of 1, or in a scale of their own; one scale in every
// direction.
function placed(numbers, dimensions, reach) {
  const count = numbers.length / dimensions;
  if (reach)
    return Array.from({ length: count }, (_, i) =>
      Array.from(numbers.subarray(i * dimensions, (i + 1) * dimensions), (x) => x / reach),
    );
  const axis = (k) => Array.from({ length: count }, (_, i) => numbers[i * dimensions + k]);
  const ends = Array.from({ length: dimensions }, (_, k) => [Math.min(...axis(k)), Math.max(...axis(k))]);
  const middle = ends.map(([low, high]) => (low + high) / 2);
  const wide = Math.max(1e-12, ...ends.map(([low, high]) => (high - low) / 2));
  return Array.from({ length: count }, (_, i) => middle.map((m, k) => (numbers[i * dimensions + k] - m) / wide));
}

function turned(x, y, z, yaw, pitch) {
  const [s, c] = [Math.sin(yaw), Math.cos(yaw)];
  const [across, deep] = [c * x + s * z, c * z - s * x];
  return [across * 0.75, (Math.cos(pitch) * y - Math.sin(pitch) * deep) * 0.75];
}

export default component(Cloud);
