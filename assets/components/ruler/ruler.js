// The characters of a text as columns on one ruler, and under each what every step made of it: one column is one
// character, from the typed row down to the ids. Only the columns in view are drawn, so 2,000 of them scroll smoothly.

import { make, showTip, themeOf, tipIn, titled, within } from "../kit/draw.js";
import { clamp, fade, Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `text` is as it was typed. `rows` are steps, each told by what it changed: [column, text], null where the step does
 * not touch it. `units` are words and what is added, as [kind, start, end, text, cut]; `pieces` what they became, as
 * [unit, step, start, end, text, id, kept]; those of `veiled` units are not among them. What is added stands in a
 * column of its own before or behind the text. `beside` says that what is followed may be no unit of the text,
 * `words.idle` names steps that changed nothing and have no row.
 * @typedef {{text: string, rows: {label: string, hint: string, changes: [number, string | null][]}[],
 *   units: ["word" | "typed" | "added", number, number, string, string | null][],
 *   pieces: [number, number, number, number, string, number, boolean][], beside: boolean, veiled: number[],
 *   words: Record<"label" | "offsets" | "added" | "veiled" | "say" | "words" | "pieces" | "ids" | "wordsHint" |
 *     "piecesHint" | "idsHint" | "idle", string> & {legend: [string, string][]}}} Data
 */

const HEAD = 20;
const PITCH = 30;
const CELL = 26;
const NARROWEST = 19;
const [WIDEST, ROOMY] = [40, 84]; // pixels of a column; where each is a token of its own
const GAP = 3;
const MARGIN = 300; // drawn beyond what is in view

class Ruler extends Picture {
  static className = "ruler";
  static fonts = true; // widths are measured on a canvas
  static speaks = true;

  build() {
    this.labels = this.root.appendChild(make("div", "labels"));
    this.scroll = this.measured = this.root.appendChild(make("div", "scroll"));
    this.plane = this.scroll.appendChild(make("div", "plane"));
    this.tip = tipIn(this.root);
    this.foot = this.root.appendChild(make("div", "foot"));
    this.plane.tabIndex = 0;
    this.plane.onclick = (event) => this.pick(event);
    this.plane.onkeydown = (event) => this.move(event);
    this.plane.onpointermove = (event) => this.point(event);
    this.plane.onpointerleave = () => showTip(this.tip, null);
    this.scroll.onscroll = () => this.later();
    this.holdWhilePressed();
    this.atEnd(() => cancelAnimationFrame(this.frame));
  }

  // Drawn anew under a pressed finger, a chip would lose its click: that waits until the finger is up.
  holdWhilePressed() {
    this.pressed = false;
    this.plane.onpointerdown = () => (this.pressed = true);
    const release = () => {
      this.pressed = false;
      this.later();
    };
    this.listen(window, "pointerup", release);
    this.listen(window, "pointercancel", release);
  }

  take(data) {
    this.data = data;
    this.typed = [...data.text];
    this.rows = told(this.typed, data.rows);
    this.unitOf = new Int32Array(this.typed.length).fill(-1);
    data.units.forEach(([kind, start, end], unit) => kind !== "added" && this.unitOf.fill(unit, start, end));
    this.named(this.plane, "application", data.words.label);
    this.several = new Set(data.pieces.filter((piece) => piece[1] > 1).map((piece) => piece[0]));
    this.clusters = clusters(data.pieces, this.typed.length);
    this.same = whole(data);
    this.each = this.clusters.every(({ pieces, from, to }) => to - from === 1 && pieces.length === 1);
    this.root.classList.toggle("each", this.each);
    this.unit = null;
    this.x = null; // where the columns are, once they were measured
  }

  // The columns are where they are until the text or the room changes.
  resized() {
    this.x = null;
    this.redraw();
  }

  draw() {
    if (!this.x) this.layout();
    const unit = this.now();
    if (unit !== this.unit && unit >= 0) this.reveal(unit);
    this.unit = unit;
    this.drawFoot();
    this.drawPlane();
  }

  // ---- geometry

  // Columns are as narrow as a letter, wider where a piece or an id needs it; a short text fills the room there is.
  layout() {
    const n = this.typed.length;
    const room = this.scroll.clientWidth - 4;
    const measure = ruling(this.root);
    const wide = new Float64Array(n + 2).fill(NARROWEST);
    const [first, last] = [0, -1].map((at) => this.data.units.at(at)?.[0] === "added");
    wide[0] = first ? measure("[CLS]", 12) + 16 : 0; // nothing is free where nothing is added
    wide[n + 1] = last ? measure("[SEP]", 12) + 16 : 0;
    for (const { changes } of this.data.rows)
      for (const [i, text] of changes)
        if (text?.length > 1) wide[i + 1] = Math.max(wide[i + 1], measure(visible(text), 13) + 8);
    this.typed.forEach((text, i) => {
      if (isCode(text)) wide[i + 1] = Math.max(wide[i + 1], 34);
    });
    for (const { pieces, from, to } of this.clusters) {
      const need = pieces.reduce(
        (sum, [, , , , text, id]) =>
          sum + Math.max(measure(text, this.each ? 17 : 13) + 10, measure(String(id), 12) + 6),
        GAP,
      );
      widen(wide, from, to, need);
    }
    if (this.each) wide.fill(Math.max(...wide.slice(1, n + 1)), 1, n + 1); // however many digits an id has
    const total = wide.reduce((a, b) => a + b, 0);
    if (total < room && n) {
      const most = this.each ? ROOMY : WIDEST; // of letters those of a word stay together
      const extra = Math.min((room - total) / n, most - NARROWEST);
      for (let i = 1; i <= n; i++) wide[i] += extra;
    }
    this.x = new Float64Array(n + 3);
    wide.forEach((w, i) => (this.x[i + 1] = this.x[i] + w));
    this.every = [1, 2, 5, 10].find((step) => step * Math.min(...wide.slice(1, n + 1), WIDEST) >= 30) ?? 10;
    const rows = this.rows.length;
    this.y = {
      words: HEAD + rows * PITCH + 4,
      pieces: HEAD + rows * PITCH + (this.same ? 4 : PITCH + 8),
    };
    this.y.ids = this.y.pieces + PITCH - 2;
    this.high = this.y.ids + 24;
    this.plane.style.width = `${this.x[n + 2]}px`;
    this.plane.style.height = `${this.high}px`;
    this.drawLabels();
  }

  // The column of a unit's edge: 0 is what is added in front, 1 the first character.
  span(unit) {
    const [kind, start, end] = this.data.units[unit];
    const n = this.typed.length;
    if (kind === "added") return unit ? [n + 1, n + 2] : [0, 1];
    return [start + 1, end + 1];
  }

  columnAt(x) {
    let [low, high] = [0, this.x.length - 2];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.x[middle] <= x) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  unitAt(column) {
    const n = this.typed.length;
    if (column === 0) return 0;
    return column === n + 1 ? this.data.units.length - 1 : this.unitOf[column - 1];
  }

  place(event) {
    const { x, y } = within(event, this.plane);
    return [this.columnAt(x), y];
  }

  // ---- what a hand does

  pick(event) {
    if (!this.x) return;
    const chip = event.target.closest?.("[data-unit]");
    const unit = chip ? Number(chip.dataset.unit) : this.unitAt(this.place(event)[0]);
    if (unit < 0) return;
    const step = Number(chip?.dataset.step) || null;
    this.select({ word: unit, step: step > 1 ? step : null });
  }

  move(event) {
    const last = this.data.units.length - 1;
    const now = this.now() < 0 ? last + 1 : this.now();
    const to = pressed(event, { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last });
    if (to === undefined) return;
    const unit = clamp(to, 0, last);
    this.heard.textContent = this.say(unit);
    this.select({ word: unit, step: null }); // another word begins at its first step
  }

  point(event) {
    if (!this.x) return;
    const [column] = this.place(event);
    const chip = event.target.closest?.("[data-say]");
    const n = this.typed.length;
    const unit = this.unitAt(column);
    const text = column > 0 && column <= n ? this.typed[column - 1] : "";
    const character = text && `${visible(text)}  ${code(text)}  ${column - 1}`;
    const { x, y, width } = within(event, this.root);
    const at = { x, y: y - 30, gap: 14, width };
    showTip(this.tip, chip?.dataset.say ?? (character || this.say(unit)), at);
  }

  // A unit in words, on hover and for a screen reader. What is veiled has no pieces here, so they cannot be said.
  say(unit) {
    const { units, pieces, veiled, words } = this.data;
    const [, start, end, text] = units[unit];
    if (veiled.includes(unit)) return `${isolate(text)}  (${start}, ${end})  ${words.veiled}`;
    return pieces
      .filter((piece) => piece[0] === unit)
      .map((piece) => sayPiece(piece, words))
      .join("   ");
  }

  /** The selected unit; -1 where what is followed stands beside the text. */
  now() {
    const { length } = this.data.units;
    const at = this.index("word", length + 1);
    return at < length ? at : this.data.beside ? -1 : length - 1;
  }

  // ---- drawing

  reveal(unit) {
    const [from, to] = this.span(unit);
    const [left, right] = [this.x[from], this.x[to]];
    const { scrollLeft, clientWidth } = this.scroll;
    if (left < scrollLeft || right > scrollLeft + clientWidth)
      this.scroll.scrollLeft = Math.max(0, Math.min(left - 40, (left + right - clientWidth) / 2));
  }

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.drawPlane());
  }

  // What is in view.
  drawPlane() {
    if (!this.x || this.pressed) return;
    const n = this.typed.length;
    const { scrollLeft, clientWidth } = this.scroll;
    this.from = this.columnAt(Math.max(0, scrollLeft - MARGIN));
    this.to = this.columnAt(scrollLeft + clientWidth + MARGIN) + 1;
    const drawn = [this.band()];
    for (let column = Math.max(1, this.from); column < Math.min(n + 1, this.to); column++)
      drawn.push(...this.column(column));
    this.data.units.forEach((_, unit) => this.inView(...this.span(unit)) && drawn.push(...this.word(unit)));
    for (const cluster of this.clusters) if (this.inView(cluster.from, cluster.to)) drawn.push(...this.pieces(cluster));
    this.plane.replaceChildren(...drawn);
    fade(this.scroll);
  }

  inView(from, to) {
    return from < this.to && to > this.from;
  }

  put(className, text, left, top, width, height) {
    const node = make("span", className, text);
    node.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px;line-height:${height}px`;
    return node;
  }

  band() {
    if (this.now() < 0) return "";
    const [from, to] = this.span(this.now());
    return this.put("band", "", this.x[from], HEAD - 2, this.x[to] - this.x[from], this.high - HEAD + 2);
  }

  column(column) {
    const i = column - 1;
    const left = this.x[column];
    const width = this.x[column + 1] - left;
    const drawn = i % this.every ? [] : [this.put("tick", String(i), left + width / 2 - 16, 0, 32, 16)];
    this.rows.forEach(({ cells, changed }, row) => {
      const text = cells[i];
      if (text === "" && !changed.has(i)) return;
      const looks = [changed.size || !row ? "cell" : "cell same"];
      if (changed.has(i)) looks.push("changed");
      if (text === "") looks.push("gone");
      else if (text === null) looks.push("literal");
      else if (isCode(text)) looks.push("code");
      else if (text === " ") looks.push("blank");
      const shown = text === "" ? "×" : text === null ? "" : visible(text);
      drawn.push(this.put(looks.join(" "), shown, left, HEAD + row * PITCH + 2, width, CELL));
    });
    return drawn;
  }

  word(unit) {
    const [kind, , , text, cut] = this.data.units[unit];
    const [from, to] = this.span(unit);
    const left = this.x[from];
    const width = this.x[to] - left;
    const drawn = [];
    if (kind !== "added") {
      if (!this.same) {
        const chip = this.chip(`word ${kind}`, text, left, this.y.words, width);
        chip.dataset.unit = unit;
        chip.classList.toggle("on", unit === this.now());
        drawn.push(chip);
      }
      if (cut === "punctuation" || cut === "cjk")
        drawn.push(this.put(`cut ${cut}`, "", left - 1, this.y.words - 3, 2, CELL + 6));
    }
    if (this.data.veiled.includes(unit)) {
      const veil = this.chip("piece veil", "?", left, this.y.pieces, width);
      veil.dataset.unit = unit;
      veil.dataset.say = this.say(unit);
      drawn.push(veil);
    }
    return drawn;
  }

  // Pieces of one stretch of columns; several that come from one character share its column.
  pieces({ pieces, from, to }) {
    const share = (this.x[to] - this.x[from]) / pieces.length;
    const drawn = [];
    pieces.forEach((piece, i) => {
      const [unit, step, , , text, id, kept] = piece;
      const [kind] = this.data.units[unit];
      const one = !this.several.has(unit); // [UNK]: one token at the end of a walk of several steps
      const left = this.x[from] + i * share;
      const chosen = unit === this.now();
      const chip = this.chip(`piece ${kind}`, "", left, this.y.pieces, share);
      const inner = chip.firstChild;
      if (text.startsWith("##") && text.length > 2 && kind === "word") inner.append(make("i", "", "##"), text.slice(2));
      else inner.append(text);
      chip.dataset.unit = unit;
      chip.dataset.step = step;
      chip.dataset.say = sayPiece(piece, this.data.words);
      chip.classList.toggle("on", chosen);
      chip.classList.toggle("at", chosen && (one || step === (Number(this.get("step")) || 1)));
      chip.classList.toggle("cutoff", !kept);
      const number = this.put(kept ? "id" : "id cutoff", undefined, left, this.y.ids, share, 20);
      number.append(make("span", "", String(id)));
      drawn.push(chip, number);
    });
    return drawn;
  }

  chip(className, text, left, top, width) {
    const node = this.put(`chip ${className}`, undefined, left + GAP / 2, top, width - GAP, CELL);
    node.append(make("span", "", text === "" ? "" : visible(text)));
    return node;
  }

  drawLabels() {
    const { rows, words } = this.data;
    const at = [
      ...rows.map(({ label, hint }, i) => [label, hint, HEAD + i * PITCH + 2]),
      ...(this.same ? [] : [[words.words, words.wordsHint, this.y.words]]),
      [words.pieces, words.piecesHint, this.y.pieces],
      [words.ids, words.idsHint, this.y.ids - 3],
    ];
    this.labels.style.height = `${this.high}px`;
    const sizers = at.map(([label]) => make("span", "sizer", label)); // the column is as wide as its longest label
    this.labels.replaceChildren(
      ...sizers,
      ...at.map(([label, hint, top]) => {
        const node = titled(make("span", "", label), hint);
        node.style.top = `${top}px`;
        return node;
      }),
    );
  }

  drawFoot() {
    const { words, units, pieces } = this.data;
    const unit = this.now();
    const mine = pieces.filter((piece) => piece[0] === unit);
    const offsets = mine
      .slice(0, 12)
      .map(([, , start, end, text]) => `${isolate(text)} (${start}, ${end})`)
      .join("  ");
    const added = units[unit]?.[0] === "added";
    const said = added ? words.added : `${words.offsets}  ${offsets || words.veiled}`;
    const chosen = make("div", "chosen", unit < 0 ? "" : said); // what is no unit is named where it is walked
    const idle = words.idle ? [make("div", "idle", words.idle)] : [];
    const legend = make("div", "legend");
    for (const [kind, text] of words.legend) {
      const item = make("span", "item");
      item.append(make("span", `mark ${kind}`, { gone: "×", blank: "␣" }[kind] ?? ""), make("span", "", text));
      legend.append(item);
    }
    this.foot.replaceChildren(...idle, legend, chosen);
  }
}

// A piece from right to left keeps its numbers behind it.
const isolate = (text) => `\u2068${text}\u2069`;
const sayPiece = ([, , start, end, text, id], { say }) =>
  say.replace(/\{(\w+)\}/g, (_, name) => ({ piece: isolate(text), id, start, end })[name]);

// Whether every word is one piece: a row of words would say what the row of pieces does.
function whole({ units, pieces, veiled }) {
  return (
    !veiled.length && units.length === pieces.length && pieces.every(([unit, , , , text]) => text === units[unit][3])
  );
}

// Each row's cells, from what it changed in the one before.
function told(typed, rows) {
  let cells = typed;
  return rows.map(({ changes }) => {
    if (changes.length) cells = [...cells];
    for (const [i, text] of changes) cells[i] = text;
    return { cells, changed: new Set(changes.filter(([, text]) => text !== null).map(([i]) => i)) };
  });
}

// Pieces that lie over one another (a Hangul syllable becomes three) are drawn side by side.
function clusters(pieces, n) {
  const found = [];
  for (const piece of pieces) {
    const [unit, , start, end] = piece;
    const added = end === 0;
    const from = added ? (unit ? n + 1 : 0) : start + 1;
    const to = added ? from + 1 : end + 1;
    const last = found.at(-1);
    if (last && from < last.to) {
      last.pieces.push(piece);
      last.to = Math.max(last.to, to);
    } else found.push({ pieces: [piece], from, to });
  }
  return found;
}

function widen(wide, from, to, need) {
  let has = 0;
  for (let i = from; i < to; i++) has += wide[i];
  for (let i = from; i < to && has < need; i++) wide[i] += (need - has) / (to - from);
}

// text, size -> its width in the code font.
function ruling(root) {
  const pen = document.createElement("canvas").getContext("2d");
  const font = themeOf(root)("--st-code-font");
  const known = new Map();
  return (text, size) => {
    const key = `${size} ${text}`;
    if (!known.has(key)) {
      pen.font = `${size}px ${font}`;
      known.set(key, pen.measureText(text).width);
    }
    return known.get(key);
  };
}

// ---- characters that have no shape of their own

const code = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
const NO_SHAPE = /^[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0\uFE00-\uFE0F]$/u;

// Shown by its number: neither a letter nor one of the pictures ␀ … ␡ for control characters.
const isCode = (text) => text !== null && [...text].length === 1 && NO_SHAPE.test(text) && text.codePointAt(0) > 0x7f;

function shape(character) {
  const point = character.codePointAt(0);
  if (point <= 0x20) return String.fromCodePoint(0x2400 + (point === 0x20 ? 0x23 : point));
  if (point === 0x7f) return "␡";
  if (NO_SHAPE.test(character)) return point.toString(16).toUpperCase().padStart(4, "0");
  return character;
}

// A mark that sits on the letter before it gets a dotted circle to sit on.
const visible = (text) => (/^\p{M}/u.test(text) ? "◌" : "") + [...text].map(shape).join("");

export default component(Ruler);
