"""Take it with you: pictures, tables, the page as a handout, the capture. Made only when the line is opened.

Pictures, tables and handout are made in the browser, of what is seen there; Python adds what it alone knows.
"""

import io
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.model.places import attention_at
from core.version import VERSION
from pages.shared.address import visit
from pages.shared.page.notebook import notebook
from pages.shared.page.opened import Opened
from pages.shared.page.predict import choices
from pages.shared.page.sources import source, where
from pages.shared.page.stage import TAKEN, StageContext
from pages.shared.page.worksheet import worksheet
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.texts import Texts

if TYPE_CHECKING:
    from core.edits import Edit
    from pages.shared.page.opened import Opened

LAYER = re.compile(r"[a-z]+\.(\d+)(?=\.)")
WORDS = ("pictures", "tables", "handout", "page", "table", "wait", "late")
HANDOUT = ("asked", "followed", "noticed", "formula", "shapes", "code", "open", "made")
NAMELESS = (
    "depth",
    "chain",
    "lines",
    "dots",
    "river",
    "grid",
    "decoding",
    "addition",
    "blocks",
    "choosing",
    "runs",
    "merges",
)


def draw(opened: Callable[[Any], Opened] | None, context: StageContext) -> None:
    """The closed line. `opened` is what the stage opens; None while a question is open that all of it would answer."""
    st.session_state[TAKEN] = context.values["take"] == "1"
    with st.expander(context.t("take_it"), key=TAKEN, on_change=toggle) as expander:
        if expander.open:
            show(context, opened(context) if opened else None)


def toggle() -> None:
    visit.change(take="1" if st.session_state[TAKEN] else None)


def show(context: StageContext, opened: Opened | None) -> None:
    t = context.t
    data = {
        "file": context.page.slug,
        "names": {key: t(f"take.names.{key}") for key in NAMELESS},
        "handout": handout(context, opened),
        "words": {name: t(f"take.{name}") for name in WORDS},
    }
    components.take(key="take_lists", data=data)
    if opened:
        with st.container(key="take_formula"):  # the handout takes it as MathML; it is seen in "Open it"
            st.latex(opened.formula)
        if opened.files:
            opened.files(context)
        st.html(f"<h3 class='take'>{t.html('take.numbers')}</h3>")
        export(context, opened)


def handout(context: StageContext, opened: Opened | None) -> dict[str, Any]:
    """What of a handout only Python knows; nothing in it that an open question asks for."""
    t, page = context.t, context.page
    reads = page.stage.shown is None  # a lab has a text of its own, and a network or a dictionary
    facts = [(t("take.facts.text"), page.text), (t("take.facts.model"), page.model_name)] if reads else []
    if opened and opened.edits:
        facts.append((t("take.facts.edits"), " ".join(edit.id for edit in opened.edits)))
    return {
        "lang": page.address.lang,
        "title": t("question"),
        "asked": choices(context) if context.veiled else None,
        "code": [{"where": where(f), "source": source(f)} for f in opened.code] if opened else [],
        "shapes": [[n, " × ".join(dims), " × ".join(map(str, sizes))] for n, dims, sizes in opened.shapes]
        if opened
        else [],
        "counted": counted(t, opened),
        "facts": [*facts, (t("take.facts.version"), f"{t('site')} {VERSION}")],
        "words": {name: t(f"take.parts.{name}") for name in HANDOUT},
    }


def counted(t: Texts, opened: Opened | None) -> str:
    """That the names of tensors count layers from 0, which the pages do not; nothing where no name has a layer."""
    found = next(filter(None, (LAYER.match(name) for name, *_ in opened.shapes)), None) if opened else None
    return t("take.counted", name=found[0], layer=int(found[1]) + 1) if found else ""


# ---- the numbers


def export(context: StageContext, opened: Opened) -> None:
    page = context.page
    t, text, name = page.t, page.text, page.address.model
    small = len(page.trace.tokens) <= cached.WHOLE
    seen = opened.captured and not context.veiled
    whole = opened.of_model and small and seen
    with st.container(horizontal=True):
        if opened.repeat and not context.veiled:
            book = partial(notebook, context, opened)
            mime = "application/x-ipynb+json"
            st.download_button(t("take.notebook"), book, f"{page.slug}.ipynb", mime, key="book", on_click="ignore")
        if not context.veiled:
            paper, name_of = partial(worksheet, context, opened), f"{page.slug}-worksheet.html"
            st.download_button(t("take.worksheet"), paper, name_of, "text/html", key="worksheet", on_click="ignore")
        table = partial(for_excel, opened.table)
        st.download_button(t("open.csv"), table, opened.table_name, "text/csv", key="csv", on_click="ignore")
        if whole:
            taps = partial(every_tap, name, text, opened.edits)
            st.download_button(t("open.npz"), taps, "capture.npz", key="npz", on_click="ignore")
            st.download_button(t("take.loader"), loader, "load_capture.py", key="loader", on_click="ignore")
    if not opened.of_model:
        return
    if not seen:
        st.html(f"<p class='soft'>{t.html('open.withheld')}</p>")
    elif not small:
        st.html(f"<p class='soft'>{t.html('open.too_long', limit=cached.WHOLE)}</p>")
        st.code('python -m core "…" --save capture.npz', language="bash")
    else:
        st.html(f"<p class='soft'>{t.html('take.live')}</p>")
        st.code(live(name, text), language="python")
        st.html(f"<p class='soft'>{t.html('take.itself')}</p>")
        st.code(loader(), language="python")


def live(name: str, text: str) -> str:
    """The lines that make a capture of this sentence, and read one head's weights out of it."""
    tap = attention_at(cached.model(name).attentions[0], 0).tap("weights")
    return f"from core import capture, load_model\n\nrun = capture(load_model({name!r}), {text!r})\nrun[{tap!r}]"


def for_excel(table: Callable[[], str]) -> str:
    """A table with the mark by which Excel knows UTF-8."""
    return f"\ufeff{table()}"


def every_tap(name: str, text: str, edits: "tuple[Edit, ...]" = ()) -> bytes:
    """Every tap of a fresh capture, with the page's edits, as .npz that describes itself."""
    from core import archive, capture

    file = io.BytesIO()
    archive.save(capture(cached.model(name), text, edits=edits), file)
    return file.getvalue()


def loader() -> str:
    """The short file that reads it."""
    import inspect

    from core.lessons import load_capture

    return inspect.getsource(load_capture)
