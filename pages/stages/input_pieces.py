"""What the page of the input says, as HTML: headings, paragraphs, and tables of numbers."""

import html
from collections.abc import Sequence

import streamlit as st

from pages.shared.numbers import short
from pages.shared.texts import Texts


def part(t: Texts, title: str) -> str:
    return f"<h2 class='part'>{t.html(f'titles.{title}')}</h2>"


def paragraph(t: Texts, key: str, **facts: object) -> str:
    return f"<p class='said'>{t.html(key, **facts)}</p>"


def table(rows: Sequence[Sequence[object]], heads: Sequence[object] = ()) -> str:
    """Labels left, numbers right."""
    cells = lambda tag, row: "".join(f"<{tag}>{html.escape(written(x))}</{tag}>" for x in row)  # noqa: E731
    head = f"<tr>{cells('th', heads)}</tr>" if heads else ""
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<div class='shapes-box'><table class='shapes sums'>{head}{body}</table></div>"


def written(x: object) -> str:
    return short(x) if isinstance(x, float) else str(x)


def write(*pieces: str) -> None:
    """Headings, paragraphs and tables that follow each other, as one element: each costs time on every run."""
    st.html("".join(pieces))
