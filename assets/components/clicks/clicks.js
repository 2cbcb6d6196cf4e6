// A click on a word of a map that Plotly draws, in two dimensions or three. It shows nothing itself; `chart` is the key
// of the map it listens to.

import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * `chart` is the key of the picture it listens to, `hidden` what stands for a word that must not be seen yet.
 * @typedef {{chart: string, hidden: string}} Data
 */
class Clicks extends Picture {
  static className = "clicks";

  build() {
    this.clicked = ({ points }) => {
      const word = plain(points[0]?.customdata);
      if (word && word !== this.data.hidden) this.select({ of: word, to: null });
    };
    // Plotly is loaded late, and draws into a new element now and then.
    const watch = setInterval(() => this.find(), 300);
    this.atEnd(() => {
      clearInterval(watch);
      this.plot?.removeListener?.("plotly_click", this.clicked);
    });
  }

  find() {
    const found = this.data && document.querySelector(`.st-key-${this.data.chart} .js-plotly-plot`);
    if (found === this.plot || !found?.on) return;
    this.plot?.removeListener?.("plotly_click", this.clicked);
    this.plot = found;
    this.plot.on("plotly_click", this.clicked);
  }
}

// As Plotly has it, a word may hold entities; a document that is only parsed runs and fetches nothing.
function plain(text) {
  return typeof text === "string" ? new DOMParser().parseFromString(text, "text/html").body.textContent : "";
}

export default component(Clicks);
