// Whatever stands on the page, as one SVG that stands alone: its boxes, its texts, its own SVG, and of a canvas every
// stroke, for what is painted on one is painted once more with a pen that writes down what it does.
//
// Texts stay texts, with the width they have here, so that they fit in whatever font a reader has.

import { penned, rgb, themeOf, vector } from "./draw.js";

const MARGIN = 8;
const APART = "tip loupe heard tool sign save all screen".split(" "); // classes: for the hand, not the picture
const CONTROLS = ["INPUT", "TEXTAREA", "SELECT", "SCRIPT", "STYLE", "SLOT"];
const LOOKS = [
  "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin",
  "opacity font-size font-family font-weight font-style text-anchor dominant-baseline letter-spacing paint-order",
]
  .join(" ")
  .split(" ");

/** A picture of the kit as SVG: its own where it makes one, else a photograph. */
export function svgOf(picture) {
  if (typeof picture.svg === "function") return picture.svg();
  const strokes = new Map();
  penned((canvas, pen) => {
    const group = vector("g");
    strokes.set(canvas, group);
    return noted(pen, group);
  });
  try {
    picture.resized();
  } finally {
    penned(null);
  }
  return photograph(picture.root, strokes, picture.root.parentNode.children); // some say more beside their root
}

/** An element of the page as SVG, or `all` of several; `strokes` are the canvases whose strokes are known. */
export function photograph(root, strokes = new Map(), all = [root]) {
  const shot = new Shot(strokes);
  for (const node of all) shot.take(node, shot.all);
  return shot.svg(root);
}

class Shot {
  constructor(strokes) {
    this.strokes = strokes;
    this.all = vector("g");
    this.box = [Infinity, Infinity, -Infinity, -Infinity];
    this.clips = 0;
    this.ruler = document.createElement("canvas").getContext("2d");
  }

  svg(root) {
    const [left, top, right, bottom] = this.box[0] < Infinity ? this.box : [0, 0, 1, 1];
    const [x, y] = [Math.floor(left) - MARGIN, Math.floor(top) - MARGIN];
    const [width, height] = [Math.ceil(right) + MARGIN - x, Math.ceil(bottom) + MARGIN - y];
    const svg = vector("svg", { xmlns: "http://www.w3.org/2000/svg", width, height });
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const paper = paint("fill", themeOf(root)("--st-background-color") || "#fff");
    this.all.setAttribute("transform", `translate(${-x} ${-y})`);
    svg.append(vector("rect", { width, height, ...paper }), this.all);
    return svg;
  }

  take(node, into) {
    if (node.nodeType === Node.TEXT_NODE) return this.words(node, into);
    if (node.nodeType !== Node.ELEMENT_NODE || CONTROLS.includes(node.nodeName)) return;
    if (APART.some((name) => node.classList.contains(name))) return;
    const style = getComputedStyle(node);
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return;
    const rect = node.getBoundingClientRect();
    const out = style.opacity === "1" ? into : into.appendChild(vector("g", { opacity: style.opacity }));
    if (node.nodeName === "CANVAS") return this.canvas(node, rect, style, out);
    if (node.nodeName === "svg") return this.drawing(node, rect, out);
    this.frame(rect, style, out);
    this.swatch(node, rect, out);
    const inside = this.clipped(node, rect, style, out);
    for (const child of (node.shadowRoot ?? node).childNodes) this.take(child, inside);
  }

  // ---- boxes

  frame({ left, top, width, height }, style, out) {
    if (!(width > 0 && height > 0)) return;
    const sides = ["Top", "Right", "Bottom", "Left"].map((side) => ({
      wide: style[`border${side}Style`] === "none" ? 0 : parseFloat(style[`border${side}Width`]),
      color: style[`border${side}Color`],
    }));
    const even = sides.every(({ wide, color }) => wide === sides[0].wide && color === sides[0].color);
    const stroke = even && sides[0].wide > 0;
    const fill = alpha(style.backgroundColor) > 0;
    const radius = Math.min(parseFloat(style.borderTopLeftRadius) || 0, width / 2, height / 2);
    if (fill || stroke) {
      const half = stroke ? sides[0].wide / 2 : 0;
      const box = { x: left + half, y: top + half, width: width - 2 * half, height: height - 2 * half, rx: radius };
      const looks = fill ? paint("fill", style.backgroundColor) : { fill: "none" };
      const line = stroke ? { ...paint("stroke", sides[0].color), "stroke-width": sides[0].wide } : {};
      const dashes = stroke && style.borderTopStyle === "dashed" ? { "stroke-dasharray": "3 3" } : {};
      out.append(vector("rect", { ...rounded(box), ...looks, ...line, ...dashes }));
      this.reach(left, top, left + width, top + height);
    }
    if (even) return;
    const corners = [
      [left, top, width, sides[0].wide, 0],
      [left + width - sides[1].wide, top, sides[1].wide, height, 1],
      [left, top + height - sides[2].wide, width, sides[2].wide, 2],
      [left, top, sides[3].wide, height, 3],
    ];
    for (const [x, y, w, h, i] of corners) {
      if (!(w > 0 && h > 0) || alpha(sides[i].color) === 0) continue;
      out.append(vector("rect", { ...rounded({ x, y, width: w, height: h }), ...paint("fill", sides[i].color) }));
      this.reach(x, y, x + w, y + h);
    }
  }

  // The sample of colour before a word of a legend, which is no element.
  swatch(node, { left, top, height }, out) {
    const style = getComputedStyle(node, "::before");
    const [width, high] = [parseFloat(style.width), parseFloat(style.height)];
    if (style.content === "none" || !(width > 0)) return;
    const x = left + (parseFloat(getComputedStyle(node).paddingLeft) || 0);
    const box = { left: x, top: top + (height - (high || 0)) / 2, width, height: Math.max(high || 0, 0.01) };
    this.frame({ ...box, height: Math.max(box.height, parseFloat(style.borderTopWidth) || 0) }, style, out);
  }

  // What an element hides of its own; what can be scrolled to is in the picture.
  clipped(node, { left, top, width, height }, style, out) {
    if (style.overflowX !== "hidden" || node.scrollWidth <= node.clientWidth + 1) return out;
    const id = `clip-${++this.clips}`;
    const clip = vector("clipPath", { id });
    clip.append(vector("rect", rounded({ x: left, y: top, width, height })));
    out.append(clip);
    return out.appendChild(vector("g", { "clip-path": `url(#${id})` }));
  }

  // ---- texts

  words(node, out) {
    if (!node.data.trim() || !node.parentElement) return;
    const style = getComputedStyle(node.parentElement);
    for (const { text, rect } of linesOf(node)) {
      const shown = text.replace(/\s+/g, " ").replace(/^ | $/g, (_, at) => (beside(node, at) ? "\u00a0" : ""));
      if (shown.trim() && rect.width > 0) this.line(shown, rect, style, out);
    }
  }

  line(text, { left, top, width, height }, style, out) {
    this.ruler.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = this.ruler.measureText(text);
    const y = top + (height - above - below) / 2 + above;
    const font = { "font-family": style.fontFamily, "font-size": style.fontSize, "font-weight": style.fontWeight };
    const slant = style.fontStyle === "normal" ? {} : { "font-style": style.fontStyle };
    const fit = [...text].length > 1 ? { textLength: round(width), lengthAdjust: "spacingAndGlyphs" } : {};
    out.append(
      vector("text", { x: round(left), y: round(y), ...font, ...slant, ...fit, ...paint("fill", style.color) }, text),
    );
    this.reach(left, top, left + width, top + height);
  }

  // ---- canvases and drawings

  canvas(node, { left, top, width, height }, style, out) {
    if (!(width > 0 && height > 0)) return;
    this.reach(left, top, left + width, top + height);
    const strokes = this.strokes.get(node);
    if (strokes) {
      strokes.setAttribute("transform", `translate(${round(left)} ${round(top)})`);
      return void out.append(strokes);
    }
    const box = { ...rounded({ x: left, y: top, width, height }), preserveAspectRatio: "none" };
    const sharp = style.imageRendering === "pixelated" ? { style: "image-rendering: pixelated" } : {};
    if (node.width && node.height) out.append(vector("image", { ...box, ...sharp, href: node.toDataURL() }));
  }

  drawing(node, { left, top, width, height }, out) {
    const copy = node.cloneNode(true);
    looksOf(node, copy);
    for (const [name, value] of Object.entries({ x: round(left), y: round(top), width, height }))
      copy.setAttribute(name, value);
    drop(copy);
    if (getComputedStyle(node).overflow === "visible") copy.setAttribute("overflow", "visible");
    out.append(copy);
    this.reach(left, top, left + width, top + height);
  }

  reach(left, top, right, bottom) {
    const [a, b, c, d] = this.box;
    this.box = [Math.min(a, left), Math.min(b, top), Math.max(c, right), Math.max(d, bottom)];
  }
}

// ---- what of an element's looks an SVG that stands alone must say itself

function looksOf(node, copy) {
  const [children, copies] = [[...node.children], [...copy.children]];
  children.forEach((child, i) => {
    const style = getComputedStyle(child);
    if (style.display === "none" || style.visibility === "hidden") return copies[i].remove();
    looksOf(child, copies[i]);
    const looks = {};
    for (const name of LOOKS) {
      const value = style.getPropertyValue(name);
      if (/^(fill|stroke)$/.test(name))
        Object.assign(looks, value.startsWith("url") ? {} : paint(name, value || "none"));
      else if (value && value !== "normal" && value !== "none") looks[name] ??= value;
    }
    for (const [name, value] of Object.entries(looks)) copies[i].setAttribute(name, value);
    drop(copies[i]);
  });
}

// What is for the page alone: there is nothing to press on paper.
const LIVING = ["class", "style", "tabindex", "data-trail"];

function drop(copy) {
  const button = copy.getAttribute("role") === "button";
  for (const name of button ? [...LIVING, "role", "aria-label"] : LIVING) copy.removeAttribute(name);
}

/** A colour as attributes that every reader of SVG knows: `fill` and, where one sees through it, `fill-opacity`. */
function paint(name, color) {
  const seen = color === "none" ? 0 : alpha(color);
  if (seen === 0) return { [name]: "none" };
  const opaque = `rgb(${channels(color).join(",")})`;
  return seen === 1 ? { [name]: opaque } : { [name]: opaque, [`${name}-opacity`]: round(seen) };
}

const numbers = (color) => (/^rgba?\(/.test(color) ? color.match(/[\d.]+/g).map(Number) : null);

function channels(color) {
  const found = numbers(color);
  return found ? found.slice(0, 3) : rgb(color);
}

function alpha(color) {
  const found = numbers(color);
  if (found) return found[3] ?? 1;
  const part = /\/\s*([\d.]+)(%?)\s*\)$/.exec(color);
  return part ? Number(part[1]) / (part[2] ? 100 : 1) : color === "transparent" || !color ? 0 : 1;
}

/** Whether a text goes on in its line, before its beginning or behind its end: then a space there is one. */
const beside = (node, at) => (at ? node.nextSibling : node.previousSibling) !== null;

/** The lines of a text as they are broken here, each with its box. */
function linesOf(node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
  if (boxes.length <= 1) return boxes.map((rect) => ({ text: node.data, rect }));
  const lines = [];
  let at = 0;
  for (const character of node.data) {
    range.setStart(node, at);
    range.setEnd(node, (at += character.length));
    const rect = range.getBoundingClientRect();
    const last = lines.at(-1);
    if (!rect.width) {
      if (last) last.text += character;
    } else if (last && Math.abs(last.rect.top - rect.top) < rect.height / 2) {
      last.text += character;
      last.rect = new DOMRect(last.rect.left, last.rect.top, rect.right - last.rect.left, last.rect.height);
    } else lines.push({ text: character, rect });
  }
  return lines;
}

// ---- a pen that writes down what it does

/** `pen` as before; what it draws is added to `group`, too. */
function noted(pen, group) {
  const base = pen.getTransform().inverse();
  let path = "";
  const place = (x, y) => {
    const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(pen.getTransform()).matrixTransform(base);
    return `${round(left)} ${round(top)}`;
  };
  const turned = () => {
    const { a, b, c, d, e, f } = base.multiply(pen.getTransform());
    const plain = a === 1 && b === 0 && c === 0 && d === 1 && e === 0 && f === 0;
    return plain ? {} : { transform: `matrix(${[a, b, c, d, e, f].map(fine).join(" ")})` };
  };
  const seen = () => (pen.globalAlpha === 1 ? {} : { opacity: round(pen.globalAlpha) });
  const dashed = () => (pen.getLineDash().length ? { "stroke-dasharray": pen.getLineDash().join(" ") } : {});
  const filled = () => ({ ...paint("fill", pen.fillStyle), ...seen() });
  const stroked = () => ({
    fill: "none",
    ...paint("stroke", pen.strokeStyle),
    "stroke-width": pen.lineWidth,
    ...dashed(),
    ...seen(),
  });
  const add = (tag, attributes, text) => group.append(vector(tag, attributes, text));
  const box = (x, y, width, height) => rounded({ x, y, width, height });
  const acts = {
    fillRect: (...at) => add("rect", { ...box(...at), ...filled(), ...turned() }),
    strokeRect: (...at) => add("rect", { ...box(...at), ...stroked(), ...turned() }),
    clearRect: (...at) => {
      const paper = paint("fill", themeOf(pen.canvas)("--st-background-color") || "#fff");
      add("rect", { ...box(...at), ...paper, ...turned() });
    },
    fillText: (text, x, y) => {
      const [size, family] = /(\S+px)\s+(.*)$/.exec(pen.font).slice(1);
      const weight = /\b(bold|[1-9]00)\b/.exec(pen.font)?.[1] ?? "normal";
      const anchor = { center: "middle", right: "end", end: "end" }[pen.textAlign] ?? "start";
      const down = { middle: 0.34, top: 0.8, hanging: 0.8 }[pen.textBaseline] ?? 0; // of an em
      const font = { "font-family": family, "font-size": size, "font-weight": weight, "text-anchor": anchor };
      const at = { x: fine(x), y: fine(y + down * parseFloat(size)) };
      if (String(text).trim()) add("text", { ...at, ...font, ...filled(), ...turned() }, String(text));
    },
    beginPath: () => (path = ""),
    moveTo: (x, y) => (path += `M${place(x, y)}`),
    lineTo: (x, y) => (path += `${path ? "L" : "M"}${place(x, y)}`),
    closePath: () => (path += "Z"),
    rect: (x, y, w, h) => (path += `M${place(x, y)}L${place(x + w, y)}L${place(x + w, y + h)}L${place(x, y + h)}Z`),
    bezierCurveTo: (a, b, c, d, x, y) => (path += `C${place(a, b)} ${place(c, d)} ${place(x, y)}`),
    quadraticCurveTo: (a, b, x, y) => (path += `Q${place(a, b)} ${place(x, y)}`),
    arc: (x, y, r, from, to) => {
      const [step, whole] = [Math.min(to - from, 2 * Math.PI), to - from >= 2 * Math.PI - 1e-6];
      const at = (angle) => place(x + r * Math.cos(angle), y + r * Math.sin(angle));
      const half = `A${fine(r)} ${fine(r)} 0 0 1 ${at(from + step / 2)}A${fine(r)} ${fine(r)} 0 0 1 ${at(from + step)}`;
      path += `${path && !whole ? "L" : "M"}${at(from)}${half}${whole ? "Z" : ""}`;
    },
    stroke: () => path && add("path", { d: path, ...stroked() }),
    fill: () => path && add("path", { d: path, ...filled() }),
    drawImage: (image, ...at) => {
      const whole = at.length < 8;
      const [x, y, width = image.width, height = image.height] = whole ? at : at.slice(4);
      const look = pen.imageSmoothingEnabled ? {} : { style: "image-rendering: pixelated" };
      const href = (whole ? image : cut(image, at)).toDataURL();
      add("image", { ...box(x, y, width, height), preserveAspectRatio: "none", href, ...look, ...seen(), ...turned() });
    },
  };
  return new Proxy(pen, {
    get(_, name) {
      const found = pen[name];
      if (typeof found !== "function") return found;
      return (...given) => {
        acts[name]?.(...given);
        return found.apply(pen, given);
      };
    },
    set(_, name, value) {
      pen[name] = value;
      return true;
    },
  });
}

/** A part of a canvas as one of its own. */
function cut(image, [x, y, width, height]) {
  const part = Object.assign(document.createElement("canvas"), { width, height });
  part.getContext("2d").drawImage(image, x, y, width, height, 0, 0, width, height);
  return part;
}

const round = (x) => Math.round(x * 100) / 100;
const fine = (x) => Math.round(x * 1e4) / 1e4;
const rounded = (box) => Object.fromEntries(Object.entries(box).map(([name, x]) => [name, fine(x)]));
