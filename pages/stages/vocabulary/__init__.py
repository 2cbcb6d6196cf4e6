"""Vocabulary: where the pieces come from. A vocabulary trained on the visitor's own text, merge by merge."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.questions import Question, some
from core.questions.vocabulary import each, rule_of, tells_of
from core.text.merging import KEPT, RULES, TIES
from core.text.token import Token
from core.views.vocabulary import MOST, VocabularyView
from pages.shared.address.address import Repair, choice, whole
from pages.shared.address.address import words as text
from pages.shared.body import Body, Panel, shows
from pages.shared.page.drawing import asked_of
from pages.shared.page.stage import PageContext, Section, Stage
from pages.shared.server import cached
from pages.stages.vocabulary import long_text, on_any_text, origin, three_algorithms, tie_breaks, words
from pages.stages.vocabulary.context import LONGEST, LONGEST_TRY, StageContext, opens_on, view_of
from pages.stages.vocabulary.followed import followed
from pages.stages.vocabulary.opened import opened
from pages.stages.vocabulary.picture import controls, merges
from pages.stages.vocabulary.text_box import box

SHOWN = 60  # words in the strip
OPENED_BY = ("step", "pair")


def settle(page: PageContext) -> None:
    """What cannot be taken of a text that is not the visitor's sentence."""
    page.address.repairs += repairs(page.address.raw.get("sample", opens_on(page)))


def repairs(sample: str) -> list[Repair]:
    said = []
    if len(sample) > LONGEST:
        said.append(Repair("sample_cut", {"limit": LONGEST, "length": len(sample)}))
    if not sample[:LONGEST].strip():
        said.append(Repair("sample_empty"))
    return said


def which(page: PageContext):
    sample = text(LONGEST, opens_on(page))
    asked = asked_of(page.address, questions_of(page.address.read({"sample": sample})["sample"]), OPENED_BY)
    return {
        "sample": sample,
        "rule": choice(*RULES, default=rule_of(asked.question) if asked.question else "score"),
        "ties": choice(*TIES, default="first"),
    }


def view(page: PageContext, chosen) -> VocabularyView:
    return view_of(chosen["sample"], chosen["rule"], chosen["ties"])


def questions(page: PageContext, view: VocabularyView) -> Sequence[Question]:
    return questions_of(view.text)


@cached.shared
def questions_of(text: str) -> Sequence[Question]:
    return some(asked(text))


def asked(text: str) -> Iterator[Question]:
    return each(view_of(text, "score").training, view_of(text, "frequency").training)


def parameters(page: PageContext, view: VocabularyView, asked):
    told = tells_of(asked.question, view.training) if asked.question else None
    return {
        "step": replace(whole(0, MOST * 2, told or 0, ends="sentence"), usual=True),
        "pair": whole(0, KEPT - 1, 0, ends="sentence"),
    }


def shown(context: StageContext) -> tuple[Token, ...]:
    words = list(context.training.words.items())[:SHOWN]
    return tuple(Token(f"{word}×{n}" if n > 1 else word, i, 0, 0, False, 0, i) for i, (word, n) in enumerate(words))


BODY = Body(
    Panel(
        shows("merges", merges, of=()),
        followed,
        (2.3, 1),
        "medium",
        above=shows("controls", controls),
        says=words.write,
    ),
    opened,
    resets=("step", "pair"),
    lead=words.lead,
    try_this=words.to_try,
    waits=True,
)


STAGE = Stage(
    "vocabulary",
    BODY,
    context=StageContext,
    settle=settle,
    which=which,
    view=view,
    questions=questions,
    parameters=parameters,
    opened_by=OPENED_BY,
    sections={
        "three": Section(three_algorithms.draw),
        "ties": Section(tie_breaks.draw, redraws=("rule",)),
        "use": Section(
            on_any_text.draw,
            lambda page, view: {"try": text(LONGEST_TRY, None)},
            redraws=("rule", "ties", "step", "try"),
        ),
        "long": long_text.SECTION_OF,
        "origin": Section(origin.draw),
    },
    recap={"merge": {}, "rule": {"section": "three"}, "use": {"section": "use"}},
    redraws={"page": ("sample",), "picture": ("rule", "ties")},
    shown=shown,
    box=box,
    keeps=True,
)
