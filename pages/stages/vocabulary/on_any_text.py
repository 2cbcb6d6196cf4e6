"""What was trained, used on any text, beside MiniLM's own vocabulary."""

from collections.abc import Callable

from core.text.corpus import read_words
from core.text.merging import spell
from core.zoo import able
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import heading, paragraph, pieces, table, write
from pages.shared.server import cached
from pages.shared.words.texts import clip
from pages.stages.vocabulary.context import LONGEST_TRY, StageContext

WORDS = 30
OPENING = "hugs bugs mug tokenization 北京大学"


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "use"), paragraph(t, "use.said", step=context.step, size=context.training.sizes()[context.step]))
    controls("try", text_box(context, "try", t("use.label"), LONGEST_TRY, first=OPENING))
    shown = table_of(context, lambda word: spell(context.training, word, context.step))
    write(shown, paragraph(t, "use.note_bpe" if context.rule == "bpe" else "use.note"))


def table_of(context: StageContext, ours: Callable[[str], list[str]]) -> str:
    """The words typed here, as a trained vocabulary spells them and as MiniLM's does."""
    t, mini = context.t, cached.model(able("cut words")).tokenizer
    words = list(read_words(context.values["try"] or OPENING))[:WORDS]
    rows = [[clip(word, 30), pieces(ours(word)), pieces(t.text for t in mini.encode(word)[1:-1])] for word in words]
    return table(rows, ("", t("use.ours", rule=t(f"rules.{context.rule}")), t("use.wordpiece", size=f"{len(mini):,}")))
