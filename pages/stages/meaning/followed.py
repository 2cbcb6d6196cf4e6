"""The cosine that is followed."""

from core.derivation.meaning import derive_cosine
from core.figures.followed import Followed
from pages.shared.follow import headed, hidden, lines
from pages.stages.meaning.look import Look


def followed(look: Look) -> Followed:
    t = look.t
    if look.hidden:
        return hidden(t, "veiled", "")
    derivation = derive_cosine(look.word, look.other)
    names = {"a": look.of, "b": look.other.text}
    steps = lines(t, derivation, **names, d_model=look.page.model.config.d_model)
    return headed(t, f"{look.of}/{look.to}", t("follow_where", **names), derivation, steps)
