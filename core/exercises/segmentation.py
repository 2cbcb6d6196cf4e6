"""A word whose frequency flips the path; a word that no dictionary has."""

from collections.abc import Callable
from dataclasses import dataclass

from ..text.segmentation import Word
from ..text.word_graph import Edge
from ..views.segmentation import SegmentationView, challenger
from .exercise import Exercise, Patch, Values, Verdict

NEW = "他来到了网易杭研大厦"
SHOWN = 40  # characters of a path in a sentence
BEFORE = 2  # words that the paths share, before they part


@dataclass(frozen=True, eq=False)
class Cut:
    """A text cut with the visitor's words, and by jieba's dictionary alone; and what frequency a word needs there."""

    now: SegmentationView
    plain: SegmentationView
    needed: Callable[[Edge], int | None]


def told_apart(one: SegmentationView, other: SegmentationView) -> list[str]:
    """Both paths, from a little before they part, as far as there is room."""
    paths = [view.paths[0].texts for view in (one, other)]
    same = next((i for i, (a, b) in enumerate(zip(*paths, strict=False)) if a != b), 0)
    start = max(0, same - BEFORE) if len(" / ".join(max(paths, key=len))) > SHOWN else 0
    shown = [" / ".join(path[start:]) for path in paths]
    return ["…" * (start > 0) + said[:SHOWN] + "…" * (len(said) > SHOWN) for said in shown]


def flipped(cut: Cut, values: Values) -> Verdict:
    """Do the visitor's words make another path the best?"""
    before, after = told_apart(cut.plain, cut.now)
    facts = {"before": before, "after": after}
    if cut.now.paths[0].texts != cut.plain.paths[0].texts:
        return Verdict(True, facts)
    return Verdict(False, facts, "wrong" if values["words"] else "none")


def weighed(cut: Cut, values: Values) -> Patch | None:
    """The word most worth weighing, just frequent enough."""
    word = challenger(cut.plain)
    at = cut.needed(word) if word else None
    return {"words": f"{word.text}:{at}", "arc": f"{word.start}-{word.end}"} if word and at is not None else None


def fresh(view: SegmentationView) -> list[Word]:
    """What the second step made that the dictionary lacks."""
    return [word for word in view.new if not view.dictionary.frequency(word.text)]


def made(cut: Cut, values: Values) -> Verdict:
    """Does the second step make a word of characters that the path took one by one?"""
    new = fresh(cut.now)
    if values["hmm"] == "off":
        return Verdict(False, said="off")
    return Verdict(bool(new), {"word": new[0].text if new else "", "words": len(cut.now.words)})


def a_new_word(cut: Cut, values: Values) -> Patch | None:
    return {"hmm": "on", "words": None} if fresh(cut.plain) else None


FRESH: Patch = {"words": None, "arc": None, "way": None}


EXERCISES = (
    Exercise("flip", flipped, weighed, {**FRESH, "sample": "乒乓球拍卖完了"}),
    Exercise("new", made, a_new_word, {**FRESH, "sample": NEW, "hmm": "on"}),
)
