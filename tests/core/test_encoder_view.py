"""What a layer adds: lengths and cosines recomputed, the residual cut, gradients, the network at every place."""

import copy
from dataclasses import replace
from random import Random
from typing import cast

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from core import Cell, Measure, capture, derive, grammar, load_model
from core.derivation.measures import number
from core.model.encoder import Stack
from core.model.feedforward import FeedForward
from core.model.places import Place
from core.model.transformer import draw_matrices
from core.questions.encoder import each
from core.reference import writer
from core.views import encoder
from core.views.encoder import (
    bent,
    encoder_view,
    gradients,
    mean_cosine,
    narrowed,
    parting,
    permuted,
    shared,
    units,
    without,
    written_by,
)
from core.views.stacked import stacked
from tests.models import loaded

BOOKS = "我昨天在北京买了三本书"
PAIR = "小明昨天晚上看了一部电影", "小明昨天晚上看了一本书"


@pytest.fixture(scope="module")
def models(minilm, translator):
    return {"minilm": minilm, "translator": translator}


@pytest.mark.parametrize("name", ["minilm", "translator"])
@pytest.mark.parametrize("text", [BOOKS, "The cat sat on the mat.", "", "a", "书书书书"])
def test_lengths_and_cosines_are_those_of_the_captured_vectors(models, name: str, text: str) -> None:
    model = models[name]
    run = capture(model, text)
    view = encoder_view(run, model)
    for one in view.sublayers:
        x, delta = run[one.place.tap("skip")], run[one.place.tap("output")]
        assert np.allclose(one.share, np.linalg.norm(delta, axis=-1) / np.linalg.norm(x, axis=-1), rtol=1e-5)
        assert np.allclose(one.added, np.linalg.norm(x + delta, axis=-1), rtol=1e-4)
        after = torch.nn.functional.cosine_similarity(torch.tensor(x), torch.tensor(run[model.leaving(one.place)]))
        assert np.allclose(one.kept, after.numpy(), atol=1e-5)
        made = derive(run, share(one.place, 0))
        assert made.value == pytest.approx(float(one.share[0]), abs=1e-5)
        assert made.origins and all(np.isfinite(number(run, origin)) for origin in made.origins)
    assert np.allclose(view.moved[0], 1, atol=1e-5) and len(view.alike) == model.config.layers + 1
    assert set(encoder.taps(model)) <= set(model.tap_dims)


def test_a_perturbed_vector_is_seen(translator) -> None:
    run = capture(translator, BOOKS)
    place = Place("encoder", 0, "attention")
    before = derive(run, share(place, 3))
    array = run[place.tap("output")].copy()
    array[3] *= 2
    moved = derive(replaced(run, place.tap("output"), array), share(place, 3))
    assert moved.value == pytest.approx(2 * before.value)


def share(place: Place, token: int) -> Measure:
    """How much a sub-layer writes, beside what was there before."""
    return Measure("ratio", tuple(Cell(place.tap(word), (token, None)) for word in ("output", "skip")))


def replaced(run, tap: str, array: np.ndarray):
    from dataclasses import replace

    return replace(run, arrays={**run.arrays, tap: array})


# ---- without the residual


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6))
def test_without_the_residual_tokens_become_alike(translator, seed: int) -> None:
    text = grammar.sample(Random(seed)).zh
    own = encoder_view(capture(translator, text), translator).alike[-1]
    cut = encoder.alike_without(
        capture(translator, text, only=translator.depths(), edits=without(translator)), translator
    )[-1]
    assert cut > own + 0.2


def test_without_the_residual_minilm_tells_no_token_from_another(minilm) -> None:
    for text in ("The cat sat on the mat.", "Alice told Bob that she would help him tomorrow."):
        cut = encoder.alike_without(capture(minilm, text, only=minilm.depths(), edits=without(minilm)), minilm)
        assert cut[-1] > 0.999 > encoder_view(capture(minilm, text), minilm).alike[-1]


def test_gradients_are_those_of_finite_differences(translator) -> None:
    """Down the first state's own gradient the loss falls as the norm says."""
    run = capture(translator, BOOKS)
    norms = gradients(translator, run, None)
    assert norms.shape == (translator.config.layers + 1,) and (norms > 0).all()
    state = torch.tensor(run["embedding.output"])[None].requires_grad_()

    def loss(x: torch.Tensor) -> torch.Tensor:
        nothing = torch.zeros_like(run.inputs[0], dtype=torch.bool)
        memory = translator.network.encoder(x, torch.zeros(1, x.shape[1], x.shape[1]))
        logits, _ = translator.network.write(run.inputs[2], run.inputs[3], memory, nothing)
        return torch.nn.functional.cross_entropy(logits[0], torch.tensor([token.id for token in run.target_out]))

    (by_hand,) = torch.autograd.grad(loss(state), [state])
    assert norms[0] == pytest.approx(float(by_hand.norm()), rel=1e-3)
    assert all(parameter.grad is None for parameter in translator.network.parameters())


# ---- the feed-forward network


@pytest.mark.parametrize("name", ["minilm", "translator"])
def test_the_network_is_the_same_at_every_place(models, name: str) -> None:
    model, random = models[name], Random(3)
    for text in (BOOKS, "The cat sat on the mat."):
        run = capture(model, text)
        order = random.sample(range(len(run.tokens)), len(run.tokens))
        for layer in range(model.config.layers):
            first, second = permuted(run, model, Place("encoder", layer, "feedforward"), order)
            assert abs(first - second).max() < 1e-5
        found = units(run, Place("encoder", 0, "feedforward"))
        for i in range(len(run.tokens)):
            best = found.activated[i].argmax()
            assert found.best(i)[0] == best and (best in found.shown) == (found.activated[:, best].max() > 0)
        assert list(found.firing()) == [(row > 0).sum() for row in found.activated]
        where = found.activated[:, found.shown].argmax(0)
        assert list(where) == sorted(where) and (found.activated[:, found.shown].max(0) > 0).all()
        assert len(found.shown) <= max(20, len(set(found.activated.argmax(-1).tolist())))


# ---- one token, two sentences


def test_watching_and_reading_part(translator) -> None:
    """看 begins equal and parts; no other shared character does as much."""
    one, other = (capture(translator, text) for text in PAIR)
    found = {one.tokens[a].text: parting(one, other, translator, a, b) for a, b in shared(one.tokens, other.tokens)}
    assert found["看"].cosines[0] == pytest.approx(1, abs=1e-6)
    assert found["看"].cosines[-1] < 0.75 < 0.95 < min(p.cosines[-1] for word, p in found.items() if word != "看")
    assert found["看"].others[-1] < found["看"].cosines[-1]


def test_shared_tokens_are_those_in_both(minilm) -> None:
    one, other = (capture(minilm, text).tokens for text in ("the cat saw the dog", "a dog"))
    assert [(one[a].text, other[b].text) for a, b in shared(one, other)] == [("dog", "dog")]
    assert list(shared(one, capture(minilm, "").tokens)) == []


@pytest.mark.parametrize("name", ["minilm", "translator"])
def test_parameters_are_counted_as_the_formulas_say(models, name: str) -> None:
    model = models[name]
    d, d_ff, made = model.config.d_model, model.config.d_ff, encoder.counted(models[name])
    assert made["to_query"] == made["to_output"] == d * d + d
    assert (made["widen"], made["narrow"], made["norms"]) == (d * d_ff + d_ff, d_ff * d + d, 4 * d)
    layer = model.network.get_submodule("encoder.0")
    assert sum(made.values()) == sum(parameter.numel() for parameter in layer.parameters())


def test_what_is_asked_is_so_and_varies(models) -> None:
    random, answers = Random(5), []
    for _ in range(16):
        text = grammar.sample(random).zh
        view = encoder_view(capture(models["translator"], text), models["translator"])
        question = next(each(view, text), None)
        assert question is not None
        layer = int(str(question.facts["layer"]))
        attention, network = (
            view.at("encoder", layer, part).share[question.row] for part in ("attention", "feedforward")
        )
        assert question.answer == ("attention" if attention > network else "feedforward")
        answers.append(question.answer)
    assert 3 <= answers.count("attention") <= 13


@pytest.mark.parametrize(
    ("name", "text"), [("minilm", "The cat sat on the mat."), ("translator", "我昨天在北京买了三本书")]
)
def test_the_network_is_bent_by_its_activation_alone(name: str, text: str) -> None:
    """By hand in double precision, biases and all; with the activation taken out of a copy, nothing of it is left."""
    model = copy.deepcopy(load_model(name))
    place = Place(model.reader.name, 0, "feedforward")
    run = capture(model, text, only=(model.given(place),))
    found, network = bent(run, model, place), cast(FeedForward, model.parts[str(place)])
    w1, b1, w2, b2 = (parameter.detach().double() for parameter in network.parameters())

    def f(x):
        return network.activation(x @ w1.T + b1) @ w2.T + b2

    x = torch.tensor(run[model.given(place)]).double()
    a, b = x[:-1], x[1:]
    apart = f(a + b) + f(torch.zeros_like(a)) - f(a) - f(b)
    expected = (apart.norm(dim=-1) / (f(a) + f(b)).norm(dim=-1)).mean()
    assert found == pytest.approx(float(expected), rel=1e-4) and found > 0.1
    network.activation = nn.Identity()
    assert bent(run, model, place) < 1e-5


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("minilm", "The cat sat on the mat."),
        ("translator", "我昨天在北京买了三本书"),
        ("poet", "床前明月光"),
        ("smollm2", "The capital of France is"),
    ],
)
def test_a_network_of_as_many_units_as_dimensions(name: str, text: str, layer: int) -> None:
    """Built anew from the rows of the units that write most: how far its output is from the whole one's."""
    model = copy.deepcopy(load_model(name))
    place = Place(model.reader.name, layer, "feedforward")
    run = capture(model, text, only=(model.given(place), *written_by(model, place)))
    found = narrowed(run, model, place)
    network, x = model.parts[str(place)].double(), torch.tensor(run[model.given(place)]).double()[None]
    whole, size = network(x), network.get_parameter("narrow.weight").norm(dim=0)
    by = torch.tensor(run[written_by(model, place)[0]]).double().abs().mean(0) * size
    keep = torch.zeros_like(by)
    keep[by.topk(model.config.d_model).indices] = 1
    with torch.no_grad():
        network.get_parameter("narrow.weight").mul_(keep)
        off = ((network(x) - whole).norm(dim=-1) / whole.norm(dim=-1)).mean()
    assert found == pytest.approx(float(off), rel=1e-3) and 0 < found < 1


@pytest.mark.parametrize("name", ["minilm", "translator", "poet"])
def test_a_stack_of_ones_own_height_is_torchs(name: str) -> None:
    """As torch.nn's own layers make it from the same draws; and its parameters are so many times one layer's."""
    model, text = loaded(name), "白日依山尽" if name != "minilm" else "The cat sat on the mat."
    written = ["decoder.embedding.output"] if model.translates else []
    run = capture(model, text, only=(model.reader.entrance, *written))
    found, other = (stacked(model, run, 3, seed) for seed in (0, 1))
    d, norms = model.config.d_model, 2 * model.config.d_model * (model.config.norm == "pre")
    assert found.shape == (len(run.tokens), d) and found.parameters == 3 * found.layer + norms
    assert len(found.alike) == 4 and found.alike[0] == other.alike[0] and found.alike[3] != other.alike[3]
    torch.manual_seed(0)
    stack = Stack(replace(model.config, layers=3)).eval()
    draw_matrices(stack)
    weights = {f"encoder.{name}": tensor for name, tensor in stack.state_dict().items()}
    x = torch.tensor(run[model.reader.entrance])[None]
    mask = torch.nn.Transformer.generate_square_subsequent_mask(x.shape[1]) if name == "poet" else None
    assert len(found.written) == 4 * len(written) and bool(found.written_layer) == model.translates
    if written:
        assert found.written[0] == pytest.approx(mean_cosine(run[written[0]]), abs=1e-6)
        assert {f"decoder.2.{part}" for part in model.stacks["decoder"].parts} <= set(found.shares)
    for i in range(3):
        theirs = writer.layer(weights, f"encoder.{i}", d, model.config.heads, model.config.norm, root_k=True)
        theirs.activation = getattr(torch.nn.functional, model.config.activation)
        theirs.norm1.eps = theirs.norm2.eps = model.config.epsilon
        read = theirs.norm1(x) if model.config.norm == "pre" else x
        added = theirs._sa_block(read, mask, None).detach()
        share = (added.norm(dim=-1) / x.detach().norm(dim=-1)).mean()
        assert found.shares[f"encoder.{i}.attention"] == pytest.approx(float(share), rel=1e-4)
        x = theirs(x, src_mask=mask)
    assert mean_cosine(x[0].detach().numpy()) == pytest.approx(float(found.alike[3]), abs=1e-4)
