"""Claims about what each token goes through alone, and about what a word may not see."""

from copy import deepcopy

import numpy as np

from ..capture import capture
from ..edits import lift_mask
from ..model.places import Place
from ..views.norms import Normed, batch_norm, layer_norm
from ..views.translation import moved
from .claim import CAT, CHINESE, Facts, Models

TOKEN = 5  # the second "the"
WAS, NOW = "yesterday", "tomorrow"  # the last word of a target
FIRST = Place("encoder", 0, "feedforward")


def per_token(models: Models) -> Facts:
    """One token's LayerNorm in its sentence and alone, and its BatchNorm; before γ and β."""
    model = models("minilm")
    x = capture(model, CAT, only=("embedding.sum",))["embedding.sum"]
    whole, ones, zeros = len(x), np.ones(x.shape[1], np.float32), np.zeros(x.shape[1], np.float32)

    def normed(norm, rows: np.ndarray) -> Normed:
        return norm(rows, ones, zeros, model.config.epsilon)

    together, alone = normed(layer_norm, x), normed(layer_norm, x[TOKEN : TOKEN + 1])
    batch, fewer = normed(batch_norm, x), normed(batch_norm, x[: TOKEN + 1])
    assert together.mean is not None and together.variance is not None
    return {
        "before": f"{whole} × {x.shape[1]}", "after": " × ".join(map(str, together.after.shape)),
        "mean": float(together.mean[TOKEN]), "variance": float(together.variance[TOKEN]),
        "alone": float(np.abs(together.after[TOKEN] - alone.after[0]).max()),
        "batch": float(np.abs(batch.after[TOKEN] - fewer.after[TOKEN]).max()),
    }  # fmt: skip


def alone(models: Models) -> Facts:
    """MiniLM's first feed-forward network, in float64: on a sentence, on each token by itself, halfway between two."""
    import torch

    model = models("minilm")
    tap = FIRST.tap("skip")
    network, x = (
        deepcopy(model.parts[str(FIRST)]).double(),
        torch.tensor(capture(model, CAT, only=(tap,))[tap]).double(),
    )
    with torch.no_grad():
        together = network(x[None])[0]
        apart = torch.cat([network(row[None, None])[0] for row in x])
        middle = network(x[:2].mean(0)[None, None])[0, 0]
    return {
        "difference": float((together - apart).abs().max()),
        "bent": float((middle - together[:2].mean(0)).abs().max()),
        "d_model": model.config.d_model, "d_ff": model.config.d_ff,
    }  # fmt: skip


def future(models: Models) -> Facts:
    """A target whose last word is another: what of the rows before it changes, with the mask and without."""
    model = models("translator")
    target = capture(model, CHINESE, only=("output.logits",)).text_out or ""
    assert WAS in target
    changed, row, other = {}, 0, target.replace(WAS, NOW)
    for name, edits in (("masked", ()), ("lifted", (lift_mask(),))):
        one, two = (
            capture(model, CHINESE, target=text, only=("output.logits",), edits=edits) for text in (target, other)
        )
        place = [token.text for token in one.target_in].index(WAS)
        found = moved(one, two)[:place]
        row, changed[name] = int(found.argmax()), float(found.max())
    return {"target": target, "changed": other, "now": NOW, "row": row, **changed}
