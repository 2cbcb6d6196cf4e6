"""The other implementation: Hugging Face's own model and tokenizer on the same files, loaded only when asked for."""

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
import torch

from pages.shared import cached

if TYPE_CHECKING:
    from transformers import BertModel


@st.cache_resource(show_spinner=False, max_entries=2)
def model(name: str) -> "BertModel":
    from transformers import BertModel

    return BertModel.from_pretrained(
        cached.model(name).folder, attn_implementation="eager", local_files_only=True
    ).eval()


@st.cache_resource(show_spinner=False, max_entries=2)
def tokenizer(name: str):
    from transformers import BertTokenizer  # the fast one: one class since transformers 5

    return BertTokenizer.from_pretrained(cached.model(name).folder, local_files_only=True)


def outputs(name: str, text: str):
    """A forward pass of their model over their own tokens of the text."""
    limit = cached.model(name).config.positions
    encoded = tokenizer(name)(text, return_tensors="pt", truncation=True, padding=False, max_length=limit)
    with torch.no_grad():
        return model(name)(**encoded, output_attentions=True, output_hidden_states=True)


@st.cache_data(show_spinner=False, max_entries=64)
def attention_difference(name: str, text: str) -> float:
    """The largest difference of any attention weight, theirs to ours."""
    theirs = outputs(name, text).attentions
    run = cached.capture(name, text, only=("encoder.*.attention.weights",))
    return max(
        float(np.abs(run[f"encoder.{i}.attention.weights"] - layer[0].numpy()).max()) for i, layer in enumerate(theirs)
    )


@st.cache_data(show_spinner=False, max_entries=64)
def state_difference(name: str, text: str) -> float:
    """The largest difference of any token's state, before layer 1 and after each layer, theirs to ours."""
    theirs = outputs(name, text).hidden_states
    taps = ["embedding.output", *(f"encoder.{i}.output" for i in range(len(theirs) - 1))]
    run = cached.capture(name, text, only=tuple(taps))
    return max(float(np.abs(run[tap] - state[0].numpy()).max()) for tap, state in zip(taps, theirs, strict=True))


@st.cache_data(show_spinner=False, max_entries=64)
def row_difference(name: str, text: str) -> float:
    """The largest difference of any number of the rows that are fetched, theirs to ours."""
    limit = cached.model(name).config.positions
    ids = tokenizer(name)(text, return_tensors="pt", truncation=True, padding=False, max_length=limit)["input_ids"]
    with torch.no_grad():
        theirs = model(name).embeddings.word_embeddings(ids)[0].numpy()
    return float(np.abs(cached.capture(name, text, only=("embedding.token",))["embedding.token"] - theirs).max())


@st.cache_data(show_spinner=False, max_entries=64)
def token_differences(name: str, text: str) -> float:
    """How many tokens differ from theirs in id or in offsets; tokens that only one side has count too."""
    limit = cached.model(name).config.positions
    theirs = tokenizer(name)(text, truncation=True, padding=False, max_length=limit, return_offsets_mapping=True)
    their_rows = list(zip(theirs["input_ids"], map(tuple, theirs["offset_mapping"]), strict=True))
    our_rows = [(token.id, (token.start, token.end)) for token in cached.trace(name, text).tokens]
    differing = sum(a != b for a, b in zip(their_rows, our_rows, strict=False))
    return float(differing + abs(len(their_rows) - len(our_rows)))
