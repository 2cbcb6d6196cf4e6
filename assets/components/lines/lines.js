// Lines between tokens: those who look, those who are looked at, and a line for each weight, as thick as the weight is
// large, in any number of heads at once. Upright the tokens stand in two columns, lying in two rows.
//
// Pointing at a token shows its lines alone; a click keeps them (pins it) and follows its thickest. A line that is
// clicked is followed. Only lines that can be seen are drawn: of very many, the thickest.

import { clip, fit, inks, make, rgb, themeOf, told, vector, within, yielding } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp, entry, Picture, pressed, unpack } from "../kit/picture.js";
import { savePng, saveSvg } from "../kit/save.js";
import { component } from "../kit/streamlit.js";

/**
 * `planes` are named `layer.head`; behind the header each [query, key], two bytes a weight: see core/figures/lines.py.
 * `known` says what some heads do, `heads` how many a layer has. `allThere`: whether every head is among the planes;
 * else the server is asked for those that are lacking. `wide` is how many letters a token may take where the picture
 * lies, `names` the parameters of the selected line and of the pins, `file` what a saved picture is called, `changed`
 * what was changed in the model. A `single` picture has the followed head alone; `at` is the line that is followed
 * while none is selected.
 * @typedef {{id: string, fragment: string, planes: string[], queries: string[], keys: string[], heads: number,
 *   words: Record<string, string>, known: Record<string, string>, file: string, wide: number, allThere: boolean,
 *   names: {q: string, k: string, pin: string},
 *   changed: string[], single: boolean, at: [number, number] | null}} Header
 */

const AT_REST = 5000; // lines drawn at once
const THIN = 0.04; // of a pixel: what is thinner can hardly be seen among others,
const FAINT = 0.005; // ... and not even alone
const HIGH = 520; // pixels: a longer picture scrolls
const LETTERS = 14;
const KEYS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -1e6, End: 1e6 };

// A code of two bytes -> its weight, to four digits.
const DIGITS = (() => {
  const table = new Float64Array(65536);
  for (let d = 0; d < 7; d++)
    for (let m = 1000; m < 10000; m++) table[2 + 9000 * d + m - 1000] = Number(`${m}e-${4 + d}`);
  [table[1], table[2 + 63000], table[65535]] = [5e-8, 1, NaN];
  return table;
})();

const said = (weight) => (weight === 5e-8 ? "< 10⁻⁷" : short(weight));
const fill = (words, values) => words.replace(/\{(\w+)\}/g, (whole, name) => entry(values, name) ?? whole);

class Lines extends Picture {
  static className = "lines";
  static fonts = true;
  static speaks = true;

  build() {
    this.chips = this.root.appendChild(make("div", "chips"));
    this.box = this.root.appendChild(make("div", "box"));
    this.inner = this.box.appendChild(make("div", "inner"));
    this.canvas = this.inner.appendChild(make("canvas"));
    this.over = this.inner.appendChild(make("canvas", "over"));
    this.tokens = this.inner.appendChild(make("div", "tokens"));
    this.tip = this.inner.appendChild(make("div", "tip"));
    this.tip.hidden = true;
    this.foot = this.root.appendChild(make("div", "foot"));
    this.hover = null; // {side, i}
    this.line = null; // the one under the pointer
    this.box.onscroll = () => this.paint();
    this.over.onpointermove = (event) => this.point(event);
    this.over.onpointerleave = () => this.leave();
    this.over.onclick = () => this.line && this.follow(this.line);
  }

  take(bytes) {
    const [header, body] = unpack(bytes);
    this.header = header;
    this.codes = new Uint16Array(body.buffer, 0, header.planes.length * header.queries.length * header.keys.length);
    this.kept = new Map(); // of each head its lines, thickest first
    this.made = "";
    this.box.setAttribute("role", "group");
    this.box.setAttribute("aria-label", header.words.label);
  }

  // ---- what is selected

  /** What the address says is read once a drawing: each line asks for some of it. */
  read() {
    this.shown = this.readShown();
    this.pins = this.readPins();
    this.lying = this.get("way") === "lying";
  }

  /** The heads that are shown, the one that is followed first. */
  readShown() {
    const first = `${this.get("layer")}.${this.get("head")}`;
    const { heads, single } = this.header;
    const also = single ? "alone" : (this.get("also") ?? "");
    const layer = Array.from({ length: heads }, (_, i) => `${this.get("layer")}.${i + 1}`);
    const others = also === "layer" ? layer : also === "alone" ? [] : String(also).split("-");
    return [...new Set([first, ...others.filter((name) => /^\d+\.\d+$/.test(name))])];
  }

  readPins() {
    const pins = { q: [], k: [] };
    const pinned = this.get(this.header.names.pin) ?? "";
    if (pinned === "row") pins.q.push(this.followed()[0]);
    for (const [, side, i] of String(pinned).matchAll(/([qk])(\d+)/g)) pins[side].push(Number(i));
    return pins;
  }

  lacks() {
    return (
      Boolean(this.header) &&
      !this.header.allThere &&
      this.readShown().some((name) => !this.header.planes.includes(name))
    );
  }

  /** The line that is followed: its query and its key. */
  followed() {
    const { names, at } = this.header;
    return [this.integer(names.q) ?? at?.[0] ?? null, this.integer(names.k) ?? at?.[1] ?? null];
  }

  plane(name) {
    const { planes, queries, keys } = this.header;
    const i = planes.indexOf(name);
    const size = queries.length * keys.length;
    return i < 0 ? null : this.codes.subarray(i * size, (i + 1) * size);
  }

  /** Of a head, its lines {q, k, weight}, thickest first: as many as could ever be drawn at rest. */
  linesOf(name) {
    const key = `${name} ${this.full}`;
    if (this.kept.has(key)) return this.kept.get(key);
    const plane = this.plane(name);
    if (!plane) return [];
    const m = this.header.keys.length;
    const order = [];
    for (let i = 0; i < plane.length; i++) if (DIGITS[plane[i]] * this.full >= THIN) order.push(i);
    order.sort((a, b) => DIGITS[plane[b]] - DIGITS[plane[a]]);
    order.length = Math.min(order.length, AT_REST);
    const lines = order.map((i) => ({ name, q: Math.floor(i / m), k: i % m, weight: DIGITS[plane[i]] }));
    this.kept.set(key, lines);
    return lines;
  }

  rowOf(name, q) {
    const m = this.header.keys.length;
    return this.some(name, m, (k) => [q, k]);
  }

  columnOf(name, k) {
    return this.some(name, this.header.queries.length, (q) => [q, k]);
  }

  /** Of a head the lines of so many places that can be seen at all. */
  some(name, count, place) {
    const plane = this.plane(name);
    const m = this.header.keys.length;
    const lines = [];
    for (let i = 0; plane && i < count; i++) {
      const [q, k] = place(i);
      const weight = DIGITS[plane[q * m + k]];
      if (weight * this.full >= FAINT) lines.push({ name, q, k, weight });
    }
    return lines;
  }

  /** The lines of these tokens, in every head that is shown; with tokens of both sides, the lines between them. */
  among({ q, k }) {
    const lines = this.shown.flatMap((name) =>
      q.length ? q.flatMap((i) => this.rowOf(name, i)) : k.flatMap((i) => this.columnOf(name, i)),
    );
    return q.length && k.length ? lines.filter((line) => k.includes(line.k)) : lines;
  }

  // ---- geometry: `run` goes along the tokens, `across` from those who look to those who are looked at

  layout() {
    const { queries, keys, wide } = this.header;
    const width = this.root.clientWidth || 480;
    const count = Math.max(queries.length, keys.length);
    const letters = (labels) => Math.max(1, ...labels.map((label) => wideness(clip(label, LETTERS))));
    const longest = Math.max(letters(queries), letters(keys));
    if (this.lying) {
      const usual = (labels) => {
        const widths = labels.map((label) => wideness(clip(label, LETTERS))).sort((a, b) => a - b);
        return widths[Math.floor(0.85 * (widths.length - 1))]; // a few long ones are cut
      };
      const most = Math.max(usual(queries), usual(keys));
      this.pitch = clamp((width - 8) / count, 8 * (wide ? Math.min(wide, most) : most) + 12, 96);
      this.near = 34;
      this.far = yielding(224);
      this.size = [Math.max(width, count * this.pitch), this.far + 62];
    } else {
      this.pitch = yielding(count <= 14 ? 27 : count <= 24 ? 22 : 17, 14);
      const label = clamp(8 * longest + 14, 40, width * 0.3);
      this.near = label;
      this.far = width - label - Math.min(this.shown.length > 3 ? 130 : 90, width * 0.25);
      this.size = [width, 24 + count * this.pitch];
    }
    this.start = this.lying ? 0 : 22;
    this.full = this.thickness();
  }

  along(i) {
    return this.start + (i + 0.5) * this.pitch;
  }

  /** How thick a weight of 1 is. */
  thickness() {
    const most = Math.min(this.pitch * 0.55, 12);
    return Math.max(2.2, most / Math.sqrt(Math.min(6, this.shown.length)));
  }

  // ---- what a hand does

  point(event) {
    const at = within(event, this.over);
    const x = at.x + (this.offset?.x ?? 0);
    const y = at.y + (this.offset?.y ?? 0);
    const [run, across] = this.lying ? [x, y] : [y, x];
    const t = (across - this.near) / (this.far - this.near);
    let best = null;
    if (t > 0 && t < 1) {
      const eased = 3 * t * t - 2 * t * t * t;
      for (const line of this.visible ?? []) {
        const [from, to] = this.ends(line);
        const off = Math.abs(from + (to - from) * eased - run);
        if (off < Math.max(4, (line.weight * this.full) / 2) && (!best || line.weight > best.weight)) best = line;
      }
    }
    if (best?.q === this.line?.q && best?.k === this.line?.k && best?.name === this.line?.name) return;
    this.line = best;
    this.hover = null;
    this.over.style.cursor = best ? "pointer" : "default";
    this.emphasize();
    this.say(best && this.sentence(best), x, y);
  }

  leave() {
    this.line = null;
    this.hover = null;
    this.emphasize();
    this.say(null);
  }

  say(text, x = 0, y = 0) {
    this.tip.hidden = !text;
    if (!text) return;
    this.tip.textContent = text;
    this.tip.style.left = `${clamp(x + 12, 0, Math.max(0, this.size[0] - this.tip.offsetWidth))}px`;
    this.tip.style.top = `${Math.max(0, y - 28)}px`;
  }

  sentence({ name, q, k, weight }) {
    const { queries, keys } = this.header;
    return `${this.headName(name)}  ${queries[q]} → ${keys[k]}  ${said(weight)}`;
  }

  headName(name) {
    const [layer, head] = name.split(".");
    const known = entry(this.header.known, name);
    return fill(this.header.words.head, { layer, head }) + (known ? ` · ${known}` : "");
  }

  follow({ name, q, k }) {
    const [layer, head] = name.split(".").map(Number);
    const { names } = this.header;
    const patch = { [names.q]: q, [names.k]: k };
    if (name !== this.shown[0]) {
      const { also } = this.written(this.shown);
      Object.assign(patch, {
        layer,
        head,
        ...(this.get("layer") === layer && this.get("also") === "layer" ? {} : { also }),
      });
    }
    this.select(patch);
  }

  /** A list of heads as the address has it. */
  written(names) {
    return { also: names.length > 1 ? names.join("-") : "alone" };
  }

  // A pinned token stays; its thickest line is followed.
  pin(side, i) {
    const pins = this.readPins();
    const on = pins[side].includes(i);
    pins[side] = on ? pins[side].filter((other) => other !== i) : [...pins[side], i];
    const list = [...pins.q.map((q) => `q${q}`), ...pins.k.map((k) => `k${k}`)].slice(-40);
    const { names } = this.header;
    const patch = { [names.pin]: list.length ? list.join("-") : "none" };
    if (!on) {
      const lines = side === "q" ? this.rowOf(this.shown[0], i) : this.columnOf(this.shown[0], i);
      const asked = side === "k" && pins.q.length ? lines.filter((line) => line.q === pins.q.at(-1)) : lines;
      const best = asked.sort((a, b) => b.weight - a.weight)[0];
      if (best) Object.assign(patch, { [names.q]: best.q, [names.k]: best.k });
    }
    this.select(patch);
  }

  move(event, side, i) {
    const { queries, keys } = this.header;
    const across = this.lying ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
    const other = across.includes(event.key);
    const step = pressed(event, other ? { [event.key]: 0 } : KEYS);
    if (step === undefined) return;
    const to = other ? (side === "q" ? "k" : "q") : side;
    const at = clamp(i + step, 0, (to === "q" ? queries : keys).length - 1);
    const token = this.tokens.querySelector(`[data-at="${to}${at}"]`);
    token?.focus();
    token?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  enter(side, i) {
    this.hover = { side, i };
    this.line = null;
    this.emphasize();
    const lines = this.among({ q: side === "q" ? [i] : [], k: side === "k" ? [i] : [] });
    const best = lines.reduce((most, line) => (most && most.weight >= line.weight ? most : line), null);
    this.heard.textContent = best ? this.sentence(best) : this.header.words.veiled;
  }

  // ---- drawing

  draw() {
    this.root.classList.toggle("waiting", this.lacks());
    this.read();
    this.ink = inks(this.root, [...this.shown].sort(byNumber));
    this.layout();
    this.drawChips();
    this.drawTokens();
    this.paint();
    this.drawFoot();
  }

  // One chip a head, in the order of their numbers. Heads that came by themselves go together, others one by one.
  drawChips() {
    const { shown } = this;
    const apart = this.get("also") !== "layer";
    const chips = [...shown]
      .sort(byNumber)
      .map((name) => this.chip(name, name === shown[0], apart && shown.length > 1));
    this.chips.hidden = this.header.single;
    this.keepingFocus(() => this.chips.replaceChildren(...chips));
  }

  chip(name, first, removable) {
    const chip = make("span", first ? "chip first" : "chip");
    const swatch = make("i");
    swatch.style.background = this.ink.get(name);
    const known = this.shown.length < 4 && entry(this.header.known, name);
    const open = make("button", "", known ? `${name} ${known}` : this.brief(name));
    open.prepend(swatch);
    open.title = this.headName(name);
    open.setAttribute("aria-label", this.headName(name));
    open.dataset.at = `chip-${name}`;
    open.setAttribute("aria-pressed", String(first));
    open.onclick = () => this.first(name);
    chip.append(open);
    if (!removable) return chip;
    const gone = make("button", "gone", "×");
    gone.title = fill(this.header.words.remove, { name });
    gone.setAttribute("aria-label", gone.title);
    gone.onclick = () => this.without(name);
    chip.append(gone);
    return chip;
  }

  first(name) {
    const [layer, head] = name.split(".").map(Number);
    const whole = this.get("also") === "layer" && layer === this.get("layer");
    this.select({ layer, head, ...(whole ? {} : this.written(this.shown)) });
  }

  without(name) {
    const left = this.shown.filter((other) => other !== name);
    const [layer, head] = left[0].split(".").map(Number);
    this.select({ layer, head, ...this.written(left) });
  }

  drawTokens() {
    const { queries, keys, words } = this.header;
    const [asking, answering] = this.followed();
    const key = JSON.stringify([this.lying, this.size, this.pins, asking, answering]);
    if (this.made === key) return;
    this.made = key;
    this.root.classList.toggle("lying", this.lying);
    this.inner.style.width = `${this.size[0]}px`;
    this.inner.style.height = `${this.size[1]}px`;
    this.box.style.maxHeight = `${HIGH}px`;
    const pins = this.pins;
    const side = (name, labels, chosen, title) => {
      const head = make("span", "title", title);
      this.put(head, name, -1);
      return [
        head,
        ...labels.map((label, i) =>
          this.token(name, label, i, { pinned: pins[name].includes(i), chosen: i === chosen }),
        ),
      ];
    };
    this.keepingFocus(() =>
      this.tokens.replaceChildren(
        ...side("q", queries, asking, words.asks),
        ...side("k", keys, answering, words.answers),
      ),
    );
  }

  token(side, label, i, { pinned, chosen }) {
    const token = make("button", `token ${side}`, clip(label, LETTERS));
    token.dataset.at = `${side}${i}`;
    token.classList.toggle("pinned", pinned);
    token.classList.toggle("chosen", chosen);
    token.tabIndex = chosen ? 0 : -1;
    token.setAttribute("aria-pressed", String(pinned));
    token.title = label;
    token.onpointerenter = () => this.enter(side, i);
    token.onpointerleave = () => this.leave();
    token.onfocus = () => token.matches(":focus-visible") && this.enter(side, i);
    token.onblur = () => this.leave();
    token.onclick = () => this.pin(side, i);
    token.onkeydown = (event) => this.move(event, side, i);
    this.put(token, side, i);
    return token;
  }

  put(node, side, i) {
    const style = node.style;
    if (this.lying) {
      style.left = i < 0 ? "0" : `${this.along(i) - this.pitch / 2}px`;
      style.width = i < 0 ? "auto" : `${this.pitch}px`;
      style.top = side === "q" ? (i < 0 ? "0px" : "12px") : `${this.far + (i < 0 ? 46 : -1)}px`;
      style.height = i < 0 ? "14px" : "24px";
      return;
    }
    style.top = i < 0 ? "2px" : `${this.along(i) - this.pitch / 2}px`;
    style.height = i < 0 ? "18px" : `${this.pitch}px`;
    if (side === "q") Object.assign(style, { left: "0", width: `${this.near - 6}px`, textAlign: "right" });
    else Object.assign(style, { left: `${this.far + 6}px`, textAlign: "left" });
  }

  /** Where a line begins and ends along the tokens; lines of several heads between the same two lie side by side. */
  ends(line) {
    const off = line.off ?? 0;
    return [this.along(line.q) + off, this.along(line.k) + off];
  }

  // Lines between the same two tokens, side by side.
  stacked(lines) {
    if (this.shown.length === 1) return lines;
    const piles = new Map();
    for (const line of lines) {
      const key = `${line.q} ${line.k}`;
      if (!piles.has(key)) piles.set(key, []);
      piles.get(key).push(line);
    }
    for (const pile of piles.values()) {
      const total = pile.reduce((sum, { weight }) => sum + weight * this.full, 0);
      let at = -total / 2;
      for (const line of pile) {
        line.off = at + (line.weight * this.full) / 2;
        at += line.weight * this.full;
      }
    }
    return lines;
  }

  /** The lines of what is pinned; with no pins, the thickest of all. */
  resting() {
    const pins = this.pins;
    if (pins.q.length || pins.k.length) {
      this.cut = 0;
      return this.among(pins);
    }
    const all = this.shown.map((name) => this.linesOf(name)).flat();
    all.sort((a, b) => b.weight - a.weight);
    const most = all.filter(({ weight }) => weight * this.full >= THIN).slice(0, AT_REST);
    this.cut = most.length < this.count() ? (most.at(-1)?.weight ?? 0) : 0;
    return most;
  }

  count() {
    const { queries, keys } = this.header;
    return queries.length * keys.length * this.shown.length;
  }

  paint() {
    if (!this.ink) return;
    const key = JSON.stringify([this.shown, this.get(this.header.names.pin), this.lying, this.size]);
    if (this.rested !== key || this.from !== this.codes) {
      [this.rested, this.from] = [key, this.codes];
      this.rest = this.stacked(this.resting());
    }
    const view = this.view();
    for (const canvas of [this.canvas, this.over]) {
      canvas.style.transform = `translate(${view.x}px, ${view.y}px)`;
    }
    this.offset = view;
    this.stroke(this.canvas, this.rest, view);
    this.emphasize();
  }

  // The part of the picture that is in sight.
  view() {
    const [width, height] = this.size;
    const x = this.box.scrollLeft;
    const y = this.box.scrollTop;
    return { x, y, width: Math.min(width, this.root.clientWidth || width), height: Math.min(height, HIGH) };
  }

  stroke(canvas, lines, view) {
    const pen = fit(canvas, [view.width, view.height]);
    pen.translate(-view.x, -view.y);
    const [low, high] = this.lying ? [view.x, view.x + view.width] : [view.y, view.y + view.height];
    const alpha = this.shown.length > 1 ? 0.8 : 0.72;
    pen.globalAlpha = alpha;
    for (const line of lines) {
      const [from, to] = this.ends(line);
      if (Math.max(from, to) < low || Math.min(from, to) > high) continue;
      pen.strokeStyle = this.ink.get(line.name);
      pen.lineWidth = line.weight * this.full;
      this.trace(pen, from, to);
    }
    pen.globalAlpha = 1;
    return pen;
  }

  trace(pen, from, to) {
    const { near, far } = this;
    const third = (far - near) / 3;
    pen.beginPath();
    if (this.lying) {
      pen.moveTo(from, near);
      pen.bezierCurveTo(from, near + third, to, far - third, to, far);
    } else {
      pen.moveTo(near, from);
      pen.bezierCurveTo(near + third, from, far - third, to, far, to);
    }
    pen.stroke();
  }

  // What is pointed at, over what is pinned; the rest steps back.
  emphasize() {
    if (!this.ink || !this.offset) return;
    const { hover, line } = this;
    const pins = this.pins;
    const some = Boolean(hover || line);
    this.canvas.classList.toggle("back", some);
    let lines = [];
    if (hover)
      lines = this.stacked(
        this.among({ q: hover.side === "q" ? [hover.i] : [], k: hover.side === "k" ? [hover.i] : [] }),
      );
    else if (line) lines = [line];
    this.visible = hover ? lines : this.rest;
    const pen = this.stroke(this.over, lines, this.offset);
    const one = hover?.side === "q" ? hover.i : !some && pins.q.length === 1 && !pins.k.length ? pins.q[0] : null;
    if (one !== null) this.note(pen, one);
    this.mark(pen);
  }

  // Beside the keys of one row: its weights in a single head; of several, which heads look there most.
  note(pen, q) {
    const css = themeOf(this.root);
    pen.font = `12px ${css("--st-code-font")}`;
    pen.textBaseline = "middle";
    const names = this.shown;
    const rows = names.map((name) => this.rowOf(name, q).sort((a, b) => b.weight - a.weight));
    const at = new Map();
    rows.forEach((row, i) => {
      const told = names.length === 1 ? row.slice(0, 6).filter(({ weight }) => weight >= 0.02) : row.slice(0, 1);
      for (const { k, weight } of told) {
        if (!at.has(k)) at.set(k, []);
        const text = names.length === 1 ? said(weight) : this.brief(names[i]);
        at.get(k).push([text, this.ink.get(names[i])]);
      }
    });
    for (const [k, notes] of at) this.notesAt(pen, k, notes);
  }

  /** A head by its number, where all are of one layer. */
  brief(name) {
    const layers = new Set(this.shown.map((other) => other.split(".")[0]));
    return layers.size === 1 && this.shown.length > 1 ? name.split(".")[1] : name;
  }

  notesAt(pen, k, notes) {
    const gap = 6;
    if (this.lying) {
      const total = notes.reduce((sum, [text]) => sum + pen.measureText(text).width + gap, -gap);
      let x = this.along(k) - total / 2;
      const lines = total > this.pitch * 1.6 ? 2 : 1;
      notes.forEach(([text, ink], i) => {
        if (lines === 2 && i === Math.ceil(notes.length / 2)) x = this.along(k) - total / 4;
        if (lines === 2 && i === 0) x = this.along(k) - total / 4;
        pen.fillStyle = ink;
        pen.fillText(text, x, this.far + (lines === 2 && i >= Math.ceil(notes.length / 2) ? 43 : 29));
        x += pen.measureText(text).width + gap;
      });
      return;
    }
    const label = wideness(clip(this.header.keys[k], LETTERS)) * 8 + 14;
    let x = this.far + 6 + label;
    const room = this.size[0] - x;
    const total = notes.reduce((sum, [text]) => sum + pen.measureText(text).width + gap, -gap);
    const tight = total > room;
    pen.font = `${tight ? 10.5 : 12}px ${themeOf(this.root)("--st-code-font")}`;
    for (const [text, ink] of notes) {
      pen.fillStyle = ink;
      pen.fillText(text, x, this.along(k));
      x += pen.measureText(text).width + (tight ? 2 : gap);
    }
  }

  // The line that is followed ends in two dots.
  mark(pen) {
    const [q, k] = this.followed();
    const { queries, keys } = this.header;
    if (q === null || k === null || q >= queries.length || k >= keys.length) return;
    const found = this.rest.find((line) => line.name === this.shown[0] && line.q === q && line.k === k);
    const [from, to] = this.ends(found ?? { q, k });
    const css = themeOf(this.root);
    pen.strokeStyle = pen.fillStyle = css("--st-text-color");
    pen.lineWidth = 1.2;
    pen.setLineDash([4, 3]);
    this.trace(pen, from, to);
    pen.setLineDash([]);
    for (const [run, across] of [
      [from, this.near],
      [to, this.far],
    ]) {
      pen.beginPath();
      pen.arc(...(this.lying ? [run, across] : [across, run]), 3.2, 0, 7);
      pen.fill();
    }
  }

  drawFoot() {
    const { words } = this.header;
    const pins = this.pins;
    const line = make("div", "line");
    const tool = (text, act, at, help = "") => {
      const button = make("button", "tool", text);
      if (help) button.title = help;
      button.onclick = act;
      button.dataset.at = at;
      return button;
    };
    const several = this.shown.length > 1;
    const over = several ? words.alone : fill(words.all, { heads: this.header.heads });
    if (!this.header.single)
      line.append(tool(over, () => this.select({ also: several ? "alone" : "layer" }), "all", words.helpOver));
    line.append(tool(this.lying ? words.upright : words.lying, () => this.turn(), "way", words.helpWay));
    const pinned = pins.q.length + pins.k.length > 0;
    const unpin = tool(words.unpin, () => this.select({ [this.header.names.pin]: "none" }), "unpin", words.helpUnpin);
    unpin.disabled = !pinned;
    line.append(unpin, make("span", "save", words.save));
    line.append(
      tool("SVG", () => saveSvg(this.svg(), this.header.file), "svg"),
      tool("PNG", () => savePng(this.svg(), this.header.file), "png"),
    );
    const numbered = several && pins.q.length === 1 && !pins.k.length;
    const more = [numbered ? words.most : "", this.cut ? fill(words.least, { weight: said(this.cut) }) : ""];
    const caption = make("div", "caption");
    caption.append(...told([words.caption, ...more].filter(Boolean).join(" ")));
    this.keepingFocus(() => this.foot.replaceChildren(line, caption));
  }

  turn() {
    this.select({ way: this.lying ? "upright" : "lying" });
  }

  // ---- saved

  /** The picture as it stands: the same lines, whole, with the tokens, and a legend of the heads. */
  svg() {
    const { queries, keys, changed, words } = this.header;
    const css = themeOf(this.root);
    const color = (name) => `rgb(${rgb(css(name)).join(",")})`;
    const [width, height] = this.size;
    const widest = Math.max(...this.shown.map((name) => wideness(this.headName(name))));
    const columns = Math.max(1, Math.min(4, Math.floor(width / (8 * widest + 16))));
    const legend = 20 * Math.ceil(this.shown.length / columns) + (changed.length ? 20 : 0) + 12;
    const svg = vector("svg", { xmlns: "http://www.w3.org/2000/svg", width, height: height + legend });
    svg.setAttribute("viewBox", `0 0 ${width} ${height + legend}`);
    svg.append(vector("rect", { width, height: height + legend, fill: color("--st-background-color") }));
    const third = (this.far - this.near) / 3;
    for (const line of this.rest) {
      const [from, to] = this.ends(line);
      const { near, far } = this;
      const points = [
        [from, near],
        [from, near + third],
        [to, far - third],
        [to, far],
      ].map(([run, across]) => (this.lying ? [run, across] : [across, run]).map(round).join(" "));
      const d = `M${points[0]}C${points.slice(1).join(" ")}`;
      const path = vector("path", { d, fill: "none", stroke: this.ink.get(line.name), "stroke-opacity": 0.8 });
      path.setAttribute("stroke-width", (line.weight * this.full).toFixed(4));
      path.append(vector("title", {}, this.sentence(line)));
      svg.append(path);
    }
    const text = (x, y, label, anchor, ink = color("--st-text-color")) =>
      svg.append(
        vector("text", { x, y, "text-anchor": anchor, fill: ink, "font-family": "monospace", "font-size": 13 }, label),
      );
    const side = (labels, near, anchor) =>
      labels.forEach((label, i) => {
        if (this.lying) text(this.along(i), near ? this.near - 8 : this.far + 16, clip(label, LETTERS), "middle");
        else text(near ? this.near - 8 : this.far + 8, this.along(i) + 4, clip(label, LETTERS), anchor);
      });
    side(queries, true, "end");
    side(keys, false, "start");
    this.shown.forEach((name, i) => {
      const x = 8 + (i % columns) * (width / columns);
      text(x, height + 20 + 20 * Math.floor(i / columns), this.headName(name), "start", this.ink.get(name));
    });
    if (changed.length) text(8, height + legend - 8, `${words.mixed} ${changed.join(" ")}`, "start");
    return svg;
  }
}

const byNumber = (one, other) =>
  Number(one.split(".")[0]) - Number(other.split(".")[0]) || one.split(".")[1] - other.split(".")[1];
const round = (x) => Math.round(x * 10) / 10;

/** How many letters wide a text is: a Chinese character counts two. */
function wideness(text) {
  return [...text].reduce((sum, c) => sum + (c > "\u2e7f" ? 2 : 1), 0);
}

export default component(Lines);
