"""Overview: the whole path of one sentence, every stage in miniature."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core.derivation.overview import derive
from core.model.decoder import DecoderLayer
from core.model.encoder import BertEncoder, EncoderLayer
from core.model.transformer import Transformer
from core.questions.overview import after_layer
from core.text.token import named
from core.views.overview import Depth, Looking, OverviewView, overview_view, strangers, taps
from pages.shared import ask, cached, compare, components, follow, state
from pages.shared.numbers import exact, short
from pages.shared.open_it import OPEN, Opened, csv, open_it
from pages.shared.page import Strip, current
from pages.shared.state import whole

DIMENSIONS = 40  # how many of a vector's dimensions fit into a column
ATTENTION_PIXELS = 64
DOORS = {
    "ids": "tokens",
    "row": "embedding",
    "scaled": "input",
    "sum": "input",
    "enter": "layernorm",
    "layer": "attention",
    "encoder": "attention",
    "self": "attention",
    "cross": "translation",
}
FORMULAS = {
    "minilm": (r"x^{(0)} = \mathrm{LN}(e + p + s)", r"x^{(l)} = \mathrm{layer}_l\big(x^{(l-1)}\big)"),
    "translator": (
        r"x^{(0)} = \sqrt{d}\, e + p, \qquad x^{(l)} = \mathrm{layer}_l\big(x^{(l-1)}\big)",
        r"y^{(0)} = \sqrt{d}\, e + p, \qquad y^{(l)} = \mathrm{layer}_l\big(y^{(l-1)}, x^{(L)}\big)",
    ),
}
# Two of the same word, and what becomes of them.
TRY = {
    "minilm": "She sat by the river bank and counted the money from the bank.",
    "translator": "这本书比那本便宜",
}
COSINE = r"\cos(x, y) = \frac{x \cdot y}{\lVert x\rVert\,\lVert y\rVert}"
CODE = {
    "minilm": (BertEncoder.forward, EncoderLayer.forward),
    "translator": (
        Transformer.forward,
        Transformer.read,
        Transformer.write,
        EncoderLayer.forward,
        DecoderLayer.forward,
    ),
}

page = current()
LAYERS = page.model.config.layers
ASKED = min(3, LAYERS)  # the layer the question is about


def make_view() -> OverviewView:
    return overview_view(cached.capture(page.address.model, page.text, only=taps(page.model)), page.model)


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
MARKS = Strip(first="k", second="q", click="pair")
WRITTEN = replace(MARKS, values=range(view.read, len(view.rows)))
page.strip = replace(MARKS, target=WRITTEN) if page.writes else MARKS
a, b = values["q"], values["k"]
cosines = view.cosines(a, b)


def title(depth: Depth) -> str:
    return page.t(f"depths.{depth.id}", number=depth.number)


def hidden(depth: int, one: int, other: int) -> bool:
    """Would this cosine answer the open question? The asked pair is veiled from the asked layer on."""
    return veiled and depth >= FIRST_VEILED and {one, other} == set(OPENING)


# ---- the picture


def picture() -> bytes:
    t, n = page.t, len(view.rows)
    rows = f"{view.read} + {n - view.read}" if page.writes else str(n)
    dims = np.arange(DIMENSIONS) * (page.model.config.d_model // DIMENSIONS)
    states = np.stack([depth.states[:, dims] for depth in view.depths])
    if veiled:
        states[FIRST_VEILED:, list(OPENING)] = np.nan
    small = [components.pooled(looking.weights[None], ATTENTION_PIXELS)[0][0] for looking in view.attention]
    columns = [
        {
            "title": title(depth),
            "shape": f"({rows}) × {depth.states.shape[1]}" if page.writes else f"{rows} × {depth.states.shape[1]}",
            "door": door(depth.id, depth.number),
            "reach": float(np.nanpercentile(np.abs(states[i]), 97)) if n > 2 else float(np.nanmax(np.abs(states[i]))),
        }
        for i, depth in enumerate(view.depths)
    ]
    header = {
        "tokens": view.tokens,
        "special": view.special,
        "ids": view.ids,
        "first": {"title": t("depths.ids"), "shape": rows, "door": door("ids", 0)},
        "columns": columns,
        "dims": dims.tolist(),
        "read": view.read,
        "written": [(word, round(probability, 3)) for word, probability in view.written],
        "attention": [attention(looking, plane.shape) for looking, plane in zip(view.attention, small, strict=True)],
        "pair": [a, b],
        "curve": [None if hidden(i, a, b) else float(c) for i, c in enumerate(cosines)],
        "words": {
            "label": t("picture_label"),
            "curve": t("curve", first=named(view.tokens, a), second=named(view.tokens, b)),
            "dim": t("matrix.dim"),
            "veiled": t("matrix.veiled"),
            "encoder": t("encoder"),
            "decoder": t("decoder"),
            "legend": [
                {"text": t("legend.above_two" if page.writes else "legend.above"), "kind": ""},
                {"text": t("legend.negative"), "kind": "negative"},
                {"text": t("legend.positive"), "kind": "positive"},
                {"text": t("legend.below", shown=len(dims), all=page.model.config.d_model), "kind": ""},
            ],
        },
    }
    return components.pack(header, states, *small)


def attention(looking: Looking, shape: tuple[int, ...]) -> dict:
    """One small picture above the column of its layer; those of the decoder stand above what is written."""
    return {
        "column": len(view.depths) - LAYERS + looking.layer - 1,
        "rows": shape[0],
        "columns": shape[1],
        "kind": looking.kind,
        "name": page.t(f"kinds.{looking.kind}"),
        "door": door(looking.kind, looking.layer),
    }


def door(id: str, number: int) -> dict | None:
    """The stage behind a column or picture: its page link below, and its address; None where it does not exist yet."""
    slug = DOORS[id]
    if slug not in page.links:
        return None
    return {"id": f"{id}-{number}", "href": page.href(slug, **door_parameters(id, number))}


def door_parameters(id: str, number: int) -> dict[str, str]:
    layer = {"layer": str(number)} if number else {}
    return {"kind": id, **layer} if id == "self" else layer


def page_links() -> None:
    """One link for each door, out of sight. The picture clicks them, so that Back works as after any path link."""
    columns = [("ids", 0), *((depth.id, depth.number) for depth in view.depths)]
    with st.container(key="doors"):
        for id, number in [*columns, *((looking.kind, looking.layer) for looking in view.attention)]:
            if DOORS[id] in page.links:
                with st.container(key=f"door-{id}-{number}"):
                    parameters = {**page.address.link(), **door_parameters(id, number)}
                    st.page_link(page.links[DOORS[id]], label=page.t(f"stages.{DOORS[id]}"), query_params=parameters)


# ---- the number being followed


def derivation_data(now: dict) -> dict:
    t, depth, one, other = page.t, now["depth"], now["q"], now["k"]
    base = {
        "id": f"{depth}/{one}/{other}",
        "title": t("follow"),
        "where": t("where", first=at(one, depth), second=at(other, depth), depth=title(view.depths[depth])),
    }
    if hidden(depth, one, other):
        return {**base, "value": t("matrix.veiled"), "steps": [], "note": t("veiled_step")}
    derivation = derive(view, depth, one, other)
    steps = follow.lines(t, derivation, first=at(one, depth), second=at(other, depth))
    return {**base, "value": short(derivation.captured), "exact": exact(derivation.captured), "steps": steps}


# ---- the words


def at(index: int, depth: int) -> str:
    """A token by its name; after a layer, the state at its place."""
    name = named(view.tokens, index)
    return page.t("at", token=name) if view.depths[depth].number else name


def lead() -> None:
    d = page.model.config.d_model
    if page.writes:
        return page.title("lead_two", n=view.read, d=d, m=len(view.rows) - view.read)
    twins = view.ids.count(view.ids[OPENING[0]]) == 2 and view.ids[OPENING[0]] == view.ids[OPENING[1]]
    page.title("lead" if twins else "lead_plain", n=view.read, d=d, token=view.tokens[OPENING[1]])


def notices() -> list[str]:
    t, names = page.t, {"first": named(view.tokens, a), "second": named(view.tokens, b)}
    row, *_, total, enter = (float(cosine) for cosine in cosines[:-LAYERS])
    said = [t.html(page.own("entrance"), row=row, sum=total, enter=enter, **names)]
    if not any(hidden(i, a, b) for i in range(len(view.depths))):
        layers = cosines[-LAYERS:]
        low = int(layers.argmin())
        said.append(
            t.html("notice.layers", low=float(layers[low]), layer=low + 1, last=float(layers[-1]), layers=LAYERS)
        )
    said.append(t.html("notice.state", token=named(view.tokens, b)))
    said.append(t.html(page.own("differs"), layers=LAYERS))
    said.append(t.html("notice.chatgpt"))
    return said


def opened() -> Opened:
    depth = view.depths[state.Address().read(TABLE)["depth"]]
    array = depth.states.copy()
    if veiled and view.depths.index(depth) >= FIRST_VEILED:
        array[list(OPENING)] = np.nan
    return Opened(
        formula=r"\begin{aligned} & " + r" \\ & ".join([*FORMULAS[page.address.model], COSINE]) + r" \end{aligned}",
        code=CODE[page.address.model],
        shapes=[shape for depth in view.depths for shape in shapes(depth)],
        compare=lambda: (
            page.t(page.own("compared"), count=LAYERS + 1),
            compare.state_difference(page.address.model, page.text),
        ),
        table=lambda: csv(array, view.tokens, [str(i) for i in range(array.shape[1])]),
        table_name=f"{depth.taps[0]}.csv",
        captured=not veiled,
    )


def shapes(depth: Depth) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    """Of each tap of a depth: its name, its dimensions, its shape."""
    sizes = {"token": view.read, "source": view.read, "target": len(view.rows) - view.read}
    dims = [(tap, page.model.tap_dims[tap]) for tap in depth.taps]
    return [(tap, names, (sizes[names[0]], depth.states.shape[1])) for tap, names in dims]


# ---- the page, top to bottom

lead()
ask.ask(page, question, reset=("depth", "q", "k"))
components.depth(key="depth", data=picture(), on_selection_change=state.selecting("depth", TABLE))
page_links()
left, right = st.columns([1.08, 1], gap="large")
with left:
    follow.follow(page, TABLE, derivation_data)
with right:
    page.notice(notices(), (page.t(page.own("try")), {"text": TRY[page.address.model]}))
open_it(page, opened)
page.next_stop()
