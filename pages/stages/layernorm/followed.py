"""The number being followed."""

from core.derivation.layernorm import derive
from core.figures.followed import Followed
from pages.shared.follow import headed, hidden, lines
from pages.stages.layernorm.look import Look


def followed(look: Look) -> Followed:
    t, dim, part, view, values = look.t, look.values["dim"], look.part, look.view, look.values
    id = "/".join(map(str, (values["norm"], look.row, dim, part, look.given, values["eps"], look.method)))
    where = t("follow_where", token=look.token, dim=dim, part=t(f"lanes.{part}"))
    if look.hides(look.given, part):
        return hidden(t, id, where)
    derivation = derive(view, look.ran, part, look.row, dim)
    names = {"token": look.token, "d_model": view.d_model, "n": len(view.tokens), **summand_words(look)}
    check = "recomputed" if look.as_captured else "ran_again"
    return headed(t, id, where, derivation, lines(t, derivation, check, **names))


def summand_words(look: Look) -> dict[str, str]:
    """What is added up before this norm, by the taps' names."""
    names = [look.t(f"summand.{tap.rsplit('.', 1)[1]}") for tap in look.view.summands]
    return {"names": " + ".join(names)}
