// The sentence's box: one click opens it, typing is counted against the limits, a preset or "use" sends it.
// Each pause in typing sends a draft, and the server answers with the count of its tokens.

import { make } from "../shared/shared.js";

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const box = (parentElement.box ??= new Box(parentElement));
  box.take(data, setStateValue, setTriggerValue);
  return () => {
    box.end();
    delete parentElement.box;
  };
}

class Box {
  constructor(parent) {
    this.root = parent.appendChild(make("div", "sentence"));
    this.button = this.root.appendChild(make("button", "open"));
    this.panel = this.root.appendChild(make("div", "panel"));
    this.label = this.panel.appendChild(make("label"));
    this.area = this.panel.appendChild(make("textarea"));
    this.counts = this.panel.appendChild(make("div", "counts"));
    this.warning = this.panel.appendChild(make("p", "warning"));
    this.actions = this.panel.appendChild(make("div", "actions"));
    this.models = this.panel.appendChild(make("div", "models"));
    this.presets = this.panel.appendChild(make("div", "presets"));
    this.source = this.panel.appendChild(make("p", "source"));
    this.panel.hidden = true;
    this.area.id = this.label.htmlFor = "sentence";
    this.area.rows = 3;
    this.area.spellcheck = false;
    this.warning.setAttribute("role", "status");
    this.button.setAttribute("aria-expanded", "false");
    this.button.onclick = () => this.show(this.panel.hidden);
    this.area.oninput = () => this.typed();
    this.area.onkeydown = (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.send(this.area.value);
      }
    };
    this.root.onkeydown = (event) => {
      if (event.key === "Escape") this.show(false); // returning anything here would take the key from the visitor
    };
    this.outside = (event) => !this.panel.hidden && !event.composedPath().includes(this.root) && this.show(false);
    document.addEventListener("pointerdown", this.outside);
    // On a phone the strip stands above, and a click on it opens the box too.
    window.addEventListener("see:edit", (this.edit = () => this.show(true)));
  }

  end() {
    clearTimeout(this.timer);
    document.removeEventListener("pointerdown", this.outside);
    window.removeEventListener("see:edit", this.edit);
    this.root.remove();
  }

  take(data, state, trigger) {
    const { words } = data;
    [this.draft, this.use] = [(text) => state("draft", text), (text) => trigger("text", text)];
    this.models.replaceChildren(
      make("span", "", words.model),
      ...data.models.map(({ id, name, on }) => {
        const button = this.action(on ? "model on" : "model", name, () => {
          this.show(false); // as a sentence does: what it changed is to be seen
          trigger("model", id);
        });
        button.setAttribute("aria-pressed", String(on));
        return button;
      }),
    );
    this.button.textContent = words.open;
    this.label.textContent = words.label;
    if (this.data?.text !== data.text) this.area.value = data.text; // another sentence in the address
    this.data = data;
    this.actions.replaceChildren(
      this.action("use", words.use, () => this.send(this.area.value)),
      this.action("plain", words.example, () => this.send(data.example)),
    );
    this.presets.replaceChildren(
      make("span", "", words.presets),
      ...data.presets.map((text) => this.action("preset", text, () => this.send(text))),
    );
    this.source.replaceChildren(make("span", "", words.source + " "));
    const credits = make("a", "", words.credits);
    credits.href = data.credits;
    this.source.append(credits);
    this.count();
  }

  action(className, text, run) {
    const button = make("button", className, text);
    button.type = "button";
    button.onclick = run;
    return button;
  }

  show(open) {
    this.panel.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (!open) return this.button.focus({ preventScroll: true });
    this.area.focus();
    this.area.select();
    this.typed();
  }

  typed() {
    this.count();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draft(this.bounded(this.area.value)), 150);
  }

  send(text) {
    clearTimeout(this.timer);
    this.area.value = text;
    this.show(false);
    this.use(this.bounded(text));
  }

  // Enough for the server to say how much too long a text is; the rest stays here.
  bounded(text) {
    return text.slice(0, 10 * this.data.limits.characters);
  }

  count() {
    const { draft, limits, words } = this.data, characters = [...this.area.value].length;
    const current = draft && draft.text === this.area.value;
    const tokens = current ? draft.tokens ?? "?" : "…"; // not said while a question asks for it
    this.counts.replaceChildren(
      over(`${tokens} / ${limits.tokens} ${words.tokens}`, current && draft.tokens > limits.tokens),
      over(`${characters} / ${limits.characters} ${words.characters}`, characters > limits.characters),
    );
    const unknown = current && draft.unknown.length ? `${words.unknown} ${draft.unknown.join(" ")}` : "";
    this.warning.textContent = characters > limits.characters ? words.tooLong : unknown;
  }
}

const over = (text, bad) => make("span", bad ? "over" : "", text);
