// Every head in small, as tiles: in the order of the layers, or sorted by what they do, so that heads that do something
// show themselves. A tile that is pressed is looked at; with Shift, or by its +, it is laid over the others.

import { helped, make, pixels, scale, veil } from "../kit/draw.js";
import { short } from "../kit/format.js";
import { clamp, entry, Picture, pressed, unpack } from "../kit/picture.js";
import { component } from "../kit/streamlit.js";

/**
 * A head, counted from 1, and what it is known for.
 * @typedef {{layer: number, head: number, known: string}} Tile
 *
 * Behind the header, of each tile `rows` × `columns` bytes: 0 to 254 between its low and high in `ranges`, 255 where
 * it is veiled. `measures` has a value of each tile, `chance` what evenly spread weights would give, `heads` how many
 * a layer has, `does` what a name that a head is known by says. Each tile has a scale of its own.
 * @typedef {{tiles: Tile[], rows: number, columns: number, ranges: [number, number][],
 *   measures: Record<string, number[]>, chance: Record<string, number>, heads: number,
 *   does: Record<string, string>, words: Record<string, string>}} Header
 */
class Grid extends Picture {
  static className = "grid";
  static speaks = true;

  build() {
    this.bar = this.root.appendChild(make("div", "bar"));
    this.field = this.root.appendChild(make("div", "field"));
    this.foot = this.root.appendChild(make("p", "foot"));
  }

  take(bytes) {
    [this.header, this.body] = unpack(bytes);
    const { tiles, words } = this.header;
    this.tiles = tiles.map((tile, i) => this.tile(tile, i));
    this.named(this.field, "group", words.label);
    this.painted = false;
    this.laid = "";
  }

  tile({ layer, head, known }, i) {
    const { words, does } = this.header;
    const name = `${layer}.${head}`;
    const box = make("div", "tile");
    const open = make("button", "open");
    open.append(make("canvas"), make("span", "name", name), make("span", "value"));
    open.dataset.at = `tile-${name}`;
    open.onclick = (event) => (event.shiftKey ? this.lay(i) : this.look(i));
    open.onkeydown = (event) => this.move(event, i);
    const said = [words.head.replace("{layer}", layer).replace("{head}", head), known, entry(does, known)];
    open.title = said.filter(Boolean).join(" · ");
    if (known) box.classList.add("known");
    const plus = make("button", "plus", "+");
    plus.title = words.over;
    plus.setAttribute("aria-label", `${words.over}: ${name}`);
    plus.tabIndex = -1;
    plus.onclick = () => this.lay(i);
    box.append(open, plus);
    return box;
  }

  get sort() {
    const sort = this.get("sort");
    return entry(this.header.measures, sort) ? sort : "layer";
  }

  /** The tiles to be shown, in their order. */
  get order() {
    const { tiles, measures } = this.header;
    const whole = this.get("grid") !== "layer";
    const order = [...tiles.keys()].filter((i) => whole || tiles[i].layer === this.get("layer"));
    if (this.sort === "layer") return order;
    const values = measures[this.sort];
    const sign = this.sort === "entropy" ? 1 : -1;
    return order.sort((a, b) => sign * (values[a] - values[b]) || a - b);
  }

  // The heads that are laid over the first, as the lines read them.
  get over() {
    const also = String(this.get("also") ?? "");
    return also === "layer" || also === "alone" || !also ? [] : also.split("-");
  }

  look(i) {
    const { layer, head } = this.header.tiles[i];
    this.select({ layer, head, also: this.get("also") === "layer" ? "layer" : "alone" });
  }

  lay(i) {
    const { layer, head } = this.header.tiles[i];
    const name = `${layer}.${head}`;
    const first = `${this.get("layer")}.${this.get("head")}`;
    const over = this.over.filter((other) => other !== first);
    const now = over.includes(name) ? over.filter((other) => other !== name) : [...over, name];
    const names = [first, ...now.filter((other) => other !== first)].slice(0, 12);
    this.select({ also: names.length > 1 ? names.join("-") : "alone" });
  }

  move(event, i) {
    const order = this.order;
    const wide = this.columns;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -wide, ArrowDown: wide, Home: -999, End: 999 };
    const step = pressed(event, steps);
    if (step) {
      const next = order[clamp(order.indexOf(i) + step, 0, order.length - 1)];
      this.tiles[next].firstChild.focus();
      const { layer, head, known } = this.header.tiles[next];
      this.heard.textContent = [`${layer}.${head}`, known, this.valueOf(next)].filter(Boolean).join(" ");
    }
    if (["+", "p"].includes(event.key)) this.lay(i);
  }

  get columns() {
    return (
      getComputedStyle(this.field)
        .gridTemplateColumns.split(" ")
        .filter((part) => part !== "[]").length || 12
    );
  }

  valueOf(i) {
    const values = this.header.measures[this.sort];
    return values ? short(values[i]) : "";
  }

  draw() {
    this.drawBar();
    const order = this.order;
    const first = `${this.get("layer")}.${this.get("head")}`;
    const over = this.get("also") === "layer" ? null : this.over;
    const { tiles, measures, chance, words } = this.header;
    const values = measures[this.sort];
    this.keepingFocus(() => {
      const laid = order.join(" ");
      if (laid !== this.laid) this.field.replaceChildren(...order.map((i) => this.tiles[i]));
      this.laid = laid;
    });
    order.forEach((i) => {
      const tile = this.tiles[i];
      const { layer, head, known } = tiles[i];
      const name = `${layer}.${head}`;
      const on = name === first;
      tile.classList.toggle("on", on);
      tile.classList.toggle("over", over ? over.includes(name) && !on : layer === Number(this.get("layer")) && !on);
      tile.firstChild.setAttribute("aria-pressed", String(on));
      tile.firstChild.tabIndex =
        on || (!order.some((j) => `${tiles[j].layer}.${tiles[j].head}` === first) && i === order[0]) ? 0 : -1;
      const value = tile.querySelector(".value");
      value.textContent = values ? round(values[i]) : known;
      value.classList.toggle("measured", Boolean(values));
      value.title = values ? short(values[i]) : tile.firstChild.title;
    });
    if (!this.painted) this.paint();
    this.painted = true;
    const said = values
      ? `${words[`said_${this.sort}`]} ${words.chance.replace("{chance}", short(chance[this.sort]))}`
      : words.said_layer;
    const sentences = [said, words.scaled, words.reduced].filter(Boolean);
    this.foot.textContent = sentences.join(said.endsWith("。") ? "" : " ");
  }

  drawBar() {
    const { measures, words } = this.header;
    const group = (label, options, chosen, name) => {
      const row = make("span", "segments");
      this.named(row, "group", label);
      for (const [id, text] of options) {
        const button = make("button", "", text);
        button.dataset.at = `${name}-${id}`;
        button.classList.toggle("on", id === chosen);
        button.setAttribute("aria-pressed", String(id === chosen));
        button.onclick = () => this.select({ [name]: id });
        row.append(button);
      }
      const box = make("span", "control");
      box.append(helped(make("span", "label", label), words[`help_${name}`]), row);
      return box;
    };
    const sorts = ["layer", ...Object.keys(measures)].map((id) => [id, words[`sort_${id}`]]);
    const wholes = ["model", "layer"].map((id) => [id, words[`grid_${id}`]]);
    const whole = this.get("grid") === "layer" ? "layer" : "model";
    this.keepingFocus(() =>
      this.bar.replaceChildren(group(words.sort, sorts, this.sort, "sort"), group(words.grid, wholes, whole, "grid")),
    );
  }

  resized() {
    this.painted = false;
    this.redraw();
  }

  paint() {
    const { rows, columns, ranges } = this.header;
    const covered = veil(this.root);
    this.tiles.forEach((tile, i) => {
      const [low, high] = ranges[i];
      const bytes = this.body.subarray(i * rows * columns, (i + 1) * rows * columns);
      const values = Float32Array.from(bytes, (byte) => (byte === 255 ? NaN : low + (byte / 254) * (high - low)));
      pixels(values, rows, columns, scale(this.root, false, high), covered, tile.querySelector("canvas"));
    });
  }
}

const round = (x) => (x >= 0.995 ? "1.00" : x.toFixed(2).replace(/^0/, ""));

export default component(Grid);
