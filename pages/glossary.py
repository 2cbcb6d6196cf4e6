"""The glossary: every word of the site in both languages, a sentence each, and where it is seen live."""

import html
from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from pages.shared.address import visit
from pages.shared.address.address import choice
from pages.shared.page.parts import write
from pages.shared.page.search import ALL, FIND, controls, groups, head
from pages.shared.page.stage import PageContext, Stage, StageContext, piece
from pages.shared.page.terms import BY_ID, GLOSSARY, STOPS, TERMS, Term
from pages.shared.server.base_path import base_path
from pages.shared.words.papers import linked
from pages.shared.words.texts import LANGUAGES, Texts

WORDS = "words"
INTRODUCED_ON = tuple(slug for slug in STOPS if any(term.stop == slug for term in TERMS))


def which(page: PageContext):
    return {
        "stop": groups(INTRODUCED_ON),
        "find": FIND,
        "term": choice(*BY_ID, default=None),
    }


def draw(context: StageContext) -> None:
    head(context, len(TERMS))
    piece(context, WORDS, draw_words)


def draw_words(context: StageContext) -> None:
    """One term, where the address names one; else the search, and what it found."""
    t, values, stage = context.t, context.values, context.page.stage
    if values["term"]:
        write(f"<div class='terms'>{card(context.page, BY_ID[values['term']])}</div>")
        st.button(t("every"), key="every", type="tertiary", on_click=partial(visit.apply, stage, {"term": None}))
        return
    find = controls(context, "stop", INTRODUCED_ON)
    terms = found(values["stop"], find)
    if not terms:
        return write(f"<p class='note'>{t.html('none', find=find)}</p>")
    shown = t.html("shown", shown=len(terms), count=len(TERMS))
    cards = "".join(card(context.page, term) for term in terms)
    write(f"<p class='soft'>{shown}</p><div class='terms'>{cards}</div>")


# ---- which


def found(stop: str, find: str) -> Sequence[Term]:
    """Those of a stop in which all that is looked for occurs, in either language: first where it is in the name."""
    wanted = find.casefold().split()
    terms = [term for term in TERMS if stop in (ALL, term.stop) and all(word in searched(term) for word in wanted)]
    return sorted(terms, key=lambda term: not all(word in named(term) for word in wanted))


def named(term: Term) -> str:
    return "\n".join((term.id, *(word for lang in LANGUAGES for word in term.words[lang]))).casefold()


def searched(term: Term) -> str:
    """All that a card says."""
    return "\n".join((named(term), *term.said.values(), term.symbol, term.source)).casefold()


# ---- a card


def card(page: PageContext, term: Term) -> str:
    t = page.t
    other = next(lang for lang in LANGUAGES if lang != t.language)
    word, foreign = (html.escape(term.words[lang][0]) for lang in (t.language, other))
    beside = f"<p lang='{other}' class='soft'>{foreign}</p>" if foreign != word else ""
    signs = (("symbol", term.symbol), ("shape", term.shape))
    sign = "".join(
        f"<span><span class='soft'>{t.html(name)}</span> <code>{html.escape(sign)}</code></span>"
        for name, sign in signs
        if sign
    )
    source = (
        f"<p class='soft'>{t.html('quoted')}{linked(html.escape(term.reference(t.language)))}</p>"
        if term.source
        else ""
    )
    there = html.escape(href(t.language, term))
    door = f"<a class='see' href='{there}' target='_self'>{html.escape(where(t, term))}</a>"
    return (
        f"<article id='{term.id}'><div><h2>{word}</h2>{beside}</div>"
        f"<div><p>{html.escape(term.said[t.language])}</p>{f'<p class=sign>{sign}</p>' if sign else ''}</div>"
        f"<div><p class='soft'>{t.html('see')}{door}</p>{source}</div></article>"
    )


def where(t: Texts, term: Term) -> str:
    """Where its door leads: a stage, or a section of one."""
    stage, key = t.stage(term.page), f"sections.{term.door.get('section')}"
    there = Texts(t.language, term.page)
    return t("stage_and_section", stage=stage, section=there(key)) if key in there else stage


def href(language: str, term: Term) -> str:
    """The page with what is to be seen set up; the browser adds sentence and theme (kit/terms.js): in each of a hundred
    links a long sentence would weigh more than the page. A section is brought into sight (contents.js)."""
    at = "#section" if "section" in term.door else ""
    return f"{base_path()}/{term.page}?{urlencode({'lang': language, **term.door, 'guess': 'skip'})}{at}"


STAGE = Stage(GLOSSARY, draw, which=which, redraws={WORDS: ("stop", "find", "term")})
