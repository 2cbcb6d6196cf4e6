// Parts of a whole, a row each: its name, a bar as long as its share, its numbers. A press selects the row's number.

import { make } from "../kit/draw.js";
import { Picture, pressed } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `share` is 0 to 1, or null while it may not be seen; `also` a second number; a `total` stands under a line. The bar
 * begins at `start`, 0 to 1; `picks` is what a press sets instead of the one parameter.
 * @typedef {{id: string, name: string, value: string, said: string, share: number | null, also: string,
 *   total: boolean, start: number, negative: boolean, picks: Record<string, any>, rest: boolean}} Row
 *
 * `param` is what a press selects, `first` the row that is selected while the address has none.
 * Where the bars are laid end to end they are `added`; `bare` are rows without bars.
 * @typedef {{param: string, first: string, rows: Row[], head: string[], label: string, caption: string,
 *   added: boolean, bare: boolean}} Data
 */

const STEPS = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity };

class Shares extends Picture {
  static className = "shares";

  build() {
    this.list = this.root.appendChild(make("div", "list"));
    this.caption = this.root.appendChild(make("p", "caption"));
    this.list.onkeydown = (event) => this.key(event);
  }

  draw() {
    const { rows, head, label, caption, added, bare } = this.data;
    this.named(this.list, "group", label);
    this.list.classList.toggle("double", Boolean(head[3]));
    this.list.classList.toggle("added", added);
    this.list.classList.toggle("bare", bare);
    this.list.classList.toggle("unsaid", !head[1]);
    const top = make("div", "row head");
    top.append(...head.filter((word, i) => i < 3 || word).map((word) => make("span", "", word)));
    const first = head.length ? [top] : [];
    this.keepingFocus(() => this.list.replaceChildren(...first, ...rows.map((row) => this.row(row))));
    this.caption.textContent = caption;
    if (added) this.clear();
  }

  // No line from bar to bar through the name between them, where it stands over the bars (on a phone).
  clear() {
    const names = [...this.list.querySelectorAll(".row:not(.head) :is(.name, .said:not(:empty))")];
    for (const bar of this.list.querySelectorAll(".row:not(.head) .bar")) {
      const { right } = bar.firstChild.getBoundingClientRect();
      const next = names.filter((name) => name.parentElement === bar.parentElement.nextElementSibling);
      bar.classList.toggle(
        "crossed",
        next.some((name) => name.getBoundingClientRect().right >= right),
      );
    }
  }

  chosen() {
    const { rows, param, first } = this.data;
    const now = this.get(param);
    const names = ({ picks }) => Object.entries(picks);
    const picked = rows.findLast((row) => names(row).length && names(row).every(([name, at]) => this.get(name) == at));
    return picked?.id ?? (rows.some(({ id }) => id === now) ? now : first);
  }

  row({ id, name, value, said, share, also, total, start, negative, rest }) {
    const on = id === this.chosen();
    const row = make("button", `row${total ? " total" : ""}${on ? " on" : ""}`);
    row.type = "button";
    row.dataset.at = id;
    row.setAttribute("aria-pressed", String(on));
    const bar = make(
      "span",
      `bar${rest ? " rest" : ""}${share === null ? " veiled" : ""}${negative ? " negative" : ""}`,
    );
    const filled = bar.appendChild(make("i"));
    filled.style.marginLeft = `${100 * start}%`;
    filled.style.width = `${100 * (share ?? 1)}%`;
    row.append(make("span", "name", name), bar, make("span", "said", said), make("b", "", value));
    if (this.data.head[3]) row.append(make("b", "also", also));
    row.onclick = () => this.pick(id);
    return row;
  }

  pick(id) {
    const { rows, param } = this.data;
    const { picks } = rows.find((row) => row.id === id);
    if (Object.keys(picks).length) this.select(picks);
    else if (param) this.select({ [param]: id });
  }

  key(event) {
    const step = pressed(event, STEPS);
    if (!step) return;
    const ids = this.data.rows.map(({ id }) => id);
    const at = Math.max(0, Math.min(ids.length - 1, ids.indexOf(this.chosen()) + step));
    this.pick(ids[at]);
    this.list.querySelector(`[data-at="${ids[at]}"]`)?.focus();
  }
}

export default component(Shares);
