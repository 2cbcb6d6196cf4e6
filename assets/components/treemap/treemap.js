// A whole as one rectangle, its parts as rectangles in it, each as large as its share.

import { inks, onSlide, vector, widthOf, yielding } from "../kit/draw.js";
import { grouped } from "../kit/format.js";
import { clamp, Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * @typedef {{id: string, name: string, value: string, said: string, share: number, side: string,
 *   made: number[][], layers: number, words: string[]}} Part
 * @typedef {{param: string, first: string, parts: Part[], label: string, veiled: boolean, small: string,
 *   note: string, cut: string}} Data
 * @typedef {{x: number, y: number, wide: number, tall: number}} Box
 */

const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };
const GAP = 2; // between two parts
const [LARGE, LOWER, SMALL] = [
  [62, 40, 15],
  [54, 40, 12],
  [38, 24, 10],
]; // pixels: how high a matrix is, how far the others stand out behind it, and above; of many parts; on a phone
const MANY = 3;
const LEAST_HIGH = 10;
const LONG = 5; // so many times as long as high: too long to be drawn whole beside the others
const BREAK = [6, 5]; // where a matrix is cut short: how wide the gap, how far it leans
const NARROW = 500; // on a phone
const [NOTE, LINE, UNDER] = [25, 18, 14]; // of a line above them, of one more, and under each
const NEAR = 8; // between two matrices of a part
const SIZE = 12; // of letters, on average
const NAMELESS = 0.03; // of the whole: what has no room for a name, and is drawn as one
const SPECK = 0.005; // of the whole: what is not drawn at all
const LEAST = 20; // pixels of a strip in which a name runs down
const LIGHTEST = 12; // percent of the accent: a part of nothing, and the whole
const DARKEST = 50;

class Treemap extends Picture {
  static className = "treemap";

  build() {
    this.svg = this.root.appendChild(vector("svg", { tabindex: 0 }));
    this.svg.onkeydown = (event) => this.key(event);
  }

  chosen() {
    const { parts, param, first } = this.data;
    const now = this.get(param);
    return parts.some(({ id }) => id === now) ? now : first;
  }

  draw() {
    const { label, veiled } = this.data;
    this.svg.classList.toggle("veiled", veiled);
    const [, , attention, , , , network] = inks(this.root, [0, 1, 2, 3, 4, 5, 6]).values(); // as on the sheet
    this.svg.style.setProperty("--attention", attention);
    this.svg.style.setProperty("--network", network);
    const wide = this.root.clientWidth || 560;
    this.named(this.svg, "application", label);
    this.svg.replaceChildren(...(veiled ? this.hidden(wide) : this.parts(wide)));
  }

  sized(wide, tall) {
    this.svg.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
    this.svg.setAttribute("height", tall);
  }

  parts(wide) {
    const { parts, small } = this.data;
    const tall = yielding(clamp(0.62 * wide, 260, 440));
    this.sized(wide, tall);
    const drawn = together(
      [...parts].sort((one, other) => other.share - one.share),
      small,
    );
    const boxes = squarified(drawn, { x: 0, y: 0, wide, tall });
    const now = this.chosen();
    return drawn.map((part, i) => this.part(part, boxes[i], part.ids.includes(now)));
  }

  /** While a question is open: what each part is made of, a band below the other, and what is to be multiplied. */
  hidden(wide) {
    const { parts, note, cut } = this.data;
    const speaks = note && !onSlide(this.root);
    const [high, deep, up] = wide <= NARROW ? SMALL : parts.length > MANY ? LOWER : LARGE;
    const rise = yielding(up);
    const scale = scaleOf(parts, wide - 1, high, deep);
    const beside = ({ name, said }, words = []) => widthOf([name, ...words, said].join("   "), 13, 0.48) + SIZE < wide;
    const one = parts.every((part) => beside(part, part.words)); // one line for all that is said of a part, or two
    const top = one ? 38 : 53;
    const far = (layer, layers) => layer * Math.min(8, deep / (layers - 1 || 1));
    const back = (layer, layers) => (far(layer, layers) * rise) / deep;
    let shortened = false;
    const said = speaks ? [note, cut].map((text) => broken(text, wide)) : [[], []];
    const head = LINE * Math.max(...said.map(({ length }) => length)) + (speaks ? NOTE - LINE : 0);
    let end = head;
    const bands = parts.map((part) => {
      const { name, said, words, made, layers, side } = part;
      const group = vector("g", { class: `part ${side}`, transform: `translate(0 ${end})` });
      const title = vector("text", { y: 22 });
      title.append(vector("tspan", { class: "name" }, name));
      const fits = beside(part);
      title.append(vector("tspan", one ? { dx: 10 } : { x: 0, dy: 18 }, fits ? words.join(" · ") : said));
      group.append(vector("line", { x2: wide, y1: 0.5, y2: 0.5 }), title);
      if (fits) group.append(vector("text", { x: wide, y: 22, class: "name", "text-anchor": "end" }, said));
      const boxes = sideBySide(made, wide - 1, layers > 1 ? far(layers - 1, layers) : 0, scale);
      const foot = top + back(layers - 1, layers) + Math.max(0, ...boxes.map(({ height }) => height));
      boxes.forEach(({ left, width, height, whole }, n) => {
        for (let layer = layers; layer--; ) {
          const x = Math.round(left + far(layer, layers)) + 0.5;
          const y = Math.round(foot - height - back(layer, layers)) + 0.5;
          group.append(vector("rect", { x, y, width, height, class: layer ? "table behind" : "table" }));
        }
        if (!whole) group.append(...gapIn(left + 0.8 * width, foot - height, height));
        shortened ||= !whole;
        const inside = made[n].map((n) => grouped(n)).join(" × ");
        const room = whole ? width : 0.8 * width;
        const at = { x: left + room / 2, y: foot - height / 2 + 5, "text-anchor": "middle" };
        if (height >= SIZE + 2 && widthOf(inside, 12, 0.5) < room)
          group.append(vector("text", { ...at, class: "size" }, inside));
      });
      end += made.length ? foot + yielding(UNDER) : top;
      return group;
    });
    const above = said[Number(shortened)].map((line, i) => vector("text", { y: 15 + LINE * i, class: "note" }, line));
    this.sized(wide, end - yielding(UNDER) + 2);
    return [...above, ...bands];
  }

  part({ ids, name, value, said, title, share, side }, { x, y, wide, tall }, on) {
    const group = vector("g", { class: `part ${side}${on ? " on" : ""}`, "data-at": ids[0] });
    const size = { width: Math.max(0, wide - GAP), height: Math.max(0, tall - GAP) };
    const fill = `--share: ${(LIGHTEST + (DARKEST - LIGHTEST) * share).toFixed(1)}%`;
    group.append(vector("title", {}, title), vector("rect", { x, y, ...size, style: fill }));
    const names = broken(name, wide - 12);
    const lines = [...names, said, value].filter((line) => line && widthOf(line, SIZE) < wide - 12);
    const fitting = lines.slice(0, Math.floor((tall - 8) / 18));
    const look = (i) => (i < names.length ? "name" : "");
    const text = (line, i) => vector("text", { x: x + 8, y: y + 20 + 18 * i, class: look(i) }, line);
    if (fitting.length >= names.length && fitting[0] === names[0]) group.append(...fitting.map(text));
    else if (wide >= LEAST && widthOf(name, SIZE) < tall - 12)
      group.append(upended(name, x + (wide - GAP) / 2 - 0.5, y + 8));
    const inside = { x: x + 1.5, y: y + 1.5, width: size.width - 3, height: size.height - 3 };
    if (on && Math.min(inside.width, inside.height) > 0) group.append(vector("rect", { ...inside, class: "frame" }));
    group.onclick = () => this.select({ [this.data.param]: ids[0] });
    return group;
  }

  key(event) {
    const step = pressed(event, STEPS);
    const { parts, param, veiled } = this.data;
    if (!step || !parts.length || veiled) return;
    const ids = [...parts].sort((one, other) => other.share - one.share).map(({ id }) => id);
    this.select({ [param]: ids[clamp(ids.indexOf(this.chosen()) + step, 0, ids.length - 1)] });
  }
}

/** Pixels of a row or column of a matrix: one scale for all, so that those of every part that are not too long have
 * room side by side. */
function scaleOf(parts, wide, high, deep) {
  const made = parts.map(({ made }) => made).filter(({ length }) => length);
  const short = Math.max(1, ...made.flat().map((size) => Math.min(...size)));
  const whole = made.filter((sizes) => sizes.every((size) => Math.max(...size) <= LONG * Math.min(...size)));
  const room = (sizes) => wide + NEAR - sizes.length * (deep + NEAR);
  const long = (sizes) => sizes.reduce((sum, size) => sum + Math.max(...size), 0);
  const fits = whole.map((sizes) => room(sizes) / long(sizes));
  return Math.max(LEAST_HIGH / short, Math.min(yielding(high, LEAST) / short, ...fits));
}

/** A part's matrices, the long side across; cut short where they would not stand side by side. */
function sideBySide(made, wide, deep, scale) {
  const natural = made.map((size) => Math.max(...size) * scale);
  const room = wide - made.length * deep - (made.length - 1) * NEAR;
  const fits = natural.reduce((sum, width) => sum + width, 0) <= room + 1;
  let left = 0;
  return made.map((size, i) => {
    const whole = fits || natural[i] <= room / made.length;
    const width = Math.max(LEAST_HIGH, Math.floor(whole ? natural[i] : room / made.length));
    const box = { left, width, whole, height: Math.max(LEAST_HIGH, Math.round(Math.min(...size) * scale)) };
    left += width + deep + NEAR;
    return box;
  });
}

/** Two slanted edges, and nothing between them. */
function gapIn(x, y, tall) {
  const [apart, leans] = BREAK;
  const edge = (from) => [`${from + leans},${y - 1}`, `${from},${y + tall + 2}`];
  const [one, other] = [edge(x), edge(x + apart)];
  const line = (d) => vector("path", { d, class: "edge" });
  const gap = vector("path", { d: `M${one.join("L")}L${[...other].reverse().join("L")}Z`, class: "gap" });
  return [gap, line(`M${one.join("L")}`), line(`M${other.join("L")}`)];
}

/** A name that runs down: letters lie, characters stand. */
const upended = (name, x, y) => vector("text", { x, y, class: "name small" }, name);

/** The parts as they are drawn, the largest first: those too small for a name as one, which `word` names. */
function together(parts, word) {
  const one = (all) => ({
    ids: all.map(({ id }) => id),
    ...(all.length > 1 ? { name: word, value: "", said: "", side: "several" } : all[0]),
    title: all.map(({ name, said, value }) => [`${name}: ${said}`, value].filter(Boolean).join(", ")).join("; "),
    share: all.reduce((sum, { share }) => sum + share, 0),
  });
  const small = parts.filter(({ share }) => share < NAMELESS);
  const drawn = parts.filter(({ share }) => share >= NAMELESS).map((part) => one([part]));
  const rest = one(small);
  return small.length && (rest.share >= SPECK || !drawn.length) ? [...drawn, rest] : drawn;
}

/** A name in lines so wide, as far as it has spaces. */
function broken(name, room) {
  return name.split(" ").reduce((lines, word) => {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    return !lines.length || widthOf(longer, SIZE) >= room ? [...lines, word] : [...lines.slice(0, -1), longer];
  }, []);
}

/**
 * Rectangles in one, each as large as its share, as near to squares as rows of them allow (Bruls et al. 2000).
 * @param {Part[]} parts the largest first
 * @returns {Box[]}
 */
function squarified(parts, free) {
  const whole = parts.reduce((sum, { share }) => sum + share, 0) || 1;
  const areas = parts.map(({ share }) => (share / whole) * free.wide * free.tall);
  const boxes = [];
  let row = [];
  for (let i = 0; i <= areas.length; i++) {
    const short = Math.min(free.wide, free.tall);
    if (i < areas.length && (!row.length || worst([...row, areas[i]], short) <= worst(row, short))) {
      row.push(areas[i]);
      continue;
    }
    free = laid(row, free, boxes);
    row = i < areas.length ? [areas[i]] : [];
    if (i === areas.length - 1) free = laid(row.splice(0), free, boxes);
  }
  return boxes;
}

/** How far from a square the worst of a row along a side of this length would be. */
function worst(row, side) {
  const sum = row.reduce((total, area) => total + area, 0);
  return Math.max(
    ...row.map((area) => Math.max((side * side * area) / (sum * sum), (sum * sum) / (side * side * area))),
  );
}

/** Lays a row along the shorter side of what is free; returns what is still free. */
function laid(row, { x, y, wide, tall }, boxes) {
  const sum = row.reduce((total, area) => total + area, 0);
  if (!sum) {
    boxes.push(...row.map(() => ({ x, y, wide: 0, tall: 0 })));
    return { x, y, wide, tall };
  }
  let along = 0;
  if (wide >= tall) {
    const deep = sum / tall;
    for (const area of row) (boxes.push({ x, y: y + along, wide: deep, tall: area / deep }), (along += area / deep));
    return { x: x + deep, y, wide: wide - deep, tall };
  }
  const deep = sum / wide;
  for (const area of row) (boxes.push({ x: x + along, y, wide: area / deep, tall: deep }), (along += area / deep));
  return { x, y: y + deep, wide, tall: tall - deep };
}

export default component(Treemap);
