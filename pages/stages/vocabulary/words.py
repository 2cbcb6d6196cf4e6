"""The sentences: what the lead says, what to notice, and what to try."""

from collections.abc import Mapping

from core.questions.vocabulary import name
from core.text.merging import SPECIALS, Candidate, Rule
from pages.shared.page.parts import Place, paragraphs
from pages.shared.words.texts import clip
from pages.stages.vocabulary.context import EXAMPLES, PRESETS, StageContext, fresh

NAME = 24


def lead(context: StageContext) -> tuple[str, Mapping[str, object]]:
    """Of score and frequency, whichever is chosen: their first merges; of frequency with the pieces in the picture."""
    score, often = context.trained("score", "first"), context.trained(often_rule(context), "first")
    if not score.merges:
        return "lead_nothing", {}
    if context.veiled:
        letters = context.trained(context.rule, "first").alphabet
        return "lead_open", {"words": len(score.words), "marks": marks(context, *letters)}
    best, most = score.merges[0].candidates[0], often.merges[0].candidates[0]
    facts: dict[str, object] = {
        "best": whole(best),
        "score": best.score,
        "often": whole(most),
        "times": most.frequency,
        "marks": marks(context, whole(most)),
        "best_marks": "" if marks(context, whole(most)) else marks(context, whole(best)),
    }
    if context.rule == "bpe":  # whose pieces have no score
        return ("lead_bpe_tied" if often.merges[0].tied > 1 else "lead_bpe"), {
            **facts,
            "often_tied": often.merges[0].tied,
        }
    tied = {"best": score.merges[0].tied, "often": often.merges[0].tied}
    if several := [name for name, count in tied.items() if count > 1]:
        key = "_".join(["lead_tied", *(["same"] if best[:2] == most[:2] and several == [*tied] else several)])
        return key, {**facts, **{f"{name}_tied": tied[name] for name in several}}
    return ("lead_same" if best[:2] == most[:2] else "lead"), facts


def marks(context: StageContext, *pieces: str) -> str:
    """What ## says, where one of the pieces has it."""
    return context.t("marks") if any("##" in piece for piece in pieces) else ""


def whole(candidate: Candidate) -> str:
    """Its name, which no line breaks: not at the space, nor behind ##."""
    return clip(name(candidate), NAME).replace(" ", "\u00a0").replace("##", "##\u2060")


def often_rule(context: StageContext) -> Rule:
    """The rule that chooses by frequency. BPE has other pieces than WordPiece, so another pair may be most frequent."""
    return "bpe" if context.rule == "bpe" else "frequency"


def to_try(context: StageContext) -> tuple[str, Mapping[str, object]]:
    guess = context.page.address["guess"]
    example = EXAMPLES[context.t.language]
    if context.text == example:
        return context.t("try"), {**fresh(guess, PRESETS[-1]), "rule": "frequency"}
    return context.t("try_back"), fresh(guess, example)


def write(_: Place, noticed: Place, context: StageContext) -> None:
    """Into the place made before: what to notice turns with the rule."""
    noticed.html(paragraphs(notices(context)))


def notices(context: StageContext) -> list[str]:
    t, training = context.t, context.training
    said = [t.html("notice.rule_" + context.rule)]
    if training.merges and not context.veiled:
        said.append(t.html("notice.size", **sizes(context)))
        if ties := [i for i, merge in enumerate(training.merges, 1) if merge.tied > 1]:
            tied = training.merges[ties[0] - 1].tied
            said.append(t.html(f"notice.ties_{context.ties}", step=ties[0], tied=tied, count=len(ties)))
    if any(len(word) > 1 and "\u3400" <= word[0] <= "\u9fff" for word in training.words):
        said.append(t.html("notice.han"))
    return said


def sizes(context: StageContext) -> dict[str, object]:
    training = context.training
    return {
        "specials": len(SPECIALS),
        "letters": len(training.alphabet),
        "merges": sum(merge.new for merge in training.merges),
        "size": len(training.vocabulary),
    }
