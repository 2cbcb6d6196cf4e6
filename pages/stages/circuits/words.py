"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

from pages.shared.page.parts import Place, say
from pages.stages.circuits.look import Look

FIRST = 0.5  # of its weight: from here on a head is said to rest on the first token


def write(lead: Place, said: Place, look: Look) -> None:
    """Into places made before: these sentences follow the words that are asked about."""
    say(look, lead, said, lead_of(look), [] if look.veiled else notices(look))


def lead_of(look: Look) -> tuple[str, dict[str, object]]:
    view, found = look.view, look.view.found
    facts: dict[str, object] = {
        "prompt": look.prompt,
        "word": look.word,
        "total": look.total,
        "all": len(found.parts),
        "heads": view.layers * view.heads,
        "layers": view.layers,
    }
    if look.against is not None:
        return "lead_gap", {**facts, "against": look.against}
    best = int(view.best[0])
    if found.word != best:
        return "lead_other", {**facts, "best": look.say(best)}
    return "lead", {**facts, "share": look.likely(best, float(view.probabilities[0]))}


def asked(look: Look) -> dict[str, object]:
    """The numbers that the question's answer names."""
    if look.question is None:
        return {}
    first, head = look.first, look.view.first_head
    part = look.view.found.parts[head]
    key = int(look.view.looks(part).argmax())
    return {
        "head": look.name(part),
        "weight": look.weight(part, key),
        "token": look.token_name(key),
        "added": look.added(head),
        "first": look.name(look.view.found.parts[first]),
        "most": look.added(first),
        "word": look.word,
    }


def notices(look: Look) -> list[str]:
    return [*by_kind(look), *the_head(look), look.t.html("notice.held", difference=difference(look))]


def difference(look: Look) -> float:
    return abs(look.view.found.total - look.view.found.captured)


def by_kind(look: Look) -> list[str]:
    """What all heads add together, and all networks."""
    heads, networks = look.together("head"), look.together("feedforward")
    most = max(heads, networks)
    key = "neither" if most <= 0 else "networks" if networks == most else "heads"
    return [look.t.html(f"notice.{key}", heads=heads, networks=networks, word=look.word)]


def the_head(look: Look) -> list[str]:
    """The head that adds most: where it looks; and whether it only rests on the first token."""
    part = look.view.found.parts[look.view.first_head]
    weights = look.view.looks(part)
    key = int(weights.argmax())
    facts = {
        "head": look.name(part),
        "added": look.added(look.view.first_head),
        "token": look.token_name(key),
        "weight": look.weight(part, key),
        "word": look.word,
    }
    rests = key == 0 and len(weights) > 1 and weights[0] >= FIRST
    return [look.t.html("notice.rests" if rests else "notice.looks", **facts)]


def attempt(look: Look) -> tuple[str, dict[str, object]] | None:
    """Against a second word; without it again."""
    if look.against is not None:
        return look.t("notice.try_alone", word=look.word), {"against": None, "layer": None, "part": None}
    other = second(look)
    words = look.t("notice.try_against", against=look.say(other), word=look.word)
    return words, {"against": look.written(other), "layer": None, "part": None}


def second(look: Look) -> int:
    """The model's own second word for its example; else the likeliest other."""
    own, found = look.example_against, look.view.found
    return own if own not in (None, found.word) else next(id for id in look.view.best.tolist() if id != found.word)
