// What attention mixes for one token: a part of every token that it looks at, as large as its share, comes along the
// look and joins what is written into the river. It plays over the sheet where one points at what attention writes;
// where one points at a token, its looks are drawn, whichever are drawn at rest.

import { fit } from "../kit/draw.js";
import { clamp } from "../kit/picture.js";
import { pointOn } from "./measures.js";
import { linesDrawn } from "./one_head.js";
import { curveOfLook, curveOfTributary, endsOf } from "./rivers.js";

const GATHERS = 1100; // ms
const MIXED = 0.7; // of that time they are on their way to each other

/** Who is mixed into a row by the attention that writes a column, the largest first: [row, share, curve]. */
export function mixtureOf(sheet, { column, row }) {
  const found = [];
  for (const one of sheet.lines) {
    if (one.column !== column) continue;
    for (let i = 0; i < one.count; i++) {
      const [q, k] = endsOf(sheet, one, i);
      if (q === row) found.push([k, one.shares[i] / 255, curveOfLook(sheet, one, q, k)]);
    }
  }
  return found.sort((a, b) => b[1] - a[1]);
}

/** From now on what is mixed at a place; with null, nothing is any more. */
export function gather(sheet, place) {
  const mixes = place && !sheet.spread && !sheet.camera.flight && (writes(sheet, place) || !sheet.layer);
  const name = mixes ? `${place.column} ${place.row}` : null;
  if (name === sheet.gathers) return;
  sheet.gathers = name;
  const begun = performance.now();
  const step = () => {
    if (sheet.gathers !== name) return;
    const part = sheet.still.matches ? 1 : Math.min(1, (performance.now() - begun) / GATHERS);
    paintGathered(sheet, name && place, part);
    if (name && part < 1 && writes(sheet, place)) requestAnimationFrame(step);
  };
  step();
}

const writes = (sheet, { column }) => sheet.columns[column]?.kind === "written";

/** Whom a token looks at in all layers, as far as such a look is drawn. */
function looksOf(sheet, row) {
  const every = linesDrawn(sheet).flatMap(({ column }) => mixtureOf(sheet, { column, row }));
  return every.filter(([key, share]) => key !== row && share >= sheet.header.share);
}

function paintGathered(sheet, place, part) {
  const pen = fit(sheet.over, place ? [sheet.width, sheet.height] : [0, 0]);
  const mixed = place && writes(sheet, place);
  const mixture = !place ? [] : mixed ? mixtureOf(sheet, place) : looksOf(sheet, place.row);
  if (!mixture.length) return;
  pen.strokeStyle = sheet.ink.accent;
  pen.lineCap = "round";
  for (const [, share, [from, a, b, to]] of mixture) {
    pen.lineWidth = clamp(share * Math.min(0.16 * sheet.tall, 0.4 * sheet.wide), 1, 6);
    pen.beginPath();
    pen.moveTo(...from);
    pen.bezierCurveTo(...a, ...b, ...to);
    pen.stroke();
  }
  if (part === 1 || !mixed) return;
  const whole = mixture.reduce((sum, [, share]) => sum + share, 0);
  if (part < MIXED) for (const [, share, curve] of mixture) paintPart(sheet, pen, share, curve, part / MIXED);
  else paintPart(sheet, pen, whole, curveOfTributary(sheet, place.column, place.row), (part - MIXED) / (1 - MIXED));
}

// Its area is its share.
function paintPart(sheet, pen, share, curve, t) {
  pen.fillStyle = sheet.ink.accent;
  pen.strokeStyle = sheet.ink.paper;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(...pointOn(curve, t * t * (3 - 2 * t)), Math.max(2, 10 * Math.sqrt(share)), 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
}
