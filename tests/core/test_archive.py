"""A run that was saved comes back whole: every number, and every way to derive one."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import Capture, Cell, Model, capture, derive, load, patch, save
from core.errors import InputError

BOOKS = "我昨天在北京买了三本书"


def runs(minilm: Model, translator: Model) -> list[Capture]:
    return [
        capture(minilm, "The cat sat."),
        capture(minilm, "The cat sat.", "A dog barked.", pad_to=14),
        capture(minilm, "The cat sat.", only="encoder.2.*", edits=["mute:encoder.3.9", "zero"]),
        capture(minilm, "The cat sat.", edits=patch("encoder.1.output", 2, "The dog ran.")),
        capture(translator, BOOKS),
        capture(translator, BOOKS, target="I bought books"),
    ]


@pytest.mark.parametrize("which", range(6))
def test_a_run_comes_back_and_can_be_followed(minilm: Model, translator: Model, tmp_path: Path, which: int) -> None:
    run = runs(minilm, translator)[which]
    model = minilm if run.model == "minilm" else translator
    save(run, tmp_path / "run.npz")
    back = load(tmp_path / "run.npz", model)
    for name in vars(run).keys() - {"arrays", "tap_dims", "edits", "by", "inputs", "later", "others"}:
        assert getattr(back, name) == getattr(run, name), name
    assert list(back) == list(run) and [e.id for e in back.edits] == [e.id for e in run.edits]
    for name in run:
        np.testing.assert_array_equal(back[name], run[name])
        assert not back[name].flags.writeable
    for mine, its in zip(run.inputs, back.inputs, strict=True):
        assert mine.equal(its)
    cell = Cell("encoder.2.attention.scores", (1, 2, 1)) if run.model == "minilm" else Cell("output.logits", (1, 7))
    assert derive(back, cell).steps == derive(run, cell).steps


def test_what_is_no_capture_or_of_another_model_is_refused(minilm: Model, translator: Model, tmp_path: Path) -> None:
    file = tmp_path / "file.npz"
    for content in (b"", b"no zip", b"PK\x03\x04"):
        file.write_bytes(content)
        with pytest.raises(InputError, match="no capture"):
            load(file)
    np.savez(file, rows=np.zeros(3))
    with pytest.raises(InputError, match="no capture"):
        load(file)
    np.savez(file, about=np.array("[1]"))
    with pytest.raises(InputError, match="no capture"):
        load(file)
    save(capture(minilm, "The cat."), file)
    with pytest.raises(InputError, match="another model"):
        load(file, translator)
    save(replace(capture(minilm, "The cat."), model="elsewhere"), file)
    with pytest.raises(InputError):
        load(file)
