"""A small Llama with random weights: rotary positions, groups of heads, RMSNorm, a gate, no biases. Its numbers are
Hugging Face's, every tap has its rule and its way back, and what it writes is the same with a cache."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from core import Capture, Model, capture, derive
from core.derivation import Cell, Weight
from core.derivation.count import depth, products
from core.derivation.walk import path
from core.edits import lift_mask, mute
from core.errors import InputError
from core.lessons.norm import RMSNorm as LessonNorm
from core.model.cache import Cache
from core.model.config import Config
from core.model.language import LanguageModel
from core.model.norm import RMSNorm
from core.model.places import norms
from core.model.taps import name_taps
from core.ranking import largest
from core.text.bpe import byte_of
from core.text.byte_pairs import BytePairs
from core.writing import Sampling, Writing, lines

TEXT = "to be or not"
LAYERS, HEADS, GROUPS, D, D_FF = 3, 6, 2, 24, 40
PIECES = ("<s>", *byte_of())
CONFIG = Config(
    vocab=len(PIECES), d_model=D, heads=HEADS, groups=GROUPS, layers=LAYERS, d_ff=D_FF, positions=40, segments=0,
    epsilon=1e-5, dropout=0.0, activation="swiglu", norm="pre", position="rotary", embedding="plain",
    normalization="rms", bias=False, rotary_base=500.0,
)  # fmt: skip


def made(config: Config, seed: int = 3) -> Model:
    torch.manual_seed(seed)
    network = LanguageModel(config).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter += 0.2 * torch.randn_like(parameter)
    tokenizer = BytePairs(PIECES, [], PIECES[:1], PIECES[0], config.positions)
    return Model("tiny-llama", Path(), config, network, tokenizer, name_taps(network))


@pytest.fixture(scope="module")
def model() -> Model:
    return made(CONFIG)


@pytest.fixture(scope="module")
def run(model: Model) -> Capture:
    return capture(model, TEXT)


@pytest.fixture(scope="module")
def llama(model: Model) -> LlamaForCausalLM:
    config = LlamaConfig(
        vocab_size=len(PIECES), hidden_size=D, intermediate_size=D_FF, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, num_key_value_heads=GROUPS, max_position_embeddings=64, rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 500.0}, tie_word_embeddings=True,
    )  # fmt: skip
    config._attn_implementation = "eager"
    theirs = LlamaForCausalLM(config).eval()
    own = model.network.state_dict()
    names = {
        "attention.norm.gamma": "input_layernorm.weight",
        "attention.sublayer.to_query.weight": "self_attn.q_proj.weight",
        "attention.sublayer.to_key.weight": "self_attn.k_proj.weight",
        "attention.sublayer.to_value.weight": "self_attn.v_proj.weight",
        "attention.sublayer.to_output.weight": "self_attn.o_proj.weight",
        "feedforward.norm.gamma": "post_attention_layernorm.weight",
        "feedforward.sublayer.to_gate.weight": "mlp.gate_proj.weight",
        "feedforward.sublayer.to_up.weight": "mlp.up_proj.weight",
        "feedforward.sublayer.narrow.weight": "mlp.down_proj.weight",
    }
    state = {
        f"model.layers.{i}.{its}": own[f"decoder.{i}.{ours}"] for i in range(LAYERS) for ours, its in names.items()
    }
    table = own["embedding.token_table.weight"]
    outside = {"model.embed_tokens.weight": table, "model.norm.weight": own["decoder.norm.gamma"]}
    theirs.load_state_dict(state | outside | {"lm_head.weight": table})
    return theirs


def test_its_numbers_are_hugging_faces(model: Model, run: Capture, llama: LlamaForCausalLM) -> None:
    with torch.no_grad():
        out = llama(run.inputs[0], output_hidden_states=True, output_attentions=True)
    states = ["embedding.output", "decoder.0.output", "decoder.1.output", "decoder.norm.output"]
    for tap, theirs in zip(states, out.hidden_states, strict=True):
        np.testing.assert_allclose(run[tap], theirs[0], atol=2e-5)
    for i, theirs in enumerate(out.attentions):
        np.testing.assert_allclose(run[f"decoder.{i}.attention.weights"], theirs[0], atol=1e-5)
    np.testing.assert_allclose(run["output.logits"], out.logits[0], atol=5e-5)


def test_its_taps_in_their_order(run: Capture) -> None:
    layer = [name.removeprefix("decoder.1.") for name in run.names() if name.startswith("decoder.1.")]
    assert layer == [
        *(f"attention.norm.{word}" for word in ("mean_square", "normalized", "output")),
        *(f"attention.{word}" for word in ("query", "key", "value", "rotated_query", "rotated_key")),
        *(f"attention.{word}" for word in ("shared_key", "scores", "mask", "weights", "shared_value", "context")),
        *(f"attention.{word}" for word in ("output", "skip", "residual")),
        *(f"feedforward.norm.{word}" for word in ("mean_square", "normalized", "output")),
        *(f"feedforward.{word}" for word in ("gate", "activated", "up", "product", "output", "skip", "residual")),
        "output",
    ]
    assert run.names()[:2] == ("embedding.token", "embedding.output")
    sizes = {"head": HEADS, "group": GROUPS, "d_head": D // HEADS, "d_model": D, "d_ff": D_FF, "vocab": len(PIECES)}
    for name in run.names():
        assert run[name].shape == tuple(sizes.get(dim, len(TEXT)) for dim in run.dims(name)), name


def test_heads_of_a_group_ask_one_key(run: Capture) -> None:
    """Head 4 of 6, in 2 groups, asks the keys of the second."""
    query, key = (run[f"decoder.1.attention.rotated_{name}"] for name in ("query", "key"))
    np.testing.assert_allclose(run["decoder.1.attention.scores"][3], query[3] @ key[1].T / 2, rtol=1e-4, atol=1e-5)
    value, weights = run["decoder.1.attention.value"], run["decoder.1.attention.weights"]
    np.testing.assert_allclose(run["decoder.1.attention.context"][2], weights[2] @ value[0], atol=1e-5)


def test_every_tap_has_its_rule_and_its_way_back(run: Capture) -> None:
    chosen = np.random.default_rng(5)
    for tap in run.names():
        for _ in range(3):
            cell = Cell(tap, tuple(int(chosen.integers(size)) for size in run[tap].shape))
            derivation = derive(run, cell)
            if np.isfinite(derivation.captured):
                assert abs(derivation.difference) < 2e-5, cell
            *_, end = path(run, cell)
            assert isinstance(end.derivation.onward, Weight | None)


@pytest.mark.parametrize(
    ("tap", "index"),
    [
        ("decoder.1.attention.norm.mean_square", (3,)),
        ("decoder.1.attention.rotated_key", (1, 5, 3)),
        ("decoder.2.feedforward.activated", (2, 7)),
        ("decoder.2.feedforward.product", (2, 7)),
        ("decoder.0.attention.scores", (4, 5, 1)),
    ],
)
def test_a_cell_that_is_off_shows_by_how_much(run: Capture, tap: str, index: tuple[int, ...]) -> None:
    array = run[tap].copy()
    array[index] += 0.25
    changed = replace(run, arrays={**run.arrays, tap: array})
    assert derive(changed, Cell(tap, index)).difference == pytest.approx(-0.25, abs=2e-5)


def test_how_much_lies_under_a_number(run: Capture) -> None:
    """Under one score of the first layer: a query and a key, each of d_head numbers, turned, over two normed tokens."""
    d_head = D // HEADS
    norms = 2 * (D + D)  # of two tokens: the squares, and γ
    assert products(run, "decoder.0.attention.scores[0,3,1]") == d_head + 2 * d_head * (2 + D) + norms
    assert depth(run, "decoder.0.attention.scores[0,3,1]") == 7


def test_every_norm_is_found_and_is_the_lessons(model: Model, run: Capture) -> None:
    found = norms(run.names())
    assert len(found) == 2 * LAYERS + 1
    lesson = LessonNorm(D, 1e-5)
    for place in found:
        norm = model.parts[str(place)]
        assert isinstance(norm, RMSNorm)
        with torch.no_grad():
            lesson.gamma.copy_(norm.gamma)
            normalized, output = lesson(torch.tensor(run[model.normed(place)])[None])
        np.testing.assert_allclose(run[place.tap("normalized")], normalized[0], atol=1e-6)
        np.testing.assert_allclose(run[place.tap("output")], output[0], atol=1e-6)


@pytest.mark.parametrize("edit", [mute("causal", 2, 5), lift_mask()])
def test_edits_act_and_are_told(model: Model, run: Capture, edit) -> None:
    edited = capture(model, TEXT, edits=[edit])
    assert np.abs(edited["output.logits"] - run["output.logits"]).max() > 1e-4
    assert abs(derive(edited, Cell("decoder.1.attention.context", (4, 2, 1))).difference) < 2e-5


@pytest.mark.parametrize("pad_to", [None, 3])
def test_where_there_is_no_token_it_is_said(model: Model, pad_to: int | None) -> None:
    with pytest.raises(InputError) as refused:
        capture(model, "", pad_to=pad_to)
    assert refused.value.code == "no_tokens" and "tiny-llama" in refused.value.words("zh")


def test_a_text_that_is_too_long_is_cut_at_the_window(model: Model) -> None:
    run = capture(model, "word " * 400)
    assert (len(run.tokens), run.truncated) == (40, 1960) and run["output.logits"].shape == (40, len(PIECES))


def test_heads_that_do_not_divide_into_groups() -> None:
    with pytest.raises(ValueError, match="6 heads do not divide into 4 groups"):
        replace(CONFIG, groups=4)


# ---- writing

PROMPT = list(range(40, 49))
LEARNED = replace(
    CONFIG, position="learned", groups=0, embedding="scaled", activation="gelu", normalization="layer", bias=True
)


@pytest.mark.parametrize("config", [CONFIG, LEARNED], ids=["llama", "gpt"])
def test_with_a_cache_it_writes_the_same(config: Config) -> None:
    model = made(config)
    sampling = Sampling(temperature=1.5, top_k=50, seed=4)
    kept, alone = (Writing(model, PROMPT, sampling, cached=cached) for cached in (True, False))
    assert [step.id for step in kept] == [step.id for step in alone]
    assert kept[0].read == alone[0].read == 9 and (kept[7].read, alone[7].read) == (1, 16)
    for one, other in zip(kept, alone, strict=True):
        np.testing.assert_allclose(one.shares[:5], other.shares[:5], atol=1e-5)
    last = kept[100]
    assert last.last and len(kept.ids) == 40 and isinstance(kept.cache, Cache) and len(kept.cache) == 39
    keys = config.groups or HEADS
    assert kept.cache.nbytes == 2 * LAYERS * 39 * keys * (D // HEADS) * 4


def test_what_is_drawn_is_what_the_seed_and_the_line_say(model: Model) -> None:
    writing = Writing(model, PROMPT, Sampling(temperature=0.7, top_k=20, top_p=0.8, seed=9))
    again = Writing(model, PROMPT, Sampling(temperature=0.7, top_k=20, top_p=0.8, seed=9))
    assert [step.id for step in writing] == [step.id for step in again]
    assert [step.id for step in Writing(model, PROMPT, Sampling(0.7, 20, 0.8, seed=10))] != writing.written
    for step in writing:
        assert step.point is not None and step.count == len(step.ids) <= 20
        assert sum(step.shares) == pytest.approx(1) and list(step.shares) == sorted(step.shares, reverse=True)
        ends = np.cumsum(step.shares)
        at = step.ids.index(step.id)
        assert (ends[at - 1] if at else 0) <= step.point < ends[at] + 1e-12


@pytest.mark.parametrize("cached", [True, False])
def test_where_it_looked_is_what_a_capture_of_all_says(model: Model, run: Capture, cached: bool) -> None:
    """Row by row, the keys kept or not; and it holds no more than it said it would."""
    ids = [token.id for token in run.tokens]
    writing = Writing(model, ids, longest=len(ids) + 4, cached=cached, watched=True)
    steps = list(writing)
    whole = Writing(model, [*ids, *writing.written[:-1]], watched=True)[0]
    assert whole.weights is not None and steps[-1].weights is not None
    np.testing.assert_allclose(steps[-1].weights, whole.weights, atol=1e-6)
    assert steps[0].weights is not None and steps[0].weights.shape == (LAYERS, HEADS, len(ids))
    for layer, rows in enumerate(steps[0].weights):
        np.testing.assert_allclose(rows, run[f"decoder.{layer}.attention.weights"][:, -1], atol=1e-6)
    held = writing.cache.nbytes if writing.cache else 0
    assert held + sum(step.weights.nbytes for step in steps if step.weights is not None) <= writing.nbytes
    assert writing.made == tuple(steps) and Writing(model, ids)[0].weights is None


def test_each_rule_leaves_what_the_next_one_takes_from(model: Model) -> None:
    step = Writing(model, PROMPT, Sampling(0.5, 20, 0.8, seed=9))[0]
    assert [left.rule for left in step.lines] == ["model", "temperature", "top_k", "top_p"]
    assert [left.count for left in step.lines[:3]] == [len(PIECES), len(PIECES), 20]
    kept = tuple(share for share in step.lines[-1].shares if share)
    assert kept == step.shares and step.best[: len(kept)] == step.ids and step.lines[-1].count == step.count
    assert step.lines[0].shares[step.best.index(step.id)] == step.probability
    warm = np.array(step.lines[0].shares) ** 2  # T = .5
    np.testing.assert_allclose(np.array(step.lines[1].shares) / step.lines[1].shares[0], warm / warm[0], rtol=1e-5)


def test_each_share_is_what_the_order_makes_of_it() -> None:
    """Temperature, then top-k, then top-p, by hand."""
    logits = np.log(np.array([0.1, 0.4, 0.3, 0.15, 0.05]))
    own = np.array([0.1, 0.4, 0.3, 0.15, 0.05]) ** 2
    own[[4, 0]] = 0  # top-k leaves three, .16, .09 and .0225; the first two have .917 of them
    own[3] = 0
    left = lines(logits, Sampling(0.5, 3, 0.9))
    np.testing.assert_allclose(left["top_p"], own / own.sum())
    assert [*left] == ["model", "temperature", "top_k", "top_p"] and [*lines(logits, Sampling())] == ["model"]
    assert [(line > 0).sum() for line in left.values()] == [5, 5, 3, 2]
    assert largest(np.array([0.2, 0.3, 0.2, 0.3]), 3).tolist() == [1, 3, 0]
    for wrong in ((-1.0, None, 1.0), (1.0, 0, 1.0), (1.0, None, 0.0), (1.0, None, 1.5), (float("nan"), None, 1.0)):
        with pytest.raises(ValueError):
            Sampling(*wrong)


def test_greedily_the_likeliest_is_taken_and_it_ends_where_it_is_told(model: Model, run: Capture) -> None:
    ids = [token.id for token in run.tokens]
    writing = Writing(model, ids)
    row = run["output.logits"][-1].astype(np.float64)
    first = writing[0]
    assert first.id == row.argmax() and first.point is None and first.count == len(PIECES)
    assert first.probability == pytest.approx(np.exp(row - row.max()).max() / np.exp(row - row.max()).sum(), rel=1e-4)
    assert [step.id for step in Writing(model, ids, end=first.id)] == [first.id]
    assert [step.number for step in Writing(model, ids, longest=len(ids) + 2)] == [0, 1]
    with pytest.raises(IndexError):
        writing[-1]


def test_what_nobody_may_write_has_no_share(model: Model) -> None:
    free = Writing(model, PROMPT)
    first, second = free[0].ids[:2]
    kept = Writing(model, PROMPT, never=[first])[0]
    assert kept.id == second and first not in kept.ids and kept.count == free[0].count - 1
    assert kept.probability == pytest.approx(free[0].shares[1]) and kept.shares[0] > free[0].shares[1]
    drawn = Writing(model, PROMPT, Sampling(2.0, seed=3), never=[first])
    assert all(step.id != first for step in drawn)


def test_edits_act_while_it_writes(model: Model) -> None:
    """A muted head is muted in every step, with a cache too."""
    own, edited, again = (
        Writing(model, PROMPT, edits=edits, cached=cached)
        for edits, cached in (((), True), ("mute:causal.1.2", True), ("mute:causal.1.2", False))
    )
    assert own[0].probability != pytest.approx(edited[0].probability, abs=1e-6)
    assert [step.id for step in edited] == [step.id for step in again]
    with pytest.raises(InputError):
        Writing(model, PROMPT, edits="mute:encoder.1.1")
