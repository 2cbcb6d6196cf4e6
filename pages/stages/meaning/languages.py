"""Two languages in the translator's one table, and a rotation learned from a few pairs that lays one on the other."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core.figures.cloud import Cloud
from core.figures.controls import Control, Controls
from core.grammar.glosses import english_of
from core.ranking import largest
from core.views import languages as views
from core.views.languages import HELD_OUT, LEARNED, Aligned, Languages
from pages.shared.address.address import Parameter, choice
from pages.shared.page import parts
from pages.shared.page.stage import PageContext
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import percent
from pages.stages.meaning.context import StageContext
from pages.stages.meaning.picture import cloud_words, ends
from pages.stages.meaning.table_over_training import MODEL

DRAWN = 40  # pairs on the map
OPENING = "书"
NEAREST = 5
BAR = 40  # pixels
FORMULA = (
    r"W = \operatorname*{arg\,min}_{W^{\top} W = I} \lVert X W - Y \rVert = U V^{\top}, "
    r"\qquad X^{\top} Y = U \Sigma V^{\top}"
)


def parameters(page: PageContext, view) -> dict[str, Parameter]:
    heard = [all.pairs[i][0] for all in (words(),) for i in drawn(all)]
    first = OPENING if OPENING in heard else heard[0]
    return {"learned": choice(*map(str, LEARNED), default=str(LEARNED[-2])), "heard": choice(*heard, default=first)}


def drawn(all: Languages) -> list[int]:
    """The pairs on the map: nothing was learned from them."""
    return list(all.held_out)[:DRAWN]


@cached.shared
def aligned(learned: int) -> Aligned:
    return views.align(words(), learned)


@cached.shared
def words() -> Languages:
    """The words of the little grammar."""
    return views.languages(cached.model(MODEL), english_of())


def draw(context: StageContext) -> None:
    t, learned, all = context.t, int(context.values["learned"]), words()
    now, at = aligned(learned), next(i for i in drawn(all) if all.pairs[i][0] == context.values["heard"])
    facts = {"pairs": len(all.pairs), "held": HELD_OUT, "drawn": DRAWN}
    parts.write(parts.heading(t, "languages"), parts.paragraph(t, "languages_said", **facts))
    components.controls(key="languages_controls", data=controls(context, all).data())
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.cloud(key="languages_map", data=picture(context, all, now, at).pack())
    with right:
        parts.write(
            parts.paragraph(t, "languages_word", **of_word(all, now, at)),
            parts.paragraph(t, "languages_turned", **of_word(all, now, at), learned=learned) if learned else "",
            parts.paragraph(t, "languages_held", **facts),
            table(context, all, learned),
        )
    with st.expander(t("languages_how")):
        with st.container(key="languages_formula"):
            st.latex(FORMULA)
        parts.write(parts.paragraph(t, "languages_rotation", apart=now.skew), parts.paragraph(t, "languages_honest"))


def controls(context: StageContext, all: Languages) -> Controls:
    t = context.t
    heard = [(all.pairs[i][0], all.pairs[i][0]) for i in drawn(all)]
    return Controls(
        [
            Control("heard", t("heard_label"), heard, stepper="always", plain=True),
        ]
    )


def of_word(all: Languages, now: Aligned, at: int) -> dict[str, object]:
    chinese, english = all.pairs[at]
    ranks = {"rank": int(now.ranks[at]), "plain": int(aligned(0).ranks[at])}
    return {"chinese": chinese, "english": english, "all": len(all.pairs), **ranks}


def table(context: StageContext, all: Languages, learned: int) -> str:
    """How often a word that nothing was learned from finds its translation, after so many pairs."""
    held, rows = list(all.held_out), []
    for n in LEARNED:
        found = aligned(n)
        shares = (found.first(held, places) for places in (1, NEAREST))
        bars = (parts.amount(share, 1.0, f"{percent(share)}\u00a0%", BAR) for share in shares)
        rows.append((n, *bars, f"{np.median(found.ranks[held]):g}"))
    head = [context.t(f"languages_table.{name}") for name in ("learned", "first", "near", "median")]
    return parts.table(rows, head, "wrapped", [LEARNED.index(learned)])


@cached.shared
def seen(learned: int) -> np.ndarray:
    """[Chinese, then English words; 2]: from the side from which English spreads most."""
    all = words()
    side = np.linalg.svd(all.english, full_matrices=False)[2][:2].T
    return (np.concatenate([aligned(learned).chinese, all.english]) @ side).astype(np.float32)


def picture(context: StageContext, all: Languages, now: Aligned, at: int) -> Cloud:
    """Words of both languages that nothing was learned from, and the English ones nearest to one of them in the space
    itself."""
    shown = drawn(all)
    best = largest(now.cosines[at], NEAREST)
    english = list(dict.fromkeys([*shown, *map(int, best)]))
    near = list(dict.fromkeys([at, *best])) + [None] * (at in best)
    placed = np.full((DRAWN + len(english), len(near)), -1, np.float32)
    placed[shown.index(at)] = [-1 if i is None else DRAWN + english.index(i) for i in near]
    alike = np.full_like(placed, np.nan)
    alike[shown.index(at)] = [np.nan if i is None else now.cosines[at, i] for i in near]
    rows = [*shown, *(len(all.pairs) + i for i in english)]
    return Cloud(
        param="heard",
        also={},
        texts=[*(all.pairs[i][0] for i in shown), *(all.pairs[i][1] for i in english)],
        groups=[0] * DRAWN + [1] * len(english),
        names=[context.t("languages_of.zh"), context.t("languages_of.en")],
        dimensions=2,
        points=seen(now.learned)[rows],
        near=placed,
        cosines=alike,
        words=replace(cloud_words(context), run=context.t("learned_label")),
        fixed=True,
        snapshots=LEARNED,
        snapshot=now.learned,
        by="learned",
        ends=ends([seen(n)[[*shown, *(len(all.pairs) + i for i in range(len(all.pairs)))]] for n in LEARNED]),
        each=0,
        partners=[*range(DRAWN, 2 * DRAWN), *range(DRAWN), *[-1] * (len(english) - DRAWN)],
        before=seen(0)[at].tolist() if now.learned else (),
        legend=True,
    )
