"""The parts every stage page is made of: title, lead, notice, headings, tables, sections, next stop."""

import html
import re
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate

import streamlit as st

from core.figures.contents import Contents, Line
from core.figures.picture import plain
from core.figures.recap import Fact, Recap
from core.stages import STAGES
from core.zoo import SOURCES
from pages.shared.address import visit
from pages.shared.address.visit import on_press
from pages.shared.page import claims, notes
from pages.shared.page.sources import source, where
from pages.shared.page.stage import SECTION, PageContext, StageContext, piece
from pages.shared.pictures import components
from pages.shared.words import samples
from pages.shared.words.numbers import Html as Html
from pages.shared.words.numbers import Number, exact, grouped, written
from pages.shared.words.texts import Texts, typeset

TAGS = re.compile(r"<[^>]*>")


class Place:
    """Where sentences stand that follow the selection. It is filled when all that is being drawn has been: what a piece
    writes outside itself would go when it is drawn anew. Where only a piece inside is drawn, they travel with the
    number to follow: an element of their own would cost each click a message.
    """

    def __init__(self, context: StageContext, name: str) -> None:
        # A container keeps what stood in it until it is filled anew: an empty element would let the page jump.
        self.drawing, self.name, self.element = context.page.drawing, name, st.container(gap=None)
        self.drawing.places.append(self)

    def html(self, words: str) -> None:
        self.drawing.said[self.name] = words

    def fill(self) -> None:
        # What stopped the drawing before its words were known has left nothing to say here. A click writes into it in
        # the browser (`near` in kit/streamlit.js): the time makes React write the same words over those.
        words, now = self.drawing.said.get(self.name, ""), time.monotonic_ns()
        self.element.html(f"<div class='place {self.name}' data-at='{now}'>{words}</div>")


def title(context: StageContext, lead: str | None = None, **values: object) -> Place:
    """The question, a sentence or two about this very sentence, and what was repaired; returns the lead's place."""
    if own := notes.own(context.page):
        st.html(own)
    st.title(context.t("question"), anchor=False)
    with st.container(key="lead"):
        place = Place(context, "lead")
    write_lead(context, place, lead, **values)
    notes.draw(context)
    return place


def write_lead(context: StageContext, place: Place, lead: str | None, **values: object) -> None:
    place.html(f"<p>{context.t.html(lead, **values) if lead else ''}</p>")


def say(
    context: StageContext,
    lead: Place,
    noticed: Place,
    first: tuple[str, Mapping[str, object]],
    sentences: Sequence[str],
) -> None:
    """Into places made before, for they follow what is selected: the lead's key and facts, and what to notice."""
    key, facts = first
    write_lead(context, lead, key, **facts)
    noticed.html(paragraphs(sentences))


def notice(
    context: StageContext, sentences: Sequence[str], try_this: tuple[str, Mapping[str, object]] | None = None
) -> Place:
    """What to notice, with this sentence's numbers in it, and one thing to try: its words, and what it sets up.

    Returns the place of the sentences, for those that follow the selection.
    """
    with st.container(key="notice", gap=None):
        st.html(f"<h2>{context.t.html('notice_title')}</h2>")
        place = Place(context, "noticed")
        place.html(paragraphs(sentences))
        if try_this:
            words, patch = try_this
            st.button(words, key="try", type="tertiary", on_click=on_press(context, **patch))
    return place


def paragraphs(sentences: Sequence[str]) -> str:
    """Sentences that are HTML, one below the other."""
    return "".join(f"<p>{sentence}</p>" for sentence in sentences) or "<p></p>"


def folded(summary: str, inside: str) -> str:
    """What need not be read at once, behind a line that says what it is; both are HTML."""
    return f"<details class='soft'><summary>{summary}</summary>{inside}</details>"


def command(line: str) -> str:
    """A line for a terminal."""
    return f"<pre><code>{html.escape(line)}</code></pre>"


def heading(t: Texts, key: str, **values: object) -> str:
    """The heading of a section: the words at `<key>.title`."""
    return f"<h2 class='part'>{t.html(f'{key}.title', **values)}</h2>"


def paragraph(t: Texts, key: str, **values: object) -> str:
    return f"<p class='said'>{t.html(key, **values)}</p>"


def table(
    rows: Sequence[Sequence[object]], head: Sequence[str] = (), kind: str = "", marked: Collection[int] = ()
) -> str:
    """The one table: texts are escaped, numbers written short, with every digit on hover, and below each other;
    `kind` is a class of the stylesheet, `marked` are the rows that stand out."""
    columns = list(zip(*rows, strict=False))
    top = "".join(header(name, columns[i] if i < len(columns) else ()) for i, name in enumerate(head))
    body = "".join(
        ("<tr class=query>" if i in marked else "<tr>") + "".join(map(cell, row)) + "</tr>"
        for i, row in enumerate(rows)
    )
    names = " ".join(filter(None, ("shapes", kind, "worded" if columns and of_words(columns[0]) else "")))
    top = f"<thead><tr>{top}</tr></thead>" if top else ""
    numbers = (f"n{i}" for i, column in enumerate(columns, 1) if i > 1 and of_numbers(column))
    box = " ".join(["shapes-box", *numbers])
    return f"<div class='{box}' tabindex='0'><table class='{names}'>{top}{body}</table></div>"


ONE = r"(?:[×−+<-][ \u00a0]?)?\d[\d,.]*(?:×10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?(?:[ \u00a0]?[%MB万亿])?"
LONGEST = 140  # pixels of a bar
NUMBER = re.compile(rf"{ONE}(?: … {ONE})?")


class Amount(Html):
    """A number with its bar."""

    n: float
    look: str  # of the room that the number has


def amount(n: float, most: float, said: str = "", longest: int = LONGEST, after: float = 0) -> Amount:
    """A count or a measure for a cell, with a bar as long as its part of the largest; the bars of a column begin below
    each other, or each where the one before it ends: `after` that much."""
    counted = isinstance(n, int)
    said, room = said or (grouped(n) if counted else written(n)), len(f"{most:,.0f}") if counted else 11
    wide = max(1.0, longest * n / most) if n and longest else 0
    begin = f";--after:{longest * after / most:.1f}" if after else ""
    look = f"min-width:max(56px,{room}ch)"
    drawn = Amount(f"<span class='amount' style='{look}'>{said}</span><i style='--long:{wide:.1f}{begin}'></i>")
    drawn.n, drawn.look = n, look
    return drawn


def adding_up(counts: Sequence[int], longest: int = LONGEST) -> list[Amount]:
    """Parts of a whole, one bar beginning where the one before it ends, and then the whole."""
    whole, before = sum(counts), accumulate(counts, initial=0)
    parts = [amount(count, whole, "", longest, begin) for count, begin in zip(counts, before, strict=False)]
    return [*parts, amount(whole, whole, "", longest)]


SPELT = 24  # pieces of a word that are shown


def pieces(texts: Iterable[str]) -> Html:
    """Pieces of a word for a cell, as the strip draws tokens."""
    found = list(texts)
    return Html("".join(map(chip, found[:SPELT])) + "…" * (len(found) > SPELT))


def shaded(share: object, said: str = "") -> object:
    """A share of 1 on a ground that is the darker the larger it is; what is no number stands as it is."""
    if not isinstance(share, float):
        return share
    return Html(f"<span class='shaded' style='--share: {share:.3f}'>{said or written(share)}</span>")


def of_numbers(column: Sequence[object]) -> bool:
    """Whether all that stands in a column of a table are numbers, or nothing; a number with a bar is a picture.

    >>> of_numbers([1, "22,565", "–"]), of_numbers([1, "3 × 4"]), of_numbers([".", 6])
    (True, False, False)
    """
    texts = [TAGS.sub("", str(value).replace("<i", "|<i")) for value in column if not isinstance(value, int | float)]
    said = [text for text in texts if text not in ("", "–")]
    return len(said) + len(column) - len(texts) > 0 and all(map(NUMBER.fullmatch, said))


WORDS = re.compile(r"[A-Za-z]{2,},? (?:\d+ )?(?:· )?\(?[A-Za-z]{2}|(?:[\u4e00-\u9fff].*?){4}")


def of_words(column: Sequence[object]) -> bool:
    """Whether most of what stands in a column is said in words, not tokens, shapes or numbers.

    >>> of_words(["layer 1 · attention", "第 1 层 · 自注意力"]), of_words(["[CLS]", "昨天", "256 × 384"])
    (True, False)
    """
    return 2 * sum(bool(WORDS.search(TAGS.sub("", str(value)))) for value in column) > len(column)


def chip(text: str, kind: str = "", segment: int = 0) -> Html:
    """A token in its frame; what nobody typed is dashed."""
    names = " ".join(filter(None, ("chip", kind, "second" if segment else "")))
    return Html(f"<bdi class='{names}'>{html.escape(text)}</bdi>")


INDEX = re.compile(r"\^|(?<!× d)_(?:k|v|O|ff|kv)(?!\w)")


def header(name: object, column: Sequence[object] = ()) -> str:
    """The head of a row or column, over the numbers where bars stand behind them; over what has no name it is none."""
    text = str(name) if isinstance(name, Html) else indexed(html.escape(str(name)))
    if text and (first := next((value for value in column if isinstance(value, Amount)), None)):
        text = f"<span class='amount' style='{first.look}'>{text}</span>"
    return f"<th>{text}</th>" if text else "<th role='none'></th>"


def cell(value: object) -> str:
    n = value.n if isinstance(value, Amount) else value
    digits = f" title='{exact(n)}'" if isinstance(n, float) and not isinstance(n, Number) else ""
    text = written(value)
    return f"<td{digits}>{indexed(text) if isinstance(value, str) else text}</td>"


def indexed(text: str) -> str:
    """A cell's text, the indices of symbols in it raised and lowered; a dimension is called as in the code.

    >>> indexed("÷ √d_k"), indexed("token × d_ff")
    ('÷ √<i>d</i><sub>k</sub>', 'token × d_ff')
    """
    return typeset(text) if INDEX.search(text) else text


def write(*pieces: str) -> None:
    """HTML, as one element: each element costs a message."""
    st.html("".join(pieces))


def code(*functions: Callable[..., object]) -> None:
    """The code that ran, each function behind a line of its own."""
    with st.container(gap=None):
        for function in functions:
            with st.expander(where(function)):
                st.code(source(function), language="python", wrap_lines=True)


def repaired(context: StageContext) -> str:
    """What of the address could not be used, where a piece is drawn alone: else the page says so above."""
    repairs = () if context.page.drawing.whole else context.page.address.repairs
    said = (
        context.t(f"notes.{repair.code}", **repair.values) for repair in repairs if not repair.code.startswith("reads_")
    )
    return context.t.together(said)  # who reads a page that chose otherwise stands above it for good


def refusal(context: StageContext) -> None:
    """What was typed into a widget of this piece and could not be taken, once."""
    if refused := visit.refused():
        st.html(f"<p class='note'>{context.t.html(f'notes.{refused.code}', **refused.values)}</p>")


def sections(context: StageContext) -> None:
    """What lies deeper, one section at a time: the others cost neither a screen to scroll through nor time."""
    piece(context, SECTION, section)


def sections_wait(context: StageContext) -> None:
    """What stands in their place while any of them would answer the open question."""
    write(f"<h2 class='part'>{context.t.html('deeper')}</h2>", f"<p class='soft'>{context.t.html('deeper_waits')}</p>")


def section(context: StageContext) -> None:
    """A line each, and below its line the one that is open."""
    t, every, chosen = context.t, context.page.stage.sections, context.values["section"]
    lines = [Line(id, t(f"sections.{id}"), t(f"inside.{id}") if f"inside.{id}" in t else "") for id in every]
    after = 1 + list(every).index(chosen) if chosen else len(lines)
    st.html(f"<h2 class='part'>{t.html('deeper')}</h2>")
    components.contents(key="contents", data=plain(Contents("section", t("deeper"), lines[:after])))
    if chosen:
        with st.container(key="section_in"):
            every[chosen].draw(context)
    if lines[after:]:
        components.contents(key="contents_after", data=plain(Contents("section", t("deeper"), lines[after:])))


def recap(context: StageContext) -> None:
    """What to take along from this page."""
    t, every = context.t, context.page.stage.recap
    if every:
        facts = [Fact(name, t.html(f"recap.{name}"), patch) for name, patch in every.items()]
        components.recap(key="recap", data=plain(Recap(t("recap_title"), t("recap_show"), facts)))


def next_stop(page: PageContext) -> None:
    """The stop after this one; where that is still to be built, its name as plain text and the next that exists.
    From a lab, the stop it hangs off. Before it, what is claimed of this one, and the labs that hang off it."""
    claims.of_this_stage(page)
    t = page.t
    parent = next((stage.parent for stage in STAGES if stage.slug == page.slug), None)
    path = [stage.slug for stage in STAGES if stage.parent is None]
    rest = [parent] if parent else path[path.index(page.slug) + 1 :]
    following = next((slug for slug in rest if slug in page.links), None)
    with st.container(
        key="next", horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="xsmall"
    ):
        if labs := [stage.slug for stage in STAGES if stage.parent == page.slug]:
            st.html(f"<span class='soft'>{t.html('labs_here')}</span>", width="content")
            for slug in labs:
                door(page, slug, t.stage(slug))
        if not rest:
            return
        apart = "soft apart" if labs else "soft"
        st.html(f"<span class='{apart}'>{t.html('back_to' if parent else 'next_stop')}</span>", width="content")
        if following != rest[0]:
            then = f" · {t.html('for_now')}" if following else ""
            missing = f"{html.escape(t.stage(rest[0]))} {t.html('not_yet')}{then}"
            st.html(f"<span class='soft'>{missing}</span>", width="content")
        if following:
            door(page, following)


def door(page: PageContext, slug: str, label: str = "", section: str = "", **chosen: str) -> None:
    """A link to another stage, or a section of it with what is `chosen` there, which carries the sentence; plain text
    where that is still to be built."""
    label = label or f"**{page.t.stage(slug)}**"
    if slug in page.links:
        opened = {"section": section} if section else {}
        st.page_link(page.links[slug], label=label, query_params=page.address.link() | opened | chosen)
    else:
        st.html(f"<span class='soft'>{html.escape(label)}</span>", width="content")


def shown_by(context: StageContext, what: str, label: str, section: str) -> None:
    """Where this model cannot do something: a link to the same section, read by one that can, if it is there."""
    page = context.page
    id = next((id for id, source in SOURCES.items() if what in source.can), page.address.model)
    if id != page.address.model:
        opened = {"model": id, "text": samples.example("en"), "guess": "skip"}
        door(page, page.slug, label.format(model=page.t.model(id)), section, **opened)
