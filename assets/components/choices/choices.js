// Several of many, behind one word that says how many are chosen.

import { make } from "../kit/draw.js";
import { counted } from "../kit/format.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * The parameter holds the chosen ids between commas; {n} in the label is how many.
 * @typedef {{param: string, label: string, options: [string, string][]}} Data
 */

class Choices extends Picture {
  static className = "choices";
  static taken = false;

  build() {
    this.word = this.root.appendChild(make("button", "word"));
    this.list = this.root.appendChild(make("div", "list"));
    this.open = false;
    this.word.onclick = () => {
      this.open = !this.open;
      this.redraw();
    };
  }

  take(data) {
    this.data = data;
    this.word.textContent = counted(data.label, "n", "…");
  }

  get chosen() {
    return String(this.get(this.data.param) ?? "")
      .split(",")
      .filter(Boolean);
  }

  draw() {
    const { label, options } = this.data;
    this.word.textContent = `${counted(label, "n", this.chosen.length)} ${this.open ? "▴" : "▾"}`;
    this.word.setAttribute("aria-expanded", String(this.open));
    this.list.hidden = !this.open;
    this.keepingFocus(() => this.list.replaceChildren(...options.map(([id, text]) => this.button(id, text))));
  }

  button(id, text) {
    const on = this.chosen.includes(id);
    const button = make("button", on ? "on" : "", text);
    button.dataset.at = id;
    button.setAttribute("aria-pressed", String(on));
    button.onclick = () => this.toggle(id, on);
    return button;
  }

  // The last one stays: without any there is nothing to draw.
  toggle(id, on) {
    const { param, options } = this.data;
    const after = on ? this.chosen.filter((other) => other !== id) : [...this.chosen, id];
    const order = options.map(([known]) => known);
    if (after.length) this.select({ [param]: after.sort((a, b) => order.indexOf(a) - order.indexOf(b)).join(",") });
  }
}

export default component(Choices);
