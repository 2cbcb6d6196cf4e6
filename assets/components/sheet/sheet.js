// The whole model with one sentence in it, under a camera {x, y, k}: the column at the left edge, the row at the top,
// how many times nearer than the whole. From afar each token is a river, as wide as its state is long; what is nearer
// are strips, then cells, then single numbers. Tiles of these are asked for when they are looked at, and kept.
//
// Over it lies the thread: the ancestry of the number that is followed, back to what was learned.

import { fit, inkOn, inks, make, rgb, themeOf, tipIn, yielding } from "../kit/draw.js";
import { clamp, Picture, unpack } from "../kit/picture.js";
import { ALONE_AT, Camera, placeRead, placeWritten, sheetSides, WHOLE } from "../kit/camera.js";
import { component } from "../kit/streamlit.js";
import { pairOf } from "./compared.js";
import { paintFrame } from "./frame.js";
import { gather } from "./gather.js";
import { giveHands, keyed } from "./hands.js";
import { moveMap } from "./map.js";
import { ABOVE, acrossStrips, CURVED, PRINTED, sharpness, STATE, TALLEST, TOP } from "./measures.js";
import { halfOf, moveMargin, moveTitles, paintMargin, paintSaid, paintTarget, placeTitles } from "./names.js";
import { collectHead } from "./one_head.js";
import { memoryOf, paintLayers, paintLooks, paintRivers } from "./rivers.js";
import { sayAll } from "./said.js";
import { paintSides } from "./sides.js";
import { collectSpread, paintSpread, spreadPlays } from "./spread.js";
import { paintThread, seekThread, threadGrows } from "./thread.js";
import { buildTools } from "./tools.js";
import { paintCursor, paintVectors } from "./vectors.js";

/**
 * Of each field a list of all that stand there. `side` says from where what is written joins its river: "attention"
 * from above, "feedforward" from below; of a state it is "".
 * @typedef {{title: string[], brief: string[], tap: string[], side: string[], target: boolean[],
 *   stage: string[], door: string[], opens: string[]}} Places
 *
 * A link to another stage: `id` is the key of Streamlit's own link to it.
 * @typedef {{id: string, href: string}} Door
 *
 * @typedef {{column: number[], across: boolean[], count: number[], name: string[]}} Looks
 *
 * @typedef {{label: string, whole: string, closer: string, farther: string, open: string, rivers: string,
 *   sides: string, lines: string, strips: string, cells: string, pooled: string, wide: string, cut: string,
 *   thread: string,
 *   onward: string, back: string, on: string, length: string, writes: string,
 *   mixed: string, between: string, looks: string, number: string, part: string, others: string, into: string,
 *   veiled: string, apart: string,
 *   differs: string, minus: string,
 *   scrub: string, play: string, table: string, map: string, source: string, target: string,
 *   attention: string, cross: string, network: string, memory: string, next: string, probability: string,
 *   entrance: string, ofLayers: string, norms: string, both: string, last: string}} SheetWords
 *
 * `full` fills half a row; `levels` are how many columns across strips, and cells, begin with; `first` stands over the
 * tokens. Of two stacks the second stands behind `gap` free columns, its rows below `over` free ones. Behind the header
 * as float32 the lengths of each column, then of each that is written those of the state with
 * it; then of each attention its lines, query and key as uint16, and its shares, a byte each.
 * @typedef {{of: string, tokens: string[], names: string[], special: boolean[], read: number, said: [string, number][],
 *   ends: number,
 *   gap: number, over: number, first: Door | null,
 *   stages: Object<string, {name: string, href: string}>, places: Places, lines: Looks,
 *   full: number, size: number, levels: [number, number], share: number, words: SheetWords}} Header
 *
 * What is borrowed: tiles, the thread, how far a change spreads: behind that, of each column, how far every token
 * is from where it was; and the lines of one head, behind it as those of an attention.
 * @typedef {{column: number, first: number, count: number, width: number, reach: number}} Tile
 * @typedef {{of: string, level: "strips" | "cells", tiles: Tile[]}} Tiles
 * @typedef {{x: number, row: number, name: string, where: string, value: number, share: number, trail: string,
 *   learned: boolean}} Knot
 * @typedef {{made: number, of: number | null, share: number, value: number, left: number | null,
 *   right: number | null, others: number}} Strand
 * @typedef {{of: string, knots: Knot[], strands: Strand[]}} Thread
 * @typedef {{of: string, column: number | null, count: number, lines: string, looks: string,
 *   mixed: string}} OneHead
 * @typedef {{of: string, run: string, said: string, swaps: number[], renamed: [number, string][],
 *   words: [number, string, string][]}} Spread
 */

const SLOW = 2.5; // ms: a picture that takes longer is moved as it is, and painted when it rests
const REST = 160; // ms
const KEPT = 400; // tiles
const IN_THE_DARK = 1.4; // times as strongly a river is drawn there: so much farther it is from its ground
const BELOW = 4; // pixels free under the rows
const TALLEST_OF_PHONE = 32; // pixels of a row from near

class Sheet extends Picture {
  static className = "sheet";
  static fonts = true;
  static speaks = true;
  static borrows = true;

  build() {
    this.tools = this.root.appendChild(make("div", "tools tool whole"));
    this.halves = this.root.appendChild(make("div", "halves"));
    this.stage = this.root.appendChild(make("div", "stage"));
    this.canvas = this.stage.appendChild(make("canvas", "world"));
    this.margin = this.stage.appendChild(make("canvas", "margin"));
    this.over = this.stage.appendChild(make("canvas", "over")); // what moves by itself
    this.titles = this.stage.appendChild(make("div", "titles"));
    this.tip = tipIn(this.stage);
    this.what = this.root.appendChild(make("p", "what")); // on a phone over the picture: what it is
    this.saying = this.root.appendChild(make("p", "saying"));
    this.table = this.root.appendChild(make("div", "heard"));
    this.camera = new Camera();
    this.tiles = new Map();
    this.texts = new Map(); // how wide each is
    this.cursor = null;
    this.played = null;
    this.cost = 0;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.stage.tabIndex = 0;
    this.stage.onkeydown = (event) => keyed(this, event);
    this.stage.onblur = () => this.move();
    giveHands(this);
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
    const { tokens, read } = header;
    const [places, lines] = [rowsOf(header.places), rowsOf(header.lines)];
    for (const place of places) place.kind = place.side ? "written" : "state";
    const count = ({ target }) => (target ? tokens.length - read : read);
    const lengths = places.map((place) => floats(count(place)));
    const sums = places.map((place) => (place.kind === "written" ? floats(count(place)) : null));
    this.columns = places.map((place, i) => ({ ...place, lengths: lengths[i], sum: sums[i] }));
    const pairs = lines.map(
      (one) => new Uint16Array(body.buffer, (at += 4 * one.count) - 4 * one.count, 2 * one.count),
    );
    this.means = lines.map((one, i) => ({ ...one, pairs: pairs[i], shares: body.subarray(at, (at += one.count)) }));
    this.lines = this.means;
    this.head = null;
    this.sides = [false, true].map((target) => this.columns.flatMap((one, i) => (one.target === target ? [i] : [])));
    this.second = this.sides[1][0] ?? Infinity;
    this.breadth = this.columns.length + header.gap; // in columns
    this.halves.replaceChildren(...(read < tokens.length ? [halfOf(this, 0), halfOf(this, 1)] : []));
    this.named(this.stage, "application", header.words.label);
    this.spread = undefined;
    buildTools(this);
  }

  /** Takes what lies ready: tiles of this very sheet, and the thread. */
  collect() {
    collectSpread(this);
    collectHead(this);
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

  /** Whether the camera rests on what has not been fetched. */
  lacks() {
    if (!this.header || !this.rested || !this.layer) return false;
    const [from, to] = this.inSight();
    for (let i = from; i <= to; i++) {
      const rows = this.rowsOf(i);
      const [top, bottom] = this.rowsInSight(this.columns[i].target);
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
    this.mapped = this.stageBox = null;
    const { tokens, read, over, ends } = this.header;
    this.width = this.root.clientWidth || 700;
    this.phone = this.width < 560;
    const two = read < tokens.length;
    const rows = Math.max(read, over + tokens.length - read);
    const room = innerHeight > 1000 ? 1.3 : 1;
    const high = (row, least, most) => clamp(TOP + ABOVE + row * rows + BELOW, least, most);
    this.height = yielding(this.phone ? high(two ? 15.5 : 18, 180, 436) : room * high(27, 280, two ? 344 : 366));
    [this.left, this.right] = sheetSides(this.width, ends);
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
      strength: inkOn(rgb(paper)) === "#ffffff" ? IN_THE_DARK : 1,
      font: themeOf(this.root)("--st-font"),
      code: themeOf(this.root)("--st-code-font"),
    };
    for (const name of ["river", "attention", "network"]) this.root.style.setProperty(`--${name}`, this.ink[name]);
    Object.assign(this.stage.style, { height: `${this.height}px` });
    const [wide, down] = [this.width - this.left - this.right, this.height - TOP - ABOVE - BELOW];
    const nearest = (1.5 * PRINTED * this.header.size) / (STATE * (wide / this.breadth));
    this.camera.through({
      columns: this.breadth,
      rows,
      left: this.left,
      top: TOP + ABOVE,
      wide,
      high: down,
      base: Math.min(TALLEST, down / rows),
      tallest: this.phone ? TALLEST_OF_PHONE : TALLEST,
      far: this.phone && two ? Math.max(...[0, 1].map((i) => this.stackAlone(i).k)) : 1, // a stack alone shows all rows
      near: this.breadth / this.header.levels[1],
      nearest,
    });
  }

  /** Where one begins: at the whole; on a phone of two stacks at the one that reads, if nothing else is meant. */
  get home() {
    const [, target] = this.sides;
    const meant = this.spread || this.get("trail") || pairOf(this).some((row) => row >= this.header.read);
    return this.phone && target.length && !meant ? this.stackAlone(0) : WHOLE;
  }

  /** Where one sees nothing but a stack; of the second what the output says, too. */
  stackAlone(i) {
    const wide = this.width - this.left - this.right;
    const room = i ? wide : this.width - this.left - ALONE_AT;
    const columns = this.sides[i].length + (i ? CURVED : 0);
    return { x: i ? this.breadth - columns : 0, y: 0, k: (this.breadth * room) / (columns * wide) };
  }

  get atHome() {
    return placeWritten(this.camera.place, this.home) === null;
  }

  get across() {
    return this.camera.across;
  }

  get wide() {
    return this.camera.wide;
  }

  get tall() {
    return this.camera.tall;
  }

  /** Where a place among the columns stands, in columns: that `of` a column of the second stack behind the gap. */
  stands(column, of = column) {
    return column + (of >= this.second ? this.header.gap : 0);
  }

  sx(column, of = column) {
    return this.camera.sx(this.stands(column, of));
  }

  /** The place among the columns that stands there; that of the gap is where the second stack begins. */
  columnAt(x) {
    return x < this.second ? x : Math.max(this.second, x - this.header.gap);
  }

  /** How far down a stack's rows begin: the target's stand beside those that are read. */
  down(target) {
    return target ? this.header.over - this.header.read : 0;
  }

  sy(row) {
    return this.camera.sy(row + this.down(row >= this.header.read));
  }

  middle(row) {
    return this.sy(row) + this.tall / 2;
  }

  /** The first and the last column that are in sight: where the sheet ends in the gap, none behind it. */
  inSight() {
    const { x } = this.camera;
    const [from, to] = [x, x + this.across].map((at) => Math.floor(this.columnAt(at)));
    const last = to === this.second && x + this.across < this.stands(to) ? to - 1 : to;
    return [Math.max(0, from), Math.min(this.columns.length - 1, last)];
  }

  /** The first and the last row of a stack that are in sight. */
  rowsInSight(target) {
    const { tokens, read } = this.header;
    const top = this.camera.y - this.down(target);
    const bottom = top + (this.height - TOP) / this.tall;
    const [first, last] = target ? [read, tokens.length - 1] : [0, read - 1];
    return [clamp(Math.floor(top), first, last), clamp(Math.floor(bottom), first, last)];
  }

  /** How far rivers have given way to strips, from 0 to 1. */
  get sharp() {
    return sharpness(this.wide, this.camera.lens.wide, this.header.levels);
  }

  /** What lies under the camera: "strips" or "cells", null from afar. */
  get layer() {
    const [, cells] = this.header.levels;
    return this.across <= cells ? "cells" : this.sharp > 0 ? "strips" : null;
  }

  get printed() {
    return this.layer === "cells" && (this.wide * STATE) / this.header.size >= PRINTED;
  }

  /** How near each level is looked at from. */
  steps() {
    const n = this.breadth;
    const strips = Math.max(1.01, n / acrossStrips(this.camera.lens.wide, this.header.levels));
    return [1, strips, Math.max(1.5 * strips, n / 1.3), this.camera.lens.nearest / 1.3];
  }

  toLevel(by) {
    const steps = this.steps();
    const { k } = this.camera;
    const now = by > 0 ? steps.findLastIndex((step) => step <= k * 1.01) : steps.findIndex((step) => step >= k * 0.99);
    const to = steps[clamp((now < 0 ? steps.length : now) + by, 0, steps.length - 1)];
    this.fly(this.around(this.cursor ?? this.center(), to));
  }

  center() {
    const column = clamp(Math.floor(this.columnAt(this.middleOf)), 0, this.columns.length - 1);
    const [top, bottom] = this.rowsInSight(this.columns[column].target);
    return { column, row: Math.floor((top + bottom) / 2), dim: this.dimAt() };
  }

  get middleOf() {
    return this.camera.x + this.across / 2;
  }

  dimAt() {
    const inside = (this.columnAt(this.middleOf) % 1) / STATE;
    return clamp(Math.floor(inside * this.header.size), 0, this.header.size - 1);
  }

  /** The camera with a place in its middle. */
  around({ column, row, dim }, k) {
    const inside = this.breadth / k < 1.2 ? (STATE * ((dim ?? 0) + 0.5)) / this.header.size : STATE / 2;
    return this.camera.around(this.stands(column) + inside, row + this.down(row >= this.header.read) + 0.5, k);
  }

  zoom(factor, px, py) {
    this.to(this.camera.zoomed(factor, px, py));
  }

  to(place) {
    this.camera.to(place);
    this.leave();
  }

  fly(place) {
    if (this.still.matches || document.hidden) return this.to(place);
    this.camera.fly(place, performance.now());
    this.leave();
  }

  /** It no longer rests where it did. */
  leave() {
    gather(this, null);
    clearTimeout(this.resting);
    this.resting = null;
    this.rested = false;
    this.move();
  }

  /** The next frame shows where the camera is. */
  move() {
    if (!this.ink) return;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      const flying = this.camera.flying(performance.now());
      if (this.cost <= SLOW || this.growing() || !this.shift()) this.paint(this.cost > SLOW);
      if (flying || this.growing()) this.move();
      if (!flying) this.resting ??= setTimeout(() => this.rest(), REST);
    });
  }

  growing() {
    return threadGrows(this) || spreadPlays(this);
  }

  /** Sharp again; the address says where the camera is, and what is lacking is asked for. */
  rest() {
    this.resting = this.stageBox = null;
    this.paint();
    this.rested = true;
    sayAll(this);
    const at = placeWritten(this.camera.place, this.home);
    this.mine = at;
    if (at !== this.get("at")) this.select({ at });
    else this.store.tend();
  }

  selected() {
    if (!this.ink) return this.redraw();
    const at = this.get("at");
    if (at !== this.mine) this.fly(placeRead((this.mine = at), this.home));
    else if (!this.frame) this.paint();
    sayAll(this);
  }

  // ---- drawing

  draw() {
    this.layout();
    const begins = this.mine === undefined || (this.mine === null && this.rested);
    if (begins) this.camera.to(placeRead((this.mine = this.get("at")), this.home));
    gather(this, null);
    for (const tile of this.tiles.values()) tile.picture = null;
    this.collect();
    this.paint();
    sayAll(this);
    if (!this.camera.flight) this.rested = true;
    if (this.unseen) seekThread(this);
    this.unseen = false;
    if (this.growing()) this.move();
  }

  /** Moves what was painted last, while that covers what is to be seen. */
  shift() {
    const by = this.painted && this.camera.shift(this.painted);
    if (!by) return false;
    moveMargin(this); // first: it asks how large the page is drawn, which would cost more once anything has moved
    this.canvas.style.transform = `translate(${by.x}px, ${by.y}px) scale(${by.wider}, ${by.taller})`;
    moveTitles(this);
    moveMap(this);
    return true;
  }

  /** `roughly`: while it moves, without what takes long and is not looked at then. */
  paint(roughly = false) {
    const began = performance.now();
    this.rough = roughly;
    paintMargin(this); // before anything moves, as in shift
    const pen = fit(this.canvas, [this.width, this.height]);
    this.canvas.style.transform = "";
    this.painted = { ...this.camera.place, tall: this.tall };
    pen.imageSmoothingEnabled = false;
    pen.lineJoin = pen.lineCap = "round";
    const threaded = Boolean(this.thread?.knots.length);
    this.faded = this.spread ? 0.3 : threaded ? 0.45 : 1;
    paintLayers(this, pen);
    paintRivers(this, pen);
    if (this.spread) paintSpread(this, pen);
    else if (!roughly) paintLooks(this, pen);
    if (this.layer) paintVectors(this, pen);
    pen.globalAlpha = 1;
    paintSaid(this, pen);
    if (!this.spread) paintSides(this, pen);
    paintTarget(this, pen);
    paintFrame(this, pen);
    if (threaded) paintThread(this, pen);
    if (this.cursor && this.stage.matches(":focus")) paintCursor(this, pen);
    if (roughly) moveTitles(this);
    else placeTitles(this);
    moveMap(this);
    if (!roughly) this.cost = performance.now() - began;
  }

  above(i) {
    return this.columns[i].side === "feedforward" ? 1 : -1;
  }

  // Left, top, width and height of a vector of one token.
  box(i, row) {
    const written = this.columns[i].kind === "written";
    const y = this.sy(row) + (written ? (this.above(i) > 0 ? 0.54 : 0.06) : 0.1) * this.tall;
    return [this.sx(i), y, STATE * this.wide, (written ? 0.4 : 0.8) * this.tall];
  }

  // ---- the thread

  /** Where a knot stands, in columns: just before the second stack there are those of both. */
  knotStands({ x, row }) {
    return this.stands(x, row > this.header.read - 0.5 ? this.second : x);
  }

  at({ x, row }) {
    const across = this.camera.sx(this.knotStands({ x, row }));
    if (x >= this.second && row < this.header.read - 0.5) return [across, memoryOf(this, row)];
    const i = Math.floor(x);
    const written = this.columns[i]?.kind === "written" && x - i <= STATE;
    const target = row > this.header.read - 0.5; // what was learned stands a little higher
    const down = 0.5 + (written ? 0.24 * this.above(i) : 0) + this.down(target);
    return [across, this.camera.sy(row + down)];
  }

  follow(trail) {
    this.store.select({ trail }, {}, true);
  }

  followCell() {
    const trail = this.trailOf(this.cursor);
    if (trail) this.follow(trail);
  }

  followStrand({ made, of }) {
    const { knots } = this.thread;
    this.follow(of === null ? `${knots[made].trail}~rest.1` : knots[of].trail);
  }

  // As a trail begins: layers counted from 1; null where the changed run is too long to be named.
  trailOf({ column, row, dim }) {
    const { tap, target } = this.columns[column];
    const name = tap.replace(/\.(\d+)(?=\.)/g, (_, layer) => `.${Number(layer) + 1}`);
    const path = `${name}.${row - (target ? this.header.read : 0)}.${dim}`;
    if (!this.spread) return path;
    return this.spread.run && `minus.${this.spread.run}!${path}-${path}`; // of the changed run, less of this one
  }
}

// The rows of a table that is said column by column.
function rowsOf(table) {
  const fields = Object.entries(table);
  return fields[0][1].map((_, i) => Object.fromEntries(fields.map(([name, all]) => [name, all[i]])));
}

export default component(Sheet);
