"""LayerNorm: what each token's vector loses on purpose, where the norms sit, and what happens where they do not."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from core.derivation.layernorm import PARTS, derive
from core.figures import layernorm as figures
from core.lessons.norm import BatchNorm, RMSNorm
from core.model.norm import LayerNorm
from core.model.places import Place
from core.model.residual import PostNorm, PreNorm, WithoutNorm
from core.questions import Question
from core.questions.layernorm import ten_times
from core.text.token import named
from core.views import layernorm as views
from core.views.layernorm import NormView
from core.views.norms import KINDS, Normed, written
from pages.shared import ask, cached, components, follow, state
from pages.shared.charts import chart, scheme
from pages.shared.numbers import exact, short
from pages.shared.open_it import OPEN, Opened, csv, open_it
from pages.shared.page import Page, Strip, current, paragraphs
from pages.shared.state import Parameter, choice, whole
from pages.stages import layernorm_by_hand
from pages.stages.layernorm_arrangements import at_the_start, where_it_sits

GIVEN = {"as_is": (1, 0), "times": (10, 0), "plus": (1, 5), "both": (10, 5)}  # what is done to the vector before
RAISED = ("1e-5", "1e-3", "0.1")  # ε beside the model's own
EPSILONS = ("own", *RAISED)
LANES = {"before": 84, "normalized": 84, "gamma": 34, "beta": 34, "after": 84}  # in pixels
FIXED = ("gamma", "beta")
SECTIONS = ("where", "depth", "traits", "hand", "start")


def view_of(page: Page, place: Place) -> NormView:
    name, text, model = page.address.model, page.text, page.model
    make = lambda: views.norm_view(cached.capture(name, text, only=views.taps(model, place)), model, place)  # noqa: E731
    return cached.remember(("norm", name, text, place), make)


@st.cache_resource(show_spinner=False, max_entries=256)
def asked(name: str, text: str) -> Question | None:
    return ten_times(opening)


def writes(values: Mapping[str, Any]) -> bool:
    """Whether the norm stands in the decoder, where the tokens are those that are written."""
    return PLACES[int(values["norm"]) - 1].writes


def parameters(position: int, dim: int) -> dict[str, Parameter]:
    longest = max(len(opening.tokens), len(view_of(page, PLACES[-1]).tokens))
    return {
        "norm": whole(1, len(PLACES), 1),
        "given": choice(*GIVEN, default="as_is"),
        "eps": choice(*EPSILONS, default="own"),
        "method": choice(*KINDS, default="layer"),
        "part": choice(*PARTS["layer"], default="after"),
        "pos": whole(0, longest - 1, position),
        "dim": whole(0, opening.d_model - 1, dim),
        "layer": whole(1, page.model.config.layers, 1),
        **({"stack": choice("encoder", "decoder", default="encoder")} if page.writes else {}),
        "section": choice(*SECTIONS, default=SECTIONS[0]),
        **layernorm_by_hand.PARAMETERS,
        "marks": choice("1", default=None),
        **OPEN,
    }


page = current()
PLACES = views.places(page.model)
opening = view_of(page, PLACES[0])
question = asked(page.address.model, page.text)
veiled = ask.is_open(page, question)
OPENING = question.row if question else min(1, len(opening.tokens) - 1)
TABLE = parameters(OPENING, int(np.abs(opening.captured.after[OPENING]).argmax()))
values = page.read(TABLE)
TOKEN = Strip(first="pos", click="pos")
page.strip = Strip(target=TOKEN) if writes(values) else TOKEN


@dataclass(frozen=True)
class Look:
    """What is looked at: one token in front of one norm, and what is done to it."""

    values: Mapping[str, Any]
    place: Place
    view: NormView

    @property
    def row(self) -> int:
        """The selected token; a target can be shorter than the source."""
        return min(int(self.values["pos"]), len(self.view.tokens) - 1)

    @property
    def token(self) -> str:
        return named(self.view.tokens, self.row)

    @property
    def part(self) -> str:
        """What is followed; not every kind of norm has every part."""
        return self.values["part"] if self.values["part"] in PARTS[self.values["method"]] else "after"

    @property
    def as_captured(self) -> bool:
        """Nothing changed: the numbers are those of the model's own run."""
        values = self.values
        return (values["given"], values["eps"], values["method"]) == ("as_is", "own", "layer")

    def ran(self) -> Normed:
        factor, shift = GIVEN[self.values["given"]]
        return self.view.ran(self.values["method"], factor, shift, epsilon(self.values["eps"]))

    def changes(self, method: str) -> views.Changes:
        """The token under every choice of the controls, made once for everybody."""
        key = ("changes", page.address.model, page.text, self.place, self.row, method)
        given, every = tuple(GIVEN.values()), tuple(map(epsilon, EPSILONS))
        return cached.remember(key, lambda: views.changes_of(self.view, method, self.row, given, every))


def look_at(values: Mapping[str, Any]) -> Look:
    place = PLACES[int(values["norm"]) - 1]
    return Look(values, place, view_of(page, place))


def epsilon(id: str) -> float:
    return opening.epsilon if id == "own" else float(id)


def hidden(given: str, part: str) -> bool:
    """While the question is open: what the norm makes of a changed vector."""
    return veiled and given != "as_is" and part in ("normalized", "after")


def name_of(place: Place) -> str:
    """A norm as people call it: where it stands, layers from 1."""
    if place.layer is None:
        return page.t("place.embedding")
    both = any(other.writes for other in PLACES)
    before = f"{page.t(f'place.{place.stack}')} " if both else ""
    return f"{before}{place.layer + 1} · {page.t(f'place.{place.part}')}"


def short_name(place: Place) -> str:
    """The same, where there is little room."""
    if place.layer is None:
        return page.t("place.embedding_short")
    return f"{'D' if place.writes else ''}{place.layer + 1} {page.t(f'place.{place.part}_short')}"


# ---- the picture


def controls() -> dict:
    t = page.t
    own = written(opening.epsilon)
    norms = [(i, name_of(place)) for i, place in enumerate(PLACES, 1)]
    kinds = [(kind, t(f"methods.{kind}")) for kind in KINDS]
    return {
        "controls": [
            {"name": "norm", "label": t("norm"), "options": norms, "plain": True, "stepper": "always"},
            {"name": "given", "label": t("before"), "options": [(id, t(f"given.{id}")) for id in GIVEN]},
            {"name": "eps", "label": "ε", "options": [("own", own), *((id, id) for id in RAISED)]},
        ],
        "more": {
            "label": t("more"),
            "controls": [{"name": "method", "label": t("method"), "options": kinds, "usual": "layer"}],
        },
    }


def lanes(look: Look) -> bytes:
    """The selected token's vector before, normalised and after, for every change and every ε: both answer at once."""
    t, values, view, method = page.t, look.values, look.view, str(look.values["method"])
    found = look.changes(method)
    places = [(g, given, e, eps) for g, given in enumerate(GIVEN) for e, eps in enumerate(EPSILONS)]
    key = {(given, eps): f"{values['norm']}/{values['pos']}/{method}/{eps}/{given}" for _, given, _, eps in places}
    own = method == "layer"
    stats, said, bands, arrays = {}, {}, {}, []
    for g, given, e, eps in places:
        at, rows = key[given, eps], found.rows[g, e]
        cover = [hidden(given, lane) for lane in views.LANES]
        arrays.append(np.where(np.array(cover)[:, None], np.nan, rows) if any(cover) else rows)
        stats[at] = {
            lane: lane_stats(own and lane == "before", float(found.means[g, e, i]), float(found.variances[g, e, i]))
            for i, lane in enumerate(views.LANES)
            if not cover[i]
        }
        bands[at] = [float(found.means[g, e, 0]), float(found.variances[g, e, 0]) ** 0.5] if own else None
        said[at] = what_moved(given, eps, float(found.moved[g, e])) if g else ""
    shown = [id for id in LANES if id in (*PARTS[method], "normalized")]
    header = {
        "name": ["norm", "pos", "method", "eps", "given"],
        "given": "given",
        "base": "as_is",
        "part": "part",
        "dim": "dim",
        "count": view.d_model,
        "keys": list(key.values()),
        "lanes": [{"id": id, "label": t(f"lanes.{id}"), "tall": LANES[id], "fixed": id in FIXED} for id in shown],
        "stats": stats,
        "said": said,
        "band": bands,
        "words": {
            "label": t("lanes_label"),
            "caption": t(f"caption.{'layer' if own else 'other'}", d_model=view.d_model),
            "dim": t("matrix.dim"),
            "veiled": t("matrix.veiled"),
        },
    }
    return components.pack(header, *[getattr(view, id) for id in FIXED if id in shown], *arrays)


def lane_stats(own: bool, mean: float, variance: float) -> list[tuple[str, str]]:
    """What stands over a lane; the mean and variance that the norm itself took can be followed."""
    said = page.t("mean_is", mean=mean), page.t("variance_is", variance=variance)
    return list(zip(("mean", "variance") if own else ("", ""), said, strict=True))


def what_moved(given: str, eps: str, moved: float) -> str:
    if veiled:
        return page.t("veiled_step")
    return page.t("moved", given=page.t(f"given.{given}"), epsilon=written(epsilon(eps)), moved=moved)


# ---- the number being followed


def derivation_data(now: dict) -> dict:
    t, look = page.t, look_at(now)
    dim, part, view = int(now["dim"]), look.part, look.view
    key = "/".join(map(str, (now["norm"], look.row, dim, part, now["given"], now["eps"], now["method"])))
    where = t("follow_where", token=look.token, dim=dim, part=t(f"lanes.{part}"))
    base = {"id": key, "title": t("follow"), "where": where}
    if hidden(now["given"], part):
        return {**base, "value": t("matrix.veiled"), "steps": [], "note": t("veiled_step")}
    derivation = derive(view, look.ran(), part, look.row, dim)
    sizes = {"d_model": view.d_model, "n": len(view.tokens)}
    names = {"token": look.token, **sizes, **summand_words(look, dim)}
    steps = follow.lines(t, derivation, **names)
    if not look.as_captured:
        steps[-1]["check"] = t("ran_again", difference=short(abs(derivation.difference)))
    return {**base, "value": short(derivation.captured), "exact": exact(derivation.captured), "steps": steps}


def summand_words(look: Look, dim: int) -> dict[str, str]:
    """What is added up before this norm: the taps' names, and their numbers."""
    numbers = [short(float(array[look.row, dim])) for array in look.view.summands.values()]
    names = [page.t(f"summand.{tap.rsplit('.', 1)[1]}") for tap in look.view.summands]
    signed = [f"({number})" if i and number.startswith("−") else number for i, number in enumerate(numbers)]
    return {"numbers": " + ".join(signed), "names": " + ".join(names)}


@st.fragment
def picture() -> None:
    """Lanes and derivation: another token or norm redraws these two and their words, not the page."""
    now = state.Address().read(TABLE)
    if writes(now) != writes(values):  # the strip marks the other row of tokens
        st.rerun(scope="app")
    left, right = st.columns([1.22, 1], gap="medium")
    with left:
        components.lanes(key="lanes", data=lanes(look_at(now)), on_selection_change=state.selecting("lanes", TABLE))
    with right:
        follow.follow(page, TABLE, derivation_data, also=words)


# ---- the words


def words(now: dict) -> None:
    """The lead and the notices speak of the selected token."""
    look = look_at(now)
    view, found = look.view, look.changes("layer")
    means, variances = (array[0, 0].tolist() for array in (found.means, found.variances))  # as it is, the model's own ε
    facts = {
        "token": look.token,
        "d_model": view.d_model,
        "mean": means[0],
        "variance": variances[0],
        "spread": variances[0] ** 0.5,
        "norm": name_of(look.place),
        "spread_after": variances[1] ** 0.5,
        "mean_after": means[1],
    }
    with lead_place:
        page.lead("lead_open" if veiled else "lead", **facts)
    with said_place:
        paragraphs(notices(view, found, facts))
    if values["section"] == "traits":
        with kinds_place:
            kinds_table(look)


def notices(view: NormView, found: views.Changes, facts: dict) -> list[str]:
    t = page.t
    strong = int(np.abs(view.gamma - np.median(view.gamma)).argmax())
    said = [
        t.html(
            "notice.gamma", dim=strong, gamma=float(view.gamma[strong]), median=float(np.median(view.gamma)),
            low=float(view.gamma.min()), high=float(view.gamma.max()),
        ),
        t.html("notice.alone", token=facts["token"], n=len(view.tokens)),
    ]  # fmt: skip
    if veiled:
        return said
    both = list(GIVEN).index("both")
    own, raised = (float(found.moved[both, EPSILONS.index(eps)]) for eps in ("own", "1e-5"))
    return [t.html("notice.forgets", own=own, raised=raised, epsilon=written(view.epsilon), **facts), *said]


def attempt() -> tuple[str, dict] | None:
    if veiled:
        return page.t("notice.try_norm", norm=name_of(PLACES[1])), {"norm": 2}
    epsilon = "0.1" if page.writes else "1e-5"  # where vectors are large, a small ε is not seen
    return page.t("notice.try", epsilon=epsilon), {"given": "both", "eps": epsilon, "part": "after"}


# ---- other norms on the same numbers


def other_norms() -> None:
    """The heading; what stands under it follows the selected token, so the picture writes it."""
    st.html(f"<h2 class='part'>{page.t.html('traits.title')}</h2>")


def kinds_table(look: Look) -> None:
    t = page.t
    heads = "".join(
        f"<td>{t.html(f'traits.{name}')}</td>" for name in ("kind", "mean", "spread", "times", "plus", "alone")
    )
    key = ("traits", page.address.model, page.text, look.place, look.row)
    found = cached.remember(key, lambda: views.traits(look.view, look.row))
    body = "".join(trait_row(trait) for trait in found.kinds)
    st.html(f"<div class='shapes-box'><table class='shapes'><tr>{heads}</tr>{body}</table></div>")
    st.html(f"<p class='soft'>{t.html('traits.said', token=look.token, n=len(look.view.tokens))}</p>")


def trait_row(trait: views.Trait) -> str:
    t = page.t
    cover = t.html("matrix.veiled")
    low, high = map(short, trait.spread)
    cells = [
        t.html(f"methods.{trait.kind}"),
        short(trait.mean),
        low if low == high else f"{low} … {high}",
        cover if veiled else short(trait.times),
        cover if veiled else short(trait.plus),
        short(trait.alone),
    ]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


# ---- every norm


def gammas(depth: views.DepthView) -> bytes:
    """γ of every norm, less the norm's median: the outliers stand out, and stand under each other."""
    labels = [short_name(place) for place in PLACES]
    header = {
        "name": [],
        "planes": [""],
        "rows": {"param": "norm", "labels": labels, "count": len(PLACES), "from": 1, "word": "", "room": 12},
        "columns": {"param": "dim", "labels": None, "count": opening.d_model, "from": 0, "word": page.t("matrix.dim")},
        "reach": float(np.quantile(np.abs(depth.apart), 0.995)),
        "tall": 22 * len(PLACES),
        "also": {"part": "gamma", "method": "layer"},
        "words": {
            "label": page.t("gammas_label"),
            "caption": page.t("gammas_caption"),
            **{name: page.t(f"matrix.{name}") for name in ("range", "marks", "veiled")},
        },
    }
    return components.pack(header, depth.apart)


def every_norm() -> None:
    t = page.t
    depth = depth_of()
    st.html(f"<h2 class='part'>{t.html('depth.title', norms=len(PLACES))}</h2>")
    dim, count = depth.outlier()
    widest = int(depth.spreads.argmax())
    facts = {"low": float(depth.spreads.min()), "high": float(depth.spreads.max()), "norm": name_of(PLACES[widest])}
    after = {"after_low": float(depth.after.min()), "after_high": float(depth.after.max())}
    first = "depth.entrance" if PLACES[0] == "embedding.norm" else "depth.no_entrance"
    again = "depth.outlier" if 3 * count >= len(PLACES) else "depth.scattered"
    outlier = t.html(again, dim=dim, count=count, norms=len(PLACES))
    paragraphs([f"{t.html('depth.said', **facts, **after)} {t.html(first)}", outlier])
    left, right = st.columns([1, 1.25], gap="large")
    with left:
        chart(depth_figure(page.address.model, page.text, t.language, scheme(page)), "depth_chart")
    with right:
        components.matrix(key="gammas", data=gammas(depth), on_selection_change=state.selecting("gammas", TABLE))


# Figures are made once: building one costs 10 ms. The arguments are the key.
@st.cache_resource(show_spinner=False, max_entries=128)
def depth_figure(name: str, text: str, language: str, scheme: figures.Scheme) -> figures.Figure:
    words = {name: page.t(f"depth.{name}") for name in ("before", "after", "mean", "axis")}
    return figures.depth_figure(depth_of(), [name_of(place) for place in PLACES], words, scheme)


def depth_of() -> views.DepthView:
    name, text = page.address.model, page.text
    make = lambda: views.depth_view(cached.capture(name, text, only=views.DEPTH_TAPS), page.model)  # noqa: E731
    return cached.remember(("norms", name, text), make)


# ---- once by hand


def once_by_hand() -> None:
    st.html(f"<h2 class='part'>{page.t.html('hand.title')}</h2>")
    paragraphs([page.t.html("hand.said")])
    layernorm_by_hand.table(page)


# ---- open it


def opened() -> Opened:
    look = look_at(state.Address().read(TABLE))
    t, now, place, view, row = page.t, look.values, look.place, look.view, look.row
    shapes = [(tap, page.model.tap_dims[tap], array.shape) for tap, array in view.summands.items()]
    given = views.given(page.model, place)
    shapes.append((given, page.model.tap_dims[given], view.captured.before.shape))
    for part in ("mean", "variance", "normalized"):
        shapes.append((f"{place}.{part}", page.model.tap_dims[f"{place}.{part}"], getattr(view.captured, part).shape))
    shapes += [(f"{place}.{part}", ("d_model",), getattr(view, part).shape) for part in FIXED]
    shapes.append((f"{place}.output", page.model.tap_dims[f"{place}.output"], view.captured.after.shape))
    own = {"layer": LayerNorm, "rms": RMSNorm, "batch": BatchNorm, "none": WithoutNorm}[now["method"]]
    shown = look.ran()
    lanes = [part for part in ("before", "normalized", "after") if not hidden(now["given"], part)]
    rows = np.stack([getattr(shown, part)[row] for part in lanes] + [view.gamma, view.beta])
    return Opened(
        formula=formula(look),
        code=(own.forward, PostNorm.forward, PreNorm.forward, views.NormView.ran),
        shapes=shapes,
        compare=lambda: (t("compared.norms", norms=len(PLACES)), largest_difference()),
        compared="compared.said",
        table=lambda: csv(rows, [*lanes, *FIXED], [str(i) for i in range(view.d_model)]),
        table_name=f"{place}-{row}.csv",
    )


def largest_difference() -> float:
    """torch.nn.LayerNorm beside ours, over what each norm was given."""
    return max(views.torch_difference(view_of(page, place)) for place in PLACES)


GENERAL = {
    "layer": r"\mathrm{LN}(x) = \gamma \odot \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta \\ & "
    r"\mu = \frac{1}{d}\sum_i x_i, \quad \sigma^2 = \frac{1}{d}\sum_i (x_i - \mu)^2",
    "rms": r"\mathrm{RMSNorm}(x) = \gamma \odot \frac{x}{\sqrt{\frac{1}{d}\sum_i x_i^2 + \varepsilon}}",
    "batch": r"\mathrm{BN}(x)_i = \gamma_i\, \frac{x_i - \mu_i}{\sqrt{\sigma_i^2 + \varepsilon}} + \beta_i \\ & "
    r"\mu_i = \frac{1}{n}\sum_t x_{ti}, \quad \sigma_i^2 = \frac{1}{n}\sum_t (x_{ti} - \mu_i)^2",
    "none": r"x",
}


def formula(look: Look) -> str:
    """The general formula and, under it, the numbers of the cell that is selected."""
    now, general = look.values, GENERAL[look.values["method"]]
    if hidden(now["given"], "after") or now["method"] != "layer":
        return rf"\begin{{aligned}} & {general} \end{{aligned}}"
    *_, normalized, after = derive(look.view, look.ran(), "after", look.row, int(now["dim"])).steps
    parts = {**normalized.parts, **after.parts}
    part = {name: short(value) for name, value in parts.items() if not isinstance(value, str)}
    small = re.sub(r"1e-(\d+)", r"10^{-\1}", str(parts["epsilon"]))
    numbers = (
        rf"{part['gamma']} \cdot \frac{{{part['x']} - ({part['mean']})}}{{\sqrt{{{part['variance']} + "
        rf"{small}}}}} + ({part['beta']}) = {short(after.value)}"
    )
    return rf"\begin{{aligned}} & {general} \\ & {numbers} \end{{aligned}}"


# ---- the page, top to bottom

page.title()
lead_place = st.container()
ask.ask(page, question, reset=("norm", "given", "eps", "method", "part", "pos", "dim"))
components.controls(key="controls", data=controls())
picture_place = st.container()
said_place = page.notice([], attempt())
parts = (lambda: where_it_sits(page), every_norm, other_norms, once_by_hand, lambda: at_the_start(page))
page.sections(values["section"], dict(zip(SECTIONS, parts, strict=True)))
kinds_place = st.container()
with picture_place:
    picture()
open_it(page, opened)
page.next_stop()
