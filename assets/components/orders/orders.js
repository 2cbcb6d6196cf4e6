// The same words in two orders, a line from each to itself; above each, how far its two last vectors lie apart, for the
// reader that is selected. What must not be seen yet arrives as null.
//
// Data: scenes {id: {first, second, special, partner, readers: {id: {share, cosine, largest, said}}}}, most (the share
// that fills a bar), words.

import { begin, ending, make, onSelection, shared, short, vector } from "../shared/shared.js";

const BAR = 62, CHIP = 26, GAP = 64, TOP = 18;

export default function ({ data, parentElement }) {
  const root = begin(parentElement, "div", "orders");
  const scroll = make("div", "scroll"), svg = vector("svg", { role: "img" }), said = make("div", "said"), caption = make("p", "caption");
  const more = make("p", "more", data.words.more);
  scroll.append(svg);
  root.replaceChildren(more, scroll, said, caption);
  const redraw = () => {
    draw(root, svg, said, caption, data);
    more.hidden = scroll.scrollWidth <= scroll.clientWidth + 1; // where it does not fit, that is said
    if (more.hidden) scroll.removeAttribute("tabindex");
    else scroll.tabIndex = 0; // arrow keys scroll it
  };
  const observer = new ResizeObserver(redraw);
  observer.observe(scroll);
  const stop = onSelection(redraw);
  redraw();
  return ending(parentElement, () => {
    stop();
    observer.disconnect();
  });
}

function draw(root, svg, said, caption, { scenes, most, words }) {
  const scene = scenes[shared.selection.order] ?? Object.values(scenes)[0], reader = shared.selection.reader;
  const reading = scene?.readers[reader];
  if (!reading) return;
  const n = scene.first.length, room = root.clientWidth || 600;
  const longest = Math.max(...scene.first.map((text) => [...text].length)), wide = Math.max(46, 18 + 8.2 * longest);
  const step = Math.max(wide + 6, Math.min(110, room / n)), width = Math.max(step * n, 1);
  const y = { bar: TOP + BAR, first: TOP + BAR + 4, second: TOP + BAR + 4 + CHIP + GAP };
  svg.setAttribute("viewBox", `0 0 ${width} ${y.second + CHIP + 4}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", y.second + CHIP + 4);
  const x = (i) => (i + 0.5) * step, parts = [];
  scene.partner.forEach((to, i) => {
    const away = to !== i ? "line moved" : "line";
    parts.push(vector("path", { d: `M${x(i)},${y.first + CHIP} C${x(i)},${y.first + CHIP + GAP / 2} ${x(to)},${y.second - GAP / 2} ${x(to)},${y.second}`, class: away }));
  });
  scene.first.forEach((text, i) => {
    const share = reading.share[i], cosine = reading.cosine[i];
    const high = share === null ? 0 : Math.max(share > 0 ? 1 : 0, Math.min(1, share / most) * BAR);
    const bar = vector("rect", { x: x(i) - 11, y: y.bar - high, width: 22, height: high, class: "bar" });
    if (share !== null) bar.append(vector("title", {}, `${text}  cos ${short(cosine)}`));
    parts.push(bar, vector("text", { x: x(i), y: y.bar - high - 5, "text-anchor": "middle", class: "value" }, share === null ? "?" : short(share)));
    parts.push(...chip(text, x(i), y.first, wide, scene.special[i], scene.partner[i] !== i));
  });
  scene.second.forEach((text, j) => {
    const i = scene.partner.indexOf(j);
    parts.push(...chip(text, x(j), y.second, wide, scene.special[i], i !== j));
  });
  svg.replaceChildren(...parts);
  svg.setAttribute("aria-label", `${words.label} ${scene.first.map((text, i) => `${text} ${reading.share[i] === null ? words.veiled : short(reading.share[i])}`).join(", ")}`);
  said.replaceChildren(...(reading.said ?? []).map((text) => make("p", "", text)));
  caption.textContent = reading.caption;
}

function chip(text, x, y, wide, special, moved) {
  const looks = `chip${special ? " special" : ""}${moved ? " moved" : ""}`;
  return [
    vector("rect", { x: x - wide / 2, y, width: wide, height: CHIP, rx: 5, class: looks }),
    vector("text", { x, y: y + 18, "text-anchor": "middle", class: looks }, text),
  ];
}
