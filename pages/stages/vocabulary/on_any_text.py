"""What was trained, used on any text, beside MiniLM's own vocabulary."""

from core.text.corpus import read_words
from core.text.merging import spell
from core.zoo import able
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import heading, paragraph, pieces, table, write
from pages.shared.server import cached
from pages.shared.words.texts import clip
from pages.stages.vocabulary.context import LONGEST_TRY, StageContext

WORDS = 30
OPENING = "but hag hugs tokenization 北京大学"


def draw(context: StageContext) -> None:
    t = context.t
    step = context.step or (0 if context.veiled else len(context.training.merges))
    said = "use.said" if step == context.step else "use.ended"
    said = said if context.training.merges else "use.single"
    write(heading(t, "use"), paragraph(t, said, step=step, size=context.training.sizes()[step]))
    controls("try", text_box(context, "try", t("use.label"), LONGEST_TRY, first=OPENING))
    write(table_of(context, step), paragraph(t, "use.note_bpe" if context.rule == "bpe" else "use.note"))


def table_of(context: StageContext, step: int) -> str:
    """The words typed here, as the vocabulary spells them after so many merges and as MiniLM's does."""
    t, mini = context.t, cached.model(able("cut words")).tokenizer
    words = list(read_words(context.values["try"] or OPENING))[:WORDS]
    ours = [spell(context.training, word, step) for word in words]
    theirs = [[token.text for token in mini.encode(word)[1:-1]] for word in words]
    rows = [[clip(word, 30), pieces(a), pieces(b)] for word, a, b in zip(words, ours, theirs, strict=True)]
    return table(
        rows, ("", t("use.ours", rule=t(f"rules.{context.rule}")), t("use.wordpiece", size=f"{len(mini):,}")), "used"
    )
