"""Where the norms sit: pre-norm and "on the input" against torch's own layers, on the same weights as post-norm."""

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from core import Model, capture
from core.lessons.norm import BatchNorm, RMSNorm
from core.model.config import Config
from core.model.embedding import TransformerEmbedding
from core.model.encoder import EncoderLayer, Stack, padding_mask
from core.model.residual import PreNorm, WithoutNorm
from core.model.taps import name_taps, recording
from core.model.transformer import Transformer
from core.zoo import rearranged

D = 16


def config(norm: str, layers: int = 2, heads: int = 4) -> Config:
    return Config(
        vocab=50, d_model=D, heads=heads, layers=layers, d_ff=24, positions=30, segments=0, epsilon=1e-5, norm=norm,
        activation="relu", position="sinusoidal", decoder_layers=layers, target_positions=20,
    )  # fmt: skip


def shaken(module: nn.Module, seed: int) -> nn.Module:
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.4)
    return module.eval()


def drawn(seed: int, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def torch_layer(ours: EncoderLayer, c: Config) -> nn.TransformerEncoderLayer:
    """torch's pre-norm layer with the weights of ours."""
    theirs = nn.TransformerEncoderLayer(
        D, c.heads, c.d_ff, dropout=0, layer_norm_eps=c.epsilon, batch_first=True, norm_first=True
    )
    state = ours.state_dict()
    attention = "attention.sublayer.to_"
    joined = {
        f"self_attn.in_proj_{part}": torch.cat(
            [state[f"{attention}{name}.{part}"] for name in ("query", "key", "value")]
        )
        for part in ("weight", "bias")
    }
    one_to_one = {
        "self_attn.out_proj": f"{attention}output",
        "linear1": "feedforward.sublayer.widen",
        "linear2": "feedforward.sublayer.narrow",
    }
    for name, own in one_to_one.items():
        joined |= {f"{name}.{part}": state[f"{own}.{part}"] for part in ("weight", "bias")}
    for name, own in {"norm1": "attention.norm", "norm2": "feedforward.norm"}.items():
        joined |= {f"{name}.weight": state[f"{own}.gamma"], f"{name}.bias": state[f"{own}.beta"]}
    theirs.load_state_dict(joined)
    return theirs.eval()


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**31), heads=st.sampled_from([1, 2, 4]), n=st.integers(1, 9), layers=st.integers(1, 4))
def test_a_pre_norm_stack_against_torch(seed: int, heads: int, n: int, layers: int) -> None:
    """norm_first in every layer, and one norm at the end."""
    c = config("pre", layers, heads)
    ours = cast(Stack, shaken(Stack(c), seed))
    x = drawn(seed, 2, n, D)
    hidden = torch.zeros(2, n, dtype=torch.bool)
    with torch.no_grad():
        output = ours(x, padding_mask(hidden))
        expected = x
        for layer in ours:
            expected = torch_layer(layer, c)(expected, src_key_padding_mask=torch.zeros(2, n))
        last = cast(Any, ours.norm)
        expected = nn.functional.layer_norm(expected, (D,), last.gamma, last.beta, c.epsilon)
    torch.testing.assert_close(output, expected, atol=2e-5, rtol=2e-5)


@pytest.mark.parametrize("kind", [PreNorm, WithoutNorm])
@pytest.mark.parametrize("seed", range(5))
def test_a_residual_by_hand(kind: type, seed: int) -> None:
    sublayer = nn.Linear(D, D)
    wrapped = shaken(kind(sublayer, config("pre")), seed)
    name_taps(wrapped)
    x = drawn(seed, 1, 3, D)
    with torch.no_grad(), recording() as tape:
        output = wrapped(x)
    norm = cast(Any, wrapped).norm if kind is PreNorm else None
    given_to_it = x if norm is None else nn.functional.layer_norm(x, (D,), norm.gamma, norm.beta, 1e-5)
    torch.testing.assert_close(output, x + sublayer(given_to_it))
    torch.testing.assert_close(tape.tensors["skip"], x[0])
    torch.testing.assert_close(tape.tensors["residual"], output[0])


def test_cross_attention_of_pre_norm_normalises_the_asking_side_alone() -> None:
    """The memory comes normed from the encoder's end; only what asks goes through this norm."""
    seen = []

    class Look(nn.Module):
        def forward(self, x: Tensor, source: Tensor) -> Tensor:
            seen.append((x, source))
            return x

    wrapped = cast(PreNorm, shaken(PreNorm(Look(), config("pre")), 1))
    x, memory = drawn(1, 1, 3, D), drawn(2, 1, 4, D)
    wrapped(x, memory)
    wrapped(x, x)
    assert seen[0][1] is memory
    assert seen[1][0] is seen[1][1] and not torch.equal(seen[1][0], x)


def network(norm: str) -> Transformer:
    torch.manual_seed(3)
    return Transformer(config(norm)).eval()


def test_names_where_the_norms_sit() -> None:
    """Post-norm's names are as they were; pre-norm has one norm more in each stack, "input" one where vectors enter."""
    taps = {norm: list(name_taps(network(norm))) for norm in ("post", "pre", "input")}
    norms = {norm: [n.removesuffix(".mean") for n in names if n.endswith(".mean")] for norm, names in taps.items()}
    inside = [
        *(f"encoder.{i}.{part}.norm" for i in range(2) for part in ("attention", "feedforward")),
        *(
            f"decoder.{i}.{part}.norm"
            for i in range(2)
            for part in ("self_attention", "cross_attention", "feedforward")
        ),
    ]
    assert len(taps["post"]) == 136 and sorted(norms["post"]) == sorted(inside)
    assert sorted(norms["pre"]) == sorted([*inside, "encoder.norm", "decoder.norm"])
    assert sorted(norms["input"]) == ["decoder.embedding.norm", "embedding.norm"]


@pytest.mark.parametrize("norm", ["pre", "input"])
def test_a_whole_network_runs_and_meets_every_tap(norm: str) -> None:
    net = network(norm)
    names = name_taps(net)
    source, target = torch.tensor([[4, 5, 6]]), torch.tensor([[1, 7]])
    nothing = torch.zeros_like(source, dtype=torch.bool), torch.zeros_like(target, dtype=torch.bool)
    with torch.no_grad(), recording() as tape:
        net(source, nothing[0], target, nothing[1])
    assert set(tape.tensors) == set(names)


def test_on_the_input_is_a_norm_of_the_sum() -> None:
    embedding = cast(TransformerEmbedding, network("input").embedding)
    name_taps(embedding)
    with torch.no_grad(), recording() as tape:
        output = embedding(torch.tensor([[4, 5, 6]]))
    torch.testing.assert_close(output[0], nn.functional.layer_norm(tape.tensors["sum"], (D,), eps=1e-5))


# ---------------------------------------------------------------------------------------------------
# The same weights


def test_rearranged_shares_every_weight(minilm: Model) -> None:
    for norm in ("post", "pre", "input"):
        other = rearranged(minilm, norm)
        own = dict(minilm.network.named_parameters())
        for name, parameter in other.network.named_parameters():
            if name in own:
                assert parameter.data_ptr() == own[name].data_ptr(), name
            else:
                assert name.startswith("encoder.norm.") and norm == "pre"
                assert torch.equal(parameter, torch.ones(384) if name.endswith("gamma") else torch.zeros(384))
        gone = {name for name in own if name not in dict(other.network.named_parameters())}
        assert all(".norm." in name and norm == "input" for name in gone)
    assert minilm.config.norm == "post" and len(minilm.tap_dims) == 153


def test_rearranged_as_it_was_gives_the_same_numbers(minilm: Model) -> None:
    text = "The cat sat on the mat."
    own, again = capture(minilm, text), capture(rearranged(minilm, "post"), text)
    assert own.names() == again.names()
    assert all(np.array_equal(own[name], again[name]) for name in own.names())


def test_another_arrangement_there_is_none(minilm: Model) -> None:
    with pytest.raises(KeyError):
        rearranged(minilm, "sandwich")


def test_minilm_with_the_norms_elsewhere_by_hand(minilm: Model) -> None:
    """The first layer of each arrangement, from the captured entrance, by plain tensor arithmetic."""
    text, first = "The cat sat on the mat.", cast(Any, minilm.network.get_submodule("encoder.0"))
    attention, feedforward = first.attention, first.feedforward
    norm = lambda x, n: nn.functional.layer_norm(x, (384,), n.gamma, n.beta, 1e-12)  # noqa: E731
    for arrangement in ("pre", "input"):
        run = capture(rearranged(minilm, arrangement), text)
        x = torch.tensor(run["embedding.output"])[None]
        mask = torch.zeros(1, x.shape[1], x.shape[1])
        with torch.no_grad():
            a = norm(x, attention.norm) if arrangement == "pre" else x
            x = x + attention.sublayer(a, a, mask)
            np.testing.assert_allclose(run["encoder.0.attention.residual"], x[0].numpy(), atol=5e-5)
            x = x + feedforward.sublayer(norm(x, feedforward.norm) if arrangement == "pre" else x)
        np.testing.assert_allclose(run["encoder.0.output"], x[0].numpy(), atol=5e-5)


def test_what_it_does_to_the_stream(minilm: Model) -> None:
    """What the page says: post-norm holds the spread, pre-norm lets it grow until the end, "input" loses it."""
    spread = {}
    for norm in ("post", "pre", "input"):
        run = capture(rearranged(minilm, norm), "The cat sat on the mat.")
        spread[norm] = [run[f"encoder.{i}.output"].std(-1).mean() for i in range(6)]
    assert max(spread["post"]) < 0.7
    assert 2 < spread["pre"][-1] < 6 and spread["pre"][0] < spread["pre"][2]
    assert spread["input"][-1] > 100
    assert capture(rearranged(minilm, "pre"), "x")["encoder.norm.output"].std(-1) == pytest.approx(1, abs=1e-5)


# ---------------------------------------------------------------------------------------------------
# Other norms


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**31), n=st.integers(1, 9), d=st.integers(1, 40), epsilon=st.sampled_from([1e-6, 1e-5, 0.1])
)
def test_rms_norm_against_torch(seed: int, n: int, d: int, epsilon: float) -> None:
    ours = cast(RMSNorm, shaken(RMSNorm(d, epsilon), seed))
    theirs = nn.RMSNorm(d, epsilon)
    theirs.load_state_dict({"weight": ours.gamma})
    x = drawn(seed, 1, n, d) * 3 + 1
    with torch.no_grad():
        torch.testing.assert_close(ours(x)[1], theirs(x), atol=1e-5, rtol=1e-5)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**31), n=st.integers(2, 9), d=st.integers(1, 40), epsilon=st.sampled_from([1e-5, 0.1]))
def test_batch_norm_against_torch(seed: int, n: int, d: int, epsilon: float) -> None:
    ours = cast(BatchNorm, shaken(BatchNorm(d, epsilon), seed))
    theirs = nn.BatchNorm1d(d, epsilon, track_running_stats=False)
    theirs.load_state_dict({"weight": ours.gamma, "bias": ours.beta})
    x = drawn(seed, 1, n, d) * 3 + 1
    with torch.no_grad():
        torch.testing.assert_close(ours(x)[1], theirs(x[0])[None], atol=2e-4, rtol=1e-4)


def test_config_says_where_and_no_forward_asks_again() -> None:
    assert {type(layer.attention).__name__ for layer in Stack(config("pre"))} == {"PreNorm"}
    assert {type(layer.attention).__name__ for layer in Stack(config("input"))} == {"WithoutNorm"}
    assert {type(layer.attention).__name__ for layer in Stack(replace(config("pre"), norm="post"))} == {"PostNorm"}
