// A bar from 0 to 1: a stretch for each word, as long as its probability, and the point that was drawn.

import { vector } from "../kit/draw.js";
import { clamp, Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * Rows lie one behind the other from 0 on; what they leave up to 1 has no name.
 * @typedef {{name: string, start: number, end: number}} Row
 * @typedef {{rows: Row[], point: number, chosen: number, label: string, said: string}} Data
 */

const TOP = 26;
const TALL = 40;
const CHARACTER = 8;

class Stretches extends Picture {
  static className = "stretches";

  build() {
    this.svg = this.root.appendChild(vector("svg"));
  }

  draw() {
    const { rows, point, chosen, label, said } = this.data;
    const width = this.root.clientWidth || 600;
    const x = (share) => 1 + share * (width - 2);
    this.named(this.svg, "img", `${label}: ${said}`);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${TOP + TALL + 22}`);
    this.svg.setAttribute("height", TOP + TALL + 22);
    const whole = vector("rect", { x: 1, y: TOP, width: width - 2, height: TALL, class: "whole" });
    const order = rows.map((_, i) => i).filter((i) => i !== chosen);
    const drawn = [...order, chosen].map((i) => this.row(rows[i], x, i === chosen));
    const half = (said.length * CHARACTER) / 2;
    const at = { x: clamp(x(point), half, width - half), y: 14, "text-anchor": "middle", class: "said" };
    const ends = [0, 0.5, 1].map((share) =>
      vector("text", { x: x(share), y: TOP + TALL + 16, "text-anchor": ["start", "middle", "end"][2 * share] }, share),
    );
    const mark = vector("path", { d: `M${x(point)},${TOP - 8}V${TOP + TALL + 4}`, class: "point" });
    this.svg.replaceChildren(whole, ...drawn, ...ends, mark, vector("text", at, said));
  }

  row({ name, start, end }, x, on) {
    const group = vector("g", { class: on ? "row on" : "row" });
    const wide = x(end) - x(start);
    group.append(
      vector("title", {}, `${name}: ${(end - start).toFixed(4)}`),
      vector("rect", { x: x(start), y: TOP, width: Math.max(0.5, wide), height: TALL }),
    );
    if (wide > name.length * CHARACTER + 10) {
      group.append(vector("text", { x: x(start) + wide / 2, y: TOP + TALL / 2 + 5, "text-anchor": "middle" }, name));
    }
    return group;
  }
}

export default component(Stretches);
