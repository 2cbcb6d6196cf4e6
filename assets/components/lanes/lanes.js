// One vector as hills before and after, and under that at several moments, lane under lane: a column is a dimension,
// everywhere the same. Where the vector was changed, the unchanged one stands in it in full colour.
//
// It holds the selected token's planes for every choice a control offers, and asks the server for another token's. A
// lane that must not be seen yet arrives as NaN.

import { fit, make, screenRatio, showTip, themeOf, tipIn, within, yielding } from "../kit/draw.js";
import { exact, short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";
import { brief, Hills } from "./hills.js";

/**
 * A `fixed` lane is one for all planes; `tall` is its height; a `folded` one waits until it is asked for, or followed.
 * @typedef {{id: string, label: string, tall: number, fixed: boolean, folded: boolean}} Lane
 *
 * `rows` are the lanes that stand as hills; `about` says of what the norm measures the size: of the distances from the
 * "mean", of those from "zero", or of neither (""). `formulas` are of lanes, `measures` the texts of a plane's lanes,
 * `names` those of the values of `given`; `span` says how far the first axis
 * reaches where the others are shorter, `beyond` what the "smallest" and the "largest" number are where an axis ends
 * before them.
 * @typedef {{rows: string[], about: string, formulas: Record<string, string>, names: Record<string, string>,
 *   measures: Record<string, Record<string, string[]>>,
 *   span: string, beyond: Record<string, string>}} Bells
 *
 * `name` are the parameters that name a plane, `planes` those there are; `given` is the one of these parameters
 * whose value `base` changes nothing; `part` and `dim` select a lane and a dimension. Of each plane: `stats` are [part,
 * text, exact] a lane, `said` a sentence, `band` the [mean, deviation] of its first lane. Behind the header, as
 * float32: the
 * fixed lanes, then each plane's others.
 * @typedef {{fragment?: string, name: string[], given: string, base: string, part: string, dim: string, count: number,
 *   planes: string[], lanes: Lane[], bells: Bells,
 *   stats: Record<string, Record<string, [string | null, string, string][]>>,
 *   said: Record<string, string>, band: Record<string, [number, number] | null>,
 *   words: {label: string, key: Record<string, string>, dim: string, bars: string,
 *   veiled: string, all: string, fewer: string}}} Header
 */

const TICKS = 46; // the room of an axis
const KEYS = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [0, -16],
  PageDown: [0, 16],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

class Lanes extends Picture {
  static className = "lanes";
  static fonts = true;
  static speaks = true;

  build() {
    this.root.tabIndex = 0;
    this.root.onkeydown = (event) => this.key(event);
    const canvas = this.root.appendChild(make("canvas", "bells"));
    canvas.onclick = (event) => this.pickAt(this.hills.at(within(event, canvas)));
    canvas.onpointermove = (event) => this.pointAt(within(event, canvas));
    canvas.onpointerleave = () => showTip(this.tip, null);
    this.hills = new Hills(canvas);
    this.foot = this.root.appendChild(make("div", "foot"));
    this.tip = tipIn(this.root);
    this.parts = [];
    this.unfolded = false;
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    this.header = header;
    this.vectors = new Float32Array(body.buffer);
    this.fixed = header.lanes.filter((lane) => lane.fixed);
    this.made = header.lanes.filter((lane) => !lane.fixed);
    this.named(this.root, "application", header.words.label);
    for (const { box } of this.parts) box.remove();
    this.parts = header.lanes.map((lane) => this.lane(lane));
    this.foot.before(...this.parts.map(({ box }) => box));
  }

  lane(lane) {
    const stats = make("span", "stats");
    const head = make("header");
    head.append(make("b", "", lane.label), stats);
    const canvas = make("canvas");
    canvas.onclick = (event) => this.pick(lane.id, this.dimAt(event, canvas));
    canvas.onpointermove = (event) => this.point(lane, canvas, this.dimAt(event, canvas));
    canvas.onpointerleave = () => showTip(this.tip, null);
    const box = make("section", "lane");
    box.append(head, canvas);
    return { lane, box, stats, canvas };
  }

  // ---- which numbers

  // The name of the plane selected, or of the one where the vector was given otherwise.
  planeKey(given) {
    const { name, given: changes } = this.header;
    return name.map((param) => (param === changes && given ? given : this.get(param))).join("/");
  }

  vector(key, lane) {
    const { planes, count } = this.header;
    const plane = this.fixed.length + planes.indexOf(key) * this.made.length;
    const at = lane.fixed ? this.fixed.indexOf(lane) : plane + this.made.indexOf(lane);
    return lane.fixed || planes.includes(key) ? this.vectors.subarray(at * count, (at + 1) * count) : null;
  }

  lacks() {
    return Boolean(this.header) && !this.header.planes.includes(this.planeKey());
  }

  get part() {
    return this.get(this.header.part);
  }

  get dim() {
    return this.index(this.header.dim, this.header.count);
  }

  // ---- what a hand does

  get room() {
    return this.width - TICKS - 2;
  }

  get width() {
    return this.root.clientWidth || 520;
  }

  dimAt(event, canvas) {
    const { count } = this.header;
    const dim = Math.floor(((within(event, canvas).x - TICKS) / this.room) * count);
    return dim >= 0 && dim < count ? dim : null;
  }

  pick(part, dim) {
    if (dim !== null) this.select({ [this.header.part]: part, [this.header.dim]: dim });
  }

  point(lane, canvas, dim) {
    const x = TICKS + ((dim + 0.5) / this.header.count) * this.room;
    const at = { x, y: canvas.offsetTop - 20, gap: 10, width: this.root.clientWidth };
    showTip(this.tip, dim === null ? null : this.say(lane, dim), at);
  }

  pickAt(found) {
    if (found) this.pick(found.row.id, found.dim);
  }

  pointAt({ x, y }) {
    const found = this.hills.at({ x, y });
    const lane = found && this.header.lanes.find(({ id }) => id === found.row.id);
    const at = { x, y: found?.row.base + 22, width: this.root.clientWidth };
    showTip(this.tip, found ? this.say(lane, found.dim) : null, at);
  }

  key(event) {
    const step = event.target === this.root && pressed(event, KEYS);
    if (!step) return;
    const { lanes, count } = this.header;
    const now = lanes.findIndex(({ id }) => id === this.part);
    const lane = lanes[clamp(Math.max(0, now) + step[0], 0, lanes.length - 1)];
    const dim = clamp(this.dim + step[1], 0, count - 1);
    this.heard.textContent = this.say(lane, dim, short);
    this.pick(lane.id, dim);
  }

  say(lane, dim, written = exact) {
    const { words } = this.header;
    const value = this.vector(this.planeKey(), lane)?.[dim];
    return `${lane.label}  ${words.dim} ${dim}  ${Number.isNaN(value ?? NaN) ? words.veiled : written(value)}`;
  }

  // ---- drawing

  draw() {
    const key = this.planeKey();
    this.root.classList.toggle("waiting", this.lacks());
    if (this.lacks()) return;
    const { stats, said, band, words, base } = this.header;
    const unchanged = this.planeKey(base);
    this.parts.forEach(({ lane, box, stats: place, canvas }, i) => {
      const ghost = lane.fixed || key === unchanged ? null : this.vector(unchanged, lane);
      box.classList.toggle("on", this.part === lane.id);
      const told = this.part === lane.id && !this.rows.includes(lane.id);
      box.classList.toggle("folded", lane.folded && !this.unfolded && !told);
      this.drawStats(place, lane, stats[key]?.[lane.id] ?? []);
      this.drawLane(canvas, lane, this.vector(key, lane), ghost, i === 0 ? band[key] : null);
    });
    this.drawHills();
    const moved = make("span", "said", said[key] ?? "");
    const caption = make("div", "caption key");
    caption.append(...Object.entries(words.key).map(([mark, text]) => make("span", mark, text)));
    const bars = make("div", "caption", this.unfolded ? words.bars : "");
    this.keepingFocus(() => this.foot.replaceChildren(moved, caption, this.folding(words), bars));
  }

  folding({ all, fewer }) {
    const button = make("button", "folding", this.unfolded ? fewer : all);
    button.dataset.at = "folding";
    button.setAttribute("aria-expanded", String(this.unfolded));
    button.onclick = () => {
      this.unfolded = !this.unfolded;
      this.redraw();
    };
    return button;
  }

  drawStats(place, lane, stats) {
    const nodes = stats.map(([part, text, exactly]) => {
      if (!part) return Object.assign(make("span", "stat", text), { title: exactly });
      const button = make("button", this.part === part ? "stat on" : "stat", text);
      button.dataset.at = `${lane.id}-${part}`;
      button.title = exactly;
      button.onclick = () => this.pick(part, this.dim);
      return button;
    });
    this.keepingFocus(() => place.replaceChildren(...nodes));
  }

  // What must not be seen yet is not drawn; where the vector was changed, the unchanged one stands behind it.
  drawHills() {
    const { bells, lanes, base, words, given } = this.header;
    const [key, unchanged] = [this.planeKey(), this.planeKey(base)];
    const rows = this.rows.map((id) => {
      const lane = lanes.find((lane) => lane.id === id);
      const [values, own] = [key, unchanged].map((plane) => this.vector(plane, lane));
      const lines = [bells.formulas[id] ?? "", ...(bells.measures[key][id] ?? [])].filter(Boolean);
      const changed = key !== unchanged;
      const ghostly =
        changed && id === this.rows[0] ? `${bells.names[base]}: ${bells.measures[unchanged][id].at(-1)}` : "";
      const label = changed && id === this.rows[0] ? `${lane.label} ${bells.names[this.get(given)]}` : lane.label;
      return { id, label, lines, ghostly, values, ghost: changed ? own : null, veiled: words.veiled };
    });
    const { width, dim, part } = this;
    this.hills.draw(rows, {
      width,
      dim,
      part,
      color: themeOf(this.root),
      about: bells.about,
      words: bells,
    });
  }

  get rows() {
    return this.header.bells.rows;
  }

  drawLane(canvas, lane, now, ghost, band) {
    const tall = yielding(lane.tall);
    const pen = fit(canvas, [this.width, tall]);
    canvas.style.width = "100%"; // it must not hold its column wide
    const color = themeOf(this.root);
    if (!now || now.some(Number.isNaN)) return this.drawVeil(pen, { tall }, color);
    const reaches = [now, ghost ?? now].map(reachOf);
    const low = Math.min(...reaches.map((reach) => reach[0]));
    const high = Math.max(...reaches.map((reach) => reach[1]));
    const span = high - low || 1;
    const y = (value) => 3 + ((high - clamp(value, low, high)) / span) * (tall - 6);
    const axis = { pen, color, low, high, span, y, tall, step: this.room / this.header.count };
    if (band) this.drawBand(axis, band);
    this.drawBars(axis, now, ghost ? 0.32 : 0.9);
    if (ghost) this.drawBars(axis, ghost, 0.95);
    pen.fillStyle = color("--st-border-color");
    pen.fillRect(TICKS, y(0), this.room, 1);
    this.drawBeyond(axis, now);
    if (band) this.drawMean(axis, band);
    drawTicks(axis);
    this.drawChosen(axis, now, lane.id === this.part);
  }

  drawVeil(pen, { tall }, color) {
    pen.fillStyle = color("--st-border-color");
    pen.fillRect(TICKS, 2, this.width - TICKS, tall - 4);
    pen.fillStyle = color("--st-gray-text-color");
    pen.font = `13px ${color("--st-font")}`;
    pen.fillText(this.header.words.veiled, TICKS + 12, tall / 2 + 4);
  }

  drawBand({ pen, color, y }, [mean, deviation]) {
    const [top, bottom] = [y(mean + deviation), y(mean - deviation)];
    pen.fillStyle = color("--st-green-background-color");
    pen.fillRect(TICKS, top, this.room, Math.max(1, bottom - top));
  }

  drawMean({ pen, color, y }, [mean]) {
    pen.fillStyle = color("--st-text-color");
    for (let x = TICKS; x < TICKS + this.room; x += 7) pen.fillRect(x, y(mean) - 0.5, 4, 1);
  }

  drawBars({ pen, color, y, step }, values, alpha) {
    const ratio = screenRatio(this.root);
    const whole = (x) => Math.round(x * ratio) / ratio; // whole pixels: no false stripes
    const [positive, negative] = [color("--st-primary-color"), color("--st-orange-color")];
    const zero = y(0);
    pen.globalAlpha = alpha;
    values.forEach((value, i) => {
      const x = whole(TICKS + i * step);
      const wide = whole(TICKS + (i + 1) * step) - x - (step > 3 ? 1 : 0);
      pen.fillStyle = value < 0 ? negative : positive;
      pen.fillRect(x, Math.min(zero, y(value)), Math.max(1 / ratio, wide), Math.max(0.6, Math.abs(y(value) - zero)));
    });
    pen.globalAlpha = 1;
  }

  // What goes on beyond the lane has a tip.
  drawBeyond({ pen, color, low, high, tall, step }, values) {
    pen.fillStyle = color("--st-text-color");
    values.forEach((value, i) => {
      if (value >= low && value <= high) return;
      const x = TICKS + (i + 0.5) * step;
      const [end, foot] = value > high ? [0, 5] : [tall, tall - 5];
      pen.beginPath();
      pen.moveTo(x, end);
      pen.lineTo(x - 3.5, foot);
      pen.lineTo(x + 3.5, foot);
      pen.fill();
    });
  }

  drawChosen({ pen, color, y, step, tall }, values, here) {
    const x = TICKS + (this.dim + 0.5) * step;
    pen.strokeStyle = pen.fillStyle = color("--st-text-color");
    pen.lineWidth = here ? 1.4 : 0.6;
    pen.beginPath();
    pen.moveTo(x, 0);
    pen.lineTo(x, tall);
    pen.stroke();
    if (!here) return;
    pen.beginPath();
    pen.arc(x, y(values[this.dim]), 3.5, 0, 7);
    pen.fill();
  }
}

function drawTicks({ pen, color, low, high, y }) {
  pen.font = `12px ${color("--st-code-font")}`;
  pen.fillStyle = color("--st-gray-text-color");
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const ends = [high, low].filter((value) => value !== 0);
  const at = (value) => Math.max(7, Math.min(y(low) - 4, y(value)));
  const close = ends.length > 1 && at(low) - at(high) < 12; // no room for both: the one farther from 0
  const said = close ? [Math.abs(low) > Math.abs(high) ? low : high] : ends;
  for (const value of said) pen.fillText(brief(value), TICKS - 6, at(value));
  if (ends.every((value) => Math.abs(y(value) - y(0)) > 14)) pen.fillText("0", TICKS - 6, y(0));
}

// From where to where a lane runs: 0 is in it, and 99 % of the numbers; a few outliers must not flatten the rest.
function reachOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const far = Array.from(values, (value) => Math.abs(value - mean)).sort((a, b) => a - b);
  const most = far[Math.ceil(0.99 * far.length) - 1] * 1.15;
  const all = far.at(-1);
  const wide = all > 1.6 * most ? most : all; // where nothing stands far out, nothing is cut
  return [Math.min(0, mean - wide), Math.max(0, mean + wide)];
}

export default component(Lanes);
