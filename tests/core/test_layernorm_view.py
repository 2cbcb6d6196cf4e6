"""What the layernorm stage shows, against torch and by hand, and every claim its page makes about these weights."""

import json
import math
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from core import Capture, Model, capture, grammar
from core.capture import named_by
from core.errors import InputError
from core.model.places import Place
from core.questions.layernorm import each, one_times, ten_times
from core.training.experiments import ARRANGEMENTS, DEPTHS, FILE, SETTINGS, mean_start, rounded
from core.views import arrangements, layernorm
from core.views.by_hand import by_hand, vector
from core.views.layernorm import NormView, norm_view
from core.views.norms import KINDS, layer_norm
from tests.models import loaded

EMBEDDING = Place("", part="embedding", norm=True)


@pytest.fixture(scope="module")
def view(minilm: Model, the_cat: Capture) -> NormView:
    return norm_view(the_cat, minilm, EMBEDDING)


# ---------------------------------------------------------------------------------------------------
# Every norm


def test_places_are_every_norm_in_order(minilm: Model) -> None:
    places = layernorm.places(minilm)
    assert len(places) == 13 and places[0] == EMBEDDING
    assert tuple(map(str, places[1:3])) == ("encoder.0.attention.norm", "encoder.0.feedforward.norm")


@pytest.mark.parametrize("text", range(10))
def test_each_norm_holds_what_it_names(minilm: Model, texts: tuple[str, ...], text: int) -> None:
    """Against torch's own, on what each norm was given."""
    run = capture(minilm, texts[text])
    for place in layernorm.places(minilm):
        view = norm_view(run, minilm, place)
        np.testing.assert_allclose(sum(view.summands.values()), view.captured.before, atol=2e-5)
        assert layernorm.torch_difference(view) < 2e-5
        assert view.captured.mean is not None and view.captured.variance is not None
        np.testing.assert_allclose(view.captured.mean, view.captured.before.mean(-1), atol=1e-5)
        np.testing.assert_allclose(view.captured.variance, view.captured.before.var(-1), rtol=1e-4)


def test_taps_are_enough(minilm: Model) -> None:
    for place in layernorm.places(minilm):
        run = capture(minilm, "The cat", only=layernorm.taps(minilm, place))
        assert norm_view(run, minilm, place).place == place


def test_captured_numbers_where_nothing_is_changed(view: NormView) -> None:
    assert view.ran() is view.captured
    again = layer_norm(view.captured.before, view.gamma, view.beta, view.epsilon)
    np.testing.assert_array_equal(again.after, view.captured.after)


# ---------------------------------------------------------------------------------------------------
# Times ten plus five


def test_nothing_moves_until_epsilon_is_raised(view: NormView) -> None:
    """1.4e-6 at MiniLM's own 1e-12, 7.5e-3 at 1e-5, as the page says of this sentence."""
    assert view.epsilon == 1e-12
    assert float(view.moves().max()) == pytest.approx(1.4e-6, abs=2e-6)
    assert float(view.moves(epsilon=1e-5).max()) == pytest.approx(7.5e-3, rel=0.02)
    assert float(view.moves("rms", 10, 0).max()) < 1e-5 < float(view.moves("rms", 1, 5).max())
    assert float(view.moves("none", 10, 0).max()) > 1


@settings(deadline=None, max_examples=100)
@given(
    kind=st.sampled_from(KINDS),
    factor=st.sampled_from([1.0, 0.1, 10.0]),
    shift=st.sampled_from([0.0, 5.0]),
    epsilon=st.sampled_from([1e-12, 1e-5, 0.1]),
)
def test_each_kind_against_torch(view: NormView, kind: str, factor: float, shift: float, epsilon: float) -> None:
    ran = view.ran(kind, factor, shift, epsilon)
    x = torch.tensor(view.captured.before).double() * factor + shift
    gamma, beta = torch.tensor(view.gamma).double(), torch.tensor(view.beta).double()
    expected = {
        "layer": lambda: nn.functional.layer_norm(x, x.shape[1:], gamma, beta, epsilon),
        "rms": lambda: nn.functional.rms_norm(x, x.shape[1:], gamma, epsilon),
        "batch": lambda: nn.functional.batch_norm(x, None, None, gamma, beta, training=True, eps=epsilon),
        "none": lambda: x,
    }[kind]()
    assert (ran.factor, ran.shift, ran.epsilon) == (factor, shift, epsilon)
    np.testing.assert_allclose(ran.after, expected.numpy(), atol=5e-4)


def test_traits_tell_the_kinds_apart(view: NormView) -> None:
    traits = {trait.kind: trait for trait in layernorm.traits(view, 2).kinds}
    assert tuple(traits) == KINDS
    layer, rms, batch, none = (traits[kind] for kind in KINDS)
    assert layer.mean < 1e-6 and layer.spread == (pytest.approx(1, abs=1e-4), pytest.approx(1, abs=1e-4))
    assert max(layer.times, layer.plus, layer.alone) < 1e-4
    assert rms.times < 1e-5 and rms.plus > 0.1 and rms.alone < 1e-5
    assert batch.times < 1e-3 and batch.plus < 1e-3 and batch.alone > 0.1
    assert none.times > 0.1 and none.plus == pytest.approx(5, abs=1e-5) and none.alone == 0


# ---------------------------------------------------------------------------------------------------
# The question


def test_the_question(view: NormView) -> None:
    question = ten_times(view)
    assert question is not None and (question.answer, question.row) == ("same", 5)
    assert [choice.id for choice in question.choices] == ["tenfold", "same", "tenth"]
    assert question.facts["ten_spread"] == pytest.approx(10 * float(view.captured.before[5].std()), rel=1e-5)


@pytest.mark.parametrize("text", ["", "?", " . , "])
def test_nothing_is_asked_where_there_is_no_word(minilm: Model, text: str) -> None:
    assert ten_times(norm_view(capture(minilm, text), minilm, EMBEDDING)) is None


def test_nothing_is_asked_where_the_output_does_move(view: NormView) -> None:
    from dataclasses import replace

    coarse = replace(view.captured, epsilon=1.0)
    assert ten_times(replace(view, captured=coarse)) is None


# ---------------------------------------------------------------------------------------------------
# Through depth, and elsewhere


def test_depth(minilm: Model, the_cat: Capture) -> None:
    depth = layernorm.depth_view(the_cat, minilm)
    assert depth.gamma.shape == (13, 384) and len(depth.spreads) == 13
    for i, place in enumerate(depth.places):
        view = norm_view(the_cat, minilm, place)
        assert depth.spreads[i] == pytest.approx(view.captured.before.std(-1).mean(), rel=1e-4)
        assert depth.after[i] == pytest.approx(view.captured.after.std(-1).mean(), rel=1e-5)
        np.testing.assert_array_equal(depth.gamma[i], view.gamma)
    assert depth.after.max() < 0.85 and depth.spreads.max() > 1.9


def test_outlier_dimensions(minilm: Model, the_cat: Capture) -> None:
    depth = layernorm.depth_view(the_cat, minilm)
    dim, count = depth.outlier()
    ranks = [list(np.argsort(-np.abs(g - np.median(g)))).index(dim) for g in depth.gamma]
    assert sum(rank < 3 for rank in ranks) == count >= 6
    assert dim == 99


@pytest.mark.parametrize("norm", ["post", "pre", "input"])
def test_an_arrangement(minilm: Model, norm: str) -> None:
    from core.zoo import rearranged

    model = rearranged(minilm, norm)
    run = capture(model, "The cat sat on the mat.", only=named_by(model, arrangements.ARRANGEMENT_TAPS))
    view = arrangements.arrangement_view(run, model)
    whole = capture(model, "The cat sat on the mat.")
    assert view.outputs()[1:] == [pytest.approx(whole[f"encoder.{i}.output"].std(-1).mean()) for i in range(6)]
    assert view.agreement(view) == pytest.approx(1, abs=1e-6)
    assert view.text_out is None
    last = "encoder.norm.output" if norm == "pre" else "encoder.5.output"
    np.testing.assert_array_equal(view.last, whole[last])


# ---------------------------------------------------------------------------------------------------
# By hand


def test_the_source_documents_vector() -> None:
    """[1, 2, 3, 4]: 1.25 and not 5/3, so -1.3416 and not -1.1619."""
    hand = by_hand(np.array([1.0, 2, 3, 4]), 1e-5)
    assert (hand.mean, hand.variance) == (2.5, 1.25) and hand.unbiased == pytest.approx(5 / 3)
    assert hand.centred.tolist() == [-1.5, -0.5, 0.5, 1.5]
    assert hand.normalized[0] == pytest.approx(-1.3416, abs=5e-5)
    assert (1 - 2.5) / math.sqrt(5 / 3) == pytest.approx(-1.1619, abs=5e-5)


@settings(deadline=None, max_examples=200)
@given(
    values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12),
    epsilon=st.sampled_from([1e-12, 1e-5, 1e-3, 0.1]),
)
def test_by_hand_against_torch(values: list[float], epsilon: float) -> None:
    hand = by_hand(np.array(values), epsilon)
    spread = float(np.std(values))
    if spread == 0 or spread > 1e-4:
        assert hand.difference <= 1e-6
    assert (hand.unbiased is None) == (len(values) == 1)
    assert np.isfinite(hand.normalized).all()


@pytest.mark.parametrize("values", [[7.0], [3.0, 3.0, 3.0], [0.0, 0.0]])
def test_a_constant_vector_gives_zeros(values: list[float]) -> None:
    hand = by_hand(np.array(values), 1e-12)
    assert hand.variance == 0 and hand.normalized.tolist() == [0] * len(values)


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([], "vector_length"),
        (["1"] * 13, "vector_length"),
        (["1", "abc"], "vector_entry"),
        (["1", ""], "vector_entry"),
        (["nan", "1"], "vector_not_finite"),
        (["1", "-inf"], "vector_not_finite"),
        (["1e999"], "vector_not_finite"),
        (["1e7"], "vector_large"),
    ],
)
def test_what_is_no_vector(entries: list[str], code: str) -> None:
    with pytest.raises(InputError) as error:
        vector(entries)
    assert error.value.code == code


def test_what_is_a_vector() -> None:
    assert vector(["1", " -2.5 ", "1e3", "１"]).tolist() == [1, -2.5, 1000, 1]


# ---------------------------------------------------------------------------------------------------
# At initialisation


def test_the_committed_numbers_are_complete() -> None:
    found = json.loads(FILE.read_text(encoding="utf-8"))
    assert [(s["arrangement"], s["layers"]) for s in found["starts"]] == [(a, d) for a in ARRANGEMENTS for d in DEPTHS]
    assert found["settings"] == {**SETTINGS, "seeds": [0, 1, 2, 3, 4]}
    assert all(len(s["spreads"]) == s["layers"] + 1 and len(s["gradients"]) == s["layers"] for s in found["starts"])
    assert (min(DEPTHS), max(DEPTHS), SETTINGS["d_model"], SETTINGS["heads"]) == (2, 24, 128, 4)


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_the_committed_numbers_come_again(arrangement: str) -> None:
    """The shallow networks, made anew: what the file says is what the code gives."""
    found = json.loads(FILE.read_text(encoding="utf-8"))["starts"]
    for layers in (2, 6):
        fresh = mean_start(arrangement, layers)
        kept = next(s for s in found if (s["arrangement"], s["layers"]) == (arrangement, layers))
        assert rounded(fresh.loss) == pytest.approx(kept["loss"], rel=1e-3)
        assert fresh.gradient == pytest.approx(kept["gradient"], rel=5e-3)
        assert fresh.spreads == pytest.approx(kept["spreads"], rel=1e-3)
        assert fresh.gradients == pytest.approx(kept["gradients"], rel=5e-3)


def test_what_the_page_says_of_initialisation() -> None:
    """Post-norm and pre-norm keep gradients small at 24 layers; with one norm on the input they explode."""
    found = {(s["arrangement"], s["layers"]): s for s in json.loads(FILE.read_text(encoding="utf-8"))["starts"]}
    assert found["post", 24]["gradient"] < 5 and found["pre", 24]["gradient"] < 2
    assert found["input", 24]["gradient"] > 1e9 and found["input", 24]["spreads"][-1] > 1e4
    assert max(found["post", 24]["spreads"][1:]) == pytest.approx(1, abs=1e-3)
    assert 3 < found["pre", 24]["spreads"][-1] < 8
    # Xiong et al. 2020: the last layer's gradient stays with post-norm and shrinks with depth in pre-norm.
    assert found["post", 24]["gradients"][-1] > 0.9 * found["post", 2]["gradients"][-1]
    assert found["pre", 24]["gradients"][-1] < 0.5 * found["pre", 2]["gradients"][-1]


def test_gradients_leave_no_trace() -> None:
    state = torch.random.get_rng_state()
    mean_start("post", 2, seeds=(0,))
    assert torch.equal(state, torch.random.get_rng_state())


CHANGES, EPSILONS = ((1, 0), (10, 0), (1, 5), (10, 5)), (1e-12, 1e-5, 1e-3, 0.1)


@pytest.mark.parametrize("kind", ["layer", "rms", "batch", "none"])
@pytest.mark.parametrize("token", [0, 5])
def test_changes_together_are_what_each_gives_alone(minilm: Model, the_cat: Capture, kind: str, token: int) -> None:
    view = norm_view(the_cat, minilm, EMBEDDING)
    rows = layernorm.changes_of(view, kind, token, CHANGES, EPSILONS).rows
    for i, change in enumerate(CHANGES):
        for j, epsilon in enumerate(EPSILONS):
            alone = view.ran(kind, *change, epsilon)
            for k, lane in enumerate(layernorm.LANES):
                np.testing.assert_allclose(rows[i, j, k], getattr(alone, lane)[token], rtol=2e-5, atol=2e-5)
    if kind == "layer":
        np.testing.assert_array_equal(rows[0, 0, 2], view.captured.after[token])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_the_others_shrink_where_it_is_said(seed: int) -> None:
    model = loaded("translator")
    text = grammar.sample(Random(seed)).zh
    place = layernorm.places(model)[0]
    view = norm_view(capture(model, text, only=layernorm.taps(model, place)), model, place)
    question = one_times(view)
    if question is None:
        return
    before = view.captured.before[question.row].astype(np.float64)
    now = before.copy()
    now[question.facts["dim"]] *= 10  # type: ignore[call-overload]
    ours = [np.abs(torch.nn.functional.layer_norm(torch.tensor(x), (len(x),)).numpy()) for x in (before, now)]
    others = np.arange(len(before)) != question.facts["dim"]
    share = (ours[1] < ours[0])[others].mean()
    assert share > 0.79 and abs(100 * share - float(question.facts["share"])) < 2
    assert question.answer == "smaller" and 0 < float(question.facts["ratio"]) < 1


@pytest.mark.long
def test_what_is_asked_turns_with_the_sentence() -> None:
    model = loaded("translator")
    place = layernorm.places(model)[0]
    texts = [grammar.sample(Random(seed)).zh for seed in range(40)]
    views = (norm_view(capture(model, t, only=layernorm.taps(model, place)), model, place) for t in texts)
    asked = [question.template for view in views if (question := next(each(view), None))]
    assert set(asked) == {"ten_times", "one_times"} and len(asked) == len(texts)
