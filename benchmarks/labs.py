"""The work behind the labs and the sentence's box: CPU of what a visitor may ask for there, the pages left out."""

import statistics
import time
from collections.abc import Callable

SENTENCE = "小明昨天晚上在北京看了一部电影，乒乓球拍卖完了。"
RARE = "饕餮龘靐齉麤鱻"


def measure() -> dict[str, float]:
    """CPU milliseconds: a map of 300 words, the neighbours of one among all rows, the segmentation of 500 characters
    with its graph, of ordinary and of rare ones, and the tokens of 10,000 characters."""
    from core import load_model
    from core.text import dictionary
    from core.text.wordpiece import WordPiece
    from core.views.maps import Plan, draw
    from core.views.meaning import Group, space, word_set
    from core.views.segmentation import segmentation_view

    model = load_model("minilm")
    assert isinstance(model.tokenizer, WordPiece)
    words = dictionary.dictionary()
    english = space(model)
    word = english.word("good")
    assert word
    common = [piece for piece in model.tokenizer.pieces if piece.isascii() and piece.isalpha() and len(piece) > 3][:300]
    pieces = model.tokenizer
    drawn = word_set(english, [Group("", tuple(common))]).vectors

    def cut(text: str) -> Callable[[], object]:
        return lambda: segmentation_view((text * 100)[:500], words, pieces)

    return {
        "map_ms": cpu(lambda: draw(drawn, Plan()), 3),
        "neighbours_ms": cpu(lambda: english.neighbours(word), 10),
        "segmentation_ms": cpu(cut(SENTENCE), 10),
        "rare_ms": cpu(cut(RARE), 10),
        "tokens_ms": cpu(lambda: model.tokenizer.trace((SENTENCE * 500)[:10_000]), 10),
    }


def cpu(work: Callable[[], object], rounds: int) -> float:
    """Median CPU milliseconds of this process, all its threads; the first round warms up."""
    taken = []
    for _ in range(rounds + 1):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return statistics.median(taken[1:]) * 1000
