"""Training: the same numbers every time, also when it was interrupted; and everything it leaves behind."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core import grammar
from core.model.checkpoint import saved
from core.training import translator
from core.training.data import BOS, PAD, Rows, sentences
from core.training.measure import alignment, exact_match
from core.training.translator import Recipe, Training, batches, learning_rate, loss_of, train
from core.zoo import load_translator

VOCABULARY = grammar.vocabulary()
RECIPE = Recipe(
    steps=6, batch=16, sentences=200, warmup=3, snapshots=(0, 4), look_every=2, averaged=2, look_at=4, tested=6
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("trained")
    train(RECIPE, made, quiet=True)
    return made


def test_what_is_left_behind(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == [
        "README.en.md",
        "README.zh.md",
        "config.json",
        "metrics.json",
        "snapshot-0000.safetensors",
        "snapshot-0004.safetensors",
        "vocabulary.json",
        "weights.safetensors",
    ]
    assert all(path.stat().st_mode & 0o044 == 0o044 for path in folder.iterdir())
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert (metrics["steps"], metrics["seed"], metrics["threads"]) == (6, 1, 1)
    assert metrics["command"].startswith("python -m core.training.translator")
    assert [step for step, _ in metrics["curves"]["sentence"]] == [2, 4, 6]
    assert np.shape(metrics["alignment"]["argmax"]) == (2, 4)
    for file, known in metrics["sha256"].items():
        assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == known
    for language in ("zh", "en"):
        card = (folder / f"README.{language}.md").read_text(encoding="utf-8")
        assert f"{metrics['parameters']:,}" in card and "{" not in card


def test_weights_are_small_and_load(folder: Path) -> None:
    assert (folder / "weights.safetensors").stat().st_size < 8_000_000
    model = load_translator(folder)
    tensors = load_file(folder / "weights.safetensors")
    parameters = sum(tensor.numel() for tensor in tensors.values())
    assert parameters == sum(parameter.numel() for parameter in model.network.parameters())
    halved = load_file(folder / "snapshot-0004.safetensors")
    assert halved.keys() == tensors.keys() and {tensor.dtype for tensor in halved.values()} == {torch.float16}
    assert model.config == translator.config(VOCABULARY)
    assert model.tokenizer.pieces == VOCABULARY.pieces


@pytest.mark.thorough
def test_the_same_again(folder: Path, tmp_path: Path) -> None:
    train(RECIPE, tmp_path, quiet=True)
    one, two = (load_file(place / "weights.safetensors") for place in (folder, tmp_path))
    assert all(torch.equal(one[name], two[name]) for name in one)


@pytest.mark.thorough
def test_interrupted_it_goes_on_to_the_same_end(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dropout's dice, Adam's moments and the order of the batches included."""
    run = Training.run

    def stop_at_five(self: Training, batch: translator.Batch) -> float:
        if self.step == 5:
            raise KeyboardInterrupt
        return run(self, batch)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, "run", stop_at_five)
        train(RECIPE, tmp_path, quiet=True)
    assert (tmp_path / "checkpoint.safetensors").exists() and not (tmp_path / "weights.safetensors").exists()
    torch.manual_seed(99)
    with pytest.raises(ValueError, match="another recipe"):
        train(replace(RECIPE, seed=2), tmp_path, quiet=True)
    train(RECIPE, tmp_path, quiet=True)
    one, two = (load_file(place / "weights.safetensors") for place in (folder, tmp_path))
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_the_result_is_the_mean_of_the_weights_at_the_last_looks(folder: Path) -> None:
    """Of steps 4 and 6; the snapshot of step 4 and a training of four steps agree."""
    vocabulary, rows = VOCABULARY, Rows(sentences("1 train", "train", RECIPE.sentences), VOCABULARY)
    training = Training.begin(RECIPE, vocabulary)
    at = {}
    for batch, step in zip(batches(rows, RECIPE, 0), range(1, 7), strict=False):
        training.run(batch)
        at[step] = {name: tensor.clone() for name, tensor in saved(training.network).items()}
    result, snapshot = (load_file(folder / f"{name}.safetensors") for name in ("weights", "snapshot-0004"))
    for name, tensor in result.items():
        torch.testing.assert_close(tensor, (at[4][name] + at[6][name]) / 2)
        torch.testing.assert_close(snapshot[name], at[4][name].half())


def test_done_it_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "weights.safetensors").stat().st_mtime_ns
    assert translator.main(["--folder", str(folder), "--threads", "1"]) == 0
    assert "holds a trained translator already" in capsys.readouterr().out
    assert (folder / "weights.safetensors").stat().st_mtime_ns == before


def test_the_learning_rate_rises_in_a_line_and_falls_with_the_root() -> None:
    rates = [learning_rate(step, 128, 800, 0.5) for step in (1, 400, 800, 3200)]
    assert rates[1] == pytest.approx(400 * rates[0]) and rates[2] == pytest.approx(2 * rates[1])
    assert rates[3] == pytest.approx(rates[2] / 2)
    assert rates[2] == pytest.approx(0.5 * 128**-0.5 * 800**-0.5)


def test_the_loss_is_smoothed_and_leaves_padding_out() -> None:
    rows = Rows(sentences("s", "train", 4), VOCABULARY)
    batch = rows.batch(range(4))
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(*batch.target_out.shape, len(VOCABULARY.pieces), generator=generator)
    share = torch.full_like(logits, 0.1 / logits.shape[-1])
    share.scatter_add_(-1, batch.target_out[..., None], torch.full_like(logits, 0.9))
    every = -(share * logits.log_softmax(-1)).sum(-1)
    expected = every[batch.target_out != PAD].mean()
    torch.testing.assert_close(loss_of(logits, batch, 0.1), expected)


def test_batches_go_on_where_they_were() -> None:
    rows = Rows(sentences("s", "train", 50), VOCABULARY)
    recipe = replace(RECIPE, batch=16)  # four batches an epoch
    whole = batches(rows, recipe, 0)
    straight = [next(whole).source for _ in range(9)]
    for step in (0, 3, 4, 6):
        later = batches(rows, recipe, step)
        assert all(torch.equal(next(later).source, wanted) for wanted in straight[step:])


def test_training_learns() -> None:
    """Twenty steps on eight sentences: the loss falls by half."""
    rows = Rows(sentences("s", "train", 8), VOCABULARY)
    training = Training.begin(replace(RECIPE, warmup=20, factor=1.0), VOCABULARY)
    batch = rows.batch(range(8))
    losses = [training.run(batch) for _ in range(25)]
    assert losses[-1] < losses[0] / 2


@pytest.mark.thorough
def test_exact_match_counts_whole_sentences() -> None:
    """A network that has learnt four sentences by heart, asked for those and four others."""
    data = sentences("s", "train", 8)
    rows = Rows(data, VOCABULARY)
    training = Training.begin(replace(RECIPE, warmup=200, factor=0.5), VOCABULARY)
    for _ in range(120):
        training.run(rows.batch(range(4)))
    share, wrong = exact_match(training.network, data, VOCABULARY, size=3)
    assert share == 1 - len(wrong) / 8
    assert not {sentence.zh for sentence, _ in wrong} & {sentence.zh for sentence in data[:4]}
    assert all(" ".join(sentence.words) != written for sentence, written in wrong)


def test_alignment_is_measured_in_the_row_that_writes_the_word() -> None:
    """By hand, on one sentence: "books" is written by the row of "three"."""
    parts = grammar.parse("我买了三本书")
    assert parts is not None
    sentence = grammar.build(parts)
    network = Training.begin(RECIPE, VOCABULARY).network.eval()
    measured = alignment(network, [sentence], VOCABULARY)
    assert measured.words == 4 and measured.argmax.shape == measured.mass.shape == (2, 4)
    batch = Rows([sentence], VOCABULARY).batch([0])
    assert batch.target_in[0, 0] == BOS
    with torch.no_grad(), translator_tape() as tape:
        network(batch.source, batch.source_padding, batch.target_in, batch.target_padding)
    weights = torch.stack(list(tape.tensors.values())).numpy()
    own = [weights[:, :, row, character] for row, character in ((0, 0), (1, 1), (2, 3), (3, 5))]
    np.testing.assert_allclose(measured.mass, sum(own) / 4, atol=1e-6)
    layer, head = measured.best
    assert measured.argmax[layer, head] == measured.argmax.max()


def translator_tape():
    from core.model.taps import recording

    return recording(("decoder.*.cross_attention.weights",))
