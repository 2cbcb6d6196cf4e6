// What pictures are drawn with: elements, colours, scales, pixels, canvases, axes, labels and tips.

// ---- elements

/** An element with a class and text; text is always textContent, whatever a visitor typed. */
export function make(tag, className = "", text = undefined) {
  const node = document.createElement(tag);
  if (tag === "canvas") node.setAttribute("aria-hidden", "true"); // until it is named
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/** A label that says what its control does, in the note that explains terms (kit/terms.js). */
export function helped(label, help) {
  if (!help) return label;
  label.dataset.help = help;
  label.tabIndex = 0;
  label.setAttribute("role", "button");
  label.setAttribute("aria-expanded", "false");
  return label;
}

/** What says more than it shows, such as all digits of a number: to a pointer, a finger and the keyboard. */
export function titled(node, said) {
  if (!said) return node;
  node.title = said;
  node.tabIndex = 0;
  return node;
}

/** The same for SVG, whose attributes are its looks. */
export function vector(tag, attributes = {}, text = undefined) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

/** What a screen reader is told as it changes. */
export function liveRegion() {
  const node = make("div", "heard");
  node.setAttribute("aria-live", "polite");
  return node;
}

let styles = null;

/**
 * Reads the theme's variables, which are the same wherever a picture stands. Until the task is done each is read once:
 * between changes of the page every reading would compute its styles anew.
 */
export function themeOf(element) {
  if (styles) return styles;
  const style = getComputedStyle(element);
  const read = new Map();
  styles = (name) => {
    if (!read.has(name)) read.set(name, style.getPropertyValue(name).trim());
    return read.get(name);
  };
  queueMicrotask(() => (styles = null));
  return styles;
}

// ---- text

const MARKS = ["P", "B", "I", "EM", "CODE", "SUB", "SUP", "SPAN", "BR", "BUTTON", "A"];

/** Sentences with marks (<b>, <i>, …) and links as nodes; of anything else only the text is left. */
export function marked(html) {
  const sentences = document.createDocumentFragment();
  const copy = (from, to) => {
    for (const node of from.childNodes) {
      const known = MARKS.includes(node.nodeName);
      if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent);
      else if (node.nodeType === Node.ELEMENT_NODE) copy(node, known ? to.appendChild(likewise(node)) : to);
    }
  };
  copy(new DOMParser().parseFromString(html, "text/html").body, sentences);
  return sentences;
}

/** A caption: its text, and what stands in it for whoever has a screen before him, which paper leaves out. */
export const told = (text) =>
  text.split(/<em class="screen">(.*?)<\/em>/).map((part, i) => (i % 2 ? make("em", "screen", part) : part));

// The same element, with what a number that can be pressed carries, and where a link leads.
function likewise({ localName, className, title, dataset, protocol, href, target, rel }) {
  const node = make(localName, className);
  if (title) node.title = title;
  if (dataset.trail) node.dataset.trail = dataset.trail;
  if (["http:", "https:"].includes(protocol)) Object.assign(node, { href, target, rel });
  return node;
}

// In a formula: what stands behind ^, in brackets or not, and the index of a symbol.
const INDEXED =
  /\^\(((?:[^()]|\([^()]*\))*)\)|\^([\p{L}\d.−\uE000-\uF8FF]+)|(?<=[Wd])_(model|head|ff|[kv])(?![\p{L}\d])/gu;

/** A formula as it is printed, of strings and nodes: e^(q − k) with its power raised, d_k with its index lowered. */
export function typeset(pieces) {
  const places = pieces.map((piece, i) => (typeof piece === "string" ? piece : String.fromCharCode(0xe000 + i)));
  const whole = places.join("");
  const filled = (text) => text.split(/([\uE000-\uF8FF])/).map((part) => pieces[part.charCodeAt(0) - 0xe000] ?? part);
  const nodes = [];
  let from = 0;
  for (const { index, 0: all, 1: bracketed, 2: bare, 3: below } of whole.matchAll(INDEXED)) {
    const raised = make(below ? "sub" : "sup");
    raised.append(...filled(bracketed ?? bare ?? below));
    nodes.push(...filled(whole.slice(from, index)), raised);
    from = index + all.length;
  }
  return [...nodes, ...filled(whole.slice(from))];
}

/** Brings a place of the page into sight, or its top. A section is waited for: while it is drawn anew the page is too
 * short to be scrolled so far. */
export function bring(place, tries = 8) {
  if (!place) return document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0 });
  setTimeout(() => {
    const there = document.querySelector(place);
    if (there) there.scrollIntoView({ block: "start" });
    else if (tries) bring(place, tries - 1);
  }, 500);
}

/** At most so many characters, the last of them an ellipsis. */
export function clip(text, most) {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}

const WIDE = /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\uffe6]|\p{Extended_Pictographic}/u;

/** Pixels of a text in the code font; in the text's own, a letter is about half an em. */
export function widthOf(text, size = 13, letter = 0.6) {
  return [...text].reduce((sum, one) => sum + size * (WIDE.test(one) ? 1 : letter), 0);
}

/** Whether labels can stand beside each other, so many pixels apart, the last reaching so far beyond its place. */
export function upright(labels, pitch, beyond = 0, size = 13) {
  const widths = labels.map((label) => widthOf(label, size) + 4);
  return widths.every((wide, i) => (wide + (widths[i + 1] ?? wide - 4 * beyond)) / 2 <= pitch);
}

// ---- tips

/** A tip that is hidden until it has something to say. */
export function tipIn(parent) {
  const tip = parent.appendChild(make("div", "tip"));
  tip.hidden = true;
  return tip;
}

/** Shows `text` so far to the right of x, or to its left where it would not fit into `width`, or as it fits; null hides
 * the tip. */
export function showTip(tip, text, { x = 0, y = 0, gap = 12, width = Infinity } = {}) {
  tip.hidden = text === null;
  if (tip.hidden) return;
  tip.textContent = text;
  const wide = tip.offsetWidth;
  const places = [x + gap, x - gap - wide, Math.max(0, width - wide)];
  tip.style.left = `${places.find((left) => left >= 0 && left + wide <= width) ?? 0}px`;
  tip.style.top = `${y}px`;
}

// ---- colours

const SHADES = 4096; // more than a screen can tell apart
const colors = new Map();

/**
 * A colour as [r, g, b], as the browser's styles compute it, so that any notation of sRGB will do; each is read once. A
 * canvas would do for all, but a browser that hides who it is (Firefox) gives back something else than was painted.
 */
export function rgb(color) {
  if (!colors.has(color)) {
    const probe = document.body.appendChild(make("i"));
    probe.style.color = color;
    const computed = getComputedStyle(probe).color; // rgb(0, 128, 128), or color(srgb 0 0.5 0.5) of what was mixed
    const unit = computed.startsWith("color(") ? 255 : 1;
    const parts = computed.match(/[\d.]+(e-?\d+)?/g).slice(0, 3);
    colors.set(
      color,
      parts.map((part) => Math.round(unit * part)),
    );
    probe.remove();
  }
  return colors.get(color);
}

/** The theme's scales as a function value -> [r, g, b]. Weights run along one colour, signed values along two. */
export function scale(element, signed, reach) {
  const theme = themeOf(element);
  const list = (name) =>
    theme(name)
      .split(/,(?![^(]*\))/)
      .map((color) => rgb(color.trim()));
  const sequential = list("--st-chart-sequential-colors");
  const [zero, full] = [sequential[0], sequential.at(-1)];
  const diverging = list("--st-chart-diverging-colors");
  const [negative, positive] = signed ? [diverging[0], diverging.at(-1)] : [full, full];
  const [down, up] = [ramp(zero, negative), ramp(zero, positive)];
  return (value) => (value < 0 ? down : up)(Math.min(1, Math.abs(value) / (reach || 1)));
}

const ramps = new Map(); // between two colours; pictures have many cells and few ramps

/** A part from 0 to 1 -> [r, g, b] so far from one colour to the other, each of its shades mixed once. */
function ramp(zero, end) {
  const name = `${zero} ${end}`;
  if (!ramps.has(name)) {
    const shades = [];
    const mixed = (part) => zero.map((z, i) => Math.round(z + (end[i] - z) * Math.pow(part, 0.7)));
    ramps.set(name, (part) => (shades[Math.round(part * SHADES)] ??= mixed(Math.round(part * SHADES) / SHADES)));
  }
  return ramps.get(name);
}

/** Black or white on a colour [r, g, b]: of pure ones the one of greater contrast never has less than 4.5. */
export function inkOn(paper) {
  const linear = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = paper.map(linear);
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}

/** The colour of a cell that may not be seen yet. */
export function veil(element) {
  return rgb(themeOf(element)("--st-border-color"));
}

// ---- room

/** A height that gives way on a slide on which all would not be seen otherwise (slides.js), down to the least. */
export function yielding(height, least = 0) {
  const part = Number(document.documentElement?.style?.getPropertyValue("--squeeze")) || 1;
  return Math.max(Math.min(least, height), part * height);
}

/** Whether a class is shown this as a slide: what a picture has beside its one idea stays away (site.css). */
export const onSlide = (element) => getComputedStyle(element).getPropertyValue("--captions") === "none";

// ---- canvases

/** Values as pixels, one a cell, onto a canvas of that very size; NaN is veiled. */
export function pixels(values, rows, columns, color, veiled, canvas = make("canvas")) {
  const image = new ImageData(columns, rows);
  for (let i = 0; i < values.length; i++) {
    const [r, g, b] = Number.isNaN(values[i]) ? veiled : color(values[i]);
    image.data[4 * i] = r;
    image.data[4 * i + 1] = g;
    image.data[4 * i + 2] = b;
    image.data[4 * i + 3] = 255;
  }
  Object.assign(canvas, { width: columns, height: rows });
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

/** The same, with columns narrower than a pixel averaged along the row alone: rows must not run into each other. */
export function averaged(small, wide) {
  const width = Math.max(1, Math.ceil(small.width * Math.min(1, wide * screenRatio())));
  const flat = Object.assign(make("canvas"), { width, height: small.height });
  flat.getContext("2d").drawImage(small, 0, 0, width, small.height);
  return flat;
}

export function screenRatio(element = null) {
  return (window.devicePixelRatio || 1) * zoomed(element);
}

/** By how much the page, or an element of it, is enlarged: a presenter's is (site.css). */
export function zoomed(element = null) {
  const place = element?.isConnected ? element : document.querySelector?.("[data-testid=stMainBlockContainer]");
  return place ? (place.currentCSSZoom ?? zoomsAround(place)) : 1;
}

// The same where the browser does not say it (WebKit).
function zoomsAround(place) {
  let zoom = 1;
  for (let node = place; node; node = node.parentElement ?? node.getRootNode().host)
    zoom *= Number(getComputedStyle(node).zoom) || 1;
  return zoom;
}

let standard = null; // whether browsers measure in pixels of the window; WebKit does in the element's own

function measuresWindow() {
  if (standard === null) {
    const probe = document.body.appendChild(make("div"));
    probe.style.cssText = "position: absolute; width: 10px; zoom: 2";
    standard = probe.getBoundingClientRect().width > 15 * zoomed(document.body);
    probe.remove();
  }
  return standard;
}

/** What was measured of an element, in pixels of the window. */
export function inWindow({ left, top, width, height }, element) {
  const by = measuresWindow() ? 1 : zoomed(element);
  const [x, y, wide, high] = [left, top, width, height].map((length) => length * by);
  return { left: x, top: y, width: wide, height: high, right: x + wide, bottom: y + high };
}

/** Where an element lies on the screen, in its own pixels. */
export function boxOf(element) {
  const { left, top, width, height } = inWindow(element.getBoundingClientRect(), element);
  const [x, y, wide, high] = [left, top, width, height].map((length) => length / zoomed(element));
  return { left: x, top: y, width: wide, height: high, right: x + wide, bottom: y + high };
}

/** Where a pointer is in an element, in its own pixels, and how wide that is. */
export function within({ clientX, clientY }, element) {
  const { left, top, width } = boxOf(element);
  return { x: clientX / zoomed(element) - left, y: clientY / zoomed(element) - top, width };
}

let through = null;

/** Until it is said anew, every pen that `fit` gives is what `become(canvas, pen)` makes of it; null: as it is. */
export function penned(become) {
  through = become;
}

/** A canvas of a size in CSS pixels, sharp on any screen; returns its cleared pen. */
export function fit(canvas, [width, height]) {
  const ratio = screenRatio(canvas);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  Object.assign(canvas.style, { width: `${w / ratio}px`, height: `${h / ratio}px` }); // whole pixels of the screen
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return through ? through(canvas, pen) : pen;
}

// ---- axes

/**
 * Which of `count` labels, `pitch` pixels apart and `need` wide, are drawn so that none lies on another: every so
 * many-th, and the strong ones, which keep their neighbours away. Of labels that are numbers, `from` on or at `places`,
 * those that are round.
 */
export function labelled(count, pitch, need, strong = [], from = null, places = null) {
  const fitting = Math.max(1, Math.ceil(need / pitch));
  const every = from === null ? fitting : roundCount(fitting);
  const kept = strong.filter((i) => i >= 0 && i < count);
  const crowded = (i) => kept.some((other) => Math.abs(other - i) < fitting);
  const counted = (i) => (places?.[i] ?? i + (from ?? 0)) % every === 0;
  let next = Infinity; // where the places begin anew, the first of them keeps the last before it away
  const drawn = Array.from({ length: count }, (_, k) => {
    const i = count - 1 - k;
    if (kept.includes(i)) return true;
    if (!counted(i) || crowded(i) || next - i < fitting) return false;
    next = i;
    return true;
  });
  return drawn.reverse();
}

/** The least of 1, 2, 5, 10, 20, 50 and so on that is not below `least`. */
function roundCount(least) {
  const size = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].find((multiple) => multiple * size >= least) * size;
}

/** Round numbers between two ends, about as many as wanted. */
export function roundSteps(low, high, wanted) {
  const rough = (high - low) / wanted;
  if (!(rough > 0)) return [low];
  const size = 10 ** Math.floor(Math.log10(rough));
  const by = [1, 2, 5, 10].find((multiple) => multiple * size >= rough - 1e-12) * size;
  const all = [];
  for (let v = Math.ceil(low / by - 1e-9) * by; v <= high + 1e-9 * by; v += by) all.push(Number(v.toPrecision(12)));
  return all;
}

// ---- several things at once

// Orange is not among them: it is what is selected, or negative.
const INKS = ["#0f6b6b", "#3a4148", "#6b4fa0", "#2f7d32", "#b0306a", "#1f6fb5", "#8a6d00", "#7a3b1d", "#3d7f8f"];
const MORE = ["#9a5b9d", "#5c7a1f", "#b5433f"];
const NIGHT = ["#5cc4b8", "#cfd4d9", "#b7a1e8", "#86c98a", "#ee8db8", "#86bdf0", "#dcc15a", "#d59a78", "#8fd0df"];
const NIGHT_MORE = ["#dba4de", "#b9d37e", "#f0908c"];

/** A colour for each of some names, the same for the same place; beyond twelve they begin again. */
export function inks(element, names) {
  const [r, g, b] = rgb(themeOf(element)("--st-background-color") || "#fff");
  const list = r + g + b < 384 ? [...NIGHT, ...NIGHT_MORE] : [...INKS, ...MORE];
  return new Map(names.map((name, i) => [name, list[i % list.length]]));
}

const QUIET = 4; // modules of white around a code, without which no camera finds it

/** A QR code, dark on white in either theme: cameras ask for that, and for a margin. */
export function codeOf({ modules, path }) {
  const side = modules + 2 * QUIET;
  const svg = vector("svg", { viewBox: `${-QUIET} ${-QUIET} ${side} ${side}`, "shape-rendering": "crispEdges" });
  svg.setAttribute("aria-hidden", "true");
  svg.append(vector("rect", { x: -QUIET, y: -QUIET, width: side, height: side, fill: "#fff" }));
  svg.append(vector("path", { d: path, fill: "#000" }));
  return svg;
}
