"""The frame around every page: language, theme, sentence, model, and the path as navigation."""

import html
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:  # `streamlit run` knows only the folder of the script
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from core.stages import STAGES  # noqa: E402
from pages.credits import CREDITS  # noqa: E402
from pages.shared.address import visit  # noqa: E402
from pages.shared.address.address import Address  # noqa: E402
from pages.shared.page import (  # noqa: E402
    classroom,
    sentence_box,
    share,
    slides,
    token_strip,
)
from pages.shared.page.claims import CLAIMS  # noqa: E402
from pages.shared.page.drawing import Drawing, standing  # noqa: E402
from pages.shared.page.stage import WHOLE  # noqa: E402
from pages.shared.page.terms import GLOSSARY  # noqa: E402
from pages.shared.page.terms import address as terms_of  # noqa: E402
from pages.shared.pictures import components  # noqa: E402
from pages.shared.server import script_runs, warm_up  # noqa: E402
from pages.shared.server.base_path import base_path  # noqa: E402
from pages.shared.words.texts import Texts  # noqa: E402
from pages.stages import pages  # noqa: E402


def main() -> None:
    # First of all: a run that is about to be left for a piece of the page ends at its first element.
    components.kit_of_pictures(key="kit")
    address = Address(st.query_params.to_dict(), visit.language())
    t = Texts(address.lang)

    def body() -> None:
        draw_page(Drawing(pages()[slug], links), t, tokens, sentence, link, together)

    links, chosen, slug = navigation(t, body)
    st.set_page_config(
        page_title=f"{t.stage(slug)} · {t('site')}",
        page_icon=str(ROOT / "assets/icon.svg"),
        layout="wide",
        initial_sidebar_state=216,
    )
    sidebar(address, t, links, slug)
    with st.container(key="bar"):
        name = t("credits.short") if slug == CREDITS else t.stage(slug)
        st.html(f"<div class='bar'><b>{t.html('site')}</b><span>{html.escape(name)}</span></div>")
    with st.container(key="sentence_bar", horizontal=True, vertical_alignment="center", gap="small"):
        tokens, sentence, link = st.container(), st.container(width="content"), st.container(width="content")
    together = st.container(key="room", gap=None)
    if not warm_up.wait(0):
        progress(t)
    chosen.run()


def draw_page(drawing: Drawing, t: Texts, tokens, sentence, link, together) -> None:
    """The page itself, and the parts of the frame that know its sentence."""
    with drawing.looking(WHOLE) as context:
        stage = context.page.stage
        around = (
            (sentence, stage.box or sentence_box.sentence),
            (link, share.share),
            (together, classroom.draw),
            (tokens, token_strip.draw),
        )
        for place, draw in around:
            with place, standing(t):
                draw(context)
        if slides.shown(context.page.address, stage.slug):
            with standing(t):
                slides.draw(context)
        with standing(t):
            stage.draw(context)
        drawing.fill()
        tell(context.page, drawing)
    visit.browser().page = stage.slug


def tell(page, drawing: Drawing) -> None:
    """The browser's share of the address: what there is to select, and how far the server is."""
    paths = [f"{base_path()}/{slug}" for slug in ("", *drawing.links)]
    data = {
        **visit.echo(),
        "came": visit.came(),
        "page": page.slug,
        "pages": list(drawing.links),
        "params": page.address.parameters(),
        "theme": page.address["theme"],
        "paths": paths,
        "terms": terms_of(page.address.lang),
        "lost": Texts(page.address.lang)("line_lost"),
        "top": f"{page.slug}/{page.text}/{page.address.values.get('sample')}",
    }
    components.address(key="address", data=data, on_report_change=partial(visit.hear, "address", page.stage))


# ---- the path


def navigation(t: Texts, body: Callable[[], None]):
    """Every page there is, and the one that is open. A hidden default page keeps the address of the first its own."""
    links = {slug: st.Page(body, title=t.stage(slug), url_path=slug) for slug in pages()}
    home = st.Page(body, title=t("site"), url_path="home", default=True)
    chosen = st.navigation([home, *links.values()], position="hidden")
    return links, chosen, chosen.url_path if chosen.url_path in links else next(iter(links))


def sidebar(address: Address, t: Texts, links, slug: str) -> None:
    with st.sidebar:
        st.html(f"<div class='brand'><b>{t.words['brand']}</b><span>{t.html('promise')}</span></div>")
        with st.container(key="path", gap=None):
            for stage in STAGES:
                if stage.slug in links:
                    label = path_label(t.stage(stage.slug), lab=stage.parent is not None, here=stage.slug == slug)
                    st.page_link(links[stage.slug], label=label, query_params=address.link())
        with st.container(key="foot", gap=None):
            choices(address, t, links, slug)


def choices(address: Address, t: Texts, links, here: str) -> None:
    """The foot of the path: a class or a tour, reference, light or dark, language. The last two keep everything on the
    screen."""
    slides.begin(t, address, "begin_class", here)
    for slug in (CLAIMS, GLOSSARY, CREDITS):
        st.page_link(links[slug], label=t.stage(slug), query_params=address.link())
    with st.container(key="themes", horizontal=True, gap=None):
        for theme in ("light", "dark"):
            switch(t(f"themes.{theme}"), on=theme == address["theme"], theme=theme)
    with st.container(key="languages", horizontal=True, gap=None):
        for code, name in (("zh", "中文"), ("en", "English")):
            switch(name, on=code == address.lang, lang=code)


def switch(name: str, on: bool, **patch: str) -> None:
    """A word that changes one thing and keeps the rest. A button, not a link: a link would carry the address as it was
    when the whole page last ran, and a click on a cell runs only its piece."""
    key = "-".join(["switch", *patch.values()])
    label = f"**{name}**" if on else name
    st.button(label, key=key, type="tertiary", on_click=partial(visit.change_all, **patch))


def path_label(name: str, lab: bool, here: bool) -> str:
    """The stylesheet tells stops, labs and the present one apart by their emphasis."""
    label = f"*{name}*" if lab else name
    return f"**{label}**" if here else label


def progress(t: Texts) -> None:
    """What a visitor sees who comes before the model is loaded. Nobody else started the warm-up? Then this does."""
    if failed := warm_up.failure():
        st.html(f"<p class='progress'>{t.html('broken')}</p><p class='note'>{html.escape(failed)}</p>")
        st.stop()
    warm_up.start()
    st.html(f"<p class='progress'>{t.html('warming')}</p>")
    script_runs.let_go()
    warm_up.wait(1)
    st.rerun()


main()
