"""What a capture holds: every tap by name, in order and shape, and nobody else's numbers in it."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from core import Capture, Model, capture
from core.capture import network_input
from core.errors import InputError
from core.model.taps import Tap, recording
from tests.profiles import chosen, examples

NORM = ("norm.mean", "norm.variance", "norm.normalized", "norm.output")
EMBEDDING = ("token", "position", "segment", "sum", *NORM, "output")
ATTENTION = ("query", "key", "value", "scores", "mask", "weights", "context", "output")
AROUND = ("skip", "residual", *NORM)  # what surrounds either part of a layer
FEEDFORWARD = ("hidden", "activated", "output")

NAMES = tuple(
    [f"embedding.{part}" for part in EMBEDDING]
    + [
        name
        for i in range(6)
        for name in (
            *(f"encoder.{i}.attention.{part}" for part in (*ATTENTION, *AROUND)),
            *(f"encoder.{i}.feedforward.{part}" for part in (*FEEDFORWARD, *AROUND)),
            f"encoder.{i}.output",
        )
    ]
)


# ---------------------------------------------------------------------------------------------------
# Names, dimensions, arrays


def test_the_exact_ordered_list_of_names(the_cat: Capture) -> None:
    assert len(NAMES) == 153
    assert the_cat.names() == NAMES


def test_every_tap_of_the_model_is_met_and_has_dimensions(minilm: Model) -> None:
    assert set(minilm.tap_dims) == set(NAMES)


def test_dimensions_are_those_of_the_design(the_cat: Capture) -> None:
    expected = {
        "embedding.token": ("token", "d_model"),
        "embedding.norm.mean": ("token",),
        "encoder.5.attention.query": ("head", "query", "d_head"),
        "encoder.5.attention.key": ("head", "key", "d_head"),
        "encoder.5.attention.value": ("head", "key", "d_head"),
        "encoder.5.attention.scores": ("head", "query", "key"),
        "encoder.5.attention.weights": ("head", "query", "key"),
        "encoder.5.attention.mask": ("query", "key"),
        "encoder.5.attention.context": ("head", "query", "d_head"),
        "encoder.5.feedforward.hidden": ("token", "d_ff"),
        "encoder.5.feedforward.norm.variance": ("token",),
        "encoder.5.output": ("token", "d_model"),
    }
    assert {name: the_cat.dims(name) for name in expected} == expected


@pytest.mark.parametrize("text", [0, 3, 5, 7])
@pytest.mark.parametrize("pad_to", [None, 40])
def test_every_shape_against_its_dimensions(minilm: Model, texts: Sequence[str], text: int, pad_to: int | None) -> None:
    run = capture(minilm, texts[text], pad_to=pad_to)
    n, config = len(run.tokens), minilm.config
    assert pad_to in (None, n)
    sizes = {"token": n, "query": n, "key": n, "head": 12, "d_model": 384, "d_head": 32, "d_ff": 1536}
    assert (config.heads, config.d_model, config.d_head, config.d_ff) == (12, 384, 32, 1536)
    for name in run.names():
        assert run[name].shape == tuple(sizes[dim] for dim in run.dims(name)), name


def test_arrays_are_float32_and_read_only(the_cat: Capture) -> None:
    for name in the_cat.names():
        assert the_cat[name].dtype == np.float32, name
        with pytest.raises(ValueError, match="read-only"):
            the_cat[name][...] = 0


def test_labels_are_the_tokens_where_an_axis_is_made_of_tokens(the_cat: Capture) -> None:
    tokens = ("[CLS]", "the", "cat", "sat", "on", "the", "mat", ".", "[SEP]")
    weights = "encoder.0.attention.weights"
    assert the_cat.labels(weights, "query") == tokens
    assert the_cat.labels(weights, "key") == tokens
    assert the_cat.labels("embedding.sum", "token") == tokens
    assert the_cat.labels(weights, "head") is None
    with pytest.raises(KeyError, match=r"encoder\.0\.attention\.weights has no dimension token"):
        the_cat.labels(weights, "token")


def test_what_belongs_together_adds_up(the_cat: Capture) -> None:
    """The names say what they hold: sums, shares and normed rows, by other means than the model's own."""
    at = "encoder.3.attention"
    total = sum(the_cat[f"embedding.{part}"] for part in ("token", "position", "segment"))
    np.testing.assert_allclose(the_cat["embedding.sum"], total, atol=1e-6)
    np.testing.assert_allclose(the_cat[f"{at}.residual"], the_cat[f"{at}.skip"] + the_cat[f"{at}.output"], atol=1e-6)
    np.testing.assert_array_equal(the_cat[f"{at}.skip"], the_cat["encoder.2.output"])
    np.testing.assert_allclose(the_cat[f"{at}.weights"].sum(-1), 1, atol=1e-6)
    np.testing.assert_allclose(the_cat[f"{at}.context"], the_cat[f"{at}.weights"] @ the_cat[f"{at}.value"], atol=1e-5)
    np.testing.assert_allclose(the_cat[f"{at}.norm.normalized"].mean(-1), 0, atol=1e-6)
    np.testing.assert_allclose(the_cat[f"{at}.norm.normalized"].var(-1), 1, atol=1e-5)


def test_nbytes_counts_shared_memory_once(the_cat: Capture) -> None:
    assert np.shares_memory(the_cat["encoder.0.output"], the_cat["encoder.1.attention.skip"])
    three = ("encoder.0.output", "encoder.1.attention.skip", "embedding.token")
    run = replace(the_cat, arrays={name: the_cat[name] for name in three})
    assert run.nbytes == 2 * 9 * 384 * 4


# ---------------------------------------------------------------------------------------------------
# The tape


def test_taps_add_nothing_to_the_state(minilm: Model) -> None:
    taps = [path for path, module in minilm.network.named_modules() if isinstance(module, Tap)]
    assert len(taps) == 153
    assert [name for name in minilm.network.state_dict() if name.startswith(tuple(f"{t}." for t in taps))] == []
    assert len(minilm.network.state_dict()) == 5 + 6 * 16  # three tables and a norm; four, two maps and two norms


@pytest.mark.parametrize(
    ("only", "kept"),
    [
        ((), ()),
        (("embedding.sum",), ("embedding.sum",)),
        (("encoder.?.output",), tuple(f"encoder.{i}.output" for i in range(6))),
        (("encoder.2.*",), tuple(name for name in NAMES if name.startswith("encoder.2."))),
        (("*.weights", "embedding.token"), ("embedding.token", *(n for n in NAMES if n.endswith(".weights")))),
        (("encoder.4.output", "encoder.4.*put"), tuple(n for n in NAMES if n[:9] == "encoder.4" and n[-3:] == "put")),
        (("*",), NAMES),
    ],
)
def test_only_keeps_exactly_what_it_names(
    minilm: Model, the_cat: Capture, only: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    run = capture(minilm, the_cat.text, only=only)
    assert run.names() == kept
    for name in kept:
        np.testing.assert_array_equal(run[name], the_cat[name])
    left_out = set(NAMES) - set(kept)
    assert not any(name in run for name in left_out)


def test_without_a_tape_nothing_is_recorded(minilm: Model) -> None:
    trace = minilm.tokenizer.trace("The cat")
    with torch.no_grad(), recording() as tape:
        pass
    with torch.no_grad():
        minilm.network(*network_input(minilm, trace))
    assert tape.tensors == {}


def test_a_tape_inside_a_tape_takes_over_and_gives_back(minilm: Model) -> None:
    """Also when the inner block fails."""
    tap = Tap("token")
    tap.name = "here"
    with recording() as outer:
        with pytest.raises(ZeroDivisionError), recording() as inner:
            tap(torch.ones(1, 2))
            raise ZeroDivisionError
        assert (list(inner.tensors), list(outer.tensors)) == (["here"], [])
        tap(torch.zeros(1, 3))
    assert outer.tensors["here"].tolist() == [0, 0, 0]


@pytest.mark.long
def test_eight_threads_never_mix(minilm: Model) -> None:
    """Two sentences of equal length, captured in turn in each of 8 threads, are bit for bit the same."""
    pair = "The cat sat on the mat.", "Dogs often bark at a mailman"
    expected = [capture(minilm, text) for text in pair]
    assert len(expected[0].tokens) == len(expected[1].tokens)
    start = threading.Barrier(8)

    def work(number: int) -> list[str]:
        start.wait()
        mixed = []
        for turn in range(examples(40, chosen())):
            which = (turn + number) % 2
            run = capture(minilm, pair[which])
            assert run.names() == NAMES
            mixed += [name for name in NAMES if not np.array_equal(run[name], expected[which][name])]
        return mixed

    with ThreadPoolExecutor(8) as pool:
        assert [name for names in pool.map(work, range(8)) for name in names] == []


def test_no_weight_ever_has_a_gradient(minilm: Model) -> None:
    """Not after a capture, and not after somebody asked for gradients the way pages must."""
    capture(minilm, "The cat sat.")
    inputs = network_input(minilm, minilm.tokenizer.trace("The cat sat."))
    table = minilm.network.get_parameter("embedding.token_table.weight")
    (gradient,) = torch.autograd.grad(minilm.network(*inputs)[0, 1].sum(), table)
    touched = gradient.abs().sum(-1).nonzero().flatten().tolist()
    assert touched == sorted(inputs[0][0].tolist())  # the rows of this sentence, and no other
    assert [name for name, weight in minilm.network.named_parameters() if weight.grad is not None] == []


def test_a_capture_changes_nothing_in_the_model(minilm: Model) -> None:
    before = {name: weight.clone() for name, weight in minilm.network.state_dict().items()}
    capture(minilm, "The cat sat.", pair="It slept.", pad_to=20)
    assert all(torch.equal(weight, before[name]) for name, weight in minilm.network.state_dict().items())
    assert not minilm.network.training and not any(m.training for m in minilm.network.modules())


# ---------------------------------------------------------------------------------------------------
# Padding, truncation, odd input


def real_part(run: Capture, name: str, n: int) -> np.ndarray:
    """A tap without the rows and columns of tokens from `n` on."""
    return run[name][tuple(slice(n) if dim in ("token", "query", "key") else slice(None) for dim in run.dims(name))]


def test_what_padding_holds_changes_nothing_for_real_tokens(minilm: Model) -> None:
    trace = minilm.tokenizer.trace("The cat sat on the mat.", pad_to=16)
    ids, segments, padding = network_input(minilm, trace)
    assert padding[0].tolist() == [False] * 9 + [True] * 7
    tapes = []
    for filling in (0, 2000):
        ids = ids.clone()
        ids[0, 9:] = torch.arange(filling, filling + 7)
        with torch.no_grad(), recording() as tape:
            minilm.network(ids, segments, padding)
        arrays = {name: tensor.numpy() for name, tensor in tape.tensors.items()}
        tapes.append(Capture("minilm", trace.texts[0].text, None, trace.tokens, 0, arrays, minilm.tap_dims))
    assert not np.array_equal(tapes[0]["encoder.5.output"][9:], tapes[1]["encoder.5.output"][9:])
    for name in NAMES:
        np.testing.assert_array_equal(real_part(tapes[0], name, 9), real_part(tapes[1], name, 9), name)


def test_padding_changes_nothing_and_is_not_looked_at(minilm: Model, the_cat: Capture) -> None:
    padded = capture(minilm, the_cat.text, pad_to=30)
    for name in NAMES:
        np.testing.assert_allclose(real_part(padded, name, 9), the_cat[name], rtol=2e-6, atol=2e-5, err_msg=name)
    for i in range(6):
        mask = padded[f"encoder.{i}.attention.mask"]
        assert (mask[:, :9] == 0).all() and (mask[:, 9:] == -np.inf).all()
        assert np.isfinite(padded[f"encoder.{i}.attention.scores"]).all()  # taken before the mask
        assert (padded[f"encoder.{i}.attention.weights"][:, :, 9:] == 0).all()
    assert [token.text for token in padded.tokens[9:]] == ["[PAD]"] * 21


def test_a_pair_is_two_segments(minilm: Model) -> None:
    run = capture(minilm, "The cat sat.", pair="It slept.")
    assert [token.segment for token in run.tokens] == [0] * 6 + [1] * 4
    assert run.pair == "It slept."
    first, second = run["embedding.segment"][:6], run["embedding.segment"][6:]
    assert (first == first[0]).all() and (second == second[0]).all() and (first[0] != second[0]).any()


@pytest.mark.parametrize(
    ("text", "pair", "cut"),
    [("cat " * 510, None, 0), ("cat " * 600, None, 90), ("cat " * 600, "dog " * 600, 1200 - 509)],
)
def test_too_long_a_text_is_cut_and_counted(minilm: Model, text: str, pair: str | None, cut: int) -> None:
    run = capture(minilm, text, pair, only=("encoder.5.output",))
    assert (len(run.tokens), run.truncated) == (512, cut)
    assert run["encoder.5.output"].shape == (512, 384)


@pytest.mark.parametrize("pad_to", [-1, 0, 513, 10**9])
def test_pad_to_out_of_range(minilm: Model, pad_to: int) -> None:
    with pytest.raises(InputError) as error:
        capture(minilm, "a", pad_to=pad_to)
    assert error.value.code == "pad_to_out_of_range"
    assert error.value.parameters == {"pad_to": pad_to, "limit": 512}
    assert str(error.value) == f"pad to out of range: pad_to = {pad_to}, limit = 512"


@pytest.mark.parametrize("pad_to", [1, 512])
def test_pad_to_at_the_ends_of_its_range(minilm: Model, pad_to: int) -> None:
    assert len(capture(minilm, "a", pad_to=pad_to, only=()).tokens) == max(3, pad_to)


def test_lone_surrogates_are_dropped_and_offsets_stay(minilm: Model) -> None:
    with_them, without = capture(minilm, "c\ud800at \udfff sat"), capture(minilm, "cat  sat")
    assert [token.text for token in with_them.tokens] == ["[CLS]", "cat", "sat", "[SEP]"]
    assert [(token.start, token.end) for token in with_them.tokens[1:3]] == [(0, 4), (7, 10)]
    np.testing.assert_array_equal(with_them["encoder.5.output"], without["encoder.5.output"])


def test_every_kind_of_text_gives_finite_numbers(minilm: Model, texts: Sequence[str]) -> None:
    for text in texts:
        run = capture(minilm, text)
        assert all(np.isfinite(run[name]).all() for name in run.names()), text


def test_a_tap_is_the_identity(the_cat: Capture) -> None:
    tap, x = Tap("token"), torch.randn(1, 4)
    assert tap(x) is x
    assert isinstance(tap, nn.Module) and list(tap.state_dict()) == []
