// What can be taken home from a page, made here, of what stands on it: each picture as SVG and PNG, each table as CSV,
// and the page as a handout, one HTML file that opens without a network.
//
// What is veiled on the page is veiled in all of them: they are made of what is seen.

import { liveRegion, make } from "../kit/draw.js";
import { photograph, svgOf } from "../kit/photo.js";
import { Picture } from "../kit/picture.js";
import { savePng, saveSvg, saveText } from "../kit/save.js";
import { component } from "../kit/streamlit.js";

const SETTLED = 400; // ms after a change, until what was drawn anew stands there
const PATIENCE = 8000; // ms that a handout waits for what the server still has to say
const DIGITS = /^[−-]?[\d,]*\.?\d+(e[−+-]?\d+)?$/;
const PAPER = `
  :root { color-scheme: light; }
  body { margin: 2em auto; max-width: 60em; padding: 0 1em; font: 16px/1.5 "Noto Serif", "Songti SC", serif;
    color: #1c2126; background: #fff; }
  h1 { font-size: 1.7em; line-height: 1.2; margin: 0 0 .3em; }
  h2 { font-size: 1.2em; margin: 1.6em 0 .4em; break-after: avoid; }
  p { margin: .4em 0; }
  .roomy { font-style: normal; }
  figure { margin: 1em 0; break-inside: avoid; }
  figure svg { max-width: 100%; height: auto; }
  figcaption, footer, .where { color: #5b646d; font-size: .85em; }
  .ask { border: 1px solid #0f6b6b; border-radius: 6px; padding: .5em 1em; break-inside: avoid; }
  math { font-size: 1.1em; overflow-x: auto; }
  table { border-collapse: collapse; font-size: .9em; }
  td, th { border-bottom: 1px solid #e4e0d8; padding: .15em .8em .15em 0; text-align: left; vertical-align: top; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .8em/1.45 "Source Code Pro", monospace;
    border-left: 3px solid #e4e0d8; padding-left: 1em; }
  footer { margin-top: 2em; border-top: 1px solid #e4e0d8; padding-top: .6em; overflow-wrap: anywhere;
    break-inside: avoid; }
  footer td:first-child { white-space: nowrap; }
  @media print { body { margin: 0; max-width: none; font-size: 11pt; } }
`;

/**
 * What of a handout only the server knows. `asked` are the choices of a question that is open.
 * @typedef {{lang: string, title: string, asked: string[] | null, code: {where: string, source: string}[],
 *   shapes: string[][], counted: string, facts: string[][], words: Record<"asked" | "followed" | "noticed" | "formula"
 *     | "shapes" | "code" | "open" | "made", string>}} Handout
 *
 * `file` is how every file's name begins; `names` what a picture is called that has no name of its own, by its key.
 * @typedef {{file: string, names: Record<string, string>, handout: Handout,
 *   words: Record<"pictures" | "tables" | "handout" | "page" | "table" | "wait" | "late", string>}} Data
 */
class Take extends Picture {
  static className = "take";
  static taken = false;

  build() {
    this.lists = this.root.appendChild(make("div", "lists"));
    this.heard = this.root.appendChild(liveRegion());
    const anew = () => this.given && this.redraw();
    this.root.onpointerenter = this.root.onfocusin = anew; // a section was opened since, or a table grew
    this.atEnd(() => clearTimeout(this.timer));
  }

  selected() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.given && this.redraw(), SETTLED);
  }

  resized() {}

  draw() {
    const { words } = this.data;
    const [pictures, tables] = [this.pictures(), this.tables()];
    const listed = JSON.stringify([words, ...[...pictures, ...tables].map(({ name, file }) => [name, file])]);
    if (this.listed === listed) return;
    this.listed = listed;
    const rows = [
      this.list(words.pictures, pictures, ({ file, at }) => [
        [`SVG`, () => saveSvg(this.pictures()[at].svg(), file)],
        [`PNG`, () => savePng(this.pictures()[at].svg(), file)],
      ]),
      this.list(words.tables, tables, ({ file, at }) => [
        [`CSV`, () => saveText(csvOf(this.tables()[at].table), `${file}.csv`, "text/csv")],
      ]),
      this.list(words.handout, [{ name: words.page, file: "page" }], () => [["HTML", () => this.saveHandout()]]),
    ];
    this.keepingFocus(() => this.lists.replaceChildren(...rows.filter(Boolean)));
  }

  list(title, things, actions) {
    if (!things.length) return null;
    const list = make("section");
    list.append(make("h3", "", title));
    for (const thing of things) {
      const line = make("div", "line");
      line.append(make("span", "name", thing.name));
      for (const [kind, act] of actions(thing)) {
        const button = make("button", "", kind);
        button.dataset.at = `${thing.file}.${kind}`;
        button.setAttribute("aria-label", `${thing.name}: ${kind}`);
        button.onclick = act;
        line.append(button);
      }
      list.append(line);
    }
    return list;
  }

  // ---- what stands on the page

  /** Every picture in sight of the page, from its top: {name, file, at, svg()}. */
  pictures() {
    const own = [...this.store.drawn]
      .filter((picture) => picture.constructor.taken && picture.root.getClientRects().length)
      .map((picture) => ({ on: hostOf(picture), name: nameOf(picture.root), svg: () => svgOf(picture) }));
    const charts = [...document.querySelectorAll(".stPlotlyChart, [data-testid=stPlotlyChart]")]
      .filter((chart) => chart.querySelector(".main-svg"))
      .map((on) => ({ on, name: on.querySelector(".gtitle")?.textContent ?? "", svg: () => photograph(on) }));
    const seen = new Map();
    return [...own, ...charts].sort(inOrder).map((picture, at) => {
      const key = keyOf(picture.on);
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      const file = `${this.data.file}-${key}${times > 1 ? `-${times}` : ""}`;
      return { ...picture, at, file, name: this.data.names[key] || picture.name || headingOf(picture.on) || key };
    });
  }

  /** Every table of the page, from its top: {name, file, at, table}. */
  tables() {
    const found = [...document.querySelectorAll("[data-testid=stMain] [data-testid=stHtml] table")];
    return found
      .filter((table) => table.getClientRects().length)
      .map((table, at) => {
        const size = `${table.rows.length} × ${Math.max(...[...table.rows].map((row) => row.cells.length))}`;
        const columns = [...table.rows[0].cells].map((cell) => cell.textContent.trim()).filter(Boolean);
        const about = [headingOf(table) || this.data.words.table, columns.join(" / ")].filter(Boolean).join(": ");
        const name = `${about} (${size})`;
        return { table, at, name, file: `${this.data.file}-table-${at + 1}` };
      });
  }

  // ---- the handout

  async saveHandout() {
    this.heard.textContent = this.data.words.wait;
    const until = Date.now() + PATIENCE;
    const ready = () => this.store.idle && (!this.data.handout.code.length || mathOf());
    while (!ready() && Date.now() < until) await new Promise((go) => setTimeout(go, 100));
    this.heard.textContent = ready() ? "" : this.data.words.late;
    if (ready()) saveText(this.handout(), `${this.data.file}.html`, "text/html");
  }

  /** The page as one HTML file: nothing in it asks for anything. */
  handout() {
    const { handout } = this.data;
    const { words } = handout;
    const page = document.implementation.createHTMLDocument(handout.title);
    const { head, body } = page;
    page.documentElement.lang = handout.lang;
    head.append(Object.assign(page.createElement("meta"), { name: "viewport", content: "width=device-width" }));
    head.append(Object.assign(page.createElement("style"), { textContent: PAPER }));
    head.querySelector("title").before(charset(page));
    const part = (title, ...nodes) =>
      nodes.some(Boolean) && body.append(make("h2", "", title), ...nodes.filter(Boolean));
    const said = (place) => document.querySelector(`[data-testid=stMain] .place.${place}`);
    body.append(make("h1", "", handout.title), sentences(said("lead")));
    if (handout.asked) body.append(question(words, handout.asked));
    for (const picture of this.pictures()) body.append(figure(picture.svg(), picture.name));
    part(words.followed, ...this.followed());
    part(words.noticed, said("noticed")?.textContent.trim() && sentences(said("noticed")));
    part(words.formula, mathOf());
    part(
      words.shapes,
      handout.shapes.length && grid(handout.shapes),
      handout.counted && make("p", "where", handout.counted),
    );
    part(
      words.code,
      ...handout.code.flatMap(({ where, source }) => [make("p", "where", where), make("pre", "", source)]),
    );
    const foot = make("footer");
    foot.append(grid([...handout.facts, [words.made, link(this.store.bar.read())]]));
    body.append(foot);
    return `<!doctype html>\n${new XMLSerializer().serializeToString(page.documentElement)}`;
  }

  /** The derivations that are open, as they stand. */
  followed() {
    return [...this.store.drawn]
      .filter((picture) => picture.constructor.className === "derivation" && picture.root.getClientRects().length)
      .map((picture) => ({ on: hostOf(picture), picture }))
      .sort(inOrder)
      .map(({ picture }) => figure(photograph(picture.root), ""));
  }
}

/** The page's address, without what is open at its foot. */
function link(search) {
  const address = new URL(`${location.pathname}?${search}`, location.origin);
  for (const name of ["take", "open"]) address.searchParams.delete(name);
  return address.href;
}

function charset(page) {
  const meta = page.createElement("meta");
  meta.setAttribute("charset", "utf-8");
  return meta;
}

/** Sentences of the page, without what can only be pressed or done there. */
function sentences(place) {
  const box = make("div");
  box.append(...(place?.cloneNode(true).childNodes ?? []));
  for (const what of box.querySelectorAll(".screen")) what.remove();
  for (const button of [...box.querySelectorAll("button, .term")]) button.replaceWith(...button.childNodes);
  return box;
}

function question(words, choices) {
  const box = make("div", "ask");
  const asked = document.querySelector(".st-key-predict [data-testid=stHtml]")?.textContent.trim() ?? words.asked;
  const list = make("ol");
  list.append(...choices.map((choice) => make("li", "", choice)));
  box.append(make("p", "", asked), list, make("p", "where", words.open));
  return box;
}

function figure(svg, caption) {
  const figure = make("figure");
  figure.append(svg);
  if (caption) figure.append(make("figcaption", "", caption));
  return figure;
}

function grid(rows) {
  const table = make("table");
  const body = table.appendChild(make("tbody"));
  for (const row of rows) body.appendChild(make("tr")).append(...row.map((cell) => make("td", "", cell)));
  return table;
}

/** The formula as MathML, of which KaTeX makes one for screen readers. */
function mathOf() {
  const math = document.querySelector(".st-key-take_formula .katex-mathml math")?.cloneNode(true);
  math?.setAttribute("display", "block");
  return math;
}

// ---- where something stands, and what it is called

const hostOf = (picture) => picture.root.getRootNode().host ?? picture.root;
const keyOf = (node) => /st-key-([\w-]+)/.exec(node.closest("[class*=st-key-]")?.className ?? "")?.[1] ?? "picture";
const inOrder = (one, other) => (one.on.compareDocumentPosition(other.on) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);

/** What a picture tells a screen reader it is, without how its keys work. */
function nameOf(root) {
  const roles = ["application", "img", "group", "slider"];
  const own = [root, ...root.querySelectorAll("[role][aria-label]")].find(
    (node) => roles.includes(node.getAttribute("role")) && node.hasAttribute("aria-label"),
  );
  return own ? own.getAttribute("aria-label").split(/[.。:：;；]/)[0] : "";
}

/** The heading under which something stands. */
function headingOf(node) {
  const headings = [...document.querySelectorAll("[data-testid=stMain] :is(h1, h2, h3)")];
  const before = headings.filter(
    (heading) => heading.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING && !heading.contains(node),
  );
  return before.at(-1)?.textContent.trim() ?? "";
}

/** A table as CSV; of a number every digit, where the page keeps them for hovering. */
function csvOf(table) {
  const rows = [...table.rows].map((row) => [...row.cells].map((cell) => quoted(written(cell))));
  return rows.map((row) => `${row.join(",")}\r\n`).join("");
}

function written(cell) {
  const digits = cell.title || (cell.children.length === 1 && cell.firstElementChild.title);
  const text = (digits || cell.textContent).trim();
  const number = text.replace(/×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/, (_, power) => `e${lowered(power)}`);
  return DIGITS.test(number) ? number.replaceAll("−", "-").replaceAll(",", "") : text;
}

const lowered = (power) => [...power].map((c) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)]).join("");
const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export default component(Take);
