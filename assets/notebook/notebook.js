// The adapter to a notebook, and to one HTML file, in the place of kit/streamlit.js: the site's components, each in a
// root of its own, over a store that no address bar and no server belong to.

import { make } from "../components/kit/draw.js";
import { Store } from "../components/kit/store.js";

/** What a component's file makes of its kind of picture. */
export function component(Kind) {
  return (root, store) => new Kind(root, store);
}

/**
 * Draws pictures into `box`, and calls `told` with what is selected whenever that changes.
 * @param {{kinds: Record<string, Function>, styles: Record<string, string>, params: Record<string, object>,
 *   state: Record<string, unknown>, pictures: Record<string, Uint8Array | object>}} given
 */
export function mount(box, { kinds, styles, params, state, pictures }, told) {
  let search = "";
  const take = (now) => (search = now);
  const store = new Store({ read: () => search, write: take, push: take }, params);
  const drawn = new Map();
  const show = (pictures) => {
    for (const [name, data] of Object.entries(pictures)) {
      if (!drawn.has(name)) drawn.set(name, kinds[name](placeIn(box, name, styles[name]), store));
      drawn.get(name).show(data);
    }
  };
  store.select(state);
  show(pictures);
  store.follow(() => told(Object.fromEntries(store.order.map((name) => [name, store.get(name)]))));
  return {
    show,
    select: (state) => store.select(state),
    repaint: () => drawn.forEach((picture) => picture.resized()),
    end: () => drawn.forEach((picture) => picture.end()),
  };
}

function placeIn(box, name, style) {
  const place = box.appendChild(make("div", "place"));
  place.dataset.picture = name;
  const root = place.attachShadow({ mode: "open" });
  root.appendChild(make("style")).textContent = style;
  return root;
}

// ---- in a notebook

/** Whether the page around is dark: as JupyterLab, VS Code or Colab say it, else as the system wants it. */
function isDark() {
  const { body, documentElement: html } = document;
  if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false";
  if (body.dataset.vscodeThemeKind) return !body.dataset.vscodeThemeKind.endsWith("light");
  if (html.hasAttribute("theme")) return html.getAttribute("theme") === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

// What travels as bytes comes as a DataView.
function read(model) {
  const pictures = Object.entries(model.get("pictures"));
  const bytes = (data) =>
    ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data;
  return Object.fromEntries(pictures.map(([name, data]) => [name, bytes(data)]));
}

/** What anywidget calls for every view of a widget. */
export function renderer({ kinds, styles, themes }) {
  return ({ model, el }) => {
    const box = el.appendChild(make("div", "see-through"));
    const dress = () => (box.style.cssText = themes[isDark() ? "dark" : "light"]);
    dress();
    const own = { params: model.get("params"), state: model.get("state"), pictures: read(model) };
    const drawn = mount(box, { kinds, styles, ...own }, (state) => {
      model.set("state", state);
      model.save_changes();
    });
    const redress = () => {
      dress();
      drawn.repaint();
    };
    const observer = new MutationObserver(redress);
    for (const node of [document.body, document.documentElement])
      observer.observe(node, { attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind", "theme"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", redress);
    const show = () => drawn.show(read(model));
    const select = () => drawn.select(model.get("state"));
    model.on("change:pictures", show);
    model.on("change:state", select);
    return () => {
      model.off("change:pictures", show);
      model.off("change:state", select);
      system.removeEventListener("change", redress);
      observer.disconnect();
      drawn.end();
      box.remove();
    };
  };
}

// ---- in a file

/** The same with everything inside: `answers` are the pictures of what may be pressed, by its trail. */
export function opened(box, { pictures, answers, ...given }) {
  const bytes = (data) => (typeof data === "string" ? Uint8Array.from(atob(data), (c) => c.charCodeAt(0)) : data);
  const whole = Object.fromEntries(Object.entries(pictures).map(([name, data]) => [name, bytes(data)]));
  const drawn = mount(box, { ...given, pictures: whole }, ({ trail }) => {
    const answer = answers[trail ?? ""];
    if (answer) drawn.show(answer);
  });
  return drawn;
}
