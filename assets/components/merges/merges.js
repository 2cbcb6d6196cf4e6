// A vocabulary growing: the words as a forest, each over the pieces it is split into, characters at the foot, each
// merge a piece above the two it was made of; the candidates of the next merge, and the pieces there are. All steps are
// here, so stepping needs no server.

import { clip, make, vector, widthOf, yielding } from "../kit/draw.js";
import { grouped } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `counts` are the words shown and how often each stands in the text; a step is [left, right, made, new, count, tied,
 * candidates], a candidate [left, right, frequency, of left, of right, value], the winner first. While a question is
 * open, there are some `pairs` instead, without what answers it. `key` is what of the selection this was made for.
 * @typedef {{fragment?: string, counts: [string, number][], hidden: number, marked: boolean, specials: string[],
 *   alphabet: string[], steps: Step[], most: number, veiled: boolean, asks: boolean, among: number, pairs: Pair[],
 *   asked: string[], followed: string, key: Record<string, string>, words: Record<string, string>}} Header
 * @typedef {[string, string, string, number, number, number, Pair[]]} Step
 * @typedef {[string, string, number | null, number, number, string | null]} Pair
 */

/**
 * A piece and those it was made of: `from` and `long` are its characters, `depth` the merges beneath it, `step` the one
 * that made it, 0 where it is a character.
 * @typedef {{text: string, from: number, long: number, depth: number, step: number, parts: Node[]}} Node
 */

const PHONE = 500; // pixels across below which what one answers with comes first
const LONG = 24; // characters of a piece that are written
const LARGEST = 1.25; // how much larger than usual a tree may be drawn
const LEVEL = [38, 29]; // pixels from one storey of a tree to the next, and at least
const BOX = 24; // how high a piece is
const RISE = [34, 18]; // from the highest piece to the word
const FOOT = 20; // what is written under a tree
const APART = 18; // from one tree to the next
const LOW = 3; // storeys there is room for, however little is merged
const HIGH = 6; // and at most: what is higher can be scrolled

class Merges extends Picture {
  static className = "merges";
  static speaks = true;

  build() {
    this.parts = this.root.appendChild(make("div", "parts"));
    this.root.onkeydown = (event) => this.key(event);
  }

  // Another rule or tie-break is another training: Python makes it.
  lacks() {
    return Object.entries(this.header?.key ?? {}).some(([name, value]) => String(this.get(name) ?? "") !== value);
  }

  take(bytes) {
    [this.header] = unpack(bytes);
    const { specials, alphabet, steps } = this.header;
    this.sizes = [specials.length + alphabet.length];
    for (const [, , , fresh] of steps) this.sizes.push(this.sizes.at(-1) + fresh);
    this.said = "";
    this.grown = this.at; // nothing has just been made
    this.storeys = clamp(this.highest(), LOW, HIGH);
    this.named(this.root, "group", this.header.words.label);
  }

  // Storeys of the highest tree when all is merged: there is room for it from the start, so that nothing moves.
  highest() {
    const { counts, steps } = this.header;
    return Math.max(0, ...counts.flatMap(([word]) => this.pieces(word, steps.length).map(({ depth }) => depth + 1)));
  }

  get at() {
    const { steps, veiled } = this.header;
    return veiled ? steps.length : this.index("step", steps.length + 1);
  }

  // ---- what a hand does

  go(step) {
    this.said = "";
    this.select({ step: clamp(step, 0, this.header.steps.length), pair: null });
    this.heard.textContent = this.where();
  }

  key(event) {
    if (event.target.localName === "input") return;
    const last = this.header.steps.length;
    const to = pressed(event, { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: last });
    if (to !== undefined) this.go(to);
  }

  /** The first step at which the vocabulary is as large as was typed. */
  runTo(typed) {
    const size = Number(typed);
    if (!Number.isInteger(size)) return this.redraw();
    const to = this.sizes.findIndex((now) => now >= size);
    this.go(to < 0 ? this.sizes.length - 1 : to);
    const { words } = this.header;
    if (size < this.sizes[0]) this.said = words.tooSmall;
    if (to < 0) this.said = words.beyond;
    this.said = this.said.replace("{size}", grouped(to < 0 ? this.sizes.at(-1) : this.sizes[0]));
    this.redraw();
  }

  where(step = this.at) {
    const { words, steps } = this.header;
    return words.at.replace("{step}", step).replace("{steps}", steps.length);
  }

  // ---- drawing

  draw() {
    const { header } = this;
    const scrolled = [...this.parts.querySelectorAll(".list")].map((box) => box.scrollTop);
    const two = make("div", "two");
    const candidates = header.asks || !header.veiled ? [this.candidates()] : [];
    const first = header.asks && this.root.clientWidth < PHONE ? candidates.splice(0) : [];
    two.append(...candidates, this.vocabulary());
    this.keepingFocus(() => this.parts.replaceChildren(...first, this.top(), this.forest(), two));
    this.parts.querySelectorAll(".list").forEach((box, i) => (box.scrollTop = scrolled[i] ?? 0));
    for (const box of this.parts.querySelectorAll(".list")) {
      const newest = box.querySelector(".newest");
      if (newest) bringInto(box, newest);
    }
    this.grown = this.at;
  }

  /** A word's characters and what they have grown into after so many merges: the pieces it is split into now. */
  pieces(word, steps) {
    const marked = (letter, i) => (this.header.marked && i ? `##${letter}` : letter);
    let pieces = [...word].map((letter, i) => {
      return { text: marked(letter, i), from: i, long: 1, depth: 0, step: 0, parts: [] };
    });
    this.header.steps.slice(0, steps).forEach((step, i) => (pieces = merged(pieces, step, i + 1)));
    return pieces;
  }

  /** What is seen, and while no question is open the steps. */
  top() {
    const { words, veiled } = this.header;
    const top = make("div", "top");
    top.append(make("p", "soft below", veiled ? words.open : words.words));
    if (!veiled) top.append(this.bar());
    return top;
  }

  bar() {
    const { words, steps } = this.header;
    const bar = make("div", "bar");
    const last = steps.length;
    const button = (at, text, label, to) => {
      const node = make("button", at === "step" ? "main" : "", text);
      node.dataset.at = at;
      node.title = label;
      node.setAttribute("aria-label", label);
      node.disabled = to < 0 || to > last || to === this.at;
      node.onclick = () => this.go(to);
      return node;
    };
    bar.append(
      button("start", "|‹", words.start, 0),
      button("back", "‹", words.back, this.at - 1),
      button("step", `${words.step} ›`, words.step, this.at + 1),
      button("end", "›|", words.end, last),
    );
    bar.append(make("span", "where", this.where()));
    return bar;
  }

  /** How large the vocabulary is, and may be asked to be. */
  size() {
    const { words, steps } = this.header;
    const size = make("label", "size", words.size);
    const input = size.appendChild(make("input"));
    input.dataset.at = "size";
    input.inputMode = "numeric";
    input.value = this.sizes[this.at];
    input.disabled = !steps.length;
    input.onchange = () => this.runTo(input.value);
    return size;
  }

  forest() {
    const { header, at } = this;
    const box = make("section", "words");
    const fit = this.fitting();
    this.scale = clamp(fit, 1, LARGEST);
    this.level = fit >= 1; // beside each other, the words stand on one line
    const list = box.appendChild(make("div", "list forest"));
    list.tabIndex = 0;
    this.named(list, "group", header.words.words);
    list.style.setProperty("--room", `${highOf(this.storeys - 1) * this.scale + FOOT}px`);
    const trees = list.appendChild(make("div", this.level ? "trees level" : "trees"));
    for (const [word, count] of header.counts) trees.append(this.tree(word, count));
    if (at > this.grown) list.classList.add("growing");
    if (header.hidden) list.append(make("p", "soft", header.words.more.replace("{count}", grouped(header.hidden))));
    return box;
  }

  /** How much larger than usual the trees could be drawn, if all words were to stand beside each other. */
  fitting() {
    const { counts, marked } = this.header;
    const wide = counts.reduce((sum, [word]) => sum + [...word].length * pitchOf(word, marked), 0);
    return (this.root.clientWidth - APART * counts.length) / wide;
  }

  /** One word: its characters at the foot, above them what they were merged into, and over all the word, with lines to
   * its pieces; what comes next is dashed. */
  tree(word, count) {
    const { steps } = this.header;
    const now = this.pieces(word, this.at);
    const soon = this.at < steps.length ? merged(now, steps[this.at], this.at + 1) : now;
    const nodes = soon.flatMap(within);
    const pitch = pitchOf(word, this.header.marked);
    const top = Math.max(...nodes.map(({ depth }) => depth)) + (this.header.asks ? 1 : 0);
    const high = highOf(this.level ? Math.max(top, this.storeys - 1) : top);
    const wide = [...word].length * pitch;
    const { asks } = this.header;
    const idle = asks ? (high - highOf(top)) / 2 : 0; // the tree stands in the middle of its room
    const foot = high - idle;
    const place = ({ from, long, depth }) => [(from + long / 2) * pitch, foot - depth * yielding(...LEVEL) - BOX / 2];
    const kind = (node) => {
      if (node.step > this.at) return "coming";
      if (!now.includes(node)) return "part";
      if (!soon.includes(node)) return "next";
      return node.step && node.step === this.at ? "newest" : "now";
    };
    const size = { width: wide * this.scale, height: high * this.scale + FOOT };
    const tree = vector("svg", { class: "tree", ...size });
    const drawn = tree.appendChild(vector("g", { transform: `scale(${this.scale})` }));
    this.named(tree, "img", `${grouped(count)} × ${now.map(({ text }) => text).join(" ")}`);
    const root = asks ? place({ from: 0, long: [...word].length, depth: 2 }) : [wide / 2, BOX / 2];
    const whole = asks ? [] : soon; // beside what is asked about they would be taken for merges
    for (const node of whole) drawn.append(branch(root, place(node), "whole"));
    for (const node of nodes) for (const part of node.parts) drawn.append(branch(place(node), place(part), kind(node)));
    for (const node of nodes) drawn.append(this.piece(node, place(node), kind(node), pitch));
    if (asks) drawn.append(...asked(now.map(place)));
    drawn.append(...named(word, root));
    const under = { x: size.width / 2, y: size.height - 5 - idle * this.scale };
    tree.append(vector("text", { class: "count", ...under }, `×${grouped(count)}`));
    return tree;
  }

  piece(node, [x, y], kind, pitch) {
    const group = vector("g", { class: `piece ${kind}` });
    const wide = Math.min(node.long * pitch - 3, widthOf(node.text) + 8);
    group.append(vector("rect", { x: x - wide / 2, y: y - BOX / 2 + 1, width: wide, height: BOX - 2, rx: 4 }));
    group.append(vector("text", { x, y: y + 4.5 }, clip(node.text, LONG)));
    if (!node.step) return group;
    group.append(vector("title", {}, this.where(node.step)));
    group.onclick = () => this.go(node.step);
    return group;
  }

  candidates() {
    const { words, steps, veiled, among, pairs, most } = this.header;
    const box = make("section", "candidates");
    const rows = Math.max(4, pairs.length, ...steps.map(([, , , , , , candidates]) => candidates.length));
    box.style.setProperty("--room", `${76 + 23 * rows}px`); // of the fullest step: nothing jumps
    const step = steps[this.at];
    box.append(make("h2", "", words.candidates.replace("{count}", grouped(veiled ? among : (step?.[4] ?? 0)))));
    if (!step && !veiled) {
      const ended = steps.length >= most ? words.stopped : words.done;
      box.append(make("p", "soft", steps.length ? ended : words.nothing));
      return box;
    }
    const table = box.appendChild(make("table"));
    const head = table.createTHead().insertRow();
    const names = [words.pair, words.together, ...(words.value ? [words.left, words.right, words.value] : [])];
    head.append(...names.map((name) => make("th", "", name)));
    const body = table.createTBody();
    for (const pair of pairs) this.open(body.insertRow(), pair);
    if (!step) return box;
    head.append(make("td"));
    step[6].forEach((candidate, i) => this.candidate(body.insertRow(), candidate, i));
    if (step[5] > 1) box.append(make("p", "tied", words.tied.replace("{tied}", grouped(step[5]))));
    return box;
  }

  /** A pair while it is asked which is merged: what would answer that is not known here. */
  open(row, pair) {
    const name = `${pair[0]} ${pair[1]}`;
    const asked = this.header.asked.includes(name) ? "name asked" : "name";
    row.className = name === this.header.followed ? "followed" : "";
    row.insertCell().append(make("span", asked, clip(name, LONG)));
    for (const known of this.judged(pair)) row.insertCell().textContent = known ?? "?";
  }

  /** The numbers of a pair that the rule looks at, as they are written. */
  judged([, , together, ofLeft, ofRight, value]) {
    const counts = this.header.words.value ? [together, ofLeft, ofRight] : [together];
    const written = counts.map((count) => count && grouped(count));
    return this.header.words.value ? [...written, value] : written;
  }

  candidate(row, candidate, i) {
    const [left, right] = candidate;
    const on = i === this.index("pair", this.header.steps[this.at][6].length);
    row.className = `${i ? "" : "winner"}${on ? " on" : ""}`;
    const pick = make("button", "", `${clip(left, LONG)} ${clip(right, LONG)}`);
    pick.dataset.at = `pair-${i}`;
    pick.setAttribute("aria-pressed", String(on));
    row.onclick = () => this.select({ pair: i || null });
    row.insertCell().append(pick);
    for (const known of this.judged(candidate)) row.insertCell().textContent = known;
    const bar = row.insertCell().appendChild(make("i"));
    bar.style.width = `${100 * this.part(i)}%`;
  }

  /** What a candidate is chosen by, as a part of the winner's. */
  part(i) {
    const worth = ([, , together, ofLeft, ofRight]) =>
      this.header.words.value ? together / (ofLeft * ofRight) : together;
    const candidates = this.header.steps[this.at][6];
    return worth(candidates[i]) / worth(candidates[0]);
  }

  vocabulary() {
    const { header, at } = this;
    const { words, specials, alphabet, steps } = header;
    const box = make("section", "vocabulary");
    const size = this.sizes[at];
    const facts = { specials: specials.length, alphabet: alphabet.length, merged: size - this.sizes[0], size };
    const said = words.vocabulary.replace(/\{(\w+)\}/g, (_, name) => grouped(facts[name]));
    box.append(make("h2", "", said));
    if (!header.veiled) box.append(this.size());
    if (this.said) box.append(make("p", "refusal", this.said));
    const list = box.appendChild(make("div", "list pieces"));
    for (const piece of specials) list.append(make("span", "piece special", piece));
    list.append(make("i", "break"));
    const times = this.times();
    const add = (kind, piece) => list.append(counted(kind, piece, times && (times.get(piece) ?? 0)));
    for (const piece of alphabet) add("piece letter", piece);
    steps.slice(0, at).forEach(([, , made, fresh], i) => {
      if (fresh) add(i === at - 1 ? "piece made newest" : "piece made", made);
    });
    return box;
  }

  /** How often each piece stands in the words as they are split now, where all of them are here. */
  times() {
    if (this.header.hidden) return null;
    const times = new Map();
    for (const [word, count] of this.header.counts)
      for (const { text } of this.pieces(word, this.at)) times.set(text, (times.get(text) ?? 0) + count);
    return times;
  }
}

/** A word's pieces with each such pair merged, from the left. */
function merged(pieces, [left, right, made], step) {
  const after = [];
  for (let i = 0; i < pieces.length; i++) {
    const [one, two] = [pieces[i], pieces[i + 1]];
    const both = one.text === left && two?.text === right;
    after.push(both ? joined(one, two, made, step) : one);
    if (both) i++;
  }
  return after;
}

function joined(one, two, text, step) {
  const depth = 1 + Math.max(one.depth, two.depth);
  return { text, from: one.from, long: one.long + two.long, depth, step, parts: [one, two] };
}

/** A piece of the vocabulary, and how often it stands in the words. */
function counted(kind, piece, times) {
  const chip = make("span", kind, clip(piece, LONG));
  if (times !== null) chip.append(make("small", "", `×${grouped(times)}`));
  return chip;
}

/** A piece, and all that it was made of. */
function within(node) {
  return [node, ...node.parts.flatMap(within)];
}

/** While it is asked which two are merged first: each two that might be, all alike, and a storey above what is made. */
function asked(places) {
  return places.slice(1).flatMap((right, i) => {
    const both = [places[i], right];
    const [x, top] = [(both[0][0] + right[0]) / 2, Math.min(both[0][1], right[1])];
    const y = top - yielding(...LEVEL);
    const foot = ([to, low]) => [low === top ? (x + to) / 2 : to, low - BOX / 2 + 1];
    const legs = both.map((place) => branch([x, y + BOX / 2 - 1], foot(place), "coming"));
    const box = vector("g", { class: "piece asked" });
    box.append(vector("rect", { x: x - 11, y: y - BOX / 2 + 1, width: 22, height: BOX - 2, rx: 4 }));
    box.append(vector("text", { x, y: y + 4.5 }, "?"));
    return [...legs, box];
  });
}

/** The word that a tree is of, on the lines to its pieces. */
function named(word, [x, y]) {
  const wide = widthOf(word) + 8;
  const ground = vector("rect", { class: "ground", x: x - wide / 2, y: y - 9, width: wide, height: 18 });
  return [ground, vector("text", { class: "word", x, y: y + 4.5 }, word)];
}

/** How high a tree is whose highest piece has so many merges beneath it. */
function highOf(depth) {
  return BOX + depth * yielding(...LEVEL) + yielding(...RISE);
}

function branch([x, y], [toX, toY], kind) {
  return vector("path", { class: `branch ${kind}`, d: `M${x} ${y} L${toX} ${toY}` });
}

/** How far apart a word's characters stand: so far that no piece of it needs more than its own. */
function pitchOf(word, marked) {
  return Math.max(...[...word].map((letter) => widthOf(letter))) + (marked ? 16 : 0) + 11;
}

/** Scrolls a box up or down, no more than needed, until an element in it is seen. */
function bringInto(box, node) {
  const [seen, at] = [box.getBoundingClientRect(), node.getBoundingClientRect()];
  if (at.top < seen.top) box.scrollTop -= seen.top - at.top;
  else if (at.bottom > seen.bottom) box.scrollTop += at.bottom - seen.bottom;
}

export default component(Merges);
