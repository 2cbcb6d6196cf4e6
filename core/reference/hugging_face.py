"""The other implementation of MiniLM: Hugging Face's own model and tokenizer on the files of a folder.

Import it after `core.reference.load()`. Every function takes the folder; a text is cut at the model's last position.
"""

from collections.abc import Sequence
from pathlib import Path
from threading import Condition, Lock

import numpy as np
import torch
from cachetools import LRUCache, cached
from transformers import BertModel, BertTokenizer  # the fast tokenizer: one class since transformers 5
from transformers.models.distilbert.modeling_distilbert import create_sinusoidal_embeddings

_tokenizing = Lock()  # a tokenizer is told where to cut before it cuts


@cached(LRUCache(2), condition=Condition())
def model(folder: Path) -> BertModel:
    """Their network with the folder's weights, in evaluation mode. Shared: nobody may change it."""
    return BertModel.from_pretrained(folder, attn_implementation="eager", local_files_only=True).eval()


@cached(LRUCache(2), condition=Condition())
def tokenizer(folder: Path) -> BertTokenizer:
    """Their tokenizer with the folder's vocabulary."""
    return BertTokenizer.from_pretrained(folder, local_files_only=True)


def encoded(folder: Path, text: str, **options):
    """What their tokenizer returns."""
    limit = model(folder).config.max_position_embeddings
    with _tokenizing:
        return tokenizer(folder)(text, truncation=True, padding=False, max_length=limit, **options)


def tokens(folder: Path, text: str) -> list[tuple[int, tuple[int, int]]]:
    """Id and offsets (code points: first, one past the last) of every token."""
    theirs = encoded(folder, text, return_offsets_mapping=True)
    return list(zip(theirs["input_ids"], map(tuple, theirs["offset_mapping"]), strict=True))


def table(folder: Path) -> np.ndarray:
    """float32 [vocab, d_model]: their embedding table, in the model's own memory."""
    return model(folder).embeddings.word_embeddings.weight.detach().numpy()


def rows(folder: Path, text: str) -> np.ndarray:
    """float32 [token, d_model]: the rows that are fetched, by their embedding."""
    with torch.no_grad():
        ids = encoded(folder, text, return_tensors="pt")["input_ids"]
        return model(folder).embeddings.word_embeddings(ids)[0].numpy()


def outputs(folder: Path, text: str):
    """What their model returns, with every attention and every hidden state."""
    with torch.no_grad():
        return model(folder)(
            **encoded(folder, text, return_tensors="pt"), output_attentions=True, output_hidden_states=True
        )


def inputs(folder: Path, text: str) -> np.ndarray:
    """float32 [token, d_model]: what enters the first layer."""
    return states(folder, text)["embedding.output"]


def weights(folder: Path, text: str, given: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [head, query, key]: the attention weights of every layer.

    `given` is what a decoder is given; this model has none.
    """
    theirs = outputs(folder, text).attentions
    return {f"encoder.{i}.attention.weights": layer[0].numpy() for i, layer in enumerate(theirs)}


def states(folder: Path, text: str, given: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [token, d_model]: every token's state before layer 1 and after each layer."""
    before, *after = outputs(folder, text).hidden_states
    return {"embedding.output": before[0].numpy()} | {
        f"encoder.{i}.output": state[0].numpy() for i, state in enumerate(after)
    }


def positions(folder: Path) -> np.ndarray:
    """float32 [position, d_model]: the learned table of positions."""
    return model(folder).embeddings.position_embeddings.weight.detach().numpy()


def waves(length: int, d_model: int) -> np.ndarray:
    """float32 [position, d_model]: sinusoids, as their code fills the positions of a DistilBERT that learns none."""
    table = torch.zeros(length, d_model)
    create_sinusoidal_embeddings(n_pos=length, dim=d_model, out=table)
    return table.numpy()
