"""The sections of the tokens page: each drawn for both models, its words true of the sentence, bad input taken."""

import re

import numpy as np
import pytest

from pages.shared.words import samples
from pages.shared.words.texts import lesson
from pages.stages.tokens import STAGE, back, count, entries, gaps, length, scripts
from pages.stages.tokens.rows import english

SECTIONS = tuple(STAGE.sections)
NASTY = "<script>alert(1)</script> 奥利给 \u202eשלום\u202c 👩\u200d💻 [MASK] Café " + "word " * 30


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(
    ("lang", "query"),
    [
        ("zh", {"text": None}),
        ("zh", {"text": NASTY}),
        ("en", {"text": ""}),
        ("en", {"text": NASTY, "model": "translator"}),
    ],
)
def test_every_section_is_drawn_for_any_sentence(opened, section: str, lang: str, query: dict) -> None:
    at = opened("tokens", lang, guess="skip", section=section, **query)
    title = lesson("tokens")[lang][f"{section}.title"]
    assert title.split("{")[0] in at.html
    assert not re.search(r"\{(?!\{)\w+\}", at.html.replace(NASTY, ""))
    assert not [e for e in at.app.get("html") if "<script>" in e.proto.body]


@pytest.mark.parametrize(
    ("section", "query"),
    [
        ("pair", {"second": "   "}),
        ("pair", {"second": NASTY, "text": "word " * 400}),
        ("batch", {"others": "\n\n" + "x\n" * 40}),
        ("length", {"most": "512", "text": "word " * 400}),
        ("length", {"most": "3", "text": "unaffable"}),
        ("holes", {"gap": "500"}),
        ("gaps", {"line": NASTY[:120], "blank": "15", "swap": "15"}),
        ("gaps", {"line": "Tom"}),
        ("entries", {"find": "##", "sort": "single", "leaf": "400"}),
        ("entries", {"of": "translator", "script": "bengali"}),
    ],
)
def test_what_is_typed_there_is_taken(opened, section: str, query: dict) -> None:
    opened("tokens", "en", guess="skip", section=section, **query)


def test_until_it_is_answered_no_section_counts_the_pieces(opened) -> None:
    at = opened("tokens", "en", text="unaffable", section="count")
    assert lesson("tokens")["en"]["count.title"] not in at.html


@pytest.mark.parametrize(
    "text", ["The cat sat.", "a  b", "a\nb", "a ,b", "Naïve CAFÉ", "snow☃man", "不", "我们 [MASK]"]
)
def test_what_is_lost_is_said_where_something_is_lost(looked, text: str) -> None:
    context = looked("tokens", "en", text=text, model="minilm", guess="skip")
    tokens = context.page.trace.tokens
    came = back.back("minilm", tokens)
    assert bool(back.losses(context.view, tokens, came)) == (came != text)


@pytest.mark.parametrize("text", ["hello\nworld", "你好　世界", "a\tb", "a  b", "snow☃man", "7 + 5 = 12"])
def test_nothing_is_lost_of_bytes(looked, text: str) -> None:
    context = looked("tokens", "en", text=text, model="smollm2", guess="skip")
    tokens = context.page.trace.tokens
    came = back.back("smollm2", tokens)
    assert came == text and not back.losses(context.view, tokens, came, merged=True)


def test_words_and_tokens_are_counted(looked) -> None:
    context = looked("tokens", "en", text="Tokenization is unaffable.", guess="skip")
    assert [row[1] for row in count.ways(context)][:5] == [26, 3, 4, 7, 9]
    chinese = looked("tokens", "zh", text="我昨天在北京买了三本书", guess="skip")
    assert [row[1] for row in count.ways(chinese)][:2] == [11, 1] and len(count.ways(chinese)) == 8


@pytest.mark.parametrize(
    "text", ["我昨天在北京买了三本书", "喵", "鹈鹕鹧鸪", "他说：“好。”", "The cat sat on the mat."]
)
@pytest.mark.parametrize("model", ["translator", "poet", "minilm", "smollm2"])
def test_why_tokens_are_pieces_is_said_with_what_the_other_way_would_cost(looked, text: str, model: str) -> None:
    context = looked("tokens", "zh", text=text, model=model, guess="skip")
    counted = {str(row[0]): int(str(row[1])) for row in count.ways(context)}
    said, name = "".join(count.between(context)), lesson("tokens")["zh"]
    tokens, characters, pieces = (counted[name[f"count.{key}"]] for key in ("tokens", "characters", "bpe"))
    if context.tokenizer.cuts_words or context.tokenizer.merges_bytes:
        assert bool(said) == (tokens < characters) and "这里一个字符一个词元" not in said
    else:
        assert bool(said) == (pieces < tokens <= characters)
        assert not said or f"只用 {pieces} 个" in said


def test_minilm_reads_english_only(looked) -> None:
    assert english(looked("tokens", "zh", guess="skip")) == "The cat sat on the mat."
    assert english(looked("tokens", "en", text="A dog.", guess="skip")) == "A dog."


def test_the_browser_opens_where_a_frequent_word_stands(looked) -> None:
    context = looked("tokens", "en", guess="skip")
    ids = list(range(30_522))
    assert entries.opening(context, ids) == 1996 // entries.EACH and entries.opening(context, ids[:5]) == 0
    assert entries.opening(looked("tokens", "en", guess="skip", leaf="3"), ids) == 3
    assert "model=translator" in entries.entry(context, "translator", 7)[1]


def test_every_script_is_spelt_by_bytes(looked) -> None:
    from tokenizers import Tokenizer

    from core.text import bpe

    for name, text in samples.read("scripts").items():
        _, _, characters, tokens, unknown, _, pieces = scripts.row(name, text)
        found = [
            token.text for token in looked("tokens", "en", text=text, model="minilm", guess="skip").page.trace.tokens
        ]
        library: Tokenizer = bpe.tokenizer()
        assert (characters, tokens, unknown) == (len(text), len(found) - 2, found.count("[UNK]"))
        assert pieces == len(library.encode(text, add_special_tokens=False).ids)


def test_gaps_are_filled_in_the_visitors_sentence_where_all_of_it_is_known(looked) -> None:
    known, other = "My friend bought two cups.", "The cat sat on the mat."
    for lang, example in (("en", "I bought three books in Beijing yesterday"), ("zh", "我昨天在北京买了三本书")):
        assert gaps.line_of(looked("tokens", lang, text=known)) == known
        unread = looked("tokens", lang, text=other, model="minilm")
        assert gaps.line_of(unread) == example and "sat" in gaps.instead(unread)
        assert gaps.line_of(looked("tokens", lang, text=other, line=known)) == known


@pytest.mark.parametrize("most", [3, 4, 6])
def test_a_change_arrives_part_by_part(looked, most: int) -> None:
    """In windows it stays in its part; with a memory each layer carries it one part further; in one row everywhere."""
    context = looked("tokens", "en", guess="skip", section="length", most=most)
    text = length.exchanged(context, length.whole_of(*context.key))
    assert text is not None
    model, typed = context.key
    found = length.spread_of(model, typed, text, most)
    layers, parts = context.page.model.config.layers, -(-len(context.page.tokens) // most)
    ways = [lambda depth: 1, lambda depth: depth + 1, lambda depth: parts if depth else 1]
    for way, plane in zip(ways, np.maximum.reduceat(found, range(0, found.shape[2], most), axis=2) > 0, strict=True):
        assert plane.sum(axis=1).tolist() == [min(parts, way(depth)) for depth in range(layers + 1)]
    planes = length.spreading(context, found).planes
    for read in range(1, parts):  # what is still to be read stays blank, what is read is the same as at the end
        now, end = planes[f"memory/{read}"], planes["memory/"]
        assert np.isnan(now[:, read * most :]).all()
        assert np.array_equal(now[:, : read * most], end[:, : read * most], equal_nan=True)
