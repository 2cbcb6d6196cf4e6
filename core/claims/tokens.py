"""Claims about tokens, vocabularies and words."""

from ..reference import trainers
from ..text import bpe, segmentation
from ..text.byte_pairs import bytes_in, readable
from ..text.dictionary import dictionary
from ..text.merging import spell, train
from .claim import CAT, Facts, Models

WORDS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}  # the Hugging Face course's example
NEW = ("杭研", "原神", "社恐", "奥利给")


def pieces(models: Models, text: str) -> list[str]:
    return [token.text for token in models("minilm").tokenizer.encode(text)]


def cat(models: Models) -> Facts:
    """The ids of BERT's uncased vocabulary, which MiniLM uses."""
    tokenizer = models("minilm").tokenizer
    ids = {word: tokenizer.id_of(word) for word in ("cat", "the", "mat")}
    return {**{word: str(id) for word, id in ids.items()}, "row": tokenizer.piece_of(5431)}


def nine(models: Models) -> Facts:
    """The sentence, cut."""
    tokens = pieces(models, CAT)
    without = pieces(models, CAT.removesuffix("."))
    return {"count": len(tokens), "tokens": " ".join(tokens), "without": len(without)}


def specials(models: Models) -> Facts:
    """Where the special tokens stand in the released vocabulary."""
    tokenizer = models("minilm").tokenizer
    names = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    ids = {key: str(tokenizer.id_of(piece)) for key, piece in names.items()}
    return {**ids, "between": f"{tokenizer.piece_of(1)} … {tokenizer.piece_of(99)}"}


def spaces(models: Models) -> Facts:
    """What becomes of a space, and of a word that is not in the vocabulary."""
    long = pieces(models, "tokenization")[1:-1]
    known = bpe.tokenizer()
    one, three, digit = (
        " ".join(readable(bytes_in(known.id_to_token(piece.id) or "")) for piece in bpe.encode(text))
        for text in ("a b", "a   b", "a 1")
    )
    return {
        "bert": " ".join(pieces(models, "a b")[1:-1]),
        "bytes": one,
        "several": three,
        "digit": digit,
        "long": " ".join(long),
        "unknown": " ".join(pieces(models, "奥利给")[1:-1]),
        "whole": models("minilm").tokenizer.pieces.count("tokenization"),
    }


def merges(models: Models) -> Facts:
    """The first pieces by the score, by frequency, and by the `tokenizers` library."""
    score, frequency = (train(WORDS, rule, "id").merges[:5] for rule in ("score", "frequency"))
    return {
        "score": " ".join(merge.made for merge in score),
        "frequency": " ".join(merge.made for merge in frequency),
        "library": " ".join(trainers.wordpiece(WORDS, 5)),
    }


def longest(models: Models) -> Facts:
    """A word that the merges, repeated in their order, spell in another way; and one of BERT's vocabulary."""
    trained, vocabulary = train(WORDS, "score", "first"), models("minilm").tokenizer.pieces
    *_, (_, repeated) = trained.walk("pugs")
    found = pieces(models, "unaffable")[1:-1]
    longer = {"unaffable"[:end] for end in range(len(found[0]) + 1, 10)}
    return {
        "longest": " ".join(spell(trained, "pugs")), "repeated": " ".join(repeated),
        "bert": " ".join(found), "longer": len(longer & {*vocabulary}),
    }  # fmt: skip


def ties(models: Models) -> Facts:
    """The same words and the same score, ties decided in two ways, four merges each."""
    size = len(train(WORDS, "score", "first", size=0).vocabulary) + 4
    first, smallest = (train(WORDS, "score", way, size=size) for way in ("first", "id"))
    ours, theirs = ([merge.made for merge in of.merges] for of in (first, smallest))
    return {
        "first": " ".join(ours),
        "smallest": " ".join(theirs),
        "different": len(set(first.vocabulary) ^ set(smallest.vocabulary)),
    }


def new_words(models: Models) -> Facts:
    """Words that jieba's dictionary does not have, without its hidden Markov model and with it."""
    words = dictionary()
    off, on = (
        " ".join("/".join(word.text for word in segmentation.cut(text, words, hmm)) for text in NEW)
        for hmm in (False, True)
    )
    known = sum(words.frequency(word) > 0 for word in NEW)
    return {"off": off, "on": on, "known": known, "words": len(NEW)}
