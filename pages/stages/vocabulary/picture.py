"""What the picture is given, and the controls above it."""

from dataclasses import fields

from core.figures.controls import Control, Controls
from core.figures.merges import Made, Merges, MergesWords, Pair
from core.text.merging import RULES, SPECIALS, TIES, Candidate, Merge, Rule
from core.views.vocabulary import MOST
from pages.shared.words.numbers import short
from pages.stages.vocabulary.context import StageContext

WORDS = 200  # that are shown


def merges(context: StageContext) -> Merges:
    training, t = context.training, context.t
    given = {field.name: t(f"merges.{field.name}") for field in fields(MergesWords) if field.name != "value"}
    return Merges(
        counts=list(training.words.items())[:WORDS],
        hidden=max(0, len(training.words) - WORDS),
        marked=context.rule != "bpe",
        specials=len(SPECIALS),
        alphabet=training.alphabet,
        steps=[] if context.veiled else [made(merge, context.rule) for merge in training.merges],
        most=MOST,
        veiled=context.veiled,
        begins=context.asked.row == 0,
        key={"rule": context.rule, "ties": context.ties},
        words=MergesWords(**given, value=t("merges.value") if context.rule == "score" else ""),
    )


def made(merge: Merge, rule: Rule) -> Made:
    pairs = [Pair(*candidate, valued(candidate, rule)) for candidate in merge.candidates]
    return Made(merge.left, merge.right, merge.made, int(merge.new), merge.count, merge.tied, pairs)


def valued(candidate: Candidate, rule: Rule) -> str:
    return short(candidate.score) if rule == "score" else str(candidate.frequency)


def controls(context: StageContext) -> Controls:
    t = context.t
    kept = {"pair": None}
    return Controls(
        [
            Control("rule", t("rule"), [(rule, t(f"rules.{rule}")) for rule in RULES], first="score", also=kept),
            Control("ties", t("ties"), [(ties, t(f"tie.{ties}")) for ties in TIES], first="first", also=kept),
        ]
    )
