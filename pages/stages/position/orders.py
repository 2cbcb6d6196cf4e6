"""Why positions at all: a sentence and the same with two words swapped, read with positions and without."""

from core.figures.controls import Control, Controls
from core.figures.orders import Orders, OrdersWords, Read, Scene
from core.views.orders import READERS, SAME, SEED, OrderView
from pages.shared import cached, components
from pages.shared.parts import write
from pages.shared.texts import Texts
from pages.stages.position.look import Look
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
    pair = own_pair(look.page)
    return look.t.html("why.other", first=pair.first, second=pair.second) if pair else look.t.html("why.short")


def controls(look: Look) -> Controls:
    t, pairs = look.t, look.view.pairs
    readers = [(reader, t(f"readers.{reader}")) for reader in READERS]
    reader = Control("reader", t("order.reader"), readers, stepper=True, plain=True)
    order = Control("order", t("order.words_of"), [(name, t(f"scenes.{name}")) for name in pairs])
    return Controls([reader, order] if len(pairs) > 1 else [reader])


def orders(look: Look) -> Orders:
    t = look.t
    scenes = {name: scene(look.page, pair) for name, pair in look.view.pairs.items()}
    return Orders(
        scenes={name: drawn(t, view, look.reader_veiled) for name, view in scenes.items()},
        most=max(float(made.difference.max()) for view in scenes.values() for made in view.readings.values()),
        rounding=SAME,
        words=OrdersWords(t("order.label"), t("matrix.veiled"), t("order.more")),
    )


def drawn(t: Texts, view: OrderView, veiled: str | None) -> Scene:
    first, second = view.tokens
    readers = {name: read(t, view, name, veiled) for name in READERS}
    return Scene(first, second, view.special, view.partner, readers)


def read(t: Texts, view: OrderView, name: str, veiled: str | None) -> Read:
    """One reader's numbers and sentence; of the one that is asked about, nothing while the question is open."""
    made, n = view.readings[name], len(view.tokens[0])
    if name == veiled:
        writes = [text for text, out in zip(view.texts, made.written, strict=True) if out is not None]
        return Read.veiled(n, t("order.veiled"), [f"{text} → {t('matrix.veiled')}" for text in writes])
    share, cosine = made.difference, made.cosine
    most, before = int(share.argmax()), next(iter(view.moved()), 0)
    facts = {"share": float(share[most]), "cosine": float(cosine[most]), "largest": made.largest}
    facts["changed"] = int((share > SAME).sum())
    still = t("order.still", count=before) if before else ""
    return Read(
        share=[float(f"{x:.6g}") for x in share],
        cosine=[float(f"{x:.7g}") for x in cosine],
        caption=t(f"order.{name}", token=view.tokens[0][most], steps=n, seed=SEED, before=still, **facts),
        said=[f"{text} → {out}" for text, out in zip(view.texts, made.written, strict=True) if out is not None],
    )
