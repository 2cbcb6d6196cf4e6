// The row of buttons over the sheet.

import { make } from "../kit/draw.js";
import { buildMap } from "./map.js";
import { playSpread } from "./spread.js";

/** The buttons anew: of each level, of the thread, of a change, and the link to the page of what is in sight. */
export function buildTools(sheet) {
  const { words } = sheet.header;
  const last = sheet.columns.length;
  sheet.turn = Object.assign(make("button", "turn"), { type: "button", hidden: true });
  sheet.turn.onclick = () => sheet.store.select({ way: sheet.onward ? null : "on" });
  sheet.player = sign(words.play, "▶", () => playSpread(sheet));
  sheet.slider = Object.assign(make("input"), { type: "range", min: 1, max: last, value: last });
  sheet.slider.setAttribute("aria-label", words.scrub);
  sheet.slider.oninput = () => {
    sheet.played = null;
    sheet.move();
  };
  sheet.player.hidden = sheet.slider.hidden = true;
  sheet.link = make("span", "open");
  sheet.tools.replaceChildren(
    sign(words.farther, "−", () => sheet.toLevel(-1)),
    sign(words.closer, "+", () => sheet.toLevel(1)),
    sign(words.whole, "⤢", () => sheet.toLevel(-9)),
    buildMap(sheet),
    sheet.turn,
    sheet.player,
    sheet.slider,
    sheet.link,
  );
}

function sign(name, text, act) {
  const button = Object.assign(make("button", "sign", text), { type: "button", title: name, onclick: act });
  button.setAttribute("aria-label", name);
  return button;
}
