"""What each part adds to a logit, followed: held against torch, and every number in a step is the one it names."""

import numpy as np
import pytest
import torch

from core import Capture, Cell, Model, Weight, capture, load_model
from core.derivation import Measure, measures
from core.derivation.flow import TABLE
from core.derivation.measures import measure
from core.derivation.measures.logit_parts import of_part
from core.edits import mute
from core.errors import InputError
from core.reference.reading import logit
from core.views.circuits import (
    attentions,
    circuits_view,
    contributions,
    followed,
    next_word,
    previous,
    row_of,
    spoken,
    view_taps,
    weight,
    written,
    written_as,
)
from tests.core.test_llama import CONFIG, LAYERS, LEARNED, made

TEXT, AT = "to be or not", 11
PAIRS = ((40, None), (40, 41))


@pytest.fixture(scope="module", params=[CONFIG, LEARNED], ids=["llama", "gpt"])
def model(request) -> Model:
    return made(request.param)


@pytest.fixture(scope="module")
def run(model: Model) -> Capture:
    return capture(model, TEXT)


def walked(run: Capture, what: Measure, depth: int) -> None:
    """Each number in the steps to a measure is the one it is said to be, and so on below."""
    for step in measure(run, what).steps:
        for value, origin in step.numbers():
            assert measures.number(run, origin) == pytest.approx(value, rel=1e-5, abs=1e-7), (what, step.id, origin)
            if isinstance(origin, Measure) and depth:
                walked(run, origin, depth - 1)


@pytest.mark.parametrize(("word", "against"), PAIRS)
def test_a_part_is_followed_to_what_it_was_made_of(model: Model, run: Capture, word: int, against: int | None) -> None:
    found = contributions(run, model, AT, word, against)
    for part, value in zip(found.parts, found.values, strict=True):
        what = of_part(model, part, AT, word, against)
        assert measure(run, what).value == pytest.approx(value, abs=1e-6), part
        if part.layer in (None, 1):
            walked(run, what, 2)


@pytest.mark.parametrize(("word", "against"), PAIRS)
def test_all_parts_are_the_logit(model: Model, run: Capture, word: int, against: int | None) -> None:
    """As the model had it, and as torch's own norm has the sum of what was written."""
    ids = [word] if against is None else [word, against]
    cells = tuple(Cell("output.logits", (AT, id)) for id in ids)
    all = measure(run, Measure("parts", cells))
    row = run["output.logits"][AT].astype(np.float64)
    assert all.captured == row[word] - (0 if against is None else row[against])
    assert abs(all.difference) < 2e-5
    beta = weight(model, "decoder.norm", "beta") if model.config.normalization == "layer" else None
    sought = row_of(model, word) - (0 if against is None else row_of(model, against))
    states = np.stack([state for _, state in written(run, model, AT)])
    theirs = logit(states, sought, weight(model, "decoder.norm", "gamma"), beta, model.config.epsilon)
    assert all.value == pytest.approx(theirs, abs=2e-6)
    some = [measure(run, Measure(f"parts_{kind}", cells)).value for kind in ("head", "feedforward")]
    found = contributions(run, model, AT, word, against)
    for kind, value in zip(("head", "feedforward"), some, strict=True):
        own = [v for part, v in zip(found.parts, found.values, strict=True) if part.kind == kind]
        assert value == pytest.approx(sum(own), abs=1e-9)
    if against is not None:
        assert measure(run, Measure("gap", cells)).value == pytest.approx(all.captured, abs=1e-9)


def test_what_a_head_takes_from_each_token_is_what_it_adds(model: Model, run: Capture) -> None:
    """weight · (v W^O), read by torch in one product for all tokens."""
    layer, head, word = 1, 2, 40
    group = head * model.config.groups // model.config.heads if model.config.groups else head
    d = model.config.d_head
    place = f"decoder.{layer}.attention"
    values = torch.tensor(run[f"{place}.value"][group]).double()
    joins = model.parts[f"{place}.to_output"].get_parameter("weight").detach().double()[:, head * d : (head + 1) * d]
    wrote = values @ joins.T
    spread = "mean_square" if model.config.normalization == "rms" else "variance"
    if spread == "variance":
        wrote = wrote - wrote.mean(-1, keepdim=True)
    gamma = torch.tensor(weight(model, "decoder.norm", "gamma"))
    divisor = (float(run[f"decoder.norm.{spread}"][AT]) + model.config.epsilon) ** 0.5
    theirs = wrote * gamma / divisor @ torch.tensor(row_of(model, word))
    rows = Cell(f"decoder.norm.{spread}", (AT,)), Weight(TABLE, (word, None))
    for key in (0, 5, AT):
        own = measure(run, Measure("offers", (Cell(f"{place}.weights", (head, AT, key)), *rows)))
        assert own.value == pytest.approx(float(theirs[key]), abs=1e-6)


def test_a_state_on_the_way_is_read_as_the_last_is(model: Model, run: Capture) -> None:
    network = model.network
    for tap in model.stream("decoder")[:-1]:
        with torch.inference_mode():
            state = torch.tensor(run[tap][AT])[None]
            logits = network.output.project(network.decoder.norm(state))[0]  # type: ignore[union-attr]
            likely = torch.softmax(logits.double(), -1)
        of = Cell(tap, (AT, None)), Weight(TABLE, (40, None))
        assert measure(run, Measure("lens_logit", of)).value == pytest.approx(float(logits[40]), abs=2e-5)
        assert measure(run, Measure("lens", of)).value == pytest.approx(float(likely[40]), rel=1e-4)
    last = model.stream("decoder")[-2]
    walked(run, Measure("lens", (Cell(last, (AT, None)), Weight(TABLE, (40, None)))), 1)


def test_what_is_no_part_is_refused(model: Model, run: Capture) -> None:
    state, row = Cell("decoder.1.output", (AT, None)), Weight(TABLE, (40, None))
    wrong = (
        Measure("adds", (state, row)),
        Measure("adds", (state, Cell("decoder.norm.output", (AT, 0)), state)),
        Measure("offers", (Cell("decoder.1.attention.scores", (0, 1, 1)), Cell("decoder.norm.output", (AT, 0)), row)),
        Measure("parts", (Cell("output.probabilities", (AT, 40)),)),
        Measure("lens", (Weight(TABLE, (1, None)), row)),
        Measure("again", (Cell("decoder.1.attention.scores", (0, None, None)),)),
    )
    for what in wrong:
        with pytest.raises(InputError):
            measure(run, what)


def test_in_a_changed_run_the_parts_are_its_own(model: Model) -> None:
    run = capture(model, TEXT, edits=[mute("causal", 2, 3)])
    made = measure(run, Measure("parts", (Cell("output.logits", (AT, 40)),)))
    assert abs(made.difference) < 2e-5


# ---- what a page is given


def test_every_part_has_its_place(model: Model, run: Capture) -> None:
    view = circuits_view(run, model, AT)
    assert [view.at(*view.place(part)) for part in view.found.parts] == list(range(len(view.found.parts)))
    assert view.at(0, 9) is None and view.at(LAYERS + 1, 0) is None
    grid = view.grid
    assert grid.shape == (view.rows, LAYERS) and not np.isnan(grid).any()
    outside = sum(v for part, v in zip(view.found.parts, view.found.values, strict=True) if part.layer is None)
    assert grid.sum() + outside == pytest.approx(view.found.captured, abs=2e-5)
    head = view.found.parts[view.first_head]
    assert view.found.values[view.first_head] == max(view.found.values[i] for i in view.of_kind("head"))
    np.testing.assert_array_equal(view.looks(head), run[f"decoder.{head.layer}.attention.weights"][head.head, AT])
    assert view.best[0] == run["output.logits"][AT].argmax() and view.found.word == view.best[0]
    assert set(view_taps(model)) <= set(run.names())


def of_head(model: Model, layer: int, head: int) -> Measure:
    return Measure("again", (Cell(attentions(model, "weights")[layer], (head, None, None)),))


def test_the_weight_on_the_token_before_and_on_what_followed(model: Model) -> None:
    run = capture(model, "abcabc")
    weights = [torch.tensor(run[tap]).double() for tap in attentions(model, "weights")]
    found = previous(run, model)
    for layer, own in enumerate(weights):
        means = torch.diagonal(own, -1, 1, 2).mean(-1)
        np.testing.assert_allclose(found[layer], means, atol=1e-6)
        again = torch.stack([own[:, 3, 1], own[:, 4, 2], own[:, 5, 3]]).mean(0)
        for head in range(len(own)):
            assert measure(run, of_head(model, layer, head)).value == pytest.approx(float(again[head]), abs=1e-9)
    what = of_head(model, 0, 1)
    walked(run, what, 0)
    assert len(followed(run.tokens)) == 3
    with pytest.raises(InputError):
        measure(capture(model, "abc"), what)
    assert np.isnan(previous(capture(model, "a"), model)).all()


@pytest.mark.parametrize("name", ["smollm2", "poet"])
def test_a_word_is_read_back_as_it_is_written(name: str) -> None:
    """Every word of the poet, some of the chat model; a whole word that follows a space stands as it is spoken."""
    model = load_model(name)
    names = model.tokenizer.names
    for id in range(0, len(names), 1 if name == "poet" else 97):
        text = written_as(model, id)
        assert next_word(model, text) == id, names[id]
        assert text == spoken(model, id) or text == f"#{id}"
        if name == "smollm2" and names[id].startswith("␣") and names[id][1:].isalpha():
            assert text == names[id][1:]
    unknown = model.tokenizer.unk_id
    assert unknown < 0 or spoken(model, unknown) == names[unknown]  # not by a character that a reader might take for it
    for text in (" ", "", "#999999999"):
        assert next_word(model, text) in (None, *(token.id for token in model.tokenizer.trace(f" {text}").tokens))
    assert next_word(model, " ") is None
