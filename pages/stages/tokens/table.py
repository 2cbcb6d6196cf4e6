"""The table of tokens, as it stands on the page and as a file."""

import html

from pages.shared.page import parts
from pages.shared.page.open_it import lines
from pages.shared.page.parts import Html
from pages.stages.tokens.context import StageContext, shown

COLUMNS = ("piece", "id", "start", "end", "word", "special")


def rows(context: StageContext) -> list[tuple[object, ...]]:
    """A row for each token that the model reads; a veiled word is one row that says where it stands."""
    found: list[tuple[object, ...]] = []
    for i, unit in enumerate(context.view.units):
        if i in context.veil:
            found.append(("", "", unit.start, unit.end, unit.text, ""))
            continue
        word, special = (unit.text, "") if unit.kind == "word" else ("", unit.kind)
        found += [(token.text, token.id, token.start, token.end, word, special) for token in unit.tokens[: unit.kept]]
    return found


def table(context: StageContext) -> str:
    head = [context.t(f"columns.{name}") for name in COLUMNS]
    return parts.table([cells(context, row) for row in rows(context)], head, kind="tokens")


def cells(context: StageContext, row: tuple[object, ...]) -> list[Html]:
    """Each isolated: a word from right to left stays in its cell."""
    text, *numbers, word, special = row
    kind = context.t(f"kinds.{special}") if special else ""
    said = (text or context.t("veiled"), *numbers, shown(str(word)), kind)
    return [Html(f"<bdi>{html.escape(str(cell))}</bdi>") for cell in said]


def as_csv(context: StageContext) -> str:
    return lines(COLUMNS, rows(context))
