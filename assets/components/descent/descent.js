// One weight on its way down: the loss over the weight, where each step led, and the slope at the selected one.

import { make, roundSteps, showTip, tipIn, vector, widthOf, within, yielding } from "../kit/draw.js";
import { SAID_DIGITS, short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `weights`, `losses`, `slopes`: before the first step and after each; `last`, [weight, loss], is where one more step
 * would lead. Behind the header: the weights along the curve, and the loss at each, as float32. While `veiled`, the
 * ends of the two axes alone, and of the slope how steep it is; while the way is asked, the curve turned so that it
 * rises to the right where the weight stands: it or its mirror image is the true one.
 * @typedef {{param: string, weights: number[], losses: number[], slopes: number[], last: number[],
 *   veiled: boolean,
 *   words: {label: string, weight: string, along: string, loss: string, axis: string, slope: string, step: string,
 *     next: string, caption: string, arrow: string, been: string, ways: string[]}}} Header
 */

const LEFT = 46;
const RIGHT = 16;
const TOP = 26;
const FOOT = 56; // under the axis its numbers, those of the weight, and what the axis is of
const FOOT_ASKED = 78; // ... and which way the weight may go
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const ROOM = 200; // for what is said of the slope
const NAMED = 90; // for what is said of a loss
const CLEAR = 62; // from the number of the weight to that of the next step
const SEEN = 14; // pixels of a step: a shorter one is not drawn
const BETWEEN = 40; // two curves to choose from
const TANGENT = 0.2; // of the width, to either side

class Descent extends Picture {
  static className = "descent";
  static speaks = true;

  build() {
    this.box = this.root.appendChild(make("div", "box"));
    this.svg = this.box.appendChild(vector("svg", { tabindex: 0 }));
    this.tip = tipIn(this.box);
    this.caption = this.root.appendChild(make("p", "caption"));
    this.svg.onpointermove = (event) => this.point(within(event, this.svg));
    this.svg.onpointerleave = () => showTip(this.tip, null);
    this.svg.onclick = (event) => this.pick(this.nearest(within(event, this.svg)));
    this.svg.onkeydown = (event) => this.key(event);
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    const count = body.byteLength / 8;
    this.header = header;
    this.along = new Float32Array(body.buffer, 0, count);
    this.curve = new Float32Array(body.buffer, 4 * count, count);
    this.named(this.svg, "application", header.words.label);
    const seen = [...this.curve, ...header.losses];
    const [low, high] = [Math.min(...seen), Math.max(...seen)];
    const room = 0.06 * (high - low);
    this.low = low - 3 * room; // below the valley stands what is said of it
    this.high = high + room;
  }

  // ---- geometry

  x(weight) {
    const [first, last] = [this.along[0], this.along.at(-1)];
    return LEFT + ((weight - first) / (last - first)) * this.wide;
  }

  y(loss) {
    return TOP + (1 - (loss - this.low) / (this.high - this.low)) * this.tall;
  }

  chosen() {
    return this.index(this.header.param, this.header.weights.length);
  }

  spot(i) {
    return [this.x(this.header.weights[i]), this.y(this.header.losses[i])];
  }

  // ---- drawing

  draw() {
    const width = this.root.clientWidth || 480;
    const high = yielding(clamp(0.62 * width, 300, 400));
    this.wide = width - LEFT - RIGHT;
    this.tall = high - TOP - (this.header.words.ways.length ? FOOT_ASKED : FOOT);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${high}`);
    this.svg.setAttribute("height", high);
    const now = this.chosen();
    const { veiled, words } = this.header;
    const next = veiled ? [] : this.next(now);
    const said = [words.caption, next.length ? words.arrow : "", now ? words.been : ""];
    this.caption.textContent = said.filter(Boolean).join(words.caption.endsWith("。") ? "" : " ");
    this.svg.replaceChildren(
      ...this.grid(now, next.length > 0),
      ...(veiled ? this.asked(now) : [vector("path", { d: path(this.points()), class: "curve" })]),
      ...(veiled ? [] : this.tangent(now)),
      ...this.way(now),
      ...this.dots(now),
      ...next,
      ...(words.ways.length ? [] : this.here(now)),
    );
  }

  points() {
    return [...this.along].map((weight, i) => [this.x(weight), this.y(this.curve[i])]);
  }

  grid(now, steps) {
    const { words } = this.header;
    const bottom = TOP + this.tall;
    const marks = this.marks(now, steps);
    const both = words.ways.length > 0; // two curves, each with its own axis
    const lines = both ? [-1, 1].map((side) => this.panelAt(side)) : [[LEFT, this.wide]];
    const across = roundSteps(this.low, this.high, 4).flatMap((loss) => [
      ...lines.map(([x1, wide]) =>
        vector("line", { x1, x2: x1 + wide, y1: this.y(loss), y2: this.y(loss), class: "grid" }),
      ),
      vector("text", { x: LEFT - 8, y: this.y(loss) + 4, "text-anchor": "end" }, number(loss)),
    ]);
    const along = (both ? [] : roundSteps(this.along[0], this.along.at(-1), this.wide < 360 ? 4 : 7)).map((weight) =>
      vector("text", { x: this.x(weight), y: bottom + 17, "text-anchor": "middle" }, number(weight)),
    );
    const own = (both ? [] : marks).flatMap(({ x, at, text }) => [
      vector("line", { x1: x, x2: x, y1: bottom - 4, y2: bottom + 4, class: "tick" }),
      vector("text", { x: at, y: bottom + 33, "text-anchor": "middle", class: "own" }, text),
    ]);
    const below = { x: LEFT + this.wide, y: bottom + (both ? 72 : 50), "text-anchor": "end", class: "word" };
    return [
      ...across,
      ...along,
      ...own,
      vector("text", below, widthOf(words.along) < LEFT + this.wide ? words.along : words.weight),
      vector("text", { x: 0, y: 14, class: "word" }, words.axis),
    ];
  }

  /** The weight on its axis, and where the next step puts it; `at` their numbers, which keep apart. */
  marks(now, steps) {
    const own = [this.header.weights[now], ...(steps ? [this.after(now)[0]] : [])];
    const places = own.map((weight) => ({ x: this.x(weight), at: this.x(weight), text: short(weight, SAID_DIGITS) }));
    const [one, other] = places;
    const lacks = other ? (CLEAR - Math.abs(other.x - one.x)) / 2 : 0;
    if (lacks > 0) {
      const side = Math.sign(other.x - one.x);
      one.at -= side * lacks;
      other.at += side * lacks;
    }
    return places;
  }

  /** The weight and the loss that the next step leads to. */
  after(now) {
    const { weights, losses, last } = this.header;
    return now + 1 < weights.length ? [weights[now + 1], losses[now + 1]] : last;
  }

  /** The line that touches the curve where the weight stands. */
  tangent(now) {
    const { weights, losses, slopes, words } = this.header;
    const reach = TANGENT * (this.along.at(-1) - this.along[0]);
    const room = Math.min((this.high - this.low) / 3, losses[now] - this.low); // not through the axis's numbers
    const half = Math.min(reach, room / Math.abs(slopes[now] || 1e-9));
    const end = (sign) => {
      const far = clamp(sign * half, this.along[0] - weights[now], this.along.at(-1) - weights[now]);
      return [this.x(weights[now] + far), this.y(losses[now] + far * slopes[now])];
    };
    const [x, y] = end(slopes[now] > 0 ? 1 : -1);
    const anchor = slopes[now] > 0 ? "end" : "start";
    const said = words.slope.replace("{slope}", short(slopes[now], SAID_DIGITS));
    const [cx, cy] = this.spot(now);
    const over = {
      x: clamp(x, LEFT + 4, LEFT + this.wide),
      y: clamp(y - 10, TOP + 10, TOP + this.tall),
      class: "said slope",
    };
    // The way came from the right and from above: below the loss nothing is in the way, where there is room.
    const below = slopes[now] > 0 && cx < LEFT + this.wide - ROOM;
    const place = below ? { x: cx + 12, y: cy + 40, class: "said slope" } : { ...over, "text-anchor": anchor };
    return [vector("path", { d: path([end(-1), end(1)]), class: "tangent" }), vector("text", place, said)];
  }

  /** From point to point: each step straight across, then to the loss it led to. */
  way(now) {
    const places = Array.from({ length: now + 1 }, (_, i) => this.spot(i));
    return places.slice(1).map(([x, y], i) => {
      const [fromX, fromY] = places[i];
      return vector("path", {
        d: path([
          [fromX, fromY],
          [x, fromY],
          [x, y],
        ]),
        class: "way",
      });
    });
  }

  dots(now) {
    return Array.from({ length: now }, (_, i) => {
      const [cx, cy] = this.spot(i);
      return vector("circle", { cx, cy, r: 4, class: "been" });
    });
  }

  /** The step that comes next: across by as much as it changes the weight, then to the loss it leads to. */
  next(now) {
    const { weights, words } = this.header;
    const [weight, loss] = this.after(now);
    const [[cx, cy], x, y] = [this.spot(now), this.x(weight), this.y(loss)];
    if (Math.abs(x - cx) < SEEN || x < LEFT || x > LEFT + this.wide) return [];
    const side = Math.sign(x - cx);
    const across = `M${cx + 9 * side},${cy}H${x}M${x - 6 * side},${cy - 4}L${x},${cy}L${x - 6 * side},${cy + 4}`;
    const at = { x: cx + 8 * side, y: cy - 10, "text-anchor": side > 0 ? "start" : "end", class: "said" };
    return [
      vector("path", { d: across, class: "next" }),
      vector("line", { x1: x, x2: x, y1: cy, y2: y, class: "next" }),
      vector("line", { x1: x, x2: x, y1: y, y2: TOP + this.tall, class: "drop" }),
      vector("circle", { cx: x, cy: y, r: 5, class: "next" }),
      vector("text", at, words.next.replace("{step}", short(weight - weights[now], SAID_DIGITS))),
      vector("text", this.besideNext(x, y), `${words.loss} ${short(loss, SAID_DIGITS)}`),
    ];
  }

  // Over the curve, on the side to which it falls.
  besideNext(x, y) {
    const after = this.points().findIndex(([at]) => at > x);
    const [[, before], [, behind]] = this.points().slice(Math.max(0, after - 1), after + 1);
    const right = behind > before ? x < LEFT + this.wide - NAMED : x < LEFT + NAMED;
    return { x: x + (right ? 11 : -11), y: y - 4, "text-anchor": right ? "start" : "end", class: "said" };
  }

  /** While it is asked which way to go: the curve and its mirror image beside each other; one is the true one. */
  asked(now) {
    return this.header.words.ways.length ? [-1, 1].flatMap((side) => this.panel(now, side, ...this.panelAt(side))) : [];
  }

  /** Where one of the two begins, and how wide it is. */
  panelAt(side) {
    const wide = (this.wide - BETWEEN) / 2;
    return [side < 0 ? LEFT : LEFT + wide + BETWEEN, wide];
  }

  panel(now, side, left, wide) {
    const { weights, losses, slopes, words } = this.header;
    const bottom = TOP + this.tall;
    const [cx, cy] = [left + wide / 2, this.y(losses[now])];
    const unit = wide / (this.along.at(-1) - this.along[0]); // of the weight, in pixels
    const curve = [...this.along].map((weight, i) => [
      cx + side * unit * (weight - weights[now]),
      this.y(this.curve[i]),
    ]);
    const rise = (this.y(losses[now] + slopes[now]) - cy) / unit;
    const far = 0.22 * wide;
    const ends = [-far, far].map((x) => [cx + side * x, cy + x * rise]);
    const said = words.slope.replace("{slope}", short(side * slopes[now], SAID_DIGITS));
    const ways = words.ways.flatMap((word, k) => {
      const away = k ? 1 : -1;
      const [from, to] = [cx + 8 * away, cx + 30 * away];
      const [tip, y] = [to - 6 * away, bottom + 36];
      const d = `M${from},${y}H${to}M${tip},${y - 5}L${to},${y}L${tip},${y + 5}`;
      const at = { x: to + 6 * away, y: bottom + 41, "text-anchor": k ? "start" : "end", class: "said towards" };
      return [vector("path", { d, class: "towards" }), vector("text", at, word)];
    });
    return [
      vector("path", { d: path(curve), class: "either" }),
      vector("path", { d: path(ends), class: "tangent" }),
      vector("line", { x1: cx, x2: cx, y1: cy, y2: bottom, class: "drop" }),
      vector("circle", { cx, cy, r: 7, class: "here" }),
      vector("text", { x: cx, y: TOP + 12, "text-anchor": "middle", class: "said slope" }, said),
      vector(
        "text",
        { x: cx, y: bottom + 17, "text-anchor": "middle", class: "own" },
        short(weights[now], SAID_DIGITS),
      ),
      ...ways,
    ];
  }

  here(now) {
    const [cx, cy] = this.spot(now);
    const left = this.header.slopes[now] < 0 ? cx > LEFT + 110 : cx > LEFT + this.wide - 110; // the curve is not there
    const text = `${this.header.words.loss} ${short(this.header.losses[now], SAID_DIGITS)}`;
    const beside = { x: cx + (left ? -12 : 12), y: cy + 22, "text-anchor": left ? "end" : "start", class: "said" };
    return [
      vector("line", { x1: cx, x2: cx, y1: cy, y2: TOP + this.tall, class: "drop" }),
      vector("circle", { cx, cy, r: 7, class: "here" }),
      vector("text", beside, text),
    ];
  }

  // ---- what a hand does

  nearest({ x, y }) {
    const now = this.chosen();
    const far = ([cx, cy]) => Math.hypot(cx - x, cy - y);
    const places = Array.from({ length: now + 1 }, (_, i) => i);
    const near = places.reduce((best, i) => (far(this.spot(i)) < far(this.spot(best)) ? i : best), now);
    return far(this.spot(near)) < 24 ? near : now;
  }

  point({ x }) {
    if (this.header.veiled) return;
    const share = (x - LEFT) / this.wide;
    const i = clamp(Math.round(share * (this.along.length - 1)), 0, this.along.length - 1);
    const { words } = this.header;
    const text = `${words.weight} ${short(this.along[i])}\n${words.loss} ${short(this.curve[i])}`;
    const place = { x: this.x(this.along[i]), y: this.y(this.curve[i]), gap: 10, width: this.root.clientWidth };
    showTip(this.tip, text, place);
  }

  pick(i) {
    if (this.header.veiled || i === this.chosen()) return;
    this.select({ [this.header.param]: i });
  }

  key(event) {
    const step = pressed(event, KEYS);
    if (!step) return;
    const i = clamp(this.chosen() + step, 0, this.header.weights.length - 1);
    this.pick(i);
    const { words, losses } = this.header;
    this.heard.textContent = words.step.replace("{step}", i).replace("{loss}", short(losses[i], SAID_DIGITS));
  }
}

const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}`;

const number = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 2 }).replace("-", "−");

export default component(Descent);
