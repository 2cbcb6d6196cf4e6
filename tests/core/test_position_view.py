"""What the position page claims, held against PyTorch, Hugging Face and arithmetic of its own."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from transformers import BertModel

from core import Measure, Model, Weight, capture, derive, grammar
from core.capture import Capture
from core.derivation.position import LEARNED, derive_cell, derive_gap, derive_moved, derive_wave
from core.edits import zero_positions
from core.questions.position import SEEN, changed, each_swap, farther_apart, which_change
from core.views.orders import (
    SAME,
    SEED,
    OrderView,
    order_taps,
    order_view,
    partners,
    recurrent_states,
    swap,
    word_spans,
)
from core.views.position import (
    MEASURES,
    PositionTable,
    apart,
    apart_in_pair,
    by_logarithm,
    computed_table,
    encoded,
    moved,
    own_table,
    refusal,
    tables,
    wavelengths,
)

THE_CAT = "The cat sat on the mat."


@pytest.fixture(scope="module")
def both(minilm: Model) -> dict[str, PositionTable]:
    return tables(minilm)


def read(model: Model, *texts: str) -> dict[str, tuple[Capture, Capture]]:
    edits = {"on": (), "off": (zero_positions(),)}
    taps = order_taps(model)
    return {
        name: (capture(model, texts[0], only=taps, edits=e), capture(model, texts[1], only=taps, edits=e))
        for name, e in edits.items()
    }


def orders(model: Model, *texts: str) -> OrderView:
    view = order_view(model, read(model, *texts))
    assert view is not None
    return view


# ---- the tables


def test_the_learned_table_is_hugging_faces(minilm: Model, minilm_folder, both) -> None:
    theirs = BertModel.from_pretrained(minilm_folder, local_files_only=True).embeddings.position_embeddings
    assert np.array_equal(theirs.weight.detach().numpy(), both["learned"].rows)


def test_what_the_tap_captured_is_the_table(minilm: Model, the_cat: Capture) -> None:
    assert np.array_equal(the_cat["embedding.position"], own_table(minilm).rows[:9])


def test_the_translator_adds_these_very_waves(translator: Model) -> None:
    """A buffer that nothing trained: the captured rows are the formula's, on both sides."""
    run = capture(translator, "我昨天在北京买了三本书")
    assert list(tables(translator)) == ["sinusoidal"]
    for tap in ("embedding.position", "decoder.embedding.position"):
        rows = np.stack([encoded(position, 128) for position in range(len(run[tap]))])
        np.testing.assert_allclose(run[tap], rows, atol=1e-7)
    assert not any("position" in name for name in translator.network.state_dict())


def test_one_is_trained_the_other_is_not(minilm: Model, both) -> None:
    assert both["learned"].parameters == 512 * 384 == 196_608 and both["sinusoidal"].parameters == 0
    assert both["sinusoidal"].rows.shape == both["learned"].rows.shape
    parameters = dict(minilm.network.named_parameters())
    assert parameters["embedding.position_table.table.weight"].numel() == 196_608


def test_nothing_shared_can_be_written(both) -> None:
    with pytest.raises(ValueError):
        both["learned"].rows[0, 0] = 1


# ---- distances


def test_zero_and_one_are_as_far_apart_as_a_hundred_and_a_hundred_and_one() -> None:
    """And the numbers of the claim: d = 512 and 768 and 4."""
    for d, distance in ((512, 3.7143), (768, 4.5232), (4, 0.9589)):
        for a in (0, 100, 5000):
            gap = float(np.linalg.norm(encoded(a + 1, d) - encoded(a, d)))
            assert gap == pytest.approx(distance, abs=5e-5) and gap == pytest.approx(float(apart(1, d)), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 20_000), st.integers(0, 2000), st.integers(1, 100).map(lambda pairs: 2 * pairs))
def test_only_the_gap_counts(a: int, gap: int, d: int) -> None:
    assert np.linalg.norm(encoded(a, d) - encoded(a + gap, d)) == pytest.approx(float(apart(gap, d)), abs=1e-7)


def test_one_pair_nearly_repeats_and_all_together_do_not() -> None:
    a, b = encoded(0, 512), encoded(710, 512)
    assert float(np.linalg.norm(a[:2] - b[:2])) == pytest.approx(6.0e-5, abs=1e-6)
    assert float(apart_in_pair(710, 512, 0)) == pytest.approx(float(np.linalg.norm(a[:2] - b[:2])), rel=1e-6)
    assert float(apart_in_pair(44, 512, 0)) == pytest.approx(0.0177, abs=5e-5)
    assert float(np.linalg.norm(a - b)) == pytest.approx(19.4, abs=0.05)
    for d in (128, 384):
        gaps = apart(np.arange(1, 5000), d)
        assert gaps.min() == gaps[0]  # no two positions of the first 5000 are nearer than neighbours


@pytest.mark.parametrize("d", [4, 128, 384])
def test_low_dimensions_are_the_fast_ones(d: int) -> None:
    steps = np.abs(encoded(1, d) - encoded(0, d))[0::2]
    assert (np.diff(steps) < 0).all() and steps[0] == pytest.approx(0.84147, abs=1e-5)
    assert (np.diff(wavelengths(d)) > 0).all()


def test_learned_distances_depend_on_the_place(both) -> None:
    learned = both["learned"]
    distance = learned.pairs["distance"]
    assert float(distance[0, 1]) == pytest.approx(2.276, abs=5e-4)
    assert float(distance[1, 2]) == pytest.approx(0.288, abs=5e-4)
    assert float(distance[100, 101]) == pytest.approx(0.217, abs=5e-4)
    assert learned.norms.argmax() == 0 and learned.norms[0] == pytest.approx(2.36, abs=5e-3)
    assert learned.norms[0] > 2 * learned.norms[1:].max()


@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
def test_pairs_are_those_of_torch(both, kind: str) -> None:
    rows = torch.from_numpy(both[kind].rows[:128].copy()).double()
    exact = torch.cdist(rows, rows, compute_mode="donot_use_mm_for_euclid_dist").numpy()
    np.testing.assert_allclose(both[kind].pairs["distance"], exact, atol=1e-6)
    np.testing.assert_allclose(both[kind].pairs["dot"], (rows @ rows.T).numpy(), atol=1e-4)


def test_every_wave_has_the_same_length(both) -> None:
    np.testing.assert_allclose(both["sinusoidal"].norms, np.sqrt(384 / 2), atol=1e-5)


# ---- derivations


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(["sinusoidal", "learned"]), st.integers(0, 511), st.integers(0, 383))
def test_any_cell_is_recomputed(both, kind: str, position: int, dim: int) -> None:
    assert abs(derive_cell(both[kind], position, dim).difference) < 1e-7


@settings(max_examples=80, deadline=None)
@given(st.data(), st.integers(1, 600), st.integers(0, 10**6), st.sampled_from([1, 7, 10_000]))
def test_the_calculator(data: st.DataObject, d: int, position: int, base: int) -> None:
    dim = data.draw(st.integers(0, d - 1))
    derivation = derive_wave(position, dim, d, base)
    assert [step.id for step in derivation.steps] == ["pair", "radian", "angle", "cosine" if dim % 2 else "sine"]
    assert abs(derivation.difference) < 1e-8


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(MEASURES), st.integers(0, 511), st.integers(0, 511))
def test_any_pair_is_recomputed(both, the_cat, measure: str, a: int, b: int) -> None:
    """Of waves from the gap alone: the two rows of float32 differ from that by their rounding."""
    assert abs(derive_gap(both["sinusoidal"], measure, a, b).difference) < 2e-5
    x, y = (both["learned"].row(i).astype(np.float64) for i in (a, b))
    made = derive(the_cat, Measure(measure, (Weight(LEARNED, (a, None)), Weight(LEARNED, (b, None)))))
    assert made.value == pytest.approx(x @ y if measure == "dot" else np.linalg.norm(x - y), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 511), st.integers(-(10**6), 10**6), st.integers(0, 127))
def test_any_turned_number_is_recomputed(position: int, by: int, dim: int) -> None:
    derivation = derive_moved(position, by, dim, 128)
    assert abs(derivation.difference) < 1e-8 and derivation.captured == encoded(position + by, 128)[dim]
    assert derivation.value == pytest.approx(float(moved(position, by, 128).turned[dim]), abs=1e-8)


def test_waves_go_on_beyond_their_table_and_learned_rows_do_not(both) -> None:
    assert np.array_equal(both["sinusoidal"].row(5000), encoded(5000, 384).astype(np.float32))
    assert np.array_equal(both["sinusoidal"].row(511), both["sinusoidal"].rows[511])
    assert abs(derive_gap(both["sinusoidal"], "distance", 5000, 5001).difference) < 1e-5
    with pytest.raises(IndexError):
        both["learned"].row(512)


def test_the_difference_is_a_difference(both) -> None:
    rows = both["sinusoidal"].rows.copy()
    rows[9, 16] += 0.25
    off = replace(both["sinusoidal"], rows=rows)
    assert derive_cell(off, 9, 16).difference == pytest.approx(-0.25, abs=1e-6)
    assert derive_gap(off, "dot", 9, 0).value == derive_gap(both["sinusoidal"], "dot", 9, 0).value
    assert derive_gap(off, "distance", 9, 10).difference != pytest.approx(0, abs=1e-3)


# ---- moving, writing, and where a table ends


@pytest.mark.parametrize(("by", "error"), [(5, 1e-13), (-9, 1e-13), (0, 0.0), (10**6, 1e-9), (10**9, 1e-6)])
def test_moved(by: int, error: float) -> None:
    turn = moved(9, by, 128)
    assert turn.error <= error and turn.turn.shape == (64, 2, 2)
    assert np.array_equal(turn.there, encoded(9 + by, 128))


@pytest.mark.parametrize("d", [1, 3, 7])
def test_moved_at_an_odd_width(d: int) -> None:
    turn = moved(3, 5, d)
    assert len(turn.turned) == d - 1 and turn.error < 1e-13


def test_the_usual_code() -> None:
    written = by_logarithm(512, 384)
    assert 1e-6 < written.difference < 1e-4 and written.at > 300 and "191" in written.refused


def test_beyond_the_learned_table_there_is_nothing(minilm: Model) -> None:
    assert refusal(minilm, 511) == "" and "out of range" in refusal(minilm, 512) and refusal(minilm, 10**9)
    assert encoded(512, 384).shape == (384,)


# ---- why at all


def test_the_recurrent_reader_is_torchs_own_equations() -> None:
    """Cho et al. 2014, gate by gate, with the weights of the reader; and the seed is what is named."""
    from core.views.orders import recurrent_reader

    rows = np.random.default_rng(0).normal(size=(5, 6)).astype(np.float32)
    reader, h, states = recurrent_reader(6), torch.zeros(6), []
    w_i, w_h, b_i, b_h = (p.detach() for p in reader.parameters())
    for x in torch.from_numpy(rows):
        (r1, z1, n1), (r2, z2, n2) = (w_i @ x + b_i).chunk(3), (w_h @ h + b_h).chunk(3)
        r, z = torch.sigmoid(r1 + r2), torch.sigmoid(z1 + z2)
        h = (1 - z) * torch.tanh(n1 + r * n2) + z * h
        states.append(h)
    np.testing.assert_allclose(recurrent_states(rows), torch.stack(states).numpy(), atol=1e-6)
    again, order = nn.GRU(6, 6), torch.Generator().manual_seed(SEED)
    for weight, ours in zip(again.parameters(), reader.parameters(), strict=True):
        assert torch.equal(nn.init.uniform_(weight.detach(), -(6**-0.5), 6**-0.5, generator=order), ours)


@pytest.mark.parametrize(
    "texts",
    [("dog bites man", "man bites dog"), (THE_CAT, "The mat sat on the cat."), ("unaffable cats", "cats unaffable")],
)
def test_without_positions_every_word_gets_the_same_vector(minilm: Model, texts: tuple[str, str]) -> None:
    view = orders(minilm, *texts)
    off, on = view.readings["off"], view.readings["on"]
    assert off.difference.max() < 1e-5 and np.abs(off.first - off.second).max() < 1e-4
    assert on.difference.min() > 0.05
    assert all(view.tokens[0][i] == view.tokens[1][j] for i, j in enumerate(view.partner))
    moved = view.moved()[0]
    assert view.readings["recurrent"].difference[moved:].min() > 1e-3  # it knows the order, and nothing before it
    assert np.allclose(view.readings["recurrent"].difference[:moved], 0)


def test_without_positions_the_translator_writes_the_same_for_both_orders(translator: Model) -> None:
    view = orders(translator, "老师批评了学生", "学生批评了老师")
    on, off = view.readings["on"], view.readings["off"]
    assert on.written == ("The teacher criticised the student", "The student criticised the teacher")
    assert off.written[0] == off.written[1] and off.difference.max() < 1e-5 < 0.1 < on.difference.max()


def test_the_words_of_the_issue(minilm: Model) -> None:
    off = orders(minilm, "dog bites man", "man bites dog").readings["off"]
    assert float(np.abs(off.first[1] - off.second[1]).max()) < 2e-6
    np.testing.assert_allclose(off.cosine, 1, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        (THE_CAT, "The mat sat on the cat."),
        ("dog bites man", "man bites dog"),
        ("  Unaffable,\tcats!", "  cats,\tUnaffable!"),
        ("the cat and the cat and the dog and the cat", "cat cat and the cat and the dog and the the"),
        ("a b a", "b a a"),
        ("the The THE", None),
        ("", None),
        ("x", None),
        ("x x", None),
        ("... !", None),
        ("👩\u200d💻 😀", None),
        ("[MASK] a [SEP] b", "[MASK] b [SEP] a"),
    ],
)
def test_two_words_are_swapped(minilm: Model, text: str, swapped: str | None) -> None:
    found = swap(text, word_spans(minilm.tokenizer.trace(text).tokens))
    assert (found and found.text) == swapped
    if found is not None:
        assert orders(minilm, text, found.text).moved()


WORDS = st.lists(
    st.sampled_from(["the", "cat", "dog", "and", "Cat", "mat", "unaffable", "electroencephalography"]), max_size=9
)


@settings(max_examples=60, deadline=None)
@given(WORDS)
def test_any_two_different_words_can_be_swapped(minilm: Model, spoken: list[str]) -> None:
    """None only where all words are the same; and what is said to be swapped are whole words, in each other's place."""
    text = " ".join(spoken)
    found = swap(text, word_spans(minilm.tokenizer.trace(text).tokens))
    assert (found is None) == (len({word.casefold() for word in spoken}) < 2)
    if found is None:
        return
    after = found.text.split()
    changed = [i for i, (one, other) in enumerate(zip(spoken, after, strict=True)) if one != other]
    assert sorted(after) == sorted(spoken) and len(changed) == 2
    assert [spoken[i] for i in changed] == [found.first, found.second] == [after[i] for i in changed[::-1]]


@pytest.mark.long
def test_what_is_said_of_two_orders_holds_of_any_sentence(translator: Model) -> None:
    """Without positions no vector changes but for rounding; with them the answer "all" is said where it is so."""
    random, answers = Random(5), set()
    for _ in range(25):
        text = grammar.sample(random).zh
        spans = [(i, i + 1) for i in range(len(text))]
        found = swap(text, spans)
        assert found is not None
        view = orders(translator, text, found.text)
        on, off = (view.readings[name].difference for name in ("on", "off"))
        assert off.max() < SAME
        question = next(each_swap(view, found.first, found.second), None)
        if question is None:
            continue
        answers.add(question.answer)
        share = on if question.template == "which_change.on" else off
        assert {"all": share.min() > SEEN, "none": share.max() < SAME}[question.answer]
        assert question.facts["most"] == pytest.approx(float(share.max()))
    assert answers == {"all", "none"}  # one learns nothing from a question whose answer is always the same


def test_partners() -> None:
    assert partners([5, 7, 5, 9], [9, 5, 7, 5]) == (1, 2, 3, 0)
    assert partners([], []) == () and partners([1], [2]) is None and partners([1, 1], [1]) is None


def test_other_tokens_are_no_pair_of_orders(minilm: Model) -> None:
    assert order_view(minilm, read(minilm, "dog bites man", "dog bites cat")) is None


# ---- the questions


def test_after_swap(minilm: Model) -> None:
    view = orders(minilm, THE_CAT, "The mat sat on the cat.")
    off, on = (which_change(view, reader, "cat", "mat") for reader in ("off", "on"))
    assert off is not None and off.answer == "none" and off.row == 2 and float(off.facts["most"]) < 1e-5
    assert on is not None and on.answer == "all" and float(on.facts["least"]) > 0.01
    assert next(each_swap(None), None) is None
    assert next(each_swap(orders(minilm, THE_CAT, THE_CAT)), None) is None


def test_the_answer_is_computed() -> None:
    """Of three words, the first and the last swapped."""
    moved_words = [0, 2]
    given_shares = ([0, 0, 0], [0.3, 0, 0.2], [0.3, 0.1, 0.2], [0.3, 0.005, 0.2], [0.005, 0, 0.2])
    answers = [changed(np.array(share, np.float32), moved_words) for share in given_shares]
    assert answers == ["none", "moved", "all", None, None]


def test_farther_apart(both) -> None:
    tables = both["sinusoidal"], computed_table(200, 128), both["learned"]
    assert [question.answer for question in map(farther_apart, tables) if question] == ["equal", "equal", "near"]
    assert farther_apart(computed_table(100, 128)) is None
