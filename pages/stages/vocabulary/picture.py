"""What the picture is given, and the controls above it."""

from dataclasses import fields
from math import floor, log10

from core.figures.controls import Control, Controls, More
from core.figures.merges import Made, Merges, MergesWords, Pair
from core.questions.vocabulary import name
from core.text.merging import RULES, SPECIALS, TIES, Candidate, Merge, Rule
from core.views.vocabulary import MOST
from pages.shared.words.numbers import PROSE, fixed, short
from pages.stages.vocabulary.context import StageContext

LEAST = 1e-4  # a smaller score is written with a power of ten
WORDS = 200  # that are shown


def merges(context: StageContext) -> Merges:
    training, t = context.training, context.t
    steps = training.merges[: context.step] if context.veiled else training.merges
    given = {field.name: t(f"merges.{field.name}") for field in fields(MergesWords) if field.name != "value"}
    other = "elsewhere_ties" if context.judged == context.rule else "elsewhere"
    given |= {} if context.asks else {"open": t(f"merges.{other}")}
    return Merges(
        counts=list(training.words.items())[:WORDS],
        hidden=max(0, len(training.words) - WORDS),
        marked=context.rule != "bpe",
        specials=SPECIALS,
        alphabet=training.alphabet,
        steps=[made(merge, context.rule) for merge in steps],
        most=MOST,
        veiled=context.veiled,
        asks=context.asks,
        among=len(context.among),
        pairs=[veiled(candidate, context.judged) for candidate in context.open_pairs],
        asked=context.asked_pairs,
        followed=name(context.example) if context.example else "",
        key={"rule": context.rule, "ties": context.ties},
        words=MergesWords(**given, value=t("merges.value") if context.judged == "score" else ""),
    )


def veiled(candidate: Candidate, rule: Rule) -> Pair:
    """A pair without what the rule judges it by."""
    shown = Pair(*candidate, None)
    return shown if rule == "score" else shown._replace(frequency=None)


def made(merge: Merge, rule: Rule) -> Made:
    best = merge.candidates[0].score if rule == "score" else 0
    pairs = [Pair(*candidate, valued(candidate, best)) for candidate in merge.candidates]
    return Made(merge.left, merge.right, merge.made, int(merge.new), merge.count, merge.tied, pairs)


def valued(candidate: Candidate, best: float) -> str:
    """By score: as many digits behind the point as the `best` one has in a sentence."""
    if not best:
        return str(candidate.frequency)
    behind = PROSE - 1 - floor(log10(best))
    return fixed(candidate.score, behind) if best >= LEAST else short(candidate.score, PROSE)


def controls(context: StageContext) -> Controls:
    t = context.t
    kept = {"pair": None}
    ties = [(id, t(f"tie.{id}")) for id in TIES]
    return Controls(
        [
            Control(
                "rule",
                t("rule"),
                [(rule, t(f"rules.{rule}")) for rule in RULES],
                first=context.page.address.table["rule"].default,
                also=kept,
            ),
        ],
        More(t("more"), [Control("ties", t("ties"), ties, first="first", also=kept, usual="first")]),
    )
