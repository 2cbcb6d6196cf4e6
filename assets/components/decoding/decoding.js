// A translation as it is written: the source above, under it word by word what comes out and what goes in, and between
// them, as lines, where each word looked. One selection, `q`, is the row that is being written: it steps forward and
// back, and plays. Beside it what might have come instead, of every step, so that no step asks the server.
// What must not be seen yet arrives as NaN (a row of lines).

import { make, onSelection, select, shared, unpack } from "../shared/shared.js";

const SVG = "http://www.w3.org/2000/svg";
const LETTER = 7.8, PACE = 1100; // pixels a letter, milliseconds a word

export default function ({ data, parentElement, setStateValue }) {
  const decoding = (parentElement.decoding ??= new Decoding(parentElement));
  decoding.ask = (selection) => setStateValue("selection", selection);
  decoding.take(data);
  return () => {
    decoding.end();
    delete parentElement.decoding;
  };
}

class Decoding {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "decoding"));
    this.bar = this.root.appendChild(make("div", "bar"));
    this.scroll = this.root.appendChild(make("div", "scroll"));
    this.svg = this.scroll.appendChild(document.createElementNS(SVG, "svg"));
    this.kept = this.root.appendChild(make("div", "kept"));
    this.svg.setAttribute("tabindex", "0");
    this.svg.setAttribute("role", "slider");
    this.svg.onkeydown = (event) => this.key(event);
    this.buttons = {};
    for (const [name, sign] of Object.entries({ first: "|‹", back: "‹", play: "▶\uFE0E", on: "›", last: "›|" })) {
      const button = (this.buttons[name] = this.bar.appendChild(make("button", name, sign)));
      button.onclick = () => this[name]();
    }
    this.count = this.bar.appendChild(make("span", "count"));
    this.count.setAttribute("aria-live", "polite");
    const redraw = () => this.draw();
    this.observer = new ResizeObserver(redraw);
    this.observer.observe(this.scroll);
    this.stop = onSelection(redraw);
    shared.pictures.add(this);
  }

  end() {
    clearInterval(this.timer);
    this.stop();
    this.observer.disconnect();
    shared.pictures.delete(this);
    this.root.remove();
  }

  // Header: source, given, written (texts), special (of the source), planes ("layer/head"), steps [{candidates [text,
  // probability, taken], beams [text, log-probability, score, taken]}], words. Behind it: the planes, [target, source].
  take(bytes) {
    const [header, body] = unpack(bytes);
    this.header = header;
    this.values = new Float32Array(body.buffer, 0, header.planes.length * header.given.length * header.source.length);
    for (const [name, button] of Object.entries(this.buttons)) button.setAttribute("aria-label", header.words[name]);
    this.draw();
  }

  // Another head than those that are here.
  lacks() {
    return Boolean(this.header) && this.plane() === null;
  }

  report(selection) {
    this.ask(selection);
  }

  plane() {
    const { planes, given, source } = this.header, i = planes.indexOf(`${shared.selection.layer}/${shared.selection.head}`);
    const size = given.length * source.length;
    return i < 0 ? null : this.values.subarray(i * size, (i + 1) * size);
  }

  row(q) {
    const plane = this.plane() ?? this.shown, n = this.header.source.length;
    return plane ? [...plane.subarray(q * n, (q + 1) * n)] : [];
  }

  get q() {
    return Number(shared.selection.q);
  }

  // ---- what a hand does

  to(q) {
    const within = Math.max(0, Math.min(this.header.given.length - 1, q)), row = this.row(within);
    if (within === this.q) return;
    const best = row.some(Number.isNaN) ? 0 : row.indexOf(Math.max(...row));
    select({ q: within, k: best, j: null }, 150);
  }

  first() { this.halt(); this.to(0); }
  back() { this.halt(); this.to(this.q - 1); }
  on() { this.halt(); this.to(this.q + 1); }
  last() { this.halt(); this.to(Infinity); }

  play() {
    if (this.timer) return this.halt();
    if (this.q === this.header.given.length - 1) this.to(0);
    this.timer = setInterval(() => (this.q === this.header.given.length - 1 ? this.halt() : this.to(this.q + 1)), PACE);
    this.draw();
  }

  halt() {
    clearInterval(this.timer);
    this.timer = 0;
    this.draw();
  }

  key(event) {
    const act = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play" }[event.key];
    if (!act) return;
    event.preventDefault();
    this[act]();
  }

  // ---- drawing

  layout() {
    const { source, given, written } = this.header, room = this.scroll.clientWidth || 600;
    const columns = given.map((word, i) => Math.max(40, LETTER * Math.max(length(word), length(written[i] ?? "")) + 12));
    const total = columns.reduce((sum, wide) => sum + wide, 0), sources = source.map((text) => Math.max(28, 8 * length(text) + 10));
    const across = sources.reduce((sum, wide) => sum + wide, 0);
    this.left = room < 520 ? 0 : 46;
    this.width = Math.max(room, this.left + Math.max(total, across));
    this.target = centres(columns, this.left, this.width);
    this.source = centres(sources, this.left, this.width);
  }

  draw() {
    if (!this.header || shared.selection.q === undefined) return;
    this.shown = this.plane() ?? this.shown;
    this.layout();
    const { source, given, written, special, words } = this.header, q = this.q, high = 218;
    for (const [name, value] of Object.entries({ width: this.width, height: high })) this.svg.setAttribute(name, value);
    const nodes = [];
    given.forEach((_, i) => i <= q && nodes.push(...this.lines(i, i === q)));
    source.forEach((text, i) => nodes.push(...this.chip(this.source[i], 14, text, special[i] ? "special" : "", () => select({ k: i, j: null }), i === Number(shared.selection.k) && shared.selection.j === null ? "second" : "")));
    given.forEach((text, i) => {
      const state = i < q ? "" : i === q ? "now" : "later", to = () => { this.halt(); this.to(i); };
      if (written[i] !== undefined) nodes.push(...this.chip(this.target[i], 152, i <= q ? written[i] : "·", state, to));
      nodes.push(this.text(this.target[i].x, 181, "↑", `arrow ${state}`));
      nodes.push(...this.chip(this.target[i], 204, i <= q ? text : "·", `given ${state} ${i === 0 ? "special" : ""}`, to));
    });
    if (this.left) [[18, words.source], [156, words.written], [208, words.given]].forEach(([y, text]) => nodes.push(this.text(0, y, text, "label", "start")));
    this.svg.replaceChildren(...nodes);
    this.buttons.play.textContent = this.timer ? "❚❚" : "▶\uFE0E";
    this.buttons.play.setAttribute("aria-label", this.timer ? words.pause : words.play);
    this.buttons.back.disabled = this.buttons.first.disabled = q === 0;
    this.buttons.on.disabled = this.buttons.last.disabled = q === given.length - 1;
    this.count.textContent = words.step.replace("{step}", q + 1).replace("{steps}", given.length);
    this.svg.setAttribute("aria-label", words.label);
    for (const [name, value] of Object.entries({ "aria-valuemin": 1, "aria-valuemax": given.length, "aria-valuenow": q + 1, "aria-valuetext": `${this.count.textContent}: ${given.slice(1, q + 1).join(" ")} → ${written[q] ?? ""}` })) this.svg.setAttribute(name, value);
    const seen = this.scroll.clientWidth, ends = [this.target[q].x, this.source[Number(shared.selection.k)]?.x ?? 0];
    const middle = Math.abs(ends[0] - ends[1]) < seen - 80 ? (ends[0] + ends[1]) / 2 : ends[0]; // both ends, if they fit
    if (this.width > seen) this.scroll.scrollLeft = middle - seen / 2;
    this.list();
  }

  // The lines of one row: as thick as the weight; a veiled row has a question mark instead.
  lines(i, now) {
    const row = this.row(i), { x } = this.target[i];
    if (row.some(Number.isNaN)) return now ? [this.text(x, 118, "?", "veiled")] : [];
    return row.flatMap((weight, k) => {
      if (weight < (now ? 0.01 : 0.1)) return [];
      const path = document.createElementNS(SVG, "path"), from = this.source[k].x;
      const curve = `M${x},140 C${x},90 ${from},80 ${from},28`;
      for (const [name, value] of Object.entries({ d: curve, class: now ? "line now" : "line", "stroke-width": (now ? 9 : 4) * weight, opacity: now ? 0.35 + 0.6 * weight : 0.4 })) path.setAttribute(name, value);
      if (!now || weight < 0.1) return [path];
      const near = this.text(0.94 * from + 0.06 * x, 45, weight.toFixed(2), "weight");
      return [path, near];
    });
  }

  chip({ x, wide }, y, text, className, run, more = "") {
    const box = document.createElementNS(SVG, "rect"), inner = wide - 6;
    for (const [name, value] of Object.entries({ x: x - inner / 2, y: y - 13, width: inner, height: 26, rx: 5, class: `chip ${className} ${more}` })) box.setAttribute(name, value);
    box.onclick = run;
    return [box, this.text(x, y + 5, text, `word ${className} ${more}`)];
  }

  text(x, y, words, className, anchor = "middle") {
    const node = document.createElementNS(SVG, "text");
    for (const [name, value] of Object.entries({ x, y, class: className, "text-anchor": anchor })) node.setAttribute(name, value);
    node.textContent = words;
    return node;
  }

  // What might come next, best first; or, keeping several at once, the translations that are kept.
  list() {
    const { steps, words } = this.header, { candidates, beams } = steps[this.q] ?? { candidates: [], beams: [] };
    const title = make("p", "title", beams.length ? words.beams : words.candidates);
    const rows = beams.length
      ? beams.map(([text, log, score, taken]) => this.line(text, taken, [log.toFixed(3), score.toFixed(3)]))
      : candidates.map(([text, probability, taken]) => this.line(text, taken, [probability.toFixed(probability < 0.001 ? 5 : 3)], probability));
    const table = make("table", beams.length ? "beams" : "");
    if (beams.length) {
      const head = make("tr");
      head.append(make("th"), make("th", "", words.log), make("th", "", words.score));
      table.append(head);
    }
    table.append(...rows);
    this.kept.replaceChildren(title, table);
  }

  line(text, taken, numbers, share = null) {
    const row = make("tr", taken ? "taken" : "");
    row.append(make("td", "text", text));
    if (share !== null) {
      const cell = make("td", "share"), bar = cell.appendChild(make("div"));
      bar.style.width = `${Math.max(0.5, 100 * share)}%`;
      row.append(cell);
    }
    row.append(...numbers.map((number) => make("td", "number", number.replace("-", "−"))));
    return row;
  }
}

// Han characters are twice as wide as letters.
const length = (text) => [...text].reduce((sum, c) => sum + (c > "\u2e7f" ? 2 : 1), 0);

// Boxes of these widths, spread over the room: the middle of each.
function centres(widths, left, right) {
  const total = widths.reduce((sum, wide) => sum + wide, 0), space = Math.min(34, (right - left - total) / widths.length);
  let at = left + (right - left - total - space * widths.length) / 2;
  return widths.map((wide) => {
    at += wide + space;
    return { x: at - (wide + space) / 2, wide };
  });
}
