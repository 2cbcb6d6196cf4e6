"""The other implementation of MiniLM: Hugging Face's own model and tokenizer on the same files.

transformers is slow to import, and two threads that do it at once each see half of it: so it is imported here alone, at
the top, where Python lets one thread in and the others wait.
"""

import numpy as np
import torch
from transformers import BertModel, BertTokenizer  # BertTokenizer: the fast one, one class since transformers 5
from transformers.models.distilbert.modeling_distilbert import create_sinusoidal_embeddings

from pages.shared import cached


@cached.once
def model(name: str) -> BertModel:
    return BertModel.from_pretrained(
        cached.model(name).folder, attn_implementation="eager", local_files_only=True
    ).eval()


@cached.once
def tokenizer(name: str) -> BertTokenizer:
    return BertTokenizer.from_pretrained(cached.model(name).folder, local_files_only=True)


def encoded(name: str, text: str, **options):
    limit = cached.model(name).config.positions
    return tokenizer(name)(text, truncation=True, padding=False, max_length=limit, **options)


def tokens(name: str, text: str) -> list[tuple[int, tuple[int, int]]]:
    """Id and offsets of every token, by their tokenizer."""
    theirs = encoded(name, text, return_offsets_mapping=True)
    return list(zip(theirs["input_ids"], map(tuple, theirs["offset_mapping"]), strict=True))


def table(name: str) -> np.ndarray:
    """[vocab, d_model]: their embedding table."""
    return model(name).embeddings.word_embeddings.weight.detach().numpy()


def rows(name: str, text: str) -> np.ndarray:
    """[token, d_model]: the rows that are fetched, by their embedding."""
    with torch.no_grad():
        return model(name).embeddings.word_embeddings(encoded(name, text, return_tensors="pt")["input_ids"])[0].numpy()


def outputs(name: str, text: str):
    with torch.no_grad():
        return model(name)(
            **encoded(name, text, return_tensors="pt"), output_attentions=True, output_hidden_states=True
        )


def inputs(name: str, text: str) -> np.ndarray:
    """[token, d_model]: what enters the first layer."""
    return states(name, text)["embedding.output"]


def weights(name: str, text: str) -> dict[str, np.ndarray]:
    """The attention weights of every layer, by our tap's name."""
    theirs = outputs(name, text).attentions
    return {f"encoder.{i}.attention.weights": layer[0].numpy() for i, layer in enumerate(theirs)}


def states(name: str, text: str) -> dict[str, np.ndarray]:
    """Every token's state before layer 1 and after each layer, by our tap's name."""
    before, *after = outputs(name, text).hidden_states
    return {"embedding.output": before[0].numpy()} | {
        f"encoder.{i}.output": state[0].numpy() for i, state in enumerate(after)
    }


def positions(name: str) -> np.ndarray:
    """[position, d_model]: the learned table of positions."""
    return model(name).embeddings.position_embeddings.weight.detach().numpy()


def waves(length: int, d_model: int) -> np.ndarray:
    """[position, d_model]: sinusoids, as their code fills the positions of a DistilBERT that learns none."""
    table = torch.zeros(length, d_model)
    create_sinusoidal_embeddings(n_pos=length, dim=d_model, out=table)
    return table.numpy()
