"""The other implementation of the translator: torch.nn.Transformer on the folder's weights, the `tokenizers` library.

Every function takes the folder; a text is cut at the model's last position. What the decoder is `given` are ids, the
start token first.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Condition
from typing import Any

import numpy as np
import torch
from cachetools import LRUCache, cached
from safetensors.torch import load_file
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
from torch import Tensor, nn

from ..text.characters import MARKS

PROJECTIONS = ("to_query", "to_key", "to_value")


@cached(LRUCache(2), condition=Condition())
def config(folder: Path) -> dict[str, Any]:
    """What `config.json` says."""
    return json.loads((folder / "config.json").read_text(encoding="utf-8"))


@cached(LRUCache(2), condition=Condition())
def tensors(folder: Path) -> dict[str, Tensor]:
    """Every tensor of the file of weights, in single precision."""
    return {name: tensor.float() for name, tensor in load_file(folder / "weights.safetensors").items()}


@cached(LRUCache(2), condition=Condition())
def model(folder: Path) -> nn.Transformer:
    """Their encoder and decoder, filled with the folder's weights; embedding and output are no part of theirs."""
    c = config(folder)
    sizes = (c[name] for name in ("d_model", "heads", "layers", "decoder_layers", "d_ff"))
    theirs = nn.Transformer(*sizes, activation="relu", layer_norm_eps=c["epsilon"], batch_first=True)
    theirs.encoder.norm = theirs.decoder.norm = None  # ours normalises inside every layer and needs no last one
    theirs.load_state_dict(dict(their_names(tensors(folder), c["layers"], c["decoder_layers"])))
    return theirs.eval()


def their_names(ours: Mapping[str, Tensor], layers: int, decoder_layers: int) -> Iterator[tuple[str, Tensor]]:
    """Every weight of the layers under the name it has in torch.nn.Transformer."""
    for i in range(layers):
        yield from sublayers(ours, f"encoder.{i}", f"encoder.layers.{i}", {"attention": "self_attn"})
    names = {"self_attention": "self_attn", "cross_attention": "multihead_attn"}
    for i in range(decoder_layers):
        yield from sublayers(ours, f"decoder.layers.{i}", f"decoder.layers.{i}", names)


def sublayers(
    ours: Mapping[str, Tensor], here: str, there: str, attentions: Mapping[str, str]
) -> Iterator[tuple[str, Tensor]]:
    """Attentions, feed-forward and norms of one layer, which is `here` in our file and `there` in their module."""
    for our, their in attentions.items():
        for kind in ("weight", "bias"):
            parts = [ours[f"{here}.{our}.sublayer.{projection}.{kind}"] for projection in PROJECTIONS]
            yield f"{there}.{their}.in_proj_{kind}", torch.cat(parts)
            yield f"{there}.{their}.out_proj.{kind}", ours[f"{here}.{our}.sublayer.to_output.{kind}"]
    for number, our in ((1, "widen"), (2, "narrow")):
        for kind in ("weight", "bias"):
            yield f"{there}.linear{number}.{kind}", ours[f"{here}.feedforward.sublayer.{our}.{kind}"]
    for number, our in enumerate([*attentions, "feedforward"], 1):
        yield f"{there}.norm{number}.weight", ours[f"{here}.{our}.norm.gamma"]
        yield f"{there}.norm{number}.bias", ours[f"{here}.{our}.norm.beta"]


@cached(LRUCache(2), condition=Condition())
def tokenizer(folder: Path, row: str = "$A [EOS]") -> Tokenizer:
    """A word-level tokenizer that cuts before and after every character; `row` says where special tokens stand."""
    ids = readable(folder)
    made = Tokenizer(models.WordLevel(ids, unk_token="[UNK]"))
    marks = [normalizers.Replace(chr(typed), meant) for typed, meant in MARKS.items()]
    made.normalizer = normalizers.Sequence([normalizers.BertNormalizer(True, False, False, False), *marks])
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(" ", "removed"), pre_tokenizers.Split(Regex("."), "isolated")]
    )
    marks = [(mark, ids[mark]) for mark in row.split() if mark in ids]
    made.post_processor = processors.TemplateProcessing(row, special_tokens=marks)
    made.enable_truncation(config(folder)["positions"])
    return made


def readable(folder: Path) -> dict[str, int]:
    """The pieces a source can be made of, with their ids: special tokens, then the source's characters."""
    vocabulary = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
    return {piece: id for id, piece in enumerate([*vocabulary["special"], *vocabulary["source"]])}


def tokens(folder: Path, text: str) -> list[tuple[int, tuple[int, int]]]:
    """Id and offsets (code points: first, one past the last) of every token."""
    theirs = tokenizer(folder).encode(text)
    return list(zip(theirs.ids, theirs.offsets, strict=True))


def table(folder: Path) -> np.ndarray:
    """float32 [vocab, d_model]: the embedding table, which is no part of their model."""
    return tensors(folder)["embedding.token_table.weight"].numpy()


def rows(folder: Path, text: str) -> np.ndarray:
    """float32 [source, d_model]: the rows that are fetched, by torch's own lookup."""
    return looked_up(folder, [id for id, _ in tokens(folder, text)])[0].numpy()


def inputs(folder: Path, text: str) -> np.ndarray:
    """float32 [source, d_model]: what enters the encoder's first layer."""
    return entering(folder, [id for id, _ in tokens(folder, text)])[0].numpy()


def looked_up(folder: Path, ids: Sequence[int]) -> Tensor:
    """[1, n, d_model]: a row of the table for each id."""
    return nn.functional.embedding(torch.tensor([list(ids)]), tensors(folder)["embedding.token_table.weight"])


def entering(folder: Path, ids: Sequence[int]) -> Tensor:
    """[1, n, d_model]: rows · √d_model + positions (Vaswani et al. 2017, 3.4 and 3.5)."""
    d_model = config(folder)["d_model"]
    return looked_up(folder, ids) * d_model**0.5 + torch.from_numpy(sinusoids(len(ids), d_model))


def sinusoids(length: int, d_model: int) -> np.ndarray:
    """float32 [length, d_model], d_model even: sin(p / 10000^(2i/d)) in column 2i, its cosine in column 2i + 1."""
    angle = np.arange(length)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(length, d_model).astype(np.float32)


def layers(folder: Path, text: str, given: Sequence[int]) -> Iterator[tuple[str, Tensor]]:
    """Every attention weight and every state of their pass, by our tap's name; the batch of one is still there."""
    x = entering(folder, [id for id, _ in tokens(folder, text)])
    y = entering(folder, given)
    encoder, decoder = model(folder).encoder, model(folder).decoder
    for i, layer in enumerate(encoder.layers):
        assert isinstance(layer, nn.TransformerEncoderLayer)
        yield f"encoder.{i}.attention.weights", look(layer.self_attn, x, x)[1]
        x = layer(x)
        yield f"encoder.{i}.output", x
    mask = nn.Transformer.generate_square_subsequent_mask(y.shape[1])
    for i, layer in enumerate(decoder.layers):
        assert isinstance(layer, nn.TransformerDecoderLayer)
        looked, weights = look(layer.self_attn, y, y, mask)
        yield f"decoder.{i}.self_attention.weights", weights
        yield f"decoder.{i}.cross_attention.weights", look(layer.multihead_attn, layer.norm1(y + looked), x)[1]
        y = layer(y, x, tgt_mask=mask)
        yield f"decoder.{i}.output", y


def look(attention: nn.MultiheadAttention, asking: Tensor, answering: Tensor, mask: Tensor | None = None):
    """What is carried over, and the weights of every head."""
    return attention(asking, answering, answering, attn_mask=mask, average_attn_weights=False)


def taken(folder: Path, text: str, given: Sequence[int], ending: str) -> dict[str, np.ndarray]:
    """Those of `layers` whose names end so."""
    with torch.no_grad():
        return {tap: tensor[0].numpy() for tap, tensor in layers(folder, text, given) if tap.endswith(ending)}


def weights(folder: Path, text: str, given: Sequence[int]) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [head, query, key]: the attention weights of every layer of both stacks."""
    return taken(folder, text, given, ".weights")


def states(folder: Path, text: str, given: Sequence[int]) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [token, d_model]: every token's state after each layer of both stacks."""
    return taken(folder, text, given, ".output")


def written(folder: Path, text: str, given: Sequence[int]) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [target, vocab]: their last state against the table, and its softmax."""
    last = f"decoder.{config(folder)['decoder_layers'] - 1}.output"
    with torch.no_grad():
        state = dict(layers(folder, text, given))[last][0]
        logits = nn.functional.linear(state, tensors(folder)["embedding.token_table.weight"])
        return {"output.logits": logits.numpy(), "output.probabilities": logits.softmax(-1).numpy()}
