"""Why positions at all: a sentence and the same with two words swapped, read with positions and without."""

from collections.abc import Mapping

import streamlit as st

from core import grammar
from core.edits import zero_positions
from core.views import orders as views
from core.views.orders import READERS, OrderView
from pages.shared import cached, components
from pages.shared.page import Page
from pages.shared.state import Parameter, choice
from pages.stages.position_parts import part

EXAMPLES = {"minilm": ("dog bites man", "man bites dog"), "translator": ("老师批评了学生", "学生批评了老师")}
Scenes = Mapping[str, OrderView]  # "own" and "example", where there are such


def own_parameters(scenes: Scenes) -> dict[str, Parameter]:
    return {
        "order": choice("own", "example", default="own" if "own" in scenes else "example"),
        "reader": choice(*READERS, default="on"),
    }


# ---- what is read


def scenes_of(page: Page) -> Scenes:
    """The visitor's own sentence, where it has two words to swap, and an example of the same model."""
    example = EXAMPLES["translator" if page.model.config.position == "sinusoidal" else "minilm"]
    found = {"own": own_order(page), "example": order_of(page, *example)}
    return {name: view for name, view in found.items() if view}


def own_order(page: Page) -> OrderView | None:
    """The visitor's sentence and the same with two words swapped; None where there are no two, or it is long."""
    if len(page.trace.tokens) > cached.WHOLE:
        return None
    swapped = views.swap(page.text, grammar_words(page) or views.word_spans(page.trace.tokens))
    return None if swapped is None else order_of(page, page.text, swapped)


def grammar_words(page: Page) -> list[tuple[int, int]]:
    """Where the words of a Chinese sentence stand, as the grammar knows them; none where it does not make it."""
    parts = grammar.parse(page.text) if page.writes else None
    if parts is None or grammar.build(parts).zh != page.text:
        return []
    spans, at = [], 0
    for word in sorted((word for _, word in parts.words if word), key=page.text.find):
        at = page.text.find(word, at)
        if at < 0:
            return []
        spans.append((at, at + len(word)))
        at += len(word)
    return spans


def order_of(page: Page, first: str, second: str) -> OrderView | None:
    """Both texts read with positions and without; kept for everyone."""
    name, taps = page.address.model, views.order_taps(page.model)
    read = lambda text, *edits: cached.capture(name, text, only=taps, edits=edits)  # noqa: E731

    def make() -> OrderView:
        off = zero_positions()
        runs = {"on": (read(first), read(second)), "off": (read(first, off), read(second, off))}
        view = views.order_view(page.model, runs)
        assert view is not None
        return view

    if views.partners(*[[t.id for t in cached.trace(name, text).tokens] for text in (first, second)]) is None:
        return None
    return cached.remember(("orders", name, first, second), make)


# ---- the picture


def orders_data(page: Page, scenes: Scenes, veiled: bool) -> dict:
    t = page.t
    return {
        "scenes": {name: scene(page, view, veiled) for name, view in scenes.items()},
        "most": max(float(r.difference.max()) for view in scenes.values() for r in view.readings.values()),
        "words": {"label": t("order.label"), "veiled": t("matrix.veiled"), "more": t("order.more")},
    }


def scene(page: Page, view: OrderView, veiled: bool) -> dict:
    return {
        "first": view.tokens[0],
        "second": view.tokens[1],
        "special": view.special,
        "partner": view.partner,
        "readers": {name: reading(page, view, name, veiled) for name in READERS},
    }


def reading(page: Page, view: OrderView, name: str, veiled: bool) -> dict:
    """One reader's numbers and sentence; of the one that is asked about, nothing while the question is open."""
    t, made = page.t, view.readings[name]
    n = len(view.tokens[0])
    if name == "off" and veiled:
        return {"share": [None] * n, "cosine": [None] * n, "said": [], "caption": t("order.veiled")}
    share = made.difference
    most, before = int(share.argmax()), next(iter(view.moved()), 0)
    caption = t(
        f"order.{name}", token=view.tokens[0][most], share=float(share[most]), cosine=float(made.cosine[most]),
        largest=made.largest, steps=n, seed=views.SEED, before=t("order.still", count=before) if before else "",
    )  # fmt: skip
    said = [f"{text} → {out}" for text, out in zip(view.texts, made.written, strict=True) if out is not None]
    return {
        "share": [float(f"{x:.6g}") for x in share],
        "cosine": [float(f"{x:.7g}") for x in made.cosine],
        "said": said,
        "caption": caption,
    }


def order_controls(page: Page, scenes: Scenes) -> dict:
    t = page.t
    shown = [
        {
            "name": "reader",
            "label": t("order.reader"),
            "options": [(r, t(f"readers.{r}")) for r in READERS],
            "stepper": True,
            "plain": True,
        }
    ]
    if len(scenes) > 1:
        options = [(name, t(f"scenes.{name}")) for name in scenes]
        shown.append({"name": "order", "label": t("order.words_of"), "options": options})
    return {"controls": shown}


def why(page: Page, scenes: Scenes, veiled: bool) -> None:
    """Both scenes, with a reader to choose; while `veiled`, nothing of attention without positions."""
    part(page, "why")
    if not scenes:
        return
    if "own" not in scenes:
        key = "why.long" if len(page.trace.tokens) > cached.WHOLE else "why.short"
        st.html(f"<p class='soft'>{page.t.html(key, limit=cached.WHOLE)}</p>")
    components.controls(key="order_controls", data=order_controls(page, scenes))
    components.orders(key="orders", data=orders_data(page, scenes, veiled))
