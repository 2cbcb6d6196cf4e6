"""Predict, then reveal: the question between lead and controls, its answer in its place, and the next question."""

import html
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import streamlit as st

from core.questions import Choice
from core.text.unicode import is_cjk
from pages.shared.address.visit import on_press
from pages.shared.page import score
from pages.shared.page.stage import StageContext
from pages.shared.words.texts import TAG, Texts, help_of

LINE = 6480  # hundredths of an em that stand in one line of the box, on a laptop
BUTTON = 400  # of them for the room around a choice
AFTER = 1500  # and for what stands behind an answer: the score, and the way to another question
GAP, SPARE = 80, 200  # before each of these, and since a width is an estimate


def ask(context: StageContext, reset: Iterable[str]) -> None:
    """The question with its choices, or the answer with its reason and the way to the next.

    `reset` names what answering sets back to the opening.
    """
    question, t = context.question, context.t
    if question is None:
        return
    facts, words = facts_of(context), f"predict.{question.template}"
    offered = list(zip(question.choices, choices(context), strict=True))
    said = t(f"{words}.question", **facts), t(f"{words}.answer", **facts)
    lines, beside = lines_of(t, *said, offered, behind(context))
    opening = dict.fromkeys(reset)
    with st.container(key="predict", horizontal=True, vertical_alignment="center", gap="small"):
        asked = t.html(f"{words}.question", **facts)
        if not context.veiled:
            again = f"<div class='asked' data-beside='{beside}'>{asked}</div>"
            return answered(context, again, t.html(f"{words}.answer", **facts), lines, opening)
        said = html.escape(help_of(context.page.slug, t.language, "guess") or "")
        sign = f"data-help='{said}' tabindex='0' role='button' aria-expanded='false'"
        label = f"<b class='label' data-lines='{lines}' {sign}>{t.html('predict_title')}</b>"
        st.html(f"{label} {asked}", width="content")
        for choice, said in offered:
            label = plain(said) if choice.token is None else token(said)
            press = on_press(context, guess=choice.id, **opening)
            given = partial(score.count_answer, score.key_of(context), choice.id == question.answer, press)
            st.button(label, key=f"guess_{choice.id}", on_click=given)
        press = on_press(context, guess="skip", **opening)
        st.button(t("just_show_me"), key="skip", type="tertiary", on_click=press)


def answered(context: StageContext, asked: str, answer: str, lines: int, opening: Mapping[str, None]) -> None:
    """What was asked, and in the place of its choices the answer; how many were right in this visit; and another
    question, where the sentence has one that is clear."""
    t, said = context.t, verdict(context)
    mark = f"<b class='label'>{t.html(f'predict_{said}')}</b> " if said else ""
    st.html(f"{asked}<div class='answer' tabindex='-1' data-lines='{lines}'>{mark}{answer}</div>")
    if beside := so_far(context):
        kept = t.html("predict_kept")
        st.html(f"<span class='soft score' tabindex='0' title='{kept}'>{beside}</span>", width="content")
    if label := another(context):
        after = {**opening, "guess": "open", "ask": context.page.address["ask"] + 1, "trail": None}
        st.button(label, key="another", type="tertiary", on_click=on_press(context, **after))


def behind(context: StageContext) -> int:
    """How much wider than `predict_right` and the answer a line is with what stands behind it now."""
    standing = filter(None, (so_far(context), another(context)))
    saved = 0 if verdict(context) else width(context.t("predict_right"))
    return SPARE + sum(GAP + width(said) for said in standing) - saved


def so_far(context: StageContext) -> str:
    """How many were right in this visit; and after the last question that there is no other."""
    t, (right, count) = context.t, score.so_far()
    told = t.html("predict_score", right=right, count=count) if count else ""
    none = "" if context.asked.another or not verdict(context) else t.html("predict_none_left")
    return " · ".join(filter(None, (none, told)))


def another(context: StageContext) -> str:
    """The way to the next question, where there is one."""
    return context.t("predict_another") if context.asked.another else ""


def facts_of(context: StageContext) -> dict[str, object]:
    """What the words of the question say: its own facts, and those of the stage."""
    question = context.question
    if question is None:
        return {}
    return {"row": question.row, "among": among(context), **question.facts, **context.page.stage.asked(context)}


def among(context: StageContext) -> str:
    """The tokens that may be answered, for a question about "these": while it is open they stand there as buttons."""
    tokens = [choice.token for choice in context.question.choices if choice.token] if context.question else []
    return "" if context.veiled or not tokens else context.t("predict_among", tokens=context.t("comma").join(tokens))


def choices(context: StageContext) -> list[str]:
    """What may be answered, where there is a question: in words, or the token it is."""
    question, facts = context.question, facts_of(context)
    if question is None:
        return []
    return [each.token or context.t(f"predict.{question.template}.{each.id}", **facts) for each in question.choices]


def lines_of(
    t: Texts, question: str, answer: str, choices: Sequence[tuple[Choice, str]], behind: int = AFTER
) -> tuple[int, str]:
    """How many lines the box holds, when it asks and when it is answered, since it is as high in both; and beside which
    of the two, the question above its answer, there is room for what stands `behind` an answer: where there is none,
    or an answer takes two lines, the question is left out."""
    asked, given = width(t("predict_title") + question), width(t("predict_right") + answer)
    offered = sum(width(said) + BUTTON for _, said in choices) + width(t("just_show_me")) + BUTTON
    asking = 1 if asked + offered <= LINE else in_lines(asked) + in_lines(offered)
    answering = in_lines(given + AFTER)
    beside = ""
    if asked <= LINE and given <= LINE:
        beside = "question" if asked + behind <= LINE else "answer" if given + behind <= LINE else ""
    return max(asking, 2 if beside else answering), beside


def in_lines(wide: int) -> int:
    return -(-wide // LINE)


def width(text: str) -> int:
    """About how wide a text is, in hundredths of an em: a Chinese character is as wide as high, a figure
    half as wide."""
    text = TAG.sub("", text)
    digits = 9 * sum(map(str.isdigit, text))
    return digits + sum(100 if is_cjk(character) or "\u3000" <= character <= "\uffef" else 41 for character in text)


def verdict(context: StageContext) -> str:
    """Whether the guess was right or wrong; nothing where it was waved off."""
    question, given = context.question, context.page.address["guess"]
    if question is None or given not in [choice.id for choice in question.choices]:
        return ""
    return "right" if given == question.answer else "wrong"


def token(text: str) -> str:
    """A token is set as one; what is said in words is not."""
    return f"**{plain(text)}**" if text.strip() else plain(text)


def plain(label: str) -> str:
    """A token as a button's label: Markdown in it stays as typed."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()#+-.!|<>$:~^" else c for c in html.unescape(label))
