// The words that explain themselves, and the labels that say what their control does. Where a page first uses a term of
// the glossary it is underlined; pointed at, focused or pressed, it says what it means. One watcher and one note serve
// the whole page: the server sends texts as they are, and the browser fetches the words once. A finger, which cannot
// point, and the keyboard are shown in the same note what a mouse would be as a title: the digits of a number, what a
// sign does. What acts when it is tapped says it to a finger that is held.

import { inWindow, make, typeset } from "./draw.js";

/**
 * What pages/shared/page/terms.py serves, in one language: a pattern that finds forms, the term of each form (lower
 * case; "" where it only looks like one), and what each says. `not`: the pages on which the word means something else.
 * @typedef {{word: string, other: string, said: string, sign: string, not: string[]}} Term
 * @typedef {{pattern: string, forms: Record<string, string>, link: string, terms: Record<string, Term>}} Terms
 */

const PROSE = "[data-testid=stHtml] :is(p, .answer), .st-key-predict [data-testid=stHtml]";
const ELSE = "a, button, code, pre, table, h1, h2, h3, blockquote, sup, .label, .credit, .claim .soft, .terms, .katex";
const CARRIED = ["lang", "theme", "text", "model", "room", "guess"];
const [SLOWLY, LEAVING] = [180, 260]; // ms: from pointing to the note, and from leaving to its end
const [HOLDING, STRAYING] = [450, 10]; // ms that a finger is held, and pixels that it may move
const ACTS = "button, a, summary, [role=button]";

/** The terms in a text, each once: [start, end, id]. `known`: those found before, which grows. */
export function termsIn(text, terms, known = new Set()) {
  const found = [];
  terms.searched ??= new RegExp(terms.pattern, "gi"); // hundreds of forms: made once
  for (const match of text.matchAll(terms.searched)) {
    const form = match[0].toLowerCase();
    const id = terms.forms[form] ?? terms.forms[form.slice(0, -1)];
    if (!id || known.has(id)) continue;
    known.add(id);
    found.push([match.index, match.index + match[0].length, id]);
  }
  return found;
}

/** What a link takes along of an address: `own` comes first, and a sentence of its own has its own model. */
export function carried(search, own) {
  const [here, there] = [new URLSearchParams(search), new URLSearchParams(own)];
  const theirs = there.has("text") ? ["text", "model"] : [];
  for (const name of CARRIED) {
    const value = here.get(name);
    const open = name === "guess" && value !== "skip";
    if (value !== null && !open && !there.has(name) && !theirs.includes(name)) there.set(name, value);
  }
  return there.toString();
}

const loaded = new Map(); // address -> Terms: fetched once a visit

/** Marks the terms of this page, from now on. `store` knows which page it is; `source` is where the words are. */
export function tendTerms(store, source) {
  let /** @type {Terms | null} */ terms = null;
  let due = 0;
  const note = new Note(() => terms, source, store.bar);
  const mark = () => {
    due = 0;
    if (terms) markAll(terms, store);
    note.check();
    watcher.takeRecords();
  };
  const watcher = new MutationObserver(() => (due ||= requestAnimationFrame(mark)));
  watcher.observe(document.body, { childList: true, subtree: true });
  words(source).then((found) => {
    terms = found;
    mark();
  });
  return () => {
    watcher.disconnect();
    cancelAnimationFrame(due);
    note.end();
  };
}

async function words(source) {
  if (!loaded.has(source))
    loaded.set(
      source,
      fetch(source).then((answer) => (answer.ok ? answer.json() : null)),
    );
  return loaded.get(source).catch(() => null); // without them a page is as it was
}

// ---- marking

function markAll(terms, { page, bar }) {
  const texts = document.createTreeWalker(document.querySelector("[data-testid=stMain]") ?? document.body, 4, (text) =>
    text.parentElement.closest(PROSE) && !text.parentElement.closest(ELSE) ? 1 : 2,
  );
  const [known, sentence] = [without(terms, page), own(bar.read())];
  const all = [];
  while (texts.nextNode()) all.push(texts.currentNode);
  for (const text of all) {
    const marked = text.parentElement.closest(".term");
    if (marked) keep(marked, known);
    else markText(text, terms, known, sentence);
  }
}

/** The terms that a page does not mean by their words. */
function without({ terms }, page) {
  return new Set(Object.keys(terms).filter((id) => page === "glossary" || terms[id].not.includes(page)));
}

/** What the visitor wrote: a word of theirs is no term of ours. */
function own(search) {
  const here = new URLSearchParams(search);
  return ["text", "sample"].map((name) => here.get(name)?.toLowerCase() ?? "").join("\n");
}

/** Only the first of a term stays marked: an earlier one may have come since. */
function keep(marked, known) {
  const { term } = marked.dataset;
  if (!known.has(term) || marked.matches("[aria-expanded=true], :focus")) known.add(term);
  else marked.replaceWith(...marked.childNodes);
}

function markText(text, terms, known, sentence) {
  const places = termsIn(text.data, terms, known);
  for (const [start, end, id] of places.reverse()) {
    if (sentence.includes(text.data.slice(start, end).toLowerCase())) continue;
    const word = text.splitText(start);
    word.splitText(end - start);
    const marked = make("span", "term");
    Object.assign(marked.dataset, { term: id });
    marked.tabIndex = 0;
    marked.setAttribute("role", "button");
    marked.setAttribute("aria-expanded", "false");
    word.replaceWith(marked);
    marked.append(word);
  }
}

// ---- the note

class Note {
  constructor(terms, source, bar) {
    Object.assign(this, { terms, source, bar, of: null, pinned: false });
    const heard = { pointerover: "over", pointerout: "out", focusin: "focus", click: "press", keydown: "key" };
    const finger = { pointerdown: "down", pointermove: "moves", pointerup: "lift", pointercancel: "lift" };
    const listen = Object.entries({ ...heard, ...finger });
    this.listeners = listen.map(([kind, name]) => [kind, (event) => this[name](event)]);
    for (const [kind, listener] of this.listeners) document.addEventListener(kind, listener, true);
    this.moved = () => this.of && this.place();
    document.addEventListener("scroll", this.moved, true);
  }

  end() {
    for (const [kind, listener] of this.listeners) document.removeEventListener(kind, listener, true);
    document.removeEventListener("scroll", this.moved, true);
    this.close();
    this.element?.remove();
  }

  // What is pointed at opens slowly, and stays while the pointer goes over to the note.
  over(event) {
    if (event.pointerType !== "mouse") return;
    const term = termAt(event);
    if (term || this.holds(event.target)) clearTimeout(this.timer);
    if (term && term !== this.of) this.timer = setTimeout(() => this.open(term), SLOWLY);
  }

  out(event) {
    if (event.pointerType !== "mouse" || !(termAt(event) || this.holds(event.target))) return;
    clearTimeout(this.timer);
    if (!this.pinned && !this.of?.matches(":focus")) this.timer = setTimeout(() => this.close(), LEAVING);
  }

  focus(event) {
    this.lead(event);
    const term = termAt(event);
    const titled = term ? null : (titledAt(event) ?? digitsIn(event.target)[0]);
    const shown = term ?? (event.composedPath()[0].matches?.(":focus-visible") ? titled : null);
    if (shown) this.open(shown);
    else if (this.of && !this.holds(event.target)) this.close();
  }

  down(event) {
    this.touches = event.pointerType === "touch";
    this.held = null;
    this.lead(event);
    this.lift();
    const titled = this.touches && event.isPrimary ? titledAt(event) : null;
    if (!titled?.closest(ACTS)) return;
    this.at = [event.clientX, event.clientY];
    this.holding = setTimeout(() => {
      this.open((this.held = titled));
      this.pinned = true;
    }, HOLDING);
  }

  moves({ clientX, clientY }) {
    if (this.holding && Math.hypot(clientX - this.at[0], clientY - this.at[1]) > STRAYING) this.lift();
  }

  lift() {
    clearTimeout(this.holding);
    this.holding = null;
  }

  press(event) {
    if (this.held && titledAt(event) === this.held) {
      event.preventDefault(); // it was held, to be told what it does
      return event.stopPropagation();
    }
    const titled = this.touches ? titledAt(event) : null;
    const term = termAt(event) ?? (titled?.closest(ACTS) ? null : titled);
    if (!term) return void (this.of && !this.holds(event.target) && this.close());
    if (this.of === term && this.pinned) return this.close();
    this.open(term);
    this.pinned = true;
  }

  // In a table that has the focus, arrows lead from number to number.
  walk(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    const cells = by ? digitsIn(event.target) : [];
    const now = cells.indexOf(this.of);
    if (now < 0) return;
    const upright = ["ArrowUp", "ArrowDown"].includes(event.key);
    const ahead = by > 0 ? cells.slice(now + 1) : cells.slice(0, now).reverse();
    const next = ahead.find((cell) => !upright || cell.cellIndex === this.of.cellIndex);
    if (!next) return;
    event.preventDefault();
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.open(next);
  }

  key(event) {
    if (!this.of) return;
    this.walk(event);
    const [{ of }, inside] = [this, this.holds(event.target)];
    if (event.key === "Escape") {
      event.stopPropagation();
      this.close();
      if (inside) of.focus();
      this.close();
    } else if (termAt(event) === of && ["Enter", " "].includes(event.key)) {
      event.preventDefault();
      this.element.querySelector("a")?.focus();
    } else if (inside && event.key === "Tab") {
      of.focus(); // and on from there
      if (event.shiftKey) event.preventDefault();
    }
  }

  /** A door of the glossary takes along the sentence that is looked at. */
  lead({ target }) {
    const door = target.closest?.("a.see");
    if (door) door.search = carried(this.bar.read(), door.search);
  }

  holds(target) {
    return Boolean(this.of && this.element?.contains(target));
  }

  open(term) {
    if (this.of !== term) this.close();
    const help = term.dataset.help ?? (term.dataset.term ? null : term.title);
    const said = help ? { said: help } : this.terms()?.terms[term.dataset.term];
    if (!said) return;
    this.of = term;
    if (!term.title) term.setAttribute("aria-expanded", "true");
    if (!help) term.setAttribute("aria-controls", "term-note");
    this.make();
    this.element.setAttribute("aria-label", said.word ?? term.textContent);
    this.element.replaceChildren(...(help ? [printed("p", help)] : this.explained(term.dataset.term, said)));
    this.element.hidden = false;
    this.place();
  }

  make() {
    if (this.element) return;
    this.element = make("div", "term-note");
    this.element.id = "term-note";
    this.element.setAttribute("role", "dialog");
    document.querySelector(".stApp").append(this.element);
  }

  explained(id, { word, other, said, sign }) {
    const head = make("p", "head");
    head.append(make("b", "", word), make("span", "", other));
    if (sign) head.append(printed("code", sign));
    const link = make("a", "", this.terms().link);
    link.href = `${this.source.replace(/\/terms\/.*/, "")}/glossary?${carried(this.bar.read(), `term=${id}`)}`;
    return [head, printed("p", said), link];
  }

  /** Under its word, or above where there is no room; never beyond the window. */
  place() {
    const { element } = this;
    const [first] = this.of.getClientRects();
    if (!first) return;
    const word = inWindow(first, this.of);
    const { offsetWidth: width, offsetHeight: height } = element;
    const below = word.bottom + 6;
    element.style.left = `${Math.max(8, Math.min(word.left, innerWidth - width - 8))}px`;
    element.style.top = `${below + height < innerHeight ? below : Math.max(8, word.top - height - 6)}px`;
  }

  close() {
    clearTimeout(this.timer);
    this.pinned = false;
    if (!this.of) return;
    if (!this.of.title) this.of.setAttribute("aria-expanded", "false");
    this.of.removeAttribute("aria-controls");
    this.of = null;
    this.element.hidden = true;
  }

  /** Its word may have gone with the text around it. */
  check() {
    if (this.of && !this.of.isConnected) this.close();
  }
}

/** A text with the indices of its symbols raised and lowered. */
function printed(tag, text) {
  const node = make(tag);
  node.append(...typeset([text]));
  return node;
}

/** What has a title that says more than what is written there. */
function titledAt(event) {
  const titled = event.composedPath()[0].closest?.("[title]");
  return titled?.title && titled.title !== titled.textContent ? titled : null;
}

/** The numbers of a table, or of a claim, that show fewer digits than they have, where it has the focus. */
function digitsIn(target) {
  return target.matches?.(".shapes-box, .claim dl") ? [...target.querySelectorAll(":is(td, dd)[title]")] : [];
}

/** A term, or a control’s label: also inside a picture, which an event hides. */
function termAt(event) {
  const [inner] = event.composedPath();
  return inner.closest?.(".term, [data-help]") ?? null;
}
