"""Any cell of any tap of both models: recomputed, named, walked back to a table, counted; with every edit, too."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core import Capture, Cell, Model, Weight, capture, derive, edits
from core.derivation import Derivation, Origin, Recorded, RunSpec, Stop, depth, path, products
from core.derivation.flow import Flow
from core.derivation.reading import array, value
from core.derivation.steps import bars
from core.errors import InputError
from core.model.norm import LayerNorm
from core.zoo import rearranged
from tests.models import loaded

CLOSE = 1e-5  # of the largest number in a derivation's steps: float32 rounds as large as what it adds up
CHINESE = "我昨天在北京买了三本书"
THE_CAT = "The cat sat on the mat."

# name -> model, arrangement, text, what else, edits
RUNS: dict[str, tuple[str, str, str, dict[str, object], tuple[str, ...]]] = {
    "minilm": ("minilm", "post", THE_CAT, {}, ()),
    "translator": ("translator", "post", CHINESE, {}, ()),
    "padded": ("minilm", "post", THE_CAT, {"pad_to": 24}, ()),
    "padded translator": ("translator", "post", CHINESE, {"pad_to": 20}, ()),
    "two texts": ("minilm", "post", THE_CAT, {"pair": "It slept."}, ()),
    "empty": ("minilm", "post", "", {}, ()),
    "nothing to translate": ("translator", "post", "", {"target": ""}, ()),
    "pre": ("minilm", "pre", THE_CAT, {}, ()),
    "input": ("minilm", "input", THE_CAT, {}, ()),
    "translator pre": ("translator", "pre", CHINESE, {}, ()),
    "translator input": ("translator", "input", CHINESE, {}, ()),
    "mute": ("minilm", "post", THE_CAT, {}, ("mute:encoder.3.9",)),
    "mute cross": ("translator", "post", CHINESE, {}, ("mute:cross.2.1", "mute:self.1.2")),
    "no root": ("minilm", "post", THE_CAT, {}, ("drop_sqrt_dk:32",)),
    "no root in the translator": ("translator", "post", CHINESE, {}, ("drop_sqrt_dk:32", "drop_sqrt_d")),
    "scaled": ("minilm", "post", THE_CAT, {}, ("apply_sqrt_d",)),
    "lifted": ("translator", "post", CHINESE, {}, ("lift",)),
    "padding seen": ("minilm", "post", THE_CAT, {"pad_to": 12}, ("see_padding",)),
    "cut": ("minilm", "post", THE_CAT, {}, ("cut:encoder.2.feedforward",)),
    "cut everywhere": ("translator", "post", CHINESE, {}, ("cut",)),
    "no positions": ("translator", "post", CHINESE, {}, ("zero",)),
    "in parts": ("minilm", "post", THE_CAT, {}, ("restart:4", "apart:4.1")),
    "in windows": ("translator", "post", CHINESE, {}, ("restart:3", "apart:3.0")),
    "shuffled": ("minilm", "post", THE_CAT, {}, ("shuffle:7",)),
    "shuffled translator": ("translator", "post", CHINESE, {}, ("shuffle:7", "shuffle:3", "lift", "mute:self.1.2")),
}

Runs = Callable[[str], Capture]


@pytest.fixture(scope="module")
def runs(minilm: Model) -> Runs:
    models = {"minilm": minilm, "translator": loaded("translator")}

    @cache
    def run(name: str) -> Capture:
        id, norm, text, more, changes = RUNS[name]
        model = models[id] if norm == "post" else rearranged(models[id], norm)
        return capture(model, text, edits=tuple(map(edits.parse, changes)), **more)  # type: ignore[arg-type]

    return run


SHARE = st.floats(0, 1, exclude_max=True)


@st.composite
def places(draw: st.DrawFn, names: tuple[str, ...] = tuple(RUNS)) -> tuple[str, float, tuple[float, ...]]:
    """A run, and shares: of its taps, of each axis."""
    return draw(st.sampled_from(names)), draw(SHARE), (draw(SHARE), draw(SHARE), draw(SHARE))


def cell_at(run: Capture, tap: float, where: tuple[float, ...]) -> Cell:
    name = run.names()[int(tap * len(run.names()))]
    return inside(Cell(name, (None,) * run[name].ndim), run[name].shape, where)


def inside(row: Origin, shape: tuple[int, ...], where: tuple[float, ...]) -> Cell:
    """A cell of a row that was read."""
    index = (
        int(share * size) if axis is None else axis for axis, size, share in zip(row.index, shape, where, strict=False)
    )
    return Cell(row.name, tuple(index))


def scale(derivation: Derivation) -> float:
    """The largest number in the steps."""
    numbers = [abs(derivation.captured)]
    for step in derivation.steps:
        numbers += [abs(step.value), *map(abs, step.terms)]
        numbers += [abs(part) for part in step.parts.values() if isinstance(part, float)]
    return max(filter(math.isfinite, numbers), default=0.0)


def holds(derivation: Derivation) -> bool:
    if math.isinf(derivation.captured) or math.isnan(derivation.captured):
        return str(derivation.value) == str(derivation.captured)
    return abs(derivation.difference) <= CLOSE * scale(derivation)


# ---------------------------------------------------------------------------------------------------
# Recomputed


@pytest.mark.parametrize("name", RUNS)
def test_every_tap_has_a_rule_and_holds(runs: Runs, name: str) -> None:
    """All taps: of each, cells spread over it."""
    run = runs(name)
    taps = list(Flow.of(run).dims)
    assert set(taps) == set(run.names())
    for tap in taps:
        shape = run[tap].shape
        for shares in ((0.0, 0.0, 0.0), (0.4, 0.6, 0.3), (0.99, 0.99, 0.99)):
            cell = inside(Cell(tap, (None,) * len(shape)), shape, shares)
            derivation = derive(run, cell)
            assert str(derivation.captured) == str(float(run[tap][cell.index]))
            assert holds(derivation), (cell, derivation.value, derivation.captured)


@settings(deadline=None, max_examples=600)
@given(place=places())
def test_recomputed_is_captured(runs: Runs, place: tuple) -> None:
    name, tap, where = place
    run = runs(name)
    assert holds(derive(run, cell_at(run, tap, where)))


@settings(deadline=None, max_examples=600)
@given(place=places(("minilm", "translator")))
def test_where_nothing_cancels_the_result_itself_is_held_to_it(runs: Runs, place: tuple) -> None:
    """1e-5 of the result, wherever that is no smaller than a twentieth of all that was added up."""
    name, tap, where = place
    run = runs(name)
    derivation = derive(run, cell_at(run, tap, where))
    added = max([scale(derivation), *(sum(map(abs, step.terms)) for step in derivation.steps)])
    assume(math.isfinite(derivation.captured) and abs(derivation.captured) > added / 20)
    assert abs(derivation.difference) <= CLOSE * abs(derivation.captured)


@settings(deadline=None, max_examples=400)
@given(place=places())
def test_every_named_number_is_the_one_that_stands_there(runs: Runs, place: tuple) -> None:
    name, tap, where = place
    run = runs(name)
    derivation = derive(run, cell_at(run, tap, where))
    for step in derivation.steps:
        for number, origin in step.numbers():
            assert isinstance(origin, Origin) and number == value(run, origin)
            assert any(read.covers(origin) for read in derivation.reads)
    assert derivation.onward in (None, *derivation.origins)


@settings(deadline=None, max_examples=500)
@given(place=places(), other=places(), read=SHARE)
def test_one_captured_cell_moves_what_is_made_of_it_and_nothing_else(
    runs: Runs, place: tuple, other: tuple, read: float
) -> None:
    name, tap, where = place
    run = runs(name)
    cell = cell_at(run, tap, where)
    before = derive(run, cell)
    rows = [row for row in before.reads if isinstance(row, Cell)]
    if rows and other[1] < 0.7:
        row = rows[int(read * len(rows))]
        moved = inside(row, run[row.tap].shape, other[2])
    else:
        moved = cell_at(run, read, other[2])
    altered = run[moved.tap].copy()
    altered[moved.index] += 1
    assume(altered[moved.index] != run[moved.tap][moved.index])  # −∞ stays what it is
    after = derive(replace(run, arrays={**run.arrays, moved.tap: altered}), cell)
    if cell == moved:
        assert after.steps == before.steps  # nothing was read from the result
        assert after.captured == float(altered[cell.index])
    elif any(row.covers(moved) for row in before.reads):
        # times 0, or a power so far below the others that it is 0, or is none of those that are drawn
        hidden = any(0 in step.terms or step.id == "shifted" for step in before.steps)
        assert after.steps != before.steps or hidden
    else:
        assert after == before


@settings(deadline=None, max_examples=60)
@given(place=places(("minilm", "translator", "shuffled", "pre")))
def test_a_lean_capture_fetches_what_a_step_needs(runs: Runs, place: tuple) -> None:
    name, tap, where = place
    run = runs(name)
    cell = cell_at(run, tap, where)
    lean = replace(run, arrays={}, later={})
    assert derive(lean, cell) == derive(run, cell)
    assert lean.names() == ()
    assert len(lean.later) <= 4


# ---------------------------------------------------------------------------------------------------
# Back to the table


@settings(deadline=None, max_examples=150)
@given(place=places(), choices=st.lists(SHARE, min_size=200, max_size=200))
def test_every_way_back_ends_in_parameters_and_places(runs: Runs, place: tuple, choices: list[float]) -> None:
    name, tap, where = place
    run = runs(name)
    at: Origin = cell_at(run, tap, where)
    most = depth(run, at)  # type: ignore[arg-type]
    for steps, share in enumerate(choices):
        assert steps <= most
        if isinstance(at, Weight):
            return
        origins = derive(run, Cell(at.name, at.index)).origins
        if not origins:  # a mask, or the wave of a position: made of places alone
            assert at.name.endswith(("mask", "embedding.position"))
            return
        origin = origins[int(share * len(origins))]
        assert isinstance(origin, Origin)
        at = origin
    raise AssertionError("it does not end")


@settings(deadline=None, max_examples=100)
@given(place=places())
def test_the_way_along_the_largest_terms_ends(runs: Runs, place: tuple) -> None:
    name, tap, where = place
    run = runs(name)
    cell = cell_at(run, tap, where)
    stops = list(path(run, cell))
    assert stops[0].cell == cell and len(stops) <= depth(run, cell)
    for stop, following in pairwise(stops):
        assert stop.end is None
        assert stop.derivation.onward == following.cell
    last: Stop = stops[-1]
    assert last.end is not None or last.cell.tap.endswith(("mask", "embedding.position"))


def test_a_probability_goes_back_to_a_row_of_the_table(runs: Runs) -> None:
    run = runs("translator")
    best = int(run["output.probabilities"][1].argmax())
    stops = list(path(run, Cell("output.probabilities", (1, best))))
    assert [stop.cell.tap for stop in stops[:2]] == ["output.probabilities", "output.logits"]
    assert {stop.cell.tap.split(".")[0] for stop in stops} >= {"output", "decoder"}
    assert stops[-1].cell.tap.split(".")[-1] in ("token", "position")


# ---------------------------------------------------------------------------------------------------
# How much lies under a number


def under(flow: Flow, run: Capture, cell: Cell, seen: set[Cell]) -> int:
    """The same count, cell by cell: the reference, for what is small."""
    from core.derivation.reading import rule_of
    from core.model.places import split

    if cell in seen:
        return 0
    seen.add(cell)
    if carried := flow.carried(cell.tap):
        return under(flow, run, Cell(carried, cell.index), seen)
    place = split(cell.tap)[0]
    rule = rule_of(flow, cell.tap)
    count = rule.products(flow, place)
    for read in rule.reads(flow, place, cell.index):
        if isinstance(read, Cell):
            shape = flow.shape(read.tap)
            axes = [range(size) if axis is None else (axis,) for axis, size in zip(read.index, shape, strict=True)]
            count += sum(under(flow, run, Cell(read.tap, index), seen) for index in product(*axes))
    return count


@pytest.mark.long
@pytest.mark.parametrize(
    ("tap", "index"),
    [
        ("encoder.0.attention.norm.output", (2, 5)),
        ("encoder.0.attention.weights", (3, 1, 2)),
        ("encoder.0.attention.context", (3, 1, 2)),
        ("encoder.0.attention.residual", (1, 2)),
    ],
)
def test_products_are_counted_from_shapes_as_cell_by_cell(runs: Runs, tap: str, index: tuple[int, ...]) -> None:
    run = runs("translator")  # a third as wide: cell by cell there are fewer to count
    assert products(run, Cell(tap, index)) == under(Flow.of(run), run, Cell(tap, index), set())


def test_products_of_whole_layers(runs: Runs) -> None:
    """A number of the last layer stands on every product below it, by the book: 4 d² + 2 d d_ff a token, and 2 n d."""
    run, d, d_ff, n = runs("minilm"), 384, 1536, 9
    layer = n * (4 * d * d + 2 * d * d_ff + 2 * n * d + 2 * d_ff + 2 * (d + d))  # two norms: a variance, and γ
    one = products(run, Cell("encoder.2.output", (0, 0)))
    two = products(run, Cell("encoder.3.output", (0, 0)))
    assert two - one == layer
    assert depth(run, Cell("encoder.3.output", (0, 0))) > depth(run, Cell("encoder.2.output", (0, 0)))


# ---------------------------------------------------------------------------------------------------
# What can go wrong


@pytest.mark.parametrize("index", [(), (0, 0), (12, 0, 0), (0, 9, 0), (0, -10, 0), (0, 0, 0, 0), (None, 0, 0)])
def test_a_cell_outside_its_tap(the_cat: Capture, index: tuple) -> None:
    for ask in (derive, products, depth):
        with pytest.raises(InputError) as error:
            ask(the_cat, Cell("encoder.2.attention.weights", index))
        assert error.value.code == "cell_outside"


@pytest.mark.parametrize("tap", ["", "encoder.2.attention", "encoder.9.output", "output.logits", "a[0]"])
def test_an_unknown_tap(the_cat: Capture, tap: str) -> None:
    with pytest.raises(InputError) as error:
        derive(the_cat, Cell(tap, (0, 0)))
    assert error.value.code == "unknown_tap"


@pytest.mark.parametrize(
    "text", ["", "encoder", "encoder.0.output[]", "x[1,]", "x[1][2]", "x[--1]", "x[:]", "x[" + "9" * 5000 + "]"]
)
def test_what_is_no_cell(text: str) -> None:
    with pytest.raises(InputError) as error:
        Cell.parse(text)
    assert error.value.code == "not_a_cell"


def test_a_cell_as_it_is_written() -> None:
    cell = Cell("encoder.2.attention.weights", (8, 5, 6))
    assert Cell.parse(str(cell)) == cell == Cell.parse(" encoder.2.attention.weights[8, 5, 6] ")


KINDS_OF_INTEGERS = [int, np.int64, np.int32, np.uint8, np.intp, np.array, torch.tensor]


@given(
    place=st.tuples(st.integers(0, 11), st.integers(0, 8), st.integers(0, 8)),
    kinds=st.tuples(*[st.sampled_from(KINDS_OF_INTEGERS)] * 3),
    from_the_end=st.tuples(*[st.booleans()] * 3),
)
@settings(max_examples=40, deadline=None)
def test_any_integer_is_a_place(the_cat: Capture, place: tuple, kinds: tuple, from_the_end: tuple) -> None:
    """NumPy's and torch's own, too, and counted from the end as Python does; what comes back says it in Python's."""
    tap, shape = "encoder.2.attention.weights", (12, 9, 9)
    back = [p - size if end else p for p, size, end in zip(place, shape, from_the_end, strict=True)]
    kinds = tuple(np.int16 if p < 0 and kind is np.uint8 else kind for p, kind in zip(back, kinds, strict=True))
    asked = Cell(tap, tuple(kind(p) for p, kind in zip(back, kinds, strict=True)))
    assert all(type(axis) is int for axis in asked.index)
    made, plain = derive(the_cat, asked), derive(the_cat, Cell(tap, place))
    assert made.cell == plain.cell == Cell(tap, place) and made.origins == plain.origins
    assert made.captured == plain.captured == value(the_cat, asked) == the_cat[tap][place]
    assert depth(the_cat, asked) == depth(the_cat, Cell(tap, place))
    assert products(the_cat, str(asked)) == products(the_cat, Cell(tap, place))


def test_where_numpy_found_something_is_a_cell(the_cat: Capture) -> None:
    tap = "encoder.2.attention.weights"
    weights = the_cat[tap]
    where = np.unravel_index(weights.argmax(), weights.shape)
    assert derive(the_cat, Cell(tap, where)).captured == weights.max()  # type: ignore[arg-type]
    assert Weight("embedding.norm.gamma", np.int64(3)) == Weight("embedding.norm.gamma", (3,))  # type: ignore[arg-type]
    assert repr(Cell(tap, list(where))) == repr(Cell(tap, tuple(map(int, where))))  # type: ignore[arg-type]


@pytest.mark.parametrize("place", [True, np.True_, 1.0, np.float32(1), "1", slice(None), np.array([1]), 1j])
@pytest.mark.parametrize("kind", [Cell, Weight, Recorded])
def test_what_is_no_integer_is_no_place(kind: type, place: object) -> None:
    with pytest.raises(InputError) as error:
        kind("embedding.sum", (place, 0))
    assert error.value.code == "not_an_index"
    assert all("{" not in error.value.words(language) for language in ("zh", "en"))


def test_a_cell_as_a_string(the_cat: Capture) -> None:
    cell = Cell("encoder.2.attention.scores", (8, 5, 6))
    made = derive(the_cat, "encoder.2.attention.scores[8,5,6]")
    assert made.cell == cell and made.value == derive(the_cat, cell).value
    assert derive(the_cat, "encoder.2.attention.scores[-4,5,-3]").cell == cell
    assert [stop.cell for stop in path(the_cat, str(cell))] == [stop.cell for stop in path(the_cat, cell)]
    for wrong, code in {"encodr.2.attention.scores[8,5,6]": "unknown_tap", "encoder.2": "not_a_cell"}.items():
        with pytest.raises(InputError) as error:
            derive(the_cat, wrong)
        assert error.value.code == code


def test_a_cell_of_another_run_is_derived_there(the_cat: Capture, minilm: Model) -> None:
    there = RunSpec("A dog barked.")
    made = derive(the_cat, Cell("encoder.2.output", (1, 7), there))
    plain = derive(capture(minilm, "A dog barked."), Cell("encoder.2.output", (1, 7)))
    assert (made.value, made.captured, made.origins) == (plain.value, plain.captured, plain.origins)


def test_what_was_learned_has_no_steps(the_cat: Capture) -> None:
    for number in (Weight("embedding.token_table.weight", (5, 7)), Recorded("recorded.lengths.kinds.3.losses", (7,))):
        with pytest.raises(InputError) as error:
            derive(the_cat, number)  # type: ignore[arg-type]
        assert error.value.code == "not_derived"


def test_an_unknown_parameter(the_cat: Capture) -> None:
    for name in ("embedding.token_tabel.weight", "embedding.token_table", "embedding.token_table.wieght", ""):
        with pytest.raises(InputError) as error:
            value(the_cat, Weight(name, (0, 0)))
        assert error.value.code == "unknown_weight" and "." in error.value.words("en").partition("Near to it: ")[2]
    with pytest.raises(InputError) as error:
        value(the_cat, Weight("embedding.token_table.weight", (0, 384)))
    assert error.value.code == "cell_outside"


def test_a_capture_that_does_not_know_its_model(the_cat: Capture) -> None:
    with pytest.raises(InputError) as error:
        derive(replace(the_cat, by=None), Cell("embedding.sum", (0, 0)))
    assert error.value.code == "no_model"


def test_under_a_mask(runs: Runs) -> None:
    run = runs("translator")
    later = derive(run, Cell("decoder.0.self_attention.weights", (0, 1, 3)))
    assert later.value == later.captured == 0
    assert later.steps[0].id == "masked" and later.steps[0].value == -math.inf
    total = later.steps[1]
    assert total.parts["masked"] == len(run.target_in) - 2
    assert len(total.largest) == 2  # nobody reads that e^x is 0
    mask = derive(run, Cell("decoder.0.self_attention.mask", (1, 3)))
    assert mask.steps[0].id == "mask_later" and mask.origins == ()
    padded = derive(runs("padded"), Cell("encoder.0.attention.mask", (1, 20)))
    assert padded.steps[0].id == "mask_padding" and padded.captured == -math.inf


def test_a_row_where_nobody_may_be_looked_at(runs: Runs) -> None:
    """No share of nothing: not a number, and nothing is raised."""
    run = runs("minilm")
    mask = run["encoder.0.attention.mask"].copy()
    mask[2] = -math.inf
    weights = run["encoder.0.attention.weights"].copy()
    weights[:, 2] = math.nan
    changes = {"encoder.0.attention.mask": mask, "encoder.0.attention.weights": weights}
    derivation = derive(replace(run, arrays={**run.arrays, **changes}), Cell("encoder.0.attention.weights", (0, 2, 1)))
    assert math.isnan(derivation.value) and math.isnan(derivation.captured)


def test_scores_too_large_for_e(runs: Runs) -> None:
    run = runs("minilm")
    scores = run["encoder.0.attention.scores"] * np.float32(1e4)
    changed = replace(run, arrays={**run.arrays, "encoder.0.attention.scores": scores})
    shares = [derive(changed, Cell("encoder.0.attention.weights", (0, 2, k))).value for k in range(9)]
    assert sum(shares) == pytest.approx(1)


def test_a_long_text(minilm: Model) -> None:
    """512 tokens: from the top through every layer."""
    run = capture(minilm, "the cat and the dog " * 150)
    assert len(run.tokens) == 512 and run.truncated
    stops = list(path(run, Cell("encoder.5.output", (511, 7))))
    assert all(holds(stop.derivation) for stop in stops)
    assert all(len(step.terms) <= 512 for stop in stops for step in stop.derivation.steps)
    assert {stop.cell.tap.split(".")[1] for stop in stops} > set("012345")


def test_a_step_keeps_the_largest_of_very_many_terms(runs: Runs) -> None:
    run = runs("translator")
    derivation = derive(run, Cell("encoder.1.feedforward.output", (0, 0)))
    product = next(step for step in derivation.steps if step.largest)
    assert product.count == 512 and len(product.largest) == 3
    assert sum(term.value for term in product.largest) + product.rest == pytest.approx(product.value)


# ---------------------------------------------------------------------------------------------------
# Parameters


def test_parameters_are_those_of_the_model(minilm: Model, the_cat: Capture) -> None:
    gamma = array(the_cat, Weight("encoder.1.feedforward.norm.gamma", (0,)))
    norm = minilm.parts["encoder.1.feedforward.norm"]
    assert isinstance(norm, LayerNorm) and np.array_equal(gamma, norm.gamma.detach().numpy())
    last = list(path(the_cat, Cell("embedding.token", (2, 17))))[-1]
    assert last.end == Weight("embedding.token_table.weight", (the_cat.tokens[2].id, 17))


@given(seed=st.integers(0, 99), where=st.tuples(st.integers(0, 8), st.integers(0, 383)), other=st.integers(0, 1))
@settings(max_examples=15, deadline=None)
def test_an_edit_of_ones_own_is_named_where_it_changed_a_number(
    minilm: Model, seed: int, where: tuple[int, int], other: int
) -> None:
    """Patched from another run, between two other edits: its step gives what is there, and says what was before."""
    tap, token = "encoder.2.output", 1 + seed % 3
    rows = torch.tensor(capture(minilm, "A dog ran.")[tap][token])

    def patch(x: torch.Tensor) -> torch.Tensor:
        x = x.clone()
        x[:, token] = rows
        return x

    def lift(x: torch.Tensor) -> torch.Tensor:
        return x.tanh() + 0.25

    own = edits.Edit("patch", tap, patch), edits.Edit("lift", "encoder.?.output", lift)
    first, second = (own, own[::-1])[other]
    run = capture(minilm, THE_CAT, edits=["mute:encoder.1.1", first, second, "zero"])
    made = derive(run, Cell(tap, where))
    plain = derive(capture(minilm, THE_CAT, edits=["mute:encoder.1.1", own[1], "zero"]), Cell(tap, where))
    assert made.value == made.captured == run[tap][where] and made.difference == 0
    patched = where[0] == token
    assert made.edits == (tuple(edit.id for edit in (first, second)) if patched else ("lift",))
    assert [step.parts["edit"] for step in made.steps if step.id == "replaced"] == list(made.edits)
    assert plain.edits == ("lift",) and holds(plain)
    before = derive(run, Cell("encoder.2.feedforward.norm.output", where))
    assert holds(before) and before.edits == ()


def test_a_derivation_knows_the_edits_of_its_number(runs: Runs) -> None:
    context = "encoder.2.attention.context"
    assert derive(runs("mute"), Cell(context, (8, 5, 6))).edits == ("mute:encoder.3.9",)
    assert derive(runs("mute"), Cell(context, (7, 5, 6))).edits == ()
    assert derive(runs("mute"), Cell("encoder.5.output", (5, 6))).edits == ()


def test_an_edit_says_what_it_did(runs: Runs) -> None:
    muted = derive(runs("mute"), Cell("encoder.2.attention.context", (8, 5, 6)))
    assert muted.value == muted.captured == 0
    assert muted.steps[-1].id == "edited" and muted.steps[-1].parts["edit"] == "mute:encoder.3.9"
    assert muted.steps[-2].value != 0
    other = derive(runs("mute"), Cell("encoder.2.attention.context", (7, 5, 6)))
    assert [step.id for step in other.steps] == ["mixture"] and other.value != 0
    moved = derive(runs("shuffled"), Cell("embedding.position", (3, 17)))
    place = edits.shuffled(9, 7)[3]
    assert moved.origins == (Weight("embedding.position_table.table.weight", (place, 17)),)
    again = derive(runs("in parts"), Cell("embedding.position", (6, 17)))
    assert again.origins == (Weight("embedding.position_table.table.weight", (2, 17)),)
    shut = derive(runs("in parts"), Cell("encoder.0.attention.mask", (2, 6)))
    assert shut.value == shut.captured == -np.inf and shut.steps[-1].parts == {"edit": "apart:4.1"}
    lifted = derive(runs("lifted"), Cell("decoder.0.self_attention.mask", (1, 3)))
    assert lifted.value == lifted.captured == 0


def test_of_many_terms_of_which_one_alone_is_not_zero_no_bar_is_drawn() -> None:
    one_hot = np.zeros(30_522)
    one_hot[1996] = -0.4364
    assert bars(one_hot) == ((), None)
    assert bars(one_hot[:5]) == ((0.0,) * 5, None)
    one_hot[3] = 1
    assert len(bars(one_hot)[0]) > 2
