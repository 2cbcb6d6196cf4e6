"""The parts that add up, and the switches above them."""

import numpy as np

from core.figures.addition import Addition, AdditionWords, Panel
from core.figures.controls import Control, Controls
from pages.shared.numbers import grouped
from pages.stages.input.look import Look


def controls(look: Look) -> Controls:
    t, alone = look.t, {"k": None, "look": None}
    switch = [("on", t("on")), ("off", t("off"))]
    return Controls(
        [
            Control("sqrt", t("sqrt"), switch, also=alone),
            Control("positions", t("positions"), switch, also=alone),
            Control("join", t("join"), [(id, t(f"joins.{id}")) for id in ("add", "concat")]),
        ]
    )


def addition(look: Look) -> Addition:
    now, window = look.view.now, look.window()
    shown = [*now.names, "sum" if look.view.added else "joined"]
    values = [look.seen(now.joined() if name == "joined" else now.part(name), 0)[window] for name in shown]
    norms = [np.linalg.norm(array, axis=-1) for array in values]
    return Addition(
        made={name: str(look.values[name]) for name in ("sqrt", "positions", "join")},
        from_=window.start,
        of=len(now.tokens),
        labels=now.tokens[window],
        parts=now.names,
        panels=[panel(look, i, name, values[i].shape[1], norms[i]) for i, name in enumerate(shown)],
        values=values,
        d_model=now.d_model,
        reach=look.reach(now.total, "sum"),
        longest=1.0 if look.veiled else float(max(x.max() for x in norms)) or 1.0,
        words=AdditionWords(look.t("picture_label"), look.t("matrix.dim"), look.t("matrix.veiled"), caption(look)),
    )


def panel(look: Look, i: int, name: str, width: int, norms: np.ndarray) -> Panel:
    """While the question is open no norm is shown: the others' would give the asked one's away."""
    last = i == len(look.view.now.names)
    return Panel(
        id=name,
        name=panel_name(look, name),
        short=look.t(f"parts_short.{name}"),
        sign="=" if last else ("+" if look.view.added else ";") if i else "",
        joined=name == "joined",
        width=width,
        norms=[None if look.veiled else round(float(x), 6) for x in norms],
    )


def panel_name(look: Look, name: str) -> str:
    now = look.view.now
    if name == "token":
        return look.t("parts.scaled" if now.scaled else "parts.token")
    if name == "position":
        return look.t("parts.position" if now.placed else "parts.no_position")
    return look.t(f"parts.{name}")


def caption(look: Look) -> str:
    now, window = look.view.now, look.window()
    n, count = len(now.tokens), window.stop - window.start
    facts = {"count": count, "n": n, "d_model": now.d_model, "width": grouped(now.d_model * len(now.names))}
    keys = [
        "caption_add" if look.view.added else "caption_join",
        *(["caption_veiled"] if look.veiled else []),
        *(["caption_window"] if n > count else []),
    ]
    return "".join(look.t(key, **facts) for key in keys)
