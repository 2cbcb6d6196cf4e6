"""The sentences: what the lead says, what to notice, the thing to try. Nothing that answers the open question."""

from collections.abc import Sequence

import numpy as np

from core.derivation import Cell, Weight
from core.training import recorded
from core.training.runs import first_scores
from core.views.layernorm import SPREAD, changes_of
from core.views.norms import written
from pages.shared.number.number_links import measured, number
from pages.shared.page.parts import Place, paragraphs, write_lead
from pages.shared.server import cached
from pages.stages.layernorm.context import EPSILONS, GIVEN, StageContext, name_of
from pages.stages.layernorm.picture import plain
from pages.stages.layernorm.where import arranged, ends

DEEP = "norm8"  # the recorded runs of 8 layers: with norms, and without
FAINT = 0.05  # of a difference: so little of it is not named as its cause
LARGE = 0.1  # of a variance: 1e-5 more of it changes nothing that is seen


def write(lead: Place, said: Place, context: StageContext) -> None:
    """Into places made before: these sentences follow the selected token."""
    key, named = lead_of(context)
    write_lead(context, lead, key, **named)
    said.html(paragraphs(notices(context)))


def lead_of(context: StageContext) -> tuple[str, dict[str, object]]:
    """What the model's own norm does to the token; where another was chosen, what that one does."""
    own, chosen = context.view.kind, context.method
    as_is = context.t("as_is") if context.given != "as_is" else ""
    eps = EPSILONS.index(context.values["eps"])
    if context.veiled or chosen == own:
        own_facts = facts(context, 0 if context.veiled else eps)
        return ("lead_open", own_facts) if context.veiled else ("lead", {**own_facts, "as_is": as_is})
    found = context.changes(chosen)
    means, variances = (array[0, eps].tolist() for array in (found.means, found.variances))
    names = {"token": context.token, "as_is": as_is}
    names |= {"own": context.t(f"methods.{own}"), "method": context.t(f"methods.{chosen}")}
    moments = {"mean": means[0], "spread": variances[0] ** 0.5}
    after = {"mean_after": plain(means[1]), "spread_after": plain(variances[1] ** 0.5)}
    return "lead_none" if chosen == "none" else "lead_other", {**names, **moments, **after}


def why(context: StageContext) -> str:
    """What goes wrong without: how this sentence's numbers grow where the layers have no norm; of a long one unsaid."""
    if len(context.page.tokens) > cached.WHOLE:
        return context.t.html("why")
    stream = arranged(*context.key, "input").outputs()
    if np.isfinite(stream[-1]) and stream[-1] <= stream[0]:
        return context.t.html("why")
    key = "why_here" if np.isfinite(stream[-1]) else "why_beyond"
    return context.t.html(key, **ends(context, "input", stream), layers=len(stream) - 1)


def without(context: StageContext) -> list[str]:
    """What becomes of a network of many layers that is trained without any norm, where it learns nothing; and with
    what scores, loss and gradient it begins."""
    run, normed = (recorded.family(DEEP)[norm] for norm in ("none", "post"))
    end, guess = min(run.ends), run.setting.guessing
    stage, layers = context.t.stage("training"), run.setting.layers
    said = {"end": end, "guess": guess, "steps": str(len(run.loss)), "layers": layers, "stage": stage}
    (spread, sure), (usual, _) = scores("none"), scores("post")
    said |= {"spread": spread, "usual": usual, "sure": sure}
    said |= {"first": float(run.loss[0]), "gradient": float(run.gradient[0]), "post": float(normed.gradient[0])}
    return [context.t.html("notice.without", **said)] if end > guess and run.loss[0] > guess else []


@cached.shared
def scores(norm: str) -> tuple[float, float]:
    """How far apart the scores of such a network are before it has learned anything, and how sure it is."""
    return first_scores(recorded.families()[DEEP][norm])


def facts(context: StageContext, eps: int = 0) -> dict[str, object]:
    """The selected token's mean and spread, before and after it was normalised as the model does it."""
    found = context.changes(context.view.kind)
    before, after, _ = zip(found.means[0, eps].tolist(), found.variances[0, eps].tolist(), strict=True)
    place, own = context.view.place, context.view.captured
    captured = {"mean": own.mean, SPREAD[own.kind]: own.variance}
    numbers = {
        name: number(context, array[context.row], Cell(place.tap(name), (context.row,)))
        for name, array in captured.items()
        if array is not None
    }
    return {
        "token": context.token,
        "d_model": context.view.d_model,
        "norm": name_of(context, context.view.place),
        "mean": before[0],
        **numbers,
        "spread": measured(
            context, root(own.kind, before), "deviation", Cell(place.tap(SPREAD[own.kind]), (context.row,))
        ),
        "mean_after": plain(after[0]),
        "spread_after": plain(root(own.kind, after)),
    }


def root(kind: str, moments: Sequence[float]) -> float:
    """What a norm divides by, of a mean and a variance: the standard deviation, or the root of the mean square."""
    mean, variance = moments
    return (variance + mean**2 * (kind == "rms")) ** 0.5


def notices(context: StageContext) -> list[str]:
    """Of another norm than the model's own nothing is said that only that one does."""
    t, view, found = context.t, context.view, context.changes(context.view.kind)
    if context.method != view.kind and not context.veiled:
        return [why(context)]
    median = measured(context, float(np.median(view.gamma)), "median", Weight(f"{view.place}.gamma", (None,)))
    ends = {"low": int(view.gamma.argmin()), "high": int(view.gamma.argmax())}
    ends = {name: number(context, view.gamma[i], Weight(f"{view.place}.gamma", (i,))) for name, i in ends.items()}
    bad = [] if context.veiled else without(context)
    said = [t.together([why(context), *bad]), t.html("notice.gamma", median=median, **ends)]
    if len(view.tokens) > 1:
        said.append(t.html("notice.alone", token=context.token))
    if context.veiled:
        return said
    change = list(GIVEN).index(changed(context))
    own, plus = (float(found.moved[i, EPSILONS.index("own")]) for i in (change, list(GIVEN).index("plus")))
    cause = t(f"notice.left.{left_by(context, change, own)}", epsilon=written(view.epsilon))
    return [*said, t.html("notice.forgets", own=own, plus=plus, cause=cause, **facts(context))]


def left_by(context: StageContext, change: int, moved: float) -> str:
    """What lets a change of scale through, as far as it `moved` an output: "epsilon", "rounding" or "both". Run without
    ε, rounding is all there is."""
    view, row = context.view, context.row
    (rounded,) = changes_of(view, view.kind, row, tuple(GIVEN.values()), (0.0,)).moved[change]
    return "epsilon" if rounded < FAINT * moved else "both" if rounded < (1 - FAINT) * moved else "rounding"


def attempt(context: StageContext) -> tuple[str, dict[str, object]]:
    if context.veiled:
        after = context.values["norm"] % len(context.places)  # after the last comes the first
        return context.t("notice.try_norm", norm=name_of(context, context.places[after])), {"norm": after + 1}
    variance = float(context.changes(context.view.kind).variances[0, 0, 0])
    large = variance > LARGE or context.view.epsilon >= float("1e-5")
    epsilon = "0.1" if large else "1e-5"  # where vectors are large, or its own ε is, a small one is not seen
    given = changed(context)
    return context.t("notice.try", epsilon=epsilon), {"given": given, "eps": epsilon, "part": "after"}


def changed(context: StageContext) -> str:
    """What the model's norm takes off again: whoever subtracts no mean, sees the 5."""
    return "both" if context.view.kind == "layer" else "times"
