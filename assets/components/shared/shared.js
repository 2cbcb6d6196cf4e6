// What is selected, in one place, for every picture on a page.
//
// `selection` holds every parameter of the page (layer, head, q, k, ...); `chosen` the part the visitor set, which
// stands in the address; of a switch, what is `usual` does not. A picture calls select({q: 3}): the address changes,
// every picture hears "see:selection", and after a pause the server is told, by the picture that lacks the numbers for
// it, or else by the derivations.
//
// Python puts this file before each component's own code, so all of them share window.seeThrough.

export const shared = (window.seeThrough ??= {
  page: null, selection: {}, chosen: {}, usual: {}, base: {}, order: [], seq: 0, pictures: new Set(), reporter: null, timer: 0,
});
shared.followers ??= new Set(); // further derivations of a page, each of some parameters: {params, report}
shared.changed ??= new Set(); // the parameters the server has not been told of
shared.toTell ??= new Set(); // the derivations that are still to be told

// As Python's urllib.parse.quote_plus: the address we write and the one the server writes must be equal, byte for byte.
const quote = (s) => encodeURIComponent(s).replace(/%20/g, "+").replace(/[!'()*]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());

export function address() {
  const all = { ...shared.base, ...shared.chosen };
  return shared.order.filter((key) => all[key] !== undefined && all[key] !== null).map((key) => `${key}=${quote(String(all[key]))}`).join("&");
}

// Cells make no browser history: replaceState, never pushState. While the browser still stands on the page before
// this one, its address is not ours to write.
export function writeAddress() {
  const query = "?" + address(), last = location.pathname.split("/").at(-1);
  clearTimeout(shared.writing);
  if (shared.pages?.includes(last) && last !== shared.page) shared.writing = setTimeout(writeAddress, 100);
  else if (query !== location.search) history.replaceState(history.state, "", location.pathname + query);
}

export function select(patch, pause = 0) {
  if ("word" in patch && !("step" in patch)) patch = { ...patch, step: null }; // another word: from its first step on
  Object.assign(shared.selection, patch);
  for (const [name, value] of Object.entries(patch)) shared.chosen[name] = value === shared.usual?.[name] ? null : value;
  for (const name of Object.keys(patch)) shared.changed.add(name);
  writeAddress();
  announce();
  clearTimeout(shared.timer);
  shared.timer = setTimeout(tellServer, pause);
}

shared.pick = select; // for benchmarks and the curious: seeThrough.pick({layer: 5}) in the console

export function announce() {
  window.dispatchEvent(new CustomEvent("see:selection"));
}

// A derivation without `params` follows everything; those with some are told when one of these changed.
function tellServer() {
  const lacking = [...shared.pictures].find((picture) => picture.lacks());
  const concerned = [...shared.followers].filter(({ params }) => params.some((name) => shared.changed.has(name)));
  shared.changed.clear();
  if (lacking) return lacking.report({ ...shared.chosen, seq: ++shared.seq });
  if (shared.reporter && (!shared.reporter.params || !concerned.length)) concerned.unshift(shared.reporter);
  for (const follower of concerned) shared.toTell.add(follower);
  tellNext();
}

// One fragment is told at a time, the next when the one before has been drawn anew: what is said at one moment,
// Streamlit takes for one fragment's.
export function tellNext() {
  clearTimeout(shared.telling);
  const [follower] = shared.toTell;
  if (!follower) return;
  shared.toTell.delete(follower);
  shared.telling = setTimeout(tellNext, 1000); // it may be gone
  follower.report({ ...shared.chosen, seq: ++shared.seq });
}

// What the server says is selected. An answer to an older question than the last one asked is not taken.
export function adopt({ page, pages, selection, chosen, usual, base, order, seq }) {
  if (page === shared.page && seq < shared.seq) return;
  Object.assign(shared, { page, pages, selection: { ...selection }, chosen: { ...chosen }, usual, base, order });
  shared.seq = Math.max(shared.seq, seq);
  writeAddress();
  announce();
}

// An element with a class and text; text is always textContent, whatever a visitor typed.
export function make(tag, className = "", text = undefined) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

// The same for SVG, whose attributes are its looks.
export function vector(tag, attributes, text = undefined) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

// A component's function runs again at every message: what its last run began ends here, its element stays.
export function begin(parentElement, tag, className) {
  parentElement.ending?.();
  return (parentElement.root ??= parentElement.appendChild(make(tag, className)));
}

// What the component returns: it ends what this run began, and takes the element away.
export function ending(parentElement, end) {
  parentElement.ending = end;
  return () => {
    end();
    parentElement.root?.remove();
    delete parentElement.root;
    delete parentElement.ending;
  };
}

// One listener on the selection for as long as a component lives; returns what ends it.
export function onSelection(listen) {
  window.addEventListener("see:selection", listen);
  return () => window.removeEventListener("see:selection", listen);
}

// Four significant digits, as pages/shared/numbers.py writes them.
export function short(x) {
  if (Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x < 0 ? "−∞" : "∞";
  if (x === 0) return "0";
  const size = Math.abs(Number(x.toPrecision(4)));
  let text = x.toPrecision(4);
  if (size < 1e-4 || size >= 1e9) text = x.toExponential(3).replace("e+", "e");
  else if (size >= 1e4) text = Math.round(x).toLocaleString("en-US");
  return text.replaceAll("-", "−");
}

// A colour of the theme as [r, g, b], read through a canvas, so that any CSS notation will do; each is read once.
const colors = (window.seeThroughColors ??= new Map());
export function rgb(color) {
  if (!colors.has(color)) {
    const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    colors.set(color, [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3));
  }
  return colors.get(color);
}

// The theme's scales as a function value -> [r, g, b]. Weights of 0 to 1 run along one colour, signed values along two.
export function scale(element, signed, reach) {
  const style = getComputedStyle(element);
  const list = (name) => style.getPropertyValue(name).split(/,(?![^(]*\))/).map((c) => rgb(c.trim()));
  const sequential = list("--st-chart-sequential-colors");
  const [zero, full] = [sequential[0], sequential.at(-1)];
  const diverging = list("--st-chart-diverging-colors");
  const [negative, positive] = signed ? [diverging[0], diverging.at(-1)] : [full, full];
  return (value) => {
    const part = Math.pow(Math.min(1, Math.abs(value) / (reach || 1)), 0.7);
    const end = value < 0 ? negative : positive;
    return zero.map((z, i) => Math.round(z + (end[i] - z) * part));
  };
}

// The colour of a cell that may not be seen yet.
export function veil(element) {
  return rgb(getComputedStyle(element).getPropertyValue("--st-border-color").trim());
}

// Values as pixels, one a cell, onto a canvas of that very size; NaN is veiled.
export function pixels(values, rows, columns, color, veiled, canvas = document.createElement("canvas")) {
  const image = new ImageData(columns, rows);
  for (let i = 0; i < values.length; i++) {
    const [r, g, b] = Number.isNaN(values[i]) ? veiled : color(values[i]);
    image.data[4 * i] = r;
    image.data[4 * i + 1] = g;
    image.data[4 * i + 2] = b;
    image.data[4 * i + 3] = 255;
  }
  Object.assign(canvas, { width: columns, height: rows });
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

// A packed message: 4 bytes of length, JSON padded to 4, then arrays. Returns [header, bytes behind it (aligned)].
export function unpack(data) {
  const length = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  return [header, data.slice(4 + length)];
}
