"""As last time: the visitor's own text twice, the head that looks at what followed last time, and the earlier head
without which it does not find it."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from core.capture import Capture, capture
from core.derivation import Cell, Measure, RunSpec
from core.edits import Edit, mute
from core.figures.matrix import Axis, Matrix
from core.model.places import attention_at
from core.text.token import named
from core.views.circuits import attentions, followed, induction, previous
from core.zoo import Model
from pages.shared.number.cell_path import RUN, part_path, run_prefix
from pages.shared.number.number_links import number
from pages.shared.page.parts import Html, heading, paragraph, shown_by, table, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.server import cached, jobs
from pages.stages.circuits.context import StageContext

TRIED = 6  # heads that look one back, one of which the other may need
LISTED = 4  # heads in the table
MOST = 96  # tokens of the text twice
DOES = 0.3  # of its weight: from here on a head is said to do it
LITTLE = 0.1  # of its probability: a token that loses no more hardly depends on a head
NEEDS = 0.4  # of its weight on what followed that it loses: from here on it is said to need the other

Head = tuple[int, int]  # layer and head, from 0


@dataclass(frozen=True, eq=False)
class Found:
    """Layer and head from 0, [layer, head] each.

    Attributes:
        again: the mean weight on what followed last time.
        back: on the token before.
        first, second: the pair; `first` is the earlier, None where the best head stands in the first layer.
        without: what `second` does where `first` is muted.
        copied, copied_without: the mean probability of the token that followed last time, as the model is and with
            `second` muted.
        weights: [query, key] those of `second`.
    """

    again: np.ndarray
    back: np.ndarray
    first: Head | None
    second: Head
    without: float
    copied: float
    copied_without: float
    weights: np.ndarray


def draw(context: StageContext) -> None:
    t = context.t
    text = twice(context.model, context.page.text)
    write(heading(t, "induction"), paragraph(t, "induction.said", text=text))
    if refused := refusal(context, text):
        return write(f"<p class='note'>{refused}</p>")
    try:
        found = found_by(context, text)
    except jobs.Busy:
        return write(f"<p class='note'>{t.html('patching.busy')}</p>")
    left, right = st.columns([1, 1.1], gap="large")
    with left:
        components.matrix(key="induction", data=picture(context, text, found).pack())
    with right:
        write(*said(context, text, found), table(rows(context, text, found), [t(f"induction.{name}") for name in HEAD]))
        write(paragraph(t, "induction.not_all"), *alone(context, found))
    if found.again[found.second] < DOES:
        shown_by(context, "copy", t("induction.shown_by", model="{model}"), "induction")


HEAD = ("head", "again", "back")


def twice(model: Model, text: str) -> str:
    """A text and the same once more: after a space, where words are cut at spaces."""
    between = " " if getattr(model.tokenizer, "cuts_words", False) else ""
    return f"{text.strip()}{between}{text.strip()}"


def refusal(context: StageContext, text: str) -> str:
    """Why this text cannot be looked at so; nothing where it can."""
    t, trace = context.t, cached.trace(context.page.address.model, text)
    limit = min(MOST, context.model.config.positions)
    if trace.truncated or len(trace.tokens) > limit:
        return t.html("induction.long", most=limit, n=len(trace.tokens) + trace.truncated)
    where = followed(trace.tokens)
    if not where:
        return t.html("induction.none")
    if all(to >= at - 1 for at, to in where.items()):
        return t.html("induction.short")
    if len({trace.tokens[at].id for at in where}) == 1:
        alike = len({token.id for token in trace.tokens if not token.special}) == 1
        return t.html("induction.alike" if alike else "induction.one_kind", token=trace.tokens[next(iter(where))].text)
    return ""


def run_of(model: Model, text: str, muted: Head | None = None) -> Capture:
    """With the weights alone, and kept by nobody: there is one for each head that is tried."""
    return capture(model, text, only=attentions(model, "weights"), edits=without(muted))


def without(muted: Head | None) -> tuple[Edit, ...]:
    return () if muted is None else (mute("causal", muted[0] + 1, muted[1] + 1),)


def found_by(context: StageContext, text: str) -> Found:
    """From the cache, or in its turn: several runs."""
    of = context.page.address.model, text
    if not found_in.known(*of):
        with st.spinner(context.t("induction.looking")):
            jobs.ask(found_in.key(*of), [partial(found_in, *of)]).wait()
    return found_in(*of)


@cached.shared
def found_in(name: str, text: str) -> Found:
    """The head that does most of it, and of those before it that look one back the one it misses most."""
    model = cached.model(name)
    run = run_of(model, text)
    again, back = induction(run, model), previous(run, model)
    layer, head = (int(i) for i in np.unravel_index(again.argmax(), again.shape))
    order = [divmod(int(i), back.shape[1]) for i in np.argsort(-back[:layer], axis=None)[:TRIED]]
    left = {first: float(induction(run_of(model, text, first), model)[layer, head]) for first in order}
    first = min(left, key=lambda one: left[one], default=None)
    weights = run[attentions(model, "weights")[layer]][head].copy()
    lost = left[first] if first else float(again[layer, head])
    copied, less = copying(model, text, None), copying(model, text, (layer, head))
    return Found(again, back, first, (layer, head), lost, copied, less, weights)


def copying(model: Model, text: str, muted: Head | None) -> float:
    """The mean probability, in the second copy, of the token that followed last time."""
    run = capture(model, text, only=("output.probabilities",), edits=without(muted))
    likely = run["output.probabilities"]
    return float(np.mean([likely[at, run.tokens[to].id] for at, to in followed(run.tokens).items()]))


# ---- numbers that can be followed


def does(context: StageContext, text: str, kind: str, head: Head, value: float, muted: Head | None = None) -> float:
    cell = Cell(attention_at("causal", head[0]).tap("weights"), (head[1], None, None))
    return number(context, value, Measure(kind, (cell,)), given=RunSpec(text, edits=without(muted)))


def again_of(context: StageContext, text: str, found: Found, head: Head) -> float:
    return does(context, text, "again", head, float(found.again[head]))


def back_of(context: StageContext, text: str, found: Found, head: Head) -> float:
    return does(context, text, "does_previous", head, float(found.back[head]))


def head_name(context: StageContext, head: Head) -> str:
    return context.t("parts.head", layer=head[0] + 1, head=head[1] + 1)


# ---- what is shown


def said(context: StageContext, text: str, found: Found) -> list[str]:
    t, second = context.t, found.second
    own = again_of(context, text, found, second)
    facts = {"second": head_name(context, second), "again": own}
    if own < DOES:
        return [paragraph(t, "induction.weak", **facts)]
    lines = [paragraph(t, "induction.strong", **facts)]
    if found.first is not None:
        left = does(context, text, "again", second, found.without, muted=found.first)
        facts |= {
            "first": head_name(context, found.first),
            "back": back_of(context, text, found, found.first),
            "left": left,
        }
        key = "induction.pair" if found.without <= (1 - NEEDS) * own else "induction.no_pair"
        earlier = second[0] * found.again.shape[1]
        lines.append(paragraph(t, key, tried=min(TRIED, earlier), **facts))
    return lines


def alone(context: StageContext, found: Found) -> list[str]:
    """How much the copy depends on the head that looks there most; where none does, there is no copy."""
    if found.again[found.second] < DOES:
        return []
    facts = {"head": head_name(context, found.second), "before": found.copied, "after": found.copied_without}
    lost = (found.copied - found.copied_without) / found.copied
    key = "alone_none" if lost <= 0 else "alone_little" if lost <= LITTLE else "alone"
    return [paragraph(context.t, f"induction.{key}", **facts)]


def rows(context: StageContext, text: str, found: Found) -> list[list[object]]:
    best: list[Head] = [divmod(int(i), found.again.shape[1]) for i in np.argsort(-found.again, axis=None)[:LISTED]]
    every = [*best, *([found.first] if found.first and found.first not in best else [])]
    return [
        [
            Html(f"<b>{head_name(context, head)}</b>"),
            again_of(context, text, found, head),
            back_of(context, text, found, head),
        ]
        for head in every
    ]


def picture(context: StageContext, text: str, found: Found) -> Matrix:
    """The weights of the head that does it: a press follows one."""
    layer, head = found.second
    tokens = cached.trace(context.page.address.model, text).tokens
    texts = [context.say(token.id) for token in tokens]
    labels = [named(texts, i) for i in range(len(texts))]
    caption = "induction.caption" if found.again[layer, head] >= DOES else "induction.caption_weak"
    begins = part_path(context.model, Cell(attention_at("causal", layer).tap("weights"), (head, None, None)), 2)
    return Matrix(
        id="induction",
        fragment="section",
        planes={"": found.weights},
        rows=Axis("", len(labels), labels),
        columns=Axis("", len(labels), labels),
        reach=1.0,
        side=420,
        still=True,
        trail="" if context.veiled else f"{run_prefix(RunSpec(text))}{RUN}{begins}.{{row}}.{{column}}",
        words=matrix_words(
            context.t, "induction.label", caption=context.t(caption, head=head_name(context, found.second))
        ),
    )


SECTION = Section(draw)
