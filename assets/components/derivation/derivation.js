// The number being followed: one line a step, the operation left, its value right, the terms as bars between.
//
// A number that comes from somewhere is a door: pressed, it puts its own steps in the place of these, with the way
// there above them. The way stands in the address as `trail`; what the picture has selected is left alone.
//
// Of a step's terms the largest stands there, the others behind a press; a tick says that the result was recomputed,
// and, pressed or pointed at, by how much it differs.

import { make, titled, typeset, vector } from "../kit/draw.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

const TICK = "✓";
const PAUSE = 1600; // ms at each stop of "all the way": a class reads along

/**
 * A number or name that can be pressed, and where it leads: a value of `trail`, null to its beginning.
 * @typedef {{text: string, to: string | null, name: string}} Door
 *
 * @typedef {string | (string | Door)[]} Words
 *
 * `bars` are the terms of the step, `focus` the place of the one that is meant, `lines` the largest of them in words;
 * `whole` where these are what was asked for.
 * @typedef {{operation: Words, value: Words, exact?: string, bars?: number[], focus?: number | null,
 *   lines?: Words[], whole?: boolean, reason?: string, check?: string}} Step
 *
 * `trail` is the way here, `onward` goes on along the largest term, `see` leads to a stage that shows this very cell,
 * `drawn` to the sheet with all that it was made of.
 * @typedef {{id: string, title: string, value: string, exact?: string, where: string, steps: Step[], note?: string,
 *   end?: string[], trail?: Door[], onward?: string | null, see?: {text: string, href: string} | null,
 *   drawn?: {text: string, href: string} | null,
 *   words?: {trail: string, all: string, halt: string, more: string, fewer: string}}} Data
 */

const MANY = 400; // bars: more are finer than a pixel,
const FINEST = 150; // ... and are drawn as if there were so many
const FEWEST_BARS = 4; // terms: fewer are read off the operation, without bars

class Derivation extends Picture {
  static tag = "section";
  static className = "derivation";
  static taken = false;

  build() {
    this.unfolded = new Set(); // steps, by their place: what was opened once stays open as the selection moves
    this.atEnd(() => clearTimeout(this.timer));
  }

  /** @param {Data} data */
  take(data) {
    const moved = this.data && this.data.id !== data.id;
    const had = this.root.getRootNode().activeElement;
    const inside = Boolean(had) && this.root.contains(had);
    if (moved && !data.trail?.length) this.halt(); // something else was selected
    this.data = data;
    const parts = [this.way(data), head(data), ...data.steps.map((step, i) => this.step(step, i))];
    for (const text of data.end ?? []) parts.push(make("p", "end", text));
    if (data.note) parts.push(make("p", "note", data.note));
    parts.push(this.foot(data));
    this.root.replaceChildren(...parts.filter(Boolean));
    this.root.dataset.id = data.id;
    this.root.querySelector(".way ol")?.scrollTo({ top: 1e6 }); // what was pressed last is in sight
    if (inside) this.focusOn(had, moved);
    else if (moved && pressedOutside() === this.get("trail")) this.root.querySelector("h2").focus();
    this.walkOn();
  }

  /** What was pressed is gone: the number it led to has the focus, or the same button anew. */
  focusOn(had, moved) {
    const same = had.dataset.at && this.root.querySelector(`[data-at="${CSS.escape(had.dataset.at)}"]`);
    if (same && (!moved || had.dataset.at === "all")) same.focus();
    else this.root.querySelector("h2").focus();
  }

  // ---- the way here

  way({ trail, words }) {
    if (!trail?.length) return null;
    const list = make("ol");
    trail.forEach((door, i) => {
      const item = make("li");
      const last = i === trail.length - 1;
      if (last) item.append(Object.assign(make("span", "", door.text), { ariaCurrent: "step" }));
      else item.append(this.door(door, "crumb"));
      list.append(item);
    });
    const way = make("nav", "way");
    way.setAttribute("aria-label", words.trail);
    way.append(list);
    return way;
  }

  go(to) {
    this.store.select({ trail: to }, {}, true);
  }

  /** @param {Door} door */
  door({ text, to, name }, kind = "door") {
    const button = make("button", `${kind} reach`);
    button.append(...typeset([text]));
    button.type = "button";
    button.dataset.at = `to-${to}`;
    if (name) button.setAttribute("aria-label", name);
    button.addEventListener("click", () => {
      this.halt();
      this.go(to);
    });
    return button;
  }

  foot({ onward, see, drawn, words }) {
    const foot = make("div", "foot");
    if (words && (onward || this.walking)) foot.append(this.walker(words));
    for (const link of [drawn, see])
      if (link) foot.append(Object.assign(make("a", "tool", link.text), { href: link.href }));
    return foot; // empty, too, it keeps its room
  }

  // ---- all the way

  walker(words) {
    const button = make("button", "all", this.walking ? `■ ${words.halt}` : `▶ ${words.all}`);
    button.type = "button";
    button.dataset.at = "all";
    button.addEventListener("click", () => {
      if (this.walking) this.halt();
      else this.start();
      this.take(this.data);
    });
    return button;
  }

  start() {
    this.walking = true;
    this.left = null; // the id of the number it went on from
  }

  halt() {
    this.walking = false;
    clearTimeout(this.timer);
  }

  /** Goes on along the largest term, with a pause at each stop; only the first is an entry, so that Back undoes all. */
  walkOn() {
    clearTimeout(this.timer);
    if (!this.walking) return;
    const { onward, id } = this.data;
    if (!onward) return void this.ended();
    const first = this.left === null;
    this.timer = setTimeout(
      () => {
        this.left = id;
        this.store.select({ trail: onward }, {}, first);
      },
      first ? 0 : PAUSE,
    );
  }

  ended() {
    this.halt();
    this.root.querySelector(".all")?.remove();
  }

  // ---- the steps

  step({ operation, value, exact, bars, focus, lines, whole, reason, check }, i) {
    const result = titled(this.filled(make("b"), value), exact);
    const line = make("div", "line");
    line.append(this.filled(make("span"), operation), result);
    const box = make("div", "step");
    box.append(line);
    if (bars?.length >= FEWEST_BARS) box.append(barChart(bars, focus ?? null));
    if (lines?.length) box.append(this.terms(lines, whole, i));
    if (reason) box.append(this.filled(make("small"), reason));
    if (check) box.append(held(check, result));
    return box;
  }

  /** The largest term of a step, and behind a press the others that are read out. */
  terms(lines, whole, i) {
    const terms = make("div", "terms");
    const codes = lines.map((words) => this.filled(make("code"), words));
    const { words } = this.data;
    terms.append(...codes);
    if (whole || codes.length < 3 || !words?.more) return terms;
    const others = codes.slice(1);
    const show = (open) => {
      for (const code of others) code.hidden = !open;
      button.textContent = open ? words.fewer : words.more;
      button.setAttribute("aria-expanded", String(open));
    };
    const button = make("button", "unfold reach");
    button.type = "button";
    button.dataset.at = `terms-${i}`;
    button.addEventListener("click", () => {
      if (!this.unfolded.delete(i)) this.unfolded.add(i);
      show(this.unfolded.has(i));
    });
    codes[0].append(button);
    show(this.unfolded.has(i));
    return terms;
  }

  /** @param {Words} words */
  filled(node, words) {
    const pieces = typeof words === "string" ? [words] : words;
    node.append(...typeset(pieces.map((piece) => (typeof piece === "string" ? piece : this.door(piece)))));
    return node;
  }
}

// The trail that a number in a sentence, a table or another picture begins: it was pressed last.
function pressedOutside() {
  let { activeElement } = document;
  while (activeElement?.shadowRoot?.activeElement) ({ activeElement } = activeElement.shadowRoot);
  return activeElement?.dataset.trail;
}

// What the result was held against: a tick before it that says so, and a press away in words. Without a tick, in words.
function held(check, result) {
  const said = make("small", "check", check);
  if (!check.startsWith(TICK)) return said;
  const words = check.slice(TICK.length).trim();
  const tick = make("button", "tick reach", TICK);
  tick.type = "button";
  tick.title = words;
  tick.setAttribute("aria-label", words);
  tick.setAttribute("aria-expanded", "false");
  said.hidden = true;
  tick.addEventListener("click", () => {
    said.hidden = !said.hidden;
    tick.setAttribute("aria-expanded", String(!said.hidden));
  });
  result.before(tick);
  return said;
}

function head({ title, value, exact, where }) {
  const number = titled(make("b", "", value), exact);
  const heading = make("h2");
  heading.append(...typeset([title]));
  heading.tabIndex = -1;
  heading.append(number);
  const head = make("header");
  const place = make("span", "where");
  place.append(...typeset([where]));
  head.append(heading, place);
  return head;
}

// Bars around a zero line, in the order of the dimension that is summed over. The heights are to one scale; where one
// bar is meant, the others step back.
function barChart(values, focus) {
  const top = Math.max(0, ...values);
  const span = top - Math.min(0, ...values) || 1;
  const view = { viewBox: `0 0 ${values.length} 1`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const svg = vector("svg", view);
  svg.style.maxWidth = `${24 * values.length}px`; // a few bars are bars, not blocks
  const width = Math.max(0.84, values.length > MANY ? values.length / FINEST : 0); // of so many, one is still seen
  values.forEach((value, i) => {
    const height = Math.max(0.01, Math.abs(value) / span);
    const look = (value < 0 ? "negative" : "positive") + (focus === null || focus === i ? "" : " other");
    svg.append(
      vector("rect", { x: i + 0.5 - width / 2, width, y: (top - Math.max(0, value)) / span, height, class: look }),
    );
  });
  return svg;
}

export default component(Derivation);
