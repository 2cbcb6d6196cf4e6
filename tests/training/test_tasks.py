"""The small tasks: numbers read back by an independent reader, held-out lines never trained on, batches that stay."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.training.tasks import (
    NUMBERS,
    TASKS,
    batch,
    drawn,
    frequent,
    held_out,
    ids,
    in_chinese,
    in_english,
    longest,
    vocabulary,
)

SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORDS = {word: i for i, word in enumerate(SMALL.split())} | {word: 10 * i for i, word in enumerate(TENS.split(), 2)}


def read_chinese(text: str) -> int:
    """Digit times unit, summed; a 十 without a digit is one ten."""
    total, digit = 0, 0
    for character in text:
        if character in "零一二三四五六七八九":
            digit = "零一二三四五六七八九".index(character)
        else:
            total += (digit or 1) * 10 ** "个十百千万".index(character)
            digit = 0
    return total + digit


def read_english(words: tuple[str, ...]) -> int:
    total, part = 0, 0
    for word in words:
        if word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = total + 1000 * part, 0
        else:
            part += WORDS[word]
    return total + part


@settings(max_examples=25)
@given(st.integers(1, NUMBERS - 1))
def test_a_number_reads_back_in_both_languages(number: int) -> None:
    assert read_chinese(in_chinese(number)) == number
    assert read_english(in_english(number)) == number


@pytest.mark.parametrize(
    ("number", "chinese"),
    [(10, "十"), (12, "十二"), (105, "一百零五"), (110, "一百一十"), (1005, "一千零五"), (10_700, "一万零七百"),
     (20_020, "二万零二十"), (99_999, "九万九千九百九十九")],
)  # fmt: skip
def test_chinese_is_written_as_it_is_read_out(number: int, chinese: str) -> None:
    assert in_chinese(number) == chinese


@pytest.mark.parametrize("task", TASKS)
def test_no_line_is_trained_on_and_judged_by(task: str) -> None:
    judged = {line.question for line in held_out(task, 60)}
    for step in range(1, 20):
        for few in (0, 20):
            assert not judged & {line.question for line in batch(task, 0, step, 8, few)}
    assert batch(task, 0, 3, 8) == batch(task, 0, 3, 8) != batch(task, 1, 3, 8)
    assert len({line for step in range(30) for line in batch(task, 0, step, 8, 5)}) == 5


@pytest.mark.parametrize("task", TASKS)
def test_rows_ask_for_the_answer_and_its_end(task: str) -> None:
    lines = drawn(task, Random(1), 40, held_out=False)
    rows, asked = ids(lines, task)
    names = vocabulary(task)
    assert len(set(names)) == len(names)
    for line, row, wanted in zip(lines, rows, asked, strict=True):
        assert tuple(names[id] for id, want in zip(row, wanted, strict=True) if want) == (*line.answer, "▪")
        assert len(row) <= longest(task)


@pytest.mark.parametrize("task", TASKS)
def test_the_frequent_half_is_met_more_often_than_the_rest(task: str) -> None:
    half = frequent(task)
    lines = [line for step in range(200) for line in batch(task, 3, step, 16)]
    met = [sum(name in line.tokens for line in lines) for name in vocabulary(task)]
    rest = [count for id, count in enumerate(met) if id not in half]
    assert len(half) == len(vocabulary(task)) // 2 and max(rest) < 1.3 * min(met[id] for id in half)
    assert sum(met[id] for id in half) > sum(rest)
