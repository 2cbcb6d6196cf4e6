"""The translation as it is written; under it both attentions as matrices."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.figures.controls import Control, Controls, numbered
from core.figures.decoding import Decoding, DecodingWords, Kept, Step
from core.figures.matrix import Axis, Matrix
from core.figures.picture import veiled
from core.grammar import glosses
from core.run_spec import RunSpec
from pages.shared.number.cell_path import FITS, RUN, run_prefix
from pages.shared.number.translation_numbers import log_of, run_of, score_of
from pages.shared.page.renderings import rendered
from pages.shared.pictures.pictures import STACK, matrix_words
from pages.shared.words.numbers import Number
from pages.shared.words.texts import Texts
from pages.stages.translation import writing
from pages.stages.translation.context import StageContext

ROW = 32  # pixels of a row of both
BAND = 66  # and of the names above
MATRICES = "matrices"  # both attentions: a piece of the page of their own
OWN = "decoder.{layer}.self_attention.weights.{head}.{row}.{column}"  # of the decoder's own: how a trail begins
WORDS = (
    *("label", "first", "back", "play", "pause", "on", "last", "step"),
    *("source", "written", "given", "earlier", "candidates", "rest", "beams", "log", "score"),
)


def planes(context: StageContext, weights: np.ndarray) -> dict[str, np.ndarray]:
    """The heads of [layer, head, row, column] for the browser, as far as they fit, by "layer/head"."""
    every = np.ndindex(*weights.shape[:2]) if weights.nbytes <= STACK else [(context.layer - 1, context.head - 1)]
    return {f"{i + 1}/{h + 1}": weights[i, h] for i, h in every}


def cross_planes(context: StageContext) -> dict[str, np.ndarray]:
    return planes(context, veiled(context.view.cross, context.asked.rows, 2))


def decoding(context: StageContext) -> Decoding:
    made = writing.beam(context.text) if context.beam else writing.greedy(context.text)
    return Decoding(
        source=context.source,
        given=context.given,
        written=context.written,
        special=[token.special for token in context.view.source],
        glosses=glosses_of(context.source) if context.t.language == "en" else [],
        meanings=meanings(context) if context.t.language == "zh" else [],
        planes=cross_planes(context),
        steps=followable(context, made) if context.beam else made.steps,
        vocabulary=context.page.model.config.vocab,
        words=DecodingWords(**{name: context.t(f"picture.{name}") for name in WORDS}),
    )


def followable(context: StageContext, made: writing.Writing) -> list[Step]:
    """The translations that are kept at each step, and how a trail begins with each of their numbers."""

    def one(kept: Kept, ids: tuple[int, ...]) -> Kept:
        run, last = run_of(context, context.text, ids), len(ids) - 1
        numbers = log_of(context, kept.log_probability, run, last), score_of(context, kept.score, run, last)
        log, score = (x.trail if isinstance(x, Number) else "" for x in numbers)
        return kept._replace(trails=(log, score))

    pairs = zip(made.steps, made.paths, strict=True)
    return [replace(step, beams=list(map(one, step.beams, paths))) for step, paths in pairs]


def glosses_of(source: Sequence[str]) -> list[tuple[int, int, str]]:
    """What the words of the source mean in English, each with its place, as far as the grammar has them."""
    known, characters = glosses.english_of(), "".join(text if len(text) == 1 else "\0" for text in source)
    found = ((start, end, known.get(characters[start:end])) for start, end in glosses.cut(characters))
    return [(start, end, text) for start, end, text in found if text]


def meanings(context: StageContext) -> list[str]:
    """Of each written word the Chinese: that which it renders here, where that is known, else the dictionary's."""
    known, dictionary = rendered(context.text), glosses.chinese_of()
    here = ["".join(context.source[place] for place in word.source) for word in known]
    return [
        (here[row] if row < len(here) else "") or dictionary.get(word, "") for row, word in enumerate(context.written)
    ]


def cross(context: StageContext) -> Matrix:
    """Rows are named by the word that is written, and clicking lets go of a cell of self-attention."""
    unwritten = len(context.given) - len(context.written)
    rows = [f"→ {word}" for word in (*context.written, *[""] * unwritten)]
    return matrix(
        context.t,
        "cross",
        cross_planes(context),
        rows,
        Axis("k", len(context.source), context.source),
        also={"j": None},
    )


def own(context: StageContext) -> Matrix:
    """The decoder's masked self-attention, its rows as high as those beside it."""
    given = context.given
    columns = Axis("j", len(given), given)
    return matrix(context.t, "own", planes(context, context.view.own), given, columns, side=ROW * len(given))


def lifted(context: StageContext, weights: np.ndarray, given: Sequence[str], fragment: str, run: RunSpec) -> Matrix:
    """Self-attention [layer, head, row, column] without its mask: another run, in which a cell that is pressed begins
    a trail."""
    columns = Axis("j", len(given), given)
    trail = f"{run_prefix(run)}{RUN}{OWN}"
    trail = "" if context.veiled or len(trail) > FITS else trail
    facts = {"layer": context.layer, "head": context.head}
    shown = planes(context, weights)
    return matrix(context.t, "lifted", shown, given, columns, fragment=fragment, trail=trail, facts=facts)


def matrix(
    t: Texts,
    kind: str,
    planes: dict[str, np.ndarray],
    rows: Sequence[str],
    columns: Axis,
    fragment: str = MATRICES,
    also: dict[str, object] | None = None,
    trail: str | None = None,
    side: int | None = None,
    facts: dict[str, int] | None = None,
) -> Matrix:
    return Matrix(
        id=kind,
        fragment=fragment,
        name=("layer", "head"),
        planes=planes,
        rows=Axis("q", len(rows), rows),
        columns=columns,
        reach=1,
        tall=min(350, ROW * len(rows)),
        side=side,
        band=0 if trail is not None else BAND,
        also=also or {},
        still=trail is not None,
        trail=trail or "",
        words=matrix_words(t, f"matrices.{kind}_label", caption=t(f"matrices.{kind}", **(facts or {}))),
    )


def controls(context: StageContext) -> Controls:
    t, config = context.t, context.page.model.config
    return Controls(
        [
            Control("layer", t("layer"), numbered(config.decoder_layers)),
            Control("head", t("head"), numbered(config.heads)),
            Control("search", t("search"), [(id, t(f"searches.{id}")) for id in ("greedy", "beam")]),
        ]
    )
