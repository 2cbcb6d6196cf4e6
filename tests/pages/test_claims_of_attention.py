"""What the attention and translation pages say, held against the grammar and the capture: over many sentences."""

import copy
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core import capture, grammar, named_heads
from core.edits import lift_mask
from core.text.token import Token, named
from core.views.translation import moved, right, turned
from pages.shared.address.address import Address
from pages.shared.page.drawing import Drawing
from pages.shared.page.renderings import ID, rendered
from pages.shared.page.stage import Asked, PageContext, Stage
from pages.shared.server import cached
from pages.stages import attention, translation
from pages.stages.attention import words as attention_words
from pages.stages.translation import comparison, lifted_mask
from pages.stages.translation import words as translation_words
from pages.stages.translation.context import clearest, view_of

SENTENCES = [grammar.sample(Random(seed)).zh for seed in range(24)]  # each is captured once, for every test here
ASKED = ("output.logits", "output.probabilities")
FOUND_WRONG = [
    "护士说英语吗？",
    "这本书比那本便宜",
    "老师昨天在上海买了两本书",
    "老师昨天在北京买了一本书",
    "小明昨天帮助了小红",
    "天地玄黄",
    "朋",
]
ENGLISH = [
    "The cat sat on the mat.",
    "My sister bought a new book about the history of Rome.",
    "The dog chased the other dog around the yard.",
    "The tokenization of words is unaffable.",
    "a",
]


def look_of(stage: Stage, text: str, lang: str = "en", **chosen: object) -> Any:
    """The page of this sentence with its question answered, without a server."""
    parameters = {"text": text, **{name: str(value) for name, value in chosen.items()}}
    page = PageContext(stage, Address(parameters, lang), Drawing(stage, {}))
    stage.settle(page)
    values = page.address.read(stage.which(page))
    view = stage.view(page, values)
    asked = Asked(next(iter(stage.questions(page, view)), None), False)
    values |= page.address.read(stage.parameters(page, view, asked))
    return stage.context(page, view, asked, values)


@cache
def translated(text: str) -> Any:
    return look_of(translation.STAGE, text)


def turned_to(context: Any, **chosen: object) -> Any:
    """The same page with other values: nothing is captured or read anew."""
    return type(context)(context.page, context.view, context.asked, {**context.values, **chosen})


@pytest.mark.parametrize("text", [*SENTENCES, *FOUND_WRONG])
def test_words_that_change_places_translate_the_characters_that_are_named(text: str) -> None:
    said = translation_words.crossings(translated(text))
    if said is None:
        return
    parts = grammar.parse(text)
    assert parts is not None
    sentence = grammar.build(parts)
    layer, head = clearest()
    weights = view_of(text).cross[layer - 1, head - 1]
    rows = {sentence.words[row]: row for row in range(len(sentence.words))}
    a, b = (next(row for row, word in enumerate(sentence.words) if word == said[name]) for name in "ab")
    assert rows[said["a"]] >= a and rows[said["b"]] > a
    for name, row in (("second", said["a"]), ("first", said["b"])):
        possible = [w.source for i, w in enumerate(sentence.target) if w.text == row]
        spans = ["".join(sentence.zh[i] for i in source) for source in possible]
        assert said[name] in spans
        at = possible[spans.index(said[name])]
        best = [int(weights[i].argmax()) for i, w in enumerate(sentence.target) if w.text == row]
        assert set(best) & set(at)
    assert sentence.zh.find(said["first"]) < sentence.zh.rfind(said["second"])
    assert b >= 0


def test_only_words_that_looked_at_their_own_characters_turn() -> None:
    weights = np.eye(4)[[3, 2, 1, 0]]
    assert turned(weights, [(3,), (2,), (1,), (0,)]) == (0, 3)
    assert turned(weights, [(2,), (2,), (1,), (0,)]) == (1, 3)  # the first looked elsewhere
    assert turned(weights, [(), (), (1,), ()]) is None
    assert turned(np.eye(4), [(0,), (1,), (2,), (3,)]) is None


@pytest.mark.parametrize("text", [*SENTENCES, *FOUND_WRONG])
def test_words_without_a_character_are_those_of_the_grammar(text: str) -> None:
    said = "".join(translation_words.function_words(translated(text)))
    parts = grammar.parse(text)
    known = grammar.build(parts) if parts else None
    if known is None or list(known.words) != [t.text for t in view_of(text).written[:-1]]:
        assert said == ""
        return
    alone = {w.text for w in known.target if not w.source and w.text[0].isalnum()}
    if not alone:
        assert said == ""
        return
    words = set(said.split("<b>")[1].split("</b>")[0].replace("&#x27;", "'").split(" · "))
    assert words - {"[EOS]"} == alone


@pytest.mark.parametrize("text", [*SENTENCES[:20], *FOUND_WRONG])
def test_a_written_word_is_said_to_look_at_its_own_only_where_it_does(text: str) -> None:
    for layer in (1, 2):
        opened = look_of(attention.STAGE, text, kind="cross", layer=layer)
        for head in range(1, 5):
            for row, word in enumerate(rendered(text)):
                context = turned_to(opened, head=head, q=row)
                said = attention_words.writing_said(context)
                best = int(context.view.weights[head - 1, row].argmax())
                own = "".join(text[i] for i in word.source)
                assert (f" translates “{own}”" in said) == (best in word.source)
                assert ("not to “" in said) == (bool(word.source) and best not in word.source)


tokens = st.lists(st.sampled_from("abcd"), max_size=8)


@given(tokens, tokens)
def test_what_is_not_bold_is_the_same_in_both(mine: list[str], theirs: list[str]) -> None:
    rows = [[Token(text, 0, i, i + 1, False, 0, i) for i, text in enumerate(row)] for row in (mine, theirs)]
    bold = [comparison.differing(rows[0], rows[1]), comparison.differing(rows[1], rows[0])]
    assert bold[0] or bold[1] or mine == theirs
    text = comparison.marked("".join(mine), rows[0], bold[0])
    assert text.replace("<b>", "").replace("</b>", "") == "".join(mine)
    assert text.count("<b>") == len(bold[0]) <= max(len(mine), len(theirs))
    rest = iter(theirs)
    assert all(token in rest for i, token in enumerate(mine) if i not in bold[0])  # in that order


def test_two_words_that_change_places_are_bold() -> None:
    context = look_of(translation.STAGE, "小明昨天帮助了小红")
    said = comparison.comparison(context, "小红昨天帮助了小明")
    assert "小<b>明</b>昨天帮助了小<b>红</b>" in said and "<b>Xiaoming</b> helped <b>Xiaohong</b>" in said


@cache
def in_double_precision() -> Any:
    return copy.deepcopy(cached.model(ID).network).double()


@pytest.mark.parametrize("text", [*SENTENCES[:8], *FOUND_WRONG])
def test_peeking_falls_where_it_falls_and_its_digits_are_true(text: str) -> None:
    """The changes against the same network in double precision."""
    model, context, double = cached.model(ID), translated(text), in_double_precision()
    plain, free = (capture(model, text, target=context.english, only=ASKED, edits=e) for e in ((), (lift_mask(),)))
    assert float(right(plain).mean()) > 0
    other = lifted_mask.changed_target(context.english, plain)
    if not other:
        return
    changed = capture(model, text, target=other, only=ASKED)
    change = moved(plain, changed)
    probabilities = []
    for run in (plain, changed):
        source, target = (torch.tensor([[t.id for t in side]]) for side in (run.tokens, run.target_in))
        with torch.no_grad():
            logits, _ = double(source, source < 0, target, target < 0)
        probabilities.append(torch.softmax(logits[0], -1).numpy())
    exact = np.abs(probabilities[0] - probabilities[1]).max(-1)
    for shown, value, true in zip(map(lifted_mask.nearly, change), change, exact, strict=True):
        assert (
            abs(value - true) < 1e-6 and (value >= lifted_mask.SEEN or true < 1.1e-5) and (shown != "0" or true < 1e-9)
        )
    assert len(right(free)) == len(right(plain))


@pytest.mark.parametrize("text", SENTENCES[:8])
def test_the_keys_that_a_softmax_leaves_out_are_those_behind_the_mask(text: str) -> None:
    from pages.stages.translation.followed import followed

    count = len(view_of(text).given)
    for row in range(count):
        *_, total, share = followed(turned_to(translated(text), q=row, j=0)).steps
        masked = f"{count - row - 1} of these are masked and count 0"
        assert total.bars[row + 1 :] == [0.0] * (count - row - 1) and share.value
        assert (total.lines[-1] == masked) == (row < count - 1)


@pytest.mark.parametrize("text", [*ENGLISH, *SENTENCES[:6], "一"])
def test_other_heads_are_named_only_where_it_is_otherwise(text: str) -> None:
    config = look_of(attention.STAGE, text).page.model.config
    for layer in range(1, config.layers + 1):
        opened = look_of(attention.STAGE, text, layer=layer)
        for head in range(1, config.heads + 1):
            context = turned_to(opened, head=head)
            view, t = context.view, context.t
            (said,) = attention_words.importance_said(context)
            apart = [
                h for h in range(view.heads)
                if (view.weights[h].argmax(-1) != view.contribution(h).argmax(-1)).any()
            ]  # fmt: skip
            if head - 1 in apart:
                assert "A weight is not importance" in said
            elif apart:
                assert said == t.html("notice.same", head=apart[0] + 1)
            else:
                assert said == t.html("notice.same_all", heads=view.heads)


@pytest.mark.parametrize("text", [*ENGLISH, "the cat and " * 30])
def test_what_a_head_is_called_for_is_counted_in_this_sentence(text: str) -> None:
    for (layer, head), name in named_heads.known("minilm").items():
        context = look_of(attention.STAGE, text, layer=layer, head=head)
        tokens, weights = context.view.tokens, context.view.weights[head - 1]
        said = attention_words.head_said(context)[0]
        n = len(tokens)
        rows = {"previous": n - 1, "next": n - 1, "sink": n, "uniform": n}.get(name)
        if rows is None:
            rows = len(named_heads.rows(name, context.view.queries))
        if not rows:
            assert "can show it" in said
            continue
        best = weights.argmax(-1)
        held = {
            "previous": sum(best[1:] == np.arange(n - 1)),
            "next": sum(best[:-1] == np.arange(1, n)),
            "sink": sum(best == 0),
            "uniform": sum(-(weights * np.log(weights)).sum(-1) >= 0.85 * np.log(n)),
        }.get(name)
        unit = "row" if rows == 1 else "rows"
        if held is not None:
            assert f"it holds in {held} of {rows} {unit}." in said
        assert ("An exception is" in said) == (f"it holds in {rows} of {rows} {unit}." not in said)
        if "An exception is" in said:
            token, looked_at = (
                said.split("An exception is ")[1].split(", which")[0],
                said.split("which attends most to ")[-1].split(" <span class='joined'>(")[0],
            )
            row = next(i for i in range(n) if named(tokens, i) == token)
            assert named(tokens, int(best[row])) == looked_at
            assert not named_heads.holds(name, context.view.queries, weights, row)


@pytest.mark.parametrize("text", [*SENTENCES, *FOUND_WRONG])
def test_a_question_names_what_its_word_translates(text: str) -> None:
    question = translated(text).question
    if question is None or question.template != "looked_elsewhere_to_write":
        return
    word = rendered(text)[question.row]
    assert question.facts["own"] == "".join(text[i] for i in word.source) and int(question.answer) not in word.source
