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

    return BertModel.from_pretrained(cached.model(name).folder, attn_implementation="eager", local_files_only=True).eval()


@st.cache_resource(show_spinner=False, max_entries=2)
def tokenizer(name: str):
    from transformers import BertTokenizerFast

    return BertTokenizerFast.from_pretrained(cached.model(name).folder, local_files_only=True)


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
