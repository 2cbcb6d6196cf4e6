"""What if: heads muted, √d_k dropped, the mask lifted, positions zero; and what changes at the end."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.derivation import Cell, RunSpec
from core.derivation.origins import within
from core.edits import Edit, mute
from core.figures.controls import Control, Option
from core.figures.heads import end_of
from core.run_spec import AT_HAND
from core.text.token import Token, all_named
from core.views.attention import memory
from core.views.translation import right
from core.views.what_if import End, Leading, end, leading
from pages.shared.number.number_links import measured, number
from pages.shared.page.controls import controls
from pages.shared.page.parts import Html, amount, heading, paragraph, table, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.page.whole_model import spreads
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.stages.heads.context import StageContext, heads_of
from pages.stages.heads.picture import change_said
from pages.stages.heads.words import whole_head

BAR = 60  # pixels of a probability of 1


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "whatif"), paragraph(t, "whatif.said"))
    switches(context)
    said, shown = ("now", context) if context.edits else ("nothing", example(context))
    changes = t("comma").join(change_said(shown, id) for id in shown.changed)
    write(paragraph(t, f"whatif.{said}", changes=changes))
    left, right = st.columns([1, 1.15], gap="large")
    with left:
        (translated if context.page.translates else states)(shown)
    with right:
        write(did(shown))
    spreads(context, *shown.edits)


def example(context: StageContext) -> StageContext:
    """What it would be with the head muted that is looked at."""
    edits = (mute(context.kind, context.layer, context.head),)
    return replace(context, view=heads_of(*context.key, context.kind, edits))


SECTION = Section(draw, redraws=("edit", "layer", "head", "kind", "also"))


def switches(context: StageContext) -> None:
    """What can be changed, each with or without the others."""
    t = context.t
    options: list[Option] = [(None, t("whatif.as_is"))]
    options += [(id, t(f"whatif.changes.{name}")) for name, id in changes(context.page).items()]
    options += [
        (",".join(ids), t(f"whatif.mute_{heads}", layer=context.layer, head=context.head))
        for heads, ids in mutes(context).items()
        if ids
    ]
    controls("whatif", Control("edit", t("whatif.change"), options, several=True))


def changes(page: PageContext) -> dict[str, str]:
    """Of the whole model, by their ids; there is a mask to be lifted only where words are written."""
    ids = {"zero": "zero", "drop_sqrt_dk": f"drop_sqrt_dk:{page.model.config.d_head}"}
    return {**ids, "lift": "lift"} if page.translates else ids


def mutes(context: StageContext) -> dict[str, tuple[str, ...]]:
    """The head that is followed, the others of its layer, and all of them."""
    layer = [mute(context.kind, context.layer, head).id for head in range(1, context.heads.heads + 1)]
    own = mute(context.kind, context.layer, context.head).id
    return {"head": (own,), "others": tuple(id for id in layer if id != own), "layer": tuple(layer)}


# ---- what changed


def did(context: StageContext) -> str:
    """Which of the leading heads do something else now, and how many do what they did."""
    t = context.t
    found = leading(heads_of(*context.key, context.kind).view, context.heads)
    moved = [one for one in found if short(one.before) != short(one.after)]
    rows = [
        [
            t("whatif.entropy")
            if one.measure == "entropy"
            else t(f"measures.{one.measure}", token=end_of(context.heads, one.measure)),
            Html(f"<b>{one.layer + 1}.{one.head + 1}</b>"),
            *(does(context, one, one.before, AT_HAND), does(context, one, one.after, context.given)),
        ]
        for one in moved
    ]
    head = [t(f"whatif.columns.{name}") for name in ("measure", "head", "before", "after")]
    same = len(found) - len(moved)
    kept = [paragraph(t, "whatif.kept" if moved else "whatif.all_kept", same=same)] if same else []
    still = [paragraph(t, "whatif.last")] if only_last(context) else []
    changed = [paragraph(t, "whatif.heads"), table(rows, head)] if rows else []
    return "".join([*changed, *kept, *still])


def only_last(context: StageContext) -> bool:
    """Whether all that is changed are heads of the encoder's last layer: no weights of the encoder come after it."""
    last = f"mute:encoder.{context.page.model.config.layers}."
    return context.kind == "encoder" and all(edit.id.startswith(last) for edit in context.edits)


def does(context: StageContext, one: Leading, value: float, given: RunSpec | None) -> float:
    """What a head does on average, as the model is or as changed; it can be followed."""
    return measured(context, value, f"does_{one.measure}", whole_head(context.kind, one.layer, one.head), given=given)


def states(context: StageContext) -> None:
    """How much each token's last state, and the sentence's vector, turned."""
    t, found = context.t, ends(context)
    sentence = turned(context, found.sentence, "middles", None, None)
    said = paragraph(t, "whatif.end", cosine=sentence, layers=context.page.model.config.layers)
    alike = [turned(context, float(x), "cosine", i, None) for i, x in enumerate(found.tokens[:24])]
    most = max(1e-9, *(1 - x for x in alike))
    rows = [
        [token, x, amount(1 - float(x), most)] for token, x in zip(all_named(context.page.tokens), alike, strict=False)
    ]
    cut = paragraph(t, "whatif.cut", count=24) if len(found.tokens) > 24 else ""
    write(said, table(rows, ["", t("whatif.alike"), t("whatif.turned")]), cut, paragraph(t, "whatif.not_explained"))


def turned(context: StageContext, value: float, kind: str, *index: int | None) -> float:
    """How alike the last states are, as the model is and as changed; it can be followed."""
    of = Cell(memory(context.page.model), index)
    return measured(context, value, kind, within(of, AT_HAND), within(of, context.given))


def ends(context: StageContext) -> End:
    return last_states(*context.key, context.edits)


@cached.shared
def last_states(name: str, text: str, edits: tuple[Edit, ...]) -> End:
    tap = memory(cached.model(name))
    before, after = (cached.capture(name, text, only=(tap,), edits=made)[tap] for made in ((), edits))
    return end(before, after)


def translated(context: StageContext) -> None:
    """The translation, and how likely the first one still is, word by word."""
    t, name, text = context.t, context.page.address.model, context.page.text
    before = cached.translation(name, text)
    after = cached.capture(name, text, edits=context.edits)
    was, now = before.text_out or "", after.text_out or ""
    key = "whatif.same_translation" if was == now else "whatif.other_translation"
    write(paragraph(t, key, was=was, now=now))
    written = cached.capture(name, text, target=was).target_out
    runs = {"as": RunSpec(target=was), "changed_row": RunSpec(target=was, edits=context.edits)}
    columns = [[amount(x, 1.0, longest=BAR) for x in chances(context, written, given)] for given in runs.values()]
    rows = [[token.text, *pair] for token, *pair in zip(written, *columns, strict=True)]
    head = ["", *(t(f"whatif.{key}") for key in runs)]
    write(paragraph(t, "whatif.probable"), table(rows, head), paragraph(t, "whatif.not_explained"))


def chances(context: StageContext, words: Sequence[Token], given: RunSpec) -> list[float]:
    """How likely each word of a translation is, in a run that is given it; each can be followed."""
    name, text, tap = context.page.address.model, context.page.text, "output.probabilities"
    found = right(cached.capture(name, text, only=(tap,), target=given.target, edits=given.edits))
    rows = zip(words, found, strict=True)
    return [number(context, float(x), Cell(tap, (i, word.id)), given=given) for i, (word, x) in enumerate(rows)]
