// One vector as hills before and after, and under that at several moments, lane under lane: a column is a dimension,
// everywhere the same. Where the vector was changed, the unchanged one stands in it in full colour.
//
// It holds the selected token's planes for every choice a control offers, and asks the server for another token's. A
// lane that must not be seen yet arrives as NaN.

import { fit, make, screenRatio, showTip, themeOf, tipIn, within, yielding } from "../kit/draw.js";
import { exact, short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A `fixed` lane is one for all planes; `tall` is its height; a `folded` one waits until it is asked for, or followed.
 * @typedef {{id: string, label: string, tall: number, fixed: boolean, folded: boolean}} Lane
 *
 * The vector before and after, as hills: for each [value of the parameter `given`, its name], of two lanes.
 * Those that are not `usual` are drawn while they are chosen.
 * @typedef {{given: [string, string][], usual: string[], before: string, after: string, words: string[]}} Bells
 *
 * `name` are the parameters that name a plane, `planes` those there are; `given` is the one of these parameters
 * whose value `base` changes nothing; `part` and `dim` select a lane and a dimension. Of each plane: `stats` are [part,
 * text, exact] a lane, `said` a sentence, `band` the [mean, deviation] of its first lane. Behind the header, as
 * float32: the
 * fixed lanes, then each plane's others.
 * @typedef {{fragment?: string, name: string[], given: string, base: string, part: string, dim: string, count: number,
 *   planes: string[], lanes: Lane[], bells: Bells | null,
 *   stats: Record<string, Record<string, [string | null, string, string][]>>,
 *   said: Record<string, string>, band: Record<string, [number, number] | null>,
 *   words: {label: string, caption: string, dim: string, veiled: string, all: string, fewer: string}}} Header
 */

const TICKS = 46; // the room of an axis
const HILL = 92; // pixels of a hill, of what stands under it, and of the way down to the next
const HEADS = [26, 16]; // over the hills before, whose peaks stand under a title, and after
const LINE = 16; // of a title
const FOOT = 18;
const FALL = 34;
const EDGE = 12;
const POINTS = 220; // of a curve
const REACH = 3.5; // deviations to either side that a curve is drawn for
const ENDS = 3.2; // and that an axis reaches: what lies beyond it, an arrow at its end says
const TINY = 1e-4; // of a deviation of 1: nothing
const SLOPE = 1.4; // deviations from its middle that a hill's name stands
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
    this.bells = this.root.appendChild(make("canvas", "bells"));
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

  get hill() {
    return yielding(HILL);
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
      box.classList.toggle("folded", lane.folded && !this.unfolded && this.part !== lane.id);
      this.drawStats(place, lane, stats[key]?.[lane.id] ?? []);
      this.drawLane(canvas, lane, this.vector(key, lane), ghost, i === 0 ? band[key] : null);
    });
    this.drawBells();
    const moved = make("span", "said", said[key] ?? "");
    const caption = make("div", "caption", `${words.caption} `);
    caption.append(this.folding(words));
    this.keepingFocus(() => this.foot.replaceChildren(moved, caption));
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

  // Above, the vector in every way it may have been changed, each a hill; below, what the norm makes of them. Between
  // them, from each hill its mean and one standard deviation to either side: where the norm forgets, all arrive at one.
  // What must not be seen yet is not drawn.
  drawBells() {
    const { bells } = this.header;
    this.bells.hidden = !bells;
    if (!bells) return;
    const heads = HEADS.map((head, i) => head + LINE * (this.titleOf(bells.words[i]).length - 1));
    const pen = fit(this.bells, [this.width, heads[0] + heads[1] + 2 * (this.hill + FOOT) + FALL]);
    this.bells.style.width = "100%";
    const chosen = this.get(this.header.given);
    const drawn = bells.given.filter(([given]) => given === chosen || bells.usual.includes(given));
    drawn.sort(([a], [b]) => (a === chosen) - (b === chosen));
    const one = heads[0] + this.hill + FOOT + FALL;
    const axes = [bells.before, bells.after].map((id, i) => this.axis(id, drawn, i * one, heads[i]));
    const part = { pen, color: themeOf(this.root), chosen };
    for (const hill of axes[0].hills) {
      const below = axes[1].hills.find(({ given }) => given === hill.given);
      if (below) this.drawFall(part, axes, hill, below);
    }
    axes.forEach((axis, i) => this.drawAxis(part, axis, bells.words[i], i === 0));
  }

  /** A title in the lines that it takes: on a narrow screen what stands behind its semicolon has one of its own. */
  titleOf(title) {
    const pen = this.bells.getContext("2d");
    pen.font = `13px ${themeOf(this.root)("--st-font")}`;
    return pen.measureText(title).width > this.width ? title.split(/(?<=[;；])\s*/) : [title];
  }

  /** The hills of one lane, and where on the canvas a value stands. */
  axis(id, drawn, top, head) {
    const lane = this.header.lanes.find((lane) => lane.id === id);
    const all = drawn.map(([given, name]) => [given, name, this.vector(this.planeKey(given), lane)]);
    const seen = all.filter(([, , values]) => values && !values.some(Number.isNaN));
    const veiled = all.filter((one) => !seen.includes(one)).map(([, name]) => name);
    const hills = seen.map(([given, name, values]) => ({ given, name, ...hillOf(values), at: values[this.dim] }));
    const ends = hills.flatMap(({ mean, deviation }) => [mean - ENDS * deviation, mean + ENDS * deviation]);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const wide = this.width - 2 * EDGE;
    const x = (value) => EDGE + ((clamp(value, low, high) - low) / (high - low || 1)) * wide;
    return { hills, low, high, x, top, base: top + head + this.hill, veiled };
  }

  drawFall({ pen, color, chosen }, [above, below], from, to) {
    const on = from.given === chosen;
    pen.fillStyle = pen.strokeStyle = color(on ? "--st-primary-color" : "--st-gray-text-color");
    pen.lineWidth = on ? 1.4 : 1;
    const ends = [-1, 1].map((side) => [
      above.x(from.mean + side * from.deviation),
      below.x(to.mean + side * to.deviation),
    ]);
    pen.beginPath();
    for (const [side, [top, foot]] of ends.entries()) {
      const value = to.mean + (2 * side - 1) * to.deviation;
      pen.moveTo(top, above.base);
      pen.lineTo(foot, below.base - this.hill * to.height(value)); // on its flank, not through it
    }
    pen.stroke();
    if (!on) return;
    pen.strokeStyle = color("--st-text-color"); // the number that is followed
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(above.x(from.at), above.base);
    pen.lineTo(below.x(to.at), below.base);
    pen.stroke();
    pen.setLineDash([]);
  }

  drawAxis({ pen, color, chosen }, axis, title, named) {
    const { hills, x, top, base } = axis;
    pen.font = `13px ${color("--st-font")}`;
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillStyle = color("--st-text-color");
    // A long line on a narrow screen is squeezed, not cut.
    const hidden = axis.veiled.map((name) => ` · ${name}: ${this.header.words.veiled}`);
    const lines = this.titleOf(title);
    lines.push(lines.pop() + hidden.join(""));
    lines.forEach((line, i) => pen.fillText(line, 0, top + 13 + LINE * i, this.width));
    pen.fillStyle = color("--st-border-color");
    pen.fillRect(EDGE, base, this.width - 2 * EDGE, 1);
    for (const hill of hills) {
      const on = hill.given === chosen;
      pen.strokeStyle = pen.fillStyle = color(on ? "--st-primary-color" : "--st-gray-text-color");
      pen.lineWidth = on ? 2.2 : 1.6;
      pen.beginPath();
      for (let i = 0; i <= POINTS; i++) {
        const value = hill.mean + (i / POINTS - 0.5) * 2 * REACH * hill.deviation;
        pen.lineTo(x(value), base - this.hill * hill.height(value));
      }
      pen.stroke();
      pen.globalAlpha = 0.16;
      if (on) pen.fill();
      pen.globalAlpha = 1;
      if (on) this.drawAt({ pen, color }, axis, hill.at);
    }
    if (named) this.nameHills({ pen, color, chosen }, axis);
    const followed = hills.find(({ given }) => given === chosen)?.at;
    this.drawRuler({ pen, color, ...axis, y: base + 15, deviations: !named, followed });
  }

  /** The number that is followed: a dot, or beyond the axis an arrow and how much it is. */
  drawAt({ pen, color }, { x, low, high, base }, at) {
    const [there, side] = [x(at), Math.sign(at - clamp(at, low, high))];
    if (side) this.drawBreak({ pen, color }, there - side * 14, base);
    pen.fillStyle = color("--st-text-color");
    pen.beginPath();
    if (!side) pen.arc(there, base, 4, 0, 7);
    else
      for (const [along, up] of [
        [-3, -5],
        [7, 0],
        [-3, 5],
      ])
        pen.lineTo(there + side * along, base + up);
    pen.fill();
  }

  /** Two strokes across the axis: from here on it is shortened. */
  drawBreak({ pen, color }, x, base) {
    pen.fillStyle = color("--st-background-color");
    pen.fillRect(x - 3, base - 2, 6, 5);
    pen.strokeStyle = color("--st-text-color");
    pen.lineWidth = 1;
    pen.beginPath();
    for (const at of [x - 3, x + 3]) {
      pen.moveTo(at - 2, base + 5);
      pen.lineTo(at + 2, base - 5);
    }
    pen.stroke();
  }

  // The widest hill's name stands on its right slope, that of another at its own foot where the widest leaves room, or
  // else on the widest's left slope, one above the other; each in its hill's colour.
  nameHills({ pen, color, chosen }, { hills, x, base }) {
    pen.font = `12.5px ${color("--st-font")}`;
    const wide = hills.reduce((a, b) => (b.deviation > 0.99 * a.deviation ? b : a));
    const slope = (side) => wide.mean + side * SLOPE * wide.deviation;
    const seen = (hill, at) => (Math.abs(at - hill.mean) < REACH * hill.deviation ? hill.height(at) : 0);
    const broad = x(wide.mean + wide.deviation) - x(wide.mean); // a deviation, in pixels
    const over = (place) => this.hill * seen(wide, wide.mean + ((place - x(wide.mean)) / broad) * wide.deviation);
    let others = 0;
    for (const hill of hills) {
      const { given, name, deviation } = hill;
      const right = hill === wide;
      const text = `${name}  σ ${brief(deviation)}`;
      const room = pen.measureText(text).width;
      const foot = x(hill.mean - 3 * deviation) - 6 - room;
      const inside = !right && hills.length === 2 && over(foot) > 18;
      const slopes = right ? x(slope(1)) + 6 : x(slope(-1)) - 6 - room;
      const high = inside ? 0 : Math.max(...hills.map((hill) => seen(hill, slope(right ? 1 : -1))));
      const line = right ? 0 : others++;
      pen.fillStyle = color(given === chosen ? "--st-link-color" : "--st-gray-text-color");
      pen.textAlign = "left";
      const at = clamp(inside ? foot : slopes, 0, this.width - room);
      const y = base - this.hill * high - 6 - 15 * line;
      pen.fillText(text, at, y);
      const flank = x(hill.mean - 2 * deviation);
      if (!right && !inside && hills.length === 2 && at + room < flank) {
        pen.fillRect(at + room + 5, y - 4, flank - at - room - 5, 1); // a line leads to its hill
      }
    }
  }

  // Both ends; in the place of one, the number that is followed where it lies beyond. Of what is normalised, its middle
  // and one deviation to either side.
  drawRuler({ pen, color, low, high, x, y, hills, deviations, followed }) {
    pen.font = `12px ${color("--st-code-font")}`;
    const write = (value, at, align, beyond) => {
      pen.fillStyle = color(beyond ? "--st-text-color" : "--st-gray-text-color");
      pen.textAlign = align;
      pen.fillText(beyond ? short(followed) : brief(value), at, y);
    };
    write(low, 0, "left", followed < low);
    write(high, this.width, "right", followed > high);
    if (!deviations || !hills.length) return;
    const { mean, deviation } = hills.at(-1);
    for (const side of [-1, 0, 1]) {
      const value = mean + side * deviation;
      write(Math.abs(value) < TINY ? 0 : value, x(value), "center");
    }
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

// A vector as a smooth curve: how densely its numbers lie at a value, of the greatest density there is.
function hillOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1e-9;
  const width = 0.35 * deviation;
  const density = (at) => values.reduce((sum, value) => sum + Math.exp(-(((at - value) / width) ** 2) / 2), 0);
  const top = Math.max(...Array.from({ length: 41 }, (_, i) => density(mean + (i / 20 - 1) * deviation)));
  return { mean, deviation, height: (at) => Math.min(1, density(at) / (top || 1)) };
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

// Two digits are enough at an axis; the exact value is under the pointer.
const brief = (x) =>
  short(Number(x.toPrecision(2)))
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");

export default component(Lanes);
