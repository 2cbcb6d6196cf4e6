// The graph of dictionary words over a text, an arc a word, and under it the pieces of several methods on one ruler:
// one column is one character, from the arcs down to the last row. Only the columns in view are drawn.

import { make, onSlide, showTip, tipIn, titled, vector, widthOf, within, yielding } from "../kit/draw.js";
import { grouped } from "../kit/format.js";
import { clamp, fade, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `edges` are words as [start, end, word, frequency, gloss]; `ways` has for each path the places of its edges; `kept`
 * is how many paths more there are behind a veil, `asked` the place of the edge that is then asked about.
 * `pieces` of a row, [text, start, end, kind, tag, say], may overlap; `paths` are [rank, text, value, note]. `key` is
 * what of the selection this was made for.
 * @typedef {{fragment?: string, text: string, edges: [number, number, string, number, string][], ways: number[][],
 *   rows: {label: string, hint: string, pieces: [string, number, number, string, string, string][]}[],
 *   paths: [number, string, string, string][], kept: number, asked: number | null,
 *   key: Record<string, string>, words: {label: string, say: string, ranks: string[], unseen: string, veiled: string,
 *   others: string, legend: Record<string, string>}}} Header
 */

const GAP = 3;
const MARGIN = 300; // drawn beyond what is in view
const PITCH = 30;
const WIDEST = 84;
const NARROWEST = 34;
const [FEW, NARROW] = [18, 20]; // of so few characters all are seen, at this width if need be
const FOR_BYTES = 64;

const BETWEEN = 8; // pixels from one name to the next
const BIG = 56; // of a column: its character is written large
const COUNTED = 40; // of a column: of a word of one character on the best path the name stands there
const [STACKED, NAME] = [480, 18]; // of all: below it the names of rows stand above them, in lines so high
const CLEAR = 4; // pixels from a name to an arc beside it
const [LINE, UNDER] = [18, 6]; // pixels of each line over the rows that are compared, and under them
const PATH = 25; // pixels of a path in the list

// How far a name may stand beside the middle of its arc.
const ASIDE = [0, 4, -4, 8, -8, 12, -12, 16, -16, 20, -20, 24, -24, 28, -28];

class Lattice extends Picture {
  static className = "lattice";
  static speaks = true;

  build() {
    this.legend = this.root.appendChild(make("div", "legend"));
    this.labels = this.root.appendChild(make("div", "labels"));
    this.scroll = this.measured = this.root.appendChild(make("div", "scroll"));
    this.plane = this.scroll.appendChild(make("div", "plane"));
    this.tip = tipIn(this.root);
    this.foot = this.root.appendChild(make("div", "foot"));
    this.plane.tabIndex = 0;
    this.plane.onkeydown = (event) => this.move(event);
    this.scroll.onscroll = () => this.later();
    this.atEnd(() => cancelAnimationFrame(this.frame));
  }

  // Another mode, step or weight is another graph: Python makes it.
  lacks() {
    return Object.entries(this.header?.key ?? {}).some(([name, value]) => String(this.get(name) ?? "") !== value);
  }

  take(bytes) {
    [this.header] = unpack(bytes);
    this.typed = [...this.header.text];
    // A class is shown the dictionary’s row alone.
    const rows = onSlide(this.root) ? this.header.rows.slice(0, 1) : this.header.rows;
    this.rows = rows.map((row) => ({ ...row, lanes: lanes(row.pieces) }));
    this.frequencies = new Map(this.header.edges.map(([start, end, , count]) => [`${start}-${end}`, grouped(count)]));
    this.named(this.plane, "application", this.header.words.label);
    this.pitch = 0; // how wide a column is, once it was measured
  }

  resized() {
    this.pitch = 0;
    this.redraw();
  }

  selected() {
    this.later();
  }

  draw() {
    const fresh = !this.pitch;
    if (fresh) this.layout();
    const asked = this.header.edges[this.header.asked];
    if (fresh && asked) this.reveal(asked);
    this.drawPlane();
    this.drawFoot();
  }

  layout() {
    const n = Math.max(1, this.typed.length);
    this.stacked = this.root.clientWidth < STACKED;
    this.root.classList.toggle("stacked", this.stacked);
    const room = this.scroll.clientWidth - 4;
    const bytes = this.rows.some(({ pieces }) => pieces.some(([, , , kind]) => kind === "bytes"));
    const least = bytes ? FOR_BYTES : n <= FEW ? NARROW : NARROWEST;
    this.pitch = Math.max(least, Math.min(WIDEST, room / n));
    const longest = Math.max(1, ...this.header.edges.map(([start, end]) => end - start));
    this.rise = longest > 1 ? yielding(Math.min(32, 130 / (longest - 1))) : 0;
    this.base = this.header.edges.length ? 46 + this.rise * (longest - 1) + 20 : 6;
    this.big = this.pitch >= BIG;
    this.counts = this.counted() ? this.frequencies : null;
    const over = this.stacked ? NAME : 0; // a row's name stands above it
    this.across = Math.max(room, n * this.pitch);
    this.others = LINE * Math.ceil(widthOf(this.header.words.others, 13, 0.45) / this.across) + UNDER;
    let y = this.base + (this.big ? 46 : 34);
    for (const [i, row] of this.rows.entries()) {
      if (i === 1) y += this.others;
      y += over;
      row.y = y;
      row.tagged = row.pieces.some(([, , , , tag]) => tag);
      row.step = 26 + (row.tagged ? 16 : 2);
      y += row.step * row.lanes.count + PITCH - 28;
    }
    this.high = y;
    this.plane.style.width = `${n * this.pitch}px`;
    this.plane.style.height = `${this.high}px`;
    this.labels.style.height = `${this.high}px`;
    const sizers = this.rows.map(({ label }) => make("span", "sizer", label));
    this.labels.replaceChildren(
      ...sizers,
      ...this.rows.map(({ label, hint, y: top }) => {
        const node = titled(make("span", "", label), hint);
        node.style.top = `${top - over}px`;
        return node;
      }),
    );
  }

  // Whether the dictionary's pieces have room for their frequencies: all of them or none.
  counted() {
    const { pieces } = this.rows[0];
    const needs = ([text, start, end]) =>
      widthOf(text, 14) + 5 + widthOf(this.frequencies.get(`${start}-${end}`) ?? "", 12);
    return pieces.every((piece) => needs(piece) < (piece[2] - piece[1]) * this.pitch - GAP - 2);
  }

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.redraw());
  }

  // ---- what a hand does

  pick(edge) {
    const [start, end] = edge;
    const id = `${start}-${end}`;
    this.heard.textContent = this.say(edge);
    this.select({ arc: this.get("arc") === id ? null : id });
  }

  move(event) {
    const { edges } = this.header;
    const now = edges.findIndex(([start, end]) => `${start}-${end}` === this.get("arc"));
    if (event.key === "Escape") this.select({ arc: null });
    const last = edges.length - 1;
    const to = pressed(event, { ArrowLeft: now < 0 ? last : now - 1, ArrowRight: now + 1, Home: 0, End: last });
    if (to === undefined || !edges.length) return;
    const edge = edges[clamp(to, 0, last)];
    this.reveal(edge);
    this.heard.textContent = this.say(edge);
    this.select({ arc: `${edge[0]}-${edge[1]}` });
  }

  reveal([start, end]) {
    const { scrollLeft, clientWidth } = this.scroll;
    const left = start * this.pitch;
    if (left < scrollLeft || end * this.pitch > scrollLeft + clientWidth)
      this.scroll.scrollLeft = left - clientWidth / 2;
  }

  // The word of an arc under the pointer, at once.
  point(event, edge) {
    const { x, y, width } = within(event, this.root);
    showTip(this.tip, this.say(edge), { x, y: y - 30, width });
  }

  say([, , word, frequency, gloss]) {
    const named = gloss && gloss !== word ? `${visible(word)} (${gloss})` : visible(word);
    return this.header.words.say.replace("{word}", named).replace("{frequency}", grouped(frequency));
  }

  // ---- drawing

  // What is in view.
  drawPlane() {
    const { scrollLeft, clientWidth } = this.scroll;
    const at = this.pitch;
    const from = (scrollLeft - MARGIN) / at;
    const to = (scrollLeft + clientWidth + MARGIN) / at;
    const inView = (start, end) => end > from && start < to;
    const characters = this.typed.flatMap((text, i) => (inView(i, i + 1) ? [this.character(text, i)] : []));
    const pieces = this.rows.flatMap((row) =>
      row.pieces.flatMap((piece, i) => (inView(piece[1], piece[2]) ? this.piece(row, piece, i) : [])),
    );
    const others = make("span", "others", this.rows.length > 1 ? this.header.words.others : "");
    others.style.top = `${(this.rows[1]?.y ?? 0) - this.others - (this.stacked ? NAME : 0)}px`;
    others.style.width = `${this.across}px`;
    this.plane.replaceChildren(this.graph(inView), ...characters, others, ...pieces);
    fade(this.scroll);
  }

  character(text, i) {
    const blank = !text.trim();
    const look = blank ? "character blank" : "character";
    const high = this.big ? 38 : 26;
    const node = this.put(look, visible(text), i, i + 1, this.base + 2, high);
    node.style.lineHeight = `${high}px`;
    node.style.fontSize = `${blank ? 13 : this.big ? 28 : Math.min(18, this.pitch * 0.68)}px`;
    return node;
  }

  piece(row, [text, start, end, kind, tag, say], i) {
    const top = row.y + row.step * row.lanes.of[i];
    const look = `piece ${kind}${this.pitch < 44 ? " narrow" : ""}`;
    const node = this.put(look, kind === "bytes" ? text : visible(text), start, end, top, 26);
    if (row === this.rows[0] && this.counts) node.append(make("i", "", this.counts.get(`${start}-${end}`)));
    node.title = say;
    return tag ? [node, this.put("tag", tag, start, end, top + 27, 14)] : [node];
  }

  put(className, text, start, end, top, height) {
    const node = make("span", className, text);
    const left = start * this.pitch + GAP / 2;
    const width = (end - start) * this.pitch - GAP;
    node.style.cssText = `left:${left}px;width:${width}px;top:${top}px;height:${height}px`;
    return node;
  }

  // Grey arcs first, then the other path, the best one, and what is selected, so that these lie on top.
  graph(inView) {
    const { edges, ways, asked } = this.header;
    const svg = vector("svg", { width: this.typed.length * this.pitch, height: this.high });
    const best = new Set(ways[0]);
    const other = new Set(ways[this.way || 1]);
    const rank = (i) =>
      `${edges[i][0]}-${edges[i][1]}` === this.get("arc") ? 3 : best.has(i) ? 2 : other.has(i) || i === asked ? 1 : 0;
    const seen = edges
      .map((_, i) => i)
      .filter((i) => inView(edges[i][0], edges[i][1]))
      .sort((a, b) => rank(a) - rank(b));
    const look = (i) => (i === asked ? "asked" : best.has(i) ? "best" : other.has(i) ? "other" : "");
    for (const i of seen) svg.append(...this.arc(edges[i], look(i), rank(i) === 3));
    const placed = [];
    for (const i of seen.reverse())
      svg.append(...this.name(edges[i], best.has(i), other.has(i), rank(i) === 3 || i === asked, placed));
    const y = this.base + (this.big ? 42 : 30);
    svg.append(vector("line", { class: "rule", x1: 0, x2: this.typed.length * this.pitch, y1: y, y2: y }));
    return svg;
  }

  /** The path looked at: 0 is the best. */
  get way() {
    return this.index("way", this.header.ways.length);
  }

  peak([start, end]) {
    return this.base - 46 - this.rise * (end - start - 1);
  }

  arc(edge, look, on) {
    const [start, end] = edge;
    const [left, right] = [start * this.pitch + GAP, end * this.pitch - GAP];
    const up = this.base - (this.base - this.peak(edge)) / 0.75;
    const d = `M${left},${this.base} C${left},${up} ${right},${up} ${right},${this.base}`;
    const hit = vector("path", { class: "hit", d });
    hit.onclick = () => this.pick(edge);
    hit.onpointermove = (event) => this.point(event, edge);
    hit.onpointerleave = () => showTip(this.tip, null);
    return [hit, vector("path", { class: `arc ${look} ${on ? "on" : ""}`, d })];
  }

  // The word on top of its arc, in one piece and clear of every arc and of the names `placed` before it. One of the
  // best path has its frequency on its piece below; one that is chosen has it here.
  name(edge, best, other, on, placed) {
    const [start, end, word, frequency] = edge;
    const strong = best || other || on;
    const room = end - start === 1 ? strong && this.pitch >= COUNTED : strong || widthOf(word) <= 1.4 * this.pitch;
    if (!on && !room) return [];
    const y = this.peak(edge) - 7;
    const middle = ((start + end) / 2) * this.pitch;
    const counted = `${visible(word)} ${grouped(frequency)}`;
    for (const said of on ? [counted, visible(word)] : [visible(word)]) {
      const half = widthOf(said) / 2;
      const beside = this.aside(edge, half, middle, y);
      const x = middle + (beside ?? 0);
      const touches = (one) => Math.abs(one.y - y) < 14 && Math.abs(one.x - x) < one.half + half + BETWEEN;
      const free = beside !== undefined && !placed.some(touches);
      if (!free && !(on && said === counted)) continue;
      placed.push({ x, y, half });
      return [vector("text", { class: `name ${best ? "taken" : ""} ${on ? "chosen" : ""}`, x, y }, said)];
    }
    return [];
  }

  // As far to the side as it takes to keep clear of the other arcs; undefined where that is too far.
  aside(edge, half, middle, y) {
    const near = this.header.edges.filter((other) => other !== edge && other[0] <= edge[1] && other[1] >= edge[0]);
    const crossed = near.flatMap((other) => [-2, 5, 12].flatMap((up) => this.arcAt(other, y - up)));
    const free = (by) => crossed.every((x) => Math.abs(x - middle - by) > half + CLEAR);
    return ASIDE.find(free);
  }

  /** Where an arc is at a height: left and right. */
  arcAt(edge, y) {
    const [left, right] = [edge[0] * this.pitch + GAP, edge[1] * this.pitch - GAP];
    const share = (this.base - y) / (this.base - this.peak(edge)); // of its height
    if (share < 0 || share > 1) return [];
    const t = (1 - Math.sqrt(1 - share)) / 2;
    const far = (right - left) * (3 * t * t - 2 * t * t * t);
    return [left + far, right - far];
  }

  drawFoot() {
    const { paths, kept, words } = this.header;
    const table = make("table", "paths");
    table.append(...paths.map((path) => this.path(path)));
    if (kept) table.append(veiledPath(words.unseen, words.veiled));
    const all = onSlide(this.root) ? 0 : paths.length + kept;
    this.foot.style.minHeight = `${PATH * all}px`; // nothing moves when they are shown
    this.legend.replaceChildren(...Object.entries(words.legend).map(key));
    this.keepingFocus(() => this.foot.replaceChildren(table));
  }

  path([rank, text, value, note]) {
    const cell = make("td");
    const button = cell.appendChild(make("button", "", text));
    button.dataset.at = `path-${rank}`;
    button.setAttribute("aria-pressed", String(rank === this.way && !this.get("arc")));
    button.onclick = () => this.walk(rank);
    if (note) cell.append(make("span", "note", note));
    const row = make("tr");
    row.append(make("td", "", this.header.words.ranks[rank]), cell, make("td", "", value));
    return row;
  }

  // Where it parts from the best one is to be seen.
  walk(rank) {
    const { edges, ways } = this.header;
    const best = new Set(ways[0]);
    const apart = ways[rank].find((i) => !best.has(i));
    if (apart !== undefined) this.reveal(edges[apart]);
    this.select({ way: rank || null, arc: null });
  }
}

// A line as it is drawn, and what it is.
function key([look, text]) {
  const item = make("span", "key", text);
  const sample = vector("svg", { width: 24, height: 10 });
  sample.append(vector("path", { class: `sample ${look}`, d: "M0,5 H24" }));
  item.prepend(sample);
  return item;
}

// The paths that a question asks about.
function veiledPath(rank, veiled) {
  const row = make("tr");
  row.append(make("td", "", rank), make("td", "note", veiled), make("td"));
  return row;
}

// Pieces that lie over one another go into lanes, each as high as it can.
function lanes(pieces) {
  const ends = [];
  const of = pieces.map(([, start, end]) => {
    let lane = ends.findIndex((last) => last <= start);
    if (lane < 0) lane = ends.length;
    ends[lane] = end;
    return lane;
  });
  return { of, count: Math.max(1, ends.length) };
}

// What has no shape of its own: control pictures for control characters, a dotted circle under a mark.
const visible = (text) => (/^\p{M}/u.test(text) ? "◌" : "") + [...text].map(shape).join("");

function shape(character) {
  if (character <= " ") return String.fromCodePoint(0x2400 + (character === " " ? 0x23 : character.codePointAt(0)));
  return /\p{Zs}/u.test(character) ? "␣" : character;
}

export default component(Lattice);
