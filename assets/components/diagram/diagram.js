// The whole model as one diagram, from bottom to top: stacks of layers, each sub-layer with the line that goes past it.
// A title is a door to its stage, a number is followed, digits beside a stack choose the layer.

import { boxOf, bring, make, titled, vector } from "../kit/draw.js";
import { Staged } from "../kit/picture.js";
import { component, doorTo } from "../kit/streamlit.js";

/**
 * @typedef {{id: string, title: string, number: string, hint: string, unit: string,
 *   door: {id: string, href: string} | null,
 *   also: {title: string, door: {id: string, href: string}} | null, section: string,
 *   picks: Record<string, string | number>, trail: string}} Box
 *
 * @typedef {{part: Box, norm: Box, memory: boolean}} Group
 *
 * @typedef {{id: string, name: string, layers: number, count: string, below: Box[], groups: Group[], above: Box[],
 *   rest: string}} Column
 *
 * @typedef {{label: string, layer: string, pass: string, times: string, caption: string}} DiagramWords
 *
 * @typedef {{columns: Column[], words: DiagramWords, param: string}} Data
 */

const TALL = 10; // layers in one column of buttons

class Diagram extends Staged {
  static className = "diagram";

  draw() {
    this.keepingFocus(() => this.stage.replaceChildren(...this.data.columns.map((column) => this.column(column))));
    this.memory();
  }

  column({ id, name, layers, count, below, groups, above, rest }) {
    const column = make("div", "column");
    const stack = make("div", "stack");
    const frame = make("div", "frame");
    frame.append(...groups.map((group) => this.group(group)).reverse());
    stack.append(frame, ...(this.data.param ? [this.layers(id, layers)] : []));
    const head = make("div", "head");
    const times = make("span", "times", count);
    head.append(make("h2", "", name), titled(times, this.data.words.times));
    const boxes = (list) => list.map((box) => this.box(box)).reverse();
    const between = layers > 1 ? [make("div", "rest", rest)] : [];
    column.append(head, ...boxes(above), ...between, stack, ...boxes(below));
    return column;
  }

  group({ part, norm, memory }) {
    const group = make("div", "group");
    const line = make("span", "pass");
    line.title = this.data.words.pass;
    group.append(line, this.box(norm, "norm"), this.box(part, memory ? "part memory" : "part"));
    return group;
  }

  // The layers, the first at the bottom.
  layers(id, count) {
    const list = make("div", count > TALL ? "layers many" : "layers");
    for (let layer = count; layer >= 1; layer--) {
      const on = Number(this.get(this.data.param)) === layer;
      const button = make("button", on ? "on" : "", String(layer));
      button.setAttribute("aria-pressed", String(on));
      button.setAttribute("aria-label", `${this.data.words.layer} ${layer}`);
      button.dataset.at = `${id}-layer-${layer}`;
      button.onclick = () => this.select({ [this.data.param]: layer });
      list.append(button);
    }
    return list;
  }

  box({ id, title, number, hint, unit, door, also, section, picks, trail }, look = "end") {
    const names = Object.keys(picks);
    const on = names.length > 0 && names.every((name) => String(this.get(name)) === String(picks[name]));
    const box = make("div", `box ${look}${on ? " on" : ""}`);
    if (section) box.append(this.opener(section, title));
    else box.append(door ? doorTo(door, title, "title") : make("span", "title", title));
    if (also) box.append(doorTo(also.door, also.title, "title also"));
    if (!number) return box;
    if (unit) box.append(make("span", "unit", unit));
    const shown = titled(make(names.length || trail ? "button" : "span", "number", number), hint);
    if (names.length || trail) {
      shown.setAttribute("aria-label", `${title}: ${hint} ${number}`);
      shown.dataset.at = `box-${id}`;
    }
    if (trail)
      shown.dataset.trail = trail; // the page begins it
    else if (names.length) {
      shown.setAttribute("aria-pressed", String(on));
      shown.onclick = () => this.select(picks);
    }
    box.append(shown);
    return box;
  }

  /** A title that opens a section of this page, and goes there. */
  opener(section, text) {
    const button = make("button", "title", text);
    button.dataset.at = `section-${section}`;
    button.onclick = () => {
      this.select({ section });
      bring(".st-key-section_in");
    };
    return button;
  }

  // The one line between the stacks: from the top of the first to where the second asks.
  memory() {
    const first = ".column:first-child";
    const places = [
      `${first} .frame`,
      `${first} > :is(.box, .stack)`,
      first,
      ".column:last-of-type .frame",
      ".part.memory",
    ];
    const [frame, highest, whole, second, to] = places.map((one) => this.stage.querySelector(one));
    if (!frame || !to) return;
    const [here, one, above, column, next, other] = [this.stage, frame, highest, whole, second, to].map(boxOf);
    if (other.left < one.right) return; // on a phone the stacks stand one below the other
    const [x, top] = [one.left + one.width / 2 - here.left, above.top - here.top];
    const [end, y] = [other.left - here.left, other.top + other.height / 2 - here.top];
    const middle = (column.right + next.left) / 2 - here.left; // between the stacks
    const line = vector("svg", { class: "between", "aria-hidden": "true" });
    const bend = `M${x},${top} V${top - 12} H${middle} V${y} H${end - 2}`;
    line.append(
      vector("path", { d: bend, class: "clear" }),
      vector("path", { d: bend }),
      vector("path", { d: `M${end - 7},${y - 4} l6,4 l-6,4` }),
    );
    this.stage.append(line);
  }
}

export default component(Diagram);
