// The same words in two orders, a line from each to itself; above each, how far its two last vectors lie apart, for the
// reader that is selected. Where nothing changes without positions, or that is asked, with and without stand one above
// the other, each row with its name and a sample of its mark, the one that is not selected in outline. What must not be
// seen yet arrives as null: its bars are dashed, all as high, and the name of the row ends in a question mark.

import { clip, make, marked, vector } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { entry, Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * What one reader makes of both orders: of each word how far apart its vectors are, and their cosine; `trails` say
 * where that distance leads, where it may.
 * @typedef {{share: (number | null)[], cosine: (number | null)[], said: string[], caption: string,
 *   trails: string[]}} Reading
 *
 * `partner` is the place of each word of the `first` order in the `second`.
 * @typedef {{first: string[], second: string[], special: boolean[], partner: number[],
 *   readers: Record<string, Reading>}} Scene
 *
 * `most` is the share that fills a bar; what is below `rounding` is none, but for rounding.
 * @typedef {{scenes: Record<string, Scene>, most: number, rounding: number,
 *   words: {label: string, bar: string, veiled: string, more: string, withPositions: string, without: string}}} Data
 */

const BAR = 88;
const OPEN = 44; // of one that must not be seen yet, where bars stand upright
const CHIP = 26;
const GAP = 52;
const TOP = 18;
const VALUE = 20; // pixels of a line of numbers, between the bars and the words
const ROW = 31; // pixels of a word where words stand under one another,
const CLOSE = [28, 8]; // ... and of each of more than so many
const NUMBER = 50; // ... and of its number there
const PAIR = [38, 94]; // ... and where two numbers end that stand before a bar,
const [SHORT, LONG] = [36, 64]; // ... which is so long; and one with one number
const NAME = 132; // ... of what the bars are and the names of two rows
const SAMPLE = 12; // ... and of the marks before them
const PHONE = 560; // below so many pixels they do, where they find no room beside one another,
const LONGEST = 24; // ... up to so many
const LETTER = 8.2; // pixels

class Orders extends Picture {
  static className = "orders";

  build() {
    this.means = this.root.appendChild(make("p", "means"));
    this.scroll = this.measured = this.root.appendChild(make("div", "scroll"));
    this.svg = this.scroll.appendChild(vector("svg", { role: "group" }));
    this.more = this.root.appendChild(make("p", "more"));
    this.writes = this.root.appendChild(make("div", "said"));
    this.caption = this.root.appendChild(make("p", "caption"));
  }

  draw() {
    const { scenes, words } = this.data;
    const scene = entry(scenes, this.get("order")) ?? Object.values(scenes)[0];
    const reading = entry(scene?.readers, this.get("reader")) ?? Object.values(scene?.readers ?? {})[0];
    if (!reading) return;
    const { on, off } = scene.readers;
    const both = off.share.every((value) => this.none(value)) && (reading === on || reading === off);
    this.drawScene(scene, reading, both);
    this.writes.replaceChildren(...(reading.said ?? []).map((text) => make("p", "", text)));
    this.caption.replaceChildren(marked(reading.caption));
    this.means.textContent = words.bar;
    this.more.textContent = words.more;
    this.more.hidden = this.scroll.scrollWidth <= this.scroll.clientWidth + 1; // where it does not fit, that is said
    if (this.more.hidden) this.scroll.removeAttribute("tabindex");
    else this.scroll.tabIndex = 0; // arrow keys scroll it
  }

  drawScene(scene, reading, both) {
    const { words, most } = this.data;
    const { first, second, partner, special, readers } = scene;
    const { share, cosine } = both ? readers.on : reading;
    const open = share.includes(null);
    const place = placesOf(first, this.root.clientWidth || 600, both);
    const { wide, high } = place.whole;
    this.root.classList.toggle("beside", place.beside);
    this.svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    this.svg.setAttribute("width", wide);
    this.svg.setAttribute("height", high);
    const lines = partner.map((to, i) =>
      vector("path", { d: place.line(i, to), class: to === i ? "line" : "line moved" }),
    );
    const long = share.map((value) => (open ? place.open : this.none(value) ? 0 : heightOf(value, most)));
    const flat = both && reading !== readers.on; // the bars that are chosen have no height
    const look = open ? "bar open" : flat ? "bar other" : "bar";
    const unseen = readers.off.share.includes(null); // nor is that it has no height
    const zero = unseen || !both ? "foot" : flat ? "foot flat" : "foot still"; // without positions a bar has no height
    const bars = first.flatMap((text, i) => {
      const box = vector("rect", { ...place.bar(i, long[i]), class: look });
      if (share[i] !== null) box.append(vector("title", {}, `${text}  ${short(share[i])}  cos ${short(cosine[i])}`));
      return [
        box,
        ...(open ? [questionIn(place.bar(i, place.open))] : []),
        vector("line", { ...place.foot(i), class: zero }),
      ];
    });
    const numbers = both
      ? [
          ...(open ? [] : this.numbers(first, readers.on, reading, (i) => place.above(i, long[i]))),
          ...(unseen ? [] : this.numbers(first, readers.off, reading, open ? place.alone : place.value)),
        ]
      : this.numbers(first, reading, reading, place.value);
    const names = both ? [words.withPositions, words.without] : [];
    const chosen = reading === readers.on ? 0 : 1;
    const keys = names.flatMap((name, i) => {
      const { x, y } = place.names[i];
      const text = { x: x + SAMPLE + 6, y, class: i === chosen ? "key chosen" : "key" };
      const foot = { x1: x, x2: x + SAMPLE, y1: y - 4, y2: y - 4, class: zero };
      const bar = { x: x + 1, y: y - 10, width: SAMPLE - 2, height: 10, class: look };
      const mark = i ? vector("line", foot) : vector("rect", bar);
      const label = vector("text", text, name);
      if (i ? unseen : open) label.append(vector("tspan", { dx: 6, class: "hidden" }, "?"));
      return [...(i && unseen ? [] : [mark]), label];
    });
    const above = first.flatMap((text, i) => chip(text, place.first(i), place.chip, special[i], partner[i] !== i));
    const below = second.flatMap((text, j) => {
      const i = partner.indexOf(j);
      return chip(text, place.second(j), place.chip, special[i], i !== j);
    });
    this.svg.replaceChildren(...lines, ...keys, ...bars, ...numbers, ...above, ...below);
    const heard = first.map((text, i) => `${text} ${this.said(reading.share[i])}`);
    this.svg.setAttribute("aria-label", `${words.label} ${heard.join(", ")}`);
  }

  /** What one reader makes of each word; of the one that is not selected, faint. */
  numbers(words, of, selected, at) {
    return words.map((text, i) => {
      const place = at(i);
      const said = this.said(of.share[i]);
      const value = vector("text", { ...place, class: of === selected ? "value" : "other" }, said);
      return of.trails?.[i] ? door(value, of.trails[i], `${text} ${said}`, place) : value;
    });
  }

  none(value) {
    return value === null || value < this.data.rounding;
  }

  said(value) {
    return value === null ? "?" : this.none(value) && value ? "≈ 0" : short(value, 3);
  }
}

/** Where everything stands. The words are beside one another; where they find no room on a phone, under one another. */
function placesOf(words, room, both) {
  const wide = Math.max(46, 18 + LETTER * Math.max(...words.map((text) => [...text].length)));
  const least = (wide + 6) * words.length;
  return room < PHONE && least > room && words.length <= LONGEST
    ? down(words, room, wide, both)
    : across(words, room, wide, least + NAME <= room ? NAME : 0, both);
}

function across(words, room, wide, names, both) {
  const step = Math.max(wide + 6, Math.min(110, (room - names) / words.length));
  const x = (i) => names + (i + 0.5) * step;
  const above = both && !names; // there the names stand, where there is no room beside
  const foot = TOP + (above ? VALUE : 0) + BAR;
  const [first, second] = [foot + VALUE, foot + VALUE + CHIP + GAP];
  const [from, to] = [first + CHIP, second];
  const value = (i) => ({ x: x(i), y: foot + 14, "text-anchor": "middle" });
  return {
    whole: { wide: Math.max(names + step * words.length, 1), high: second + CHIP + 4 },
    open: OPEN,
    chip: wide,
    beside: names > 0,
    names: [
      { x: 0, y: above ? 12 : foot - 4 },
      { x: above ? NAME : 0, y: above ? 12 : foot + 14 },
    ],
    above: (i, size) => ({ x: x(i), y: foot - size - 5, "text-anchor": "middle" }),
    line: (i, j) => `M${x(i)},${from} C${x(i)},${from + GAP / 2} ${x(j)},${to - GAP / 2} ${x(j)},${to}`,
    bar: (i, size) => ({ x: x(i) - 15, y: foot - size, width: 30, height: size }),
    foot: (i) => ({ x1: x(i) - 20, x2: x(i) + 20, y1: foot, y2: foot }),
    value,
    alone: value,
    first: (i) => [x(i), first],
    second: (j) => [x(j), second],
  };
}

function down(words, room, wide, both) {
  const foot = both ? PAIR[1] + SHORT + 6 : NUMBER + LONG + 6;
  const chip = Math.min(wide, (room - foot - 8 - GAP) / 2);
  const row = words.length > CLOSE[1] ? CLOSE[0] : ROW;
  const y = (i) => TOP + (i + 0.5) * row;
  const [first, second] = [foot + 6, room - chip - 2];
  const [from, to, bend] = [first + chip, second, (second - first - chip) / 2];
  const endsAt = (end) => (i) => ({ x: end, y: y(i) + 4, "text-anchor": "end" });
  return {
    whole: { wide: room, high: TOP + row * words.length + 4 },
    open: BAR,
    chip,
    beside: false,
    names: [
      { x: PAIR[1], y: 11 },
      { x: 0, y: 11 },
    ],
    above: endsAt(PAIR[1]),
    alone: endsAt(PAIR[1]), // of two numbers the one that is not asked
    line: (i, j) => `M${from},${y(i)} C${from + bend},${y(i)} ${to - bend},${y(j)} ${to},${y(j)}`,
    bar: (i, size) => {
      const long = (size * (both ? SHORT : LONG)) / BAR;
      return { x: foot - long, y: y(i) - 8, width: long, height: 16 };
    },
    foot: (i) => ({ x1: foot, x2: foot, y1: y(i) - 12, y2: y(i) + 12 }),
    value: endsAt(both ? PAIR[0] : NUMBER - 4),
    first: (i) => [first + chip / 2, y(i) - CHIP / 2],
    second: (j) => [second + chip / 2, y(j) - CHIP / 2],
  };
}

const questionIn = ({ x, y, width, height }) =>
  vector("text", { x: x + width / 2, y: y + height / 2 + 5, "text-anchor": "middle", class: "hidden" }, "?");

const heightOf = (share, most) => Math.max(1, Math.min(1, share / most) * BAR);

// A number in the picture begins a trail, by a click or by a key; it has room around it to be met.
function door(value, to, name, { x, y, "text-anchor": anchor }) {
  const button = vector("g", { "data-trail": to, class: "door", role: "button", tabindex: 0, "aria-label": name });
  const left = anchor === "end" ? x - NUMBER : x - NUMBER / 2;
  button.append(vector("rect", { x: left, y: y - 15, width: NUMBER, height: VALUE, class: "room" }), value);
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    button.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
  });
  return button;
}

function chip(text, [x, y], wide, special, moved) {
  const look = `chip${special ? " special" : ""}${moved ? " moved" : ""}`;
  return [
    vector("rect", { x: x - wide / 2, y, width: wide, height: CHIP, rx: 5, class: look }),
    vector(
      "text",
      { x, y: y + 18, "text-anchor": "middle", class: look },
      clip(text, Math.floor((wide - 10) / LETTER)),
    ),
  ];
}

export default component(Orders);
