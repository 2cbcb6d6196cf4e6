"""The page as a few lines of Python."""

from core.zoo import able
from pages.shared.page.opened import Repeat
from pages.stages.segmentation.context import StageContext
from pages.stages.segmentation.followed import followed

WORD = "derive_word(view.edge_at[{start}, {end}], words.total)"
PATH = "derive_path(view.paths[{way}], words.total, {other})"


def repeat(context: StageContext) -> Repeat:
    arc, way = context.arc, context.way
    other = f"view.paths[{int(way == 0)}]" if len(context.seen) > 1 else "None"
    number = WORD.format(start=arc.start, end=arc.end) if arc else PATH.format(way=way, other=other)
    there = bool(arc or context.view.paths[way].edges)
    return Repeat(
        matrix=f"""from core import load_model
from core.derivation.segmentation import derive_path, derive_word
from core.text import own_words
from core.text.dictionary import dictionary_for
from core.views.segmentation import segmentation_view

everyone = dictionary_for({context.text!r})
words = everyone.changed(own_words.weighed(own_words.read_words({context.words!r})[0], everyone))
tokenizer = load_model({able("cut words")!r}).tokenizer
view = segmentation_view({context.text!r}, words, tokenizer, {context.hmm}, {context.mode!r})
matrix = [[edge.start, edge.end, edge.frequency, edge.log_probability] for edge in view.edges]""",
        followed=followed(context) if there else None,
        number=f"made = {number}" if there else "",
        columns=("start", "end", "frequency", "log_probability"),
    )
