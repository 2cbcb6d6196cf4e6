// One layer in three arrangements: where the norm sits, and how far each state's numbers spread. The stream is the thick
// line, as wide as its numbers are spread (logarithmic, one scale for all three): in post-norm it runs through the norms,
// in pre-norm past them. Stack and layer shown are the selection's; below, every layer's output.
//
// Data: stacks {id: {layers, parts: [{id, name}], arrangements, words}}, param and stack (the parameters that select the
// layer and the stack), low, high, words.

import { begin, ending, make, onSelection, select, shared, short } from "../shared/shared.js";

const NS = "http://www.w3.org/2000/svg";
const STREAM = 84, BRANCH = 196, TOP = 44; // where the lines run
const PART = 148, FOOT = 66; // how high a sub-layer is, and what is below the last

export default function ({ data, parentElement }) {
  const root = begin(parentElement, "div", "blocks");
  const draw = () => {
    const had = root.getRootNode().activeElement?.dataset.at;
    const stack = data.stacks[shared.selection[data.stack]] ?? Object.values(data.stacks)[0]; // the selection may come after the picture
    const layer = Number(shared.selection[data.param] ?? 1) - 1, now = { ...data, ...stack, words: { ...data.words, ...stack.words } };
    root.replaceChildren(...stack.arrangements.map((arrangement) => figure(now, arrangement, Math.max(0, Math.min(layer, stack.layers - 1)))));
    if (had) root.querySelector(`[data-at="${had}"]`)?.focus();
  };
  draw();
  return ending(parentElement, onSelection(draw));
}

function figure(data, arrangement, layer) {
  const box = make("figure");
  box.dataset.arrangement = arrangement.id;
  box.append(make("h3", "", arrangement.title), make("div", "formula", arrangement.formula), diagram(data, arrangement, layer), depth(data, arrangement, layer), make("p", "note", arrangement.note));
  return box;
}

function depth(data, arrangement, layer) {
  const box = make("div", "depth");
  arrangement.stream.forEach((spread, i) => {
    const row = make("button", i - 1 === layer ? "on" : ""), bar = make("span", "bar"), room = make("span");
    row.dataset.at = `${arrangement.id}-${i}`;
    bar.style.display = "block";
    bar.style.width = `${100 * share(data, spread)}%`;
    room.append(bar);
    row.append(make("span", "", i ? `${data.words.layer} ${i}` : data.words.in), room, make("span", "", short(spread)));
    row.setAttribute("aria-pressed", String(i - 1 === layer));
    row.onclick = () => select({ [data.param]: Math.max(1, i) }, 200);
    box.append(row);
  });
  return box;
}

// 0 to 1, by the logarithm.
const share = ({ low, high }, spread) => Math.max(0.02, Math.min(1, Math.log(spread / low) / Math.log(high / low)));

function diagram(data, { norm, entrance, exit, states }, layer) {
  const now = states[layer], { words, parts } = data, first = layer === 0, last = layer === data.layers - 1;
  const svg = node("svg", { viewBox: `0 0 320 ${TOP + parts.length * PART + FOOT}`, role: "img" });
  svg.setAttribute("aria-label", [words.diagram, ...now.map(({ name, spread }) => `${name} ${short(spread)}`)].join(", "));
  const spread = Object.fromEntries(now.map((state) => [state.id, state.spread])), boxes = [];
  const add = (...nodes) => svg.append(...nodes);
  const stream = (from, to, value) => add(node("line", { class: "stream", x1: STREAM, x2: STREAM, y1: from, y2: to, "stroke-width": 2 + 15 * share(data, value) }));
  const number = (y, value) => add(text(STREAM - 20, y, short(value), "number"));
  const named = (x, y, name, kind) => boxes.push(node("rect", { class: kind, x: x - 50, y: y - 12, width: 100, height: 24, rx: 4 }), text(x, y, name, { norm: "norm-name", missing: "faint" }[kind] ?? ""));
  // A norm that stands only before the first layer, or only after the last: elsewhere its place is dashed, and says so.
  const outside = (y, here, words_) => {
    named(STREAM, y, words.norm, here ? "norm" : "missing");
    boxes.push(text(STREAM + 60, y, words_, "aside"));
  };

  stream(12, TOP, spread[`${parts[0].id}.in`]);
  if (entrance) outside(24, first, words.entrance);
  let y = TOP;
  for (const { id: part, name } of parts) {
    const joined = y + 84, end = y + PART, sum = spread[`${part}.residual`], leaves = norm === "post" ? spread[`${part}.norm`] : sum;
    number(y + 14, spread[`${part}.in`]);
    stream(y, joined, spread[`${part}.in`]);
    stream(joined, end, sum);
    add(node("path", { class: "branch", d: `M ${STREAM} ${y + 14} H ${BRANCH} V ${joined} H ${STREAM + 14}` }));
    add(node("path", { class: "arrow", d: `M ${STREAM + 11} ${joined} l 8 -4.5 v 9 z` }));
    if (norm === "pre") named(BRANCH, y + 32, words.norm, "norm");
    named(BRANCH, y + 61, name, "box");
    boxes.push(text(BRANCH + 2, joined + 14, short(spread[`${part}.output`]), "aside"));
    boxes.push(node("circle", { class: "plus", cx: STREAM, cy: joined, r: 9 }), text(STREAM, joined, "+"));
    if (norm === "post") {
      number(joined + 15, sum);
      stream(joined + 48, end, leaves);
      named(STREAM, joined + 39, words.norm, "norm");
    }
    y = end;
  }
  const leaves = norm === "post" ? spread["feedforward.norm"] : spread["feedforward.residual"];
  number(y + 12, leaves);
  stream(y, y + (exit ? 36 : 20), leaves);
  if (exit) {
    if (last) {
      stream(y + 36, y + 64, spread.exit);
      number(y + 58, spread.exit);
    }
    outside(y + 34, last, words.exit);
  }
  add(...boxes);
  return svg;
}

function node(tag, attributes) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function text(x, y, words, kind = "") {
  const made = node("text", { x, y, class: kind });
  made.textContent = words;
  return made;
}
