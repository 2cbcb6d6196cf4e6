"""A model without an output: MiniLM's last vectors, the rows nearest to them, and why that is no prediction."""

import html

from core.derivation import Cell, RunSpec, Weight
from core.derivation.flow import TABLE
from core.views.output import Nearest, nearest
from core.zoo import able, model_for
from pages.shared.number.number_links import measured
from pages.shared.page.parts import Html, amount, heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.numbers import grouped, written
from pages.stages.output.context import StageContext

READER = able("compare")
TAP = "encoder.5.output"
MOST = 24  # tokens in the table
BAR = 160  # pixels of a cosine of 1
HEAD = ("token", "own", "rank", "near", "second", "third")


def draw(context: StageContext) -> None:
    t, text = context.t, read(context)
    found = nearest_of(text)
    own = [i for i, token in enumerate(found.tokens) if not token.special]
    first = sum(int(found.rank[i]) == 1 for i in own)
    facts = {"first": first, "n": len(own)}
    write(
        heading(t, "headless"),
        paragraph(t, "headless.said", text=text, rows=grouped(cached.model(READER).config.vocab)),
        table(rows(context, text, found), [t(f"headless.{name}") for name in HEAD]),
        paragraph(t, "headless.counted", **facts) if len(own) > 1 else "",
        paragraph(t, "headless.why"),
        paragraph(t, "headless.mask", **masked(context)),
    )


def read(context: StageContext) -> str:
    """The visitor's sentence where MiniLM is its reader, else the English example."""
    own = context.page.address.own_text
    return own if model_for(own) == READER and own.strip() else samples.example("en")


@cached.shared
def nearest_of(text: str) -> Nearest:
    return nearest(cached.capture(READER, text, only=(TAP,)), cached.model(READER), TAP)


def rows(context: StageContext, text: str, found: Nearest) -> list[list[object]]:
    pieces = cached.model(READER).tokenizer.pieces

    def near(i: int, id: int, cosine: float) -> Html:
        return Html(f"<b>{html.escape(pieces[id])}</b> {written(alike(context, text, i, id, cosine))}")

    return [
        [
            token.text,
            amount(alike(context, text, i, token.id, found.own[i]), 1.0, longest=BAR),
            str(int(found.rank[i])),
            *(near(i, int(id), cosine) for id, cosine in zip(found.ids[i], found.cosines[i], strict=True)),
        ]
        for i, token in enumerate(found.tokens[:MOST])
    ]


def alike(context: StageContext, text: str, i: int, id: int, cosine: float) -> float:
    """How alike a token's last vector and a row of that model's table are: a number that can be pressed."""
    rows = Cell(TAP, (i, None)), Weight(TABLE, (id, None))
    return measured(context, cosine, "cosine", *rows, given=RunSpec(text, model=READER))


def masked(context: StageContext) -> dict[str, object]:
    """What stands nearest at a gap that a model with an output would fill."""
    text = "The cat [MASK] on the mat."
    found = nearest_of(text)
    at = next(i for i, token in enumerate(found.tokens) if token.text == "[MASK]")
    pieces = cached.model(READER).tokenizer.pieces
    id = int(found.ids[at, 0])
    return {"text": text, "near": pieces[id], "cosine": alike(context, text, at, id, found.cosines[at, 0])}


SECTION = Section(draw)
