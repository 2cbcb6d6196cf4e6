"""One row, many states: a word in several sentences, layer by layer."""

import html
from functools import partial
from itertools import groupby

import numpy as np
import streamlit as st

from core.derivation import Cell, Measure, Origin, RunSpec, Weight
from core.derivation.flow import TABLE
from core.errors import InputError
from core.figures import senses as figures
from core.figures.controls import Control, Controls
from core.views.meaning import Space, spelled
from core.views.senses import LONGEST, Senses, senses_view
from pages.shared.address.address import Parameter, choice, whole
from pages.shared.number.cell_path import AND, GROUP, row_path
from pages.shared.number.number_links import measured, number
from pages.shared.page import parts
from pages.shared.page.controls import handed, text_box
from pages.shared.page.stage import PageContext
from pages.shared.pictures import components
from pages.shared.pictures.pictures import packed
from pages.shared.server import cached
from pages.shared.words.texts import Texts
from pages.stages.meaning import typed_words
from pages.stages.meaning.context import LONGEST_WORD, StageContext

OWN = "own"  # the visitor's word, in the visitor's sentences
LONGEST_TEXT = 4000  # characters
DRAWN_FROM = ("sense", "sense_word", "sense_text")


def parameters(page: PageContext, view: Space) -> dict[str, Parameter]:
    words = tuple(page.opening.get("senses", ()))
    deepest = page.model.config.layers + 1
    return {
        "sense": choice(*words, OWN, default=(*words, OWN)[0]),
        "depth": whole(0, deepest, deepest),
        "sense_word": typed_words.parameter(),
        "sense_text": typed_words.parameter(),
    }


def draw(context: StageContext) -> None:
    """Static against contextual: which sentence is nearest to which, at every depth."""
    t, chosen = context.t, context.values["sense"]
    word, typed = typed_of(context) if chosen == OWN else (chosen, "")
    groups = by_sense(typed) if chosen == OWN else context.sample["senses"][chosen]
    senses = tuple((sense, tuple(lines)) for sense, lines in groups.items())
    refused = refusal(context.model, word, senses)
    said = [t("context_said"), "" if refused else t("context_arrows")]
    parts.write(f"<p class='said'>{html.escape(t.together(said))}</p>")
    components.controls(key="sense_controls", data=controls(context).data())
    if chosen == OWN:
        boxes(context, word, typed, refused)
    if refused is None:
        components.senses(key="senses", data=packed(context.of_any_sentence(), picture, word, senses))
        too_many(t, sum(map(len, groups.values())))


def refusal(name: str, word: str, senses: tuple[tuple[str, tuple[str, ...]], ...]) -> InputError | None:
    """Why a word and its sentences cannot be compared, if they cannot."""
    try:
        view_of(name, word, senses)
    except InputError as error:
        return error
    return None


@cached.shared
def view_of(name: str, word: str, senses: tuple[tuple[str, tuple[str, ...]], ...]) -> Senses:
    """Raises InputError."""
    model = cached.model(name)
    taps = model.depths()
    return senses_view(model, word, dict(senses), lambda text: cached.capture(name, text, only=taps))


def too_many(t: Texts, sentences: int) -> None:
    if sentences > LONGEST:
        st.html(f"<p class='note'>{t.html('context_many', limit=LONGEST, n=sentences - LONGEST)}</p>")


# ---- which word, in which sentences


def controls(context: StageContext) -> Controls:
    t = context.t
    words = [(id, t("sense_own") if id == OWN else id) for id in (*context.sample.get("senses", ()), OWN)]
    depths = [(depth, name) for depth, name in enumerate(short_names(context))]
    depth = Control("depth", t("depth_label"), depths, stepper=True, plain=True)
    return Controls([Control("sense", t("sense_label"), words), depth])


def short_names(context: StageContext) -> list[str]:
    """The depths, as a button has room for them."""
    layers = context.page.model.config.layers
    return [context.t("senses.table"), context.t("senses.enters"), *(str(n + 1) for n in range(layers))]


def typed_of(context: StageContext) -> tuple[str, str]:
    """The visitor's word and sentences; at first the last of the ready ones."""
    ready = list(context.sample.get("senses", {}).items())
    word, senses = ready[-1] if ready else (context.of, {"": [context.page.text]})
    text = "\n\n".join("\n".join(lines) for lines in senses.values())
    return typed_words.text(context, "sense_word", word).strip(), typed_words.text(context, "sense_text", text)


def boxes(context: StageContext, word: str, text: str, refused: InputError | None) -> None:
    """A box for the word and one for its sentences; where they do not fit, the one that is to be mended says so."""
    t = context.t
    said = t(f"context_errors.{refused.code}", **refused.parameters) if refused else ""
    few = refused is not None and refused.code == "sentences_few"
    for name, longest, now, lines in (("sense_word", LONGEST_WORD, word, 1), ("sense_text", LONGEST_TEXT, text, 6)):
        refusal = said if (lines > 1) == few else ""
        box = text_box(context, name, t(name), longest, handed=now, lines=lines, refusal=refusal)
        handed(name, box, partial(typed_words.take, context.page.stage, name))


def by_sense(text: str) -> dict[str, list[str]]:
    """A line a sentence; an empty line begins another sense."""
    senses: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip():
            senses[-1].append(line.strip())
        elif senses[-1]:
            senses.append([])
    return {chr(ord("A") + i % 26): lines for i, lines in enumerate(senses[:26]) if lines}


def depth_name(t: Texts, depth: int) -> str:
    if depth < 2:
        return t("depth_table" if depth == 0 else "depth_enters")
    return t("depth_layer", n=depth - 1)


# ---- what is seen


def picture(context: StageContext, word: str, senses: tuple[tuple[str, tuple[str, ...]], ...]) -> figures.Senses:
    t, view = context.t, view_of(context.model, word, senses)
    order = list(dict.fromkeys(view.senses))
    of = origins(context, view)
    several = len(of[0][0]) > 1
    followed = rows(context, of)
    return figures.Senses(
        param="depth",
        word=view.word,
        sentences=view.sentences,
        senses=[order.index(sense) for sense in view.senses],
        names=short_names(context),
        compared=[view.differs(depth) for depth in range(len(view.states))],
        said=said(context, view, of),
        cosines=view.cosines,
        within=view.within,
        across=view.across,
        words=words(t, bool(followed)),
        kind="pooled" if several else "cosine",
        between=GROUP if several else AND,
        rows=followed,
    )


def words(t: Texts, followed: bool) -> figures.SensesWords:
    names = ("label", "within", "across", "nearest", "cosines", "axis")
    said = {name: t(f"senses.{name}") for name in names}
    return figures.SensesWords(**said | ({"cosines": t("senses.followed")} if followed else {}))


# ---- what can be followed

Rows = tuple[Origin, ...]  # that a word is the mean of: one, unless it is several pieces


def origins(context: StageContext, view: Senses) -> list[list[Rows]]:
    """[depth][sentence] where the word's row or state stands."""
    model = context.page.model
    table: Rows = tuple(Weight(TABLE, (id, None)) for id in spelled(model, view.word))
    places = list(zip(view.sentences, view.places, strict=True))
    found: list[list[Rows]] = [[table] * len(view.sentences)]
    for tap in model.depths():
        found.append([tuple(Cell(tap, (i, None), RunSpec(text)) for i in at) for text, at in places])
    return found


def rows(context: StageContext, of: list[list[Rows]]) -> list[list[str]]:
    """The same as a trail has it. None while the question is open."""
    return [] if context.veiled else [[written(context, each) for each in depth] for depth in of]


def written(context: StageContext, of: Rows) -> str:
    each = [row_path(context.page.model, row) for row in of]
    return AND.join(each) if all(each) else ""


def followed(context: StageContext, view: Senses, of: list[Rows], kind: str, value: np.ndarray) -> float:
    """A mean over pairs, which can be followed: of a word that is one piece, and of sentences that differ."""
    found, one = float(value), [row for (row, *_) in of]
    if np.isnan(found) or any(len(rows) > 1 for rows in of):
        return found
    if isinstance(one[0], Weight):  # it is the same everywhere
        return measured(context, found, "cosine", one[0], one[0])
    sizes = tuple(len(list(group)) for _, group in groupby(view.senses))
    return number(context, found, Measure(kind, tuple(one), sizes))


# ---- what is said


def said(context: StageContext, view: Senses, of: list[list[Rows]]) -> list[list[str]]:
    """[depth] sentences."""
    t, gaps = context.t, view.within - view.across

    def mean(depth: int, kind: str, values: np.ndarray) -> float:
        return followed(context, view, of[depth], kind, values[depth])

    def at(depth: int) -> list[str]:
        facts = {"word": view.word, "n": len(view.sentences), "depth": depth_name(t, depth)}
        facts |= {"within": mean(depth, "among", view.within)}
        if depth == 0:
            alone = [t("context_alone")] if np.isnan(gaps).any() else []
            return [t.html("context_table", **facts), *alone]
        if np.isnan(gaps).any():
            return [t("context_alone")]
        if not view.differs(depth):
            return [t.html("context_tied" if depth == 1 else "context_equal", **facts)]
        facts |= {"across": mean(depth, "between", view.across), "gap": mean(depth, "parting", gaps)}
        enters = [t.html("context_enters")] if depth == 1 else []
        return [*enters, verdict(t, view, depth, (most, mean(most, "parting", gaps))), t.html("context_found", **facts)]

    most = 0 if np.isnan(gaps).any() else int(gaps[1:].argmax()) + 1
    return [at(depth) for depth in range(len(view.states))]


def verdict(t: Texts, view: Senses, depth: int, most: tuple[int, float]) -> str:
    """Whether the senses come apart here, and where the most."""
    facts: dict[str, object] = {"most": most[1], "where": depth_name(t, most[0]), "word": view.word}
    right, n = view.right(depth), len(view.paired)
    return t.html("context_clear" if right >= 0.9 * n else "context_blurred", **facts, right=right, n=n)
