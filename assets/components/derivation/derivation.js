// The number being followed: one line a step, the operation left, its value right, the terms as bars between.
// It sits alone in its fragment, so it is also the one that tells the server where the visitor clicked. A page may have
// several, each with the `params` it follows; the one that is `main` is told what none of them follows.

import { announce, begin, ending, make, shared, tellNext } from "../shared/shared.js";

export default function ({ data, parentElement, setStateValue }) {
  const root = begin(parentElement, "section", "derivation");
  const reporter = { params: data.params, report: (selection) => setStateValue("selection", selection) };
  if (data.params) shared.followers.add(reporter);
  if (data.main || !data.params) shared.reporter = reporter;
  root.replaceChildren(head(data), ...data.steps.map(step));
  if (data.note) root.append(make("p", "note", data.note));
  root.dataset.id = data.id;
  if (data.chosen) {
    // A page whose other controls stand in this fragment, too: the frame is not drawn anew when they move.
    Object.assign(shared, { selection: { ...data.selection }, chosen: { ...data.chosen } });
    announce();
  }
  tellNext();
  return ending(parentElement, () => {
    shared.followers.delete(reporter);
    if (shared.reporter === reporter) shared.reporter = null;
  });
}

function head(data) {
  const head = make("header");
  const value = make("b", "", data.value);
  value.title = data.exact ?? "";
  const title = make("h2", "", data.title);
  title.append(value);
  head.append(title, make("span", "where", data.where));
  return head;
}

function step({ operation, value, exact, bars, focus, lines, reason, check }) {
  const box = make("div", "step");
  const line = make("div", "line");
  const result = make("b", "", value);
  if (exact) result.title = exact;
  line.append(make("span", "", operation), result);
  box.append(line);
  if (bars?.length) box.append(barChart(bars, focus));
  for (const text of lines ?? []) box.append(make("code", "", text));
  if (reason) box.append(make("small", "", reason));
  if (check) box.append(make("small", "check", check));
  return box;
}

// Bars around a zero line, in the order of the dimension that is summed over. The heights are to one scale; where one
// bar is meant, the others step back.
function barChart(values, focus) {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  const top = Math.max(0, ...values), bottom = Math.min(0, ...values), span = top - bottom || 1;
  svg.setAttribute("viewBox", `0 0 ${values.length} 1`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  svg.style.maxWidth = `${24 * values.length}px`; // a few bars are bars, not blocks
  values.forEach((value, i) => {
    const bar = document.createElementNS(ns, "rect");
    const at = { x: i + 0.08, width: 0.84, y: (top - Math.max(0, value)) / span, height: Math.max(0.01, Math.abs(value) / span) };
    for (const [name, number] of Object.entries(at)) bar.setAttribute(name, number);
    bar.setAttribute("class", (value < 0 ? "negative" : "positive") + (focus === undefined || focus === null || focus === i ? "" : " other"));
    svg.append(bar);
  });
  return svg;
}
