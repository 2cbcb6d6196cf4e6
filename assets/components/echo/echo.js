// What the server says at the end of a fragment: how far it is with what it was told. It draws nothing.
//
/** @typedef {import("../kit/store.js").Message} Data */

import { pageStore } from "../kit/page.js";
import { said } from "../kit/streamlit.js";

export default function ({ data, store = pageStore() }) {
  store.adopt(said(data));
}
