"""The view of a text that goes on: its prompt, what it saves, its question and its exercises."""

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from core import capture, reference, zoo
from core.errors import InputError
from core.exercises.generation import a_seed, a_wide_head, drawn, least_sure, spread, the_least_sure
from core.model.cache import Cache, keeping
from core.questions.generation import each
from core.text.chat import chat
from core.views.generation import agreed, closing, generation_view, products, spelt
from core.writing import Sampling
from core.zoo import KNOWN, SOURCES, Model, load_model, writer_for

WRITERS = [id for id, source in SOURCES.items() if "write" in source.can]
TEXTS = {"smollm2": "The capital of France is", "poet": "床前明月光"}


@pytest.fixture(scope="module", params=WRITERS)
def model(request) -> Model:
    return load_model(request.param)


@pytest.fixture
def text(model: Model) -> str:
    return TEXTS[model.id]


def test_who_writes_is_found_by_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    for id in WRITERS:
        assert writer_for(TEXTS[id]) == id
    monkeypatch.setattr(zoo, "SOURCES", {"poet": zoo.KNOWN["poet"]})
    assert writer_for.__wrapped__("The cat") == writer_for.__wrapped__("猫") == "poet"
    monkeypatch.setattr(zoo, "SOURCES", {})
    with pytest.raises(StopIteration):
        writer_for.__wrapped__("")


def test_a_model_that_chats_is_asked_in_its_template(model: Model, text: str) -> None:
    assert model.chats == (model.id == "smollm2") and not load_model("minilm").chats
    view = generation_view(model, text, Sampling())
    assert view.prompt == text == view.whole(())
    if model.chats:
        asked = generation_view(model, text, Sampling(), asked=True)
        assert asked.prompt == chat(text) and len(asked.tokens) > len(view.tokens)


def test_what_is_written_ends_and_holds_no_filling(model: Model, text: str) -> None:
    end, never = closing(model)
    specials = {model.tokenizer.pieces[id] for id in (end, *never) if id is not None}
    assert specials <= set(model.tokenizer.specials) and end not in never
    view = generation_view(model, text, Sampling(1.0, seed=2))
    steps = [view.writing[i] for i in range(6)]
    assert view.whole(steps) == text + "".join(spelt(model, step.id) for step in steps if step.id != end)
    with pytest.raises(InputError):
        generation_view(load_model("minilm"), "a", Sampling())


@pytest.mark.long
def test_read_at_once_the_other_implementation_comes_to_the_same(model: Model, text: str) -> None:
    """Its own network, on the same numbers: every probability, and its own greedy text."""
    view = generation_view(model, text, Sampling())
    steps = [view.writing[i] for i in range(8)]
    theirs = reference.other(KNOWN[model.id].loader).probabilities(model.numbers, view.ids(steps))
    run = capture(model, text)
    np.testing.assert_allclose(theirs[: len(view.tokens)], run["output.probabilities"], atol=5e-5)
    for row, step in enumerate(steps, len(view.tokens) - 1):
        assert step.probability == pytest.approx(float(theirs[row, step.id]), abs=5e-5)
        if step.best[0] not in view.writing.never:
            assert theirs[row].argmax() == step.id


@pytest.mark.parametrize(("new", "before"), [(5, 0), (1, 7)])
def test_multiply_adds_are_those_that_torch_counts(model: Model, new: int, before: int) -> None:
    """Its own counter says two of them for each."""
    cache = Cache()
    with torch.inference_mode(), keeping(cache):
        if before:
            model.network.after(torch.arange(before)[None])  # type: ignore[operator]
        with FlopCounterMode(display=False) as counter:
            model.network.after(torch.arange(new)[None], before)  # type: ignore[operator]
    assert products(model, new, before) == counter.get_total_flops() // 2


def test_how_far_two_rows_agree() -> None:
    assert agreed([], [1]) == 0 and agreed([1, 2], [1, 2, 3]) == 2 and agreed([1], [2]) == 0


@pytest.mark.skipif("smollm2" not in SOURCES, reason="it is not here")
def test_bytes_that_are_no_character_have_a_name() -> None:
    model = load_model("smollm2")
    tokens = model.tokenizer.encode("龘")
    assert len(tokens) == 3 and all(spelt(model, token.id).startswith("⟨") for token in tokens)
    assert spelt(model, model.tokenizer.encode(" Paris")[0].id) == " Paris"


def test_the_question_is_about_the_second_token(model: Model, text: str) -> None:
    """The first is in sight on the page before: it becomes input here, and the question says which it is."""
    view = generation_view(model, text, Sampling())
    first, step = view.writing[0], view.writing[1]
    assert list(each(view, ())) == list(each(view, (first,))) == []
    for question in each(view, (first, step)):
        assert question.row == 1 and question.facts["first"] == model.tokenizer.names[first.id]
        if question.template == "next_token":
            assert question.answer == str(step.id) and question.answer in [choice.id for choice in question.choices]
            assert question.margin == pytest.approx(step.lines[0].shares[0] - step.lines[0].shares[1])
        else:
            low, high = {"little": (0, 0.1), "some": (0.1, 0.5), "most": (0.5, 1)}[question.answer]
            assert low < step.probability < high


@pytest.mark.long
def test_exercises_are_solved_by_what_solves_them(model: Model, text: str) -> None:
    values = {"n": 1, "q": 0, "layer": 0, "head": 0, "temperature": "0"}
    view = generation_view(model, text + ("，" if model.id == "poet" else ""), Sampling())
    _ = view.writing[0]
    assert least_sure(view, values).words == "short" and spread(view, values).words == "mean"
    assert drawn(view, values).words == "wrong" and drawn(view, {**values, "n": 0}).words == "nothing"
    patch = the_least_sure(view, values)
    assert patch and least_sure(view, {**values, **patch}).right
    assert not least_sure(view, {**values, "n": 6, "q": (int(str(patch["q"])) + 1) % 6}).right
    seed = a_seed(view, values)
    assert seed
    other = view.by(Sampling(2.0, seed=int(str(seed["seed"]))))
    _ = other.writing[0]
    assert drawn(other, {**values, **seed}).right
    wide = a_wide_head(view, values)
    if wide:
        assert spread(view, {**values, **wide}).right
