// Vectors that add up: one panel a part, rows of tokens under rows of tokens, dimension under dimension, and the sum.
// Beside each row its length; below, a few numbers of the selected token, large enough to be added in the head.
//
// It holds one setting of the switches (header.made) and a window of tokens; for others it asks the server.

import { begin, ending, make, onSelection, pixels, scale, select, shared, short, unpack, veil } from "../shared/shared.js";

const TITLE = 18, BETWEEN = 5, BAR = 62, CELL = 52;
const LOW = 5.5, PITCH = 11; // rows are at least so high; two of them make room for a line of labels

export default function ({ data, parentElement, setStateValue }) {
  const root = begin(parentElement, "div", "addition");
  const [header, body] = unpack(data);
  const panels = cut(header, new Float32Array(body.buffer));
  root.replaceChildren();
  const picture = root.appendChild(make("div", "picture")), canvas = picture.appendChild(make("canvas"));
  const tip = picture.appendChild(make("div", "tip")), heard = root.appendChild(make("div", "heard"));
  const large = root.appendChild(make("div", "large"));
  root.append(make("div", "caption", header.words.caption));
  heard.setAttribute("aria-live", "polite");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", header.words.label);
  tip.hidden = true;

  const asked = () => Object.entries(header.made).some(([name, id]) => String(shared.selection[name]) !== id);
  const row = () => Number(shared.selection.pos) - header.from, dim = () => Number(shared.selection.dim);
  const inside = () => row() >= 0 && row() < header.labels.length;
  const part = () => Math.max(0, panels.findIndex(({ id }) => id === shared.selection.part));
  const choose = (where) => select({ part: where.part, pos: header.from + where.row, dim: where.dim, k: null }, 0);
  const picturesPart = {
    lacks: () => asked() || !inside(),
    report(selection) {
      root.classList.add("waiting");
      setStateValue("selection", selection);
    },
  };
  shared.pictures.add(picturesPart);

  // ---- geometry

  let place;
  const layout = () => {
    const width = root.clientWidth || 480, count = header.labels.length, narrow = width < 420;
    const heads = [...panels.map((panel) => `${panel.sign} ${wider(panel.short)}`)];
    const high = Math.max(LOW, Math.min(PITCH, Math.floor(230 / (panels.length * count)))), lanes = high < PITCH ? 2 : 1;
    const letters = lanes > 1 ? (narrow ? 5 : 8) : 10, lane = 6 + 7 * Math.max(...header.labels.map((label) => [...wider(clip(label, letters))].length));
    const left = Math.max(lanes * lane + 4, Math.min(narrow ? 84 : 100, 10 + 7.4 * Math.max(...heads.map((head) => [...head].length))));
    const room = width - left - BAR, wide = Math.max(...panels.map((panel) => panel.width));
    const tops = panels.map((_, i) => TITLE + i * (TITLE + BETWEEN + high * count));
    place = { width, left, lanes, lane, letters, high, room, tops, count, height: tops.at(-1) + high * count + 3, cell: (panel) => room / panel.width, wide };
  };

  const at = ({ clientX, clientY }) => {
    const box = canvas.getBoundingClientRect(), x = clientX - box.left - place.left, y = clientY - box.top;
    const i = place.tops.findIndex((top) => y >= top && y < top + place.high * place.count);
    if (i < 0 || x < 0 || x >= place.room) return null;
    const column = Math.floor(x / place.cell(panels[i])), found = { panel: i, row: Math.floor((y - place.tops[i]) / place.high), column };
    return panels[i].joined ? { ...found, part: header.parts[Math.floor(column / header.d_model)], dim: column % header.d_model } : { ...found, part: panels[i].id, dim: column };
  };

  const value = ({ panel, row, column }) => panels[panel].values[row * panels[panel].width + column];
  const say = (where) => {
    const v = value(where), name = panels[where.panel].name;
    return `${name} · ${header.labels[where.row]} · ${header.words.dim} ${where.column}  ${Number.isNaN(v) ? header.words.veiled : exact(v)}`;
  };

  // ---- drawing

  const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const draw = () => {
    if (!picture.isConnected) return;
    root.classList.toggle("waiting", picturesPart.lacks());
    layout();
    const pen = fit(canvas, place.width, place.height), color = scale(root, true, header.reach), veiled = veil(root);
    pen.textBaseline = "middle";
    panels.forEach((panel, i) => {
      const top = place.tops[i], { left, room, high, count } = place;
      drawTitle(pen, panel, top);
      const small = pixels(panel.values, count, panel.width, color, veiled);
      const flat = Object.assign(document.createElement("canvas"), { width: Math.ceil(Math.min(panel.width, room * devicePixelRatio)), height: count });
      flat.getContext("2d").drawImage(small, 0, 0, flat.width, count);
      pen.imageSmoothingEnabled = false;
      pen.drawImage(flat, left, top, room, high * count);
      if (high >= 6) for (let r = 1; r <= count; r++) pen.clearRect(left, top + r * high - 1, room, 1);
      drawRows(pen, panel, top);
    });
    drawSelected(pen);
    drawLarge(color);
  };

  const drawTitle = (pen, panel, top) => {
    pen.font = `600 13px ${css("--st-font")}`;
    pen.fillStyle = css("--st-text-color");
    pen.textAlign = "left";
    pen.fillText(`${panel.sign} ${panel.name}`.trim(), place.left, top - 9);
    pen.font = `12px ${css("--st-code-font")}`;
    pen.fillStyle = css("--st-gray-text-color");
    pen.textAlign = "right";
    const norm = inside() ? panel.norms[row()] : null;
    pen.fillText(norm === null ? "‖·‖" : `‖·‖ ${short(norm)}`, place.width, top - 9);
  };

  // Rows too low for a label each have them in two lanes, every second one further out, with a line to its row.
  const drawRows = (pen, panel, top) => {
    const { left, lanes, lane, letters, high, width } = place;
    pen.textAlign = "right";
    header.labels.forEach((label, r) => {
      const strong = r === row(), y = top + (r + 0.5) * high, right = left - 6 - (r % lanes) * lane;
      if (panel.norms[r] !== null) {
        pen.fillStyle = strong ? css("--st-orange-color") : css("--st-gray-color");
        pen.fillRect(width - BAR + 8, y - Math.max(1, high / 2 - 1), Math.max(0.5, ((BAR - 8) * panel.norms[r]) / header.longest), Math.max(1.5, high - 2));
      }
      pen.fillStyle = css("--st-border-color");
      if (r % lanes) pen.fillRect(right + 3, y - 0.5, left - right - 5, 1);
      pen.font = `${strong ? 700 : 400} 11px ${css("--st-code-font")}`;
      pen.fillStyle = css(strong ? "--st-orange-color" : "--st-text-color");
      pen.fillText(clip(label, letters), right, y);
    });
  };

  const drawSelected = (pen) => {
    if (!inside()) return;
    pen.strokeStyle = css("--st-orange-color");
    panels.forEach((panel, i) => {
      const top = place.tops[i], cell = place.cell(panel), here = panel.joined ? panels[part()] : panel;
      const column = panel.joined ? Math.max(0, header.parts.indexOf(here.id)) * header.d_model + dim() : dim();
      const x = place.left + column * cell, y = top + row() * place.high, now = panel.id === shared.selection.part;
      pen.lineWidth = 1;
      pen.strokeRect(place.left, y - 0.5, place.room, place.high);
      pen.globalAlpha = 0.5;
      pen.strokeRect(x, top, Math.max(1, cell), place.high * place.count);
      pen.globalAlpha = 1;
      pen.lineWidth = now ? 2.5 : 1.5;
      pen.strokeRect(x - 3, y - 1, cell + 6, place.high + 1);
      if (!panel.joined) return;
      pen.lineWidth = 1;
      header.parts.slice(1).forEach((_, n) => pen.strokeRect(place.left + (n + 1) * header.d_model * cell, top - 2, 0.5, place.high * place.count + 4));
    });
  };

  // The selected token's numbers around the selected dimension, one line a part: what is added, cell by cell.
  const drawLarge = (color) => {
    const columns = Math.max(3, Math.min(header.d_model, Math.floor((place.width - place.left) / CELL)));
    const first = Math.max(0, Math.min(header.d_model - columns, dim() - (columns >> 1)));
    const had = large.getRootNode().activeElement?.dataset?.at;
    large.style.gridTemplateColumns = `${place.left}px repeat(${columns}, 1fr)`;
    const cells = [make("span", "head", inside() ? header.labels[row()] : "")];
    for (let j = first; j < first + columns; j++) cells.push(make("span", j === dim() ? "index on" : "index", `${j}`));
    panels.filter((panel) => !panel.joined).forEach((panel, i) => {
      cells.push(make("span", "head", `${panel.sign} ${panel.short}`.trim()));
      for (let j = first; j < first + columns; j++) cells.push(number(panel, i, j, color));
    });
    large.replaceChildren(...cells);
    if (had) large.querySelector(`[data-at="${had}"]`)?.focus();
  };

  const number = (panel, i, j, color) => {
    const v = inside() ? panel.values[row() * panel.width + j] : NaN, hidden = Number.isNaN(v);
    const b = make("button", panel.id === "sum" ? "total" : "", hidden ? "–" : v.toFixed(3).replace("-", "−"));
    const [r, g, blue] = hidden ? veil(root) : color(v);
    b.style.background = `rgb(${r},${g},${blue})`;
    b.style.color = 0.299 * r + 0.587 * g + 0.114 * blue > 140 ? "#1c2126" : "#ffffff";
    b.title = hidden ? header.words.veiled : exact(v);
    b.dataset.at = `${panel.id}-${j}`;
    b.tabIndex = -1;
    if (j === dim()) b.classList.add(panel.id === shared.selection.part ? "on" : "column");
    b.onclick = () => choose({ part: panel.id, row: row(), dim: j });
    return b;
  };

  // ---- pointing and keys

  canvas.onclick = (event) => {
    const where = at(event);
    if (where) choose(where);
  };
  canvas.onpointermove = (event) => {
    const where = at(event);
    tip.hidden = !where;
    if (!where) return;
    tip.textContent = say(where);
    const x = event.clientX - canvas.getBoundingClientRect().left, y = place.tops[where.panel] + (where.row + 1) * place.high + 6;
    tip.style.left = `${Math.max(0, Math.min(x, place.width - tip.offsetWidth))}px`;
    tip.style.top = `${y}px`;
  };
  canvas.onpointerleave = () => (tip.hidden = true);
  canvas.onkeydown = (event) => {
    const [down, right, panel] = { ArrowUp: [-1, 0, 0], ArrowDown: [1, 0, 0], ArrowLeft: [0, -1, 0], ArrowRight: [0, 1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1] }[event.key] ?? [];
    if (down === undefined) return;
    event.preventDefault();
    const own = panels.filter(({ joined }) => !joined), clamp = (x, most) => Math.max(0, Math.min(most, x));
    const p = clamp(part() + panel, own.length - 1), d = clamp(dim() + right, header.d_model - 1);
    const pos = clamp(Number(shared.selection.pos) + down, header.of - 1);
    select({ part: own[p].id, pos, dim: d, k: null }, 200);
    if (inside()) heard.textContent = say({ panel: p, row: row(), column: d });
  };

  const dark = matchMedia("(prefers-color-scheme: dark)"), later = () => setTimeout(draw, 80);
  const observer = new ResizeObserver(draw), stop = onSelection(draw);
  observer.observe(root);
  dark.addEventListener("change", later);
  document.fonts.load(`12px ${css("--st-code-font").split(",")[0] || "monospace"}`).then(draw);
  draw();
  return ending(parentElement, () => {
    stop();
    observer.disconnect();
    dark.removeEventListener("change", later);
    shared.pictures.delete(picturesPart);
  });
}

// The panels' own numbers out of the one array behind the header.
function cut({ panels, labels }, values) {
  let from = 0;
  return panels.map((panel) => ({ ...panel, values: values.subarray(from, (from += labels.length * panel.width)) }));
}

function fit(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

const clip = (label, most = 10) => ([...label].length > most ? [...label].slice(0, most - 1).join("") + "…" : label);
const wider = (text) => text.replace(/[\u3400-\u9fff]/g, "$&$&"); // a Han character is as wide as two letters
const exact = (x) => String(Number(x.toPrecision(9))).replaceAll("-", "−");
