"""The sentences: what the lead says, what to notice, the thing to try. Nothing about the veiled row."""

import numpy as np

from core import heads
from core.derivation import Cell
from core.text.token import named
from pages.shared.number.number_links import two_largest
from pages.shared.page.parts import Place, say
from pages.shared.page.renderings import rendered
from pages.shared.server import cached
from pages.stages.attention.look import Look, opening_head, view_of


def write(lead: Place, said: Place, look: Look) -> None:
    """Into places made before: these sentences follow the selected row."""
    say(look, lead, said, *said_of(look.only("head", "show", "q")))


@cached.shared
def said_of(look: Look) -> tuple[tuple[str, dict[str, object]], list[str]]:
    return lead_of(look), notices(look)


def lead_of(look: Look) -> tuple[str, dict[str, object]]:
    view = look.view
    if not look.square:
        return "lead_wide", {"d_head": view.d_head}
    if look.veil and look.question:
        layer, head = opening_head(look.page)
        tokens = view_of(look.page, layer).tokens
        return "lead_open", {"layer": layer, "head": head, "token": named(tokens, look.question.row)}
    weights = view.weights[look.head - 1, look.values["q"]]
    best = int(weights.argmax())
    names = {"token": named(view.tokens, look.values["q"]), "best": named(view.key_tokens, best)}
    weight = look.at("weights", look.values["q"], best)
    return "lead", {"layer": look.layer, "head": look.head, "weight": weight, **names}


def notices(look: Look) -> list[str]:
    t, view, row = look.t, look.view, look.values["q"]
    said = [*row_said(look), *three_said(look), *head_said(look), *importance_said(look)]
    if look.kind == "cross" and row < len(look.page.translation.target_out):
        said.append(writing_said(look))
    if look.mixed:
        side = view.key_tokens if look.kind == "cross" else view.tokens
        key = "notice.mixed_cross" if look.kind == "cross" else "notice.mixed"
        at = int(view.most[look.head - 1, row]) if look.kind == "cross" and row not in look.veil else row
        said.append(t.html(key, token=named(side, at), layer=look.layer))
    return [*said, *t.if_said("differs", layers=look.page.model.config.layers)]


def writing_said(look: Look) -> str:
    """Which word the selected row writes, and whether it looks at the characters which that word renders."""
    view, row, known = look.view, look.values["q"], rendered(look.page.text)
    best = int(view.most[look.head - 1, row])
    names = {
        "given": named(view.tokens, row),
        "written": look.page.translation.target_out[row].text,
        "best": named(view.key_tokens, best),
    }
    own = known[row].source if row < len(known) else ()
    if not own:
        return look.t.html("notice.writing", **names)
    names["own"] = "".join(view.key_tokens[place] for place in own)
    return look.t.html("notice.writing_own" if best in own else "notice.writing_elsewhere", **names)


def row_said(look: Look) -> list[str]:
    """The two keys that the selected row looks at most."""
    view, row = look.view, look.values["q"]
    weights = view.weights[look.head - 1, row]
    open_keys = view.may_look(row)
    if row in look.veil or len(open_keys) <= 2:
        return []
    second, best = open_keys[np.argsort(weights[open_keys])[-2:]]
    said = look.t.html(
        "notice.row",
        token=named(view.tokens, row),
        best=named(view.key_tokens, best),
        weight=look.at("weights", row, best),
        second=named(view.key_tokens, second),
        second_weight=look.at("weights", row, second),
        n=len(open_keys),
    )
    return [said]


def three_said(look: Look) -> list[str]:
    """Why query and key are two maps: there and back, to whom the row looks most, are two scores."""
    view, q = look.view, look.values["q"]
    k = int(view.most[look.head - 1, q])
    if look.kind == "cross" or q == k or {q, k} & set(look.veil):
        return []
    names = {"token": named(view.tokens, q), "other": named(view.key_tokens, k)}
    return [look.t.html("notice.three", there=look.at("scores", q, k), back=look.at("scores", k, q), **names)]


def head_said(look: Look) -> list[str]:
    """What the selected head is known for, how far that holds for this sentence, and where it does not."""
    t, view, name = look.t, look.view, look.named_head
    if name is None:
        return []
    weights = view.weights[look.head - 1]
    rows = heads.rows(name, view.queries)
    failing = [row for row in rows if not heads.holds(name, view.queries, weights, row)]
    said = [t.html(f"head_is.{name}", head=look.head, name=t(f"heads.{name}"))]
    if not rows:
        return [" ".join([*said, t.html("head_is.nowhere")])]
    said.append(t.html("head_is.here", held=len(rows) - len(failing), rows=len(rows)))
    if failing:
        row = max(failing, key=lambda row: float(weights[row].max()))
        best = int(weights[row].argmax())
        names = {"token": named(view.tokens, row), "best": named(view.key_tokens, best)}
        said.append(t.html("head_is.fails", weight=look.at("weights", row, best), **names))
    return [" ".join(said)]


def importance_said(look: Look) -> list[str]:
    """What is looked at most is not always what is taken most."""
    view, h = look.view, look.head - 1
    i = looked_but_not_taken(look)
    if i is None:
        if look.veil:  # of the veiled row, too, it would say something
            return []
        other = head_that_takes_elsewhere(look)
        return [look.t.html("notice.same" if other else "notice.same_all", head=other or 0, heads=view.heads)]
    weights, shares = view.weights[h, i], view.contribution(h)[i]
    looked, taken = int(weights.argmax()), int(shares.argmax())
    said = look.t.html(
        "notice.not_importance",
        token=named(view.tokens, i),
        looked=named(view.key_tokens, looked),
        weight=look.at("weights", i, looked),
        taken=named(view.key_tokens, taken),
        share=look.brings("share", float(shares[taken]), i, taken),
    )
    return [said]


def looked_but_not_taken(look: Look) -> int | None:
    """The row, if any, in which most clearly another token contributes most than the one looked at most."""
    return clearest_apart(look, look.head)


def clearest_apart(look: Look, head: int) -> int | None:
    view, h = look.view, head - 1
    apart = [int(i) for i in np.flatnonzero(view.most[h] != view.taken[h]) if i not in look.veil]
    return max(apart, key=lambda i: float(view.weights[h, i].max()), default=None)


def head_that_takes_elsewhere(look: Look) -> int | None:
    """The first head of this layer, counted from 1, in which some row does not take most from what it looks at most."""
    return next((head for head in range(1, look.view.heads + 1) if clearest_apart(look, head) is not None), None)


def attempt(look: Look) -> tuple[str, dict] | None:
    """One thing to try: what is looked at most is not always what is taken most."""
    t, view = look.t, look.view
    for head in dict.fromkeys((look.head, head_that_takes_elsewhere(look) or look.head)):
        if (row := clearest_apart(look, head)) is not None:
            cell = {"show": "contribution", "q": row, "k": int(view.taken[head - 1, row])}
            where = {} if head == look.head else {"head": head}
            key = "notice.try_head" if where else "notice.try"
            return t(key, token=named(view.tokens, row), head=head), {**where, **cell}
    if look.kind == "cross" or not look.page.translates:
        return None
    return t("notice.try_cross"), {"kind": "cross", "layer": 2, "show": "weights", "q": None, "k": None}


def asked(look: Look) -> dict[str, object]:
    """Which head the question is about, and what its answer says."""
    layer, head = opening_head(look.page)
    names: dict[str, object] = {"layer": layer, "head": head}
    if look.question is None:
        return names
    view, row = view_of(look.page, layer), look.question.row
    of = Cell(view.taps["weights"], (head - 1, row, None))
    return names | two_largest(look, view.weights[head - 1, row], of)
