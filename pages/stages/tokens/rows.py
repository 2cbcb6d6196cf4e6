"""What the sections share: which English sentence is read, and rows of tokens."""

import html
from collections.abc import Sequence

from core.text.token import Token
from core.zoo import able
from pages.shared.page.parts import Html, chip, table
from pages.shared.words import samples
from pages.stages.tokens.context import StageContext

READER = able("tell segments apart")  # and fill in [MASK]
SHOWN = 40  # tokens of a row
IN = "strip"  # the stylesheet's name for such a table


def english(context: StageContext) -> str:
    """The visitor's sentence where this model reads it and it has a word, else the English example."""
    read = context.page.address.model == READER and context.view.words
    return context.page.text if read else samples.example("en")


def instead(context: StageContext, section: str) -> str:
    """The key of why another sentence is read: this one has no word, or this model does not do such a thing."""
    return f"{section}.instead_words" if context.page.address.model == READER else f"{section}.instead"


def who(context: StageContext) -> dict[str, str]:
    """This model and the one that reads instead, by name."""
    return {"model": context.page.model_name, "reader": context.t.model(READER)}


def cells(tokens: Sequence[Token]) -> list[Html]:
    """Tokens side by side, as in the sentence at the top; those of a second text on a tint."""
    return [chip(token.text, "added" if nobody_typed(token) else "", token.segment) for token in tokens[:SHOWN]]


def in_columns(rows: Sequence[Sequence[object]]) -> str:
    """Tokens, and below each what it has besides; a row begins with its name."""
    return table([[Html(f"<span class='soft'>{html.escape(str(name))}</span>"), *row] for name, *row in rows], (), IN)


def nobody_typed(token: Token) -> bool:
    return token.special and token.end == 0


def lines(context: StageContext, tokens: Sequence[Token], *names: str) -> str:
    """A row of tokens, and below each what it has besides: its id, its segment, its position."""
    under = {
        "id": [token.id for token in tokens],
        "segment": [token.segment for token in tokens],
        "position": list(range(len(tokens))),
    }
    rows = [[context.t("rows_of.token"), *cells(tokens)]]
    rows += [[context.t(f"rows_of.{name}"), *under[name][:SHOWN]] for name in names]
    return in_columns(rows) + more(context, len(tokens))


def more(context: StageContext, count: int) -> str:
    """How many tokens there are beyond those shown."""
    left = count - SHOWN
    return f"<p class='soft'>{context.t.html('rows_of.more', n=left)}</p>" if left > 0 else ""
