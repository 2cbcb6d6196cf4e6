"""The other implementation of a decoder alone: torch.nn's layers, their norms first, under a causal mask; and the
`tokenizers` library.

Every function takes the folder; a text is cut at the model's last position.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Condition

import numpy as np
import torch
from cachetools import LRUCache, cached
from tokenizers import Tokenizer
from torch import Tensor, nn

from .pytorch import config, look, looked_up, sublayers, table, tensors
from .pytorch import tokenizer as characters

__all__ = ["inputs", "positions", "probabilities", "rows", "states", "table", "tokens", "weights", "written"]


@cached(LRUCache(2), condition=Condition())
def model(folder: Path) -> nn.TransformerEncoder:
    """Their layers and the norm after the last, filled with the folder's weights: an "encoder" for having nothing else
    to look at."""
    c, ours = config(folder), tensors(folder)
    layer = nn.TransformerEncoderLayer(
        c["d_model"],
        c["heads"],
        c["d_ff"],
        activation=c["activation"],
        layer_norm_eps=c["epsilon"],
        batch_first=True,
        norm_first=True,
    )
    norm = nn.LayerNorm(c["d_model"], c["epsilon"])
    theirs = nn.TransformerEncoder(layer, c["layers"], norm, enable_nested_tensor=False)
    filled = {"norm.weight": ours["decoder.norm.gamma"], "norm.bias": ours["decoder.norm.beta"]}
    for i in range(c["layers"]):
        filled |= sublayers(ours, f"decoder.{i}", f"layers.{i}", {"attention": "self_attn"})
    theirs.load_state_dict(filled)
    return theirs.eval()


def tokenizer(folder: Path) -> Tokenizer:
    """A token a character, behind the mark where a text begins."""
    return characters(folder, "[BOS] $A")


def tokens(folder: Path, text: str) -> list[tuple[int, tuple[int, int]]]:
    """Id and offsets (code points: first, one past the last) of every token."""
    theirs = tokenizer(folder).encode(text)
    return list(zip(theirs.ids, theirs.offsets, strict=True))


def positions(folder: Path) -> np.ndarray:
    """float32 [position, d_model]: the learned table of positions."""
    return tensors(folder)["embedding.position_table.table.weight"].numpy()


def rows(folder: Path, text: str) -> np.ndarray:
    """float32 [token, d_model]: the rows that are fetched, by torch's own lookup."""
    return looked_up(folder, ids_of(folder, text))[0].numpy()


def ids_of(folder: Path, text: str) -> list[int]:
    return [id for id, _ in tokens(folder, text)]


def inputs(folder: Path, text: str) -> np.ndarray:
    """float32 [token, d_model]: what enters the first layer."""
    return entering(folder, ids_of(folder, text))[0].numpy()


def entering(folder: Path, ids: Sequence[int]) -> Tensor:
    """[1, n, d_model]: rows · √d_model + positions."""
    x = looked_up(folder, ids)
    return x * x.shape[-1] ** 0.5 + torch.from_numpy(positions(folder))[: len(ids)]


def layers(folder: Path, ids: Sequence[int]) -> Iterator[tuple[str, Tensor]]:
    """Every attention weight and every state of their pass, by our tap's name; the batch of one is still there."""
    theirs, x = model(folder), entering(folder, ids)
    yield "embedding.output", x
    mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
    for i, layer in enumerate(theirs.layers):
        assert isinstance(layer, nn.TransformerEncoderLayer)
        normed = layer.norm1(x)
        yield f"decoder.{i}.attention.weights", look(layer.self_attn, normed, normed, mask)[1]
        x = layer(x, src_mask=mask)
        yield f"decoder.{i}.output", x
    assert theirs.norm is not None
    yield "decoder.norm.output", theirs.norm(x)


def taken(folder: Path, ids: Sequence[int], ending: str) -> dict[str, np.ndarray]:
    """Those of `layers` whose names end so."""
    with torch.no_grad():
        return {tap: tensor[0].numpy() for tap, tensor in layers(folder, ids) if tap.endswith(ending)}


def weights(folder: Path, text: str, given: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [head, query, key]: the attention weights of every layer."""
    return taken(folder, ids_of(folder, text), ".weights")


def states(folder: Path, text: str, given: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [token, d_model]: every token's state before the first layer, after each, and behind
    the last norm."""
    return taken(folder, ids_of(folder, text), ".output")


def written(folder: Path, text: str, given: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [token, vocab]: logits and probabilities of what comes after each token."""
    logits = logits_of(folder, ids_of(folder, text))
    return {"output.logits": logits.numpy(), "output.probabilities": logits.softmax(-1).numpy()}


def probabilities(folder: Path, ids: Sequence[int]) -> np.ndarray:
    """float32 [token, vocab]: how likely each token is to come next, after each of these."""
    return logits_of(folder, ids).softmax(-1).numpy()


def logits_of(folder: Path, ids: Sequence[int]) -> Tensor:
    """[token, vocab]: the last states against the table."""
    last = torch.from_numpy(taken(folder, ids, "norm.output")["decoder.norm.output"])
    return nn.functional.linear(last, tensors(folder)["embedding.token_table.weight"])
