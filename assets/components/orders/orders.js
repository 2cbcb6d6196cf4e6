// The same words in two orders, a line from each to itself; above each, how far its two last vectors lie apart, for the
// reader that is selected. Where nothing changes without positions, what does with them is pale behind it. What must
// not be seen yet arrives as null.

import { make, marked, vector } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { entry, Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * What one reader makes of both orders: of each word how far apart its vectors are, and their cosine; `trails` say
 * where that distance leads, where it may.
 * @typedef {{share: (number | null)[], cosine: (number | null)[], said: string[], caption: string,
 *   trails: string[]}} Reading
 *
 * `partner` is the place of each word of the `first` order in the `second`.
 * @typedef {{first: string[], second: string[], special: boolean[], partner: number[],
 *   readers: Record<string, Reading>}} Scene
 *
 * `most` is the share that fills a bar; what is below `rounding` is none, but for rounding.
 * @typedef {{scenes: Record<string, Scene>, most: number, rounding: number,
 *   words: {label: string, veiled: string, more: string, pale: string}}} Data
 */

const BAR = 76;
const CHIP = 26;
const GAP = 52;
const TOP = 18;
const Y = { bar: TOP + BAR, first: TOP + BAR + 4, second: TOP + BAR + 4 + CHIP + GAP };
const HIGH = Y.second + CHIP + 4;
const LABEL = 17; // pixels that a number takes over its bar

class Orders extends Picture {
  static className = "orders";

  build() {
    this.scroll = this.measured = this.root.appendChild(make("div", "scroll"));
    this.svg = this.scroll.appendChild(vector("svg", { role: "group" }));
    this.more = this.root.appendChild(make("p", "more"));
    this.said = this.root.appendChild(make("div", "said"));
    this.caption = this.root.appendChild(make("p", "caption"));
  }

  draw() {
    const { scenes, words } = this.data;
    const scene = entry(scenes, this.get("order")) ?? Object.values(scenes)[0];
    const reading = entry(scene?.readers, this.get("reader")) ?? Object.values(scene?.readers ?? {})[0];
    if (!reading) return;
    const { on, off } = scene.readers;
    const still = reading === off && off.share.every((value) => value !== null && value < this.data.rounding);
    this.drawScene(scene, reading, still && !on.share.includes(null) ? on.share : []);
    this.said.replaceChildren(...(reading.said ?? []).map((text) => make("p", "", text)));
    this.caption.replaceChildren(marked(reading.caption));
    this.more.textContent = words.more;
    this.more.hidden = this.scroll.scrollWidth <= this.scroll.clientWidth + 1; // where it does not fit, that is said
    if (this.more.hidden) this.scroll.removeAttribute("tabindex");
    else this.scroll.tabIndex = 0; // arrow keys scroll it
  }

  drawScene(scene, { share, cosine, trails = [] }, pale) {
    const { words, most, rounding } = this.data;
    const { first, second, partner, special } = scene;
    const wide = Math.max(46, 18 + 8.2 * Math.max(...first.map((text) => [...text].length)));
    const step = Math.max(wide + 6, Math.min(110, (this.root.clientWidth || 600) / first.length));
    const width = Math.max(step * first.length, 1);
    const x = (i) => (i + 0.5) * step;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HIGH}`);
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", HIGH);
    const lines = partner.map((to, i) => line(x(i), x(to), to !== i));
    const behind = pale.map((value, i) => column(x(i), heightOf(value, most), "bar pale"));
    if (pale.length) behind.push(vector("text", { x: 0, y: 11, class: "key" }, words.pale));
    const bars = first.flatMap((text, i) =>
      bar(text, x(i), share[i], cosine[i], { most, rounding, to: trails[i], over: pale[i] }),
    );
    const above = first.flatMap((text, i) => chip(text, x(i), Y.first, wide, special[i], partner[i] !== i));
    const below = second.flatMap((text, j) => {
      const i = partner.indexOf(j);
      return chip(text, x(j), Y.second, wide, special[i], i !== j);
    });
    this.svg.replaceChildren(...lines, ...behind, ...bars, ...above, ...below);
    const heard = first.map((text, i) => `${text} ${share[i] === null ? words.veiled : short(share[i])}`);
    this.svg.setAttribute("aria-label", `${words.label} ${heard.join(", ")}`);
  }
}

function line(from, to, moved) {
  const [top, bottom] = [Y.first + CHIP, Y.second];
  const d = `M${from},${top} C${from},${top + GAP / 2} ${to},${bottom - GAP / 2} ${to},${bottom}`;
  return vector("path", { d, class: moved ? "line moved" : "line" });
}

function bar(text, x, share, cosine, { most, rounding, to, over = 0 }) {
  const none = share !== null && share < rounding;
  const high = share === null || none ? 0 : heightOf(share, most);
  const box = column(x, high, "bar");
  const foot = vector("line", { x1: x - 16, x2: x + 16, y1: Y.bar, y2: Y.bar, class: "foot" });
  if (share !== null) box.append(vector("title", {}, `${text}  ${short(share)}  cos ${short(cosine)}`));
  const behind = over ? heightOf(over, most) : 0;
  const low = behind < LABEL ? behind : 0; // a number stands over what is pale and low, and in what is high
  const at = { x, y: Y.bar - Math.max(high, low) - 5, "text-anchor": "middle", class: "value" };
  const value = vector("text", at, share === null ? "?" : none && share ? "≈ 0" : short(share));
  return [foot, box, to ? door(value, to, `${text} ${value.textContent}`, at) : value];
}

const heightOf = (share, most) => Math.max(1, Math.min(1, share / most) * BAR);

function column(x, high, className) {
  return vector("rect", { x: x - 11, y: Y.bar - high, width: 22, height: high, class: className });
}

// A number in the picture begins a trail, by a click or by a key; it has room around it to be met.
function door(value, to, name, { x, y }) {
  const button = vector("g", { "data-trail": to, class: "door", role: "button", tabindex: 0, "aria-label": name });
  button.append(vector("rect", { x: x - 22, y: y - 17, width: 44, height: 25, class: "room" }), value);
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    button.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
  });
  return button;
}

function chip(text, x, y, wide, special, moved) {
  const look = `chip${special ? " special" : ""}${moved ? " moved" : ""}`;
  return [
    vector("rect", { x: x - wide / 2, y, width: wide, height: CHIP, rx: 5, class: look }),
    vector("text", { x, y: y + 18, "text-anchor": "middle", class: look }, text),
  ];
}

export default component(Orders);
