"""How good a translator is: exact matches, and whether its cross-attention looks where the grammar says."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from ..grammar import Sentence
from ..model.decoding import greedy
from ..model.taps import recording
from ..model.transformer import Transformer
from ..text.shared import SharedVocabulary
from .data import BOS, EOS, Rows


@torch.no_grad()
def exact_match(
    network: Transformer, data: Sequence[Sentence], vocabulary: SharedVocabulary, size: int = 250
) -> tuple[float, list[tuple[Sentence, str]]]:
    """The share of sentences whose greedy translation is the grammar's, word for word; and those that are not."""
    network.eval()
    rows = Rows(data, vocabulary)
    order = sorted(range(len(data)), key=lambda row: len(rows.source[row]))
    wrong = []
    for start in range(0, len(order), size):
        batch = rows.batch(order[start : start + size])
        written = greedy(network, batch.source, batch.source_padding, start=BOS, end=EOS)
        for row, ids in zip(order[start : start + size], written, strict=True):
            words = tuple(vocabulary.pieces[id] for id in ids)
            if words != data[row].words:
                wrong.append((data[row], " ".join(words)))
    return 1 - len(wrong) / len(data), wrong


@dataclass(frozen=True, eq=False)
class Alignment:
    """How well cross-attention aligns the content words with the characters they render.

    Attributes:
        argmax: [layer, head] the share of content words whose most looked-at character is one of theirs.
        mass: [layer, head] the mean weight that lies on their characters.
        mean_argmax: [layer] the share for the mean of the layer's heads.
        words: how many content words were looked at.
    """

    argmax: np.ndarray
    mass: np.ndarray
    mean_argmax: np.ndarray
    words: int

    @property
    def best(self) -> tuple[int, int]:
        """Layer and head, from 0, where the most content words look at one of their characters."""
        layer, head = np.unravel_index(self.argmax.argmax(), self.argmax.shape)
        return int(layer), int(head)

    def as_json(self) -> dict[str, object]:
        layer, head = self.best
        return {
            "words": self.words,
            "argmax": self.argmax.round(4).tolist(),
            "mass": self.mass.round(4).tolist(),
            "mean_of_heads_argmax": self.mean_argmax.round(4).tolist(),
            "best": {"layer": layer, "head": head},
        }


@torch.no_grad()
def alignment(network: Transformer, data: Sequence[Sentence], vocabulary: SharedVocabulary) -> Alignment:
    """Measured teacher-forced, in the row that writes the word: the one of the token before it."""
    network.eval()
    rows = Rows(data, vocabulary)
    hits, mass, mean_hits, words = 0, 0, 0, 0
    for number, sentence in enumerate(data):
        batch = rows.batch([number])
        with recording(("decoder.*.cross_attention.weights",)) as tape:
            network(batch.source, batch.source_padding, batch.target_in, batch.target_padding)
        weights = torch.stack(list(tape.tensors.values())).numpy()  # layer, head, target, source
        for row, word in enumerate(sentence.target):
            if word.content:
                own = list(word.source)
                hits = hits + np.isin(weights[:, :, row].argmax(-1), own)
                mean_hits = mean_hits + np.isin(weights[:, :, row].mean(1).argmax(-1), own)
                mass = mass + weights[:, :, row][..., own].sum(-1)
                words += 1
    return Alignment(np.array(hits) / words, np.array(mass) / words, np.array(mean_hits) / words, words)
