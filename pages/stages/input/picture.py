"""The parts that add up."""

from core.figures.addition import Addition, AdditionWords, Panel
from core.text.token import named
from pages.shared.words.numbers import grouped
from pages.stages.input.context import StageContext


def addition(context: StageContext) -> Addition:
    now, window = context.view.now, context.window()
    shown = [*now.names, "sum" if context.view.added else "joined"]
    values = [context.seen(now.joined() if name == "joined" else now.part(name), 0)[window] for name in shown]
    return Addition(
        made={name: str(context.values[name]) for name in ("sqrt", "positions", "join")},
        from_=window.start,
        of=len(now.tokens),
        labels=[named(now.tokens, i) for i in range(len(now.tokens))[window]],
        parts=now.names,
        panels=[panel(context, i, name, values[i].shape[1]) for i, name in enumerate(shown)],
        values=values,
        d_model=now.d_model,
        reach=context.reach("sum"),
        words=words(context),
    )


def words(context: StageContext) -> AdditionWords:
    t = context.t
    facts = {"label": t("picture_label"), "dim": t("matrix.dim"), "veiled": t("matrix.veiled")}
    return AdditionWords(**facts, caption=caption(context), each=t("each_strip"), fewer=t("one_strip"))


def panel(context: StageContext, i: int, name: str, width: int) -> Panel:
    last = i == len(context.view.now.names)
    return Panel(
        id=name,
        name=panel_name(context, name),
        short=context.t(f"parts_short.{name}"),
        sign="=" if last else ("+" if context.view.added else ";") if i else "",
        joined=name == "joined",
        width=width,
    )


def panel_name(context: StageContext, name: str) -> str:
    now = context.view.now
    if name == "token":
        return context.t("parts.scaled" if now.scaled else "parts.token")
    if name == "position":
        return context.t("parts.position" if now.placed else "parts.no_position")
    return context.t(f"parts.{name}")


def caption(context: StageContext) -> str:
    now, window = context.view.now, context.window()
    n, count = len(now.tokens), window.stop - window.start
    facts = {"count": count, "n": n, "d_model": now.d_model, "width": grouped(now.d_model * len(now.names))}
    keys = [
        *(["caption_switched"] if context.view.moved else []),
        "caption_add" if context.view.added else "caption_join",
        *(["caption_window"] if n > count else []),
    ]
    return context.t.together(context.t(key, **facts).strip() for key in keys)
