// A vocabulary growing: the words as they are split after so many merges, the candidates of the next one, the pieces
// there are, and the walk of one word through all merges. All steps are here, so stepping needs no server.

import { clip, make } from "../kit/draw.js";
import { grouped } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `counts` are the words shown and how often each stands in the text; a step is [left, right, made, new, count, tied,
 * candidates], a candidate [left, right, frequency, of left, of right, value], the winner first. `key` is what of the
 * selection this was made for.
 * @typedef {{fragment?: string, counts: [string, number][], hidden: number, marked: boolean, specials: number,
 *   alphabet: string[], steps: Step[], most: number, veiled: boolean, key: Record<string, string>,
 *   words: Record<string, string>}} Header
 * @typedef {[string, string, string, number, number, number, [string, string, number, number, number, string][]]} Step
 */

const LONG = 24; // characters of a piece that are written

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
    this.sizes = [specials + alphabet.length];
    for (const [, , , fresh] of steps) this.sizes.push(this.sizes.at(-1) + fresh);
    this.said = "";
    this.named(this.root, "group", this.header.words.label);
  }

  get at() {
    return this.index("step", this.header.steps.length + 1);
  }

  get word() {
    return this.index("word", this.header.counts.length);
  }

  // ---- what a hand does

  go(step) {
    this.said = "";
    this.select({ step: clamp(step, 0, this.header.steps.length) || null, pair: null });
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

  where() {
    const { words, steps } = this.header;
    return words.at.replace("{step}", this.at).replace("{steps}", steps.length);
  }

  // ---- drawing

  draw() {
    const { header, at } = this;
    this.splits = header.counts.map(([word]) => this.walked(word, at));
    const scrolled = [...this.parts.querySelectorAll(".list")].map((box) => box.scrollTop);
    this.keepingFocus(() =>
      this.parts.replaceChildren(this.bar(), this.two(), this.vocabulary(), header.veiled ? "" : this.walk()),
    );
    this.parts.querySelectorAll(".list").forEach((box, i) => (box.scrollTop = scrolled[i] ?? 0));
    const newest = this.parts.querySelector(".vocabulary .newest");
    const box = newest?.parentElement;
    if (box) box.scrollTop = newest.offsetTop - box.offsetTop - box.clientHeight + 40;
  }

  letters(word) {
    const letters = [...word];
    return this.header.marked ? letters.map((letter, i) => (i ? `##${letter}` : letter)) : letters;
  }

  /** A word's pieces after so many merges; `seen` is told of each merge that changed them. */
  walked(word, steps, seen = () => {}) {
    let pieces = this.letters(word);
    this.header.steps.slice(0, steps).forEach(([left, right, made], i) => {
      const after = merged(pieces, left, right, made);
      if (after.length === pieces.length) return;
      pieces = after;
      seen(i + 1, pieces);
    });
    return pieces;
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
    const size = make("label", "size", words.size);
    const input = size.appendChild(make("input"));
    input.dataset.at = "size";
    input.inputMode = "numeric";
    input.value = this.sizes[this.at];
    input.disabled = !last;
    input.onchange = () => this.runTo(input.value);
    bar.append(
      button("start", "|‹", words.start, 0),
      button("back", "‹", words.back, this.at - 1),
      button("step", `${words.step} ›`, words.step, this.at + 1),
      button("end", "›|", words.end, last),
    );
    if (!this.header.veiled) bar.append(make("span", "where", this.where()), size);
    if (this.said) bar.append(make("span", "refusal", this.said));
    return bar;
  }

  two() {
    const two = make("div", "two");
    two.append(this.wordList(), this.candidates());
    return two;
  }

  wordList() {
    const { header, at } = this;
    const box = make("section", "words");
    box.append(make("h2", "", header.words.words));
    const list = box.appendChild(make("div", "list"));
    const newest = at ? header.steps[at - 1][2] : null;
    const next = at < header.steps.length ? header.steps[at] : null;
    header.counts.forEach(([word, count], i) => {
      const row = list.appendChild(make("button", i === this.word ? "word on" : "word"));
      row.dataset.at = `word-${i}`;
      row.setAttribute("aria-pressed", String(i === this.word));
      row.onclick = () => this.select({ word: i || null });
      row.append(make("span", "count", `${grouped(count)} ×`), pieces(this.splits[i], newest, next));
    });
    if (header.hidden) list.append(make("p", "soft", header.words.more.replace("{count}", grouped(header.hidden))));
    return box;
  }

  candidates() {
    const { words, steps, veiled, most } = this.header;
    const box = make("section", "candidates");
    const rows = Math.max(4, ...steps.map(([, , , , , , candidates]) => candidates.length));
    box.style.minHeight = `${76 + 23 * rows}px`; // of the fullest step: nothing jumps
    const step = steps[this.at];
    const count = veiled ? "…" : grouped(step ? step[4] : 0);
    box.append(make("h2", "", words.candidates.replace("{count}", count)));
    if (!step) {
      const ended = steps.length >= most ? words.stopped : words.done;
      box.append(make("p", "soft", veiled ? words.veiled : steps.length ? ended : words.nothing));
      return box;
    }
    const table = box.appendChild(make("table"));
    const head = table.createTHead().insertRow();
    const names = [words.pair, words.together, ...(words.value ? [words.left, words.right, words.value] : [])];
    for (const name of names) head.append(make("th", "", name));
    const body = table.createTBody();
    step[6].forEach((candidate, i) => this.candidate(body.insertRow(), candidate, i));
    if (step[5] > 1) box.append(make("p", "tied", words.tied.replace("{tied}", grouped(step[5]))));
    return box;
  }

  candidate(row, [left, right, together, ofLeft, ofRight, value], i) {
    const on = i === this.index("pair", this.header.steps[this.at][6].length);
    row.className = `${i ? "" : "winner"}${on ? " on" : ""}`;
    const pick = make("button", "", `${clip(left, LONG)} ${clip(right, LONG)}`);
    pick.dataset.at = `pair-${i}`;
    pick.setAttribute("aria-pressed", String(on));
    row.onclick = () => this.select({ pair: i || null });
    row.insertCell().append(pick);
    const numbers = this.header.words.value ? [together, ofLeft, ofRight] : [together];
    for (const n of numbers) row.insertCell().textContent = grouped(n);
    if (this.header.words.value) row.insertCell().textContent = value;
  }

  vocabulary() {
    const { header, at } = this;
    const { words, specials, alphabet, steps } = header;
    const box = make("section", "vocabulary");
    const facts = { specials, alphabet: alphabet.length, merged: this.sizes[at] - this.sizes[0], size: this.sizes[at] };
    const said = words.vocabulary.replace(/\{(\w+)\}/g, (_, name) => grouped(facts[name]));
    box.append(make("h2", "", said));
    const list = box.appendChild(make("div", "list pieces"));
    for (const piece of alphabet) list.append(make("span", "piece letter", clip(piece, LONG)));
    steps.slice(0, at).forEach(([, , made, fresh], i) => {
      if (fresh) list.append(make("span", i === at - 1 ? "piece made newest" : "piece made", clip(made, LONG)));
    });
    return box;
  }

  // One word through all merges, a line each that changed it: those that have not come yet are faint.
  walk() {
    const { header, at } = this;
    const box = make("section", "walk");
    const entry = header.counts[this.word];
    if (!entry) return box;
    box.append(make("h2", "", header.words.walk.replace("{word}", clip(entry[0], LONG))));
    const list = box.appendChild(make("div", "list"));
    const line = (number, split) => {
      const row = list.appendChild(make("button", `line${number > at ? " later" : ""}`));
      row.dataset.at = `line-${number}`;
      row.onclick = () => this.go(number);
      const made = number ? header.steps[number - 1][2] : null;
      row.append(make("span", "number", number ? String(number) : header.words.letters), boxes(split, made));
    };
    line(0, this.letters(entry[0]));
    this.walked(entry[0], header.steps.length, line);
    return box;
  }
}

function merged(split, left, right, made) {
  const after = [];
  for (let i = 0; i < split.length; i++) {
    const both = split[i] === left && split[i + 1] === right;
    after.push(both ? made : split[i]);
    if (both) i++;
  }
  return after;
}

// The pieces of a word; what was merged last and what is merged next stand out.
function pieces(split, newest, next) {
  const box = make("span", "pieces");
  split.forEach((piece, i) => {
    const node = box.appendChild(make("span", "piece", clip(piece, LONG)));
    node.classList.toggle("newest", piece === newest);
    if (!next) return;
    const begins = piece === next[0] && split[i + 1] === next[1];
    const ends = i > 0 && split[i - 1] === next[0] && piece === next[1];
    node.classList.toggle("next", begins || ends);
  });
  return box;
}

// The same as boxes as wide as the characters they hold, so that a column is a character.
function boxes(split, made) {
  const box = make("span", "boxes");
  split.forEach((piece, i) => {
    const bare = i && piece.startsWith("##") ? piece.slice(2) : piece;
    const node = box.appendChild(make("span", piece === made ? "box newest" : "box", clip(piece, LONG)));
    node.style.setProperty("--n", [...bare].length);
  });
  return box;
}

export default component(Merges);
