"""The poet that was trained here: its files, what it reads, and that it goes on as its card says."""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import load_file

from core import Model, capture, derive
from core.derivation import Cell
from core.errors import WeightsError
from core.text.characters import Verses
from core.training.poet import FOLDER, Recipe, config
from core.training.quatrains import is_quatrain, lines
from core.writing import Sampling, Writing
from core.zoo import SOURCES, load_model, load_poet

METRICS = json.loads((FOLDER / "metrics.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def poet() -> Model:
    return load_model("poet")


def ids_of(poet: Model, text: str) -> list[int]:
    return [token.id for token in poet.tokenizer.encode(text)]


def test_its_files_are_those_of_its_training(poet: Model) -> None:
    for file, known in METRICS["sha256"].items():
        assert hashlib.sha256((FOLDER / file).read_bytes()).hexdigest() == known
    assert SOURCES["poet"].sha256 == METRICS["sha256"]["weights.safetensors"]
    assert isinstance(poet.tokenizer, Verses) and poet.config == config(poet.tokenizer.vocabulary)
    parameters = sum(parameter.numel() for parameter in poet.network.parameters())
    assert parameters == METRICS["parameters"] == SOURCES["poet"].parameters
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 25_000_000
    names = load_file(FOLDER / "weights.safetensors").keys()
    for step in Recipe.snapshots:
        assert load_file(FOLDER / f"snapshot-{step:04}.safetensors").keys() == names


def test_it_knows_more_than_which_character_follows_which() -> None:
    loss = METRICS["loss"]
    assert loss["held_out"] < loss["bigram"] - 0.5 < loss["unigram"] < loss["uniform"]
    curve = [value for _, value in METRICS["curves"]["held_out"]]
    assert curve[-1] == min(curve) == pytest.approx(loss["held_out"], abs=0.01)
    for language in ("zh", "en"):
        assert f"{loss['held_out']:.2f}" in (FOLDER / f"README.{language}.md").read_text(encoding="utf-8")


def test_it_reads_a_beginning_and_says_what_it_does_not_know(poet: Model) -> None:
    tokens = poet.tokenizer.encode("床前明月光, 龘")
    assert [token.text for token in tokens] == ["[BOS]", *"床前明月光，", "[UNK]"]
    assert poet.unknown("床前明月光龘") == ("龘",) and poet.tokenizer.encode("")[0].text == "[BOS]"


@pytest.mark.long
@pytest.mark.parametrize(("start", "least"), [("", 8), ("床前明月光", 7), ("人工智能", 4)])
def test_it_goes_on_in_the_form(poet: Model, start: str, least: int) -> None:
    """What a pupil types is no beginning of a line, and may lead it astray."""
    assert isinstance(poet.tokenizer, Verses)
    end, never = poet.tokenizer.eos_id, (poet.tokenizer.pad_id, poet.tokenizer.unk_id, poet.tokenizer.bos_id)
    kept = 0
    for seed in range(8):
        writing = Writing(poet, ids_of(poet, start), Sampling(0.8, 40, seed=seed), end=end, never=never)
        list(writing)
        text = poet.tokenizer.decode(writing.ids)
        assert text.startswith(start) and "〇" not in text
        kept += is_quatrain(lines(text))
    assert kept >= least


def test_its_numbers_follow_one_from_another(poet: Model) -> None:
    run, dice = capture(poet, "床前明月光，"), np.random.default_rng(1)
    for tap in run.names():
        derivation = derive(run, Cell(tap, tuple(int(dice.integers(size)) for size in run[tap].shape)))
        if np.isfinite(derivation.captured):
            assert abs(derivation.difference) < 1e-4, tap
    row = run["output.probabilities"][-1]
    first = Writing(poet, ids_of(poet, "床前明月光，"))[0]
    assert first.id == row.argmax() and first.probability == pytest.approx(float(row.max()), rel=1e-4)


def test_files_that_are_missing_or_altered_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "poet"
    shutil.copytree(FOLDER, folder)
    (folder / "vocabulary.json").write_text("{}", encoding="utf-8")
    with pytest.raises(WeightsError, match="make poet"):
        load_poet(folder)
    (folder / "weights.safetensors").unlink()
    with pytest.raises(WeightsError):
        load_poet(folder)
