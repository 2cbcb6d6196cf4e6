// The sentence's box: one click opens it, typing is counted against the limits, a preset or "use" sends it.
// Each pause in typing sends a draft, and the server answers with the count of its tokens.

import { make } from "../kit/draw.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

const PAUSE = 150; // ms without a key

/**
 * `draft` is what was last counted; its tokens are null while a question asks for their number. `credits` is an
 * address.
 * @typedef {{text: string, example: string, presets: string[], limits: {tokens: number, characters: number},
 *   draft: {text: string, tokens: number | null, unknown: string[]}, credits: string,
 *   knows: {title: string, forms: string[], words: {kind: string, words: string}[]} | null,
 *   models: {id: string, name: string, on: boolean}[],
 *   words: Record<"open" | "label" | "use" | "example" | "model" | "presets" | "source" | "credits" | "tokens" |
 *     "characters" | "unknown" | "tooLong", string>}} Data
 */
class Sentence extends Picture {
  static className = "sentence";
  static taken = false;

  build() {
    this.button = this.root.appendChild(make("button", "open"));
    this.panel = this.root.appendChild(make("div", "panel"));
    this.label = this.panel.appendChild(make("label"));
    this.area = this.panel.appendChild(make("textarea"));
    this.counts = this.panel.appendChild(make("div", "counts"));
    this.warning = this.panel.appendChild(make("p", "warning"));
    this.actions = this.panel.appendChild(make("div", "actions"));
    this.models = this.panel.appendChild(make("div", "models"));
    this.presets = this.panel.appendChild(make("div", "presets"));
    this.knows = this.panel.appendChild(make("details", "knows"));
    this.source = this.panel.appendChild(make("p", "source"));
    this.panel.hidden = true;
    this.area.id = this.label.htmlFor = "sentence";
    this.area.rows = 3;
    this.area.spellcheck = false;
    this.warning.setAttribute("role", "status");
    this.button.setAttribute("aria-expanded", "false");
    this.button.onclick = () => this.open(this.panel.hidden);
    this.area.oninput = () => this.typed();
    this.area.onkeydown = (event) => this.entered(event);
    this.root.onkeydown = (event) => {
      if (event.key === "Escape") this.open(false); // returning anything here would take the key from the visitor
    };
    this.listen(document, "pointerdown", (event) => {
      if (!this.panel.hidden && !event.composedPath().includes(this.root)) this.open(false);
    });
    this.listen(window, "see:edit", () => this.open(true)); // on a phone a click on the strip opens the box, too
    this.atEnd(() => clearTimeout(this.timer));
  }

  take(data) {
    const { words } = data;
    if (this.data?.text !== data.text) this.area.value = data.text; // another sentence in the address
    this.data = data;
    this.button.textContent = words.open;
    this.label.textContent = words.label;
    this.models.replaceChildren(make("span", "", words.model), ...data.models.map((model) => this.model(model)));
    this.actions.replaceChildren(
      this.action("use", words.use, () => this.send(this.area.value)),
      this.action("plain", words.example, () => this.send(data.example)),
    );
    this.presets.replaceChildren(
      make("span", "", words.presets),
      ...data.presets.map((text) => this.action("preset", text, () => this.send(text))),
    );
    this.tell(data.knows);
    const credits = Object.assign(make("a", "", words.credits), { href: data.credits });
    this.source.replaceChildren(make("span", "", `${words.source} `), credits);
    this.count();
  }

  // The forms and words a model was trained on, where it has only those.
  tell(knows) {
    this.knows.hidden = !knows;
    if (!knows) return;
    const forms = make("div", "presets");
    forms.append(...knows.forms.map((text) => this.action("preset", text, () => this.send(text))));
    const words = knows.words.map(({ kind, words }) => {
      const line = make("p");
      line.append(make("b", "", kind), ` ${words}`);
      return line;
    });
    this.knows.replaceChildren(make("summary", "", knows.title), ...words, forms);
  }

  model({ id, name, on }) {
    const button = this.action(on ? "model on" : "model", name, () => {
      clearTimeout(this.timer);
      this.open(false); // as a sentence does: what it changed is to be seen
      this.say("trigger", "model", id);
    });
    button.setAttribute("aria-pressed", String(on));
    return button;
  }

  action(className, text, run) {
    const button = make("button", className, text);
    button.type = "button";
    button.onclick = run;
    return button;
  }

  open(open) {
    this.panel.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (!open) return this.letGo();
    this.area.focus();
    this.area.select();
    this.typed();
  }

  // A class's keys are the slides' again: space would press the button.
  letGo() {
    if (this.get("present") === null) return this.button.focus({ preventScroll: true });
    this.area.blur();
    this.button.blur();
  }

  entered(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.send(this.area.value);
  }

  typed() {
    this.count();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.say("state", "draft", this.bounded(this.area.value)), PAUSE);
  }

  send(text) {
    clearTimeout(this.timer);
    this.area.value = text;
    this.open(false);
    this.say("trigger", "text", this.bounded(text));
  }

  // What was selected in the old sentence must not arrive after the new one.
  say(how, name, value) {
    this.store.flush();
    this.host[how](name, value);
  }

  // Enough for the server to say how much too long a text is; the rest stays here.
  bounded(text) {
    return text.slice(0, 10 * this.data.limits.characters);
  }

  count() {
    const { draft, limits, words } = this.data;
    const characters = [...this.area.value].length;
    const current = draft && draft.text === this.area.value;
    const tokens = current ? (draft.tokens ?? "?") : "…"; // not said while a question asks for it
    this.counts.replaceChildren(
      over(`${tokens} / ${limits.tokens} ${words.tokens}`, current && draft.tokens > limits.tokens),
      over(`${characters} / ${limits.characters} ${words.characters}`, characters > limits.characters),
    );
    const unknown = current && draft.unknown.length ? `${words.unknown} ${draft.unknown.join(" ")}` : "";
    this.warning.textContent = characters > limits.characters ? words.tooLong : unknown;
  }
}

const over = (text, bad) => make("span", bad ? "over" : "", text);

export default component(Sentence);
