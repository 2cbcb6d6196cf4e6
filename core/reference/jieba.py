"""jieba itself over the same words, for comparison."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..text.dictionary import Dictionary
from ..text.segmentation import HAN, Mode, Word

if TYPE_CHECKING:
    from jieba import Tokenizer


def tokenizer(words: Dictionary) -> "Tokenizer":
    """jieba's own; it is given the words, so that it loads nothing, writes no file, and shares nothing with anybody."""
    import jieba

    made = jieba.Tokenizer()
    made.FREQ, made.total, made.initialized = words.frequencies, words.total, True  # type: ignore[assignment]
    return made


def tagged(text: str, words: Dictionary, hmm: bool) -> Iterator[tuple[int, str, str]]:
    """Place, word and part of speech by jieba.posseg, of Chinese words.

    A word of the dictionary gets the dictionary's one tag. A run of single characters is cut and tagged by a hidden
    Markov model of posseg's own, whose states are a letter of B, M, E, S and a tag: that is not the one of `cut`.
    """
    from jieba import posseg

    tagger = posseg.POSTokenizer.__new__(posseg.POSTokenizer)  # to be made, it would read a dictionary of its own
    tagger.tokenizer, tagger.word_tag_tab = tokenizer(words), words.tags  # type: ignore[assignment]
    at = 0
    for word, tag in tagger.cut(text, HMM=hmm):
        if HAN.fullmatch(word):
            yield at, word, tag
        at += len(word)


def difference(text: str, words: Dictionary, hmm: bool, mode: Mode, ours: Sequence[Word]) -> float:
    """How many of the words differ; where none does, how far the best paths' log-probabilities are apart."""
    from ..text import word_graph

    theirs = tokenizer(words)
    cut = {
        "accurate": lambda: theirs.lcut(text, HMM=hmm),
        "full": lambda: [word for word in theirs.lcut(text, cut_all=True) if word],
        "search": lambda: theirs.lcut_for_search(text, HMM=hmm),
    }[mode]()
    # jieba keeps removed words, which its second step must not find again, in one list for everybody: here beside it.
    cut = [piece for word in cut for piece in (word if words.removed(word) else (word,))]
    if cut != [word.text for word in ours]:
        return float(sum(a != b.text for a, b in zip(cut, ours, strict=False)) + abs(len(cut) - len(ours)))
    apart = 0.0
    for _, block, inside in word_graph.blocks(text):
        if inside:
            route: dict[int, tuple[float, int]] = {}
            theirs.calc(block, theirs.get_DAG(block), route)
            best = word_graph.best_paths(word_graph.graph(block, words))[0]
            apart = max(apart, abs(route[0][0] - best.log_probability))
    return apart
