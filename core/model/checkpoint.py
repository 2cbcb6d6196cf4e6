"""Weights from a file into our modules: names translated, nothing else changed."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from safetensors.torch import load_file
from torch import Tensor

from core.errors import InputError
from core.model.config import Config
from core.model.encoder import BertEncoder
from core.model.feedforward import ACTIVATIONS
from core.model.transformer import Transformer

# Hugging Face's name for a part of a BERT layer -> ours
LAYER_PARTS = {
    "attention.self.query": "attention.sublayer.to_query",
    "attention.self.key": "attention.sublayer.to_key",
    "attention.self.value": "attention.sublayer.to_value",
    "attention.output.dense": "attention.sublayer.to_output",
    "attention.output.LayerNorm": "attention.norm",
    "intermediate.dense": "feedforward.sublayer.widen",
    "output.dense": "feedforward.sublayer.narrow",
    "output.LayerNorm": "feedforward.norm",
}
EMBEDDING_PARTS = {
    "embeddings.word_embeddings": "embedding.token_table",
    "embeddings.position_embeddings": "embedding.position_table.table",
    "embeddings.token_type_embeddings": "embedding.segment_table",
    "embeddings.LayerNorm": "embedding.norm",
}
NORM_PARAMETERS = {"weight": "gamma", "bias": "beta", "gamma": "gamma", "beta": "beta"}  # the latter in old files

# What a BERT's config.json may say besides its sizes, where it must say this for its numbers to come out right
HONOURED = {
    "model_type": ("bert",),
    "is_decoder": (False,),
    "add_cross_attention": (False,),
    "position_embedding_type": ("absolute",),
    "hidden_act": tuple(ACTIVATIONS),
    "pruned_heads": ({},),
}


def bert_config(path: Path) -> Config:
    """Config from a Hugging Face BERT `config.json`."""
    raw = json.loads(path.read_text(encoding="utf-8"))
    must_be(path, raw, HONOURED)
    return Config(
        vocab=raw["vocab_size"],
        d_model=raw["hidden_size"],
        heads=raw["num_attention_heads"],
        layers=raw["num_hidden_layers"],
        d_ff=raw["intermediate_size"],
        positions=raw["max_position_embeddings"],
        segments=raw["type_vocab_size"],
        epsilon=raw["layer_norm_eps"],
        dropout=raw["hidden_dropout_prob"],
        activation=raw["hidden_act"],
    )


def must_be(path: Path, said: Mapping[str, object], honoured: Mapping[str, Sequence[object]]) -> None:
    """Raise InputError where a file says what is not honoured here. What it does not say is as we know it."""
    for setting, known in honoured.items():
        value = said.get(setting)
        if value is not None and value not in known:
            allowed = " / ".join(map(str, known))
            raise InputError("not_honoured", file=path.name, setting=setting, value=str(value), known=allowed)


def our_name(name: str) -> str | None:
    """Our name for a BERT tensor; None for the parts this model has no use for (the pooler, saved indices)."""
    name = name.removeprefix("bert.")
    module, _, parameter = name.rpartition(".")
    if module.startswith("encoder.layer."):
        number, _, part = module.removeprefix("encoder.layer.").partition(".")
        place = f"encoder.{number}.{LAYER_PARTS[part]}"
    elif module in EMBEDDING_PARTS:
        place = EMBEDDING_PARTS[module]
    else:
        return None
    return f"{place}.{NORM_PARAMETERS[parameter] if place.endswith('norm') else parameter}"


def load_bert(config: Config, path: Path) -> BertEncoder:
    """A `BertEncoder` with the weights of a safetensors file; a missing or surplus tensor is an error."""
    ours: dict[str, Tensor] = {}
    for name, tensor in load_file(path).items():
        if place := our_name(name):
            ours[place] = tensor
    model = BertEncoder(config)
    model.load_state_dict(ours)
    return model.eval()


# The one matrix of a Transformer stands in three places; a file holds it once, under the name of the first.
TIED = ("decoder.embedding.token_table.weight", "output.project.weight")


def saved(network: Transformer) -> dict[str, Tensor]:
    """The tensors of a network as they are saved."""
    return {name: tensor for name, tensor in network.state_dict().items() if name not in TIED}


def fill(network: Transformer, tensors: Mapping[str, Tensor]) -> None:
    """Put saved tensors into a network; a missing or surplus one is an error."""
    table = tensors["embedding.token_table.weight"]
    network.load_state_dict({**tensors, **dict.fromkeys(TIED, table)})


def load_transformer(config: Config, path: Path) -> Transformer:
    """A `Transformer` with the weights of a safetensors file, in single precision, whatever the file's is."""
    network = Transformer(config)
    fill(network, {name: tensor.float() for name, tensor in load_file(path).items()})
    return network.eval()
