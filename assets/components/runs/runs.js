// Trainings beside each other: one of their curves over the steps, a line a run, and, folded, one matrix changing.
// What jumps from batch to batch is smoothed; a band holds the same run from other first weights.
// Pointing says the values of a step; a press selects it, and the run whose line is near.

import {
  inks,
  make,
  pixels,
  roundSteps,
  scale,
  showTip,
  tipIn,
  typeset,
  vector,
  veil,
  widthOf,
  within,
} from "../kit/draw.js";
import { grouped, short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A run; behind the header, of each of its seeds the loss and gradient of every step, then the held-out loss and the
 * share of right answers at every look; then its matrices, [kept, row, column], in half precision.
 * @typedef {{id: string, name: string, steps: number, looks: number[], kept: number[], size: [number, number],
 *   seeds: number}} Course
 *
 * @typedef {{courses: Course[], steps: number, panels: {id: string, name: string, of: "step" | "look", log: boolean}[],
 *   panel: string, run: string | null, step: string | null, veiled: boolean, guessing: number | null,
 *   guessWord: string,
 *   seeds: string, words: Record<string, string>}} Header
 */

const LEFT = 50;
const RIGHT = 14;
const NARROW = 480; // pixels without room for a word beside the curves
const SAMPLE = 16; // pixels of a line before its name
const [LONGEST, PITCH] = [150, 24]; // of the names at the ends of the lines: how long, how far apart
const REACH = 1 / 40; // of all steps, to either side of the one that a smoothed line stands for
const TOP = 6;
const FOOT = 22;
const TALL = 260;
const NEAR = 26; // pixels from a line that still mean it
const DASHES = ["none", "7 3", "2 2", "9 3 2 3", "14 4", "4 2 1 2 1 2"]; // which run a line is, without its colour
const CURVES = ["loss", "gradient", "held", "right"];

/** A number in half precision: 1 bit for its sign, 5 for its power of two, 10 for the rest. */
function half(bits) {
  const [power, rest] = [(bits >> 10) & 31, bits & 1023];
  const size = power ? 2 ** (power - 15) * (1 + rest / 1024) : 2 ** -14 * (rest / 1024);
  const value = power === 31 ? (rest ? NaN : Infinity) : size;
  return bits >> 15 ? -value : value;
}

/** The mean of each number and its neighbours, as far as there are some; where an axis counts powers, of those. */
function smoothed(values, reach, log) {
  const heights = Array.from(values, (value) => (log ? Math.log(value) : value));
  const means = heights.map((_, i) => {
    const near = heights.slice(Math.max(0, i - reach), i + reach + 1);
    return near.reduce((sum, height) => sum + height, 0) / near.length;
  });
  return log ? means.map(Math.exp) : means;
}

class Runs extends Picture {
  static className = "runs";
  static speaks = true;

  build() {
    this.box = this.root.appendChild(make("div", "panel"));
    this.legend = this.box.appendChild(make("div", "legend"));
    this.svg = this.box.appendChild(vector("svg", { height: TALL }));
    this.tip = tipIn(this.box);
    this.svg.onpointermove = (event) => this.point(event);
    this.svg.onpointerleave = () => this.point(null);
    this.svg.onclick = (event) => this.pick(event);
    this.note = this.root.appendChild(make("p", "note"));
    this.matrix = this.root.appendChild(make("details", "matrix"));
    this.matrix.ontoggle = () => this.redraw();
    this.root.onkeydown = (event) => this.key(event);
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    this.header = header;
    let at = 0;
    const next = (count) => {
      const found = new Float32Array(body.buffer, at, count);
      at += 4 * count;
      return found;
    };
    this.curves = header.courses.map(({ steps, looks, seeds }) =>
      Array.from({ length: steps ? seeds : 0 }, () =>
        Object.fromEntries(CURVES.map((name, i) => [name, next(i < 2 ? steps : looks.length)])),
      ),
    );
    this.ids = header.courses.map(({ id }) => id);
    const halves = (count) => {
      const found = Float32Array.from(new Uint16Array(body.buffer, at, count), half);
      at += 2 * count;
      return found;
    };
    this.matrices = header.courses.map(({ kept, size: [rows, columns] }) => kept.map(() => halves(rows * columns)));
    this.named(this.root, "group", header.words.label);
    this.panels = header.panels.map((panel) => ({ ...panel }));
    this.svg.toggleAttribute("tabindex", false);
    if (!header.step) return;
    this.svg.setAttribute("tabindex", 0);
    this.svg.setAttribute("aria-description", header.words.helpKeys);
  }

  /** The kind of curve that is seen. */
  get seen() {
    const id = this.get(this.header.panel);
    return this.panels.find((panel) => panel.id === id) ?? this.panels[0];
  }

  // ---- what is selected

  get chosen() {
    const now = this.header.run ? this.get(this.header.run) : null;
    return Math.max(0, this.ids.indexOf(now));
  }

  get at() {
    const { step, courses } = this.header;
    const last = courses[this.chosen]?.steps ?? 0;
    return step ? clamp(this.integer(step) ?? last, 1, Math.max(1, last)) : last;
  }

  set(patch) {
    const { run, step } = this.header;
    const named = {};
    if (run && patch.run !== undefined) named[run] = patch.run;
    if (step && patch.step !== undefined) named[step] = patch.step;
    if (Object.keys(named).length) this.select(named);
  }

  key(event) {
    if (!this.header.step || event.target.localName !== "svg") return;
    const last = this.header.courses[this.chosen].steps;
    const runs = this.ids.length;
    const to = pressed(event, {
      ArrowLeft: { step: this.at - 1 },
      ArrowRight: { step: this.at + 1 },
      PageDown: { step: this.at + 10 },
      PageUp: { step: this.at - 10 },
      Home: { step: 1 },
      End: { step: last },
      ArrowUp: { run: this.ids[(this.chosen + runs - 1) % runs] },
      ArrowDown: { run: this.ids[(this.chosen + 1) % runs] },
    });
    if (!to) return;
    this.set(to.step === undefined ? to : { step: clamp(to.step, 1, last) });
    this.heard.textContent = `${this.header.courses[this.chosen].name}, ${this.header.words.step} ${this.at}`;
  }

  // ---- drawing

  draw() {
    const { header } = this;
    this.inks = inks(this.root, this.ids);
    this.keepingFocus(() => this.legend.replaceChildren(...header.courses.map((course, i) => this.entry(course, i))));
    this.svg.dataset.panel = this.seen.id;
    this.named(this.svg, "application", this.seen.name);
    this.panel(this.seen);
    this.placeNames(this.seen);
    this.keepingFocus(() => this.drawMatrix());
    const stepwise = this.seen.of === "step" && !header.veiled;
    this.note.textContent = (stepwise ? header.words.smoothed : "") + header.seeds;
  }

  entry({ id, name }, i) {
    const plain = !this.header.run;
    const entry = make(plain ? "span" : "button", i === this.chosen ? "run on" : "run", name);
    const sample = vector("svg", { viewBox: `0 0 ${SAMPLE} 4`, "aria-hidden": true });
    sample.append(vector("path", { d: `M0,2H${SAMPLE}`, stroke: this.inks.get(id), "stroke-dasharray": dashOf(i) }));
    entry.prepend(sample);
    if (plain) return entry;
    entry.dataset.at = `run-${id}`;
    entry.setAttribute("aria-pressed", String(i === this.chosen));
    entry.onclick = () => this.set({ run: id });
    return entry;
  }

  values(panel, k, seed = 0) {
    return this.curves[k][seed]?.[panel.id] ?? [];
  }

  /** As a line is drawn: judged now and then as they are, of every step smoothed. */
  smooth(panel, k, seed = 0) {
    const values = this.values(panel, k, seed);
    return panel.of === "look" ? values : smoothed(values, Math.round(REACH * this.header.steps), panel.log);
  }

  stepsOf(panel, k) {
    const { steps, looks } = this.header.courses[k];
    return panel.of === "look" ? looks : Array.from({ length: steps }, (_, i) => i + 1);
  }

  range(panel) {
    let [low, high] = [Infinity, -Infinity];
    const see = (value) => {
      if (!Number.isFinite(value) || (panel.log && value <= 0)) return;
      low = Math.min(low, value);
      high = Math.max(high, value);
    };
    this.curves.forEach((seeds) => seeds.forEach((curves) => curves[panel.id].forEach(see)));
    if (panel.id !== "gradient" && panel.log && this.header.guessing) see(this.header.guessing);
    if (!panel.log) [low, high] = [0, 1];
    if (low > high) [low, high] = [0.1, 10];
    panel.low = panel.log ? Math.log10(low) : low;
    panel.high = panel.log ? Math.log10(high) : high;
    if (panel.high - panel.low < 0.3) panel.high = panel.low + 0.3;
    panel.high += (panel.high - panel.low) * 0.04;
  }

  x(step) {
    return LEFT + (step / Math.max(1, this.header.steps)) * this.wide;
  }

  y(panel, value) {
    const height = panel.log ? Math.log10(value) : value;
    return TOP + (TALL - TOP - FOOT) * (1 - (height - panel.low) / (panel.high - panel.low));
  }

  panel(panel) {
    const { header } = this;
    const width = this.box.clientWidth || 300;
    const longest = Math.max(...header.courses.map(({ name }) => widthOf(name, 13)));
    this.atEnds = width >= NARROW && header.courses.length > 1 && longest <= LONGEST && !header.veiled;
    const beside = this.atEnds ? longest + SAMPLE + 20 : widthOf(header.words.step, 13) + RIGHT + 6;
    this.right = width < NARROW ? RIGHT : beside;
    this.wide = width - LEFT - this.right;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${TALL}`);
    if (header.veiled) {
      const at = { x: width / 2, y: TALL / 2, "text-anchor": "middle", class: "word" };
      this.svg.replaceChildren(this.frame(), vector("text", at, header.words.veiled));
      return;
    }
    this.range(panel);
    const order = this.ids.map((_, k) => k).sort((a, b) => (a === this.chosen) - (b === this.chosen));
    const lines = order.map((k) => this.line(panel, k, this.smooth(panel, k), k === this.chosen ? "here" : ""));
    const raw = panel.of === "step" ? [this.line(panel, this.chosen, this.values(panel, this.chosen), "raw")] : [];
    this.svg.replaceChildren(
      ...this.ticks(panel).flatMap((value) => this.grid(panel, value)),
      ...this.along(),
      ...this.level(panel),
      ...order.map((k) => this.band(panel, k)),
      ...raw,
      ...lines,
      ...(header.step ? [this.upright(this.at, "at")] : []),
      ...(this.pointed == null ? [] : [this.upright(this.pointed, "pointer")]),
    );
  }

  frame() {
    return vector("rect", { x: LEFT, y: TOP, width: this.wide, height: TALL - TOP - FOOT, class: "veil" });
  }

  line(panel, k, values, look) {
    let path = "";
    let open = false;
    this.stepsOf(panel, k).forEach((step, i) => {
      const seen = this.shows(panel, values[i]);
      if (seen) path += `${open ? "L" : "M"}${this.x(step).toFixed(1)},${this.y(panel, values[i]).toFixed(1)}`;
      open = seen;
    });
    const ink = { stroke: this.inks.get(this.ids[k]), "stroke-dasharray": look === "raw" ? "none" : dashOf(k) };
    return vector("path", { d: path, class: look, ...ink });
  }

  shows(panel, value) {
    return Number.isFinite(value) && (!panel.log || value > 0);
  }

  /** The ground between the least and the most of a run's seeds. */
  band(panel, k) {
    const seeds = this.curves[k].map((_, seed) => this.smooth(panel, k, seed));
    const edge = (most) =>
      this.stepsOf(panel, k).flatMap((step, i) => {
        const there = seeds.map((values) => values[i]).filter((value) => this.shows(panel, value));
        return there.length ? [`${this.x(step).toFixed(1)},${this.y(panel, most(...there)).toFixed(1)}`] : [];
      });
    const around = seeds.length > 1 ? [...edge(Math.max), ...edge(Math.min).reverse()] : [];
    const path = around.length ? `M${around.join("L")}Z` : "";
    return vector("path", { d: path, class: "band", fill: this.inks.get(this.ids[k]) });
  }

  /** The names beside the ends of the lines, where there is room: the lower of two that would touch moves down. */
  placeNames(panel) {
    this.legend.classList.toggle("ends", this.atEnds);
    if (!this.atEnds) return;
    const places = this.ids.map((_, k) => {
      const end = this.smooth(panel, k).findLast((value) => this.shows(panel, value));
      return { k, y: end === undefined ? TALL - FOOT : this.y(panel, end) };
    });
    places.sort((one, other) => one.y - other.y);
    places.forEach((one, i) => {
      if (i) one.y = Math.max(one.y, places[i - 1].y + PITCH);
    });
    let under = TALL - FOOT + PITCH; // none beneath the axis
    for (const one of places.toReversed()) under = one.y = Math.min(one.y, under - PITCH);
    this.legend.style.left = `${LEFT + this.wide + 6}px`;
    for (const { k, y } of places) this.legend.children[k].style.top = `${y - PITCH / 2}px`;
  }

  upright(step, look) {
    return vector("line", { x1: this.x(step), x2: this.x(step), y1: TOP, y2: TALL - FOOT, class: look });
  }

  across(y, look) {
    return vector("line", { x1: LEFT, x2: LEFT + this.wide, y1: y, y2: y, class: look });
  }

  ticks(panel) {
    if (!panel.log) return [0, 0.5, 1];
    const powers = [];
    for (let power = Math.ceil(panel.low - 1e-9); power <= panel.high; power++) powers.push(10 ** power);
    const every = Math.ceil(powers.length / 4);
    if (powers.length > 1) return powers.filter((_, i) => i % every === 0);
    return roundSteps(10 ** panel.low, 10 ** panel.high, 3);
  }

  grid(panel, value) {
    const y = this.y(panel, value);
    const text = value.toLocaleString("en-US", { maximumFractionDigits: 8 });
    return [this.across(y, "grid"), vector("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text)];
  }

  along() {
    const bottom = TALL - FOOT + 15;
    const stops = roundSteps(0, this.header.steps, this.wide < 200 ? 2 : 4);
    const last = this.header.steps;
    const anchor = (step) => (step > 0.95 * last ? "end" : "middle");
    const edge = (step) => this.x(step) + (step > 0.95 * last ? RIGHT : 0);
    const unit = { x: LEFT + this.wide + RIGHT + 6, y: bottom, class: "word" };
    return [
      ...stops.map((step) => vector("text", { x: edge(step), y: bottom, "text-anchor": anchor(step) }, grouped(step))),
      ...(this.right > RIGHT ? [vector("text", unit, this.header.words.step)] : []),
    ];
  }

  level(panel) {
    const { guessing, guessWord } = this.header;
    if (guessing === null || panel.id === "gradient" || !panel.log) return [];
    const y = this.y(panel, guessing);
    const at = { x: LEFT + this.wide - 4, y: y - 5, "text-anchor": "end", class: "word guess" };
    return [this.across(y, "level"), vector("text", at, guessWord)];
  }

  // ---- the matrix

  drawMatrix() {
    const { header } = this;
    const course = header.courses[this.chosen];
    const kept = this.matrices[this.chosen] ?? [];
    this.matrix.hidden = !kept.length;
    const name = this.matrix.querySelector("summary") ?? this.matrix.appendChild(make("summary"));
    name.dataset.at = "matrix";
    name.replaceChildren(...typeset([header.words.runs]));
    if (!kept.length || !this.matrix.open) return this.matrix.replaceChildren(name);
    const i = Math.max(
      0,
      course.kept.findLastIndex((step) => step <= (this.at === 1 ? 0 : this.at)),
    );
    const [rows, columns] = course.size;
    const first = kept[0];
    const change = kept[i].map((value, place) => value - first[place]);
    const reach = Math.max(...kept.flatMap((one) => [...one].map(Math.abs)), 1e-9);
    const title = header.words.matrix.replace("{run}", course.name).replace("{step}", grouped(course.kept[i]));
    const changed = header.words.changed.replace("{step}", grouped(course.kept[i]));
    const two = make("div", "two");
    two.append(this.canvas(kept[i], rows, columns, reach, title));
    if (course.kept[i]) two.append(this.canvas(change, rows, columns, reach, changed)); // before that there is none
    const parts = [name, two];
    if (header.step && course.kept.length <= 8) parts.push(this.stops(course, i));
    this.matrix.replaceChildren(...parts);
  }

  canvas(values, rows, columns, reach, text) {
    const box = make("figure");
    const canvas = pixels(values, rows, columns, scale(this.root, true, reach), veil(this.root));
    this.named(canvas, "img", text);
    box.append(canvas, make("figcaption", "", text));
    return box;
  }

  stops(course, now) {
    const bar = make("div", "stops");
    course.kept.forEach((step, i) => {
      const button = bar.appendChild(make("button", i === now ? "on" : "", grouped(step)));
      button.dataset.at = `kept-${step}`;
      button.setAttribute("aria-pressed", String(i === now));
      button.setAttribute("aria-label", `${this.header.words.step} ${step}`);
      button.title = this.header.words.help;
      button.onclick = () => this.set({ step: Math.max(1, step) });
    });
    return bar;
  }

  // ---- what a hand does

  stepAt(panel, event) {
    const share = (within(event, this.svg).x - LEFT) / this.wide;
    return clamp(Math.round(share * this.header.steps), panel.of === "look" ? 0 : 1, this.header.steps);
  }

  /** The place of the latest value at or before a step; -1 where there is none. */
  place(panel, k, step) {
    const { steps, looks } = this.header.courses[k];
    return panel.of === "look" ? looks.findLastIndex((look) => look <= step) : step <= steps ? step - 1 : -1;
  }

  point(event) {
    if (this.header.veiled) return;
    const panel = this.seen;
    const some = event && this.header.courses.some(({ steps }) => steps);
    const step = some ? this.stepAt(panel, event) : null;
    this.pointed = some && panel.of === "look" ? this.lookAt(step) : step;
    this.panel(panel);
    if (!some) return showTip(this.tip, null);
    const said = this.header.courses.map(({ name }, k) => {
      const i = this.place(panel, k, this.pointed);
      return i < 0 ? "" : `${short(this.values(panel, k)[i])}  ${name}`;
    });
    const text = [`${this.header.words.step} ${grouped(this.pointed)}`, ...said.filter(Boolean)].join("\n");
    showTip(this.tip, text, { x: this.x(this.pointed), y: TOP + 20, gap: 10, width: this.box.clientWidth });
  }

  lookAt(step) {
    const looks = this.header.courses.flatMap((course) => course.looks);
    return looks.reduce((best, look) => (Math.abs(look - step) < Math.abs(best - step) ? look : best), looks[0] ?? 0);
  }

  pick(event) {
    if (this.header.veiled || !this.header.step) return;
    const panel = this.seen;
    const step = this.stepAt(panel, event);
    const { y } = within(event, this.svg);
    const away = (k) => {
      const i = this.place(panel, k, step);
      const value = i < 0 ? NaN : this.values(panel, k)[i];
      return Number.isFinite(value) && value > 0 ? Math.abs(this.y(panel, value) - y) : Infinity;
    };
    const nearest = this.ids.reduce((best, _, k) => (away(k) < away(best) ? k : best), this.chosen);
    const run = away(nearest) < NEAR ? nearest : this.chosen;
    const last = Math.max(1, this.header.courses[run].steps);
    this.set({ run: this.ids[run], step: clamp(step, 1, last) });
  }
}

const dashOf = (k) => DASHES[k % DASHES.length];

export default component(Runs);
