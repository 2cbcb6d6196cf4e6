"""All heads at once: their measures against ones computed by hand, the weights as the browser gets them, the question,
and a changed model's numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Cell, Model, capture, derive
from core.edits import parse
from core.figures.lines import ONE, TINY, VEILED, ZERO, four_digits
from core.questions.heads import counted, each, limits
from core.text.token import Token
from core.views.attention import attention_view
from core.views.attention import taps as attention_taps
from core.views.heads import heads_view, measured, taps
from core.views.what_if import end, leading
from pages.shared.words.numbers import short
from tests.models import loaded

CAT = "The cat sat on the mat."
TEXTS = (CAT, "the the the the the", "", "unaffable", "？！", "我昨天", "word " * 600, "?!.,;", "a" * 200, "☃ 奥利给 ☃")


def view(model: Model, text: str, kind: str = "encoder", edits: tuple = (), **more):
    return heads_view(capture(model, text, only=taps(kind), edits=edits, **more), kind)


@pytest.mark.parametrize("text", TEXTS)
def test_of_any_text_rows_add_up_to_one_and_measures_are_shares(minilm: Model, text: str) -> None:
    heads = view(minilm, text)
    assert heads.weights is not None and heads.weights.shape[:2] == (6, 12)
    assert np.abs(heads.weights.sum(-1) - 1).max() < 1e-5
    for name, values in heads.measures.items():
        assert values.shape == (6, 12)
        assert values.min() >= -1e-6 and values.max() <= 1 + 1e-6, name
        assert 0 <= heads.chance[name] <= 1 + 1e-9
    assert {"first", "last", "self", "entropy"} <= set(heads.measures)
    assert len(heads.ranked("entropy")) == 72


def test_padding_is_nobodys_key(minilm: Model) -> None:
    heads = view(minilm, "", pad_to=12)
    assert heads.weights is not None and heads.weights[..., 2:].max() == 0
    assert heads.chance["first"] == pytest.approx(0.5)  # two keys are open


@pytest.mark.parametrize("kind", ["encoder", "self", "cross"])
def test_every_kind_of_a_translator(kind: str) -> None:
    heads = view(loaded("translator"), "我昨天在北京买了三本书", kind)
    assert heads.weights is not None and np.abs(heads.weights.sum(-1) - 1).max() < 1e-5
    across = {"last", "entropy"}  # nobody adds a token before a Chinese sentence
    assert set(heads.measures) == across if kind == "cross" else across - {"last"} < set(heads.measures)


def test_measures_by_hand() -> None:
    tokens = [Token("[CLS]", 1, 0, 0, True, 0, None), *(Token(t, 9, 0, 1, False, 0, 0) for t in ("a", "b", "a"))]
    rows = [[0.5, 0.5, 0, 0], [0.1, 0.2, 0.3, 0.4], [0.25, 0.25, 0.25, 0.25], [0, 1, 0, 0]]
    found = measured(np.array(rows)[None, None], np.ones((4, 4), bool), tokens, tokens)
    by_hand = {
        "previous": (0.1 + 0.25 + 0) / 3,
        "next": (0.5 + 0.3 + 0.25) / 3,
        "self": (0.5 + 0.2 + 0.25 + 0) / 4,
        "first": (0.5 + 0.1 + 0.25 + 0) / 4,
        "same": (0.4 + 1) / 2,
        "entropy": (0.5 + -sum(p * np.log(p) for p in rows[1]) / np.log(4) + 1 + 0) / 4,
    }
    assert {name: float(values[0, 0]) for name, values in found.items()} == pytest.approx(by_hand)


def test_a_causal_mask_counts_the_keys_that_are_open() -> None:
    tokens = [Token(t, 9, 0, 1, False, 0, 0) for t in "ab"]
    weights = np.array([[1.0, 0.0], [0.5, 0.5]])[None, None]
    found = measured(weights, np.tril(np.ones((2, 2), bool)), tokens, tokens)
    assert float(found["entropy"][0, 0]) == pytest.approx(1)  # the first row has no choice
    assert "next" not in found


# ---- four digits


def decoded(code: int) -> float:
    decade, digits = divmod(code - 2, 9000)
    return 1.0 if code == ONE else float(f"{digits + 1000}e-{4 + decade}")


@given(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=60))
@settings(max_examples=25)
def test_a_weight_travels_with_the_digits_that_are_written(weights: list[float]) -> None:
    for weight_, code in zip(weights, four_digits(np.array(weights, np.float32)).tolist(), strict=True):
        if code in (ZERO, TINY):
            assert weight_ == 0 if code == ZERO else 0 < weight_ < 1e-7
        else:
            assert short(decoded(code)) == short(weight_)


def test_at_the_edges_of_a_decade_too() -> None:
    edges = [0.99995, 0.099995, 0.1, 0.01, 0.0999949, 2**-7, 2**-5, 1e-7, 1.0]
    codes = four_digits(np.array(edges, np.float32)).tolist()
    assert [short(decoded(code)) for code in codes] == [short(float(np.float32(edge))) for edge in edges]
    assert four_digits(np.array([np.nan])).tolist() == [VEILED]


# ---- the question


@pytest.mark.parametrize("text", [CAT, "Alice told Bob that she would help him tomorrow.", "My dog saw a small bird."])
def test_the_answer_is_how_many_keys_are_looked_at_most(minilm: Model, text: str) -> None:
    heads = view(minilm, text)
    question = next(each(heads, 2, text), None)
    assert question is not None and heads.weights is not None
    count = len(set(heads.weights[2, :, question.row].argmax(-1).tolist()))
    few, many = limits(12)
    assert question.answer == ("one" if count <= few else "some" if count < many else "many")
    assert few == 1 and many < heads.heads  # so that “one” is exact, and “or more” says something
    assert question.facts["count"] == count and not heads.special[question.row]


def test_an_undecided_head_counts_either_way() -> None:
    assert counted(np.array([[0.9, 0.1, 0], [0.9, 0.1, 0], [0.5, 0.49, 0.01]])) == (1, 2)
    assert counted(np.array([[0.4, 0.4, 0.2]])) == (1, 1)


# ---- changed models

EDITS = ("zero", "drop_sqrt_dk:32", "mute:encoder.1.3", "zero,mute:encoder.2.9")


@pytest.mark.parametrize("ids", ["", *EDITS])
def test_every_weight_is_made_by_its_steps(minilm: Model, ids: str) -> None:
    edits = tuple(parse(id) for id in ids.split(",") if id)
    for layer, head, q, k in ((0, 2, 3, 2), (2, 8, 5, 6), (5, 11, 0, 8)):
        run = capture(minilm, CAT, only=attention_taps(minilm, layer), edits=edits)
        seen = attention_view(run, minilm, layer)
        made = [derive(run, Cell(seen.taps[name], (head, q, k))) for name in ("scores", "weights")]
        assert all(abs(each.difference) < 2e-5 * max(1, abs(each.captured)) for each in made)
        assert made[-1].captured == float(seen.weights[head, q, k])
        assert (made[0].steps[-1].id == "edited") == ids.startswith("drop")


def test_without_positions_the_head_of_the_token_before_falls_to_chance(minilm: Model) -> None:
    """For every sentence tried: it led with nearly all, and gives no more than twice the even share."""
    for text in (CAT, "The little boy kicked the red ball into the garden.", "My sister bought a new book about Rome."):
        led = next(one for one in leading(view(minilm, text), view(minilm, text, edits=(parse("zero"),)))
                   if one.measure == "previous")  # fmt: skip
        assert (led.layer, led.head) == (0, 2)
        assert led.before > 0.98 and led.after < 2 * led.chance


def test_what_does_not_change_keeps_its_direction() -> None:
    states = np.random.default_rng(0).normal(size=(4, 8))
    assert end(states, 2 * states).tokens == pytest.approx(np.ones(4))
    assert end(states, -states).sentence == pytest.approx(-1)
