"""The other implementation of a folder that whoever runs this place has: whatever transformers makes of its files.

Import it after `core.reference.load()`. Every function takes the folder; a text is cut at the model's last position.
"""

from collections.abc import Sequence
from pathlib import Path
from threading import Condition, Lock
from typing import Any

import numpy as np
import torch
from cachetools import LRUCache, cached
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM, AutoTokenizer
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

_tokenizing = Lock()  # a tokenizer is told where to cut before it cuts


def decodes(folder: Path) -> bool:
    """Whether each token looks back only, and an output says what comes next."""
    return AutoConfig.from_pretrained(folder, local_files_only=True).model_type not in MODEL_FOR_MASKED_LM_MAPPING_NAMES


@cached(LRUCache(2), condition=Condition())
def model(folder: Path) -> Any:
    """Their network with the folder's weights, in evaluation mode. Shared: nobody may change it."""
    kind = AutoModelForCausalLM if decodes(folder) else AutoModel
    said = {"attn_implementation": "eager", "local_files_only": True, "dtype": torch.float32}
    return kind.from_pretrained(folder, **said).eval()


@cached(LRUCache(2), condition=Condition())
def tokenizer(folder: Path) -> Any:
    """Their tokenizer with the folder's files."""
    return AutoTokenizer.from_pretrained(folder, local_files_only=True)


def encoded(folder: Path, text: str, **options: object) -> Any:
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
    return model(folder).get_input_embeddings().weight.detach().numpy()


def rows(folder: Path, text: str) -> np.ndarray:
    """float32 [token, d_model]: the rows that are fetched."""
    return table(folder)[encoded(folder, text)["input_ids"]]


def outputs(folder: Path, text: str) -> Any:
    """What their model returns, with every attention and every hidden state."""
    with torch.no_grad():
        given = encoded(folder, text, return_tensors="pt")
        return model(folder)(**given, output_attentions=True, output_hidden_states=True)


def inputs(folder: Path, text: str) -> np.ndarray:
    """float32 [token, d_model]: what enters the first layer."""
    return outputs(folder, text).hidden_states[0][0].numpy()


def weights(folder: Path, text: str, given: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [head, query, key]: the attention weights of every layer."""
    stack = "decoder" if decodes(folder) else "encoder"
    theirs = outputs(folder, text).attentions
    return {f"{stack}.{i}.attention.weights": layer[0].numpy() for i, layer in enumerate(theirs)}


def states(folder: Path, text: str, given: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [token, d_model]: every token's state before the first layer and after each; of a
    decoder's last layer they give it normalised alone."""
    before, *after = (state[0].numpy() for state in outputs(folder, text).hidden_states)
    stack = "decoder" if decodes(folder) else "encoder"
    taps = [f"{stack}.{i}.output" for i in range(len(after))]
    if decodes(folder):
        taps[-1] = "decoder.norm.output"
    return {"embedding.output": before, **dict(zip(taps, after, strict=True))}


def positions(folder: Path) -> np.ndarray:
    """float32 [position, d_model]: the learned table of positions."""
    theirs = model(folder).named_parameters()
    return (
        next(rows for name, rows in theirs if name.endswith(("position_embeddings.weight", "wpe.weight")))
        .detach()
        .numpy()
    )


def written(folder: Path, text: str, given: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """Our tap's name -> float32 [token, vocab]: logits and probabilities of what comes after each token."""
    logits = outputs(folder, text).logits[0]
    return {"output.logits": logits.numpy(), "output.probabilities": logits.softmax(-1).numpy()}


def probabilities(folder: Path, ids: Sequence[int]) -> np.ndarray:
    """float32 [token, vocab]: of what comes after each of these tokens."""
    with torch.no_grad():
        return model(folder)(torch.tensor([list(ids)])).logits[0].softmax(-1).numpy()
