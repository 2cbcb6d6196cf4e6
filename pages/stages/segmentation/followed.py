"""What is followed: a path, a term a word, or one word, which can be weighed there."""

from collections.abc import Mapping
from math import exp

import streamlit as st

from core.derivation.segmentation import derive_path, derive_word
from core.derivation.steps import Step
from core.figures.followed import Followed, Line
from core.text.word_graph import Edge, Path
from pages.shared.address.visit import on_press
from pages.shared.number import follow
from pages.shared.page.predict import plain
from pages.shared.page.stage import FOLLOWED
from pages.shared.words.numbers import exact, short
from pages.shared.words.texts import Texts, clip
from pages.stages.segmentation.context import StageContext, everyones, weighing
from pages.stages.segmentation.reading import gloss, tag_name
from pages.stages.segmentation.words import joined

NAME = 8  # characters of a word in a heading or on a button


def derivation(context: StageContext) -> None:
    follow.draw(followed, None, FOLLOWED, context)
    if context.arc:
        weigh_by_hand(context, context.arc)


def followed(context: StageContext) -> Followed:
    return word_followed(context, context.arc) if context.arc else path_followed(context, context.way)


def path_followed(context: StageContext, way: int) -> Followed:
    """A path: a term for each word, their sum, and how it stands to the best or the second."""
    t, path, total = context.t, context.view.paths[way], context.view.dictionary.total
    id, title = f"path/{way}", t("follow_path" if way == 0 else "follow_other", n=way + 1)
    if not path.edges:
        return Followed(id, title, "", "–", note=t("nothing_to_follow"))
    other = context.seen[1 if way == 0 else 0] if len(context.seen) > 1 else None
    derived = derive_path(path, total, other)
    *terms, whole = derived.steps
    first_unseen = next((step for step in terms if step.id == "unseen"), None)
    steps = [line(t, step, reason_of(t, step, first_unseen)) for step in terms]
    held = t("recomputed_path", difference=short(abs(derived.difference)))
    steps.append(line(t, whole, t("steps.sum.reason", total=f"{total:,}"), held))
    if other:
        steps.append(beside_other(t, "second" if way == 0 else "first", path.log_probability, other))
    return Followed(id, title, "", short(path.log_probability), exact(path.log_probability), steps)


def reason_of(t: Texts, step: Step, first_unseen: Step | None) -> str:
    """A word's English; of the first character that is no word, how it is counted."""
    if step is first_unseen:
        return t("steps.unseen.reason")
    return gloss(t, [str(step.parts["word"])]) or "" if step.id == "word" else ""


def beside_other(t: Texts, key: str, value: float, path: Path) -> Line:
    other = path.log_probability
    gap = abs(value - other)
    said = t(f"steps.{key}.reason", gap=gap, ratio=exp(min(gap, 300)))
    operation = t(f"steps.{key}.operation", path=joined(path.texts))
    return Line(operation, short(other), exact(other), reason=said)


def line(t: Texts, step: Step, reason: str, check: str = "") -> Line:
    parts = {name: f"{part:,}" if isinstance(part, int) else part for name, part in step.parts.items()}
    operation = t(f"steps.{step.id}.operation", **parts)
    return Line(operation, short(step.value), exact(step.value), reason=reason, check=check)


def word_followed(context: StageContext, edge: Edge) -> Followed:
    """One word: its term, its part of speech, and from which frequency on the best path takes it."""
    t, total = context.t, context.view.dictionary.total
    derived = derive_word(edge, total)
    given = gloss(t, [edge.text])
    tag = {"tag": tag_name(t, context.tag(edge.text))} if context.chinese else {}
    said = t(f"steps.{'word' if tag else 'untagged'}.reason", total=f"{total:,}", **tag)
    held = t("recomputed_path", difference=short(abs(derived.difference)))
    term = line(t, derived.steps[0], (f"“{given}”. " if given else "") + said, held)
    where = t("where_one" if edge.end == edge.start + 1 else "where_word", first=edge.start + 1, last=edge.end)
    value = edge.log_probability
    title = t("follow_word", word=clip(edge.text, NAME))
    return Followed(
        f"arc/{edge.start}-{edge.end}", title, where, short(value), exact(value), [term, threshold_line(context, edge)]
    )


def threshold_line(context: StageContext, edge: Edge) -> Line:
    at, t = context.threshold(edge), context.t
    taken = edge in context.view.paths[0].edges
    now = "never" if at is None else "always" if at == 0 else "taken" if taken else "not_taken"
    said = t(f"steps.threshold.{now}", frequency=f"{edge.frequency:,}", threshold=f"{at or 0:,}")
    return Line(t("steps.threshold.operation"), f"{at:,}" if at else "–", reason=said)


# ---- weighing it


def weigh_by_hand(context: StageContext, edge: Edge) -> None:
    """Under a followed word: its frequency set to the flip or below it, the word removed, or as it was."""
    with st.container(key="weigh_by_hand", horizontal=True, gap="medium"):
        for i, (label, patch) in enumerate(offers(context, edge).items()):
            press = on_press(context, **patch, **context.waved_off)
            st.button(plain(label), key=f"weigh_{i}", type="tertiary", on_click=press)


def offers(context: StageContext, edge: Edge) -> Mapping[str, dict[str, object]]:
    """What a button says, and the patch it makes."""
    t, at, name = context.t, context.threshold(edge), clip(edge.text, NAME)
    found: dict[str, dict[str, object]] = {}
    if at and (flip := at - 1 if edge in context.view.paths[0].edges else at):
        found[t("set_frequency", frequency=f"{flip:,}")] = {"words": weighing(context.words, edge.text, flip)}
    if edge.end > edge.start + 1:
        found[t("remove_word", word=name)] = {"words": weighing(context.words, edge.text, 0), "arc": None}
    if edge.text in context.mine:
        kept = {} if everyones(context.text).frequency(edge.text) else {"arc": None}
        found[t("restore_word", word=name)] = {"words": weighing(context.words, edge.text, None), **kept}
    return found
