"""Files that other people's models are in: read as Hugging Face reads them, or refused; never read wrongly."""

import json
import pickle
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from core import Model, capture, edits, errors, load_model
from core.errors import InputError, UnknownTap, WeightsError

ROOT = Path(__file__).parents[2]
TEXT = "The cat sat on the mat, unaffable café 猫."


@pytest.fixture
def saved(minilm_folder: Path, tmp_path: Path) -> Path:
    """A small BERT with its tokenizer, as the installed transformers saves it."""
    from transformers import BertConfig, BertModel, BertTokenizer

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=30522, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64
    )
    BertModel(config).eval().save_pretrained(tmp_path)
    tokenizer = BertTokenizer.from_pretrained(str(minilm_folder), local_files_only=True)
    tokenizer.save_pretrained(str(tmp_path))
    (tmp_path / "vocab.txt").unlink(missing_ok=True)
    return tmp_path


def theirs(folder: Path, text: str) -> tuple[list[int], np.ndarray]:
    """Ids and last states by transformers."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    model = AutoModel.from_pretrained(str(folder), local_files_only=True).eval()
    given = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        return given["input_ids"][0].tolist(), model(**given).last_hidden_state[0].numpy()


def held_against(folder: Path, text: str = TEXT) -> None:
    run = capture(load_model(str(folder)), text)
    ids, last = theirs(folder, text)
    assert [token.id for token in run.tokens] == ids
    np.testing.assert_allclose(run["encoder.1.output"], last, atol=1e-5)


def change(file: Path, **said: object) -> None:
    now = json.loads(file.read_text(encoding="utf-8"))
    for name, value in said.items():
        part, _, setting = name.rpartition("__")
        (now[part] if part else now)[setting] = value
    file.write_text(json.dumps(now), encoding="utf-8")


def test_what_transformers_saves_is_read(saved: Path) -> None:
    assert (saved / "tokenizer.json").is_file() and not (saved / "vocab.txt").exists()
    held_against(saved)


def test_old_names_are_read(saved: Path) -> None:
    file = saved / "model.safetensors"
    tensors = load_file(file)
    new = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    renamed = {re.sub(r"LayerNorm\.\w+$", lambda m: new[m[0]], name): t for name, t in tensors.items()}
    assert set(renamed) != set(tensors)
    before = capture(load_model(str(saved)), TEXT)
    save_file(renamed, file)
    np.testing.assert_array_equal(capture(load_model(str(saved)), TEXT)["encoder.1.output"], before["encoder.1.output"])


REFUSED: dict[str, tuple[str, dict[str, object]]] = {
    "a decoder": ("config.json", {"is_decoder": True}),
    "cross-attention": ("config.json", {"add_cross_attention": True}),
    "relative positions": ("config.json", {"position_embedding_type": "relative_key"}),
    "RoBERTa": ("config.json", {"model_type": "roberta"}),
    "another activation": ("config.json", {"hidden_act": "gelu_new"}),
    "capitals": ("tokenizer_config.json", {"do_lower_case": False}),
    "accents": ("tokenizer_config.json", {"strip_accents": False}),
    "Chinese unsplit": ("tokenizer_config.json", {"tokenize_chinese_chars": False}),
    "capitals, too": ("tokenizer.json", {"normalizer__lowercase": False}),
    "no normaliser": ("tokenizer.json", {"normalizer": None}),
    "BPE": ("tokenizer.json", {"model__type": "BPE"}),
    "another sign of pieces": ("tokenizer.json", {"model__continuing_subword_prefix": "@@"}),
    "another splitter": ("tokenizer.json", {"pre_tokenizer": {"type": "Whitespace"}}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_honoured_is_refused(saved: Path, what: str) -> None:
    file, said = REFUSED[what]
    change(saved / file, **said)
    with pytest.raises(InputError) as error:
        load_model(str(saved))
    assert error.value.code == "not_honoured" and error.value.parameters["file"] == file
    for language in ("zh", "en"):
        assert file in error.value.words(language) and "{" not in error.value.words(language)


def test_a_vocabulary_of_another_model_is_refused(saved: Path) -> None:
    tensors = load_file(saved / "model.safetensors")
    tensors["embeddings.word_embeddings.weight"] = tensors["embeddings.word_embeddings.weight"][:1000].clone()
    save_file(tensors, saved / "model.safetensors")
    change(saved / "config.json", vocab_size=1000)
    with pytest.raises(InputError) as error:
        load_model(str(saved))
    assert error.value.code == "vocabulary_too_large"


def test_a_vocabulary_with_holes_is_no_vocabulary(saved: Path) -> None:
    now = json.loads((saved / "tokenizer.json").read_text(encoding="utf-8"))
    del now["model"]["vocab"]["cat"]
    (saved / "tokenizer.json").write_text(json.dumps(now), encoding="utf-8")
    with pytest.raises(WeightsError, match="leaves ids out"):
        load_model(str(saved))


# ---- words


def test_every_code_has_its_words() -> None:
    """In both languages; those of a page's own errors stand in its lesson."""
    codes = set()
    for file in (ROOT / "core").rglob("*.py"):
        codes |= set(re.findall(r'(?:InputError|UnknownTap)\(\s*"(\w+)"', file.read_text(encoding="utf-8")))
    lessons = [tomllib.loads(f.read_text(encoding="utf-8")) for f in (ROOT / "assets/lessons").glob("[!_]*.toml")]
    for language in ("zh", "en"):
        known = set(errors.words_of(language))
        for lesson in lessons:
            known |= {name for part in lesson[language].values() if isinstance(part, dict) for name in part}
        assert codes - known == set()


# ---- taps and patterns


def test_a_pattern_may_stand_alone(minilm: Model) -> None:
    alone, listed = (capture(minilm, "hi", only=only) for only in ("encoder.2.*", ["encoder.2.*"]))
    assert alone.names() == listed.names() and len(alone.names()) == 24


@pytest.mark.parametrize("only", ["encoder.9.*", ("encoder.2.*", "encoder.2.atention.*"), "ENCODER.2.*", ""])
def test_an_unknown_pattern_is_said(minilm: Model, only: str | tuple[str, ...]) -> None:
    with pytest.raises(InputError) as error:
        capture(minilm, "hi", only=only)
    assert error.value.code == "unknown_pattern"
    assert len(capture(minilm, "hi", only=()).names()) == 0


def test_an_unknown_tap_is_said(minilm: Model) -> None:
    run = capture(minilm, "hi", only="encoder.2.*")
    for name, code in {"encoder.2.atention.weights": "unknown_tap", "encoder.3.output": "tap_not_kept"}.items():
        with pytest.raises(KeyError) as error:
            run[name]
        assert isinstance(error.value, UnknownTap) and error.value.code == code
        assert name in str(error.value) and not str(error.value).startswith('"')
    with pytest.raises(UnknownTap) as error:
        run.dims("encoder.2.atention.weights")
    assert "encoder.2.attention.weights" in error.value.words("en")


def test_a_run_is_a_mapping_of_what_was_kept(minilm: Model) -> None:
    run = capture(minilm, "hi", only="encoder.2.*")
    assert list(run) == list(run.keys()) == list(run.names()) and len(run) == 24
    assert {name: id(array) for name, array in dict(run).items()} == {name: id(run[name]) for name in run.names()}
    nothing = capture(minilm, "hi", only=())
    assert list(nothing) == [] and len(nothing) == 0 and nothing
    assert "encoder.2.output" in run and "encoder.3.output" not in run
    for key in (0, ("encoder.2.output",)):
        with pytest.raises(UnknownTap):
            run[key]  # type: ignore[index]
    with pytest.raises(UnknownTap) as error:
        run.fetch(["encoder.3.outptu"])
    assert "encoder.3.output" in error.value.words("en")


# ---- captures that travel


@pytest.mark.parametrize("made", [(), (edits.zero_positions(), edits.mute("encoder", 3, 9))])
@pytest.mark.parametrize("round_trip", [lambda run: pickle.loads(pickle.dumps(run))])
def test_a_capture_travels(minilm: Model, made: tuple, round_trip: Callable) -> None:
    run = capture(minilm, "The cat sat.", edits=made)
    again = round_trip(run)
    assert again.edits == run.edits and again.tokens == run.tokens and again.names() == run.names()
    for name in run.names():
        np.testing.assert_array_equal(again[name], run[name])
        assert not again[name].flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        again["encoder.2.output"][0, 0] = 1
    if made:
        changed = capture(minilm, "The cat sat.", edits=again.edits)  # its edits still act
        np.testing.assert_array_equal(changed["encoder.5.output"], run["encoder.5.output"])


def test_an_edit_that_nobody_could_make_again_does_not_travel() -> None:
    own = edits.Edit("mine", "*", lambda x: x)
    with pytest.raises(InputError) as error:
        pickle.dumps(own)
    assert error.value.code == "edit_not_portable"


def test_an_error_travels() -> None:
    error = pickle.loads(pickle.dumps(UnknownTap("unknown_tap", tap="a", near="b")))
    assert (type(error), error.code, error.parameters) == (UnknownTap, "unknown_tap", {"tap": "a", "near": "b"})


def test_a_capture_is_a_line(minilm: Model) -> None:
    said = repr(capture(minilm, "The cat sat on the mat. " * 40, edits=(edits.zero_positions(),)))
    assert len(said) < 200 and "minilm" in said and "153 arrays" in said and "zero" in said


# ---- the terminal


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    command = f'{sys.executable} -m core "The cat sat." | head -n 2'
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and len(done.stdout.splitlines()) == 2


def test_errors_are_said_in_the_terminals_language(saved: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    from core.__main__ import main

    change(saved / "config.json", is_decoder=True)
    said = {"zh_CN.UTF-8": "所以不读", "en_GB.UTF-8": "so it is not read", "C": "so it is not read"}
    for locale, words in said.items():
        monkeypatch.setenv("LC_ALL", locale)
        assert main(["hi", "--model", str(saved)]) == 2
        assert words in capsys.readouterr().err
    shutil.rmtree(saved)
