"""What a word means in the other language, as a dictionary has it: for readers of only one of the two."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from .english import inflect
from .forms import FORMS
from .lexicon import MEASURES, table
from .word import Act, Piece, Verb, Word

SENSES = 2  # of a word that are said
COUNTED = re.compile("[一两三四五六七八九十]个")
SHAPES = ("base", "s", "past", "participle", "ing")  # of an English verb

# Chinese words that stand in the forms themselves, and what they do
PARTICLES = dict(
    table(
        "了 (done),过 (before),正在 (doing now),去 go,吗 (question?),吧 (let’s),请 please,有 there is,没有 not / no,"
        "没 not,喜欢 like,是 be,会 can / will,想 want,要 want / will,需要 need,觉得 think,让 let,放 put,什么 what,"
        "为什么 why,怎么 how,怎么样 how,一样 as … as,"
        "哪儿 where,哪个 which,谁 who,多少 how much,钱 money,把 (object first),被 by,"
        "得 (how),跟 with,和 and,都 both,一起 together,比 than,最 most,如果 if,就 then,的时候 when,时候 time,"
        "因为 because,所以 so,从 from,从来 ever,不 not,的 ’s / that,在 at"
    )
)
# English words that carry grammar, by what stands for them in Chinese
FUNCTION = dict(
    (en, zh)
    for zh, words in table(
        "是 is am are was were,去 go goes went going gone,会 will can,不会 cannot,喜欢 like likes,它 it,一样 as,"
        "有 there has have had,想 want wants,被 by,哪儿 where,谁 who,谁的 whose,请 please,什么 what,比 than,没有 no,"
        "如果 if,时候 when,放 put puts,让 let,需要 need needs,多少 much,觉得 think thinks,因为 because,所以 so,和 and,"
        "都 both,跟 with,从来没有 never,为什么 why,双 pair pairs,杯 glass glasses,块 piece pieces,一 a an,不 not,"
        "从 from,的 's,在 at"
    )
    for en in words.split()
)
# ... and those that nothing stands for
SILENT = frozenset(("the", "of", "to", "do", "does", "did", "any", "be", "been", "being", "for", ",", ".", "?"))


@cache
def english_of() -> Mapping[str, str]:
    """Chinese word -> its English, at most two senses: 看 -> "watch / read"."""
    found: dict[str, list[str]] = {}
    for word in lexicon():
        for zh, en in senses(word):
            found.setdefault(zh, []).append(en)
    measures = dict.fromkeys(MEASURES, "(measure)")
    return measures | {zh: " / ".join(list(dict.fromkeys(en))[:SENSES]) for zh, en in found.items()} | PARTICLES


@cache
def chinese_of() -> Mapping[str, str]:
    """English word, in each of its forms -> its Chinese."""
    found: dict[str, list[tuple[int, str]]] = {}
    for phrase, zh in (pair for word in lexicon() for pair in said(word)):
        words = phrase.split()
        for en in words:
            found.setdefault(en, []).append((len(words), zh))
    known = {}
    for en, pairs in found.items():
        fewest = min(pairs)[0]  # the day before yesterday is not what "yesterday" says
        alone = dict.fromkeys(zh for words, zh in pairs if words == fewest)
        known[en] = " / ".join(list(alone)[:SENSES])
    return {en: zh for en, zh in (known | FUNCTION).items() if en not in SILENT}


def lexicon() -> Iterator[Word]:
    """Every word that may stand in some slot."""
    for form in FORMS.values():
        for slot in form.slots.values():
            yield from slot.words


def senses(word: Word) -> Iterator[tuple[str, str]]:
    """A word's Chinese, and that of its parts, with the plain English of each."""
    if isinstance(word, Verb):
        yield from ((head(word), lemma) for lemma in word.senses.values())
    if isinstance(word, Act):
        yield from ((zh, " ".join(words)) for zh, words in parted(word.zh, word.tail))
    for pieces in (word.forms.get(""), word.forms.get("one"), word.forms.get("base")):
        for zh, words in parted(word.zh, pieces or ()):
            yield zh, " ".join(words)


def said(word: Word) -> Iterator[tuple[str, str]]:
    """Every English word, or words, that a word may be said by, with the Chinese they render."""
    if isinstance(word, Verb):
        for lemma in word.senses.values():
            for shape in SHAPES:
                yield inflect(lemma, shape), head(word)
    for pieces in (*word.forms.values(), word.tail if isinstance(word, Act) else ()):
        for zh, words in parted(word.zh, pieces):
            yield " ".join(words), zh


def head(verb: Verb) -> str:
    """The Chinese of the verb itself, without what it is done to: 踢 of 踢足球."""
    ends = [piece.start for piece in verb.tail if piece.end] if isinstance(verb, Act) else []
    return verb.zh[: min(ends, default=len(verb.zh))]


def parted(zh: str, pieces: Sequence[Piece]) -> Iterator[tuple[str, list[str]]]:
    """The parts of a word that English renders apart, each with its words: 昨天晚上 -> 昨天 yesterday, 晚上 evening."""
    words: dict[tuple[int, int], list[str]] = {}
    for piece in pieces:
        if piece.end > piece.start:
            words.setdefault((piece.start, piece.end), []).append(piece.text)
    for (start, end), said in words.items():
        if not COUNTED.fullmatch(zh[start:end]):  # 一个 of 一个小时 is two words
            yield zh[start:end], said


def cut(text: str) -> list[tuple[int, int]]:
    """A Chinese text as words: from the left, the longest that the dictionary has; else a character by itself.

    >>> [("我昨天在北京")[a:b] for a, b in cut("我昨天在北京")]
    ['我', '昨天', '在', '北京']
    """
    known = english_of()
    longest = max(map(len, known))
    spans, at = [], 0
    while at < len(text):
        end = next((e for e in range(min(len(text), at + longest), at + 1, -1) if text[at:e] in known), at + 1)
        spans.append((at, end))
        at = end
    return spans
