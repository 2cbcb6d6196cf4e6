"""The recorded trainings are those the command makes, and what the page says of them is so."""

import json

import numpy as np
import pytest

from core.derivation.training import derive_loss
from core.files import EXPERIMENTS
from core.training import recorded
from core.training.recorded import SEEDS, TABLE_EVERY, card, families, family, name_of
from core.training.runs import POSITIONS, begin, parameters, train
from core.training.tasks import frequent

NAMES = list(families())


def test_they_are_small_and_all_there() -> None:
    every = {name_of(setting) for runs in families().values() for setting in runs.values()}
    assert set(card()["runs"]) == every
    assert sum((EXPERIMENTS / f"training.{kind}").stat().st_size for kind in ("npz", "json")) < 1_500_000


@pytest.mark.parametrize("name", NAMES)
def test_every_number_is_one_and_every_loss_is_made_of_its_lines(name: str) -> None:
    for run in family(name).values():
        assert len(run.ends) == len(SEEDS)
        assert run.parameters == parameters(run.setting)
        assert run.kept[0] == 0 and run.kept[-1] == len(run.loss) == run.setting.steps
        assert all(np.isfinite(curve).all() for curves in run.seeds for curve in curves.values())
        for step in (1, 57, len(run.loss)):
            derivation = derive_loss(run, step)
            assert abs(derivation.difference) < 1e-5 * max(1, derivation.captured)


def test_the_command_makes_them_again() -> None:
    """The first steps, run here and now."""
    run = family("norm2")["post"]
    training = train(run.setting)
    log = [next(training) for _ in range(12)][-1]
    assert log.loss == pytest.approx(run.loss[:12].tolist(), rel=1e-3)
    assert log.held[:2] == pytest.approx(run.held[:2].tolist(), rel=1e-3)


# ---- what the page says in words


def test_without_norms_gradients_grow_with_depth() -> None:
    first = [family(f"norm{layers}")["none"].gradient[0] for layers in (2, 4, 6, 8)]
    assert first == sorted(first) and first[-1] > 1000 * first[0]


def test_the_narrow_learn_little_the_wide_by_heart_and_width_is_no_law() -> None:
    from pages.stages.training.contest_words import mean, tail

    runs = family("width")
    guessing = runs["d4"].setting.guessing
    assert tail(runs["d4"]) > guessing / 2
    assert mean(runs["d128"].ends) > 2 * tail(runs["d128"])
    best = min(runs, key=lambda id: mean(runs[id].ends))
    assert best not in ("d4", "d128")


def test_without_residuals_six_layers_learn_nothing_and_two_learn_less() -> None:
    runs = family("residual")
    guessing = runs["kept2"].setting.guessing
    assert max(runs["kept2"].ends) < min(runs["cut2"].ends) and max(runs["kept6"].ends) < min(runs["cut6"].ends)
    assert min(runs["cut6"].ends) > guessing / 2
    first = {id: [float(curves["gradient"][0]) for curves in run.seeds] for id, run in runs.items()}
    assert min(first["cut6"]) > max(first["kept6"])


def test_without_feed_forward_networks_less_is_learned_and_without_their_activation_too() -> None:
    runs = family("feedforward")
    for bent, unbent, silent in zip(*(runs[id].ends for id in ("bent", "unbent", "silent")), strict=True):
        assert bent < unbent < silent


def test_without_dropout_few_lines_are_learned_by_heart() -> None:
    from pages.stages.training.contest_words import mean, tail

    runs = family("dropout")
    assert all(mean(run.ends) > 5 * tail(run) for id, run in runs.items() if id != "drop50")
    assert tail(runs["drop0"]) < tail(runs["drop10"]) < tail(runs["drop50"])
    assert mean(runs["drop10"].ends) < min(mean(runs["drop0"].ends), mean(runs["drop50"].ends))


def test_smaller_first_values_for_frequent_tokens_change_little_larger_ones_hurt() -> None:
    runs = family("frequent")
    assert min(runs["quarter"].ends) < max(runs["alike"].ends) and min(runs["alike"].ends) < max(runs["quarter"].ends)
    assert max(runs["alike"].ends) < min(runs["fourfold"].ends)
    tables = {id: begin(run.setting).embedding.token_table.weight.detach().numpy() for id, run in runs.items()}
    half = list(frequent("numerals"))
    rest = sorted({*range(len(tables["alike"]))} - {*half})
    for id, times in {"quarter": 0.25, "fourfold": 4.0}.items():
        assert np.array_equal(tables[id][half], times * tables["alike"][half])
        assert np.array_equal(tables[id][rest], tables["alike"][rest])


def test_what_is_missing_can_be_run_alone(tmp_path, monkeypatch) -> None:
    """A folder without one run: that one is made, every other stays as it is."""
    settings = families()["frequent"]
    gone = name_of(settings["quarter"])
    with np.load(EXPERIMENTS / "training.npz") as file:
        arrays = {name: file[name] for name in file}
    facts = card()["runs"]
    np.savez(tmp_path / "training.npz", **{name: x for name, x in arrays.items() if not name.startswith(gone)})
    left = {name: said for name, said in facts.items() if name != gone}
    (tmp_path / "training.json").write_text(json.dumps({"runs": left, "seconds": 100}), encoding="utf-8")
    made = []
    monkeypatch.setattr(recorded, "record", lambda setting, arrays: made.append(name_of(setting)) or facts[gone])
    monkeypatch.setattr("sys.argv", ["recorded", "--missing", "--out", str(tmp_path)])
    recorded.main()
    assert made == [gone]
    said = json.loads((tmp_path / "training.json").read_text(encoding="utf-8"))
    assert said["runs"].keys() == facts.keys() and said["seconds"] >= 100
    with np.load(tmp_path / "training.npz") as file:
        assert all(np.array_equal(file[name], arrays[name]) for name in arrays if not name.startswith(gone))


def test_networks_of_one_to_eight_heads_are_equally_large() -> None:
    assert len({run.parameters for run in family("heads").values()}) == 1


def test_a_learned_table_of_positions_is_kept_from_its_beginning() -> None:
    run = family("position")["learned"]
    drawn = begin(run.setting).get_parameter(POSITIONS).detach().numpy()
    assert run.positions.shape == (1 + run.setting.steps // TABLE_EVERY, *drawn.shape)
    assert np.abs(run.positions[0] - drawn).max() < 1e-3
    assert all(not other.positions.size for id, other in family("position").items() if id != "learned")
