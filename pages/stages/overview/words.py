"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

import re

import numpy as np

from core.derivation import Cell
from core.questions.overview import pair_of
from pages.shared.number.number_links import measured
from pages.shared.page.parts import Place, say
from pages.stages.overview.context import StageContext, sheet_of

BYTES = re.compile("⟨[0-9A-F]{2}⟩")  # a token that holds only some of a character's bytes
MOVED = 0.005  # less than this is no change to speak of


def write(lead: Place, said: Place, context: StageContext) -> None:
    """Into places made before: these sentences follow the pair that is compared."""
    say(context, lead, said, lead_of(context), notices(context))


def lead_of(context: StageContext) -> tuple[str, dict[str, object]]:
    page, view = context.page, context.view
    if all(view.special[: view.read]):
        return "lead_nothing", {"tokens": " ".join(view.tokens[: view.read])}
    names: dict[str, object] = {"n": view.read, "d": page.model.config.d_model, "layers": view.layers}
    added = " ".join(view.tokens[i] for i in range(view.read) if view.special[i])
    made_of = "made_of_bytes" if any(map(BYTES.search, page.tokens)) else "made_of"
    unknown = next((token.text for token in page.trace.tokens if token.id == page.model.tokenizer.unk_id), "")
    names["made_of"] = context.t(made_of) + (context.t("and_unknown", unknown=unknown) if unknown else "")
    names["and_added"] = context.t("and_added", added=added) if added else ""
    return "lead_two" if page.translates else "lead", names


def pair_named(context: StageContext) -> dict[str, object]:
    one, other = context.pair
    return {"first": context.name(one), "second": context.name(other)}


# ---- what to notice


def notices(context: StageContext) -> list[str]:
    t = context.t
    same = "one_token" if len(context.page.tokens) == 1 else "one"
    said = [t.html(f"notice.{same}")] if context.pair[0] == context.pair[1] else compared(context)
    if context.view.mixes(context.pair[1]):
        said.append(t.html("notice.state", token=context.name(context.pair[1])))
    pressed = [] if context.veiled else [t.html("notice.doors")]  # while a question is open, no number can be pressed
    if context.next_is_asked:
        said.append(t.html("notice.later", stage=t.stage("output")))
    return [
        *said,
        *widest(context),
        *pressed,
        *t.if_said("differs", layers=context.view.layers),
        t.html("notice.chatgpt"),
    ]


def widest(context: StageContext) -> list[str]:
    """Where a state is wider than its row, so that its river has dashed banks: how long the longest vector on the way
    through the layers is, and how long the longest of the others there."""
    view = sheet_of(*context.key)
    states = [lengths for column, lengths in zip(view.columns, view.lengths, strict=True) if column.id != "written"]
    column, lengths = max(
        ((column, sums) for column, sums in zip(view.columns, view.sums, strict=True) if sums is not None),
        key=lambda one: one[1].max(),
    )
    if max(map(np.max, states)) <= view.widest or len(lengths) < 2:
        return []
    second, first = np.argsort(lengths)[-2:]
    tap = column.place.tap("residual")  # before a norm after it, the way is widest
    long, other = (measured(context, float(lengths[i]), "length", Cell(tap, (int(i), None))) for i in (first, second))
    token = context.name(view.rows_of(column)[int(first)])
    return [context.t.html("notice.widest", token=token, layer=column.layer, long=long, second=other)]


def compared(context: StageContext) -> list[str]:
    """The pair on its way, as far as it may be seen."""
    before = [cosine_at(context, depth) for depth in range(len(context.cosines) - context.view.layers)]
    facts = {"row": before[0], "sum": before[-2:][0], "enter": before[-1], **pair_named(context)}
    facts["added"] = context.t("added_segment" if context.page.model.config.segments else "added_position")
    said = [context.t.html(f"entrance{entered(context)}", **facts)]
    if not any(map(context.hidden, range(len(context.cosines)))):
        said += [*through_the_layers(context, before[-1]), *also_twins(context)]
    return said


def entered(context: StageContext) -> str:
    """Which steps there are between a row of the table and the first layer."""
    there = context.page.model.tap_dims
    if "embedding.position" not in there:
        return "_alone"
    return "_normed" if "embedding.norm.output" in there else "_scaled" if "embedding.scaled" in there else ""


def cosine_at(context: StageContext, depth: int) -> float:
    """How alike the two are at one depth."""
    return alike_at(context, depth, *context.pair)


def alike_at(context: StageContext, depth: int, one: int, other: int) -> float:
    value = float(context.view.cosines(one, other)[depth])
    return measured(context, value, "cosine", context.state(depth, one), context.state(depth, other))


def others_of(context: StageContext, one: int, other: int) -> float | None:
    """How alike the other words are at the end."""
    found, last = context.view.others(one, other), len(context.cosines) - 1
    if found is None or max(one, other) >= context.view.read:
        return None  # of what is written there is no such mean
    return measured(context, found, "others", context.state(last, one), context.state(last, other))


def asked(context: StageContext) -> dict[str, object]:
    """What the answer names can be followed."""
    question, last = context.question, len(context.cosines) - 1
    if question is None:
        return {}
    if question.template == "most_alike":
        here = question.row
        alike = {int(choice.id): alike_at(context, last, here, int(choice.id)) for choice in question.choices}
        near, second, *_ = sorted(alike, key=lambda i: -alike[i])
        start = alike_at(context, 0, here, near)
        return {"near_cosine": alike[near], "second_cosine": alike[second], "start": start}
    one, other = pair_of(context.view, question)
    enter, after = (alike_at(context, depth, one, other) for depth in (last - context.view.layers, last))
    verdict = context.t(f"predict.nearer_or_farther.{question.answer}")
    return {"verdict": verdict, "enter": enter, "last": after}


def through_the_layers(context: StageContext, enter: float) -> list[str]:
    """What became of the two from layer 1 on, and of other words."""
    t, layers = context.t, context.view.layers
    count = len(context.cosines)
    after = [cosine_at(context, depth) for depth in range(count - layers, count)]
    low, last = min(after), after[-1]
    facts = {"enter": enter, "low": low, "last": last, "layers": layers, "layer": after.index(low) + 1}
    if low < enter - MOVED:
        key = "notice.part_to_the_end" if last < low + MOVED else "notice.part"
    else:
        key = "notice.meet" if last > enter + MOVED else "notice.stay"
    said = t.html(key, **{**facts, "low": min(low, enter), "high": max(*after, enter)})
    others = None if context.veiled else others_of(context, *context.pair)  # of few words, their mean would answer
    if others is None:
        return [said]
    above = key == "notice.meet" and (context.view.others(*context.pair) or 0) > last + MOVED
    return [said + t.html("notice.others_above" if above else "notice.others", others=others)]


def also_twins(context: StageContext) -> list[str]:
    """Another word that stands there twice: at the end alike, or not, whatever it means."""
    view, shown = context.view, set(context.pair)
    if view.ids[context.pair[0]] != view.ids[context.pair[1]]:
        return []
    others = [pair for pair in view.twins() if view.ids[pair[0]] != view.ids[context.pair[0]] and not shown & set(pair)]
    if not others or context.veiled:
        return []
    a, b = others[0]
    facts = {"first": context.name(a), "second": context.name(b), "last": alike_at(context, -1, a, b)}
    return [context.t.html("notice.twins", **facts)]


def attempt(context: StageContext) -> tuple[str, dict[str, str]] | None:
    """Two of the same word, and what becomes of them."""
    text = context.page.opening.get("example", context.page.text)
    return None if context.page.text == text else (context.t("try"), {"text": text})
