"""The chain of one query: the captured numbers, link by link, and nothing of a row that is asked about."""

import numpy as np
import pytest

from core.figures.chain import Chain
from pages.stages.attention.chain import chain

CHINESE = "我昨天在北京买了三本书"


@pytest.mark.parametrize(("text", "chosen"), [
    ("The cat sat on the mat.", {}),
    ("a", {"layer": 1}),
    (CHINESE, {"kind": "cross", "layer": 2}),
    (CHINESE, {"kind": "self", "layer": 1}),
])  # fmt: skip
def test_each_link_follows_from_the_one_before(looked, text, chosen):
    context = looked("attention", text=text, guess="skip", **chosen)
    given = chain(context)
    assert len(given.planes) == context.view.heads
    for head in range(context.view.heads):
        scores = given.query[head] @ given.key[head].T / np.sqrt(given.d_head)
        np.testing.assert_allclose(scores, context.view.scores[head], atol=1e-4)
        powers = np.exp(scores + (np.triu(np.full(scores.shape, -np.inf), 1) if given.causal else 0))
        weights = powers / powers.sum(-1, keepdims=True)
        np.testing.assert_allclose(weights, context.view.weights[head], atol=1e-5)
        np.testing.assert_allclose(given.context[head], weights @ given.value[head], atol=1e-5)
    assert given.causal == (context.kind == "self")
    assert (given.words.two == "") == (context.kind == "cross")


def test_an_open_question_is_not_answered_by_the_chain(looked):
    context = looked("attention", text="The cat sat on the mat.")
    given = chain(context)
    assert context.veil == (5,)
    for part in (given.query, given.context):
        assert all(np.isnan(plane[5]).all() and not np.isnan(np.delete(plane, 5, 0)).any() for plane in part)


@pytest.mark.parametrize("count", [60, 400])
def test_a_long_text_sends_what_is_looked_at(looked, count):
    given = chain(looked("attention", text="cat " * (count - 2), guess="skip", q=7, head=4))
    assert given.planes == ["encoder/3/4"] and len(given.queries) == len(given.keys) == count
    assert len(given.pack()) < 500_000


def test_names_that_the_browser_fills_are_all_there_are(looked):
    for lang in ("zh", "en"):
        words = chain(looked("attention", lang, text="The cat sat on the mat.", guess="skip")).words
        assert "{token}" in words.asks and "{back}" in words.two and "32" in words.scaled
        assert isinstance(Chain.__doc__, str) and "{" not in words.key + words.one
