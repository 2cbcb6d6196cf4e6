// The link to what is on the screen: one click copies it, with a code beside it that a class can photograph.
//
// The link is the browser's own address, which is ahead of the server's. The code is drawn from it by the server, when
// the panel opens; no service is asked.

import { boxOf, codeOf, liveRegion, make } from "../kit/draw.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `code` is the code of the link that was last asked for, as a path on a square of so many modules; null where none was
 * asked for or the link is too long.
 * @typedef {{link: string, modules: number, path: string} | null} Code
 * @typedef {{code: Code, longest: number, leaves: boolean, words: Record<"open" | "copied" | "refused" | "label" |
 *   "inside" | "leaves" | "tooLong" | "larger" | "again" | "close", string>}} Data
 */
class Share extends Picture {
  static className = "share";
  static taken = false;

  build() {
    this.button = this.root.appendChild(make("button", "copy"));
    this.panel = this.root.appendChild(make("div", "sharing"));
    this.said = this.panel.appendChild(liveRegion());
    this.said.className = "done";
    this.field = this.panel.appendChild(make("input"));
    this.place = this.panel.appendChild(make("button", "code"));
    this.notes = this.panel.appendChild(make("div", "notes"));
    this.large = this.root.appendChild(make("dialog"));
    this.panel.popover = "auto"; // Escape and a click beside it close it
    this.field.readOnly = true;
    this.button.onclick = () => this.share();
    this.field.onfocus = () => this.field.select();
    this.place.onclick = () => this.large.showModal();
    this.large.onclick = () => this.large.close();
    this.panel.ontoggle = ({ newState }) => this.button.setAttribute("aria-expanded", String(newState === "open"));
    this.button.setAttribute("aria-expanded", "false");
  }

  take(data) {
    this.data = data;
    const { words } = data;
    this.button.textContent = words.open;
    this.button.title = words.again;
    this.field.setAttribute("aria-label", words.label);
    this.place.title = words.larger;
    this.place.setAttribute("aria-label", words.larger);
    const notes = [words.inside, ...(data.leaves ? [words.leaves] : [])];
    this.notes.replaceChildren(...notes.map((note) => make("p", "", note)));
  }

  draw() {
    if (this.panel.matches(":popover-open")) this.drawCode();
  }

  // Where the selection moved while the panel is open, the link is another.
  selected() {
    if (this.panel.matches(":popover-open")) this.tell();
  }

  /** The screen's address; with its language, for whoever gets it may have a browser in another. */
  link() {
    const { origin, pathname } = location;
    const query = this.store.bar.read();
    const lang = new URLSearchParams(query).has("lang") ? "" : `lang=${document.documentElement.lang.slice(0, 2)}`;
    return `${origin}${pathname}?${[query, lang].filter(Boolean).join("&")}`;
  }

  async share() {
    this.panel.showPopover();
    this.stand();
    this.tell();
    const copied = await this.copied();
    this.said.textContent = copied ? this.data.words.copied : this.data.words.refused;
    this.field.focus();
    this.field.select();
  }

  // A page that came by plain http from another machine may not write to the clipboard: there the old way is tried.
  async copied() {
    try {
      await navigator.clipboard.writeText(this.field.value);
      return true;
    } catch {
      this.field.focus();
      this.field.select();
      return document.execCommand("copy");
    }
  }

  /** Under the button, whose right end it shares. */
  stand() {
    const { right, bottom } = boxOf(this.button);
    const left = Math.max(8, Math.min(right, innerWidth - 8) - this.panel.offsetWidth);
    Object.assign(this.panel.style, { left: `${left}px`, top: `${bottom + 6}px` });
  }

  tell() {
    const link = this.link();
    this.field.value = link;
    this.drawCode();
    if (this.fits(link) && this.data.code?.link !== link) this.host.state("link", link);
  }

  fits(link) {
    return link.length < this.data.longest; // every character of it is one byte
  }

  drawCode() {
    const { code, words } = this.data;
    const link = this.field.value;
    const drawn = code?.link === link;
    this.place.disabled = !drawn;
    const instead = make("span", "", this.fits(link) ? "…" : words.tooLong);
    this.place.replaceChildren(drawn ? codeOf(code) : instead);
    this.large.replaceChildren(...(drawn ? [codeOf(code), make("button", "close", words.close)] : []));
    if (!drawn && this.large.open) this.large.close();
  }
}

export default component(Share);
