// The map: all columns in one line, and the part of them that is in sight. It stands where the camera shows less than
// the whole. Its parts are layers, not stages of the path: a stage such as attention is in every layer.

import { boxOf, labelled, make, zoomed } from "../kit/draw.js";
import { widthOf } from "./names.js";

const LEAST = 6; // pixels of the frame
const NUMBER = 22; // pixels from one number to the next, where parts have no room for their names

/** The map anew: a button for each part, and the frame over what is in sight. */
export function buildMap(sheet) {
  const { columns, header } = sheet;
  const starts = columns.flatMap(({ brief }, i) => (brief ? [i] : []));
  sheet.map = make("div", "map");
  sheet.named(sheet.map, "group", header.words.map);
  sheet.map.title = header.words.map;
  sheet.parts = starts.map((from, j) => {
    const [left, right] = [from, starts[j + 1] ?? columns.length].map((i) => sheet.stands(i) / sheet.breadth);
    const button = Object.assign(make("button"), { type: "button" });
    button.setAttribute("aria-label", columns[from].brief);
    button.style.left = `${100 * left}%`;
    button.style.width = `${100 * (right - left)}%`;
    const middle = (sheet.breadth * (left + right)) / 2;
    button.onclick = (event) => event.detail === 0 && goTo(sheet, middle); // by a key: see `hold`
    return { button, brief: columns[from].brief, share: right - left };
  });
  sheet.frameOfMap = make("div", "frame");
  sheet.map.append(...sheet.parts.map(({ button }) => button), sheet.frameOfMap);
  sheet.map.onpointerdown = (event) => hold(sheet, event);
  return sheet.map;
}

/** Names where there is room for them. */
export function nameParts(sheet) {
  if (sheet.mapped) return; // measured once: amid changes that has the browser lay the page out anew
  const wide = (sheet.mapped = sheet.map.clientWidth);
  if (!wide) return;
  const { parts } = sheet;
  const drawn = labelled(parts.length, wide / parts.length, NUMBER);
  const fits = ({ brief, share }) => share * wide > widthOf(sheet, brief) + 4;
  const roomy = parts.every((part) => !/\d/.test(part.brief) || fits(part));
  parts.forEach((part, i) => {
    const number = drawn[i] ? (part.brief.match(/\d+/)?.[0] ?? "") : "";
    part.button.textContent = fits(part) ? part.brief : roomy ? "" : number;
  });
}

export function moveMap(sheet) {
  const { camera, breadth } = sheet;
  const whole = camera.k < 1.01;
  if (whole !== sheet.whole) sheet.tools.classList.toggle("whole", (sheet.whole = whole));
  if (whole) return;
  nameParts(sheet);
  const part = Math.max(sheet.across / breadth, LEAST / sheet.mapped);
  sheet.frameOfMap.style.transform = `translateX(${(100 * camera.x) / breadth}%) scaleX(${part})`;
}

function goTo(sheet, middle) {
  sheet.fly({ ...sheet.camera.place, x: middle - sheet.across / 2 });
}

// What is pressed comes into the middle, and stays under the hand.
function hold(sheet, event) {
  if (event.button) return;
  event.preventDefault();
  const { left, width } = boxOf(sheet.map);
  const zoom = zoomed(sheet.map);
  const at = ({ clientX }) => ((clientX / zoom - left) / width) * sheet.breadth;
  const drag = (next) => sheet.to({ ...sheet.camera.place, x: at(next) - sheet.across / 2 });
  const drop = () => {
    sheet.map.removeEventListener("pointermove", drag);
    for (const type of ["pointerup", "pointercancel"]) sheet.map.removeEventListener(type, drop);
  };
  sheet.map.setPointerCapture(event.pointerId);
  sheet.map.addEventListener("pointermove", drag);
  for (const type of ["pointerup", "pointercancel"]) sheet.map.addEventListener(type, drop);
  goTo(sheet, at(event));
}
