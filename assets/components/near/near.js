// A ruler of cosines from 0 to 1 with the rows a word is compared with, each where its cosine is.

import { make, vector } from "../kit/draw.js";
import { exact, fixed } from "../kit/format.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * @typedef {{id: string, text: string, cosine: number, asked: boolean}} Row
 *
 * @typedef {{param: string, chosen: string, rows: Row[], words: {label: string, none: string, same: string}}} Data
 */

const LANE = 26;
const LANES = 6;
const FOOT = 40;
const EDGE = 12; // half of the widest number below the ruler

class Near extends Picture {
  static className = "near";

  build() {
    this.box = this.root.appendChild(make("div", "box"));
    this.svg = this.box.appendChild(vector("svg", { "aria-hidden": "true" }));
    this.list = this.box.appendChild(make("div", "list"));
  }

  take(data) {
    this.data = data;
    this.named(this.list, "group", data.words.label);
  }

  draw() {
    const { rows } = this.data;
    const width = this.root.clientWidth || 420;
    const low = Math.min(0, ...rows.map(({ cosine }) => Math.floor(cosine * 10) / 10));
    const x = (cosine) => EDGE + ((cosine - low) / (1 - low)) * (width - 2 * EDGE);
    const placed = lanes(rows, x, width);
    const base = LANE * LANES + 6;
    const nodes = placed.map(({ row, lane }) => {
      const at = x(row.cosine);
      const look = this.on(row) ? "stem on" : "stem";
      return vector("line", { x1: at, x2: at, y1: base, y2: base - LANE * (lane + 1) + 24, class: look });
    });
    nodes.push(...axis(x, low, base, width, this.data.words));
    this.svg.setAttribute("viewBox", `0 0 ${width} ${base + FOOT}`);
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", base + FOOT);
    this.svg.replaceChildren(...nodes);
    this.keepingFocus(() => this.list.replaceChildren(...placed.map((one) => this.button(one, base))));
  }

  on({ id }) {
    return id === (this.get(this.data.param) ?? this.data.chosen);
  }

  button({ row, lane, middle }, base) {
    const look = `${row.asked ? "asked" : ""}${this.on(row) ? " on" : ""}`;
    const button = make("button", look, `${row.text} ${fixed(row.cosine, 2)}`);
    Object.assign(button.style, { left: `${middle}px`, top: `${base - LANE * (lane + 1)}px` });
    button.title = exact(row.cosine);
    button.dataset.at = row.id;
    button.setAttribute("aria-pressed", String(this.on(row)));
    button.onclick = () => this.select({ [this.data.param]: row.id });
    return button;
  }
}

// From the largest cosine on, each label over its cosine, in the lowest lane where it has room.
function lanes(rows, x, width) {
  const ends = Array.from({ length: LANES }, () => width + 8);
  return [...rows]
    .sort((a, b) => b.cosine - a.cosine)
    .map((row) => {
      const wide = 14 + [...row.text].reduce((sum, c) => sum + (c > "\u2e80" ? 13 : 6.8), 30);
      const middle = Math.min(width - wide / 2, Math.max(wide / 2, x(row.cosine)));
      const free = ends.findIndex((end) => middle + wide / 2 + 4 <= end);
      const lane = free < 0 ? ends.indexOf(Math.max(...ends)) : free;
      ends[lane] = middle - wide / 2;
      return { row, lane, middle };
    });
}

function axis(x, low, base, width, { none, same }) {
  const steps = Array.from({ length: Math.round((1 - low) * 5) + 1 }, (_, i) => low + i / 5);
  return [
    vector("line", { x1: x(low), x2: x(1), y1: base, y2: base, class: "axis" }),
    ...steps.flatMap((step) => [
      vector("line", { x1: x(step), x2: x(step), y1: base, y2: base + 4, class: "axis" }),
      vector("text", { x: x(step), y: base + 17, "text-anchor": "middle" }, fixed(step, 1)),
    ]),
    vector("text", { x: x(0) - 4, y: base + 34, class: "word" }, none),
    vector("text", { x: width - 4, y: base + 34, "text-anchor": "end", class: "word" }, same),
  ];
}

export default component(Near);
