// The base of pictures: what each of them does when it comes, changes, is used by keys, and goes.
//
// A picture is given its data by show(); it reads the selection from its store and changes it by select(). A kind of
// picture says `build` (its elements, once), `take` (new data), `draw`, and where it needs them `lacks`, `resized`,
// `selected`. Its constructor is the base's, so that it has no fields of its own before `build`.

import { liveRegion, make, themeOf, told } from "./draw.js";
import { tendFinger } from "./touch.js";

/** A packed message (4 bytes of length, JSON padded to 4, then arrays) as its header and the aligned bytes behind. */
export function unpack(data) {
  const length = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  return [header, data.slice(4 + length)];
}

export const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

/** What `record` has under a name out of the address, which may be any: nothing that every object has. */
export const entry = (record, name) => (record && Object.hasOwn(record, name) ? record[name] : undefined);

/** What `steps` says of the pressed key, which is then not the page's any more; Alt and its like stay the browser's. */
export function pressed(event, steps) {
  const step = event.altKey || event.ctrlKey || event.metaKey ? undefined : steps[event.key];
  if (step !== undefined) event.preventDefault();
  return step;
}

/** A box that scrolls sideways fades out at either edge while there is more. */
export function fade(box) {
  box.classList.toggle("behind", box.scrollLeft > 2);
  box.classList.toggle("beyond", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
}

export class Picture {
  static tag = "div";
  static className = "";
  static fonts = false; // whether it writes on a canvas, which does not wait for fonts
  static speaks = false; // whether its keys tell a screen reader what they came to
  static borrows = false; // whether it reads what another picture lends
  static taken = true; // whether it may be taken away as a picture: not what one only works with

  constructor(parent, store) {
    this.store = store;
    this.root = parent.appendChild(make(this.constructor.tag, this.constructor.className));
    this.heard = this.constructor.speaks ? this.root.appendChild(liveRegion()) : null;
    this.endings = [];
    this.build();
    this.atEnd(store.follow((patch) => this.showing || this.selected(patch)));
    if (this.lacks) this.atEnd(store.join(this));
    if (this.constructor.borrows) this.atEnd(store.borrow(() => this.redraw()));
    this.watch();
    this.atEnd(tendFinger(this.root, (...heard) => this.listen(...heard)));
  }

  watch() {
    const anew = () => this.given && this.resized();
    const observer = new ResizeObserver(anew);
    observer.observe(this.measured ?? this.root);
    this.atEnd(() => observer.disconnect());
    this.listen(document, "squeeze", anew);
    const later = () => setTimeout(anew, 80); // the theme's variables follow a moment after
    this.listen(matchMedia("(prefers-color-scheme: dark)"), "change", later);
    if (!this.constructor.fonts) return;
    const [font] = themeOf(this.root)("--st-code-font").split(",");
    document.fonts.load(`14px ${font || "monospace"}`).then(anew);
  }

  /** Listens for as long as the picture is there. */
  listen(target, type, listener, early = false) {
    target.addEventListener(type, listener, early);
    this.atEnd(() => target.removeEventListener(type, listener, early));
  }

  atEnd(end) {
    this.endings.push(end);
  }

  end() {
    this.given = false;
    for (const end of this.endings) end();
    this.store.takeBack(this);
    this.store.drawn.delete(this);
    this.root.remove();
  }

  /** New data, or the same again. */
  show(data) {
    this.showing = true;
    this.take(data);
    this.showing = false;
    this.given = true;
    this.redraw();
    this.store.tend();
  }

  /** Draws as soon as there is something to draw, and the server has said what is selected. */
  redraw() {
    if (!this.given || !this.store.params) return;
    this.draw();
    this.store.drawn.add(this);
    const { host } = this.root.getRootNode();
    if (host) host.dataset.drawn = ""; // until then the page keeps room for it (site.css)
  }

  // ---- what a kind of picture says for itself

  build() {}

  take(data) {
    this.data = data;
  }

  draw() {}

  /** Another size, theme or font: whatever was measured or painted is so anew. */
  resized() {
    this.redraw();
  }

  selected() {
    this.redraw();
  }

  /** The fragment that is drawn anew where the picture lacks numbers. */
  get fragment() {
    return this.header?.fragment ?? "picture";
  }

  // ---- the selection

  get(name) {
    return this.store.get(name);
  }

  select(patch, also) {
    this.store.select(patch, also);
  }

  /** The selected place among `count`; where there is none, or it lies outside, the nearest there is. */
  index(name, count, otherwise = 0) {
    const selected = Number(this.get(name) ?? otherwise);
    return clamp(Number.isInteger(selected) ? selected : otherwise, 0, Math.max(0, count - 1));
  }

  /** The selected whole number; null where there is none. */
  integer(name) {
    const selected = this.get(name);
    return selected !== null && Number.isInteger(Number(selected)) ? Number(selected) : null;
  }

  // ---- names and focus

  named(node, role, label) {
    node.setAttribute("role", role);
    node.setAttribute("aria-label", label);
    node.removeAttribute("aria-hidden");
  }

  /** Draws elements anew, and keeps the focus where it was: on the element of the same `data-at`. */
  keepingFocus(draw) {
    const had = this.root.getRootNode().activeElement?.dataset?.at;
    draw();
    if (had) this.root.querySelector(`[data-at="${CSS.escape(had)}"]`)?.focus();
  }
}

/** A picture of elements on a stage, with a caption below. */
export class Staged extends Picture {
  build() {
    this.stage = this.root.appendChild(make("div", "stage"));
    this.caption = this.root.appendChild(make("p", "caption"));
  }

  take(data) {
    this.data = data;
    this.named(this.stage, "group", data.words.label);
    this.caption.replaceChildren(...told(data.words.caption));
  }
}
