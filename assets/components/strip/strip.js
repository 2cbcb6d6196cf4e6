// The sentence as tokens, across the top of every page; under it, where the model translates, what it wrote. Where a
// picture lends tokens that go on from it, those stand behind it.

import { make } from "../kit/draw.js";
import { clamp, entry, fade, Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A token, or a word that stays whole; `at` is what a click on it selects, `index` where it stands, if others do.
 * @typedef {{text: string, index: string, special: boolean, at: number | string | null}} Token
 *
 * The parameters of the first and the second mark, and what a click sets: a parameter, or "pair", the older of q and k.
 * The tokens of `always` have the second mark whatever is selected; those `asked` a question mark.
 * @typedef {{first: string | null, second: string | null, click: string | null, also: object,
 *   always: number[], asked: number[]}} Marks
 *
 * What is marked in a row; where that turns with the selection, `turns` has it for each value of the parameters `by`,
 * joined by "/". Without marks, what is written stands as a sentence.
 * @typedef {{tokens: Token[], marks: Marks | null, by: string[], turns: Record<string, Marks | null>}} Row
 *
 * @typedef {{text: string, hint: string, label: string, row: Row}} Written
 *
 * What is lent: tokens that each select a q, and whether they answer the sentence or go on from it.
 * @typedef {{made: {text: string, special: boolean, q: number}[], answers: boolean, chosen: () => number}} Made
 *
 * @typedef {{row: Row, written: Written | null, label: string}} Data
 */
class Strip extends Picture {
  static className = "strip";
  static taken = false;
  static borrows = true;

  take(data) {
    this.data = data;
    this.lay();
  }

  lay() {
    const { row, written, label } = this.data;
    this.turn = this.turned();
    this.lent = this.store.stacks.get("written");
    const source = this.row(row.tokens, this.marksOf(row), label);
    source.append(...this.made());
    source.onclick = (event) => {
      if (event.target === source) window.dispatchEvent(new CustomEvent("see:edit"));
    };
    this.rows = [[source, row.tokens, this.marksOf(row)]];
    this.root.replaceChildren(source);
    if (written) this.root.append(this.written(written));
  }

  turned() {
    return this.data.row.by.map((name) => this.get(name)).join("/");
  }

  marksOf({ marks, turns }) {
    const turned = entry(turns, this.turn);
    return turned === undefined ? marks : turned;
  }

  written({ text, hint, label, row }) {
    const marks = this.marksOf(row);
    const target = marks ? this.row(row.tokens, marks, label) : make("p", "text", text);
    if (marks) this.rows.push([target, row.tokens, marks]);
    else target.lang = "en";
    const line = make("div", "written");
    line.append(make("span", "arrow", "→"), target);
    if (hint) line.append(make("span", "hint", hint));
    return line;
  }

  row(tokens, marks, label) {
    const node = make("div", "row");
    node.append(...tokens.map((token) => this.chip(token, marks)));
    this.named(node, "group", label);
    node.onkeydown = (event) => step(node, event);
    node.onscroll = () => fade(node);
    return node;
  }

  /** What was written so far. */
  made() {
    const { made = [], answers = false } = this.lent ?? {};
    const chips = made.map(({ text, special, q }) => {
      const node = make("button", special ? "made special" : "made", text);
      node.dataset.at = `made-${q}`;
      node.dataset.q = q;
      node.onclick = () => this.select({ q });
      return node;
    });
    return answers && chips.length ? [make("span", "turn", "→"), ...chips] : chips;
  }

  chip({ text, index, special, at }, { click, also }) {
    const button = click && at !== null;
    const node = make(button ? "button" : "span", special ? "special" : "", text);
    if (index) node.dataset.index = index;
    if (typeof at === "number") node.title = `${text} · ${at}`;
    if (button) node.onclick = () => this.pick(click, at, also);
    return node;
  }

  // Where two tokens are compared, the one clicked last takes the place of the older; another word begins at its first
  // step.
  pick(click, at, also) {
    if (click === "pair") return this.select({ q: Number(this.get("k")), k: at });
    this.select({ [click]: at }, click === "word" ? { step: null, ...also } : also);
  }

  draw() {
    if (this.turned() !== this.turn || this.store.stacks.get("written") !== this.lent)
      this.keepingFocus(() => this.lay());
    for (const [node, tokens, marks] of this.rows) this.mark(node, tokens, marks);
  }

  mark(node, tokens, { first, second, always, asked }) {
    for (const chip of node.querySelectorAll(".made"))
      chip.classList.toggle("first", Number(chip.dataset.q) === this.lent.chosen());
    [...node.children].slice(0, tokens.length).forEach((chip, i) => {
      chip.classList.toggle("first", first !== null && same(this.get(first), tokens[i].at));
      const on = second !== null && same(this.get(second), tokens[i].at);
      chip.classList.toggle("second", on || always.includes(i));
      chip.classList.toggle("asked", asked.includes(i));
    });
    const marked = [...node.querySelectorAll(".first, .second")];
    const chip = node.querySelector(".first") ?? marked[0];
    const buttons = [...node.querySelectorAll("button")];
    if (!buttons.length) node.tabIndex = 0; // what scrolls can be scrolled by keys
    const stop = buttons.includes(chip) ? chip : buttons[0]; // one tab stop, however many tokens
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
    requestAnimationFrame(() => {
      fade(node); // to measure sooner is to lay the page out once more
      if (chip && node.scrollWidth > node.clientWidth && !reveal(marked, node)) reveal([chip], node);
    });
  }
}

// Arrow keys lead from token to token, Home and End to the first and last.
function step(node, event) {
  const buttons = [...node.querySelectorAll("button")];
  const at = buttons.indexOf(event.target);
  const to = pressed(event, { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 });
  if (to !== undefined) buttons[clamp(to, 0, buttons.length - 1)]?.focus();
}

// A place, or a word: the address knows both as text.
const same = (selected, at) => selected !== null && String(selected) === String(at);

const FADE = 40; // what fades out at either side, in pixels

// All of them in the middle where one would stand in what fades; by hand, since scrollIntoView would move the page,
// too. Whether there is room for them.
function reveal(chips, node) {
  const left = chips[0].offsetLeft - node.offsetLeft;
  const right = chips.at(-1).offsetLeft + chips.at(-1).offsetWidth - node.offsetLeft;
  const { scrollLeft, clientWidth } = node;
  if (right - left > clientWidth - 2 * FADE) return false;
  const clear = left >= scrollLeft + Math.min(FADE, scrollLeft) && right <= scrollLeft + clientWidth - FADE;
  if (!clear) node.scrollLeft = (left + right - clientWidth) / 2;
  return true;
}

export default component(Strip);
