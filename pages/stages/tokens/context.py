"""What is looked at on this page: one word of the text, at one step of its walk."""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from core.text.token import Token
from core.views.tokens import TokensView, Unit, alone, tokens_view
from core.zoo import able
from pages.shared.page import stage
from pages.shared.server import cached
from pages.shared.words.texts import clip

SPELLER = able("cut words")
BESIDE = ("embeddings", "tokenization", "electroencephalography", "unaffable")  # each is cut
CLIPPED = 28  # characters of a word in running text


@cached.shared
def view_of(name: str, text: str) -> TokensView:
    """Where nothing is cut, a word that is stands beside the text: another one beside another text."""
    view = tokens_view(cached.trace(name, text), cached.model(name).tokenizer.steps)
    word = BESIDE[len(text) % len(BESIDE)]
    return view if view.cut else replace(view, beside=alone(cached.trace(SPELLER, word)))


def veil_of(view: TokensView, asked: int | None) -> tuple[int, ...]:
    """The units that are veiled: the asked word, wherever it stands."""
    return () if asked is None else view.same(asked)


class StageContext(stage.StageContext[TokensView]):
    """The selected unit."""

    @property
    def word(self) -> int:
        return self.values["word"]

    @property
    def unit(self) -> Unit:
        return self.view.walked[self.word]

    @property
    def aside(self) -> bool:
        """Whether the selected word stands beside the text and not in it."""
        return self.unit is self.view.beside

    @cached_property
    def veil(self) -> tuple[int, ...]:
        return veil_of(self.view, self.asked.row)

    @cached_property
    def veiled_units(self) -> tuple[int, ...]:
        """Those of the text."""
        return tuple(i for i in self.veil if i < len(self.view.units))

    @property
    def hidden(self) -> bool:
        """Whether the selected word is veiled."""
        return self.word in self.veil

    @property
    def tokenizer(self):
        return self.page.model.tokenizer

    @property
    def another_language(self) -> Unit | None:
        """Where this text is cut into characters, the word beside it, which another model cuts: what is asked of that
        comes behind what this text shows."""
        return None if self.tokenizer.cuts_words else self.view.beside

    @property
    def examples(self) -> tuple[str, ...]:
        return tuple(self.page.opening.get("examples", ()))

    def counted(self, name: str, n: int) -> str:
        return self.t(f"counts.{name}_one" if n == 1 else f"counts.{name}", n=n)

    def special_ids(self) -> str:
        """The special tokens with their ids, as the vocabulary has them."""
        return " · ".join(f"{special} {self.tokenizer.id_of(special)}" for special in self.tokenizer.specials)


# ---- words in running text


def shown(text: str, most: int = CLIPPED) -> str:
    """A word, not too long; and where it runs from right to left, the sentence around it does not."""
    text = clip(text, most)
    return f"\u2068{text}\u2069" if leftward(text) else text


def leftward(text: str) -> bool:
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)


def spelt(tokens: Sequence[Token]) -> str:
    return shown(" ".join(token.text for token in tokens), 3 * CLIPPED)
