// Small matrices, with signs between them, a line of them at a time. The numbers that are given stand in boxes: what is
// typed there goes into the address, and the server computes the rest anew. Up and down go from row to row, Enter takes
// what was typed.

import { make, typeset } from "../kit/draw.js";
import { Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A matrix as it is written. `given` ones can be edited; `marked` are cells [row, column] that stand out.
 * @typedef {{id: string, name: string, cells: string[][], given: boolean, rows: string[], columns: string[],
 *   marked: number[][]}} Block
 *
 * `items` are signs and matrices.
 * @typedef {{id: string, caption: string, items: (string | Block)[]}} WorksheetLine
 *
 * `param` holds what was edited, as WQ.0.1=2;X.1.3=-1; `put` is the same by place, `usual` what stands there unedited.
 * @typedef {{param: string, put: Record<string, string>, usual: Record<string, string>, lines: WorksheetLine[],
 *   label: string}} Data
 */

const MOST = 12; // characters of a number
const KEYS = { ArrowUp: -1, ArrowDown: 1, Enter: 0 };

class Worksheet extends Picture {
  static className = "worksheet";

  draw() {
    const { lines, label } = this.data;
    this.named(this.root, "group", label);
    this.shown = this.get("line");
    const line = lines.find(({ id }) => id === this.shown) ?? lines[0];
    this.keepingFocus(() => this.root.replaceChildren(this.line(line)));
  }

  // Another selection elsewhere changes nothing here, and must not take away what is being typed.
  selected() {
    if (!this.root.firstChild || this.shown !== this.get("line")) this.redraw();
  }

  resized() {}

  line({ caption, items }) {
    const node = make("div", "line");
    const row = make("div", "items");
    row.append(...items.flatMap((item) => (typeof item === "string" ? signs(item) : [this.block(item)])));
    const above = make("p", "caption");
    above.append(...typeset([caption]));
    node.append(above, row);
    return node;
  }

  block(block) {
    const { name, cells, given, rows, columns, marked } = block;
    const node = make("table", given ? "given" : "");
    const caption = make("caption");
    caption.append(...typeset([name]));
    node.append(caption);
    const named = (text) => {
      const head = make("th", "", text);
      if (!text) head.role = "none"; // it names nothing
      return head;
    };
    const row = (head, tail) => {
      const tr = make("tr");
      tr.append(...(rows.length ? [head] : []), ...tail);
      return tr;
    };
    if (columns.length) node.append(row(named(""), columns.map(named)));
    cells.forEach((texts, i) => {
      const tail = texts.map((text, j) => {
        const cell = make("td", marked.some(([r, c]) => r === i && c === j) ? "on" : "", given ? undefined : text);
        if (given) cell.append(this.box(block, i, j, text));
        return cell;
      });
      node.append(row(named(rows[i]), tail));
    });
    return node;
  }

  box({ id, name }, i, j, text) {
    const place = `${id}.${i}.${j}`;
    const box = make("input", Object.hasOwn(this.data.put, place) ? "edited" : "");
    Object.assign(box, { value: text, maxLength: MOST, inputMode: "decimal", spellcheck: false });
    box.dataset.at = place;
    box.setAttribute("aria-label", `${name} [${i}, ${j}]`);
    box.onchange = () => this.put(place, box.value);
    box.onfocus = () => box.select();
    box.onkeydown = (event) => {
      const step = pressed(event, KEYS);
      if (step === 0) box.blur();
      else if (step) this.root.querySelector(`[data-at="${id}.${i + step}.${j}"]`)?.focus();
    };
    return box;
  }

  put(place, typed) {
    const { param, put, usual } = this.data;
    const all = {
      ...put,
      [place]: typed
        .replace(/[;=\s]/g, "")
        .replaceAll("，", ".")
        .replaceAll(",", "."),
    };
    if (all[place] === usual[place]) delete all[place];
    this.data.put = all; // a second number may be typed before the first one's answer
    const written = Object.entries(all).map(([name, number]) => `${name}=${number}`);
    this.select({ [param]: written.join(";") || null });
  }
}

/** A sign as it stands between blocks; a bar before it begins a new row. */
function signs(text) {
  const [, bar, rest] = text.match(/^(\| )?(.*)$/);
  const again = rest.startsWith("X"); // the same X, by another matrix: on a phone in a row of its own
  const before = bar ? [make("span", "apart")] : again ? [make("span", "apart narrow")] : [];
  return [...before, ...(rest ? [make("span", again ? "sign again" : "sign", rest)] : [])];
}

export default component(Worksheet);
