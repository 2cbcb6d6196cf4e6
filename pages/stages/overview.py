"""Overview: the whole path of one sentence, every stage in miniature."""

import numpy as np
import streamlit as st

from core.derivation.overview import derive
from core.model.encoder import BertEncoder, EncoderLayer
from core.predict import after_layer
from core.views.overview import OverviewView, overview_view, strangers, taps
from pages.shared import ask, cached, components, follow, hugging_face, samples, state
from pages.shared.numbers import exact, short
from pages.shared.open_it import OPEN, Opened, csv, open_it
from pages.shared.page import Strip, current
from pages.shared.state import whole

ASKED = 3  # the layer the question is about
DIMENSIONS = 40  # how many of a vector's dimensions fit into a column
ATTENTION_PIXELS = 64
DOORS = {"ids": "tokens", "row": "embedding", "sum": "input", "enter": "layernorm", "layer": "attention"}

FORMULA = r"""\begin{aligned}
& x^{(0)} = \mathrm{LN}(e + p + s) \\
& x^{(l)} = \mathrm{layer}_l\big(x^{(l-1)}\big) \\
& \cos(x, y) = \frac{x \cdot y}{\lVert x\rVert\,\lVert y\rVert}
\end{aligned}"""

page = current()
LAYERS = page.model.config.layers


def make_view() -> OverviewView:
    return overview_view(cached.capture(page.address.model, page.text, only=taps(LAYERS)), LAYERS)


@st.cache_resource(show_spinner=False, max_entries=4)
def stranger_line(name: str) -> tuple[float, float]:
    """How alike random rows of the table are; rows in brackets ([unused5]) were never trained and do not count."""
    model = cached.model(name)
    table = model.network.get_parameter("embedding.token_table.weight").detach().numpy()
    return strangers(table[[not piece.startswith("[") for piece in model.tokenizer.pieces]])


view: OverviewView = cached.remember(("overview", page.address.model, page.text), make_view)
question = after_layer(view, ASKED, stranger_line(page.address.model))
veiled = ask.is_open(page, question)
FIRST_VEILED = len(view.depths) - LAYERS + ASKED - 1  # the depth of the asked layer
OPENING = view.pair()
TABLE = {
    "depth": whole(0, len(view.depths) - 1, FIRST_VEILED - 1 if veiled else FIRST_VEILED),
    "q": whole(0, len(view.tokens) - 1, OPENING[0]),
    "k": whole(0, len(view.tokens) - 1, OPENING[1]),
    **OPEN,
}
values = page.read(TABLE)
page.strip = Strip(first="k", second="q", click="pair")
a, b = values["q"], values["k"]
cosines = view.cosines(a, b)


def title(depth) -> str:
    return page.t(f"depths.{depth.id}", number=depth.number)


def hidden(depth: int, one: int, other: int) -> bool:
    """Would this cosine answer the open question? The asked pair is veiled from the asked layer on."""
    return veiled and depth >= FIRST_VEILED and {one, other} == set(OPENING)


# ---- the picture


def picture() -> bytes:
    t, n = page.t, len(view.tokens)
    dims = np.arange(DIMENSIONS) * (page.model.config.d_model // DIMENSIONS)
    states = np.stack([depth.states[:, dims] for depth in view.depths])
    if veiled:
        states[FIRST_VEILED:, list(OPENING)] = np.nan
    small, _ = components.pooled(view.attention, ATTENTION_PIXELS)
    columns = [
        {
            "title": title(depth),
            "shape": f"{n} × {depth.states.shape[1]}",
            "door": door(depth.id, depth.number),
            "reach": float(np.nanpercentile(np.abs(states[i]), 97)) if n > 2 else float(np.nanmax(np.abs(states[i]))),
            "layer": depth.number,
        }
        for i, depth in enumerate(view.depths)
    ]
    header = {
        "tokens": view.tokens,
        "special": view.special,
        "ids": view.ids,
        "first": {"title": t("depths.ids"), "shape": str(n), "door": door("ids", 0)},
        "columns": columns,
        "dims": dims.tolist(),
        "attention": {"rows": small.shape[1], "columns": small.shape[2]},
        "pair": [a, b],
        "curve": [None if hidden(i, a, b) else float(c) for i, c in enumerate(cosines)],
        "words": {
            "label": t("picture_label"),
            "curve": t("curve", first=page.name(a), second=page.name(b)),
            "dim": t("matrix.dim"),
            "veiled": t("matrix.veiled"),
            "legend": [
                {"text": t("legend.above"), "kind": ""},
                {"text": t("legend.negative"), "kind": "negative"},
                {"text": t("legend.positive"), "kind": "positive"},
                {"text": t("legend.below", shown=len(dims), all=page.model.config.d_model), "kind": ""},
            ],
        },
    }
    return components.pack(header, states, small)


def door(id: str, number: int) -> dict | None:
    """The stage behind a column: its page link below, and its address; None where it does not exist yet."""
    slug = DOORS[id]
    if slug not in page.links:
        return None
    return {"id": f"{slug}-{number}", "href": page.href(slug, **door_parameters(number))}


def door_parameters(number: int) -> dict[str, str]:
    return {"layer": str(number)} if number else {}


def page_links() -> None:
    """One link for each door, out of sight. The picture clicks them, so that Back works as after any path link."""
    behind = {(DOORS[id], number) for id, number in [("ids", 0), *((depth.id, depth.number) for depth in view.depths)]}
    with st.container(key="doors"):
        for slug, number in sorted(behind):
            if slug in page.links:
                with st.container(key=f"door-{slug}-{number}"):
                    parameters = {**page.address.link(), **door_parameters(number)}
                    st.page_link(page.links[slug], label=page.t(f"stages.{slug}"), query_params=parameters)


# ---- the number being followed


def derivation_data(now: dict) -> dict:
    t, depth, one, other = page.t, now["depth"], now["q"], now["k"]
    base = {
        "id": f"{depth}/{one}/{other}",
        "title": t("follow"),
        "where": t("where", first=page.name(one), second=page.name(other), depth=title(view.depths[depth])),
    }
    if hidden(depth, one, other):
        return {**base, "value": t("matrix.veiled"), "steps": [], "note": t("veiled_step")}
    derivation = derive(view, depth, one, other)
    steps = follow.lines(t, derivation, first=page.name(one), second=page.name(other))
    return {**base, "value": short(derivation.captured), "exact": exact(derivation.captured), "steps": steps}


# ---- the words


def lead() -> None:
    n, d = len(view.tokens), page.model.config.d_model
    twins = view.ids.count(view.ids[OPENING[0]]) == 2 and view.ids[OPENING[0]] == view.ids[OPENING[1]]
    # The Chinese site says why its example is English.
    english = page.t("english") if page.address.lang == "zh" and page.text == samples.EXAMPLE else ""
    page.title("lead" if twins else "lead_plain", n=n, d=d, token=view.tokens[OPENING[1]], english=english)


def notices() -> list[str]:
    t, names = page.t, {"first": page.name(a), "second": page.name(b)}
    said = [t.html("notice.entrance", row=float(cosines[0]), sum=float(cosines[1]), enter=float(cosines[2]), **names)]
    if not any(hidden(i, a, b) for i in range(len(view.depths))):
        layers = cosines[-LAYERS:]
        low = int(layers.argmin())
        said.append(
            t.html("notice.layers", low=float(layers[low]), layer=low + 1, last=float(layers[-1]), layers=LAYERS)
        )
    said.append(t.html("notice.state", token=page.name(b)))
    said.append(t.html("notice.chatgpt"))
    return said


def opened() -> Opened:
    depth = view.depths[state.Address().read(TABLE)["depth"]]
    array = depth.states.copy()
    if veiled and view.depths.index(depth) >= FIRST_VEILED:
        array[list(OPENING)] = np.nan
    return Opened(
        formula=FORMULA,
        code=(BertEncoder.forward, EncoderLayer.forward),
        shapes=[(depth.tap, page.model.tap_dims[depth.tap], depth.states.shape) for depth in view.depths],
        compare=lambda: (
            page.t("compared", count=LAYERS + 1),
            hugging_face.state_difference(page.address.model, page.text),
        ),
        table=lambda: csv(array, view.tokens, [str(i) for i in range(array.shape[1])]),
        table_name=f"{depth.tap}.csv",
        captured=not veiled,
    )


# ---- the page, top to bottom

lead()
ask.ask(page, question, reset=("depth", "q", "k"))
components.depth(key="depth", data=picture(), on_selection_change=state.selecting("depth", TABLE))
page_links()
left, right = st.columns([1.08, 1], gap="large")
with left:
    follow.follow(page, TABLE, derivation_data)
with right:
    page.notice(notices(), (page.t("notice.try"), {"text": page.t("notice.try_text")}))
open_it(page, opened)
page.next_stop()
