"""Where the weights, the tokens and the tools come from, and under which licences."""

import html
from collections.abc import Sequence

import streamlit as st

from core.zoo import ABSENT, SOURCES, Source
from pages.shared.page.parts import amount, folded, table
from pages.shared.page.stage import Stage, StageContext
from pages.shared.words.papers import PAPERS, cited_in, link
from pages.shared.words.texts import Texts

BAR = 240  # pixels of the longest: as wide as its column


def draw(context: StageContext) -> None:
    t = context.t
    st.title(t("stages.credits"), anchor=False)
    with st.container(key="lead"):
        st.html(f"<div class='place lead'><p>{t.html('credits.lead')}</p></div>")
    for id, why in ABSENT.items():
        st.html(f"<p class='note'>{t.html(f'credits.{why}', name=t.model(id))}</p>")
    own = {source.id: Texts(t.language, None, source.id) for source in SOURCES.values()}
    described = [source for source in SOURCES.values() if "credits.about" in own[source.id]]
    st.html(credit(t.html("credits.models_title"), models(t, described)))
    st.html(credit(t.html("credits.shown_title"), f"<p>{t('credits.shown')}</p>"))
    for source in described:
        about = f"<p>{own[source.id]('credits.about')}</p>"
        st.html(credit(html.escape(capital(t.model(source.id))), about + origin(t, source)))
    st.html(
        credit(t.html("credits.code_title"), f"<p>{t('credits.code')}</p>")
        + credit(t.html("credits.tools_title"), f"<p>{t('credits.tools')}</p>")
        + credit(t.html("credits.papers_title"), papers(t.language))
    )


def credit(title: str, said: str) -> str:
    """What it is, and beside it what is said of it; both are HTML."""
    return f"<div class='credit'><h2>{title}</h2><div>{said}</div></div>"


def origin(t: Texts, source: Source) -> str:
    """Where its parameters come from; of a model that was trained here also the folder they lie in."""
    places = [source.origin, *([] if source.package or source.folder else [f"assets/models/{source.id}"])]
    named = " · ".join(f"<code>{html.escape(place)}</code>" for place in places)
    return folded(f"{t.html('credits.origin')} {named}", f"sha256 <code>{source.sha256}</code>")


def capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def models(t: Texts, sources: Sequence[Source]) -> str:
    """How large each is, under which licence, and what brings it."""
    head = [t(f"credits.{name}") for name in ("model", "parameters", "licence", "from")]
    most = max((source.parameters for source in sources), default=1)
    rows = [
        [
            capital(t.model(source.id)),
            amount(source.parameters, most, longest=BAR),
            source.licence,
            source.package or t("credits.with_site"),
        ]
        for source in sources
    ]
    return f"{table(rows, head, 'named')}<p class='soft'>{t.html('credits.verified')}</p>"


def papers(language: str) -> str:
    """Each paper as the texts cite it, and its title, in the order of the alphabet."""
    listed = (
        f"<li>{link(html.escape(cited_in(language, cited)), paper)} {html.escape(paper.title)}</li>"
        for cited, paper in sorted(PAPERS.items(), key=lambda entry: entry[0].casefold())
    )
    return f"<ul>{''.join(listed)}</ul>"


CREDITS = "credits"
STAGE = Stage(CREDITS, draw)
