"""The same vocabularies by other code: the `tokenizers` library, and the score counted anew at every step."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain, islice, repeat

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from ..text.merging import SPECIALS, Rule, Ties, Training, letters


def of_library(rule: Rule, ties: Ties) -> bool:
    """Whether the library trains in this way: it knows no score, and decides ties by ids."""
    return ties == "id" and rule != "score"


def theirs(words: Mapping[str, int], rule: Rule, ties: Ties, count: int) -> list[str]:
    """`count` pieces that are new when they are merged, in their order: by the library, or counted anew."""
    if not of_library(rule, ties):
        return list(islice(dict.fromkeys(recounted(words, rule, ties)), count))
    return bpe(words, count) if rule == "bpe" else wordpiece(words, count)


def difference(training: Training, ties: Ties) -> int:
    """At how many places the pieces that were merged, in their order, are not the same."""
    mine = [merge.made for merge in training.merges if merge.new]
    other = theirs(training.words, training.rule, ties, len(mine))
    return sum(a != b for a, b in zip(mine, other, strict=False)) + abs(len(mine) - len(other))


def repeated(words: Mapping[str, int]) -> Iterator[str]:
    return chain.from_iterable(repeat(word, count) for word, count in words.items())


def characters(words: Mapping[str, int]) -> set[str]:
    return {character for word in words for character in word}


def bpe(words: Mapping[str, int], count: int) -> list[str]:
    """By `BpeTrainer`, as it is."""
    size = len(SPECIALS) + len(characters(words)) + count
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()  # type: ignore[assignment]
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=list(SPECIALS), show_progress=False)
    tokenizer.train_from_iterator(repeated(words), trainer)
    return list(dict.fromkeys("".join(pair) for pair in json.loads(tokenizer.to_str())["model"]["merges"]))


def wordpiece(words: Mapping[str, int], count: int) -> list[str]:
    """By `WordPieceTrainer`, with every ##character in `special_tokens`: else their ids, which decide ties, come in
    the order of a hash table, and two runs differ."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()  # type: ignore[assignment]
    continuing = sorted({piece for word in words for piece in letters(word, "frequency")[1:]})
    first = {*SPECIALS, *continuing, *characters(words)}  # to the library every character is a piece, marked or not
    trainer = trainers.WordPieceTrainer(
        vocab_size=len(first) + count, special_tokens=[*SPECIALS, *continuing], show_progress=False
    )
    tokenizer.train_from_iterator(repeated(words), trainer)
    ids = tokenizer.get_vocab()
    return sorted((piece for piece in ids if piece not in first), key=ids.__getitem__)


def recounted(words: Mapping[str, int], rule: Rule, ties: Ties) -> Iterator[str]:
    """As the Hugging Face course writes it: at every step all pieces and all pairs are counted from nothing."""
    splits = {word: letters(word, rule) for word in words}
    alphabet = {piece for split in splits.values() for piece in split}
    ids = {piece: i for i, piece in enumerate([*SPECIALS, *sorted(alphabet, key=lambda p: (len(p) == 1, p))])}
    while True:
        pieces, pairs = defaultdict(int), defaultdict(int)
        for word, split in splits.items():
            for piece in split:
                pieces[piece] += words[word]
            for i in range(len(split) - 1):
                pairs[split[i], split[i + 1]] += words[word]
        if not pairs:
            return
        value = {
            (a, b): count / (pieces[a] * pieces[b]) if rule == "score" else count for (a, b), count in pairs.items()
        }
        order = list(pairs) if ties == "first" else sorted(pairs, key=lambda pair: (ids[pair[0]], ids[pair[1]]))
        left, right = max(order, key=value.__getitem__)
        made = left + (right[2:] if rule != "bpe" else right)
        for split in splits.values():
            for i in range(len(split) - 2, -1, -1) if left != right else range(len(split)):
                if split[i : i + 2] == [left, right]:
                    split[i : i + 2] = [made]
        yield made
        ids.setdefault(made, len(ids))
