// What another picture on the page borrows under the name `id`: nothing of it is drawn here.

import { Picture, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * @typedef {{id: string, given: object}} Header
 */

class Lent extends Picture {
  static className = "lent";
  static taken = false;

  take(bytes) {
    const [{ id, given }, body] = unpack(bytes);
    this.store.lend(id, { owner: this, given, body });
  }
}

export default component(Lent);
