"""How each family of models stands in Hugging Face's files: what its config.json says in our words, and which of its
tensors is which of ours. `FAMILIES` has them by config.json's `model_type`.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from ..errors import InputError, must_be
from .config import Config
from .encoder import BertEncoder, UnsegmentedEncoder
from .feedforward import ACTIVATIONS
from .language import LanguageModel

Said = Mapping[str, Any]  # what a config.json says

NORM_PARAMETERS = {"weight": "gamma", "bias": "beta", "gamma": "gamma", "beta": "beta"}  # the latter in old files
ALSO = {"gelu_pytorch_tanh": "gelu_new"}  # another name of the same
TOKENIZERS = ("Bert", "DistilBert", "Roberta", "GPT2", "Llama", "Qwen2", "PreTrained")


@dataclass(frozen=True)
class Family:
    """One kind of model.

    Attributes:
        network: what reads its numbers here.
        config: what config.json says, as a Config.
        honoured: what it may say besides the sizes, where it must say this for the numbers to come out right.
        layers: what the names of a layer's tensors begin with, before its number.
        parts: the file's name for a part of a layer -> ours; one tensor may hold several side by side.
        outside: the same of what is in no layer. Whatever else is there belongs to a task that is not read here.
        unused: parts of layers that hold nothing learned.
        prefix: what all names begin with where the file is of a model with a head.
        turned: whether a layer's matrices are stored [in, out].
        first: the row of the position table that the first token has.
        masked: the file's name for a tensor of the head that guesses hidden words -> ours, in `MaskedHead`.
        masked_activation: what that head has between its matrices, where it is not what the layers have.
    """

    network: type[nn.Module]
    config: Callable[[Said], Config]
    honoured: Mapping[str, Sequence[object]]
    layers: str
    parts: Mapping[str, str | tuple[str, ...]]
    outside: Mapping[str, str]
    prefix: str = ""
    unused: tuple[str, ...] = ()
    turned: bool = False
    first: Callable[[Said], int] = lambda said: 0
    masked: Mapping[str, str] = field(default_factory=dict)
    masked_activation: str = ""

    @property
    def stack(self) -> str:
        """What its layers are here."""
        return "decoder" if self.network is LanguageModel else "encoder"

    def ours(self, name: str, tensor: Tensor, said: Said) -> Iterator[tuple[str, Tensor]]:
        """A tensor of the file under our name, or under several the parts that it is cut into; nothing for what this
        model has no use for. Raises InputError for a part of a layer that nobody knows."""
        module, _, parameter = name.removeprefix(self.prefix).rpartition(".")
        if module.startswith(self.layers):
            number, _, part = module.removeprefix(self.layers).partition(".")
            if f"{part}.{parameter}" in self.unused:
                return
            if part not in self.parts:
                raise InputError("unknown_tensor", name=name[:80])
            known = self.parts[part]
            places = (known,) if isinstance(known, str) else known
            for place, piece in zip(places, tensor.chunk(len(places), dim=-1), strict=True):
                turned = piece.T if self.turned and piece.dim() > 1 else piece
                yield f"{self.stack}.{number}.{called(place, parameter)}", turned
        elif module in self.outside:
            place = self.outside[module]
            yield called(place, parameter), tensor[self.first(said) :] if "position_table" in place else tensor


def head(transform: str, norm: str, words: str, bias: str) -> Mapping[str, str]:
    """The names of a masked-word head's tensors: those of its parts, and its bias, which stands apart
    where the rows are the table's."""
    named = {transform: "transform", norm: "norm", words: "words"}
    tensors = {
        f"{theirs}.{parameter}": f"{ours}.{NORM_PARAMETERS[parameter] if ours == 'norm' else parameter}"
        for theirs, ours in named.items()
        for parameter in (NORM_PARAMETERS if ours == "norm" else ("weight", "bias"))
    }
    return {bias: "words.bias", **tensors}


def called(place: str, parameter: str) -> str:
    """Our name for a parameter: a norm's are γ and β."""
    return f"{place}.{NORM_PARAMETERS[parameter] if place.endswith('norm') else parameter}"


def read_config(path: Path) -> tuple[Family, Said, Config]:
    """The family of a model, what its `config.json` says, and that as our Config.

    Raises InputError where it says what is not honoured here.
    """
    said = json.loads(path.read_text(encoding="utf-8"))
    must_be(path, {"model_type": said.get("model_type", "none")}, {"model_type": tuple(FAMILIES)})
    family = FAMILIES[said["model_type"]]
    inner = {f"{part}.{name}": value for part in ROPE for name, value in (said.get(part) or {}).items()}
    must_be(path, {**said, **inner}, {**ANY, **family.honoured})
    config = family.config(said)
    must_be(path, said, {"head_dim": (config.d_head,), "layer_types": (["full_attention"] * config.layers,)})
    return family, said, config


ANY: Mapping[str, Sequence[object]] = {  # of every family
    "auto_map": (None,),
    "quantization_config": (None,),
    "is_encoder_decoder": (False,),
    "add_cross_attention": (False,),
    "pruned_heads": ({},),
    "tokenizer_class": (
        *(f"{name}Tokenizer{kind}" for name in TOKENIZERS for kind in ("", "Fast")),
        "TokenizersBackend",
    ),
}

# ---- encoders: BERT and what came of it


def activation(name: str) -> str:
    """What we call it."""
    return ALSO.get(name, name)


def bert(said: Said) -> Config:
    return Config(
        vocab=said["vocab_size"],
        d_model=said["hidden_size"],
        heads=said["num_attention_heads"],
        layers=said["num_hidden_layers"],
        d_ff=said["intermediate_size"],
        positions=said["max_position_embeddings"],
        segments=said["type_vocab_size"],
        epsilon=said["layer_norm_eps"],
        dropout=said["hidden_dropout_prob"],
        activation=activation(said["hidden_act"]),
    )


def distilbert(said: Said) -> Config:
    return Config(
        vocab=said["vocab_size"],
        d_model=said["dim"],
        heads=said["n_heads"],
        layers=said["n_layers"],
        d_ff=said["hidden_dim"],
        positions=said["max_position_embeddings"],
        segments=0,
        dropout=said["dropout"],
        activation=activation(said["activation"]),
    )


def after_padding(said: Said) -> int:
    """RoBERTa counts positions from the row behind that of the padding token's id."""
    return said["pad_token_id"] + 1


def roberta(said: Said) -> Config:
    return bert({**said, "max_position_embeddings": said["max_position_embeddings"] - after_padding(said)})


KNOWN_ACTIVATIONS = (*ACTIVATIONS, *ALSO)
BERT = Family(
    network=BertEncoder,
    config=bert,
    honoured={
        "is_decoder": (False,),
        "position_embedding_type": ("absolute",),
        "hidden_act": KNOWN_ACTIVATIONS,
    },
    layers="encoder.layer.",
    parts={
        "attention.self.query": "attention.sublayer.to_query",
        "attention.self.key": "attention.sublayer.to_key",
        "attention.self.value": "attention.sublayer.to_value",
        "attention.output.dense": "attention.sublayer.to_output",
        "attention.output.LayerNorm": "attention.norm",
        "intermediate.dense": "feedforward.sublayer.widen",
        "output.dense": "feedforward.sublayer.narrow",
        "output.LayerNorm": "feedforward.norm",
    },
    outside={
        "embeddings.word_embeddings": "embedding.token_table",
        "embeddings.position_embeddings": "embedding.position_table.table",
        "embeddings.token_type_embeddings": "embedding.segment_table",
        "embeddings.LayerNorm": "embedding.norm",
    },
    prefix="bert.",
    masked=head(
        "cls.predictions.transform.dense",
        "cls.predictions.transform.LayerNorm",
        "cls.predictions.decoder",
        "cls.predictions.bias",
    ),
)
ROBERTA = Family(
    network=BertEncoder,
    config=roberta,
    honoured=BERT.honoured,
    layers=BERT.layers,
    parts=BERT.parts,
    outside=BERT.outside,
    prefix="roberta.",
    first=after_padding,
    masked=head("lm_head.dense", "lm_head.layer_norm", "lm_head.decoder", "lm_head.bias"),
    masked_activation="gelu",
)
DISTILBERT = Family(
    network=UnsegmentedEncoder,
    config=distilbert,
    honoured={"activation": KNOWN_ACTIVATIONS},
    layers="transformer.layer.",
    parts={
        "attention.q_lin": "attention.sublayer.to_query",
        "attention.k_lin": "attention.sublayer.to_key",
        "attention.v_lin": "attention.sublayer.to_value",
        "attention.out_lin": "attention.sublayer.to_output",
        "sa_layer_norm": "attention.norm",
        "ffn.lin1": "feedforward.sublayer.widen",
        "ffn.lin2": "feedforward.sublayer.narrow",
        "output_layer_norm": "feedforward.norm",
    },
    outside={name: place for name, place in BERT.outside.items() if "token_type" not in name},
    prefix="distilbert.",
    masked=head("vocab_transform", "vocab_layer_norm", "vocab_projector", "vocab_projector.bias"),
)

# ---- decoders: GPT-2, Llama and what is one


def gpt2(said: Said) -> Config:
    return Config(
        vocab=said["vocab_size"],
        d_model=said["n_embd"],
        heads=said["n_head"],
        layers=said["n_layer"],
        d_ff=said.get("n_inner") or 4 * said["n_embd"],
        positions=said["n_positions"],
        segments=0,
        epsilon=said["layer_norm_epsilon"],
        dropout=said["resid_pdrop"],
        activation=activation(said["activation_function"]),
        norm="pre",
        embedding="added",
        tied=said.get("tie_word_embeddings", True),
    )


ROPE = ("rope_parameters", "rope_scaling")  # what transformers 5 calls it, and what it was called before


def llama(said: Said) -> Config:
    heads = said["num_attention_heads"]
    groups = said.get("num_key_value_heads") or heads
    return Config(
        vocab=said["vocab_size"],
        d_model=said["hidden_size"],
        heads=heads,
        layers=said["num_hidden_layers"],
        d_ff=said["intermediate_size"],
        positions=said["max_position_embeddings"],
        segments=0,
        epsilon=said["rms_norm_eps"],
        dropout=0.0,
        activation="swiglu",
        norm="pre",
        position="rotary",
        embedding="plain",
        normalization="rms",
        groups=0 if groups == heads else groups,
        bias=False,
        rotary_base=(said.get("rope_parameters") or said).get("rope_theta") or 10_000.0,
        tied=said.get("tie_word_embeddings", False),
    )


def qwen2(said: Said) -> Config:
    return Config(**{**vars(llama(said)), "qkv_bias": True})


GPT2 = Family(
    network=LanguageModel,
    config=gpt2,
    honoured={
        "activation_function": KNOWN_ACTIVATIONS,
        "scale_attn_weights": (True,),
        "scale_attn_by_inverse_layer_idx": (False,),
        "reorder_and_upcast_attn": (False,),
    },
    layers="h.",
    parts={
        "ln_1": "attention.norm",
        "attn.c_attn": tuple(f"attention.sublayer.to_{name}" for name in ("query", "key", "value")),
        "attn.c_proj": "attention.sublayer.to_output",
        "ln_2": "feedforward.norm",
        "mlp.c_fc": "feedforward.sublayer.widen",
        "mlp.c_proj": "feedforward.sublayer.narrow",
    },
    outside={
        "wte": "embedding.token_table",
        "wpe": "embedding.position_table.table",
        "ln_f": "decoder.norm",
        "lm_head": "output.project",
    },
    prefix="transformer.",
    unused=("attn.bias", "attn.masked_bias"),  # masks
    turned=True,
)
LLAMA = Family(
    network=LanguageModel,
    config=llama,
    honoured={
        "hidden_act": ("silu",),
        "attention_bias": (False,),
        "mlp_bias": (False,),
        "pretraining_tp": (1,),
        "partial_rotary_factor": (1.0,),
        **{f"{part}.{name}": ("default",) for part in ROPE for name in ("rope_type", "type")},
        **{f"{part}.partial_rotary_factor": (1.0,) for part in ROPE},
    },
    layers="layers.",
    parts={
        "input_layernorm": "attention.norm",
        "self_attn.q_proj": "attention.sublayer.to_query",
        "self_attn.k_proj": "attention.sublayer.to_key",
        "self_attn.v_proj": "attention.sublayer.to_value",
        "self_attn.o_proj": "attention.sublayer.to_output",
        "post_attention_layernorm": "feedforward.norm",
        "mlp.gate_proj": "feedforward.sublayer.to_gate",
        "mlp.up_proj": "feedforward.sublayer.to_up",
        "mlp.down_proj": "feedforward.sublayer.narrow",
    },
    outside={"embed_tokens": "embedding.token_table", "norm": "decoder.norm", "lm_head": "output.project"},
    prefix="model.",
    unused=("self_attn.rotary_emb.inv_freq",),
)
QWEN2 = Family(
    network=LanguageModel,
    config=qwen2,
    honoured={
        **{name: known for name, known in LLAMA.honoured.items() if name != "attention_bias"},
        "use_sliding_window": (False,),
    },
    layers=LLAMA.layers,
    parts=LLAMA.parts,
    outside=LLAMA.outside,
    prefix=LLAMA.prefix,
    unused=LLAMA.unused,
)

FAMILIES: Mapping[str, Family] = {
    "bert": BERT,
    "distilbert": DISTILBERT,
    "roberta": ROBERTA,
    "gpt2": GPT2,
    "llama": LLAMA,
    "qwen2": QWEN2,
}
