"""Meaning: the table as a space. A map of words, what lies near in the space itself, and what context changes."""

import html
from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.derivation.meaning import derive_cosine
from core.figures import meaning as figures
from core.model.embedding import BertEmbedding, TransformerEmbedding
from core.questions.meaning import nearest_word
from core.views import maps
from core.views.maps import METHODS, METRICS, SNAPSHOTS, STARTS, Plan, draw
from core.views.meaning import Neighbour, Space, Word, WordSet, analogy
from core.views.vectors import cosine
from pages.shared import ask, cached, compare, components, follow, jobs, samples, state
from pages.shared.charts import remembered, scheme
from pages.shared.numbers import exact, short
from pages.shared.open_it import OPEN, Opened, csv, open_it
from pages.shared.page import Strip, current, paragraphs
from pages.shared.state import Parameter, Repair, choice, whole
from pages.stages import meaning_sums
from pages.stages.meaning_context import TABLE as CONTEXT
from pages.stages.meaning_context import compared, in_context
from pages.stages.meaning_controls import FRAME, PERPLEXITIES, controls, moved, play_on, snapshots
from pages.stages.meaning_map import drawn, made, map_key, plan_of, progress
from pages.stages.meaning_training import TABLE as TRAINING
from pages.stages.meaning_training import grew, touched
from pages.stages.meaning_trust import remarks, trust
from pages.stages.meaning_words import (
    LONGEST_WORD,
    OWN,
    SENTENCE,
    Kept,
    a_word,
    name_of,
    near_of,
    ready,
    space_of,
    word_of_token,
    words_of,
)

ASKED = {"minilm": ("white", ("pale", "black", "snow")), "translator": ("三", ("three", "四", "书"))}
HIDDEN = "?"  # stands on the map for a word that the open question asks about
OPENS_ON = {"minilm": "king", "translator": "teacher"}  # while the question is open
SECTIONS = ("context", "sum", "sentences", "grew", "gradient")

page = current()
t, NAME, MODEL = page.t, page.address.model, page.model
SAMPLE = samples.read("words")[NAME]
space, groups = space_of(page), ready(NAME)


# ---- the address


def a_row() -> Parameter:
    """A row by its piece, as neighbours are named, or a word."""
    word = a_word(page, "")
    return Parameter(lambda raw: raw if space.row(raw) else word.parse(raw), None, t("allowed_word"))


def some_groups() -> Parameter:
    """Ids of groups between commas."""
    known = (*groups, OWN, SENTENCE)

    def parse(raw: str) -> str | None:
        ids = raw.split(",")
        return ",".join(dict.fromkeys(ids)) if all(id in known for id in ids) else None

    return Parameter(parse, ",".join(SAMPLE["opens"]), ", ".join(known))


asked, others = ASKED[NAME]
question = cached.remember(("nearest word", NAME), lambda: Kept(nearest_word(space, asked, others))).of
veiled = ask.is_open(page, question, selected=("of", "to"))
VEIL = {asked, *others} if veiled else set()
OPENING = OPENS_ON[NAME] if veiled else asked
if st.session_state.get("_opened_as") != page.slug:
    state.pop(FRAME)  # a run that was left does not go on when one comes back
TABLE: dict[str, Parameter] = {
    "groups": some_groups(),
    "map": choice(*METHODS, default="tsne"),
    "perplexity": choice(*map(str, PERPLEXITIES), default="10"),
    "metric": choice(*METRICS, default="cosine"),
    "start": choice(*STARTS, default="pca"),
    "seed": whole(0, 99, 0),
    "dimensions": choice("2", "3", default="2"),
    "snapshot": choice(*map(str, SNAPSHOTS), default=str(SNAPSHOTS[-1])),
    "of": a_word(page, OPENING),
    "to": a_row(),
    **meaning_sums.parameters(page),
    **CONTEXT(SAMPLE),
    **TRAINING,
    "section": choice(*SECTIONS, default=SECTIONS[0]),
    **OPEN,
}
values = page.read(TABLE)
page.strip = Strip(first="of", click="of", also={"to": None}, values=word_of_token(page))


# ---- the picture: map left, the chosen word right


@st.fragment
def picture() -> None:
    if state.pop("_selected") and st.query_params.get("open") == "1":
        st.rerun(scope="app")
    address = state.Address()
    values = address.read(TABLE)
    if values["map"] != "tsne":
        state.pop(FRAME)  # there is no run to play
    if FRAME in st.session_state:
        values["snapshot"] = str(SNAPSHOTS[st.session_state[FRAME]])
    words = words_of(page, values["groups"])
    controls(page, values)
    left, right = st.columns([1.45, 1], gap="medium")
    with left:
        the_map(values, words)
    with right:
        the_word(values, words, {name: address.chosen[name] for name in TABLE if name in address.chosen})


def the_map(values: dict, words: WordSet) -> None:
    said = remarks(t, values, words)
    if not words.words:
        paragraphs([t.html("no_words_left"), *said])
        return
    plan = plan_of(values)
    try:
        shown, job = drawn(page, words, plan)
    except jobs.Busy:
        shown, job = made(NAME, words, Plan("pca", dimensions=plan.dimensions)), None
        said.insert(0, t.html("busy"))
    texts = [HIDDEN if word.text in VEIL else word.text for word in words.words]
    names, mark = {id: name_of(t, id) for id in words.groups}, marked(values, words)
    figure = remembered(
        page, ("map", map_key(NAME, words, shown.plan), words.groups, mark, veiled),
        lambda: figures.map_figure(shown.points, texts, words.groups, names, mark, scheme(page)),
    )  # fmt: skip
    st.plotly_chart(
        figure, key=f"map_{values['dimensions']}", theme=None, on_select=clicked, selection_mode="points",
        config={"displayModeBar": False, "scrollZoom": False},
    )  # fmt: skip
    if values["dimensions"] == "3":
        components.solid(key="solid", data={"chart": "map_3", "hidden": HIDDEN})
    if job:
        progress(page, job)
    snapshots(t, values)
    if FRAME in st.session_state and not job:
        play_on()
    trust(page, shown, words, plan)
    if said:
        st.html("".join(f"<p class='note'>{sentence}</p>" for sentence in said))


def marked(values: dict, words: WordSet) -> figures.Marked:
    """The chosen word where it is on the map, and its nearest in the space that are there too; none while veiled."""
    at = {word.ids: i for i, word in enumerate(words.words)}
    word = space.word(values["of"])
    chosen = at.get(word.ids) if word else None
    if word is None or chosen is None or values["of"] in VEIL:
        return figures.Marked(chosen)
    near = [at[row.id,] for row in near_of(page, word) if (row.id,) in at]
    return figures.Marked(chosen, tuple(near))


def clicked() -> None:
    """A point was clicked. The browser says which; only a word that is on the map is taken."""
    for key in ("map_2", "map_3"):
        event = st.session_state.get(key)
        points = event["selection"]["points"] if event else []
        if points and isinstance(text := points[0].get("customdata"), str | list):
            choose(html.unescape(text if isinstance(text, str) else str(text[0])))


def choose(text: str | None) -> None:
    """This word is followed from here on."""
    if text is None or (veiled and text == HIDDEN):
        return
    if len(text.strip()) <= LONGEST_WORD and space.word(text.strip()):
        st.session_state["_selected"] = True
        state.change(of=text.strip(), to=None)
    else:
        st.session_state["_refused"] = Repair("unknown_word", {"word": text.strip()[:LONGEST_WORD] or "∅"})


# ---- the chosen word


def the_word(values: dict, words: WordSet, chosen: dict[str, str]) -> None:
    """The word that is followed; the browser is told what is `chosen`, which in this fragment changes without the
    frame, and tells of a word clicked in the strip or on a solid map."""
    of = values["of"]
    word = space.word(of)
    assert word
    texts = list(dict.fromkeys([of, *(word.text for word in words.words), asked, *others]))
    st.session_state["of_in"] = of
    st.selectbox(
        t("of"), texts, key="of_in", accept_new_options=True, on_change=lambda: choose(st.session_state["of_in"])
    )
    if refused := page.refusal():
        st.html(f"<p class='note'>{html.escape(refused)}</p>")
    if of in VEIL:
        step = {"operation": t("matrix.veiled"), "value": "", "reason": t("veiled_step")}
        data = {"id": "veiled", "title": t("follow"), "value": t("matrix.veiled"), "where": "", "steps": [step]}
        follow_word({**data, "selection": values, "chosen": chosen})
        return
    off_map(values, words, word)
    near = near_of(page, word)
    to = other_of(values, near)
    pieces = [row.piece for row in near]
    labels = {row.piece: f"{ask.plain(row.piece)} {row.cosine:.3f}" for row in near}
    st.session_state["to_in"] = to if to in pieces else None
    st.pills(
        t("nearest", vocab=f"{len(space.norms):,}"), pieces, format_func=lambda piece: labels[piece], **moved("to")
    )
    if word.averaged:
        st.html(f"<p class='soft'>{t.html('is_averaged', word=of, pieces=' + '.join(word.pieces))}</p>")
    follow_word({**derivation_data(word, to), "selection": values, "chosen": chosen})


def follow_word(data: dict) -> None:
    heard = state.selecting("derivation", {name: TABLE[name] for name in ("of", "to")})
    components.derivation(key="derivation", data=data, on_selection_change=heard)


def off_map(values: dict, words: WordSet, word: Word) -> None:
    """A word that is not on the map, and the ready group that would bring it there."""
    if any(word.ids == each.ids for each in words.words):
        return
    group = next((id for id, group in groups.items() if word.text in group.words), None)
    with st.container(key="off_map", horizontal=True, gap="small"):
        st.html(f"<span class='soft'>{t.html('not_on_map', word=word.text)}</span>", width="content")
        if group:
            label, ids = t("put_on_map", group=name_of(t, group)), f"{values['groups']},{group}"
            st.button(label, key="put_on_map", type="tertiary", on_click=state.change, kwargs={"groups": ids})


def other_of(values: dict, near: Sequence[Neighbour]) -> str:
    """What the chosen word is compared with: as chosen, else the answer of the question, else its nearest."""
    if values["to"]:
        return values["to"]
    if values["of"] == asked and question and not veiled:
        return str(question.facts["near"])
    return near[0].piece


def derivation_data(word: Word, to: str) -> dict:
    other = space.row(to) or space.word(to)
    assert other
    derivation = derive_cosine(word, other)
    steps = follow.lines(t, derivation, a=word.text, b=other.text, d_model=MODEL.config.d_model)
    return {
        "id": f"{word.text}/{to}",
        "title": t("follow"),
        "value": short(derivation.captured),
        "exact": exact(derivation.captured),
        "where": t("follow_where", a=word.text, b=other.text),
        "steps": steps,
    }


# ---- the words


def lead() -> None:
    facts = {"vocab": f"{len(space.norms):,}", "d_model": MODEL.config.d_model, "model": page.model_name}
    if question:
        facts |= {"word": asked, **question.facts}
    page.title("lead_open" if veiled or question is None else page.own("lead"), **facts)


def notices() -> tuple[list[str], tuple]:
    """Sentences about these weights; while the question is open, none that answers it."""
    said = [] if veiled else [pair_notice(page.own("notice"), PAIRS[NAME])]
    said.append(t.html("notice.map"))
    said.append(t.html(page.own("differs")))
    tries = {"minilm": "verbs,animals,opposites", "translator": "past,actions,counters,people"}
    return said, (t(page.own("try")), {"groups": tries[NAME], "of": TRY[NAME], "to": None})


PAIRS = {
    "minilm": (("good", "bad"), ("good", "great"), ("run", "ran"), ("dog", "puppy")),
    "translator": (("三", "四"), ("三", "three"), ("dog", "cat"), ("dog", "狗")),
}
TRY = {"minilm": "run", "translator": "teacher"}


def pair_notice(key: str, pairs: Sequence[tuple[str, str]]) -> str:
    """A sentence with the cosines of these pairs, in their order."""
    facts: dict[str, object] = {}
    for i, (a, b) in enumerate(pairs):
        x, y = space.word(a), space.word(b)
        assert x and y
        facts |= {f"a{i}": a, f"b{i}": b, f"cosine{i}": float(cosine(x.vector, y.vector))}
    return t.html(key, **facts)


# ---- open it


def opened() -> Opened:
    values = state.Address().read(TABLE)
    of, words = space.word(values["of"]), words_of(page, values["groups"])
    assert of
    hidden = values["of"] in VEIL
    near = [] if hidden else near_of(page, of)
    shapes = [
        ("embedding.token_table.weight", ("vocab", "d_model"), space.table.shape),
        ("vectors", ("word", "d_model"), words.vectors.shape),
    ]
    names = [word.text for word in words.words]
    cosines = 1 - maps.distances(words.vectors, "cosine")
    covered = [i for i, word in enumerate(words.words) if word.text in VEIL]
    cosines[covered] = cosines[:, covered] = np.nan
    module = TransformerEmbedding if page.writes else BertEmbedding
    return Opened(
        formula=formula(of, "" if hidden else other_of(values, near)),
        code=(module.__init__, Space.cosines, Space.nearest, draw, analogy),
        shapes=shapes,
        compare=lambda: compared_neighbours(of, near),
        table=lambda: csv(cosines, names, names),
        table_name="cosines.csv",
        compared="compared.neighbours" if near else "compared.nothing",
        other="scikit-learn",
        captured=not veiled,
    )


def compared_neighbours(of: Word, near: list[Neighbour]) -> tuple[str, float]:
    """The nearest rows as scikit-learn finds them: how many are the same, and the largest difference of a cosine."""
    if not near:
        return "", 0.0
    same, difference = compare.neighbour_difference(NAME, of.ids, tuple((row.id, row.cosine) for row in near))
    return t("compared.same", word=of.text, n=len(near), same=same, vocab=f"{len(space.norms):,}"), difference


def formula(a: Word, to: str) -> str:
    general = r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\, \lVert b \rVert}"
    b = space.row(to) or space.word(to) if to else None
    if b is None:
        return general
    dot, x, y, value = (step.value for step in derive_cosine(a, b).steps)
    numbers = rf"\frac{{{short(dot)}}}{{{short(x)} \times {short(y)}}} = {short(value)}"
    return rf"\begin{{aligned}} & {general} \\ & = {numbers} \end{{aligned}}"


# ---- the page, top to bottom

lead()
ask.ask(page, question, reset=("of", "to"))
picture()
page.notice(*notices())
with st.container(key="other_box"):
    another = "translator" if NAME == "minilm" else "minilm"
    st.button(
        t(page.own("other_model")), key="other_model", type="tertiary", on_click=state.change_model, args=(another,)
    )
parts = (
    lambda: in_context(page, SAMPLE), lambda: meaning_sums.sums(page), lambda: compared(page, SAMPLE),
    lambda: grew(page), lambda: touched(page),
)  # fmt: skip
page.sections(values["section"], dict(zip(SECTIONS, parts, strict=True)))
open_it(page, opened)
page.next_stop()
