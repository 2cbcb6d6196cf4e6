"""The words of the site: the same keys and numbers in both languages, and the tone that was agreed on."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import grammar
from core.files import MODELS
from core.lesson import lesson_of
from core.stages import STAGES
from core.zoo import SOURCES, model_for
from pages.shared.address.address import LONGEST
from pages.shared.words import samples
from pages.shared.words.texts import LESSONS, Texts, flat, lesson

FILES = sorted(LESSONS.glob("*.toml"))
OWN = [MODELS / model / "lesson.toml" for model in SOURCES]
LANGUAGES = ("zh", "en")
HAN = "[\u3400-\u9fff]"
FORBIDDEN = (  # terms.md: the other word is ours
    *("令牌", "标记", "词片", "遮罩", "掩模", "层标准化", "互注意力", "译码器", "变压器", "变形金刚"),
    *("让我们", "光束搜索"),
)
# Two spaces set a term's index, or a piece, apart from its numbers.
MAY_HOLD_TWO_SPACES = re.compile(r"^(steps\.\w+\.term|ruler\.say)$")


def texts(language: str) -> Iterator[tuple[str, str, str]]:
    """File, key and text of everything said in a language."""
    for file in FILES:
        for key, text in lesson(file.stem)[language].items():
            yield file.stem, key, text
    for model in SOURCES:
        for stage, words in lesson_of(model).words[language].items():
            yield from ((f"{model}, {stage}", key, text) for key, text in flat(words))


def prose(text: str) -> str:
    """Without HTML, LaTeX and Streamlit's colours; what stands for a value becomes a sign of its own."""
    text = re.sub(r"<[^>]+>|\$[^$]*\$|:\w+\[", "", text)
    return re.sub(r"\{\w+(:[^{}]*)?\}", "\ufffc", text)


def names(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)(?::[^{}]*)?\}", re.sub(r"\$[^$]*\$", "", text)))


@pytest.mark.parametrize("file", [*FILES, *OWN], ids=lambda file: f"{file.parent.stem}-{file.stem}")
def test_both_languages_have_the_same_keys_and_numbers(file: Path) -> None:
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    assert file in OWN or sorted(raw) == ["en", "zh"]
    chinese, english = (dict(flat(raw[language])) for language in LANGUAGES)
    assert sorted(chinese) == sorted(english)
    assert all(isinstance(text, str) for text in (*chinese.values(), *english.values()))
    differing = {key for key in chinese if chinese[key] and english[key]} & {
        key for key in chinese if names(chinese[key]) != names(english[key])
    }
    assert {key: (names(chinese[key]), names(english[key])) for key in differing} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_empty(language: str) -> None:
    assert [(file, key) for file, key, text in texts(language) if not text.strip()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stage_says_nothing_that_everybody_says(language: str) -> None:
    """A key of its own would hide the shared one, and only on that page."""
    shared = set(lesson("_common")[language])
    found = [(file, key) for file, key, _ in texts(language) if file != "_common" and key in shared]
    assert [(file, key) for file, key in found if "," not in file] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_html_is_sparse_and_closed(language: str) -> None:
    for file, key, text in texts(language):
        tags = re.findall(r"<(/?)(\w+)[^>]*>", text)
        assert {name for _, name in tags} <= {"b", "em", "br", "sup", "code"}, (file, key)
        opened: list[str] = []
        for slash, name in tags:
            if slash:
                assert opened and opened.pop() == name, (file, key)
            elif name != "br":
                opened.append(name)
        assert not opened, (file, key)


def chinese() -> Iterator[tuple[str, str, str]]:
    yield from ((file, key, prose(text)) for file, key, text in texts("zh"))


def found(pattern: str) -> list[tuple[str, str, str]]:
    """Where Chinese prose matches, with what matched."""
    return [(file, key, match[0]) for file, key, text in chinese() if (match := re.search(pattern, text))]


def test_chinese_punctuation_is_full_width() -> None:
    assert found(rf".?{HAN}[,.;:?!()]|[,;:?!()]{HAN}.?") == []


def test_chinese_and_latin_are_spaced() -> None:
    assert found(rf"{HAN}[A-Za-z0-9]+|[A-Za-z0-9]+{HAN}") == []


def test_chinese_does_not_shout() -> None:
    assert found(r".*[!！]") == []


def test_chinese_keeps_to_the_words_agreed_on() -> None:
    assert found("|".join(FORBIDDEN)) == []


def test_chinese_is_chinese() -> None:
    """A text without a Han character is a formula or a name, and then it is the same in English."""
    english = {(file, key): text for file, key, text in texts("en")}
    foreign = {(file, key): text for file, key, text in texts("zh") if not re.search(HAN, text) and text.strip()}
    letters = {
        place: text
        for place, text in foreign.items()
        if re.search("[A-Za-z]{4,}", prose(text)) and text != english[place]
    }
    assert letters == {}


# A theme turns dark and light round, and so what a colour of one of its scales looks like.
AS_ONE_THEME_LOOKS = {
    "en": re.compile(r"\b(dark|light|pale|bright|black|white)(er|est|ly)?\b", re.IGNORECASE),
    "zh": re.compile(r"[深浅](色|的(?!地方))|颜色[越更最]?[深浅]|[越更][深浅]|最浅|[黑白]色|白格|黑格"),
}


def test_no_text_says_how_a_colour_looks_in_one_theme() -> None:
    said = [(text, language) for language in LANGUAGES for _, key, text in texts(language) if "themes." not in key]
    assert [text for text, language in said if AS_ONE_THEME_LOOKS[language].search(prose(text))] == []


def test_english_has_no_han_and_no_double_space() -> None:
    for file, key, text in texts("en"):
        assert not re.search(HAN, text), (file, key)
        if not MAY_HOLD_TWO_SPACES.match(key):
            assert "  " not in text, (file, key)
        assert not re.search(r"\w'\w", prose(text)), (file, key, "an apostrophe is ’")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_stage_has_a_name(language: str) -> None:
    t = Texts(language)
    assert all(f"stages.{stage.slug}" in t for stage in STAGES)
    names = [t(f"stages.{stage.slug}") for stage in STAGES]
    assert len(set(names)) == len(names)


# ---------------------------------------------------------------------------------------------------
# Filling in


def test_numbers_are_short_and_names_as_they_are() -> None:
    t = Texts("en", "attention")
    assert t("follow_where", row="the", column="mat", layer=3, head=9) == "the → mat, layer 3, head 9"
    assert Texts("en", "cells")("steps.bias.operation", bias=-0.123456) == "+ (−0.1235)"


def test_what_nobody_gives_stays_and_latex_keeps_its_braces() -> None:
    assert Texts.fill(r"\frac{a}{b} {n} {m}", {"n": "3"}) == r"\frac{a}{b} 3 {m}"


def test_a_model_with_a_chinese_name_stands_without_the_spaces_of_a_latin_one() -> None:
    said = "这里 {model} 有 {n} 层，{model} {n}"
    assert Texts.fill(said, {"model": "翻译模型", "n": 2}) == "这里翻译模型有 2 层，翻译模型 2"
    assert Texts.fill(said, {"model": "MiniLM", "n": 2}) == "这里 MiniLM 有 2 层，MiniLM 2"
    assert Texts.fill("{token} 最关注 {best} 吗", {"token": "天", "best": "昨"}) == "天 最关注 昨 吗"
    assert Texts.fill("the {model} has", {"model": "翻译模型"}) == "the 翻译模型 has"


def test_what_stands_in_html_is_escaped_and_the_words_are_not() -> None:
    t = Texts("en", "attention")
    said = t.html("lead", token="<script>", best='"&', weight=0.5)
    assert "<b>&lt;script&gt; → &quot;&amp;</b>" in said and "<script>" not in said


def test_a_value_is_not_filled_in_twice() -> None:
    t = Texts("en", "attention")
    assert t("follow_where", row="{column}", column="mat", layer=1, head=1) == "{column} → mat, layer 1, head 1"


def test_a_page_has_the_shared_words_too() -> None:
    t = Texts("zh", "attention")
    assert t("just_show_me") == "直接看" and t("question") == "每个词元关注谁？"
    assert "question" not in Texts("zh") and "no.such.key" not in t


# ---------------------------------------------------------------------------------------------------
# Sentences to open on


def test_presets() -> None:
    assert samples.example("en") == "The cat sat on the mat." and samples.example("zh") == "我昨天在北京买了三本书"
    for language in LANGUAGES:
        for stage in STAGES:
            presets = samples.presets(stage.slug, language)
            assert presets[0] == samples.example(language)
            assert samples.example("en" if language == "zh" else "zh") in presets
            assert len(set(presets)) == len(presets) >= 3
            assert all(text.strip() == text and len(text) <= LONGEST for text in presets)
    assert samples.presets("attention", "en")[1] == "The little boy kicked the red ball into the garden."


def test_chinese_presets_are_sentences_of_the_grammar() -> None:
    """But for those of `tokens`, which are there to show what the translator does not know."""
    chinese = {text for stage in STAGES if stage.slug != "tokens" for text in samples.presets(stage.slug, "zh")}
    assert [text for text in chinese if model_for(text) == "translator" and not grammar.parse(text)] == []


def test_presets_are_of_stages_there_are() -> None:
    raw = tomllib.loads((LESSONS.parent / "samples/sentences.toml").read_text(encoding="utf-8"))
    assert all(set(raw[language]["stages"]) <= {stage.slug for stage in STAGES} for language in LANGUAGES)


def test_chinese_has_one_quotation_mark() -> None:
    for file in sorted((Path(__file__).parents[2] / "assets/lessons").glob("*.toml")):
        assert not set("「」『』") & set(file.read_text(encoding="utf-8")), file.name


PLURAL = re.compile(
    r"\{(\w+)\}(?:</?\w+>)? (?:(?:different|more|other|special|longer|new|content|Chinese|English) )*"
    r"(tokens|words|characters|rows|columns|pieces|groups|pairs|terms|keys|queries|products|numbers|differences|ids|edits"
    r"|merges|candidates|weights|cells|sentences|translations|vectors|dimensions|positions|clocks|claims|lines)\b"
)
MANY = {  # what is many in every model and every recorded training
    *("d", "d_model", "d_head", "d_ff", "heads", "layers", "limit", "vocab", "size", "longest"),
    *("steps", "by", "batch", "held_out", "sentences", "queries", "keys", "pairs", "seeds", "length", "most"),
    *("wide", "narrow", "drawn", "all", "wavelength", "first", "last", "step"),
}


def test_a_count_agrees_with_its_noun() -> None:
    said = "{n} {n:token is/tokens are} gone"
    assert Texts.fill(said, {"n": 1}) == "1 token is gone"
    assert [Texts.fill(said, {"n": n}) for n in (0, 2, "1,000")] == [
        f"{n} tokens are gone" for n in ("0", "2", "1,000")
    ]
    assert Texts.fill(said, {}) == said
    one = {(file, key, found[1]) for file, key, text in texts("en") for found in PLURAL.finditer(text)}
    assert {
        place for place in one if place[2] not in {*MANY, "pad_to"} and place[1] != "errors.vocabulary_too_large"
    } == set()


def test_symbols_are_set_with_their_indices() -> None:
    """In what is written here, outside code, tags and LaTeX; never in what a visitor typed."""
    t = Texts("en")
    t.words = {**t.words, "said": r"W^Q, d_k; <code>d_k</code> $d_k$ <b title='d_k'>√d_model</b> one_d_k {typed}"}
    assert t.html("said", typed="W^Q d_k") == (
        "<i>W</i><sup>Q</sup>, <i>d</i><sub>k</sub>; <code>d_k</code> $d_k$ "
        "<b title='d_k'>√<i>d</i><sub>model</sub></b> one_d_k W^Q d_k"
    )


MARKED = re.compile(r"“\{(\w+)\}”|<b>\{(\w+)\}</b>")
TYPED = {"token", "word", "first", "second", "row", "a", "b", "given"}  # in a question: what a visitor typed


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_question_what_was_typed_is_marked(language: str) -> None:
    """“In each head, the has one token” cannot be read."""
    bare = [
        (file, key)
        for file, key, text in texts(language)
        if key.startswith(("predict.", "if.")) and key.endswith(".question")
        if names(text) & TYPED - names(" ".join("{" + (a or b) + "}" for a, b in MARKED.findall(text)))
    ]
    assert bare == []
