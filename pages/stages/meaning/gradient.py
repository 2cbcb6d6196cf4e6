"""Which rows of the table one gradient moves."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from core.derivation import Cell, Measure, RunSpec, Weight
from core.derivation.flow import TABLE
from core.derivation.origins import within
from core.figures.controls import Control, Controls
from core.text.unicode import is_cjk
from core.views.learning import Gradient, PairGradient, Step, gradient, pair_gradient, read_steps, written_steps
from core.views.meaning import Space
from pages.shared.address.address import Parameter, choice
from pages.shared.number.number_links import number
from pages.shared.page import parts
from pages.shared.page.own_model import no_beginning
from pages.shared.page.stage import PageContext
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words import samples
from pages.stages.meaning.context import StageContext

OTHERS = (  # what a sentence is compared with: the first that is another
    "A dog bites a man.",
    "The bank raised its rates.",
)
BARS = 24
WIDE = 320  # pixels of the longest
RATES = ("0.01", "0.1", "1", "10", "100")
LONGEST = 80  # characters of a sentence in a sentence


def parameters(page: PageContext, view: Space) -> dict[str, Parameter]:
    return {"rate": choice(*RATES, default="0.1")}


def draw(context: StageContext) -> None:
    parts.write(parts.heading(context.t, "gradient"))
    if context.page.translates:
        written(context)
    else:
        read(context)


def stepped(context: StageContext, made: Sequence[Step], loss: Measure) -> None:
    """One step along this gradient, at a rate that can be chosen: what it was to make smaller, before and after."""
    t, rate = context.t, context.values["rate"]
    parts.write(f"<h3>{t.html('stepped')}</h3>", parts.paragraph(t, "stepped_said"))
    components.controls(key="rates", data=Controls([Control("rate", t("rate_label"), [(r, r) for r in RATES])]).data())
    found = made[RATES.index(rate)]
    facts = {"rate": rate, "before": number(context, found.before, loss), "after": found.after}
    facts |= {"rows": f"{found.rows:,}", "still": f"{len(context.view.norms) - found.rows:,}"}
    turned = "stepped_down" if found.after < found.before else "stepped_up"
    names = parts.paragraph(t, f"stepped_{'target' if context.page.translates else 'compare'}", **facts)
    parts.write(names, parts.paragraph(t, turned, **facts))


def read(context: StageContext) -> None:
    """MiniLM: the rows that the gradient of a comparison reaches are those that were fetched."""
    model, (text, other) = context.model, compared_texts(context)
    found = compared(model, text, other)
    reached = int((found.rows > 0).sum())
    facts = {"text": shortened(text), "other": other, "reached": reached, "fetched": len(found.fetched)}
    counts = {"vocab": f"{len(found.rows):,}", "zero": f"{len(found.rows) - reached:,}"}
    own = context.page.model
    both = own.objective == "next" and own.config.tied
    said = [context.t.html("gradient_read", **facts, **counts)]
    if both:
        said.append(context.t.html("gradient_next", model=context.page.model_name))
    parts.write(parts.paragraphs(said))
    means = tuple(replace(last_of(context), given=RunSpec(sentence)) for sentence in (text, other))
    left, right = st.columns([1.2, 1], gap="large")
    with left:
        bars(context, found.rows, found.fetched, {id: toward(context, id, text, other) for id in found.fetched})
    with right:
        stepped(context, compared_after(model, text, other), Measure("unlike_means", means))


def compared_texts(context: StageContext) -> tuple[str, str]:
    """The visitor's text and another one; of the texts that are offered, first those that the model can spell."""
    page, text = context.page, context.page.text
    own = page.model.lesson.stages.get("generation", {}).get("examples", ())
    spelt = [one for one in (*OTHERS, *own) if not page.model.tokenizer.unknown(one)]
    if spelt and no_beginning(context.model, text):
        text = spelt[0]
    own_ids = cached.ids(context.model, text)
    return text, next((one for one in (*spelt, *OTHERS) if cached.ids(context.model, one) != own_ids), OTHERS[0])


@cached.shared
def compared(name: str, text: str, other: str) -> PairGradient:
    return pair_gradient(cached.model(name), text, other)


@cached.shared
def compared_after(name: str, text: str, other: str) -> Sequence[Step]:
    """One step at each rate."""
    return read_steps(cached.model(name), text, other, list(map(float, RATES)))


def toward(context: StageContext, id: int, text: str, other: str) -> Measure:
    """The gradient by a row that one of the two sentences fetched; where both did, it hears of both."""
    last, found = last_of(context), []
    for here, there in ((text, other), (other, text)):
        if id in cached.ids(context.model, here):
            found += [Weight(TABLE, (id, None), RunSpec(here)), replace(last, given=RunSpec(there))]
    if len(found) > 2:
        return Measure("gradient_rows_toward", tuple(found), (2, 2))
    return Measure("gradient_row_toward", tuple(found))


def last_of(context: StageContext) -> Cell:
    """All states that the comparison is made of."""
    return Cell(context.page.model.depths()[-1], (None, None))


def written(context: StageContext) -> None:
    """The translator: through the lookups the fetched rows, through the output every row."""
    text = context.page.text if any(map(is_cjk, context.page.text)) else samples.example("zh")
    target = cached.translation(context.model, text).text_out or "."
    lost = within(Measure("loss", (Cell("output.probabilities", (None, None)),)), RunSpec(text))
    found = translated(context.model, text, target)
    said = context.t.html(
        "gradient_written",
        text=shortened(text),
        target=shortened(target),
        loss=number(context, found.loss, lost),
        reached=int((found.lookup > 0).sum()),
        fetched=len(found.fetched),
        all=f"{int((found.whole > 0).sum()):,}",
        vocab=f"{len(found.whole):,}",
        rest=float(np.median(np.delete(found.whole, list(found.fetched)))),
    )
    parts.write(parts.paragraphs([said]))
    run = cached.translation(context.model, text)
    sides = (("embedding.token", run.tokens), ("decoder.embedding.token", run.target_in))
    of: dict[int, list[Cell]] = {}
    for tap, side in sides:
        for i, token in enumerate(side):
            of.setdefault(token.id, []).append(Cell(tap, (i, None), RunSpec(text)))
    left, right = st.columns([1.2, 1], gap="large")
    with left:
        bars(context, found.lookup, found.fetched, {id: fetched(cells) for id, cells in of.items()})
    with right:
        stepped(context, translated_after(context.model, text, target), lost)


@cached.shared
def translated(name: str, text: str, target: str) -> Gradient:
    return gradient(cached.model(name), text, target)


@cached.shared
def translated_after(name: str, text: str, target: str) -> Sequence[Step]:
    """One step at each rate."""
    return written_steps(cached.model(name), text, target, list(map(float, RATES)))


def fetched(cells: Sequence[Cell]) -> Measure:
    """The gradient that comes to a row through its lookups: fetched more than once, it gets the sum of them."""
    if len(cells) == 1:
        return Measure("gradient_row", tuple(cells))
    return Measure("gradient_rows", tuple(cells), (1,) * len(cells))


def bars(context: StageContext, lengths: np.ndarray, fetched: Sequence[int], of: Mapping[int, Measure]) -> None:
    """The rows that were fetched, the longest first, and the names of three others; `of` says of some which measure
    that is."""
    t, pieces = context.t, context.page.model.tokenizer.names
    idle = [id for id in range(len(lengths) - 1, 0, -len(lengths) // 4) if id not in fetched][:3]
    ids = sorted(fetched[:BARS], key=lambda id: -lengths[id])
    longest = float(lengths[ids].max()) or 1.0
    numbers = {id: float(lengths[id]) for id in ids}
    numbers |= {id: number(context, numbers[id], of[id]) for id in ids if id in of}
    rows = [(pieces[id], parts.amount(numbers[id], longest, longest=WIDE)) for id in ids]
    names = t("comma").join(pieces[id] for id in idle)
    said = t.html("gradient_caption", idle=names, shown=len(ids), fetched=len(fetched))
    parts.write(f"<p class='soft'>{said}</p>", parts.table(rows))


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()} …"
