// The one store of a Streamlit page, `window.seeThrough`, and the browser's address bar, which it reads and writes.

import { edited, parsed, Store, written } from "./store.js";

const LAST_RELOAD = "see-through-reload";

const OFTEN = 120; // ms between two writings of the address: WebKit refuses more than 100 in ten seconds
const PAGE_LINK = "[data-testid=stPageLink] a";
const UNDERWAY = 50; // ms until what was handed over has left
const REFUSED = 1000; // ms until what was refused is tried again

/** The browser's own address bar, and what a store wants to know of the page around it. */
export class PageBar {
  pending = null; // what is to be written, once it may be
  last = -Infinity; // when something was, last

  read() {
    return this.pending ?? location.search.slice(1);
  }

  get unwritten() {
    return this.pending !== null;
  }

  // Cells make no browser history: replaceState, never pushState.
  write(search) {
    if (search === this.read()) return;
    this.pending = search;
    const wait = this.last + OFTEN - Date.now();
    if (wait <= 0) this.settle();
    else this.timer ??= setTimeout(() => this.settle(), wait);
  }

  /** What is pending is written now: the page is about to go, or somebody else reads the address. */
  settle() {
    const { pending } = this;
    this.forget();
    if (pending !== null && pending !== this.read() && !this.put("replaceState", pending)) {
      this.pending = pending;
      this.timer = setTimeout(() => this.settle(), REFUSED);
    }
  }

  /** Another address of the history is shown: what is pending was the last one's. */
  forget() {
    clearTimeout(this.timer);
    this.pending = this.timer = null;
  }

  /** The same as an entry of the browser's history, past `pushLess`. */
  push(search) {
    this.settle();
    if (!this.put("pushState", search)) this.write(search);
  }

  // Whether the browser did.
  put(how, search) {
    this.last = Date.now();
    try {
      const to = location.pathname + (search && `?${search}`) + location.hash; // #section, until it is brought
      History.prototype[how].call(history, history.state, "", to);
      return true;
    } catch {
      return false;
    }
  }

  /** Whether the browser has come to `page`; a path that is no page's may stand for any. */
  stands(page, pages) {
    const last = location.pathname.split("/").at(-1);
    return last === page || !pages.includes(last);
  }

  /** Whether the server could answer, and is not at work. */
  still() {
    const app = document.querySelector("[data-testid=stApp]");
    return app?.dataset.testScriptState === "notRunning" && app.dataset.testConnectionState === "CONNECTED";
  }

  /** The address holds the state, so nothing is lost; at most once in half a minute. */
  reload() {
    if (Date.now() - Number(sessionStorage.getItem(LAST_RELOAD)) < 30_000) return;
    sessionStorage.setItem(LAST_RELOAD, String(Date.now()));
    this.settle();
    location.reload();
  }
}

const ENTRIES = ["text", "sample", "model", "lang"]; // what the browser's history tells apart, besides pages
const ALWAYS = ["text", "lang"]; // stand in every address that was written: one without them is the same place

/** Whether going from one address of a page to another should be undone by Back. */
export function makesEntry(from, to) {
  const [now, then] = [from, to].map((search) => new URLSearchParams(search));
  return ENTRIES.some((name) => now.get(name) !== then.get(name) && (now.has(name) || !ALWAYS.includes(name)));
}

/** Streamlit pushes every address that Python writes: cells and controls make no entry, and no patch is undone. */
export function pushLess(store) {
  const { pushState } = history;
  history.pushState = (state, title, url) => {
    const to = new URL(url ?? location.href, location.href);
    const search = store.onTop(to.search.slice(1));
    const here = to.pathname === location.pathname;
    if (here && !makesEntry(store.bar.read(), search)) return store.bar.write(search);
    store.bar.settle();
    pushState.call(history, state, title, here ? to.pathname + (search && `?${search}`) + to.hash : url);
  };
}

// A native widget's message must not overtake a patch; in our own pictures nothing can.
function flushEarly(store) {
  const flush = (event) => {
    if (event.composedPath()[0]?.getRootNode?.() !== document) return;
    store.bar.settle();
    store.flush();
  };
  window.addEventListener("pointerdown", flush, true);
  window.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && flush(event), true);
}

// Streamlit's own link turns the page in place; pressed by a script, too. What a component hands over leaves in the
// next task, and the link's message would overtake it.
function leaveInTime(store) {
  const pressed = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // in a tab of its own
    const link = event.target.closest?.(PAGE_LINK);
    if (!link || link.pathname === location.pathname) return;
    store.leave();
    if (Date.now() - store.sent > UNDERWAY) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const drawnAnew = () =>
      [...document.querySelectorAll(PAGE_LINK)].find(({ pathname }) => pathname === link.pathname);
    setTimeout(() => (link.isConnected ? link : drawnAnew())?.click(), UNDERWAY);
  };
  window.addEventListener("click", pressed, true);
}

/** The one store of a page. */
export function pageStore() {
  if (window.seeThrough) return window.seeThrough;
  const store = (window.seeThrough = new Store(new PageBar()));
  pushLess(store);
  flushEarly(store);
  leaveInTime(store);
  window.addEventListener("pagehide", () => store.bar.settle());
  window.addEventListener("popstate", () => {
    store.bar.forget();
    store.wentBack();
  });
  return store;
}
