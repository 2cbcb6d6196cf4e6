// One token's vector on its way through the layers, from bottom to top, as a river: as wide as the vector is long. From
// the left comes what attention writes, from the right what the feed-forward network writes, as wide as that is long.

import { make, showTip, tipIn, vector, within, yielding } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp, Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A sub-layer: ‖x‖ before it, ‖Δ‖ that it writes, ‖x + Δ‖, and ‖x‖ as it leaves (normalised, where a norm follows);
 * without its numbers while a question asks for them. `picks` is what a press selects.
 * @typedef {{layer: number, side: "left" | "right", name: string, before: number | null, written: number | null,
 *   added: number | null, after: number | null, picks: Record<string, string | number>}} Step
 *
 * @typedef {{steps: Step[], words: {label: string, title: string, left: string, right: string, layer: string,
 *   said: string, veiled: string, caption: string}}} Data
 */

const TALL = 420; // pixels of all steps
const LEAST = 10; // and of one
const TOP = 22;
const EDGE = 40; // of the numbers at either side
const WIDEST = 0.5; // of the room, the widest place of the river
const KEYS = { ArrowUp: 1, ArrowDown: -1, Home: -1e6, End: 1e6 };

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
    const { steps, words } = this.data;
    const width = this.root.clientWidth || 280;
    const high = yielding(Math.max(LEAST, TALL / steps.length), LEAST);
    const height = TOP + high * steps.length + 4;
    const svg = vector("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
    const lengths = steps.flatMap(({ before, added, after }) => [before, added, after]);
    const widest = (WIDEST * (width - 2 * EDGE)) / greatest(lengths);
    const scale = Math.min(widest, (0.85 * high) / greatest(steps.map(({ written }) => written)));
    const at = { svg, width, high, scale, middle: width / 2, y: (i) => height - 4 - i * high };
    this.drawSides(at, words);
    steps.forEach((step, i) => this.drawTarget(at, step, i));
    svg.append(vector("polygon", { points: this.banks(at, steps).join(" "), class: "stream" }));
    steps.forEach((step, i) => step.written !== null && this.drawInflow(at, step, i));
    steps.forEach((step, i) => this.drawNumber(at, step, i));
    this.box.replaceChildren(svg);
  }

  drawSides({ svg, width }, words) {
    svg.append(vector("text", { x: 0, y: 12, class: "side" }, words.left));
    svg.append(vector("text", { x: width, y: 12, "text-anchor": "end", class: "side" }, words.right));
  }

  drawTarget({ svg, width, high, y }, step, i) {
    const band = vector("rect", { x: 0, y: y(i + 1), width, height: high, class: "band" });
    band.classList.toggle("on", i === this.chosen);
    band.dataset.step = i;
    svg.append(band);
    if (step.side === "left" && i > 0)
      svg.append(vector("line", { x1: 0, x2: width, y1: y(i), y2: y(i), class: "layer" }));
  }

  /** Both banks of the river, the left one upwards and the right one down again. */
  banks({ high, scale, middle, y }, steps) {
    const points = [];
    let known = 0;
    steps.forEach(({ before, added, after }, i) => {
      const at = (part, length) => points.push([(known = length ?? known) * scale, y(i) - part * high]);
      at(0, before);
      at(0.35, before);
      at(0.6, added);
      at(0.78, added);
      at(1, after);
    });
    const bank = (sign) => points.map(([wide, y]) => `${middle + (sign * wide) / 2},${y}`);
    return [...bank(-1), ...bank(1).reverse()];
  }

  // From the side, bending up into the river, along whose bank it joins; as broad as what is written is long.
  drawInflow({ svg, width, high, scale, middle, y }, { side, written, added }, i) {
    const sign = side === "left" ? -1 : 1;
    const wide = Math.max(1, written * scale);
    const from = middle + sign * (width / 2 - EDGE);
    const to = middle + (sign * Math.max(0, added * scale - wide)) / 2;
    const [low, top] = [y(i) - 0.3 * high, y(i) - 0.8 * high];
    const inflow = vector("path", { d: `M${from},${low} Q${to},${low} ${to},${top}`, class: "inflow" });
    inflow.setAttribute("stroke-width", wide);
    inflow.classList.toggle("on", i === this.chosen);
    svg.append(inflow);
  }

  drawNumber({ svg, width, high, y }, { side, before, written, layer }, i) {
    const left = side === "left";
    const middle = y(i) - high / 2 + 4;
    if (left && (high >= 18 || layer % 5 === 0 || layer === 1)) {
      const name = vector("text", { x: width, y: y(i) - 4, "text-anchor": "end", class: "number" }, `${layer}`);
      svg.append(name);
    }
    if (high < 18) return;
    const share = written === null ? "…" : (written / before).toFixed(2);
    const text = vector("text", { x: left ? 0 : width, y: middle - (left ? 0 : 4) }, share);
    text.setAttribute("text-anchor", left ? "start" : "end");
    text.setAttribute("class", i === this.chosen ? "share on" : "share");
    svg.append(text);
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
