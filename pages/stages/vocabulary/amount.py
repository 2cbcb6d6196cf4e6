"""A count in a table, with a bar as long as its part of the largest."""

from pages.shared.words.numbers import Html, grouped

LONGEST = 140  # pixels


def amount(n: int, most: int) -> Html:
    wide = max(1.0, LONGEST * n / most)
    return Html(f"<span class='amount'>{grouped(n)}</span><i style='width:{wide:.1f}px'></i>")
