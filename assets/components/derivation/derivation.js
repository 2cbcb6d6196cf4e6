// The number being followed: one line a step, the operation left, its value right, the terms as bars between.

import { make, vector } from "../kit/draw.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `bars` are the terms of the step, `focus` the place of the one that is meant, `lines` the largest of them in words.
 * @typedef {{operation: string, value: string, exact?: string, bars?: number[], focus?: number | null,
 *   lines?: string[], reason?: string, check?: string}} Step
 *
 * @typedef {{id: string, title: string, value: string, exact?: string, where: string, steps: Step[],
 *   note?: string}} Data
 */
class Derivation extends Picture {
  static tag = "section";
  static className = "derivation";

  take(data) {
    this.root.replaceChildren(head(data), ...data.steps.map(step));
    if (data.note) this.root.append(make("p", "note", data.note));
    this.root.dataset.id = data.id;
  }
}

function head({ title, value, exact, where }) {
  const number = make("b", "", value);
  number.title = exact ?? "";
  const heading = make("h2", "", title);
  heading.append(number);
  const head = make("header");
  head.append(heading, make("span", "where", where));
  return head;
}

function step({ operation, value, exact, bars, focus, lines, reason, check }) {
  const result = make("b", "", value);
  if (exact) result.title = exact;
  const line = make("div", "line");
  line.append(make("span", "", operation), result);
  const box = make("div", "step");
  box.append(line);
  if (bars?.length) box.append(barChart(bars, focus ?? null));
  for (const text of lines ?? []) box.append(make("code", "", text));
  if (reason) box.append(make("small", "", reason));
  if (check) box.append(make("small", "check", check));
  return box;
}

// Bars around a zero line, in the order of the dimension that is summed over. The heights are to one scale; where one
// bar is meant, the others step back.
function barChart(values, focus) {
  const top = Math.max(0, ...values);
  const span = top - Math.min(0, ...values) || 1;
  const view = { viewBox: `0 0 ${values.length} 1`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const svg = vector("svg", view);
  svg.style.maxWidth = `${24 * values.length}px`; // a few bars are bars, not blocks
  values.forEach((value, i) => {
    const height = Math.max(0.01, Math.abs(value) / span);
    const look = (value < 0 ? "negative" : "positive") + (focus === null || focus === i ? "" : " other");
    svg.append(vector("rect", { x: i + 0.08, width: 0.84, y: (top - Math.max(0, value)) / span, height, class: look }));
  });
  return svg;
}

export default component(Derivation);
