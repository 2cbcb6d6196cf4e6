"""The table of tokens, as a file."""

from pages.shared.page.opened import lines
from pages.stages.tokens.context import StageContext

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


def as_csv(context: StageContext) -> str:
    return lines(COLUMNS, rows(context))
