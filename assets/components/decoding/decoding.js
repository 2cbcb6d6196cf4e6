// A translation as it is written: the source above, under it word by word what comes out, and between them, as lines,
// where each word looked; beside either language what its words mean. An arrow leads from the word that goes in to the
// one that comes out. One selection, `q`, is the row that is being written: it steps forward and back, and plays.
// Beside it what might have come instead, of every step, so that no step asks the server.
// What must not be seen yet arrives as NaN (a row of lines).

import { make, vector, yielding } from "../kit/draw.js";
import { fixed, grouped } from "../kit/format.js";
import { clamp, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * Of one row: what might come next as [text, probability, taken], or, keeping several at once, the translations that
 * are kept as [text, log-probability, score, taken, trails]: how a trail begins with either number.
 * @typedef {{candidates: [string, number, boolean, number][], beams: [string, number, number, boolean,
 *   [string, string]][]}} Step
 *
 * `source`, `given` (what goes in, row by row) and `written` (what comes out) are texts; `special` is the source's;
 * `planes` are "layer/head". Behind the header: the planes [given, source] as float32.
 * `glosses` say what the source's words mean, each [from, to, text]; `meanings` what each written word does ("" where
 * nothing is to be said).
 * @typedef {{fragment?: string, source: string[], given: string[], written: string[], special: boolean[],
 *   glosses: [number, number, string][], meanings: string[], planes: string[], steps: Step[], vocabulary: number,
 *   words: Record<"label" | "first" | "back" | "play" | "pause" | "on" | "last" | "step" | "source" | "written" |
 *     "given" | "earlier" | "candidates" | "rest" | "beams" | "log" | "score", string>}} Header
 */

const LETTER = 7.2; // pixels
const SMALL = 6.4; // a letter of a gloss
const PACE = 1100; // milliseconds a word
const [DROP, LOW] = [124, 84]; // from what is read to what is written, and on a phone
const BELOW = 84; // and the rest of it
const ARC = 20; // of the arrow from what goes in to what comes out
const SAID_AT = 0.8; // of a line, where its weight stands,
const BESIDE = 3; // ... and beside it
const THICK = 9; // pixels of a line of weight 1
const GOES_ON = 12; // pixels in which a row says that it goes on
const GLOSS = 17; // of a line of glosses
const SIGNS = { first: "|‹", back: "‹", play: "▶\uFE0E", on: "›", last: "›|" };
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play" };

class Decoding extends Picture {
  static className = "decoding";

  build() {
    this.bar = this.root.appendChild(make("div", "bar"));
    this.measured = this.root.appendChild(make("div"));
    this.svg = this.measured.appendChild(vector("svg", { tabindex: 0, role: "slider" }));
    this.kept = this.root.appendChild(make("div", "kept"));
    this.svg.onkeydown = (event) => this.key(event);
    this.buttons = {};
    for (const [name, sign] of Object.entries(SIGNS)) {
      const button = (this.buttons[name] = this.bar.appendChild(make("button", name, sign)));
      button.onclick = () => this[name]();
    }
    this.count = this.bar.appendChild(make("span", "count"));
    this.count.setAttribute("aria-live", "polite");
    this.atEnd(() => clearInterval(this.timer));
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    const { planes, given, source, words } = header;
    this.header = header;
    this.shown = null; // the plane that is drawn
    this.values = new Float32Array(body.buffer, 0, planes.length * given.length * source.length);
    for (const [name, button] of Object.entries(this.buttons)) button.setAttribute("aria-label", words[name]);
  }

  // Another head than those that are here.
  lacks() {
    return Boolean(this.header) && this.plane() === null;
  }

  plane() {
    const { planes, given, source } = this.header;
    const i = planes.indexOf(`${this.get("layer")}/${this.get("head")}`);
    const size = given.length * source.length;
    return i < 0 ? null : this.values.subarray(i * size, (i + 1) * size);
  }

  row(q) {
    const plane = this.plane() ?? this.shown;
    const n = this.header.source.length;
    return plane ? [...plane.subarray(q * n, (q + 1) * n)] : [];
  }

  get q() {
    return this.index("q", this.header.given.length);
  }

  get final() {
    return this.q === this.header.given.length - 1;
  }

  // ---- what a hand does

  to(q) {
    const within = clamp(q, 0, this.header.given.length - 1);
    if (within === this.q) return;
    const row = this.row(within);
    const best = row.some(Number.isNaN) ? 0 : Math.max(0, row.indexOf(Math.max(...row)));
    this.select({ q: within, k: best, j: null });
  }

  go(q) {
    this.halt();
    this.to(q);
  }

  first() {
    this.go(0);
  }

  back() {
    this.go(this.q - 1);
  }

  on() {
    this.go(this.q + 1);
  }

  last() {
    this.go(Infinity);
  }

  play() {
    if (this.timer) return this.halt();
    if (this.final) this.to(0);
    this.timer = setInterval(() => (this.final ? this.halt() : this.to(this.q + 1)), PACE);
    this.redraw();
  }

  halt() {
    clearInterval(this.timer);
    this.timer = 0;
    this.redraw();
  }

  key(event) {
    const act = pressed(event, KEYS);
    if (act) this[act]();
  }

  // ---- drawing

  layout() {
    const { source, given, written, glosses, meanings, words } = this.header;
    this.width = this.measured.clientWidth || 600;
    const targets = given.map((_, i) => {
      const letters = LETTER * lettersOf(written[i] ?? "") + 20;
      return Math.max(40, letters, SMALL * lettersOf(meanings[i] ?? "") + 8);
    });
    this.narrow = this.width < 520;
    this.left =
      (this.narrow ? 4 : 8) + Math.max(...[words.source, words.written].map((name) => SMALL * lettersOf(name)));
    const [least, beside] = this.narrow ? [24, 6] : [28, 10];
    const sources = source.map((text) => Math.max(least, 8 * lettersOf(text) + beside));
    this.glossed = this.widened(sources, glosses);
    const spare = (this.width - this.left - sum(targets) - 60) / targets.length - 4;
    const roomy = targets.map((wide) => wide + clamp(spare, 0, 10));
    const begin = LETTER * lettersOf(given[0]) + 12; // what goes in at first stands before what comes out
    [this.begin, ...this.target] = this.placed([begin, ...roomy], this.q + 1);
    this.source = this.placed(sources, this.index("k", source.length));
    this.over = glosses.length ? GLOSS : 0; // the room of a line of glosses above the source,
    this.under = meanings.some(Boolean) ? GLOSS - 2 : 0; // ... and under what is written
    this.drop = yielding(this.narrow ? LOW : DROP, 46);
    this.high = this.drop + BELOW + this.over + this.under;
  }

  // Makes room for what words mean: for all of it, or on a phone for as much as leaves the words in sight.
  widened(widths, glosses) {
    let spare = this.narrow ? Math.max(0, this.width - this.left - sum(widths)) : Infinity;
    const lacking = ([from, to, text]) => SMALL * lettersOf(text) + 8 - sum(widths.slice(from, to));
    const found = [];
    for (const gloss of [...glosses].sort((one, other) => lacking(one) - lacking(other))) {
      const [[from, to], more] = [gloss, Math.max(0, lacking(gloss))];
      if (more > spare) continue;
      spare -= more;
      for (let i = from; i < to; i++) widths[i] += more / (to - from);
      found.push(gloss);
    }
    return found;
  }

  // A row's places. One too long for the window is moved so that the selected place is seen: of both rows, so that
  // both ends of its line are. Only whole words are seen: beside them the row goes on.
  placed(widths, selected) {
    const room = this.width - this.left;
    const long = sum(widths);
    if (long <= room) return centres(widths, this.left, this.width);
    const all = centres(widths, this.left, this.left + long);
    const by = clamp(all[selected].x - this.left - room / 2, 0, long - room);
    return all.map(({ x, wide }, i) => {
      const [from, to] = [x - by - wide / 2, x - by + wide / 2];
      const before = from < this.left + (i ? GOES_ON : 0) - 1;
      const beyond = to > this.width - (i < all.length - 1 ? GOES_ON : 0) + 1;
      return { x: x - by, wide, out: before || beyond };
    });
  }

  draw() {
    this.shown = this.plane() ?? this.shown;
    this.layout();
    const { given, words } = this.header;
    const { q } = this;
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("height", this.high);
    const lines = given.slice(0, q + 1).flatMap((_, i) => this.lines(i, i === q));
    const drawn = [
      ...lines,
      ...this.sources(),
      ...this.glosses(),
      ...this.targets(q),
      ...this.loop(q),
      ...this.names(),
    ];
    this.svg.replaceChildren(...drawn, ...this.earlier(q), ...this.weights(q));
    this.buttons.play.textContent = this.timer ? "❚❚" : SIGNS.play;
    this.buttons.play.setAttribute("aria-label", this.timer ? words.pause : words.play);
    this.buttons.back.disabled = this.buttons.first.disabled = q === 0;
    this.buttons.on.disabled = this.buttons.last.disabled = this.final;
    this.count.textContent = words.step.replace("{step}", q + 1).replace("{steps}", given.length);
    this.describe(q);
    this.list(q);
  }

  sources() {
    const { source, special } = this.header;
    const chosen = this.get("k") !== null && this.get("j") === null ? this.index("k", source.length) : -1;
    return source.flatMap((text, i) => {
      const look = `${special[i] ? "special" : ""} ${i === chosen ? "second" : ""}`;
      return this.chip(this.source[i], 14 + this.over, text, look, () => this.select({ k: i, j: null }));
    });
  }

  // What the words of the source mean: over each a line as long as the word, and on it what it says.
  glosses() {
    return this.glossed.flatMap(([from, to, text]) => {
      const [first, last] = [this.source[from], this.source[to - 1]];
      if (first.out || last.out) return [];
      const [left, right] = [first.x - first.wide / 2 + 4, last.x + last.wide / 2 - 4];
      const line = vector("path", { d: `M${left},${GLOSS - 3} H${right}`, class: "span" });
      const word = this.text((left + right) / 2, GLOSS - 7, text, "gloss");
      return to - from > 1 ? [line, word] : [word];
    });
  }

  targets(q) {
    const { given, written, meanings } = this.header;
    const at = 28 + this.drop + this.over;
    const begin = this.chip(this.begin, at, given[0], `target given special ${q === 0 ? "in" : ""}`, () => this.go(0));
    const words = given.flatMap((_, i) => {
      const state = `target ${i < q ? "" : i === q ? "now" : "later"} ${i === q - 1 ? "in" : ""}`;
      const to = () => this.go(i);
      const out = written[i] === undefined ? [] : this.chip(this.target[i], at, i <= q ? written[i] : "·", state, to);
      if (i <= q && meanings[i] && !this.target[i].out)
        out.push(this.text(this.target[i].x, at + 26, meanings[i], "gloss"));
      return out;
    });
    return [...begin, ...words];
  }

  // From the word that was written last, or from what goes in at first, to the one that is being written.
  loop(q) {
    const { words } = this.header;
    const top = 28 + this.drop + this.over + 17 + this.under;
    const [from, to] = [(this.target[q - 1] ?? this.begin).x, this.target[q].x];
    const [low, head] = [top + ARC, `M${to - 4},${top + 6} L${to},${top} L${to + 4},${top + 6}`];
    const d = `M${from},${top} C${from},${low + 6} ${to},${low + 6} ${to},${top} ${head}`;
    const half = (SMALL * lettersOf(words.given)) / 2;
    const middle = clamp((from + to) / 2, half, Math.max(half, this.width - half));
    return [vector("path", { d, class: "loop" }), this.text(middle, low + 15, words.given, "gloss")];
  }

  names() {
    const { source, written } = this.header.words;
    const at = 32 + this.drop + this.over;
    const names = { [18 + this.over]: source, [at]: written };
    const more = [...this.more(this.source, 18 + this.over), ...this.more([this.begin, ...this.target], at)];
    const ground = vector("rect", { x: 0, y: 0, width: this.left, height: this.high, class: "ground" });
    return [ground, ...Object.entries(names).map(([y, text]) => this.text(0, y, text, "label", "start")), ...more];
  }

  // A row goes on beyond the window: said just before, or behind, the words that are seen.
  more(row, y) {
    const seen = row.filter(({ out }) => !out);
    if (!seen.length) return [];
    const [first, last] = [seen[0], seen.at(-1)];
    return [
      ...(row[0].out ? [this.text(first.x - first.wide / 2 + 1, y, "‹", "more", "end")] : []),
      ...(row.at(-1).out ? [this.text(last.x + last.wide / 2 - 1, y, "›", "more", "start")] : []),
    ];
  }

  describe(q) {
    const { given, written, words } = this.header;
    this.named(this.svg, "slider", words.label);
    this.svg.setAttribute("aria-valuemin", 1);
    this.svg.setAttribute("aria-valuemax", given.length);
    this.svg.setAttribute("aria-valuenow", q + 1);
    const said = `${given.slice(1, q + 1).join(" ")} → ${written[q] ?? ""}`;
    this.svg.setAttribute("aria-valuetext", `${this.count.textContent}: ${said}`);
  }

  // The lines of one row: as thick as the weight; a veiled row has a question mark instead.
  lines(i, now) {
    const row = this.row(i);
    const { x, out } = this.target[i];
    if (out) return [];
    const top = 28 + this.over;
    if (row.some(Number.isNaN)) return now ? [this.text(x, top + this.drop - 34, "?", "veiled")] : [];
    return row.flatMap((weight, k) => {
      const { x: from, out: beyond } = this.source[k];
      if (weight < (now ? 0.01 : 0.1) || beyond) return [];
      const [begin, one, other, end] = this.curve(x, from);
      const path = vector("path", {
        d: `M${begin} C${one} ${other} ${end}`,
        class: now ? "line now" : "line",
        "stroke-width": (now ? THICK : 4) * weight,
        opacity: now ? 0.35 + 0.6 * weight : 0.4,
      });
      return [path];
    });
  }

  // What the faint lines are, once: beside the first of them, or where none can be seen nowhere.
  earlier(q) {
    const i = this.header.given.slice(0, q).findIndex((_, row) => this.lines(row, false).length);
    if (i < 0) return [];
    const { earlier } = this.header.words;
    const { x } = this.target[i];
    const y = 28 + this.over + this.drop - 20;
    if (this.narrow) return [this.text(0, y, earlier, "earlier", "start")]; // there no line is as low
    const before = x - 9 - SMALL * lettersOf(earlier) >= this.left;
    return [this.text(before ? x - 9 : x + 9, y, earlier, "earlier", before ? "end" : "start")];
  }

  // From a written word to one that it looked at.
  curve(x, from) {
    const top = 28 + this.over;
    const at = (part) => top + part * this.drop;
    return [
      [x, at(1) - 12],
      [x, at(0.5)],
      [from, at(0.42)],
      [from, top],
    ];
  }

  // What the lines of the row that is being written say, each on its own.
  weights(i) {
    const { x, out } = this.target[i];
    if (out) return [];
    return [...this.row(i)].flatMap((weight, k) => {
      const { x: from, out: beyond } = this.source[k];
      if (!(weight >= 0.1) || beyond) return [];
      const [on, down] = pointOn(this.curve(x, from), SAID_AT);
      const [side, anchor] = from < x ? [-1, "end"] : [1, "start"]; // below the line, which goes to the other side
      return [this.text(on + side * (BESIDE + THICK * weight * 0.5), down + 12, fixed(weight, 2), "weight", anchor)];
    });
  }

  chip({ x, wide, out }, y, text, className, run) {
    if (out) return [];
    const width = wide - 6;
    const box = vector("rect", { x: x - width / 2, y: y - 13, width, height: 26, rx: 5, class: `chip ${className}` });
    box.onclick = run;
    return [box, this.text(x, y + 5, text, `word ${className}`)];
  }

  text(x, y, words, className, anchor = "middle") {
    return vector("text", { x, y, class: className, "text-anchor": anchor }, words);
  }

  // What might come next, best first; or, keeping several at once, the translations that are kept.
  list(q) {
    const { steps, words } = this.header;
    const { candidates, beams } = steps[q] ?? { candidates: [], beams: [] };
    const title = make("p", "title", beams.length ? words.beams : words.candidates);
    const shown = beams.length ? this.tree(beams) : this.table(q, candidates);
    this.keepingFocus(() => this.kept.replaceChildren(title, shown));
  }

  table(q, candidates) {
    const table = make("table");
    for (const [text, share, taken, id] of candidates)
      table.append(tableRow(text, taken ? "taken" : "", this.likely(q, id, text, share), share));
    const { vocabulary, words } = this.header;
    const rest = clamp(1 - sum(candidates.map(([, share]) => share)), 0, 1);
    const name = words.rest.replace("{count}", grouped(vocabulary - candidates.length));
    if (candidates.length) table.append(tableRow(name, "rest", probable(rest), rest));
    return table;
  }

  // The translations that are kept as a tree: what several begin with stands once, and they branch where they part.
  tree(beams) {
    const { words } = this.header;
    const nodes = branches(beams.map(([text], i) => ({ words: text.split(" "), i })));
    const deep = Math.max(...nodes.map(({ level }) => level));
    const tree = make("div", "tree");
    tree.style.gridTemplateColumns = `repeat(${deep}, auto) max-content max-content`;
    const put = (element, row, column, rows = 1, columns = 1) => {
      element.style.gridArea = `${row} / ${column} / span ${rows} / span ${columns}`;
      tree.append(element);
    };
    put(make("span", "head", words.log), 1, deep + 1);
    put(make("span", "head", words.score), 1, deep + 2);
    for (const { text, level, row, rows, leaf } of nodes) {
      const taken = leaf === null ? row === 0 : beams[leaf][3];
      put(
        make("span", taken ? "node taken" : "node", text),
        row + 2,
        level,
        rows,
        leaf === null ? 1 : deep + 1 - level,
      );
      if (leaf === null) continue;
      const [whole, log, score, , trails] = beams[leaf];
      [log, score].forEach((number, i) => {
        const cell = make("span", "number");
        cell.append(this.pressable(trails[i], whole, fixed(number, 3)));
        put(cell, row + 2, deep + 1 + i);
      });
    }
    return tree;
  }

  /** A probability, which can be followed: back through the model to what it is made of. */
  likely(q, id, text, share) {
    return this.pressable(`output.probabilities.${q}.${id}`, text, probable(share));
  }

  // The page begins the trail (address.js).
  pressable(trail, text, number) {
    if (!trail) return number;
    const button = make("button", "door reach", number);
    button.dataset.at = button.dataset.trail = trail;
    button.setAttribute("aria-label", `${text} ${number}`);
    return button;
  }
}

// A point on a Bézier curve.
function pointOn([a, b, c, d], t) {
  const parts = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
  return [0, 1].map((k) => sum([a, b, c, d].map((point, i) => parts[i] * point[k])));
}

const probable = (share) => fixed(share, share < 0.001 ? 5 : 3);

function tableRow(text, look, number, share) {
  const row = make("tr", look);
  row.append(make("td", "text", text));
  row.appendChild(make("td", "share")).appendChild(make("div")).style.width = `${Math.max(0.5, 100 * share)}%`;
  row.appendChild(make("td", "number")).append(number);
  return row;
}

// Texts as a tree: each node the words that all below it have next, from the left (level 1), over as many rows as
// texts end below it; a leaf is the rest of one text.
function branches(texts, level = 1, top = 0) {
  const groups = new Map();
  for (const text of texts) groups.set(text.words[0], [...(groups.get(text.words[0]) ?? []), text]);
  let row = top;
  return [...groups.values()].flatMap((group) => {
    const [{ words, i }] = group;
    const parted = words.findIndex((word, at) => group.some((text) => text.words[at] !== word));
    const common = group.length === 1 || parted < 0 ? words.length : parted;
    const node = { level, row, rows: group.length, text: words.slice(0, common).join(" ") };
    row += group.length;
    if (group.length === 1) return [{ ...node, leaf: i }];
    const rest = group.map((text) => ({ ...text, words: text.words.slice(common) }));
    return [{ ...node, leaf: null }, ...branches(rest, level + 1, node.row)];
  });
}

// Han characters are twice as wide as letters.
const lettersOf = (text) => sum([...text].map((character) => (character > "\u2e7f" ? 2 : 1)));

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// Boxes of these widths, spread over the room: the middle of each.
function centres(widths, left, right) {
  const total = sum(widths);
  const space = Math.min(34, (right - left - total) / widths.length);
  let at = left + (right - left - total - space * widths.length) / 2;
  return widths.map((wide) => {
    at += wide + space;
    return { x: at - (wide + space) / 2, wide };
  });
}

export default component(Decoding);
