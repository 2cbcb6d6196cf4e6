// A click on a word of a map that Plotly draws, in two dimensions or three. It shows nothing itself; `chart` is the key of
// the map it listens to.

import { ending, select } from "../shared/shared.js";

export default function ({ data, parentElement }) {
  parentElement.ending?.();
  let plot = null;
  const clicked = ({ points }) => {
    const word = plain(points[0]?.customdata);
    if (word && word !== data.hidden) select({ of: word, to: null });
  };
  const listen = () => {
    const found = document.querySelector(`.st-key-${data.chart} .js-plotly-plot`);
    if (found === plot || !found?.on) return;
    plot?.removeListener?.("plotly_click", clicked);
    plot = found;
    plot.on("plotly_click", clicked);
  };
  listen();
  const watch = setInterval(listen, 300); // Plotly is loaded late, and draws into a new element now and then
  return ending(parentElement, () => {
    clearInterval(watch);
    plot?.removeListener?.("plotly_click", clicked);
  });
}

// As Plotly has it, a word may hold entities; a document that is only parsed runs and fetches nothing.
function plain(text) {
  return typeof text === "string" ? new DOMParser().parseFromString(text, "text/html").body.textContent : "";
}
