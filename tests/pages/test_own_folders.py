"""Folders of whoever runs this place, named by SEETHROUGH_MODELS: they stand beside the others and every page shows
them, or says why another model reads there."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import settings, zoo
from core.zoo import SOURCES, own_folder
from pages.shared.page import compare
from pages.shared.server import cached
from tests.core.test_families import CASES, save
from tests.pages.test_another_model import ABOUT

KINDS = {"gpt2": "gpt2", "llama": "llama tied, in parts", "bert": "bert cased"}
TEXT = "To be, or not to be."
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each by its name."""
    at = tmp_path_factory.mktemp("own")
    for kind, case in KINDS.items():
        (at / f"own-{kind}").mkdir()
        save(CASES[case], at / f"own-{kind}")
    return {folder.name: folder for folder in at.iterdir()}


@pytest.fixture(scope="module", autouse=True)
def registered(folders: dict[str, Path]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, folder in folders.items():
            patch.setitem(SOURCES, name, own_folder(folder))
        yield


ALL = ("embedding", "attention", "heads", "layernorm", "encoder")
FEW = {"gpt2": (*ALL, "position", "output", "circuits"), "llama": (*ALL, "output", "circuits"), "bert": (*ALL, "input")}


@pytest.mark.parametrize("kind", KINDS)
def test_pages_show_it(opened, kind: str) -> None:
    """Without an exception, and without another model in its place."""
    for slug in FEW[kind]:
        page = opened(slug, "en", text=TEXT, model=f"own-{kind}", guess="skip")
        assert "reads here" not in page.html, slug
        if (slug, None) not in ABOUT:
            assert not re.search("MiniLM|translation model", re.sub(r"<[^>]+>", " ", page.html)), slug


@pytest.mark.parametrize(
    ("kind", "why"), [("gpt2", "without √d and without segments"), ("llama", "adds nothing where vectors enter")]
)
def test_what_it_has_not_is_said(opened, kind: str, why: str) -> None:
    assert f"own-{kind} adds" in (html := opened("input", "en", text=TEXT, model=f"own-{kind}", guess="skip").html)
    assert why in html and "MiniLM reads here" in html


@pytest.mark.parametrize("kind", KINDS)
def test_where_its_steps_are_not_known_another_reads(opened, kind: str) -> None:
    page = opened("tokens", "en", text=TEXT, model=f"own-{kind}", guess="skip")
    assert f"A library runs the tokenizer of own-{kind} from its files" in page.html


def test_it_goes_on_with_a_text(opened) -> None:
    for kind, writes in zoo.SHOWN.items():
        if kind in KINDS:
            assert ("write" in SOURCES[f"own-{kind}"].can) == writes
    assert "own-gpt2" in opened("generation", "en", text=TEXT, model="own-gpt2", guess="skip").html


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_held_against_transformers(kind: str) -> None:
    name = f"own-{kind}"
    assert compare.token_differences(name, TEXT) == 0
    assert compare.attention_difference(name, TEXT) < 2e-5 and compare.state_difference(name, TEXT) < 1e-4
    assert max(compare.row_difference(name, TEXT), compare.input_difference(name, TEXT)) < 1e-4
    if kind != "llama":
        assert compare.position_difference(name) == 0
    if "write" in SOURCES[name].can:
        assert compare.output_difference(name, TEXT) < 1e-4
        ids = tuple(token.id for token in cached.trace(name, TEXT).tokens)
        own = cached.capture(name, TEXT)["output.probabilities"]
        after = tuple(float(own[i - 1, ids[i]]) for i in range(4, len(ids)))
        assert compare.written_difference(name, ids, 4, after) < 1e-4


def test_what_it_is_is_counted(folders: dict[str, Path]) -> None:
    for name, folder in folders.items():
        model = cached.model(name)
        assert SOURCES[name].parameters >= sum(weight.numel() for weight in model.network.parameters())
        assert SOURCES[name].sha256 == zoo.fingerprint(sorted(folder.glob("*.safetensors"))[0])
        assert (model.id, model.title, model.folder) == (name, name, folder)


def named(value: str) -> subprocess.CompletedProcess[str]:
    code = "from core.zoo import SOURCES; print(*SOURCES)"
    environment = {**os.environ, settings.MODELS.name: value}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_the_setting_names_folders_beside_models(folders: dict[str, Path], tmp_path: Path) -> None:
    done = named(f"poet,{folders['own-gpt2']}")
    assert done.stdout.split() == ["minilm", "translator", "poet", "own-gpt2"]
    assert "no such folder is there" in named("poet,/nowhere").stderr


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"model_type": "qwen2"}, "the family qwen2"),
        ({"model_type": "llama", "tie_word_embeddings": False}, "a matrix of its own"),
    ],
)
def test_what_the_pages_have_no_words_for_is_said(
    folders: dict[str, Path], tmp_path: Path, said: dict[str, object], words: str
) -> None:
    file = shutil.copytree(folders["own-llama"], tmp_path / "another") / "config.json"
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), **said}), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        own_folder(tmp_path / "another")
    with pytest.raises(ValueError, match="holds no model"):
        own_folder(tmp_path)
    with pytest.raises(ValueError, match="already"):
        own_folder(tmp_path / "minilm")
