"""[MASK] and [CLS] at work: a small model that was trained on both fills gaps and judges the order of a sentence."""

import streamlit as st

from core.figures.shares import Share, Shares
from core.training.masked import Recipe, card, config
from core.views import gaps
from pages.shared.address.address import Table, index, words
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import amount, heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.shared.words.texts import Texts
from pages.stages.tokens.context import StageContext, shown

BAR = 140  # pixels of the likeliest guess
SIDES = (1.6, 1)  # what is chosen from, and what is said of it
LONGEST = 120  # characters of its line
MOST = 16  # tokens of it
SHOWN = 6  # unknown ones that are named


def parameters(page, view) -> Table:
    return {"line": words(LONGEST, None), "blank": index(MOST, None), "swap": index(MOST, 0)}


def draw(context: StageContext) -> None:
    t, line = context.t, line_of(context)
    facts = {"layers": config().layers, "parameters": grouped(card()["parameters"]), "steps": grouped(Recipe().steps)}
    write(heading(t, "gaps"), paragraph(t, "gaps.said", **facts), instead(context))
    controls("line", text_box(context, "line", t("line_label"), LONGEST, first=line))
    tokens = gaps.read(line)[:MOST]
    if len(tokens) < 2:
        write(paragraph(t, "gaps.short"))
        return
    lacking = gaps.unknown(tokens)
    chosen = context.values["blank"]
    at = len(tokens) // 2 if chosen is None or chosen >= len(tokens) else chosen
    write(
        paragraph(t, "gaps.unknown", words=named(t, lacking)) if lacking else "",
        f"<h3>{t.html('gaps.fill')}</h3>",
        paragraph(t, "gaps.fill_said"),
    )
    found = filled(tokens)
    left, right = st.columns(SIDES, gap="large")
    with left:
        components.shares(key="gaps_fill", data=filling(t, tokens, found, at).data())
    with right:
        write(*said_of(t, tokens, found[at], at))
    write(f"<h3>{t.html('gaps.order')}</h3>", paragraph(t, "gaps.order_said"))
    left, right = st.columns(SIDES, gap="large")
    with left:
        components.shares(key="gaps_order", data=ordering(t, tokens).data())
    with right:
        write(judged(context, tokens))
    write(f"<h3>{t.html('gaps.held')}</h3>", held_out(t))


def percent(share: float) -> str:
    """With one decimal; only what is nothing is 0.0 %, only what is all is 100.0 %."""
    text = f"{100 * share:.1f}"
    text = {"0.0": "< 0.1", "100.0": "> 99.9"}.get(text, text) if 0 < share < 1 else text
    return f"{text}\u00a0%"


# ---- the line


def line_of(context: StageContext) -> str:
    """The typed one, else the visitor's sentence where the model knows all of it, else an example."""
    own = context.page.text
    return context.values["line"] or (own if not lacking_of(own) else context.t("gaps.example"))


def lacking_of(text: str) -> list[str]:
    """What this model has never met; a text without words counts as that."""
    tokens = gaps.read(text)
    return gaps.unknown(tokens) if len(tokens) > 1 else [text]


def instead(context: StageContext) -> str:
    """Why another line than the visitor's is read."""
    lacking = lacking_of(context.page.text)
    if context.values["line"] or not lacking:
        return ""
    if not lacking[0].strip():
        return ""
    if len(tokens := gaps.read(context.page.text)) == 1 and not gaps.unknown(tokens):
        return paragraph(context.t, "gaps.instead_alone")
    return paragraph(context.t, "gaps.instead", words=named(context.t, lacking))


def named(t: Texts, tokens: list[str]) -> str:
    each = [shown(token) for token in dict.fromkeys(tokens)]
    return t("comma").join([*each[:SHOWN], *["…"] * (len(each) > SHOWN)])


# ---- [MASK]


@cached.shared
def filled(tokens: tuple[str, ...]) -> tuple[gaps.Filled, ...]:
    """Each token hidden, one at a time."""
    return tuple(gaps.fill(tokens, at) for at in range(len(tokens)))


def filling(t: Texts, tokens: tuple[str, ...], found: tuple[gaps.Filled, ...], at: int) -> Shares:
    rows = [
        Share(str(i), token, one.best[0][0], percent(one.right), one.right, picks={"blank": i})
        for i, (token, one) in enumerate(zip(tokens, found, strict=True))
    ]
    head = [t("gaps.hidden"), t("gaps.right"), t("gaps.best"), ""]
    return Shares("", str(at), rows, head, t("gaps.fill_label"))


def said_of(t: Texts, tokens: tuple[str, ...], found: gaps.Filled, at: int) -> list[str]:
    row = [*tokens[:at], "[MASK]", *tokens[at + 1 :]]
    facts = {"row": " ".join(row), "word": tokens[at], "right": percent(found.right), "rank": found.rank}
    best = [(piece, amount(value, 1.0, percent(value), BAR)) for piece, value in found.best]
    return [paragraph(t, "gaps.filled", **facts), table(best, [t("gaps.piece"), t("gaps.p")])]


# ---- [CLS]


@cached.shared
def orders(tokens: tuple[str, ...]) -> tuple[float, dict[int, float]]:
    return gaps.orders(tokens)


def ordering(t: Texts, tokens: tuple[str, ...]) -> Shares:
    """As it stands, and then each pair of neighbours exchanged."""
    plain, changed = orders(tokens)
    rows = [Share("0", t("gaps.as_is"), percent(plain), "", plain, picks={"swap": 0})]
    for i, value in changed.items():
        pair = f"{tokens[i + 1]} {tokens[i]}"
        rows.append(Share(str(i + 1), pair, percent(value), "", value, picks={"swap": i + 1}))
    return Shares("", "0", rows, [t("gaps.exchange"), "", t("gaps.p"), ""], t("gaps.order_label"))


def judged(context: StageContext, tokens: tuple[str, ...]) -> str:
    """The chosen line written out, and in how many of the exchanged ones it sees that they are."""
    t, (plain, changed) = context.t, orders(tokens)
    at = context.values["swap"] if context.values["swap"] - 1 in changed else 0
    line = " ".join((*tokens[: at - 1], tokens[at], tokens[at - 1], *tokens[at + 1 :]) if at else tokens)
    facts = {"row": line, "p": percent(changed[at - 1] if at else plain)}
    seen = {"n": len(changed), "seen": sum(value > 0.5 for value in changed.values())}
    key = "gaps.judged" if changed else "gaps.judged_alike"
    return paragraph(t, "gaps.chosen", **facts) + paragraph(t, key, plain=percent(plain), **seen)


# ---- lines it was not trained on


def held_out(t: Texts) -> str:
    """In how many of a hundred it is right, and what one who knows less would be."""
    of = card()["held_out"]
    names = ("gaps", "neighbours", "most_frequent", "order")
    right = {**of["zh"], "guess": 0.5}, {**of["en"], "guess": 0.5}
    rows = [
        [t(f"gaps.measures.{name}"), *(amount(one[name], 1.0, percent(one[name])) for one in right)]
        for name in (*names, "guess")
    ]
    head = [t("gaps.measured"), t("gaps.zh"), t("gaps.en")]
    said = paragraph(t, "gaps.held_said", n=grouped(Recipe().held_out), command=card()["command"])
    return said + table(rows, head, "named")


SECTION = Section(draw, parameters, ("line", "blank", "swap"))
