"""What the translation stage shows, against captures and by hand, and the question it asks."""

import numpy as np
import pytest

from core import capture, grammar
from core.edits import lift_mask
from core.questions.translation import each
from core.views.attention import clearest, entropy
from core.views.translation import aligned, gradients, moved, peeked, right, taps, translation_view
from tests.models import loaded

FILM, BOOKS = "小明昨天晚上看了一部电影", "我昨天在北京买了三本书"


@pytest.fixture(scope="module")
def model():
    return loaded("translator")


def sentence_of(text: str) -> grammar.Sentence:
    parts = grammar.parse(text)
    assert parts is not None
    return grammar.build(parts)


def view_of(model, text):
    return translation_view(capture(model, text, only=taps(model)), model)


def test_rows_are_one_step_apart(model):
    view = view_of(model, BOOKS)
    assert [token.text for token in view.given[1:]] == [token.text for token in view.written[:-1]]
    assert view.cross.shape == (2, 4, 8, 12) and view.own.shape == (2, 4, 8, 8)
    np.testing.assert_allclose(view.cross.sum(-1), 1, atol=1e-5)
    assert (np.triu(view.own, 1) == 0).all()
    assert (view.probabilities > 0.5).all()


def test_without_the_mask_earlier_rows_move_and_with_it_they_do_not(model):
    targets = ("I bought three books in Beijing yesterday", "I bought three books in Beijing tomorrow")
    for edits, still in (((), True), ((lift_mask(),), False)):
        before, after = (capture(model, BOOKS, target=target, edits=edits) for target in targets)
        assert (moved(before, after)[:-1] == 0).all() == still
        assert (peeked(before["decoder.0.self_attention.weights"])[:-1] > 0).all() != still


def test_peeked_by_hand():
    weights = np.array([[0.25, 0.5, 0.25], [0.5, 0.25, 0.25], [0.2, 0.3, 0.5]])
    np.testing.assert_allclose(peeked(weights[None]), [0.75, 0.25, 0])


def test_right_is_the_probability_of_the_next_word(model):
    run = capture(model, BOOKS, target="I bought three books")
    expected = [run["output.probabilities"][i, token.id] for i, token in enumerate(run.target_out)]
    np.testing.assert_array_equal(right(run), expected)


def test_the_clearest_head_aligns(model):
    counted = aligned(model)
    shares = counted.shares
    assert shares.shape == (2, 4) and shares.max() > 0.9 and counted.words > 5000
    assert counted.file == "assets/models/translator/metrics.json"
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    view = view_of(model, BOOKS)
    sentence = sentence_of(BOOKS)
    for row, word in enumerate(sentence.target):
        if word.content:
            assert view.cross[layer, head, row].argmax() in word.source, word.text


def test_entropy_and_the_most_decided_head(model):
    assert entropy(np.array([[0.5, 0.5], [1, 0]])) == pytest.approx([np.log(2), 0])
    run = capture(model, BOOKS)
    means = {
        (layer, head): entropy(run[f"encoder.{layer}.attention.weights"][head]).mean()
        for layer in range(2)
        for head in range(4)
    }
    assert clearest(run, "encoder") == min(means, key=means.__getitem__)


def test_the_question_is_about_a_word_with_content_that_was_moved(model):
    sentence = sentence_of(FILM)
    content = [word.content for word in sentence.target]
    view = view_of(model, FILM)
    asked = next(each(view, 1, 3, content, [word.source for word in sentence.target]), None)
    assert asked is not None and asked.facts["word"] == "yesterday" and asked.facts["best"] == "昨"
    row = view.cross[1, 3, asked.row]
    assert asked.answer == str(row.argmax()) and asked.answer in [choice.id for choice in asked.choices]
    assert asked.margin == pytest.approx(np.sort(row)[-1] - np.sort(row)[-2])
    offered = {int(choice.id) for choice in asked.choices}
    assert offered & set(sentence.target[asked.row].source) == {int(asked.answer)}  # 昨, and not 天 beside it
    assert next(each(view, 1, 3, [False] * len(content), ()), None) is None
    elsewhere = next(each(view, 1, 3, content, [(0,)] * len(content)), None)
    assert elsewhere is not None and elsewhere.template == "looked_elsewhere_to_write"


def test_changed_parts_stay_a_sentence_of_the_grammar():
    parts = grammar.parse(FILM)
    assert parts is not None
    assert grammar.build(grammar.changed(parts, "what", "书")).zh == "小明昨天晚上看了一本书"
    other = grammar.changed(parts, "verb", "吃")  # one does not eat films: the thing gives way
    assert other["verb"] == "吃" and other["what"] != "电影"
    for slot, _ in parts.words:
        for word in grammar.options(parts.form, slot, dict(parts.words)):
            sentence = grammar.build(grammar.changed(parts, slot, word))
            assert grammar.parse(sentence.zh) is not None and dict(sentence.parts.words)[slot] == word


def test_gradients_against_backward(model):
    """The same four norms by torch's own backward, on a copy."""
    import copy

    import torch

    run = capture(model, BOOKS)
    network = copy.deepcopy(model.network)
    source, given, written = (
        torch.tensor([[t.id for t in side]]) for side in (run.tokens, run.target_in, run.target_out)
    )
    logits, _ = network(source, source < 0, given, given < 0)
    torch.nn.functional.cross_entropy(logits[0], written[0]).backward()
    sublayer = network.get_submodule("decoder.layers.1.cross_attention.sublayer")
    for name, norm in gradients(model, run, 1).items():
        grad = sublayer.get_parameter(f"to_{name}.weight").grad
        assert grad is not None and norm == pytest.approx(float(grad.norm()), rel=1e-4) and norm > 0
    assert all(parameter.grad is None for parameter in model.network.parameters())
