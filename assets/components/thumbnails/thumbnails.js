// Small pictures of the planes a selection can switch to: a layer's heads. They read the stack of a matrix; where that
// holds only the head looked at, pooled ones come with the message: 0 to 254 between a plane's low and high, 255
// veiled.

import { make, pixels, scale, veil } from "../kit/draw.js";
import { Picture, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * Planes that were made smaller: `words` says how, `ranges` are [low, high] of each; behind the header, a byte a cell.
 * @typedef {{rows: number, columns: number, ranges: [number, number][], reach: number | null, words?: string}} Pooled
 *
 * `of` is the id of the matrix whose stack is read, `param` the parameter that names a plane of it.
 * @typedef {{of?: string, param: string, label: string, word: string,
 *   items: {id: string | number, name: string, known: string}[], pooled?: Pooled}} Header
 */
class Thumbnails extends Picture {
  static className = "thumbnails";
  static borrows = true;

  take(bytes) {
    [this.header, this.body] = unpack(bytes);
    const { items, label, pooled } = this.header;
    this.buttons = items.map((item) => this.button(item));
    this.root.replaceChildren(make("p", "title", label), ...this.buttons);
    if (pooled?.words) this.root.append(make("p", "reduced", pooled.words));
    this.named(this.root, "group", label);
    this.painted = "";
  }

  button({ id, name, known }) {
    const { param, word } = this.header;
    const button = make("button");
    button.append(make("canvas"), make("span", "", known ? `${name} ${known}` : name));
    button.title = `${word} ${name}${known ? ` · ${known}` : ""}`;
    button.onclick = () => this.select({ [param]: id });
    return button;
  }

  resized() {
    this.painted = "";
    this.redraw();
  }

  draw() {
    const { items, param } = this.header;
    const now = String(this.get(param));
    items.forEach(({ id }, i) => {
      this.buttons[i].classList.toggle("on", String(id) === now);
      this.buttons[i].setAttribute("aria-pressed", String(String(id) === now));
    });
    this.paint();
  }

  // Anew only where other planes are meant: a cell or a head that is selected changes none.
  paint() {
    const { items, param, pooled, of } = this.header;
    const stack = this.store.stacks.get(of ?? "matrix") ?? null;
    const key = pooled ? "pooled" : stack && stack.key(param, "");
    if (this.painted === key && this.stack === stack) return;
    [this.painted, this.stack] = [key, stack];
    items.forEach(({ id }, i) => {
      const plane = pooled ? this.reduced(i) : stacked(stack, param, id);
      if (!plane) return;
      const { values, rows, columns, signed, reach } = plane;
      pixels(values, rows, columns, scale(this.root, signed, reach), veil(this.root), this.buttons[i].firstChild);
    });
  }

  reduced(i) {
    const { rows, columns, ranges, reach } = this.header.pooled;
    const [low, high] = ranges[i];
    const bytes = this.body.subarray(i * rows * columns, (i + 1) * rows * columns);
    const values = Float32Array.from(bytes, (byte) => (byte === 255 ? NaN : low + (byte / 254) * (high - low)));
    return { values, rows, columns, signed: low < 0, reach: reach ?? Math.max(Math.abs(low), Math.abs(high)) };
  }
}

// The plane that the selection would name if only `param` changed.
function stacked(stack, param, id) {
  const values = stack?.plane(stack.key(param, id));
  if (!values) return null;
  let reach = 0;
  let signed = false;
  for (const v of values) if (!Number.isNaN(v)) [reach, signed] = [Math.max(reach, Math.abs(v)), signed || v < 0];
  const { rows, columns } = stack.header;
  return { values, rows: rows.count, columns: columns.count, signed, reach: stack.reach() ?? reach };
}

export default component(Thumbnails);
