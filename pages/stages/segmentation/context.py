"""What is looked at on this page: a text, cut with a visitor's words, and one path or one word of its graph."""

from collections.abc import Mapping
from functools import cached_property

from core.exercises.segmentation import Cut
from core.text import own_words, word_graph
from core.text.dictionary import Dictionary, dictionary_for
from core.text.segmentation import Mode
from core.text.unicode import is_cjk
from core.text.word_graph import Edge, Path
from core.views.segmentation import SegmentationView, challenger, segmentation_view
from core.zoo import able
from pages.shared.page import stage
from pages.shared.page.stage import PageContext
from pages.shared.server import cached
from pages.shared.words import samples

EXAMPLES = {"zh": "乒乓球拍卖完了", "en": "thecatsatonthemat"}
LONGEST = 500  # characters
FEWEST = 4  # letters of an English sentence, for there to be something to cut
LONGEST_WORDS = 800  # characters of what a visitor adds
CLIPPED = 40  # characters of a path in a sentence
MODES: tuple[Mode, ...] = ("accurate", "full", "search")


def begins_with(own: str) -> str | None:
    """The visitor's sentence as this page can begin with it: Chinese as it is, English without its spaces; None where
    it is neither, or what either site opens on."""
    if samples.is_example(own):
        return None
    if any(is_cjk(character) for character in own):
        return own.strip()[:LONGEST]
    letters = "".join(filter(str.isalpha, own.lower()))
    return letters[:LONGEST] if len(letters) >= FEWEST and letters.isascii() else None


def opens_on(page: PageContext) -> str:
    """What is cut where no text is chosen."""
    return begins_with(page.address.own_text) or EXAMPLES[page.t.language]


def everyones(text: str) -> Dictionary:
    """The dictionary that a text is cut with."""
    cached.dictionary()
    return dictionary_for(text)


def words_of(raw: str, text: str) -> Dictionary:
    """The same with the visitor's words laid over it."""
    everyone = everyones(text)
    return everyone.changed(own_words.weighed(own_words.read_words(raw)[0], everyone))


@cached.shared
def view_of(text: str, words: str = "", hmm: bool = True, mode: Mode = "accurate") -> SegmentationView:
    tokenizer = cached.model(able("cut words")).tokenizer
    return segmentation_view(text, words_of(words, text), tokenizer, hmm, mode)  # type: ignore[arg-type]


@cached.shared
def threshold(text: str, words: str, word: str, at: int | None = None) -> int | None:
    """The frequency the word needs for the best path to take it, where it begins at `at` or anywhere."""
    return word_graph.threshold(text, words_of(words, text), word, at)


def weighing(words: str, word: str, frequency: int | None) -> str | None:
    """The visitor's words with another frequency for one; None takes it back."""
    mine = {name: number for name, number in own_words.read_words(words)[0].items() if name != word}
    return own_words.written(mine if frequency is None else {**mine, word: frequency}) or None


def fresh(guess: str | None, sample: str, words: str | None = None) -> dict[str, object]:
    """The patch of another text: what was selected, weighed or guessed in the old one goes."""
    kept = "skip" if guess == "skip" else None
    return {"words": words, "arc": None, "way": None, "guess": kept, "ask": None, "sample": sample}


class StageContext(stage.StageContext[SegmentationView]):
    @property
    def text(self) -> str:
        return self.view.text

    @property
    def words(self) -> str:
        """The visitor's words, as typed."""
        return self.values["words"] or ""

    @cached_property
    def mine(self) -> Mapping[str, int | None]:
        """The same as read: a word's frequency, 0 where it is removed."""
        return own_words.read_words(self.words)[0]

    @property
    def chinese(self) -> bool:
        """Whether it is cut with jieba's own dictionary, and not with the English one."""
        return bool(self.view.dictionary.tags)

    def method(self, name: str) -> str:
        """What a method is called: jieba's rules go by a dictionary that need not be jieba's."""
        return self.t(f"methods.{'words' if name == 'jieba' and not self.chinese else name}")

    @property
    def hmm(self) -> bool:
        return self.values["hmm"] == "on"

    @property
    def mode(self) -> Mode:
        return self.values["mode"]

    @cached_property
    def rival(self) -> Edge | None:
        """The word that is asked about; else the one most worth weighing, by jieba's own dictionary."""
        plain = view_of(self.text)
        if self.question is None:
            return challenger(plain)
        return plain.edge_at[self.question.row, int(self.question.facts["end"])]

    @property
    def seen(self) -> tuple[Path, ...]:
        """The paths that may be seen: while the question is open, the runner-up is its answer."""
        return self.view.paths[:1] if self.veiled else self.view.paths

    @property
    def way(self) -> int:
        return min(self.values["way"], len(self.seen) - 1)

    @property
    def arc(self) -> Edge | None:
        """The word that is followed, where it is one and not a path."""
        if self.values["arc"] is None:
            return None
        start, end = map(int, self.values["arc"].split("-"))
        return self.view.edge_at[start, end]

    def threshold(self, edge: Edge) -> int | None:
        """The frequency this word needs here, beside the visitor's other words."""
        return threshold(self.text, weighing(self.words, edge.text, None) or "", edge.text, edge.start)

    def tag(self, word: str) -> str:
        """The dictionary's part of speech; "" where it has none."""
        return self.view.dictionary.tags.get(word, "")

    @property
    def waved_off(self) -> dict[str, object]:
        """What weighing a word sets besides: whoever does that has the answer in sight."""
        return {"guess": "skip"} if self.veiled else {}

    @property
    def practised(self) -> Cut:
        text, plain = self.text, view_of(self.text)
        return Cut(self.view, plain, lambda edge: threshold(text, "", edge.text, edge.start))
