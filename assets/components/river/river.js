// One token's vector on its way through the layers as a river, from bottom to top: as wide as the vector is long. From
// the left comes what attention writes, from the right what the feed-forward network writes, as wide as that is long.

import { boxOf, inks, make, showTip, tipIn, vector, within, yielding } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp, Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A sub-layer: ‖x‖ before it, ‖Δ‖ that it writes, ‖x + Δ‖, and ‖x‖ as it leaves (normalised, where a norm follows);
 * without its numbers while a question asks for them. `picks` is what a press selects.
 * @typedef {{layer: number, side: "left" | "right", name: string, before: number | null, written: number | null,
 *   added: number | null, after: number | null, picks: Record<string, string | number>}} Step
 *
 * @typedef {{steps: Step[], words: {label: string, title: string, left: string, right: string,
 *   layer: string, said: string, veiled: string, caption: string}}} Data
 */

const TALL = 400; // pixels of all steps
const [LEAST, MOST] = [7, 60]; // and of one
const TOP = 22;
const EDGE = 36; // of the numbers at either side
const INDENT = 4; // and before them
const BEND = 0.26; // steps that an inflow rises
const THICKEST = 1.2; // steps, the broadest of what comes in: the next on its side is two steps on
const WIDEST = 0.5; // of the room, the widest place of the river
const KEYS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, Home: -1e6, End: 1e6 };

class River extends Picture {
  static className = "river";
  static speaks = true;

  build() {
    this.heading = this.root.appendChild(make("h2"));
    this.box = this.root.appendChild(make("div", "box"));
    this.caption = this.root.appendChild(make("p", "caption"));
    this.tip = tipIn(this.root);
    this.box.tabIndex = 0;
    this.box.onkeydown = (event) => this.move(event);
    this.box.onpointermove = (event) => this.point(event);
    this.box.onpointerleave = () => showTip(this.tip, null);
    this.box.onclick = (event) => this.pick(this.stepOf(event));
  }

  take(data) {
    this.data = data;
    this.named(this.box, "application", data.words.label);
    this.heading.textContent = data.words.title;
    this.caption.textContent = data.words.caption;
  }

  get chosen() {
    const on = ({ picks }) => Object.entries(picks).every(([name, value]) => String(this.get(name)) === String(value));
    return this.data.steps.findIndex(on);
  }

  // ---- drawing

  draw() {
    const { steps } = this.data;
    const [, , left, , , , right] = inks(this.root, [0, 1, 2, 3, 4, 5, 6]).values(); // as on the sheet
    this.ink = { left, right };
    const at = this.place();
    const svg = vector("svg", { ...at.size, viewBox: `0 0 ${at.size.width} ${at.size.height}` });
    const draw = (...nodes) => svg.append(...nodes);
    draw(...this.sides(at));
    steps.forEach((step, i) => draw(...this.target(at, step, i)));
    steps.forEach((step, i) => step.written !== null && draw(this.inflow(at, step, i)));
    draw(vector("path", { d: this.banks(at, steps), class: "stream" }));
    steps.forEach((step, i) => draw(...this.numbers(at, step, i)));
    this.box.replaceChildren(svg);
    this.store.lend("river", { owner: this, layer: (layer) => this.layer(layer) });
  }

  /** Where a layer's steps lie on the screen, for a picture that opens one beside. */
  layer(layer) {
    const boxes = [...this.box.querySelectorAll(`[data-layer="${layer}"]`)].map(boxOf);
    return (
      boxes.length && {
        right: boxes[0].right,
        top: Math.min(...boxes.map(({ top }) => top)),
        bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
      }
    );
  }

  /** Where things stand: `point` takes how far along the river and how far to the side of it, `pitch` is a step's
   * length, `across` all that lies to both sides. */
  place() {
    const { steps } = this.data;
    const width = this.root.clientWidth || 280;
    const long = Math.min(TALL, MOST * steps.length);
    const pitch = yielding(Math.max(LEAST, long / steps.length), LEAST);
    const height = TOP + pitch * steps.length + 4;
    const across = width - 2 * EDGE;
    const lengths = steps.flatMap(({ before, added, after }) => [before, added, after]);
    const inflow = (THICKEST * pitch) / greatest(steps.map(({ written }) => written));
    const scale = Math.min((WIDEST * across) / greatest(lengths), inflow);
    const point = (along, aside) => [width / 2 + aside, height - 4 - along];
    return { size: { width, height }, pitch, across, scale, point };
  }

  sides({ size }) {
    const { words } = this.data;
    return [
      vector("text", { x: 0, y: 12, class: "side" }, words.left),
      vector("text", { x: size.width, y: 12, class: "side", "text-anchor": "end" }, words.right),
    ];
  }

  target({ size, pitch, point }, { layer }, i) {
    const { width } = size;
    const band = vector("rect", { x: 0, y: point((i + 1) * pitch, 0)[1], width, height: pitch, class: "band" });
    band.classList.toggle("on", layer === this.data.steps[this.chosen]?.layer);
    Object.assign(band.dataset, { step: i, layer });
    if (!i || layer === this.data.steps[i - 1].layer) return [band];
    const y = point(i * pitch, 0)[1];
    return [band, vector("line", { x1: 0, x2: width, y1: y, y2: y, class: "layer" })];
  }

  /** Both banks of the river, the left one forwards and the right one back again. */
  banks({ pitch, scale, point }, steps) {
    const points = [];
    let known = steps.find(({ before }) => before !== null)?.before ?? 0;
    steps.forEach(({ before, added, after }, i) => {
      const at = (part, length) => points.push([(known = length ?? known) * scale, (i + part) * pitch]);
      at(0, before);
      at(0.3, before);
      at(0.62, added);
      at(0.74, added);
      at(1, after);
    });
    const bend = (sign, [wide, from], [next, to]) => {
      const middle = (from + to) / 2; // half way it is as wide as half way between
      return `C${point(middle, (sign * wide) / 2)} ${point(middle, (sign * next) / 2)} ${point(to, (sign * next) / 2)}`;
    };
    const bank = (sign, all) => all.slice(1).map((next, i) => bend(sign, all[i], next));
    const [[first, begin], [last, end]] = [points[0], points.at(-1)];
    const there = [`M${point(begin, -first / 2)}`, ...bank(-1, points)];
    return [...there, `L${point(end, last / 2)}`, ...bank(1, points.reverse()), "Z"].join("");
  }

  // From the side, bending into the river, which hides its end; as broad as what is written is long, inside its layer.
  inflow({ pitch, across, scale, point }, { side, written, added }, i) {
    const sign = side === "left" ? -1 : 1;
    const wide = Math.max(1, written * scale);
    const { steps } = this.data;
    const same = (k) => steps[k]?.layer === steps[i].layer;
    const half = wide / 2 / pitch;
    const [low, high] = [same(i - 1) ? i - 1 : i, same(i + 1) ? i + 2 : i + 1];
    const into = clamp(i + 0.66, low + BEND + half, Math.max(low + BEND + half, high - half));
    const [begin, end] = [(into - BEND) * pitch, into * pitch];
    const path = [point(begin, (sign * across) / 2), point(begin, (sign * added * scale) / 2), point(end, 0)];
    const inflow = vector("path", { d: `M${path[0]} Q${path[1]} ${path[2]}`, class: "inflow", "stroke-width": wide });
    inflow.style.stroke = this.ink[side];
    inflow.classList.toggle("on", i === this.chosen);
    return inflow;
  }

  // Of each step how long what is written is, relative to the stream; of each layer its number.
  numbers({ size, pitch, point }, { side, before, written, layer }, i) {
    const last = layer !== this.data.steps[i + 1]?.layer; // over the number of its attention there is room
    const middle = point((i + 0.5) * pitch, 0)[1] + 4;
    const found = [];
    if (last && (pitch >= 18 || layer % 5 === 0 || layer === 1)) {
      const said = this.data.words.layer.replace("{layer}", layer);
      found.push(vector("text", { x: INDENT, y: middle, class: "number" }, said));
    }
    if (pitch < 18) return found;
    const share = written === null ? "…" : (written / before).toFixed(2);
    const place = side === "left" ? { x: INDENT } : { x: size.width - INDENT, "text-anchor": "end" };
    const look = i === this.chosen ? "share on" : "share";
    return [...found, vector("text", { ...place, y: middle, class: look }, share)];
  }

  // ---- what a hand does

  stepOf(event) {
    const [target] = event.composedPath();
    return target.dataset?.step === undefined ? null : Number(target.dataset.step);
  }

  sentence(i) {
    const { steps, words } = this.data;
    const { layer, name, before, written, added, after } = steps[i];
    if (written === null) return words.veiled;
    const facts = {
      layer,
      name,
      before: short(before),
      written: short(written),
      added: short(added),
      after: short(after),
    };
    return words.said.replace(/\{(\w+)\}/g, (_, key) => facts[key]);
  }

  point(event) {
    const i = this.stepOf(event);
    const { x, y, width } = within(event, this.root);
    showTip(this.tip, i === null ? null : this.sentence(i), { x, y: y + 16, width });
  }

  pick(i) {
    if (i !== null) this.select(this.data.steps[i].picks);
  }

  move(event) {
    const step = pressed(event, KEYS);
    if (!step) return;
    const i = clamp(Math.max(0, this.chosen) + step, 0, this.data.steps.length - 1);
    this.heard.textContent = this.sentence(i);
    this.pick(i);
  }
}

const greatest = (lengths) => Math.max(...lengths.map((length) => length ?? 0), 1e-9);

export default component(River);
