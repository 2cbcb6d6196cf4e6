"""The embedding stage held against torch's one-hot product, Hugging Face's own table, and arithmetic by hand."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from transformers import BertModel

from core import Capture, Measure, Model, Weight, capture, derive
from core.derivation.flow import TABLE
from core.errors import InputError
from core.questions import CLEAR
from core.questions.embedding import each
from core.views.embedding import KINDS, TAPS, EmbeddingView, averaged, embedding_view, table_summary

VOCAB, D = 30_522, 384
THE, CAT, PRIX = 1996, 4937, 5431


@pytest.fixture(scope="module")
def view(the_cat: Capture, minilm: Model) -> EmbeddingView:
    return embedding_view(the_cat, minilm)


def view_of(minilm: Model, text: str) -> EmbeddingView:
    return embedding_view(capture(minilm, text, only=TAPS), minilm)


# ---- what the page claims


def test_the_table_and_its_size(view: EmbeddingView) -> None:
    assert view.table.shape == (VOCAB, D) == (view.vocab, view.d_model)
    assert view.table.size == 11_720_448
    assert len(view.pieces) == VOCAB
    assert (view.pieces[THE], view.pieces[CAT], view.pieces[PRIX]) == ("the", "cat", "prix")


def test_both_the_are_one_row(view: EmbeddingView) -> None:
    assert view.same(5) == [1] and view.same(1) == [5] and view.same(2) == []
    assert view.apart(1, 5) == 0.0
    assert np.array_equal(view.output[1], view.table[THE])


@pytest.mark.parametrize("text", ["The cat sat on the mat.", "", "x", "奥利给 😀", "naïve [MASK] ##ing"])
def test_the_lookup_is_the_product_with_one_hot(minilm: Model, text: str) -> None:
    """Every product by 0 is made, by torch's one_hot and ours, and the rows come out bit for bit."""
    view = view_of(minilm, text)
    one_hot = torch.nn.functional.one_hot(torch.tensor(view.ids), VOCAB).to(torch.float32)
    theirs = (one_hot @ torch.from_numpy(view.table.copy())).numpy()
    assert float(np.abs(theirs - view.output).max()) == 0.0
    for position, id in enumerate(view.ids):
        assert np.array_equal(view.one_hot(id), one_hot[position].numpy())
        assert np.array_equal(view.by_one_hot(id), view.output[position])


def test_the_table_is_hugging_faces(minilm: Model, minilm_folder, view: EmbeddingView) -> None:
    theirs = BertModel.from_pretrained(minilm_folder, local_files_only=True).embeddings.word_embeddings
    with torch.no_grad():
        rows = theirs(torch.tensor(view.ids)).numpy()
    assert np.array_equal(theirs.weight.detach().numpy(), view.table)
    assert np.array_equal(rows, view.output)


def test_a_row_does_not_know_its_sentence(minilm: Model, view: EmbeddingView) -> None:
    other = view_of(minilm, "Nobody saw the dog, nor did the dog see anybody.")
    for position in (i for i, id in enumerate(other.ids) if id == THE):
        assert np.array_equal(other.output[position], view.output[1])


def test_words_nobody_can_spell_share_one_row(minilm: Model) -> None:
    view = view_of(minilm, "\u9f98 \u9750")  # two rare characters, neither in the vocabulary
    assert view.ids[1] == view.ids[2] == minilm.tokenizer.unk_id and view.apart(1, 2) == 0.0


def test_the_length_is_kept(minilm: Model) -> None:
    for text in ("", "a", "one two three", "word " * 600):
        view = view_of(minilm, text)
        assert view.output.shape == (len(view.ids), D) and len(view.ids) <= 512


# ---- three ways to write a token down


def test_ids_one_hot_and_rows(view: EmbeddingView) -> None:
    rows = torch.from_numpy(view.output.copy())
    theirs = torch.nn.functional.cosine_similarity(rows[:, None], rows[None], dim=-1).numpy()
    np.testing.assert_allclose(view.pairs("row"), theirs, atol=1e-6)
    same = [[a == b for b in view.ids] for a in view.ids]
    assert np.array_equal(view.pairs("onehot"), np.array(same, np.float32))
    assert view.pairs("id")[1, 2] == CAT - THE


def rows(view: EmbeddingView, *tokens: int) -> tuple[Weight, ...]:
    return tuple(Weight(TABLE, (view.ids[i], None)) for i in tokens)


def test_one_hot_vectors_are_all_equally_far_apart(view: EmbeddingView, the_cat: Capture) -> None:
    for a, b in ((0, 1), (2, 6), (4, 8)):
        distance, cosine = derive(the_cat, Measure("one_hot_alike", rows(view, a, b))).steps
        assert distance.value == pytest.approx(2**0.5, abs=1e-15) and cosine.value == 0.0
    same, alike = derive(the_cat, Measure("one_hot_alike", rows(view, 1, 5))).steps
    assert (same.value, alike.value) == (0, 1)


# ---- derivations


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_entry_is_looked_up_and_recomputed(view: EmbeddingView, the_cat: Capture, data: st.DataObject) -> None:
    row, dim = data.draw(st.integers(0, VOCAB - 1)), data.draw(st.integers(0, D - 1))
    entry = derive(the_cat, Measure("looked_up", (Weight(TABLE, (row, dim)),)))
    assert entry.difference == 0.0 and entry.captured == float(view.table[row, dim])
    lookup, product = entry.steps
    assert lookup.value == product.value and lookup.at == Weight(TABLE, (row, dim))
    assert (product.count, len(product.largest), product.rest) == (VOCAB, 1, 0.0)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(KINDS), st.integers(0, 8), st.integers(0, 8))
def test_any_pair_is_recomputed(view: EmbeddingView, the_cat: Capture, kind: str, a: int, b: int) -> None:
    measure = {"id": "ids_apart", "onehot": "one_hot_alike", "row": "cosine"}[kind]
    made = derive(the_cat, Measure(measure, rows(view, a, b)))
    assert made.value == pytest.approx(float(view.pairs(kind)[a, b]), abs=1e-6)


def test_only_rows_of_the_table_have_an_id(the_cat: Capture) -> None:
    other = Weight("embedding.position_table.table.weight", (1, None))
    for kind in ("ids_apart", "one_hot_alike"):
        with pytest.raises(InputError):
            derive(the_cat, Measure(kind, (other, other)))


# ---- the question


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["the", "dog", "a", "cat", "snow☃man", "unaffable", "."]), min_size=2, max_size=9))
def test_where_a_word_repeats_rows_are_counted(minilm: Model, words: list[str]) -> None:
    view = view_of(minilm, " ".join(words))
    question = next(each(view), None)
    if question is None or question.template != "rows_fetched":
        return
    assert int(question.answer) == len(np.unique(view.output, axis=0)) < len(view.ids)
    numbers = [choice.id for choice in question.choices]
    assert question.answer in numbers and str(len(view.ids)) in numbers and 2 <= len(set(numbers)) <= 4
    assert question.facts["difference"] == 0.0


@pytest.mark.parametrize("text", ["Dogs bark at night.", "Alice told Bob a long story", "king queen banana"])
def test_else_which_row_is_nearer_and_at_last_that_all_rows_differ(minilm: Model, text: str) -> None:
    view = view_of(minilm, text)
    question, *_, last = each(view)
    assert last.template == "rows_once" and int(last.answer) == len(np.unique(view.output, axis=0)) == len(view.ids)
    assert last.answer == last.choices[-1].id and len(last.choices) > 1
    assert question.template == "nearer_row"
    near = int(question.answer)
    (far,) = (int(choice.id) for choice in question.choices if choice.id != question.answer)
    assert view.cosine[question.row, near] - view.cosine[question.row, far] == pytest.approx(question.margin)
    assert question.margin >= CLEAR and len({question.row, near, far}) == 3


@pytest.mark.parametrize("text", ["", "x", "...", "two words"])
def test_else_nothing_is_asked(minilm: Model, text: str) -> None:
    assert next(each(view_of(minilm, text)), None) is None


# ---- the table in small


@settings(max_examples=50, deadline=None)
@given(
    arrays.arrays(
        np.float32,
        arrays.array_shapes(min_dims=2, max_dims=2, max_side=40),
        elements=st.floats(-9, 9, width=32),
    ),
    st.integers(1, 12),
    st.integers(1, 12),
)
def test_blocks_are_means(matrix: np.ndarray, rows: int, columns: int) -> None:
    blocks = averaged(matrix, rows, columns)
    assert blocks.shape == (min(rows, matrix.shape[0]), min(columns, matrix.shape[1]))
    edges = [np.linspace(0, n, m + 1).astype(int) for n, m in zip(matrix.shape, blocks.shape, strict=True)]
    for i, (top, bottom) in enumerate(itertools.pairwise(edges[0])):
        for j, (left, right) in enumerate(itertools.pairwise(edges[1])):
            block = matrix[top:bottom, left:right].astype(np.float64)
            assert block.size and blocks[i, j] == pytest.approx(block.mean(), abs=1e-5)


def test_a_veiled_row_is_not_averaged_away(view: EmbeddingView) -> None:
    veiled = view.output.copy()
    veiled[5] = np.nan
    assert np.isnan(averaged(veiled, 3, 8)[1]).all() and not np.isnan(averaged(veiled, 3, 8)[[0, 2]]).any()


def test_the_summary(minilm: Model, view: EmbeddingView) -> None:
    summary = table_summary(minilm)
    assert summary.blocks.shape == (128, 128) and summary.nbytes == 128 * 128 * 4
    assert (np.abs(view.table) <= summary.full).mean() == pytest.approx(0.99, abs=1e-4)


def test_nothing_shared_can_be_written(view: EmbeddingView) -> None:
    with pytest.raises(ValueError):
        view.table[0, 0] = 1
    assert view.nbytes == view.output.nbytes + view.cosine.nbytes  # the table is the model's
