// Small pictures of the planes a selection can switch to: a layer's heads. They read the stack the matrix already has;
// where that holds only the head looked at, pooled ones came with the message (reduced by maximum, 0 to 255).

import { begin, ending, make, onSelection, pixels, scale, select, shared, unpack, veil } from "../shared/shared.js";

export default function ({ data, parentElement }) {
  const root = begin(parentElement, "div", "thumbnails");
  const [header, body] = unpack(data);
  const buttons = header.items.map(({ id, name, known }) => {
    const button = make("button");
    button.append(make("canvas"), make("span", "", known ? `${name} ${known}` : name));
    button.title = header.word + " " + name + (known ? ` · ${known}` : "");
    button.onclick = () => select({ [header.param]: id }, 200);
    return button;
  });
  root.replaceChildren(...buttons);
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", header.label);

  let drawn = "";
  const mark = () => {
    header.items.forEach(({ id }, i) => {
      const on = String(shared.selection[header.param]) === String(id);
      buttons[i].classList.toggle("on", on);
      buttons[i].setAttribute("aria-pressed", String(on));
    });
    draw();
  };
  const draw = () => {
    const stack = shared.stack, now = stack && stack.owner.key() + header.planes?.length;
    if (drawn === now && now) return;
    drawn = now;
    header.items.forEach(({ id }, i) => {
      const plane = header.pooled ? pooled(header, body, i) : stacked(stack, header.param, id);
      if (plane) paint(buttons[i].firstChild, root, plane);
    });
  };
  const redraw = () => { drawn = ""; mark(); };
  const stop = onSelection(mark);
  window.addEventListener("see:stack", redraw);
  redraw();
  return ending(parentElement, () => {
    stop();
    window.removeEventListener("see:stack", redraw);
  });
}

// A byte is 0 to 254 between the plane's own low and high; 255 is veiled.
function pooled({ pooled: { rows, columns, ranges, reach } }, body, i) {
  const [low, high] = ranges[i];
  const bytes = body.subarray(i * rows * columns, (i + 1) * rows * columns);
  const values = Float32Array.from(bytes, (byte) => (byte === 255 ? NaN : low + (byte / 254) * (high - low)));
  return { values, rows, columns, signed: low < 0, reach: reach ?? Math.max(Math.abs(low), Math.abs(high)) };
}

// The plane that the selection would name if only `param` changed.
function stacked(stack, param, id) {
  if (!stack) return null;
  const { name, rows, columns } = stack.header;
  const values = stack.plane(name.map((part) => (part === param ? id : shared.selection[part])).join("/"));
  if (!values) return null;
  let reach = 0, signed = false;
  for (const v of values) if (!Number.isNaN(v)) [reach, signed] = [Math.max(reach, Math.abs(v)), signed || v < 0];
  return { values, rows: rows.count, columns: columns.count, signed, reach: stack.header.reach?.[shared.selection[stack.header.reachBy]] ?? reach };
}

function paint(canvas, root, { values, rows, columns, signed, reach }) {
  pixels(values, rows, columns, scale(root, signed, reach), veil(root), canvas);
}
