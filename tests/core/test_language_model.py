"""A decoder alone, pre-norm, with random weights: what core does for the models there are, it does for this one.

Its numbers are held against torch's own layers.
"""

from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np
import pytest
import torch

from core import Capture, Model, capture, derive
from core.derivation import Cell, Weight
from core.derivation.walk import path
from core.edits import cut, lift_mask, mute, zero_positions
from core.errors import InputError
from core.model.places import Place, norms
from core.views.attention import attention_view
from core.views.attention import taps as attention_taps
from core.views.layernorm import norm_view
from core.views.output import depths
from tests.tiny import HEADS, LAYERS, TEXT, D, tiny


@pytest.fixture(scope="module", params=["pre", "post", "input"])
def model(request) -> Model:
    return tiny(request.param)


@pytest.fixture(scope="module")
def run(model: Model) -> Capture:
    return capture(model, TEXT)


def test_what_it_is_made_of_is_found_in_its_taps(model: Model) -> None:
    (stack,) = model.stacks.values()
    assert (stack.name, stack.layers, stack.parts, stack.target) == ("decoder", 3, ("attention", "feedforward"), False)
    assert stack.causal and stack.entrance == "embedding.output" and model.attentions == ("causal",)
    assert stack.exit == ("decoder.norm.output" if model.config.norm == "pre" else "decoder.2.output")
    assert stack.before(Place("decoder", 1, "attention")) == Place("decoder", 0, "feedforward")
    assert not model.of_target(Place("", part="output")) and not model.of_target(Place("decoder", 0))


def test_against_torchs_own_layers(model: Model, run: Capture) -> None:
    """Pre-norm and post-norm as torch has them, with a causal mask; then the table."""
    if model.config.norm == "input":
        return
    first = model.config.norm == "pre"
    x = torch.tensor(run["embedding.output"])[None]
    mask = torch.nn.Transformer.generate_square_subsequent_mask(len(TEXT))
    for i in range(LAYERS):
        layer = torch.nn.TransformerEncoderLayer(
            D, HEADS, 20, 0.0, model.config.activation, 1e-5, batch_first=True, norm_first=first
        ).eval()
        part = model.parts
        attention = part[f"decoder.{i}.attention"]
        own = {n: attention.get_submodule(f"to_{n}").state_dict() for n in ("query", "key", "value", "output")}
        joined = {kind: torch.cat([own[n][kind] for n in ("query", "key", "value")]) for kind in ("weight", "bias")}
        layer.load_state_dict(
            {
                "self_attn.in_proj_weight": joined["weight"],
                "self_attn.in_proj_bias": joined["bias"],
                **{f"self_attn.out_proj.{kind}": own["output"][kind] for kind in ("weight", "bias")},
                **{f"linear1.{k}": v for k, v in part[f"decoder.{i}.feedforward"].widen.state_dict().items()},  # type: ignore[union-attr]
                **{f"linear2.{k}": v for k, v in part[f"decoder.{i}.feedforward"].narrow.state_dict().items()},  # type: ignore[union-attr]
                **{
                    f"norm{n}.{theirs}": part[f"decoder.{i}.{name}.norm"].get_parameter(ours).detach()
                    for n, name in ((1, "attention"), (2, "feedforward"))
                    for theirs, ours in (("weight", "gamma"), ("bias", "beta"))
                },
            }
        )
        with torch.no_grad():
            x = layer(x, mask)
        np.testing.assert_allclose(run[f"decoder.{i}.output"], x[0], atol=2e-5)
    if first:
        norm = model.parts["decoder.norm"]
        x = torch.nn.functional.layer_norm(x, (D,), norm.get_parameter("gamma"), norm.get_parameter("beta"), 1e-5)
    table = model.parts["embedding.token_table"].get_parameter("weight")
    np.testing.assert_allclose(run["output.logits"], (x[0] @ table.T).detach(), atol=5e-5)


def test_every_tap_has_its_rule_and_its_way_back(model: Model, run: Capture) -> None:
    chosen = np.random.default_rng(5)
    for tap in run.names():
        shape, dims = run[tap].shape, run.dims(tap)
        assert all(size == len(TEXT) for size, dim in zip(shape, dims, strict=True) if dim in ("token", "query", "key"))
        cell = Cell(tap, tuple(int(chosen.integers(size)) for size in shape))
        derivation = derive(run, cell)
        if np.isfinite(derivation.captured):
            assert abs(derivation.difference) < 2e-5, cell
        *_, end = path(run, cell)
        assert isinstance(end.derivation.onward, Weight | None)


def test_a_cell_that_is_off_shows_by_how_much(model: Model, run: Capture) -> None:
    tap = "decoder.1.feedforward.residual"
    array = run[tap].copy()
    array[4, 3] += 0.25
    changed = replace(run, arrays={**run.arrays, tap: array})
    assert derive(changed, Cell(tap, (4, 3))).difference == pytest.approx(-0.25, abs=2e-5)


def test_what_a_sub_layer_is_given_is_normalised_first_where_the_norm_stands_first(model: Model, run: Capture) -> None:
    view = attention_view(capture(model, TEXT, only=attention_taps(model, 1, "causal")), model, 1, "causal")
    word = "norm.output" if model.config.norm == "pre" else "skip"
    np.testing.assert_array_equal(view.asking, run[f"decoder.1.attention.{word}"])
    query = view.asking @ view.projections["query"].weight.T + view.projections["query"].bias
    np.testing.assert_allclose(view.query.transpose(1, 0, 2).reshape(len(TEXT), -1), query, atol=1e-5)


def test_the_stream_is_what_goes_past(model: Model, run: Capture) -> None:
    """From state to state it grows by what was written, and by nothing else, where no norm stands in it."""
    states = [run[tap] for tap in model.stream("decoder")]
    assert states[0] is run["embedding.output"] or np.array_equal(states[0], run["embedding.output"])
    written = [run[place.tap("output")] for place in model.stacks["decoder"].sublayers]
    if model.config.norm != "post":
        for before, after, delta in zip(states, states[1:], written, strict=False):
            np.testing.assert_allclose(after - before, delta, atol=1e-5)
    np.testing.assert_allclose(states[-1] @ table(model).T, run["output.logits"], atol=5e-5)


def table(model: Model) -> np.ndarray:
    return model.parts["embedding.token_table"].get_parameter("weight").detach().numpy()


def test_a_state_is_read_through_the_table_only_where_it_can_be(model: Model, run: Capture) -> None:
    """With a norm at the end, a state before it is no state of the table's size: it is not read as one."""
    at = depths(model)
    np.testing.assert_allclose(run[at[-1].tap] @ table(model).T, run["output.logits"], atol=5e-5)
    assert (len(at) == 1) == (model.config.norm == "pre")


def test_every_norm_is_shown_with_what_it_was_given(model: Model, run: Capture) -> None:
    for place in norms(run.names()):
        view = norm_view(run, model, place)
        np.testing.assert_allclose(sum(view.summands.values()), view.captured.before, atol=1e-5)
        assert len(view.tokens) == len(TEXT)


@pytest.mark.parametrize(
    "edit", [mute("causal", 2, 1), lift_mask(), cut("decoder", 2, "feedforward"), zero_positions()]
)
def test_edits_act_and_are_told(model: Model, run: Capture, edit) -> None:
    edited = capture(model, TEXT, edits=[edit])
    assert np.abs(edited["output.logits"] - run["output.logits"]).max() > 1e-4
    tap = next(name for name in edited.names() if fnmatchcase(name, edit.pattern))
    index = tuple(0 for _ in edited[tap].shape)
    assert abs(derive(edited, Cell(tap, index)).difference) < 2e-5


def test_what_it_cannot_is_said(model: Model) -> None:
    with pytest.raises(InputError) as refused:
        capture(model, TEXT, target="x")
    assert refused.value.code == "writes_nothing"
    with pytest.raises(InputError) as unfit:
        capture(model, TEXT, edits=["mute:encoder.1.1"])
    assert unfit.value.code == "edit_without_tap"
    with pytest.raises(InputError):
        capture(model, TEXT, edits=["mute:causal.4.1"])


def test_padding_changes_nothing_before_it(model: Model, run: Capture) -> None:
    padded = capture(model, TEXT, pad_to=14)
    assert len(padded.tokens) == 14 and padded.padding == 4
    np.testing.assert_allclose(padded["output.logits"][: len(TEXT)], run["output.logits"], rtol=1e-5, atol=1e-4)
    assert derive(padded, Cell("decoder.0.attention.mask", (3, 12))).captured == -np.inf
