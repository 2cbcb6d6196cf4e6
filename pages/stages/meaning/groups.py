"""The words of the map, in their groups: ready ones, the words of the sentence, and the visitor's own."""

from collections.abc import Sequence
from functools import cache

from core.lesson import lesson_of
from core.views.meaning import Group, read_groups, split
from pages.shared.address.address import Parameter
from pages.shared.page.stage import PageContext, StageContext
from pages.shared.words.texts import Texts
from pages.stages.meaning import typed_words

OWN, SENTENCE = "own", "sentence"  # groups beside the ready ones: what was typed, and the words of the sentence


@cache
def ready(model: str) -> dict[str, Group]:
    """A model's ready groups, by their ids."""
    groups = lesson_of(model).stages.get("meaning", {}).get("groups", {})
    return {id: Group(id, tuple(split(words))) for id, words in groups.items()}


def some_groups(model: str, own: bool = False) -> Parameter:
    """Ids of groups between commas; it opens on the words of the sentence, too, where that is somebody's `own`."""
    known = (*ready(model), OWN, SENTENCE)

    def parse(raw: str) -> str | None:
        ids = raw.split(",")
        return ",".join(dict.fromkeys(ids)) if all(id in known for id in ids) else None

    opens = (*lesson_of(model).stages.get("meaning", {}).get("opens", ()), *([SENTENCE] if own else []))
    return Parameter(parse, ",".join(dict.fromkeys(opens or (SENTENCE,))), ", ".join(known))


def name_of(t: Texts, group: str) -> str:
    key = f"group.{group}"
    return t(key) if key in t else group


def chosen_groups(context: StageContext, ids: Sequence[str]) -> list[Group]:
    found: list[Group] = []
    for id in ids:
        if id == OWN:
            found += read_groups(typed_words.text(context, "words"), unnamed=OWN)
        elif id == SENTENCE:
            found.append(Group(SENTENCE, sentence_words(context.page)))
        else:
            found.append(ready(context.page.address.model)[id])
    return found


def sentence_words(page: PageContext) -> tuple[str, ...]:
    """The words of the visitor's sentence as the model cut them, each as often as it stands there."""
    return tuple(word for word in typed(page).values() if word.isalnum())


def typed(page: PageContext) -> dict[int, str]:
    """The words by their numbers in the sentence."""
    words: dict[int, str] = {}
    for token in page.trace.tokens:
        if token.word is not None and not token.special:
            words[token.word] = words.get(token.word, "") + page.text[token.start : token.end]
    return words


def word_of_token(page: PageContext) -> list[str | None]:
    """For each token of the sentence the word it is a part of; None for what is no word of the visitor's."""
    words = typed(page)
    return [None if token.special or token.word is None else words[token.word] for token in page.trace.tokens]
