"""The encoder-decoder against torch.nn's layers with the same weights, its masks, and its exact taps."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from core.model.config import Config
from core.model.decoder import DecoderLayer, causal_mask
from core.model.encoder import EncoderLayer, padding_mask
from core.model.norm import LayerNorm
from core.model.position import waves
from core.model.taps import Tap, name_taps, recording
from core.model.transformer import Transformer

NORM = ("norm.mean", "norm.variance", "norm.normalized", "norm.output")
EMBEDDING = ("token", "scaled", "position", "sum", "output")
ATTENTION = ("query", "key", "value", "scores", "mask", "weights", "context", "output", "skip", "residual", *NORM)
FEEDFORWARD = ("hidden", "activated", "output", "skip", "residual", *NORM)


def layer_names(place: str, attentions: tuple[str, ...]) -> list[str]:
    return [
        *(f"{place}.{attention}.{part}" for attention in attentions for part in ATTENTION),
        *(f"{place}.feedforward.{part}" for part in FEEDFORWARD),
        f"{place}.output",
    ]


NAMES = (
    *(f"embedding.{part}" for part in EMBEDDING),
    *(name for i in range(2) for name in layer_names(f"encoder.{i}", ("attention",))),
    *(f"decoder.embedding.{part}" for part in EMBEDDING),
    *(name for i in range(2) for name in layer_names(f"decoder.{i}", ("self_attention", "cross_attention"))),
    "output.logits",
    "output.probabilities",
)


def config(vocab: int = 50, d_model: int = 16, heads: int = 4, d_ff: int = 24, layers: int = 2) -> Config:
    return Config(
        vocab=vocab,
        d_model=d_model,
        heads=heads,
        layers=layers,
        d_ff=d_ff,
        positions=30,
        segments=0,
        activation="relu",
        position="sinusoidal",
        decoder_layers=layers,
        target_positions=20,
    )


def shaken(module: nn.Module, seed: int) -> nn.Module:
    """With every weight drawn anew: biases, γ and β as well, which start at 0 and 1."""
    generator = torch.Generator().manual_seed(seed)
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.3, generator=generator)
    return module.eval()


def small(seed: int = 0) -> Transformer:
    network = Transformer(config())
    name_taps(network)
    shaken(network, seed)
    return network


def nothing(ids: Tensor) -> Tensor:
    return torch.zeros_like(ids, dtype=torch.bool)


def ids(seed: int, *shape: int) -> Tensor:
    return torch.randint(4, 50, shape, generator=torch.Generator().manual_seed(seed))


# ---------------------------------------------------------------------------------------------------
# Taps


def test_the_exact_ordered_list_of_names() -> None:
    network = small()
    source, target = ids(0, 1, 7), ids(1, 1, 5)
    with torch.no_grad(), recording() as tape:
        network(source, nothing(source), target, nothing(target))
    assert len(NAMES) == 136
    assert tuple(tape.tensors) == NAMES
    assert set(name_taps(network)) == set(NAMES)


def test_dimensions_and_shapes() -> None:
    network = small()
    dims = name_taps(network)
    source, target = ids(0, 1, 7), ids(1, 1, 5)
    with torch.no_grad(), recording() as tape:
        network(source, nothing(source), target, nothing(target))
    sizes = {"source": 7, "target": 5, "head": 4, "d_model": 16, "d_head": 4, "d_ff": 24, "vocab": 50}
    for name, tensor in tape.tensors.items():
        queries = 5 if name.startswith("decoder") else 7
        keys = 5 if ".self_attention." in name else 7
        expected = tuple({**sizes, "query": queries, "key": keys}[dim] for dim in dims[name])
        assert tensor.shape == expected, name
    assert dims["embedding.scaled"] == ("source", "d_model")
    assert dims["decoder.embedding.sum"] == ("target", "d_model")
    assert dims["encoder.0.attention.norm.mean"] == ("source",)
    assert dims["decoder.1.cross_attention.weights"] == ("head", "query", "key")
    assert dims["decoder.1.cross_attention.mask"] == ("query", "key")
    assert dims["decoder.1.cross_attention.output"] == ("target", "d_model")
    assert dims["decoder.1.feedforward.hidden"] == ("target", "d_ff")
    assert dims["output.logits"] == dims["output.probabilities"] == ("target", "vocab")
    assert not any("token" in names for names in dims.values())


def test_taps_add_nothing_to_the_state() -> None:
    network = small()
    state = network.state_dict()
    assert sum(isinstance(module, Tap) for module in network.modules()) == 136
    assert len(state) == 3 + 2 * 16 + 2 * 26  # the table's three places; matrices, biases and norms of the layers
    assert not any("position" in name for name in state)


# ---------------------------------------------------------------------------------------------------
# One matrix, positions, scaling


def test_one_matrix_stands_in_three_places() -> None:
    network = small()
    table = network.embedding.token_table.weight
    assert network.decoder.embedding.token_table.weight is table
    assert network.output.project.weight is table
    assert table.shape == (50, 16)
    names = [name for name, parameter in network.named_parameters() if parameter.shape == (50, 16)]
    assert names == ["embedding.token_table.weight"]
    source, target = ids(0, 1, 7), ids(1, 1, 5)
    with torch.no_grad(), recording() as tape:
        network(source, nothing(source), target, nothing(target))
    logits = tape.tensors["decoder.1.output"] @ table.T  # h Eᵀ, with h the last hidden state and no bias
    torch.testing.assert_close(tape.tensors["output.logits"], logits)
    torch.testing.assert_close(tape.tensors["output.probabilities"], logits.softmax(-1))


def test_the_table_is_scaled_by_the_root_of_d_then_positions_are_added() -> None:
    network = small()
    source, target = ids(0, 1, 7), ids(1, 1, 5)
    with torch.no_grad(), recording() as tape:
        network(source, nothing(source), target, nothing(target))
    rows = network.embedding.token_table.weight[source[0]].detach()
    torch.testing.assert_close(tape.tensors["embedding.scaled"], rows * 4)
    torch.testing.assert_close(tape.tensors["embedding.sum"], rows * 4 + waves(torch.arange(7), 16).float())
    torch.testing.assert_close(tape.tensors["decoder.embedding.position"], waves(torch.arange(5), 16).float())


def test_waves_are_the_papers() -> None:
    table = waves(torch.arange(100), 12).float()
    for position in (0, 1, 50, 99):
        for i in range(6):
            angle = position / 10000 ** (2 * i / 12)
            assert table[position, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[position, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)


def test_an_odd_width_has_waves_too() -> None:
    assert waves(torch.arange(3), 5).float().shape == (3, 5)


def test_a_fresh_table_has_variance_one_over_d() -> None:
    torch.manual_seed(0)
    network = Transformer(config(vocab=2000, d_model=64))
    assert network.embedding.token_table.weight.var().item() == pytest.approx(1 / 64, rel=0.05)
    assert all((p == 0).all() for name, p in network.named_parameters() if name.endswith("bias"))


# ---------------------------------------------------------------------------------------------------
# Against torch.nn


def joined_projections(ours: nn.Module, theirs: str) -> dict[str, Tensor]:
    """Our W^Q, W^K and W^V as torch keeps them: one above the other."""
    parts = [ours.get_submodule(f"to_{part}") for part in ("query", "key", "value")]
    out = ours.get_submodule("to_output")
    return {
        f"{theirs}.in_proj_weight": torch.cat([part.get_parameter("weight") for part in parts]),
        f"{theirs}.in_proj_bias": torch.cat([part.get_parameter("bias") for part in parts]),
        f"{theirs}.out_proj.weight": out.get_parameter("weight"),
        f"{theirs}.out_proj.bias": out.get_parameter("bias"),
    }


def norm(ours: nn.Module, theirs: str) -> dict[str, Tensor]:
    assert isinstance(ours, LayerNorm)
    return {f"{theirs}.weight": ours.gamma, f"{theirs}.bias": ours.beta}


def feedforward(ours: nn.Module) -> dict[str, Tensor]:
    return {
        f"linear{number}.{kind}": ours.get_parameter(f"{part}.{kind}")
        for number, part in ((1, "widen"), (2, "narrow"))
        for kind in ("weight", "bias")
    }


def torch_encoder_layer(ours: EncoderLayer, c: Config) -> nn.TransformerEncoderLayer:
    theirs = nn.TransformerEncoderLayer(c.d_model, c.heads, c.d_ff, 0.1, "relu", c.epsilon, batch_first=True)
    theirs.load_state_dict(
        joined_projections(ours.attention.sublayer, "self_attn")
        | feedforward(ours.feedforward.sublayer)
        | norm(ours.attention.norm, "norm1")
        | norm(ours.feedforward.norm, "norm2")
    )
    return theirs.eval()


def torch_decoder_layer(ours: DecoderLayer, c: Config) -> nn.TransformerDecoderLayer:
    theirs = nn.TransformerDecoderLayer(c.d_model, c.heads, c.d_ff, 0.1, "relu", c.epsilon, batch_first=True)
    theirs.load_state_dict(
        joined_projections(ours.self_attention.sublayer, "self_attn")
        | joined_projections(ours.cross_attention.sublayer, "multihead_attn")
        | feedforward(ours.feedforward.sublayer)
        | norm(ours.self_attention.norm, "norm1")
        | norm(ours.cross_attention.norm, "norm2")
        | norm(ours.feedforward.norm, "norm3")
    )
    return theirs.eval()


def padding(lengths: list[int], n: int) -> Tensor:
    return torch.arange(n)[None] >= torch.tensor(lengths)[:, None]


SHAPES = given(
    seed=st.integers(0, 2**31),
    heads=st.sampled_from([1, 2, 4]),
    lengths=st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=4),
)


@settings(deadline=None, max_examples=60)
@SHAPES
def test_an_encoder_layer_against_torch(seed: int, heads: int, lengths: list[tuple[int, int]]) -> None:
    """Batches of any lengths, padding masked."""
    c = config(heads=heads)
    ours = EncoderLayer(c)
    shaken(ours, seed)
    theirs = torch_encoder_layer(ours, c)
    n = max(source for source, _ in lengths)
    x = torch.randn(len(lengths), n, 16, generator=torch.Generator().manual_seed(seed))
    hidden = padding([source for source, _ in lengths], n)
    with torch.no_grad():
        output = ours(x, padding_mask(hidden))
        # With a mask in floats torch takes its slow, written-out path, the one that training takes.
        expected = theirs(x, src_key_padding_mask=torch.zeros(hidden.shape).masked_fill(hidden, -torch.inf))
    torch.testing.assert_close(output[~hidden], expected[~hidden], atol=1e-5, rtol=1e-5)


@settings(deadline=None, max_examples=60)
@SHAPES
def test_a_decoder_layer_against_torch(seed: int, heads: int, lengths: list[tuple[int, int]]) -> None:
    """Causal mask, and padding of source and target."""
    c = config(heads=heads)
    ours = DecoderLayer(c)
    shaken(ours, seed)
    theirs = torch_decoder_layer(ours, c)
    n, m = max(source for source, _ in lengths), max(target for _, target in lengths)
    generator = torch.Generator().manual_seed(seed)
    memory = torch.randn(len(lengths), n, 16, generator=generator)
    x = torch.randn(len(lengths), m, 16, generator=generator)
    source_hidden = padding([source for source, _ in lengths], n)
    hidden = padding([target for _, target in lengths], m)
    with torch.no_grad():
        output = ours(x, memory, causal_mask(m) + padding_mask(hidden), padding_mask(source_hidden, m))
        expected = theirs(
            x,
            memory,
            tgt_mask=nn.Transformer.generate_square_subsequent_mask(m),
            tgt_key_padding_mask=torch.zeros(hidden.shape).masked_fill(hidden, -torch.inf),
            memory_key_padding_mask=torch.zeros(source_hidden.shape).masked_fill(source_hidden, -torch.inf),
        )
    torch.testing.assert_close(output[~hidden], expected[~hidden], atol=1e-5, rtol=1e-5)


def test_both_stacks_against_torch() -> None:
    """Embeddings to logits, with torch's stacks of layers in the middle."""
    network, c = small(3), config()
    encoder = nn.ModuleList(torch_encoder_layer(layer, c) for layer in network.encoder)  # type: ignore[arg-type]
    decoder = nn.ModuleList(torch_decoder_layer(layer, c) for layer in network.decoder.layers)  # type: ignore[arg-type]
    source, target = ids(4, 1, 9), ids(5, 1, 6)
    table = network.embedding.token_table.weight
    with torch.no_grad():
        logits, probabilities = network(source, nothing(source), target, nothing(target))
        x, y = (
            table[source] * 4 + waves(torch.arange(9), 16).float(),
            table[target] * 4 + waves(torch.arange(6), 16).float(),
        )
        for layer in encoder:
            x = layer(x)
        for layer in decoder:
            y = layer(y, x, tgt_mask=nn.Transformer.generate_square_subsequent_mask(6))
        expected = y @ table.T
    torch.testing.assert_close(logits, expected, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(probabilities, expected.softmax(-1), atol=1e-5, rtol=1e-5)


# ---------------------------------------------------------------------------------------------------
# Masks


def test_the_causal_mask() -> None:
    inf = -math.inf
    assert causal_mask(3).tolist() == [[[0, inf, inf], [0, 0, inf], [0, 0, 0]]]
    assert causal_mask(1).tolist() == [[[0]]]


def test_the_cross_mask_hides_padding_from_every_query() -> None:
    mask = padding_mask(torch.tensor([[False, False, True]]), 2)
    assert mask.tolist() == [[[0, 0, -math.inf]] * 2]


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**31), length=st.integers(2, 12), data=st.data())
def test_a_later_target_token_never_changes_an_earlier_output(seed: int, length: int, data: st.DataObject) -> None:
    network = small(seed % 5)
    source, target = ids(seed, 1, 6), ids(seed + 1, 1, length)
    first = data.draw(st.integers(1, length - 1))
    changed = target.clone()
    changed[:, first:] = ids(seed + 2, 1, length - first)
    with torch.no_grad():
        before, _ = network(source, nothing(source), target, nothing(target))
        after, _ = network(source, nothing(source), changed, nothing(changed))
    assert torch.equal(before[:, :first], after[:, :first])


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**31),
    lengths=st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=4),
    more=st.integers(0, 5),
)
def test_padding_never_changes_a_result(seed: int, lengths: list[tuple[int, int]], more: int) -> None:
    """Each row of a padded batch is what it is alone; and it does not matter what the padding holds."""
    network = small(seed % 5)
    n, m = max(s for s, _ in lengths) + more, max(t for _, t in lengths) + more
    sources, targets = ids(seed, len(lengths), n), ids(seed + 1, len(lengths), m)
    source_hidden, hidden = padding([s for s, _ in lengths], n), padding([t for _, t in lengths], m)
    with torch.no_grad():
        together, _ = network(sources, source_hidden, targets, hidden)
        other, _ = network(sources.masked_fill(source_hidden, 0), source_hidden, targets.masked_fill(hidden, 0), hidden)
        torch.testing.assert_close(together[~hidden], other[~hidden], atol=1e-6, rtol=0)
        for row, (s, t) in enumerate(lengths):
            source, target = sources[row : row + 1, :s], targets[row : row + 1, :t]
            alone, _ = network(source, nothing(source), target, nothing(target))
            torch.testing.assert_close(together[row, :t], alone[0], atol=1e-5, rtol=1e-5)


def test_gradients_reach_value_and_weights_side_by_side() -> None:
    """α and V are both inputs of their product: neither's gradient passes through the other."""
    network = small()
    source, target = ids(0, 1, 7), ids(1, 1, 5)
    logits, _ = network(source, nothing(source), target, nothing(target))
    logits.sum().backward()
    for part in ("to_query", "to_key", "to_value", "to_output"):
        gradient = network.get_parameter(f"decoder.layers.0.cross_attention.sublayer.{part}.weight").grad
        assert gradient is not None and gradient.abs().sum() > 0
    # the one matrix collects from all three places
    assert network.embedding.token_table.weight.grad is not None
