// What a finger does where a pointer hovers: a tap shows the tip of the place as well, and a finger that is held has a
// loupe, for places smaller than itself, and chooses the one where it is lifted.
//
// A picture hears of it by the same events as of a mouse.

import { make, zoomed } from "./draw.js";

const HELD = 350; // ms
const SLACK = 10; // pixels that a held finger may move before it holds
const AFTER = 500; // ms: the click that a browser may make of a held finger is not heard
const LOUPE = 132; // pixels across
const TIMES = 2.5;
const PLACES = "canvas, svg";
const OWN = "button, a, [role=button]"; // what a finger presses as a whole

class Finger {
  constructor(root) {
    this.root = root;
    this.shown = []; // whose tip is shown: elements from the inside out
    this.at = null; // where a finger is held, or may come to be
    this.loupe = null;
    this.quiet = 0; // until when clicks are not heard
  }

  /** Listens through `listen(target, kind, listener, options)`. */
  tend(listen) {
    const here = (kind, listener, options) => listen(this.root, kind, listener, options);
    here("pointerdown", (event) => this.down(event), true);
    here("pointermove", (event) => this.move(event), true);
    here("pointerup", (event) => this.up(event), true);
    here("pointercancel", () => this.lift(), true);
    here("touchmove", (event) => this.loupe && event.preventDefault(), { passive: false });
    here("contextmenu", (event) => (this.loupe || Date.now() < this.quiet) && event.preventDefault());
    here("click", (event) => this.early(event), true);
    here("click", (event) => this.tapped(event));
    listen(document, "pointerdown", (event) => event.composedPath().includes(this.root) || this.leave(), true);
  }

  end() {
    this.lift();
  }

  // ---- a tap

  down(event) {
    this.touches = event.pointerType === "touch";
    this.lift();
    if (!this.touches) return;
    this.leave();
    const [target] = event.composedPath();
    const place = event.isPrimary && target.closest(PLACES) && !target.closest(OWN);
    if (!place) return;
    this.at = [event.clientX, event.clientY];
    this.timer = setTimeout(() => this.hold(), HELD);
  }

  early(event) {
    if (!event.isTrusted || Date.now() >= this.quiet) return;
    event.stopPropagation();
    event.preventDefault();
  }

  // Whatever the click chose has been drawn.
  tapped({ clientX, clientY }) {
    if (this.touches && (clientX || clientY)) this.point(clientX, clientY);
  }

  /** A pointer comes to a place, and stays there. */
  point(clientX, clientY) {
    this.leave();
    const where = { clientX, clientY, pointerType: "touch", isPrimary: true };
    for (let node = this.under(clientX, clientY); node && node !== this.root; node = node.parentElement)
      this.shown.push(node);
    for (const node of this.shown) node.dispatchEvent(new PointerEvent("pointerenter", where));
    this.shown[0]?.dispatchEvent(new PointerEvent("pointermove", { ...where, bubbles: true }));
  }

  leave() {
    for (const node of this.shown) node.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "touch" }));
    this.shown = [];
  }

  under(x, y) {
    const found = this.root.getRootNode().elementFromPoint(x, y);
    return this.root.contains(found) ? found : null;
  }

  // ---- a finger that is held

  hold() {
    this.loupe = this.root.appendChild(make("div", "loupe"));
    this.loupe.setAttribute("aria-hidden", "true");
    this.loupe.popover = "manual"; // above everything, and cut off by nothing
    this.loupe.append(make("div", "glass"), make("p", "said"));
    this.loupe.showPopover();
    this.point(...this.at);
    this.look();
  }

  move({ clientX, clientY, isTrusted }) {
    if (!this.at || !isTrusted) return;
    const [x, y] = this.at;
    if (!this.loupe && Math.hypot(clientX - x, clientY - y) > SLACK) return this.lift();
    if (!this.loupe) return;
    this.at = [clientX, clientY];
    this.frame ??= requestAnimationFrame(() => this.look()); // the picture has heard of it by then
  }

  /** The picture as it is, enlarged around the finger, and what its tip says. */
  look() {
    this.frame = null;
    if (!this.loupe) return;
    const zoom = zoomed(this.root);
    const [x, y] = this.at.map((length) => length / zoom);
    const high = y > 2 * LOUPE ? y - 1.5 * LOUPE : y + 0.5 * LOUPE;
    const [glass, said] = this.loupe.children;
    said.textContent = this.root.querySelector(".tip:not([hidden])")?.textContent ?? "";
    const wide = Math.max(LOUPE, said.offsetWidth);
    this.loupe.style.left = `${Math.max(0, Math.min(innerWidth / zoom - wide, x - LOUPE / 2))}px`;
    this.loupe.style.top = `${high}px`;
    const { left, top } = this.root.getBoundingClientRect();
    const copy = copied(this.root);
    const from = [(x - left) * TIMES - LOUPE / 2, (y - top) * TIMES - LOUPE / 2];
    copy.style.width = `${this.root.offsetWidth}px`;
    copy.style.transform = `translate(${-from[0]}px, ${-from[1]}px) scale(${TIMES})`;
    glass.replaceChildren(copy);
  }

  up({ clientX, clientY, isTrusted }) {
    if (!isTrusted) return;
    const { loupe } = this;
    this.lift();
    if (!loupe) return;
    this.quiet = Date.now() + AFTER;
    const chosen = { clientX, clientY, pointerType: "touch", bubbles: true, composed: true };
    this.under(clientX, clientY)?.dispatchEvent(new PointerEvent("click", chosen));
  }

  lift() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.loupe?.remove();
    this.at = this.loupe = this.frame = null;
  }
}

/** A picture once more, with what is painted in it. */
function copied(root) {
  const copy = root.cloneNode(true);
  for (const apart of copy.querySelectorAll(".loupe, .tip")) apart.remove();
  const painted = [...root.querySelectorAll("canvas")];
  copy.querySelectorAll("canvas").forEach((canvas, i) => {
    if (painted[i].width && painted[i].height) canvas.getContext("2d").drawImage(painted[i], 0, 0);
  });
  return copy;
}

/** From now on a picture answers fingers, too; `listen` ends with it. Returns how to end. */
export function tendFinger(root, listen) {
  const finger = new Finger(root);
  finger.tend(listen);
  return () => finger.end();
}
