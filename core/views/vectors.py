"""What is asked of vectors everywhere: how alike their directions are."""

import numpy as np

TINY = 1e-12  # shorter than any vector that was computed: only a zero vector is


def unit(rows: np.ndarray) -> np.ndarray:
    """Each vector [..., d] as one of length 1; a zero vector stays zero."""
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), TINY)


def cosine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a · b ÷ (‖a‖ ‖b‖) along the last axis: [..., d] -> [...], one number for two vectors.

    1 in one direction, 0 at right angles; NaN where either is zero, which has no direction.

    >>> float(cosine(np.array([3.0, 4.0]), np.array([4.0, 3.0])))
    0.96
    """
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.vecdot(a, b) / lengths


def cosines(rows: np.ndarray) -> np.ndarray:
    """[n, d] -> [n, n]: the cosine of every vector with every other; NaN where either is zero.

    >>> cosines(np.eye(2))
    array([[1., 0.],
           [0., 1.]])
    """
    with np.errstate(invalid="ignore"):
        directions = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return directions @ directions.T
