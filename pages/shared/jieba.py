"""jieba itself over the same words, for comparison."""

from collections.abc import Sequence

from core.text.segmentation import Dictionary, Mode, Word


def difference(text: str, words: Dictionary, hmm: bool, mode: Mode, ours: Sequence[Word]) -> float:
    """How many of the words differ; where none does, how far the best paths' log-probabilities are apart."""
    import jieba

    from core.text import segmentation

    theirs = jieba.Tokenizer()
    # It is given the words, so that it loads nothing, writes no file, and nothing is shared with anybody.
    theirs.FREQ, theirs.total, theirs.initialized = words.frequencies, words.total, True  # type: ignore[assignment]
    cut = {
        "accurate": lambda: theirs.lcut(text, HMM=hmm),
        "full": lambda: [word for word in theirs.lcut(text, cut_all=True) if word],
        "search": lambda: theirs.lcut_for_search(text, HMM=hmm),
    }[mode]()
    if cut != [word.text for word in ours]:
        return float(sum(a != b.text for a, b in zip(cut, ours, strict=False)) + abs(len(cut) - len(ours)))
    apart = 0.0
    for _, block, inside in segmentation.blocks(text):
        if inside:
            route: dict[int, tuple[float, int]] = {}
            theirs.calc(block, theirs.get_DAG(block), route)
            best = segmentation.best_paths(segmentation.graph(block, words))[0]
            apart = max(apart, abs(route[0][0] - best.log_probability))
    return apart
