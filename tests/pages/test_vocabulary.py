"""The vocabulary lab: real merges, the veil, ties, bad input, both languages."""

import re
import time
from collections import Counter
from itertools import pairwise
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.numbers import short
from core.questions import CLEAR, some
from core.questions.vocabulary import each, name
from core.text.dictionary import counted
from core.text.merging import RULES, TIES, Rule, Ties
from core.views.growth import LONGEST as LONGEST_TEXT
from core.views.growth import Growth
from core.views.vocabulary import made_of, parted, spelt_apart, vocabulary_view
from pages.shared.server import cached
from pages.shared.words.texts import Texts, lesson, own_words
from pages.stages.vocabulary import long_text, repairs, three_algorithms, tie_breaks, words
from pages.stages.vocabulary.context import COURSE, EXAMPLES, LONGEST, PRESETS, fresh
from pages.stages.vocabulary.followed import followed
from pages.stages.vocabulary.opened import opened as opened_of
from pages.stages.vocabulary.picture import merges
from tests.written import number

NASTY = (
    "", " \n\t", "a", "a b c", "。", "👩\u200d👧 👩\u200d👧", "<script>alert(1)</script>", "{word} **x** $y$ ×× *9 a×0",
    "שלום עולם", "\x00\x07\x7f", "[MASK] ##ab [UNK]", "中文 and English，混在一起 3.14%", "长" * 300, "ab" * 150_000,
    "hug×999 " * 60,
)  # fmt: skip


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_it_opens_on_words_of_the_language_with_the_answer_veiled(opened, lang: str) -> None:
    page = opened("vocabulary", lang)
    drawn, _ = page.packed("merges")
    assert drawn["counts"] == [[word, int(n)] for word, n in (one.split("×") for one in EXAMPLES[lang].split())]
    assert drawn["veiled"] and drawn["steps"] == []
    best = short(
        max(one.score for one in vocabulary_view(EXAMPLES[lang], "score", "first").training.merges[0].candidates)
    )
    assert best not in page.html + str(page.data("derivation"))


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("section", ["three", "ties", "use", "origin"])
def test_every_section_is_drawn(opened, lang: str, section: str) -> None:
    page = opened("vocabulary", lang, guess="skip", section=section, open="1", step=3)
    expected = {"three": "BPE", "ties": "hug", "use": "[UNK]", "origin": "27,529"}
    assert expected[section] in page.html
    assert page.data("derivation")["steps"]


@pytest.mark.parametrize("ties", TIES)
def test_three_lists_are_the_first_merges_of_three_algorithms(opened, ties: Ties) -> None:
    lists = opened("vocabulary", "en", guess="skip", section="three", ties=ties).data("ranking")["lists"]
    for rule, shown in zip(RULES, lists, strict=True):
        training = vocabulary_view(EXAMPLES["en"], rule, ties).training
        assert [(one["text"], one["note"]) for one in shown["entries"]] == [
            (merge.made, f"{merge.left} + {merge.right}") for merge in training.merges[: three_algorithms.ROWS]
        ]
        assert shown["foot"] == f"{len(training.vocabulary)} in all"
    score, frequency, bpe = ({one["text"]: one["marked"] for one in shown["entries"]} for shown in lists)
    assert all(marked == (text not in frequency) for text, marked in score.items())
    assert all(marked == (text not in score) for text, marked in frequency.items()) and not any(bpe.values())


@pytest.mark.parametrize("rule", RULES)
def test_two_lists_show_where_tie_breaks_part(opened, rule: Rule) -> None:
    shown = opened("vocabulary", "en", guess="skip", section="ties", rule=rule, sample=COURSE).data("ranking")
    both = [vocabulary_view(COURSE, rule, ties).training for ties in TIES]
    begin, at = shown["first"] - 1, parted(*both)
    made = [[one["text"] for one in list_["entries"]] for list_ in shown["lists"]]
    assert made == [[merge.made for merge in one.merges[begin : begin + tie_breaks.ROWS]] for one in both]
    if at is not None:
        assert begin < at <= begin + len(made[0]) and any(one["marked"] for one in shown["lists"][0]["entries"])


def test_the_vocabulary_of_minilm_is_counted() -> None:
    counts = made_of(cached.model("minilm").tokenizer.pieces)
    assert counts == {"special": 5, "unused": 994, "alone": 997, "alone_inside": 997, "longer": 27_529}
    assert sum(counts.values()) == 30_522


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("ties", TIES)
@settings(max_examples=6, deadline=None)
@given(sample=st.text("abc 我在×2，", max_size=40), step=st.integers(0, 9), pair=st.integers(0, 7))
def test_what_is_followed_is_what_is_shown(looked, rule, ties, sample, step, pair) -> None:
    context = looked("vocabulary", sample=sample, rule=rule, ties=ties, step=step, pair=pair)
    shown, drawn = followed(context), merges(context)
    assert opened_of(context).compare()[1] == 0
    key, facts = words.lead(context)
    context.t(key, **facts)
    if not drawn.steps:
        assert not shown.steps
        return
    candidates = drawn.steps[context.next].candidates
    own, best = (number(candidates[i].value) for i in (min(pair, len(candidates) - 1), 0))
    assert number(shown.value) == pytest.approx(own, abs=0.005 * best)


@pytest.mark.parametrize("sample", NASTY)
def test_any_text_makes_a_page(looked, sample: str) -> None:
    for rule in RULES:
        context = looked("vocabulary", "en", sample=sample, rule=rule, guess="skip")
        assert len(context.text) <= LONGEST
        merges(context).pack()
        followed(context)
        words.notices(context)


@pytest.mark.parametrize("lang", ["zh", "en"])
@settings(max_examples=20, deadline=None)
@given(words_=st.lists(st.text("abc", min_size=2, max_size=4), min_size=2, max_size=6))
def test_the_lead_calls_tied_only_what_is(looked, lang: str, words_) -> None:
    context = looked("vocabulary", lang, sample=" ".join(words_), guess="skip")
    tied = {rule: context.trained(rule, "first").merges[0].tied for rule in ("score", "frequency")}
    key, facts = words.lead(context)
    said = context.t(key, **facts)
    together = {
        "zh": ("最高的有 {} 对", "最多的有 {} 对"),
        "en": ("is shared by {} pairs,", "most frequent are {} pairs,"),
    }[lang]
    first = {rule: context.trained(rule, "first").merges[0].candidates[0][:2] for rule in tied}
    same = first["score"] == first["frequency"] and min(tied.values()) > 1
    assert (key == "lead_tied_same") == same
    for one, count in zip(together, tied.values(), strict=True):
        assert (one.format(count) in said) == (count > 1 and not same)


def test_what_is_cut_and_what_is_empty_is_said() -> None:
    assert [r.code for r in repairs("a" * 200_000)] == ["sample_cut"]
    assert [r.code for r in repairs(" \n")] == ["sample_empty"]
    assert repairs(EXAMPLES["en"]) == []


def test_the_question_is_asked_where_its_answer_stands_clear(looked) -> None:
    asked = looked("vocabulary").question
    assert [choice.token for choice in asked.choices] == ["b ##a", "b ##u", "h ##u"]
    assert asked.answer == "0"
    assert looked("vocabulary", sample="ab ab").question is None
    assert not looked("vocabulary", step=2).veiled


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("ask", [0, 1, 2])
def test_a_pair_is_followed_to_what_is_asked(looked, lang: str, ask: int) -> None:
    """By score the first of the answers, whose counts the table has; by frequency one that is no answer."""
    context = looked("vocabulary", lang, ask=ask, guess="open")
    (*counts, last), pair = followed(context).steps, context.example
    if pair is None:
        assert {name(one) for one in context.among} <= {*context.asked_pairs} and not merges(context).followed
        return
    assert merges(context).followed == name(pair)
    assert (name(pair) in context.asked_pairs) == (context.judged == "score")
    assert [step.value for step in counts] == [str(count) for count in pair[2:] if context.judged == "score"]
    assert (last.value, last.exact, last.reason, followed(context).value) == ("?", "", "", "?")
    elsewhere = looked("vocabulary", lang, ask=ask, guess="open", rule="bpe")
    assert not merges(elsewhere).followed and not followed(elsewhere).steps[0].lines


@settings(max_examples=20, deadline=None)
@given(words_=st.lists(st.text("abcd", min_size=2, max_size=5), min_size=3, max_size=9))
def test_a_later_merge_is_asked_about_where_it_is_clear(words_) -> None:
    """Counted anew, from the words as the merges that are told leave them."""
    trained = {rule: vocabulary_view(" ".join(words_), rule, "first").training for rule in ("score", "frequency")}
    for question in some(each(*trained.values())):
        rule = question.template.split("_")[-1]
        if rule not in trained:
            continue
        training = trained[rule]
        splits = training.splits(question.row)
        pieces, pairs = Counter(), Counter()
        for word, split in splits.items():
            times = training.words[word]
            for piece in split:
                pieces[piece] += times
            for pair in pairwise(split):
                pairs[pair] += times
        worth = {f"{a} {b}": n / (pieces[a] * pieces[b] if rule == "score" else 1) for (a, b), n in pairs.items()}
        best, second = sorted(worth.values(), reverse=True)[:2]
        assert question.choices[int(question.answer)].token == max(worth, key=worth.__getitem__)
        assert question.margin == pytest.approx(1 - second / best) and question.margin >= CLEAR
        told = [merge.made for merge in training.merges[: question.row]]
        assert question.facts["made"] == ", ".join(told) and question.template.startswith("next" if told else "begin")
        assert len({choice.token for choice in question.choices}) == 3


@pytest.mark.parametrize("sample", PRESETS)
def test_another_question_asks_for_a_later_merge(looked, sample: str) -> None:
    first, second = (looked("vocabulary", "en", sample=sample, guess="open", ask=number).question for number in (0, 1))
    assert first.template in ("first", "begin_frequency", "next_score") and second.template.startswith("next_")


@pytest.mark.parametrize("sample", (*PRESETS, "the cat sat on the mat the hat"))
@pytest.mark.parametrize("ask", range(4))
def test_after_an_answer_the_page_shows_the_merge_that_was_asked_about(looked, sample: str, ask: int) -> None:
    context = looked("vocabulary", "en", sample=sample, guess="skip", ask=ask)
    question = context.question
    assert context.training.merges[context.step].tied == 1 and context.rule in ("score", "frequency")
    assert name(context.candidate) == question.choices[int(question.answer)].token
    other = looked("vocabulary", "en", sample=sample, guess="skip", ask=ask, rule="bpe", step=0)
    assert (other.rule, other.step) == ("bpe", 0)


@pytest.mark.parametrize("sample", (*PRESETS, "abcdefghij abcdefghij klmnopqrstuvwxyz cd×9 ef×7 wx×5 qr×3"))
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("ask", range(4))
def test_what_can_be_answered_is_counted_and_not_judged(looked, sample: str, rule: Rule, ask: int) -> None:
    """Counted anew, from the words as the told merges leave them; where this training makes others, nothing is."""
    context = looked("vocabulary", "en", sample=sample, rule=rule, guess="open", ask=ask)
    question, drawn = context.question, merges(context)
    told = [step.made for step in drawn.steps]
    if not drawn.asks:
        assert not drawn.pairs and not drawn.steps
        assert rule == "bpe" or rule not in question.template.split("_")
        return
    assert ", ".join(told) == question.facts.get("made", "") and len(told) == question.row
    asked = [choice.token for choice in question.choices]
    shown = {f"{pair.left} {pair.right}": pair for pair in drawn.pairs}
    assert list(shown) == [*sorted(asked), *sorted({*shown} - {*asked})]  # what is asked about stands on top
    assert drawn.asked == asked and len(shown) <= drawn.among
    splits = context.training.splits(question.row)
    together = Counter(pair for word, n in context.training.words.items() for pair in [*pairwise(splits[word])] * n)
    assert drawn.among == len(together)
    for pair in drawn.pairs:
        judged_by_frequency = question.template.endswith("frequency")
        assert pair.frequency == (None if judged_by_frequency else together[pair.left, pair.right])
        assert pair.value is None


def test_a_tie_break_shows_in_the_words(looked) -> None:
    context = looked("vocabulary", sample=COURSE, guess="skip")
    first, by_id = (context.trained("score", ties) for ties in TIES)
    assert parted(first, by_id) == 2
    assert spelt_apart(first, by_id, 2)["hug"] == (["hu", "##g"], ["h", "##ug"])
    assert parted(first, first) is None


def test_another_text_lets_go_of_what_was_selected(looked) -> None:
    patch = fresh("0", PRESETS[-1])
    assert patch["step"] is None and patch["guess"] is None and fresh("skip", "x")["guess"] == "skip"
    context = looked("vocabulary", "zh", sample=PRESETS[-1], guess="skip", rule="frequency")
    assert "北##京" not in [merge.made for merge in context.training.merges]
    assert "北京" in [merge.made for merge in context.training.merges]


# ---- a long text


def train_long(opened, lang: str, text: str, **query: object):
    """The section with this text, trained to its end."""
    page = opened("vocabulary", lang, guess="skip", section="long", **query)
    page.app.session_state[long_text.TEXT] = text
    page.run()
    page.app.button(key="long_start").click()
    page.run()
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        page.run()
        if long_text.GOING not in page.app.session_state:
            return page.run()
        time.sleep(0.05)
    raise AssertionError("it never ended")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_long_text_is_trained_in_the_background(opened, lang: str) -> None:
    text, upto = own_words(lang)[:8000], 500
    page = train_long(opened, lang, text, upto=upto, rule="frequency")
    growth = Growth(text, "frequency", "first", upto)
    growth.read()
    growth.grow(upto)
    assert f"{growth.done.counts[-1]:,}" in page.html and f"{growth.done.size:,}" in page.html
    assert not re.search(r"\{\w+\}", page.html)
    assert "vocabulary.long" not in page.query and text[:30] not in str(page.query)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_before_any_text_of_ones_own_the_sites_is_trained(opened, lang: str) -> None:
    text = own_words(lang)[:LONGEST_TEXT]
    growth = Growth(text, "frequency", "first", long_text.opening(Texts(lang, "vocabulary")))
    growth.read()
    growth.grow(growth.size)
    long_text.grown.keep(growth.done, text, growth.rule, growth.ties, growth.size)
    page = opened("vocabulary", lang, guess="skip", section="long", rule="frequency")
    assert f"{growth.done.counts[-1]:,}" in page.html and page.protos("curves")
    page.app.session_state[long_text.TEXT] = "one more text"
    assert "one more text" in page.run().html


@pytest.mark.parametrize(
    ("text", "key"), [("a b c", "no_pair"), ("".join(map(chr, range(0x4E00, 0x5100))), "too_small")]
)
def test_a_long_text_that_merges_nothing_says_why(opened, text: str, key: str) -> None:
    page = train_long(opened, "en", text, upto=500)
    said = lesson("vocabulary")["en"][f"long.{key}"]
    assert said.split("{")[0] in page.html


def test_a_training_can_be_stopped_and_a_text_is_bounded(opened) -> None:
    page = opened("vocabulary", "en", guess="skip", section="long", upto=5000)
    page.typed("long", "".join(chr(0x4E00 + i * 7 % 5000) for i in range(200_050)))
    assert len(page.app.session_state[long_text.TEXT]) == LONGEST_TEXT and "200,000" in page.box("long")[1]["long"]
    page.run()
    page.app.button(key="long_start").click()
    page.run()
    page.run()
    assert page.app.session_state[long_text.GOING]
    page.app.button(key="long_stop").click()
    page.run()
    assert long_text.GOING not in page.app.session_state


@pytest.mark.thorough
def test_a_training_that_fails_says_so_and_can_be_begun_again(opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(growth: Growth) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(Growth, "read", broken)
        page = train_long(opened, "en", "a text that breaks off", upto=500)
    failed = lesson("vocabulary")["en"]["long.failed"]
    assert failed in page.html
    page.app.button(key="long_start").click()
    assert failed not in page.run().html


def test_the_sites_own_words_are_text(looked) -> None:
    for lang in ("zh", "en"):
        text = own_words(lang)
        assert len(text) > 20_000 and not re.search(r"<b>|\{\w+\}", text)


def test_by_score_rarer_pairs_of_the_books_go_first() -> None:
    """Recounted from the letters of every word, for the first merge of either rule."""
    known = counted()
    singles, pairs = Counter(), Counter()
    for word, count in known.items():
        pieces = [letter if i == 0 else f"##{letter}" for i, letter in enumerate(word)]
        for piece in pieces:
            singles[piece] += count
        for pair in pairwise(pieces):
            pairs[pair] += count
    by_score, by_frequency = three_algorithms.of_books()
    best = max(pairs, key=lambda pair: pairs[pair] / (singles[pair[0]] * singles[pair[1]]))
    often = max(pairs, key=pairs.__getitem__)
    assert (by_score[0].left, by_score[0].right) == best and by_score[0].candidates[0].frequency == pairs[best]
    assert (by_frequency[0].left, by_frequency[0].right) == often
    assert median(m.candidates[0].frequency for m in by_score) < median(m.candidates[0].frequency for m in by_frequency)


@pytest.mark.long
def test_it_begins_with_a_sentence_of_somebodys_where_a_pair_is_worth_merging(looked) -> None:
    own = "The cat and the rat that sat there."
    assert looked("vocabulary", text=own).text == own
    assert looked("vocabulary", text=own, sample=EXAMPLES["en"]).text == EXAMPLES["en"]
    for text in (
        "The cat sat on the mat.",
        "我昨天在北京买了三本书",
        "她在读书",
        "x",
        "",
    ):  # the sites' own; no pair twice
        for lang, example in EXAMPLES.items():
            assert looked("vocabulary", lang, text=text).text == example


def test_both_languages_open_where_the_two_rules_part() -> None:
    for example in EXAMPLES.values():
        by_score, by_frequency = (
            vocabulary_view(example, rule, "first").training.merges[0].made for rule in ("score", "frequency")
        )
        assert by_score != by_frequency
