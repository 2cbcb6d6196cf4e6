"""Where the rows come from: the translator's table before and after training, and the rows one gradient touches."""

import html

import numpy as np
import streamlit as st

from core.figures import meaning as figures
from core.text.unicode import is_cjk
from core.views.learning import STEPS, Gradient, PairGradient, gradient, pair_gradient, snapshot
from core.views.maps import Plan, draw, quality
from core.views.meaning import Group, Space, mean_cosine, split, word_set
from pages.shared import cached, samples, state
from pages.shared.charts import chart, remembered, scheme
from pages.shared.page import Page, paragraphs
from pages.shared.state import Parameter, choice
from pages.stages.meaning_controls import changed

ID = "translator"  # the one model whose training was recorded
SAMPLE = samples.read("words")[ID]
LAST = 6000  # steps of the whole training
ALL = (*STEPS, LAST)
WORDS = ("三", "teacher", "bought", "狗")  # whose nearest rows are listed at every step
TABLE: dict[str, Parameter] = {
    "trained": choice(*map(str, ALL), default=str(STEPS[0])),
    "grown": choice(*WORDS, default=WORDS[0]),
}
OTHERS = (
    "A dog bites a man.",
    "The bank raised its rates.",
)  # what a sentence is compared with: the first that is another
BARS = 24


# ---- before and after


class Grown:
    """One step of training: the words drawn, how pure the space is, and each word's nearest rows."""

    def __init__(self, space: Space):
        groups = [Group(id, tuple(split(SAMPLE["groups"][id]))) for id in SAMPLE["opens"]]
        self.words = word_set(space, groups)
        self.drawn = draw(self.words.vectors, Plan())
        self.purity = quality(self.words.vectors, self.words.groups, "cosine")
        found = {text: space.word(text) for text in WORDS}
        self.near = {text: space.neighbours(word, 6) for text, word in found.items() if word}
        pieces = space.model.tokenizer.pieces
        read = [id for id, piece in enumerate(pieces) if any(map(is_cjk, piece))]
        said = [id for id, piece in enumerate(pieces) if piece.isascii() and piece.isalpha()]
        self.alike = {
            "chinese": mean_cosine(space.table, read),
            "english": mean_cosine(space.table, said),
            "pad": mean_cosine(space.table, [pieces.index("[PAD]")], read),
        }
        self.nbytes = self.words.nbytes + self.drawn.nbytes


def grown(step: int) -> Grown:
    def make() -> Grown:
        stored = snapshot(cached.model(ID), step).table
        return Grown(Space(cached.model(ID), stored, np.linalg.norm(stored, axis=1)))

    return cached.remember(("grown", step), make)


def grew(page: Page) -> None:
    """How near became near: a map and the nearest rows of a word, at a few steps of the training."""

    @st.fragment
    def draw_step() -> None:
        values = state.Address().read(TABLE)
        at_step(page, int(values["trained"]), values["grown"])

    st.html(f"<h2 class='part'>{page.t.html('grew_title')}</h2>")
    draw_step()


def at_step(page: Page, step: int, word: str) -> None:
    t = page.t
    with st.spinner(t("grew_drawing")):
        found = {n: grown(n) for n in ALL}
    paragraphs([t.html("grew_said", last=f"{LAST:,}")])
    with st.container(key="grown_controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.session_state["trained_in"] = str(step)
        st.select_slider(
            t("trained"), [str(n) for n in ALL], width=280, key="trained_in", on_change=changed, args=("trained",)
        )
        st.session_state["grown_in"] = word
        st.segmented_control(t("grown"), WORDS, required=True, key="grown_in", on_change=changed, args=("grown",))
    left, right = st.columns([1.25, 1], gap="large")
    here = found[step]
    with left:
        texts = [each.text for each in here.words.words]
        names = {id: t(f"group.{id}") for id in here.words.groups}
        marked = figures.Marked(texts.index(word) if word in texts else None)
        figure = remembered(
            page, ("grown", step, word),
            lambda: figures.map_figure(here.drawn.points, texts, here.words.groups, names, marked, scheme(page), 380),
        )  # fmt: skip
        chart(figure, "grown_map")
    with right:
        st.html(f"<div class='shapes-box'><table class='shapes'>{table(page, found, step, word)}</table></div>")
        facts = {"before": found[0].purity.purity, "after": found[LAST].purity.purity, "last": f"{LAST:,}"}
        paragraphs(
            [
                t.html("grew_found", chance=found[0].purity.chance, **facts),
                t.html("grew_same"),
                t.html("grew_never", dog=WORDS[-1], **here.alike),
            ]
        )


def table(page: Page, found: dict[int, Grown], now: int, word: str) -> str:
    """A line a step: purity in the space, and the nearest rows of the word."""
    t = page.t
    rows = [f"<tr><th>{t.html('step')}</th><th>{t.html('purity')}</th><th>{t.html('nearest_to', word=word)}</th></tr>"]
    for step, grown in found.items():
        near = " ".join(html.escape(row.piece) for row in grown.near[word][:5])
        on = " class=query" if step == now else ""
        rows.append(f"<tr{on}><td>{step:,}</td><td>{grown.purity.purity:.3f}</td><td>{near}</td></tr>")
    return "".join(rows)


# ---- one gradient


def touched(page: Page) -> None:
    """Which rows of the table one gradient moves."""
    st.html(f"<h2 class='part'>{page.t.html('gradient_title')}</h2>")
    if page.writes:
        written(page)
    else:
        read(page)


def read(page: Page) -> None:
    """MiniLM: the rows that the gradient of a comparison reaches are those that were fetched."""
    t, text = page.t, page.text
    ids = [[token.id for token in cached.trace(page.address.model, each).tokens] for each in (text, *OTHERS)]
    other = OTHERS[ids[0] == ids[1]]
    found: PairGradient = cached.remember(
        ("pair gradient", page.address.model, text), lambda: pair_gradient(page.model, text, other)
    )
    reached = int((found.rows > 0).sum())
    paragraphs([
        t.html("gradient_read", text=shortened(text), other=other, reached=reached, fetched=len(found.fetched),
               vocab=f"{len(found.rows):,}", zero=f"{len(found.rows) - reached:,}")
    ])  # fmt: skip
    bars(page, found.rows, found.fetched)


def written(page: Page) -> None:
    """The translator: through the lookups the fetched rows, through the output every row."""
    t = page.t
    text = page.text if any(map(is_cjk, page.text)) else samples.example("zh")
    target = cached.translation(ID, text).text_out or "."
    found: Gradient = cached.remember(("gradient", text), lambda: gradient(page.model, text, target))
    reached = int((found.lookup > 0).sum())
    rest = np.delete(found.whole, list(found.fetched))
    paragraphs([
        t.html("gradient_written", text=shortened(text), target=shortened(target), loss=found.loss, reached=reached,
               fetched=len(found.fetched), all=f"{int((found.whole > 0).sum()):,}", vocab=f"{len(found.whole):,}",
               rest=float(np.median(rest)))
    ])  # fmt: skip
    bars(page, found.lookup, found.fetched)


def bars(page: Page, lengths: np.ndarray, fetched: tuple[int, ...]) -> None:
    """The rows that were fetched, and three of the others."""
    pieces = page.model.tokenizer.pieces
    idle = [id for id in range(len(lengths) - 1, 0, -len(lengths) // 4) if id not in fetched][:3]
    ids = [*fetched[:BARS], *idle]
    labels = [pieces[id] for id in ids]
    figure = remembered(
        page, ("rows", page.address.model, page.text), lambda: figures.rows_figure(lengths[ids], labels, scheme(page))
    )
    chart(figure, "gradient_rows")
    names = page.t("comma").join(pieces[id] for id in idle)
    facts = {"idle": names, "fetched": len(fetched), "shown": len(fetched[:BARS])}
    st.html(f"<p class='soft'>{page.t.html('gradient_caption', **facts)}</p>")


def shortened(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80].rstrip()} …"
