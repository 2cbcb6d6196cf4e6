"""Side by side: the three algorithms on the same text."""

from core.text.merging import RULES
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.words.texts import clip
from pages.stages.vocabulary.context import StageContext

ROWS = 10
WIDE = 40  # characters of a cell


def draw(context: StageContext) -> None:
    t = context.t
    trained = [context.trained(rule, context.ties) for rule in RULES]
    rows: list[list[object]] = []
    for i in range(min(ROWS, max(len(training.merges) for training in trained))):
        merges = [training.merges[i] if i < len(training.merges) else None for training in trained]
        rows.append([i + 1, *(f"{m.left} + {m.right} → {m.made}" if m else "–" for m in merges)])
    rows.append([t("three.size"), *(f"{len(training.vocabulary):,}" for training in trained)])
    first = [training.merges[:ROWS] for training in trained]
    marked = [{merge.made for merge in merges} for merges in first]
    said = paragraph(t, "three.said")
    if any(marked):
        only = [", ".join(sorted(marked[i] - marked[1 - i])) for i in (0, 1)]
        key = "three.same" if not any(only) else "three.apart"
        said += paragraph(
            t, key, score=clip(only[0], 60) or "–", frequency=clip(only[1], 60) or "–", rows=len(rows) - 1
        )
    head = ("", *(t(f"rules.{rule}") for rule in RULES))
    shown = [[row[0], *(clip(str(cell), WIDE) for cell in row[1:])] for row in rows]
    write(heading(t, "three"), said, table(shown, head))
