"""What pictures share: how much of their numbers is sent, which part of a long text is shown, and their words."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.figures.matrix import Axis, MatrixWords
from core.figures.picture import Picture
from pages.shared.server import cached
from pages.shared.words.texts import Texts

if TYPE_CHECKING:
    from pages.shared.page.stage import StageContext

STACK = 300_000  # bytes: up to this size the browser gets everything a click can ask for, beyond it what is looked at


@cached.shared
def packed(context: "StageContext", picture: Callable[..., Picture], *which: object) -> bytes:
    """`picture(context, *which)` as it travels, made once for all who look at the same."""
    return picture(context, *which).pack()


def window(count: int, at: int, most: int) -> slice:
    """`most` places of `count`, around `at`; all, where there are no more.

    >>> window(12, 5, 96), window(512, 0, 96), window(512, 500, 96)
    (slice(0, 12, None), slice(0, 96, None), slice(416, 512, None))
    """
    first = max(0, min(at - most // 2, count - most))
    return slice(first, min(count, first + most))


def matrix_words(t: Texts, label: str, **more: object) -> MatrixWords:
    """What is written on a matrix: its label by key, the rest ready."""
    shared = {name: t(f"matrix.{name}") for name in ("range", "marks", "veiled")}
    shared["help"] = t.help("marks")
    return MatrixWords(t(label), **{**shared, **more})  # type: ignore[arg-type]


def dimensions(t: Texts, count: int, param: str = "dim", order: Sequence[int] | None = None) -> Axis:
    """Columns that are the dimensions of a vector, in another order where one is given."""
    return Axis(param, count, word=t("matrix.dim"), ids=order)
