"""Why positions at all: a sentence and the same with two words swapped, read with positions and without."""

from core.derivation import Cell, RunSpec
from core.edits import zero_positions
from core.figures.controls import Control, Controls, More
from core.figures.orders import Orders, OrdersWords, Read, Scene
from core.run_spec import AT_HAND
from core.text.token import named
from core.views.orders import READERS, SAME, SEED, OrderView, Reading, order_taps
from core.views.vectors import cosine
from pages.shared.number.number_links import measured
from pages.shared.page.parts import write
from pages.shared.page.whole_model import spreads
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import Number, short
from pages.shared.words.texts import Texts
from pages.stages.position.context import StageContext, asked_reader
from pages.stages.position.scenes import own_pair, scene


def why(context: StageContext) -> None:
    """Both scenes, with a reader to choose: the browser does that alone."""
    pairs = context.view.pairs
    if not pairs:
        return
    components.controls(key="order_controls", data=controls(context).data())
    if "own" not in pairs:
        write(f"<p class='soft'>{instead(context)}</p>")
    components.orders(key="orders", data=orders(context).data())
    if context.veiled:  # the link comes with the answer; its place is there before, so that nothing below it moves
        write("<p class='spreads-room'></p>")
    spreads(context, zero_positions())


def instead(context: StageContext) -> str:
    """Why the visitor's own sentence is not the one that is read in two orders."""
    if len(context.page.trace.tokens) > cached.WHOLE:
        return context.t.html("why.long", limit=cached.WHOLE)
    pair = own_pair(*context.key)
    return context.t.html("why.other", first=pair.first, second=pair.second) if pair else context.t.html("why.short")


def controls(context: StageContext) -> Controls:
    t, pairs = context.t, context.view.pairs
    readers = [(reader, t(f"readers.{reader}")) for reader in READERS]
    reader = Control("reader", t("order.reader"), readers, stepper=True, plain=True)
    scenes = [(name, t(f"scenes.{name}")) for name in pairs]
    order = Control("order", t("order.words_of"), scenes, usual=next(iter(pairs)))
    return Controls([reader], More(t("order.more_words"), [order]) if len(pairs) > 1 else None)


def orders(context: StageContext) -> Orders:
    t = context.t
    scenes = {name: scene(context.page.address.model, pair) for name, pair in context.view.pairs.items()}
    return Orders(
        scenes={name: drawn(context, view) for name, view in scenes.items()},
        most=max(float(made.difference.max()) for view in scenes.values() for made in view.readings.values()),
        rounding=SAME,
        words=words(t),
    )


def words(t: Texts) -> OrdersWords:
    return OrdersWords(
        label=t("order.label"),
        bar=t("order.bar"),
        veiled=t("matrix.veiled"),
        more=t("order.more"),
        with_positions=t("order.with"),
        without=t("order.without"),
    )


def drawn(context: StageContext, view: OrderView) -> Scene:
    first = [named(view.tokens[0], i) for i in range(len(view.tokens[0]))]
    second = [first[view.partner.index(j)] for j in range(len(first))]  # by the same name in both
    readers = {name: read(context, view, name) for name in READERS}
    return Scene(first, second, view.special, view.partner, readers)


def read(context: StageContext, view: OrderView, name: str) -> Read:
    """One reader's numbers and sentence; of the one that is asked about, nothing while the question is open."""
    t, made, n = context.t, view.readings[name], len(view.tokens[0])
    if name == context.reader_veiled:
        return Read.veiled(n, t.html("order.veiled"), comes_to(context, view, made, veiled=True))
    share, alike = made.difference, made.cosine
    most, before = int(share.argmax()), next(iter(view.moved()), 0)
    moved = [pressed(context, view, name, "aside", i, value) for i, value in enumerate(share)]
    facts = {
        "share": moved[most],
        "cosine": pressed(context, view, name, "cosine", most, alike[most]),
        "changed": int((share > SAME).sum()),
    }
    still = t("order.still", count=before) if before else ""
    told = name == "off" and facts["changed"]  # who looks back alone can tell all the same
    key = "order.off_back" if told else f"order.{name}"
    return Read(
        share=[float(f"{x:.6g}") for x in share],
        cosine=[float(f"{x:.7g}") for x in alike],
        caption=t.html(key, token=named(view.tokens[0], most), steps=n, seed=SEED, before=still, **facts),
        said=[] if name == "recurrent" else comes_to(context, view, made),
        trails=[value.trail for value in moved if isinstance(value, Number)],
    )


def comes_to(context: StageContext, view: OrderView, made: Reading, veiled: bool = False) -> list[str]:
    """What the model makes of the two texts as wholes: what it writes of each; or, where it is there to compare texts,
    how alike it finds them."""
    t, hidden = context.t, context.t("matrix.veiled")
    if context.page.model.objective == "compare":
        found = cosine(made.first.mean(0), made.second.mean(0))
        return [t("order.wholes", cosine=hidden if veiled else short(float(found)))]
    written = [(text, out) for text, out in zip(view.texts, made.written, strict=True) if out is not None]
    return [f"{text} → {hidden if veiled else out}" for text, out in written]


def asked(context: StageContext) -> dict[str, object]:
    """What the answer of a question about swapped words names: the word that moved least, and most."""
    name = asked_reader(context.question)
    if name is None:
        return {}
    view = scene(context.page.address.model, context.view.pairs["own"])
    share = view.readings[name].difference
    ends = {"least": int(share.argmin()), "most": int(share.argmax())}
    return {end: pressed(context, view, name, "aside", token, share[token]) for end, token in ends.items()}


def pressed(context: StageContext, view: OrderView, name: str, kind: str, token: int, value: float) -> float:
    """What is measured of a token's two last vectors: of the model's own, with positions or without. The recurrent
    network's weights are drawn; nothing of it comes from a table."""
    if name == "recurrent":
        return float(value)
    last, edits = order_taps(context.page.model)[-1], (zero_positions(),) if name == "off" else ()
    runs = [RunSpec(None if text == context.page.text else text, edits=edits) for text in view.texts]
    places = zip((token, view.partner[token]), runs, strict=True)
    return measured(
        context, value, kind, *(Cell(last, (i, None), None if run == AT_HAND else run) for i, run in places)
    )
