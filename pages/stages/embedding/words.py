"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

import numpy as np

from core.counting import few
from core.derivation import Weight
from core.derivation.flow import TABLE
from core.views.embedding import EmbeddingView
from core.views.meaning import any_two, next_to, space
from pages.shared.number.number_links import measured
from pages.shared.page.notes import UNKNOWN
from pages.shared.server import cached
from pages.stages.embedding.context import StageContext, view_of


def lead(context: StageContext) -> tuple[str, dict[str, object]]:
    view, token = context.view, context.opening
    facts = {"vocab": f"{view.vocab:,}", "d_model": view.d_model, "id": view.ids[token]}
    return "lead_open" if context.veiled else "lead", {**facts, "token": context.page.name(token)}


def asked(context: StageContext) -> dict[str, object]:
    """The places in which a token stands, listed as the page's language lists."""
    question = context.question
    if question is None or "places" not in question.facts:
        return {}
    return {"places": context.t("comma").join(few(context.view.places(question.row)))}


def notices(context: StageContext) -> list[str]:
    """Of this sentence's rows."""
    view, t = context.view, context.t
    said = [one_hot(context)] if context.veiled else [context_free(context), one_hot(context), *alike(context)]
    said += [] if context.veiled else [t.html("notice.alone")]
    said.extend(t.if_said("differs", rows=f"{view.vocab:,}", d_model=view.d_model))
    return said


def context_free(context: StageContext) -> str:
    view, t, at = context.view, context.t, context.opening
    id, places = view.ids[at], view.places(at)
    facts = {"token": view.tokens[at], "id": id, "d_model": view.d_model, "places": t("comma").join(few(places))}
    if len(places) == 1:
        return t.html("notice.context_free", **facts)
    typed = any(view.special[i] for i in places)  # a [UNK] that somebody wrote stands for nothing else
    key = "notice.unknown" if id == context.page.model.tokenizer.unk_id and not typed else "notice.same"
    return t.html(key, difference=max(view.apart(at, i) for i in places), **facts)


@cached.shared
def by_one_hot(name: str, text: str, id: int) -> np.ndarray:
    return view_of(name, text).by_one_hot(id)


def one_hot(context: StageContext) -> str:
    """The product with the one-hot vector, made in full for the row the page opens on."""
    view, id = context.view, context.view.ids[context.opening]
    product = by_one_hot(*context.key, id)
    return context.t.html(
        "notice.one_hot",
        token=context.page.name(context.opening),
        id=id,
        d_model=view.d_model,
        vocab=f"{view.vocab:,}",
        products=f"{view.vocab * view.d_model:,}",
        zeros=f"{(view.vocab - 1) * view.d_model:,}",
        difference=float(np.abs(product - view.table[id]).max()),
    )


# ---- two words of this sentence


def alike(context: StageContext) -> list[str]:
    """The two words whose rows are most alike, beside the two whose ids are nearest."""
    found = most_alike_and_nearest(*context.key)
    if found is None:
        return []
    most, near, usual = found
    facts = {**pair_facts(context, "", *most), **pair_facts(context, "near_", *near)}
    view = context.view
    beside, of_any = of_table(context.page.address.model)
    if id_gap(view, *near) == id_gap(view, *most) and beside < view.cosine[most]:
        return [context.t.html("notice.alike_both", next_to=beside, any=of_any, **facts)]
    apart = id_gap(view, *near) < id_gap(view, *most) and view.cosine[near] < usual
    return [context.t.html("notice.alike" if apart else "notice.alike_too", **facts)]


@cached.shared
def most_alike_and_nearest(name: str, text: str) -> tuple[tuple[int, int], tuple[int, int], float] | None:
    """The two pairs, and the median cosine of all."""
    view = view_of(name, text)
    words = [i for i, special in enumerate(view.special) if not special and view.tokens[i] != UNKNOWN]
    different = [(a, b) for a in words for b in words if a < b and view.ids[a] != view.ids[b]]
    if len({view.ids[i] for i in words}) < 3:  # of one pair alone there is no most similar
        return None
    most = max(different, key=lambda pair: view.cosine[pair])
    nearest = min(different, key=lambda pair: (id_gap(view, *pair), view.cosine[pair]))  # of several, that most unlike
    return most, nearest, float(np.median([view.cosine[pair] for pair in different]))


@cached.shared
def of_table(name: str) -> tuple[float, float]:
    """The mean cosine of two rows with neighbouring ids, and of any two."""
    rows = space(cached.model(name))
    return next_to(rows), any_two(rows)[0]


def id_gap(view: EmbeddingView, a: int, b: int) -> int:
    return abs(view.ids[a] - view.ids[b])


def pair_facts(context: StageContext, prefix: str, a: int, b: int) -> dict[str, object]:
    rows = (Weight(TABLE, (context.view.ids[i], None)) for i in (a, b))
    gap, cosine = (
        f"{id_gap(context.view, a, b):,}",
        measured(context, float(context.view.cosine[a, b]), "cosine", *rows),
    )
    facts = {"a": context.page.name(a), "b": context.page.name(b), "cosine": cosine, "gap": gap}
    return {prefix + name: value for name, value in facts.items()}


# ---- the thing to try


def attempt(context: StageContext) -> tuple[str, dict[str, object]] | None:
    """Two of its tokens as one-hot vectors, where it has two that differ."""
    a, b = context.opening, another(context)
    if a == b:
        return None
    names = {"a": context.page.name(a), "b": context.page.name(b)}
    return context.t("notice.try_pair", **names), {"pair": "onehot", "pos": a, "k": b, "row": None}


def another(context: StageContext) -> int:
    """A token that fetches another row than the one the page opens on: the first word, if there is one."""
    view = context.view
    rest = [i for i, id in enumerate(context.fetched) if id not in (None, view.ids[context.opening])]
    return min(rest, key=lambda i: (view.special[i] or not view.tokens[i].isalnum(), i), default=context.opening)
