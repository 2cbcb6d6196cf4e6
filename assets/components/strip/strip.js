// The sentence as tokens, across the top of every page. It also tends the address: what the server says is selected
// arrives here, and here the first address of a visit is written (from the server it would cost a second press of Back).

import { adopt, begin, ending, make, onSelection, select, shared } from "../shared/shared.js";

export default function ({ data, parentElement }) {
  const root = begin(parentElement, "div", "strip");
  foldMenu(data.state.page);
  tendTheme(data.theme, data.paths);
  document.documentElement.lang = data.state.base.lang === "zh" ? "zh-CN" : "en";
  root.replaceChildren(...data.tokens.map((token) => chip(token, token.at, data)));
  root.setAttribute("aria-label", data.label);
  root.setAttribute("role", "group");
  root.onclick = (event) => {
    if (event.target === root) window.dispatchEvent(new CustomEvent("see:edit"));
  };
  const mark = () => {
    const { first, second } = data.marks;
    [...root.children].forEach((node, i) => {
      node.classList.toggle("first", first !== null && Number(shared.selection[first]) === data.tokens[i].at);
      node.classList.toggle("second", second !== null && Number(shared.selection[second] ?? NaN) === data.tokens[i].at);
    });
    root.querySelector(".first")?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  };
  const stop = onSelection(mark);
  adopt(data.state);
  mark();
  return ending(parentElement, () => {
    stop();
  });
}

function chip(token, i, data) {
  const pick = data.marks.click;
  const node = make(pick ? "button" : "span", token.special ? "special" : "", token.text);
  node.title = `${token.text} · ${i}`;
  // Where two tokens are compared, the one clicked last takes the place of the older.
  const picked = () => (pick === "pair" ? { q: Number(shared.selection.k), k: i } : { [pick]: i });
  if (pick) node.onclick = () => select(picked());
  return node;
}

// On a phone a page link leaves the menu open.
function foldMenu(page) {
  if (shared.page !== null && shared.page !== page && innerWidth < 768)
    document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
}

// Streamlit keeps the theme a visitor chose in localStorage, a key for each path, and reads it when a page is loaded.
function tendTheme(theme, paths) {
  const wanted = JSON.stringify({ light: "Light", dark: "Dark" }[theme] ?? "System");
  const keys = paths.map((path) => `stActiveTheme-${path}-v2`);
  const stored = localStorage.getItem(`stActiveTheme-${location.pathname}-v2`);
  if (stored === wanted || (stored === null && theme === null)) return;
  if (theme === null) return;
  for (const key of new Set([...keys, `stActiveTheme-${location.pathname}-v2`])) localStorage.setItem(key, wanted);
  location.reload();
}
