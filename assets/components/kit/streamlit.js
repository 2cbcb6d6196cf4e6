// All that pictures have to do with Streamlit: it calls a function with {data, parentElement, setStateValue,
// setTriggerValue} at every message, and what that returned when the element goes. A notebook may call the same
// function with a store of its own.

import { make, marked } from "./draw.js";
import { pageStore } from "./page.js";

/** What Python said: JSON travels in a list of one (pages/shared/pictures/components.py), bytes as they are. */
export function said(data) {
  return Array.isArray(data) ? data[0] : data;
}

export function component(Kind) {
  return ({ data: sent, parentElement, setStateValue, setTriggerValue, store = pageStore() }) => {
    const picture = (parentElement.picture ??= new Kind(parentElement, store));
    picture.host = { state: setStateValue, trigger: setTriggerValue };
    const data = said(sent);
    picture.show(data);
    const leave = data.echo ? near(store, data, setStateValue) : null;
    return () => {
      leave?.();
      picture.end();
      delete parentElement.picture;
    };
  };
}

/** What draws, with the kit's own style in a picture's root before the picture's: it travels with the kit, once. */
export function dressed(draw, kitStyle) {
  return (given) => {
    const root = given.parentElement;
    root.dress ??= root.insertBefore(make("style"), root.firstChild);
    root.dress.textContent ||= kitStyle;
    return draw(given);
  };
}

// A picture in a piece that most clicks move: it brings what the server says, and tells it what was selected.
function near(store, { echo, said: sentences }, setStateValue) {
  for (const [name, words] of Object.entries(sentences)) {
    document.querySelector(`.place.${name}`)?.replaceChildren(marked(words));
  }
  const report = (patches) => setStateValue("report", patches);
  store.near = report;
  store.adopt(echo);
  return () => {
    if (store.near === report) store.near = null;
  };
}

/** A link to another page, told to Streamlit's own link of the same name: only it turns the page in place. */
export function doorTo({ id, href }, text, look = "") {
  const link = make("a", look, text);
  link.href = href;
  link.onclick = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // a new tab is the visitor's affair
    const own = document.querySelector(`.st-key-door-${id} a`);
    if (!own) return;
    event.preventDefault();
    own.click();
  };
  return link;
}
