"""What the tokens stage shows, against hand-made examples and against the trace it comes from."""

import pytest

from core import Model
from core.questions.tokens import each
from core.text import WordPiece
from core.text.trace import Stretch
from core.views.tokens import Lookup, TokensView, tokens_view

PIECES = (
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",
    "un", "##aff", "##able", "##a", "una", "##ffa", "##ble", "a", "b", "cafe", "snow", ".", "extraordinary",
)  # fmt: skip


@pytest.fixture(scope="module")
def small() -> WordPiece:
    return WordPiece(PIECES)


def view_of(wordpiece: WordPiece, text: str, max_tokens: int = 512) -> TokensView:
    return tokens_view(wordpiece.trace(text, max_tokens=max_tokens))


def changes(view: TokensView) -> dict[str, dict[int, str | None]]:
    return {row.name: {i: row.cells[i] for i in row.changed} for row in view.rows if row.changed}


def test_units_are_the_words_between_what_the_template_adds(small: WordPiece) -> None:
    view = view_of(small, "a cafe.")
    assert [(u.kind, u.text, u.start, u.end, u.cut) for u in view.units] == [
        ("added", "[CLS]", 0, 0, None),
        ("word", "a", 0, 1, "start"),
        ("word", "cafe", 2, 6, "whitespace"),
        ("word", ".", 6, 7, "punctuation"),
        ("added", "[SEP]", 0, 0, None),
    ]
    assert (view.kept, view.total, view.spaces) == (3, 5, 1)


def test_the_longest_piece_wins_from_the_left(small: WordPiece) -> None:
    unit = view_of(small, "unaffable").units[1]
    # un ##aff ##able would spell it too, but una is longer than un.
    assert [token.text for token in unit.tokens] == ["una", "##ffa", "##ble"]
    assert unit.lookups == (Lookup(0, 3, 9, 7), Lookup(3, 6, 10, 4), Lookup(6, 9, 11, 1))
    assert [lookup.rejected for lookup in unit.lookups] == [6, 3, 0]


def test_rows_keep_a_cell_for_every_character(small: WordPiece) -> None:
    view = view_of(small, "C\x07AFÉ\te\u0301")
    assert changes(view) == {
        "clean": {1: "", 5: " "},
        "accents": {4: "E", 7: ""},
        "lowercase": {0: "c", 2: "a", 3: "f", 4: "e"},
    }
    assert all(len(row.cells) == len(view.text) for row in view.rows)


def test_han_characters_get_spaces_in_their_own_column(small: WordPiece) -> None:
    view = view_of(small, "a奥")
    assert changes(view) == {"cjk": {1: " 奥 "}}
    assert view.spaces == 0  # these spaces were not typed
    assert view.units[2].cut == "cjk" and view.units[2].unknown == "no_piece"


def test_a_syllable_that_is_taken_apart_stays_in_its_column(small: WordPiece) -> None:
    assert changes(view_of(small, "한")) == {"accents": {0: "\u1112\u1161\u11ab"}}


def test_a_special_token_typed_literally_is_a_unit_and_is_not_normalised(small: WordPiece) -> None:
    view = view_of(small, "A [MASK]b")
    assert [(u.kind, u.text, u.start, u.end) for u in view.typed] == [("typed", "[MASK]", 2, 8)]
    assert view.row_of["typed"].cells[2:8] == tuple("[MASK]")
    for row in view.rows[1:]:
        assert row.cells[2:8] == (None,) * 6 and not set(range(2, 8)) & set(row.changed)
    assert [u.cut for u in view.words] == ["start", "special"]
    assert view.typed[0].tokens[0].id == PIECES.index("[MASK]")


def test_an_unknown_word_keeps_the_walk_up_to_where_it_failed(small: WordPiece) -> None:
    unit = view_of(small, "snow☃man").units[1]
    assert unit.unknown == "no_piece" and unit.pieces == 0 and unit.found == 1
    assert unit.lookups == (Lookup(0, 4, PIECES.index("snow"), 5), Lookup(4, None, None, 4))
    assert [token.text for token in unit.tokens] == ["[UNK]"]


def test_a_word_of_more_than_100_characters_is_not_walked(small: WordPiece) -> None:
    unit = view_of(small, "a" * 101).units[1]
    assert unit.unknown == "too_long" and unit.lookups == () and len(unit.tokens) == 1
    assert view_of(small, "a" * 100).units[1].unknown is None


def test_truncation_says_of_each_word_how_much_stayed(small: WordPiece) -> None:
    view = view_of(small, "a unaffable b", max_tokens=5)
    assert [unit.kept for unit in view.units] == [1, 1, 2, 0, 1]
    assert (view.kept, view.total, view.truncated) == (3, 5, 2)


@pytest.mark.parametrize(
    ("text", "opens_on"),
    [
        ("a b cafe", "cafe"),  # the longest
        ("cafe a☃ b", "a☃"),  # an unknown word is more interesting
        ("a☃ unaffable una", "unaffable"),  # one in pieces still more
        ("[MASK]", "[MASK]"),
        ("", "[CLS]"),
        (" \t", "[CLS]"),
    ],
)
def test_it_opens_on_the_most_interesting_word(small: WordPiece, text: str, opens_on: str) -> None:
    view = view_of(small, text)
    assert view.units[view.opening()].text == opens_on


def test_it_opens_beside_a_veiled_word(small: WordPiece) -> None:
    view = view_of(small, "Unaffable cafe unaffable")
    veiled = view.same(view.opening())
    assert veiled == (1, 3)
    assert view.units[view.opening(without=veiled)].text == "cafe"
    assert view_of(small, "unaffable").opening(without=(1,)) == 0


def test_it_says_what_the_trace_says(minilm: Model, texts: tuple[str, ...]) -> None:
    for text in texts:
        trace = minilm.tokenizer.trace(text)
        view = tokens_view(trace)
        assert [token for unit in view.units for token in unit.tokens[: unit.kept]] == list(trace.tokens)
        words = trace.texts[0].words
        assert [unit.text for unit in view.words] == [word.text for word in words]
        for unit, word in zip(view.words, words, strict=True):
            stops = word.unknown.found if word.unknown else word.matches
            tried = [len(stop.candidates) for stop in stops]
            if word.unknown:
                tried.append(len(word.unknown.candidates))
            assert [lookup.tried for lookup in unit.lookups] == [n for n in tried if n]
        stretches = [part for part in trace.texts[0].parts if isinstance(part, Stretch)]
        for index, row in enumerate(view.rows[1:]):
            assert "".join(cell or "" for cell in row.cells) == "".join(s.steps[index].text for s in stretches)


# ---- the question


def test_the_question_is_about_the_word_it_opens_on(small: WordPiece) -> None:
    question = next(each(view_of(small, "a unaffable")), None)
    assert question is not None
    pieces = [token.text for token in view_of(small, "unaffable").words[0].tokens]
    tried = len("unaffable") - len(pieces[0]) + 1
    assert (question.template, question.row, question.answer) == ("tries_of_word", 2, str(tried))
    assert question.facts["piece"] == pieces[0] and question.facts["rejected"] == tried - 1


def test_it_asks_for_nothing_that_the_sentence_shows(minilm: Model) -> None:
    """The pieces stand in the strip of the page before: their number is no question, the work to find them is."""
    for text in ("The unaffable professor tokenizes everything.", "embeddings", "An unbeliever snowboards naïvely."):
        view = tokens_view(minilm.tokenizer.trace(text))
        for question in each(view):
            unit = view.units[question.row]
            found = unit.tokens[0].text
            candidates = [unit.text[:end] for end in range(len(unit.text), len(found) - 1, -1)]
            assert candidates[-1] == found == question.facts["piece"] and candidates[1] == question.facts["shorter"]
            assert question.answer == str(len(candidates))


@pytest.mark.parametrize("text", ["", "a b cafe", "☃", "[MASK]", "a" * 101, "extraordinary"])
def test_where_the_answer_is_trivial_nothing_is_asked(small: WordPiece, text: str) -> None:
    assert next(each(view_of(small, text)), None) is None


def test_choices_are_two_to_four_numbers_with_the_answer(minilm: Model) -> None:
    for word in ("unaffable", "electroencephalography", "한", "ab", "naïveté", "zzzzzzzz", "congratulations"):
        question = next(each(tokens_view(minilm.tokenizer.trace(word))), None)
        if question:
            ids = [choice.id for choice in question.choices]
            assert 2 <= len(ids) <= 4 and question.answer in ids and len(set(ids)) == len(ids)


def test_the_path_sentence_and_the_named_examples(minilm: Model) -> None:
    """Checklist rows 1 to 4, 50, 53; corrections F1, F2, F14, F15."""
    view = tokens_view(minilm.tokenizer.trace("The cat sat on the mat."))
    row = [(token.text, token.id) for unit in view.units for token in unit.tokens]
    assert row == [
        ("[CLS]", 101), ("the", 1996), ("cat", 4937), ("sat", 2938), ("on", 2006), ("the", 1996), ("mat", 13523),
        (".", 1012), ("[SEP]", 102),
    ]  # fmt: skip
    assert [minilm.tokenizer.id_of(s) for s in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")] == [
        0,
        100,
        101,
        102,
        103,
    ]
    hello = tokens_view(minilm.tokenizer.trace("Hello world"))
    assert [(unit.start, unit.end) for unit in hello.words] == [(0, 5), (6, 11)]
    assert minilm.tokenizer.id_of("tokenization") is None
    assert len(tokens_view(minilm.tokenizer.trace("a b")).words) == 2
    assert [u.unknown for u in tokens_view(minilm.tokenizer.trace("奥利给")).words] == ["no_piece"] * 3
