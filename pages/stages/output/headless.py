"""A model without an output: MiniLM's last vectors, the rows nearest to them, and why that is no prediction."""

from core.views.output import Nearest, nearest
from core.zoo import model_for
from pages.shared import cached, samples
from pages.shared.numbers import short
from pages.shared.parts import heading, paragraph, table, write
from pages.shared.stage import Section
from pages.stages.output.look import Look

READER = "minilm"
TAP = "encoder.5.output"
MOST = 24  # tokens in the table


def draw(look: Look) -> None:
    t, text = look.t, read(look)
    found = nearest_of(text)
    own = [i for i, token in enumerate(found.tokens) if not token.special]
    first = sum(int(found.rank[i]) == 1 for i in own)
    facts = {"first": first, "n": len(own)}
    write(
        heading(t, "headless"),
        paragraph(t, "headless.said", text=text),
        table(rows(found), [t(f"headless.{name}") for name in ("token", "near", "second", "third", "own", "rank")]),
        paragraph(t, "headless.counted", **facts) if own else "",
        paragraph(t, "headless.why"),
        paragraph(t, "headless.mask", **masked()),
    )


def read(look: Look) -> str:
    """The visitor's sentence where MiniLM is its reader, else the English example."""
    own = look.page.address.own_text
    return own if model_for(own) == READER and own.strip() else samples.example("en")


@cached.shared
def nearest_of(text: str) -> Nearest:
    return nearest(cached.capture(READER, text, only=(TAP,)), cached.model(READER), TAP)


def rows(found: Nearest) -> list[list[object]]:
    pieces = cached.model(READER).tokenizer.pieces
    return [
        [
            token.text,
            *(
                f"{pieces[id]} {short(float(cosine))}"
                for id, cosine in zip(found.ids[i], found.cosines[i], strict=True)
            ),
            float(found.own[i]),
            str(int(found.rank[i])),
        ]
        for i, token in enumerate(found.tokens[:MOST])
    ]


@cached.shared
def masked() -> dict[str, object]:
    """What stands nearest at a gap that a model with an output would fill."""
    text = "The cat [MASK] on the mat."
    found = nearest_of(text)
    at = next(i for i, token in enumerate(found.tokens) if token.text == "[MASK]")
    pieces = cached.model(READER).tokenizer.pieces
    return {"text": text, "near": pieces[int(found.ids[at, 0])], "cosine": float(found.cosines[at, 0])}


SECTION = Section(draw)
