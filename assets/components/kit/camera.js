// A camera over a world of columns and rows. {x, y, k}: the column at the left edge, the row at the top, and how many
// times nearer than the whole. Nothing here draws, or knows the time by itself.

import { clamp } from "./picture.js";

const FLIGHT = 520; // ms from one place to another
const WIDER = [0.45, 2.2]; // a picture is moved as it is, up to such a change of its size
const ASIDE = 0.45; // and so far, as a part of what is seen

/**
 * What a camera looks at, and through what. Of the screen: `left` and `top`, where the world begins there, and how many
 * pixels `wide` and `high` it is. Rows are `base` pixels high up to `far` and `tallest` from `near` on; no nearer than
 * `nearest` is looked.
 * @typedef {{columns: number, rows: number, left: number, top: number, wide: number, high: number, base: number,
 *   tallest: number, far?: number, near: number, nearest: number}} Lens
 *
 * @typedef {{x: number, y: number, k: number}} Place
 */

/** Pixels that the sheet of a whole model leaves free at the left of its columns and, where these end in words of so
 * many letters, at the right: what stands beneath it lines up with it. */
export function sheetSides(width, letters) {
  const phone = width < 560;
  return [phone ? 58 : 92, letters ? (phone ? clamp(26 + 7 * letters, 52, 88) : 112) : 6];
}

/** Below this the picture of a curve scrolls sideways inside its own box. */
export const NARROWEST = 320;

/** And at the right where a phone shows the first of two stacks alone. */
export const ALONE_AT = 6;

export class Camera {
  /** @param {Place} place */
  constructor(place = { x: 0, y: 0, k: 1 }) {
    Object.assign(this, place);
    this.lens = null;
    this.flight = null;
  }

  /** @param {Lens} lens */
  through(lens) {
    this.lens = lens;
    this.set(this.held(this.place));
  }

  get place() {
    return { x: this.x, y: this.y, k: this.k };
  }

  set({ x, y, k }) {
    Object.assign(this, { x, y, k });
    this.across = this.lens.columns / k; // columns in sight
    this.wide = this.lens.wide / this.across; // pixels of a column
    this.tall = this.high(k); // and of a row
  }

  /** Pixels of a row: from near all are as tall, so that they can be read. */
  high(k) {
    const { base, tallest, near, far = 1 } = this.lens;
    const way = near > far ? clamp(Math.log(k / far) / Math.log(near / far), 0, 1) : 1;
    return base * (tallest / base) ** way;
  }

  sx(column) {
    return this.lens.left + (column - this.x) * this.wide;
  }

  sy(row) {
    return this.lens.top + (row - this.y) * this.tall;
  }

  /** What lies at a place of the screen, as a column and a row, either with its part. */
  under(px, py) {
    return [this.x + (px - this.lens.left) / this.wide, this.y + (py - this.lens.top) / this.tall];
  }

  /** The nearest place that shows nothing beside the world. */
  held({ x, y, k }) {
    const { columns, rows, high, nearest } = this.lens;
    const nearer = clamp(k, 1, Math.max(1, nearest));
    const seen = high / this.high(nearer);
    return {
      x: clamp(x, 0, columns - columns / nearer),
      y: clamp(y, 0, Math.max(0, rows - seen)),
      k: nearer,
    };
  }

  /** The place from which a column and a row, either with its part, lie in the middle. */
  around(column, row, k) {
    const nearer = clamp(k, 1, Math.max(1, this.lens.nearest));
    const [across, down] = [this.lens.columns / nearer, this.lens.high / this.high(nearer)];
    return this.held({ x: column - across / 2, y: row - down / 2, k: nearer });
  }

  /** The place so many times nearer from which the same lies under a place of the screen. */
  zoomed(factor, px, py) {
    const { left, top, nearest, wide, columns } = this.lens;
    const [column, row] = this.under(px, py);
    const k = clamp(this.k * factor, 1, Math.max(1, nearest));
    return this.held({ x: column - ((px - left) * columns) / k / wide, y: row - (py - top) / this.high(k), k });
  }

  /** At once. */
  to(place) {
    this.flight = null;
    this.set(this.held(place));
  }

  /** From now on: see `flying`. */
  fly(place, now) {
    this.flight = { from: this.place, to: this.held(place), at: now };
  }

  /** Takes it to where it is by now: both edges of what is seen move evenly. Whether it is still on its way. */
  flying(now) {
    if (!this.flight) return false;
    const { from, to, at } = this.flight;
    const part = clamp((now - at) / FLIGHT, 0, 1);
    const t = part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) ** 2;
    const k = from.k * (to.k / from.k) ** t;
    const u = Math.abs(to.k / from.k - 1) < 1e-6 ? t : (1 / from.k - 1 / k) / (1 / from.k - 1 / to.k);
    this.set(part === 1 ? to : { x: from.x + (to.x - from.x) * u, y: from.y + (to.y - from.y) * t, k });
    if (part === 1) this.flight = null;
    return part < 1;
  }

  /** How a picture that was painted from another place is moved to lie where it belongs; null where it no longer
   * covers enough of what is to be seen. */
  shift(painted) {
    const { left, top, wide: whole, high: down } = this.lens;
    const [wider, taller] = [this.k / painted.k, this.tall / painted.tall];
    const [x, y] = [(painted.x - this.x) * this.wide, (painted.y - this.y) * this.tall];
    const fits = [wider, taller].every((by) => by >= WIDER[0] && by <= WIDER[1]);
    if (!fits || Math.abs(x) > ASIDE * whole || Math.abs(y) > ASIDE * down) return null;
    return { x: left * (1 - wider) + x, y: top * (1 - taller) + y, wider, taller };
  }
}

/** The place that shows all. */
export const WHOLE = Object.freeze({ x: 0, y: 0, k: 1 });

const same = (one, other) =>
  Math.abs(one.k / other.k - 1) < 0.001 && Math.hypot(one.x - other.x, one.y - other.y) < 0.01;

/** A place as it stands in an address: x,y,k; where one begins is none. */
export function placeWritten(place, home = WHOLE) {
  if (same(place, home)) return null;
  const fine = (value) => Number(value.toPrecision(7));
  const { x, y, k } = same(place, WHOLE) ? WHOLE : place;
  return [x, y, k].map(fine).join(",");
}

/** The same read back; what is none is where one begins. */
export function placeRead(written, home = WHOLE) {
  const [x, y, k] = String(written ?? "")
    .split(",")
    .map(Number);
  return [x, y, k].every(Number.isFinite) ? { x, y, k } : { ...home };
}
