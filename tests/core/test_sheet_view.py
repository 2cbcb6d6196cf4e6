"""The view of the sheet against the capture it is of, for every model and for one nobody has written for."""

from dataclasses import replace

import numpy as np
import pytest

from core import capture
from core.views.sheet import LEAST, columns, pooled, reach, sheet_view, taps
from tests.models import loaded
from tests.tiny import TEXT, tiny

CASES = {
    "minilm": "The cat sat on the mat.",
    "translator": "我昨天在北京买了三本书",
    "poet": "床前明月光",
    "smollm2": "The cat sat.",
    "tiny": TEXT,
}


@pytest.fixture(scope="module", params=CASES)
def seen(request):
    model = tiny("pre") if request.param == "tiny" else loaded(request.param)
    run = capture(model, CASES[request.param], only=taps(model))
    return model, run, sheet_view(run, model)


def test_every_length_is_that_of_the_captured_vectors(seen):
    _, run, view = seen
    for column, lengths, sums in zip(view.columns, view.lengths, view.sums, strict=True):
        vectors = run[column.tap].astype(float)
        np.testing.assert_allclose(lengths, np.sqrt((vectors**2).sum(-1)), rtol=1e-5)
        assert len(lengths) == len(view.rows_of(column))
        if sums is not None:
            state = run[column.place.tap("residual")].astype(float)
            np.testing.assert_allclose(sums, np.sqrt((state**2).sum(-1)), rtol=1e-5)


def test_columns_are_every_state_and_everything_that_is_written(seen):
    model, _, view = seen
    for stack in model.stacks.values():
        own = [column.tap for column in view.columns if column.place.stack in (stack.name, "")]
        stream = [tap for tap in model.stream(stack.name) if tap in own or tap == stack.entrance]
        assert stream == list(model.stream(stack.name))
        assert [column.tap for column in view.columns if column.id == "written"][: len(stack.sublayers)]
    order = [column.tap for column in view.columns if column.id == "left"]
    assert order == [model.leaving(place) for stack in model.stacks.values() for place in stack.sublayers]


def test_lines_are_the_shares_that_are_large_enough(seen):
    _, run, view = seen
    for one in view.lines:
        mean = run[one.place.tap("weights")].astype(float).mean(0)
        drawn = np.zeros_like(mean)
        drawn[tuple(one.pairs.T)] = one.shares / 255
        np.testing.assert_allclose(drawn, np.where(mean >= LEAST, mean, 0), atol=0.003)


def test_the_decoder_stands_behind_what_it_reads():
    placed = columns(loaded("translator"))
    first = next(i for i, column in enumerate(placed) if column.written)
    assert all(column.written for column in placed[first:]) and placed[first].tap == "decoder.embedding.token"


def test_two_stacks_stand_beside_one_another(seen):
    """Every column at its place in the order, those of a target so much farther; where there is no target, none."""
    _, _, view = seen
    shift = [at - i for i, at in enumerate(view.stands)]
    own = {column.written: by for column, by in zip(view.columns, shift, strict=True)}
    assert own.get(False) == 0 and len(set(shift)) == len(own)
    assert (view.read < len(view.rows)) == (True in own) == (view.over > 0)
    assert view.breadth == pytest.approx(len(view.columns) + own.get(True, 0))


def test_pooled_keeps_the_greatest_and_its_sign():
    vectors = np.random.default_rng(3).normal(size=(4, 37))
    small = pooled(vectors, 5)
    assert small.shape == (4, 5) and np.abs(small).max() == np.abs(vectors).max()
    assert all(value in row for value, row in zip(small[:, 2], vectors, strict=True))
    np.testing.assert_array_equal(pooled(vectors, 99), vectors)


def test_half_a_row_is_filled_by_what_is_typical(seen):
    """One token that is as long as a thousand others does not make hairlines of these."""
    _, _, view = seen
    states = [array for column, array in zip(view.columns, view.lengths, strict=True) if column.id != "written"]
    assert 0.85 <= (np.array([np.median(array) for array in states]) <= view.full * (1 + 1e-6)).mean() <= 1
    giant = replace(view, lengths=tuple(np.append(1e6, array[1:]) for array in view.lengths))
    assert giant.full < 2 * view.full


def test_strips_are_the_vectors_pooled_and_have_the_full_colour_where_these_have_it(seen):
    model, run, view = seen
    within = []
    for column, strips in zip(view.columns, view.strips, strict=True):
        vectors = run[column.tap]
        np.testing.assert_array_equal(strips, pooled(vectors, 48))
        within.append((np.abs(vectors) <= reach(strips, model.config.d_model)).mean())
        assert reach(np.where(np.arange(len(strips))[:, None] % 2, np.nan, strips), model.config.d_model) > 0
    assert 0.94 < np.median(within) < 0.99  # a giant among four tokens takes it away from less
    assert reach(np.full((2, 48), np.nan), 384) == 1
