"""The sentences: what the lead says, what to notice, and what to try."""

from collections.abc import Mapping

from core.questions.vocabulary import name
from core.text.merging import SPECIALS
from pages.shared.page.parts import Place, paragraphs
from pages.shared.words.texts import clip
from pages.stages.vocabulary.look import EXAMPLE, PRESETS, Look, fresh

NAME = 24


def lead(look: Look) -> tuple[str, Mapping[str, object]]:
    """Of both rules, whichever is chosen: their first merges."""
    score, often = look.trained("score", "first"), look.trained("frequency", "first")
    if not score.merges:
        return "lead_nothing", {}
    if look.veiled:
        return "lead_open", {"words": len(score.words), "letters": len(score.alphabet)}
    best, most = score.merges[0].candidates[0], often.merges[0].candidates[0]
    facts: dict[str, object] = {
        "best": clip(name(best), NAME),
        "score": best.score,
        "often": clip(name(most), NAME),
        "times": most.frequency,
    }
    if max(tied := (score.merges[0].tied, often.merges[0].tied)) > 1:
        return "lead_tied", {**facts, "best_tied": tied[0], "often_tied": tied[1]}
    return ("lead_same" if best[:2] == most[:2] else "lead"), facts


def to_try(look: Look) -> tuple[str, Mapping[str, object]]:
    guess = look.page.address["guess"]
    if look.text == EXAMPLE:
        return look.t("try"), {**fresh(guess, PRESETS[3]), "rule": "frequency"}
    return look.t("try_back"), fresh(guess, EXAMPLE)


def write(_: Place, noticed: Place, look: Look) -> None:
    """Into the place made before: what to notice turns with the rule."""
    noticed.html(paragraphs(notices(look)))


def notices(look: Look) -> list[str]:
    t, training = look.t, look.training
    said = [t.html("notice.rule_" + look.rule)]
    if training.merges and not look.veiled:
        said.append(t.html("notice.size", **sizes(look)))
        if ties := [i for i, merge in enumerate(training.merges, 1) if merge.tied > 1]:
            tied = training.merges[ties[0] - 1].tied
            said.append(t.html(f"notice.ties_{look.ties}", step=ties[0], tied=tied, count=len(ties)))
    if any(len(word) > 1 and "\u3400" <= word[0] <= "\u9fff" for word in training.words):
        said.append(t.html("notice.han"))
    return said


def sizes(look: Look) -> dict[str, object]:
    training = look.training
    return {
        "specials": len(SPECIALS),
        "letters": len(training.alphabet),
        "merges": sum(merge.new for merge in training.merges),
        "size": len(training.vocabulary),
    }
