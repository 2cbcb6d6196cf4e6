"""The English words of the segmentation lab: counted as they are said to be, and found in any case."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.reference import jieba
from core.text import segmentation
from core.text.dictionary import ENGLISH, dictionary, dictionary_for, english
from core.training.english import RAREST, count, save

FRAME = "licence\n*** START OF A BOOK ***\n{}\n*** END OF A BOOK ***\nlicence"


@given(st.lists(st.sampled_from(["The", "cat", "sat", "A", "b", "I", "it's", "mat-weed"]), max_size=20))
def test_words_are_counted_between_the_lines_of_the_gutenberg_project(words: list[str]) -> None:
    letters = " ".join(words).lower().replace("'", " ").replace("-", " ").split()
    counted = {w: n for w, n in Counter(letters).items() if n >= RAREST and (len(w) > 1 or w in "ai")}
    assert count([FRAME.format(" ".join(words))]) == counted


def test_the_committed_words_are_as_they_are_saved(tmp_path) -> None:
    rows = (line.split("\t") for line in ENGLISH.read_text(encoding="utf-8").splitlines())
    counted = Counter({word: int(n) for word, n in rows})
    save(counted, tmp_path / "words.tsv")
    assert (tmp_path / "words.tsv").read_bytes() == ENGLISH.read_bytes()
    assert english().total == counted.total() and min(counted.values()) >= RAREST and counted["the"] == 25597


@pytest.mark.parametrize(("text", "own"), [("thecat", True), ("乒乓 the", False), ("123", False), ("", False)])
def test_a_text_is_cut_with_the_dictionary_of_its_script(text: str, own: bool) -> None:
    assert dictionary_for(text) is (english() if own else dictionary())


@given(st.text("thecatsonmaiTHE .3", max_size=20), st.sampled_from(["accurate", "full", "search"]), st.booleans())
def test_jieba_itself_cuts_english_with_these_words_in_the_same_way(text: str, mode, mat: bool) -> None:
    words = english().changed({"mat": 37} if mat else {})
    cut = {"accurate": segmentation.cut, "full": segmentation.full, "search": segmentation.search}[mode](text, words)
    assert jieba.difference(text, words, True, mode, cut) < 1e-9


@given(st.text("theCATS", max_size=6), st.data())
def test_words_are_found_in_any_case(word: str, data) -> None:
    other = "".join(data.draw(st.sampled_from([c.lower(), c.upper()])) for c in word)
    assert english().frequency(word) == english().frequency(other)
