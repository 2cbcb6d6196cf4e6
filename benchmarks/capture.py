"""`capture` with every tap against the other implementation of either model, in one run, as a user's process runs.

A capture keeps 38 MB; `core.memory` says how they come back for the next one.
"""

import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("HF_HUB_OFFLINE", "1")


def measure(tokens: int = 128, rounds: int = 40) -> dict[str, float]:
    """Median milliseconds of both on the same text of `tokens` tokens, taken in turns, and their ratio."""
    import torch
    from transformers import BertModel

    from core import capture, load_model

    ours = load_model("minilm")
    theirs = BertModel.from_pretrained(ours.folder, attn_implementation="eager", local_files_only=True).eval()
    text = " ".join(["cat"] * (tokens - 2))
    ids = torch.tensor([[token.id for token in capture(ours, text).tokens]])
    assert ids.shape == (1, tokens)

    def forward() -> object:
        with torch.no_grad():
            return theirs(ids, output_attentions=True, output_hidden_states=True)

    a, b = alternate(lambda: capture(ours, text), forward, rounds)
    return {"tokens": tokens, "capture_ms": a, "hugging_face_ms": b, "ratio": a / b}


def translate(text: str = "我昨天在北京买了三本书", rounds: int = 40) -> dict[str, float]:
    """Median milliseconds of a translation with every tap, and how often it goes into the time that
    torch.nn.Transformer takes to write the same words greedily, its whole pass for every word."""
    import torch
    from torch import nn

    from core import capture, load_model
    from core.reference import pytorch

    ours = load_model("translator")
    theirs, run = pytorch.model(ours.folder), capture(ours, text)
    source, target = (torch.tensor(run[tap])[None] for tap in ("embedding.output", "decoder.embedding.output"))

    def greedy() -> object:
        with torch.no_grad():
            lengths = range(1, target.shape[1] + 1)
            masks = [nn.Transformer.generate_square_subsequent_mask(n) for n in lengths]
            return [theirs(source, target[:, :n], tgt_mask=mask) for n, mask in zip(lengths, masks, strict=True)]

    a, b = alternate(lambda: capture(ours, text), greedy, rounds)
    return {"capture_ms": a, "torch_ms": b, "ratio": a / b}


def chat(tokens: int = 36, rounds: int = 12) -> dict[str, float]:
    """Median milliseconds of a capture of the chat model with every tap, and how often Hugging Face's forward with
    attentions and states goes into it."""
    import torch

    from core import capture, load_model, reference
    from core.model.gguf import floats
    from core.zoo import SOURCES

    ours = load_model("smollm2")
    assert ours.file is not None
    theirs = reference.other("gguf").model(floats(ours.file, SOURCES["smollm2"].sha256))
    text = "cat" + " cat" * (tokens - 1)
    ids = torch.tensor([[token.id for token in ours.tokenizer.encode(text)]])
    assert ids.shape == (1, tokens)

    def forward() -> object:
        with torch.no_grad():
            return theirs(ids, output_attentions=True, output_hidden_states=True)

    a, b = alternate(lambda: capture(ours, text), forward, rounds)
    return {"capture_ms": a, "hugging_face_ms": b, "ratio": a / b}


def goes_on(count: int = 40, rounds: int = 3) -> dict[str, float]:
    """Median milliseconds of a token that the chat model writes with its cache, and how often one of Hugging Face's
    `generate` goes into it."""
    import torch

    from core import load_model, reference
    from core.model.gguf import floats
    from core.writing import Writing
    from core.zoo import SOURCES

    ours = load_model("smollm2")
    assert ours.file is not None
    theirs = reference.other("gguf").model(floats(ours.file, SOURCES["smollm2"].sha256))
    prompt = [token.id for token in ours.tokenizer.encode("Once upon a time")]

    def generate() -> object:
        with torch.no_grad():
            wanted = {"max_new_tokens": count, "min_new_tokens": count, "do_sample": False}
            return theirs.generate(torch.tensor([prompt]), **wanted)

    a, b = alternate(lambda: Writing(ours, prompt)[count - 1], generate, rounds)
    return {"token_ms": a / count, "hugging_face_ms": b / count, "ratio": a / b}


def alternate(first: Callable[[], object], second: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Median milliseconds of two functions called in turns, so that both see the same machine."""
    times: tuple[list[float], list[float]] = ([], [])
    for i in range(rounds + 5):
        for function, taken in zip((first, second), times, strict=True):
            start = time.perf_counter()
            kept = function()
            if i >= 5:  # the first rounds warm up
                taken.append(time.perf_counter() - start)
            del kept
    return statistics.median(times[0]) * 1000, statistics.median(times[1]) * 1000
