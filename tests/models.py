"""The models that come with the product, each loaded once in a process; nothing may change one."""

from functools import cache

from core import Model, load_model


@cache
def loaded(name: str) -> Model:
    return load_model(name)
