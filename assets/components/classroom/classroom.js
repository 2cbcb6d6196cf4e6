// A class together: the strip that a teacher and the pupils have while a room is open (pages/shared/server/rooms.py).
//
// A pupil's answer is told to the room where the button is pressed, before the page comes back: two hundred who answer
// at once wait for nothing. Where the class is to be is a place, to which pupils go once, when it changes; then they
// are free again.

import { codeOf, make } from "../kit/draw.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `reached` is where other machines find the site, for a teacher's browser that calls it localhost; `code` the code of
 * the link that was last asked for.
 * @typedef {{room: string, page: string, base: string, question: string | null, choices: [string, string][],
 *   reached: string, code: {link: string, modules: number, path: string} | null, words: Record<string, string>}} Data
 *
 * What the room says: `version` counts the places.
 * @typedef {{teacher: boolean, version: number, where: string, here?: number, answers?: Record<string, number>,
 *   answer?: string | null}} Known
 */

const OWN = ["lang", "theme", "present", "tour", "slide", "room", "guess", "ask"]; // of an address: one's own
const TEACHER = 500; // ms between two looks
const PUPIL = 2500;
const LATER = 8000; // where the room cannot be reached
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];
const REFUSED = { 404: "ended", 429: "full" };
const kept = (room) => `see-through-room-${room}`; // in this tab: the last place gone to, and whether one follows

class Classroom extends Picture {
  static className = "classroom";
  static taken = false;

  build() {
    this.said = make("p", "said");
    this.said.setAttribute("role", "status");
    this.bars = make("div", "bars");
    this.tools = make("div", "tools");
    this.root.append(this.said, this.tools, this.bars);
    this.panel = this.root.appendChild(make("div", "panel"));
    this.panel.popover = "auto";
    this.buttons = {
      code: this.button(() => this.showCode()),
      follow: this.button(() => this.follow()),
      end: this.button(() => this.leave()),
    };
    this.tools.append(...Object.values(this.buttons));
    this.listen(document, "click", (event) => this.press(event), true);
    this.listen(document, "visibilitychange", () => this.look());
    this.atEnd(() => clearTimeout(this.timer));
  }

  button(press) {
    const node = make("button");
    node.onclick = press;
    return node;
  }

  take(data) {
    if (this.data?.room !== data.room) this.known = this.trouble = null;
    this.data = data;
    this.named(this.root, "region", `${data.words.title} ${data.room}`);
    queueMicrotask(() => this.look());
  }

  // ---- what the room says

  async ask(below = "", options = {}) {
    const { base, room } = this.data;
    const headers = options.body ? { "Content-Type": "application/json" } : {};
    try {
      const answer = await fetch(`${base}/rooms/${room}${below}`, { ...options, headers, cache: "no-store" });
      this.trouble = answer.ok ? null : (REFUSED[answer.status] ?? "gone");
      if (!answer.ok) return null;
      const found = await answer.json();
      if (found.ended) this.trouble = "ended";
      return found.ended ? null : found;
    } catch {
      this.trouble = "gone";
      return null;
    }
  }

  async look() {
    clearTimeout(this.timer);
    if (!this.given || document.hidden || this.trouble === "ended") return;
    const asked = (this.asked = {});
    const found = await this.ask(`?question=${this.data.question ?? ""}`);
    if (!this.given || asked !== this.asked) return;
    if (found) this.known = found;
    const wait = this.trouble ? LATER : this.known.teacher ? TEACHER : PUPIL + (performance.now() % 1000);
    this.timer = setTimeout(() => this.look(), wait);
    if (found) this.goOn();
    this.redraw();
  }

  /** A teacher who is followed says where that is, as in the beginning; a pupil who follows goes there. */
  goOn() {
    const { teacher, where, version } = this.known;
    if (teacher && version === 0) return this.lead(this.place);
    if (!where) return;
    if (teacher) return where === this.place || this.lead(this.place);
    if (this.own.follows === false || this.own.version === version) return;
    this.keep({ version });
    if (where !== this.place) this.go(where);
  }

  lead(where) {
    return this.ask("/where", { method: "POST", body: JSON.stringify({ where }) });
  }

  // ---- places

  /** This page and what is selected on it, without what is one's own. */
  get place() {
    const query = new URLSearchParams(this.store.bar.read());
    for (const name of OWN) query.delete(name);
    return `${this.data.page}?${query}`;
  }

  go(where) {
    const [page, search] = where.split("?");
    const query = new URLSearchParams(search);
    const now = new URLSearchParams(this.store.bar.read());
    const same = page === this.data.page && query.get("text") === now.get("text");
    for (const name of OWN) {
      if (now.has(name) && (same || name !== "guess")) query.set(name, now.get(name));
    }
    this.store.bar.settle();
    // As the browser's own Back does it: Streamlit turns the page in place, and the store reads the address.
    History.prototype.pushState.call(history, history.state, "", `${this.data.base}/${page}?${query}`);
    window.dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  }

  get own() {
    try {
      return JSON.parse(sessionStorage.getItem(kept(this.data.room))) ?? {};
    } catch {
      return {};
    }
  }

  keep(more) {
    sessionStorage.setItem(kept(this.data.room), JSON.stringify({ ...this.own, ...more }));
  }

  // ---- what is pressed

  async press(event) {
    const box = event.target.closest?.("[class*='st-key-guess_']");
    if (!box || !event.target.closest("button") || !this.known || this.known.teacher || !this.data.question) return;
    const choice = /st-key-guess_(\w+)/.exec(box.className)[1];
    const body = JSON.stringify({ question: this.data.question, choice });
    const counted = await this.ask("/votes", { method: "POST", body });
    if (counted && this.known) this.known.answer ??= choice;
    if (this.given) this.redraw();
  }

  async follow() {
    if (this.known.teacher) {
      await this.lead(this.known.where ? "" : this.place);
    } else {
      this.keep({ follows: this.own.follows === false, version: null });
    }
    this.look();
  }

  async leave() {
    if (this.known?.teacher) await this.ask("", { method: "DELETE" });
    this.select({ room: null });
  }

  /** Where a phone comes in: any page of the site, with the room. */
  get link() {
    const here = LOCAL.includes(location.hostname) && this.data.reached;
    return `${here || location.origin}${this.data.base}/?room=${this.data.room}`;
  }

  showCode() {
    this.panel.showPopover();
    if (this.data.code?.link !== this.link) this.host.state("link", this.link);
    this.drawCode();
  }

  drawCode() {
    const { code, room } = this.data;
    const drawn = code?.link === this.link ? [codeOf(code)] : [];
    this.panel.replaceChildren(...drawn, make("b", "", room), make("span", "", this.link));
  }

  // ---- drawn

  draw() {
    const { words, choices } = this.data;
    const { known, trouble } = this;
    this.said.textContent = this.sentence();
    const teacher = Boolean(known?.teacher);
    const { code, follow, end } = this.buttons;
    code.hidden = !teacher;
    follow.hidden = !known || trouble === "ended";
    code.textContent = words.code;
    follow.textContent = teacher ? words.lead : words.follow;
    follow.setAttribute("aria-pressed", String(teacher ? Boolean(known?.where) : this.own.follows !== false));
    end.textContent = teacher && trouble !== "ended" ? words.end : words.leave;
    if (this.panel.matches(":popover-open")) this.drawCode();
    const shown = teacher && choices.length && ![null, undefined, "open"].includes(this.get("guess"));
    this.bars.hidden = !shown;
    if (shown) this.bars.replaceChildren(...this.rows(choices, known.answers ?? {}));
  }

  sentence() {
    const { words, room, question } = this.data;
    const { known, trouble } = this;
    const title = `${words.title} ${room}`;
    if (trouble) return `${title} · ${words[trouble]}`;
    if (!known) return title;
    if (!known.teacher) return known.answer ? `${title} · ${words.counted}` : title;
    const here = words.here.replace("{n}", known.here);
    const total = Object.values(known.answers ?? {}).reduce((sum, count) => sum + count, 0);
    return [title, here, ...(question ? [words.answered.replace("{n}", total)] : [])].join(" · ");
  }

  rows(choices, answers) {
    const total = Object.values(answers).reduce((sum, count) => sum + count, 0);
    return choices.map(([id, label]) => {
      const count = answers[id] ?? 0;
      const row = make("div", "row");
      const bar = make("i");
      bar.style.width = `${total ? (100 * count) / total : 0}%`;
      const track = make("span", "track");
      track.append(bar);
      row.append(make("span", "", label), track, make("b", "", String(count)));
      return row;
    });
  }
}

export default component(Classroom);
