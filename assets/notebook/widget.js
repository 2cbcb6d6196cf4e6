// A view of a widget, as anywidget asks for it: https://anywidget.dev/en/afm

import { make } from "../components/kit/draw.js";
import { mount } from "./mount.js";

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
