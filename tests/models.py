"""The models that come with the product, each loaded once in a process; nothing may change one."""

from functools import cache

import torch

from core import Model, load_model


@cache
def loaded(name: str) -> Model:
    """One thread, as on the site: with another number of them the last digits of a capture are others."""
    torch.set_num_threads(1)
    return load_model(name)
