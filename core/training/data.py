"""Sentences to batches: what is trained on, what is held out, and rows of ids padded to one length."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal
from zlib import crc32

import torch
from torch import Tensor

from .. import grammar
from ..grammar import Sentence
from ..text.shared import SPECIALS, SharedVocabulary

Share = Literal["train", "sentence", "pair"]
HELD_OUT_SENTENCES = 20  # one in so many sentences is held out
HELD_OUT_PAIRS = 60  # and one in so many pairs of words
PAD, UNK, BOS, EOS = range(len(SPECIALS))


def share(sentence: Sentence) -> Share:
    """Which share of the data a sentence belongs to, decided by hashes alone.

    "pair": two of its words are a pair that training never sees together. "sentence": the sentence itself, with
    or without its full stop, is not in training. "train": everything else.
    """
    if any(hashed("+".join(pair)) % HELD_OUT_PAIRS == 0 for pair in sentence.pairs):
        return "pair"
    return "sentence" if hashed(sentence.zh.rstrip("。？")) % HELD_OUT_SENTENCES == 0 else "train"


def hashed(text: str) -> int:
    """A number from 0 to 2³² − 1 that a text always has."""
    return crc32(text.encode())


def sentences(seed: str, which: Share, count: int) -> list[Sentence]:
    """`count` different sentences of one share, drawn with a seed."""
    random = Random(seed)
    found: dict[str, Sentence] = {}
    while len(found) < count:
        sentence = grammar.sample(random)
        if sentence.zh not in found and share(sentence) == which:
            found[sentence.zh] = sentence
    return list(found.values())


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows of ids, padded: source [batch, source], target [batch, target], and where each is padding."""

    source: Tensor
    source_padding: Tensor
    target_in: Tensor  # begins with [BOS]
    target_out: Tensor  # the same, one to the left: ends with [EOS]
    target_padding: Tensor


class Rows:
    """Sentences as rows of ids."""

    def __init__(self, data: Sequence[Sentence], vocabulary: SharedVocabulary):
        source, target = vocabulary.source_ids(), vocabulary.target_ids()
        self.source = [[*(source[c] for c in sentence.zh), EOS] for sentence in data]
        self.target = [[BOS, *(target[word] for word in sentence.words), EOS] for sentence in data]

    def __len__(self) -> int:
        return len(self.source)

    def batch(self, rows: Sequence[int]) -> Batch:
        """These rows as one batch, each filled up to the longest."""
        source = padded([self.source[row] for row in rows])
        target = padded([self.target[row] for row in rows])
        target_in, target_out = target[:, :-1], target[:, 1:]
        # A row that ends earlier has its [EOS] in target_in: nothing is asked there, so it may stay.
        return Batch(source, source == PAD, target_in, target_out, target_in == PAD)

    def epoch(self, seed: str, size: int, near: int = 50) -> Iterator[Batch]:
        """Every row once, in batches of rows of like length, in an order that the seed decides."""
        random = Random(seed)
        order = list(range(len(self)))
        random.shuffle(order)
        batches = []
        for start in range(0, len(order), size * near):
            block = sorted(order[start : start + size * near], key=lambda row: (len(self.target[row]), row))
            batches += [block[i : i + size] for i in range(0, len(block), size)]
        random.shuffle(batches)
        return (self.batch(rows) for rows in batches)


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """[batch, longest] whole numbers, [PAD] after the end of each row."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in rows])
