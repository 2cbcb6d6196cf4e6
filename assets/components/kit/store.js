// The address, the selection, and who follows it.
//
// The address bar is the only truth: a picture selects, the address is edited in place, whoever follows is told, and
// the server gets the patch, numbered, and again with every report until it acknowledges it. What a browser would
// refuse to write so soon again stands a moment in the bar alone: read it there, not in `location`. On a Streamlit page
// there is one store (page.js); a notebook makes its own: `new Store(bar, params)`, where `bar` is {read(),
// write(search), push(search)}.

const PATIENCE = 2000; // ms: so long one answer is waited for before more is said
const LOST = 1500; // ms: a report to a piece nobody works on for so long went to a piece that is gone
const GIVEN_UP = 4000; // ms: a report nobody works on for so long is lost
const NEVER_COMES = 10_000; // ms: a page that does not come for so long, though the server stands still
const BEFORE_ASKING = 500; // ms: a picture that lacks something for so long, though all is said, asks for itself
const GOING_BACK = 3000; // ms: so long after Back and Forward only the answer to that counts
const TICK = 250;
// parameters that leave a trail alone
const STILL = ["at", "way", "marks", "open", "take", "section", "guess", "task", "slide", "present", "tour"];

/** A search string (without "?") as [name, value] pairs. */
export function parsed(search) {
  return [...new URLSearchParams(search)];
}

/** Pairs as a search string, byte for byte as Python's urllib.parse.urlencode writes it. */
export function written(pairs) {
  return new URLSearchParams(pairs).toString().replaceAll("%7E", "~").replaceAll("*", "%2A");
}

/** `search` with the values of `patch` in it (null takes one out): first the names in `order`, then all others. */
export function edited(search, patch, order) {
  const rest = new Map(Object.entries(patch));
  const pairs = parsed(search).flatMap(([name, value]) => {
    if (!Object.hasOwn(patch, name)) return [[name, value]];
    const changed = rest.get(name) ?? null;
    rest.delete(name);
    return changed === null ? [] : [[name, String(changed)]];
  });
  for (const [name, value] of rest) if (value !== null && value !== undefined) pairs.push([name, String(value)]);
  const place = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return written(pairs.sort((one, other) => place(one[0]) - place(other[0])));
}

/** Whether two search strings say the same, in whatever order. */
export function alike(one, other) {
  return written(parsed(one).sort()) === written(parsed(other).sort());
}

/**
 * What the server says of a parameter: its value where the address has none; whether it is a number; whether a value
 * equal to the default leaves the address. The order of `params` is the address's.
 * @typedef {{default: string | number | null, number?: boolean, usual?: boolean}} Parameter
 *
 * What the server last said; at the end of a whole run also what it came with, and whose parameters these are.
 * @typedef {{session: string, turn: number, ack: number, query: string,
 *   came?: string, page?: string, pages?: string[], params?: Record<string, Parameter>}} Message
 */
export class Store {
  constructor(bar, params = null) {
    this.bar = bar;
    this.params = params; // null: the server has not said yet
    this.page = null;
    this.pages = [];
    this.report = null; // how the server is told, once there is one
    this.near = null; // the same by the piece that most clicks move, which costs the server less
    this.stacks = new Map(); // what pictures lend each other, by the lender's id
    this.borrowers = new Set();
    this.followers = new Set();
    this.pictures = new Set();
    this.drawn = new Set(); // every picture that has drawn itself

    this.session = null;
    this.past = new Set(); // sessions that are over
    this.turn = this.whole = -1; // of the last message taken, and of the last of a whole run
    this.patches = []; // [number, patch], not acknowledged
    this.number = 0; // of the newest patch
    this.told = 0; // the newest patch the server was told of
    this.sent = 0; // when the last report was handed over
    this.underWay = null; // the report that is unanswered: {number, turn, at}
    this.back = null; // the address one went back to, until the server answers it
    this.held = []; // what was said meanwhile
    this.leaving = false; // whether another page was asked for
    this.calm = 0; // for how long the server has stood still
    this.asked = ""; // what was last asked for without a patch
  }

  // ---- the selection

  get order() {
    return Object.keys(this.params ?? {});
  }

  /** The selected value: the address's, else the default the server gave. */
  get(name) {
    const search = this.bar.read();
    if (search !== this.parsed) [this.parsed, this.values] = [search, new Map(parsed(search))]; // once an address
    const parameter = this.params?.[name];
    const found = this.values.get(name);
    if (found === undefined) return parameter?.default ?? null;
    if (!parameter?.number) return found;
    return found.trim() && Number.isFinite(Number(found)) ? Number(found) : (parameter.default ?? null);
  }

  /** Selects {name: value | null}, and lets go of or sets what `also` says; `entry`: Back goes to what stood before. */
  select(patch, also = {}, entry = false) {
    const all = { ...also, ...patch };
    if (this.endsTrail(all)) all.trail = null;
    const changes = Object.fromEntries(
      Object.entries(all).map(([name, value]) => [name, this.isUsual(name, value) ? null : value]),
    );
    const now = this.bar.read();
    const next = edited(now, changes, this.order);
    if (next === edited(now, {}, this.order)) return;
    const last = this.patches.at(-1);
    if (last && last[0] > this.told) Object.assign(last[1], changes);
    else this.patches.push([++this.number, changes]);
    if (entry) this.bar.push(next);
    else this.bar.write(next);
    this.tell(changes);
    this.say();
  }

  /** Whoever selects something else is done with following: a trail began at what was selected. */
  endsTrail(all) {
    return this.get("trail") !== null && Object.keys(all).some((name) => name !== "trail" && !STILL.includes(name));
  }

  isUsual(name, value) {
    const parameter = this.params?.[name];
    return Boolean(parameter?.usual) && String(parameter.default) === String(value);
  }

  /** A server's search string with what it has not acknowledged on top. */
  onTop(search) {
    return edited(search, Object.assign({}, ...this.patches.map(([, patch]) => patch)), this.order);
  }

  // ---- who follows

  /** `listener` is called after every change of the selection, with the patch if it was one of ours. */
  follow(listener) {
    this.followers.add(listener);
    return () => this.followers.delete(listener);
  }

  /** A picture that may lack numbers: {fragment, lacks()}; the fragment named is the one to be drawn anew. */
  join(picture) {
    this.pictures.add(picture);
    return () => this.pictures.delete(picture);
  }

  /** What others may read of a picture: `stack.owner` is who takes it back. */
  lend(id, stack) {
    this.stacks.set(id, stack);
    for (const listener of [...this.borrowers]) listener();
  }

  /** `listener` is called when a picture lends something. */
  borrow(listener) {
    this.borrowers.add(listener);
    return () => this.borrowers.delete(listener);
  }

  takeBack(owner) {
    for (const [id, stack] of this.stacks) if (stack.owner === owner) this.stacks.delete(id);
  }

  tell(patch) {
    for (const listener of [...this.followers]) listener(patch);
    this.tend();
  }

  get lacks() {
    return [...new Set([...this.pictures].filter((picture) => picture.lacks()).map(({ fragment }) => fragment))];
  }

  /** The server has spoken, nothing is unsent, unwritten or unanswered, and no picture lacks anything. */
  get idle() {
    const spoken = this.session !== null && this.params !== null && !this.bar.unwritten;
    return spoken && this.back === null && !this.patches.length && !this.underWay && !this.lacks.length;
  }

  // ---- what the server is told

  get unsent() {
    return !this.leaving && this.patches.some(([number]) => number > this.told);
  }

  /** Says what is new, one report at a time. */
  say() {
    if (this.report && this.unsent && !this.underWay) this.send();
    this.tend();
  }

  /** Says what is new, whatever is under way: something else is about to be said, and must not overtake it. */
  flush() {
    if (this.report && this.unsent) this.send();
  }

  /** Another page was asked for: what is said of this one from here on would be taken for a wish to stay. */
  leave() {
    Object.assign(this, { leaving: true, calm: 0 });
    this.tend();
  }

  stay() {
    this.leaving = false;
    this.say();
  }

  send() {
    this.told = this.number;
    this.calm = 0;
    this.sent = Date.now();
    const { lacks } = this;
    const near = lacks.length ? null : this.near;
    this.underWay = { number: this.patches.at(-1)?.[0] ?? 0, turn: this.turn, at: Date.now(), near };
    (near ?? this.report)({ session: this.session, page: this.page, patches: [...this.patches], lacks });
    this.tend();
  }

  /** Looks after what is unanswered or lacking, for as long as there is such a thing. */
  tend() {
    clearTimeout(this.timer);
    if (this.report && (this.leaving || this.underWay || this.lacksUnasked()))
      this.timer = setTimeout(() => this.tick(), TICK);
  }

  lacksUnasked() {
    const { lacks } = this;
    return lacks.length > 0 && this.asked !== `${lacks} ${this.bar.read()}`;
  }

  tick() {
    this.calm = this.bar.still?.() ? this.calm + TICK : 0;
    if (this.leaving) {
      if (this.calm >= NEVER_COMES) this.stay();
    } else if (this.underWay) {
      const gone = this.underWay.near && this.calm >= LOST;
      if (gone) this.near = null;
      if (gone || (this.unsent && Date.now() - this.underWay.at >= PATIENCE)) this.send();
      else if (this.calm >= GIVEN_UP) this.giveUp();
    } else if (this.lacksUnasked() && this.calm >= BEFORE_ASKING) {
      this.asked = `${this.lacks} ${this.bar.read()}`;
      this.send();
    }
    this.tend();
  }

  giveUp() {
    this.calm = 0;
    this.bar.reload?.();
  }

  // ---- what the server says

  /** @param {Message} message */
  adopt(message) {
    if (this.past.has(message.session)) return;
    const whole = message.page !== undefined;
    if (this.back !== null && !(whole && alike(message.came ?? "", this.back))) return void this.held.push(message);
    const fresh = message.session !== this.session;
    const newest = fresh || message.turn > this.turn || (whole && message.turn === this.turn && this.whole < this.turn);
    const newestWhole = whole && (fresh || message.turn > this.whole);
    if (!newest && !newestWhole) return;
    const { page, pages } = whole ? message : this;
    // While the browser still stands on the page before this one, its address is not ours to write.
    if (page !== null && this.bar.stands?.(page, pages) === false)
      return void setTimeout(() => this.adopt(message), 100);
    this.endBack();
    if (fresh) this.beginSession(message.session);
    if (newestWhole) this.takePage(message);
    const before = this.bar.read();
    if (newest && message.params) this.params = message.params;
    if (newest) this.takeAnswer(message, fresh);
    if (newestWhole || message.params || this.bar.read() !== before) this.tell();
    this.say();
  }

  beginSession(session) {
    if (this.session !== null) this.past.add(this.session);
    Object.assign(this, { session, turn: -1, whole: -1, told: 0, underWay: null, leaving: false });
  }

  takePage({ turn, page, pages, params }) {
    if (this.page !== null && this.page !== page) Object.assign(this, { patches: [], leaving: false }); // the other's
    Object.assign(this, { whole: turn, page, pages, params });
  }

  takeAnswer({ turn, ack, query }, fresh) {
    if (!fresh) this.patches = this.patches.filter(([number]) => number > ack);
    const { underWay } = this;
    if (underWay && turn > underWay.turn && (ack >= underWay.number || !this.patches.length)) this.underWay = null;
    [this.turn, this.calm] = [turn, 0];
    this.bar.write(this.onTop(query));
  }

  // ---- Back and Forward

  /** The browser shows another address of its history: what is unacknowledged was not meant for it. */
  wentBack() {
    this.endBack();
    Object.assign(this, { patches: [], underWay: null, leaving: false, back: this.bar.read() });
    this.waiting = setTimeout(() => this.giveUpBack(), GOING_BACK);
    this.tell();
  }

  endBack() {
    clearTimeout(this.waiting);
    Object.assign(this, { back: null, held: [] });
  }

  giveUpBack() {
    const { held } = this;
    this.endBack();
    for (const message of held) this.adopt(message);
  }
}
