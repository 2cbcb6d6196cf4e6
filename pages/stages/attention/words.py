"""The sentences: what the lead says, what to notice, the thing to try. Nothing about the veiled row."""

import numpy as np

from core.derivation import Cell
from core.named_heads import holds
from core.named_heads import rows as rows_about
from core.text.token import named
from pages.shared.number.number_links import two_largest
from pages.shared.page.parts import Place, say
from pages.shared.page.renderings import rendered
from pages.shared.server import cached
from pages.stages.attention.context import StageContext, opening_head, view_of


def write(lead: Place, said: Place, context: StageContext) -> None:
    """Into places made before: these sentences follow the selected row."""
    say(context, lead, said, *said_of(context.only("head", "show", "q")))


@cached.shared
def said_of(context: StageContext) -> tuple[tuple[str, dict[str, object]], list[str]]:
    return lead_of(context), notices(context)


def lead_of(context: StageContext) -> tuple[str, dict[str, object]]:
    view = context.view
    if not context.square:
        return "lead_wide", {"d_head": view.d_head}
    if context.veil and context.question:
        layer, head = opening_head(context.page)
        tokens = view_of(context.page, layer).tokens
        return "lead_open", {"layer": layer, "head": head, "token": named(tokens, context.question.row)}
    weights = view.weights[context.head - 1, context.values["q"]]
    best = int(weights.argmax())
    names = {"token": named(view.tokens, context.values["q"]), "best": named(view.key_tokens, best)}
    weight = context.at("weights", context.values["q"], best)
    alone = len(view.may_look(context.values["q"])) == 1
    key = "lead_alone" if alone else "lead_cross" if context.kind == "cross" else "lead"
    return key, {"layer": context.layer, "head": context.head, "weight": weight, **names}


def notices(context: StageContext) -> list[str]:
    t, view, row = context.t, context.view, context.values["q"]
    said = [*three_said(context), *head_said(context), *importance_said(context)]
    if context.kind == "cross" and row < len(context.page.translation.target_out):
        said.append(writing_said(context))
    if context.mixed and not (context.kind == "causal" and row == 0):  # the first sees only itself
        side = view.key_tokens if context.kind == "cross" else view.tokens
        key = "notice.mixed_cross" if context.kind == "cross" else "notice.mixed"
        at = int(view.most[context.head - 1, row]) if context.kind == "cross" and row not in context.veil else row
        said.append(t.html(key, token=named(side, at), layer=context.layer))
    return [*said, *t.if_said("differs", layers=context.page.model.config.layers)]


def writing_said(context: StageContext) -> str:
    """Which word the selected row writes, and whether it looks at the characters which that word renders."""
    view, row, known = context.view, context.values["q"], rendered(context.page.text)
    best = int(view.most[context.head - 1, row])
    names = {
        "given": named(view.tokens, row),
        "written": context.page.translation.target_out[row].text,
        "best": named(view.key_tokens, best),
    }
    own = known[row].source if row < len(known) else ()
    if not own:
        return context.t.html("notice.writing", **names)
    names["own"] = "".join(view.key_tokens[place] for place in own)
    return context.t.html("notice.writing_own" if best in own else "notice.writing_elsewhere", **names)


def three_said(context: StageContext) -> list[str]:
    """Why query and key are two maps: there and back, to whom the row looks most, are two scores."""
    view, q = context.view, context.values["q"]
    k = int(view.most[context.head - 1, q])
    if context.kind == "cross" or q == k or {q, k} & set(context.veil):
        return []
    names = {"token": named(view.tokens, q), "other": named(view.key_tokens, k)}
    hidden = view.weights[context.head - 1, k, q] == 0  # by the mask
    key = "notice.three_masked" if hidden else "notice.three"
    return [context.t.html(key, there=context.at("scores", q, k), back=context.at("scores", k, q), **names)]


def head_said(context: StageContext) -> list[str]:
    """What the selected head is known for, how far that holds for this sentence, and where it does not."""
    t, view, name = context.t, context.view, context.named_head
    if name is None:
        return []
    weights = view.weights[context.head - 1]
    rows = rows_about(name, view.queries)
    failing = [row for row in rows if not holds(name, view.queries, weights, row)]
    said = [t.html(f"head_is.{name}", head=context.head, name=t(f"heads.{name}"))]
    if not rows:
        return [t.together([*said, t.html("head_is.nowhere")])]
    said.append(t.html("head_is.here", held=len(rows) - len(failing), rows=len(rows)))
    if failing:
        row = max(failing, key=lambda row: float(weights[row].max()))
        best = int(weights[row].argmax())
        names = {"token": named(view.tokens, row), "best": named(view.key_tokens, best)}
        said.append(t.html("head_is.fails", weight=context.at("weights", row, best), **names))
    return [t.together(said)]


def importance_said(context: StageContext) -> list[str]:
    """What is looked at most is not always what is taken most."""
    view, h = context.view, context.head - 1
    i = looked_but_not_taken(context)
    if i is None:
        if context.veil or view.weights.shape[-1] == 1:  # of the veiled row, too, it would say something
            return []
        other = head_that_takes_elsewhere(context)
        return [context.t.html("notice.same" if other else "notice.same_all", head=other or 0, heads=view.heads)]
    weights, shares = view.weights[h, i], view.contribution(h)[i]
    looked, taken = int(weights.argmax()), int(shares.argmax())
    said = context.t.html(
        "notice.not_importance",
        token=named(view.tokens, i),
        looked=named(view.key_tokens, looked),
        weight=context.at("weights", i, looked),
        taken=named(view.key_tokens, taken),
        share=context.brings("share", float(shares[taken]), i, taken),
    )
    return [said]


def looked_but_not_taken(context: StageContext) -> int | None:
    """The row, if any, in which most clearly another token contributes most than the one looked at most."""
    return clearest_apart(context, context.head)


def clearest_apart(context: StageContext, head: int) -> int | None:
    view, h = context.view, head - 1
    apart = [int(i) for i in np.flatnonzero(view.most[h] != view.taken[h]) if i not in context.veil]
    return max(apart, key=lambda i: float(view.weights[h, i].max()), default=None)


def head_that_takes_elsewhere(context: StageContext) -> int | None:
    """The first head of this layer, counted from 1, in which some row does not take most from what it looks at most."""
    return next((head for head in range(1, context.view.heads + 1) if clearest_apart(context, head) is not None), None)


def attempt(context: StageContext) -> tuple[str, dict] | None:
    """One thing to try: what is looked at most is not always what is taken most."""
    t, view = context.t, context.view
    for head in dict.fromkeys((context.head, head_that_takes_elsewhere(context) or context.head)):
        if (row := clearest_apart(context, head)) is not None:
            cell = {"show": "contribution", "q": row, "k": int(view.taken[head - 1, row])}
            where = {} if head == context.head else {"head": head}
            key = "notice.try_head" if where else "notice.try"
            return t(key, token=named(view.tokens, row), head=head), {**where, **cell}
    if context.kind == "cross" or not context.page.translates:
        return None
    return t("notice.try_cross"), {"kind": "cross", "layer": 2, "show": "weights", "q": None, "k": None}


def asked(context: StageContext) -> dict[str, object]:
    """Which head the question is about, and what its answer says."""
    layer, head = opening_head(context.page)
    names: dict[str, object] = {"layer": layer, "head": head}
    if context.question is None:
        return names
    view, row = view_of(context.page, layer), context.question.row
    of = Cell(view.taps["weights"], (head - 1, row, None))
    return names | two_largest(context, view.weights[head - 1, row], of)
