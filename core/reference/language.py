"""Models that write, as Hugging Face runs them: Llama's network and GPT-2's, on the numbers they are handed.

Import it after `core.reference.load()`. The numbers are those of a state dict of ours, which are not copied where the
other network has them in the same shape: a second copy of a chat model would be half a gigabyte.
"""

from collections.abc import Mapping, Sequence
from threading import Condition
from typing import Any

import numpy as np
import torch
from cachetools import LRUCache, cached
from torch import Tensor
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, PreTrainedModel

LLAMA = {  # ours -> theirs, within a layer
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
GPT = {  # the same; its matrices stand transposed
    "attention.norm.gamma": "ln_1.weight",
    "attention.norm.beta": "ln_1.bias",
    "attention.sublayer.to_output.weight": "attn.c_proj.weight",
    "attention.sublayer.to_output.bias": "attn.c_proj.bias",
    "feedforward.norm.gamma": "ln_2.weight",
    "feedforward.norm.beta": "ln_2.bias",
    "feedforward.sublayer.widen.weight": "mlp.c_fc.weight",
    "feedforward.sublayer.widen.bias": "mlp.c_fc.bias",
    "feedforward.sublayer.narrow.weight": "mlp.c_proj.weight",
    "feedforward.sublayer.narrow.bias": "mlp.c_proj.bias",
}
QKV = ("query", "key", "value")


def llama(config: Any, ours: Mapping[str, Tensor]) -> LlamaForCausalLM:
    """Rotary positions, RMSNorm, shared keys and values, a gated network; one table at both ends."""
    theirs = LlamaConfig(
        vocab_size=config.vocab,
        hidden_size=config.d_model,
        intermediate_size=config.d_ff,
        num_hidden_layers=config.layers,
        num_attention_heads=config.heads,
        num_key_value_heads=config.groups,
        max_position_embeddings=config.positions,
        rms_norm_eps=config.epsilon,
        rope_parameters={"rope_type": "default", "rope_theta": config.rotary_base},
        tie_word_embeddings=True,
    )
    with torch.device("meta"):
        network = LlamaForCausalLM(theirs)
    network.model.rotary_emb = type(network.model.rotary_emb)(config=theirs)  # no parameters: made anew off "meta"
    table = ours["embedding.token_table.weight"]
    state = {
        "model.embed_tokens.weight": table,
        "lm_head.weight": table,
        "model.norm.weight": ours["decoder.norm.gamma"],
    }
    for i in range(config.layers):
        state |= {f"model.layers.{i}.{name}": ours[f"decoder.{i}.{own}"] for own, name in LLAMA.items()}
    network.load_state_dict(state, assign=True)
    return network.eval()


def gpt(config: Any, ours: Mapping[str, Tensor]) -> GPT2LMHeadModel:
    """Learned positions, LayerNorm, biases. Our table is scaled by √d where it is read, and is not where it answers."""
    theirs = GPT2Config(
        vocab_size=config.vocab,
        n_embd=config.d_model,
        n_head=config.heads,
        n_layer=config.layers,
        n_inner=config.d_ff,
        n_positions=config.positions,
        layer_norm_epsilon=config.epsilon,
        activation_function=config.activation,
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=None,
    )
    network = GPT2LMHeadModel(theirs)
    table = ours["embedding.token_table.weight"]
    state = {
        "lm_head.weight": table,
        "transformer.wte.weight": table * config.d_model**0.5,
        "transformer.wpe.weight": ours["embedding.position_table.table.weight"],
        "transformer.ln_f.weight": ours["decoder.norm.gamma"],
        "transformer.ln_f.bias": ours["decoder.norm.beta"],
    }
    for i in range(config.layers):
        at, to = f"decoder.{i}", f"transformer.h.{i}"
        state |= {f"{to}.{name}": ours[f"{at}.{own}"].T for own, name in GPT.items() if ours[f"{at}.{own}"].ndim == 2}
        state |= {f"{to}.{name}": ours[f"{at}.{own}"] for own, name in GPT.items() if ours[f"{at}.{own}"].ndim == 1}
        for kind in ("weight", "bias"):
            joined = torch.cat([ours[f"{at}.attention.sublayer.to_{name}.{kind}"] for name in QKV])
            state[f"{to}.attn.c_attn.{kind}"] = joined.T if kind == "weight" else joined
    network.load_state_dict(state)
    return network.eval()


@cached(LRUCache(2), key=lambda name, config, ours: name, condition=Condition())
def network(name: str, config: Any, ours: Mapping[str, Tensor]) -> PreTrainedModel:
    """Their network for a model of this name. Shared: nobody may change it."""
    return (llama if config.position == "rotary" else gpt)(config, ours)


def probabilities(name: str, config: Any, ours: Mapping[str, Tensor], ids: Sequence[int]) -> np.ndarray:
    """float32 [token, vocab]: how likely each token is to come next, after each of these."""
    with torch.no_grad():
        logits = network(name, config, ours)(torch.tensor([list(ids)])).logits[0]
    return torch.softmax(logits, dim=-1).numpy()
