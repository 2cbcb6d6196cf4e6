"""The poet's training: what it reads, whom it is measured beside, the same numbers also when it was interrupted."""

import hashlib
import io
import itertools
import json
import math
import tarfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.model.checkpoint import saved
from core.model.language import LanguageModel
from core.training import poet, quatrains
from core.training.poet import Recipe, Training, batch, guesses, held_out_loss, learning_rate, loss_of, train
from core.training.quatrains import BOS, EOS, LONGEST, PAD, UNK, written

RECIPE = Recipe(steps=6, batch=8, warmup=3, snapshots=(2,), look_every=2)


@pytest.fixture(scope="module")
def poems() -> list[str]:
    """Quatrains of a few characters, so that none is rare; one in four of seven a line."""
    random = Random(1)
    sizes = (random.choice((5, 5, 5, 7)) for _ in range(300))
    return [written(["".join(random.choices("山水风花月人天春", k=n)) for _ in range(4)]) for n in sizes]


@pytest.fixture(scope="module")
def folder(poems: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("poet")
    train(RECIPE, poems, made, quiet=True)
    return made


def archive(folder: Path, files: dict[str, list[str]]) -> Path:
    path = folder / "poems.tgz"
    with tarfile.open(path, "w:gz") as made:
        for name, poems in files.items():
            data = json.dumps([{"paragraphs": [poem]} for poem in poems]).encode()
            info = tarfile.TarInfo(f"package/dist/{name}")
            info.size = len(data)
            made.addfile(info, io.BytesIO(data))
    return path


def test_what_counts_as_a_quatrain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quatrains, "simplified", lambda text: text.replace("盡", "尽"))
    crane = "白日依山盡，黄河入海流。欲穷千里目，更上一层楼。"
    copy = "白日依山尽，黄河入海流；欲穷千里眼，更上一层台。"
    dawn = "春眠不觉晓，处处闻啼鸟。夜来风雨声？花落知多少。"
    river = "两岸猿声啼不住，轻舟已过万重山。朝辞白帝彩云间，千里江陵一日还。"
    path = archive(
        tmp_path,
        {
            "quantangshi/poet.tang.0.json": [crane, "一二三。", river.replace("还", "□"), crane[:-1], copy],
            "quantangshi/poet.song.0.json": [dawn, river, dawn.replace("眠", "眠眠")],
            "quantangshi/authors.tang.json": [dawn],
            "songci/poet.tang.1.json": [copy],
        },
    )
    assert quatrains.quatrains(path) == [
        "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。",
        river,
        "白日依山尽，黄河入海流。欲穷千里目，更上一层楼。",
    ]


def test_an_archive_that_is_not_the_one_we_know(tmp_path: Path) -> None:
    (tmp_path / "chinese-poetry-2.0.1.tgz").write_bytes(b"another")
    with pytest.raises(ValueError, match="not the archive we know"):
        quatrains.fetch(tmp_path)


def test_rows_and_vocabulary() -> None:
    vocabulary = quatrains.vocabulary(["山" * 30 + "水" * 20 + "火" * 19 + "风" * 30])
    assert vocabulary.source == ("山", "风", "水")
    (row,) = quatrains.rows(["山火水"], vocabulary).tolist()
    assert row == [BOS, 4, UNK, 6, EOS, *[PAD] * (LONGEST - 5)]
    assert 0.01 < np.mean([quatrains.held_out(str(i)) for i in range(5000)]) < 0.03


def test_what_is_left_behind(folder: Path) -> None:
    names = ["config.json", "metrics.json", "snapshot-0002.safetensors", "vocabulary.json", "weights.safetensors"]
    assert sorted(path.name for path in folder.iterdir()) == names
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["plans"] == [[0, 6]]
    assert [step for step, _ in metrics["curves"]["held_out"]] == [2, 4, 6]
    for file, known in metrics["sha256"].items():
        assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == known
    tensors = load_file(folder / "weights.safetensors")
    assert {tensor.dtype for tensor in tensors.values()} == {torch.float16}
    assert sum(tensor.numel() for tensor in tensors.values()) == metrics["parameters"]


@pytest.mark.long
def test_interrupted_it_comes_to_the_same(
    folder: Path, poems: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Training.run

    def stopped(training: Training, rows: torch.Tensor) -> float:
        if training.step == 4:
            raise KeyboardInterrupt
        return run(training, rows)

    monkeypatch.setattr(Training, "run", stopped)
    with pytest.raises(KeyboardInterrupt):
        train(RECIPE, poems, tmp_path, quiet=True)
    assert (tmp_path / "checkpoint.safetensors").exists()
    monkeypatch.undo()
    with pytest.raises(ValueError, match="another recipe"):
        train(replace(RECIPE, batch=9), poems, tmp_path, quiet=True)
    train(RECIPE, poems, tmp_path, quiet=True)
    one, two = (load_file(place / "weights.safetensors") for place in (folder, tmp_path))
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_asked_for_fewer_steps_than_it_has_gone_it_ends_with_what_it_has(poems: list[str], tmp_path: Path) -> None:
    """Which is how it is stopped early."""
    vocabulary = quatrains.vocabulary([poem for poem in poems if not quatrains.held_out(poem)])
    training = Training.begin(RECIPE, vocabulary)
    training.run(quatrains.rows(poems[:8], vocabulary))
    training.save(tmp_path / "checkpoint.safetensors")
    metrics = train(replace(RECIPE, steps=1), poems, tmp_path, quiet=True)
    assert metrics["steps"] == 1 and metrics["plans"] == [] and metrics["command"].endswith("--steps 1")
    written = load_file(tmp_path / "weights.safetensors")
    assert all(torch.equal(tensor.half(), written[name]) for name, tensor in saved(training.network).items())


def test_the_loss_is_that_of_the_probabilities_the_model_says(poems: list[str]) -> None:
    vocabulary = quatrains.vocabulary(poems)
    network = LanguageModel(poet.config(vocabulary)).eval()
    rows = quatrains.rows(poems[:5], vocabulary)
    with torch.no_grad():
        _, probabilities = network(rows)
        found = held_out_loss(network, rows, size=2)
        assert loss_of(network, rows).item() == pytest.approx(found, abs=1e-5)
    logs = [
        math.log(probabilities[i, n, id])
        for i, row in enumerate(rows.tolist())
        for n, id in enumerate(row[1:])
        if id != PAD
    ]
    assert found == pytest.approx(-np.mean(logs), abs=1e-5)


def test_the_guesses_it_is_measured_beside() -> None:
    """Kneser–Ney written out as Chen and Goodman have it, a count at a time."""
    random = np.random.default_rng(0)
    train, held = (torch.tensor(np.sort(random.integers(0, 7, (40, 9)))[:, ::-1].copy()) for _ in range(2))
    pairs = [pair for row in train.tolist() for pair in itertools.pairwise(row) if pair[1] != PAD]
    asked = [pair for row in held.tolist() for pair in itertools.pairwise(row) if pair[1] != PAD]
    count, of = Counter(pairs), Counter(first for first, _ in pairs)
    discount = list(count.values()).count(1) / (list(count.values()).count(1) + 2 * list(count.values()).count(2))
    follows = {word: 1 + sum(second == word for _, second in count) for word in range(7)}

    def probability(first: int, second: int) -> float:
        freed = discount * sum(before == first for before, _ in count) / of[first]
        own = max(count[first, second] - discount, 0) / of[first]
        return own + freed * follows[second] / sum(follows.values())

    assert sum(probability(3, word) for word in range(7)) == pytest.approx(1)
    found = guesses(train, held, 7)
    assert found["bigram"] == pytest.approx(-np.mean([math.log(probability(*pair)) for pair in asked]), abs=1e-4)
    words = Counter(second for _, second in pairs)
    unigram = -np.mean([math.log((words[second] + 1) / (len(pairs) + 7)) for _, second in asked])
    assert found["unigram"] == pytest.approx(unigram, abs=1e-4)
    assert found["uniform"] == pytest.approx(math.log(7), abs=1e-4)


def test_the_learning_rate_goes_up_and_down() -> None:
    recipe = Recipe(steps=1000, warmup=100)
    rates = [learning_rate(step, recipe) for step in range(1, 1001)]
    assert max(rates) == pytest.approx(recipe.peak) and int(np.argmax(rates)) == 99
    assert rates[49] == pytest.approx(recipe.peak / 2) and rates[-1] == pytest.approx(recipe.peak * recipe.least)
    assert rates[549] == pytest.approx(recipe.peak * (1 + recipe.least) / 2)
    assert all(np.diff(rates[:99]) > 0) and all(np.diff(rates[99:]) < 0)


def test_an_epoch_has_every_row_once() -> None:
    rows = torch.arange(24)[:, None]
    recipe = Recipe(batch=8)
    first, second = (
        [int(id) for step in steps for id in batch(rows, recipe, step)] for steps in ((0, 1, 2), (3, 4, 5))
    )
    assert sorted(first) == sorted(second) == list(range(24)) and first != second
