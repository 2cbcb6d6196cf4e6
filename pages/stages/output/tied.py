"""One table at both ends: what that saves, for any V and d, and how the gradient comes to it from both."""

import numpy as np
import streamlit as st

from core.derivation import Cell, Weight
from core.derivation.flow import TABLE
from core.derivation.measures.words import LIKELY
from core.views.output import Ends, ends, parameters
from pages.shared.address.address import whole
from pages.shared.address.visit import bind
from pages.shared.number.number_links import measured
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.output.look import Look, rows_of, run_of

ROWS, WIDTH = 30_000, 768  # of the handout
MOST_ROWS, MOST_WIDTH = 1_000_000, 20_000
LARGEST = 32_000_000  # bytes of a table of which copies are made
EACH = 5  # rows of the table that are listed


def parameters_of(page, view):
    return {"V": whole(1, MOST_ROWS, ROWS), "d": whole(1, MOST_WIDTH, WIDTH)}


@cached.shared
def gradients(name: str, text: str) -> Ends:
    return ends(cached.model(name), run_of(name, text))


def draw(look: Look) -> None:
    t = look.t
    write(heading(t, "tied"), paragraph(t, "tied.said", V=grouped(rows_of(look.page)[0]), d=rows_of(look.page)[1]))
    with st.container(key="counting", horizontal=True, gap="medium"):
        st.number_input("V", 1, MOST_ROWS, step=1000, width=160, **bind(look, "V"))
        st.number_input("d", 1, MOST_WIDTH, step=64, width=160, **bind(look, "d"))
    write(
        table(counted(look), [t("tied.kind"), t("tied.formula"), t("tied.count")], kind="sums"),
        paragraph(t, "tied.shape"),
    )
    if look.view.table.nbytes > LARGEST or len(look.view.given) < 2:
        return
    found = gradients(*look.key)
    tied = measured(look, float(np.linalg.norm(found.tied)), "gradient_all", Weight(TABLE, (None, None)))
    loss = measured(look, found.loss, "loss", Cell(LIKELY, (None, None)))
    facts = {"loss": loss, "difference": found.difference, "tied": tied}
    write(
        f"<h3>{t.html('tied.gradient')}</h3>",
        paragraph(t, "tied.ends", **facts),
        table(doors(look, found), [t("tied.door"), t("tied.rows"), t("tied.norm")], kind="sums"),
        paragraph(t, "tied.sum", **facts),
        paragraph(t, "tied.row_said"),
        table(
            rows(look, found), [t("tied.word"), *(t(f"tied.{name}") for name in (*found.names, "both"))], kind="sums"
        ),
    )


def counted(look: Look) -> list[list[object]]:
    t = look.t
    given = look.values["V"], look.values["d"]
    apart, tied = parameters(*given)
    return [
        [t("tied.apart"), "2Vd + V", grouped(apart)],
        [t("tied.tied"), "Vd + V", grouped(tied)],
        [t("tied.saved"), "Vd", grouped(apart - tied)],
    ]


def doors(look: Look, found: Ends) -> list[list[object]]:
    whole = Weight(TABLE, (None, None))
    norms = [
        measured(look, float(np.linalg.norm(each)), f"gradient_{name}_all", whole)
        for name, each in zip(found.names, found.each, strict=True)
    ]
    names = [look.t(f"tied.{name}") for name in found.names]
    return [[name, grouped(len(found.touched(i))), norms[i]] for i, name in enumerate(names)]


def rows(look: Look, found: Ends) -> list[list[object]]:
    """The rows of the table that the gradient moves most: how much comes through each door."""
    total = np.linalg.norm(found.tied, axis=-1)
    ids = np.argsort(-total)[:EACH].tolist()
    return [[look.piece(id), *through_doors(look, found, id), row_of(look, id, float(total[id]))] for id in ids]


def row_of(look: Look, id: int, length: float) -> float:
    return measured(look, length, "gradient_row", Weight(TABLE, (id, None)))


def through_doors(look: Look, found: Ends, id: int) -> list[float]:
    """How long what comes to a row through each door is."""
    lengths = [float(np.linalg.norm(each[id])) for each in found.each]
    return [
        measured(look, length, f"gradient_{name}_row", Weight(TABLE, (id, None))) if length else length
        for name, length in zip(found.names, lengths, strict=True)
    ]


SECTION = Section(draw, parameters_of, redraws=("V", "d"))
