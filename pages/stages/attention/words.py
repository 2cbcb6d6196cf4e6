"""The sentences: what the lead says, what to notice, the thing to try. Nothing about the veiled row."""

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from core.text.token import named
from pages.shared.parts import paragraphs, write_lead
from pages.stages.attention.look import Look, opening_head, view_of


def write(lead: DeltaGenerator, said: DeltaGenerator, look: Look) -> None:
    """Into places made before: these sentences follow the selection."""
    key, names = lead_of(look)
    write_lead(look, lead, key, **names)
    said.html(paragraphs(notices(look)))


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
    names = {"token": look.state_at(view.tokens, look.values["q"]), "best": look.state_at(view.key_tokens, best)}
    return "lead", {"weight": float(weights[best]), **names}


def notices(look: Look) -> list[str]:
    t, view, row = look.t, look.view, look.values["q"]
    said = [*row_said(look), importance_said(look)]
    if look.kind == "cross" and row < len(look.page.translation.target_out):
        written = look.page.translation.target_out[row].text
        said.append(t.html("notice.writing", given=named(view.tokens, row), written=written))
    if look.layer > 1:
        said.append(t.html("notice.state", token=named(view.tokens, row)))
    return [*said, t.html(look.page.own("differs"), layers=look.page.model.config.layers)]


def row_said(look: Look) -> list[str]:
    """The two keys that the selected row looks at most."""
    view, row = look.view, look.values["q"]
    weights = view.weights[look.head - 1, row]
    open_keys = np.flatnonzero(view.mask[row] == 0)  # those that may be looked at
    if row in look.veil or len(open_keys) <= 2:
        return []
    second, best = open_keys[np.argsort(weights[open_keys])[-2:]]
    said = look.t.html(
        "notice.row",
        token=look.state_at(view.tokens, row),
        best=look.state_at(view.key_tokens, best),
        weight=float(weights[best]),
        second=look.state_at(view.key_tokens, second),
        second_weight=float(weights[second]),
        n=len(open_keys),
    )
    return [said]


def importance_said(look: Look) -> str:
    """What is looked at most is not always what is taken most."""
    view, h = look.view, look.head - 1
    i = looked_but_not_taken(look)
    if i is None:
        return look.t.html("notice.same")
    weights, shares = view.weights[h, i], view.contribution(h)[i]
    looked, taken = int(weights.argmax()), int(shares.argmax())
    return look.t.html(
        "notice.not_importance",
        token=look.state_at(view.tokens, i),
        looked=look.state_at(view.key_tokens, looked),
        weight=float(weights[looked]),
        taken=look.state_at(view.key_tokens, taken),
        share=float(shares[taken]),
    )


def looked_but_not_taken(look: Look) -> int | None:
    """The row, if any, in which most clearly another token contributes most than the one looked at most."""
    weights, shares = look.view.weights[look.head - 1], look.view.contribution(look.head - 1)
    apart = np.flatnonzero(weights.argmax(-1) != shares.argmax(-1))
    return max((int(i) for i in apart if i not in look.veil), key=lambda i: float(weights[i].max()), default=None)


def attempt(look: Look) -> tuple[str, dict] | None:
    """One thing to try: what is looked at most is not always what is taken most."""
    t, i = look.t, looked_but_not_taken(look)
    if i is not None:
        taken = int(look.view.contribution(look.head - 1)[i].argmax())
        return t("notice.try", token=named(look.view.tokens, i)), {"show": "contribution", "q": i, "k": taken}
    if look.kind == "cross":
        return None
    if look.page.writes:
        return t("notice.try_cross"), {"kind": "cross", "layer": 2, "show": "weights", "q": None, "k": None}
    return t("notice.try_same"), {"layer": 5, "head": 6, "show": "weights"}


def asked(look: Look) -> dict[str, object]:
    """The names in the question, as the rest of the page says them."""
    layer, head = opening_head(look.page)
    names: dict[str, object] = {"layer": layer, "head": head}
    if look.question is None or layer == 1:
        return names
    tokens = {name: str(look.question.facts[name]) for name in ("token", "best", "second")}
    return {**names, **{name: look.t("state_at", token=token) for name, token in tokens.items()}}
