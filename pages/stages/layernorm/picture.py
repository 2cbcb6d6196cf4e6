"""The selected token's vector before, normalised and after, for every change and every ε: both answer at once."""

from collections.abc import Mapping

import numpy as np

from core.derivation.layernorm import PARTS
from core.figures.controls import Control, Controls, More
from core.figures.lanes import Bells, Lane, Lanes, LanesWords
from core.views import layernorm as views
from core.views.layernorm import Changes
from core.views.norms import KINDS, written
from pages.shared.words.numbers import DIGITS, PROSE, exact, short
from pages.stages.layernorm.context import EPSILONS, GIVEN, RAISED, StageContext, name_of

TALL = {"before": 48, "normalized": 42, "gamma": 24, "beta": 24, "after": 48}  # of each lane, in pixels
ABOUT = {"layer": "mean", "rms": "zero"}  # from where a norm measures the size; BatchNorm asks other tokens
HOLE = "\0"  # where a number goes: these words are filled a hundred times
ROUNDING = 1e-6  # of single precision, where the numbers are about 1
FIXED = ("gamma", "beta")
NAME = ("norm", "pos", "method", "eps", "given")


def controls(context: StageContext) -> Controls:
    t = context.t
    norms = [(i, name_of(context, place)) for i, place in enumerate(context.places, 1)]
    epsilons = [
        ("own", written(context.view.epsilon)),
        *((id, id) for id in RAISED if float(id) != context.view.epsilon),
    ]
    methods = [(kind, t(f"methods.{kind}")) for kind in KINDS]
    return Controls(
        [
            Control("norm", t("norm"), norms, plain=True, stepper="always"),
            Control("given", t("before"), [(id, t(f"given.{id}")) for id in GIVEN]),
        ],
        More(
            t("more"),
            [
                Control("eps", "ε", epsilons, usual="own"),
                Control("method", t("method"), methods, usual=context.view.kind),
            ],
        ),
    )


def lanes(context: StageContext) -> Lanes:
    found, shown = context.changes(context.method), [id for id in TALL if id in (*PARTS[context.method], "normalized")]
    fixed = [id for id in FIXED if id in shown]
    keys = {plane_key(context, given, eps): (given, eps) for given in GIVEN for eps in EPSILONS}
    return Lanes(
        name=NAME,
        lanes=[Lane(id, context.lane(id), TALL[id], id in FIXED, folded=True) for id in shown],
        count=context.view.d_model,
        fixed=[getattr(context.view, id) for id in fixed],
        planes={key: plane(context, found, *at) for key, at in keys.items()},
        stats={key: stats(context, found, *at) for key, at in keys.items()},
        said={key: what_moved(context, found, *at) for key, at in keys.items()},
        band={key: band(context, found, *at) for key, at in keys.items()},
        words=words(context),
        bells=bells(context, found, keys),
    )


def bells(context: StageContext, found: Changes, keys: Mapping[str, tuple[str, str]]) -> Bells:
    """The three moments as hills; of γ and β only what they make."""
    t, about = context.t, ABOUT.get(context.method, "")
    return Bells(
        rows=views.LANES,
        about=about,
        formulas={"normalized": t(f"bells.formula_{about}")} if about else {},
        measures={key: measures(context, found, *at) for key, at in keys.items()},
        names={given: t(f"given.{given}") for given in GIVEN},
        span=t("bells.span", n=HOLE).replace(HOLE, "{n}"),
        beyond={end: t(f"bells.{end}", n=HOLE).replace(HOLE, "{n}") for end in ("smallest", "largest")},
    )


def measures(context: StageContext, found: Changes, given: str, eps: str) -> dict[str, list[str]]:
    """What stands beside each hill: its mean, and how far its numbers are from it, or from 0."""
    where, size = at(given, eps), "rms" if ABOUT.get(context.method) == "zero" else "deviation"
    moments = zip(views.LANES, found.means[where].tolist(), found.variances[where].tolist(), strict=True)
    return {
        lane: [
            context.t("bells.mean", mean=plain(mean)),
            context.t(f"bells.{size}", size=plain((variance + mean**2 * (size == "rms")) ** 0.5)),
        ]
        for lane, mean, variance in moments
        if not context.hides(given, lane)
    }


def plane_key(context: StageContext, given: str, eps: str) -> str:
    values = {**context.values, "given": given, "eps": eps}
    return "/".join(str(values[name]) for name in NAME)


def at(given: str, eps: str) -> tuple[int, int]:
    """Where a choice stands among all of them."""
    return list(GIVEN).index(given), EPSILONS.index(eps)


def plane(context: StageContext, found: Changes, given: str, eps: str) -> np.ndarray:
    """[lane, d_model]: what the norm makes of a changed vector is not in it while the question is open."""
    rows, cover = found.rows[at(given, eps)], [context.hides(given, lane) for lane in views.LANES]
    return np.where(np.array(cover)[:, None], np.nan, rows) if any(cover) else rows


def stats(context: StageContext, found: Changes, given: str, eps: str) -> dict[str, list[tuple[str, str, str]]]:
    """What stands over each lane; the mean and variance that the norm itself took can be followed."""
    means, variances = found.means[at(given, eps)].tolist(), found.variances[at(given, eps)].tolist()
    said, words = {}, {name: context.t(f"{name}_is", **{name: HOLE}) for name in ("mean", "variance")}
    for i, lane in enumerate(views.LANES):
        if not context.hides(given, lane):
            own = context.method == "layer" and lane == "before"
            numbers = {"mean": means[i], "variance": variances[i]}
            said[lane] = [
                (name if own else "", words[name].replace(HOLE, plain(number, DIGITS)), exact(number))
                for name, number in numbers.items()
            ]
    return said


def plain(number: float, digits: int = PROSE) -> str:
    """A number in a sentence: what is 0 or 1 but for rounding is 0 or 1."""
    return next((str(whole) for whole in (0, 1) if abs(number - whole) < ROUNDING), short(number, digits))


def band(context: StageContext, found: Changes, given: str, eps: str) -> tuple[float, float] | None:
    """The mean that LayerNorm takes off, and the standard deviation it divides by."""
    if context.method != "layer":
        return None
    return float(found.means[at(given, eps)][0]), float(found.variances[at(given, eps)][0]) ** 0.5


def what_moved(context: StageContext, found: Changes, given: str, eps: str) -> str:
    if given == "as_is":
        return ""
    if context.veiled:
        return context.t("veiled_step")
    epsilon = written(context.epsilon(eps))
    return context.t(
        "moved", given=context.t(f"given.{given}"), epsilon=epsilon, moved=float(found.moved[at(given, eps)])
    )


def key(context: StageContext) -> dict[str, str]:
    """What each mark of the hills stands for."""
    t, about = context.t, ABOUT.get(context.method)
    mean = {} if about == "mean" else {"mean": t("key.mean")}  # else the band says it
    band = {"band": t(f"key.band_{about}")} if about else {}
    return {"hair": t("key.hair"), **mean, **band, "hill": t("key.hill")}


def words(context: StageContext) -> LanesWords:
    t = context.t
    bars = t(f"caption.{'banded' if context.method == 'layer' else 'bars'}")
    learned = [part for part in FIXED if part in PARTS[context.method]]
    folds = (t(f"caption.{name}") for name in ("_".join(["all", *learned[-1:]]), "fewer"))
    return LanesWords(t("lanes_label"), key(context), bars, t("matrix.dim"), t("matrix.veiled"), *folds)
