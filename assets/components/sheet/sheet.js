// The whole model with one sentence in it, under a camera {x, y, k}: the column at the left edge, the row at the top,
// how many times nearer than the whole. From afar each token is a river, as wide as its state is long; what is nearer
// are strips, then cells, then single numbers. Tiles of these are asked for when they are looked at, and kept.
//
// Over it lies the thread: the ancestry of the number that is followed, back to what was learned.

import {
  clip,
  fit,
  inks,
  inkOn,
  labelled,
  make,
  pixels,
  scale,
  showTip,
  themeOf,
  tipIn,
  veil,
  within,
  yielding,
} from "../kit/draw.js";
import { counted, exact, fixed, short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component, doorTo } from "../kit/streamlit.js";

/**
 * `side` says from where what is written joins its river: "attention" from above, "feedforward" from below.
 * @typedef {{title: string, brief: string, tap: string, kind: "state" | "written", side: string, target: boolean,
 *   door: Door | null}} Place
 *
 * A link to another stage: `id` is the key of Streamlit's own link to it.
 * @typedef {{id: string, href: string}} Door
 *
 * @typedef {{column: number, across: boolean, count: number, name: string}} Looks
 *
 * @typedef {{label: string, whole: string, closer: string, farther: string, open: string, rivers: string,
 *   strips: string, cells: string, pooled: string, wide: string, thread: string, onward: string,
 *   back: string, on: string, length: string, writes: string,
 *   looks: string, number: string, part: string, others: string, into: string, veiled: string, apart: string,
 *   differs: string,
 *   scrub: string, play: string, table: string,
 *   hint: string}} SheetWords
 *
 * `full` fills half a row; `levels` are how many columns across strips, and cells, begin with; `first` stands over the
 * tokens. Behind the header as float32 the lengths of each column, then of each that is written those of the state with
 * it; then of each attention its lines, query and key as uint16, and its shares, a byte each.
 * @typedef {{of: string, tokens: string[], names: string[], special: boolean[], read: number, said: [string, number][],
 *   first: Door | null, places: Place[], lines: Looks[], full: number, size: number, levels: [number, number],
 *   share: number, words: SheetWords}} Header
 *
 * What is borrowed: tiles, the thread, and how far a change spreads: behind that, of each column, how far every token
 * is from where it was.
 * @typedef {{column: number, first: number, count: number, width: number, reach: number}} Tile
 * @typedef {{of: string, level: "strips" | "cells", tiles: Tile[]}} Tiles
 * @typedef {{x: number, row: number, name: string, where: string, value: number, share: number, trail: string,
 *   learned: boolean}} Knot
 * @typedef {{made: number, of: number | null, share: number, value: number, left: number | null,
 *   right: number | null, others: number}} Strand
 * @typedef {{of: string, knots: Knot[], strands: Strand[]}} Thread
 * @typedef {{of: string, run: string, said: string}} Spread
 */

const STATE = 0.62; // how much of a column a vector takes; the rest is the way to the next
const TOP = 26;
const TALLEST = 64; // pixels of a row from near
const LEAST_ROW = 3; // below so many pixels rows are drawn together
const STRONG = 0.5; // and only looks of such a share
const WIDEST = 0.92; // of a row: a river wider than that is cut
const STRIPS = [44, 76]; // pixels of a column between which rivers become strips
const PRINTED = 60; // pixels of a cell that has its number in it
const TITLED = 104; // and of a column that has its whole title
const SLOW = 2.5; // ms: a picture that takes longer is moved as it is, and painted when it rests
const REST = 160; // ms
const FLIGHT = 520; // ms from one place to another
const DRAWN = 900; // ms until a thread has reached its end
const PLAYED = 2600; // ms until a change has come through all columns
const KEPT = 400; // tiles
const NEAR = 7; // pixels to a line that is meant
const THREAD = 18; // pixels of a thread where it carries all
const NAMED = 6; // knots of a thread that are named
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LEVELS = { "+": 1, "=": 1, "-": -1, "−": -1, 0: -9, Home: -9 };

class Sheet extends Picture {
  static className = "sheet";
  static fonts = true;
  static speaks = true;
  static borrows = true;

  build() {
    this.tools = this.root.appendChild(make("div", "tools tool"));
    this.stage = this.root.appendChild(make("div", "stage"));
    this.canvas = this.stage.appendChild(make("canvas", "world"));
    this.margin = this.stage.appendChild(make("canvas", "margin"));
    this.titles = this.stage.appendChild(make("div", "titles"));
    this.tip = tipIn(this.stage);
    this.saying = this.root.appendChild(make("p", "saying"));
    this.table = this.root.appendChild(make("div", "heard"));
    this.camera = { x: 0, y: 0, k: 1 };
    this.tiles = new Map();
    this.texts = new Map(); // how wide each is
    this.cursor = null;
    this.played = null;
    this.cost = 0;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.stage.tabIndex = 0;
    this.stage.onkeydown = (event) => this.key(event);
    this.stage.onblur = () => this.move();
    this.hands();
    this.atEnd(() => {
      cancelAnimationFrame(this.frame);
      clearTimeout(this.resting);
    });
  }

  get fragment() {
    return "tiles";
  }

  // ---- what it is given

  take(bytes) {
    const [header, body] = unpack(bytes);
    if (this.header?.of !== header.of) this.tiles.clear();
    this.header = header;
    let at = 0;
    const floats = (count) => new Float32Array(body.buffer, (at += 4 * count) - 4 * count, count);
    const { tokens, read, places, lines } = header;
    const count = ({ target }) => (target ? tokens.length - read : read);
    const lengths = places.map((place) => floats(count(place)));
    const sums = places.map((place) => (place.kind === "written" ? floats(count(place)) : null));
    this.columns = places.map((place, i) => ({ ...place, lengths: lengths[i], sum: sums[i] }));
    const pairs = lines.map(
      (one) => new Uint16Array(body.buffer, (at += 4 * one.count) - 4 * one.count, 2 * one.count),
    );
    this.lines = lines.map((one, i) => ({ ...one, pairs: pairs[i], shares: body.subarray(at, (at += one.count)) }));
    this.sides = [false, true].map((target) => this.columns.flatMap((one, i) => (one.target === target ? [i] : [])));
    const { words } = header;
    this.named(this.stage, "application", words.label);
    const buttons = [
      [words.farther, "−", () => this.toLevel(-1)],
      [words.closer, "+", () => this.toLevel(1)],
      [words.whole, "⤢", () => this.toLevel(-9)],
    ];
    this.tools.replaceChildren(
      ...buttons.map(([name, sign, act]) => {
        const button = make("button", "sign", sign);
        Object.assign(button, { type: "button", title: name, onclick: act });
        button.setAttribute("aria-label", name);
        return button;
      }),
      make("span", "hint", words.hint),
    );
    this.link = this.tools.appendChild(make("span", "open"));
    this.player = Object.assign(make("button", "sign", "▶"), { type: "button", title: words.play, hidden: true });
    this.player.setAttribute("aria-label", words.play);
    this.player.onclick = () => this.play();
    this.slider = Object.assign(make("input"), { type: "range", min: 1, max: places.length, value: places.length });
    this.slider.hidden = true;
    this.slider.setAttribute("aria-label", words.scrub);
    this.slider.oninput = () => {
      this.played = null;
      this.move();
    };
    this.turn = Object.assign(make("button", "turn"), { type: "button", hidden: true });
    this.turn.onclick = () => this.store.select({ way: this.onward ? null : "on" });
    this.tools.insertBefore(this.turn, this.link);
    this.spread = undefined;
    this.tools.insertBefore(this.player, this.link);
    this.tools.insertBefore(this.slider, this.link);
  }

  /** Takes what lies ready: tiles of this very sheet, and the thread. */
  collect() {
    this.collectSpread();
    const { given, body } = this.store.stacks.get("tiles") ?? {};
    if (given && given !== this.collected && given.of === (this.spread?.of ?? this.header.of)) {
      this.collected = given;
      let at = 0;
      for (const tile of given.tiles) {
        const size = tile.count * tile.width;
        const values = new Float32Array(body.buffer, body.byteOffset + at, size);
        this.tiles.set(`${given.level} ${tile.column} ${tile.first}`, { ...tile, level: given.level, values });
        at += 4 * size;
      }
      for (const key of [...this.tiles.keys()].slice(0, Math.max(0, this.tiles.size - KEPT))) this.tiles.delete(key);
    }
    const thread = this.store.stacks.get("thread")?.given;
    if (thread === this.thread) return;
    const [before, first] = [this.thread, !this.thread];
    this.thread = thread;
    if (!thread?.knots.length || JSON.stringify(thread) === JSON.stringify(before)) return;
    this.begun = performance.now();
    this.unseen = !first; // a link says itself where one looks
  }

  /** Whether the thread shows what the number goes into. */
  get onward() {
    return this.get("way") === "on";
  }

  // How far a change spreads, once there is one: its tiles are others.
  collectSpread() {
    const { given, body } = this.store.stacks.get("spread") ?? {};
    const spread = given?.run && given.of.startsWith(this.header.of) ? given : null;
    if (spread?.of === this.spread?.of) return;
    this.tiles.clear();
    this.spread = spread;
    this.slider.hidden = this.player.hidden = !spread;
    if (!spread) return;
    let at = 0;
    this.moved = this.columns.map(({ lengths }) => {
      const own = new Float32Array(body.buffer, at, lengths.length);
      at += own.byteLength;
      return own;
    });
    this.play();
  }

  play() {
    this.played = performance.now();
    this.move();
  }

  /** How many columns the change has come through. */
  get come() {
    const n = this.columns.length;
    if (this.played === null || this.still.matches) return Number(this.slider.value || n);
    const part = Math.min(1, (performance.now() - this.played) / PLAYED);
    this.slider.value = Math.ceil(part * n);
    if (part === 1) this.played = null;
    return part * n;
  }

  // A thread that runs out of sight: the camera goes back until all of it is seen.
  seek() {
    const { knots } = this.thread;
    const across = knots.map(({ x }) => x);
    const [low, high] = [Math.min(...across), Math.max(...across)];
    const seen = [this.camera.x, this.camera.x + this.across];
    if (low >= seen[0] && high <= seen[1]) return;
    const n = this.columns.length;
    this.fly({ x: low - 0.06 * (high - low) - 0.4, y: 0, k: n / Math.max(3, 1.2 * (high - low) + 0.8) });
  }

  /** Whether the camera rests on what has not been fetched. */
  lacks() {
    if (!this.header || !this.rested || !this.layer) return false;
    const [from, to] = this.inSight();
    const [top, bottom] = this.rowsInSight();
    for (let i = from; i <= to; i++) {
      const rows = this.rowsOf(i);
      const [a, b] = [Math.max(top, rows[0]), Math.min(bottom, rows[1] - 1, top + 60)];
      for (const row of a <= b ? [a, b] : []) if (!this.tileAt(this.layer, i, row)) return true;
    }
    return false;
  }

  rowsOf(i) {
    const { read, tokens } = this.header;
    return this.columns[i].target ? [read, tokens.length] : [0, read];
  }

  tileAt(level, column, row) {
    for (let first = Math.floor(row / 32) * 32; first > row - 128; first -= 32) {
      const tile = this.tiles.get(`${level} ${column} ${Math.max(first, this.rowsOf(column)[0])}`);
      if (tile && row >= tile.first && row < tile.first + tile.count) return tile;
    }
    return null;
  }

  // ---- the camera

  layout() {
    const { tokens, read, said } = this.header;
    this.width = this.root.clientWidth || 700;
    this.phone = this.width < 560;
    this.height = yielding(this.phone ? 320 : 372);
    this.left = this.phone ? 58 : 92;
    this.right = said.length ? (this.phone ? 52 : 96) : 6;
    this.count = tokens.length + (read < tokens.length ? 1 : 0); // between two stacks a row is free
    this.base = Math.min(TALLEST, (this.height - TOP - 6) / this.count);
    const paper = themeOf(this.root)("--st-background-color") || "#fff";
    const [river, , attention, , , , network] = inks(this.root, [0, 1, 2, 3, 4, 5, 6]).values();
    this.ink = {
      paper,
      text: themeOf(this.root)("--st-text-color"),
      soft: themeOf(this.root)("--st-gray-text-color"),
      line: themeOf(this.root)("--st-border-color"),
      accent: themeOf(this.root)("--st-primary-color"),
      orange: themeOf(this.root)("--st-orange-color"),
      river,
      attention,
      network,
      font: themeOf(this.root)("--st-font"),
      code: themeOf(this.root)("--st-code-font"),
    };
    Object.assign(this.stage.style, { height: `${this.height}px` });
  }

  get across() {
    return this.columns.length / this.camera.k;
  }

  get wide() {
    return (this.width - this.left - this.right) / this.across;
  }

  /** Pixels of a row: from near all are as tall, so that they can be read. */
  high(k = this.camera.k) {
    const near = this.columns.length / this.header.levels[1];
    const way = near > 1 ? Math.min(1, Math.log(k) / Math.log(near)) : 1;
    return this.base * (TALLEST / this.base) ** way;
  }

  get nearest() {
    return (1.5 * PRINTED * this.header.size) / (STATE * ((this.width - this.left - this.right) / this.columns.length));
  }

  sx(column) {
    return this.left + (column - this.camera.x) * this.wide;
  }

  /** Of a place among the rows: the target's stand below a free one. */
  sy(row) {
    return TOP + (row + (row >= this.header.read ? 1 : 0) - this.camera.y) * this.tall;
  }

  middle(row) {
    return this.sy(row) + this.tall / 2;
  }

  held({ x, y, k }) {
    const nearer = clamp(k, 1, Math.max(1, this.nearest));
    const n = this.columns.length;
    const seen = (this.height - TOP - 6) / this.high(nearer);
    return { x: clamp(x, 0, n - n / nearer), y: clamp(y, 0, Math.max(0, this.count - seen)), k: nearer };
  }

  inSight() {
    const { x } = this.camera;
    return [Math.max(0, Math.floor(x)), Math.min(this.columns.length - 1, Math.floor(x + this.across))];
  }

  rowsInSight() {
    const { tokens, read } = this.header;
    const row = (y) => (y > read ? y - 1 : y);
    const last = this.camera.y + (this.height - TOP) / this.tall;
    return [Math.max(0, Math.floor(row(this.camera.y))), Math.min(tokens.length - 1, Math.floor(row(last)))];
  }

  /** What lies under the camera: "strips" or "cells", null from afar. */
  get layer() {
    const [strips, cells] = this.header.levels;
    return this.across <= cells ? "cells" : this.across <= strips && this.wide >= STRIPS[0] ? "strips" : null;
  }

  get printed() {
    return this.layer === "cells" && (this.wide * STATE) / this.header.size >= PRINTED;
  }

  /** How near each level is looked at from. */
  steps() {
    const n = this.columns.length;
    const wide = this.width - this.left - this.right;
    const strips = Math.max(1.01, n / Math.min(10, wide / 90));
    return [1, strips, Math.max(1.5 * strips, n / 1.3), this.nearest / 1.6];
  }

  toLevel(by) {
    const steps = this.steps();
    const { k } = this.camera;
    const now = by > 0 ? steps.findLastIndex((step) => step <= k * 1.01) : steps.findIndex((step) => step >= k * 0.99);
    const to = steps[clamp((now < 0 ? steps.length : now) + by, 0, steps.length - 1)];
    this.fly(this.around(this.cursor ?? this.center(), to));
  }

  center() {
    const column = clamp(Math.floor(this.camera.x + this.across / 2), 0, this.columns.length - 1);
    const [top, bottom] = this.rowsInSight();
    const [from, to] = this.rowsOf(column);
    return { column, row: clamp(Math.floor((top + bottom) / 2), from, to - 1), dim: this.dimAt() };
  }

  dimAt() {
    const inside = ((this.camera.x + this.across / 2) % 1) / STATE;
    return clamp(Math.floor(inside * this.header.size), 0, this.header.size - 1);
  }

  /** The camera with a place in its middle. */
  around({ column, row, dim }, k) {
    const across = this.columns.length / k;
    const inside = across < 1.2 ? (STATE * ((dim ?? 0) + 0.5)) / this.header.size : STATE / 2;
    const rows = (this.height - TOP) / this.high(k);
    return this.held({ x: column + inside - across / 2, y: row + (row >= this.header.read ? 1.5 : 0.5) - rows / 2, k });
  }

  zoom(factor, px, py) {
    const { camera } = this;
    const [x, y] = [camera.x + (px - this.left) / this.wide, camera.y + (py - TOP) / this.tall];
    const k = clamp(camera.k * factor, 1, Math.max(1, this.nearest));
    const wide = (this.wide * k) / camera.k;
    this.to({ x: x - (px - this.left) / wide, y: y - (py - TOP) / this.high(k), k });
  }

  to(camera) {
    this.flight = null;
    this.camera = this.held(camera);
    this.move();
  }

  /** From one place to another: both edges of what is seen move evenly. */
  fly(camera) {
    if (this.still.matches || document.hidden) return this.to(camera);
    this.flight = { from: this.camera, to: this.held(camera), at: performance.now() };
    this.move();
  }

  flying() {
    const { from, to, at } = this.flight;
    const part = Math.min(1, (performance.now() - at) / FLIGHT);
    const t = part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) ** 2;
    const k = from.k * (to.k / from.k) ** t;
    const u = Math.abs(to.k / from.k - 1) < 1e-6 ? t : (1 / from.k - 1 / k) / (1 / from.k - 1 / to.k);
    this.camera = { x: from.x + (to.x - from.x) * u, y: from.y + (to.y - from.y) * t, k };
    if (part === 1) this.flight = null;
  }

  /** The next frame shows where the camera is. */
  move() {
    if (!this.ink) return;
    this.rested = false;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.flight) this.flying();
      this.tall = this.high();
      if (this.cost > SLOW && !this.growing() && this.shifts()) this.shift();
      else this.paint();
      if (this.flight || this.growing()) return this.move();
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.rest(), REST);
    });
  }

  growing() {
    if (this.still.matches) return false;
    return (this.begun && performance.now() - this.begun < DRAWN) || (this.spread && this.played !== null);
  }

  /** Sharp again; the address says where the camera is, and what is lacking is asked for. */
  rest() {
    this.tall = this.high();
    this.paint();
    this.rested = true;
    this.say();
    const { x, y, k } = this.camera;
    const fine = (value) => Number(value.toPrecision(7));
    const at = k < 1.001 && y < 0.01 ? null : [x, y, k].map(fine).join(",");
    this.mine = at;
    if (at !== this.get("at")) this.select({ at });
    else this.store.tend();
  }

  selected() {
    if (!this.ink) return this.redraw();
    const at = this.get("at");
    if (at !== this.mine) this.fly(this.written((this.mine = at)));
    else if (!this.frame) this.paint();
  }

  written(at) {
    const [x, y, k] = (at ?? "0,0,1").split(",").map(Number);
    return [x, y, k].every(Number.isFinite) ? { x, y, k } : { x: 0, y: 0, k: 1 };
  }

  // ---- drawing

  draw() {
    this.layout();
    for (const tile of this.tiles.values()) tile.picture = null;
    this.collect();
    if (this.mine === undefined) {
      this.mine = this.get("at");
      this.camera = this.written(this.mine);
    }
    this.camera = this.held(this.camera);
    this.tall = this.high();
    this.paint();
    this.say();
    this.rested = true;
    if (this.unseen) this.seek();
    this.unseen = false;
    if (this.growing()) this.move();
  }

  /** Whether what was painted last still covers what is to be seen. */
  shifts() {
    const { painted, camera } = this;
    if (!painted) return false;
    const [wider, taller] = [camera.k / painted.k, this.tall / painted.tall];
    if (Math.max(wider, taller) > 2.2 || Math.min(wider, taller) < 0.45) return false;
    const moved = Math.abs(((painted.x - camera.x) * this.wide) / this.width);
    return moved < 0.45 && Math.abs(((painted.y - camera.y) * this.tall) / this.height) < 0.45;
  }

  shift() {
    const { painted, camera } = this;
    const [wider, taller] = [camera.k / painted.k, this.tall / painted.tall];
    const x = this.left * (1 - wider) + (painted.x - camera.x) * this.wide;
    const y = TOP * (1 - taller) + (painted.y - camera.y) * this.tall;
    this.canvas.style.transform = `translate(${x}px, ${y}px) scale(${wider}, ${taller})`;
    this.paintMargin();
    this.placeTitles();
  }

  paint() {
    const began = performance.now();
    const pen = fit(this.canvas, [this.width, this.height]);
    this.canvas.style.transform = "";
    this.painted = { ...this.camera, tall: this.tall };
    pen.imageSmoothingEnabled = false;
    pen.lineJoin = pen.lineCap = "round";
    const threaded = Boolean(this.thread?.knots.length);
    this.faded = this.spread ? 0.3 : threaded ? 0.45 : 1;
    this.paintLayers(pen);
    this.paintRivers(pen);
    if (this.spread) this.paintSpread(pen);
    else this.paintLooks(pen);
    if (this.layer) this.paintVectors(pen);
    pen.globalAlpha = 1;
    this.paintSaid(pen);
    if (threaded) this.paintThread(pen);
    if (this.cursor && this.stage.matches(":focus")) this.paintCursor(pen);
    this.paintMargin();
    this.placeTitles();
    this.cost = performance.now() - began;
  }

  paintLayers(pen) {
    pen.strokeStyle = this.ink.line;
    pen.lineWidth = 1;
    const [from, to] = this.inSight();
    for (let i = from; i <= to; i++) {
      if (!this.columns[i].brief) continue;
      const x = Math.round(this.sx(i) - 0.19 * this.wide) + 0.5;
      pen.beginPath();
      pen.moveTo(x, TOP);
      pen.lineTo(x, this.height - 4);
      pen.stroke();
    }
  }

  // Rows that are too narrow are drawn together: [first, last] of each that is drawn.
  groups() {
    const [top, bottom] = this.rowsInSight();
    const { read, tokens } = this.header;
    const by = Math.max(1, Math.ceil(LEAST_ROW / this.tall));
    const found = [];
    for (let row = Math.floor(top / by) * by; row <= bottom; ) {
      const end = Math.min(row + by, row < read ? read : tokens.length);
      found.push([row, end]);
      row = end;
    }
    return found;
  }

  /** The mean length over rows, as pixels of width. */
  thick(lengths, from, to) {
    let sum = 0;
    for (let i = from; i < to; i++) sum += lengths[i];
    const rows = to - from;
    return (Math.min(WIDEST, (0.5 * sum) / rows / this.header.full) || 0) * this.tall * rows;
  }

  paintRivers(pen) {
    const [from, to] = this.inSight();
    for (const [a, b] of this.groups()) {
      const target = a >= this.header.read;
      const offset = target ? this.header.read : 0;
      const own = this.sides[Number(target)].filter((i) => i >= from - 2 && i <= to + 2);
      if (!own.length) continue;
      const y = (this.sy(a) + this.sy(b - 1) + this.tall) / 2;
      const points = [];
      let last = 0;
      for (const i of own) {
        const { kind, lengths, sum } = this.columns[i];
        const x = this.sx(i);
        if (kind === "state") {
          last = this.thick(lengths, a - offset, b - offset);
          points.push([x, last], [x + STATE * this.wide, last]);
        } else {
          points.push([x + STATE * this.wide, last]);
          last = this.thick(sum, a - offset, b - offset);
          points.push([x + 0.9 * this.wide, last]);
        }
      }
      this.paintRiver(pen, points, y);
      if (this.spread) continue;
      for (const i of own) if (this.columns[i].kind === "written") this.paintTributary(pen, i, a, b, y);
    }
    this.paintMemory(pen);
  }

  paintRiver(pen, points, y) {
    const widest = WIDEST * this.tall;
    const bank = (sign) => {
      const way = sign > 0 ? points : [...points].reverse();
      let before = null;
      for (const [x, thick] of way) {
        const at = y - (sign * Math.max(0.7, thick)) / 2;
        if (!before) pen.lineTo(x, at);
        else if (before[1] === at || this.wide < 14) pen.lineTo(x, at);
        else pen.bezierCurveTo((before[0] + x) / 2, before[1], (before[0] + x) / 2, at, x, at);
        before = [x, at];
      }
    };
    pen.fillStyle = this.ink.river;
    pen.globalAlpha = this.faded * (this.layer ? 0.22 : 0.42);
    pen.beginPath();
    bank(1);
    bank(-1);
    pen.closePath();
    pen.fill();
    if (this.tall < 12) return;
    pen.strokeStyle = this.ink.river; // where it was cut, its banks are dashed
    pen.lineWidth = 1;
    pen.setLineDash([3, 3]);
    pen.globalAlpha = this.faded;
    for (let i = 1; i < points.length; i++) {
      if (points[i][1] < widest - 0.01 || points[i - 1][1] < widest - 0.01) continue;
      for (const sign of [-1, 1]) {
        pen.beginPath();
        pen.moveTo(points[i - 1][0], y + (sign * widest) / 2);
        pen.lineTo(points[i][0], y + (sign * widest) / 2);
        pen.stroke();
      }
    }
    pen.setLineDash([]);
  }

  // Only what has changed glows: of each state, as wide as it is far from where it was.
  paintSpread(pen) {
    const [from, to] = this.inSight();
    const { come } = this;
    const { read } = this.header;
    pen.globalAlpha = this.layer ? 0.35 : 0.9;
    pen.fillStyle = this.ink.orange;
    for (const [a, b] of this.groups()) {
      const offset = a >= read ? read : 0;
      const own = this.sides[Number(a >= read)].filter((i) => this.columns[i].kind === "state" && i >= from - 3);
      const y = (this.sy(a) + this.sy(b - 1) + this.tall) / 2;
      const points = [];
      for (const i of own) {
        if (i > to + 3 || i > come) break;
        const thick = this.thick(this.moved[i], a - offset, b - offset);
        points.push([this.sx(i), thick], [this.sx(i + STATE), thick]);
      }
      if (!points.some(([, thick]) => thick > 0)) continue;
      pen.beginPath();
      for (const [x, thick] of points) pen.lineTo(x, y - thick / 2);
      for (const [x, thick] of points.reverse()) pen.lineTo(x, y + thick / 2);
      pen.closePath();
      pen.fill();
    }
  }

  above(i) {
    return this.columns[i].side === "feedforward" ? 1 : -1;
  }

  inkOf(i) {
    return this.columns[i].side === "feedforward" ? this.ink.network : this.ink.attention;
  }

  paintTributary(pen, i, a, b, y) {
    const { lengths, sum, target } = this.columns[i];
    const offset = target ? this.header.read : 0;
    const thick = Math.min(0.45 * this.tall * (b - a), this.thick(lengths, a - offset, b - offset));
    if (thick < 0.5) return;
    const side = this.above(i);
    const x = this.sx(i);
    const from = y + side * 0.5 * this.tall * (b - a);
    const into = y + (side * Math.max(0, this.thick(sum, a - offset, b - offset) - thick)) / 2;
    pen.strokeStyle = this.inkOf(i);
    pen.globalAlpha = this.faded * (this.layer ? 0.35 : 0.85);
    pen.lineWidth = thick;
    pen.lineCap = "butt";
    pen.beginPath();
    pen.moveTo(x, from);
    pen.bezierCurveTo(x + 0.05 * this.wide, into, x + 0.4 * this.wide, into, x + 0.9 * this.wide, into);
    pen.stroke();
    pen.lineCap = "round";
  }

  // What was read stands ready for every layer of the stack that looks at it.
  paintMemory(pen) {
    const { read, tokens } = this.header;
    const source = this.sides[0].at(-1);
    if (read === tokens.length) return;
    pen.strokeStyle = this.ink.river;
    pen.lineWidth = 1;
    pen.globalAlpha = this.faded * 0.5;
    for (const [a] of this.groups()) {
      if (a >= read) continue;
      pen.beginPath();
      pen.moveTo(this.sx(source + STATE), this.middle(a));
      pen.lineTo(this.sx(this.columns.length - 1), this.middle(a));
      pen.stroke();
    }
  }

  // Lines of like strength together: each stroke costs more than what is in it.
  paintLooks(pen) {
    const [from, to] = this.inSight();
    const [top, bottom] = this.rowsInSight();
    const least = 255 * (this.tall < LEAST_ROW ? STRONG : this.header.share);
    pen.strokeStyle = this.ink.attention;
    for (const one of this.lines) {
      if (one.column < from - 1 || one.column > to + 1) continue;
      for (const [low, high] of [
        [least, 96],
        [Math.max(96, least), 160],
        [Math.max(160, least), 256],
      ]) {
        pen.beginPath();
        for (let i = 0; i < one.count; i++) {
          const share = one.shares[i];
          if (share < low || share >= high) continue;
          const [q, k] = this.ends(one, i);
          if (q === k || Math.max(q, k) < top || Math.min(q, k) > bottom) continue;
          const [[x, y], [ax, ay], [bx, by], [toX, toY]] = this.look(one, q, k);
          pen.moveTo(x, y);
          pen.bezierCurveTo(ax, ay, bx, by, toX, toY);
        }
        pen.lineWidth = clamp(
          ((low + Math.min(high, 255)) / 510) * Math.min(0.16 * this.tall, 0.4 * this.wide),
          0.5,
          6,
        );
        pen.globalAlpha = this.faded * (this.layer ? 0.4 : 0.62);
        pen.stroke();
      }
    }
  }

  ends(one, i) {
    const { read } = this.header;
    const target = this.columns[one.column].target;
    const shift = (across) => (target && !across ? read : 0);
    return [one.pairs[2 * i] + shift(false), one.pairs[2 * i + 1] + shift(one.across)];
  }

  look({ column }, q, k) {
    const [x, toX] = [this.sx(column - 0.44), this.sx(column)];
    const [y, toY] = [this.middle(k), this.middle(q) - 0.5 * this.tall];
    const bend = (toX - x) * 0.55;
    return [
      [x, y],
      [x + bend, y],
      [toX - bend, toY],
      [toX, toY],
    ];
  }

  // Left, top, width and height of a vector of one token.
  box(i, row) {
    const written = this.columns[i].kind === "written";
    const y = this.sy(row) + (written ? (this.above(i) > 0 ? 0.54 : 0.06) : 0.1) * this.tall;
    return [this.sx(i), y, STATE * this.wide, (written ? 0.4 : 0.8) * this.tall];
  }

  paintVectors(pen) {
    const [from, to] = this.inSight();
    const [top, bottom] = this.rowsInSight();
    const [begins, ends] = STRIPS;
    const strength = (this.spread ? 1 : this.faded) * clamp((this.wide - begins) / (ends - begins) + 0.15, 0, 1);
    let made = 0;
    for (let i = from; i <= to; i++) {
      const [a, b] = this.rowsOf(i);
      for (let row = Math.max(a, top); row <= Math.min(b - 1, bottom); row++) {
        const tile = this.tileAt(this.layer, i, row) ?? this.tileAt("strips", i, row) ?? this.tileAt("cells", i, row);
        if (!tile) continue;
        if (!tile.picture && made++ > 1) {
          this.later();
          continue;
        }
        pen.globalAlpha = strength;
        this.paintVector(pen, tile, i, row);
      }
    }
  }

  // The picture of a tile takes its time: two of them a frame.
  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.given) this.paint();
    });
  }

  paintVector(pen, tile, i, row) {
    const { width, first, values, reach, count } = tile;
    tile.picture ??= pixels(values, count, width, scale(this.root, true, reach), veil(this.root));
    const [x, y, wide, high] = this.box(i, row);
    const cell = wide / width;
    const from = clamp(Math.floor((this.left - x) / cell), 0, width);
    const to = clamp(Math.ceil((this.width - x) / cell), 0, width);
    if (to <= from) return;
    pen.drawImage(tile.picture, from, row - first, to - from, 1, x + from * cell, y, (to - from) * cell, high);
    if (cell < PRINTED || high < 16 || width !== this.header.size) return;
    const paint = scale(this.root, true, reach);
    pen.font = `12px ${this.ink.code}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (let dim = from; dim < to; dim++) {
      const value = values[(row - first) * width + dim];
      pen.fillStyle = Number.isNaN(value) ? this.ink.soft : inkOn(paint(value));
      pen.fillText(Number.isNaN(value) ? "?" : short(value), x + (dim + 0.5) * cell, y + high / 2);
    }
    pen.textAlign = "left";
  }

  // At the end of a row that the output reads: the word it gives, and how sure it is.
  paintSaid(pen) {
    const { said, tokens } = this.header;
    const x = this.sx(this.columns.length - 1 + STATE) + 10;
    if (!said.length || x > this.width) return;
    pen.textBaseline = "middle";
    pen.font = `13px ${this.ink.font}`;
    const drawn = labelled(said.length, this.tall, 14);
    said.forEach(([word, probability], i) => {
      const y = this.middle(tokens.length - said.length + i);
      if (!drawn[i] || y < TOP || y > this.height) return;
      pen.fillStyle = this.ink.text;
      pen.fillText(`→ ${clip(word, this.phone ? 4 : 7)}`, x, y);
      pen.fillStyle = this.ink.soft;
      if (!this.phone) pen.fillText(fixed(probability, 2), x + 66, y);
    });
  }

  // The names of the rows, over whatever lies beneath.
  paintMargin() {
    const pen = fit(this.margin, [this.left, this.height]);
    const { tokens, special } = this.header;
    pen.fillStyle = this.ink.paper;
    pen.fillRect(0, 0, this.left, this.height);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const pair = this.pair();
    const drawn = labelled(tokens.length, this.tall, 14, pair);
    tokens.forEach((token, row) => {
      const y = this.middle(row);
      if (!drawn[row] || y < TOP - 2 || y > this.height) return;
      const picked = pair.includes(row);
      pen.font = `${picked ? "600 " : ""}14px ${this.ink.code}`;
      pen.fillStyle = picked ? this.ink.orange : special[row] ? this.ink.soft : this.ink.text;
      pen.fillText(clip(token, this.phone ? 6 : 9), this.left - 10, y);
    });
  }

  pair() {
    return ["q", "k"].map((name) => this.integer(name)).filter((row) => row !== null);
  }

  // Over every column its title, where it has room: from afar the layers' alone.
  placeTitles() {
    const [from, to] = this.inSight();
    const full = this.wide >= TITLED;
    const shown = [];
    let end = -1e9;
    for (let i = from; i <= to; i++) {
      const { title, brief } = this.columns[i];
      const text = full ? title : brief;
      const x = Math.max(this.sx(i), this.left);
      if (!text || x < end || (full && this.sx(i) + STATE * this.wide < this.left + 40)) continue;
      shown.push([i, text, x]);
      end = x + this.widthOf(text) + 12;
    }
    const key = shown.map(([i, text]) => `${i}${text}`).join();
    if (key !== this.shown) {
      this.shown = key;
      const { first, words } = this.header;
      const door = (place, text) => (place ? doorTo(place, text, "reach title") : make("span", "title", text));
      this.heads = shown.map(([i, text]) => door(this.columns[i].door, text));
      const ids = this.phone || !first ? [] : [Object.assign(door(first, words.table), { className: "reach ids" })];
      this.titles.replaceChildren(...ids, ...this.heads);
    }
    shown.forEach(([, , x], j) => (this.heads[j].style.transform = `translateX(${Math.round(x)}px)`));
  }

  widthOf(text) {
    if (!this.texts.has(text)) {
      const pen = this.margin.getContext("2d");
      pen.font = `13px ${this.ink.font}`;
      this.texts.set(text, pen.measureText(text).width);
    }
    return this.texts.get(text);
  }

  paintCursor(pen) {
    const { column, row, dim } = this.cursor;
    const [x, y, wide, high] = this.box(column, row);
    const cell = wide / this.header.size;
    const one = this.layer === "cells" && cell >= 4;
    pen.strokeStyle = this.ink.orange;
    pen.lineWidth = 2;
    pen.strokeRect(one ? x + dim * cell : x, y, one ? cell : wide, high);
  }

  // ---- the thread

  at({ x, row }) {
    const i = Math.floor(x);
    const written = this.columns[i]?.kind === "written" && x - i <= STATE;
    const down = 0.5 + (written ? 0.24 * this.above(i) : 0) + (row >= this.header.read ? 1 : 0);
    return [this.sx(x), this.sy(0) + (row + down) * this.tall];
  }

  curve({ made, of }) {
    const { knots } = this.thread;
    const [toX, toY] = this.at(knots[made]);
    if (of === null)
      return [
        [toX - 26, toY - 15],
        [toX - 16, toY - 15],
        [toX - 9, toY],
        [toX, toY],
      ];
    const [x, y] = this.at(knots[of]);
    const bend = Math.max(6, (toX - x) * 0.5);
    return [
      [x, y],
      [x + bend, y],
      [toX - bend, toY],
      [toX, toY],
    ];
  }

  paintThread(pen) {
    const { knots, strands } = this.thread;
    const [start] = this.at(knots[0]);
    const part = this.growing() ? (performance.now() - this.begun) / DRAWN : 1;
    const reach = part < 1 && !this.onward ? start - part * (start - this.sx(-0.5)) : -1e9;
    for (const strand of strands) {
      const [[x, y], [ax, ay], [bx, by], [toX, toY]] = this.curve(strand);
      if (toX < reach || Math.max(x, toX) < this.left || Math.min(x, toX) > this.width) continue;
      pen.strokeStyle = strand.value < 0 ? this.ink.orange : this.ink.accent;
      pen.setLineDash(strand.of === null ? [1, 3] : []);
      const bundle = strand.of === null;
      pen.lineWidth = clamp(THREAD * strand.share, 0.8, bundle ? 7 : THREAD);
      pen.globalAlpha = bundle ? 0.45 : 0.85;
      pen.beginPath();
      pen.moveTo(x, y);
      pen.bezierCurveTo(ax, ay, bx, by, toX, toY);
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    knots.forEach((knot, i) => {
      const [x, y] = this.at(knot);
      if (x < reach || x < this.left) return;
      pen.fillStyle = knot.learned ? this.ink.paper : this.ink.text;
      pen.strokeStyle = this.ink.text;
      pen.lineWidth = 1.2;
      pen.beginPath();
      pen.arc(x, y, i ? 2.6 : 5, 0, 2 * Math.PI);
      pen.fill();
      if (knot.learned || !i) pen.stroke();
    });
    this.nameKnots(pen, reach);
  }

  // The number itself, the tables its ways end in, then whatever carries most; none over another.
  nameKnots(pen, reach) {
    const { knots } = this.thread;
    const rank = (i) => (i ? knots[i].share + (knots[i].learned ? 1 : 0) : 3);
    const order = knots.map((_, i) => i).sort((a, b) => rank(b) - rank(a));
    const taken = [];
    pen.font = `12px ${this.ink.font}`;
    pen.textBaseline = "alphabetic";
    for (const i of order) {
      if (taken.length >= (this.phone ? 3 : NAMED)) break;
      const [x, y] = this.at(knots[i]);
      if (x < Math.max(reach, this.left) || x > this.width || y < TOP || y > this.height) continue;
      const text = clip(`${knots[i].name} = ${short(knots[i].value)}`, this.phone ? 22 : 44);
      const wide = pen.measureText(text).width;
      const left = clamp(x - wide / 2, this.left + 2, this.width - Math.max(4, this.right) - wide);
      const top = y - 22 > TOP ? y - 22 : y + 8;
      const box = [left - 3, top, left + wide + 3, top + 16];
      if (taken.some(([a, b, c, d]) => box[0] < c && box[2] > a && box[1] < d && box[3] > b)) continue;
      taken.push(box);
      pen.globalAlpha = 0.9;
      pen.fillStyle = this.ink.paper;
      pen.fillRect(box[0], box[1], wide + 6, 16);
      pen.globalAlpha = 1;
      pen.fillStyle = this.ink.text;
      pen.fillText(text, left, top + 12);
    }
  }

  // ---- what a hand does

  hands() {
    const { stage } = this;
    stage.onpointermove = (event) => this.hover(event);
    stage.onpointerleave = () => showTip(this.tip, null);
    stage.onpointerdown = (event) => event.pointerType !== "touch" && this.hold(event);
    stage.onclick = (event) => this.click(event);
    this.listen2(stage, "wheel", (event) => this.wheel(event));
    this.listen2(stage, "touchstart", (event) => this.touch(event));
    this.listen2(stage, "touchmove", (event) => this.touch(event));
    stage.ontouchend = () => (this.fingers = null);
  }

  // Told to the browser that they may take an event from the page.
  listen2(target, type, listener) {
    target.addEventListener(type, listener, { passive: false });
    this.atEnd(() => target.removeEventListener(type, listener));
  }

  hold(event) {
    if (event.button || event.target.closest?.("a")) return;
    const from = { ...this.camera };
    const { x, y } = within(event, this.stage);
    this.dragged = false;
    const drag = (next) => {
      const at = within(next, this.stage);
      if (!this.dragged && Math.hypot(at.x - x, at.y - y) < 4) return;
      this.dragged = true;
      showTip(this.tip, null);
      this.to({ ...from, x: from.x - (at.x - x) / this.wide, y: from.y - (at.y - y) / this.tall });
    };
    const drop = () => {
      removeEventListener("pointermove", drag);
      removeEventListener("pointerup", drop);
      removeEventListener("pointercancel", drop);
    };
    addEventListener("pointermove", drag);
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", drop);
  }

  // Turning the wheel scrolls the page, unless the sheet has the focus or a key is held; sideways it travels.
  wheel(event) {
    const { x, y } = within(event, this.stage);
    const size = event.deltaMode ? 16 : 1;
    if (event.ctrlKey || event.metaKey || this.stage.matches(":focus")) {
      event.preventDefault();
      this.zoom(Math.exp((-event.deltaY * size) / (event.ctrlKey ? 120 : 320)), x, y);
    } else if (this.camera.k > 1 && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      this.to({ ...this.camera, x: this.camera.x + (event.deltaX * size) / this.wide });
    }
  }

  // One finger scrolls the page, two move the sheet.
  touch(event) {
    if (event.touches.length !== 2) return void (this.fingers = null);
    event.preventDefault();
    const [one, other] = [...event.touches].map((finger) => within(finger, this.stage));
    const now = {
      x: (one.x + other.x) / 2,
      y: (one.y + other.y) / 2,
      apart: Math.hypot(one.x - other.x, one.y - other.y) || 1,
    };
    const { fingers } = this;
    this.fingers = now;
    if (!fingers) return;
    this.to({
      ...this.camera,
      x: this.camera.x - (now.x - fingers.x) / this.wide,
      y: this.camera.y - (now.y - fingers.y) / this.tall,
    });
    this.zoom(now.apart / fingers.apart, now.x, now.y);
  }

  /** What lies at a place of the stage. */
  find({ x, y }) {
    const row = this.rowAt(y);
    if (x < this.left) return row === null ? null : { kind: "label", row };
    const knot = this.knotAt(x, y);
    if (knot) return knot;
    const along = this.camera.x + (x - this.left) / this.wide;
    const column = Math.floor(along);
    if (row === null || column < 0 || column >= this.columns.length) return null;
    const [from, to] = this.rowsOf(column);
    const inside = along - column;
    if (row < from || row >= to || inside > STATE) return this.lookAt(x, y);
    const [, top, , high] = this.box(column, row);
    const { kind } = this.columns[column];
    if (kind === "state" && (y < top || y > top + high)) return this.lookAt(x, y);
    const dim = clamp(Math.floor((inside / STATE) * this.header.size), 0, this.header.size - 1);
    const tile = this.layer === "cells" ? this.tileAt("cells", column, row) : null;
    const one = tile && (kind === "state" || (y >= top && y <= top + high));
    return { kind: one ? "cell" : kind, column, row, dim, tile };
  }

  rowAt(y) {
    const { tokens, read } = this.header;
    const at = Math.floor((y - TOP) / this.tall + this.camera.y);
    if (y < TOP || (read < tokens.length && at === read)) return null;
    const row = at > read ? at - 1 : at;
    return row >= 0 && row < tokens.length ? row : null;
  }

  knotAt(x, y) {
    if (!this.thread?.knots.length) return null;
    const { knots, strands } = this.thread;
    const near = ([a, b], reach) => Math.hypot(a - x, b - y) <= reach;
    const i = knots.findIndex((knot) => near(this.at(knot), NEAR));
    if (i >= 0) return { kind: "knot", knot: knots[i] };
    const found = strands.find((strand) => pointsOn(this.curve(strand)).some((point) => near(point, NEAR)));
    return found ? { kind: "strand", strand: found } : null;
  }

  lookAt(x, y) {
    const least = 255 * this.header.share;
    for (const one of this.lines) {
      if (x < this.sx(one.column - 0.44) || x > this.sx(one.column)) continue;
      for (let i = 0; i < one.count; i++) {
        const [q, k] = this.ends(one, i);
        if (q === k || one.shares[i] < least) continue;
        const near = pointsOn(this.look(one, q, k)).some(([a, b]) => Math.hypot(a - x, b - y) < NEAR);
        if (near) return { kind: "look", q, k, share: one.shares[i] / 255, name: one.name };
      }
    }
    return null;
  }

  hover(event) {
    const { x, y, width } = within(event, this.stage);
    if (this.flight || event.buttons) return;
    const found = this.find({ x, y });
    this.stage.classList.toggle("acts", Boolean(found) && found.kind !== "look");
    showTip(this.tip, found && this.sentence(found), { x, y: Math.min(y + 14, this.height - 30), width });
  }

  sentence(found) {
    const { words, names, full } = this.header;
    const { knots } = this.thread ?? {};
    const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
    const percent = (share) => `${share < 0.1 ? fixed(100 * share, 1) : Math.round(100 * share)} %`;
    if (found.kind === "label") return names[found.row];
    if (found.kind === "look")
      return fill(words.looks, {
        query: names[found.q],
        key: names[found.k],
        share: percent(found.share),
        name: found.name,
      });
    if (found.kind === "knot") return `${found.knot.where} = ${exact(found.knot.value)}`;
    if (found.kind === "strand") {
      const { made, of, share, value, left, right, others } = found.strand;
      const facts = { to: knots[made].name, share: percent(share), rest: short(value) };
      if (of === null) return fill(counted(words.others, "count", others), facts);
      const product = left === null ? short(value) : `${short(left)} × ${short(right)} = ${short(value)}`;
      return fill(this.onward ? words.into : words.part, { ...facts, from: knots[of].name, product });
    }
    const { column, row, dim, tile } = found;
    const { title, lengths, target, kind } = this.columns[column];
    const facts = { token: names[row], place: title, dim };
    if (found.kind === "cell") {
      const value = tile.values[(row - tile.first) * tile.width + dim];
      return fill(this.spread ? words.differs : words.number, {
        ...facts,
        value: Number.isNaN(value) ? words.veiled : exact(value),
      });
    }
    const length = lengths[row - (target ? this.header.read : 0)];
    if (this.spread) {
      const moved = this.moved[column][row - (target ? this.header.read : 0)];
      return fill(words.apart, { ...facts, length: short(moved), share: percent(length ? moved / length : 0) });
    }
    const said = fill(kind === "written" ? words.writes : words.length, { ...facts, length: short(length) });
    return 0.5 * length > WIDEST * full && kind === "state" ? `${said} ${words.wide}` : said;
  }

  click(event) {
    if (this.dragged) return void (this.dragged = false);
    if (event.target.closest?.("a, button")) return;
    const found = this.find(within(event, this.stage));
    showTip(this.tip, null);
    if (!found) return;
    if (event.pointerType === "touch") this.hover(event);
    if (found.kind === "label") return this.select({ q: this.pair()[1] ?? found.row, k: found.row });
    if (found.kind === "knot") return this.follow(found.knot.trail);
    if (found.kind === "strand") return this.followStrand(found.strand);
    if (found.kind === "look") return;
    this.cursor = { column: found.column, row: found.row, dim: found.dim };
    if (found.kind === "cell") this.follow(this.trailOf(this.cursor));
    else this.toLevel(1);
  }

  follow(trail) {
    this.store.select({ trail }, {}, true);
  }

  followStrand({ made, of }) {
    const { knots } = this.thread;
    this.follow(of === null ? `${knots[made].trail}~rest.1` : knots[of].trail);
  }

  // As a trail begins: layers counted from 1.
  trailOf({ column, row, dim }) {
    const { tap, target } = this.columns[column];
    const name = tap.replace(/\.(\d+)(?=\.)/g, (_, layer) => `.${Number(layer) + 1}`);
    const path = `${name}.${row - (target ? this.header.read : 0)}.${dim}`;
    return this.spread ? `minus.${this.spread.run}!${path}-${path}` : path; // of the changed run, less of this one
  }

  key(event) {
    if (event.target !== this.stage) return;
    const level = pressed(event, LEVELS);
    if (level) return this.toLevel(level);
    if (event.key === "Enter") return this.enter(event);
    const way = pressed(event, ARROWS);
    if (!way) return;
    this.cursor ??= this.center();
    this.step(way);
    const { column, row, dim } = this.cursor;
    const found = this.layer === "cells" ? this.tileAt("cells", column, row) : null;
    const kind = found ? "cell" : this.columns[column].kind;
    this.heard.textContent = this.sentence({ kind, column, row, dim, tile: found });
    const near = this.around(this.cursor, this.camera.k);
    if (this.beyond()) this.fly(near);
    else this.move();
  }

  step([x, y]) {
    const { cursor, header } = this;
    if (this.layer === "cells" && x) {
      cursor.dim += x;
      if (cursor.dim >= 0 && cursor.dim < header.size) return;
      cursor.dim = cursor.dim < 0 ? header.size - 1 : 0;
    }
    const column = clamp(cursor.column + x, 0, this.columns.length - 1);
    const row = clamp(cursor.row + y, 0, header.tokens.length - 1);
    const [from, to] = this.rowsOf(column);
    if (row >= from && row < to) Object.assign(cursor, { column, row });
    else if (y) Object.assign(cursor, { row, column: this.sides[Number(row >= header.read)][x < 0 ? 0 : 0] });
    else Object.assign(cursor, { column, row: from });
  }

  beyond() {
    const [x, y, wide] = this.box(this.cursor.column, this.cursor.row);
    const at = x + (this.layer === "cells" ? (wide * this.cursor.dim) / this.header.size : 0);
    return at < this.left || at > this.width - 40 || y < TOP || y > this.height - 20;
  }

  /** A number is followed; of anything larger the page is opened. */
  enter(event) {
    event.preventDefault();
    const { column, row } = this.cursor ?? this.center();
    if (this.cursor && this.layer === "cells" && this.tileAt("cells", column, row))
      this.follow(this.trailOf(this.cursor));
    else this.link.querySelector("a")?.click();
  }

  // ---- what is said

  say() {
    const { words, tokens } = this.header;
    const [from, to] = this.inSight();
    const rows = Math.max(1, Math.ceil(LEAST_ROW / this.tall));
    const level = this.layer ?? "rivers";
    const said = [words[level]];
    if (rows > 1) said.push(counted(words.pooled, "count", rows));
    if (this.spread) said.splice(0, 1, this.spread.said);
    const threaded = Boolean(this.thread?.knots.length);
    if (threaded) said.push(this.onward ? words.onward : words.thread);
    this.turn.hidden = !threaded;
    this.turn.textContent = this.onward ? `← ${words.back}` : `${words.on} →`;
    this.saying.textContent = said.join(" ");
    const { column } = this.cursor ?? this.center();
    const { door, title } = this.columns[column];
    this.link.replaceChildren(...(door ? [doorTo(door, words.open.replace("{place}", title), "reach")] : []));
    this.tabulate(level, clamp(from, 0, to), Math.min(to, from + 7), Math.min(11, tokens.length - 1));
  }

  // The same as a table, for who does not see it: of what is in sight, as much as can be listened to.
  tabulate(level, from, to, most) {
    const { names, words } = this.header;
    const [top, bottom] = this.rowsInSight();
    const table = make("table");
    table.append(make("caption", "", words[level]));
    const head = table.createTHead().insertRow();
    head.append(make("td"));
    const body = table.createTBody();
    const dims = level === "cells" ? this.dimsInSight() : null;
    const columns = dims ?? Array.from({ length: to - from + 1 }, (_, j) => from + j);
    for (const i of columns) head.append(make("th", "", dims ? String(i) : this.columns[i].title));
    const at = this.center().column;
    for (let row = top; row <= Math.min(bottom, top + most); row++) {
      const line = body.insertRow();
      line.append(make("th", "", names[row]));
      for (const i of columns) line.append(make("td", "", dims ? this.numberAt(at, row, i) : this.lengthAt(i, row)));
    }
    this.table.replaceChildren(table);
  }

  dimsInSight() {
    const middle = this.dimAt();
    const first = clamp(middle - 4, 0, Math.max(0, this.header.size - 8));
    return Array.from({ length: Math.min(8, this.header.size) }, (_, i) => first + i);
  }

  numberAt(column, row, dim) {
    const tile = this.tileAt("cells", column, row);
    return tile ? short(tile.values[(row - tile.first) * tile.width + dim]) : "";
  }

  lengthAt(column, row) {
    const [from, to] = this.rowsOf(column);
    return row >= from && row < to ? short(this.columns[column].lengths[row - from]) : "";
  }
}

/** Some points on a curve, its end left out: there the next begins. */
function pointsOn([[x, y], [ax, ay], [bx, by], [toX, toY]]) {
  return Array.from({ length: 13 }, (_, i) => {
    const t = (i + 0.5) / 13;
    const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
    return [a * x + b * ax + c * bx + d * toX, a * y + b * ay + c * by + d * toY];
  });
}

export default component(Sheet);
