"""Our WordPiece against `BertTokenizerFast`: the same ids and offsets for text of every kind.

A code point is left out only where one primitive, asked about that character alone, shows that Python's
Unicode tables and those inside `tokenizers` are of different versions.
"""

import random
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Encoding, normalizers, pre_tokenizers
from transformers import BertTokenizer as BertTokenizerFast  # one class since transformers 5

from core.text import WordPiece
from core.text.template import longest_first
from core.text.unicode import is_cjk
from tests.profiles import chosen, examples, some

UNLIMITED = 10**9
SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@pytest.fixture(scope="session")
def reference(model_folder: Path) -> BertTokenizerFast:
    return BertTokenizerFast.from_pretrained(str(model_folder), model_max_length=UNLIMITED)


# ---------------------------------------------------------------------------------------------------
# Which code points are compared


def only(**step: bool) -> Callable[[str], str]:
    off = dict.fromkeys(("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"), False)
    return normalizers.BertNormalizer(**(off | step)).normalize_str


THEIR_CLEAN = only(clean_text=True)
THEIR_CJK = only(handle_chinese_chars=True)
THEIR_ACCENTS = only(strip_accents=True)
THEIR_LOWERCASE = only(lowercase=True)
THEIR_NFD = normalizers.NFD().normalize_str
THEIR_SPLIT = pre_tokenizers.BertPreTokenizer().pre_tokenize_str


def disagreeing_primitive(character: str) -> str | None:
    """The first primitive about which the two Unicode tables differ for this character alone."""
    category = unicodedata.category(character)
    decomposed = unicodedata.normalize("NFD", character)
    if THEIR_NFD(character) != decomposed:
        return "decomposition"
    # The one primitive that needs company: between marks of the highest and the lowest combining class,
    # a known mark moves to the middle, and one the table does not know stands still.
    among_marks = f"\u0345{character}\u0334"
    if category.startswith("M") and THEIR_NFD(among_marks) != unicodedata.normalize("NFD", among_marks):
        return "combining class"
    if THEIR_LOWERCASE(character) != character.lower():
        return "lower case"
    if THEIR_ACCENTS(character) != "".join(c for c in decomposed if unicodedata.category(c) != "Mn"):
        return "category Mn"
    if character not in "\t\n\r\ufffd":
        if (THEIR_CLEAN(character) == "") != (category in ("Cc", "Cf", "Co")):
            return "category C"
        if (THEIR_CLEAN(character) == " ") != category.startswith("Z"):
            return "category Z"
    # "a", the character, "a" are three words where it is punctuation.
    is_punctuation = len(THEIR_SPLIT(f"a{character}a")) == 3
    if not character.isascii() and is_punctuation != category.startswith("P"):
        return "category P"
    return None


def all_but_surrogates() -> Iterator[str]:
    return (chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF)


@pytest.fixture(scope="session")
def left_out() -> dict[str, str]:
    """Each character whose tables differ, with the primitive that shows it."""
    found = ((character, disagreeing_primitive(character)) for character in all_but_surrogates())
    return {character: primitive for character, primitive in found if primitive}


def is_everyday(character: str) -> bool:
    """Whether it belongs to what may never be left out."""
    code, name = ord(character), unicodedata.name(character, "")
    if name.startswith(("LATIN ", "GREEK ", "CYRILLIC ", "HEBREW ", "HIRAGANA ", "KATAKANA ", "HANGUL ")):
        return True
    if name.startswith(("ARABIC ", "DEVANAGARI ")) and unicodedata.category(character).startswith("L"):
        return True
    everyday = ((0x0000, 0x024F), (0x0900, 0x097F), (0x4E00, 0x9FFF), (0x2600, 0x27BF), (0x1F000, 0x1FAFF))
    return character in "\u200d\ufe0f" or any(first <= code <= last for first, last in everyday)


@pytest.mark.thorough
def test_few_code_points_are_left_out_and_no_everyday_one(left_out: dict[str, str]) -> None:
    assigned = [character for character in left_out if unicodedata.category(character) != "Cn"]
    by_primitive = {
        primitive: sum(left_out[character] == primitive for character in assigned)
        for primitive in sorted(set(left_out.values()))
    }
    print(f"left out: {len(assigned)} assigned {by_primitive}, {len(left_out) - len(assigned)} unassigned")
    assert len(assigned) <= 1_000
    assert [character for character in assigned if is_everyday(character)] == []


@pytest.mark.long
def test_han_ranges_are_theirs_for_every_code_point() -> None:
    theirs = {character for character in all_but_surrogates() if THEIR_CJK(character) != character}
    assert {character for character in all_but_surrogates() if is_cjk(character)} == theirs


# ---------------------------------------------------------------------------------------------------
# What is compared


# id, text, offsets, segment, attention, special, word
Row = tuple[int, str, tuple[int, int], int, int, bool, int | None]


def their_rows(encoding: Encoding, *texts: str) -> list[Row]:
    typed = [0] * len(texts)  # special tokens typed so far: they count those as words, we do not
    rows: list[Row] = []
    for index, (id, token, (start, end)) in enumerate(
        zip(encoding.ids, encoding.tokens, encoding.offsets, strict=True)
    ):
        segment, sequence = encoding.type_ids[index], encoding.token_to_sequence(index)
        word, special = encoding.token_to_word(index), True
        if sequence is not None and word is not None:
            special = token in SPECIALS and texts[sequence][start:end] == token
            typed[sequence] += special
            word = None if special else word - typed[sequence]
        rows.append((id, token, (start, end), segment, encoding.attention_mask[index], special, word))
    return rows


def our_rows(wordpiece: WordPiece, *texts: str, pad_to: int | None = None, max_tokens: int = UNLIMITED) -> list[Row]:
    trace = wordpiece.trace(texts[0], *texts[1:], pad_to=pad_to, max_tokens=max_tokens)
    return [
        (token.id, token.text, (token.start, token.end), token.segment, attention, token.special, token.word)
        for token, attention in zip(trace.tokens, trace.attention_mask, strict=True)
    ]


def encode_all(
    reference: BertTokenizerFast,
    first: Sequence[str],
    second: Sequence[str] | None = None,
    padding: str | bool = False,
    truncation: str | bool = False,
    max_length: int | None = None,
) -> list[Encoding]:
    """Their encodings, with the padding and truncation that the model's own file asks for switched off."""
    pairs = None if second is None else list(second)
    batch = reference(list(first), pairs, padding=padding, truncation=truncation, max_length=max_length)
    assert batch.encodings is not None
    return batch.encodings


def assert_same(wordpiece: WordPiece, reference: BertTokenizerFast, texts: Sequence[str]) -> None:
    """Compare all; report the shortest text that differs."""
    encodings = encode_all(reference, texts)
    different = [
        text
        for text, encoding in zip(texts, encodings, strict=True)
        if our_rows(wordpiece, text) != their_rows(encoding, text)
    ]
    if different:
        text = min(different, key=len)
        theirs = their_rows(encodings[texts.index(text)], text)
        print(f"{len(different)} differ, the shortest: {text!a}")
        assert our_rows(wordpiece, text) == theirs


# ---------------------------------------------------------------------------------------------------
# Texts

NASTY = [
    "",
    " ",
    "\n\t\r",
    "\u0301",
    "The cat sat on the mat.",
    "奥利给",
    "a\u00a0b\u3000c\u2028d\u2029e\u1680f\x85g\x0bh\x0ci\x1cj",
    "zero\u200bwidth\u200djoined\ufeffbom\u00adsoft\u2060word",
    "a[MASK]b [mask] [Mask] [MASK",
    "[CLS][SEP][PAD][UNK][MASK]",
    "  [MASK]  \u0301x[SEP]\u0327",
    "[[MASK]] [MA\x00SK] [MASK\u0301] ［MASK］",
    "[unused1] ##ing #",
    "ΑΣ ΟΔΥΣΣΕΥΣ. Σ",
    "İstanbul I\u0307 ı ß ẞ ﬁ Ǆ ǅ",
    "e\u0301\u0327 e\u0327\u0301 \u00e9\u0327 \u1e9b\u0323 \u0344 \u0340\u0341",
    "x\u302e\u0301 x\u0301\u302e \u00e9\u302e\u302fy",  # marks that stay, and change places
    "\u1100\u1161\u11a8 \uac01 \uac00\u11a8 한국어",
    "\uf900\ufa0e \u2f800 \U0002f800 \u3007 \u3400 \U0002b820 \U0002b91f \U0002b920",
    "中\u0301国\u200d人",
    "\U0001d15e \U0001d1c0 \u0f73\u0f71 \u0958",
    "👩\u200d👩\u200d👧 🏳️\u200d🌈 👍🏽 1️⃣ 🇨🇳",
    "שָׁלוֹם עולם \u202eabc\u202c مَرْحَبًا لله",
    "हिन्दी ไทย ქართული Ქართული ᏣᎳᎩ ꭰ",
    "$100 50% a+b=c ^_^ `x` ~/.x <|>",
    "don't “quote” …—– ¿qué? 「你好」、。",
    "\ue000\uf8ff\U000f0000\U0010fffd x",
    "\ufdd0\uffff\U0001fffe \u0378 \ufffd",
    "x" * 100,
    "x" * 101,
    "é" * 100 + " " + "é" * 101 + " " + "각" * 34,
    "e\u0301" * 101,
    "x" * 99 + "\u0301\u0327" * 50 + "😀",
    "\u0315\u0300\u05ae\u0300\u0315" * 30,
    "a" + "".join(map(chr, range(0x0300, 0x0370))) + "b",
]

WORDS = (
    "the",
    "Cat",
    "unaffable",
    "tokenization",
    "naïve",
    "CAFÉ",
    "Ångström",
    "ΟΔΥΣΣΕΥΣ",
    "привет",
    "straße",
)
LITERALS = (*SPECIALS, "[mask]", "[Sep]", "[MASK", "[[CLS]", "##s", "[unused7]")
WHITESPACE = "\t\n\r \u00a0\u1680\u2002\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
BLOCKS = (
    (0x0000, 0x007F),
    (0x0080, 0x024F),
    (0x0300, 0x036F),
    (0x0370, 0x052F),
    (0x0590, 0x06FF),
    (0x0900, 0x0DFF),
    (0x0E00, 0x0FFF),
    (0x1100, 0x11FF),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1EFF),
    (0x1F00, 0x206F),
    (0x20D0, 0x214F),
    (0x2B820, 0x2B930),
    (0x3000, 0x30FF),
    (0x3400, 0x34FF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0xE000, 0xE0FF),
    (0xF900, 0xFFFF),
    (0x10000, 0x16FFF),
    (0x1D100, 0x1D7FF),
    (0x1F300, 0x1FAFF),
    (0x20000, 0x2FA1F),
    (0xE0000, 0xE01FF),
    (0xF0000, 0x10FFFF),
)


class Texts:
    """Random texts out of the characters that are compared."""

    def __init__(self, left_out: dict[str, str], seed: int) -> None:
        self.random = random.Random(seed)
        compared = [character for character in all_but_surrogates() if character not in left_out]
        self.assigned = [c for c in compared if unicodedata.category(c) != "Cn"]
        self.marks = [c for c in self.assigned if unicodedata.combining(c)]
        self.composed = [c for c in self.assigned if unicodedata.decomposition(c)]
        self.blocks = [[c for c in compared if first <= ord(c) <= last] for first, last in BLOCKS]
        self.kinds = (
            lambda: self.random.choice(WORDS),
            lambda: self.random.choice(LITERALS),
            lambda: self.random.choice(WHITESPACE),
            lambda: self.random.choice("a e\u00e9\uac01\u4e2d\u05d0") + self.some(self.marks, 5),
            lambda: self.some(self.composed, 3) + self.some(self.marks, 3),
            lambda: self.some(self.assigned, 4),
            lambda: self.some(self.random.choice(self.blocks), 6),
            lambda: self.some(self.random.choice(self.blocks), 6),
            lambda: "\u200d".join(self.random.choices("👩👧💻🏳❤🏽", k=3)) + "\ufe0f",
            lambda: self.some(self.blocks[0], 6),
        )

    def some(self, characters: Sequence[str], most: int) -> str:
        return "".join(self.random.choices(characters, k=self.random.randint(1, most)))

    def text(self) -> str:
        pieces = [self.random.choice(self.kinds)() for _ in range(self.random.randint(1, 12))]
        if self.random.random() < 0.02:  # about as long as a word may be
            pieces.append(self.some(self.random.choice((WORDS, "q\u00e9\u0301", self.composed)), 1) * 101)
            pieces.append("y" * self.random.randint(95, 105))
        return self.random.choice(("", " ")).join(pieces)


@pytest.fixture(scope="session")
def texts(left_out: dict[str, str]) -> Texts:
    return Texts(left_out, seed=1)


# ---------------------------------------------------------------------------------------------------
# The comparisons


def test_vocabulary_is_theirs(wordpiece: WordPiece, reference: BertTokenizerFast) -> None:
    assert {piece: id for id, piece in enumerate(wordpiece.pieces)} == reference.get_vocab()


@pytest.mark.long
def test_every_piece_of_the_vocabulary(wordpiece: WordPiece, reference: BertTokenizerFast) -> None:
    """Each as a word, and each glued to the end of another."""
    bare = [piece.removeprefix("##") for piece in wordpiece.pieces]
    assert_same(wordpiece, reference, [f"{piece} zq{piece}" for piece in some(bare)])


@pytest.mark.parametrize("text", NASTY, ids=ascii)
def test_nasty_texts(wordpiece: WordPiece, reference: BertTokenizerFast, text: str) -> None:
    assert_same(wordpiece, reference, [text])


@pytest.mark.long
def test_ten_thousand_generated_texts(wordpiece: WordPiece, reference: BertTokenizerFast, texts: Texts) -> None:
    assert_same(wordpiece, reference, [texts.text() for _ in range(examples(10_000, chosen()))])


@pytest.mark.long
def test_every_compared_code_point(wordpiece: WordPiece, reference: BertTokenizerFast, texts: Texts) -> None:
    """Each assigned character between two letters, forty of them to a text."""
    between_letters = [f"a{character}e" for character in texts.assigned]
    lines = [" ".join(between_letters[i : i + 40]) for i in range(0, len(between_letters), 40)]
    assert_same(wordpiece, reference, some(lines))


@pytest.mark.thorough
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_texts_that_shrink(
    wordpiece: WordPiece, reference: BertTokenizerFast, left_out: dict[str, str], data: st.DataObject
) -> None:
    alphabet = st.characters(codec="utf-8").filter(lambda character: character not in left_out)
    fragment = st.text(alphabet, max_size=8) | st.sampled_from((*LITERALS, *WORDS, *WHITESPACE))
    assert_same(wordpiece, reference, ["".join(data.draw(st.lists(fragment, max_size=8)))])


@pytest.mark.thorough
def test_pairs(wordpiece: WordPiece, reference: BertTokenizerFast, texts: Texts) -> None:
    first = [*NASTY, *(texts.text() for _ in range(500))]
    second = first[::-1]
    for a, b, encoding in zip(first, second, encode_all(reference, first, second), strict=True):
        assert our_rows(wordpiece, a, b) == their_rows(encoding, a, b)


@pytest.mark.thorough
@pytest.mark.parametrize("max_tokens", [3, 4, 5, 6, 7, 8, 11, 16, 33, 64, 128])
@pytest.mark.parametrize("padded", [False, True])
def test_truncation_of_pairs(
    wordpiece: WordPiece, reference: BertTokenizerFast, texts: Texts, max_tokens: int, padded: bool
) -> None:
    first = [*NASTY, *(texts.text() for _ in range(60))]
    second = texts.random.sample(first, len(first))
    padding = "max_length" if padded else False
    encodings = encode_all(reference, first, second, truncation="longest_first", max_length=max_tokens, padding=padding)
    pad_to = max_tokens if padded else None
    for a, b, encoding in zip(first, second, encodings, strict=True):
        ours = our_rows(wordpiece, a, b, pad_to=pad_to, max_tokens=max_tokens)
        assert ours == their_rows(encoding, a, b)


@pytest.mark.parametrize("max_tokens", [2, 3, 4, 9, 50])
def test_truncation_of_single_texts(wordpiece: WordPiece, reference: BertTokenizerFast, max_tokens: int) -> None:
    encodings = encode_all(reference, NASTY, truncation="longest_first", max_length=max_tokens)
    for text, encoding in zip(NASTY, encodings, strict=True):
        assert our_rows(wordpiece, text, max_tokens=max_tokens) == their_rows(encoding, text)


@pytest.mark.parametrize("pad_to", [1, 10, 128])
def test_padding_alone(wordpiece: WordPiece, reference: BertTokenizerFast, pad_to: int) -> None:
    """Rows longer than `pad_to` stay as they are."""
    for text, encoding in zip(
        NASTY, encode_all(reference, NASTY, padding="max_length", max_length=pad_to), strict=True
    ):
        assert our_rows(wordpiece, text, pad_to=pad_to) == their_rows(encoding, text)


def test_longest_first_for_every_small_pair(reference: BertTokenizerFast) -> None:
    for room in range(8):
        pairs = [("a " * first, "b " * second) for first in range(9) for second in range(9)]
        first, second = zip(*pairs, strict=True)
        encodings = encode_all(reference, first, second, truncation="longest_first", max_length=room + 3)
        for (a, b), encoding in zip(pairs, encodings, strict=True):
            theirs = encoding.sequence_ids.count(0), encoding.sequence_ids.count(1)
            assert longest_first([a.count("a"), b.count("b")], room) == theirs
