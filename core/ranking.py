"""Which numbers of many are the largest."""

import numpy as np


def largest(values: np.ndarray, count: int) -> np.ndarray:
    """The places of the `count` largest of a row, the largest first; of equals the first. Of fewer, all.

    Only what is as large as the last of them is sorted: a row may be as long as a vocabulary.
    """
    if not count:
        return np.array([], int)
    if count >= len(values):
        return np.argsort(-values, kind="stable")
    least = np.partition(values, -count)[-count]
    among = np.flatnonzero(values >= least)
    return among[np.argsort(-values[among], kind="stable")][:count]
