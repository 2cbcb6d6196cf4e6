"""The same numbers by other people's code: what "held against another implementation" compares ours with.

Nothing here runs our model: weights and vocabularies are read from the files in a model's folder, and all else is
Hugging Face's, torch.nn's, scikit-learn's or jieba's. What is slow to make is made once, by one thread at a time, and
kept for a few folders.
"""

from importlib import import_module
from threading import Lock
from types import ModuleType

MODULES = {  # by who loads ours
    "package": "hugging_face",
    "translator": "pytorch",
    "gguf": "llama",
    "poet": "decoder",
    "folder": "folder",
}
_loading = Lock()


def load() -> None:
    """Import what the comparisons need, some of it slow: transformers, tokenizers, scikit-learn.

    Two threads that import a package at once may each see half of it: here the second waits for the first.
    """
    with _loading:
        from . import decoder, folder, hugging_face, llama, neighbours, pytorch, sizes  # noqa: F401


def other(loader: str) -> ModuleType:
    """The module that runs the other implementation of the models that one of `core.zoo.LOADERS` loads."""
    load()
    return import_module(f".{MODULES[loader]}", __name__)
