// What lies deeper, a line each: its name, and what is inside. One is open at a time, or none.

import { bring, make, typeset } from "../kit/draw.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * The lines stand in two lists, for what is open stands between them, below its own line.
 * @typedef {{param: string, label: string, lines: {id: string, title: string, inside: string}[]}} Data
 */
class Contents extends Picture {
  static tag = "nav";
  static className = "contents";
  static taken = false;

  // Whoever comes by a link that names the section, as those of claims and terms do, need not look for it: once.
  build() {
    if (location.hash !== "#section") return;
    history.replaceState(history.state, "", location.pathname + location.search);
    bring(".st-key-section_in");
  }

  take(data) {
    this.data = data;
    this.named(this.root, "navigation", data.label);
  }

  draw() {
    this.keepingFocus(() => this.root.replaceChildren(...this.data.lines.map((line) => this.line(line))));
  }

  line({ id, title, inside }) {
    const { param } = this.data;
    const open = this.get(param) === id;
    const button = make("button", open ? "open" : "");
    button.dataset.at = id;
    button.setAttribute("aria-expanded", String(open));
    const sign = button.appendChild(make("span", "sign", "›"));
    sign.setAttribute("aria-hidden", "true");
    button.appendChild(make("span", "title")).append(...typeset([title]));
    button.appendChild(make("span", "inside")).append(...typeset([inside]));
    button.onclick = () => this.select({ [param]: open ? null : id });
    return button;
  }
}

export default component(Contents);
