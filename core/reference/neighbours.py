"""The nearest rows of a table, by scikit-learn."""

from collections.abc import Sequence

import numpy as np
from sklearn.metrics.pairwise import cosine_similarity


def nearest(table: np.ndarray, ids: Sequence[int], count: int) -> tuple[list[int], np.ndarray]:
    """The `count` rows of a table [vocab, d_model] nearest to the mean of its rows `ids`, these left out; and the
    cosine of every row with that mean, float32 [vocab], -inf for those left out."""
    cosines = cosine_similarity(table[list(ids)].mean(0, keepdims=True), table)[0]
    cosines[list(ids)] = -np.inf
    return np.argsort(-cosines)[:count].tolist(), cosines
