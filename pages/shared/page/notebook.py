"""A stage as a notebook: the same sentence, model and settings through `core`; the picture's numbers, and the number
that is followed, each held against what the page showed."""

import csv
import io
import json
import re
from collections.abc import Sequence

import numpy as np

from core.derivation import Measure, RunSpec, Source, Weight
from core.figures.followed import Followed, Traced
from pages.shared.page.opened import Opened, Repeat
from pages.shared.page.stage import StageContext


def notebook(context: StageContext, opened: Opened) -> str:
    """The notebook, as JSON (nbformat 4.5)."""
    t, cells = context.t, []
    assert opened.repeat is not None
    repeat = opened.repeat(context)
    cells.append(words(f"# {t('question')}\n\n{t('take.book.begin')}"))
    cells.append(code(begin(context, opened)))
    cells.append(words(t("take.book.matrix")))
    shown = numbers(opened.table(), repeat.columns)
    cells.append(code(f"{repeat.matrix}\n\nmatrix = np.asarray(matrix, np.float64)\nmatrix.shape"))
    cells.append(code(held(shown)))
    if number := number_of(repeat, opened):
        assert repeat.followed is not None
        cells.append(words(t("take.book.number", where=f"{repeat.followed.title} {repeat.followed.where}")))
        steps = '\n\nfor step in made.steps:\n    print(f"{step.id:24} {float(step.value):.9g}")'
        derived = number.rpartition("\n")[2].startswith("made =")
        cells.append(code(number + steps * derived))
        cells.append(code(close("made.value" if derived else "number", value_of(repeat.followed))))
        if derived and isinstance(repeat.followed, Traced) and repeat.followed.source is not None:
            run = "other" if number.startswith("other =") else "run"
            drawn = f"from core import follow\n\nfollow({run}, {written(repeat.followed.source)}, {t.language!r})"
            cells += [words(t("take.book.picture")), code(drawn)]
    for i, cell in enumerate(cells):
        cell["id"] = f"cell-{i}"
    about = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": about, "cells": cells}, ensure_ascii=False, indent=1
    )


def words(text: str) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def code(text: str) -> dict:
    """Installed, the package has the product's own name."""
    source = re.sub("^from core", "from see_through", text, flags=re.MULTILINE)
    return {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": source}


def begin(context: StageContext, opened: Opened) -> str:
    """What every notebook begins with; where a model ran, its run."""
    lines = ["import numpy as np", "import torch", "", "torch.set_num_threads(1)  # as on the page: the last digits"]
    if opened.of_model:
        edits = [edit.id for edit in opened.edits]
        lines += [
            "",
            "from core import Cell, Measure, Weight, capture, derive, load_model",
            "from core.derivation.reading import array",
            "from core.edits import parse",
            "",
            f"text = {context.page.text!r}",
            f"model = load_model({context.page.address.model!r})",
            f"run = capture(model, text, edits=[parse(id) for id in {edits!r}])",
            "run",
        ]
    return "\n".join(lines)


def number_of(repeat: Repeat, opened: Opened) -> str:
    """The lines that come to the number followed; "" where there is none, or none that a few lines come to."""
    followed = repeat.followed
    if not isinstance(followed, Traced) or followed.source is None:
        return repeat.number
    source, given = written(followed.source), followed.given
    if isinstance(followed.source, Weight):
        return f"number = float(array(run, {source})[{followed.source.index!r}])"
    if given == RunSpec(edits=opened.edits):
        return f"made = derive(run, {source})"
    edits = f"edits=[parse(id) for id in {[edit.id for edit in given.edits]!r}]"
    text = "text" if given.text is None else repr(given.text)
    return f"other = capture(model, {text}, {given.pair!r}, {edits})\nmade = derive(other, {source})"


def written(source: Source) -> str:
    """The number's name, as Python."""
    if not isinstance(source, Measure):
        return f"{type(source).__name__}({source.name!r}, {source.index!r})"
    of = ", ".join(map(written, source.of)) + "," * (len(source.of) == 1)
    groups = f", groups={source.groups!r}" if source.groups else ""
    return f"Measure({source.kind!r}, ({of}){groups})"


def value_of(followed: Followed) -> float:
    """The value as the page has it, with every digit."""
    return float((followed.exact or followed.value).replace("−", "-").replace(",", ""))


def held(shown: np.ndarray) -> str:
    """What the page's numbers come to, for all of them do not belong in a notebook."""
    return "\n".join(
        [
            f"assert matrix.shape == {shown.shape}",
            close("np.nansum(matrix)", float(np.nansum(shown))),
            close("np.nanmin(matrix)", float(np.nanmin(shown))),
            close("np.nanmax(matrix)", float(np.nanmax(shown))),
        ]
    )


def close(what: str, value: float) -> str:
    """Another processor sums in another order, and through thirty layers that is 2e-5 of a probability."""
    return f"assert np.isclose({what}, {value!r}, rtol=1e-4, atol=1e-6), {what}"


def numbers(table: str, columns: Sequence[str] = ()) -> np.ndarray:
    """The numbers of a table, float64: of these columns, or of all but the first, which has the labels."""
    head, *lines = csv.reader(io.StringIO(table, newline=""))
    at = [head.index(column) for column in columns] or range(1, len(head))
    return np.array([[float(line[i] or "nan") for i in at] for line in lines], np.float64).reshape(len(lines), -1)
