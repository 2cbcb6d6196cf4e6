"""The sentences: what the lead says, what to notice, the thing to try. Nothing about the veiled row."""

import numpy as np

from core.derivation import Cell
from core.model.places import attention_at
from core.text.token import named
from pages.shared.number.number_links import measured
from pages.shared.page.parts import Place, say
from pages.stages.heads.look import KEPT, Look, opening_head
from pages.stages.heads.picture import change_said, end_of, known_heads

DOES = 0.5  # of the weight: from here on a head does what a measure says


def write(lead: Place, said: Place, look: Look) -> None:
    """Into places made before: these sentences follow the selection."""
    say(look, lead, said, lead_of(look), notices(look))


def lead_of(look: Look) -> tuple[str, dict[str, object]]:
    heads, q = look.heads, look.cell[0]
    if look.edits:
        changes = look.t("whatif.and").join(change_said(look, edit.id) for edit in look.edits[:4])
        return "lead_changed", {"changes": changes}
    names: dict[str, object] = {"layer": look.layer, "heads": heads.heads, "all": heads.layers * heads.heads}
    if look.veil and look.question:
        layer, _ = opening_head(look.page)
        return "lead_open", {**names, "layer": layer, "layers": heads.layers}
    weights = look.attention().weights[:, q] if heads.weights is None else heads.weights[look.layer - 1, :, q]
    best = weights.argmax(-1)  # head
    count = np.bincount(best, minlength=len(heads.keys))
    names |= {"token": named(heads.tokens, q), "count": int((count > 0).sum()), "by": int(count.max())}
    most, own = int(count.argmax()), int(best[look.head - 1])
    names |= {"most": named(heads.key_tokens, most), "head": look.head, "weight": look.at("weights", q, own)}
    if names["count"] == 1:
        return "lead_alike", names
    return "lead_apart" if names["by"] == 1 else "lead", {**names, "own": named(heads.key_tokens, own)}


def notices(look: Look) -> list[str]:
    said = [*found(look, ("previous", "next", "same", "first", "last"))[:2], *least_even(look)]
    return [*too_long(look), *known_said(look), *said, look.t.html("notice.names"), look.t.html("notice.weight")]


def too_long(look: Look) -> list[str]:
    """What a long text goes without."""
    heads = look.heads
    n = max(len(heads.queries), len(heads.keys))
    return [look.t.html("notice.long", n=n, limit=KEPT)] if heads.weights is None else []


def found(look: Look, measures: tuple[str, ...]) -> list[str]:
    """Of each measure the head that leads, if it does this with most of its weight here."""
    heads, t = look.heads, look.t
    said = []
    for name in measures:
        if name not in heads.measures:
            continue
        layer, head = heads.ranked(name)[0]
        value = habit_of(look, name, layer, head)
        key = "notice.found" if value >= DOES else "notice.none"
        facts = {"layer": layer + 1, "head": head + 1, "value": value, "chance": heads.chance[name]}
        measure = t(f"measures.{name}", token=end_of(look, name))
        said.append((value >= DOES, t.html(key, measure=measure, **facts)))
    return [sentence for does, sentence in sorted(said, key=lambda one: not one[0])]


def habit_of(look: Look, name: str, layer: int, head: int) -> float:
    """What a head does on average; it can be followed."""
    value = float(look.heads.measures[name][layer, head])
    return measured(look, value, f"does_{name}", whole_head(look.heads.kind, layer, head), given=look.given)


def whole_head(kind: str, layer: int, head: int) -> Cell:
    """All weights of a head, counted from 0."""
    return Cell(attention_at(kind, layer).tap("weights"), (head, None, None))


def least_even(look: Look) -> list[str]:
    """The most decided and the most even head of all."""
    heads = look.heads
    if "entropy" not in heads.measures or heads.layers * heads.heads < 2:
        return []
    ranked = heads.ranked("entropy")
    (a, b), (c, d) = ranked[0], ranked[-1]
    low, high = (habit_of(look, "entropy", *at) for at in (ranked[0], ranked[-1]))
    return [look.t.html("notice.even", low=low, high=high, sharp=f"{a + 1}.{b + 1}", even=f"{c + 1}.{d + 1}")]


def known_said(look: Look) -> list[str]:
    name = known_heads(look).get(f"{look.layer}.{look.head}")
    return [look.t.html("notice.known", layer=look.layer, head=look.head, name=name)] if name else []


def attempt(look: Look) -> tuple[str, dict[str, object]] | None:
    """Sorted by one measure, a head shows itself."""
    heads = look.heads
    measure = next((name for name in ("previous", "last", "entropy") if name in heads.measures), None)
    if measure is None:
        return None
    layer, head = heads.ranked(measure)[0]
    patch = {"sort": measure, "layer": layer + 1, "head": head + 1, "also": "alone", "pin": "none"}
    words = look.t("notice.try", measure=look.t(f"measures.{measure}", token=end_of(look, measure)))
    row, column = thickest(look, layer + 1, head + 1)
    return words, {**patch, "grid": None, "q": row, "k": column}


def thickest(look: Look, layer: int, head: int) -> tuple[int, int]:
    """The largest weight of a head, of the rows that may be seen."""
    weights = look.weights(layer, head).copy()
    weights[list(look.veil)] = -1
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    return int(row), int(column)
