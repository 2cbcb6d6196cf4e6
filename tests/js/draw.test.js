// What of drawing needs no browser: labels that do not collide, round steps, clipping.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clip, labelled, roundSteps, typeset, upright } from "../../assets/components/kit/draw.js";
import { clamp, entry, pressed, unpack } from "../../assets/components/kit/picture.js";
import { aside } from "../../assets/components/matrix/labels.js";

const drawn = (...labels) => labelled(...labels).flatMap((shown, i) => (shown ? [i] : []));

test("labels stand as close as they can and no closer", () => {
  assert.deepEqual(drawn(5, 14, 11), [0, 1, 2, 3, 4]);
  assert.deepEqual(drawn(10, 4, 11), [0, 3, 6, 9]);
  assert.deepEqual(drawn(0, 4, 11), []);
});

test("of numbers the round ones are drawn, wherever they begin", () => {
  assert.deepEqual(drawn(30, 4, 28, [], 0), [0, 10, 20]);
  assert.deepEqual(drawn(12, 4, 14, [], 97), [3, 8]);
  assert.deepEqual(drawn(4, 14, 11, [], 7), [0, 1, 2, 3]);
  const twice = [...Array(15).keys(), ...Array(15).keys()]; // the first of the second half keeps the 10 before it away
  assert.deepEqual(drawn(30, 4, 28, [], 0, twice), [0, 15, 25]);
});

test("a strong label is drawn and keeps its neighbours away", () => {
  assert.deepEqual(drawn(10, 4, 11, [4]), [0, 4, 9]);
  assert.deepEqual(drawn(10, 4, 11, [4, 5]), [0, 4, 5, 9]);
  assert.deepEqual(drawn(10, 4, 11, [99, -1]), [0, 3, 6, 9]);
});

test("round numbers between two ends", () => {
  assert.deepEqual(roundSteps(0, 100, 4), [0, 50, 100]);
  assert.deepEqual(roundSteps(-0.31, 0.4, 4), [-0.2, 0, 0.2, 0.4]);
  assert.deepEqual(roundSteps(5, 5, 4), [5]);
});

test("clipping counts characters, not halves of them", () => {
  assert.equal(clip("word", 4), "word");
  assert.equal(clip("words", 4), "wor…");
  assert.equal(clip("👩👩👩👩👩", 4), "👩👩👩…");
});

test("powers are raised and indices lowered, numbers that can be pressed in them, too", () => {
  globalThis.document = { createElement: (tag) => ({ tag, append: (...inside) => (made.inside = [tag, ...inside]) }) };
  const made = {};
  const number = { door: "4.864" };
  const raised = (...pieces) => {
    const text = typeset(pieces).map((node) => (typeof node === "string" || node === number ? node : "↑"));
    return [text.filter(Boolean), made.inside.filter(Boolean)];
  };
  assert.deepEqual(raised("mat  e^", number, " = 129.5"), [
    ["mat  e", "↑", " = 129.5"],
    ["sup", number],
  ]);
  assert.deepEqual(raised("e^(", number, " − (−2)) ÷ 3"), [
    ["e", "↑", " ÷ 3"],
    ["sup", number, " − (−2)"],
  ]);
  assert.deepEqual(raised("√d_k"), [
    ["√d", "↑"],
    ["sub", "k"],
  ]);
  assert.deepEqual(typeset(["a_b", number]).filter(Boolean), ["a_b", number]);
  delete globalThis.document;
});

test("a name out of an address finds nothing that every object has", () => {
  assert.equal(entry({ a: 1 }, "a"), 1);
  assert.equal(entry({ a: 1 }, "toString"), undefined);
  assert.equal(entry([7], 0), 7);
  assert.equal(entry(undefined, "a"), undefined);
});

test("a key means a step, and Alt with it is the browser's own", () => {
  let prevented = 0;
  const event = (key, more) => ({ key, preventDefault: () => (prevented += 1), ...more });
  assert.equal(pressed(event("ArrowLeft"), { ArrowLeft: -1 }), -1);
  assert.equal(pressed(event("x"), { ArrowLeft: -1 }), undefined);
  assert.equal(pressed(event("ArrowLeft", { altKey: true }), { ArrowLeft: -1 }), undefined);
  assert.equal(prevented, 1);
});

test("between two ends", () => {
  assert.deepEqual([clamp(5, 0, 3), clamp(-1, 0, 3), clamp(-Infinity, 0, 3)], [3, 0, 0]);
});

test("a packed message: header, then aligned arrays, wherever it lies in its buffer", () => {
  const text = new TextEncoder().encode('{"a":"猫"}  ');
  const raw = new Uint8Array(3 + 4 + text.length + 8);
  new DataView(raw.buffer).setUint32(3, text.length, true);
  raw.set(text, 7);
  raw.set(new Uint8Array(new Float32Array([1.5, -2]).buffer), 7 + text.length);
  const [header, body] = unpack(raw.subarray(3));
  assert.deepEqual(header, { a: "猫" });
  assert.deepEqual([...new Float32Array(body.buffer)], [1.5, -2]);
});

// A picture in a component that the page enlarges to 3/2, 300 px from the window's left; what `browser` measures.
function enlarged(browser) {
  const host = { parentElement: null, getRootNode: () => globalThis.document, zoom: "1.5" };
  const root = { host };
  const own = browser.measures === "own" ? 1.5 : 1;
  const picture = {
    isConnected: true,
    parentElement: null,
    getRootNode: () => root,
    getBoundingClientRect: () => ({ left: 300 / own, top: 150 / own, width: 900 / own, height: 300 / own }),
    ...(browser.says ? { currentCSSZoom: 1.5 } : {}),
  };
  const probe = {
    style: {},
    remove() {},
    getBoundingClientRect: () => ({ width: browser.measures === "own" ? 10 : 20 }),
  };
  globalThis.window = { devicePixelRatio: 2 };
  globalThis.document = {
    body: { appendChild: () => probe, isConnected: true, parentElement: null, getRootNode: () => globalThis.document },
    createElement: () => probe,
  };
  globalThis.getComputedStyle = (node) => ({ zoom: node.zoom ?? "1" });
  return picture;
}

test("where a pointer is in an enlarged picture, in every browser", async () => {
  const browsers = [
    { says: true, measures: "window" }, // Chromium, Firefox
    { says: false, measures: "own" }, // WebKit
    { says: false, measures: "window" }, // what it may become
  ];
  for (const [i, browser] of browsers.entries()) {
    const picture = enlarged(browser);
    const { screenRatio, within } = await import(`../../assets/components/kit/draw.js?${i}`); // it asks a browser once
    assert.deepEqual(within({ clientX: 600, clientY: 300 }, picture), { x: 200, y: 100, width: 600 });
    assert.equal(screenRatio(picture), 3);
  }
});

test("labels stand upright where each has room beside the next", () => {
  assert.ok(upright(["我", "昨", "[EOS]"], 34, 10));
  assert.ok(!upright(["the", "electroencephalography"], 60));
  assert.ok(!upright(["a", "thinking"], 40, 0) && upright(["a", "thinking"], 40, 30));
  assert.ok(upright([], 1));
});

test("a first and a last label that are too wide move aside where there is room, and no other does", () => {
  const aside60 = (...labels) => aside(labels, 29, [60, 60]);
  assert.deepEqual(aside60("我", "昨", "书"), [0, 0]);
  assert.deepEqual(aside60("我", "昨", "[EOS]"), [0, 6]);
  assert.deepEqual(aside60("[CLS]", "我", "昨", "[SEP]"), [6, 6]);
  assert.equal(aside(["[CLS]", "我", "昨"], 29, [0, 60]), null);
  assert.equal(aside60("我", "[EOS]", "书", "了"), null);
  assert.deepEqual(aside60(), [0, 0]);
  assert.deepEqual(aside60("[EOS]"), [0, 0]);
});
