"""The picture: the map left, the chosen word right."""

from functools import partial

import streamlit as st

from core.figures import meaning as figures
from core.figures.clicks import Clicks
from core.views.maps import Map, Plan
from core.views.meaning import WordSet
from pages.shared import components, jobs, parts, visit
from pages.shared.address import Repair
from pages.shared.charts import chart, remembered, scheme
from pages.shared.follow import follow
from pages.shared.numbers import short
from pages.shared.predict import plain
from pages.shared.stage import Stage
from pages.stages.meaning import run
from pages.stages.meaning.arranging import arranged, made, map_key, plan_of, progress
from pages.stages.meaning.controls import controls
from pages.stages.meaning.followed import followed
from pages.stages.meaning.groups import name_of, ready
from pages.stages.meaning.look import ASKED, LONGEST_WORD, Look, known, space_of
from pages.stages.meaning.trust import remarks, trust

HIDDEN = "?"  # stands on the map for a word that the open question asks about


def picture(look: Look) -> None:
    controls(look)
    left, right = st.columns([1.45, 1], gap="medium")
    with left:
        the_map(look, run.snapshot(look))
    with right:
        the_word(look)


# ---- the map


def the_map(look: Look, snapshot: int) -> None:
    words, plan = look.words, plan_of(look.values, snapshot)
    said = remarks(look, plan)
    if not words.words:
        st.html(parts.paragraphs([look.t.html("no_words_left"), *said]))
        return
    try:
        shown, job = arranged(look, words, plan)
    except jobs.Busy:
        shown, job = made(look.model, words, Plan("pca", dimensions=plan.dimensions)), None
        said.insert(0, look.t.html("busy"))
    key = f"map_{look.values['dimensions']}"
    chart(figure(look, words, shown), key, scrollZoom=False)
    components.clicks(key="clicks", data=Clicks(key, HIDDEN).data())
    if job:
        progress(look, job)
    run.slider(look, snapshot)
    if not job:
        run.play_on()
    trust(look, shown, plan)
    if said:
        st.html("".join(f"<p class='note'>{sentence}</p>" for sentence in said))


def figure(look: Look, words: WordSet, shown: Map) -> figures.Figure:
    texts = [HIDDEN if word.text in look.veil else word.text for word in words.words]
    names, mark = {id: name_of(look.t, id) for id in words.groups}, marked(look, words)
    return remembered(
        look.page,
        ("map", map_key(look.model, words, shown.plan), words.groups, mark, look.veiled),
        lambda: figures.map_figure(shown.points, texts, words.groups, names, mark, scheme(look.page)),
    )


def marked(look: Look, words: WordSet) -> figures.Marked:
    """The chosen word where it is on the map, and its nearest in the space that are there too; none while veiled."""
    at = {word.ids: i for i, word in enumerate(words.words)}
    chosen = at.get(look.word.ids)
    if chosen is None or look.hidden:
        return figures.Marked(chosen)
    return figures.Marked(chosen, tuple(at[row.id,] for row in look.near if (row.id,) in at))


# ---- the chosen word


def the_word(look: Look) -> None:
    asked, others = ASKED[look.model]
    texts = list(dict.fromkeys([look.of, *(word.text for word in look.words.words), asked, *others]))
    to = partial(choose, look.page.stage, look.model)
    st.selectbox(look.t("of"), texts, accept_new_options=True, **visit.hand("of_in", look.of, to))
    parts.refusal(look)
    if not look.hidden:
        off_map(look)
        nearest(look)
    follow(look, followed)


def choose(stage: Stage, model: str, text: str | None) -> None:
    """This word is followed from here on."""
    text = (text or "").strip()
    if known(space_of(model), text):
        visit.apply(stage, {"of": text, "to": None})
    else:
        visit.refuse(Repair("unknown_word", {"word": text[:LONGEST_WORD] or "∅"}))


def off_map(look: Look) -> None:
    """A word that is not on the map, and the ready group that would bring it there."""
    if any(look.word.ids == each.ids for each in look.words.words):
        return
    group = next((id for id, group in ready(look.model).items() if look.of in group.words), None)
    with st.container(key="off_map", horizontal=True, gap="small"):
        st.html(f"<span class='soft'>{look.t.html('not_on_map', word=look.of)}</span>", width="content")
        if group:
            press = visit.on_press(look, groups=f"{look.values['groups']},{group}")
            label = look.t("put_on_map", group=name_of(look.t, group))
            st.button(label, key="put_on_map", type="tertiary", on_click=press)


def nearest(look: Look) -> None:
    """The rows nearest to it in the space; one of them can be compared with."""
    labels = {row.piece: f"{plain(row.piece)} {row.cosine:.3f}" for row in look.near}
    st.pills(
        look.t("nearest", vocab=f"{len(look.view.norms):,}"),
        list(labels),
        format_func=lambda piece: labels[piece],
        **visit.hand("to_in", look.to if look.to in labels else None, partial(compare, look.page.stage)),
    )
    if look.word.averaged:
        st.html(f"<p class='soft'>{own_pieces(look)}</p>")


def own_pieces(look: Look) -> str:
    """What a word is the mean of: its own rows, which are not among its neighbours."""
    word, space = look.word, look.view
    cosines = space.cosines(word.vector)
    own = look.t("comma").join(
        f"{piece} {short(float(cosines[id]))}" for id, piece in zip(word.ids, word.pieces, strict=True)
    )
    return look.t.html("is_averaged", word=look.of, pieces=" + ".join(word.pieces), own=own)


def compare(stage: Stage, row: str | None) -> None:
    """Compared with this row; one that was pressed again stays."""
    if row is not None:
        visit.apply(stage, {"to": row})
