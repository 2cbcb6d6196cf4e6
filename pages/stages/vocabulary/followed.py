"""What is followed: a candidate's score or frequency, counted in the words as they are split at this step."""

from collections.abc import Mapping
from dataclasses import replace

from core.derivation.steps import Step
from core.derivation.vocabulary import derive_candidate
from core.figures.followed import Followed, Line
from core.text.merging import Rule, Ties
from pages.shared.number import follow
from pages.shared.server import cached
from pages.shared.words.numbers import PROSE, exact, short
from pages.shared.words.texts import Texts, clip
from pages.stages.vocabulary.context import StageContext, view_of

NAME = 16  # characters of a piece or a word in a line


@cached.shared
def splits_at(text: str, rule: Rule, ties: Ties, step: int) -> Mapping[str, list[str]]:
    return view_of(text, rule, ties).training.splits(step)


def followed(context: StageContext) -> Followed:
    t, candidate = context.t, context.example or context.candidate
    id = f"{context.rule}/{context.ties}/{context.step}/{context.values['pair']}"
    if context.veiled and not context.example:
        return follow.hidden(t, id, "", rule=f"follow_rule_{context.judged}")
    if candidate is None:
        return Followed(id, t("follow"), "", "–", note=t("nothing_to_follow"))
    step = context.step if context.example else context.next
    splits = splits_at(context.text, context.rule, context.ties, step)
    derived = derive_candidate(candidate, splits, context.training.words, context.judged)
    names = {"left": clip(candidate.left, NAME), "right": clip(candidate.right, NAME)}
    *lines, last = [line(t, one, names) for one in derived.steps]
    title, where = t("follow_pair", **names), t("where_step", step=step + 1)
    if context.example:  # what the rule judges by is not said, of any pair
        steps = [*lines, replace(last, value="?", exact="", reason="")]
        return Followed(id, title, where, "?", steps=steps, note=t("veiled_step"))
    check = t("recounted", difference=short(abs(derived.difference)))
    steps = [*lines, replace(last, check=check)]
    return Followed(id, title, where, str(last.value), exact(derived.value), steps)


def written(step: Step) -> str:
    """A count as it is, a score as the sentences and the table have it."""
    return short(step.value, PROSE) if step.id == "score" else f"{int(step.value):,}"


def line(t: Texts, step: Step, names: dict[str, str]) -> Line:
    parts = {name: f"{int(part):,}" for name, part in step.parts.items() if not isinstance(part, str)}
    operation = t(f"steps.{step.id}.operation", **{f"{name}_piece": piece for name, piece in names.items()}, **parts)
    terms = [
        t("steps.term", word=clip(str(step.parts[f"word{i}"]), NAME), count=int(term.left), times=int(term.right))
        for i, term in enumerate(step.largest)
    ]
    if step.rest:
        terms.append(t("steps.rest", rest=int(step.rest)))
    reason = t(f"steps.{step.id}.reason")
    return Line(operation, written(step), exact(step.value), lines=terms, reason=reason)
