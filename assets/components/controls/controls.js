// At most three rows of choices above a picture. A choice changes the selection; what follows is the picture's affair.
// Few options stand as segments; many as a stepper: ‹ 9 / 12 ›.

import { make, onSelection, select, shared } from "../shared/shared.js";

export default function ({ data, parentElement }) {
  const root = (parentElement.root ??= parentElement.appendChild(make("div", "controls")));
  const narrow = matchMedia("(max-width: 640px)");
  const draw = () => {
    const had = root.getRootNode().activeElement?.dataset.at;
    root.replaceChildren(...data.controls.map((control) => drawn(control, narrow.matches)));
    if (data.more) root.append(...more(data.more, root, draw, narrow.matches));
    if (had) root.querySelector(`[data-at="${had}"]`)?.focus();
  };
  draw();
  const stop = onSelection(draw);
  narrow.addEventListener("change", draw);
  return () => {
    stop();
    narrow.removeEventListener("change", draw);
    root.remove();
    delete parentElement.root;
  };
}

// A control too wide for a phone says `stepper`: there it becomes one.
const drawn = (control, narrow) => (control.options.length > 8 || (narrow && control.stepper) ? stepper : segments)(control);

// What is not needed at first sight waits behind one word; it stays open while one of its options is chosen.
function more({ label, controls }, root, draw, narrow) {
  const used = controls.some((control) => chosenIndex(control) >= 0);
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

const chosenIndex = (control) => control.options.findIndex(([id]) => String(id) === String(shared.selection[control.name]));

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
  return group(control, control.options.map(([id, text], i) => button(control, id, text, i === now, { [control.name]: id }, 0)));
}

function stepper(control) {
  const { options, name } = control;
  const now = Math.max(0, chosenIndex(control));
  const to = (step) => ({ [name]: options[(now + step + options.length) % options.length][0] });
  const back = button(control, "back", "‹", null, to(-1), 200);
  const on = button(control, "on", "›", null, to(1), 200);
  back.setAttribute("aria-label", `${control.label} −1`);
  on.setAttribute("aria-label", `${control.label} +1`);
  const middle = make("span", "on", control.plain ? options[now][1] : `${options[now][1]} / ${options.length}`);
  middle.setAttribute("aria-live", "polite");
  return group(control, [back, middle, on]);
}
