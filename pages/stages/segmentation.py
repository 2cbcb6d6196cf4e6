"""Segmentation: where a Chinese word ends. jieba's graph and its best path, and other methods on the same ruler."""

import csv
import html
import io
from dataclasses import replace
from functools import partial
from math import exp, isnan, log
from zlib import crc32

import streamlit as st

from core.derivation.segmentation import derive_path, derive_word
from core.questions import Question
from core.questions.segmentation import flip
from core.reference import jieba
from core.text import segmentation
from core.text.segmentation import Dictionary, Edge, Mode, Word
from core.text.segmentation import Path as Way
from core.text.token import Token
from core.views.segmentation import (
    METHODS,
    PATHS,
    Piece,
    SegmentationView,
    challenger,
    scores,
    segmentation_view,
    stated,
)
from pages.shared import ask, cached, components, follow, samples, state
from pages.shared.numbers import exact, short
from pages.shared.open_it import OPEN, Opened, open_it
from pages.shared.page import Strip, current
from pages.shared.state import Parameter, Repair, choice, whole

EXAMPLE = "乒乓球拍卖完了"
WORKERS = ("打工人打工魂", "打工人,打工魂")  # a text every method fails on, and the words that mend it
LONGEST = 500  # characters
LONGEST_WORDS = 800  # characters of what a visitor adds
GALLERY, GLOSSES = samples.read("segmentation"), samples.read("glosses")
CLIPPED = 40  # characters of a path in a sentence
MOST_READ = 100  # single characters that posseg is asked about: its search takes milliseconds for each
OWN: dict[str, object] = {"words": None, "arc": None, "way": None, "guess": None}  # what does not outlive its text

page = current()
t = page.t


def words_of(raw: str) -> Dictionary:
    """The dictionary with the visitor's words laid over it."""
    return cached.dictionary().changed(segmentation.weighed(segmentation.read_words(raw)[0], cached.dictionary()))


def view_of(text: str, words: str = "", hmm: bool = True, mode: Mode = "accurate") -> SegmentationView:
    make = lambda: segmentation_view(text, words_of(words), cached.model("minilm").tokenizer, hmm, mode)  # type: ignore[arg-type]  # noqa: E731
    return cached.remember(("segmentation", text, words, hmm, mode), make)


@st.cache_resource(show_spinner=False, max_entries=512)
def threshold(text: str, words: str, word: str, at: int | None = None) -> int | None:
    """The frequency the word needs for the best path to take it, where it begins at `at` or anywhere."""
    return segmentation.threshold(text, words_of(words), word, at)


def threshold_of(edge: Edge) -> int | None:
    """The same in this text, beside the visitor's other words."""
    return threshold(TEXT, weighing(WORDS, edge.text, None) or "", edge.text, edge.start)


def weighing(words: str, word: str, frequency: int | None) -> str | None:
    """The visitor's words with another frequency for one; None takes it back."""
    mine = {name: number for name, number in segmentation.read_words(words)[0].items() if name != word}
    return segmentation.written(mine if frequency is None else {**mine, word: frequency}) or None


def asked(text: str, word: Edge | None) -> Question | None:
    at = threshold(text, "", word.text, word.start) if word else None
    if word is None or at is None:
        return None
    return flip(view_of(text).paths[0], view_of(text, f"{word.text}:{at}").paths[0], word, at)


TEXTS: dict[str, Parameter] = {
    "sample": Parameter(lambda raw: raw[:LONGEST], EXAMPLE, f"… {LONGEST}"),
    "words": Parameter(lambda raw: raw[:LONGEST_WORDS], None, ""),
    "hmm": choice("on", "off", default="on"),
    "mode": choice("accurate", "full", "search", default="accurate"),
}
given = page.address.read(TEXTS)
TEXT, WORDS = str(given["sample"]), str(given["words"] or "")
HMM, MODE = given["hmm"] == "on", given["mode"]
if not cached.dictionary_is_there():
    with st.spinner(t("loading")):
        cached.dictionary()
view = view_of(TEXT, WORDS, HMM, MODE)
NUMBER = {edge: i for i, edge in enumerate(view.edges)}


def arc(raw: str) -> str | None:
    """A word of the graph, by where it begins and ends."""
    start, _, end = raw.partition("-")
    there = start.isdecimal() and end.isdecimal() and len(raw) < 12 and (int(start), int(end)) in view.edge_at
    return f"{int(start)}-{int(end)}" if there else None


TABLE = {**TEXTS, "way": whole(0, PATHS - 1, 0), "arc": Parameter(arc, None, "0-1 …"), **OPEN}
values = page.read(TABLE)
rival = challenger(view_of(TEXT))
question = asked(TEXT, rival)
if question and page.address["guess"] is None and (WORDS or "way" in page.address.chosen):
    page.address.set("guess", "skip")  # whoever weighs words has the answer before their eyes
veiled = ask.is_open(page, question)
SEEN = view.paths[:1] if veiled else view.paths  # the runner-up is the answer
page.shown = tuple(Token(w.text.strip() or "␣", i, w.start, w.end, False, 0, i) for i, w in enumerate(view.words))
page.strip = Strip()


# ---- what was not taken


def repairs() -> list[Repair]:
    raw, refusals = page.address.raw, segmentation.read_words(WORDS)[1]
    typed = state.pop("_cut_here")
    said = [typed] if isinstance(typed, Repair) else []
    if len(raw.get("sample", "")) > LONGEST:
        said.append(Repair("sample_cut", {"limit": LONGEST, "length": len(raw["sample"])}))
    if len(raw.get("words", "")) > LONGEST_WORDS:
        said.append(Repair("words_cut", {"limit": LONGEST_WORDS}))
    if not TEXT.strip():
        said.append(Repair("sample_empty"))
    limits = {"most": segmentation.MOST_WORDS, "longest": segmentation.LONGEST_WORD}
    return [*said, *(Repair(f"word_{code}", {"word": clip(word), **limits}) for word, code in refusals[:5])]


def clip(text: str, most: int = CLIPPED) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def joined(words) -> str:
    return clip(" / ".join(words))


# ---- for readers of English, and how a cut reads


def gloss(words) -> str | None:
    """What each word means, in English; None where one is not known, or nobody needs it."""
    words = list(words)
    if page.address.lang == "zh" or not any(segmentation.HAN.search(word) for word in words):
        return None
    meant = [GLOSSES.get(word, None if segmentation.HAN.search(word) else word.strip() or "␣") for word in words]
    return None if None in meant else " / ".join(map(str, meant))


def reading(words) -> str | None:
    key = f"reads.{'/'.join(words)}"
    return t(key) if key in t else None


def beside(path: Way) -> str:
    """What stands beside a path: its words in English, or how it reads."""
    return gloss(path.texts) or reading(path.texts) or ""


# ---- the text's own box


def box() -> None:
    """Where the text of this page is changed; the visitor's sentence is another one and stays."""
    with st.popover(t("box_open"), width="content", type="tertiary"):
        key = f"sample_{crc32(TEXT.encode())}"  # a box in a closed popover would keep its old text
        # No `max_chars`: a browser would refuse a longer text without a word; here it is cut, and that is said.
        st.text_area(t("box_label"), TEXT, key=key, height=90, on_change=lambda: use(st.session_state[key]))
        with st.container(key="presets", gap=None):
            for name in list(GALLERY)[:5]:  # all of them stand at the foot of the page
                text, _ = stated(GALLERY[name]["cut"])
                st.button(ask.plain(text), key=f"preset_{name}", type="tertiary", on_click=use, args=(text,))


def use(text: str, words: str | None = None) -> None:
    keep = {"guess": "skip"} if page.address["guess"] == "skip" and not veiled else {}
    text = state.without_surrogates(text)
    state.change(**{**OWN, **keep, "sample": text[:LONGEST], "words": words})
    if len(text) > LONGEST:
        tell(Repair("sample_cut", {"limit": LONGEST, "length": len(text)}))


def tell(repair: Repair) -> None:
    """What was typed and not all taken is said above the page, once."""
    st.session_state["_cut_here"] = repair


page.box = box


# ---- the picture


@st.cache_resource(show_spinner=False, max_entries=64)
def picture(lang: str, text: str, words: str, hmm: bool, mode: str, ways: int) -> bytes:
    """The same for everyone who asks for the same: all that decides it is named."""
    key = {"hmm": "on" if HMM else "off", "mode": MODE, "words": WORDS}
    header = {
        "text": TEXT,
        "edges": [(e.start, e.end, e.text, e.frequency, gloss([e.text]) or "") for e in view.edges],
        "ways": [[NUMBER[edge] for edge in path.edges] for path in SEEN],
        "rows": [jieba_row(), *(row(name) for name in METHODS[1:])],
        "paths": [(i, excerpt(i), fixed(p.log_probability), beside(p)) for i, p in enumerate(SEEN) if p.edges],
        "key": key,
        "words": {
            "label": t("lattice.label"),
            "say": t("lattice.say"),
            "ranks": [t("lattice.best"), *(t("lattice.rank", n=i) for i in range(2, PATHS + 1))],
            "legend": legend(),
        },
    }
    return components.pack(header)


def excerpt(way: int) -> str:
    """A path in a line; of a long one that is not the best, the words around what is not on the best."""
    path = view.paths[way]
    best = set(view.paths[0].edges)
    apart = [i for i, edge in enumerate(path.edges) if edge not in best]
    first = max(0, apart[0] - 3) if apart and len("".join(path.texts)) + 3 * len(path.edges) > CLIPPED else 0
    return ("… / " if first else "") + joined(path.texts[first:])


def fixed(x: float) -> str:
    """Log-probabilities under one another, near ones too."""
    return f"{x:.3f}".replace("-", "−")


def legend() -> list[str]:
    names = ["solid"] if len(SEEN) < 2 else ["solid", "dashed"]
    return [t(f"legend.{name}") for name in names]


def jieba_row() -> dict:
    return {
        "label": t("methods.jieba"),
        "hint": t(f"hints.jieba_{MODE}"),
        "pieces": [(w.text, w.start, w.end, f"jieba {w.kind}", mark(w), told(w)) for w in view.shown],
    }


def mark(word: Word) -> str:
    """Under a word: its states, where the second step made it; else its part of speech."""
    return word.states if word.kind == "hmm" else view.dictionary.tags.get(word.text, "")


def told(word: Word) -> str:
    kind = "read" if word.kind == "path" and word.states else word.kind
    return t(f"kinds.{kind}", word=word.text, states=word.states, tag=tag_name(mark(word)))


def tag_name(tag: str) -> str:
    """A part of speech by its name; finer ones by what they are a kind of. A g behind a letter: less than a word."""
    if len(tag) == 2 and tag[1] == "g" and f"tags.{tag[0]}" in t:
        return f"{tag} {t('tags.morpheme', kind=t(f'tags.{tag[0]}'))}"
    return next((f"{tag} {t(f'tags.{tag[:size]}')}" for size in (3, 2, 1) if f"tags.{tag[:size]}" in t), tag or "–")


def row(name: str) -> dict:
    pieces = [
        (piece.text, round(piece.start, 3), round(piece.end, 3), piece.kind, "", said_of(piece))
        for piece in view.methods[name]
    ]
    return {"label": t(f"methods.{name}"), "hint": t(f"hints.{name}"), "pieces": pieces}


def said_of(piece) -> str:
    return piece.text if piece.id is None else f"{piece.text} · id {piece.id}"


def controls() -> dict:
    shown = [
        {"name": "hmm", "label": t("hmm"), "options": [(id, t(f"hmms.{id}")) for id in ("on", "off")]},
        {
            "name": "mode",
            "label": t("mode"),
            "options": [(id, t(f"modes.{id}")) for id in ("accurate", "full", "search")],
        },
    ]
    if rival:
        shown.insert(
            0, {"name": "words", "label": t("frequency_of", word=rival.text), "options": weights(rival), "first": None}
        )
    return {"controls": shown}


def weights(edge: Edge) -> list[tuple[str | None, str]]:
    """Frequencies to try: the dictionary's own, up to the flip and beyond, and the visitor's."""
    at = threshold_of(edge)
    own, now = edge.frequency, view.dictionary.frequency(edge.text)
    tried = {own, now} if at is None else {own, now, *(n for n in (3 * own, at - 1, at, 4 * at) if n > own)}
    # As the visitor wrote them where they are as they are now, so that the present one is found.
    as_words = {n: weighing(WORDS, edge.text, None if n == own else n) for n in tried} | {now: WORDS or None}
    return [(as_words[n], f"{n:,}") for n in sorted(tried)]


# ---- the number being followed


def derivation_data(now: dict) -> dict:
    if now["arc"]:
        return word_data(view.edge_at[tuple(map(int, now["arc"].split("-")))])  # type: ignore[index]
    way = min(now["way"], len(SEEN) - 1)
    return path_data(way)


def path_data(way: int) -> dict:
    """A path: a term for each word, their sum, and how it stands to the best or the second."""
    path, total = view.paths[way], view.dictionary.total
    base = {"id": f"path/{way}", "title": t("follow_path" if way == 0 else "follow_other", n=way + 1), "where": ""}
    if not path.edges:
        return {**base, "value": "–", "steps": [], "note": t("nothing_to_follow")}
    other = SEEN[1 if way == 0 else 0] if len(SEEN) > 1 else None
    derivation = derive_path(path, total, other)
    steps = [step_line(step) for step in derivation.steps]
    ids = [step.id for step in derivation.steps]
    for line, step in zip(steps, derivation.steps, strict=True):
        line["reason"] = gloss([str(step.parts["word"])]) or "" if step.id == "word" else ""
    if "unseen" in ids:
        steps[ids.index("unseen")]["reason"] = t("steps.unseen.reason")
    steps[-1]["reason"] = t("steps.sum.reason", total=f"{total:,}")
    steps[-1]["check"] = t("recomputed_path", difference=short(abs(derivation.difference)))
    if other:
        apart = path.log_probability - other.log_probability
        key = "second" if way == 0 else "first"
        ratio = exp(min(abs(apart), 300))
        said = t(f"steps.{key}.reason", gap=abs(apart), ratio=ratio)
        steps.append(
            {
                "operation": t(f"steps.{key}.operation"),
                "value": short(other.log_probability),
                "exact": exact(other.log_probability),
                "reason": said,
            }
        )
    return {**base, "value": short(path.log_probability), "exact": exact(path.log_probability), "steps": steps}


def step_line(step) -> dict:
    parts = {name: f"{part:,}" if isinstance(part, int) else part for name, part in step.parts.items()}
    return {
        "operation": t(f"steps.{step.id}.operation", **parts),
        "value": short(step.value),
        "exact": exact(step.value),
    }


def word_data(edge: Edge) -> dict:
    """One word: its term, its part of speech, and from which frequency on the best path takes it."""
    total = view.dictionary.total
    derivation = derive_word(edge, total)
    lines = [step_line(step) for step in derivation.steps]
    tag = tag_name(view.dictionary.tags.get(edge.text, ""))
    given = gloss([edge.text])
    lines[0]["reason"] = (f"“{given}”. " if given else "") + t("steps.word.reason", total=f"{total:,}", tag=tag)
    lines[0]["check"] = t("recomputed_path", difference=short(abs(derivation.difference)))
    at = threshold_of(edge)
    taken = edge in view.paths[0].edges
    state_now = "never" if at is None else "always" if at == 0 else "taken" if taken else "not_taken"
    lines.append(
        {
            "operation": t("steps.threshold.operation"),
            "value": f"{at:,}" if at else "–",
            "reason": t(f"steps.threshold.{state_now}", frequency=f"{edge.frequency:,}", threshold=f"{at or 0:,}"),
        }
    )
    return {
        "id": f"arc/{edge.start}-{edge.end}",
        "title": t("follow_word", word=clip(edge.text, 8)),
        "where": t("where_one" if edge.end == edge.start + 1 else "where_word", first=edge.start + 1, last=edge.end),
        "value": short(edge.log_probability),
        "exact": exact(edge.log_probability),
        "steps": lines,
    }


def weigh_by_hand(now: dict) -> None:
    """Under a followed word: its frequency set to the flip or below it, the word removed, or as it was."""
    if state.pop("_weighed"):
        st.rerun(scope="app")  # a button in a fragment runs the fragment alone
    if not now["arc"]:
        return
    edge = view.edge_at[tuple(map(int, now["arc"].split("-")))]  # type: ignore[index]
    at, mine = threshold_of(edge), segmentation.read_words(WORDS)[0]
    offers: dict[str, dict] = {}
    if at and (flip := at - 1 if edge in view.paths[0].edges else at):
        offers[t("set_frequency", frequency=f"{flip:,}")] = {"words": weighing(WORDS, edge.text, flip)}
    if edge.end > edge.start + 1:
        offers[t("remove_word", word=clip(edge.text, 8))] = {"words": weighing(WORDS, edge.text, 0), "arc": None}
    if edge.text in mine:
        kept = {} if cached.dictionary().frequency(edge.text) else {"arc": None}
        offers[t("restore_word", word=clip(edge.text, 8))] = {"words": weighing(WORDS, edge.text, None), **kept}
    with st.container(key="weigh_by_hand", horizontal=True, gap="medium"):
        for i, (label, changes) in enumerate(offers.items()):
            st.button(ask.plain(label), key=f"weigh_{i}", type="tertiary", on_click=weigh, kwargs=changes)


def weigh(**changes: str | None) -> None:
    state.change(**changes)
    st.session_state["_weighed"] = True


# ---- the words


def lead() -> None:
    best = view.paths[0]
    if not best.edges:
        return page.title("lead_nothing")
    cut = [word.text for word in view.words]
    if all(edge.frequency == 0 and edge.text.isascii() for edge in best.edges):
        return page.title("lead_joined", path=joined(word for word in cut if any(map(str.isalnum, word))))
    count = ways()
    said = t("ways_one") if count == 1 else t("ways", n=f"{count:,}" if count < 10**6 else power(count))
    new = joined(dict.fromkeys(word.text for word in view.new))
    facts = {"path": joined(best.texts), "value": best.log_probability, "ways": said, "new": new}
    read = reading(best.texts)
    page.title("lead_hmm" if view.new else "lead", **facts, also=t("reads_as", reading=read) if read else "")


def ways() -> int:
    """How many ways there are through the graph."""
    count = {len(TEXT): 1}
    starts: dict[int, list[int]] = {}
    for edge in view.edges:
        starts.setdefault(edge.start, []).append(edge.end)
    for at in range(len(TEXT) - 1, -1, -1):
        count[at] = sum(count[end] for end in starts[at]) if at in starts else count[at + 1]
    return count[0]


def power(count: int) -> str:
    """A great number as people write it: 2.4 × 10⁸⁷."""
    exponent = len(str(count)) - 1
    return f"{count / 10**exponent:.1f} × 10{str(exponent).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def notices() -> list[str]:
    said = []
    if rival and (at := threshold_of(rival)) and at > rival.frequency:
        facts = {"word": rival.text, "frequency": f"{rival.frequency:,}", "threshold": f"{at:,}"}
        said.append(t.html("notice.threshold", **facts))
    said += second_step_said()
    if MODE != "accurate":
        said.append(t.html(f"notice.{MODE}"))
    if latin := next((word for word in view.words if word.kind == "joined"), None):
        said.append(t.html("notice.joined", word=clip(latin.text), letters=" / ".join(clip(latin.text, 12))))
    if " " in TEXT:
        said.append(t.html("notice.space", **spaces()))
    for name in ("wordpiece", "unigram"):
        if unknown := [piece for piece in view.methods[name] if piece.kind == "unknown"]:
            first = TEXT[int(unknown[0].start) : int(unknown[0].end)]
            said.append(t.html(f"notice.unknown_{name}", count=len(unknown), first=clip(first, 12)))
    if parted := next((c for c in map(first_parted, view.methods["bpe"]) if c), None):
        said.append(t.html("notice.bytes", character=parted, bytes=parted.encode().hex(" ").upper()))
    said.append(t.html("notice.agreement"))
    return said


def first_parted(piece: Piece) -> str | None:
    """The character that a byte-level token ends in the middle of."""
    return None if piece.end == int(piece.end) else TEXT[int(piece.end)]


def spaces() -> dict[str, str]:
    """What becomes of the first space: the piece it is in, or nothing."""
    at = TEXT.index(" ")
    holding = {name: next((p.text for p in view.methods[name] if p.start <= at < p.end), None) for name in METHODS}
    kept = [f"{t(f'methods.{name}')} {clip(text.replace(' ', '␣'), 16)}" for name, text in holding.items() if text]
    lost = [t(f"methods.{name}") for name, text in holding.items() if text is None]
    return {"kept": " · ".join(kept), "lost": " · ".join(lost)}


def second_step_said() -> list[str]:
    """What the second step did, and that the path stayed."""
    if not HMM:
        return [t.html("notice.hmm_off")]
    word = next(iter(view.new), None)
    if word is None:
        read = [word for word in view.words if word.states][:8]
        if not read:
            return [t.html("notice.hmm_idle")]
        facts = {"characters": " ".join(w.text for w in read), "states": " ".join(w.states for w in read)}
        return [t.html("notice.hmm_alone", **facts)]
    return [t.html("notice.hmm", characters=" ".join(word.text), states=" ".join(word.states), word=word.text)]


def parts_of_speech() -> None:
    """The tags that stand under jieba's words, by name, and where jieba's own tagger says something else."""
    tags = dict.fromkeys(tag for word in view.shown if word.kind != "hmm" and (tag := mark(word)))
    if not tags and not view.new:
        return
    names = " · ".join(html.escape(tag_name(tag)) for tag in list(tags)[:14])
    other = tagged_otherwise(TEXT, WORDS, HMM)
    said = (
        ""
        if other is None
        else t.html("posseg_differs", words=" ".join(other[:8]))
        if other
        else t.html("posseg_agrees")
    )
    st.html(f"<p class='soft'>{t.html('tags_said')} {names}<br>{said}</p>")


@st.cache_resource(show_spinner=False, max_entries=256)
def tagged_otherwise(text: str, words: str, hmm: bool) -> list[str] | None:
    """What jieba.posseg cuts or tags in another way than jieba and its dictionary: word/tag. None: not asked."""
    ours = view_of(text, words, hmm)
    if sum(len(word.states) for word in ours.words) > MOST_READ:
        return None
    tag = ours.dictionary.tags.get
    known = {(word.start, word.text, tag(word.text, "x")) for word in ours.words}
    return [
        f"{word}/{flag}" for at, word, flag in jieba.tagged(text, ours.dictionary, hmm) if (at, word, flag) not in known
    ]


# ---- the visitor's words


def own_words() -> None:
    st.html(f"<h2 class='part'>{t.html('own.title')}</h2><p class='soft'>{t.html('own.said')}</p>")
    st.session_state["own_words"] = WORDS
    st.text_input(
        t("own.label"), key="own_words", placeholder="打工人, 乒乓球拍:26, -和尚", on_change=weigh_typed,
        label_visibility="collapsed",
    )  # fmt: skip
    mine = segmentation.read_words(WORDS)[0]
    if mine:
        st.html(own_table(list(mine)) + f"<p class='soft'>{total_said()}</p>")


def total_said() -> str:
    """N with the visitor's words, and N as jieba's add_word and del_word would leave it."""
    own = view.dictionary
    theirs = cached.dictionary().total + sum(own.own.values())
    same = segmentation.cut(TEXT, replace(own, total=theirs), HMM) == list(view.words)
    said = t.html("own.total", now=f"{own.total:,}", theirs=f"{theirs:,}")
    return f"{said} {t.html('own.same_cut' if same else 'own.other_cut')}"


def weigh_typed() -> None:
    typed = state.without_surrogates(str(st.session_state["own_words"]))
    state.change(words=typed[:LONGEST_WORDS] or None, arc=None, way=None)
    if len(typed) > LONGEST_WORDS:
        tell(Repair("words_cut", {"limit": LONGEST_WORDS}))


def own_table(mine: list[str]) -> str:
    head = "".join(f"<th>{t.html(f'own.{name}')}</th>" for name in ("word", "was", "now", "needs", "taken"))
    cut = {word.text for word in view.words}
    body = "".join(
        f"<tr><td>{html.escape(word)}</td><td>{cached.dictionary().frequency(word):,}</td>"
        f"<td>{view.dictionary.frequency(word):,}</td><td>{needed(word)}</td>"
        f"<td>{t.html('own.yes' if word in cut else 'own.no')}</td></tr>"
        for word in mine[:12]
    )
    return f"<div class='shapes-box'><table class='shapes counted'><thead><tr>{head}</tr></thead>{body}</table></div>"


def needed(word: str) -> str:
    """From which frequency on the best path of this text takes it."""
    at = threshold(TEXT, weighing(WORDS, word, None) or "", word) if word in TEXT else None
    return "–" if at is None else f"{at:,}"


# ---- the methods in numbers


def compared() -> None:
    names = "".join(f"<th>{t.html(f'methods.{name}')}</th>" for name in METHODS)
    head = f"<tr><th></th><th>{t.html('table.tokens')}</th><th>{t.html('table.each')}</th>{names}</tr>"
    st.html(
        f"<h2 class='part'>{t.html('table.title')}</h2><p class='soft'>{t.html('table.said')}</p>"
        f"<div class='shapes-box'><table class='shapes counted'><thead>{head}</thead>"
        f"{''.join(method_row(i, name) for i, name in enumerate(METHODS))}</table></div>"
    )


def method_row(i: int, name: str) -> str:
    count = len(view.methods[name])
    each = short(len(TEXT) / count) if count else "–"
    cells = "".join(f"<td>{'' if i == j else share(float(x))}</td>" for j, x in enumerate(view.agreement[i]))
    return f"<tr><td>{t.html(f'methods.{name}')}</td><td>{count}</td><td>{each}</td>{cells}</tr>"


def share(x: float) -> str:
    return "–" if isnan(x) else f"{x:.2f}"


# ---- the gallery


@st.cache_resource(show_spinner=False)
def gallery_said(lang: str) -> dict[str, str]:
    """Under each line of the gallery: its words in English, why, and every method's F1; the same for everyone."""
    said = {}
    for name, entry in GALLERY.items():
        text, cut = stated(entry["cut"])
        found = scores(view_of(text), cut)
        numbers = " · ".join(f"{t.html(f'methods.{m}')} {share(found[m])}" for m in METHODS)
        words = f"<p class='soft'>{html.escape(given)}</p>" if (given := gloss(entry["cut"].split("/"))) else ""
        said[name] = f"{words}<p>{t.html(f'gallery.{name}')}</p><p class='soft'>{numbers}</p>"
    return said


def gallery() -> None:
    """Sentences where each method wins and loses against the cut that stands there."""
    st.html(f"<h2 class='part'>{t.html('gallery_title')}</h2><p class='soft'>{t.html('gallery_said')}</p>")
    said = gallery_said(page.address.lang)
    with st.container(key="gallery", gap=None):
        for name, entry in GALLERY.items():
            text, _ = stated(entry["cut"])
            label = ask.plain(entry["cut"].replace(" ", "␣").replace("/", " / "))
            st.button(label, key=f"gallery_{name}", type="tertiary", on_click=use, args=(text,))
            st.html(said[name])


# ---- open it


def opened() -> Opened:
    now = state.Address().read(TABLE)
    return Opened(
        formula=formula(min(now["way"], len(SEEN) - 1)),
        code=(segmentation.ends, segmentation.best_paths, segmentation.second_step, segmentation.hidden),
        shapes=[
            ("text", ("character",), (len(TEXT),)),
            ("edges", ("word",), (len(view.edges),)),
            ("path", ("word",), (len(view.paths[0].edges),)),
            ("words", ("word",), (len(view.words),)),
            ("agreement", ("method", "method"), view.agreement.shape),
        ],
        compare=lambda: (t("compared_what"), jieba.difference(TEXT, view.dictionary, HMM, MODE, view.shown)),
        compared="compared",
        table=table,
        table_name="graph.csv",
        other=t("other_jieba"),
        of_model=False,
    )


def formula(way: int) -> str:
    general = (
        r"\max_{w_1 \cdots w_m = \text{text}} \ \sum_{i=1}^{m} \ln\frac{f(w_i)}{N}"
        r"\qquad r_s = \max_{(s,e)} \left( \ln\frac{f(s{:}e)}{N} + r_e \right)"
    )
    path = view.paths[way]
    if not 0 < len(path.edges) <= 6:
        return general
    fractions = " + ".join(rf"\ln\tfrac{{{max(1, e.frequency)}}}{{N}}" for e in path.edges)
    total = rf"N = {view.dictionary.total:,}".replace(",", r"{,}")
    numbers = rf"{fractions} = {short(path.log_probability)}"
    total += rf", \quad \ln N = {short(log(view.dictionary.total))}"
    return rf"\begin{{aligned}} & {general} \\ & {numbers} \\ & {total} \end{{aligned}}"


def table() -> str:
    """The graph: a word a line."""
    file = io.StringIO()
    out = csv.writer(file)
    out.writerow(["start", "end", "word", "frequency", "log_probability", "tag", "on_best_path"])
    best = set(view.paths[0].edges)
    for e in view.edges:
        tag = view.dictionary.tags.get(e.text, "")
        out.writerow([e.start, e.end, e.text, e.frequency, repr(e.log_probability), tag, int(e in best)])
    return file.getvalue()


# ---- the page, top to bottom

page.address.repairs += repairs()
lead()
numbers = {name: f"{question.facts[name]:,}" for name in ("frequency", "threshold")} if question else {}
if rival and segmentation.read_words(WORDS)[0].keys() <= {rival.text}:  # the answer is of jieba's own dictionary
    ask.ask(page, question, reset=("way", "arc"), **numbers)
components.controls(key="controls", data=controls())
left, right = st.columns([1.9, 1], gap="medium")
with left:
    components.lattice(
        key="lattice",
        data=picture(page.address.lang, TEXT, WORDS, HMM, str(MODE), len(SEEN)),
        on_selection_change=state.selecting("lattice", TABLE),
    )
    parts_of_speech()
with right:
    follow.follow(page, TABLE, derivation_data, below=weigh_by_hand)
page.notice(notices())
if (TEXT, WORDS) != WORKERS:
    st.button(t("try"), key="try_words", type="tertiary", on_click=partial(use, *WORKERS))
own_words()
compared()
gallery()
open_it(page, opened)
page.next_stop()
