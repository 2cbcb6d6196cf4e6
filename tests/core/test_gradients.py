"""Gradients by the chain rule: each step adds up, and what it comes to is what others' code finds."""

from copy import deepcopy

import numpy as np
import pytest
import torch

from core import Capture, Model, capture
from core.derivation import Cell, Measure, Origin, RunSpec, Weight, measures
from core.derivation.backward import ASIDE, Backward, parameter
from core.derivation.flow import TABLE
from core.edits import Edit, mute
from core.errors import InputError
from core.model.places import split
from core.model.taps import editing
from core.views import learning
from core.views.encoder import gradients, sentence_vector, without
from core.views.learning import pair_gradient
from core.views.output import ends
from tests.models import loaded
from tests.profiles import some

OTHER = "A dog barked."
TOWARD = Cell("encoder.5.output", (None, None), RunSpec(OTHER))


@pytest.fixture(scope="module", params=["minilm", "translator"])
def run(request: pytest.FixtureRequest, minilm: Model) -> Capture:
    if request.param == "minilm":
        return capture(minilm, "The cat sat on the mat.")
    return capture(loaded("translator"), "我昨天在北京买了三本书")


def back_of(run: Capture) -> Backward:
    return Backward(run, None if run.target_in else TOWARD)


def by(run: Capture, of: Origin, kind: str = "gradient") -> Measure:
    return Measure(kind, (of,)) if run.target_in else Measure(f"{kind}_toward", (of, TOWARD))


def numbers(run: Capture) -> list[tuple[type[Origin], str, tuple[int, ...]]]:
    """Every tap that a gradient passes, and every parameter, with its shape."""
    assert run.by is not None
    taps = [(Cell, name, run[name].shape) for name in run.names() if split(name)[1] not in ASIDE]
    learned = [
        (Weight, f"{part}.{name}", tuple(parameter.shape))
        for part, module in run.by.parts.items()
        for name, parameter in module.named_parameters(recurse=False)
        if part != "output.project"  # the table, under another name
    ]
    return [*taps, *learned]


def test_the_steps_come_to_what_autograd_finds(run: Capture) -> None:
    """Of a number of every kind of tap and parameter; and every number in a step is what it says it is."""
    drawn = np.random.default_rng(7)
    for kind, name, shape in some(numbers(run)):
        if split(name)[0].layer in (1, 2, 3, 4) and not run.target_in:
            continue  # as in the first layer
        index = tuple(int(drawn.integers(size)) for size in shape)
        if name.endswith("token_table.weight"):
            index = (run.tokens[1].id, index[1])
        made = measures.measure(run, by(run, kind(name, index)))
        largest = float(np.abs(back_of(run).of(kind(name, index))).max())
        assert abs(made.difference) <= 1e-4 * largest + 1e-9, (name, index)
        for step in made.steps:
            for number, origin in step.numbers():
                assert number == pytest.approx(measures.number(run, origin), rel=1e-6, abs=1e-12), (name, step.id)


def test_parameters_have_the_gradients_of_an_ordinary_backward_pass(run: Capture) -> None:
    """By torch's own loss.backward() on a copy of the network, without a tap listening."""
    assert run.by is not None
    network = deepcopy(run.by.network)
    loss_of(network, run).backward()
    names = {id(own): name for name, own in run.by.network.named_parameters()}
    for name in (
        "encoder.1.attention.to_key.weight",
        "encoder.0.feedforward.widen.bias",
        "embedding.token_table.weight",
    ):
        found = torch.tensor(back_of(run).of(Weight(name, (None,))))
        own = network.get_parameter(names[id(parameter(run, name))]).grad
        torch.testing.assert_close(found, own, rtol=1e-4, atol=1e-8)


def loss_of(network, run: Capture) -> torch.Tensor:
    dtype = next(network.parameters()).dtype
    made = network(*run.inputs)
    if run.target_in:
        return torch.nn.functional.cross_entropy(made[0][0], torch.tensor([token.id for token in run.target_out]))
    other = torch.tensor(run.beside(TOWARD.given, (TOWARD.name,))[TOWARD.name].mean(0), dtype=dtype)  # type: ignore[arg-type]
    return 1 - torch.nn.functional.cosine_similarity(made[0].mean(0), other, dim=0)


@pytest.mark.parametrize("tap", ["embedding.sum", "encoder.0.attention.scores", "encoder.1.feedforward.hidden"])
def test_a_nudge_moves_the_loss_as_the_gradient_says(run: Capture, tap: str) -> None:
    """In float64: the loss a little above and a little below, divided by how far apart."""
    assert run.by is not None
    network = deepcopy(run.by.network).double()
    found = back_of(run).of(Cell(tap, ()))
    place = tuple(int(i) for i in np.unravel_index(np.abs(found).argmax(), found.shape))

    def nudged(by: float) -> float:
        def change(x: torch.Tensor) -> torch.Tensor:
            moved = x.clone()
            moved[(0, *place)] += by
            return moved

        with torch.no_grad(), editing((Edit("nudge", tap, change),)):
            return float(loss_of(network, run))

    assert (nudged(1e-5) - nudged(-1e-5)) / 2e-5 == pytest.approx(found[place], rel=1e-3)


def test_lengths_are_those_the_encoder_page_shows(run: Capture) -> None:
    """With the residuals as they are, and cut."""
    model = run.by
    assert model is not None
    toward = None if run.target_in else sentence_vector(capture(model, OTHER), model)
    for edits in ((), without(model)):
        shown = gradients(model, run, toward, edits)
        name = "embedding.output"
        one = Cell(name, (None, None), RunSpec(target=run.text_out, edits=edits) if edits else None)
        made = measures.measure(run, by(run, one, "gradient_all"))
        assert made.captured == pytest.approx(shown[0], rel=1e-4) and abs(made.difference) < 1e-5 * made.captured
        inner = measures.measure(run, by(run, Cell(name, (1, 5), one.given)))
        assert abs(inner.difference) < 1e-5 * made.captured
        here = run.beside(one.given, ()) if one.given and run.target_in else run  # all of another run: its numbers
        for step in inner.steps:
            for number, of in step.numbers():
                assert number == pytest.approx(measures.number(here, of), rel=1e-4, abs=1e-9)


def test_a_row_that_was_fetched_more_than_once_gets_the_sum(run: Capture) -> None:
    """Of its places in one sentence, and of two sentences: as autograd adds them up at the row itself."""
    model = run.by
    assert model is not None
    if run.target_in:
        run = capture(model, "我们在家看我们")
        found = learning.gradient(model, run.text, run.text_out or "")
        rows = [Cell("embedding.token", (i, None)) for i, token in enumerate(run.tokens) if token.text == "我"]
        cases = {Measure("gradient_rows", tuple(rows), (1,) * len(rows)): found.lookup[run.tokens[0].id]}
    else:
        twice, both = run.tokens[1].id, run.tokens[7].id  # "the", and the stop of either sentence
        rows = [of for i in (1, 5) for of in (Cell("embedding.token", (i, None)), TOWARD)]
        row, mine = Weight(TABLE, (both, None)), Cell(TOWARD.name, (None, None), RunSpec(run.text))
        pair = (row, TOWARD, Weight(TABLE, (both, None), TOWARD.given), mine)
        cases = {
            Measure("gradient_rows_toward", tuple(rows), (2, 2)): np.linalg.norm(back_of(run).of(row)[twice]),
            Measure("gradient_rows_toward", pair, (2, 2)): pair_gradient(model, run.text, OTHER).rows[both],
        }
    for what, expected in cases.items():
        made = measures.measure(run, what)
        assert made.value == pytest.approx(float(expected), rel=1e-4) and made.value > 0
        for step in made.steps:
            for number, origin in step.numbers():
                assert number == pytest.approx(measures.number(run, origin), rel=1e-5, abs=1e-12)
        assert isinstance(made.onward, Measure)
        deeper = measures.measure(run, made.onward)
        assert deeper.origins and abs(deeper.difference) < 1e-7
    with pytest.raises(InputError):
        measures.number(run, Measure("gradient_rows", tuple(rows), (len(rows),)))


def test_what_has_no_gradient_says_so(run: Capture) -> None:
    model = run.by
    assert model is not None
    state = Cell("encoder.0.output", (0, 0))
    refused = [
        (run, Measure("gradient_toward" if run.target_in else "gradient", (state, TOWARD)[: 1 + bool(run.target_in)])),
        (run, by(run, Cell("encoder.0.attention.mask", (0, 0)))),
        (run, by(run, Weight("output.project.weight", (0, 0)))),
        (capture(model, run.text, edits=(mute("encoder", 1, 1),)), by(run, state)),
    ]
    if not run.target_in:
        refused += [
            (capture(model, "the cat " * 70), by(run, state)),
            (capture(model, "Hi.", pad_to=9), by(run, state)),
        ]
    for other, what in refused:
        with pytest.raises(InputError):
            measures.number(other, what)


def test_the_three_doors_to_the_table_add_up(run: Capture) -> None:
    """To that of the one table; and each is what a copy of the network with three tables finds."""
    if not run.target_in:
        with pytest.raises(InputError):
            measures.number(run, Measure("gradient_output_all", (Weight(TABLE, (None, None)),)))
        return
    assert run.by is not None
    apart, repeated = ends(run.by, run), run.tokens[1].id
    for name, each in zip(apart.names, apart.each, strict=True):
        for of, found in (
            (Weight(TABLE, (None, None)), np.linalg.norm(each)),
            (Weight(TABLE, (repeated, None)), np.linalg.norm(each[repeated])),
            (Weight(TABLE, (repeated, 5)), each[repeated, 5]),
        ):
            kind = f"gradient_{name}{('', '_row', '_all')[of.index.count(None)]}"
            made = measures.measure(run, Measure(kind, (of,)))
            assert made.captured == pytest.approx(float(found), rel=1e-4, abs=1e-8), kind
            assert made.value == pytest.approx(made.captured, rel=1e-4, abs=1e-8), kind
            for number, origin in made.steps[0].numbers():
                assert number == pytest.approx(measures.number(run, origin), rel=1e-4, abs=1e-8), kind


def test_nothing_is_left_in_the_shared_weights(run: Capture) -> None:
    assert run.by is not None
    measures.measure(run, by(run, Cell("embedding.output", (0, 0))))
    assert all(parameter.grad is None for parameter in run.by.network.parameters())
