"""What is looked at on this page: a text, the vocabulary trained on it, a step of the training, and one candidate."""

from collections.abc import Sequence
from functools import cached_property

from core.questions.vocabulary import name, rule_of, tells_of
from core.text.merging import KEPT, Candidate, Rule, Ties, Training, pairs
from core.views.vocabulary import VocabularyView, vocabulary_view
from pages.shared.page import stage
from pages.shared.page.stage import PageContext
from pages.shared.server import cached
from pages.shared.words import samples

EXAMPLES = {"zh": "北京×12 东京×5 北方×5 东方×4 北京人×10", "en": "hut×12 hug×10 bug×4 hat×5 bat×5"}
COURSE = "hug×10 pug×5 pun×12 bun×4 hugs×5"  # the Hugging Face course's: all its scores but the best are equal
PRESETS = (
    *EXAMPLES.values(),
    COURSE,
    "low×5 lower×2 newest×6 widest×3",
    "This is the Hugging Face Course. This chapter is about tokenization. This section shows several tokenizer "
    "algorithms. Hopefully, you will be able to understand how they are trained and generate tokens.",
    "我在北京读书。他在北京大学教书。北京大学在北京。北京的大学很多，南京的大学也很多。我去南京大学读书。",
)
LONGEST = 2000  # characters of the text
LONGEST_TRY = 200  # characters of what is spelt with it


@cached.shared
def view_of(text: str, rule: Rule = "score", ties: Ties = "first") -> VocabularyView:
    return vocabulary_view(text, rule, ties)


def begins_with(own: str) -> str | None:
    """The visitor's sentence, where two characters stand side by side in it more than once: without that, there is no
    pair to prefer. None also of what either site opens on."""
    if samples.is_example(own) or len(own) > LONGEST:
        return None
    merges = view_of(own, "frequency").training.merges
    return own if merges and merges[0].candidates[0].frequency > 1 else None


def opens_on(page: PageContext) -> str:
    """What is trained on where no text is chosen."""
    return begins_with(page.address.own_text) or EXAMPLES[page.address.lang]


def fresh(guess: str | None, sample: str) -> dict[str, object]:
    """The patch of another text: what was selected or guessed in the old one goes."""
    kept = "skip" if guess == "skip" else None
    return {"step": None, "pair": None, "guess": kept, "ask": None, "sample": sample}


class StageContext(stage.StageContext[VocabularyView]):
    @property
    def text(self) -> str:
        return self.view.text

    @property
    def training(self) -> Training:
        return self.view.training

    @property
    def rule(self) -> Rule:
        return self.values["rule"]

    @property
    def ties(self) -> Ties:
        return self.values["ties"]

    @property
    def step(self) -> int:
        """Merges that have been made: while a question is open, those that it tells of."""
        if not self.veiled:
            return min(self.values["step"], len(self.training.merges))
        return self.asked.row or 0 if self.asks else 0

    @property
    def asks(self) -> bool:
        """Whether a question is open that is about these pieces: it may tell of merges that this training has not."""
        return bool(self.veiled and self.question and tells_of(self.question, self.training) is not None)

    @property
    def asked_pairs(self) -> list[str]:
        """Those that may be answered, while the question is open."""
        return [choice.token or "" for choice in self.question.choices] if self.veiled and self.question else []

    @cached_property
    def among(self) -> Sequence[Candidate]:
        """All that may be merged next, while it is asked."""
        return pairs(self.training, self.step) if self.asks else []

    @property
    def open_pairs(self) -> list[Candidate]:
        """As many as the table of a step has: those that are asked about, and the first of the others."""
        return sorted(sorted(self.among), key=lambda pair: name(pair) not in self.asked_pairs)[:KEPT]

    @property
    def example(self) -> Candidate | None:
        """What is followed while that is asked: by score, where the table has all counts, the first answer; else a
        pair that is none, where there is one."""
        scored = self.judged == "score"
        return next((pair for pair in self.open_pairs if (name(pair) in self.asked_pairs) == scored), None)

    @property
    def judged(self) -> Rule:
        """By what the candidates are judged: while a question is open, by the rule it asks about."""
        if not (self.veiled and self.question):
            return self.rule
        return rule_of(self.question)

    @property
    def candidate(self) -> Candidate | None:
        """What is followed: of the next merge, or at the end of the last."""
        merges = self.training.merges
        if not merges:
            return None
        candidates = merges[self.next].candidates
        return candidates[min(self.values["pair"], len(candidates) - 1)]

    @property
    def next(self) -> int:
        """The merge whose candidates are in the table."""
        return min(self.step, len(self.training.merges) - 1)

    def trained(self, rule: Rule, ties: Ties) -> Training:
        """The same text by another rule."""
        return view_of(self.text, rule, ties).training
