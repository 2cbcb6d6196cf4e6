// Numbers in the browser, held against what pages/shared/numbers.py writes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SAID_DIGITS, counted, exact, fixed, grouped, short } from "../../assets/components/kit/format.js";

const SHORT = [
  [0, "0"],
  [-0, "0"],
  [1, "1.000"],
  [-1, "−1.000"],
  [0.8357123, "0.8357"],
  [27.5094, "27.51"],
  [155, "155.0"],
  [154.996, "155.0"],
  [1234.5, "1,234"], // halves to even
  [1235.5, "1,236"],
  [-1234.5, "−1,234"],
  [4.0625, "4.062"],
  [9999.4, "9,999"],
  [9999.5, "10,000"],
  [9999.6, "10,000"],
  [10000.5, "10,000"],
  [10001.5, "10,002"],
  [-10000.5, "−10,000"],
  [30522, "30,522"],
  [22713216, "22,713,216"],
  [123456789, "123,456,789"],
  [999999499, "1.000×10⁹"],
  [999999999, "1.000×10⁹"],
  [1e9, "1.000×10⁹"],
  [1.0005e9, "1.000×10⁹"],
  [-1e12, "−1.000×10¹²"],
  [6e-8, "6.000×10⁻⁸"],
  [1.2345e-7, "1.235×10⁻⁷"],
  [-3.14159e-5, "−3.142×10⁻⁵"],
  [0.0001, "0.0001000"],
  [0.00009999, "9.999×10⁻⁵"],
  [0.000099995, "9.999×10⁻⁵"],
  [9.9996e-5, "0.0001000"],
  [0.000099999, "0.0001000"],
  [0.00012345, "0.0001234"],
  [2.0005, "2.001"],
  [0.06353, "0.06353"],
  [-0.25, "−0.2500"],
  [1.00048828125, "1.000"],
  [1.00146484375, "1.001"],
  [Infinity, "∞"],
  [-Infinity, "−∞"],
  [NaN, "–"],
];

test("four significant digits", () => {
  for (const [x, text] of SHORT) assert.equal(short(x), text, String(x));
});

const SAID = [
  [0.8357123, "0.836"],
  [27.5094, "27.5"],
  [155, "155"],
  [999.5, "1,000"],
  [1234.5, "1,234"],
  [1235.5, "1,236"],
  [12345.5, "12,346"],
  [30522, "30,522"],
  [4.125, "4.12"],
  [-0.5953, "−0.595"],
  [3.4549e-5, "3.45×10⁻⁵"],
  [2e9, "2.00×10⁹"],
];

test("three in a sentence", () => {
  for (const [x, text] of SAID) assert.equal(short(x, SAID_DIGITS), text, String(x));
});

test("counts and places in threes", () => {
  const counts = {
    0: "0",
    7: "7",
    "-7": "−7",
    999: "999",
    1000: "1,000",
    "-1234567": "−1,234,567",
    1e15: "1,000,000,000,000,000",
  };
  for (const [n, text] of Object.entries(counts)) assert.equal(grouped(Number(n)), text);
});

test("every digit of a float32, and no more", () => {
  assert.equal(exact(Math.fround(0.1)), "0.100000001");
  assert.equal(exact(-2.5), "−2.5");
  assert.equal(exact(Math.fround(1e-9)), "9.99999972e−10");
  for (const x of [0.8357, 1 / 3, 123456.789, -6e-8].map(Math.fround))
    assert.equal(Math.fround(Number(exact(x).replaceAll("−", "-"))), x);
});

test("so many digits behind the point", () => {
  assert.equal(fixed(0.7777, 2), "0.78");
  assert.equal(fixed(-1.25, 3), "−1.250");
  assert.equal(fixed(-0, 1), "0.0");
  assert.equal(fixed(-0.004, 2), "0.00");
  assert.equal(fixed(-0.04, 2), "−0.04");
});

test("words agree with their count", () => {
  const said = "{n} {n:group is/groups are} drawn";
  assert.equal(counted(said, "n", 1), "1 group is drawn");
  assert.equal(counted(said, "n", 1200), "1,200 groups are drawn");
  assert.equal(counted(said, "n", "…"), "… groups are drawn");
  assert.equal(counted("{by} {n} further", "by", -3), "−3 {n} further");
});
