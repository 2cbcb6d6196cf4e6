"""The parts that add up."""

from core.figures.addition import Addition, AdditionWords, Panel
from pages.shared.words.numbers import grouped
from pages.stages.input.look import Look


def addition(look: Look) -> Addition:
    now, window = look.view.now, look.window()
    shown = [*now.names, "sum" if look.view.added else "joined"]
    values = [look.seen(now.joined() if name == "joined" else now.part(name), 0)[window] for name in shown]
    return Addition(
        made={name: str(look.values[name]) for name in ("sqrt", "positions", "join")},
        from_=window.start,
        of=len(now.tokens),
        labels=now.tokens[window],
        parts=now.names,
        panels=[panel(look, i, name, values[i].shape[1]) for i, name in enumerate(shown)],
        values=values,
        d_model=now.d_model,
        reach=look.reach("sum"),
        words=words(look),
    )


def words(look: Look) -> AdditionWords:
    t = look.t
    facts = {"label": t("picture_label"), "dim": t("matrix.dim"), "veiled": t("matrix.veiled")}
    return AdditionWords(**facts, caption=caption(look), each=t("each_strip"), fewer=t("one_strip"))


def panel(look: Look, i: int, name: str, width: int) -> Panel:
    last = i == len(look.view.now.names)
    return Panel(
        id=name,
        name=panel_name(look, name),
        short=look.t(f"parts_short.{name}"),
        sign="=" if last else ("+" if look.view.added else ";") if i else "",
        joined=name == "joined",
        width=width,
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
        *(["caption_switched"] if look.view.moved else []),
        "caption_add" if look.view.added else "caption_join",
        *(["caption_window"] if n > count else []),
    ]
    between = "" if look.t.language == "zh" else " "
    return between.join(look.t(key, **facts).strip() for key in keys)
