"""The sentence's box: one click opens it, a draft is counted while one types, a preset or "use" sends it."""

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random

import streamlit as st

from core import grammar
from core.zoo import SOURCES
from pages.shared.address import visit
from pages.shared.address.address import LONGEST, without_surrogates
from pages.shared.page.stage import PageContext, StageContext
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.texts import Texts, clip

CLIPPED = 20  # characters of a word in a note


def sentence(context: StageContext) -> None:
    """A piece of its own: counting a draft redraws nothing else."""
    context.page.drawing.piece("sentence_box", draw)


def draw(context: StageContext) -> None:
    page, ends = context.page, context.page.address.ends()
    draft = said("sentence", "draft")
    components.sentence(
        key="sentence",
        data=data(context, page.address.own_text if draft is None else without_surrogates(draft)),
        on_draft_change=lambda: None,
        on_text_change=partial(take, "text", visit.take_text, ends),
        on_model_change=partial(take, "model", visit.take_model, ends),
    )


def said(key: str, name: str) -> str | None:
    """What a component last said. A browser may send anything: what is no text counts as nothing."""
    state = st.session_state.get(key)
    value = state.get(name) if isinstance(state, Mapping) else None
    return value if isinstance(value, str) else None


def take(name: str, use, ends) -> None:
    value = said("sentence", name)
    if value is not None and (name != "model" or value in SOURCES):
        use(ends, value)


def data(context: StageContext, draft: str) -> dict:
    page, t = context.page, context.t
    reader = reader_of(page, draft[:LONGEST])
    model, source = cached.model(reader), SOURCES[reader]
    tokens, unknown = cached.draft(reader, draft[:LONGEST])
    facts = {"parameters": f"{source.parameters:,}", "licence": source.licence}
    words = ("label", "use", "example", "presets", "tokens", "characters", "tooLong", "credits", "model")
    return {
        "text": page.address.own_text,
        "example": samples.example(page.address.lang),
        "presets": samples.presets(page.slug, page.address.lang),
        "limits": {"tokens": model.config.positions, "characters": LONGEST},
        "draft": {"text": draft, "tokens": None if asked(context, draft) else tokens, "unknown": clipped(unknown)},
        "credits": page.href("credits"),
        "knows": known(t) if model.translates else None,
        "models": [{"id": id, "name": t.model(id), "on": id == (page.address["model"] or reader)} for id in SOURCES],
        "words": {
            **{name: t(f"box.{name}") for name in words},
            "unknown": t("box.unknown_bytes" if model.tokenizer.merges_bytes else "box.unknown"),
            "open": t("box.open", model=page.model_name),
            "source": Texts(t.language, None, reader)("box.source_own" if source.folder else "box.source", **facts),
        },
    }


def reader_of(page: PageContext, draft: str) -> str:
    """The model that would read a draft on this page."""
    there = PageContext(page.stage, page.address.reading(draft), page.drawing)
    page.stage.settle(there)
    return there.address.model


def known(t: Texts) -> dict:
    """The forms of sentence the translator was trained on, each by an example, and its words by their kind."""
    examples = [example_of(form) for form in grammar.FORMS]
    words = [{"kind": t(f"box.kinds.{kind}"), "words": " ".join(words)} for kind, words in grammar.known().items()]
    return {"title": t("box.knows", forms=len(examples)), "forms": examples, "words": words}


@cached.shared
def example_of(form: str) -> str:
    """A form by a sentence of it."""
    return grammar.sample(Random(form), form).zh


def asked(context: StageContext, draft: str) -> bool:
    """Whether the count of this draft's tokens would answer the open question."""
    return context.veiled and any(word in draft.lower() for word in context.page.stage.strip(context).whole.values())


def clipped(words: Sequence[str]) -> list[str]:
    return [clip(word, CLIPPED) for word in words]
