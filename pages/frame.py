"""The frame around every page: language, theme, sentence, model, and the path as navigation.

It reads the address, lets the page draw itself, and only then draws the token strip, which carries what is selected
to the browser.
"""

import html
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:  # `streamlit run` knows only the folder of the script
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from core import grammar  # noqa: E402
from core.stages import STAGES  # noqa: E402
from core.text.token import Token  # noqa: E402
from core.zoo import SOURCES  # noqa: E402
from pages.shared import cached, components, samples, state, warm  # noqa: E402
from pages.shared.page import STAGE_SCRIPTS, Page, Strip, base_path, exists  # noqa: E402
from pages.shared.state import Address, Repair  # noqa: E402
from pages.shared.texts import Texts  # noqa: E402

CREDITS = "credits"
CLIPPED = 20  # characters of a word in a note


def main() -> None:
    address = Address()
    state.pop("_text_changed")  # a whole run has the new sentence and selection; only a fragment must ask for one
    state.pop("_selected")
    t = Texts(address.lang)
    script, links, slug = navigation(t)
    st.set_page_config(
        page_title=f"{t(f'stages.{slug}')} · {t('site')}",
        page_icon=str(ROOT / "assets/icon.svg"),
        layout="wide",
        initial_sidebar_state=216,
    )
    st.html(ROOT / "assets/site.css")
    foot = sidebar(address, t, links, slug)
    st.html(f"<div class='bar'><b>{t.html('site')}</b><span>{t.html(f'stages.{slug}')}</span></div>")
    with st.container(key="sentence_bar", horizontal=True, vertical_alignment="center", gap="small"):
        strip = st.empty()
        box = st.container(width="content")
    if not warm.wait(0):
        progress(t)
    lesson = slug if (STAGE_SCRIPTS / f"{slug}.py").is_file() else None
    page = Page(slug, address, Texts(address.lang, lesson), links)
    notes = st.container(key="notes", gap=None)
    st.session_state["_page"] = page
    script.run()
    address.write(slug)
    with box:
        page.box() if page.box else sentence(page)
    with foot:
        choices(address, t, links)
    with notes:
        said(page)
    with strip:
        token_strip(page)
    st.session_state["_opened_as"] = slug


def navigation(t: Texts):
    """Every page there is. A hidden default page keeps the address of `overview` its own."""
    here = Path(__file__).parent
    links = {
        stage.slug: st.Page(STAGE_SCRIPTS / f"{stage.slug}.py", title=t(f"stages.{stage.slug}"), url_path=stage.slug)
        for stage in STAGES
        if exists(stage.slug)
    }
    links[CREDITS] = st.Page(here / f"{CREDITS}.py", title=t("stages.credits"), url_path=CREDITS)
    first = next(iter(links))
    home = st.Page(STAGE_SCRIPTS / f"{first}.py", title=t("site"), url_path="home", default=True)
    script = st.navigation([home, *links.values()], position="hidden")
    return script, links, script.url_path if script.url_path in links else first


def sidebar(address: Address, t: Texts, links, slug: str):
    """The path; returns the place for the foot, which is drawn after the page."""
    with st.sidebar:
        st.html(f"<div class='brand'><b>{t.words['brand']}</b><span>{t.html('promise')}</span></div>")
        with st.container(key="path", gap=None):
            for stage in STAGES:
                if stage.slug in links:
                    label = path_label(t(f"stages.{stage.slug}"), lab=stage.parent is not None, here=stage.slug == slug)
                    st.page_link(links[stage.slug], label=label, query_params=address.link())
        return st.container(key="foot", gap=None)


def choices(address: Address, t: Texts, links) -> None:
    """The foot of the path: credits, light or dark, language. The last two keep everything else on the screen."""
    st.page_link(links[CREDITS], label=t("stages.credits"), query_params=address.link())
    with st.container(key="themes", horizontal=True, gap=None):
        for theme in ("light", "dark"):
            switch(t(f"themes.{theme}"), on=theme == address["theme"], theme=theme)
    with st.container(key="languages", horizontal=True, gap=None):
        for code, name in (("zh", "中文"), ("en", "English")):
            switch(name, on=code == address.lang, lang=code)


def switch(name: str, on: bool, **changes: str) -> None:
    """A word that changes one thing and keeps the rest. A button, not a link: a link would carry the address as it was
    when the whole page last ran, and a click on a cell runs only its fragment."""
    key = "-".join(["switch", *changes.values()])
    st.button(f"**{name}**" if on else name, key=key, type="tertiary", on_click=state.change, kwargs=changes)


def path_label(name: str, lab: bool, here: bool) -> str:
    """The stylesheet tells stops, labs and the present one apart by their emphasis."""
    label = f"*⌐ {name}*" if lab else name
    return f"**{label}**" if here else label


def progress(t: Texts) -> None:
    """What a visitor sees who comes before the model is loaded. Nobody else started the warm-up? Then this does."""
    if failed := warm.failure():
        st.html(f"<p class='progress'>{t.html('broken')}</p><p class='note'>{html.escape(failed)}</p>")
        st.stop()
    warm.start()
    st.html(f"<p class='progress'>{t.html('warming')}</p>")
    warm.wait(1)
    st.rerun()


# ---- the sentence


def sentence(page: Page) -> None:
    """The box behind the sentence, in a fragment of its own: counting a draft does not rerun the page."""

    @st.fragment
    def box() -> None:
        if state.pop("_text_changed"):
            st.rerun(scope="app")
        draft = state.report("sentence").get("draft")
        components.sentence(
            key="sentence",
            data=box_data(page, state.without_surrogates(draft) if isinstance(draft, str) else page.address.own_text),
            on_draft_change=lambda: None,
            on_text_change=take_text,
            on_model_change=take_model,
        )

    box()


def take_text() -> None:
    text = state.report("sentence").get("text")
    if isinstance(text, str):
        state.change_text(text)


def take_model() -> None:
    name = state.report("sentence").get("model")
    if name in SOURCES:
        state.change_model(str(name))
        st.session_state["_text_changed"] = True


def box_data(page: Page, draft: str) -> dict:
    t, reader = page.t, page.address.model_of(draft)
    model, source = cached.model(reader), SOURCES[reader]
    tokens, unknown = cached.draft(reader, draft[: state.LONGEST])
    return {
        "text": page.address.own_text,
        "example": samples.example(page.address.lang),
        "presets": samples.presets(page.slug, page.address.lang),
        "limits": {"tokens": model.config.positions, "characters": state.LONGEST},
        "draft": {"text": draft, "tokens": None if asked(page, draft) else tokens, "unknown": clipped(unknown)},
        "credits": page.href(CREDITS),
        "models": [{"id": id, "name": t(f"models.{id}"), "on": id == reader} for id in SOURCES],
        "words": {
            **{
                name: t(f"box.{name}")
                for name in (
                    "label",
                    "use",
                    "example",
                    "presets",
                    "tokens",
                    "characters",
                    "unknown",
                    "tooLong",
                    "credits",
                    "model",
                )
            },
            "open": t("box.open", model=page.model_name),
            "source": t(f"box.source.{reader}", parameters=f"{source.parameters:,}", licence=source.licence),
        },
    }


def asked(page: Page, draft: str) -> bool:
    """Whether the count of this draft's tokens would answer the open question."""
    return any(word in draft.lower() for word in page.strip.whole.values())


def said(page: Page) -> None:
    """What was repaired, refused or cut: a sentence each, above the page and out of its way."""
    repairs, t = [*page.address.repairs], page.t
    if page.shown is None:
        repairs += of_the_text(page)
    for repair in repairs:
        st.html(f"<p class='note'>{t.html(f'notes.{repair.code}', **repair.values)}</p>")


def of_the_text(page: Page) -> list[Repair]:
    """What the model cannot read of the sentence, or write."""
    repairs = []
    trace = page.trace
    if not page.text.strip():
        repairs.append(Repair("text_empty", {"specials": " ".join(page.tokens)}))
    elif page.writes and not any(map(str.isalnum, page.text)):
        repairs.append(Repair("no_words"))
    if trace.truncated:
        repairs.append(tokens_cut(page))
    if unknown := cached.draft(page.address.model, page.text)[1]:
        repairs.append(Repair("unknown", {"model": page.model_name, "characters": " ".join(clipped(unknown))}))
    if page.writes and page.translation.cut:
        repairs.append(Repair("translation_cut", {"limit": page.model.config.target_positions - 1}))
    return repairs


def clipped(words: Sequence[str]) -> list[str]:
    return [word if len(word) <= CLIPPED else word[: CLIPPED - 1] + "…" for word in words]


def tokens_cut(page: Page) -> Repair:
    """Where the model's positions end, and how much of the text lies beyond."""
    trace = page.trace
    at = trace.cuts[0].offset or 0
    rest = page.text[at : at + 16]
    facts = {"limit": page.model.config.positions, "cut": trace.truncated, "at": at + 1, "rest": rest}
    return Repair("tokens_cut", facts)


def chips(strip: Strip, tokens: Sequence[Token]) -> list[dict]:
    """The tokens of the strip, and what a click on each selects; a word that must stay whole is one chip."""
    shown: dict[object, dict] = {}
    for i, token in enumerate(tokens):
        at = i if strip.values is None else strip.values[i]
        whole = strip.whole.get(at)
        text, key = (token.text, i) if whole is None else (whole, ("whole", at))
        shown.setdefault(key, {"text": text, "special": token.special, "at": at})
    return list(shown.values())


def row(strip: Strip, tokens: Sequence[Token]) -> dict:
    return {
        "tokens": chips(strip, tokens),
        "marks": {name: getattr(strip, name) for name in ("first", "second", "click", "also")},
    }


def written(page: Page) -> dict | None:
    """What stands under the sentence: its translation, as tokens where the page marks them, else as a sentence."""
    if page.shown is not None or not page.writes:
        return None
    run, target = page.translation, page.strip.target
    return {
        "text": f"{run.text_out}{' …' if run.cut else ''}",
        "hint": "" if grammar.parse(page.text) else page.t("guesses"),
        "label": page.t("target_label"),
        "row": row(target, run.target_in) if target else None,
    }


def token_strip(page: Page) -> None:
    address = page.address
    paths = [f"{base_path()}/{slug}" for slug in ("", *page.links)]
    components.strip(
        key="strip",
        data={
            "row": row(page.strip, page.trace.tokens if page.shown is None else page.shown),
            "written": written(page),
            "label": page.t("strip_label"),
            "theme": address["theme"],
            "paths": paths,
            "state": {
                "page": page.slug,
                "pages": list(page.links),
                "selection": page.selection,
                "chosen": {name: value for name, value in address.chosen.items() if name in page.selection},
                "usual": address.usual,
                "base": {name: value for name, value in address.chosen.items() if name not in page.selection},
                "order": address.order,
                "seq": st.session_state.get("_seq", 0),
            },
        },
    )


main()
