// The store: what is selected, what the server is told, and what is taken of its answers.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { PageBar, pushLess } from "../../assets/components/kit/page.js";
import { Store } from "../../assets/components/kit/store.js";

const PARAMS = {
  lang: { default: null },
  text: { default: null },
  layer: { default: 3, number: true },
  show: { default: "weights", usual: true },
  q: { default: 4, number: true },
  k: { default: null, number: true },
  step: { default: null, number: true },
  trail: { default: null },
};

class Bar {
  search = "lang=en&text=cat";
  calm = true;
  reloads = 0;
  place = "attention";

  read() {
    return this.search;
  }
  write(search) {
    this.search = search;
  }
  push(search) {
    this.entries = (this.entries ?? 0) + 1;
    this.search = search;
  }
  stands(page) {
    return this.place === page;
  }
  still() {
    return this.calm;
  }
  reload() {
    this.reloads += 1;
  }
}

let bar, store, reports, turn;

// The server's answers: `say` at the end of a fragment, `whole` at the end of a whole run.
const say = (query, ack, more = {}) => store.adopt({ session: "one", turn: ++turn, ack, query, ...more });
const whole = (query, ack, more = {}) =>
  say(query, ack, { came: query, page: "attention", pages: ["attention", "tokens"], params: PARAMS, ...more });

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  [bar, reports, turn] = [new Bar(), [], 0];
  store = new Store(bar);
  store.report = (report) => reports.push(structuredClone(report));
  whole(bar.search, 0);
});

// In small steps: a timer that a timer sets is run in the next one.
function pass(ms) {
  for (let at = 0; at < ms; at += 50) mock.timers.tick(50);
}

const patches = () => reports.map((report) => report.patches);

// ---- a page that is left

test("what is not said yet when another page is asked for stays unsaid, and the next page begins anew", () => {
  store.select({ q: 1 });
  store.select({ q: 2 });
  store.leave();
  say("lang=en&text=cat&q=1", 1);
  store.select({ q: 3 });
  whole("lang=en&text=cat&q=1", 1); // a run of this page that was under way
  pass(5_000);
  assert.deepEqual([reports.length, bar.reloads, bar.search], [1, 0, "lang=en&text=cat&q=3"]);
  bar.place = "tokens";
  whole("lang=en", 1, { page: "tokens" });
  assert.equal(store.idle, true);
  store.select({ q: 4 });
  assert.equal(reports.at(-1).page, "tokens");
});

test("a page that never comes is not waited for", () => {
  store.leave();
  store.select({ q: 1 });
  bar.calm = false;
  pass(20_000);
  bar.calm = true;
  pass(5_000);
  assert.equal(reports.length, 0);
  pass(10_000);
  assert.deepEqual(patches(), [[[1, { q: 1 }]]]);
});

// ---- the selection

test("the selected value is the address's, else the default", () => {
  bar.search = "lang=en&q=7&show=scores";
  assert.equal(store.get("q"), 7);
  assert.equal(store.get("layer"), 3);
  assert.equal(store.get("show"), "scores");
  assert.equal(store.get("k"), null);
  assert.equal(store.get("nothing"), null);
});

test("what is no number where one is meant counts as not there", () => {
  for (const q of ["abc", "", "%00", "1e999"]) {
    bar.search = `q=${q}`;
    assert.equal(store.get("q"), 4, q);
  }
});

test("before the server has spoken the address alone is known", () => {
  const young = new Store(bar);
  bar.search = "q=7";
  assert.equal(young.get("q"), "7");
  assert.equal(young.get("layer"), null);
  assert.equal(young.idle, false);
  young.adopt({ session: "one", turn: 1, ack: 0, query: "q=7" }); // a fragment's word comes before the page's
  assert.equal(young.idle, false);
});

test("selecting edits the address in place and tells who follows", () => {
  const heard = [];
  const stop = store.follow((patch) => heard.push([patch, store.get("q")]));
  store.select({ q: 1 }, { step: null });
  assert.equal(bar.search, "lang=en&text=cat&q=1");
  assert.deepEqual(heard, [[{ step: null, q: 1 }, 1]]);
  stop();
  store.select({ q: 2 });
  assert.equal(heard.length, 1);
});

test("a switch moved back to its usual value leaves the address", () => {
  store.select({ show: "scores" });
  assert.equal(bar.search, "lang=en&text=cat&show=scores");
  store.select({ show: "weights", layer: 3 });
  assert.equal(bar.search, "lang=en&text=cat&layer=3"); // layer is no switch: it stays written
  assert.deepEqual(store.patches.at(-1)[1], { show: null, layer: 3 });
});

test("a trail is an entry of its own, and ends when something else is selected", () => {
  store.select({ trail: "a~b" }, {}, true);
  assert.equal(bar.entries, 1);
  store.select({ section: "x" });
  assert.equal(store.get("trail"), "a~b");
  store.select({ q: 2 });
  assert.deepEqual([store.get("trail"), store.get("q"), bar.entries], [null, 2, 1]);
});

test("selecting what is selected says nothing", () => {
  store.select({ q: 1 });
  say("lang=en&text=cat&q=1", 1);
  store.select({ q: 1 });
  store.select({ show: "weights" });
  assert.equal(reports.length, 1);
  assert.ok(store.idle);
});

test("several stores do not know of each other", () => {
  const other = new Store(new Bar(), {});
  other.select({ q: 9 });
  assert.equal(bar.search, "lang=en&text=cat");
  assert.equal(other.get("q"), "9");
});

// ---- what the server is told

test("a first press is told at once, numbered from one", () => {
  store.select({ q: 1 });
  assert.deepEqual(reports, [{ session: "one", page: "attention", patches: [[1, { q: 1 }]], lacks: [] }]);
  assert.equal(store.idle, false);
  say("lang=en&text=cat&q=1", 1);
  assert.ok(store.idle);
});

test("what is selected while an answer is out goes together, when it is there", () => {
  store.select({ q: 1 });
  store.select({ q: 2 });
  store.select({ k: 5, q: 3 });
  assert.equal(reports.length, 1);
  assert.equal(bar.search, "lang=en&text=cat&q=3&k=5");
  say("lang=en&text=cat&q=1", 1);
  assert.equal(bar.search, "lang=en&text=cat&q=3&k=5"); // ours on top of the server's
  assert.deepEqual(patches(), [[[1, { q: 1 }]], [[2, { q: 3, k: 5 }]]]);
  say("lang=en&text=cat&q=3&k=5", 2);
  assert.ok(store.idle);
});

test("after two seconds more is said although the answer is out, with all that is unacknowledged", () => {
  bar.calm = false;
  store.select({ q: 1 });
  store.select({ q: 2 });
  pass(1900);
  assert.equal(reports.length, 1);
  pass(400);
  assert.deepEqual(patches().at(-1), [
    [1, { q: 1 }],
    [2, { q: 2 }],
  ]);
  store.select({ q: 3 });
  assert.deepEqual(store.patches.at(-1), [3, { q: 3 }]); // what was said is not changed any more
  say("lang=en&text=cat&q=2", 2);
  assert.deepEqual(patches().at(-1), [[3, { q: 3 }]]);
});

test("an answer to something else is no answer", () => {
  store.select({ q: 1 });
  say("lang=en&text=cat", 0); // a native widget's
  assert.equal(bar.search, "lang=en&text=cat&q=1");
  store.select({ q: 2 });
  assert.equal(reports.length, 1);
  say("lang=en&text=cat&q=1", 1);
  assert.equal(reports.length, 2);
});

test("flushing says what waits, even while an answer is out", () => {
  store.select({ q: 1 });
  store.flush();
  assert.equal(reports.length, 1); // nothing waits
  store.select({ q: 2 });
  store.flush();
  assert.deepEqual(patches().at(-1), [
    [1, { q: 1 }],
    [2, { q: 2 }],
  ]);
});

test("before there is anyone to tell, what is selected waits", () => {
  store.report = null;
  store.select({ q: 1 });
  store.report = (report) => reports.push(report);
  say("lang=en&text=cat", 0);
  assert.deepEqual(patches(), [[[1, { q: 1 }]]]);
});

test("what a listener selects goes out with what it heard of", () => {
  store.follow((patch) => patch?.q !== undefined && store.select({ step: null, k: patch.q }));
  store.select({ q: 1 });
  assert.deepEqual(patches(), [[[1, { q: 1, step: null, k: 1 }]]]);
});

// ---- what the server says

test("a refused patch is gone from the address", () => {
  store.select({ q: 99 });
  assert.equal(store.get("q"), 99);
  say("lang=en&text=cat", 1);
  assert.equal(bar.search, "lang=en&text=cat");
  assert.equal(store.get("q"), 4);
  assert.ok(store.idle);
});

test("an older message changes nothing", () => {
  say("lang=en&text=cat&q=5", 0);
  store.adopt({ session: "one", turn: turn - 1, ack: 0, query: "lang=en&text=cat&q=6" });
  store.adopt({ session: "one", turn, ack: 0, query: "lang=en&text=cat&q=7" });
  assert.equal(bar.search, "lang=en&text=cat&q=5");
});

test("the end of a whole run counts more than a fragment of it, in whatever order they come", () => {
  const params = { ...PARAMS, q: { default: 8, number: true } };
  say("lang=en&text=cat&q=5", 0);
  turn -= 1;
  whole("lang=en&text=cat", 0, { params });
  assert.deepEqual([bar.search, store.get("q")], ["lang=en&text=cat", 8]);
  store.adopt({ session: "one", turn, ack: 0, query: "lang=en&text=cat&q=5" }); // its echo, mounted late
  assert.equal(bar.search, "lang=en&text=cat");
});

test("a whole run that comes after a later fragment still says what is usual", () => {
  const params = { ...PARAMS, q: { default: 8, number: true } };
  turn = 10;
  say("lang=en&text=cat&layer=6", 0);
  turn = 8;
  whole("lang=en&text=cat&layer=5", 0, { params });
  assert.deepEqual([store.get("layer"), store.get("q")], [6, 8]);
});

test("followers hear of another address, and not of the same again", () => {
  let heard = 0;
  store.follow(() => (heard += 1));
  say("lang=en&text=cat&q=5", 0);
  say("lang=en&text=cat&q=5", 0);
  assert.equal(heard, 1);
  whole("lang=en&text=cat&q=5", 0); // other defaults, perhaps
  assert.equal(heard, 2);
});

test("a new session is told again what the old one did not acknowledge, and counts its turns anew", () => {
  turn = 40;
  say("lang=en&text=cat&layer=5", 0);
  store.select({ q: 1 });
  store.adopt({ session: "two", turn: 1, ack: 7, query: "lang=en&text=cat&layer=5" });
  assert.equal(bar.search, "lang=en&text=cat&layer=5&q=1");
  assert.deepEqual(reports.at(-1), { session: "two", page: "attention", patches: [[1, { q: 1 }]], lacks: [] });
  store.adopt({ session: "one", turn: 99, ack: 1, query: "lang=en&text=cat" }); // the old one's last words
  assert.equal(bar.search, "lang=en&text=cat&layer=5&q=1");
  store.adopt({ session: "two", turn: 2, ack: 1, query: "lang=en&text=cat&layer=5&q=1" });
  assert.ok(store.idle);
});

test("the address is not written while the browser stands on the page before", () => {
  store.select({ q: 1 });
  bar.place = "attention";
  whole("lang=en", 0, { page: "tokens", params: { lang: { default: null }, word: { default: 0, number: true } } });
  assert.deepEqual([store.page, bar.search], ["attention", "lang=en&text=cat&q=1"]);
  bar.place = "tokens";
  pass(100);
  assert.deepEqual([store.page, bar.search, store.get("word")], ["tokens", "lang=en", 0]); // q was the other page's
  assert.ok(store.idle);
});

// ---- pictures that lack numbers

const picture = (lacks, fragment = "picture") => ({ fragment, lacks });

test("a report names the fragments of pictures that lack what is selected, each once", () => {
  const another = () => store.get("layer") !== 3;
  store.join(picture(another));
  store.join(picture(another));
  const leave = store.join(picture(another, "section"));
  store.join(picture(() => false, "derivation"));
  store.select({ q: 1 });
  say("lang=en&text=cat&q=1", 1);
  store.select({ layer: 5 });
  assert.deepEqual(
    reports.map(({ lacks }) => lacks),
    [[], ["picture", "section"]],
  );
  leave();
  say("lang=en&text=cat&layer=5&q=1", 2);
  assert.equal(store.idle, false); // the answer is there, its numbers are not
});

test("a picture that still lacks when all is said and the server stands still asks for itself, once", () => {
  let has = 3;
  store.join(picture(() => store.get("layer") !== has));
  store.select({ layer: 5 });
  store.select({ layer: 3 });
  say("lang=en&text=cat&layer=5", 1);
  say("lang=en&text=cat&layer=3", 2);
  has = 5; // the first answer's numbers come last
  store.tend();
  bar.calm = false;
  pass(3000);
  assert.equal(reports.length, 2);
  bar.calm = true;
  pass(1000);
  assert.deepEqual(reports.at(-1), { session: "one", page: "attention", patches: [], lacks: ["picture"] });
  say("lang=en&text=cat&layer=3", 2);
  pass(10_000);
  assert.equal(reports.length, 3);
  has = 3;
  assert.ok(store.idle);
});

test("what a picture lends is there for others until it goes", () => {
  let heard = 0;
  store.borrow(() => (heard += 1));
  const [one, two] = [{}, {}];
  store.lend("matrix", { owner: one });
  store.lend("pairs", { owner: two });
  assert.equal(heard, 2);
  store.takeBack(one);
  assert.deepEqual([...store.stacks.keys()], ["pairs"]);
});

// ---- the piece that most clicks move

test("a click is told by the piece it moves, and to the whole page where a picture lacks something", () => {
  const near = [];
  store.near = (report) => near.push(report.patches);
  store.select({ q: 1 });
  assert.deepEqual([near.length, reports.length], [1, 0]);
  say("lang=en&text=cat&q=1", 1);
  store.join(picture(() => store.get("layer") !== 3));
  store.select({ layer: 5 });
  assert.deepEqual([near.length, reports.length], [1, 1]);
});

test("where the piece is gone, the whole page is told the same", () => {
  store.near = () => {};
  store.select({ q: 1 });
  pass(1600);
  assert.deepEqual(patches(), [[[1, { q: 1 }]]]);
  assert.equal(bar.reloads, 0);
});

// ---- a report that is lost

test("a report nobody answers or works on reloads the page", () => {
  store.select({ q: 1 });
  pass(3500);
  assert.equal(bar.reloads, 0);
  pass(1000);
  assert.equal(bar.reloads, 1);
});

test("while the server works, or cannot be reached, nobody reloads", () => {
  bar.calm = false;
  store.select({ q: 1 });
  pass(60_000);
  assert.equal(bar.reloads, 0);
  say("lang=en&text=cat&q=1", 1);
  bar.calm = true;
  pass(60_000);
  assert.equal(bar.reloads, 0);
});

// ---- Back and Forward

test("going back drops what is unacknowledged and waits for the answer to that", () => {
  let heard = 0;
  store.follow(() => (heard += 1));
  store.select({ q: 1 });
  bar.search = "lang=en&text=dog&k=2";
  store.wentBack();
  assert.equal(heard, 2);
  assert.equal(store.get("k"), 2);
  say("lang=en&text=cat&q=1", 1); // what was asked before
  whole("lang=en&text=cat&q=1", 1);
  assert.equal(bar.search, "lang=en&text=dog&k=2");
  assert.equal(store.idle, false);
  whole("lang=en&text=dog&k=2", 1, { came: "k=2&text=dog&lang=en" });
  assert.ok(store.idle);
  say("lang=en&text=dog&k=3", 1);
  assert.equal(bar.search, "lang=en&text=dog&k=3");
});

test("an answer that never comes is waited for three seconds", () => {
  bar.search = "lang=en&text=dog";
  store.wentBack();
  say("lang=en&text=fox&q=1", 0);
  pass(2900);
  assert.equal(bar.search, "lang=en&text=dog");
  pass(200);
  assert.equal(bar.search, "lang=en&text=fox&q=1");
  assert.ok(store.idle);
});

test("what is selected after going back is kept on top of the answer", () => {
  bar.search = "lang=en&text=dog";
  store.wentBack();
  store.select({ q: 2 });
  assert.equal(bar.search, "lang=en&text=dog&q=2");
  whole("lang=en&text=dog", 0);
  assert.equal(bar.search, "lang=en&text=dog&q=2");
});

// ---- the browser's address bar

/** A browser that stands at an address; what is done to its history, and how often it allows that. */
function browser(pathname, search, most = Infinity) {
  const done = [];
  globalThis.location = {};
  const go = (path) => {
    const { pathname, search, hash, href, origin } = new URL(path, location.href ?? "http://x");
    Object.assign(globalThis.location, { pathname, search, hash, href, origin });
  };
  go(`${pathname}?${search}`);
  const act = (how) => (state, title, url) => {
    if (done.length >= most) throw new Error("SecurityError");
    done.push([how, url]);
    go(url);
  };
  globalThis.History = function () {};
  Object.assign(History.prototype, { state: null, pushState: act("push"), replaceState: act("replace") });
  globalThis.history = new History();
  return done;
}

test("a key that is held writes the address eight times a second; who reads it sees the last at once", () => {
  const done = browser("/attention", "lang=en&text=cat");
  store.bar = new PageBar();
  for (let q = 0; q < 300; q++) {
    store.select({ q });
    assert.equal(store.bar.read(), `lang=en&text=cat&q=${q}`);
    assert.equal(store.get("q"), q);
    mock.timers.tick(33);
  }
  assert.ok(done.length > 50 && done.length <= 84, done.length);
  mock.timers.tick(120);
  assert.equal(location.search, "?lang=en&text=cat&q=299");
  say("lang=en&text=cat&q=299", store.number);
  assert.ok(store.idle);
  store.bar.write("q=1");
  store.bar.write("q=2");
  assert.ok(!store.idle);
});

test("what the browser refuses to write is kept, and written later", () => {
  const done = browser("/attention", "lang=en&text=cat", 1);
  const bar = new PageBar();
  bar.write("q=1");
  mock.timers.tick(120);
  bar.write("q=2");
  assert.equal(location.search, "?q=1");
  assert.equal(bar.read(), "q=2");
  done.length = 0;
  mock.timers.tick(1000);
  assert.equal(location.search, "?q=2");
});

test("what is pending is written before an entry is made and when somebody else reads, and is not taken along Back", () => {
  const done = browser("/attention", "");
  const bar = new PageBar();
  bar.write("q=1");
  bar.write("q=2");
  bar.push("q=2&trail=a");
  assert.deepEqual(
    done.map(([how, url]) => how + url),
    ["replace/attention?q=1", "replace/attention?q=2", "push/attention?q=2&trail=a"],
  );
  bar.write("q=3");
  bar.settle();
  assert.equal(location.search, "?q=3");
  bar.write("q=4");
  bar.forget();
  mock.timers.tick(1000);
  assert.equal(location.search, "?q=3");
  assert.equal(bar.read(), "q=3");
});

// ---- Streamlit's own hand on the address

test("Streamlit's pushes replace, unless sentence, another text of a lab, model, language or page change, and keep what is ours", () => {
  const done = browser("/attention", "lang=en&text=cat");
  [store.bar, done.length] = [new PageBar(), 0];
  pushLess(store);
  store.select({ q: 1 });
  mock.timers.tick(120);
  history.pushState({}, "", "/attention?lang=en&text=cat&layer=5");
  history.pushState({}, "", "/attention?lang=en&text=dog");
  history.pushState({}, "", "?lang=en&text=cat&sample=x");
  history.pushState({}, "", "?lang=zh&text=cat");
  say("lang=en&text=cat&q=1", 1);
  mock.timers.tick(120);
  history.pushState({}, "", "/attention?lang=en&text=cat&q=2");
  mock.timers.tick(120);
  store.bar.write("lang=en&text=cat&q=3");
  store.bar.write("lang=en&text=cat&q=4"); // Back must find it, when the page has turned
  history.pushState({}, "", "/tokens?lang=en&text=cat");
  assert.deepEqual(done, [
    ["replace", "/attention?lang=en&text=cat&q=1"],
    ["replace", "/attention?lang=en&text=cat&layer=5&q=1"],
    ["push", "/attention?lang=en&text=dog&q=1"],
    ["push", "/attention?lang=en&text=cat&q=1&sample=x"],
    ["push", "/attention?lang=zh&text=cat&q=1"],
    ["replace", "/attention?lang=en&text=cat&q=1"],
    ["replace", "/attention?lang=en&text=cat&q=2"],
    ["replace", "/attention?lang=en&text=cat&q=4"],
    ["push", "/tokens?lang=en&text=cat"],
  ]);
});
