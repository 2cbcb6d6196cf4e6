// How slides begin: for a class (or the key p, on every page), or as a tour for somebody alone, which goes on where it
// was left. Where that was is kept in this browser, and nowhere else.

import { make } from "../kit/draw.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `home` is where a tour begins, with what is `carried` along; `folded` puts that behind one word, and `presents` where
 * there are slides to be shown to a class: else that can be read, and not pressed.
 * @typedef {{home: string, carried: Record<string, string>, folded: boolean, presents: boolean,
 *   words: Record<string, string>}} Data
 */

const LEFT = "see-through-tour"; // as slides.js writes it
const TYPED = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]";

class Begin extends Picture {
  static className = "begin";
  static taken = false;

  build() {
    this.listen(document, "keydown", (event) => this.data?.presents && this.key(event));
  }

  draw() {
    const { words, folded, presents } = this.data;
    const offers = [
      this.button(words.short, () => this.tour("short")),
      this.button(words.long, () => this.tour("long")),
      ...this.resumed(),
    ];
    if (!folded) return this.root.replaceChildren(make("span", "", words.tour), ...offers);
    const present = this.button(words.present, () => this.present());
    present.title = words.present_title;
    present.disabled = !presents; // what stands beside it stays where it is
    const together = this.button(words.class, () => this.open(together));
    together.title = words.class_title;
    together.hidden = this.get("room") !== null;
    const open = this.button(words.tour, () => {});
    const panel = make("div", "panel");
    panel.popover = "auto"; // Escape and a click beside it close it
    panel.append(...offers, make("p", "", words.kept));
    open.popoverTargetElement = panel;
    this.root.replaceChildren(present, together, open, panel);
  }

  button(text, press) {
    const node = make("button", "", text);
    node.onclick = press;
    return node;
  }

  // Where a tour was left; another page may have written anything there.
  resumed() {
    try {
      const { to, stop, place } = JSON.parse(localStorage.getItem(LEFT));
      const url = new URL(to, location.origin);
      if (url.origin !== location.origin || typeof stop !== "string" || typeof place !== "string") return [];
      const text = this.data.words.resume.replace("[stop]", stop).replace("[place]", place);
      return [this.button(text, () => location.assign(url))];
    } catch {
      return [];
    }
  }

  tour(mode) {
    const { home, carried } = this.data;
    if (location.pathname === home) return this.select({ tour: mode, present: null, slide: 1 });
    location.assign(`${home}?${new URLSearchParams({ ...carried, tour: mode, slide: 1 })}`);
  }

  present() {
    const on = this.get("present") !== null;
    this.select(on ? { present: null, slide: null } : { present: 1, tour: null, slide: this.get("slide") ?? 1 });
  }

  /** Whoever opens a room is its teacher; where there is none to be had, the button says so. */
  async open(button) {
    const base = this.data.home.replace(/\/[^/]*$/, "");
    const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
    const answer = await fetch(`${base}/rooms`, asked).catch(() => null);
    const room = answer?.ok ? (await answer.json()).code : null;
    if (room) return this.select({ room });
    button.textContent = this.data.words.class_full;
  }

  key(event) {
    const key = event.key.toLowerCase();
    const leaves = key === "escape" && this.get("present") !== null; // where slides are, they have left first
    if (!(key === "p" || leaves) || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.composedPath()[0].closest?.(TYPED)) return;
    event.preventDefault();
    this.present();
  }
}

export default component(Begin);
