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
  place.style.marginBottom = "16px";
  const root = place.attachShadow({ mode: "open" });
  root.appendChild(make("style")).textContent = style;
  return root;
}
