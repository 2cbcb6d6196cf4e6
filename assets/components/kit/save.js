// What is taken away as a file: a picture, as SVG or painted as PNG, or a text.

import { make } from "./draw.js";

const SHARP = 2; // pixels of a PNG for one of the picture's,
const MOST = 16000; // ... as long as no side is longer

export function saveSvg(svg, name) {
  save(fileOf(svg), `${name}.svg`);
}

export async function savePng(svg, name) {
  const address = URL.createObjectURL(fileOf(svg));
  const image = Object.assign(new Image(), { src: address });
  await image.decode();
  const [width, height] = ["width", "height"].map((side) => Number(svg.getAttribute(side)));
  const ratio = Math.min(SHARP, MOST / Math.max(width, height));
  const canvas = Object.assign(make("canvas"), { width: width * ratio, height: height * ratio });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((blob) => save(blob, `${name}.png`));
}

function fileOf(svg) {
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

export function saveText(text, name, type) {
  save(new Blob([text], { type }), name);
}

/** Gives the visitor a file. */
function save(blob, name) {
  const link = Object.assign(make("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
