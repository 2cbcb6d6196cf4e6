// The camera: what it shows stays inside the world, what lies under a finger stays there, flights end where they should.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Camera, placeRead, placeWritten } from "../../assets/components/kit/camera.js";

const LENS = {
  columns: 28,
  rows: 9,
  left: 92,
  top: 26,
  wide: 900,
  high: 340,
  base: 37,
  tallest: 64,
  near: 7,
  nearest: 4000,
};

function camera(place, lens = LENS) {
  const made = new Camera(place);
  made.through(lens);
  return made;
}

const close = (found, wanted, off = 1e-9) => assert.ok(Math.abs(found - wanted) <= off, `${found} is not ${wanted}`);

test("the whole fills the screen, and rows grow as one comes nearer", () => {
  const whole = camera();
  assert.equal(whole.sx(0), 92);
  close(whole.sx(28), 992);
  assert.equal(whole.tall, 37);
  close(camera({ x: 0, y: 0, k: 7 }).tall, 64);
  close(camera({ x: 0, y: 0, k: 700 }).tall, 64);
});

test("nothing beside the world is shown", () => {
  for (const place of [
    { x: -5, y: -5, k: 0.1 },
    { x: 99, y: 99, k: 3 },
    { x: 27, y: 8, k: 1e9 },
  ]) {
    const made = camera(place);
    assert.ok(made.k >= 1 && made.k <= LENS.nearest);
    assert.ok(made.sx(0) <= 92 + 1e-9 && made.sx(28) >= 992 - 1e-6);
    assert.ok(made.sy(0) <= 26 && made.sy(9) >= Math.min(26 + 340, 26 + 9 * made.tall) - 1e-6);
  }
});

test("what lies under a place stays there when one comes nearer", () => {
  const made = camera({ x: 8, y: 1, k: 4 });
  const before = made.under(500, 200);
  made.to(made.zoomed(1.5, 500, 200));
  const after = made.under(500, 200);
  close(after[0], before[0], 1e-6);
  close(after[1], before[1], 1e-6);
});

test("a place lies in the middle", () => {
  const made = camera();
  made.to(made.around(14, 4, 10));
  close(made.sx(14), 92 + 450, 1e-6);
});

test("a flight ends where it should, and on its way both edges move one way", () => {
  const made = camera();
  made.fly({ x: 12, y: 2, k: 9 }, 1000);
  let before = -1;
  for (let now = 1000; now < 1520; now += 40) {
    assert.ok(made.flying(now));
    assert.ok(made.x >= before);
    before = made.x;
  }
  assert.equal(made.flying(1520), false);
  assert.deepEqual(made.place, made.held({ x: 12, y: 2, k: 9 }));
  assert.equal(made.flying(2000), false);
});

test("a picture is moved to where it belongs, while it covers enough", () => {
  const made = camera({ x: 4, y: 0, k: 3 });
  const painted = { ...made.place, tall: made.tall };
  const place = made.sx(6);
  made.to({ x: 4.5, y: 0, k: 3 });
  const { x, wider } = made.shift(painted);
  close(place * wider + x, made.sx(6), 1e-6);
  made.to({ x: 4.5, y: 0, k: 4.2 });
  const nearer = made.shift(painted);
  close(place * nearer.wider + nearer.x, made.sx(6), 1e-6);
  made.to({ x: 15, y: 0, k: 3 });
  assert.equal(made.shift(painted), null);
  made.to({ x: 4, y: 0, k: 30 });
  assert.equal(made.shift(painted), null);
});

test("the address holds a place", () => {
  assert.equal(placeWritten({ x: 0, y: 0, k: 1 }), null);
  assert.equal(placeWritten({ x: 1 / 3, y: 0, k: 2 }), "0.3333333,0,2");
  assert.deepEqual(placeRead("3.5,1,8"), { x: 3.5, y: 1, k: 8 });
  for (const odd of [null, "", "1,2", "a,b,c", 3]) assert.deepEqual(placeRead(odd).k, 1);
  const home = { x: 0, y: 0, k: 2.3 };
  assert.equal(placeWritten(home, home), null);
  assert.equal(placeWritten({ x: 0, y: 0, k: 1 }, home), "0,0,1");
  assert.deepEqual(placeRead(null, home), home);
  assert.deepEqual(placeRead("0,0,1", home), { x: 0, y: 0, k: 1 });
});
