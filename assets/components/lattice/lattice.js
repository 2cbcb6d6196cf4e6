// The graph of dictionary words over a text, an arc a word, and under it the pieces of several methods on one ruler:
// one column is one character, from the arcs down to the last row. Only the columns in view are drawn.
//
// Data, packed: text; edges [[start, end, word, frequency, gloss], ...]; ways, for each path the places of its edges;
// rows [{label, hint, pieces: [[text, start, end, kind, tag, say], ...]}] whose pieces may overlap; paths
// [[rank, text, value, note]]; key, what of the selection this was made for; words.

import { make, onSelection, select, shared, unpack } from "../shared/shared.js";

const SVG = "http://www.w3.org/2000/svg", GAP = 3, MARGIN = 300, PITCH = 34, WIDEST = 84, NARROWEST = 34, FOR_BYTES = 64;

export default function ({ data, parentElement, setStateValue }) {
  const lattice = (parentElement.lattice ??= new Lattice(parentElement));
  lattice.report = (selection) => setStateValue("selection", selection);
  lattice.take(unpack(data)[0]);
  return () => {
    lattice.end();
    delete parentElement.lattice;
  };
}

class Lattice {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "lattice"));
    this.labels = this.root.appendChild(make("div", "labels"));
    this.scroll = this.root.appendChild(make("div", "scroll"));
    this.plane = this.scroll.appendChild(make("div", "plane"));
    this.heard = this.root.appendChild(make("div", "heard"));
    this.foot = this.root.appendChild(make("div", "foot"));
    this.heard.setAttribute("aria-live", "polite");
    this.plane.tabIndex = 0;
    this.plane.setAttribute("role", "application");
    this.plane.onkeydown = (event) => this.move(event);
    this.scroll.onscroll = () => this.later();
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(this.scroll);
    this.stop = onSelection(() => this.later());
    shared.pictures.add(this);
  }

  end() {
    this.stop();
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    shared.pictures.delete(this);
    this.root.remove();
  }

  // Another mode, step or weight is another graph: Python makes it.
  lacks() {
    return Object.entries(this.data.key).some(([name, value]) => String(shared.selection[name] ?? "") !== value);
  }

  take(data) {
    this.data = data;
    this.typed = [...data.text];
    this.rows = data.rows.map((row) => ({ ...row, lanes: lanes(row.pieces) }));
    this.plane.setAttribute("aria-label", data.words.label);
    this.layout();
  }

  layout() {
    if (!this.data) return;
    const n = Math.max(1, this.typed.length), room = this.scroll.clientWidth - 4;
    const bytes = this.rows.some(({ pieces }) => pieces.some(([, , , kind]) => kind === "bytes"));
    this.pitch = Math.max(bytes ? FOR_BYTES : NARROWEST, Math.min(WIDEST, room / n));
    const longest = Math.max(1, ...this.data.edges.map(([start, end]) => end - start));
    this.rise = longest > 1 ? Math.min(32, 130 / (longest - 1)) : 0;
    this.base = this.data.edges.length ? 46 + this.rise * (longest - 1) + 20 : 6;
    this.big = this.pitch >= 56;
    let y = this.base + (this.big ? 46 : 34);
    for (const row of this.rows) {
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
    this.labels.replaceChildren(...sizers, ...this.rows.map(({ label, hint, y: top }) => {
      const node = make("span", "", label);
      node.title = hint;
      node.style.top = `${top}px`;
      return node;
    }));
    this.draw();
  }

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  // ---- what a hand does

  pick(edge) {
    const [start, end] = edge, id = `${start}-${end}`;
    this.heard.textContent = this.say(edge);
    select({ arc: shared.selection.arc === id ? null : id });
  }

  move(event) {
    const { edges } = this.data, now = edges.findIndex(([start, end]) => `${start}-${end}` === shared.selection.arc);
    if (event.key === "Escape") select({ arc: null });
    const to = { ArrowLeft: now < 0 ? edges.length - 1 : now - 1, ArrowRight: now + 1, Home: 0, End: edges.length - 1 }[event.key];
    if (to === undefined || !edges.length) return;
    event.preventDefault();
    const edge = edges[Math.max(0, Math.min(edges.length - 1, to))];
    this.reveal(edge);
    this.heard.textContent = this.say(edge);
    select({ arc: `${edge[0]}-${edge[1]}` }, 120);
  }

  reveal([start, end]) {
    const { scrollLeft, clientWidth } = this.scroll, left = start * this.pitch;
    if (left < scrollLeft || end * this.pitch > scrollLeft + clientWidth) this.scroll.scrollLeft = left - clientWidth / 2;
  }

  say([, , word, frequency, gloss]) {
    const named = gloss && gloss !== word ? `${visible(word)} (${gloss})` : visible(word);
    return this.data.words.say.replace("{word}", named).replace("{frequency}", frequency.toLocaleString("en-US"));
  }

  // ---- drawing

  draw() {
    if (!this.data) return;
    const { scrollLeft, clientWidth } = this.scroll, at = this.pitch;
    const from = (scrollLeft - MARGIN) / at, to = (scrollLeft + clientWidth + MARGIN) / at;
    const inView = (start, end) => end > from && start < to;
    const nodes = [this.graph(inView)];
    this.typed.forEach((text, i) => {
      if (!inView(i, i + 1)) return;
      const size = this.big ? 28 : Math.min(18, at * 0.6), node = this.put(`character${text.trim() ? "" : " blank"}`, visible(text), i, i + 1, this.base + 2, this.big ? 38 : 26);
      node.style.fontSize = `${text.trim() ? size : 13}px`;
      nodes.push(node);
    });
    for (const row of this.rows)
      row.pieces.forEach(([text, start, end, kind, tag, say], i) => {
        if (!inView(start, end)) return;
        const top = row.y + row.step * row.lanes.of[i], node = this.put(`piece ${kind}${at < 44 ? " narrow" : ""}`, kind === "bytes" ? text : visible(text), start, end, top, 26);
        node.title = say;
        nodes.push(node);
        if (tag) nodes.push(this.put("tag", tag, start, end, top + 27, 14));
      });
    this.plane.replaceChildren(...nodes);
    this.drawFoot();
  }

  put(className, text, start, end, top, height) {
    const node = make("span", className, text), at = this.pitch;
    node.style.cssText = `left:${start * at + GAP / 2}px;width:${(end - start) * at - GAP}px;top:${top}px;height:${height}px`;
    if (className.startsWith("character")) node.style.lineHeight = `${height}px`;
    return node;
  }

  // Grey arcs first, then the other path, the best one, and what is selected, so that these lie on top.
  graph(inView) {
    const { edges, ways } = this.data, svg = svgNode("svg", { width: this.typed.length * this.pitch, height: this.high });
    const way = Number(shared.selection.way) || 0, best = new Set(ways[0]), other = new Set(ways[way || 1]);
    const rank = (i) => (`${edges[i][0]}-${edges[i][1]}` === shared.selection.arc ? 3 : best.has(i) ? 2 : other.has(i) ? 1 : 0);
    const seen = edges.map((_, i) => i).filter((i) => inView(edges[i][0], edges[i][1])).sort((a, b) => rank(a) - rank(b));
    for (const i of seen) svg.append(...this.arc(edges[i], ["", "best", "other"][best.has(i) ? 1 : other.has(i) ? 2 : 0], rank(i) === 3));
    for (const i of seen) svg.append(...this.name(edges[i], best.has(i), rank(i) === 3));
    const y = this.base + (this.big ? 42 : 30);
    svg.append(svgNode("line", { class: "rule", x1: 0, x2: this.typed.length * this.pitch, y1: y, y2: y }));
    return svg;
  }

  peak([start, end]) {
    return this.base - 46 - this.rise * (end - start - 1);
  }

  arc(edge, look, on) {
    const [start, end] = edge, [left, right] = [start * this.pitch + GAP, end * this.pitch - GAP];
    const up = this.base - (this.base - this.peak(edge)) / 0.75;
    const d = `M${left},${this.base} C${left},${up} ${right},${up} ${right},${this.base}`;
    const hit = svgNode("path", { class: "hit", d }), title = svgNode("title");
    title.textContent = this.say(edge);
    hit.append(title);
    hit.onclick = () => this.pick(edge);
    return [hit, svgNode("path", { class: `arc ${look} ${on ? "on" : ""}`, d })];
  }

  // The word and its frequency on top of its arc, as far as there is room.
  name(edge, best, on) {
    const [start, end, word, frequency] = edge;
    if (!on && (end - start === 1 ? !best || this.big === false : !best && 14 * [...word].length > 1.4 * this.pitch)) return [];
    const number = frequency.toLocaleString("en-US"); // the next word of this length may begin one column on
    const long = 14 * [...word].length + 7 * number.length + 4 < this.pitch;
    const node = svgNode("text", { class: `name ${best ? "taken" : ""} ${on ? "chosen" : ""}`, x: ((start + end) / 2) * this.pitch, y: this.peak(edge) - 5 });
    node.textContent = long || on ? `${visible(word)} ${number}` : visible(word);
    return [node];
  }

  drawFoot() {
    const { paths, words } = this.data, table = make("table", "paths"), way = Number(shared.selection.way) || 0;
    for (const [rank, text, value, note] of paths) {
      const row = table.appendChild(make("tr")), cell = make("td"), button = cell.appendChild(make("button", "", text));
      button.setAttribute("aria-pressed", String(rank === way && !shared.selection.arc));
      button.onclick = () => {
        const { edges, ways } = this.data, best = new Set(ways[0]), apart = ways[rank].find((i) => !best.has(i));
        if (apart !== undefined) this.reveal(edges[apart]);
        select({ way: rank || null, arc: null });
      };
      if (note) cell.append(make("span", "note", note));
      row.append(make("td", "", words.ranks[rank]), cell, make("td", "", value));
    }
    const legend = make("div", "legend");
    legend.append(...words.legend.map((text) => make("span", "", text)));
    const had = this.foot.getRootNode().activeElement, place = [...this.foot.querySelectorAll("button")].indexOf(had);
    this.foot.replaceChildren(table, legend);
    if (place >= 0) this.foot.querySelectorAll("button")[place]?.focus();
  }
}

function svgNode(tag, attributes = {}) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// Pieces that lie over one another go into lanes, each as high as it can.
function lanes(pieces) {
  const ends = [], of = pieces.map(([, start, end]) => {
    let lane = ends.findIndex((last) => last <= start);
    if (lane < 0) lane = ends.length;
    ends[lane] = end;
    return lane;
  });
  return { of, count: Math.max(1, ends.length) };
}

// What has no shape of its own: control pictures for control characters, a dotted circle under a mark.
const visible = (text) =>
  (/^\p{M}/u.test(text) ? "◌" : "") + [...text].map((c) => (c <= " " ? String.fromCodePoint(0x2400 + (c === " " ? 0x23 : c.codePointAt(0))) : /\p{Zs}/u.test(c) ? "␣" : c)).join("");
