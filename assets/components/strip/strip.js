// The sentence as tokens, across the top of every page; under it, where the model translates, what it wrote. It also tends the address: what the server says is selected
// arrives here, and here the first address of a visit is written (from the server it would cost a second press of Back).

import { adopt, begin, ending, make, onSelection, select, shared } from "../shared/shared.js";

export default function ({ data, parentElement }) {
  const root = begin(parentElement, "div", "strip");
  foldMenu(data.state.page);
  tendTheme(data.theme, data.paths);
  document.documentElement.lang = data.state.base.lang === "zh" ? "zh-CN" : "en";
  const source = row(data.row, data.label), rows = [[source, data.row]];
  source.onclick = (event) => {
    if (event.target === source) window.dispatchEvent(new CustomEvent("see:edit"));
  };
  root.replaceChildren(source);
  if (data.written) {
    const { text, hint, label, row: tokens } = data.written;
    const target = tokens ? row(tokens, label) : make("p", "text", text);
    if (!tokens) target.lang = "en";
    if (tokens) rows.push([target, tokens]);
    const line = make("div", "written");
    line.append(make("span", "arrow", "→"), target);
    if (hint) line.append(make("span", "hint", hint));
    root.append(line);
  }
  const mark = () => rows.forEach(([node, { tokens, marks }]) => markRow(node, tokens, marks));
  const stop = onSelection(mark);
  adopt(data.state);
  mark();
  return ending(parentElement, () => {
    stop();
  });
}

function row({ tokens, marks }, label) {
  const node = make("div", "row");
  node.append(...tokens.map((token) => chip(token, token.at, marks)));
  node.setAttribute("aria-label", label);
  node.setAttribute("role", "group");
  return node;
}

function markRow(node, tokens, { first, second }) {
  [...node.children].forEach((chip, i) => {
    chip.classList.toggle("first", first !== null && same(shared.selection[first], tokens[i].at));
    chip.classList.toggle("second", second !== null && same(shared.selection[second], tokens[i].at));
  });
  const chip = node.querySelector(".first"); // scrolled by hand: scrollIntoView would move the page, too
  if (chip && node.scrollWidth > node.clientWidth) {
    const left = chip.offsetLeft - node.offsetLeft;
    if (left < node.scrollLeft) node.scrollLeft = left;
    else if (left + chip.offsetWidth > node.scrollLeft + node.clientWidth) node.scrollLeft = left + chip.offsetWidth - node.clientWidth;
  }
}

// A place, or a word: the address knows both as text.
const same = (selected, at) => selected !== null && selected !== undefined && String(selected) === String(at);

function chip(token, i, { click: pick, also }) {
  const node = make(pick && i !== null ? "button" : "span", token.special ? "special" : "", token.text);
  if (typeof i === "number") node.title = `${token.text} · ${i}`;
  // Where two tokens are compared, the one clicked last takes the place of the older.
  const picked = () => (pick === "pair" ? { q: Number(shared.selection.k), k: i } : { ...also, [pick]: i });
  if (pick && i !== null) node.onclick = () => select(picked());
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
