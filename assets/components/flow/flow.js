// What flows into what, from top to bottom: boxes in rows, and lines between them, as wide as what they carry.

import { boxOf, make, typeset, vector } from "../kit/draw.js";
import { Staged } from "../kit/picture.js";
import { component, doorTo } from "../kit/streamlit.js";

/**
 * A second thing in a box, [title, number, picks]; a press on it selects `picks`.
 * @typedef {[string, string, Record<string, string | number>]} Part
 *
 * @typedef {{id: string, title: string, row: number, column: number, wide: number, number: string, part: Part | null,
 *   door: {id: string, href: string} | null, sign: boolean}} Node
 *
 * A line is [start, end, size from 0 to 1, past]: one that goes past boxes leaves and arrives at their side.
 * @typedef {{columns: number, nodes: Node[], lines: [string, string, number, boolean][],
 *   even: boolean, words: {label: string, caption: string}}} Data
 */

const [THIN, WIDE] = [1.5, 12]; // pixels of a line
const HEAD = 7; // of its arrow
const BEND = 26;
const ASIDE = 16; // how far a line that goes past keeps from what it passes

class Flow extends Staged {
  static className = "flow";

  take(data) {
    super.take(data);
    this.stage.style.setProperty("--columns", data.columns);
    this.stage.classList.toggle("even", data.even);
    this.stage.classList.toggle(
      "passed",
      data.lines.some(([, , , past]) => past),
    ); // with room beside the boxes
  }

  draw() {
    const { nodes, lines } = this.data;
    this.keepingFocus(() => this.stage.replaceChildren(...nodes.map((node) => this.node(node))));
    const here = boxOf(this.stage);
    const places = new Map(
      nodes.map(({ id }, i) => {
        const { left, right, top, bottom } = boxOf(this.stage.children[i]);
        const [x, y, end, low] = [left - here.left, top - here.top, right - here.left, bottom - here.top];
        return [id, { left: x, right: end, top: y, bottom: low, x: (x + end) / 2, y: (y + low) / 2 }];
      }),
    );
    const drawn = vector("svg", { class: "lines", "aria-hidden": "true" });
    for (const [start, end, size, past] of lines) {
      const [from, to, wide] = [places.get(start), places.get(end), THIN + (WIDE - THIN) * size];
      const others = lines.filter((other) => other[1] === end);
      const top = others.some(([other]) => Math.abs(places.get(other).x - to.x) < 1); // its top is taken,
      const sides = others.every((other) => !other[3]); // ... its sides are not
      const joins = top && sides && (from.right < to.left || from.left > to.right);
      const way = past ? passing(from, to, wide, [...places.values()]) : (joins ? beside : line)(from, to, wide);
      drawn.append(...way);
    }
    this.stage.prepend(drawn);
  }

  node({ id, title, row, column, wide, number, part, door, sign }) {
    const box = make("div", sign ? "sign" : "box");
    box.style.gridArea = `${row + 1} / ${column + 1} / auto / span ${wide}`;
    const name = door ? doorTo(door, "", "title") : make("span", "title");
    name.append(...typeset([title]));
    box.append(name);
    if (number) box.append(make("span", "number", number));
    if (part) box.append(this.part(id, part));
    return box;
  }

  part(id, [title, number, picks]) {
    const on = Object.entries(picks).every(([name, value]) => String(this.get(name)) === String(value));
    const button = make("button", on ? "part on" : "part");
    button.appendChild(make("span")).append(...typeset([title]));
    button.append(make("span", "number", number));
    button.dataset.at = `part-${id}`;
    button.setAttribute("aria-pressed", String(on));
    button.onclick = () => this.select(picks);
    return button;
  }
}

/** A line from a box down to another, and its head. */
function line(from, to, wide) {
  const [top, low] = [from.bottom, to.top - HEAD];
  const bend = Math.max(top, low - BEND); // straight down beside what stands between, and bent only at the end
  const middle = (bend + low) / 2;
  const d = `M${from.x} ${top} V${bend} C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${low}`;
  return [vector("path", { d, "stroke-width": wide }), head(to.x, to.top, wide, 0, 1)];
}

/** Into the side of a box into whose top another line leads. */
function beside(from, to, wide) {
  const side = from.x < to.x ? 1 : -1;
  const edge = side > 0 ? to.left : to.right;
  const d = `M${from.x} ${from.bottom} V${to.y - 8} q0 8 ${8 * side} 8 H${edge - HEAD * side}`;
  return [vector("path", { d, "stroke-width": wide }), head(edge, to.y, wide, side, 0)];
}

/** A line to the right of all boxes that stand between. */
function passing(from, to, wide, places) {
  const between = places.filter(({ y }) => y >= from.y && y <= to.y);
  const x = Math.max(...between.map(({ right }) => right)) + ASIDE;
  const d = `M${from.right} ${from.y} H${x - 8} q8 0 8 8 V${to.y - 8} q0 8 -8 8 H${to.right + HEAD}`;
  return [vector("path", { d, "stroke-width": wide }), head(to.right, to.y, wide, -1, 0)];
}

/** An arrow's head, its point at (x, y), that looks towards (dx, dy). */
function head(x, y, wide, dx, dy) {
  const half = wide / 2 + 3;
  const [bx, by] = [x - dx * HEAD, y - dy * HEAD];
  const points = [[x, y], [bx + dy * half, by + dx * half], [bx - dy * half, by - dx * half]]; // prettier-ignore
  return vector("polygon", { points: points.map((point) => point.join()).join(" ") });
}

export default component(Flow);
