// Terms found in a text, and what a link takes along.

import assert from "node:assert/strict";
import { test } from "node:test";

import { carried, termsIn } from "../../assets/components/kit/terms.js";

const WORDS = {
  pattern: "(?<!\\w)arrow keys?(?!\\w)|(?<!\\w)layer norms?(?!\\w)|(?<!\\w)keys?(?!\\w)|词元化器|词元",
  forms: { "arrow key": "", "layer norm": "norm", key: "key", 词元化器: "tokenizer", 词元: "token" },
};

test("the longest form wins, whatever its case; a plural is the word; what only looks like one is none", () => {
  assert.deepEqual(termsIn("Arrow keys and Keys: layer norms, monkeys", WORDS), [
    [15, 19, "key"],
    [21, 32, "norm"],
  ]);
  assert.deepEqual(termsIn("词元化器切出词元", WORDS), [
    [0, 4, "tokenizer"],
    [6, 8, "token"],
  ]);
});

test("a term is found once, also across texts", () => {
  const known = new Set();
  assert.equal(termsIn("key and key", WORDS, known).length, 1);
  assert.deepEqual(termsIn("a key again, a layer norm", WORDS, known), [[15, 25, "norm"]]);
});

test("a link takes the sentence along, and an answer's end, never a selection; its own comes first", () => {
  const here = "?lang=zh&text=a+b&model=minilm&guess=skip&q=3";
  assert.equal(carried(here, "term=key"), "term=key&lang=zh&text=a+b&model=minilm&guess=skip");
  assert.equal(carried(here, "?lang=en&text=own"), "lang=en&text=own&guess=skip");
  assert.equal(carried("?guess=open&lang=en", "section=masks"), "section=masks&lang=en");
});
