// What the server says at the end of a whole run, and how it is told: it draws nothing. It also tends what belongs to
// the whole page: its language, its theme, and on a phone the menu that a path link leaves open.
//
// `top` names what the page is about: where that changes, a page that stays is read from its top again.

/**
 * @typedef {import("../kit/store.js").Message & {theme: "light" | "dark" | null, paths: string[], top: string,
 *   terms: string, lost: string}} Data
 */

import { pageStore } from "../kit/page.js";
import { said } from "../kit/streamlit.js";
import { tendTerms } from "../kit/terms.js";

export default function ({ data, parentElement, setStateValue, store = pageStore() }) {
  parentElement.end?.();
  const { theme, top, paths, terms, lost, ...message } = said(data);
  const report = (patches) => setStateValue("report", patches);
  const stop = store.follow(tending(store));
  const leave = [
    tendQuestion(),
    tendNumbers(store),
    tendFormulas(),
    tendAdditions(store),
    tendTerms(store, terms),
    tendLine(lost),
  ];
  store.report = report;
  store.adopt(message);
  tendTheme(theme, paths);
  if (parentElement.top !== undefined && parentElement.top !== top) scrollToTop();
  parentElement.top = top;
  parentElement.end = () => {
    stop();
    leave.forEach((end) => end());
    if (store.report === report) store.report = null;
  };
  return () => {
    parentElement.end?.();
    delete parentElement.end;
  };
}

function tending(store) {
  let { page } = store;
  return () => {
    document.documentElement.lang = store.get("lang") === "zh" ? "zh-CN" : "en";
    if (page !== null && page !== store.page) foldMenu();
    page = store.page;
  };
}

// The question is a live region: its answer is read out. Who answered with a key goes on from there: the button that
// had the focus is gone.
function tendQuestion() {
  document.querySelector(".st-key-predict")?.setAttribute("aria-live", "polite");
  if (parted) goOn(20);
  parted = false;
  const left = (event) => (parted = Boolean(event.target.closest?.(".st-key-predict")));
  document.addEventListener("focusin", left);
  return () => document.removeEventListener("focusin", left);
}

// A number in a sentence, a table or a picture begins a trail; the panel that follows it takes the focus
// (derivation.js).
function tendNumbers(store) {
  const pressed = (event) => {
    const number = event.composedPath()[0].closest?.("[data-trail]");
    if (!number) return;
    number.focus(); // not every browser does
    store.select({ trail: number.dataset.trail }, {}, true);
  };
  document.addEventListener("click", pressed);
  return () => document.removeEventListener("click", pressed);
}

// A button in a text adds something to a parameter: `data-add="votes:F1.not"`; what comes in its place takes the focus.
function tendAdditions(store) {
  const pressed = ({ target }) => {
    const button = target.closest?.("[data-add]");
    if (!button) return;
    const [name, value] = button.dataset.add.split(":");
    const had = store.get(name);
    store.select({ [name]: had ? `${had}-${value}` : value });
    goOn(40, button.dataset.then, "[data-add]");
  };
  document.addEventListener("click", pressed);
  return () => document.removeEventListener("click", pressed);
}

// A formula wider than its place scrolls: by keys, too.
function tendFormulas() {
  let due = 0;
  const tend = () => {
    due = 0;
    for (const formula of document.querySelectorAll(".katex-display"))
      if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
      else formula.removeAttribute("tabindex");
  };
  const soon = () => (due ||= setTimeout(tend, 250));
  const now = ({ key }) => key === "Tab" && tend(); // one that has just been unfolded, too
  const watcher = new MutationObserver(soon);
  watcher.observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", soon);
  document.addEventListener("keydown", now, true);
  soon();
  return () => {
    clearTimeout(due);
    watcher.disconnect();
    window.removeEventListener("resize", soon);
    document.removeEventListener("keydown", now, true);
  };
}

// Where the line is down, a strip says so, in the visitor's language, and the page can be read on: Streamlit would lay
// a dialog in English over it, which makes everything else inert (site.css hides it until it is closed here).
function tendLine(words) {
  const app = document.querySelector("[data-testid=stApp]");
  const made = () => document.body.appendChild(document.createElement("p"));
  const strip = document.querySelector("body > .lost") ?? made();
  strip.className = "lost";
  strip.role = "status";
  let due = 0;
  const tend = () => {
    const whole = app.dataset.testConnectionState === "CONNECTED";
    if (!whole) document.querySelector(".stDialog button[aria-label=Close]")?.click();
    if (whole) due = clearTimeout(due);
    else due ||= setTimeout(() => (strip.textContent = words), 1000); // shorter ones nobody need know of
    if (whole) strip.textContent = "";
  };
  const watcher = new MutationObserver(tend);
  watcher.observe(app, { attributeFilter: ["data-test-connection-state"] });
  watcher.observe(document.body, { childList: true });
  return () => {
    clearTimeout(due);
    watcher.disconnect();
  };
}

// The buttons go and the answer comes a moment later.
function goOn(tries, wanted = ".st-key-predict .answer", left = ".st-key-predict") {
  const answer = document.querySelector(wanted);
  const lost = document.activeElement === document.body;
  if (answer && lost) answer.focus({ preventScroll: true });
  else if (tries && (lost || document.activeElement.closest?.(left))) setTimeout(goOn, 50, tries - 1, wanted, left);
}
let parted = false; // whether the focus was last seen in the question

function scrollToTop() {
  document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0 });
}

function foldMenu() {
  if (innerWidth < 768) document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
}

// Streamlit keeps the theme a visitor chose in localStorage, a key for each path, and reads it when a page is loaded.
function tendTheme(theme, paths) {
  if (theme === null) return;
  const wanted = JSON.stringify(theme === "dark" ? "Dark" : "Light");
  const keyOf = (path) => `stActiveTheme-${path}-v2`;
  if (localStorage.getItem(keyOf(location.pathname)) === wanted) return;
  for (const path of [...paths, location.pathname]) localStorage.setItem(keyOf(path), wanted);
  location.reload();
}
