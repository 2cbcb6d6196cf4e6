"""Counted by formula, and in live models: ours, Hugging Face's, PyTorch's, on the meta device."""

from dataclasses import replace
from fractions import Fraction
from math import ceil

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from core.derivation.size import derive_count
from core.exercises.size import level, levelled, narrow
from core.lessons.size import (
    MATRICES,
    MIXING,
    TRAINING,
    Shape,
    activations,
    cached,
    crossing_length,
    crossing_width,
    longer,
    memory,
    parameters,
    share,
    total,
    wider,
    work,
)
from core.model.relative import turn
from core.questions.size import most, twice
from core.reference import load
from core.views.live import build, countable, held, run
from core.views.size import SHOWN, SizeView, doubled, groups_that_fit, growth, heads_that_fit, known, overtakes
from core.zoo import SOURCES
from tests.models import loaded


@st.composite
def shapes(draw) -> Shape:
    heads = draw(st.integers(1, 6))
    sizes = [draw(st.integers(1, most)) for most in (90, 9, 4, 60, 40)]
    vocab, d_head, layers, d_ff, length = sizes
    stack = draw(st.sampled_from(["encoder", "decoder", "llama", "both"]))
    groups = draw(st.sampled_from([n for n in range(heads + 1) if not n or heads % n == 0])) if stack == "llama" else 0
    d_model = heads * d_head * (2 if stack == "llama" else 1)
    batch, tied = draw(st.integers(1, 3)), draw(st.booleans())
    return Shape(stack, vocab, d_model, heads, layers, d_ff, length, batch, tied, groups)


@settings(max_examples=25, deadline=None)
@given(shapes())
def test_every_part_is_what_a_live_model_has_multiplies_and_keeps(shape: Shape) -> None:
    found, parts = run(shape), {c.id: c.value for c in parameters(shape)}
    assert parts == {id: held(shape).get(id, 0) for id in parts}
    assert sum(parts.values()) == sum(held(shape).values())
    counted = {c.id: c.value for c in work(shape)}
    assert counted == {id: shape.batch * found.work.get(id, 0) for id in counted}
    assert {p.id: p.value for p in activations(shape)} == found.kept
    assert not shape.writes or cached(shape).value == found.cache
    assert sum(p.numel() for p in build(shape, shape.layers).parameters()) == total(parameters(shape))


@settings(max_examples=20, deadline=None)
@given(shapes())
def test_other_peoples_models_have_as_many_parameters(shape: Shape) -> None:
    load()
    from core.reference.sizes import of_shape

    s = shape
    theirs = of_shape(s.stack, s.vocab, s.d_model, s.heads, s.layers, s.d_ff, s.length, s.tied, s.groups)
    assert theirs == total(parameters(shape))


@pytest.mark.parametrize("stack", ["decoder", "llama", "encoder"])
def test_a_training_step_is_three_times_the_forward_pass(stack) -> None:
    shape = Shape(stack, 50, 12, 3, 2, 20, 7)
    network = build(shape, shape.layers)
    with torch.device("meta"), FlopCounterMode(display=False) as flops:
        ids = torch.zeros(1, 7, dtype=torch.long)
        out = network(ids)[0] if stack != "encoder" else network(ids, ids, torch.zeros(1, 7, dtype=torch.bool))
        out.sum().backward()
    assert flops.get_total_flops() == 2 * TRAINING * total(work(shape))


def test_models_that_run_here_are_counted_to_the_parameter() -> None:
    networks = {name: loaded(name) for name in SOURCES}
    models = known(networks)
    for name, model in networks.items():
        assert total(parameters(models[name].shape)) == sum(p.numel() for p in model.network.parameters())
    published = {"gpt2": 124_439_808, "bert_base": 108_891_648, "bert_large": 334_092_288, "gpt3": 174_604_259_328}
    assert {name: total(parameters(models[name].shape)) for name in published} == published
    assert all(one.shape.divides for one in models.values())


def test_the_layer_of_2017_and_one_head() -> None:
    """512 wide, 8 heads: 1,048,576 in the four matrices, 98,304 in one head's three."""
    attention = next(c for c in parameters(Shape("both", 37000, 512, 8, 1, 2048, 10)) if c.id == "attention")
    assert attention.products[0].value == 1_048_576 and 3 * 512 * (512 // 8) == 98_304


@settings(max_examples=25, deadline=None)
@given(shapes())
def test_attention_overtakes_where_it_is_said_to(shape: Shape) -> None:
    length, width = crossing_length(shape), crossing_width(shape)
    if shape.stack == "llama":
        assert length == shape.d_model + shape.keys + Fraction(3 * shape.d_ff, 2)
    elif shape.stack != "both":
        assert length == 2 * shape.d_model + shape.d_ff
    if length.denominator == 1:
        there = work(longer(shape, int(length)))
        assert share(there, MATRICES) == share(there, MIXING)
    for d in (ceil(width) - 1, ceil(width)):  # below the one that is said, scores and sums cost more
        if d and not shape.d_ff * d % shape.d_model:
            there = work(wider(shape, d))
            assert (share(there, MIXING) > share(there, MATRICES)) == (d < width)
    there = wider(shape, 6 * shape.d_model)
    assert there.d_ff == 6 * shape.d_ff and crossing_width(there) == width


@pytest.mark.parametrize("show", SHOWN)
@pytest.mark.parametrize("along", ["n", "d"])
@pytest.mark.parametrize("stack", ["encoder", "decoder", "llama", "both"])
@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_curves_cross_where_they_are_marked(show, along, stack, precision) -> None:
    shape = Shape(stack, 30522, 384, 12, 6, 1536, 512)
    found = growth(SizeView("x", shape, shape, precision), show, along)
    first, second = found.values
    assert all(int(at) % shape.heads == 0 for at in found.at) or along == "n"
    if found.crossing is None:
        assert len({bool(a >= b) for a, b in zip(first, second, strict=True)}) == 1
        return
    before = found.at < found.crossing
    signs = [set((part >= 0).tolist()) for part in ((first - second)[before], (first - second)[~before])]
    assert len(signs[0]) == len(signs[1]) == 1 and signs[0] != signs[1]


def test_a_search_ends_where_the_other_is_ahead() -> None:
    assert overtakes(lambda n: n < 77, 1000) == 77 and overtakes(lambda n: True, 1000) is None


def test_memory_adds_up() -> None:
    shape = Shape("decoder", 50257, 768, 12, 12, 3072, 1024)
    counted = {c.id: c.value for c in memory(shape, "fp16")}
    assert counted["weights"] + counted["gradients"] + counted["adam"] == 16 * total(parameters(shape))  # ZeRO, 3.1
    assert counted["cache"] == 2 * 12 * 1024 * 768 * 2
    assert {c.id for c in memory(shape, "int8")} == {"weights", "cache"}
    seventeen = sum(p.value for p in activations(Shape("encoder", 9, 768, 12, 1, 3072, 512)))
    assert seventeen == 512 * 768 * 16 + 12 * 512 * 512  # Korthikanti et al. 2022, 4.1, in numbers, without dropout


def test_a_llama_made_small_and_level_is_so() -> None:
    """The exercises' own answers, of a shape whose heads share keys and values."""
    shape = Shape("llama", 49152, 576, 9, 30, 1536, 512, groups=3)
    view = SizeView("x", shape, shape, "fp32")
    narrowest = {name: int(str(n)) for name, n in (narrow(view, {}) or {}).items()}
    assert groups_that_fit(narrowest["h"], shape) == 1
    made = replace(shape, layers=1, d_model=narrowest["d"], heads=1, groups=1, d_ff=narrowest["ff"])
    assert 950_000 < total(parameters(made)) < 1_000_000
    even = replace(shape, d_ff=int(str(levelled(view, {})["ff"])))
    assert level(SizeView("x", shape, even, "fp32"), {}).right
    assert groups_that_fit(9, shape) == 3 and groups_that_fit(8, shape) == 8


def test_absurd_sizes_are_counted_and_never_built() -> None:
    shape = Shape("decoder", 10**9, 10**7, 10**6, 10**6, 10**8, 10**9, 10**9)
    assert not countable(shape) and total(work(shape)) > 10**40
    with pytest.raises(ValueError):
        run(shape)
    big = Shape("decoder", 10**9, 10**7, 10**6, 10**6, 10**8, 10**3)
    assert sum(held(big).values()) == total(parameters(big)) > 10**21


def test_a_head_of_an_odd_width_cannot_be_turned() -> None:
    odd = Shape("llama", 50, 15, 3, 2, 20, 7, groups=3)
    assert not odd.turns and not countable(odd) and total(parameters(odd)) > 0


def test_a_live_model_that_turns_leaves_nothing_that_a_real_one_meets() -> None:
    """Angles are kept from call to call: those on the meta device hold no numbers."""
    run(Shape("llama", 50, 12, 3, 2, 20, 7))
    assert turn(torch.ones(7, 4), range(7)).isfinite().all()


@given(st.integers(1, 5000), st.integers(1, 200))
def test_heads_fit(d: int, heads: int) -> None:
    fitting = heads_that_fit(d, heads)
    assert d % fitting == 0 and fitting <= heads
    assert all(d % h for h in range(fitting + 1, min(d, heads) + 1))


@settings(max_examples=25, deadline=None)
@given(shapes())
def test_steps_add_up(shape: Shape) -> None:
    for counts in (parameters(shape), work(shape), memory(shape, "fp32")):
        for count in counts:
            assert derive_count(count, count.value).steps[-1].value == count.value


def test_questions_have_the_right_answer() -> None:
    minilm, base = (Shape("encoder", 30522, d, 12, n, 4 * d, 512) for d, n in ((384, 6), (768, 12)))
    asked = [most(minilm), most(base), twice(minilm, 9), twice(minilm, 100_000)]
    assert [question and question.answer for question in asked] == ["token", "feedforward", "2", "4"]
    assert twice(minilm, 0) is not None


@pytest.mark.parametrize("stack", ["encoder", "decoder", "llama", "both"])
def test_what_twice_of_each_size_makes_of_each_part(stack) -> None:
    shape = Shape(stack, vocab=1000, d_model=64, heads=4, layers=3, d_ff=256, length=32)
    grown = doubled(SizeView("x", shape, shape, "fp32"), "parameters")
    found = {id: [factor or 0.0 for factor in factors] for id, factors in grown}
    assert found["token"] == [1, 2, 2, 1]
    assert found["feedforward"][0] == found["feedforward"][2] == 1 and found["feedforward"][3] == 2
    assert 3.9 < found["feedforward"][1] <= 4 and 3.9 < found["attention"][1] <= 4
    assert found["attention"][2:] == [1, 2]
