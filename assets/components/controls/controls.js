// At most three rows of choices above a picture. A choice changes the selection; what follows is the picture's affair.
// Few options stand as segments; many as a stepper: ‹ 9 / 12 ›; a `number` [low, high] is typed. What a control lets go
// of besides is its `also`.

import { begin, ending, make, onSelection, select, shared } from "../shared/shared.js";

export default function ({ data, parentElement }) {
  const root = begin(parentElement, "div", "controls");
  const narrow = matchMedia("(max-width: 640px)");
  const draw = () => {
    const had = root.getRootNode().activeElement?.dataset.at;
    root.replaceChildren(...data.controls.map((control) => drawn(counted(control), narrow.matches)));
    if (data.more) root.append(...more(data.more, root, draw, narrow.matches));
    if (had) root.querySelector(`[data-at="${had}"]`)?.focus();
  };
  draw();
  const stop = onSelection(draw);
  narrow.addEventListener("change", draw);
  return ending(parentElement, () => {
    stop();
    narrow.removeEventListener("change", draw);
  });
}

// A control too wide for a phone says `stepper`: there it becomes one; too wide everywhere, `stepper: "always"`.
const drawn = (control, narrow) =>
  (control.number ? typed : control.options.length > 8 || control.stepper === "always" || (narrow && control.stepper) ? stepper : segments)(control);

// Where another selection decides how many options there are: `counts`, read at what `by` selects; the first is the default.
function counted(control) {
  if (!control.counts) return control;
  const options = Array.from({ length: control.counts[shared.selection[control.by]] ?? 1 }, (_, i) => [i + 1, String(i + 1)]);
  return { ...control, options, first: 1 };
}

// What is not needed at first sight waits behind one word; it stays open while one of its options is chosen.
function more({ label, controls }, root, draw, narrow) {
  const used = controls.some((control) => { const i = chosenIndex(control); return i >= 0 && control.options[i][0] !== control.usual; });
  const open = used || root.dataset.more === "open";
  const toggle = make("button", "more", label);
  toggle.dataset.at = "more";
  toggle.setAttribute("aria-expanded", String(open));
  toggle.onclick = () => {
    root.dataset.more = open ? "" : "open";
    draw();
  };
  return open ? controls.map((control) => drawn(control, narrow)) : [toggle];
}

const chosenIndex = (control) => control.options.findIndex(([id]) => String(id) === String(shared.selection[control.name] ?? control.first));

function group(control, buttons) {
  const box = make("div", "control");
  const row = make("span", "segments");
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", control.label);
  row.append(...buttons);
  box.append(make("span", "label", control.label), row);
  return box;
}

function button(control, at, text, pressed, patch, pause) {
  const b = make("button", pressed ? "on" : "", text);
  b.dataset.at = `${control.name}-${at}`;
  if (pressed !== null) b.setAttribute("aria-pressed", String(pressed));
  b.onclick = () => select(patch, pause);
  return b;
}

function segments(control) {
  const now = chosenIndex(control);
  return group(control, control.options.map(([id, text], i) => button(control, id, text, i === now, { ...control.also, [control.name]: id }, 0)));
}

// A whole number, typed or stepped. One that cannot be used is said to be so, and the selection stays.
function typed(control) {
  const { name, also, number: [low, high], label, refusal } = control;
  const input = Object.assign(make("input"), { type: "number", min: low, max: high, step: 1, value: shared.selection[name] });
  input.dataset.at = name;
  input.setAttribute("aria-label", label);
  const box = group(control, [input]), said = make("span", "refusal");
  said.setAttribute("role", "status");
  box.append(said);
  input.style.width = `${Math.max(4, String(shared.selection[name] ?? "").length + 2) + 2}ch`;
  input.onchange = () => {
    const value = Number(input.value), fits = input.value !== "" && Number.isInteger(value) && value >= low && value <= high;
    input.setAttribute("aria-invalid", String(!fits));
    said.textContent = fits ? "" : refusal;
    if (fits) select({ ...also, [name]: value }, 200);
  };
  return box;
}

function stepper(control) {
  const { options, name, also } = control;
  const now = Math.max(0, chosenIndex(control));
  const to = (step) => ({ ...also, [name]: options[(now + step + options.length) % options.length][0] });
  const back = button(control, "back", "‹", null, to(-1), 200);
  const on = button(control, "on", "›", null, to(1), 200);
  back.setAttribute("aria-label", `${control.label} −1`);
  on.setAttribute("aria-label", `${control.label} +1`);
  const middle = make("span", "on", control.plain ? options[now][1] : `${options[now][1]} / ${options.length}`);
  middle.setAttribute("aria-live", "polite");
  return group(control, [back, middle, on]);
}
