// Pairs of dimensions of a query and a key as dials: a hand each, pale as it is made and full as its position turns it.
// Below each dial, what the pair adds to the score; those that add or take most are seen. A hand is as long as the root
// of its length: short ones show, too.

import { make, showTip, tipIn, vector, within } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

const SIZE = 74; // of one dial, in pixels
const BAR = 16; // the height of what it adds
const MOST = 10; // dials

/**
 * @typedef {{query: number[][][], key: number[][][], angles: number[][], brings: number[],
 *   words: {label: string, query: string, key: string, tip: string, rest: string}}} Data
 */
class Dials extends Picture {
  static className = "dials";

  build() {
    this.legend = this.root.appendChild(make("p", "legend"));
    this.box = this.root.appendChild(make("div", "box"));
    this.tip = tipIn(this.root);
  }

  take(data) {
    this.data = data;
    const { words, brings } = data;
    const order = brings.map((_, i) => i).sort((a, b) => Math.abs(brings[b]) - Math.abs(brings[a]));
    this.shown = order.slice(0, MOST).sort((a, b) => a - b);
    const rest = order.slice(MOST).reduce((sum, i) => sum + brings[i], 0);
    const facts = { shown: this.shown.length, all: brings.length, rest: short(rest) };
    const said = words.rest.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
    const names = [make("span", "query", `— ${words.query}`), make("span", "key", `- - ${words.key}`)];
    this.legend.replaceChildren(...names, make("span", "", said));
  }

  draw() {
    const { query, key, brings } = this.data;
    const reach = (of) => Math.max(...of[0].map(([x, y]) => Math.hypot(x, y))) || 1;
    const most = Math.max(...brings.map(Math.abs)) || 1;
    const reaches = [reach(query), reach(key)];
    this.box.replaceChildren(...this.shown.map((i) => this.dial(i, reaches, brings[i] / most)));
  }

  dial(i, reaches, share) {
    const { query, key, words } = this.data;
    const r = SIZE / 2 - 4;
    const one = vector("svg", {
      viewBox: `0 0 ${SIZE} ${SIZE + BAR * 2 + 14}`,
      class: "dial",
      tabindex: 0,
      role: "img",
    });
    one.append(vector("circle", { cx: SIZE / 2, cy: SIZE / 2, r }));
    [query, key].forEach((of, which) =>
      of.forEach(([...pairs], turned) => {
        const long = Math.hypot(...pairs[i]) || 1;
        const [x, y] = pairs[i].map((part) => (part / long) * Math.sqrt(long / reaches[which]) * r);
        const look = `${which ? "key" : "query"} ${turned ? "after" : "before"}`;
        const [x1, y1] = [SIZE / 2, SIZE / 2];
        one.append(vector("line", { x1, y1, x2: x1 + x, y2: y1 - y, class: look }));
      }),
    );
    const high = Math.abs(share) * BAR;
    const zero = SIZE + BAR;
    const look = share < 0 ? "bar negative" : "bar";
    one.append(
      vector("rect", { x: 22, y: share > 0 ? zero - high : zero, width: SIZE - 44, height: high, class: look }),
    );
    one.append(vector("line", { x1: 12, x2: SIZE - 12, y1: zero, y2: zero, class: "zero" }));
    const value = { x: SIZE / 2, y: SIZE + BAR * 2 + 10, "text-anchor": "middle" };
    one.append(vector("text", { x: 2, y: 9 }, String(i)), vector("text", value, short(this.data.brings[i])));
    const said = this.said(i, words.tip);
    this.named(one, "img", said);
    one.onpointermove = (event) => showTip(this.tip, said, within(event, this.root));
    one.onfocus = () => {
      const [a, b] = [one.getBoundingClientRect(), this.root.getBoundingClientRect()];
      showTip(this.tip, said, { x: a.x - b.x, y: a.y - b.y, width: b.width });
    };
    one.onpointerleave = one.onblur = () => showTip(this.tip, null);
    return one;
  }

  said(i, tip) {
    const { angles, brings } = this.data;
    const degrees = (radians) => `${short((radians * 180) / Math.PI)}°`;
    const values = {
      c: i,
      other: i + brings.length,
      query: degrees(angles[0][i]),
      key: degrees(angles[1][i]),
      brings: short(brings[i]),
    };
    return tip.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }
}

export default component(Dials);
