"""Words, their neighbours, sums and groups: against scikit-learn and PyTorch, on the weights the site ships."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import NearestNeighbors

from core import Capture, Measure, Model, Weight, derive
from core.derivation.flow import TABLE
from core.questions import CLEAR
from core.questions.meaning import nearest_word
from core.views.meaning import (
    MEASURES,
    Group,
    Space,
    analogy,
    any_two,
    mean_cosine,
    read_groups,
    space,
    split,
    word_set,
    written,
)
from core.views.vectors import cosine
from tests.models import loaded


@pytest.fixture(scope="module")
def english(minilm: Model) -> Space:
    return space(minilm)


@pytest.fixture(scope="module")
def translating() -> Space:
    return space(loaded("translator"))


def between(space: Space, a: str, b: str) -> float:
    first, second = space.word(a), space.word(b)
    assert first and second
    return float(cosine(first.vector, second.vector))


# ---- words


def test_a_word_is_its_row_and_several_pieces_are_averaged(english: Space) -> None:
    cat = english.word("Cat")
    assert cat and cat.pieces == ("cat",) and np.array_equal(cat.vector, english.table[4937]) and not cat.averaged
    word = english.word("unaffable")
    assert word and word.averaged and word.pieces == ("una", "##ffa", "##ble")
    assert np.allclose(word.vector, sum(english.table[id].astype(float) for id in word.ids) / 3, atol=1e-7)


@pytest.mark.parametrize("text", ["", "  ", "奥利给", "😀"])
def test_what_cannot_be_spelled_is_no_word(english: Space, text: str) -> None:
    assert english.word(text) is None


def test_the_translator_spells_what_it_reads_and_what_it_writes(translating: Space) -> None:
    pieces = translating.model.tokenizer.pieces
    for text, expected in {"老师": ("老", "师"), "teacher": ("teacher",), "三": ("三",), "Book": ("book",)}.items():
        word = translating.word(text)
        assert word and word.pieces == expected and tuple(pieces[id] for id in word.ids) == expected
    assert translating.word("zebra") is None and translating.word("饕餮") is None


def test_every_row_has_a_name_of_its_own(english: Space, translating: Space) -> None:
    for each in (english, translating):
        rows = [each.row(piece) for piece in each.model.tokenizer.pieces]
        assert [row.ids for row in rows if row] == [(id,) for id in range(len(each.table))]
        assert each.row("no such piece") is None
    assert english.word("##s").pieces == ("#", "#", "s")  # type: ignore[union-attr]


# ---- nearness


@pytest.mark.parametrize("text", ["good", "king", "dog", "running", "unaffable", "the", "##ing", "."])
def test_neighbours_are_those_of_scikit_learn(english: Space, text: str) -> None:
    word = english.word(text)
    assert word
    distances, rows = NearestNeighbors(metric="cosine").fit(english.table).kneighbors(word.vector[None], 12)
    expected = [(i, 1 - d) for d, i in zip(distances[0], rows[0], strict=True) if i not in word.ids][:8]
    found = english.neighbours(word)
    assert [row.id for row in found] == [int(i) for i, _ in expected]
    assert np.allclose([row.cosine for row in found], [c for _, c in expected], atol=1e-5)


def test_what_the_page_says_of_minilm(english: Space) -> None:
    near = {row.piece: row.cosine for row in english.neighbours(english.word("good"))}  # type: ignore[arg-type]
    assert near["bad"] == pytest.approx(0.535, abs=5e-4) and near["great"] == pytest.approx(0.518, abs=5e-4)
    assert {"puppy", "canine", "dogs"} <= {r.piece for r in english.neighbours(english.word("dog"))}  # type: ignore[arg-type]
    runs = [r.piece for r in english.neighbours(english.word("run"))]  # type: ignore[arg-type]
    assert {"running", "ran", "runs"} == set(runs[:3])
    assert between(english, "king", "queen") > 0.6 and between(english, "king", "banana") < 0.1


def test_what_the_page_says_of_the_translator(translating: Space) -> None:
    """Used alike is near; the same meaning in two languages is not."""
    assert between(translating, "三", "四") > 0.3 > 0.2 > between(translating, "三", "three")
    assert between(translating, "dog", "cat") > 0.3 and abs(between(translating, "dog", "狗")) < 0.1


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 30521), st.integers(0, 30521))
def test_a_cosine_is_followed(english: Space, the_cat: Capture, a: int, b: int) -> None:
    words = [english.word(english.model.tokenizer.pieces[i]) for i in (a, b)]
    if None in words:
        return
    x, y = words
    assert x and y
    rows = tuple(Weight(TABLE, (id, None)) for word in (x, y) for id in word.ids)
    derivation = derive(the_cat, Measure("pooled", rows, (len(x.ids), len(y.ids))))
    reference = torch.nn.functional.cosine_similarity(*(torch.tensor(w.vector).double() for w in (x, y)), dim=0)
    assert derivation.value == pytest.approx(float(reference), abs=1e-7 if x.averaged or y.averaged else 1e-12)
    assert sum(derivation.steps[0].terms) == pytest.approx(derivation.steps[0].value)
    assert derivation.steps[-1].parts["one"] == pytest.approx(np.linalg.norm(x.vector), rel=1e-6)


def test_a_mean_cosine_is_a_mean_of_cosines(english: Space) -> None:
    ids, others = [2204, 2919, 2307], [4937, 3899]
    rows = english.table
    pairs = [cosine(rows[a], rows[b]) for a in ids for b in ids if a < b]
    assert mean_cosine(rows, ids) == pytest.approx(np.mean(pairs), abs=1e-6)
    pairs = [cosine(rows[a], rows[b]) for a in ids for b in others]
    assert mean_cosine(rows, ids, others) == pytest.approx(np.mean(pairs), abs=1e-6)


def test_king_minus_man_plus_woman_is_king(english: Space) -> None:
    words = [english.word(text) for text in ("king", "man", "woman")]
    king, man, woman = words
    assert king and man and woman
    kept = analogy(english, king, man, woman, remove=False)
    assert [row.piece for row in kept[:2]] == ["king", "queen"]
    removed = analogy(english, king, man, woman, remove=True)
    assert removed[0].piece == "queen" and not {"king", "man", "woman"} & {row.piece for row in removed}
    total = king.vector.astype(float) - man.vector + woman.vector
    assert kept[0].cosine == pytest.approx(
        total @ king.vector / np.linalg.norm(total) / np.linalg.norm(king.vector), abs=1e-5
    )


# ---- groups


def test_groups_as_they_are_typed() -> None:
    groups = read_groups("Pets: cat, dog\n动物：猫、狗\n\nlone words here\n: more\nempty:", unnamed="mine")
    assert groups == (
        Group("Pets", ("cat", "dog")),
        Group("动物", ("猫", "狗")),
        Group("mine", ("lone", "words", "here", "more")),
    )
    assert read_groups(" \n ,,", "mine") == ()
    assert read_groups(written(groups, {}), "mine") == groups
    assert split("a,b；c、d  e") == list("abcde")


@given(st.text(max_size=200))
def test_any_text_is_some_groups(text: str) -> None:
    assert all(group.id and group.words for group in read_groups(text, "mine"))


def test_a_set_leaves_out_what_it_cannot_place(english: Space) -> None:
    groups = [Group("a", ("cat", "Dog", "奥利给", "cat")), Group("b", ("dog", "unaffable", "奥利给"))]
    found = word_set(english, groups)
    assert [word.text for word in found.words] == ["cat", "Dog", "unaffable"] and found.groups == ("a", "a", "b")
    assert found.unknown == ("奥利给",) and found.repeated == ("cat", "dog") and found.cut == 0
    assert [word.text for word in found.averaged] == ["unaffable"] and found.vectors.shape == (3, 384)
    assert word_set(english, []).vectors.shape == (0, 384)


def test_a_set_is_limited(english: Space) -> None:
    words = tuple(p for p in english.model.tokenizer.pieces if p.isascii() and p.isalpha())[:5000]
    found = word_set(english, [Group("many", words)], most=1000)
    assert len(found.words) == 1000 and found.cut == 5000 - 1000 - len(found.unknown) - len(found.repeated)


# ---- the question


def test_the_question(english: Space, translating: Space) -> None:
    question = nearest_word(english, "white", ("pale", "black", "snow"), "opposite")
    assert question and question.answer == "word1" and question.facts["near"] == "black"
    assert question.facts["second"] == "pale" and question.margin > CLEAR
    question = nearest_word(translating, "三", ("three", "四", "书"), "use")
    assert question and question.facts["near"] == "四" and question.margin > CLEAR
    assert nearest_word(translating, "三", ("zebra", "四"), "use") is None


@pytest.mark.parametrize("text", ["white", "king", "bank"])
def test_the_three_measures_are_those_of_torch_and_order_by_nearness(english: Space, text: str) -> None:
    here, word = english, english.word(text)
    assert word
    rows, vector = torch.tensor(here.table).double(), torch.tensor(word.vector).double()
    theirs = {
        "cosine": torch.cosine_similarity(rows, vector[None], dim=1),
        "dot": rows @ vector,
        "distance": torch.cdist(rows, vector[None])[:, 0],
    }
    ours = here.measures(word.vector)
    for name in MEASURES:
        others = np.delete(np.arange(len(rows)), word.ids)
        assert np.abs(ours[name] - theirs[name].numpy())[others].max() < 1e-4
        nearest = here.order(ours[name], name, 8, without=word.ids)
        sign = 1 if name == "distance" else -1
        assert nearest == sorted(others.tolist(), key=lambda i: sign * ours[name][i])[:8]


@pytest.mark.parametrize("name", ["minilm", "translator", "poet"])
def test_two_rows_drawn_at_random_stand_for_all(name: str) -> None:
    """Against the mean over every pair of different rows: (‖Σ u‖² − V) / (V² − V) of the rows u of length 1."""
    found = space(loaded(name))
    rows = found.table[found.norms > 0] / found.norms[found.norms > 0, None]
    every = (float((rows.sum(0, dtype=np.float64) ** 2).sum()) - len(rows)) / (len(rows) ** 2 - len(rows))
    mean, low, high = any_two(found)
    assert mean == pytest.approx(every, abs=0.01) and low < mean < high
