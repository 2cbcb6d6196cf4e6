// One token's stream through the layers, from bottom to top. What a sub-layer adds is an arrow into it, from the left
// what attention adds, from the right what the feed-forward network adds, as long as that is, measured by the stream
// itself: at a dotted line it is as long as the stream.

import { inks, make, showTip, tipIn, told, vector, within, yielding } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp, Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A sub-layer: ‖x‖ before it, ‖Δ‖ that it writes and the `share` of ‖x‖ that is, as it is written; ‖x + Δ‖, and ‖x‖ as
 * it leaves (normalised, where a norm follows); without its numbers while a question asks for them. `picks` is what a
 * press selects.
 * @typedef {{layer: number, side: "left" | "right", name: string, before: number | null, written: number | null,
 *   share: string | null, added: number | null, after: number | null, picks: Record<string, string | number>}} Step
 *
 * Arrows more than `longest` times as long as the stream are cut.
 * @typedef {{steps: Step[], longest: number, words: {label: string, title: string, left: string, right: string,
 *   layer: string, said: string, veiled: string, caption: string}}} Data
 */

const [TALL, LOW, NARROW] = [384, 228, 500]; // pixels of all steps; on a phone, so narrow that the last is seen, too
const [LEAST, MOST] = [7, 60]; // and of one
const TOP = 22;
const FOOT = 18;
const STEM = 14; // how broad the stream is
const EDGE = 46; // at either side, for a layer's number or an arrow's
const ROOMY = 26; // of a step: from here on its number stands over its arrow,
const NUMBERED = 14; // from here on behind it; of narrower steps only some have one
const HEAD = 8; // of an arrow
const ASKED = 0.55; // of the longest arrow: how long is drawn what is asked about
const INDENT = 4; // of a layer's number
const MARGIN = 10; // outside the arrows, where their numbers stand over them
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
    this.caption.replaceChildren(...told(data.words.caption));
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
    draw(...this.scale(at), ...this.stem(at));
    steps.forEach((step, i) => draw(...this.addition(at, step, i)));
    steps.forEach((step, i) => draw(...this.layerNumber(at, step, i), ...this.share(at, step, i)));
    this.box.replaceChildren(svg);
  }

  /** Where things stand: `y` is the top of a step and `middle` that of its arrow, `x` how far out a share reaches on
   * a side, both in pixels; `end` is the longest share that is drawn. */
  place() {
    const { steps, longest } = this.data;
    const width = this.root.clientWidth || 280;
    const long = Math.min(width < NARROW ? LOW : TALL, MOST * steps.length);
    const pitch = yielding(Math.max(LEAST, long / steps.length), LEAST);
    const foot = TOP + pitch * steps.length;
    const [roomy, numbered] = [pitch >= ROOMY, pitch >= NUMBERED];
    const end = clamp(Math.max(...steps.map((step) => shareOf(step) ?? 0)), 1, longest);
    const unit = (width / 2 - STEM / 2 - (roomy ? MARGIN : EDGE)) / end;
    const sign = (side) => (side === "left" ? -1 : 1);
    const x = (side, share) => width / 2 + sign(side) * (STEM / 2 + share * unit);
    const y = (i) => foot - (i + 1) * pitch;
    const middle = (i) => y(i) + pitch / 2 + (roomy ? 7 : 0);
    return { size: { width, height: foot + FOOT }, pitch, foot, roomy, numbered, end, sign, x, y, middle };
  }

  /** What comes from either side, named at the stream, in its colour. */
  sides({ x, sign }) {
    const { words } = this.data;
    const ruler = make("canvas").getContext("2d");
    ruler.font = `12px ${getComputedStyle(this.root).fontFamily}`;
    return ["left", "right"].flatMap((side) => {
      const [at, wide] = [x(side, 0) + 8 * sign(side), ruler.measureText(words[side]).width];
      const anchor = side === "left" ? "end" : "start";
      const line = { x: side === "left" ? at - wide : at, y: 14, width: wide, height: 2 };
      const underline = vector("rect", line);
      underline.style.fill = this.ink[side];
      return [vector("text", { x: at, y: 10, class: "side", "text-anchor": anchor }, words[side]), underline];
    });
  }

  target({ size, pitch, numbered, y }, { layer }, i) {
    const { width } = size;
    const band = vector("rect", { x: 0, y: y(i), width, height: pitch, class: "band" });
    band.classList.toggle("on", layer === this.data.steps[this.chosen]?.layer);
    Object.assign(band.dataset, { step: i, layer });
    if (!numbered || !i || layer === this.data.steps[i - 1].layer) return [band];
    return [band, vector("line", { x1: 0, x2: width, y1: y(i - 1), y2: y(i - 1), class: "layer" })];
  }

  /** On either side, where an arrow would be as long as the stream; under it, what that is. */
  scale({ foot, x }) {
    return ["left", "right"].flatMap((side) => {
      const at = x(side, 1);
      return [
        vector("line", { x1: at, x2: at, y1: TOP, y2: foot, class: "one" }),
        vector("text", { x: at, y: foot + 14, class: "side", "text-anchor": "middle" }, "×1"),
      ];
    });
  }

  /** Straight through all layers, whatever is added. */
  stem({ size, foot }) {
    const [left, right] = [size.width / 2 - STEM / 2, size.width / 2 + STEM / 2];
    const top = `L${left},${TOP} L${size.width / 2},${TOP - STEM / 2} L${right},${TOP}`;
    return [vector("path", { d: `M${left},${foot} ${top} L${right},${foot} Z`, class: "stream" })];
  }

  addition(at, step, i) {
    const share = shareOf(step);
    if (share === null) return [this.asked(at, step, i)];
    const arrow = vector("path", { d: outline(at, step.side, share, at.middle(i)), class: "added" });
    arrow.style.fill = this.ink[step.side];
    arrow.classList.toggle("on", i === this.chosen);
    const drawn = [arrow];
    if (share > at.end) drawn.push(cut(at, step.side, at.middle(i)));
    if (at.numbered) drawn.push(plus(at.size.width / 2, at.middle(i)));
    return drawn;
  }

  // The same on both sides: how long it is, is what is asked.
  asked(at, { side }, i) {
    return vector("path", { d: outline(at, side, ASKED * at.end, at.middle(i)), class: "added asked" });
  }

  // Where steps are narrow, of every fifth layer.
  layerNumber({ pitch, numbered, y }, { layer }, i) {
    const last = layer !== this.data.steps[i + 1]?.layer; // beside what the feed-forward network adds there is room
    if (!last || (!numbered && layer % 5 && layer !== 1)) return [];
    const said = this.data.words.layer.replace("{layer}", layer);
    return [vector("text", { x: INDENT, y: y(i) + pitch / 2 + 4, class: "number" }, said)];
  }

  // How long what is added is; where steps are narrow, of what is chosen and of what is cut alone.
  share({ roomy, numbered, end, x, middle, sign }, step, i) {
    const share = shareOf(step);
    const chosen = i === this.chosen;
    if (!numbered && !chosen && !(share > end)) return [];
    const [out, up] = roomy ? [0, -9 - HEAD / 4] : [Math.min(share, end), 4];
    const anchor = step.side === "left" ? "end" : "start";
    if (share === null) {
      const behind = { x: x(step.side, ASKED * end) + 12 * sign(step.side), y: middle(i) + 5 };
      return [vector("text", { ...behind, class: "question", "text-anchor": "middle" }, "?")];
    }
    const place = { x: x(step.side, out) + 4 * sign(step.side), y: middle(i) + up, "text-anchor": anchor };
    return [vector("text", { ...place, class: chosen ? "share on" : "share" }, step.share)];
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

const shareOf = ({ written, before }) => (written === null ? null : written / before);

/** An arrow that ends at the stem. */
function outline({ pitch, numbered, end, x, sign }, side, share, y) {
  const half = numbered ? clamp(pitch / 8, 3, 5) : pitch * 0.36;
  const [tip, tail] = [x(side, 0), x(side, Math.min(share, end))];
  if (!numbered) return `M${tip},${y - half} H${tail} V${y + half} H${tip} Z`;
  const wide = half + 3;
  const neck = tip + sign(side) * Math.min(HEAD, Math.abs(tail - tip));
  return `M${tip},${y} L${neck},${y - wide} V${y - half} H${tail} V${y + half} H${neck} V${y + wide} Z`;
}

/** Two gaps near the tail of an arrow that is longer than drawn. */
function cut({ end, x, sign }, side, y) {
  const gap = (off) => `M${x(side, end) - sign(side) * off - 3},${y + 9} l6,-18`;
  return vector("path", { d: gap(9) + gap(15), class: "cut" });
}

const plus = (x, y) => vector("path", { d: `M${x - 4},${y} h8 M${x},${y - 4} v8`, class: "plus" });

export default component(River);
