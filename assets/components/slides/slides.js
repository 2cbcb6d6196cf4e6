// The slides of a stage: one sentence each, and what of the page it is about. A class is shown them large; somebody
// alone has them as a quiet strip at the foot of the page.
//
// A slide is a patch of the address. At a stage's ends it goes on to the stop beside it, by Streamlit's own links.

import { inWindow, make, typeset } from "../kit/draw.js";
import { clamp, Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * @typedef {{at: number, sets: Record<string, string>, see: string, says: string, notes: string}} Told
 *
 * `done` slides come before this stage's, of `total`; `then` is what comes after it.
 * @typedef {{mode: "present" | "short" | "long", stop: string, question: string, slides: Told[], resets: string[],
 *   done: number, total: number, back: boolean, then: string | null, words: Record<string, string>}} Data
 */

const LEFT = "see-through-tour"; // where a tour was left, in this browser alone
const NOTES = "see-through-notes"; // the window of the notes, and the channel it follows
const TYPED = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]";
const PRESSED = "button, a, summary, [role=radio], [role=option], [role=button], input";
const STILL = "button, a, summary"; // no use for an arrow, in a picture, too: one that has takes the key itself
const MOVED = "[role=radiogroup], [role=group], [role=slider], [role=tablist], [role=listbox]";
const MAIN = "[data-testid=stMainBlockContainer] > [data-testid=stVerticalBlock]";
// what is fitted to the window (site.css)
const ROWS = `${MAIN} > :is(:has(.st-key-derivation, .st-key-sense_controls), .st-key-orders, .st-key-ruler)`;
const ANSWER = ".st-key-predict .answer";
const PARTS = { number: "derivation", context: "senses" }; // what a slide is about, where its key is another
const PICTURE = `[data-testid="stHorizontalBlock"]:has(.st-key-derivation)
  > [data-testid="stColumn"]:has([data-drawn]):not(:has(.st-key-derivation))`;
const HALF = 0.5;
const CLICKER = { PageUp: -1, PageDown: 1 };
const MARGIN = 6;
const SETTLED = 120; // ms
const ROOMY = 1.12; // what was made lower grows again only where so much more has come free
const FLAT = 0.3; // of their heights, pictures that can give way
const LEAST = 0.5; // of its size: what is smaller cannot be read
const TURNING = 4000; // ms: so long the next stop is waited for before its link is pressed again

const chord = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey;

class Slides extends Picture {
  static className = "slides";
  static taken = false;

  build() {
    const button = (name, press) => {
      const node = make("button", name);
      node.onclick = press;
      return node;
    };
    this.about = make("span", "about");
    this.place = make("span", "place");
    this.says = make("p", "says");
    this.says.setAttribute("aria-live", "polite");
    this.backward = button("back", () => this.go(-1));
    this.forward = button("next", () => this.go(1));
    this.other = button("other", () => this.turnOver());
    this.noted = button("notes", () => this.openNotes());
    this.out = button("leave", () => this.leave());
    const bar = make("div", "bar");
    bar.append(this.backward, this.place, this.forward, this.other, this.noted, this.out);
    this.root.append(this.about, bar, this.says);
    this.listen(document, "keydown", (event) => this.clicker(event), true); // before whatever has the focus
    this.listen(document, "keydown", (event) => this.key(event));
    this.channel = new BroadcastChannel(NOTES);
    this.channel.onmessage = ({ data }) => this.asked(data);
    const content = document.querySelector(MAIN);
    this.answered = Infinity; // the slide on which the question was
    this.squeeze = 1; // what the heights of pictures come down to, so that all can be seen; the type stays as large
    this.small = 1; // and where that is not enough, what all of it is shrunk to
    this.fitting = new ResizeObserver(() => this.fit());
    if (content) this.fitting.observe(content);
    this.listen(window, "resize", () => this.fitAnew());
    this.atEnd(() => {
      this.channel.close();
      this.fitting.disconnect();
      clearTimeout(this.fitted);
      clearTimeout(this.bringing);
      delete document.documentElement.dataset.see;
      delete document.documentElement.dataset.past;
      delete document.documentElement.dataset.speaks;
      this.resize(1, 1);
    });
  }

  take(data) {
    this.data = data;
    this.turning = 0;
    const { words, mode } = data;
    this.root.className = `slides ${mode}`;
    this.named(this.root, "region", mode === "present" ? data.stop : words.tour);
    this.about.textContent = mode === "present" ? data.question : `${words.tour} · ${data.stop}`;
    this.noted.textContent = words.notes;
    this.noted.title = words.notes_title;
    this.out.textContent = words.leave;
    this.out.title = words.leave_title;
    this.noted.hidden = this.other.hidden = mode !== "present";
  }

  get presents() {
    return this.data.mode === "present";
  }

  /** The slide in the address; where it is none of these, the last before it. */
  get now() {
    const at = Number(this.get("slide") ?? 1);
    return Math.max(
      0,
      this.data.slides.findLastIndex((slide) => slide.at <= at),
    );
  }

  draw() {
    const { slides, words, back, then } = this.data;
    const i = this.now;
    const slide = slides[i];
    const last = i === slides.length - 1;
    if (this.said !== slide.says) this.says.replaceChildren(...typeset([(this.said = slide.says)]));
    this.place.textContent = this.at(i);
    this.place.title = words.place;
    this.backward.textContent = `‹ ${words.back}`;
    this.forward.textContent = last && then === null ? words.end : `${words.next} ›`;
    this.forward.title = last && then !== null ? then : "";
    this.backward.disabled = i === 0 && !back;
    this.forward.disabled = this.presents && last && then === null;
    this.see(slide, i);
    const at = `${this.data.stop} ${i}`;
    if (!this.presents && this.brought !== at) this.bring(slide);
    this.brought = at;
    document.documentElement.toggleAttribute("data-past", this.presents && i > this.answered);
    this.fitAnew();
    this.tellNotes();
    document.documentElement.dataset.speaks = this.presents ? "" : slide.sets.section ? "section" : slide.see;
    if (!this.presents) this.remember();
  }

  /** What is shown: what the slide is about, or turned over the number that is selected in it, or the picture of it. */
  see({ see }, i) {
    if (this.over !== i) this.over = null;
    const number = (see === "number") !== (this.over === i);
    const { words } = this.data;
    this.other.textContent = number ? words.picture : words.number;
    document.documentElement.dataset.see = this.presents
      ? number
        ? "number"
        : see === "number"
          ? "picture"
          : see
      : "";
  }

  turnOver() {
    this.over = this.over === this.now ? null : this.now;
    this.redraw();
  }

  /** Where one is: of this stage in a class, of the whole way for somebody alone. */
  at(i) {
    const { slides, done, total } = this.data;
    return this.presents ? `${i + 1} / ${slides.length}` : `${done + i + 1} / ${total}`;
  }

  // Its own size follows the scroll bar, which comes and goes with what is fitted.
  resized() {
    this.fit();
  }

  fitAnew() {
    this.tries = 24; // a picture’s height may follow its width: it must end all the same
    this.shrunk = false;
    this.before = NaN;
    this.fit();
  }

  /** What would reach below the window is made lower, then smaller, until it fits: a moment after all was drawn. */
  fit() {
    clearTimeout(this.fitted);
    if (this.presents) this.fitted = setTimeout(() => this.fitNow(), SETTLED);
  }

  fitNow() {
    const fits = [...document.querySelectorAll(ROWS)].map((row) => {
      const { top, height } = inWindow(row.getBoundingClientRect(), row);
      return height ? (innerHeight - MARGIN - top) / height : Infinity;
    });
    const by = Math.min(...fits);
    const grows = by > 1;
    const whole = this.squeeze === 1 && this.small === 1;
    const rests = by > 0.995 && by < (this.shrunk ? ROOMY : 1.005);
    if (rests || (grows && whole) || this.tries-- <= 0) return;
    this.shrunk ||= !grows;
    const stuck = !grows && Math.abs(by - this.before) < 0.002; // no height gives way any more
    this.before = by;
    const zooms = grows ? this.small < 1 : this.squeeze === FLAT;
    if (zooms) this.resize(this.squeeze, clamp(by * this.small, LEAST, 1));
    else this.resize(stuck ? FLAT : clamp((grows ? by : by ** 1.5) * this.squeeze, FLAT, 1), this.small);
    this.fit();
  }

  resize(squeeze, small) {
    Object.assign(this, { squeeze, small });
    const { style } = document.documentElement;
    style.setProperty("--squeeze", squeeze.toFixed(3));
    style.setProperty("--fit", small.toFixed(3));
    document.dispatchEvent(new Event("squeeze"));
  }

  // ---- going on

  go(by) {
    const { slides, resets, then, back } = this.data;
    if (Date.now() - this.turning < TURNING) return;
    const to = slides[this.now + by];
    if (document.querySelector(ANSWER)) this.answered = Math.min(this.answered, this.now);
    if (to) {
      const none = Object.fromEntries(resets.map((name) => [name, null]));
      return this.select({ ...none, ...to.sets, slide: to.at });
    }
    if (by > 0 ? then === null : !back) return by > 0 && !this.presents && this.finish();
    this.turning = Date.now();
    document.querySelector(`.st-key-slides_${by > 0 ? "next" : "back"} a`)?.click();
  }

  /** At ordinary size, what a slide is about comes into sight, once it has been drawn. */
  bring({ see, sets }) {
    clearTimeout(this.bringing);
    const place = sets.section ? ".st-key-section_in" : see === "picture" ? PICTURE : `.st-key-${PARTS[see] ?? see}`;
    const enough = place === PICTURE ? HALF : 1; // the page is not moved for the foot of a picture
    document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0 });
    const until = Date.now() + TURNING;
    const look = () => {
      const there = document.querySelector(place);
      const { top, bottom } = there?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      const drawn = bottom - top > 0 && this.store.idle;
      const seen = Math.min(bottom, innerHeight - this.root.clientHeight) - Math.max(top, 0);
      if (drawn && seen < enough * (bottom - top))
        there.scrollIntoView({ block: bottom - top > innerHeight ? "start" : "center" });
      if (!drawn && Date.now() < until) this.bringing = setTimeout(look, SETTLED);
    };
    look();
  }

  leave() {
    this.select({ present: null, tour: null, slide: null });
  }

  finish() {
    localStorage.removeItem(LEFT);
    this.leave();
  }

  remember() {
    const { mode, stop } = this.data;
    const to = `${location.pathname}?${this.store.bar.read()}`;
    const left = { mode, stop, to, place: this.at(this.now) };
    localStorage.setItem(LEFT, JSON.stringify(left));
  }

  // ---- keys: whoever types, and a picture that has the focus, keep theirs

  /** A clicker has no Escape, nor arrows: its two keys turn the slide wherever the focus is. */
  clicker(event) {
    const by = CLICKER[event.key];
    if (!by || !this.data || !this.presents || chord(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.go(by);
  }

  key(event) {
    if (event.defaultPrevented || chord(event)) return;
    const [target] = event.composedPath();
    const inside = (names) => target.closest?.(names);
    if (inside(TYPED) || event.composedPath().some((node) => node.matches?.("dialog[open], :popover-open"))) return;
    const elsewhere = target.getRootNode?.() !== document && !this.root.contains(target);
    const press = this.pressed(event.key, elsewhere, inside);
    if (!press) return;
    event.preventDefault();
    press(target);
  }

  pressed(key, elsewhere, inside) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (by) return (elsewhere && !inside(STILL)) || inside(MOVED) ? null : () => this.go(by);
    if (!this.presents) return null;
    if (key === "Escape") return (target) => (elsewhere ? target.blur() : this.leave());
    if (key === " ") return elsewhere || inside(PRESSED) ? null : () => this.reveal();
    if (key === "n" || key === "N") return elsewhere ? null : () => this.openNotes();
    if (key === "f" || key === "F") return () => this.turnOver();
    return null;
  }

  reveal() {
    document.querySelector(".st-key-skip button")?.click();
  }

  // ---- the notes, in a window of their own

  openNotes() {
    const opened = window.open("", NOTES, "popup,width=560,height=680");
    if (!opened) return (this.noted.textContent = this.data.words.blocked);
    if (!opened.document.body.dataset.notes) write(opened.document);
    opened.focus();
    this.tellNotes();
  }

  tellNotes() {
    if (!this.presents) return;
    const { slides, stop, then, words } = this.data;
    const i = this.now;
    const { says, notes } = slides[i];
    const lang = document.documentElement.lang;
    const place = `${stop} · ${this.at(i)}`;
    this.channel.postMessage({ lang, place, says, notes, then: slides[i + 1]?.says ?? then ?? "", words });
  }

  asked(said) {
    if (said?.hello) this.tellNotes();
    if (this.presents && (said?.go === 1 || said?.go === -1)) this.go(said.go);
    if (this.presents && said?.reveal) this.reveal();
  }
}

/** The page of the notes: it follows the channel by itself, whatever becomes of the window that opened it. */
function write(page) {
  const style = page.createElement("style");
  style.textContent = `:root { color-scheme: light dark; font: 18px/1.5 "Source Sans", "Noto Sans CJK SC", sans-serif }
    body { margin: 0; padding: 24px 28px }
    body { background: light-dark(#fbfaf7, #12161a); color: light-dark(#1c2126, #e9ebec) }
    header { display: flex; justify-content: space-between; color: light-dark(#5b646d, #a8b0b7) }
    time { font-variant-numeric: tabular-nums }
    h1 { font: 600 25px/1.3 "Source Serif", "Songti SC", "Noto Serif CJK SC", serif; margin: 18px 0 }
    #then { border-top: 1px solid light-dark(#e4e0d8, #2a3138); margin-top: 26px; padding-top: 12px }
    #then, #since { color: light-dark(#5b646d, #a8b0b7) }`;
  page.head.append(style);
  const made = (tag, id) => {
    const node = page.createElement(tag);
    node.id = id;
    return node;
  };
  const header = made("header", "head");
  header.append(made("span", "place"), made("time", "clock"));
  page.body.append(header, made("h1", "says"), made("p", "notes"), made("p", "then"), made("p", "since"));
  page.body.dataset.notes = "1";
  const script = page.createElement("script");
  script.textContent = `(${following})(${JSON.stringify(NOTES)})`;
  page.body.append(script);
}

// Runs in the window of the notes.
function following(name) {
  const channel = new BroadcastChannel(name);
  const put = (id, text) => (document.getElementById(id).textContent = text);
  const begun = Date.now();
  let words = null;
  channel.onmessage = ({ data }) => {
    if (data.says === undefined) return;
    words = data.words;
    document.documentElement.lang = data.lang;
    document.title = `${words.notes} · ${data.place}`;
    for (const id of ["place", "says", "notes"]) put(id, data[id]);
    put("then", data.then && `${words.then} ${data.then}`);
  };
  const tick = () => {
    put("clock", new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }));
    if (words) put("since", words.since.replace("{minutes}", Math.floor((Date.now() - begun) / 60000)));
  };
  setInterval(tick, 1000);
  document.addEventListener("keydown", (event) => {
    const go = { ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1 }[event.key];
    if (go) channel.postMessage({ go });
    if (event.key === " ") channel.postMessage({ reveal: true });
    if (go || event.key === " ") event.preventDefault();
  });
  channel.postMessage({ hello: true });
  setTimeout(tick, 100);
}

export default component(Slides);
