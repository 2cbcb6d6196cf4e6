"""Meaning: the table as a space. A map of words, what lies near in the space itself, and what context changes."""

import html
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_hex
from time import monotonic

import numpy as np
import streamlit as st

from core.derivation.meaning import derive_cosine
from core.figures import meaning as figures
from core.model.embedding import BertEmbedding, TransformerEmbedding
from core.predict import nearest_word
from core.views import maps, meaning
from core.views.maps import METHODS, METRICS, SNAPSHOTS, STARTS, Map, Plan, draw, quality
from core.views.meaning import Group, Neighbour, Space, Word, WordSet, analogy, read_groups, split, word_set, written
from pages.shared import ask, cached, compare, components, follow, jobs, state
from pages.shared.charts import remembered, scheme
from pages.shared.numbers import exact, short
from pages.shared.open_it import OPEN, Opened, csv, open_it
from pages.shared.page import Strip, current, paragraphs
from pages.shared.state import Parameter, Repair, choice, whole
from pages.stages.meaning_context import TABLE as CONTEXT
from pages.stages.meaning_context import compared, in_context
from pages.stages.meaning_training import TABLE as TRAINING
from pages.stages.meaning_training import grew, touched

SAMPLES = tomllib.loads((Path(__file__).parents[2] / "assets/samples/words.toml").read_text(encoding="utf-8"))
PERPLEXITIES = (2, 5, 10, 20, 30, 50)
AT_ONCE = 300  # words: more are arranged in the background, with progress
LONGEST_WORD = 40
LONGEST_LIST = 50_000  # characters of a list of words
OWN, SENTENCE = "own", "sentence"  # groups beside the ready ones: what was typed, and the words of the sentence
ASKED = {"minilm": ("white", ("pale", "black", "snow")), "translator": ("三", ("three", "四", "书"))}
HIDDEN = "?"  # stands on the map for a word that the open question asks about
OPENS_ON = {"minilm": "king", "translator": "teacher"}  # while the question is open
ANALOGIES = {
    "minilm": (("king", "man", "woman"), ("walking", "walk", "swim"), ("paris", "france", "italy")),
    "translator": (("books", "book", "apple"), ("bigger", "big", "small"), ("walking", "walk", "swim")),
}
SECTIONS = ("context", "sum", "sentences", "grew", "gradient")
SHOWN = 12  # words named in a note
MARGIN = 0.02  # two measures that differ by less are not told apart
FRAME = "_frame"  # in the session while the run is played: which snapshot is seen
PACE = 1.0  # seconds a snapshot stays while the run is played

page = current()
t, NAME, MODEL = page.t, page.address.model, page.model
SAMPLE = SAMPLES[NAME]


def space_of() -> Space:
    return cached.remember(("space", NAME), lambda: meaning.space(MODEL))


class Kept:
    """A few numbers and words in the shared cache."""

    nbytes = 1000

    def __init__(self, of):
        self.of = of


space = space_of()
ready = {id: Group(id, tuple(split(words))) for id, words in SAMPLE["groups"].items()}


# ---- the address


def a_word(default: str) -> Parameter:
    """A word that the vocabulary can spell."""

    def parse(raw: str) -> str | None:
        text = raw.strip()
        return text if 0 < len(text) <= LONGEST_WORD and space.word(text) else None

    return Parameter(parse, default, t("allowed_word"))


def a_row() -> Parameter:
    """A row by its piece, as neighbours are named, or a word."""
    word = a_word("")
    return Parameter(lambda raw: raw if space.row(raw) else word.parse(raw), None, t("allowed_word"))


def some_groups() -> Parameter:
    """Ids of groups between commas."""
    known = (*ready, OWN, SENTENCE)

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
    "of": a_word(OPENING),
    "to": a_row(),
    "a": a_word(ANALOGIES[NAME][0][0]),
    "minus": a_word(ANALOGIES[NAME][0][1]),
    "plus": a_word(ANALOGIES[NAME][0][2]),
    "remove": choice("1", default=None),
    **CONTEXT(SAMPLE),
    **TRAINING,
    "section": choice(*SECTIONS, default=SECTIONS[0]),
    **OPEN,
}
values = page.read(TABLE)


def now() -> dict:
    """The address as it is in this run, of the page or of a fragment."""
    return state.Address().read(TABLE)


def set_from(name: str, key: str) -> None:
    """A widget moved: its value goes into the address."""
    value = st.session_state[key]
    if value is not None:
        state.change(**{name: value})


def moved(name: str) -> dict:
    """What a widget of the parameter `name` needs besides its value."""
    return {"key": f"{name}_in", "on_change": set_from, "args": (name, f"{name}_in")}


# ---- the words on the map


def own_groups() -> tuple[Group, ...]:
    return read_groups(st.session_state.get("own_words", ""), unnamed=OWN)


def chosen_groups(ids: str) -> list[Group]:
    found: list[Group] = []
    for id in ids.split(","):
        if id == OWN:
            found += own_groups()
        elif id == SENTENCE:
            found.append(Group(SENTENCE, sentence_words()))
        else:
            found.append(ready[id])
    return found


def sentence_words() -> tuple[str, ...]:
    """The words of the visitor's sentence as the model cut them: for the translator, characters."""
    return tuple(dict.fromkeys(word for word in word_of_token() if word and word.isalnum()))


def word_of_token() -> list[str | None]:
    """For each token of the sentence the word it is a part of; None for what is no word of the visitor's."""
    words: dict[int, str] = {}
    for token in page.trace.tokens:
        if token.word is not None and not token.special:
            words[token.word] = words.get(token.word, "") + page.text[token.start : token.end]
    return [None if token.special or token.word is None else words[token.word] for token in page.trace.tokens]


page.strip = Strip(first="of", click="of", also={"to": None}, values=word_of_token())


def name_of(group: str) -> str:
    key = f"group.{group}"
    return t(key) if key in t else group


def words_of(ids: str) -> WordSet:
    groups = chosen_groups(ids)
    key = ("words", NAME, tuple((group.id, group.words) for group in groups))
    return cached.remember(key, lambda: word_set(space, groups))


# ---- the map


def plan_of(values: dict) -> Plan:
    return Plan(
        values["map"], int(values["perplexity"]), values["metric"], values["start"], values["seed"],
        int(values["dimensions"]), int(values["snapshot"]),
    )  # fmt: skip


def map_key(words: WordSet, plan: Plan) -> tuple:
    return "map", NAME, tuple(word.ids for word in words.words), plan.fitted(len(words.words))


def made(words: WordSet, plan: Plan) -> Map:
    """The map, from the cache or drawn here and now."""
    return cached.remember(map_key(words, plan), lambda: draw(words.vectors, plan))


def visitor() -> str:
    return st.session_state.setdefault("_visitor", token_hex(8))


def drawn(words: WordSet, plan: Plan) -> tuple[Map, jobs.Job | None]:
    """The map and, where it is still being arranged, the job; until then the latest snapshot there is.

    Raises Busy where too many maps are waiting.
    """
    plan = plan.fitted(len(words.words))
    if plan.method == "pca" or plan.iterations == 0 or cached.known(map_key(words, plan)):
        return made(words, plan), None
    few = len(words.words) <= AT_ONCE
    stops = [n for n in SNAPSHOTS[1:] if n <= plan.iterations]
    plans = [replace(plan, iterations=n) for n in (stops[-1:] if few else stops)]
    job = jobs.ask(map_key(words, plan), [partial(made, words, each) for each in plans], visitor())
    if few:
        with st.spinner(t("arranging", n=len(words.words))):
            job.wait()
        return made(words, plan), None
    finished = [each for each in plans if cached.known(map_key(words, each))]
    return made(words, finished[-1] if finished else replace(plan, iterations=0)), job


# ---- controls


def controls(values: dict) -> None:
    with st.container(key="map_controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        groups_control(values)
        segments("map", METHODS, values)
        tsne = values["map"] == "tsne"
        st.session_state["perplexity_in"] = values["perplexity"]
        st.select_slider(
            t("perplexity"), [str(p) for p in PERPLEXITIES], disabled=not tsne, width=210, help=t("perplexity_help"),
            **moved("perplexity"),
        )  # fmt: skip
        with st.popover(t("more"), key="more"):
            more_controls(values, tsne)


def segments(name: str, options: Sequence[str], values: dict, disabled: bool = False) -> None:
    st.session_state[f"{name}_in"] = values[name]
    st.segmented_control(
        t(f"{name}_label"), options, format_func=lambda id: t(f"{name}.{id}"), required=True, disabled=disabled,
        **moved(name),
    )  # fmt: skip


def more_controls(values: dict, tsne: bool) -> None:
    segments("dimensions", ("2", "3"), values)
    segments("metric", METRICS, values, not tsne)
    segments("start", STARTS, values, not tsne)
    seeded = tsne and values["start"] == "random"
    st.session_state["seed_in"] = values["seed"]
    st.number_input(t("seed"), 0, 99, disabled=not seeded, help=t("seed_help"), **moved("seed"))
    if not seeded:
        st.html(f"<p class='soft'>{t.html('seed_grey')}</p>")


def snapshots(values: dict) -> None:
    """Under the map: the run, from its start to its end, one snapshot after another or the one that is chosen."""
    off, playing = values["map"] != "tsne", FRAME in st.session_state
    with st.container(key="run", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(t("pause" if playing else "play"), key="play", on_click=stopped if playing else played, disabled=off)
        st.session_state["snapshot_in"] = values["snapshot"]
        st.select_slider(
            t("snapshot"), [str(n) for n in SNAPSHOTS], disabled=off, help=t("snapshot_help"), key="snapshot_in",
            on_change=stopped,
        )  # fmt: skip


def played() -> None:
    st.session_state[FRAME] = 0


def stopped() -> None:
    """The run rests at what is seen, or where the slider was moved."""
    st.session_state.pop(FRAME, None)
    set_from("snapshot", "snapshot_in")


def play_on() -> None:
    """The next snapshot, when this one has been seen for a while: not a step in the address, until the run rests."""

    @st.fragment(run_every=PACE)
    def tick() -> None:
        if monotonic() - drawn_at < 0.8 * PACE:
            return
        if FRAME in st.session_state:  # or it was stopped meanwhile, and goes on without this clock
            st.session_state[FRAME] += 1
            if SNAPSHOTS[st.session_state[FRAME]] == SNAPSHOTS[-1]:
                del st.session_state[FRAME]
                state.change(snapshot=None)
        st.rerun(scope="app")

    drawn_at = monotonic()
    tick()


def groups_control(values: dict) -> None:
    ids = values["groups"].split(",")
    options = [*ready, SENTENCE, *([OWN] if st.session_state.get("own_words") or OWN in ids else [])]
    with st.popover(t("groups", n=len(ids)), key="groups_box", width=190):
        st.session_state["groups_in"] = ids
        st.pills(
            t("groups_label"), options, selection_mode="multi", format_func=lambda id: ask.plain(name_of(id)),
            key="groups_in", on_change=groups_chosen,
        )  # fmt: skip
        st.session_state.setdefault("typed", "")
        if not st.session_state["typed"]:
            st.session_state["typed"] = written(chosen_groups(values["groups"]), {id: name_of(id) for id in options})
        st.text_area(t("typed"), key="typed", height=170, max_chars=LONGEST_LIST, help=t("typed_help"))
        left, right = st.columns(2)
        left.button(t("use_words"), key="use_words", on_click=words_typed)
        right.button(t("back_to_groups"), key="back_words", type="tertiary", on_click=words_forgotten)


def groups_chosen() -> None:
    ids = st.session_state["groups_in"]
    st.session_state["typed"] = ""
    state.change(groups=",".join(ids) if ids else None)


def words_typed() -> None:
    text = state.without_surrogates(st.session_state["typed"])[:LONGEST_LIST]
    st.session_state["own_words"] = text
    state.change(groups=OWN if text.strip() else None)


def words_forgotten() -> None:
    st.session_state["own_words"] = st.session_state["typed"] = ""
    state.change(groups=None)


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
    words = words_of(values["groups"])
    controls(values)
    left, right = st.columns([1.45, 1], gap="medium")
    with left:
        the_map(values, words)
    with right:
        the_word(values, words, {name: address.chosen[name] for name in TABLE if name in address.chosen})


def the_map(values: dict, words: WordSet) -> None:
    said = remarks(values, words)
    if not words.words:
        paragraphs([t.html("no_words_left"), *said])
        return
    plan = plan_of(values)
    try:
        shown, job = drawn(words, plan)
    except jobs.Busy:
        shown, job = made(words, Plan("pca", dimensions=plan.dimensions)), None
        said.insert(0, t.html("busy"))
    texts = [HIDDEN if word.text in VEIL else word.text for word in words.words]
    names, mark = {id: name_of(id) for id in words.groups}, marked(values, words)
    figure = remembered(
        page, ("map", map_key(words, shown.plan), words.groups, mark, veiled),
        lambda: figures.map_figure(shown.points, texts, words.groups, names, mark, scheme(page)),
    )  # fmt: skip
    st.plotly_chart(
        figure, key=f"map_{values['dimensions']}", theme=None, on_select=clicked, selection_mode="points",
        config={"displayModeBar": False, "scrollZoom": False},
    )  # fmt: skip
    if values["dimensions"] == "3":
        components.solid(key="solid", data={"chart": "map_3", "hidden": HIDDEN})
    if job:
        progress(job)
    snapshots(values)
    if FRAME in st.session_state and not job:
        play_on()
    trust(shown, words, plan)
    if said:
        st.html("".join(f"<p class='note'>{sentence}</p>" for sentence in said))


def marked(values: dict, words: WordSet) -> figures.Marked:
    """The chosen word where it is on the map, and its nearest in the space that are there too; none while veiled."""
    at = {word.ids: i for i, word in enumerate(words.words)}
    word = space.word(values["of"])
    chosen = at.get(word.ids) if word else None
    if word is None or chosen is None or values["of"] in VEIL:
        return figures.Marked(chosen)
    near = [at[row.id,] for row in near_of(word) if (row.id,) in at]
    return figures.Marked(chosen, tuple(near))


def near_of(word: Word) -> list[Neighbour]:
    return cached.remember(("near", NAME, word.ids), lambda: Kept(space.neighbours(word))).of


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


def progress(job: jobs.Job) -> None:
    """How far the map is; it redraws itself at each snapshot."""
    seen = job.done

    @st.fragment(run_every=0.8)
    def watch() -> None:
        if job.over or job.done != seen:
            st.rerun(scope="app")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(job.done / len(job.steps), t("arranging_part", done=job.done, all=len(job.steps)))
            st.button(t("cancel"), key="cancel", on_click=cancelled)

    watch()


def cancelled() -> None:
    jobs.leave(visitor())
    state.change(map="pca")


# ---- how far to trust it


def trust(shown: Map, words: WordSet, plan: Plan) -> None:
    """The same two measures of the map and of the space, so that nobody takes one for the other."""
    rows = {
        "on_map": measured(shown.points, words, "euclidean"),
        "in_space": measured(words.vectors, words, plan.metric),
    }
    on, within = rows["on_map"], rows["in_space"]
    if np.isnan(on.purity):
        st.html(f"<p class='soft'>{t.html('trust_none')}</p>")
        return
    facts = {
        "map_purity": on.purity, "space_purity": within.purity, "chance": on.chance,
        "map_silhouette": on.silhouette, "space_silhouette": within.silhouette, "dims": MODEL.config.d_model,
    }  # fmt: skip
    said = [t.html("trust", **facts), *verdict(on, within), nature(shown.plan)]
    if shown.divergence is not None:
        said.append(t.html("divergence", value=shown.divergence))
    sentences = [" ".join(said)]
    if shown.plan.method == "tsne" and shown.plan.start == "random" and shown.divergence is not None:
        sentences.append(two_starts(shown, words))
    st.html("".join(f"<p class='soft'>{sentence}</p>" for sentence in sentences))


def verdict(on_map: maps.Quality, in_space: maps.Quality) -> list[str]:
    """Where the map mixes what the space parts, or parts groups more than the space does."""
    if on_map.purity < in_space.purity - MARGIN:
        return [t.html("trust_mixes")]
    return [t.html("trust_parts")] if on_map.silhouette > in_space.silhouette + MARGIN else []


def nature(plan: Plan) -> str:
    """What such a map can and cannot say."""
    if plan.method == "pca":
        return t.html("trust_pca")
    if plan.iterations == 0:
        return t.html("trust_start", start=t(f"start.{plan.start}"))
    if plan.iterations <= maps.EXAGGERATED:
        return t.html("trust_exaggerated", iterations=maps.EXAGGERATED)
    return t.html("trust_tsne")


def measured(points: np.ndarray, words: WordSet, metric: str) -> maps.Quality:
    key = ("quality", hash(points.tobytes()), words.groups, metric)
    return cached.remember(key, lambda: Kept(quality(points, words.groups, metric))).of


def two_starts(shown: Map, words: WordSet) -> str:
    """What another random start makes of the same words; only of maps that are drawn at once."""
    if len(words.words) > AT_ONCE:
        return t.html("starts_many", limit=AT_ONCE)
    second = replace(shown.plan, seed=shown.plan.seed + 1)
    other, _ = drawn(words, second)
    found = maps.agreement(shown.points, other.points)
    disagree = found.neighbours < 0.9 or found.distances < 0.9
    return t.html(
        "starts_differ" if disagree else "starts_agree", seed=shown.plan.seed, other=second.seed,
        neighbours=100 * found.neighbours, distances=found.distances, kl=shown.divergence, other_kl=other.divergence,
    )  # fmt: skip


def remarks(values: dict, words: WordSet) -> list[str]:
    """What had to be left out, put together or changed: a sentence each."""
    said: list[str] = []
    if values["groups"] == OWN and not st.session_state.get("own_words"):
        said.append(t.html("own_elsewhere"))
    if words.unknown:
        said.append(t.html("left_unknown", n=len(words.unknown), words=listed(words.unknown)))
    if words.repeated:
        said.append(t.html("left_repeated", n=len(words.repeated), words=listed(words.repeated)))
    if words.averaged:
        parts = [f"{word.text} = {' + '.join(word.pieces)}" for word in words.averaged]
        said.append(t.html("averaged", n=len(words.averaged), words=listed(parts, 3)))
    if words.cut:
        said.append(t.html("cut", limit=meaning.LIMIT, n=words.cut))
    plan = plan_of(values)
    fitted = plan.fitted(len(words.words))
    if plan.method == "tsne" and fitted.method == "pca" and words.words:
        said.append(t.html("too_few", n=len(words.words), fewest=maps.FEWEST))
    elif fitted.method == "tsne" and fitted.perplexity < plan.perplexity:
        said.append(t.html("perplexity_lowered", n=len(words.words), asked=plan.perplexity, taken=fitted.perplexity))
    return said


def listed(words: Sequence[str], most: int = SHOWN) -> str:
    short_words = [word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…" for word in words[:most]]
    return t("comma").join(short_words) + (" …" if len(words) > most else "")


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
    near = near_of(word)
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
    group = next((id for id, group in ready.items() if word.text in group.words), None)
    with st.container(key="off_map", horizontal=True, gap="small"):
        st.html(f"<span class='soft'>{t.html('not_on_map', word=word.text)}</span>", width="content")
        if group:
            label, ids = t("put_on_map", group=name_of(group)), f"{values['groups']},{group}"
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


# ---- words added and taken away


@st.fragment
def sums() -> None:
    values = now()
    st.html(f"<h2 class='part'>{t.html('sum_title')}</h2>")
    with st.container(key="sum", horizontal=True, vertical_alignment="bottom", gap="small"):
        for name in ("a", "minus", "plus"):
            st.session_state[f"{name}_in"] = values[name]
            st.text_input(
                t(f"sum_{name}"), key=f"{name}_in", max_chars=LONGEST_WORD, width=120, on_change=term, args=(name,)
            )
        st.session_state["remove_in"] = values["remove"] == "1"
        st.toggle(t("remove"), key="remove_in", on_change=removed)
        for number, words in enumerate(ANALOGIES[NAME]):
            label = ask.plain("{} − {} + {}".format(*words))
            st.button(label, key=f"sum_{number}", type="tertiary", on_click=set_sum, args=words)
    if refused := page.refusal():
        st.html(f"<p class='note'>{html.escape(refused)}</p>")
    a, minus, plus = (space.word(values[name]) for name in ("a", "minus", "plus"))
    assert a and minus and plus
    rows = analogy(space, a, minus, plus, remove=False)
    without = analogy(space, a, minus, plus, remove=True)
    kept = without if values["remove"] else rows
    cells = "".join(
        f"<tr{' class=query' if row.id in (*a.ids, *minus.ids, *plus.ids) else ''}>"
        f"<td>{html.escape(row.piece)}</td><td>{short(row.cosine)}</td></tr>"
        for row in kept
    )
    left, right = st.columns([1, 2], gap="large")
    left.html(f"<table class='shapes'>{cells}</table>")
    with right:
        paragraphs(said_of_sum(values, rows, without, (*a.ids, *minus.ids, *plus.ids)))


def said_of_sum(values: dict, rows: list[Neighbour], others: list[Neighbour], query: tuple[int, ...]) -> list[str]:
    """What came first, and whether it was put in."""
    first, fresh = rows[0], others[0]
    own = first.id in query
    facts = {"a": values["a"], "minus": values["minus"], "plus": values["plus"], "first": first.piece}
    facts |= {"cosine": first.cosine, "fresh": fresh.piece, "fresh_cosine": fresh.cosine, "left": fresh.piece}
    said = [t.html("sum_own" if own else "sum_fresh", **facts)]
    said.append(t.html("sum_removed" if values["remove"] else "sum_kept", **facts))
    return said


def term(name: str) -> None:
    text = st.session_state[f"{name}_in"].strip()
    if space.word(text):
        state.change(**{name: text})
    else:
        st.session_state["_refused"] = Repair("unknown_word", {"word": text or "∅"})


def removed() -> None:
    state.change(remove="1" if st.session_state["remove_in"] else None)


def set_sum(a: str, minus: str, plus: str) -> None:
    state.change(a=a, minus=minus, plus=plus)


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
        facts |= {f"a{i}": a, f"b{i}": b, f"cosine{i}": meaning.cosine(x.vector, y.vector)}
    return t.html(key, **facts)


# ---- open it


def opened() -> Opened:
    values = now()
    of, words = space.word(values["of"]), words_of(values["groups"])
    assert of
    hidden = values["of"] in VEIL
    near = [] if hidden else near_of(of)
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
    lambda: in_context(page, SAMPLE), sums, lambda: compared(page, SAMPLE), lambda: grew(page), lambda: touched(page),
)  # fmt: skip
page.sections(values["section"], dict(zip(SECTIONS, parts, strict=True)))
open_it(page, opened)
page.next_stop()
