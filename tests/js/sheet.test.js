// What the sheet measures by.

import assert from "node:assert/strict";
import { test } from "node:test";

import { acrossStrips, sharpness } from "../../assets/components/sheet/measures.js";

const LEVELS = [20, 4];

test("where one looks at strips from they are all there, on any screen, and cells are not yet", () => {
  for (let whole = 200; whole <= 2400; whole += 7) {
    const across = acrossStrips(whole, LEVELS);
    assert.ok(across > LEVELS[1] && across <= 10, `${across} columns of ${whole} pixels`);
    if (whole >= 235) assert.ok(sharpness(whole / across, whole, LEVELS) > 0.999, `of ${whole} pixels`);
  }
});

test("from afar there are no strips", () => {
  assert.equal(sharpness(900 / 28, 900, LEVELS), 0);
});
