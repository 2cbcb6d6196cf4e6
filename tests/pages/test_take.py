"""What is taken home of a page, as far as Python makes it: the capture, its loader, and the parts of a handout."""

import io
import json
from pathlib import Path

import numpy as np
import pytest

from core import Capture, archive, capture
from core.edits import zero_positions
from core.lessons import load_capture
from core.version import VERSION
from core.zoo import load_model
from pages.shared import take
from pages.stages import stages

STAGES = [slug for slug, stage in stages().items() if slug not in ("claims", "credits")]
BOOKS = "我昨天在北京买了三本书"


def same(taken: load_capture.Taken, run: Capture) -> None:
    """The file has every number of the run, and says what each is."""
    assert list(taken.arrays) == list(run.names())
    for name in run.names():
        np.testing.assert_array_equal(taken[name], run[name])
        assert tuple(taken.dims(name)) == run.dims(name)
        for dim in run.dims(name):
            labels = taken.labels(name, dim)
            assert (None if labels is None else tuple(labels)) == run.labels(name, dim)
    assert taken.tokens == [token.text for token in run.tokens]
    about = taken.about
    assert (about["text"], about["pair"], about["text_out"]) == (run.text, run.pair, run.text_out)
    assert about["edits"] == [edit.id for edit in run.edits] and about["model"]["id"] == run.model
    assert about["versions"]["see-through-transformer"] == VERSION


def test_a_capture_describes_itself(the_cat: Capture) -> None:
    same(load_capture.load(io.BytesIO(take.every_tap("minilm", the_cat.text))), the_cat)


def test_it_has_the_pages_edits(the_cat: Capture) -> None:
    taken = load_capture.load(io.BytesIO(take.every_tap("minilm", the_cat.text, (zero_positions(),))))
    same(taken, capture(load_model("minilm"), the_cat.text, edits=(zero_positions(),)))
    assert (taken["embedding.position"] == 0).all() and taken.about["edits"] == ["zero"]


@pytest.mark.parametrize("model, text, pair", [("translator", BOOKS, None), ("minilm", "猫 <b> 👩", "a second")])
def test_whatever_the_text(model: str, text: str, pair: str | None) -> None:
    run, file = capture(load_model(model), text, pair, only="*.attention.weights"), io.BytesIO()
    archive.save(run, file)
    file.seek(0)
    same(load_capture.load(file), run)


def test_the_loader_is_the_file_that_is_taken_along() -> None:
    names: dict = {"__name__": "load_capture"}
    exec(take.loader(), names)
    file = io.BytesIO(take.every_tap("translator", BOOKS))
    assert names["load"](file).tokens[:2] == ["我", "昨"]


def test_the_version_is_that_of_the_project() -> None:
    assert f'version = "{VERSION}"' in (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("slug", STAGES)
def test_every_page_has_one_quiet_place_for_it(opened, slug: str) -> None:
    """Open or veiled; what only the answer should show stays out of the handout."""
    lang = "zh" if STAGES.index(slug) % 2 else "en"
    for guess in ("skip", None):
        page = opened(slug, lang, text=None, take=1, guess=guess)
        given = json.loads(page.proto("take").json)[0]
        parts, files = given["handout"], page.app.get("download_button")
        veiled = parts["asked"] is not None
        assert parts["title"] and parts["lang"] == lang and parts["facts"] and not (veiled and guess == "skip")
        assert veiled or (parts["code"] and parts["shapes"] and files and page.app.latex)
        assert not veiled or not any("npz" in str(file.proto) for file in files)
