// Numbers as Python writes them: see core/numbers.py.

/** How many significant digits a number has in a sentence, and where it is said beside one. */
export const SAID_DIGITS = 3;

// Of two equally near, the even one: JavaScript rounds halves up, Python to even.
function rounding(x, digits) {
  const tie = new RegExp(`^(-?\\d\\.\\d{${digits - 2}}[02468])50*e(.*)$`).exec(x.toExponential(60));
  return tie ? Number(`${tie[1]}e${tie[2]}`) : Number(x.toPrecision(digits));
}

function wholeNumber(x) {
  return Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x);
}

const trueMinus = (text) => text.replaceAll("-", "−");

/** An exponent: ⁻⁸. */
export const raised = (n) => `${n}`.replace(/./g, (c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c] ?? "⁻");

/** Four significant digits: 0.8357, 27.51, 155.0, 1,278, 30,522, 6.000×10⁻⁸. A whole number keeps all its digits. */
export function short(x, digits = 4) {
  if (Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x < 0 ? "−∞" : "∞";
  if (x === 0) return "0";
  const rounded = rounding(x, digits);
  const size = Math.abs(rounded);
  if (size < 1e-4 || size >= 1e9)
    return trueMinus(rounded.toExponential(digits - 1).replace(/e\+?(.*)/, (_, n) => `×10${raised(n)}`));
  if (size >= 10 ** digits) return grouped(wholeNumber(x));
  if (size >= 1000) return grouped(rounded, digits - String(Math.trunc(size)).length);
  return trueMinus(rounded.toPrecision(digits));
}

/** Every digit a float32 holds, for hovering. */
export function exact(x) {
  return trueMinus(String(Number(x.toPrecision(9))));
}

/** A count or a place: every digit, in threes, with a real minus sign; and so many digits behind the point. */
export function grouped(n, digits = 0) {
  return trueMinus(n.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
}

/** So many digits behind the point, where a column or an axis wants them equal; nothing is −0. */
export function fixed(x, digits) {
  return trueMinus(x.toFixed(digits).replace(/^-(?=[0.]+$)/, ""));
}

/** A text with a count in it, and the words that agree with that: "{n} {n:group is/groups are} drawn". */
export function counted(text, name, n) {
  const agreeing = new RegExp(`\\{${name}:([^{}/]+)/([^{}/]+)\\}`, "g");
  return text.replace(agreeing, n === 1 ? "$1" : "$2").replaceAll(`{${name}}`, typeof n === "number" ? grouped(n) : n);
}
