"""Numbers of another run than the one at hand: another text, an edit, a second sentence, another model."""

import json
from pathlib import Path

import numpy as np
import pytest

from core import Model, capture, edits
from core.derivation import Cell, Measure, Recorded, RunSpec, Weight, measures
from core.derivation.origins import run_of, within
from core.derivation.recorded import FILES, card, record
from core.errors import InputError
from core.zoo import rearranged
from tests.models import loaded

ROOT = Path(__file__).parents[2]
TEXT = "The cat sat on the mat."
STATE = Cell("encoder.5.output", (2, None))
GIVEN = [
    RunSpec("A dog barked."),
    RunSpec(edits=(edits.cut(), edits.mute("encoder", 2, 3))),
    RunSpec(pair="It was red."),
    RunSpec(pad_to=20),
    RunSpec(norm="pre"),
    RunSpec(norm="input"),
    RunSpec("我昨天在北京买了三本书", model="translator"),
    RunSpec("我爱你", target="I love you", model="translator"),
]


@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_a_number_of_another_run_is_the_one_captured_there(minilm: Model, given: RunSpec) -> None:
    run = capture(minilm, TEXT)
    model = loaded(given.model) if given.model else minilm
    text = TEXT if given.text is None else given.text
    model = rearranged(model, given.norm) if given.norm else model
    other = capture(model, text, given.pair, given.pad_to, given.target, edits=given.edits)
    for tap in ("embedding.output", "encoder.1.attention.weights"):
        place = tuple(min(1, size - 1) for size in other[tap].shape)
        cell = within(Cell(tap, place), given)
        assert measures.number(run, cell) == other[tap][place] and str(cell).startswith("(")
    weight = Weight("embedding.token_table.weight", (5, 7))
    there = model.parts["embedding.token_table"].get_parameter("weight")[5, 7].item()
    assert measures.number(run, within(weight, given)) == there


@pytest.mark.parametrize("given", GIVEN[:6], ids=str)
def test_rows_of_two_runs_are_measured_against_each_other(minilm: Model, given: RunSpec) -> None:
    run = capture(minilm, TEXT)
    x = run[STATE.name][2]
    y = run.beside(given, (STATE.name,))[STATE.name][2]
    what = Measure("cosine", (STATE, within(STATE, given)))
    made = measures.measure(run, what)
    assert run_of(what) is None
    assert made.captured == pytest.approx(x @ y / np.linalg.norm(x) / np.linalg.norm(y), rel=1e-5)
    assert abs(made.difference) < 1e-6
    for step in made.steps:
        for number, origin in step.numbers():
            near = 1e-6 if isinstance(origin, Measure) else 0  # what is measured is of float32
            assert number == pytest.approx(measures.number(run, origin), rel=near, abs=0)
    assert {origin.given for origin in made.origins if isinstance(origin, Cell)} == {None, given}


def test_of_two_runs_the_numbers_that_both_have_are_compared(minilm: Model) -> None:
    run, given = capture(minilm, TEXT), RunSpec(pad_to=20, edits=(edits.cut(),))
    whole = Cell("encoder.5.output", (None, None))
    x, y = run[whole.name], run.beside(given, (whole.name,))[whole.name]
    made = measures.measure(run, Measure("far", (whole, within(whole, given))))
    assert len(y) == 20 and made.captured == np.abs(x - y[: len(x)]).max()
    assert abs(made.difference) < 1e-6
    for number, origin in made.steps[0].numbers():
        assert number == measures.number(run, origin)


def test_unlike_tokens_of_two_sentences_are_compared(minilm: Model) -> None:
    """Each pair but of a token with itself, and of those that nobody typed."""
    run, given = capture(minilm, TEXT), RunSpec("A cat barked on the mat.")
    rows = Cell("encoder.5.output", (None, None))
    other = run.beside(given, (rows.name,))
    pairs = [
        states_alike(x, y)
        for a, x in zip(run.tokens, run[rows.name], strict=True)
        for b, y in zip(other.tokens, other[rows.name], strict=True)
        if not (a.special or b.special or a.text == b.text)
    ]
    for kind, expected in (("unlike", np.mean(pairs)), ("spread", np.std(pairs))):
        made = measures.measure(run, Measure(kind, (rows, within(rows, given))))
        assert made.captured == pytest.approx(expected) == made.value
        for step in made.steps:
            for number, origin in step.numbers():
                assert number == pytest.approx(measures.number(run, origin), rel=1e-5)


def states_alike(x: np.ndarray, y: np.ndarray) -> float:
    x, y = x.astype(np.float64), y.astype(np.float64)
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


def test_what_is_all_of_another_run_is_measured_there(minilm: Model) -> None:
    run, given = capture(minilm, TEXT), RunSpec("A dog barked.")
    what = within(Measure("length", (STATE,)), given)
    made = measures.measure(run, what)
    assert run_of(what) == given and made.captured == measures.number(run, what)
    assert made.captured == measures.number(capture(minilm, "A dog barked."), Measure("length", (STATE,)))
    assert all(run_of(origin) is None for origin in made.origins)


def test_from_another_arrangement_there_is_a_way_back_to_the_own(minilm: Model) -> None:
    """A norm that had no place there has its γ and β again; an arrangement that is not named is the one at hand."""
    own, other = capture(minilm, TEXT), capture(rearranged(minilm, "input"), TEXT)
    tap = "encoder.5.output"
    assert np.array_equal(other.beside(RunSpec(norm="post"), (tap,))[tap], own[tap])
    assert np.array_equal(other.beside(RunSpec(), (tap,))[tap], other[tap])
    assert not np.array_equal(other[tap], own[tap])
    assert not RunSpec().named_from(RunSpec(norm="pre")) and RunSpec(norm="input").named_from(RunSpec(norm="pre"))


def test_a_run_that_does_not_know_its_model_has_no_other(minilm: Model) -> None:
    import pickle

    run = pickle.loads(pickle.dumps(capture(minilm, TEXT)))
    with pytest.raises(Exception, match="model"):
        measures.number(run, within(STATE.__class__("encoder.5.output", (2, 1)), GIVEN[0]))


@pytest.mark.parametrize("name", FILES)
def test_a_recorded_number_stands_in_its_file(minilm: Model, name: str) -> None:
    keys = {
        "beginnings": ("starts.3.spreads", (1,)),
        "lengths": ("kinds.2.losses", (5,)),
        "snapshots": ("steps.1.argmax", (1, 2)),
        "translator": ("curves.loss", (4, 1)),
        "training": ("norm8.none.held", (2, 3)),
    }
    rest, index = keys[name]
    there = Recorded(f"recorded.{name}.{rest}", index)
    assert measures.number(capture(minilm, TEXT), there) == record(there.name)[index]
    made = card(there.name)
    assert (ROOT / made.file).is_file() and made.command.startswith("python -m core.training")
    if name != "training":
        found = json.loads((ROOT / made.file).read_text(encoding="utf-8"))
        for key in (*rest.split("."), *map(str, index)):
            found = found[int(key)] if isinstance(found, list) else found[key]
        assert record(there.name)[index] == found


@pytest.mark.parametrize(
    "name", ["recorded", "recorded.lengths.kinds.99.losses", "recorded.x.y", "recorded.training.a"]
)
def test_what_is_in_no_file_says_so(name: str) -> None:
    with pytest.raises(InputError):
        record(name)
