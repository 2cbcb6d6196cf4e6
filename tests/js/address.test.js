// The address as text: read, edited, and written byte for byte as Python's urlencode writes it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { makesEntry } from "../../assets/components/kit/page.js";
import { alike, edited, parsed, written } from "../../assets/components/kit/store.js";

// Left what a visitor typed, right what urllib.parse.urlencode({"text": …}) gives.
const WRITTEN = [
  ["a~b*c'd(e)f!g h+i&j=k%l/m?n#o", "text=a~b%2Ac%27d%28e%29f%21g+h%2Bi%26j%3Dk%25l%2Fm%3Fn%23o"],
  ['中 é "<>', "text=%E4%B8%AD+%C3%A9+%22%3C%3E"],
  ["👩‍💻", "text=%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB"],
  ["\t\n\u0000\u007f", "text=%09%0A%00%7F"],
  ["-_.~", "text=-_.~"],
  ["", "text="],
  ["@:,;$[]{}|\\^`", "text=%40%3A%2C%3B%24%5B%5D%7B%7D%7C%5C%5E%60"],
];
const ORDER = ["lang", "text", "layer", "q", "k"];

test("every character is quoted as Python quotes it", () => {
  for (const [text, search] of WRITTEN) {
    assert.equal(written([["text", text]]), search);
    assert.deepEqual(parsed(search), [["text", text]]);
  }
  assert.equal(written([["tëxt k", 1]]), "t%C3%ABxt+k=1");
});

test("half a character can be written, too", () => {
  assert.equal(edited("", { text: "dogs \ud800" }, ORDER), "text=dogs+%EF%BF%BD");
});

test("a patch is put in, in the one order", () => {
  assert.equal(edited("text=a+b&q=3&lang=en", { layer: 5, k: 0 }, ORDER), "lang=en&text=a+b&layer=5&q=3&k=0");
  assert.equal(edited("lang=en&q=3", { q: 4 }, ORDER), "lang=en&q=4");
  assert.equal(edited("lang=en&q=3&k=1", { q: null, k: undefined }, ORDER), "lang=en");
  assert.equal(edited("", {}, ORDER), "");
});

test("names nobody declared stay behind the others, as they stood", () => {
  assert.equal(edited("zoo=1&lang=en&ant=2", { q: 1 }, ORDER), "lang=en&q=1&zoo=1&ant=2");
  assert.equal(edited("zoo=1&ant=2", { zoo: 3 }, ORDER), "zoo=3&ant=2");
  assert.equal(edited("toString=1&constructor=2", { q: 1 }, ORDER), "q=1&toString=1&constructor=2");
});

test("a name that stands there twice", () => {
  assert.equal(edited("edit=a&edit=b&q=1", { q: 2 }, ORDER), "q=2&edit=a&edit=b");
  assert.equal(edited("q=1&q=2", { q: 3 }, ORDER), "q=3");
});

test("two addresses may say the same in other words", () => {
  assert.ok(alike("q=1&text=a%20b", "text=a+b&q=1"));
  assert.ok(!alike("q=1", "q=2"));
});

test("what the browser's history tells apart", () => {
  const now = "?lang=en&text=a&layer=2";
  assert.equal(makesEntry(now, "lang=en&text=a&layer=5&q=1"), false);
  assert.equal(makesEntry(now, "lang=en&text=b"), true);
  assert.equal(makesEntry(now, "lang=zh&text=a"), true);
  assert.equal(makesEntry(now, "lang=en&text=a&model=minilm"), true);
  assert.equal(makesEntry("?lang=en&text=a&model=minilm", "lang=en&text=a"), true);
  assert.equal(makesEntry("?layer=2", "lang=en&text=a&layer=2"), false); // a visit's first address, completed
});
