"""The segmentation view: every method on one ruler, agreement, terms, the question, and every gallery claim."""

import math
import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from core import load_model
from core.derivation.segmentation import FIRST, MOST, derive_path, derive_word
from core.questions import some
from core.questions.segmentation import each, flip
from core.text.dictionary import dictionary, dictionary_for
from core.text.own_words import suggested
from core.text.word_graph import Edge, threshold
from core.text.word_graph import Path as Way
from core.views.segmentation import (
    METHODS,
    SegmentationView,
    astride,
    best_path,
    boundaries,
    challenger,
    f1,
    scores,
    segmentation_view,
    stated,
)

unhurried = settings(deadline=None)
RACKET = "乒乓球拍卖完了"
GALLERY = tomllib.loads((Path(__file__).parents[2] / "assets/samples/segmentation.toml").read_text(encoding="utf-8"))
WORDPIECE = load_model("minilm").tokenizer


def view(text: str, own=None, **options) -> SegmentationView:
    words = dictionary_for(text).changed(own or {})
    return segmentation_view(text, words, WORDPIECE, **options)  # type: ignore[arg-type]


def pieces(text: str, method: str) -> list[str]:
    return [piece.text for piece in view(text).methods[method]]


def test_the_racket_on_the_ruler() -> None:
    assert tuple(view(RACKET).methods) == METHODS
    assert pieces(RACKET, "jieba") == ["乒乓球", "拍卖", "完", "了"]
    assert pieces(RACKET, "characters") == list(RACKET)
    assert pieces(RACKET, "wordpiece") == ["[UNK]"] * 7
    assert pieces(RACKET, "bpe") == ["乒乓球", "拍卖", "完了"]
    assert pieces(RACKET, "unigram") == ["乒乓球", "拍卖", "完", "了"]


def test_parts_of_characters_are_bytes() -> None:
    seen = view("饕餮纹").methods["bpe"]
    assert [p.text for p in seen] == ["E9 A5", "95", "E9 A4", "AE", "纹"]
    assert [(round(p.start, 3), round(p.end, 3)) for p in seen] == [
        (0, 0.667),
        (0.667, 1),
        (1, 1.667),
        (1.667, 2),
        (2, 3),
    ]
    assert [p.kind for p in seen] == ["bytes"] * 4 + [""]
    assert pieces("a 👩", "bpe") == ["a", "␣ F0 9F 91", "A9"]
    assert not any("\ufffd" in p.text for text in ("𠮷", "👩\u200d👧", "é") for p in view(text).methods["bpe"])


@unhurried
@given(st.text("乒乓球拍卖 the cat[MASK]饕👩é\n，.3", max_size=14))
def test_pieces_stand_in_order_over_the_text(text: str) -> None:
    seen = view(text)
    for name, row in seen.methods.items():
        ends = [(p.start, p.end) for p in row]
        assert all(a < b for a, b in ends) and all(a[1] <= b[0] for a, b in pairwise(ends))
        if name in ("jieba", "bpe", "unigram"):  # these lose nothing
            assert sum(b - a for a, b in ends) == pytest.approx(len(text))
    agreement = seen.agreement
    np.testing.assert_array_equal(agreement, agreement.T)
    diagonal = np.diag(agreement)
    assert (np.isnan(diagonal) | (diagonal == 1)).all() and np.nanmin(agreement, initial=0) >= 0


@unhurried
@given(st.sets(st.integers(1, 11)), st.sets(st.integers(1, 11)))
def test_f1_is_scikit_learns(mine: set[int], theirs: set[int]) -> None:
    ours = f1(frozenset(map(float, mine)), frozenset(map(float, theirs)))
    if not mine and not theirs:
        assert math.isnan(ours)
    else:
        truth, guess = ([int(i in s) for i in range(12)] for s in (mine, theirs))
        assert ours == pytest.approx(f1_score(truth, guess))


def test_modes_and_the_second_step_leave_the_path() -> None:
    on, off, full = view("小红书"), view("小红书", hmm=False), view("小红书", mode="full")
    assert on.paths == off.paths == full.paths and [w.text for w in on.new] == ["小红书"] and off.new == ()
    assert on.paths[0].texts == ("小", "红", "书") == tuple(w.text for w in off.words)
    bridge = view("南京市长江大桥", mode="full")
    assert "市长" in [w.text for w in bridge.shown] and [w.text for w in bridge.words] == ["南京市", "长江大桥"]
    assert [w.text for w in view("中国科学院", mode="search").shown] == ["中国", "科学", "学院", "科学院", "中国科学院"]


def test_the_path_a_term_for_each_word() -> None:
    seen = view(RACKET)
    total = seen.dictionary.total
    derivation = derive_path(seen.paths[0], total)
    assert [s.parts["frequency"] for s in derivation.steps[:-1]] == [336, 1067, 13042, 883634]
    assert [s.value for s in derivation.steps[:-1]] == pytest.approx(
        [math.log(n / 60_101_967) for n in (336, 1067, 13042, 883634)]
    )
    assert derivation.value == pytest.approx(-35.6888, abs=1e-4) and abs(derivation.difference) < 1e-12
    bent = Way(seen.paths[0].edges, seen.paths[0].log_probability + 0.5)
    assert derive_path(bent, total).difference == pytest.approx(-0.5)
    unseen = Edge(0, 1, "𠀀", 0, -math.log(total))
    assert derive_word(unseen, total).steps[0].id == "unseen" and derive_word(
        unseen, total
    ).difference == pytest.approx(0)


def test_of_a_long_path_the_words_that_differ() -> None:
    seen = view("他们说" * 10 + RACKET)
    best, second = seen.paths[:2]
    derivation = derive_path(best, seen.dictionary.total, second)
    assert len(best.edges) > MOST and len(derivation.steps) <= MOST + 2
    assert derivation.steps[-2].id == "rest" and abs(derivation.difference) < 1e-9
    assert derivation.steps[-2].parts["count"] == len(set(best.edges) & set(second.edges))


def test_of_a_long_path_alone_the_first_words() -> None:
    best = view("他们说" * 10).paths[0]
    steps = derive_path(best, dictionary().total).steps
    assert [step.id for step in steps] == ["word"] * FIRST + ["rest", "sum"]
    assert steps[-2].parts["count"] == len(best.edges) - FIRST


@unhurried
@given(st.text("乒乓球拍卖完了中国人民大学生前来应聘abc，", min_size=1, max_size=30))
def test_terms_add_up(text: str) -> None:
    seen = view(text)
    for path in seen.paths:
        assert abs(derive_path(path, seen.dictionary.total, seen.paths[0]).difference) < 1e-9
    for edge in seen.edges:
        assert abs(derive_word(edge, seen.dictionary.total).difference) < 1e-12


# ---- the question


def asked(text: str):
    seen = view(text)
    edge = challenger(seen)
    assert edge is not None
    at = threshold(text, seen.dictionary, edge.text)
    assert at is not None
    return flip(seen.paths[0], view(text, {edge.text: at}).paths[0], edge, at)


def test_which_word_stays() -> None:
    question = asked(RACKET)
    assert question is not None and question.template == "stays"
    assert [c.token for c in question.choices] == ["乒乓球", "拍卖", "完", "了"] and question.answer == "3"
    assert question.facts["word"] == "乒乓球拍" and question.facts["threshold"] == 26
    assert "乒乓球拍 / 卖完" in str(question.facts["after"])


def test_which_word_breaks() -> None:
    question = asked("我爱人工智能")
    assert question is not None and question.template == "breaks"
    assert question.answer in [c.id for c in question.choices] and len(question.choices) >= 2


AMBIGUOUS = (
    "研究生命起源",
    "结合成分子",
    "南京市长江大桥",
    "乒乓球拍卖完了",
    "来了一个人",
    "他说的确实在理",
    "从小学电脑",
    "发展中国家用汽车",
)


@settings(max_examples=15, deadline=None)
@given(parts=st.lists(st.sampled_from(AMBIGUOUS), min_size=1, max_size=4, unique=True))
def test_every_question_has_one_answer_and_no_two_the_same(parts) -> None:
    text = "，".join(parts)
    seen = view(text)
    best = [edge.text for edge in seen.paths[0].edges]
    found = some(
        each(
            seen.paths[0],
            astride(seen),
            lambda edge: threshold(text, dictionary(), edge.text, edge.start),
            lambda edge, at: best_path(text, dictionary().changed({edge.text: at})),
        )
    )
    for question in found:
        word, at = str(question.facts["word"]), int(question.facts["threshold"])
        now = [edge.text for edge in view(text, {word: at}).paths[0].edges]
        assert word in now and word not in best
        said = [part for part in str(question.facts["after"]).split(" / ") if part != "…"]
        assert word in said and (question.template == "breaks" or str(question.facts["answer"]) in said)
        assert any(now[i : i + len(said)] == said for i in range(len(now)))
        assert ("…" in str(question.facts["after"])) == (len(said) < len(now))
        stay = {c.id for c in question.choices if c.token in now}
        every = {c.id for c in question.choices}
        assert (stay if question.template == "stays" else every - stay) == {question.answer}
        assert (question.row, int(question.facts["end"])) in seen.edge_at
    assert len({(q.choices, q.answer) for q in found}) == len(found)


def test_a_text_of_several_places_is_asked_about_more_than_once() -> None:
    text = "研究生命起源和结合成分子的时候"
    seen = view(text)
    weighed = [
        question.facts["word"]
        for question in each(
            seen.paths[0],
            astride(seen),
            lambda edge: threshold(text, dictionary(), edge.text, edge.start),
            lambda edge, at: best_path(text, dictionary().changed({edge.text: at})),
        )
    ]
    assert {"研究生", "合成"} <= {*weighed}
    assert best_path(text, dictionary()) == seen.paths[0]


def test_nothing_to_weigh_and_nothing_to_ask() -> None:
    for text in ("", "。", "了", "abc"):
        assert challenger(view(text)) is None
    seen = view("研究")
    edge = seen.edges[0]
    assert flip(seen.paths[0], seen.paths[0], edge, 1) is None


# ---- the gallery


@pytest.mark.parametrize("name", GALLERY)
def test_every_gallery_sentence_still_does_what_is_said(name: str) -> None:
    text, cut = stated(GALLERY[name]["cut"])
    found = scores(view(text), cut)
    assert [m for m in METHODS if found[m] == 1] == GALLERY[name]["wins"], found
    lowest = min(found.values())
    assert [m for m in METHODS if found[m] == lowest] == GALLERY[name]["loses"], found


def test_every_method_wins_and_loses_somewhere() -> None:
    for side in ("wins", "loses"):
        assert {method for entry in GALLERY.values() for method in entry[side]} == set(METHODS)


def test_what_the_gallery_says_beyond_that() -> None:
    """The facts in its sentences of why."""
    assert [w.states for w in view("他来到了网易杭研大厦").new] == ["BE"]
    off = scores(view("要学Transformer", hmm=False), stated("要/学/Transformer")[1])
    assert off["jieba"] == 1 and [w.text for w in view("要学Transformer").new] == ["要学"]
    assert dictionary().frequency("发展中国家") > 0
    assert len(pieces("要学Transformer", "unigram")) == 2 + 6  # six tokens of eleven letters
    bridge, cut = view("南京市长江大桥"), stated("南京市/长江大桥")[1]
    assert boundaries(bridge.methods["characters"], 7) > cut  # characters miss no cut
    assert pieces("The cat sat on the mat.", "unigram")[1] == "▁cat" and pieces("a b", "characters") == ["a", "b"]
    assert pieces("The cat sat on the mat.", "bpe")[1] == " cat" and pieces("a b", "jieba") == ["a", " ", "b"]
    assert pieces("发展中国家的经济", "bpe")[1] == "中国"
    assert "一行行" in pieces("人要是行，干一行行一行", "jieba") and dictionary().frequency("一行行")
    assert pieces("一个人", "bpe") == ["一个人"] and pieces("一个人", "wordpiece") == ["一", "[UNK]", "人"]
    assert pieces("饕餮纹", "jieba") == ["饕餮", "纹"]
    assert dictionary().frequency("打工人") == dictionary().frequency("打工魂") == 0
    mended = suggested("打工人", dictionary()), suggested("打工魂", dictionary())
    assert [w.text for w in view("打工人打工魂", dict(zip(("打工人", "打工魂"), mended, strict=True))).words] == [
        "打工人",
        "打工魂",
    ]
