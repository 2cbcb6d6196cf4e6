"""The token strip across the top: the sentence as tokens, and under it what the model writes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from core import grammar
from core.text.token import Token, subscript
from pages.shared.page.stage import STRIP, Marks, PageContext, StageContext, Strip, piece
from pages.shared.pictures import components


def draw(context: StageContext) -> None:
    """A lab's own tokens are a piece of their own: controls of the lab may cut its text in another way."""
    piece(context, STRIP, mount) if context.page.stage.shown else mount(context)


def mount(context: StageContext) -> None:
    page, strip = context.page, context.page.stage.strip(context)
    shown = page.stage.shown(context) if page.stage.shown else None
    tokens = page.trace.tokens if shown is None else shown
    data = {
        "row": row(strip, 0, chips(tokens, strip.values, strip.whole)),
        "written": written(page, strip) if shown is None and page.translates else None,
        "label": page.t("strip_label"),
    }
    lines = "tokens" if data["written"] is None else "written_tokens" if strip.target and not strip.by else "written"
    with st.container(key=lines):  # the stylesheet keeps room for one line, or two, of tokens or of a sentence
        components.strip(key="strip", data=data)


def written(page: PageContext, strip: Strip) -> dict:
    """What stands under the sentence: its translation, as tokens where they are marked, else as a sentence."""
    run = page.translation
    return {
        "text": f"{run.text_out}{' …' if run.cut else ''}",
        "hint": "" if grammar.parse(page.text) else page.t("outside"),
        "label": page.t("target_label"),
        "row": row(strip, 1, chips(run.target_in, strip.target_values, {})),
    }


def row(strip: Strip, side: int, tokens: list[dict]) -> dict:
    """One row of tokens, and what it marks; `turns` where that turns with the selection of `by`."""
    turns = {key: marked(pair[side]) for key, pair in strip.turns.items()}
    return {"tokens": tokens, "marks": marked((strip.source, strip.target)[side]), "by": strip.by, "turns": turns}


def marked(marks: Marks | None) -> dict | None:
    return None if marks is None else asdict(marks)


def chips(tokens: Sequence[Token], values: Sequence[object] | None, whole: object) -> list[dict]:
    """The tokens of a row, and what a click on each selects; a word that must stay whole is one chip. A token that is
    there more than once has its index, as sentences name it."""
    assert isinstance(whole, dict)
    times = Counter(token.text for token in tokens)
    shown: dict[object, dict] = {}
    for i, token in enumerate(tokens):
        at = i if values is None else values[i]
        word = whole.get(at)
        text, key = (token.text, i) if word is None else (word, ("whole", at))
        index = subscript(i) if word is None and times[text] > 1 else ""
        shown.setdefault(key, {"text": text, "index": index, "special": token.special, "at": at})
    return list(shown.values())
