"""How many parameters other people's models of any size have: built on PyTorch's meta device, which allocates nothing.

Import it after `core.reference.load()`.
"""

from functools import partial

import torch
from torch import nn
from transformers import BertConfig, BertModel, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM


def of_shape(
    stack: str, vocab: int, d_model: int, heads: int, layers: int, d_ff: int, length: int, tied: bool, groups: int = 0
) -> int:
    """Parameters of Hugging Face's BERT (an encoder), GPT-2 (a decoder) or Llama, or of nn.Transformer between its
    tables."""
    kinds = {"encoder": bert, "decoder": gpt2, "llama": partial(llama, groups or heads), "both": transformer}
    with torch.device("meta"):
        network = kinds[stack](vocab, d_model, heads, layers, d_ff, length, tied)
    return sum(parameter.numel() for parameter in network.parameters())


def bert(vocab: int, d: int, heads: int, layers: int, d_ff: int, length: int, tied: bool) -> nn.Module:
    """Without the pooler, which reads [CLS] alone."""
    config = BertConfig(
        vocab_size=vocab,
        hidden_size=d,
        num_attention_heads=heads,
        num_hidden_layers=layers,
        intermediate_size=d_ff,
        max_position_embeddings=length,
        pad_token_id=0,
    )
    return BertModel(config, add_pooling_layer=False)


def gpt2(vocab: int, d: int, heads: int, layers: int, d_ff: int, length: int, tied: bool) -> nn.Module:
    config = GPT2Config(
        vocab_size=vocab,
        n_embd=d,
        n_head=heads,
        n_layer=layers,
        n_inner=d_ff,
        n_positions=length,
        tie_word_embeddings=tied,
        bos_token_id=None,
        eos_token_id=None,
    )
    network = GPT2LMHeadModel(config)
    if tied:
        network.lm_head.weight = network.transformer.wte.weight
    return network


def llama(groups: int, vocab: int, d: int, heads: int, layers: int, d_ff: int, length: int, tied: bool) -> nn.Module:
    config = LlamaConfig(
        vocab_size=vocab,
        hidden_size=d,
        intermediate_size=d_ff,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=groups,
        max_position_embeddings=length,
        tie_word_embeddings=tied,
    )
    network = LlamaForCausalLM(config)
    if tied:
        network.lm_head.weight = network.model.embed_tokens.weight
    return network


def transformer(vocab: int, d: int, heads: int, layers: int, d_ff: int, length: int, tied: bool) -> nn.Module:
    """nn.Transformer's layers, without the norm it puts after each stack; tables and output around them."""
    encoder = nn.TransformerEncoderLayer(d, heads, d_ff)
    decoder = nn.TransformerDecoderLayer(d, heads, d_ff)
    table = nn.Embedding(vocab, d)
    network = nn.ModuleList(
        [
            table,
            table if tied else nn.Embedding(vocab, d),
            nn.TransformerEncoder(encoder, layers, enable_nested_tensor=False),
            nn.TransformerDecoder(decoder, layers),
        ]
    )
    if not tied:
        network.append(nn.Linear(d, vocab, bias=False))
    return network
