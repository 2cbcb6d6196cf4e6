"""A derivation in words: every step says something, in both languages, with its own numbers in it."""

import re

import pytest

from core import Capture, Model
from core.derivation import Derivation, Step, Term
from core.derivation.attention import derive
from core.figures.followed import Line
from core.views.attention import MODES, SQUARE, AttentionView, attention_view
from pages.shared import follow
from pages.shared.numbers import exact, short
from pages.shared.texts import Texts


@pytest.fixture(scope="module")
def view(the_cat: Capture, minilm: Model) -> AttentionView:
    return attention_view(the_cat, minilm, 2)


def lines(view: AttentionView, language: str, mode: str) -> tuple[Derivation, list[Line]]:
    """As the attention page asks for them: layer 3, head 9, from the second "the" to "mat"."""
    derivation = derive(view, mode, 8, 5, 6)
    labels = view.tokens if mode == "context" else None
    column = "mat" if mode in SQUARE else 6
    t = Texts(language, "attention")
    said = follow.lines(t, derivation, n=9, labels=labels, row="the", column=column, layer=3, head=9)
    return derivation, said


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("mode", MODES)
def test_every_step_is_said(view: AttentionView, language: str, mode: str) -> None:
    derivation, said = lines(view, language, mode)
    assert len(said) == len(derivation.steps)
    for step, line in zip(derivation.steps, said, strict=True):
        spoken = [line.operation, line.value, line.reason, *line.lines]
        assert all(words.strip() for words in spoken)
        assert [words for words in spoken if re.search(r"\{\w+\}", words)] == []  # nothing was left unfilled
        assert line.value == short(step.value)
        assert line.exact == exact(step.value)
        unwritten = bool(step.largest) and step.count > len(step.largest)  # one line for all of them
        assert len(line.lines) == len(step.largest) + unwritten
        assert line.bars == pytest.approx(step.terms, rel=1e-3)
        assert line.focus == step.focus
    assert said[-1].check.endswith(short(abs(derivation.difference)))
    assert not any(line.check for line in said[:-1])


def test_a_weight_in_english(view: AttentionView) -> None:
    """The numbers are those of the page's opening cell: 27.5 ÷ √32 = 4.86, and .84 of the row."""
    _, (product, scale, softmax) = lines(view, "en", "weights")
    assert (product.operation, product.value[:4]) == ("q(the) · k(mat)", "27.5")
    assert product.reason == "32 products, one a dimension, added up; above, the largest"
    assert re.fullmatch(r"dim \d+  −?[\d.]+ × −?[\d.]+ = −?[\d.]+", str(product.lines[0]))
    assert (scale.operation, scale.value[:4]) == ("÷ √32", "4.86")
    assert str(softmax.operation).startswith("e^4.86") and softmax.value[:4] == "0.83"
    assert softmax.reason == "softmax: its share of this row; keys that may be looked at: 9"
    assert softmax.focus == 6


def test_terms_over_tokens_are_named_by_them(view: AttentionView) -> None:
    derivation, (mixture,) = lines(view, "en", "context")
    assert str(mixture.lines[0]).startswith(f"{view.tokens[derivation.steps[0].largest[0].index]}  ")


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
