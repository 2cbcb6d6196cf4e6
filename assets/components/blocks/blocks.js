// One layer in three arrangements: where the norm sits, and how far each state's numbers spread. The stream is the
// thick line, as wide as its numbers are spread (logarithmic, one scale for all three): in post-norm it runs through
// the norms, in pre-norm past them. Stack and layer shown are the selection's; below, every layer's output.

import { make, vector } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { entry, Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A norm may stand before the first layer (`entrance`) or after the last (`exit`) only. `stream` is the spread of the
 * input and of each layer's output, `states` those within each layer.
 * @typedef {{id: string, norm: "post" | "pre" | "input", title: string, formula: string, note: string,
 *   entrance: boolean, exit: boolean, stream: number[],
 *   states: {id: string, name: string, spread: number}[][]}} Arrangement
 *
 * @typedef {{layers: number, parts: {id: string, name: string}[], arrangements: Arrangement[],
 *   words: {entrance: string, exit: string}}} Stack
 *
 * `param` and `stack` are the parameters that select the layer and the stack; `low` and `high` the ends of the scale.
 * @typedef {{param: string, stack: string, low: number, high: number, stacks: Record<string, Stack>,
 *   words: {norm: string, in: string, diagram: string, layer: string}}} Data
 */

const STREAM = 84; // where the lines run
const BRANCH = 196;
const TOP = 44;
const PART = 148; // how high a sub-layer is
const FOOT = 66; // what is below the last

class Blocks extends Picture {
  static className = "blocks";

  draw() {
    const { stacks, stack, param, words } = this.data;
    const shown = entry(stacks, this.get(stack)) ?? Object.values(stacks)[0];
    const layer = this.index(param, shown.layers + 1, 1);
    const now = { ...this.data, ...shown, layer: Math.max(0, layer - 1), words: { ...words, ...shown.words } };
    const figures = now.arrangements.map((arrangement) => this.figure(now, arrangement));
    this.keepingFocus(() => this.root.replaceChildren(...figures));
  }

  figure(now, arrangement) {
    const { id, title, formula, note } = arrangement;
    const box = make("figure");
    box.dataset.arrangement = id;
    box.append(make("h3", "", title), make("div", "formula", formula), new Diagram(now, arrangement).svg);
    box.append(this.depth(now, arrangement), make("p", "note", note));
    return box;
  }

  depth(now, { id, stream }) {
    const box = make("div", "depth");
    box.append(...stream.map((spread, i) => this.output(now, `${id}-${i}`, spread, i)));
    return box;
  }

  output(now, at, spread, i) {
    const { layer, words, param } = now;
    const bar = make("span", "bar");
    bar.style.width = `${100 * share(now, spread)}%`;
    const room = make("span");
    room.append(bar);
    const row = make("button", i - 1 === layer ? "on" : "");
    row.append(make("span", "", i ? `${words.layer} ${i}` : words.in), room, make("span", "", short(spread)));
    row.dataset.at = at;
    row.setAttribute("aria-pressed", String(i - 1 === layer));
    row.onclick = () => this.select({ [param]: Math.max(1, i) });
    return row;
  }
}

// 0 to 1, by the logarithm.
const share = ({ low, high }, spread) => Math.max(0.02, Math.min(1, Math.log(spread / low) / Math.log(high / low)));

class Diagram {
  constructor(now, arrangement) {
    const { parts, words, layer } = now;
    const { entrance, exit, states } = arrangement;
    const here = states[layer];
    Object.assign(this, { now, arrangement, boxes: [] }); // boxes lie over the lines
    this.spread = Object.fromEntries(here.map(({ id, spread }) => [id, spread]));
    this.svg = vector("svg", { viewBox: `0 0 320 ${TOP + parts.length * PART + FOOT}`, role: "img" });
    const said = here.map(({ name, spread }) => `${name} ${short(spread)}`);
    this.svg.setAttribute("aria-label", [words.diagram, ...said].join(", "));
    this.stream(entrance ? 24 : 12, TOP, this.spread[`${parts[0].id}.in`]);
    if (entrance) this.outside(24, layer === 0, words.entrance);
    parts.forEach((part, i) => this.part(part, TOP + i * PART));
    this.end(TOP + parts.length * PART, exit);
    this.svg.append(...this.boxes);
  }

  line(name, attributes) {
    this.svg.append(vector(name, attributes));
  }

  text(x, y, words, look = "") {
    this.boxes.push(vector("text", { x, y, class: look }, words));
  }

  number(y, value) {
    this.svg.append(vector("text", { x: STREAM - 20, y, class: "number" }, short(value)));
  }

  stream(from, to, value) {
    const wide = 2 + 15 * share(this.now, value);
    const overlap = 0.5; // where two pieces meet, no paper shows between them
    const ends = { y1: from - overlap, y2: to + overlap };
    this.line("line", { class: "stream", x1: STREAM, x2: STREAM, ...ends, "stroke-width": wide });
  }

  box(x, y, name, kind) {
    this.boxes.push(vector("rect", { class: kind, x: x - 50, y: y - 12, width: 100, height: 24, rx: 4 }));
    this.text(x, y, name, { norm: "norm-name", missing: "faint" }[kind] ?? "");
  }

  // A norm that stands only before the first layer, or only after the last: elsewhere its place is dashed, and says so.
  outside(y, here, said) {
    this.box(STREAM, y, this.now.words.norm, here ? "norm" : "missing");
    this.text(STREAM + 60, y, said, "aside");
  }

  part({ id, name }, y) {
    const { spread } = this;
    const { norm } = this.arrangement;
    const sum = spread[`${id}.residual`];
    const [joined, end] = [y + 84, y + PART];
    this.number(y + 14, spread[`${id}.in`]);
    this.stream(y, joined, spread[`${id}.in`]);
    const norms = norm === "post" ? joined + 39 : end;
    this.stream(joined, norms, sum);
    this.line("path", { class: "branch", d: `M ${STREAM} ${y + 14} H ${BRANCH} V ${joined} H ${STREAM + 14}` });
    this.line("path", { class: "arrow", d: `M ${STREAM + 11} ${joined} l 8 -4.5 v 9 z` });
    if (norm === "pre") this.box(BRANCH, y + 32, this.now.words.norm, "norm");
    this.box(BRANCH, y + 61, name, "box");
    this.text(BRANCH + 2, joined + 14, short(spread[`${id}.output`]), "aside");
    this.boxes.push(vector("circle", { class: "plus", cx: STREAM, cy: joined, r: 9 }));
    this.text(STREAM, joined, "+");
    if (norm !== "post") return;
    this.number(joined + 15, sum);
    this.stream(norms, end, spread[`${id}.norm`]);
    this.box(STREAM, norms, this.now.words.norm, "norm");
  }

  end(y, exit) {
    const { layer, layers, words } = this.now;
    const last = layer === layers - 1;
    const leaves = this.spread[this.arrangement.norm === "post" ? "feedforward.norm" : "feedforward.residual"];
    this.number(y + 12, leaves);
    this.stream(y, y + (exit ? 36 : 20), leaves);
    if (!exit) return;
    if (last) {
      this.stream(y + 36, y + 64, this.spread.exit);
      this.number(y + 58, this.spread.exit);
    }
    this.outside(y + 34, last, words.exit);
  }
}

export default component(Blocks);
