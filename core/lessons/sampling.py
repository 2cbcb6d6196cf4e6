"""From logits to one word by chance: temperature, then top-k, then top-p, then a draw. The order is the usual one."""

import numpy as np

from ..ranking import largest


def softmax(logits: np.ndarray) -> np.ndarray:
    """[vocab] -> float64 [vocab], each a share of 1; a logit of −∞ gets none."""
    powers = np.exp(logits.astype(np.float64) - logits.max())
    return powers / powers.sum()


def tempered(logits: np.ndarray, temperature: float) -> np.ndarray:
    """Each logit ÷ T: below 1 the gaps grow, above 1 they shrink; their order stays."""
    return logits.astype(np.float64) / temperature


def top_k(logits: np.ndarray, k: int | None) -> np.ndarray:
    """Only the k largest are left, the others become −∞ (Fan et al. 2018); with None all are. A tie keeps the first."""
    if k is None or k >= len(logits):
        return logits
    kept = largest(logits, k)
    return only(logits, kept)


def top_p(logits: np.ndarray, p: float) -> np.ndarray:
    """Only the fewest of the likeliest are left that together have a share of p or more (Holtzman et al. 2020)."""
    if p >= 1:  # their sum, rounded, may reach 1 before the last
        return logits
    order = np.argsort(-logits, kind="stable")
    before = np.concatenate([[0.0], softmax(logits)[order].cumsum()[:-1]])
    return only(logits, order[before < p])


def only(logits: np.ndarray, kept: np.ndarray) -> np.ndarray:
    cut = np.full(len(logits), -np.inf)
    cut[kept] = logits[kept]
    return cut


def drawn(shares: np.ndarray, u: float) -> int:
    """The word at u, from 0 to 1, where the shares lie one after the other, the largest first."""
    order = np.argsort(-shares, kind="stable")
    at = int(np.searchsorted(shares[order].cumsum(), u, side="right"))
    return int(order[min(at, int((shares > 0).sum()) - 1)])


def chances(seed: int, count: int) -> np.ndarray:
    """[count] numbers from 0 to 1: always the same for a seed, and the first ones the same however many there are."""
    return np.random.default_rng(seed).random(count)
