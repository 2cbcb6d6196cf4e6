"""The words of the page: the space they lie in, the groups they come in, and which of them the address may name."""

from functools import cache

import streamlit as st

from core.views import meaning
from core.views.meaning import Group, Neighbour, Space, Word, WordSet, read_groups, split, word_set
from pages.shared import cached, samples
from pages.shared.page import Page
from pages.shared.state import Parameter
from pages.shared.texts import Texts

LONGEST_WORD = 40
OWN, SENTENCE = "own", "sentence"  # groups beside the ready ones: what was typed, and the words of the sentence


class Kept:
    """A few numbers and words in the shared cache."""

    nbytes = 1000

    def __init__(self, of):
        self.of = of


def space_of(page: Page) -> Space:
    return cached.remember(("space", page.address.model), lambda: meaning.space(page.model))


def near_of(page: Page, word: Word) -> list[Neighbour]:
    key = "near", page.address.model, word.ids
    return cached.remember(key, lambda: Kept(space_of(page).neighbours(word))).of


def a_word(page: Page, default: str) -> Parameter:
    """A word that the vocabulary can spell."""
    space = space_of(page)

    def parse(raw: str) -> str | None:
        text = raw.strip()
        return text if 0 < len(text) <= LONGEST_WORD and space.word(text) else None

    return Parameter(parse, default, page.t("allowed_word"))


# ---- groups


@cache
def ready(name: str) -> dict[str, Group]:
    """A model's ready groups, by their ids."""
    return {id: Group(id, tuple(split(words))) for id, words in samples.read("words")[name]["groups"].items()}


def name_of(t: Texts, group: str) -> str:
    key = f"group.{group}"
    return t(key) if key in t else group


def own_groups() -> tuple[Group, ...]:
    return read_groups(st.session_state.get("own_words", ""), unnamed=OWN)


def chosen_groups(page: Page, ids: str) -> list[Group]:
    found: list[Group] = []
    for id in ids.split(","):
        if id == OWN:
            found += own_groups()
        elif id == SENTENCE:
            found.append(Group(SENTENCE, sentence_words(page)))
        else:
            found.append(ready(page.address.model)[id])
    return found


def sentence_words(page: Page) -> tuple[str, ...]:
    """The words of the visitor's sentence as the model cut them: for the translator, characters."""
    return tuple(dict.fromkeys(word for word in word_of_token(page) if word and word.isalnum()))


def word_of_token(page: Page) -> list[str | None]:
    """For each token of the sentence the word it is a part of; None for what is no word of the visitor's."""
    words: dict[int, str] = {}
    for token in page.trace.tokens:
        if token.word is not None and not token.special:
            words[token.word] = words.get(token.word, "") + page.text[token.start : token.end]
    return [None if token.special or token.word is None else words[token.word] for token in page.trace.tokens]


def words_of(page: Page, ids: str) -> WordSet:
    groups = chosen_groups(page, ids)
    key = ("words", page.address.model, tuple((group.id, group.words) for group in groups))
    return cached.remember(key, lambda: word_set(space_of(page), groups))
