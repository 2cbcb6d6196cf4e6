"""The words of a page, from assets/lessons: `[zh]` and `[en]` side by side, the shared ones in `_common.toml`."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path

from core.counting import agreed
from core.lesson import lesson_of
from core.text.unicode import is_cjk
from core.words import LANGUAGES, LESSONS, flat, help_of, lesson
from core.zoo import SOURCES
from pages.shared.words.numbers import DIGITS, PROSE, grouped, in_prose, shown
from pages.shared.words.papers import linked

__all__ = ["LANGUAGES", "LESSONS", "Texts", "clip", "flat", "help_of", "lesson", "model_name", "own_words", "words"]

FOREIGN = re.compile(r"<[^>]*>|\{\w+(?::[^{}]*)?\}|\$[^$]*\$")  # in a text: what is not read aloud
MARK = re.compile(r"(?:[.,;:!?'\"()\-，。、；：！？（）《》]+|['’][a-z]{1,2})[₀-₉]*")
SPACED = r"( ?)((?:<[^>]*>)*\{{(?:{})\}}(?:<[^>]*>)*)( ?)"
TAG = re.compile(r"<[^>]*>")
MODELS = ("model", "reader", "learner")  # what a text calls a model that it names
NAMING = frozenset(  # no counts: row 1996, PE(1006), d = 1024
    ("id", "row", "seed", "position", "there", "q", "k", "d", "d_model", "width")
)
NAMED = re.compile(r"( ?)\{(\w+)(:summand)?\}( ?)")
# A number that can be pressed, with the marks beside it: around a button a line would break before a comma, too.
BUTTON = r"<button class='number'[^>]*>[^<]*</button>"
JOINED = re.compile(rf"[（(“]?(?:<b>{BUTTON}</b>|{BUTTON})[，。；：、）”！？,.;:)]+")

# Symbols with an index, as they stand in a text that is not LaTeX: W^Q, d_model.
INDEXED = re.compile(
    r"<code>.*?</code>|<[^>]*>|\$[^$]*\$|(?<![\w{\\])([Wdb])([_^])(model|head|ff|kv|[QKVOkv])(?![\w}])"
)
SET = {"_": "sub", "^": "sup"}

# A text that calculates with the numbers it names: {x} × {weight} = {product}; {total} becomes {now}, a drop of {fell}.
CALCULATES = re.compile(r"\{\w+(?::\w+)?\}(?:</?\w+>)* ?[=≈+−×÷·] ?(?:<\w+>)?[(√]?\{|\{(?:fell|rose|gap|ratio)\}")


@cache
def own_words(language: str) -> str:
    """All that this site says in a language, without its marks."""
    texts = (text for file in sorted(LESSONS.glob("*.toml")) for text in lesson(file.stem)[language].values())
    return FOREIGN.sub(" ", "\n".join(texts))


@cache
def words(language: str, slug: str | None, model: str = "", traits: tuple[str, ...] = ()) -> dict[str, str]:
    """The shared words and a page's own; what is said otherwise of models with a trait (`[zh.if.pre]`); what a model
    says otherwise."""
    own = {**lesson("_common")[language], **(lesson(slug)[language] if slug else {})}
    of = {trait: {} for trait in traits}
    for key in [key for key in own if key.startswith("if.")]:
        _, trait, plain = key.split(".", 2)
        of.get(trait, {})[plain] = own.pop(key)
    for trait in traits:
        own |= of[trait]
    said = lesson_of(model).words.get(language, {})
    return own | dict(flat(said.get("common", {}))) | (dict(flat(said.get(slug, {}))) if slug else {})


def model_name(language: str, model: str) -> str:
    """What a model is called: a folder says it by its own name."""
    return words(language, None, model).get("model") or Path(model).name


class Texts:
    """The words of one page in one language, of one model: `t("lead", token="the", weight=0.84)`.

    Only the names given are filled in, so LaTeX keeps its braces; a name the text asks for and nobody gives stays
    as it is and is found by a test.
    """

    own: Mapping[str, object] = {}  # what any text may name

    def __init__(self, language: str, slug: str | None = None, model: str = "", traits: tuple[str, ...] = ()):
        self.language, self.slug = language, slug or ""
        self.identity = language, self.slug, model  # in the shared cache
        self.words = words(language, slug, model, traits)
        self.own = {"model": model_name(language, model)} if model else {}

    def __call__(self, key: str, **values: object) -> str:
        text, values = quoted(self.words[key], {**self.own, **values})
        return self.fill(text, values)

    def html(self, key: str, **values: object) -> str:
        """The same where the text is HTML: what stands in it is escaped, whatever a visitor typed."""
        text, values = quoted(typeset(self.words[key]), {**self.own, **values})
        write = partial(in_prose, digits=digits_of(text, values))
        return JOINED.sub(r"<span class='joined'>\g<0></span>", self.fill(text, values, write))

    def if_said(self, key: str, **values: object) -> list[str]:
        """The HTML of what only some models say; nothing for the others."""
        return [self.html(key, **values)] if key in self else []

    def together(self, sentences: Iterable[str]) -> str:
        """Sentences that follow one another: in English with a space between."""
        return ("" if self.language == "zh" else " ").join(sentence for sentence in sentences if sentence)

    def model(self, id: str) -> str:
        """What a model is called."""
        return model_name(self.language, id)

    def help(self, name: str) -> str:
        """What a control inside a picture does, by its name; empty where nobody says."""
        return help_of(self.slug, self.language, name) or ""

    def stage(self, slug: str) -> str:
        """What a stage is called: one that the shared words do not know yet says so itself, as `name`."""
        return self.words.get(f"stages.{slug}") or lesson(slug)[self.language]["name"]

    def __contains__(self, key: str) -> bool:
        return key in self.words

    @staticmethod
    def fill(text: str, values: Mapping[str, object], write: Callable[[object], str] = shown) -> str:
        return NAMED.sub(lambda found: named(found, values, write), agreed(text, values))


def quoted(text: str, values: dict[str, object]) -> tuple[str, dict[str, object]]:
    """A token that is nothing but a mark, or begins with one as 's does, stands in quotes, so that no sentence seems to
    end there; and quotes stand beside Chinese characters without the spaces of a word.

    >>> quoted("{a} attends to {b}, not to “<b>{c}</b>”", {"a": "the", "b": ".", "c": "，₇"})[1]
    {'a': 'the', 'b': '“.”', 'c': '，₇'}
    >>> quoted("写 <b>{a}</b> 时看 {b} 最多", {"a": "。", "b": "我"})
    ('写<b>{a}</b>时看 {b} 最多', {'a': '“。”', 'b': '我'})
    """
    marks = [name for name, value in values.items() if isinstance(value, str) and MARK.fullmatch(value)]
    bare = [name for name in marks if not re.search(rf"“(?:<[^>]*>)*\{{{name}\}}", text)]
    if not bare:
        return text, values
    text = re.sub(SPACED.format("|".join(bare)), unspaced, text)
    return text, {**values, **{name: f"“{values[name]}”" for name in bare}}


def unspaced(found: re.Match[str]) -> str:
    """A name without the space between it and a Chinese character on either side."""
    before, name, after = found.groups()
    beside = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    return f"{'' if han(beside[0]) else before}{name}{'' if han(beside[1]) else after}"


def digits_of(text: str, values: Mapping[str, object]) -> int:
    """How many digits of the numbers in a sentence are written: three, or four where it calculates with them or where
    numbers that differ would look alike."""
    named = [values[found[2]] for found in NAMED.finditer(text) if found[2] in values]
    floats = [x for x in named if isinstance(x, float)]
    apart = len({shown(x, PROSE) for x in floats}) == len({shown(x) for x in floats})
    return PROSE if apart and not CALCULATES.search(text) else DIGITS


@cache
def typeset(text: str) -> str:
    """The indices of symbols raised and lowered, citations linked; a product is not broken at the end of a line.

    >>> typeset("x·W^Q has d_k numbers")
    'x·<i>W</i><sup>Q</sup> has <i>d</i><sub>k</sub> numbers'
    """

    def one(found: re.Match[str]) -> str:
        symbol, way, index = found.groups()
        return f"<i>{symbol}</i><{SET[way]}>{index}</{SET[way]}>" if symbol else found[0]

    return linked(INDEXED.sub(one, text)).replace(" × ", "\u00a0×\u00a0")


def named(found: re.Match[str], values: Mapping[str, object], write: Callable[[object], str]) -> str:
    """What stands for a name. A `:summand` is added to something: with a minus sign it stands in brackets. A model that
    has a Chinese name stands in Chinese without spaces, one with a Latin name between two, whatever the text has; a
    token keeps those of the text. A model called by a common noun in English takes its article, but in a label.
    """
    before, name, summand, after = found.groups()
    if name not in values:
        return found[0]
    value = write(counted(name, values[name]))
    if summand and shown(values[name]).startswith("−"):
        value = f"({value})"
    if name in MODELS and value in common_nouns():
        value = with_article(value, TAG.sub("", found.string[: found.start()]))
    beside = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    if value in chinese_models():
        before, after = ("" if han(next) else space for next, space in zip(beside, (before, after), strict=True))
    elif name in (*MODELS, "other") and value:
        before = " " if han(beside[0]) and latin(value[0]) else before
        after = " " if han(beside[1]) and latin(value[-1]) else after
    return f"{before}{value}{after}"


def counted(name: str, value: object) -> object:
    """A count or a place is written in threes; what only names a thing is not.

    >>> counted("rank", 1188), counted("id", 1188), counted("share", 0.5)
    ('1,188', 1188, 0.5)
    """
    return grouped(value) if isinstance(value, int) and name not in NAMING else value


def with_article(noun: str, before: str) -> str:
    """
    >>> with_article("poet", ""), with_article("poet", "Which part of"), with_article("poet", "Read by ·")
    ('The poet', 'the poet', 'poet')
    """
    before = before.rstrip()
    if before.endswith("·"):
        return noun
    return f"{'The' if not before or before[-1] in '.?!' else 'the'} {noun}"


@cache
def common_nouns() -> frozenset[str]:
    """English names of models that are none of their own: poet."""
    return frozenset(name for name in (model_name("en", id) for id in SOURCES) if name[:1].islower())


@cache
def chinese_models() -> frozenset[str]:
    return frozenset(name for name in (model_name("zh", id) for id in SOURCES) if han(name[:1]))


def latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def han(character: str) -> bool:
    return bool(character) and is_cjk(character)


def clip(text: str, most: int) -> str:
    """A text of at most so many characters; where it was cut, the last is an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def tail(text: str, most: int) -> str:
    """The end of a text, at most so many characters; where it was cut, the first is an ellipsis."""
    return text if len(text) <= most else "…" + text[-(most - 1) :]
