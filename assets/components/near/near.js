// A ruler of cosines, from 0 to where they end, with the rows a word is compared with, each a dot where its cosine is,
// and a name over it.

import { make, vector } from "../kit/draw.js";
import { exact, fixed } from "../kit/format.js";
import { clamp, Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * @typedef {{id: string, text: string, cosine: number}} Row
 *
 * @typedef {{param: string, chosen: string, rows: Row[], words: {label: string, none: string, same: string}}} Data
 */

const LANE = 26;
const LANES = 4; // so many have room, so that nothing below moves with another word
const FOOT = 40;
const BEYOND = 0.02; // of the ruler, behind the last flag
const DOT = 3.5; // where a row is; its stem only leads to its name
const EDGE = 12; // half of the widest number below the ruler

class Near extends Picture {
  static className = "near";

  build() {
    this.title = this.root.appendChild(make("p", "title"));
    this.box = this.root.appendChild(make("div", "box"));
    this.svg = this.box.appendChild(vector("svg", { "aria-hidden": "true" }));
    this.list = this.box.appendChild(make("div", "list"));
  }

  take(data) {
    this.data = data;
    this.title.textContent = data.words.label;
    this.named(this.list, "group", data.words.label);
  }

  draw() {
    const { rows } = this.data;
    const width = this.root.clientWidth || 420;
    const low = Math.min(0, ...rows.map(({ cosine }) => Math.floor(cosine * 10) / 10));
    const most = Math.max(...rows.map(({ cosine }) => cosine));
    const high = Math.min(1, Math.ceil((most + BEYOND) * 10) / 10);
    const x = (cosine) => EDGE + ((cosine - low) / (high - low)) * (width - 2 * EDGE);
    const placed = lanes(rows, x, width);
    const base = LANE * Math.max(LANES, ...placed.map(({ lane }) => lane + 1)) + 6;
    const nodes = placed.map(({ row, lane, at }) => {
      const look = this.on(row) ? "stem on" : "stem";
      return vector("line", { x1: at, x2: at, y1: base, y2: base - LANE * (lane + 1) + 4, class: look });
    });
    const dots = placed.map(({ row, at }) =>
      vector("circle", { cx: at, cy: base, r: DOT, class: this.on(row) ? "dot on" : "dot" }),
    );
    nodes.push(...axis(x, [low, high], base, width, this.data.words), ...dots);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${base + FOOT}`);
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", base + FOOT);
    this.svg.replaceChildren(...nodes);
    this.keepingFocus(() => this.list.replaceChildren(...placed.map((one) => this.button(one, base))));
  }

  on({ id }) {
    return id === (this.get(this.data.param) ?? this.data.chosen);
  }

  button({ row, lane, from, to }, base) {
    const button = make("button", this.on(row) ? "on" : "", `${row.text} ${fixed(row.cosine, 2)}`);
    Object.assign(button.style, {
      left: `${from}px`,
      width: `${to - from}px`,
      top: `${base - LANE * (lane + 1) - 2}px`,
    });
    button.title = exact(row.cosine);
    button.dataset.at = row.id;
    button.setAttribute("aria-pressed", String(this.on(row)));
    button.onclick = () => this.select({ [this.data.param]: row.id });
    return button;
  }
}

// Each label a flag to one side of its stem: of all ways to choose the sides the one with the shortest stems.
function lanes(rows, x, width) {
  const flags = rows.map((row) => ({ row, at: x(row.cosine), wide: wideOf(row.text) })).sort((a, b) => a.at - b.at);
  const high = (placed) => placed.reduce((sum, { lane }) => sum + lane, 0);
  const ways = Array.from({ length: 2 ** flags.length }, (_, sides) => hoisted(flags, sides, width));
  return ways.reduce((best, one) => (high(one) < high(best) ? one : best));
}

// Flags to the left from the left, then those to the right from the right, each in the lowest lane where it lies on no
// other, over the stems that it covers, and where its own stem passes behind none.
function hoisted(flags, sides, width) {
  const turned = flags.map((flag, i) => {
    const left = (sides >> i) & 1;
    const from = clamp(flag.at - left * flag.wide, 0, width - flag.wide);
    return { ...flag, left, from, to: from + flag.wide };
  });
  const placed = [];
  for (const flag of [...turned.filter(({ left }) => left), ...turned.filter(({ left }) => !left).reverse()]) {
    const tries = flags.map((_, lane) => lane);
    const lane = tries.find((lane) => placed.every((other) => apartAt(flag, lane, other)));
    placed.push({ ...flag, lane: lane ?? flags.length });
  }
  return placed;
}

const wideOf = (text) => 14 + [...text].reduce((sum, c) => sum + (c > "\u2e80" ? 13 : 6.4), 30);

/** Whether a flag in this lane and one that has its place leave each other's label and stem free. */
function apartAt(flag, lane, other) {
  if (lane === other.lane) return flag.to + 4 <= other.from || other.to + 4 <= flag.from;
  const [low, high] = lane < other.lane ? [flag, other] : [other, flag];
  return high.at <= low.from || high.at >= low.to;
}

function axis(x, [low, high], base, width, { none, same }) {
  const step = high - low > 0.6 ? 0.2 : 0.1;
  const steps = Array.from({ length: Math.floor((high - low) / step + 1e-6) + 1 }, (_, i) => low + i * step);
  const end = high < 1 ? `${same} (1.0) →` : same;
  return [
    vector("line", { x1: x(low), x2: x(high), y1: base, y2: base, class: "axis" }),
    ...steps.flatMap((at) => [
      vector("line", { x1: x(at), x2: x(at), y1: base, y2: base + 4, class: "axis" }),
      vector("text", { x: x(at), y: base + 17, "text-anchor": "middle" }, fixed(at, 1)),
    ]),
    vector("text", { x: x(0) - 4, y: base + 34, class: "word" }, none),
    vector("text", { x: width - 4, y: base + 34, "text-anchor": "end", class: "word" }, end),
  ];
}

export default component(Near);
