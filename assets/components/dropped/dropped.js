// What dropout makes of a few numbers: each as it was, an outline, and as it is, a bar; a cross where it became 0.

import { make, vector } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp, Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * Of one token, `before` and `after` are of the dimensions from `first` on; what was kept was multiplied by `factor`.
 * @typedef {{token: number, first: number, before: number[], after: number[], factor: string,
 *   words: {label: string, before: string, after: string, zero: string, kept: string, gone: string}}} Data
 */

const TALL = 150;
const EDGE = 8; // above and below the longest bar
const CROSS = 4;

class Dropped extends Picture {
  static className = "dropped";
  static speaks = true;

  build() {
    this.legend = this.root.appendChild(make("p", "legend"));
    this.svg = this.root.appendChild(vector("svg", { height: TALL, "aria-hidden": "true" }));
    this.dims = this.root.appendChild(make("div", "dims"));
    this.said = this.root.appendChild(make("p", "said"));
    this.dims.onkeydown = (event) => this.key(event);
  }

  // Another token, or a dimension out of sight: Python sends others.
  lacks() {
    const { token, first, before } = this.data;
    const dim = this.get("dim");
    return Number(this.get("pos")) !== token || dim < first || dim >= first + before.length;
  }

  get fragment() {
    return "section";
  }

  take(data) {
    this.data = data;
    this.named(this.dims, "group", data.words.label);
    const mark = (look, text) => [make("span", `mark ${look}`), make("span", "", text)];
    this.legend.replaceChildren(
      ...mark("was", data.words.before),
      ...mark("is", data.words.after),
      make("b", "", "×"),
      data.words.zero,
    );
  }

  get at() {
    const { first, before } = this.data;
    return clamp(Number(this.get("dim") ?? first) - first, 0, before.length - 1);
  }

  key(event) {
    const to = pressed(event, { ArrowLeft: this.at - 1, ArrowRight: this.at + 1 });
    if (to === undefined) return;
    this.pick(clamp(to, 0, this.data.before.length - 1));
    this.heard.textContent = this.said.textContent;
  }

  pick(i) {
    this.select({ dim: this.data.first + i });
    this.dims.children[i].focus();
  }

  draw() {
    const { before, after, first } = this.data;
    const wide = this.root.clientWidth;
    const pitch = wide / before.length;
    const reach = Math.max(...before.map(Math.abs), ...after.map(Math.abs)) || 1;
    const zero = TALL / 2;
    const bar = (value, i, look, inset) => {
      const high = (Math.abs(value) / reach) * (TALL / 2 - EDGE);
      const x = i * pitch + inset;
      const width = Math.max(2, pitch - 2 * inset);
      return vector("rect", { class: look, x, width, y: value > 0 ? zero - high : zero, height: high });
    };
    this.svg.setAttribute("width", wide);
    this.svg.replaceChildren(vector("rect", { class: "here", x: this.at * pitch, width: pitch, y: 0, height: TALL }));
    before.forEach((value, i) => {
      this.svg.append(bar(after[i], i, "is", pitch / 4), bar(value, i, "was", pitch / 4));
      if (after[i] === 0 && value !== 0) this.svg.append(cross((i + 0.5) * pitch, zero));
    });
    this.svg.append(vector("path", { class: "zero", d: `M0 ${zero} H${wide}` }));
    this.keepingFocus(() => this.dims.replaceChildren(...before.map((_, i) => this.dim(first + i, i))));
    this.said.textContent = this.sentence();
  }

  dim(number, i) {
    const button = make("button", i === this.at ? "on" : "", String(number));
    button.dataset.at = `dim-${number}`;
    button.tabIndex = i === this.at ? 0 : -1;
    button.setAttribute("aria-pressed", String(i === this.at));
    button.onclick = () => this.pick(i);
    return button;
  }

  sentence() {
    const { before, after, first, factor, words } = this.data;
    const i = this.at;
    const facts = { dim: first + i, before: short(before[i]), after: short(after[i]), factor };
    const gone = after[i] === 0 && before[i] !== 0;
    return (gone ? words.gone : words.kept).replace(/\{(\w+)\}/g, (_, name) => facts[name]);
  }
}

function cross(x, y) {
  const [a, b] = [-CROSS, CROSS];
  return vector("path", {
    class: "gone",
    d: `M${x + a} ${y + a} L${x + b} ${y + b} M${x + a} ${y + b} L${x + b} ${y + a}`,
  });
}

export default component(Dropped);
