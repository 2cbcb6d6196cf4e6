"""Claims about what enters the first layer: rows of the table, √d, adding, dropout."""

import math

import numpy as np

from ..capture import capture
from ..lessons.input import transformer_input
from ..lessons.lookup import look_up
from ..views import input as views
from ..views.beginnings import begun, described
from ..views.embedding import table
from ..views.entries import ordinary
from ..views.pipeline import pipeline
from .claim import CAT, OTHER, THE, Facts, Models

IDS = (71, 8, 1234, 5)  # of the drawing
TWO = ("token", "sum")


def order(models: Models) -> Facts:
    """The ids in the order of the table, and whether a lookup gives the rows in the order asked for."""
    rows = table(models("minilm"))
    fetched = rows[list(IDS)]
    return {
        "asked": ", ".join(map(str, IDS)),
        "table": ", ".join(map(str, sorted(IDS))),
        "same": sum(np.array_equal(row, rows[id]) for row, id in zip(fetched, IDS, strict=True)),
        "shape": " × ".join(map(str, look_up([IDS]).shape)),
    }


def beginning(models: Models) -> Facts:
    """How tables begin, and how MiniLM's ended."""
    model = models("minilm")
    bert, root = (begun(kind, 2000, 512).std for kind in ("bert", "root"))
    trained = described(table(model), ordinary(model.tokenizer.pieces))
    return {
        "bert": bert, "variance": bert**2, "wide": math.sqrt(0.02), "root": root,
        "the": str(model.tokenizer.id_of("the")), "spearman": trained.spearman,
    }  # fmt: skip


def root(models: Models) -> Facts:
    """A table drawn with std 1/√d, and the same times √d, beside the waves, at d = 512."""
    start = views.at_start(512)
    return {
        "plain": start.scores_plain, "scaled": start.scores_scaled, "ratio": start.scores_scaled / start.scores_plain,
        "token": start.token, "position": start.position,
        "share_plain": start.share_plain, "share_scaled": start.share_scaled,
    }  # fmt: skip


def placeless(models: Models) -> Facts:
    """Both "the" of the example: fetched from the table, and with their positions added."""
    run = capture(models("minilm"), CAT, only=("embedding.token", "embedding.sum"))
    fetched, placed = (float(np.abs(run[f"embedding.{tap}"][1] - run[f"embedding.{tap}"][THE]).max()) for tap in TWO)
    return {"fetched": fetched, "placed": placed, "first": 1, "second": THE}


def side_by_side(models: Models) -> Facts:
    """Token and position added, and side by side: how wide, and what the first W^Q then takes of each token."""
    from torch import nn

    model = models("minilm")
    view = views.input_view(capture(model, CAT, only=views.TAPS), model)
    parts = view.part("token"), view.part("position")
    added, joined = (parts[0] + parts[1]).shape[-1], np.concatenate(parts, -1).shape[-1]
    costs = [nn.Linear(width, view.d_model, bias=False, device="meta").weight.numel() for width in (added, joined)]
    return {"added": added, "joined": joined, "cost_added": costs[0], "cost_joined": costs[1]}


def broadcast(models: Models) -> Facts:
    """The shapes of the pipeline that runs on the input page."""
    run = pipeline()
    shape = {name: " × ".join(map(str, run.stop(name).array.shape)) for name in ("scaled", "position", "total")}
    return {**shape, "refused": run.refused}


def one_map(models: Models) -> Facts:
    """W(e + p) three ways, with MiniLM's first W^Q."""
    model = models("minilm")
    made = views.one_map(views.input_view(capture(model, CAT, only=("embedding.*",)), model), model, THE)
    return {"difference": made.difference, "value": float(made.of_sum[0]), "joined": float(made.of_joined[0])}


def twice(models: Models) -> Facts:
    """The published function, called twice with the same ids; and with an odd width."""
    import torch

    from ..dice import Seeded

    with Seeded(0):
        ids = torch.tensor([[1, 5, 23, 9, 0]])
        one, two = (transformer_input(ids, 10_000, 512) for _ in range(2))
    try:
        transformer_input(ids, 10, 5)
        refused = ""
    except RuntimeError as error:
        refused = str(error)
    return {"difference": float((one - two).detach().abs().max()), "refused": refused.split(".")[0]}


def alone(models: Models) -> Facts:
    """The vector of one "the" among two lots of neighbours: entering the first layer, and leaving it."""
    model = models("minilm")
    taps = ("embedding.output", "encoder.0.output")
    one, two = (capture(model, text, only=taps) for text in (CAT, OTHER))
    assert one.tokens[THE].text == two.tokens[THE].text == "the"
    entering, leaving = (float(np.abs(one[tap][THE] - two[tap][THE]).max()) for tap in taps)
    return {"entering": entering, "leaving": leaving, "other": OTHER, "place": THE}
