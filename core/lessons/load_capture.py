"""Reads a capture that was taken away. It needs NumPy and nothing else.

run = load("capture.npz")
run.tokens                                        # ['[CLS]', 'the', 'cat', …]
run["encoder.2.attention.weights"]                # float32, [head, query, key]
run.dims("encoder.2.attention.weights")           # ['head', 'query', 'key']
run.labels("encoder.2.attention.weights", "key")  # the tokens along that axis
run.about                                         # text, model, edits, versions, each token with its id
"""

import json

import numpy as np


def load(path):
    return Taken(path)


class Taken:
    def __init__(self, path):
        with np.load(path) as file:
            self.about = json.loads(str(file["about"]))
            self.arrays = {name: file[name] for name in self.about["taps"]}
        self.tokens = [token["text"] for token in self.about["tokens"]]

    def __getitem__(self, tap):
        return self.arrays[tap]

    def dims(self, tap):
        return [dim for dim, _ in self.about["taps"][tap]]

    def labels(self, tap, dim):
        row = dict(self.about["taps"][tap])[dim]
        return None if row is None else [token["text"] for token in self.about[row]]
