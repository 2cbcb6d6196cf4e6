"""What is looked at: one word that may come next, and one of the parts of the model that its logit is the sum of."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.capture import Capture
from core.derivation import Cell, Measure
from core.derivation.measures.logit_parts import of_part
from core.text.token import named
from core.views.circuits import CircuitsView, Part, attentions, circuits_view, next_word, view_taps, written_as
from pages.shared.address.address import Parameter, Table, index
from pages.shared.number.number_links import number
from pages.shared.page import own_model, stage
from pages.shared.page.stage import PageContext
from pages.shared.server import cached

LONGEST = 40  # characters of a word


# ---- which sentence, which word


def a_word(name: str, allowed: str) -> Parameter:
    """A word of the vocabulary, as it is spoken."""

    def read(raw: str) -> str | None:
        text = raw[:LONGEST].strip()
        return text if text and next_word(cached.model(name), text) is not None else None

    return Parameter(read, None, allowed, "sentence", kept=LONGEST)


def which(page: PageContext) -> Table:
    n = len(page.trace.tokens)
    word = a_word(page.address.model, page.t("allowed_word"))
    return {"q": index(n, n - 1), "word": word, "against": word}


def view_of(page: PageContext, chosen: Mapping[str, Any]) -> CircuitsView:
    return view(*page.key, chosen["q"], chosen["word"], chosen["against"])


@cached.shared
def view(name: str, text: str, token: int, word: str | None, against: str | None) -> CircuitsView:
    model = cached.model(name)
    run = run_of(name, text)
    id, other = (None if said is None else next_word(model, said) for said in (word, against))
    first = circuits_view(run, model, token, id)
    return first if other in (None, first.found.word) else circuits_view(run, model, token, id, other)


def run_of(name: str, text: str) -> Capture:
    return cached.capture(name, text, only=view_taps(cached.model(name)))


# ---- what is selected


@dataclass(frozen=True, eq=False)
class StageContext(stage.StageContext[CircuitsView]):
    """Layers count from 1; layer 0 holds what stands in none. The heads of a layer are its first rows, then comes its
    feed-forward network."""

    @property
    def model(self) -> Any:
        return self.page.model

    @property
    def covered(self) -> bool:
        """Whether an open question is answered by what each part adds: at which token a head looks is not."""
        return self.veiled and not (self.question and self.question.template == "looks")

    def hides(self, part: Part) -> bool:
        """Whether it must not be seen yet in which layer a part stands: one of the kind that is asked about."""
        return self.covered and self.question is not None and part.kind == self.question.facts["kind"]

    @property
    def token(self) -> int:
        """The token that the word comes after."""
        return self.values["q"]

    @property
    def word(self) -> str:
        return self.say(self.view.found.word)

    @property
    def against(self) -> str | None:
        other = self.view.found.against
        return None if other is None else self.say(other)

    def say(self, id: int) -> str:
        """A word as every page shows it, the space before it included."""
        return self.model.tokenizer.names[id]

    def written(self, id: int) -> str:
        """A word as the address has it."""
        return written_as(self.model, id)

    @property
    def example_against(self) -> int | None:
        """The word that the model's own example is set against."""
        against = self.page.opening.get("against")
        if against is None or self.page.text != own_model.beginning(self.page.address.model, self.page):
            return None
        return next_word(self.model, str(against))

    def token_name(self, i: int) -> str:
        """A token of the prompt; with its place where there are several."""
        return named([self.say(token.id) for token in self.view.tokens], i)

    @property
    def prompt(self) -> str:
        """The text up to the token."""
        return self.page.text[: max(token.end for token in self.view.tokens[: self.token + 1])]

    @property
    def selected(self) -> int | None:
        """The number of the part that is followed; None: the whole sum."""
        return self.view.at(self.values["layer"], self.values["part"])

    @cached_property
    def first(self) -> int:
        """The number of the part that adds or takes most."""
        return int(self.view.found.ranked[0])

    @cached_property
    def unasked(self) -> int:
        """While a question is open: the part that adds or takes most of those it does not ask about."""
        found = self.view.found
        free = (i for i in found.ranked.tolist() if i != self.view.first_head and not self.hides(found.parts[i]))
        return next(free)

    @property
    def whole(self) -> str:
        """What the sum comes to."""
        return self.t("picture.all" if self.against is None else "picture.all_gap")

    def name(self, part: Part) -> str:
        """Head 5 of layer 24; of the one whose layer is asked: a head."""
        found = self.view.found
        if self.hides(part) and part == found.parts[int(found.values.argmax())]:
            return self.t(f"some.{part.kind}")
        layer = None if part.layer is None else part.layer + 1
        kind = f"{part.kind}_end" if part.kind == "bias" and layer is None else part.kind
        return self.t(f"parts.{kind}", layer=layer, head=None if part.head is None else part.head + 1)

    # ---- numbers that can be followed

    def source(self, i: int | None) -> Measure:
        """What a part adds; the whole sum where none is named."""
        found = self.view.found
        if i is not None:
            return of_part(self.model, found.parts[i], found.token, found.word, found.against)
        return Measure("parts", self.logits)

    @property
    def logits(self) -> tuple[Cell, ...]:
        """The logit; of a gap, both."""
        found = self.view.found
        ids = [found.word] if found.against is None else [found.word, found.against]
        return tuple(Cell("output.logits", (found.token, id)) for id in ids)

    def together(self, kind: str) -> float:
        """What all parts of a kind add."""
        value = float(self.view.found.values[self.view.of_kind(kind)].sum())
        return number(self, value, Measure(f"parts_{kind}", self.logits))

    def added(self, i: int) -> float:
        return number(self, float(self.view.found.values[i]), self.source(i))

    @property
    def total(self) -> float:
        """The logit, or the gap, as the model had it."""
        return number(self, self.view.found.captured, self.source(None))

    def likely(self, id: int, value: float) -> float:
        return number(self, value, Cell("output.probabilities", (self.token, id)))

    def weight(self, part: Part, key: int) -> float:
        """How much of its weight a head gives to a token."""
        tap = attentions(self.model, "weights")[part.layer or 0]
        return number(self, float(self.view.looks(part)[key]), Cell(tap, (part.head or 0, self.token, key)))
