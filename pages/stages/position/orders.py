"""Why positions at all: a sentence and the same with two words swapped, read with positions and without."""

import numpy as np

from core.derivation import Cell, RunSpec
from core.edits import zero_positions
from core.figures.controls import Control, Controls
from core.figures.orders import Orders, OrdersWords, Read, Scene
from core.run_spec import AT_HAND
from core.views.orders import READERS, SAME, SEED, OrderView, order_taps
from pages.shared.number.number_links import measured
from pages.shared.page.parts import write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import Number
from pages.stages.position.look import Look, asked_reader
from pages.stages.position.scenes import own_pair, scene


def why(look: Look) -> None:
    """Both scenes, with a reader to choose: the browser does that alone."""
    t, pairs = look.t, look.view.pairs
    if not pairs:
        return
    said = [t.html("why.text"), *([] if "own" in pairs else [instead(look)])]
    write("".join(f"<p class='soft'>{sentence}</p>" for sentence in said))
    components.controls(key="order_controls", data=controls(look).data())
    components.orders(key="orders", data=orders(look).data())


def instead(look: Look) -> str:
    """Why the visitor's own sentence is not the one that is read in two orders."""
    if len(look.page.trace.tokens) > cached.WHOLE:
        return look.t.html("why.long", limit=cached.WHOLE)
    pair = own_pair(*look.key)
    return look.t.html("why.other", first=pair.first, second=pair.second) if pair else look.t.html("why.short")


def controls(look: Look) -> Controls:
    t, pairs = look.t, look.view.pairs
    readers = [(reader, t(f"readers.{reader}")) for reader in READERS]
    reader = Control("reader", t("order.reader"), readers, stepper=True, plain=True)
    order = Control("order", t("order.words_of"), [(name, t(f"scenes.{name}")) for name in pairs])
    return Controls([reader, order] if len(pairs) > 1 else [reader])


def orders(look: Look) -> Orders:
    t = look.t
    scenes = {name: scene(look.page.address.model, pair) for name, pair in look.view.pairs.items()}
    return Orders(
        scenes={name: drawn(look, view) for name, view in scenes.items()},
        most=max(float(made.difference.max()) for view in scenes.values() for made in view.readings.values()),
        rounding=SAME,
        words=OrdersWords(t("order.label"), t("matrix.veiled"), t("order.more")),
    )


def drawn(look: Look, view: OrderView) -> Scene:
    first, second = view.tokens
    readers = {name: read(look, view, name) for name in READERS}
    return Scene(first, second, view.special, view.partner, readers)


def read(look: Look, view: OrderView, name: str) -> Read:
    """One reader's numbers and sentence; of the one that is asked about, nothing while the question is open."""
    t, made, n = look.t, view.readings[name], len(view.tokens[0])
    if name == look.reader_veiled:
        writes = [text for text, out in zip(view.texts, made.written, strict=True) if out is not None]
        return Read.veiled(n, t.html("order.veiled"), [f"{text} → {t('matrix.veiled')}" for text in writes])
    share, cosine = made.difference, made.cosine
    most, before = int(share.argmax()), next(iter(view.moved()), 0)
    moved = [pressed(look, view, name, "aside", i, value) for i, value in enumerate(share)]
    widest = int(np.abs(made.first - made.second).max(-1).argmax())
    facts = {
        "share": moved[most],
        "cosine": pressed(look, view, name, "cosine", most, cosine[most]),
        "largest": pressed(look, view, name, "apart", widest, made.largest),
        "changed": int((share > SAME).sum()),
    }
    still = t("order.still", count=before) if before else ""
    return Read(
        share=[float(f"{x:.6g}") for x in share],
        cosine=[float(f"{x:.7g}") for x in cosine],
        caption=t.html(f"order.{name}", token=view.tokens[0][most], steps=n, seed=SEED, before=still, **facts),
        said=[f"{text} → {out}" for text, out in zip(view.texts, made.written, strict=True) if out is not None],
        trails=[value.trail for value in moved if isinstance(value, Number)],
    )


def asked(look: Look) -> dict[str, object]:
    """What the answer of a question about swapped words names: the word that moved least, and most."""
    name = asked_reader(look.question)
    if name is None:
        return {}
    view = scene(look.page.address.model, look.view.pairs["own"])
    share = view.readings[name].difference
    ends = {"least": int(share.argmin()), "most": int(share.argmax())}
    return {end: pressed(look, view, name, "aside", token, share[token]) for end, token in ends.items()}


def pressed(look: Look, view: OrderView, name: str, kind: str, token: int, value: float) -> float:
    """What is measured of a token's two last vectors: of the model's own, with positions or without. The recurrent
    network's weights are drawn; nothing of it comes from a table."""
    if name == "recurrent":
        return float(value)
    last, edits = order_taps(look.page.model)[-1], (zero_positions(),) if name == "off" else ()
    runs = [RunSpec(None if text == look.page.text else text, edits=edits) for text in view.texts]
    places = zip((token, view.partner[token]), runs, strict=True)
    return measured(look, value, kind, *(Cell(last, (i, None), None if run == AT_HAND else run) for i, run in places))
