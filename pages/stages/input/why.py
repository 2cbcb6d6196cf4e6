"""Why √d: a table as training finds it, for three widths and one of the visitor's own."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.derivation import Cell
from core.numbers import percent
from core.run_spec import AT_HAND
from core.views.input import Start, at_start, multiplies
from pages.shared.address.address import whole
from pages.shared.number.number_links import measured
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import Amount, Html, amount, folded, heading, paragraph, table, write
from pages.shared.server import cached
from pages.stages.input.context import StageContext

WIDTHS = 128, 512, 768  # the translator's, the paper's, BERT's
LEAST, MOST, USUAL = 2, 2048, 512
GROUPS = {  # what is compared
    "lengths": ("token", "scaled", "position"),
    "shares": ("share_plain", "share_scaled"),
    "spreads": ("scores_plain", "scores_scaled", "logits", "logits_large"),
}
BAR = 100  # pixels of the longest
VARIES = 1.5  # a measure has bars where the widths differ by this factor, and the longest can be seen
SEEN = 4


start_of = cached.shared(at_start)


def parameters(page, view):
    return {"width": whole(LEAST, MOST, USUAL)}


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "why"), paragraph(t, "why_norms", vocab="1,000", seed=0))
    controls("why", typed(t, "width", t("why_width"), LEAST, MOST))
    chosen = context.values["width"]
    starts = {d: start_of(d) for d in (chosen, *WIDTHS)}  # the chosen first: on a phone the table shows it alone
    made = starts[chosen]
    write(
        mixed(context, starts),
        this_model(context),
        paragraph(t, "why_tied", d_model=chosen, logits=made.logits, large=made.logits_large, **made.sure),
        paragraph(t, "why_not", d_model=chosen, plain=made.scores_plain, scaled=made.scores_scaled),
        folded(t.html("start.all"), figures(context, starts)),
    )


def mixed(context: StageContext, starts: Mapping[int, Start]) -> str:
    """What of a sum is token and what position, by their squared lengths: a row a width, without √d and with it."""
    t = context.t
    keys = "".join(f"<span><i class={name}></i>{t.html(f'start.{name}_part')}</span>" for name in ("token", "position"))
    heads = "".join(f"<b>{t.html(f'start.{name}')}</b>" for name in ("share_plain", "share_scaled"))
    rows = "".join(
        f"<span>d = {d}</span>{parted(starts[d].share_plain)}{parted(starts[d].share_scaled)}" for d in sorted(starts)
    )
    return f"<div class='mixed'><p class='soft'>{keys}</p><div><b></b>{heads}{rows}</div></div>"


def parted(position: float) -> str:
    """A bar of the whole sum, in two parts, and how much of it is position."""
    bar = f"<i class=token style='--part:{1 - position:.4f}'></i><i class=position style='--part:{position:.4f}'></i>"
    return f"<span class=parted>{bar}<span>{percent(position)}\u00a0%</span></span>"


def figures(context: StageContext, starts: Mapping[int, Start]) -> str:
    """How long the vectors of both kinds are, what of their sum is the position, and what that makes of scores and
    logits: a column a width; bars, all of one scale, where the width makes a difference."""
    every = [name for names in GROUPS.values() for name in names]
    values = {name: [measure_of(start, name) for start in starts.values()] for name in every}
    most = max(map(max, values.values()))
    rows = []
    for group, names in GROUPS.items():
        rows.append([Html(f"<span class=soft>{context.t.html(f'start_group.{group}')}</span>"), *[""] * len(starts)])
        rows += [[context.t(f"start.{name}"), *barred(values[name], most)] for name in names]
    return table(rows, ["", *(f"d = {d}" for d in starts)], "named even widths")


def barred(row: Sequence[float], most: float) -> list[Amount]:
    drawn = max(row) > VARIES * min(row) and BAR * max(row) / most > SEEN
    return [amount(x, most, longest=BAR if drawn else 0) for x in row]


def measure_of(start: Start, name: str) -> float:
    return math.sqrt(start.d_model) * start.token if name == "scaled" else getattr(start, name)


def this_model(context: StageContext) -> str:
    own, page = context.view.own, context.page
    key = "why_has" if multiplies(page.model) else "why_has_not"
    norms = {
        "norm": mean_norm(context, "token", own.rows[0]),
        "position": mean_norm(context, "position", own.part("position")),
    }
    return paragraph(context.t, key, model=page.model_name, root=math.sqrt(own.d_model), d_model=own.d_model, **norms)


def mean_norm(context: StageContext, name: str, rows: np.ndarray) -> float:
    """How long the rows of a part are on average in the model as it is; it can be followed."""
    norm = float(np.linalg.norm(rows, axis=-1).mean())
    return measured(context, norm, "lengths", Cell(f"embedding.{name}", (None, None)), given=AT_HAND)
