// A bar from 0 to 1: a stretch for each word, as long as its probability, and the point that was drawn.

import { vector } from "../kit/draw.js";
import { clamp, Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * Rows lie one behind the other from 0 on; what they leave up to 1 is the `rest`.
 * @typedef {{name: string, start: number, end: number}} Row
 * `before` are the same words at earlier steps, in thinner bars above, with a line from each end to where it went.
 * @typedef {{rows: Row[], point: number, chosen: number, label: string, said: string, name?: string, rest?: string,
 *   before?: {name: string, rows: Row[]}[]}} Data
 */

const TOP = 26;
const TALL = 40;
const CHARACTER = 8;
const SAID = 7; // pixels of a character in the page's own font
const [THIN, BETWEEN, GUTTER] = [22, 16, 96]; // of the bars above: how tall, how far apart, and room for their names

class Stretches extends Picture {
  static className = "stretches";

  build() {
    this.svg = this.root.appendChild(vector("svg"));
  }

  draw() {
    const { rows, point, chosen, label, said, name, rest = "", before = [] } = this.data;
    const width = this.root.clientWidth || 600;
    const left = before.length ? Math.min(GUTTER, width / 4) : 1;
    const x = (share) => left + share * (width - left - 1);
    const above = before.length * (THIN + BETWEEN); // the last bar stands below the others, and its point between
    const top = TOP + above + 1; // room for the upper edge
    this.named(this.svg, "img", `${label}: ${said}`);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${top + TALL + 22}`);
    this.svg.setAttribute("height", top + TALL + 22);
    const bars = [...before.map((step, i) => ({ ...step, y: 1 + i * (THIN + BETWEEN), tall: THIN }))];
    bars.push({ name, rows, y: top, tall: TALL });
    const whole = bars.flatMap((bar) => this.whole(bar, x, left, width));
    const order = rows.map((_, i) => i).filter((i) => i !== chosen);
    const drawn = bars.flatMap((bar) => [...order, chosen].map((i) => this.row(bar, bar.rows[i], x, i === chosen)));
    const lines = bars.slice(1).flatMap((bar, i) => this.lines(bars[i], bar, x));
    const gap = freest(rows);
    if (rest && x(gap[1]) - x(gap[0]) > rest.length * SAID + 16)
      lines.push(vector("text", { x: x((gap[0] + gap[1]) / 2), y: top + TALL / 2 + 5, class: "rest" }, rest));
    const half = (said.length * CHARACTER) / 2;
    const at = { x: clamp(x(point), left + half, width - half), y: top - 12, "text-anchor": "middle", class: "said" };
    const ends = [0, 0.5, 1].map((share) =>
      vector("text", { x: x(share), y: top + TALL + 16, "text-anchor": ["start", "middle", "end"][2 * share] }, share),
    );
    const d = `M${x(point)},${top - 8}V${top + TALL + 4}`;
    const marks = ["point-edge", "point"].map((look) => vector("path", { d, class: look }));
    this.svg.replaceChildren(...whole, ...lines, ...drawn, ...ends, ...marks, vector("text", at, said));
  }

  whole({ name, y, tall }, x, left, width) {
    const box = vector("rect", { x: left, y, width: width - left - 1, height: tall, class: "whole" });
    return left > 1 ? [vector("text", { x: 0, y: y + tall / 2 + 5, class: "step" }, name), box] : [box];
  }

  lines(from, to, x) {
    return from.rows.map((row, i) => {
      const path = `M${x(row.end)},${from.y + from.tall}L${x(to.rows[i].end)},${to.y}`;
      return vector("path", { d: path, class: "went" });
    });
  }

  row({ y, tall }, { name, start, end }, x, on) {
    const group = vector("g", { class: on ? "row on" : "row" });
    const wide = x(end) - x(start);
    if (!(end > start)) return group;
    group.append(
      vector("title", {}, `${name}: ${start.toFixed(4)} – ${end.toFixed(4)}`),
      vector("rect", { x: x(start), y, width: Math.max(0.5, wide), height: tall }),
    );
    if (wide > name.length * CHARACTER + 10) {
      group.append(vector("text", { x: x(start) + wide / 2, y: y + tall / 2 + 5, "text-anchor": "middle" }, name));
    }
    return group;
  }
}

// The widest stretch that no row takes, as [from, to].
function freest(rows) {
  const taken = rows.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start);
  const gaps = [...taken, { start: 1, end: 1 }].map(({ start }, i) => [i ? taken[i - 1].end : 0, start]);
  return gaps.reduce((best, gap) => (gap[1] - gap[0] > best[1] - best[0] ? gap : best));
}

export default component(Stretches);
