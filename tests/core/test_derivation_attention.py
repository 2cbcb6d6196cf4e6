"""Any cell of the attention stage, recomputed from captured inputs and held against the captured value."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Model, capture
from core.derivation import Term
from core.derivation.attention import derive
from core.derivation.steps import others, summed
from core.text.token import Token
from core.views.attention import MODES, SQUARE, AttentionView, Projection, attention_view, taps

HEADS, LAYERS, D_HEAD = 12, 6, 32
CLOSE = 2e-5  # the largest difference: of a value up to 1 as it is, of a larger one as its share

# text, pad_to
SAMPLES = (
    ("The cat sat on the mat.", None),
    ("Tokenization is unaffable: electroencephalography, naïve café!", None),
    ("奥利给, 我昨天在北京买了三本书。[MASK]", None),
    ("", None),
    ("The cat sat on the mat.", 24),
    ("the cat and the dog " * 30, None),
)
PADDED = 4

Views = Callable[[int, int], AttentionView]


@pytest.fixture(scope="module")
def views(minilm: Model) -> Views:
    """(index of the sample, layer) -> view"""

    @cache
    def view(sample: int, layer: int) -> AttentionView:
        text, pad_to = SAMPLES[sample]
        return attention_view(capture(minilm, text, pad_to=pad_to, only=taps(minilm, layer)), minilm, layer)

    return view


@st.composite
def cells(draw: st.DrawFn) -> tuple[int, int, int, float, float]:
    """Sample, layer, head, and where in the plane: shares of its height and width."""
    share = st.floats(0, 1, exclude_max=True)
    sample, layer = draw(st.integers(0, len(SAMPLES) - 1)), draw(st.integers(0, LAYERS - 1))
    return sample, layer, draw(st.integers(0, HEADS - 1)), draw(share), draw(share)


def place(view: AttentionView, mode: str, y: float, x: float) -> tuple[int, int]:
    n = len(view.tokens)
    return int(y * n), int(x * (n if mode in SQUARE else D_HEAD))


# ---------------------------------------------------------------------------------------------------
# Recomputed


@pytest.mark.parametrize("mode", MODES)
@settings(deadline=None, max_examples=150)
@given(cell=cells())
def test_recomputed_is_captured(views: Views, mode: str, cell: tuple) -> None:
    sample, layer, head, y, x = cell
    view = views(sample, layer)
    row, column = place(view, mode, y, x)
    derivation = derive(view, mode, head, row, column)
    assert derivation.captured == float(view.plane(mode, head)[row, column])
    assert derivation.value == derivation.steps[-1].value
    assert abs(derivation.difference) <= CLOSE * max(1, abs(derivation.captured))


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "contribution"])
@settings(deadline=None, max_examples=40)
@given(cell=cells(), change=st.sampled_from([-3.0, -1e-4, 1e-4, 0.25]))
def test_a_perturbed_cell_is_seen_as_exactly_that(views: Views, mode: str, cell: tuple, change: float) -> None:
    sample, layer, head, y, x = cell
    view = views(sample, layer)
    row, column = place(view, mode, y, x)
    before = derive(view, mode, head, row, column)
    altered = getattr(view, mode).copy()
    altered[head, row, column] += np.float32(change)
    after = derive(replace(view, **{mode: altered}), mode, head, row, column)
    assert after.value == before.value  # nothing was read from the result
    moved = float(altered[head, row, column]) - before.captured
    assert moved != 0
    assert after.difference == pytest.approx(before.difference - moved, abs=1e-12)


def test_a_perturbed_contribution_is_seen(views: Views) -> None:
    """A contribution is made of weights and lengths: both are recomputed from q, k and v."""
    view = views(0, 2)
    before = derive(view, "contribution", 8, 5, 6)
    for name, at in (("weights", (8, 5, 6)), ("carried", (8, 6))):
        altered = getattr(view, name).copy()
        altered[at] *= 0.5
        changed = replace(view, **{name: altered})
        after = derive(changed, "contribution", 8, 5, 6)
        assert after.value == before.value
        assert after.captured == float(changed.contribution(8)[5, 6]) != before.captured
        assert after.difference == pytest.approx(before.value - after.captured, abs=1e-15)


def test_it_is_recomputed_from_captured_inputs(views: Views) -> None:
    """Another query, and the score that is recomputed is another; the captured one stays."""
    view = views(0, 2)
    query = view.query.copy()
    query[8, 5] *= 2
    before, after = (derive(v, "scores", 8, 5, 6) for v in (view, replace(view, query=query)))
    assert after.captured == before.captured
    assert after.value == pytest.approx(2 * before.value)


# ---------------------------------------------------------------------------------------------------
# The steps


@settings(deadline=None, max_examples=200)
@given(cell=cells(), mode=st.sampled_from(MODES))
def test_terms_add_up_and_the_largest_are_the_largest(views: Views, cell: tuple, mode: str) -> None:
    sample, layer, head, y, x = cell
    view = views(sample, layer)
    row, column = place(view, mode, y, x)
    steps = derive(view, mode, head, row, column).steps
    counts = {"product": D_HEAD, "projection": HEADS * D_HEAD, "mixture": len(view.tokens)}
    for step in steps:
        if step.id not in counts:
            assert step.largest == ()
            continue
        assert len(step.terms) == counts[step.id]
        assert sum(step.terms) == pytest.approx(step.value, abs=1e-12)
        three = sorted(map(abs, step.terms), reverse=True)[:3]
        assert [abs(term.value) for term in step.largest] == three
        assert all(term.value == step.terms[term.index] for term in step.largest)


@settings(deadline=None, max_examples=100)
@given(cell=cells())
def test_the_softmax_of_a_row(views: Views, cell: tuple) -> None:
    sample, layer, head, y, x = cell
    view = views(sample, layer)
    row, column = place(view, "weights", y, x)
    _, scale, *mask, softmax = derive(view, "weights", head, row, column).steps
    assert [step.id for step in mask] == ["mask"] * int(view.mask[row, column] < 0)
    assert (softmax.id, softmax.focus) == ("softmax", column)
    assert len(softmax.terms) == len(view.tokens)
    assert sum(softmax.terms) == pytest.approx(softmax.parts["total"])
    assert softmax.terms[column] == softmax.parts["power"]
    assert softmax.parts["score"] == (-math.inf if mask else scale.value)
    if view.mask[row, column] == 0:
        assert softmax.parts["power"] == pytest.approx(math.exp(scale.value))


@settings(deadline=None, max_examples=60)
@given(cell=cells())
def test_the_recomputed_cells_of_a_row_add_up_to_one(views: Views, cell: tuple) -> None:
    sample, layer, head, y, _ = cell
    view = views(sample, layer)
    n = min(len(view.tokens), 30)
    row = int(y * n)
    if len(view.tokens) == n:
        for mode in ("weights", "contribution"):
            assert sum(derive(view, mode, head, row, k).value for k in range(n)) == pytest.approx(1, abs=1e-12)
    for mode in ("weights", "contribution"):
        np.testing.assert_allclose(view.plane(mode, head).sum(-1), 1, atol=1e-5)


def test_a_masked_key_gives_nothing(views: Views) -> None:
    view = views(PADDED, 2)
    for head in range(HEADS):
        assert (view.contribution(head)[:, 9:] == 0).all()
        for mode in ("weights", "contribution"):
            masked = derive(view, mode, head, 4, 20)
            assert (masked.value, masked.captured, masked.difference) == (0, 0, 0)
        (mixture,) = derive(view, "context", head, 4, 0).steps
        assert mixture.terms[9:] == (0.0,) * 15
    assert derive(view, "scores", 0, 4, 20).value != 0  # a score is taken before the mask


# ---------------------------------------------------------------------------------------------------
# By hand


@pytest.fixture
def by_hand() -> AttentionView:
    """Two tokens, q = k = the identity, values of length 1 and 2, W^O the identity."""
    one, none = np.eye(2, dtype=np.float32), np.zeros(2, np.float32)
    value = np.diag([1.0, 2.0]).astype(np.float32)
    weights = np.array([[0.66976155, 0.33023845], [0.33023845, 0.66976155]], np.float32)
    tokens = tuple(Token(text, i, i, i + 1, special=False, segment=0, word=i) for i, text in enumerate("ab"))
    return AttentionView(
        kind="encoder",
        layer=0,
        queries=tokens,
        keys=tokens,
        asking=one,
        answering=one,
        query=one[None],
        key=one[None],
        value=value[None],
        mask=np.zeros((2, 2), np.float32),
        scores=(one / np.sqrt(np.float32(2)))[None],
        weights=weights[None],
        context=(weights @ value)[None],
        carried=np.array([[1, 2]], np.float32),
        projections={
            "query": Projection(one, none),
            "key": Projection(one, none),
            "value": Projection(value, none),
            "output": Projection(one, none),
        },
    )


def test_a_weight_by_hand(by_hand: AttentionView) -> None:
    """1 ÷ √2 = .7071; e^.7071 = 2.0281; 2.0281 ÷ (2.0281 + 1) = .6698."""
    product, scale, softmax = derive(by_hand, "weights", 0, 0, 0).steps
    assert (product.id, product.value, product.terms) == ("product", 1, (1, 0))
    assert product.largest[0] == Term(0, 1, 1)
    assert (scale.id, scale.parts) == ("scale", {"d_head": 2})
    assert scale.value == pytest.approx(0.70711, abs=5e-6)
    assert softmax.parts["power"] == pytest.approx(2.0281, abs=5e-5)
    assert softmax.parts["total"] == pytest.approx(3.0281, abs=5e-5)
    assert softmax.value == pytest.approx(0.6698, abs=5e-5)


def test_a_contribution_by_hand(by_hand: AttentionView) -> None:
    """.6698 × 1 and .3302 × 2: together 1.3302, and the key that is looked at less brings nearly as much."""
    weight, length, brought, share = derive(by_hand, "contribution", 0, 0, 1).steps
    assert (weight.value, length.value) == (pytest.approx(0.3302, abs=5e-5), 2)
    assert brought.value == pytest.approx(0.6605, abs=5e-5)
    assert share.parts["total"] == pytest.approx(1.3302, abs=5e-5)
    assert share.value == pytest.approx(0.4965, abs=5e-5)
    assert share.value == pytest.approx(float(by_hand.contribution(0)[0, 1]), abs=1e-6)


def test_context_and_projection_by_hand(by_hand: AttentionView) -> None:
    (mixture,) = derive(by_hand, "context", 0, 0, 1).steps
    assert mixture.terms == (0, pytest.approx(0.6605, abs=5e-5))
    assert mixture.largest[0] == Term(1, pytest.approx(0.3302, abs=5e-5), 2)  # type: ignore[arg-type]
    bias = Projection(by_hand.asking, np.array([0, 5], np.float32))
    shifted = replace(by_hand, projections={**by_hand.projections, "query": bias})
    projection, plus = derive(shifted, "query", 0, 1, 1).steps
    assert (projection.value, plus.value, plus.parts) == (1, 6, {"bias": 5})


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=70))
def test_every_term_of_a_sum_is_written_out_in_the_end(pairs: list[tuple[int, int]]) -> None:
    left, right = zip(*pairs, strict=True)
    step, read = summed("product", left, right), []
    while step is not None:
        assert step.value == sum(term.value for term in step.largest) + step.rest
        assert step.count == len(step.terms) == len(pairs) - len(read)
        read += step.largest
        step = others(step)
    assert {(term.index, term.left, term.right) for term in read} == {(i, *pair) for i, pair in enumerate(pairs)}
    sizes = [abs(term.value) for term in read]
    assert len(read) == len(pairs) and sizes == sorted(sizes, reverse=True)


def test_summed_keeps_order_and_names_the_three_largest() -> None:
    step = summed("product", [1, -4, 2, 0.5], [3, 2, 2, 1], unit="x")
    assert step.terms == (3, -8, 4, 0.5)
    assert step.value == -0.5
    assert step.largest == (Term(1, -4, 2), Term(2, 2, 2), Term(0, 1, 3))
    assert [term.value for term in step.largest] == [-8, 4, 3]
    assert step.parts == {"unit": "x"}


# ---------------------------------------------------------------------------------------------------
# The view


def test_contributions_are_those_of_the_vectors_themselves(views: Views, minilm: Model) -> None:
    """weight · ‖v W^O‖, with the vectors made one at a time by the model's own output matrix."""
    view = views(0, 2)
    matrix = minilm.network.get_parameter("encoder.2.attention.sublayer.to_output.weight").detach().numpy()
    for head in (0, 8):
        block = matrix[:, head * D_HEAD : (head + 1) * D_HEAD]
        lengths = [float(np.linalg.norm(block @ value)) for value in view.value[head]]
        brought = view.weights[head] * np.array(lengths)
        np.testing.assert_allclose(view.contribution(head), brought / brought.sum(-1, keepdims=True), atol=1e-6)


def test_the_view_counts_its_bytes_and_knows_its_planes(views: Views) -> None:
    view = views(0, 0)
    assert (view.heads, view.d_head) == (HEADS, D_HEAD)
    n = 9
    square, wide = HEADS * n * n, HEADS * n * D_HEAD
    assert view.nbytes == 4 * (2 * square + 4 * wide + n * 384 + n * n + HEADS * n)
    for mode in MODES:
        assert view.plane(mode, 11).shape == (n, n if mode in SQUARE else D_HEAD)


@pytest.mark.parametrize("layer", range(LAYERS))
def test_taps_names_what_the_view_reads(minilm: Model, layer: int) -> None:
    run = capture(minilm, "The cat", only=taps(minilm, layer))
    assert sorted(run.names()) == sorted(taps(minilm, layer))
    assert attention_view(run, minilm, layer).layer == layer
