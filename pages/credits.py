"""Where the weights, the tokens and the tools come from, and under which licences."""

import html

import streamlit as st

from core.zoo import ABSENT, SOURCES
from pages.shared.page.parts import folded
from pages.shared.page.stage import Stage, StageContext
from pages.shared.words.papers import PAPERS, cited_in, link
from pages.shared.words.texts import Texts


def draw(context: StageContext) -> None:
    t = context.t
    st.title(t("stages.credits"), anchor=False)
    with st.container(key="lead"):
        st.html(f"<div class='place lead'><p>{t.html('credits.lead')}</p></div>")
    for id, why in ABSENT.items():
        st.html(f"<p class='note'>{t.html(f'credits.{why}', name=t.model(id))}</p>")
    st.html(f"<div class='credit'><h2>{t.html('credits.shown_title')}</h2><p>{t('credits.shown')}</p></div>")
    for source in SOURCES.values():
        own = Texts(t.language, None, source.id)
        if "credits.about" not in own:
            continue
        origin = f"{t.html('credits.origin')} <code>{html.escape(source.origin)}</code>"
        facts = own.html("credits.facts", parameters=f"{source.parameters:,}", licence=source.licence)
        st.html(
            f"<div class='credit'><h2>{html.escape(t.model(source.id))}</h2>"
            f"<p>{own('credits.about')}</p>"
            f"<p class='soft'>{facts}</p>"
            f"{folded(origin, f'sha256 <code>{source.sha256}</code>')}</div>"
        )
    st.html(
        f"<div class='credit'><h2>{t.html('credits.code_title')}</h2><p>{t('credits.code')}</p></div>"
        f"<div class='credit'><h2>{t.html('credits.tools_title')}</h2><p>{t('credits.tools')}</p></div>"
        f"<div class='credit'><h2>{t.html('credits.papers_title')}</h2>{papers(t.language)}</div>"
    )


def papers(language: str) -> str:
    """Each paper as the texts cite it, and its title, in the order of the alphabet."""
    listed = (
        f"<li>{link(html.escape(cited_in(language, cited)), paper)} {html.escape(paper.title)}</li>"
        for cited, paper in sorted(PAPERS.items(), key=lambda entry: entry[0].casefold())
    )
    return f"<ul>{''.join(listed)}</ul>"


CREDITS = "credits"
STAGE = Stage(CREDITS, draw)
