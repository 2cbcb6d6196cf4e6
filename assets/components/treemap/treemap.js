// A whole as one rectangle, its parts as rectangles in it, each as large as its share.

import { vector, widthOf, yielding } from "../kit/draw.js";
import { clamp, Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * @typedef {{id: string, name: string, value: string, said: string, share: number}} Part
 * @typedef {{param: string, first: string, parts: Part[], label: string, veiled: boolean}} Data
 * @typedef {{x: number, y: number, wide: number, tall: number}} Box
 */

const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };
const GAP = 2; // between two parts
const SIZE = 12; // of letters, on average

class Treemap extends Picture {
  static className = "treemap";

  build() {
    this.svg = this.root.appendChild(vector("svg", { tabindex: 0 }));
    this.svg.onkeydown = (event) => this.key(event);
  }

  chosen() {
    const { parts, param, first } = this.data;
    const now = this.get(param);
    return parts.some(({ id }) => id === now) ? now : first;
  }

  draw() {
    const { parts, label, veiled } = this.data;
    this.svg.classList.toggle("veiled", veiled);
    const wide = this.root.clientWidth || 560;
    const tall = yielding(clamp(0.62 * wide, 260, 440));
    this.named(this.svg, "application", label);
    this.svg.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
    this.svg.setAttribute("height", tall);
    this.svg.replaceChildren(...this.parts(wide, tall));
  }

  parts(wide, tall) {
    const { parts, veiled } = this.data;
    const ordered = [...parts].sort((one, other) => other.share - one.share);
    const boxes = squarified(ordered, { x: 0, y: 0, wide, tall });
    const now = veiled ? "" : this.chosen();
    const last = ordered.findIndex(({ id }) => id === now); // its frame lies over its neighbours
    const order = ordered.map((_, i) => i).filter((i) => i !== last);
    return [...order, ...(last < 0 ? [] : [last])].map((i) => this.part(ordered[i], boxes[i], ordered[i].id === now));
  }

  part({ id, name, value, said }, { x, y, wide, tall }, on) {
    const group = vector("g", { class: on ? "part on" : "part", "data-at": id });
    const size = { width: Math.max(0.5, wide - GAP), height: Math.max(0.5, tall - GAP) };
    const title = vector("title", {}, [`${name}: ${said}`, value].filter(Boolean).join(", "));
    group.append(title, vector("rect", { x, y, ...size }));
    const names = broken(name, wide - 12);
    const lines = [...names, said, value].filter((line) => widthOf(line, SIZE) < wide - 12);
    const fitting = lines.slice(0, Math.floor((tall - 8) / 18));
    const look = (i) => (i < names.length ? "name" : "");
    const text = (line, i) => vector("text", { x: x + 8, y: y + 20 + 18 * i, class: look(i) }, line);
    if (fitting.length >= names.length && fitting[0] === names[0]) group.append(...fitting.map(text));
    if (!this.data.veiled) group.onclick = () => this.select({ [this.data.param]: id });
    return group;
  }

  key(event) {
    const step = pressed(event, STEPS);
    const { parts, param, veiled } = this.data;
    if (!step || !parts.length || veiled) return;
    const ids = [...parts].sort((one, other) => other.share - one.share).map(({ id }) => id);
    this.select({ [param]: ids[clamp(ids.indexOf(this.chosen()) + step, 0, ids.length - 1)] });
  }
}

/** A name in lines so wide, as far as it has spaces. */
function broken(name, room) {
  return name.split(" ").reduce((lines, word) => {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    return !lines.length || widthOf(longer, SIZE) >= room ? [...lines, word] : [...lines.slice(0, -1), longer];
  }, []);
}

/**
 * Rectangles in one, each as large as its share, as near to squares as rows of them allow (Bruls et al. 2000).
 * @param {Part[]} parts the largest first
 * @returns {Box[]}
 */
function squarified(parts, free) {
  const whole = parts.reduce((sum, { share }) => sum + share, 0) || 1;
  const areas = parts.map(({ share }) => (share / whole) * free.wide * free.tall);
  const boxes = [];
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
