"""Words that pictures of one kind share."""

from core.figures.matrix import Axis, MatrixWords
from pages.shared.texts import Texts


def matrix_words(t: Texts, label: str, **more: object) -> MatrixWords:
    """What is written on a matrix: its label by key, the rest ready."""
    shared = {name: t(f"matrix.{name}") for name in ("range", "marks", "veiled")}
    return MatrixWords(t(label), **{**shared, **more})  # type: ignore[arg-type]


def dimensions(t: Texts, count: int, param: str = "dim") -> Axis:
    """Columns that are the dimensions of a vector."""
    return Axis(param, count, word=t("matrix.dim"))
