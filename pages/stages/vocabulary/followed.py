"""What is followed: a candidate's score or frequency, counted in the words as they are split at this step."""

from collections.abc import Mapping

from core.derivation.steps import Step
from core.derivation.vocabulary import derive_candidate
from core.figures.followed import Followed, Line
from core.text.merging import Rule, Ties
from pages.shared.number import follow
from pages.shared.server import cached
from pages.shared.words.numbers import exact, short
from pages.shared.words.texts import Texts, clip
from pages.stages.vocabulary.look import Look, view_of

NAME = 16  # characters of a piece or a word in a line


@cached.shared
def splits_at(text: str, rule: Rule, ties: Ties, step: int) -> Mapping[str, list[str]]:
    return view_of(text, rule, ties).training.splits(step)


def followed(look: Look) -> Followed:
    t, candidate = look.t, look.candidate
    id = f"{look.rule}/{look.ties}/{look.step}/{look.values['pair']}"
    if look.veiled:
        return follow.hidden(t, id, "")
    if candidate is None:
        return Followed(id, t("follow"), "", "–", note=t("nothing_to_follow"))
    training, step = look.training, look.next
    splits = splits_at(look.text, look.rule, look.ties, step)
    derived = derive_candidate(candidate, splits, training.words, look.rule)
    names = {"left": clip(candidate.left, NAME), "right": clip(candidate.right, NAME)}
    lines = [line(t, one, names) for one in derived.steps]
    check = t("recounted", difference=short(abs(derived.difference)))
    lines[-1] = Line(**{**vars(lines[-1]), "check": check})
    where = t("where_step", step=step + 1)
    return Followed(id, t("follow_pair", **names), where, str(lines[-1].value), exact(derived.value), lines)


def written(step: Step) -> str:
    """A count as it is, a score short."""
    return short(step.value) if step.id == "score" else f"{int(step.value):,}"


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
