"""Where the weights, the tokens and the tools come from, and under which licences."""

import html

import streamlit as st

from core.zoo import SOURCES
from pages.shared.stage import Look, Stage


def draw(look: Look) -> None:
    t = look.t
    st.title(t("stages.credits"), anchor=False)
    st.html(f"<p class='lead'>{t.html('credits.lead')}</p>")
    for source in SOURCES.values():
        facts = t.html(f"credits.facts.{source.id}", parameters=f"{source.parameters:,}", licence=source.licence)
        st.html(
            f"<div class='credit'><h2>{t.html(f'models.{source.id}')}</h2>"
            f"<p>{t('credits.' + source.id)}</p>"
            f"<p>{facts}</p>"
            f"<p class='soft'>{t.html('credits.origin')} <code>{html.escape(source.origin)}</code><br>"
            f"sha256 <code>{source.sha256}</code></p></div>"
        )
    st.html(
        f"<div class='credit'><h2>{t.html('credits.code_title')}</h2><p>{t('credits.code')}</p></div>"
        f"<div class='credit'><h2>{t.html('credits.tools_title')}</h2><p>{t('credits.tools')}</p></div>"
    )


CREDITS = "credits"
STAGE = Stage(CREDITS, draw)
