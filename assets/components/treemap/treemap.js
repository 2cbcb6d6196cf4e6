// A whole as one square, its parts as rectangles in it, each as large as its share; and beside it whole models, nested
// squares at one scale.

import { make, vector, yielding } from "../kit/draw.js";
import { clamp, Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * @typedef {{id: string, name: string, value: string, said: string, share: number}} Part
 * @typedef {{id: string, name: string, value: string, side: number}} Model
 * @typedef {{param: string, first: string, parts: Part[], models: Model[], chosen: string, pick: string, label: string,
 *   scale: string, veiled: string}} Data
 * @typedef {{x: number, y: number, wide: number, tall: number}} Box
 */

const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };
const GAP = 2; // between two parts
const APART = 17; // between two names of models
const PART = 0.44; // of the width, where models stand beside
const NAMES = 96; // pixels beside the squares
const CHARACTER = 7.6;

class Treemap extends Picture {
  static className = "treemap";

  build() {
    this.svg = this.root.appendChild(vector("svg", { tabindex: 0 }));
    this.side = this.root.appendChild(make("div", "side"));
    this.title = this.side.appendChild(make("p", "scale"));
    this.squares = this.side.appendChild(vector("svg"));
    this.svg.onkeydown = (event) => this.key(event);
  }

  chosen() {
    const { parts, param, first } = this.data;
    const now = this.get(param);
    return parts.some(({ id }) => id === now) ? now : first;
  }

  draw() {
    const { parts, label, veiled, models, scale } = this.data;
    const width = this.root.clientWidth || 560;
    const beside = models.length && width > 480;
    const side = Math.min(beside ? PART * width : width, yielding(360));
    this.named(this.svg, "application", label);
    sized(this.svg, side, side);
    const drawn = parts.length ? this.parts(side) : this.veil(side, veiled);
    this.svg.replaceChildren(...drawn);
    this.side.hidden = !beside;
    this.title.textContent = scale;
    if (beside) this.models(width - side - 28, side - 24);
  }

  veil(side, words) {
    const text = { x: side / 2, y: side / 2, "text-anchor": "middle", class: "soft" };
    return [vector("rect", { width: side, height: side, class: "veiled" }), vector("text", text, words)];
  }

  parts(side) {
    const ordered = [...this.data.parts].sort((one, other) => other.share - one.share);
    const boxes = squarified(ordered, side);
    const now = this.chosen();
    const last = ordered.findIndex(({ id }) => id === now); // its frame lies over its neighbours
    const order = ordered.map((_, i) => i).filter((i) => i !== last);
    return [...order, ...(last < 0 ? [] : [last])].map((i) => this.part(ordered[i], boxes[i], ordered[i].id === now));
  }

  part({ id, name, value, said }, { x, y, wide, tall }, on) {
    const group = vector("g", { class: on ? "part on" : "part", "data-at": id });
    const size = { width: Math.max(0.5, wide - GAP), height: Math.max(0.5, tall - GAP) };
    group.append(vector("title", {}, `${name}: ${value}, ${said}`), vector("rect", { x, y, ...size }));
    const lines = [name, said, value].filter((line) => line.length * CHARACTER < wide - 12);
    const fitting = lines.slice(0, Math.floor((tall - 8) / 18));
    const text = (line, i) => vector("text", { x: x + 8, y: y + 20 + 18 * i, class: i ? "" : "name" }, line);
    if (fitting[0] === name) group.append(...fitting.map(text));
    group.onclick = () => this.select({ [this.data.param]: id });
    return group;
  }

  /** Every model from one corner, the largest first, so that none hides another; names keep apart. */
  models(width, most) {
    const { models, chosen } = this.data;
    const full = Math.min(most, width - NAMES);
    const tall = Math.min(most, Math.max(full + 8, APART * models.length));
    sized(this.squares, width, tall + 4);
    let above = tall + APART;
    const named = [...models].reverse().map((model) => {
      const side = Math.max(1.5, full * model.side);
      above = Math.min(tall - side + 5, above - APART);
      return { ...model, side, y: tall - side, at: above };
    });
    named.reverse();
    this.squares.replaceChildren(...named.map((model) => this.model(model, full, tall, model.id === chosen)));
  }

  model({ id, name, value, side, y, at }, full, tall, on) {
    const group = vector("g", { class: on ? "model on" : "model" });
    const joins = `M${side},${y}L${full + 8},${at - 4}L${full + 14},${at - 4}`;
    group.append(
      vector("rect", { x: 0.5, y, width: side, height: side }),
      vector("path", { d: joins }),
      vector("text", { x: full + 18, y: at }, name),
      vector("title", {}, `${name}: ${value}`),
    );
    group.onclick = () => this.select({ [this.data.pick]: id });
    return group;
  }

  key(event) {
    const step = pressed(event, STEPS);
    const { parts, param } = this.data;
    if (!step || !parts.length) return;
    const ids = [...parts].sort((one, other) => other.share - one.share).map(({ id }) => id);
    this.select({ [param]: ids[clamp(ids.indexOf(this.chosen()) + step, 0, ids.length - 1)] });
  }
}

function sized(svg, wide, tall) {
  svg.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
  svg.setAttribute("width", wide);
  svg.setAttribute("height", tall);
}

/**
 * Rectangles in a square, each as large as its share, as near to squares as rows of them allow (Bruls et al. 2000).
 * @param {Part[]} parts the largest first
 * @returns {Box[]}
 */
function squarified(parts, side) {
  const whole = parts.reduce((sum, { share }) => sum + share, 0) || 1;
  const areas = parts.map(({ share }) => (share / whole) * side * side);
  const boxes = [];
  let free = { x: 0, y: 0, wide: side, tall: side };
  let row = [];
  for (let i = 0; i <= areas.length; i++) {
    const short = Math.min(free.wide, free.tall);
    if (i < areas.length && (!row.length || worst([...row, areas[i]], short) <= worst(row, short))) {
      row.push(areas[i]);
      continue;
    }
    free = laid(row, free, boxes);
    row = i < areas.length ? [areas[i]] : [];
    if (i === areas.length - 1) free = laid(row.splice(0), free, boxes);
  }
  return boxes;
}

/** How far from a square the worst of a row along a side of this length would be. */
function worst(row, side) {
  const sum = row.reduce((total, area) => total + area, 0);
  return Math.max(
    ...row.map((area) => Math.max((side * side * area) / (sum * sum), (sum * sum) / (side * side * area))),
  );
}

/** Lays a row along the shorter side of what is free; returns what is still free. */
function laid(row, { x, y, wide, tall }, boxes) {
  const sum = row.reduce((total, area) => total + area, 0);
  if (!sum) {
    boxes.push(...row.map(() => ({ x, y, wide: 0, tall: 0 })));
    return { x, y, wide, tall };
  }
  let along = 0;
  if (wide >= tall) {
    const deep = sum / tall;
    for (const area of row) (boxes.push({ x, y: y + along, wide: deep, tall: area / deep }), (along += area / deep));
    return { x: x + deep, y, wide: wide - deep, tall };
  }
  const deep = sum / wide;
  for (const area of row) (boxes.push({ x: x + along, y, wide: area / deep, tall: deep }), (along += area / deep));
  return { x, y: y + deep, wide, tall: tall - deep };
}

export default component(Treemap);
