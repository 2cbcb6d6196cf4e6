"""Three small tasks that a network can learn in a minute: write a number in English, copy a line, turn it round.

A line is one row of tokens, the question, ⇒, the answer and the end: 四十二 ⇒ forty two ▪. What is asked for is the
answer, each token from those before it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from types import MappingProxyType
from zlib import crc32

PAD, GIVES, END = "·", "⇒", "▪"
HELD_OUT = 10  # one question in so many is never trained on
LETTERS = tuple("abcdefghijkl")
LENGTHS = range(3, 9)  # letters of a line
NUMBERS = 100_000  # numbers are below this
COUNTED = 2000  # lines that say how often a token is met

DIGITS = "零一二三四五六七八九"
SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety"
BELOW_TWENTY, IN_TENS = tuple(SMALL.split()), tuple(TENS.split())


@dataclass(frozen=True)
class Line:
    """What is asked, and what should be answered; both as tokens."""

    question: tuple[str, ...]
    answer: tuple[str, ...]

    @property
    def held_out(self) -> bool:
        """Decided by the question alone, so that it is the same in every run."""
        return crc32("".join(self.question).encode()) % HELD_OUT == 0

    @property
    def tokens(self) -> tuple[str, ...]:
        return (*self.question, GIVES, *self.answer, END)


def in_chinese(number: int) -> str:
    """A number below 100,000 as it is read out in Chinese.

    >>> in_chinese(42), in_chinese(10_007), in_chinese(30_250)
    ('四十二', '一万零七', '三万零二百五十')
    """
    if number < 20:
        return DIGITS[number] if number < 10 else "十" + (DIGITS[number - 10] if number > 10 else "")
    written, empty = "", False  # whether a place was passed over
    for size, unit in ((10_000, "万"), (1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // size % 10
        if digit == 0:
            empty = True
        else:
            written += ("零" if empty and written else "") + DIGITS[digit] + unit
            empty = False
    return written


def in_english(number: int) -> tuple[str, ...]:
    """The same in English words.

    >>> " ".join(in_english(30_250))
    'thirty thousand two hundred fifty'
    """
    if number >= 1000:
        return (*in_english(number // 1000), "thousand", *(in_english(number % 1000) if number % 1000 else ()))
    if number >= 100:
        return (BELOW_TWENTY[number // 100], "hundred", *(in_english(number % 100) if number % 100 else ()))
    if number >= 20:
        return (IN_TENS[number // 10], *((BELOW_TWENTY[number % 10],) if number % 10 else ()))
    return (BELOW_TWENTY[number],)


def numeral(random: Random) -> Line:
    """A number of one to five digits, as many of each; a digit that is not the first is 0 more often than by chance."""
    digits = [random.randint(1, 9), *(random.choice((0, *range(10))) for _ in range(random.randint(0, 4)))]
    number = int("".join(map(str, digits)))
    return Line(tuple(in_chinese(number)), in_english(number))


def letters(random: Random) -> tuple[str, ...]:
    return tuple(random.choices(LETTERS, k=random.choice(LENGTHS)))


def copied(random: Random) -> Line:
    line = letters(random)
    return Line(line, line)


def turned(random: Random) -> Line:
    line = letters(random)
    return Line(line, line[::-1])


TASKS: Mapping[str, Callable[[Random], Line]] = MappingProxyType(
    {"numerals": numeral, "copy": copied, "reverse": turned}
)


@cache
def vocabulary(task: str) -> tuple[str, ...]:
    """Every token of a task; the id of each is its place."""
    if task == "numerals":
        return (PAD, GIVES, END, *DIGITS, *"十百千万", *BELOW_TWENTY[1:], *IN_TENS[2:], "hundred", "thousand")
    return (PAD, GIVES, END, *LETTERS)


@cache
def longest(task: str) -> int:
    """Tokens of the longest line there can be."""
    if task == "numerals":
        return len(in_chinese(21_111)) + len(in_english(77_777)) + 2
    return 2 * LENGTHS[-1] + 2


def drawn(task: str, random: Random, count: int, held_out: bool) -> list[Line]:
    """So many lines, all held out or none; some may be the same."""
    lines: list[Line] = []
    while len(lines) < count:
        line = TASKS[task](random)
        if line.held_out == held_out:
            lines.append(line)
    return lines


@cache
def pool(task: str, seed: int, count: int) -> tuple[Line, ...]:
    """The lines of a training that has only so many, all different."""
    random, lines = Random(f"{task} {seed} pool"), dict[Line, None]()
    while len(lines) < count:
        lines.update(dict.fromkeys(drawn(task, random, 1, held_out=False)))
    return tuple(lines)


def batch(task: str, seed: int, step: int, size: int, few: int = 0) -> list[Line]:
    """The lines of one step: always the same ones. With `few`, out of a pool of that many; else fresh ones."""
    random = Random(f"{task} {seed} step {step}")
    return random.choices(pool(task, seed, few), k=size) if few else drawn(task, random, size, held_out=False)


@cache
def held_out(task: str, count: int) -> tuple[Line, ...]:
    """Lines to judge by, the same for every run; none of them is ever trained on."""
    return tuple(drawn(task, Random(f"{task} held out"), count, held_out=True))


@cache
def frequent(task: str) -> tuple[int, ...]:
    """The half of the vocabulary that stands most often in lines to train on, as ids."""
    lines = drawn(task, Random(f"{task} counted"), COUNTED, held_out=False)
    count = Counter(token for line in lines for token in line.tokens)
    place = {token: id for id, token in enumerate(vocabulary(task))}
    first = sorted(place, key=lambda token: -count[token])[: len(place) // 2]
    return tuple(sorted(place[token] for token in first))


def ids(lines: Sequence[Line], task: str) -> tuple[list[list[int]], list[list[bool]]]:
    """Rows of ids filled up to one length, and of each token whether it is part of an answer."""
    place = {token: id for id, token in enumerate(vocabulary(task))}
    wide = max(len(line.tokens) for line in lines)
    rows = [[*(place[token] for token in line.tokens), *[0] * (wide - len(line.tokens))] for line in lines]
    asked = [[len(line.question) < i < len(line.tokens) for i in range(wide)] for line in lines]
    return rows, asked
