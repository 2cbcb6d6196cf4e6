"""One attention as it is shown: what a key brings a row, against the vectors themselves; sizes, and what is read."""

import numpy as np
import pytest

from core import Capture, Cell, Measure, Model, capture, derive
from core.views.attention import MODES, SQUARE, AttentionView, attention_view, taps

HEADS, LAYERS, D_HEAD = 12, 6, 32


@pytest.fixture(scope="module")
def view(minilm: Model, the_cat: Capture) -> AttentionView:
    return attention_view(the_cat, minilm, 2)


def test_contributions_are_those_of_the_vectors_themselves(view: AttentionView, minilm: Model) -> None:
    """weight · ‖v W^O‖, with the vectors made one at a time by the model's own output matrix."""
    matrix = minilm.network.get_parameter("encoder.2.attention.sublayer.to_output.weight").detach().numpy()
    for head in (0, 8):
        block = matrix[:, head * D_HEAD : (head + 1) * D_HEAD]
        lengths = [float(np.linalg.norm(block @ value)) for value in view.value[head]]
        brought = view.weights[head] * np.array(lengths)
        np.testing.assert_allclose(view.contribution(head), brought / brought.sum(-1, keepdims=True), atol=1e-6)


def test_the_view_counts_its_bytes_and_knows_its_planes(view: AttentionView) -> None:
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


def test_a_contribution_is_the_share_that_is_derived(view: AttentionView, the_cat: Capture, minilm: Model) -> None:
    padded = capture(minilm, the_cat.text, pad_to=24)
    for run, shown in ((the_cat, view), (padded, attention_view(padded, minilm, 2))):
        for head, q, k in ((8, 5, 6), (0, 0, 8), (11, 3, len(shown.keys) - 1)):
            weights, values = (Cell(shown.taps[name], (head, i, None)) for name, i in (("weights", q), ("value", k)))
            made = derive(run, Measure("share", (weights, values)))
            assert made.value == pytest.approx(float(shown.contribution(head)[q, k]), abs=1e-6)
    assert made.value == 0  # to a key behind the mask nobody looks
