// At most three rows of choices above a picture. A choice changes the selection; what follows is the picture's affair.
// Few options stand as segments; many as a stepper: ‹ 9 / 12 ›.

import { helped, make, titled, typeset, widthOf } from "../kit/draw.js";
import { clamp, entry, Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A choice of one parameter, `name`. `options` are [id, text]; `number` [low, high] is typed instead, in steps of
 * `step`, and `refusal` said of what does not fit; `counts` says how many options there are, read at what the
 * parameter `by` selects. `also` is what a choice lets go of besides, `first` what is chosen while nothing is. A
 * control too wide for a phone says `stepper`, one too wide everywhere `stepper: "always"`, one whose many words
 * must all be seen "never", one with more of them than one steps through "list", which may name each one's group in
 * `groups`; a `plain` stepper does not say how many there are; one that `plays` goes through all of them by itself and
 * has a word for that and one for resting. Of `several` options the parameter holds the ids
 * between commas, `none` where there is none; an option's id may be several. A `text` of so many characters is typed
 * into a box of so many `lines`, with a button to `use` it, or as wide as a `short` word, in which an `example`
 * stands while it is empty; `long` is said of a longer one, `refusal` of what the address has and the server could
 * not use. `hints` say of each option what it means. A text `handed` over is too long for an address. While another
 * option than the `usual` one is chosen, what waits behind "more" stays open. `at` tells controls of one parameter
 * apart. `help` says what it does.
 * @typedef {{name: string, label: string, options?: [string | number | null, string][],
 *   number?: [number, number], step?: number,
 *   refusal?: string, by?: string, counts?: number[], also?: object, first?: string | number | null,
 *   stepper?: boolean | "always" | "never" | "list", groups?: string[], plain?: boolean,
 *   plays?: [string, string] | null, usual?: string,
 *   several?: boolean, none?: string | null, hints?: string[], text?: number, lines?: number, short?: boolean,
 *   use?: string, long?: string, handed?: string, example?: string, at?: string, help?: string}} Control
 *
 * @typedef {{controls: Control[], more?: {label: string, controls: Control[]}}} Data
 */
const PACE = 1200; // ms from one option to the next of a stepper that plays
const [WORDS, BESIDE] = [13.5, 150]; // of the words, the size; and how long they stand in one line on a phone

class Controls extends Picture {
  static className = "controls";
  static taken = false;

  build() {
    this.narrow = matchMedia("(max-width: 640px)");
    this.open = false; // what waits behind one word
    this.playing = null; // the control that goes through its options
    this.listen(this.narrow, "change", () => this.redraw());
  }

  take(data) {
    this.data = data;
    this.drawn = null;
  }

  // Nothing is drawn anew while nothing changed: a number that is being typed would go.
  draw() {
    const { controls, more } = this.data;
    const names = [...controls, ...(more?.controls ?? [])].flatMap(({ name, by }) => (by ? [name, by] : [name]));
    const now = JSON.stringify([this.narrow.matches, this.open, this.playing, names.map((name) => this.get(name))]);
    if (now === this.drawn) return;
    this.drawn = now;
    this.keepingFocus(() => {
      const typing = this.typing();
      this.root.replaceChildren(...controls.map((control) => this.control(control)));
      if (more) this.root.append(...this.more(more));
      typing?.();
    });
  }

  // Whoever types on while the server answers keeps what was typed, and the place in it.
  typing() {
    const box = this.root.getRootNode().activeElement;
    if (!box?.matches("textarea, input[type=text]")) return null;
    const { value, selectionStart, selectionEnd, dataset } = box;
    const unsaid = value !== box.defaultValue;
    return () => {
      const again = this.root.querySelector(`[data-at="${CSS.escape(dataset.at)}"]`);
      if (!again) return;
      if (unsaid) again.value = value;
      again.setSelectionRange(selectionStart, selectionEnd);
    };
  }

  control(control) {
    if (control.number) return this.typed(control);
    if (control.text) return this.text(control);
    if (control.several) return this.several(control);
    const { stepper } = control;
    const counted = this.counted(control);
    if (control.counts && counted.options.length < 2) return ""; // nothing to choose
    if (stepper === "list") return this.list(counted);
    const many = counted.options.length > 8 && stepper !== "never";
    const steps = many || stepper === "always" || (stepper === true && this.narrow.matches);
    return steps ? this.stepper(counted) : this.segments(counted);
  }

  // Where another selection decides how many options there are, the first is the default.
  counted(control) {
    if (!control.counts) return control;
    const length = Number(entry(control.counts, this.get(control.by))) || 1;
    return { ...control, options: Array.from({ length }, (_, i) => [i + 1, String(i + 1)]), first: 1 };
  }

  // What is not needed at first sight waits behind one word; it stays open while one of its options is chosen.
  more({ label, controls }) {
    const used = controls.some((control) => {
      if (control.number) return Number(this.get(control.name)) !== control.usual;
      if (control.text) return Boolean(control.refusal);
      const i = this.chosen(control);
      return i >= 0 && control.options[i][0] !== control.usual;
    });
    if (used || this.open) return controls.map((control) => this.control(control));
    const toggle = make("button", widthOf(label, WORDS) > BESIDE ? "more long" : "more", label);
    toggle.dataset.at = "more";
    toggle.setAttribute("aria-expanded", "false");
    toggle.onclick = () => {
      this.open = true;
      this.redraw();
    };
    return [toggle];
  }

  chosen(control) {
    const now = String(this.get(control.name) ?? control.first);
    return control.options.findIndex(([id]) => String(id) === now);
  }

  // Another word begins at its first step.
  choose({ name, also }, id) {
    this.select({ [name]: id }, name === "word" ? { step: null, ...also } : also);
  }

  group({ label, help }, inner) {
    const box = make("div", "control");
    const row = make("span", "segments");
    this.named(row, "group", label);
    row.append(...inner);
    const name = make("span", "label");
    name.append(...typeset([label]));
    box.append(helped(name, help), row);
    return box;
  }

  button(control, at, text, id) {
    const button = make("button");
    button.append(...typeset([text]));
    button.dataset.at = `${control.at || control.name}-${at}`;
    button.onclick = () => this.choose(control, id);
    return button;
  }

  segments(control) {
    const now = this.chosen(control);
    return this.group(
      control,
      control.options.map(([id, text], i) =>
        titled(this.segment(control, id, text, id, i === now), control.hints?.[i]),
      ),
    );
  }

  segment(control, at, text, id, on) {
    const button = this.button(control, at, text, id);
    button.classList.toggle("on", on);
    button.setAttribute("aria-pressed", String(on));
    return button;
  }

  // Options that can be chosen together: pressed again, one is let go of. Of those that are part of a larger one that
  // is chosen none is: pressed, it takes that one's place.
  several(control) {
    const { name, none, options } = control;
    const value = this.get(name) ?? control.first ?? none;
    const now = value === none ? [] : String(value).split(",");
    const every = options.map(([id]) => (id === none ? [] : id.split(",")));
    const held = every.filter((ids) => ids.every((one) => now.includes(one)));
    const buttons = options.map(([id, text], i) => {
      const ids = every[i];
      const larger = held.find((other) => other.length > ids.length && ids.every((one) => other.includes(one))) ?? [];
      const on = ids.length ? held.includes(ids) && !larger.length : !now.length;
      const rest = now.filter((one) => !ids.includes(one) && !(ids.length && larger.includes(one)));
      const after = on || !ids.length ? rest : [...rest, ...ids];
      return this.segment(control, id, text, (ids.length && after.join(",")) || none, on);
    });
    return this.group(control, buttons);
  }

  // A number, typed or stepped; where its step is whole, a whole one. One that cannot be used is said to be so, and the
  // selection stays.
  typed(control) {
    const { name, label, refusal, step = 1 } = control;
    const [low, high] = control.number;
    const value = clamp(this.get(name), low, high);
    const input = Object.assign(make("input"), { type: "number", min: low, max: high, step, value });
    input.dataset.at = name;
    input.setAttribute("aria-label", label);
    input.style.width = `${Math.max(4, String(value ?? "").length + 2) + 3}ch`;
    const [box, refuse] = this.refusing(control, input);
    input.onchange = () => {
      const typed = Number(input.value);
      const fits = input.value !== "" && (typed % 1 === 0 || step % 1 !== 0) && typed >= low && typed <= high;
      refuse(fits ? "" : refusal);
      if (fits) this.choose(control, typed);
    };
    return box;
  }

  // A box to type into, and how it is said that what stands in it cannot be used: a screen reader tells it at once, and
  // again with the box.
  refusing(control, input) {
    const said = make("span", "refusal");
    said.id = `refusal-${control.name}`;
    said.setAttribute("role", "alert");
    input.setAttribute("aria-describedby", said.id);
    const box = this.group(control, [input]);
    box.append(said);
    return [
      box,
      (words) => {
        input.setAttribute("aria-invalid", String(Boolean(words)));
        said.textContent = words;
      },
    ];
  }

  // A text, which counts once Enter is pressed (in a box of several lines with Ctrl or ⌘) or the box is left; emptied,
  // it is what it was at first. A lone half of a character would be refused by the server.
  text(control) {
    const { name, label, text, lines, long, handed, example, first, refusal } = control;
    const input = lines > 1 ? make("textarea") : Object.assign(make("input"), { type: "text" });
    if (lines > 1) input.rows = lines;
    input.placeholder = example;
    if (!long) input.maxLength = text;
    const now = () => handed ?? this.get(name) ?? first ?? "";
    input.defaultValue = input.value = now();
    input.dataset.at = name;
    input.setAttribute("aria-label", label);
    const [box, refuse] = this.refusing(control, input);
    refuse(refusal);
    input.onchange = () => {
      const typed = input.value.replace(/\p{Surrogate}/gu, "").trim();
      if (typed.length > text) return refuse(long);
      if (typed === handed) return refuse(refusal);
      if (typeof handed === "string") return this.hand(typed);
      this.choose(control, typed || null);
      input.defaultValue = input.value = now();
    };
    input.onkeydown = (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) input.onchange();
    };
    box.classList.add("text");
    if (lines > 1) {
      box.classList.add("tall");
      const button = make("button", "", control.use); // to press it leaves the box, which is enough
      input.after(button);
    }
    if (control.short) box.classList.add("short");
    return box;
  }

  // What no address could hold goes to the server by itself, and must not overtake what was selected before.
  hand(typed) {
    this.store.flush();
    this.host.trigger("typed", typed);
  }

  // The browser's own list, in which one types the beginning of a word.
  list(control) {
    const { name, label, at, options, groups } = control;
    const select = make("select");
    const all = options.map(([id, text]) => Object.assign(make("option", "", text), { value: id }));
    for (const label of new Set(groups ?? [])) {
      const group = select.appendChild(Object.assign(make("optgroup"), { label }));
      group.append(...all.filter((_, i) => groups[i] === label));
    }
    if (!groups?.length) select.append(...all);
    select.selectedIndex = Math.max(0, this.chosen(control));
    select.dataset.at = at || name;
    select.setAttribute("aria-label", label);
    select.onchange = () => this.choose(control, options[select.selectedIndex][0]);
    return this.group(control, [select]);
  }

  stepper(control) {
    const { options, label, plain } = control;
    const now = Math.max(0, this.chosen(control));
    const to = (step) => options[(now + step + options.length) % options.length][0];
    const back = this.button(control, "back", "‹", to(-1));
    const on = this.button(control, "on", "›", to(1));
    back.setAttribute("aria-label", `${label} −1`);
    on.setAttribute("aria-label", `${label} +1`);
    const middle = make("span", "on", plain ? options[now][1] : `${options[now][1]} / ${options.length}`);
    middle.setAttribute("aria-live", "polite");
    return this.group(control, [back, middle, on, ...(control.plays ? [this.player(control)] : [])]);
  }

  player(control) {
    const plays = this.playing === control.name;
    const button = make("button", "", plays ? "❚❚" : "▶\uFE0E");
    button.dataset.at = `${control.name}-play`;
    button.setAttribute("aria-label", control.plays[Number(plays)]);
    button.onclick = () => (plays ? this.rest() : this.play(control));
    return button;
  }

  // From the first option to the last; whoever chooses another meanwhile ends it.
  play(control) {
    this.rest();
    this.playing = control.name;
    let next = 0;
    const step = () => {
      const last = control.options[next - 1];
      if (!this.root.isConnected || (last && String(this.get(control.name)) !== String(last[0]))) return this.rest();
      this.choose(control, control.options[next++][0]);
      if (next === control.options.length) this.rest();
    };
    this.timer = setInterval(step, PACE);
    step();
    this.redraw();
  }

  rest() {
    clearInterval(this.timer);
    this.playing = null;
    this.redraw();
  }
}

export default component(Controls);
