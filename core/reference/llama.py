"""The other implementation of a chat model: Hugging Face's LlamaForCausalLM and the `tokenizers` library.

Import it after `core.reference.load()`. Every function takes the safetensors file in which the numbers of a GGUF file
are kept, with what that file says of itself; a text is cut where ours is.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from threading import Condition
from typing import Any

import numpy as np
import torch
from cachetools import LRUCache, cached
from safetensors import safe_open
from safetensors.torch import load_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM

from ..text.chat import WINDOW

LAYER = {  # our name for a part of a layer -> theirs
    "attention.norm.gamma": "input_layernorm",
    "attention.sublayer.to_query.weight": "self_attn.q_proj",
    "attention.sublayer.to_key.weight": "self_attn.k_proj",
    "attention.sublayer.to_value.weight": "self_attn.v_proj",
    "attention.sublayer.to_output.weight": "self_attn.o_proj",
    "feedforward.norm.gamma": "post_attention_layernorm",
    "feedforward.sublayer.to_gate.weight": "mlp.gate_proj",
    "feedforward.sublayer.to_up.weight": "mlp.up_proj",
    "feedforward.sublayer.narrow.weight": "mlp.down_proj",
}
CONTROL = 3  # in "tokenizer.ggml.token_type": a special token


@cached(LRUCache(1), condition=Condition())
def said(file: Path) -> dict[str, Any]:
    """What the GGUF file says of itself."""
    with safe_open(file, "pt") as kept:
        return json.loads(kept.metadata()["said"])


@cached(LRUCache(1), condition=Condition())
def model(file: Path) -> LlamaForCausalLM:
    """Their network with the file's numbers, in evaluation mode. Shared: nobody may change it."""
    about, tensors = said(file), load_file(file)  # mapped from disk: in memory once for all who use it
    config = LlamaConfig(
        vocab_size=len(about["tokenizer.ggml.tokens"]),
        hidden_size=about["llama.embedding_length"],
        intermediate_size=about["llama.feed_forward_length"],
        num_hidden_layers=about["llama.block_count"],
        num_attention_heads=about["llama.attention.head_count"],
        num_key_value_heads=about["llama.attention.head_count_kv"],
        max_position_embeddings=about["llama.context_length"],
        rms_norm_eps=about["llama.attention.layer_norm_rms_epsilon"],
        rope_parameters={"rope_type": "default", "rope_theta": about["llama.rope.freq_base"]},
        tie_word_embeddings=True,
        bos_token_id=about["tokenizer.ggml.bos_token_id"],
        eos_token_id=about["tokenizer.ggml.eos_token_id"],
    )
    config._attn_implementation = "eager"  # which gives its weights
    with torch.device("meta"):  # no numbers are drawn that would be thrown away
        made = LlamaForCausalLM(config)
    made.model.rotary_emb = type(made.model.rotary_emb)(config=config)
    rows = tensors["embedding.token_table.weight"]
    filled = {"model.embed_tokens.weight": rows, "lm_head.weight": rows}
    filled["model.norm.weight"] = tensors["decoder.norm.gamma"]
    for i in range(config.num_hidden_layers):
        for ours, theirs in LAYER.items():
            filled[f"model.layers.{i}.{theirs}.weight"] = tensors[f"decoder.{i}.{ours}"]
    made.load_state_dict(filled, assign=True)
    return made.eval()


@cached(LRUCache(1), condition=Condition())
def tokenizer(file: Path) -> Tokenizer:
    """Their byte-level BPE with the file's pieces and merges."""
    about = said(file)
    pieces, merges, types = (about[f"tokenizer.ggml.{name}"] for name in ("tokens", "merges", "token_type"))
    made = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, [tuple(m.split(" ")) for m in merges]))
    made.pre_tokenizer = pre_tokenizers.Sequence(  # type: ignore[assignment]
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    made.decoder = decoders.ByteLevel()  # type: ignore[assignment]
    made.add_special_tokens([piece for piece, type in zip(pieces, types, strict=True) if type == CONTROL])
    return made


def tokens(file: Path, text: str) -> list[tuple[int, tuple[int, int]]]:
    """Id and offsets (code points: first, one past the last) of every token."""
    theirs = tokenizer(file).encode(text)
    return list(zip(theirs.ids, theirs.offsets, strict=True))[:WINDOW]


def encoded(file: Path, text: str) -> Tensor:
    """Ids [1, token]."""
    return torch.tensor([[id for id, _ in tokens(file, text)]])


def table(file: Path) -> np.ndarray:
    """float32 [vocab, d_model]: their embedding table, in the model's own memory."""
    return model(file).model.embed_tokens.weight.detach().numpy()


def rows(file: Path, text: str) -> np.ndarray:
    """float32 [token, d_model]: the rows that are fetched, by their embedding."""
    with torch.no_grad():
        return model(file).model.embed_tokens(encoded(file, text))[0].numpy()


def inputs(file: Path, text: str) -> np.ndarray:
    """float32 [token, d_model]: what enters the first layer, which is the rows themselves."""
    return rows(file, text)


def weights(file: Path, text: str, given: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [head, query, key]: the attention weights of every layer."""
    with torch.no_grad():
        theirs = model(file).model(encoded(file, text), output_attentions=True, use_cache=False).attentions
    return {f"decoder.{i}.attention.weights": layer[0].numpy() for i, layer in enumerate(theirs)}


def states(file: Path, text: str, given: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [token, d_model]: every token's state before the first layer and after each; of the
    last layer's they give it normalised alone."""
    with torch.no_grad():
        theirs = model(file).model(encoded(file, text), output_hidden_states=True, use_cache=False).hidden_states
    taps = ["embedding.output", *(f"decoder.{i}.output" for i in range(len(theirs) - 2)), "decoder.norm.output"]
    return {tap: state[0].numpy() for tap, state in zip(taps, theirs, strict=True)}


def written(file: Path, text: str, given: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [token, vocab]: logits and probabilities of what comes after each token."""
    logits = logits_of(file, [id for id, _ in tokens(file, text)])
    return {"output.logits": logits.numpy(), "output.probabilities": logits.softmax(-1).numpy()}


def probabilities(file: Path, ids: Sequence[int]) -> np.ndarray:
    """float32 [token, vocab]: how likely each token is to come next, after each of these."""
    return logits_of(file, ids).softmax(-1).numpy()


def logits_of(file: Path, ids: Sequence[int]) -> Tensor:
    """[token, vocab], all tokens read at once."""
    with torch.no_grad():
        return model(file)(torch.tensor([list(ids)]), use_cache=False).logits[0]
