// The rows a word is compared with, the nearest first: each a bar as long as its cosine, and the number.

import { make } from "../kit/draw.js";
import { exact, fixed } from "../kit/format.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `cosine` is null while it is asked.
 * @typedef {{id: string, text: string, cosine: number | null}} Row
 *
 * @typedef {{param: string, chosen: string, rows: Row[],
 *   words: {label: string, none: string, same: string, hidden: string}}} Data
 */

class Near extends Picture {
  static className = "near";

  build() {
    this.title = this.root.appendChild(make("p", "title"));
    const box = this.root.appendChild(make("div", "box"));
    this.list = box.appendChild(make("div", "list"));
    this.ends = box.appendChild(make("div", "row ends"));
  }

  take(data) {
    this.data = data;
    this.title.textContent = data.words.label;
    this.named(this.list, "group", data.words.label);
  }

  draw() {
    const { rows, words } = this.data;
    const first = [...rows].sort((one, other) => (other.cosine ?? -2) - (one.cosine ?? -2));
    this.low = Math.min(0, ...rows.map(({ cosine }) => cosine ?? 0)); // the axis ends at 1
    this.keepingFocus(() => this.list.replaceChildren(...first.map((row) => this.row(row))));
    const none = make("span", "", words.none);
    none.style.marginLeft = this.at(0);
    const track = make("span", "track");
    track.append(none, make("span", "", words.same));
    this.ends.replaceChildren(make("span"), track);
  }

  /** Where on the track a cosine stands. */
  at(cosine) {
    return `${(100 * (cosine - this.low)) / (1 - this.low)}%`;
  }

  row({ id, text, cosine }) {
    const hidden = cosine === null;
    const on = id === (this.get(this.data.param) ?? this.data.chosen);
    const row = make(hidden ? "div" : "button", `row${hidden ? " hidden" : on ? " on" : ""}`);
    const track = make("span", "track");
    row.append(make("span", "name", text), track, make("b", "", hidden ? this.data.words.hidden : fixed(cosine, 2)));
    if (hidden) return row;
    const bar = track.appendChild(make("i", cosine < 0 ? "negative" : ""));
    bar.style.left = this.at(Math.min(0, cosine));
    bar.style.width = `${(100 * Math.abs(cosine)) / (1 - this.low)}%`;
    row.title = exact(cosine);
    row.dataset.at = id;
    row.setAttribute("aria-pressed", String(on));
    row.onclick = () => this.select({ [this.data.param]: id });
    return row;
  }
}

export default component(Near);
