"""Places: every tap of every model is a place and a word; what stands there is found by it."""

import pytest
import torch
from torch import nn

from core import Model
from core.model.attention import MultiHeadAttention
from core.model.norm import LayerNorm
from core.model.places import ATTENTIONS, SUBLAYERS, Place, attention_at, attentions, norms, split
from core.zoo import rearranged
from tests.models import loaded


@pytest.fixture(scope="module")
def models(minilm: Model) -> list[Model]:
    own = [minilm, loaded("translator")]
    return [*own, *(rearranged(model, norm) for model in own for norm in ("pre", "input"))]


def test_every_tap_is_a_place_and_a_word(models: list[Model]) -> None:
    for model in models:
        for tap in model.tap_dims:
            place, word = split(tap)
            assert place.tap(word) == tap and "." not in word
            assert place.norm == (".norm." in f".{tap}")
            assert place.stack in ("", *SUBLAYERS)
            assert place.layer is None or place.layer < max(model.config.layers, model.config.decoder_layers)
            assert place.part in ("", "embedding", "output", *SUBLAYERS["encoder"], *SUBLAYERS["decoder"])


def test_what_stands_in_a_place_is_found(models: list[Model]) -> None:
    """Every attention and every norm of the network, and nothing else."""
    for model in models:
        for wanted, found in ((MultiHeadAttention, attentions), (LayerNorm, norms)):
            there = [model.parts[str(place)] for place in found(model.tap_dims)]
            every = [module for module in model.network.modules() if isinstance(module, wanted)]
            assert [id(module) for module in there] == [id(module) for module in every]


def test_whose_tokens_stand_there_is_what_the_dimensions_say(models: list[Model]) -> None:
    for model in models:
        for tap, dims in model.tap_dims.items():
            if {"token", "source", "target"} & set(dims):
                assert model.of_target(split(tap)[0]) == ("target" in dims), tap


@pytest.mark.parametrize("kind", ATTENTIONS)
def test_an_attention_knows_its_kind(kind: str) -> None:
    place = attention_at(kind, 3)
    assert place.kind == kind and place.layer == 3 and split(place.tap("weights")) == (place, "weights")
    assert Place(place.stack, 3, "feedforward").kind is None and Place(place.stack).kind is None


def test_there_is_no_other_kind() -> None:
    with pytest.raises(KeyError):
        attention_at("both", 0)


def test_of_a_wrapper_and_what_it_wraps_the_wrapped_is_found(models: list[Model]) -> None:
    assert isinstance(models[0].parts["encoder.0.attention"], MultiHeadAttention)
    weight = models[1].network.get_parameter("decoder.layers.1.cross_attention.sublayer.to_key.weight")
    linear = models[1].parts["decoder.1.cross_attention.to_key"]
    assert isinstance(linear, nn.Linear) and torch.equal(linear.weight, weight)
