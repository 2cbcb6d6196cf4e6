// One vector at several moments, lane under lane: one column is one dimension, everywhere the same. Beside each lane its
// histogram, on the lane's own axis. Where the vector was changed, the unchanged one stands in it in full colour.
//
// It holds the selected token's planes for every choice a control offers, and asks the server for another token's. A
// lane that must not be seen yet arrives as NaN.

import { begin, ending, make, onSelection, select, shared, short, unpack } from "../shared/shared.js";

const TICKS = 46, HISTOGRAM = 76, BINS = 28;

export default function ({ data, parentElement, setStateValue }) {
  const root = begin(parentElement, "div", "lanes");
  const [header, body] = unpack(data);
  const { lanes, keys, count, words } = header;
  const vectors = new Float32Array(body.buffer);
  const made = lanes.filter((lane) => !lane.fixed), fixed = lanes.filter((lane) => lane.fixed);

  // Header: name (the parameters that name a plane), keys (the planes there are), lanes ({id, label, tall, fixed: one for
  // all planes}), base (the value of `given` that changes nothing), stats (key -> lane -> [[part, text]]), said (key ->
  // a sentence), band (key -> [mean, deviation] of the first lane). Arrays: the fixed lanes, then each plane's.
  const keyOf = (given) => header.name.map((param) => (param === header.given && given ? given : shared.selection[param])).join("/");
  const vector = (key, lane) => {
    const at = lane.fixed ? fixed.indexOf(lane) : fixed.length + keys.indexOf(key) * made.length + made.indexOf(lane);
    return at < 0 || (!lane.fixed && !keys.includes(key)) ? null : vectors.subarray(at * count, (at + 1) * count);
  };

  const picture = {
    lacks: () => !keys.includes(keyOf()),
    report: (selection) => {
      root.classList.add("waiting");
      setStateValue("selection", selection);
    },
  };
  shared.pictures.add(picture);

  root.tabIndex = 0;
  root.setAttribute("role", "application");
  root.setAttribute("aria-label", words.label);
  const tip = make("div", "tip"), heard = make("div", "heard"), foot = make("div", "foot");
  tip.hidden = true;
  heard.setAttribute("aria-live", "polite");
  const parts = lanes.map((lane) => {
    const box = make("section", "lane"), head = make("header"), stats = make("span", "stats"), canvas = make("canvas");
    head.append(make("b", "", lane.label), stats);
    box.append(head, canvas);
    canvas.onclick = (event) => pick(lane.id, dimAt(event, canvas), 0);
    canvas.onpointermove = (event) => point(event, lane, canvas);
    canvas.onpointerleave = () => (tip.hidden = true);
    return { lane, box, stats, canvas };
  });
  root.replaceChildren(...parts.map(({ box }) => box), foot, tip, heard);

  const pick = (part, dim, pause) => dim !== null && select({ [header.part]: part, [header.dim]: dim }, pause);
  const room = () => (root.clientWidth || 520) - TICKS - HISTOGRAM - 10;
  const dimAt = (event, canvas) => {
    const dim = Math.floor(((event.clientX - canvas.getBoundingClientRect().left - TICKS) / room()) * count);
    return dim >= 0 && dim < count ? dim : null;
  };
  const say = (lane, dim) => {
    const value = vector(keyOf(), lane)?.[dim];
    return `${lane.label}  ${words.dim} ${dim}  ${value === undefined || Number.isNaN(value) ? words.veiled : String(Number(value.toPrecision(9))).replaceAll("-", "−")}`;
  };

  function point(event, lane, canvas) {
    const dim = dimAt(event, canvas);
    tip.hidden = dim === null;
    if (dim === null) return;
    tip.textContent = say(lane, dim);
    const x = TICKS + ((dim + 0.5) / count) * room() + 10, beyond = x + tip.offsetWidth > root.clientWidth;
    tip.style.left = `${Math.max(0, beyond ? x - tip.offsetWidth - 20 : x)}px`;
    tip.style.top = `${canvas.offsetTop - 20}px`;
  }

  root.onkeydown = (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [0, -16], PageDown: [0, 16], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -count], End: [0, count] }[event.key];
    if (!step || event.target !== root) return;
    event.preventDefault();
    const within = (i, n) => Math.max(0, Math.min(n - 1, i));
    const now = Math.max(0, lanes.findIndex((lane) => lane.id === shared.selection[header.part]));
    const lane = lanes[within(now + step[0], lanes.length)], dim = within(Number(shared.selection[header.dim]) + step[1], count);
    heard.textContent = say(lane, dim);
    pick(lane.id, dim, 120);
  };

  function draw() {
    const key = keyOf();
    root.classList.toggle("waiting", !keys.includes(key));
    if (!keys.includes(key)) return;
    const base = keyOf(header.base), css = getComputedStyle(root), color = (name) => css.getPropertyValue(name).trim();
    const band = header.band[key];
    parts.forEach(({ lane, box, stats, canvas }, i) => {
      const now = vector(key, lane), ghost = lane.fixed || key === base ? null : vector(base, lane);
      box.classList.toggle("on", shared.selection[header.part] === lane.id);
      drawStats(stats, header.stats[key]?.[lane.id] ?? []);
      drawLane(canvas, lane, now, ghost, i === 0 ? band : null, color);
    });
    const said = make("span", "said", header.said[key] ?? "");
    foot.replaceChildren(said, make("div", "", words.caption));
  }

  function drawStats(box, stats) {
    box.replaceChildren(
      ...stats.map(([part, text]) => {
        if (!part) return make("span", "stat", text);
        const button = make("button", shared.selection[header.part] === part ? "stat on" : "stat", text);
        button.onclick = () => pick(part, Number(shared.selection[header.dim]), 0);
        return button;
      }),
    );
  }

  function drawLane(canvas, lane, now, ghost, band, color) {
    const width = root.clientWidth || 520, height = lane.tall, pen = fitted(canvas, width, height);
    if (!now || now.some(Number.isNaN)) {
      pen.fillStyle = color("--st-border-color");
      pen.fillRect(TICKS, 2, width - TICKS, height - 4);
      pen.fillStyle = color("--st-gray-text-color");
      pen.font = `13px ${color("--st-font")}`;
      pen.fillText(words.veiled, TICKS + 12, height / 2 + 4);
      return;
    }
    const both = [now, ghost ?? now].map(reach), low = Math.min(...both.map((r) => r[0])), high = Math.max(...both.map((r) => r[1]));
    const span = high - low || 1, y = (v) => 3 + ((high - Math.max(low, Math.min(high, v))) / span) * (height - 6);
    const step = room() / count, zero = y(0), ratio = window.devicePixelRatio || 1;
    if (band) {
      pen.fillStyle = color("--st-green-background-color");
      pen.fillRect(TICKS, y(band[0] + band[1]), room(), Math.max(1, y(band[0] - band[1]) - y(band[0] + band[1])));
    }
    const bars = (values, alpha) => {
      pen.globalAlpha = alpha;
      values.forEach((v, i) => {
        pen.fillStyle = v < 0 ? negative : positive;
        const [x, next] = [i, i + 1].map((n) => Math.round((TICKS + n * step) * ratio) / ratio); // whole pixels: no false stripes
        pen.fillRect(x, Math.min(zero, y(v)), Math.max(1 / ratio, next - x - (step > 3 ? 1 : 0)), Math.max(0.6, Math.abs(y(v) - zero)));
      });
      pen.globalAlpha = 1;
    };
    const [positive, negative] = [color("--st-primary-color"), color("--st-orange-color")];
    bars(now, ghost ? 0.32 : 0.9);
    if (ghost) bars(ghost, 0.95);
    pen.fillStyle = color("--st-border-color");
    pen.fillRect(TICKS, zero, room(), 1);
    pen.fillStyle = color("--st-text-color"); // what goes on beyond the lane has a tip
    now.forEach((v, i) => {
      if (v >= low && v <= high) return;
      const x = TICKS + (i + 0.5) * step, [end, foot] = v > high ? [0, 5] : [height, height - 5];
      pen.beginPath();
      pen.moveTo(x, end);
      pen.lineTo(x - 3.5, foot);
      pen.lineTo(x + 3.5, foot);
      pen.fill();
    });
    if (band) {
      pen.fillStyle = color("--st-text-color");
      for (let x = TICKS; x < TICKS + room(); x += 7) pen.fillRect(x, y(band[0]) - 0.5, 4, 1);
    }
    histogram(pen, now, low, span, height, width, ghost ? 0.32 : 0.75, positive);
    if (ghost) histogram(pen, ghost, low, span, height, width, 0.95, positive);
    ticks(pen, color, low, high, y);
    const dim = Number(shared.selection[header.dim]), x = TICKS + (dim + 0.5) * step;
    pen.strokeStyle = pen.fillStyle = color("--st-text-color");
    pen.lineWidth = lane.id === shared.selection[header.part] ? 1.4 : 0.6;
    pen.beginPath();
    pen.moveTo(x, 0);
    pen.lineTo(x, height);
    pen.stroke();
    if (lane.id === shared.selection[header.part]) {
      pen.beginPath();
      pen.arc(x, y(now[dim]), 3.5, 0, 7);
      pen.fill();
    }
  }

  function histogram(pen, values, low, span, height, width, alpha, fill) {
    const bins = new Array(Math.max(6, Math.min(BINS, Math.floor(height / 3)))).fill(0);
    for (const v of values) bins[Math.min(bins.length - 1, Math.max(0, Math.floor(((v - low) / span) * bins.length)))] += 1;
    const most = Math.max(...bins), tall = (height - 6) / bins.length;
    pen.fillStyle = fill;
    pen.globalAlpha = alpha;
    bins.forEach((n, i) => n && pen.fillRect(width - HISTOGRAM, 3 + (height - 6) - (i + 1) * tall, Math.max(1, (n / most) * (HISTOGRAM - 2)), Math.max(1, tall - 0.6)));
    pen.globalAlpha = 1;
  }

  function ticks(pen, color, low, high, y) {
    pen.font = `11.5px ${color("--st-code-font")}`;
    pen.fillStyle = color("--st-gray-text-color");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const ends = [high, low].filter((v) => v !== 0);
    for (const v of ends) pen.fillText(brief(v), TICKS - 6, Math.max(7, Math.min(y(low) - 4, y(v))));
    if (ends.every((v) => Math.abs(y(v) - y(0)) > 14)) pen.fillText("0", TICKS - 6, y(0));
  }

  draw();
  const stop = onSelection(draw);
  const observer = new ResizeObserver(draw);
  observer.observe(root);
  const dark = matchMedia("(prefers-color-scheme: dark)"), later = () => setTimeout(draw, 80);
  dark.addEventListener("change", later);
  document.fonts.load(`12px ${getComputedStyle(root).getPropertyValue("--st-code-font").split(",")[0]}`).then(draw);
  return ending(parentElement, () => {
    stop();
    observer.disconnect();
    dark.removeEventListener("change", later);
    shared.pictures.delete(picture);
  });
}

// From where to where a lane runs: 0 is in it, and 99 % of the numbers; a few outliers must not flatten the rest.
function reach(values) {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  const far = Array.from(values, (v) => Math.abs(v - mean)).sort((a, b) => a - b);
  const most = far[Math.ceil(0.99 * far.length) - 1] * 1.15, all = far.at(-1);
  const wide = all > 1.6 * most ? most : all; // where nothing stands far out, nothing is cut
  return [Math.min(0, mean - wide), Math.max(0, mean + wide)];
}

// Two digits are enough at an axis; the exact value is under the pointer.
const brief = (x) => short(Number(x.toPrecision(2))).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");

function fitted(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}
