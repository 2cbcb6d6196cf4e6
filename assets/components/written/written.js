// A text as it is written, a token at a time: press, and it goes on; each token that was written can be pressed. Of
// that token the line from 0 to 1 that it was drawn on, as each rule left it, and a way from the mark that fell into a
// segment up to the token in the text, past the lines before; and over everything before it, as marks, where the model
// looked for it. One token is asked of the server at a time, so that it can be stopped after each.

import { boxOf, clip, inks, make, titled, vector, widthOf } from "../kit/draw.js";
import { fixed, short } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A line is what one rule left: the first shares, of the step's tokens in their order, and how many others there are.
 * @typedef {{name: string, shares: number[], others: string}} Line
 *
 * Its tokens that might have come are listed as [id, text, probability, drawn].
 * @typedef {{place: number, texts: string[], listed: [number, string, number, boolean][], lines: Line[],
 *   point: number | null, said: string}} Drawn
 *
 * @typedef {{label: string, go: string, stop: string, step: string, again: string, count: string, choose: string,
 *   line: string, looked: string, shade: string, plain: string, rest: string, head: string}} WrittenWords
 *
 * `tokens` are [text, name, special, broken], the first `given` of them given. Behind the header: of each token
 * written the weights of all before it, as float32.
 * @typedef {{tokens: [string, string, boolean, boolean][], given: number, steps: Drawn[], more: boolean,
 *   chat: boolean, open: boolean, waits: boolean, busy: string, likely: string, looked: string, sure: number,
 *   words: WrittenWords, fragment?: string}} Header
 */

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const NAMED = 4; // segments of a line that are named
const TOP = 3; // weights that are written as numbers
const BESIDE = 130; // pixels left of the lines of shares
const AROUND = 14; // right of several lines, where the way goes up (written.css)
const EDGES = 8; // and beside a text on one
const [SMALL, LARGE, OTHERS] = [12, 13, 11]; // of a token on a line that is thin, or thick; and of how many others
const LEADER = 10; // pixels from a line down to the names (written.css)
const FIGURES = 13; // of a token's probability
const NARROW = 300; // of a line: below it the names stand in a row
const LONG = 12; // letters of the token that was hit
const SEEN = 0.02; // of a line or a weight: what is smaller has no mark
const [TURN, STEP] = [12, 4]; // pixels over the lines of shares, and over the last, where the way to the text turns
const HEAD = 8; // of the mark over its line
const BEND = 6; // of the way, at a corner
const ATTENTION = 2; // of the inks, as on the sheet
const NEWEST = -1; // what is selected while it goes on: nobody follows a number then

class Written extends Picture {
  static className = "written";
  static speaks = true;
  static fonts = true;

  build() {
    this.bar = this.root.appendChild(make("div", "bar"));
    this.text = this.root.appendChild(make("div", "text"));
    this.about = this.root.appendChild(make("div", "about"));
    this.buttons = {};
    for (const name of ["go", "step", "again"]) {
      const button = (this.buttons[name] = this.bar.appendChild(make("button", name)));
      button.dataset.at = name;
      button.onclick = () => this[name]();
    }
    this.count = this.bar.appendChild(make("span", "count"));
    this.way = this.root.appendChild(vector("svg", { class: "way", "aria-hidden": "true" }));
    this.text.onscroll = () => this.lead();
    this.text.onkeydown = (event) => this.key(event);
    this.going = false;
    this.shaded = false; // whether the text shows where the model looked
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    const before = this.header?.steps.length ?? 0;
    this.header = header;
    let at = 0;
    this.weights = header.steps.map((_, i) => {
      const row = new Float32Array(body.buffer, at, header.given + i);
      at += row.byteLength;
      return row;
    });
    const { length } = header.steps;
    this.lend(header.tokens.slice(header.given));
    if (header.waits) this.store.asked = ""; // it comes bit by bit, and is asked for again
    if (!this.going || header.waits) return;
    if (!header.more || length === before || header.busy) this.halt();
    else setTimeout(() => this.going && this.ask(NEWEST));
  }

  /** What is written goes on at the end of the sentence across the top, too. */
  lend(tokens) {
    const made = tokens.map(([, name, special], q) => ({ text: name, special, q }));
    this.store.lend("written", { owner: this, made, answers: this.header.chat, chosen: () => this.chosen });
  }

  end() {
    this.lend([]);
    super.end();
  }

  lacks() {
    return Boolean(this.header?.waits);
  }

  // ---- what a hand does

  go() {
    if (this.going || this.header.waits) return this.halt();
    this.going = true;
    this.ask(NEWEST);
    this.redraw();
  }

  step() {
    this.going = false;
    this.ask(this.header.steps.length);
  }

  again() {
    this.going = false;
    this.select({ n: 0, q: null });
  }

  halt() {
    const { length } = this.header.steps;
    const newest = this.get("q") === NEWEST ? { q: Math.max(0, length - 1) } : {};
    this.going = false;
    this.select({ ...newest, ...(this.header.waits ? { n: length } : {}) });
    this.redraw();
  }

  ask(q) {
    const { steps, more, open } = this.header;
    if (more) this.select({ n: steps.length + 1, q }, open ? { guess: "skip" } : {});
  }

  choose(q) {
    this.going = false;
    this.select({ q });
    this.text.querySelector(`[data-at="q-${q}"]`)?.focus();
  }

  key(event) {
    const by = pressed(event, KEYS);
    const last = this.header.steps.length - 1;
    if (by !== undefined && last >= 0) this.choose(clamp(this.chosen + by, 0, last));
  }

  get chosen() {
    const last = this.header.steps.length - 1;
    const q = this.integer("q") ?? 0;
    return q < 0 ? last : Math.min(q, last);
  }

  // ---- drawing

  draw() {
    const { words, steps, more, waits, tokens, given, open } = this.header;
    const { go, step, again } = this.buttons;
    this.root.style.setProperty("--attention", inks(this.root, [0, 1, 2]).get(ATTENTION));
    const writes = this.going || waits;
    go.textContent = writes ? `❚❚ ${words.stop}` : `▶\uFE0E ${words.go}`;
    step.textContent = `› ${words.step}`;
    again.textContent = words.again;
    go.disabled = !more && !writes;
    step.disabled = !more || writes;
    again.disabled = !steps.length;
    this.count.textContent = words.count;
    this.named(this.text, "group", words.label);
    this.keepingFocus(() => {
      this.text.replaceChildren(...tokens.flatMap((token, i) => this.token(token, i)), ...(open ? [this.veil()] : []));
      this.about.replaceChildren(...(steps.length ? this.said(this.chosen) : unwritten(words)));
    });
    this.bringIntoSight(`${this.chosen}/${tokens.length}`);
    this.lead();
    if (!this.going && steps.length)
      this.heard.textContent = tokens
        .slice(given)
        .map(([text]) => text)
        .join("");
  }

  // The selected token, whenever it is another: the box scrolls, the page does not.
  bringIntoSight(which) {
    const on = this.text.querySelector(".on") ?? this.text.lastElementChild;
    if (which === this.inSight || !on) return;
    this.inSight = which;
    this.text.scrollTop = on.offsetTop - this.text.offsetTop - this.text.clientHeight / 2;
  }

  // From where the mark fell, or from the longest segment, to the token it became: to the token itself where no other
  // stands in between. Where lines stand above the one that was drawn on, around them.
  lead() {
    const [first, ...others] = this.about.querySelectorAll(".shares");
    const line = others.at(-1) ?? first;
    const segment = ["point", "drawn", "rest"].map((name) => line?.querySelector(`.${name}`)).find(Boolean);
    const token = this.text.querySelector(".on");
    this.way.replaceChildren();
    if (!segment || !token) return;
    const [here, box, from, to] = [this.root, this.text, segment, token].map(boxOf);
    const x = from.left + from.width / 2 - here.left;
    const at = clamp(to.left + to.width / 2, box.left, box.right) - here.left;
    const under = [...this.text.querySelectorAll(".token")].map(boxOf).some(({ top, left, right }) => {
      return top > to.bottom - 4 && left < here.left + at && here.left + at < right;
    });
    const seen = to.bottom < box.bottom && to.top > box.top && !under;
    const edge = boxOf(line);
    const mark = segment.classList.contains("point") ? HEAD : 0;
    const [turn, end] = [boxOf(first).top - mark - TURN, (seen ? to.bottom : box.bottom) + 2].map((y) => y - here.top);
    const top = edge.top - mark - here.top;
    const beside = edge.right + AROUND - 4 - here.left;
    const around = others.length ? [x, top - STEP, beside, top - STEP, beside] : [x];
    this.way.append(
      vector("path", { d: cornered([x, top, ...around, turn, at, turn, at, end + 5]) }),
      vector("path", { d: `M${at - 4},${end + 6}L${at},${end}L${at + 4},${end + 6}Z`, class: "head" }),
    );
  }

  veil() {
    return make("span", "token veiled", "?");
  }

  token([text, name, special, broken], i) {
    const { given, steps } = this.header;
    const q = i - given;
    const node = make(q < 0 ? "span" : "button", "token");
    const row = steps.length ? this.weights[this.chosen] : [];
    const weight = i < row.length ? row[i] : 0;
    node.classList.toggle("given", q < 0);
    node.classList.toggle("special", special);
    node.classList.toggle("broken", broken);
    node.classList.toggle("on", q >= 0 && q === this.chosen);
    node.classList.toggle("later", steps.length > 0 && q > this.chosen);
    const shown = text.replaceAll("\n", "↵").replaceAll("\t", "⇥");
    node.textContent = shown.trimStart() || shown;
    const space = node.textContent === shown ? [] : [" "]; // before it: none at the beginning of a line
    if (this.shaded && weight >= SEEN) {
      node.style.setProperty("--weight", `${Math.min(100, 100 * weight)}%`);
      node.classList.add("looked");
    }
    if (i < row.length) node.title = `${name} ${fixed(row[i], 4)}`;
    if (q >= 0) {
      node.dataset.at = `q-${q}`;
      node.tabIndex = q === this.chosen ? 0 : -1;
      node.setAttribute("aria-pressed", String(q === this.chosen));
      node.onclick = () => this.choose(q);
    }
    return [...space, node, ...(text.includes("\n") ? [make("br")] : [])];
  }

  // Of one token: how it was chosen, the lines, the likeliest, and where the model looked.
  said(q) {
    const { steps, words } = this.header;
    const step = steps[q];
    const last = step.lines.length - 1;
    const lines = step.lines.flatMap((line, i) => [
      ...this.line(step, line, i === last),
      ...(i ? [] : [this.likeliest(step, q)]),
    ]);
    const how = make("p", "soft how", joined([words.line.replace("{n}", q + 1), step.said]));
    return [
      ...lines,
      ...(last ? [ends(step.point, this.header.tokens[this.header.given + q][0])] : []),
      how,
      ...this.looks(q),
    ];
  }

  get room() {
    const several = this.header.steps[this.chosen].lines.length > 1;
    return (this.root.clientWidth || 600) - (stacked() ? 0 : BESIDE) - (several ? AROUND : 0);
  }

  // Whether a text stands in its segment.
  fits(text, share, size) {
    return share * this.room > widthOf(text, size) + EDGES;
  }

  line({ place, texts, point }, { name, shares, others }, last) {
    const bar = make("div", last ? "shares last" : "shares");
    const size = last ? LARGE : SMALL;
    let left = 1;
    for (const [i, share] of shares.entries()) {
      if (share < 0.002) break;
      left -= share;
      const part = make("span", i === place ? "part drawn" : "part", this.fits(texts[i], share, size) ? texts[i] : "");
      part.style.width = `${100 * share}%`;
      titled(part, `${texts[i]} ${fixed(share, 4)}`);
      bar.append(part);
    }
    if (left > 0.0005) {
      const names = others ? [others, this.header.words.rest] : [];
      const told = names.map((name) => `${name} ${fixed(left, 2)}`);
      const said = [...told, ...names].find((text) => this.fits(text, left, OTHERS));
      const rest = make("span", "part rest", said ?? "");
      rest.classList.toggle("left", point !== null && point > 1 - left / 2);
      rest.style.width = `${100 * left}%`;
      titled(rest, `${others} ${fixed(left, 4)}`);
      bar.append(rest);
    }
    if (last && point !== null) {
      const mark = make("span", "point");
      mark.style.left = `${100 * point}%`;
      titled(mark, fixed(point, 4));
      if (place < 0) bar.append(hit(point)); // it has no segment of its own among the others
      bar.append(mark);
    }
    return [make("span", "name", name), bar];
  }

  // Each under its segment of the line above, as far as there is room, and what was drawn in any case; of what has its
  // name in the segment, the number alone.
  likeliest({ listed, texts, lines: [{ shares }, more] }, q) {
    const { likely, given, sure } = this.header;
    const { room } = this;
    const free = stacked() || room < NARROW; // they stand in a row, not under their segments
    const row = make("p", "under");
    const trail = likely && given + q <= sure ? `${likely}.${given + q - 1}` : "";
    const placed = listed.map(([id, text, probability, drawn]) => {
      const at = texts.indexOf(text);
      const before = at < 0 ? 1 : shares.slice(0, at).reduce((sum, share) => sum + share, 0);
      const named = free || !this.fits(text, probability, more ? SMALL : LARGE);
      const entry = make("span", drawn ? "entry on" : "entry");
      if (named) entry.append(make("b", "", text), " ");
      entry.append(pressable(trail && `${trail}.${id}`, text, probability));
      const wide = widthOf(short(probability), FIGURES) + (named ? widthOf(text, FIGURES) + EDGES : 0);
      const [middle, segment] = [before + probability / 2, probability].map((share) => share * room);
      return { entry, wide, order: at < 0 ? texts.length : at, middle, segment, drawn };
    });
    placed.sort((one, other) => one.order - other.order);
    const kept = free ? placed : fitting(placed, room);
    const at = apart(kept, room);
    at.forEach((middle, i) => (kept[i].entry.style.left = `${(100 * middle) / room}%`));
    if (!free) row.append(leaders(kept, at, room));
    row.append(...kept.map(({ entry }) => entry));
    return row;
  }

  shading() {
    const { shade, plain } = this.header.words;
    const button = make("button", "shade", this.shaded ? plain : shade);
    button.dataset.at = "shade";
    button.onclick = () => {
      this.shaded = !this.shaded;
      this.redraw();
    };
    return button;
  }

  looks(q) {
    const { words, looked, given, sure, tokens } = this.header;
    const row = make("p", "row");
    const weights = this.weights[q];
    const trail = looked && given + q <= sure ? `${looked}.${given + q - 1}` : "";
    const best = [...weights.keys()].sort((a, b) => weights[b] - weights[a] || a - b).slice(0, TOP);
    for (const i of best) {
      const [, text] = tokens[i];
      const entry = make("span", "entry");
      entry.append(make("b", "", text), " ", pressable(trail && `${trail}.${i}`, text, weights[i]));
      row.append(entry);
    }
    if (words.head) row.append(make("span", "of", words.head));
    row.append(this.shading());
    return [make("span", "name looking", words.looked), row];
  }
}

// A way of points one behind the other, x and y in turn: along the axes, round at the corners.
function cornered(way) {
  const points = way.flatMap((x, i) => (i % 2 ? [] : [[x, way[i + 1]]]));
  const path = points.slice(1, -1).map(([x, y], i) => {
    const [[fromX, fromY], [toX, toY]] = [points[i], points[i + 2]];
    const [before, after] = [Math.hypot(x - fromX, y - fromY), Math.hypot(toX - x, toY - y)];
    const round = Math.min(BEND, before / 2, after / 2);
    const towards = (toX, toY, far) => [x + (toX - x) * far, y + (toY - y) * far];
    const [begins, ends] = [towards(fromX, fromY, round / (before || 1)), towards(toX, toY, round / (after || 1))];
    return `L${begins}Q${x},${y} ${ends}`;
  });
  return `M${points[0]}${path.join("")}L${points.at(-1)}`;
}

// Whether names stand above their lines (written.css).
const stacked = () => matchMedia("(max-width: 640px)").matches;

// Sentences, one behind the other.
const joined = (sentences) => sentences.join(sentences[0].endsWith("。") ? "" : " ");

// Where the line begins and ends, and under the mark the token whose segment it hit, however narrow that is.
function ends(point = null, token = "") {
  const axis = make("p", "ends");
  axis.append(make("span", "", "0"), make("span", "", "1"));
  if (point === null) return axis;
  const hit = make("b", "hit", clip(token.trim() || token.replaceAll("\n", "↵"), LONG));
  const clear = SMALL + widthOf(hit.textContent, SMALL) / 2; // of the numbers at the ends
  hit.style.left = `clamp(${clear}px, ${100 * point}%, calc(100% - ${clear}px))`;
  axis.append(hit);
  return axis;
}

/** The line before anything is written. */
function hit(point) {
  const part = make("span", "part drawn among");
  part.style.left = `${100 * point}%`;
  return part;
}

// Where the middles of texts so wide stand, that none touches the next and none is cut off.
function apart(placed, room) {
  const half = placed.map(({ wide }) => wide / 2 + EDGES / 2);
  const at = [];
  placed.forEach(({ middle }, i) => at.push(Math.max(middle, i ? at[i - 1] + half[i - 1] + half[i] : half[i])));
  for (let i = at.length - 1, edge = room; i >= 0; edge = at[i] - half[i], i--) at[i] = Math.min(at[i], edge - half[i]);
  return at;
}

// The first segments, and the one that was drawn, as many as have room beside one another.
function fitting(placed, room) {
  const kept = placed.filter(({ drawn }, i) => drawn || i < NAMED);
  const last = kept.findLastIndex(({ drawn }) => !drawn);
  const wide = kept.reduce((sum, one) => sum + one.wide + EDGES, 0);
  return wide > room && last >= 0
    ? fitting(
        kept.filter((_, i) => i !== last),
        room,
      )
    : kept;
}

// From each segment down to its name, where that does not stand under it.
function leaders(kept, at, room) {
  const share = (x) => `${(100 * x) / room}%`;
  const lines = kept.flatMap(({ middle, segment }, i) => {
    const off = Math.abs(at[i] - middle) > Math.max(segment / 2, EDGES);
    return off ? [vector("line", { x1: share(middle), y1: 0, x2: share(at[i]), y2: LEADER })] : [];
  });
  const drawn = vector("svg", { class: "leaders", "aria-hidden": "true" });
  drawn.append(...lines);
  return drawn;
}

function unwritten({ choose, looked }) {
  const line = make("div", "shares last");
  line.append(make("span", "part rest", "?"));
  return [make("p", "title", choose), make("span", "name kept", looked), line, ends()];
}

// A number that begins a trail (address.js), where there is one.
function pressable(trail, text, number) {
  if (!trail) return make("span", "number", short(number));
  const button = make("button", "number door reach", short(number));
  button.dataset.at = button.dataset.trail = trail;
  button.setAttribute("aria-label", `${text} ${short(number)}`);
  return button;
}

export default component(Written);
