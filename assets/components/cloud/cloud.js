// Words as points of a map: a shape a group, the groups' names among them, and as many words as can be written without
// touching. Coloured are the selected word's group, and the words nearest to it in the space itself; a line leads to
// what it is compared with, or to each of those.

import { make, showTip, tipIn, vector, within, yielding } from "../kit/draw.js";
import { fixed, grouped } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `groups` are places in `names`; a run of `snapshots`, values of the parameter `by`, can be played, of which one is
 * seen; a map with `ends`, [low, high] of each axis, keeps its scale and its middle. Names that are a `legend` stand
 * under the map. What a word is compared with is the parameter `to`: else those it is `linked` with, else its nearest;
 * `pairs` are others whose cosines are known: [word, other, cosine]. Where there is no `to`, all its nearest are spoken
 * of. So many words of `each` group are written, of the chosen word’s own four times as many. Those
 * with `partners` are joined with their own, the chosen one, to which an arrow leads from where it was `before`, and
 * the one that a pointer is at. Of an open question the word that is `asked` about (a place, -1 for none) has a frame
 * about its name, and those to choose from are covered: each is a chip, their names are not here. Behind the header:
 * points [word, dimensions], near [word, k], cosines [word, k].
 * @typedef {{fragment?: string, param: string, also: object, texts: string[], groups: number[], names: string[],
 *   dimensions: number, snapshots: number[], snapshot: number, fixed: boolean, by: string, ends: number[][],
 *   to: string, linked: Pair[], pairs: Pair[], legend: boolean, each: number, partners: number[], before: number[],
 *   asked: number, words: CloudWords}} Header
 *
 * @typedef {[number, number, number]} Pair
 *
 * @typedef {{label: string, hidden: string, cosine: string, turn: string, run: string, play: string, stop: string,
 *   own: string, close: string, compared: string, off: string, guess: string}} CloudWords
 */

const [MOST, TALL] = [430, 560]; // pixels down, and where the screen has them
const AS_WIDE = 1.35; // so many times as wide
const LOWER = 0.94; // on a phone so many times as high as wide
const EDGE = 24;
const CLEAR = [11, 9]; // beside and over a mark's middle: so far away stands a group's name
const BARE = [6, 6]; // ... and the name of a word, where it can
const TURNS = Array.from({ length: 36 }, (_, i) => 5 * i); // degrees
const POINT = 4;
const TOUCHING = 10; // pixels between two marks beside each other
const REACH = 14; // pixels: so near to a point, it is meant
const PACE = 1100; // ms a snapshot stays
const GLIDE = 450; // ms the points take from one to the next
// A cross of arms that are 2a wide and reach b out.
const cross = (a, b) => `M${-a},${-b}H${a}V${-a}H${b}V${a}H${a}V${b}H${-a}V${a}H${-b}V${-a}H${-a}z`;
const SHAPES = [
  (r) => `M${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`,
  (r) => `M${-r},${-r}H${r}V${r}H${-r}z`,
  (r) => `M0,${-1.35 * r}L${1.35 * r},0L0,${1.35 * r}L${-1.35 * r},0z`,
  (r) => `M0,${-1.3 * r}L${1.25 * r},${r}H${-1.25 * r}z`,
  (r) => `M0,${1.3 * r}L${1.25 * r},${-r}H${-1.25 * r}z`,
  (r) => cross(r / 2.4, r * 1.25),
  // no upright or flat boxes: beside Chinese labels they look like characters
  (r) => `M${-1.25 * r},${-r}L${1.25 * r},${r}V${-r}L${-1.25 * r},${r}z`,
  (r) => `M${-r},${-1.25 * r}H${r}L${-r},${1.25 * r}H${r}z`,
];
const CLOSE = 110; // pixels that points lie apart whose names stand in a column
const PITCH = 17; // of its lines
const ASTRAY = 14; // pixels that a name goes farther to stand on the side away from those beside it
const [NAMES_AWAY, LINES_AWAY] = [14, 10]; // pixels between the names of two groups, beside and under each other
const OTHERS_AWAY = 14; // pixels from a word to the next point of another group: its own lies 8 away,
const SISTERS_AWAY = 12; // ... and those of its group not so near that it could be theirs
const CHIP = 14;
const ASIDE = 22; // pixels from a chip to a word that is spoken of
const UNCOVERED = 14; // ... and to any other
const RING = 7; // about the chosen word
const [CROWDED, AWAY] = [24, 20]; // pixels: so near to it, the name of another stands so much farther away
const SIDES = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
];
// Where a label may stand that must: sixteen ways out, nearer ones first.
const AROUND = [9, 20, 34, 50, 70, 95].flatMap((far) =>
  Array.from({ length: 16 }, (_, i) => [Math.cos((i * Math.PI) / 8), Math.sin((i * Math.PI) / 8), far]),
);
const KEYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

class Cloud extends Picture {
  static className = "cloud";
  static speaks = true;

  build() {
    this.box = this.root.appendChild(make("div", "box"));
    this.svg = this.box.appendChild(vector("svg", { tabindex: 0 }));
    this.tip = tipIn(this.box);
    this.run = this.root.appendChild(make("div", "run"));
    this.turned = [0.5, -0.35]; // a solid map, turned by hand
    this.svg.onpointermove = (event) => (this.grip ? this.drag(event) : this.point(event));
    this.svg.onpointerleave = () => (this.join(-1), showTip(this.tip, null));
    this.svg.onpointerdown = (event) => this.press(event);
    this.svg.onpointerup = this.svg.onpointercancel = () => (this.grip = null);
    this.svg.onclick = (event) => this.click(event);
    this.svg.onkeydown = (event) => this.key(event);
    this.atEnd(() => this.rest());
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    const numbers = new Float32Array(body.buffer);
    const count = header.texts.length;
    const before = this.header?.dimensions === header.dimensions ? this.known(header.texts) : null;
    const { dimensions, ends, snapshots } = header;
    if (!before || !this.header.snapshots.length !== !snapshots.length) this.angle = null;
    this.header = header;
    const at = Array.from(numbers.subarray(0, count * dimensions));
    const [points, wide] = this.lying([...at, ...header.before], dimensions, ends);
    this.was = header.before.length ? points.pop() : null;
    this.wide = dimensions === 3 ? [1, 1] : wide;
    const rest = numbers.subarray(count * header.dimensions);
    this.near = rest.subarray(0, rest.length / 2);
    this.cosines = rest.subarray(rest.length / 2);
    this.named(this.svg, "application", header.words.label);
    this.glide(before, points);
    if (!header.snapshots.length) this.rest();
  }

  /** Where words were that were on the map, if most were. */
  known(texts) {
    const was = new Map(this.header.texts.map((text, i) => [text, this.points[i]]));
    const found = texts.map((text) => was.get(text));
    return 2 * found.filter(Boolean).length > texts.length ? found : null;
  }

  /** A map as it fills its frame best: which way is up, t-SNE leaves to chance; another lies on its side at most. While
   * the same words move, the map stays as it lay. */
  lying(numbers, dimensions, ends) {
    if (dimensions !== 2 || ends.length) return placed(numbers, dimensions, ends);
    const room = this.root.clientWidth;
    const aspect = room && room < MOST ? 1 / LOWER : AS_WIDE;
    const at = (angle) => placed(laid(numbers, angle), 2, ends);
    const size = ([, [wide, high], scale]) => Math.min(aspect / wide, 1 / high) / scale;
    const turns = this.header.snapshots.length ? TURNS : [0, 90];
    this.angle ??= turns.reduce((best, angle) => (size(at(angle)) > 1.001 * size(at(best)) ? angle : best));
    return at(this.angle);
  }

  // ---- the selection

  get chosen() {
    const now = String(this.get(this.header.param) ?? "");
    return this.header.texts.indexOf(now);
  }

  /** The words nearest to one in the space, where they are on the map and may be seen. */
  neighbours(i) {
    const each = this.near.length / this.header.texts.length;
    return Array.from({ length: i < 0 ? 0 : each }, (_, k) => ({
      at: this.near[i * each + k],
      cosine: this.cosines[i * each + k],
    })).filter(({ at }) => at >= 0);
  }

  /** Whether a word is not to be chosen: it is one of those that are asked about. */
  closed(i) {
    return this.header.texts[i] === this.header.words.hidden;
  }

  linked(i) {
    return of(i, this.header.linked);
  }

  /** What is chosen to be compared with the word. */
  get to() {
    return this.header.to ? String(this.get(this.header.to) ?? "") : "";
  }

  /** The words that lines lead to. */
  spokenOf(i) {
    const { to, texts, pairs } = this.header;
    const [near, linked] = [this.neighbours(i), this.linked(i)];
    if (!to || i < 0) return near;
    if (!this.to) return linked.length ? linked : near.slice(0, 1);
    const at = texts.indexOf(this.to.replace(/^␣/, ""));
    const known = [...linked, ...of(i, pairs), ...near].find((one) => one.at === at);
    return at < 0 || at === i ? [] : [{ at, cosine: known?.cosine }];
  }

  // ---- points, and how they come where they are

  glide(from, to) {
    cancelAnimationFrame(this.frame);
    this.points = to;
    if (!from || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const begun = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - begun) / GLIDE);
      this.points = part < 1 ? to.map((point, i) => point.map((x, k) => mixed(from[i]?.[k] ?? x, x, part))) : to;
      this.moving = part < 1;
      this.redraw();
      if (part < 1) this.frame = requestAnimationFrame(step);
    };
    this.moving = true;
    this.frame = requestAnimationFrame(step);
    this.atEnd(() => cancelAnimationFrame(this.frame));
  }

  /** Each word's place in pixels. */
  seen() {
    const [yaw, pitch] = this.turned;
    const flat = this.points.map(([x, y, z]) => (z === undefined ? [x, y] : turned(x, y, z, yaw, pitch)));
    const [across, down] = [this.width / 2, this.height / 2];
    const scale = Math.min((across - EDGE) / this.wide[0], (down - EDGE) / this.wide[1]);
    this.pixel = ([x, y]) => [across + x * scale, down - y * scale];
    return flat.map(this.pixel);
  }

  // ---- drawing

  draw() {
    const room = this.root.clientWidth || AS_WIDE * MOST;
    this.height = room < MOST ? LOWER * room : yielding(innerHeight > 1000 ? TALL : MOST);
    this.width = room < MOST ? room : Math.min(AS_WIDE * this.height, room);
    this.places = this.seen();
    this.keepApart();
    this.chips = this.chipped();
    const { chosen } = this;
    const near = this.spokenOf(chosen);
    const compared = Boolean(this.header.to);
    ruler.family = getComputedStyle(this.root).fontFamily;
    const joined = this.partner(chosen) < 0 ? near.map(({ at }) => at) : [this.partner(chosen)];
    const nodes = joined.map((at) => this.line(this.places[chosen], this.places[at], compared ? "compared" : "near"));
    if (this.was && chosen >= 0) nodes.push(...arrow(this.pixel(this.was), this.places[chosen]));
    nodes.push((this.pair = vector("line", { class: "pair" })));
    const nearest = new Set(near.map(({ at }) => at));
    // What is spoken of lies on top; one has a ring.
    const over = (i) => [nearest.has(i), i === chosen, i === this.header.asked, this.closed(i), true].indexOf(true);
    const order = [...this.places.keys()].sort((one, other) => over(other) - over(one));
    const mark = (i) => this.mark(this.places[i], i, nearest.has(i));
    nodes.push(...order.filter((i) => !nearest.has(i)).map(mark));
    if (chosen >= 0) nodes.push(...this.rings(chosen, compared ? near : []));
    nodes.push(...order.filter((i) => nearest.has(i)).map(mark)); // a word that is spoken of, over the ring of another
    if (!this.moving) nodes.push(...this.labels(chosen, near));
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("height", this.height);
    this.svg.classList.toggle("solid", this.header.dimensions === 3);
    this.svg.classList.toggle("asking", this.asking);
    this.svg.replaceChildren(...nodes);
    this.drawRun();
  }

  line([x1, y1], [x2, y2], look) {
    return vector("line", { x1, y1, x2, y2, class: look });
  }

  /** Of those that the word is compared with the one that lies beside it, if no other does. */
  twin(chosen, others) {
    const beside = others.filter(({ at }) => apart(this.places[chosen], this.places[at]) < CROWDED);
    return this.header.to && beside.length === 1 ? beside[0] : undefined;
  }

  /** Those two where one would lie on the other: drawn beside each other, along their line. */
  keepApart() {
    const { chosen } = this;
    const twin = this.twin(chosen, this.spokenOf(chosen));
    if (!twin) return;
    const ends = [this.places[chosen], this.places[twin.at]];
    const far = apart(...ends);
    if (far >= TOUCHING) return;
    const way = far ? ends[0].map((x, k) => (ends[1][k] - x) / far) : [0, 1];
    const middle = ends[0].map((x, k) => (x + ends[1][k]) / 2);
    const beside = (side) => middle.map((x, k) => x + (side * way[k] * TOUCHING) / 2);
    [this.places[chosen], this.places[twin.at]] = [beside(-1), beside(1)];
  }

  /** About the word and what it is compared with: one about both where they lie close together. */
  rings(chosen, others) {
    const twin = this.twin(chosen, others);
    const ends = others.filter((one) => one !== twin).map(({ at }) => [at, at]);
    return [[chosen, twin?.at ?? chosen], ...ends].map((two) => ringAbout(...two.map((at) => this.places[at])));
  }

  /** Whether words of the map are covered. */
  get asking() {
    return this.header.texts.includes(this.header.words.hidden);
  }

  /** The place of a word's own, -1 for none. */
  partner(i) {
    return this.header.partners[i] ?? -1;
  }

  mark([x, y], i, near) {
    const { groups } = this.header;
    const own = groups[i] === groups[this.chosen] ? " own" : "";
    if (this.header.texts[i] === this.header.words.hidden) return this.covered([x, y], this.chips.get(i));
    const look = near ? " near" : `${i === this.header.asked ? " asked" : own}${i === this.chosen ? " chosen" : ""}`;
    return vector("path", { d: shapeOf(groups[i]), transform: `translate(${x},${y})`, class: `point${look}` });
  }

  /** Where the chips of the words to choose from stand: each over its word, or as near as it covers no other and keeps
   * away from the words that are spoken of. */
  chipped() {
    const spoken = [this.chosen, ...this.spokenOf(this.chosen).map(({ at }) => at)].filter((i) => i >= 0);
    const chips = new Map();
    for (const [i, [x, y]] of this.places.entries()) {
      if (!this.closed(i)) continue;
      const clear = (at, k) => k === i || apart(this.places[k], at) >= (spoken.includes(k) ? ASIDE : UNCOVERED);
      const free = (at) =>
        at.every((end, k) => end > CHIP && end < [this.width, this.height][k] - CHIP) &&
        this.places.every((_, k) => clear(at, k)) &&
        [...chips.values()].every((chip) => apart(chip, at) > 1.5 * CHIP);
      const spots = [[x, y], ...AROUND.map(([right, down, far]) => [x + right * far, y + down * far])];
      chips.set(i, spots.find(free) ?? spots[0]);
    }
    return chips;
  }

  covered([x, y], [right, down]) {
    const drawn = chip(right, down, this.header.words.hidden);
    const [x1, y1] = [x - right, y - down];
    drawn.prepend(vector("line", { x1, y1, x2: 0, y2: 0, class: "leader" }));
    if (x1 || y1) drawn.prepend(vector("circle", { cx: x1, cy: y1, r: 2.5, class: "end" }));
    return drawn;
  }

  // The selected word first, and those nearest to it with their cosines; names of groups; and whoever finds room.
  labels(chosen, near) {
    const { texts, groups, names, dimensions, each, legend, asked } = this.header;
    const drawn =
      this.partner(chosen) < 0 ? near.map(({ at }) => this.places[at]) : [this.places[this.partner(chosen)]];
    if (this.was) drawn.push(this.pixel(this.was));
    const lines = chosen < 0 ? [] : drawn.flatMap((place) => alongLine(this.places[chosen], place));
    const rim = chosen < 0 ? [] : AROUND.slice(0, 16).map(([x, y]) => beyond(this.places[chosen], x, y));
    const writer = new Writer([...this.places, ...lines, ...rim], this.width, this.height);
    for (const place of this.chips.values()) writer.keep(place);
    const twin = this.twin(chosen, near);
    const withCosine = ({ at, cosine }) => `${texts[at]} ${cosine === undefined ? "" : fixed(cosine, 2)}`.trim();
    const alone = near.filter((one) => one !== twin);
    const named = alone.map((one) => [this.places[one.at], withCosine(one), "neighbour"]);
    for (const one of named)
      if (twin) one.push(0, this.places[chosen]);
      else if (chosen >= 0 && apart(one[0], this.places[chosen]) < CROWDED) one.push(AWAY, this.places[chosen]);
    if (twin) writer.pair(this.places[chosen], this.places[twin.at], `${texts[chosen]} · ${withCosine(twin)}`);
    else if (chosen >= 0)
      named.unshift([this.places[chosen], texts[chosen], chosen === asked ? "asked" : "chosen", RING - 4]);
    if (asked >= 0 && asked !== chosen) named.push([this.places[asked], texts[asked], "asked", 2]);
    if (this.header.to) for (const one of outwards(named)) writer.beside(...one);
    else if (!writer.column(named)) for (const one of named) writer.beside(...one);
    if (dimensions === 2 && !legend) for (const [g, name] of names.entries()) this.nameOf(writer, g, name);
    const written = new Set([chosen, asked, ...near.map(({ at }) => at)]);
    const left = names.map((_, g) => (g === groups[chosen] && !legend ? 4 : 1) * each);
    const word = (text, i) =>
      left[groups[i]] > 0 && !written.has(i) && !this.closed(i) && writer.word(this.places[i], text, this.clearOf(i));
    if (dimensions === 2) texts.forEach((text, i) => (left[groups[i]] -= word(text, i) ? 1 : 0));
    return [...writer.leaders, ...writer.nodes];
  }

  /** Of every other word its place, and how far from it the name of this one must stay. */
  clearOf(i) {
    const { groups } = this.header;
    const others = this.places.map((place, k) => [place, groups[k] === groups[i] ? SISTERS_AWAY : OTHERS_AWAY]);
    return others.toSpliced(i, 1);
  }

  nameOf(writer, group, name) {
    const isOwn = (i) => this.header.groups[i] === group;
    const own = this.places.filter((_, i) => isOwn(i));
    if (own.length && name)
      writer.group(
        own,
        this.places.filter((_, i) => !isOwn(i)),
        name,
      );
  }

  // ---- the run

  drawRun() {
    const { snapshots, snapshot, words, by } = this.header;
    const keys = make("span", "keys");
    keys.append(...this.keys());
    const solid = this.header.dimensions === 3 ? [make("span", "", words.turn)] : [];
    this.run.hidden = !snapshots.length && !solid.length && !keys.childElementCount;
    if (!snapshots.length) return this.run.replaceChildren(keys, ...solid);
    const play = make("button", "play", this.timer ? words.stop : words.play);
    play.dataset.at = "play";
    play.onclick = () => (this.timer ? this.rest() : this.play());
    const steps = make("span", "steps");
    for (const n of snapshots) {
      const step = steps.appendChild(make("button", n === snapshot ? "step on" : "step", grouped(n)));
      step.dataset.at = `step-${n}`;
      step.setAttribute("aria-pressed", String(n === snapshot));
      step.onclick = () => (this.rest(), this.select({ [by]: n }));
    }
    this.keepingFocus(() => this.run.replaceChildren(keys, make("span", "", words.run), steps, play, ...solid));
  }

  /** The names of the shapes where they do not stand on the map; else what the colours are. */
  keys() {
    const { names, legend, groups, texts, words } = this.header;
    const own = groups[this.chosen];
    if (legend) return names.map((name, group) => keyOf(group, group === own ? "own" : "", name));
    const open = this.asking ? [keyWith(chip(0, 0, words.hidden), words.guess)] : [];
    if (own === undefined || !words.own) return open;
    const keys = this.asking ? open : [keyOf(own, "own", words.own.replace("{word}", texts[this.chosen]))];
    const [other] = this.spokenOf(this.chosen);
    if (!other) return this.to ? [...keys, make("span", "", words.off.replace("{word}", this.to))] : keys;
    const chosen = this.to || this.linked(this.chosen).length;
    const named = (chosen ? words.compared : words.close).replace("{word}", texts[this.chosen]);
    return [...keys, keyOf(groups[other.at], "near", named)];
  }

  play() {
    const { snapshots, by } = this.header;
    let next = 0;
    const step = () => {
      this.select({ [by]: snapshots[next++] });
      if (next >= snapshots.length) this.rest();
    };
    this.timer = setInterval(step, PACE);
    step();
    this.redraw();
  }

  rest() {
    clearInterval(this.timer);
    this.timer = null;
    this.redraw();
  }

  // ---- what a hand does

  at(event) {
    const at = within(event, this.svg);
    const places = this.places.map((place, i) => this.chips.get(i) ?? place);
    const away = ([x, y]) => Math.hypot(at.x - x, at.y - y);
    const best = places.reduce((i, place, k) => (i < 0 || away(place) < away(places[i]) ? k : i), -1);
    return best >= 0 && away(places[best]) <= REACH ? best : -1;
  }

  pick(i) {
    const { param, also, texts, fixed } = this.header;
    if (i >= 0 && !fixed && !this.closed(i)) this.select({ [param]: texts[i] }, also);
  }

  press(event) {
    this.moved = false;
    if (this.header.dimensions === 3) this.grip = [event.clientX, event.clientY, ...this.turned];
  }

  drag({ clientX, clientY }) {
    const [x, y, yaw, pitch] = this.grip;
    this.moved ||= Math.hypot(clientX - x, clientY - y) > 4;
    this.turned = [yaw + (clientX - x) / 150, clamp(pitch + (clientY - y) / 150, -1.5, 1.5)];
    this.redraw();
  }

  click(event) {
    if (!this.moved) this.pick(this.at(event));
  }

  point(event) {
    const i = this.at(event);
    this.join(i);
    if (i < 0) return showTip(this.tip, null);
    const [x, y] = this.places[i];
    const { texts, names, groups } = this.header;
    const own = this.partner(i) < 0 ? names[groups[i]] : texts[this.partner(i)];
    showTip(this.tip, `${texts[i]} · ${own}`, { x, y: y - 30, width: this.width });
  }

  /** The line from a word to its own. */
  join(i) {
    const [[x1, y1], [x2, y2]] = [i, this.partner(i)].map((at) => this.places[at] ?? [0, 0]);
    const ends = this.partner(i) < 0 ? { x1: 0, y1: 0, x2: 0, y2: 0 } : { x1, y1, x2, y2 };
    for (const [name, at] of Object.entries(ends)) this.pair.setAttribute(name, at);
  }

  key(event) {
    const step = pressed(event, KEYS);
    if (!step) return;
    const { texts, names, groups, words } = this.header;
    const seen = texts.flatMap((_, i) => (this.closed(i) ? [] : [i]));
    const i = seen[clamp(seen.indexOf(this.chosen) + step, 0, seen.length - 1)];
    this.pick(i);
    const near = this.neighbours(i).map(({ at, cosine }) => `${texts[at]} ${fixed(cosine, 2)}`);
    this.heard.textContent = `${texts[i]}, ${names[groups[i]]}. ${words.cosine}: ${near.join(", ")}`;
  }
}

// Writes labels that touch neither each other nor, if it can be helped, a point or a line that leads to another's.
class Writer {
  constructor(places, width, height) {
    this.places = places;
    this.width = width;
    this.height = height;
    this.boxes = [];
    this.nodes = [];
    this.leaders = [];
  }

  /** Beside its point, and not as near to one of the `others`. */
  word([x, y], text, others) {
    const wide = width(text, 12);
    const boxes = SIDES.map(([right, down]) => around(x + right * (wide / 2 + 8), y + down * 14, wide));
    const own = (box) => others.every(([place, away]) => fromBox(place, box) > away);
    const alone = (box) => !this.boxes.some((other) => touch(box, other, 6));
    const best = boxes.find((box) => this.free(box, 0) && alone(box) && own(box));
    if (best) this.write(best, text, "word");
    return best;
  }

  // In any case: the nearest place there is around its point, with a line where that is not close by.
  beside([x, y], text, look, clear = 0, out = [0, 0]) {
    const wide = width(text, 13, 650);
    const against = ([right, down, far]) => far - ASTRAY * (right * out[0] + down * out[1]);
    const boxes = [...AROUND]
      .sort((one, other) => against(one) - against(other))
      .map(([right, down, near]) => {
        const far = near + clear;
        return around(x + right * (wide / 2 + far), y + down * far, wide);
      });
    const way = (box) => alongLine([x, y], edgeOf(box, x, y));
    const open = (box) => !this.boxes.some((other) => way(box).some((place) => fromBox(place, other) < 2));
    const bare = (box) =>
      way(box).every(
        (at) => apart(at, [x, y]) < RING + POINT || this.places.every((other) => apart(at, other) > POINT + 2),
      );
    const clean = (box) => this.free(box, 0, BARE);
    const best =
      boxes.find((box) => clean(box) && open(box) && bare(box)) ??
      boxes.find((box) => clean(box) && open(box)) ??
      boxes.find((box) => this.free(box, 0) && open(box) && bare(box)) ??
      boxes.find((box) => this.free(box, 0) && open(box)) ??
      boxes.find((box) => this.free(box, 0)) ??
      leastTouching(boxes, this.boxes);
    this.write(best, text, look);
    const [x2, y2] = edgeOf(best, x, y);
    const far = Math.hypot(x2 - x, y2 - y);
    const own = POINT + (look === "chosen" ? clear : 1); // of its mark, or its ring
    if (far <= own + 8) return;
    const [x1, y1] = [mixed(x, x2, own / far), mixed(y, y2, own / far)];
    this.leaders.push(vector("line", { x1, y1, x2, y2, class: "leader" }));
    this.places.push(...way(best));
  }

  // Of two points that lie close together, in one line.
  pair(one, other, text) {
    this.beside(
      one.map((x, k) => (x + other[k]) / 2),
      text,
      "chosen",
      RING + 2,
    );
  }

  // Of points that lie close together, in a column beside them, where that is free: in the order in which they lie.
  column(named) {
    if (named.length < 3) return false;
    const [across, down] = [0, 1].map((k) => named.map(([place]) => place[k]));
    const [left, right, top, bottom] = [across, down].flatMap((all) => [Math.min(...all), Math.max(...all)]);
    if (right - left > CLOSE || bottom - top > CLOSE) return false;
    const wide = Math.max(...named.map(([, text]) => width(text, 13, 650)));
    const high = PITCH * named.length;
    const y = clamp((top + bottom) / 2, high / 2 + 4, this.height - high / 2 - 4);
    const columns = [right + 24 + wide / 2, left - 24 - wide / 2].map((x) => around(x, y, wide, high / 2));
    const column = columns.find((box) => this.free(box, 0));
    if (!column) return false;
    const toRight = column.left > right;
    const inside = toRight ? column.left : column.right;
    uncrossed(
      [...named].sort(([one], [other]) => one[1] - other[1]),
      (i) => [inside, column.top + PITCH * (i + 0.5)],
    ).forEach(([[x1, y1], text, look], i) => {
      const own = width(text, 13, 650);
      const middle = toRight ? column.left + own / 2 : column.right - own / 2;
      const box = around(middle, column.top + PITCH * (i + 0.5), own);
      this.write(box, text, look);
      const x2 = toRight ? box.left - 2 : box.right + 2;
      this.leaders.push(vector("line", { x1, y1, x2, y2: column.top + PITCH * (i + 0.5), class: "leader" }));
    });
    return true;
  }

  // Over its points, else beside or under them, where those of another group are not as near.
  group(own, others, text) {
    const wide = width(text, 14, 600);
    const middle = [0, 1].map((k) => own.map((place) => place[k]).sort((a, b) => a - b)[own.length >> 1]);
    const core = [...own].sort((a, b) => apart(a, middle) - apart(b, middle)).slice(0, Math.ceil(0.7 * own.length));
    const [left, top] = [0, 1].map((k) => Math.min(...core.map((place) => place[k])));
    const [right, bottom] = [0, 1].map((k) => Math.max(...core.map((place) => place[k])));
    const middleAt = (dx) => clamp((left + right) / 2 + dx, wide / 2 + 6, this.width - wide / 2 - 6);
    const boxes = [0, 6, 12, 20, 28, 42].flatMap((by) => [
      ...[0, -24, 24].map((dx) => around(middleAt(dx), top - 19 - by, wide, 9)),
      ...[0, -24, 24].map((dx) => around(middleAt(dx), bottom + 19 + by, wide, 9)),
      ...[0, -16, 16, -28, 28].map((dy) => around(left - wide / 2 - 12 - by, middle[1] + dy, wide, 9)),
      ...[0, -16, 16, -28, 28].map((dy) => around(right + wide / 2 + 12 + by, middle[1] + dy, wide, 9)),
    ]);
    const nearest = (box, places) => Math.min(...places.map((place) => fromBox(place, box)));
    const belongs = (box) => nearest(box, others) > 1.6 * nearest(box, own);
    const inside = boxes.filter((box) => this.inside(box));
    const taller = ({ top, bottom, ...box }) => ({ ...box, top: top - LINES_AWAY, bottom: bottom + LINES_AWAY });
    const alone = (box) => !this.boxes.some((other) => touch(taller(box), other, NAMES_AWAY));
    const best =
      inside.find((box) => belongs(box) && alone(box) && this.free(box, 0, CLEAR)) ??
      inside.find((box) => belongs(box) && this.free(box, 0, CLEAR)) ??
      inside.find((box) => nearest(box, others) > 1.15 * nearest(box, own) && this.free(box, 0, CLEAR)) ??
      inside.find((box) => nearest(box, others) > nearest(box, own) && this.free(box, 0)) ??
      inside.find((box) => belongs(box) && this.free(box, 2)) ??
      inside.find((box) => this.free(box, 1)) ??
      leastTouching(inside.length ? inside : boxes, this.boxes);
    this.write(best, text, "group");
  }

  free(box, points, clear) {
    return this.inside(box) && !this.boxes.some((other) => touch(box, other)) && this.covered(box, clear) <= points;
  }

  inside({ left, top, right, bottom }) {
    return left >= 3 && top >= 3 && right <= this.width - 3 && bottom <= this.height - 3;
  }

  covered({ left, top, right, bottom }, [by, over] = [3, 2]) {
    const inside = ([x, y]) => x > left - by && x < right + by && y > top - over && y < bottom + over;
    return this.places.filter(inside).length;
  }

  /** Room that nothing is written on. */
  keep([x, y]) {
    this.boxes.push(around(x, y, CHIP, CHIP / 2));
  }

  write(box, text, look) {
    this.boxes.push(box);
    if (look === "asked") this.nodes.push(frame(box));
    const at = { x: (box.left + box.right) / 2, y: box.bottom - 4, "text-anchor": "middle", class: look };
    this.nodes.push(vector("text", at, text));
  }
}

// Names, the outer ones first, each with the way out from among the points of the others, or from the one that crowds
// it.
function outwards(named) {
  const ways = named.map(([[x, y], text, look, clear = 0, crowding], i) => {
    const others = crowding ? [crowding] : named.flatMap(([place], k) => (k === i ? [] : [place]));
    const [dx, dy] = [x, y].map(
      (at, k) => at - others.reduce((sum, place) => sum + place[k], 0) / (others.length || 1),
    );
    return [
      Math.hypot(dx, dy),
      [
        [x, y],
        text,
        look,
        clear,
        dx || dy ? [dx, dy].map((by) => ((crowding ? 3 : 1) * by) / Math.hypot(dx, dy)) : [0, 0],
      ],
    ];
  });
  return ways.sort(([one], [other]) => other - one).map(([, name]) => name);
}

// Labels in such an order that no two of the lines to them cross: where two do, they change places, and the lines
// together are shorter.
function uncrossed(named, lineOf) {
  for (let again = true; again; ) {
    again = false;
    for (let i = 0; i < named.length; i++)
      for (let k = i + 1; k < named.length; k++) {
        const [one, other] = [named[i][0], named[k][0]];
        const now = apart(one, lineOf(i)) + apart(other, lineOf(k));
        if (apart(one, lineOf(k)) + apart(other, lineOf(i)) > now - 0.01) continue;
        [named[i], named[k]] = [named[k], named[i]];
        again = true;
      }
  }
  return named;
}

/** Those that a word stands beside in such pairs. */
const of = (i, pairs) => pairs.flatMap(([one, at, cosine]) => (one === i ? [{ at, cosine }] : []));

const around = (x, y, wide, half = 8) => ({
  left: x - wide / 2,
  right: x + wide / 2,
  top: y - half,
  bottom: y + half,
});
const ruler = make("canvas").getContext("2d");
function width(text, size, weight = 400) {
  ruler.font = `${weight} ${size}px ${ruler.family}`;
  return ruler.measureText(text).width + 4;
}
const touch = (a, b, by = 0) => a.left < b.right + by && b.left < a.right + by && a.top < b.bottom && b.top < a.bottom;
const edgeOf = ({ left, right, top, bottom }, x, y) => [clamp(x, left, right), clamp(y, top + 3, bottom - 3)];

function leastTouching(boxes, others) {
  const count = (box) => others.filter((other) => touch(box, other)).length;
  return boxes.reduce((best, box) => (count(box) < count(best) ? box : best));
}

const apart = ([a, b], [c, d]) => Math.hypot(a - c, b - d);
const fromBox = ([x, y], { left, top, right, bottom }) =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
const keyOf = (group, look, name) => keyWith(vector("path", { d: shapeOf(group), class: `point ${look}` }), name);
function keyWith(mark, name) {
  const key = make("span", "key");
  const at = { viewBox: "-8 -8 16 16", width: 16, height: 16, "aria-hidden": true };
  key.appendChild(vector("svg", at)).append(mark);
  key.append(name);
  return key;
}

// What covers a word.
function chip(x, y, text) {
  const node = vector("g", { transform: `translate(${x},${y})`, class: "covered" });
  node.append(frame(around(0, 0, CHIP, CHIP / 2)), vector("text", { y: 4, "text-anchor": "middle" }, text));
  return node;
}

const frame = ({ left, top, right, bottom }) =>
  vector("rect", { x: left, y: top, width: right - left, height: bottom - top, rx: 3, class: "frame" });

const shapeOf = (group) => SHAPES[group % SHAPES.length](POINT);

// Points of a line between two places, so close together that no label lies on it between them.
function alongLine(from, to) {
  const count = Math.floor(apart(from, to) / 6);
  return Array.from({ length: count }, (_, i) => from.map((x, k) => x + ((to[k] - x) * (i + 0.5)) / count));
}

// From where a word was to its ring.
function arrow([x1, y1], [x2, y2]) {
  const long = Math.hypot(x2 - x1, y2 - y1);
  if (long < 24) return [];
  const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
  const [x, y] = [x2 - 11 * dx, y2 - 11 * dy];
  const head = [-1, 1].map((side) => `${x - 8 * dx + 4 * side * dy},${y - 8 * dy - 4 * side * dx}`);
  return [
    vector("line", { x1, y1, x2: x - 6 * dx, y2: y - 6 * dy, class: "moved" }),
    vector("path", { d: `M${x},${y}L${head.join("L")}z`, class: "moved head" }),
    vector("circle", { cx: x1, cy: y1, r: POINT, class: "was" }),
  ];
}

const beyond = ([cx, cy], x, y) => [cx + RING * x, cy + RING * y]; // on the ring

function ringAbout([x1, y1], [x2, y2]) {
  const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const size = { x: -RING, y: -RING, width: Math.hypot(x2 - x1, y2 - y1) + 2 * RING, height: 2 * RING, rx: RING };
  return vector("rect", { ...size, transform: `translate(${x1} ${y1}) rotate(${turn})`, class: "ring" });
}

const mixed = (from, to, part) => from + (to - from) * part;

// Points about the middle of their ends, or of those given, the farthest of them at a distance of 1; one scale in every
// direction. And how far they reach along each axis, and what that distance was.
function placed(numbers, dimensions, given) {
  const count = numbers.length / dimensions;
  const axis = (k) => Array.from({ length: count }, (_, i) => numbers[i * dimensions + k]);
  const own = () => Array.from({ length: dimensions }, (_, k) => [Math.min(...axis(k)), Math.max(...axis(k))]);
  const ends = given.length ? given : own();
  const middle = ends.map(([low, high]) => (low + high) / 2);
  const halves = ends.map(([low, high]) => Math.max(1e-12, (high - low) / 2));
  const scale = Math.max(...halves);
  const points = Array.from({ length: count }, (_, i) =>
    middle.map((m, k) => (numbers[i * dimensions + k] - m) / scale),
  );
  return [points, halves.map((half) => half / scale), scale];
}

// Points of a plane, turned by so many degrees.
function laid(numbers, angle) {
  const [s, c] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
  return numbers.map((x, i) => (i % 2 ? s * numbers[i - 1] + c * x : c * x - s * numbers[i + 1]));
}

function turned(x, y, z, yaw, pitch) {
  const [s, c] = [Math.sin(yaw), Math.cos(yaw)];
  const [across, deep] = [c * x + s * z, c * z - s * x];
  return [across * 0.75, (Math.cos(pitch) * y - Math.sin(pitch) * deep) * 0.75];
}

export default component(Cloud);
