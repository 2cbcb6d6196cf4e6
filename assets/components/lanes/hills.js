// A vector before, normalised and after, row below row: how its numbers are distributed, as a hill over an axis, and
// each of them as a mark on the axis and a hairline from axis to axis. What is done to all alike is one straight fan.

import { fit, roundSteps, yielding } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp } from "../kit/picture.js";

/**
 * `values` are NaN where they must not be seen yet, which `veiled` says then; `ghost` are those of the unchanged vector
 * where this one was changed. `lines` stand beside the hill, `ghostly` tells of the ghost.
 * @typedef {{id: string, label: string, lines: string[], ghostly: string, values: Float32Array,
 *   ghost: Float32Array | null, veiled: string}} Row
 */

const TOP = 8; // over the first hill, in pixels
const HILL = 84;
const FALL = 58; // from an axis down to the next hill
const NARROW = 480; // on a phone all three are in sight
const FOOT = 20; // under the last axis
const EDGE = 12;
const LINE = 17; // of text
const STEP = 1.5; // pixels from point to point of a curve
const LOW = 0.012; // of its height: below that no hill is seen
const TICK = 5; // pixels of a number's mark on its axis
const NEED = 3.2; // deviations to either side that an axis must have room for
const LEAST = 7.5; // an axis reaches as far as this, so that most outliers stand on it,
const MOST = 25; // ... and those of all rows as far as the widest needs, if no farther than this
const MOVED = 1.5; // times as long: what comes out has moved, and its axis with it
const FIGURES = [5, 10, 16]; // from an axis to the top, the middle and the foot of the figures under it
const APART = 18; // from figure to figure under an axis, at least
const ASIDE = 60; // from an end of an axis: what is followed there is said there alone
const ENDS = { "-1": "left", 1: "right" };
const NEAR = 14; // pixels from a number to a pointer that means it
const FAINT = 0.22; // of a hairline, where they are as many as this; more are paler, and what is shaded is seen
const HAIRS = 128;
const CLEAR = 0.45; // ... and of its mark on an axis
const TINT = 0.16; // of what is shaded

export class Hills {
  constructor(canvas) {
    this.canvas = canvas;
    this.shown = [];
  }

  /** Rows on axes as long as the unchanged vector asks for: these must not move where what comes out does not. */
  draw(rows, { width, color, about, dim, part, words }) {
    const hill = yielding(width < NARROW ? 0.76 * HILL : HILL, 40);
    const fall = width < NARROW ? 0.86 * FALL : FALL;
    const reaches = reachesOf(rows);
    const ends = rows.map(({ values }, i) => endsBeyond(values, reaches[i]));
    const foot = FOOT + (ends.at(-1).length ? LINE : 0);
    this.pen = fit(this.canvas, [width, TOP + rows.length * hill + (rows.length - 1) * fall + foot]);
    this.canvas.style.width = "100%";
    Object.assign(this, { width, color, about, dim, hill, fall, words });
    this.shown = rows.map((row, i) => {
      const [peak, reach] = [TOP + i * (hill + fall), reaches[i]];
      const x = (value) => EDGE + ((clamp(value, -reach, reach) + reach) / (2 * reach)) * (width - 2 * EDGE);
      const seen = !row.values.some(Number.isNaN);
      const beyond = ends[i];
      return {
        ...row,
        peak,
        base: peak + hill,
        reach,
        beyond,
        x,
        seen,
        on: row.id === part,
        ...(seen && formOf(row.values)),
      };
    });
    if (words.span && reaches[0] > 1.05 * reaches[1])
      this.shown[0].note = words.span.replace("{n}", brief(reaches[0] / reaches[1]));
    this.drawFalls();
    for (const row of this.shown) this.drawRow(row);
    this.drawFollowed();
    const side = this.side();
    for (const row of this.shown) this.write(row, side);
  }

  /** The row that is pointed at, and its number nearest to the pointer. */
  at({ x, y }) {
    const half = this.fall / 2;
    const row = this.shown.find(({ base, seen }) => seen && y > base - this.hill - half && y < base + half);
    if (!row) return null;
    let [dim, least] = [null, NEAR];
    row.values.forEach((value, i) => {
      const off = Math.abs(row.x(value) - x);
      if (off < least) [dim, least] = [i, off];
    });
    return dim === null ? null : { row, dim };
  }

  /** Where the middle and the ends of what is shaded stand: about the mean, or about 0 where no mean is taken off. */
  bandOf({ mean, deviation, size }) {
    return this.about === "zero" ? [-size, size] : [mean - deviation, mean + deviation];
  }

  drawFalls() {
    const { pen, color } = this;
    this.shown.slice(1).forEach((below, i) => {
      const above = this.shown[i];
      if (!above.seen || !below.seen) return;
      if (this.about && i === 0) {
        const [[a, b], [c, d]] = [this.bandOf(above), this.bandOf(below)];
        pen.fillStyle = color("--st-primary-color");
        pen.globalAlpha = TINT;
        pen.beginPath();
        pen.moveTo(above.x(a), above.base);
        pen.lineTo(above.x(b), above.base);
        pen.lineTo(below.x(d), below.peak);
        pen.lineTo(below.x(c), below.peak);
        pen.fill();
        pen.globalAlpha = 1;
      }
      this.drawHairs(above, below);
    });
  }

  drawHairs(above, below) {
    const { pen, color } = this;
    pen.strokeStyle = color("--st-primary-color");
    pen.lineWidth = 0.7;
    pen.globalAlpha = FAINT * Math.min(1, HAIRS / above.values.length);
    pen.beginPath();
    above.values.forEach((value, i) => {
      if (Math.abs(value) > above.reach || Math.abs(below.values[i]) > below.reach) return;
      pen.moveTo(above.x(value), above.base);
      pen.lineTo(below.x(below.values[i]), below.peak);
      pen.lineTo(below.x(below.values[i]), below.base);
    });
    pen.stroke();
    pen.globalAlpha = 1;
  }

  drawRow(row) {
    const { pen, color, hill } = this;
    const { x, base, peak, seen } = row;
    if (seen) {
      const [low, high] = this.bandOf(row);
      const band = [x(low), peak, x(high) - x(low), hill];
      pen.fillStyle = color("--st-background-color"); // hairlines pass behind what is shaded
      if (this.about) pen.fillRect(...band);
      this.traceHill(row);
      pen.fill();
      pen.fillStyle = color("--st-primary-color");
      pen.globalAlpha = TINT;
      if (this.about) pen.fillRect(...band);
      pen.globalAlpha = 1;
      if (row.ghost) this.drawHill({ ...row, ...formOf(row.ghost) }, false);
      this.drawHill(row, true);
    }
    pen.fillStyle = color("--st-gray-text-color");
    pen.globalAlpha = 0.45;
    pen.fillRect(EDGE, base, this.width - 2 * EDGE, 1);
    pen.globalAlpha = 1;
    if (seen) this.drawMean(row);
    if (seen) this.drawMarks(row);
  }

  /** Each number of a row on its axis: those outside the hill are seen, too. */
  drawMarks({ x, base, reach, values }) {
    const { pen, color } = this;
    pen.strokeStyle = color("--st-primary-color");
    pen.lineWidth = 1;
    pen.globalAlpha = CLEAR;
    pen.beginPath();
    for (const value of values) {
      if (Math.abs(value) > reach) continue;
      pen.moveTo(x(value), base);
      pen.lineTo(x(value), base - TICK);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  drawHill(form, own) {
    const { pen, color } = this;
    pen.strokeStyle = pen.fillStyle = color(own ? "--st-primary-color" : "--st-gray-text-color");
    pen.lineWidth = own ? 2 : 1.4;
    this.traceHill(form);
    pen.stroke();
    pen.globalAlpha = TINT;
    if (own) pen.fill();
    pen.globalAlpha = 1;
  }

  traceHill({ height, places, x, base, reach }) {
    const { pen, hill, width } = this;
    const steps = Math.ceil(width / STEP);
    const even = Array.from({ length: steps + 1 }, (_, i) => reach * ((2 * i) / steps - 1));
    const points = [...even, ...places.filter((value) => Math.abs(value) < reach)].sort((a, b) => a - b);
    pen.beginPath();
    const [least, most] = [places[0], places.at(-1)];
    const seen = points.filter((at) => height(at) > LOW || (at >= least && at <= most)); // out to the last number
    if (seen.length) pen.moveTo(x(seen[0]), base);
    for (const at of seen) pen.lineTo(x(at), base - (hill - 3) * height(at));
    if (seen.length) pen.lineTo(x(seen.at(-1)), base);
  }

  drawMean(row) {
    const { pen, color } = this;
    const next = this.shown[1];
    pen.strokeStyle = color("--st-text-color");
    pen.lineWidth = 1;
    pen.setLineDash([4, 3]);
    pen.beginPath();
    pen.moveTo(row.x(row.mean), row.peak);
    pen.lineTo(row.x(row.mean), row.base);
    if (this.about && row === this.shown[0] && next?.seen) pen.lineTo(next.x(next.mean), next.peak);
    pen.stroke();
    pen.setLineDash([]);
  }

  /** The number that is followed, on its way through the rows. */
  drawFollowed() {
    const { pen, color, dim } = this;
    const rows = this.shown.filter(({ seen }) => seen);
    pen.strokeStyle = pen.fillStyle = color("--st-text-color");
    pen.lineWidth = 1.8;
    pen.beginPath();
    rows.forEach(({ x, values, peak, base }, i) => {
      if (i) pen.lineTo(x(values[dim]), peak);
      pen.lineTo(x(values[dim]), base);
    });
    pen.stroke();
    for (const { x, values, base, reach, on } of rows) {
      const [there, beyond] = [x(values[dim]), Math.abs(values[dim]) > reach ? Math.sign(values[dim]) : 0];
      pen.beginPath();
      if (beyond) for (const [along, up] of HEAD) pen.lineTo(there + beyond * along, base + up);
      else pen.arc(there, base, on ? 4.5 : 3.5, 0, 7);
      pen.fill();
    }
  }

  /** Where the number that is followed passes the figures under an axis on its way down, from top to bottom. */
  wayFrom(row) {
    const below = this.shown[this.shown.indexOf(row) + 1];
    if (!below?.seen) return [row.x(row.values[this.dim])];
    const [from, to] = [row.x(row.values[this.dim]), below.x(below.values[this.dim])];
    return FIGURES.map((down) => from + ((to - from) * down) / (below.peak - row.base));
  }

  /** Whether the names of all rows stand left or right of the hills: where the number that is followed, and more of the
   * others, do not pass. */
  side() {
    const rows = this.shown.filter(({ seen }) => seen);
    const passing = (side) => rows.reduce((sum, row) => sum + this.passing(row, side), 0);
    return passing("left") > passing("right") ? "right" : "left";
  }

  passing({ x, values, ...row }, side) {
    const wide = Math.max(...this.textsOf(row).map(({ text, font }) => widthIn(this.pen, text, font))) + 6;
    const within = (value) => (side === "left" ? x(value) < wide : x(value) > this.width - wide);
    const hairs = row.peak === this.shown[0].peak ? 0 : values.filter(within).length;
    return hairs + (within(values[this.dim]) ? values.length : 0);
  }

  /** What stands beside a hill, from top to bottom. */
  textsOf({ on, label, lines, ghostly, seen, veiled }) {
    const [name, number] = [`${on ? 600 : 400} 13px`, "12.5px"].map((size) => `${size} ${this.color("--st-font")}`);
    const said = [...(seen ? lines : [veiled])].map((text) => ({ text, font: number, ink: "--st-text-color" }));
    return [
      { text: label, font: name, ink: "--st-text-color" },
      ...said,
      { text: ghostly, font: number, ink: "--st-gray-text-color" },
    ];
  }

  /** How high the hill stands over a stretch of its axis: what is written there stands on it, if there is room. */
  riseOver({ height, reach, x }, from, to) {
    const unit = (x(reach) - x(-reach)) / (2 * reach);
    const places = Array.from({ length: 9 }, (_, i) => (from + ((to - from) * i) / 8 - x(0)) / unit);
    const high = Math.max(...places.map(height));
    const rise = high > LOW ? (this.hill - 3) * high : 0;
    return rise <= this.hill / 3 ? rise : 0;
  }

  /** What stands beside a hill and under it. */
  write(row, side) {
    const { pen, color, width, dim, words } = this;
    const { x, base, peak, reach, values, seen } = row;
    const say = (text, at, y, name, align = "left") => this.say(text, at, y, color(name), align);
    const edges = { left: 0, right: width };
    this.textsOf(row).forEach(({ text, font, ink }, i) => {
      pen.font = font;
      say(text, edges[side], peak + 6 + LINE * i, ink, side);
    });
    const other = side === "left" ? "right" : "left";
    if (row.note) say(row.note, edges[other], peak + 6, "--st-gray-text-color", other);
    pen.font = `12px ${color("--st-code-font")}`;
    const round = roundSteps(-reach, reach, 4).filter((value) => Math.abs(value) < 0.85 * reach);
    const unit = row === this.shown[1] && x(1) - x(0) > APART ? [-1, 0, 1] : [];
    const [clear, way] = [APART / 2, seen ? this.wayFrom(row) : null];
    const crossed = (value) => way && way.some((at) => Math.abs(at - x(value)) < clear);
    const ticks = [...new Set([...unit, ...round])].filter((value) => !crossed(value));
    for (const value of ticks) say(brief(value), x(value), base + 15, "--st-gray-text-color", "center");
    if (!seen) return;
    pen.font = `12.5px ${color("--st-font")}`;
    for (const { side, far } of row.beyond) {
      if (Math.abs(x(values[dim]) - x(side * reach)) < ASIDE) continue;
      const told = words.beyond[side < 0 ? "smallest" : "largest"].replace("{n}", brief(far));
      say(told, side < 0 ? 0 : width, base + 15 + LINE, "--st-gray-text-color", ENDS[side]);
    }
    const [value, there] = [short(values[dim]), x(values[dim])];
    pen.font = `600 13px ${color("--st-code-font")}`;
    const wide = pen.measureText(value).width;
    const outside = values[dim] < row.mean ? "left" : "right"; // the hill is lower there
    const fits = { left: there - 8 - wide > 0, right: there + 8 + wide < width };
    const to = fits[outside] ? outside : outside === "left" ? "right" : "left";
    const from = to === "left" ? Math.min(there - 8, width) - wide : there + 8;
    say(value, from, base - 9 - this.riseOver(row, from, from + wide), "--st-text-color");
  }

  /** Text that stays legible on lines. */
  say(text, x, y, ink, align) {
    const { pen } = this;
    pen.textAlign = align;
    pen.textBaseline = "alphabetic";
    pen.lineJoin = "round";
    pen.lineWidth = 4;
    pen.strokeStyle = this.color("--st-background-color");
    pen.strokeText(text, x, y);
    pen.fillStyle = ink;
    pen.fillText(text, x, y);
  }
}

function widthIn(pen, text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}

const HEAD = [
  [-3, -5],
  [7, 0],
  [-3, 5],
]; // of an arrow along an axis

/** How far the axis of each row reaches to either side of 0. What goes in may need a longer one than what comes out. */
function reachesOf(rows) {
  const needs = (values) => {
    const { mean, deviation } = momentsOf(values);
    return Math.abs(mean) + NEED * deviation || 0; // nothing where it must not be seen
  };
  const [first, ...others] = rows;
  const held = ({ values, ghost }) => {
    const [now, was] = [needs(values), needs(ghost ?? values)];
    return now > MOVED * was ? now : was;
  };
  const made = Math.max(LEAST, ...others.map(held));
  const own = needs(first.ghost ?? first.values);
  const common = own <= MOST ? Math.max(made, own) : made;
  return [Math.max(common, own, needs(first.values)), ...others.map(() => common)];
}

/** The ends at which numbers stand beyond the axis, and the farthest of them. */
function endsBeyond(values, reach) {
  const farthest = (side) => values.reduce((most, value) => (side * value > side * most ? value : most), side * reach);
  return [-1, 1].map((side) => ({ side, far: farthest(side) })).filter(({ side, far }) => side * far > reach);
}

function momentsOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(square), size: Math.sqrt(square + mean ** 2) };
}

/**
 * A vector as a smooth curve: how densely its numbers lie at a value, of the greatest density there is, which is at one
 * of the `places`. How smooth, the middle half of them says: a few outliers must not blur the rest.
 */
function formOf(values) {
  const moments = momentsOf(values);
  const sorted = Float32Array.from(values).sort();
  const part = (share) => sorted[Math.round(share * (sorted.length - 1))];
  const spread = Math.min(moments.deviation, (part(0.75) - part(0.25)) / 1.35) || moments.deviation;
  const width = 0.35 * spread || 1e-9;
  const density = (at) =>
    sorted.reduce((sum, value) => (Math.abs(at - value) < 4 * width ? sum + bell((at - value) / width) : sum), 0);
  const places = Array.from({ length: 41 }, (_, i) => part(i / 40));
  const top = Math.max(...places.map(density));
  return { ...moments, places, height: (at) => Math.min(1, density(at) / top) };
}

const bell = (x) => Math.exp(-(x ** 2) / 2);

/** Two digits are enough at an axis; the exact value is under the pointer. */
export const brief = (x) =>
  short(Number(x.toPrecision(2)))
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
