"""What the translation stage shows: who looks at whom while a translation is written, and how sure each word is."""

import json
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.capture import Capture
from core.model.places import attention_at
from core.text.token import Token
from core.zoo import Model


@dataclass(frozen=True, eq=False)
class TranslationView:
    """One sentence and its translation. Row q of the target is given `given[q]` and writes `written[q]`."""

    source: tuple[Token, ...]
    given: tuple[Token, ...]  # begins with the start token
    written: tuple[Token, ...]  # ends with the end token, unless it was cut
    cross: np.ndarray  # [layer, head, target, source]
    own: np.ndarray  # [layer, head, target, target], the masked self-attention
    probabilities: np.ndarray  # [target], of the word that is written

    @property
    def nbytes(self) -> int:
        return self.cross.nbytes + self.own.nbytes + self.probabilities.nbytes


def taps(model: Model) -> tuple[str, ...]:
    """The taps that `translation_view` reads."""
    layers = range(model.config.decoder_layers)
    kinds = [attention_at(kind, i).tap("weights") for kind in ("cross", "self") for i in layers]
    return (*kinds, "output.probabilities")


def translation_view(run: Capture, model: Model) -> TranslationView:
    """The view of a capture that holds `taps(model)`."""
    layers = range(model.config.decoder_layers)
    return TranslationView(
        source=run.tokens,
        given=run.target_in,
        written=run.target_out,
        cross=np.stack([run[attention_at("cross", i).tap("weights")] for i in layers]),
        own=np.stack([run[attention_at("self", i).tap("weights")] for i in layers]),
        probabilities=right(run),
    )


def right(run: Capture) -> np.ndarray:
    """[target]: the probability of the word that comes next in the target, in each row."""
    rows = zip(run.target_out, run["output.probabilities"], strict=True)
    return np.array([row[token.id] for token, row in rows])


def moved(before: Capture, after: Capture) -> np.ndarray:
    """[target]: the largest change of any word's probability in each row, between two targets of one length."""
    return np.abs(before["output.probabilities"] - after["output.probabilities"]).max(-1)


def peeked(own: np.ndarray) -> np.ndarray:
    """[target]: of the self-attention weights [..., target, target], the mean share that lies on later tokens."""
    later = np.triu(np.ones(own.shape[-2:]), 1)
    return (own * later).sum(-1).reshape(-1, own.shape[-1]).mean(0)


@lru_cache(maxsize=4)
def aligned(model: Model) -> np.ndarray:
    """float64 [layer, head], read-only: the share, 0 to 1, of content words that look most at a character they render.

    As measured in training, from the model's own `metrics.json`; read once. Raises OSError or KeyError where that file
    is not there or does not say.
    """
    metrics = json.loads((model.folder / "metrics.json").read_text(encoding="utf-8"))
    shares = np.array(metrics["alignment"]["argmax"])
    shares.flags.writeable = False
    return shares


def gradients(model: Model, run: Capture, layer: int) -> dict[str, float]:
    """The norm of the loss's gradient with respect to W^Q, W^K, W^V and W^O of one cross-attention (layer from 0).

    The loss is the mean cross-entropy of the run's own target; nothing is kept in the shared weights.
    """
    import torch

    sublayer = model.parts[str(attention_at("cross", layer))]
    names = ("query", "key", "value", "output")
    weights = [sublayer.get_parameter(f"to_{name}.weight") for name in names]
    source, given, written = (
        torch.tensor([[token.id for token in side]]) for side in (run.tokens, run.target_in, run.target_out)
    )
    nothing = [torch.zeros_like(ids, dtype=torch.bool) for ids in (source, given)]
    with torch.enable_grad():
        logits, _ = model.network(source, nothing[0], given, nothing[1])
        loss = torch.nn.functional.cross_entropy(logits[0, : written.shape[1]], written[0])
        found = torch.autograd.grad(loss, weights)
    return {name: float(gradient.norm()) for name, gradient in zip(names, found, strict=True)}
