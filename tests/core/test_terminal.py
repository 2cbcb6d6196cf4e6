"""python -m core: the table of taps, what is saved, and errors a person can read."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core import Capture, Model, __main__, capture
from core.__main__ import main
from core.derivation import Cell, derive
from core.derivation.measures import KINDS
from core.edits import CONSTRUCTORS, forms
from core.version import VERSION
from core.zoo import KNOWN, SOURCES
from tests.models import loaded


@pytest.fixture(autouse=True)
def models_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose files one command reads need not be read for the next; `test_as_a_command` reads them."""
    load = __main__.load_model
    monkeypatch.setattr(__main__, "load_model", lambda name: (loaded if name in SOURCES else load)(name))


def table(output: str) -> list[list[str]]:
    """The rows under the head of the table, cut at two or more spaces."""
    lines = output.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("tap "))
    rows = [line for line in lines[head + 1 :] if line and not line.endswith(".npz")]
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in rows]


def test_the_table(the_cat: Capture, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([the_cat.text]) == 0
    output = capsys.readouterr().out
    assert output.splitlines()[0] == (
        "9 tokens: [CLS](101) the(1996) cat(4937) sat(2938) on(2006) the(1996) mat(13523) .(1012) [SEP](102)"
    )
    rows = table(output)
    assert [row[0] for row in rows] == list(the_cat.names())
    for name, dims, shape, mean, std in rows:
        array = the_cat[name].astype(np.float64)
        assert tuple(dims.split(", ")) == the_cat.dims(name)
        assert tuple(map(int, shape.split(" x "))) == array.shape
        assert float(mean) == pytest.approx(array.mean(), abs=1e-4)
        assert float(std) == pytest.approx(array.std(), abs=1e-4)


def test_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["The cat", "--only", "encoder.2.*.weights", "--only", "embedding.sum"]) == 0
    assert [row[:3] for row in table(capsys.readouterr().out)] == [
        ["embedding.sum", "token, d_model", "4 x 384"],
        ["encoder.2.attention.weights", "head, query, key", "12 x 4 x 4"],
    ]


def test_only_that_names_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["The cat", "--only", "encoder.9.*"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and "No tap is called “encoder.9.*”" in said.err


def test_pair(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["The cat", "--pair", "sat"]) == 0
    assert "6 tokens: [CLS](101) the(1996) cat(4937) [SEP](102) sat(2938) [SEP](102)" in capsys.readouterr().out


def test_a_folder_as_the_model(minilm_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a", "--model", str(minilm_folder)]) == 0
    assert len(table(capsys.readouterr().out)) == 153


def test_save(minilm: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.npz"
    assert main(["The cat", "--pair", "sat", "--save", str(file)]) == 0
    assert f"153 arrays written to {file}" in capsys.readouterr().out
    run = capture(minilm, "The cat", pair="sat")
    with np.load(file) as saved:
        assert saved.files == [*run.names(), "about"]
        for name in run.names():
            np.testing.assert_array_equal(saved[name], run[name])


def test_what_is_cut_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cat " * 600, "--only", "encoder.0.output"]) == 0
    assert "90 more were cut: the model has no positions for them." in capsys.readouterr().out


@pytest.mark.parametrize("model", ["no-such-model", ".."])
def test_a_model_that_is_none(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a", "--model", model]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert model in said.err and said.err.count("\n") == 1


def test_a_place_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a", "--save", str(tmp_path / "nowhere" / "run.npz")]) == 2
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["a", "--no-such-option"], ["a", "--back"], ["--back"]])
def test_wrong_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: python -m core" in capsys.readouterr().err


def test_as_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "core", "The cat", "--only", "encoder.5.output"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "encoder.5.output" in done.stdout


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b", "\x00", "-"])
@pytest.mark.parametrize("model", ["minilm", "translator"])
def test_nothing_to_read_is_said(
    text: str, model: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert main([text, "--model", model]) == 2
    said = capsys.readouterr()
    assert said.out == "" and "nothing to read" in said.err


def test_a_pair_is_something_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["", "--pair", "sat", "--only", "embedding.sum"]) == 0
    assert "sat(2938)" in capsys.readouterr().out


@pytest.mark.parametrize("typed", ["The cat sat.\n", "The cat sat."])
def test_a_text_from_standard_input(
    typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["The cat sat.", "--only", "embedding.sum"]) == 0
    expected = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert main(["-", "--only", "embedding.sum"]) == 0
    assert capsys.readouterr().out == expected


def test_back_alone_says_what_it_goes_with(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["The cat", "--back"])
    assert "--back goes with --follow" in capsys.readouterr().err


def test_it_says_from_where_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["The cat", "--edit", "mute:encoder.3.9", "--only", "embedding.sum"]) == 0
    said = capsys.readouterr().out
    assert "edit mute:encoder.3.9: changes encoder.2.attention.context" in said and "counted from 1" in said
    with pytest.raises(SystemExit):
        main(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert '"mute:encoder.3.9"; layers and heads are counted from 1' in said
    assert "layers and heads are counted from 0" in said


def test_an_edit_for_another_model_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    for id in ("mute:encoder.3.99", "mute:encoder.9.1", "lift"):
        assert main(["The cat", "--edit", id]) == 2
        said = capsys.readouterr()
        assert said.out == "" and id in said.err and "minilm" in said.err


@pytest.mark.parametrize("locale", ["en_GB.UTF-8", "zh_CN.UTF-8"])
def test_what_there_is_is_listed(
    locale: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every edit and every measure, each with words, in the terminal's language."""
    monkeypatch.setenv("LC_ALL", locale)
    for option, known in (("--edits", {form.partition(":")[0] for form in CONSTRUCTORS}), ("--measures", set(KINDS))):
        assert main([option]) == 0
        output = capsys.readouterr().out
        rows = [re.split(r"  +", line) for line in output.splitlines() if "  " in line]
        assert {row[0].partition(":")[0] for row in rows} == known
        assert all(row[-1].strip() and not re.search(r"[{}]", row[-1]) for row in rows)
        assert any("一" <= c <= "鿿" for c in output.split("cut", 1)[-1][:2000]) == locale.startswith("zh")


def test_the_readme_names_every_edit() -> None:
    """In both languages, as the terminal does."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    for head in ("| edit | what it changes |", "| 改动 | 改的是什么 |"):
        table = readme.partition(head + "\n|---|---|\n")[2].partition("\n\n")[0]
        assert re.findall(r"^\| `([^`]+)` \| .+ \|$", table, re.MULTILINE) == list(forms())
    assert readme.count("`--edits`") == readme.count("`--measures`") == 2


def test_follow(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["The cat sat on the mat.", "--follow", "encoder.2.attention.scores[8,5,6]"]) == 0
    output = capsys.readouterr().out
    assert "encoder.2.attention.query[8,5,23] · encoder.2.attention.key[8,6,23]" in output
    assert "recomputed - captured" in output and "products lie under it" in output


def test_follow_back_to_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["The cat sat on the mat.", "--follow", "encoder.2.attention.weights[8,5,6]", "--back"]) == 0
    way = capsys.readouterr().out.strip().splitlines()
    assert way[2].endswith("encoder.2.attention.weights[8,5,6]")
    assert "embedding.token_table.weight[" in way[-1] and way[-1].endswith("learned")


def test_follow_under_an_edit(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["The cat", "--follow", "encoder.2.attention.context[8,1,6]", "--edit", "mute:encoder.3.9"]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert "edit = mute:encoder.3.9" in said and "changed here by the edit mute:encoder.3.9" in said
    assert main([*asked[:2], asked[2].replace("[8,", "[7,"), *asked[3:]]) == 0
    assert "changed here" not in capsys.readouterr().out
    assert main([*asked, "--back"]) == 0
    assert capsys.readouterr().out.count("(changed here by the edit mute:encoder.3.9)") == 1


@pytest.mark.parametrize(
    "asked",
    [
        ["--follow", "encoder.2.attention.weights[8,5,60]"],
        ["--follow", "encoder.2.attention"],
        ["--follow", "output.logits[0,0]"],
        ["--follow", "embedding.sum[0,0]", "--edit", "nothing"],
    ],
)
def test_a_number_that_cannot_be_followed(asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["The cat", *asked]) == 2
    assert capsys.readouterr().err


def test_json_says_what_the_table_and_the_steps_say(the_cat: Capture, capsys: pytest.CaptureFixture[str]) -> None:
    cell = Cell("encoder.2.attention.weights", (8, 5, 6))
    assert main([the_cat.text, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["text"] == the_cat.text and [tap["name"] for tap in said["taps"]] == list(the_cat)
    assert said["taps"][0]["mean"] == pytest.approx(float(the_cat[said["taps"][0]["name"]].mean()), rel=1e-4)
    assert main([the_cat.text, "--json", "--follow", str(cell)]) == 0
    said, made = json.loads(capsys.readouterr().out), derive(the_cat, cell)
    assert said["captured"] == made.captured and [step["id"] for step in said["steps"]] == [s.id for s in made.steps]
    assert said["steps"][0]["terms"][0]["left_of"] == str(made.steps[0].largest[0].left_of)
    assert main([the_cat.text, "--json", "--follow", str(cell), "--back"]) == 0
    assert json.loads(capsys.readouterr().out)[-1]["end"].startswith("embedding.")


def test_models_and_version_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(KNOWN)
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0 and capsys.readouterr().out.strip() == VERSION
