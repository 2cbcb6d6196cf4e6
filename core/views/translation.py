"""What the translation stage shows: who looks at whom while a translation is written, and how sure each word is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..capture import Capture
from ..model.places import attention_at
from ..text.token import Token
from ..zoo import Model


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


def turned(weights: np.ndarray, rendered: Sequence[Sequence[int]]) -> tuple[int, int] | None:
    """Two written words, in their order, whose characters stand in the other; of all such, those farthest apart.

    weights [target, source] of one head; `rendered` has the places of each word's characters, none where a word does
    not count. Only words count that were written while the head looked most at characters of their own.
    """
    own = [row for row, places in enumerate(rendered) if len(places) and looked_into(weights[row], places)]
    pairs = [(a, b) for a in own for b in own if a < b and min(rendered[a]) > max(rendered[b])]
    return max(pairs, key=lambda pair: min(rendered[pair[0]]) - max(rendered[pair[1]]), default=None)


def looked_into(row: np.ndarray, places: Sequence[int]) -> bool:
    """Whether more than half of a row of weights, and its largest, lie at these places."""
    return int(row.argmax()) in places and float(row[list(places)].sum()) > 0.5


def right(run: Capture) -> np.ndarray:
    """[target]: the probability of the word that comes next in the target, in each row."""
    rows = zip(run.target_out, run["output.probabilities"], strict=True)
    return np.array([row[token.id] for token, row in rows])


def moved(before: Capture, after: Capture) -> np.ndarray:
    """[target]: the largest change of any word's probability in each row, between two targets of one length."""
    first, second = (softmax(run["output.logits"].astype(np.float64)) for run in (before, after))
    return np.abs(first - second).max(-1)


def softmax(logits: np.ndarray) -> np.ndarray:
    """Along the last axis, in the precision of the logits: in float32 a small difference of two would lose digits."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def peeked(own: np.ndarray) -> np.ndarray:
    """[target]: of the self-attention weights [..., target, target], the mean share that lies on later tokens."""
    later = np.triu(np.ones(own.shape[-2:]), 1)
    return (own * later).sum(-1).reshape(-1, own.shape[-1]).mean(0)


@dataclass(frozen=True, eq=False)
class Aligned:
    """What was counted of a translator when its training ended. Nothing of it is computed anew."""

    shares: np.ndarray  # float64 [layer, head], read-only: of content words that look most at a character they render
    words: int  # content words that were counted
    file: str  # where it stands, from the root of the repository

    @property
    def nbytes(self) -> int:
        return self.shares.nbytes


@lru_cache(maxsize=4)
def aligned(model: Model) -> Aligned:
    """As counted in training, from the model's own `metrics.json`; read once.

    Raises OSError or KeyError where that file is not there or does not say.
    """
    path = model.folder / "metrics.json"
    metrics = json.loads(path.read_text(encoding="utf-8"))
    shares = np.array(metrics["alignment"]["argmax"])
    shares.flags.writeable = False
    return Aligned(shares, metrics["alignment"]["words"], "/".join(path.parts[-4:]))


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
