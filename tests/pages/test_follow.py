"""A derivation in words: every step says something, in both languages, with its own numbers in it."""

import re

import pytest

from core import Capture
from core.derivation import Derivation, Step, Term
from core.figures.followed import Followed, Line
from core.views.attention import MODES
from pages.shared.number import follow
from pages.shared.number.number_panel import Cells
from pages.shared.words.numbers import exact, short
from pages.shared.words.texts import Texts
from pages.stages.attention.followed import followed


@pytest.fixture
def shown(looked):
    """As the attention page opens: layer 3, head 9, from the second "the" to "mat"."""

    def context(lang: str, mode: str) -> tuple[Derivation, Followed]:
        found = looked("attention", lang, guess="skip", text="The cat sat on the mat.", show=mode, q=5, k=6, dim=6)
        return Cells(found.page).derived(found.number), followed(found)

    return context


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("mode", MODES)
def test_every_step_is_said(shown, language: str, mode: str) -> None:
    derivation, panel = shown(language, mode)
    said = panel.steps[-len(derivation.steps) :]
    for step, line in zip(derivation.steps, said, strict=True):
        spoken = ["".join(map(str, words)) for words in (line.operation, line.value, line.reason, *line.lines)]
        assert all(words.strip() for words in spoken)
        assert [words for words in spoken if re.search(r"\{\w+\}", words)] == []  # nothing was left unfilled
        assert line.value == short(step.value)
        assert line.exact == exact(step.value)
        unwritten = bool(step.largest) and step.count > len(step.largest)  # one line for all of them
        assert len(line.lines) == len(step.largest) + unwritten
        assert line.bars == pytest.approx(step.terms, rel=1e-3)
        assert line.focus == step.focus
    if mode != "contribution":  # of a share there is no other way to it
        assert said[-1].check.endswith(short(abs(derivation.difference)))
    assert not any(line.check for line in panel.steps[:-1])


def test_a_weight_in_english(shown) -> None:
    """The numbers are those of the page's opening cell: 27.5 ÷ √32 = 4.86, then .84 of the row."""
    _, panel = shown("en", "weights")
    product, scale, total, softmax = panel.steps
    assert (product.operation, product.value[:4]) == ("q · k", "27.5")
    assert product.reason == "32 products, one per dimension, added up; above, the largest"
    assert re.fullmatch(r"dim \d+  −?[\d.]+ × \(?−?[\d.]+\)? = −?[\d.]+", str(product.lines[0]))
    assert (scale.operation, scale.value[:4]) == ("÷ √32", "4.86")
    assert total.reason.startswith("e to the power of each of the 9 numbers") and total.focus == 6
    assert str(softmax.operation).startswith("exp(4.86") and softmax.value[:4] == "0.83"
    assert softmax.reason == "softmax: its share of the row"


def test_terms_over_tokens_are_named_by_them(shown, the_cat: Capture) -> None:
    derivation, panel = shown("en", "context")
    first = derivation.steps[0].largest[0].index
    assert str(panel.steps[0].lines[0]).startswith(f"{the_cat.tokens[first].text}")


def test_a_step_may_word_its_own_value() -> None:
    class Own(Texts):
        def __init__(self) -> None:
            self.words = {
                "steps.x.operation": "f",
                "steps.x.value": "row {n}",
                "steps.x.reason": "{count} terms of {n}",
                "steps.x.term": "{index}: {left} × {right} = {value}",
            }

    step = Step("x", 3.0, {"n": 7}, (6.0,), (Term(0, 2.0, 3.0),))
    assert follow.line(Own(), step, {}) == Line(
        operation="f",
        value="row 7",
        exact="3.0",
        bars=[6.0],
        focus=None,
        lines=["0: 2.000 × 3.000 = 6.000"],
        reason="1 terms of 7",
    )


def test_brackets_are_for_what_has_a_minus_sign() -> None:
    class Own(Texts):
        def __init__(self) -> None:
            self.words = {"sum": "{a} + {b:summand} + {c:summand}"}

    t = Own()
    assert t("sum", a=0.3784, b=0.1649, c=-0.363) == "0.3784 + 0.1649 + (−0.3630)"
    assert t("sum", a=4.861, b=float("-inf"), c=0.0) == "4.861 + (−∞) + 0"
    assert t("sum", a=1) == "1 + {b:summand} + {c:summand}"  # what nobody gives stays as it is, to be found
