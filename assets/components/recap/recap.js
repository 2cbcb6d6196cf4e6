// What to take along from a page: a few facts, each with a way back to where it is shown.

import { bring, make, marked } from "../kit/draw.js";
import { Picture } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/** @typedef {{title: string, show: string, facts: {name: string, text: string, sets: object}[]}} Data */
class Recap extends Picture {
  static tag = "aside";
  static className = "recap";
  static taken = false;

  take({ title, show, facts }) {
    const list = make("ol");
    list.append(...facts.map((fact) => this.fact(fact, show)));
    this.root.replaceChildren(make("h2", "", title), list);
  }

  draw() {}

  fact({ name, text, sets }, show) {
    const line = make("li");
    const words = line.appendChild(make("span"));
    words.append(marked(text));
    const button = line.appendChild(make("button", "", show));
    button.dataset.at = name;
    button.setAttribute("aria-label", `${show}: ${words.textContent}`);
    button.onclick = () => {
      if (Object.keys(sets).length) this.select(sets);
      bring(sets.section ? ".st-key-section_in" : null);
    };
    return line;
  }
}

export default component(Recap);
