"""Attention that knows distances, each kind against other people's code or the paper's formula written out."""

import math
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.model.attention import MultiHeadAttention
from core.model.config import Config
from core.model.language import LanguageModel
from core.model.position import POSITIONS, RELATIVE, waves
from core.model.relative import (
    SELF_ATTENTIONS,
    RotaryAttention,
    ShawAttention,
    TransformerXLAttention,
    buckets,
    distances,
    self_attention,
    slopes,
    turn,
)
from core.model.taps import name_taps, recording

ALL = ("none", "sinusoidal", "learned", *RELATIVE)


def config(position: str, heads: int = 2, d_head: int = 6, **more) -> Config:
    sizes = {"vocab": 30, "layers": 2, "d_ff": 20, "positions": 64, "segments": 0, "dropout": 0.0, "norm": "pre"}
    return Config(d_model=heads * d_head, heads=heads, position=position, **{**sizes, **more})


def drawn(position: str, seed: int = 0, **sizes) -> MultiHeadAttention:
    torch.manual_seed(seed)
    module = self_attention(config(position, **sizes)).double()
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.4).requires_grad_(False)
    return module.eval()


def queries_and_keys(heads: int, n: int, d_head: int, seed: int = 1) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    query, key = (torch.randn(1, heads, n, d_head, dtype=torch.float64, generator=generator) for _ in range(2))
    return query, key


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 20), st.integers(1, 16))
def test_rotary_turns_as_llama_does(n: int, half: int) -> None:
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    d = 2 * half
    query, key = (x.float() for x in queries_and_keys(2, n, d))
    theirs = LlamaRotaryEmbedding(LlamaConfig(hidden_size=2 * d, num_attention_heads=2, head_dim=d))
    cos, sin = theirs(query, torch.arange(n)[None])
    wanted = apply_rotary_pos_emb(query, key, cos, sin)
    for ours, expected in zip((turn(query, range(n)), turn(key, range(n))), wanted, strict=True):
        assert torch.allclose(ours, expected, atol=1e-5)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_rotary_knows_the_distance_alone(i: int, j: int, moved: int) -> None:
    query, key = (x[0, 0] for x in queries_and_keys(1, 1, 8))

    def score(a: int, b: int) -> float:
        return float(turn(query, range(a, a + 1)) @ turn(key, range(b, b + 1)).T)

    assert score(i, j) == pytest.approx(score(i + moved, j + moved), abs=1e-9)


@pytest.mark.parametrize("heads", [1, 2, 3, 4, 6, 8, 12, 16, 71])
def test_alibi_has_blooms_slopes(heads: int) -> None:
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    theirs = build_alibi_tensor(torch.ones(1, 5), heads, torch.float32)  # head, 1, key: slope · key
    assert torch.allclose(slopes(heads), theirs[:, 0, 1])
    module = self_attention(config("alibi", heads=heads))
    query, key = (x.float() for x in queries_and_keys(heads, 5, 6))
    causal = torch.full((5, 5), -math.inf).triu(1)
    ours = torch.softmax(module.score(query, key) + causal, -1)
    wanted = torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(6) + theirs[None] + causal, -1)
    assert torch.allclose(ours, wanted, atol=1e-6)  # softmax does not see what is the same along a row


@settings(max_examples=20, deadline=None)
@given(st.integers(4, 33).map(lambda n: 2 * n), st.integers(0, 300))
def test_t5_has_hugging_faces_buckets(count: int, reach: int) -> None:
    from transformers.models.t5.modeling_t5 import T5Attention

    far = torch.arange(-reach, reach + 1)
    theirs = T5Attention._relative_position_bucket(far, bidirectional=True, num_buckets=count, max_distance=128)
    assert torch.equal(buckets(far, count), theirs)


def test_t5_adds_its_bucket() -> None:
    module = drawn("t5")
    query, key = queries_and_keys(2, 9, 6)
    added = module.score(query, key) - MultiHeadAttention.score(module, query, key)
    table = module.get_submodule("table").get_parameter("weight")
    for i, j, h in product(range(9), range(9), range(2)):
        assert float(added[0, h, i, j]) == pytest.approx(float(table[buckets(torch.tensor(j - i)), h]))


def test_shaw_is_the_formula_of_the_paper() -> None:
    module = drawn("shaw", d_head=4)
    assert isinstance(module, ShawAttention)
    query, key = queries_and_keys(2, 21, 4)
    ours = module.score(query, key)
    for i, j, h in product((0, 3, 20), range(21), range(2)):
        a = module.table.weight[max(-16, min(16, j - i)) + 16]
        assert float(ours[0, h, i, j]) == pytest.approx(float(query[0, h, i] @ (key[0, h, j] + a)) / 2)


def test_transformer_xl_is_the_four_terms_of_the_paper() -> None:
    module = drawn("transformer_xl", d_head=4)
    assert isinstance(module, TransformerXLAttention)
    query, key = queries_and_keys(2, 7, 4)
    ours = module.score(query, key)
    for i, j, h in product(range(7), range(7), range(2)):
        wave = waves(torch.tensor([i - j]), 8)[0]
        r = (module.to_relative.weight @ wave)[4 * h : 4 * h + 4]
        q, k, u, v = query[0, h, i], key[0, h, j], module.u[h], module.v[h]
        assert float(ours[0, h, i, j]) == pytest.approx(float(q @ k + q @ r + u @ k + v @ r) / 2)


@pytest.mark.parametrize("position", RELATIVE)
def test_the_last_queries_of_longer_keys_are_scored_alike(position: str) -> None:
    """As with a cache, or a memory of the segment before."""
    module = drawn(position)
    query, key = queries_and_keys(2, 12, 6)
    assert torch.allclose(module.score(query, key)[:, :, 8:], module.score(query[:, :, 8:], key))
    assert distances(2, 5).tolist() == [[-3, -2, -1, 0, 1], [-4, -3, -2, -1, 0]]


@pytest.mark.parametrize("position", ALL)
def test_every_kind_is_an_option_of_config(position: str) -> None:
    torch.manual_seed(0)
    network = LanguageModel(config(position)).eval()
    taps = name_taps(network)
    ids = torch.randint(30, (1, 20))
    with torch.no_grad(), recording() as tape:
        logits, _ = network(ids)
        changed, _ = network(torch.cat([ids[:, :-1], 29 - ids[:, -1:]], 1))
    assert logits.shape == (1, 20, 30)
    assert torch.equal(logits[:, :-1], changed[:, :-1])  # causal: nobody sees what comes later
    assert all(tape.tensors[name].dim() == len(dims) for name, dims in taps.items())
    assert (float(tape.tensors["embedding.position"].abs().max()) == 0) == (position not in ("learned", "sinusoidal"))
    assert set(SELF_ATTENTIONS) == set(RELATIVE) and set(POSITIONS) == set(ALL)


@pytest.mark.parametrize("position", ["sinusoidal", "learned", *RELATIVE])
def test_order_is_known_and_without_any_it_is_not(position: str) -> None:
    """One attention that looks both ways: of swapped tokens the first row's vector changes, unless nobody tells."""
    x = torch.randn(1, 6, 12, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    swapped = x[:, [0, 2, 1, 3, 4, 5]]
    nothing = torch.zeros(1, 6, 6, dtype=torch.float64)
    module = drawn(position if position in RELATIVE else "none")
    if position in RELATIVE:
        assert not torch.allclose(module(x, x, nothing)[0, 0], module(swapped, swapped, nothing)[0, 0])
    plain = drawn("none")
    assert torch.allclose(plain(x, x, nothing)[0, 0], plain(swapped, swapped, nothing)[0, 0])


def test_rotary_needs_pairs() -> None:
    module = RotaryAttention(config("rotary", d_head=5))
    with pytest.raises(RuntimeError):
        module.score(*(x.float() for x in queries_and_keys(2, 3, 5)))
