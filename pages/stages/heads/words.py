"""The sentences: what the lead says, what to notice, the thing to try. Nothing about the veiled row."""

import numpy as np

from core.derivation import Cell
from core.figures.heads import end_of
from core.model.places import attention_at
from core.text.token import named
from pages.shared.number.number_links import measured
from pages.shared.page.parts import Place, say
from pages.stages.heads.context import KEPT, StageContext, opening_head
from pages.stages.heads.picture import change_said, known_heads

MOST = 4  # changes that are named
DOES = 0.5  # of the weight: from here on a head does what a measure says


def write(lead: Place, said: Place, context: StageContext) -> None:
    """Into places made before: these sentences follow the selection."""
    say(context, lead, said, lead_of(context), notices(context))


def asked(context: StageContext) -> dict[str, object]:
    """How many of the heads agree; or that none does."""
    question = context.question
    if question is None or "by" not in question.facts:
        return {}
    facts = {name: question.facts[name] for name in ("by", "token", "most", "heads", "layer")}
    by, heads = facts["by"], facts["heads"]
    key = "agree_all" if by == heads else "alone" if by == 1 else "agree"
    return {"agree": context.t(f"predict.different.{key}", **facts)}


def lead_of(context: StageContext) -> tuple[str, dict[str, object]]:
    heads, q = context.heads, context.cell[0]
    if context.edits:
        changes = context.t("whatif.and").join(change_said(context, edit.id) for edit in context.edits[:MOST])
        changes += " …" * (len(context.edits) > MOST)
        return "lead_changed", {"changes": changes}
    names: dict[str, object] = {"layer": context.layer, "heads": heads.heads, "all": heads.layers * heads.heads}
    names["share"] = heads.heads // (context.page.model.config.groups or heads.heads)
    names["reading"] = context.t(f"reading.{'cross' if context.kind == 'cross' else 'self'}")
    if context.veil and context.question:
        layer, _ = opening_head(context.page)
        stack = context.t(f"stack.{attention_at(context.kind, 0).stack}")
        return "lead_open", {**names, "layer": layer, "layers": heads.layers, "stack": stack}
    weights = context.attention().weights[:, q] if heads.weights is None else heads.weights[context.layer - 1, :, q]
    best = weights.argmax(-1)  # head
    count = np.bincount(best, minlength=len(heads.keys))
    names |= {"token": named(heads.tokens, q), "count": int((count > 0).sum()), "by": int(count.max())}
    most, own = int(count.argmax()), int(best[context.head - 1])
    names |= {"most": named(heads.key_tokens, most), "head": context.head, "weight": context.at("weights", q, own)}
    if names["count"] == 1:
        return "lead_alike", names
    key = "lead_apart" if names["by"] == 1 else "lead_among" if own == most else "lead"
    return key, {**names, "own": named(heads.key_tokens, own)}


def notices(context: StageContext) -> list[str]:
    said = [*found(context, ("previous", "next", "same", "first", "last"))[:2], *least_even(context)]
    return [
        *too_long(context),
        several(context),
        *known_said(context),
        *said,
        *([context.t.html("notice.names")] if known_heads(context) else []),
        context.t.html("notice.weight"),
    ]


def several(context: StageContext) -> str:
    """What several heads are good for, and what they cost."""
    config = context.page.model.config
    facts = {"d": config.d_model, "one": config.d_model // config.heads, "share": config.heads // (config.groups or 1)}
    return context.t.html("notice.several", **facts)


def too_long(context: StageContext) -> list[str]:
    """What a long text goes without."""
    heads = context.heads
    n = max(len(heads.queries), len(heads.keys))
    return [context.t.html("notice.long", n=n, limit=KEPT)] if heads.weights is None else []


def found(context: StageContext, measures: tuple[str, ...]) -> list[str]:
    """Of each measure the head that leads, if it does this with most of its weight here."""
    heads, t = context.heads, context.t
    said = []
    for name in measures:
        if name not in heads.measures or heads.chance[name] >= DOES:  # where uniform weights would do it, too
            continue
        layer, head = heads.ranked(name)[0]
        value = habit_of(context, name, layer, head)
        key = "notice.found" if value >= DOES else "notice.none"
        facts = {"layer": layer + 1, "head": head + 1, "value": value, "chance": heads.chance[name]}
        facts["among"] = among(context)
        measure = t(f"measures.{name}", token=end_of(context.heads, name))
        said.append((value >= DOES, t.html(key, measure=measure, **facts)))
    return [sentence for does, sentence in sorted(said, key=lambda one: not one[0])]


def among(context: StageContext) -> str:
    """Which heads were compared: those of the kind that is looked at, where the model has several."""
    return context.t(f"among.{context.kind if len(context.page.model.attentions) > 1 else 'whole'}")


def habit_of(context: StageContext, name: str, layer: int, head: int) -> float:
    """What a head does on average; it can be followed."""
    value = float(context.heads.measures[name][layer, head])
    return measured(context, value, f"does_{name}", whole_head(context.heads.kind, layer, head), given=context.given)


def whole_head(kind: str, layer: int, head: int) -> Cell:
    """All weights of a head, counted from 0."""
    return Cell(attention_at(kind, layer).tap("weights"), (head, None, None))


def least_even(context: StageContext) -> list[str]:
    """The most decided and the most even head of all."""
    heads = context.heads
    if "entropy" not in heads.measures or heads.layers * heads.heads < 2:
        return []
    ranked = heads.ranked("entropy")
    (a, b), (c, d) = ranked[0], ranked[-1]
    low, high = (habit_of(context, "entropy", *at) for at in (ranked[0], ranked[-1]))
    facts = {"sharp": f"{a + 1}.{b + 1}", "even": f"{c + 1}.{d + 1}", "among": among(context)}
    return [context.t.html("notice.even", low=low, high=high, **facts)]


def known_said(context: StageContext) -> list[str]:
    name = known_heads(context).get(f"{context.layer}.{context.head}")
    return [context.t.html("notice.known", layer=context.layer, head=context.head, name=name)] if name else []


def attempt(context: StageContext) -> tuple[str, dict[str, object]] | None:
    """Sorted by one measure, a head shows itself."""
    heads = context.heads
    measure = next((name for name in ("previous", "last", "entropy") if name in heads.measures), None)
    if measure is None:
        return None
    layer, head = heads.ranked(measure)[0]
    patch = {"sort": measure, "layer": layer + 1, "head": head + 1, "also": "alone", "pin": "none"}
    words = context.t("notice.try", measure=context.t(f"measures.{measure}", token=end_of(context.heads, measure)))
    row, column = thickest(context, layer + 1, head + 1)
    return words, {**patch, "grid": None, "q": row, "k": column}


def thickest(context: StageContext, layer: int, head: int) -> tuple[int, int]:
    """The largest weight of a head, of the rows that may be seen."""
    weights = context.weights(layer, head).copy()
    weights[list(context.veil)] = -1
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    return int(row), int(column)
