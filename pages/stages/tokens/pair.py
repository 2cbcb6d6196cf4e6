"""[CLS], [SEP] and segments: two sentences in one row."""

from collections.abc import Sequence

import streamlit as st

from core.derivation import Cell, Measure, RunSpec, Weight
from core.derivation.origins import within
from core.figures.followed import Traced
from core.model.places import attention_at
from core.views.batch import Pair, pair
from pages.shared.address.address import words
from pages.shared.number.follow import follow, of_rows
from pages.shared.number.number_links import number
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.stages.tokens.context import StageContext
from pages.stages.tokens.rows import READER, english, instead, lines, who

LONGEST = 200  # characters of the second sentence
SECOND = "It was very tired."
FOLLOWS = "pair_followed"


def parameters(page, view):
    return {"second": words(LONGEST, None)}


def texts(context: StageContext) -> tuple[str, str]:
    second = context.values["second"] or ""
    return english(context), second if second.strip() else SECOND


def pair_of(context: StageContext) -> Pair:
    return both_of(*texts(context))


@cached.shared
def both_of(first: str, second: str) -> Pair:
    return pair(cached.model(READER), first, second)


def draw(context: StageContext) -> None:
    t, (first, second) = context.t, texts(context)
    own = "" if first == context.page.text else paragraph(t, instead(context, "pair"), text=first, **who(context))
    write(heading(t, "pair"), paragraph(t, "pair.said"), own)
    controls("second", text_box(context, "second", t("second_label"), LONGEST, first=second))
    found = pair_of(context)
    write(
        lines(context, found.tokens, "segment", "position", "id"),
        paragraph(t, "pair.cut", cut=found.cut) if found.cut else "",
    )
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        write(
            paragraph(t, "pair.segments", **segment_facts(context, found)),
            paragraph(t, "pair.attention", **attention(context, found)),
            paragraph(t, "pair.cls"),
        )
    with right:
        follow(context, followed, key=FOLLOWS)


# ---- what another segment changes


def segment_facts(context: StageContext, found: Pair) -> dict[str, float]:
    """How far the two rows of the segment table are apart, and what that makes of the second sentence."""
    values = {"apart": found.apart, "difference": found.unmarked.difference, "cosine": found.unmarked.cosine}
    made = measures(context, found)
    return {name: number(context, value, made[name]) if name in made else value for name, value in values.items()}


def measures(context: StageContext, found: Pair) -> dict[str, Measure]:
    """What each number is. With every token in segment 0 the row is one text, [SEP] typed in it."""
    first, second = texts(context)
    two, one = RunSpec(first, pair=second, model=READER), RunSpec(f"{first} [SEP] {second}", model=READER)
    segments = (within(Weight("embedding.segment_table.weight", (i, None)), two) for i in (1, 0))
    made = {"apart": Measure("distance", tuple(segments))}
    if cached.ids(READER, str(one.text)) == [token.id for token in found.tokens]:
        last, start = cached.model(READER).reader.exit, [token.segment for token in found.tokens].index(1)
        for kind, name, at in zip(("apart", "cosine"), ("difference", "cosine"), found.unmarked.at, strict=True):
            row = Cell(last, (start + at, None))
            made[name] = Measure(kind, (within(row, two), within(row, one)))
    return made


def followed(context: StageContext) -> Traced:
    """Of these, the vector that turned most."""
    return of_rows(context, list(measures(context, pair_of(context)).values())[-1])


def attention(context: StageContext, found: Pair) -> dict[str, object]:
    """How much of all attention the special tokens are given."""
    names = [token.text if token.special and token.end == 0 else "" for token in found.tokens]
    places = {name: [i for i, n in enumerate(names) if n == name] for name in ("[CLS]", "[SEP]", "")}

    def given(name: str, kind: str) -> float:
        shares = found.attention[places[name]]
        value = float(shares.mean() if kind == "received_each" else shares.sum()) if places[name] else 0.0
        return number(context, value, received(context, places[name], kind)) if places[name] else value

    return {
        "cls": given("[CLS]", "received_all"),
        "sep": given("[SEP]", "received_all"),
        "n": len(places[""]),
        "other": given("", "received_each"),
        "even": 1 / len(names),
    }


def received(context: StageContext, keys: Sequence[int], kind: str) -> Measure:
    """What these tokens are given, in all layers up to the last."""
    first, second = texts(context)
    last = attention_at("encoder", cached.model(READER).config.layers - 1).tap("weights")
    given = RunSpec(first, pair=second, model=READER)
    return Measure(kind, tuple(Cell(last, (0, 0, key), given) for key in keys), (len(keys),))


SECTION = Section(draw, parameters, ("second",), {FOLLOWS: ()}, follows=FOLLOWS)
