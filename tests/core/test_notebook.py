"""The widgets as a notebook has them: what they send is what the run holds, what is selected names its cells."""

import json
import re
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core import Capture, Cell, Measure, Model, attention, capture, compare, derive, follow, generate, heads, show
from core.errors import InputError, UnknownTap
from core.figures.lines import four_digits
from core.notebook.bundle import code, module, needed
from tests.models import loaded

CAT = "The cat sat on the mat."
DOG = "The dog sat on the mat."
TAP = "encoder.2.attention.weights"


@pytest.fixture(scope="module")
def run(minilm: Model) -> Capture:
    return capture(minilm, CAT)


def unpacked(data: bytes) -> tuple[dict, bytes]:
    (length,) = struct.unpack("<I", data[:4])
    return json.loads(data[4 : 4 + length]), data[4 + length :]


def test_the_lines_are_the_weights_of_the_run(run: Capture) -> None:
    widget = show(run, "heads", layer=2)
    header, body = unpacked(widget.pictures["lines"])
    assert header["planes"] == [f"3.{head}" for head in range(1, 13)] and header["queries"] == list(
        run.labels(TAP, "query") or ()
    )
    assert body == four_digits(run[TAP]).tobytes()
    whole = heads(run)
    assert len(unpacked(whole.pictures["lines"])[0]["planes"]) == 72 and set(whole.pictures) == {"lines", "grid"}


def test_what_is_selected_is_a_cell_of_the_run(run: Capture) -> None:
    widget, heard = heads(run), []
    widget.observe(lambda change: heard.append(change["new"]), "selection")
    widget.state = {**widget.state, "layer": 3, "head": 9, "q": 5, "k": 6}  # as the browser counts them
    selected = {"layer": 2, "head": 8, "query": 5, "key": 6, "cell": "encoder.2.attention.weights[8,5,6]"}
    assert widget.selection == selected and heard == [selected]
    assert derive(run, widget.selection["cell"]).captured == run[TAP][8, 5, 6]


@pytest.mark.parametrize("kind", ["encoder", "self", "cross"])
def test_every_kind_of_a_translator(kind: str) -> None:
    run = capture(loaded("translator"), "我昨天在北京买了三本书")
    for widget in (heads(run, kind=kind), attention(run, 0, -1, kind=kind)):
        cell = Cell.parse(widget.selection["cell"])
        row = run[cell.tap][cell.index[:2]]
        assert row.argmax() == cell.index[2]


@pytest.mark.long
def test_of_a_long_text_what_is_looked_at_is_sent(minilm: Model) -> None:
    run = capture(minilm, "word " * 600, only="*.attention.*")
    widget = heads(run)
    assert len(unpacked(widget.pictures["lines"])[0]["planes"]) == 1
    widget.state = {**widget.state, "head": 5}
    header, body = unpacked(widget.pictures["lines"])
    layer = widget.selection["layer"]
    assert header["planes"] == [f"{layer + 1}.5"]
    assert body == four_digits(run[f"encoder.{layer}.attention.weights"][4]).tobytes()


def test_of_a_long_text_a_matrix_is_sent_at_a_time(minilm: Model, tmp_path: Path) -> None:
    run = capture(minilm, "word " * 600, only="encoder.2.attention.*")
    widget = attention(run, 2, 8)
    assert set(widget.pictures) == {"matrix", "thumbnails"}
    widget.state = {**widget.state, "head": 3}
    assert unpacked(widget.pictures["matrix"])[1] == run[TAP][2].tobytes()
    widget.save(tmp_path / "x.html")
    assert (tmp_path / "x.html").stat().st_size < 1_600_000


def test_the_matrix_is_the_array(run: Capture) -> None:
    header, body = unpacked(attention(run, 2, 8).pictures["matrix"])
    assert np.array_equal(np.frombuffer(body, "<f4").reshape(12, 9, 9), run[TAP]) and len(header["planes"]) == 12


@pytest.mark.parametrize("tap", [TAP, "encoder.2.output", "encoder.2.attention.norm.mean", "encoder.2.attention.mask"])
def test_the_difference_of_two_runs(run: Capture, minilm: Model, tap: str) -> None:
    other = capture(minilm, DOG)
    widget = compare(run, other, tap)
    expected = np.nan_to_num(run[tap] - other[tap])
    _, body = unpacked(widget.pictures["matrix"])
    assert np.array_equal(np.frombuffer(body, "<f4"), expected.ravel())
    cell = Cell.parse(widget.selection["cell"])
    assert abs(expected[cell.index]) == np.abs(expected).max() == abs(widget.selection["difference"])


def test_runs_of_two_lengths_have_no_difference(run: Capture, minilm: Model) -> None:
    with pytest.raises(ValueError, match="12 × 9 × 9 / 12 × 3 × 3"):
        compare(run, capture(minilm, "x"), TAP)


# ---- a number that is followed


def test_every_number_leads_to_its_own_steps(run: Capture) -> None:
    widget = follow(run, "encoder.2.attention.weights[8,5,6]")
    data = widget.pictures["derivation"]
    assert data["value"] == "0.8357" and data["steps"][-1]["operation"] and not data["trail"]
    doors = [piece for line in data["steps"][0]["lines"] for piece in line if isinstance(piece, dict)]
    cell = Cell.parse(doors[0]["to"])
    assert cell.tap == "encoder.2.attention.scores" and doors[0]["text"] == f"{run[cell.tap][cell.index]:.3f}"
    widget.state = {"trail": doors[0]["to"]}
    assert widget.selection == {"cell": str(cell)} and widget.pictures["derivation"]["id"] == str(cell)
    assert [door["text"] for door in widget.pictures["derivation"]["trail"]] == ["0.8357", str(cell)]


@pytest.mark.parametrize(
    ("model", "text", "cell"),
    [
        ("minilm", CAT, "encoder.0.attention.query[0,2,0]"),
        ("minilm", CAT, "encoder.1.output[2,5]"),
        ("minilm", CAT, Measure("cosine", (Cell("encoder.5.output", (2, None)), Cell("encoder.5.output", (6, None))))),
        ("translator", "我昨天在北京买了三本书", "output.probabilities[1,7]"),
        ("poet", "春眠不觉晓", "decoder.1.attention.scores[0,2,1]"),
    ],
)
def test_any_number_can_be_followed_to_the_end(model: str, text: str, cell: str) -> None:
    widget, seen = follow(capture(loaded(model), text), cell), 0
    while (onward := widget.pictures["derivation"]["onward"]) and seen < 60:
        widget.state, seen = {"trail": onward}, seen + 1
    assert seen > 2 and widget.pictures["derivation"]["end"]


def test_a_file_holds_the_steps_of_two_presses(run: Capture) -> None:
    widget = follow(run, "encoder.2.attention.scores[8,5,6]")
    answers: dict[str, Any] = widget.answers()
    for trail, answer in answers.items():
        said = json.dumps(answer["derivation"])
        leads = set(re.findall(r'"to": "([^"]*)"', said)) - {""}
        assert leads <= set(answers), trail
        cut = trail.count("~") == 1 and bool(answer["derivation"]["steps"])  # what was learned has none
        assert ("notebook" in answer["derivation"]["note"]) == cut


# ---- a text that goes on


def test_what_is_written_is_what_the_model_writes() -> None:
    model = loaded("poet")
    widget = generate(model, "春眠不觉晓", length=4)
    header, body = unpacked(widget.pictures["written"])
    run = capture(model, widget.text)
    for number, step in enumerate(header["steps"]):
        line = run["output.probabilities"][header["given"] + number - 1]
        id, _, share, _ = step["listed"][0]
        assert line.argmax() == id and line[id] == pytest.approx(share, abs=1e-5)
    looked = np.mean([run[tap] for tap in run.taps("decoder.*.weights")], (0, 1))
    first = np.frombuffer(body, "<f4")[: header["given"]]
    assert first == pytest.approx(looked[header["given"] - 1, : header["given"]], abs=1e-5)


def test_one_token_more_is_made_when_it_is_asked_for() -> None:
    widget = generate(loaded("poet"), "春", length=2, temperature=0.8, seed=7)
    before = widget.text
    widget.state = {"n": 3, "q": -1}  # as the button says it
    assert widget.text.startswith(before) and len(unpacked(widget.pictures["written"])[0]["steps"]) == 3
    assert widget.selection["number"] == 2 and 0 < widget.selection["probability"] < 1
    with pytest.raises(InputError):
        generate(loaded("minilm"), "x")


# ---- what is saved, and what is sent along


@pytest.mark.parametrize("text", [CAT, "</script><b>x"])
def test_a_file_asks_for_nothing_and_is_small(minilm: Model, tmp_path: Path, text: str) -> None:
    show(capture(minilm, text), "heads", layer=2).save(tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert len(page.encode()) < 69_500 and page.count("</script>") == 1
    assert not re.findall(r"(?:src|href)=\"(?!data:)|\bimport\b *[({\"]", page)


def test_nothing_of_streamlit_goes_along() -> None:
    assert needed(("lines", "grid")) == ["store", "format", "draw", "save", "touch", "picture"]
    assert "window.seeThrough" not in code(("lines", "grid"), "widget") and module("lines").count("export default") == 1


def test_without_anywidget_one_is_told_what_to_install(run: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match=r"pip install 'see-through-transformer\[notebook\]'"):
        core.heads(run)


def test_what_is_not_there_is_refused(run: Capture) -> None:
    with pytest.raises(InputError, match="layer 6"):
        heads(run, layer=6)
    with pytest.raises(InputError, match="head 12"):
        attention(run, 0, 12)
    with pytest.raises(ValueError, match="attention cross: encoder"):
        heads(run, kind="cross")
    with pytest.raises(ValueError, match="heads, attention, follow"):
        show(run, "piano")
    with pytest.raises(InputError):
        follow(run, "encoder.9.output[0,0]")


# ---- a run


def test_a_run_in_a_notebook_is_its_shapes(minilm: Model) -> None:
    said = capture(minilm, "<b>x")._repr_html_()
    assert "<td>encoder.*.attention.weights</td><td>head, query, key</td><td>12 × 6 × 6</td><td>6</td>" in said
    assert "&lt;" in said and "<b>" not in said and said.count("<tr>") < 60


def test_a_derivation_in_a_notebook_is_its_steps(run: Capture) -> None:
    made = derive(run, "encoder.2.attention.scores[8,5,6]")
    said = made._repr_html_()
    assert said.count("<tr>") == len(made.steps) and "q · k" in said and "encoder.2.attention.scores[8,5,6]" in said


def test_taps_by_a_pattern(run: Capture) -> None:
    assert run.taps("encoder.*.attention.weights") == tuple(f"encoder.{i}.attention.weights" for i in range(6))
    with pytest.raises(InputError, match="unknown pattern"):
        run.taps("encodr.*")


def test_the_largest_number_is_a_cell(run: Capture) -> None:
    cell = Cell.parse(run.argmax(TAP))
    assert run[TAP][cell.index] == run[TAP].max()
    with pytest.raises(UnknownTap):
        run.argmax("encoder.9.output")


def test_an_array_with_its_names(run: Capture) -> None:
    array = run.to_xarray(TAP)
    assert array.dims == ("head", "query", "key") and array.name == TAP
    assert list(array.coords["key"].values) == [token.text for token in run.tokens]
    assert array.sel(query="cat").sum("key").values == pytest.approx(1)
