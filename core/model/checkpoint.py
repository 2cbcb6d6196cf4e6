"""Weights from a file into our modules: names translated, nothing else changed."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from ..errors import InputError, WeightsError
from .config import Config
from .families import Family, Said
from .language import LanguageModel
from .masked import MaskedHead
from .transformer import Transformer

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"  # in one file, or which tensor is in which
PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.bin", "tf_model.h5", "flax_model.msgpack")


def weight_files(folder: Path) -> tuple[str, ...]:
    """The names of the safetensors files with a folder's weights; of one alone, whether or not it is there.

    Raises InputError where there are weights of another kind only, WeightsError for an index that is none.
    """
    if (folder / WEIGHTS).is_file():
        return (WEIGHTS,)
    if (folder / INDEX).is_file():
        try:
            files = sorted(set(json.loads((folder / INDEX).read_text(encoding="utf-8"))["weight_map"].values()))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise WeightsError(f"{folder / INDEX} names no files ({error!r}).") from error
        if any(not isinstance(file, str) or Path(file).name != file for file in files):
            raise WeightsError(f"{folder / INDEX} names a file that is not in its own folder.")
        return tuple(files)
    for file in PICKLED:
        if (folder / file).is_file():
            raise InputError("weights_pickled", file=file)
    return (WEIGHTS,)


class NothingDrawn(TorchFunctionMode):
    """Modules made here have no numbers drawn that would be thrown away. `torch.device("meta")` alone draws none
    either, but to find that out imports torch's compiler, which takes a second."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if getattr(function, "__module__", "") == nn.init.__name__:
            return args[0] if args else (kwargs or {})["tensor"]
        return function(*args, **(kwargs or {}))


def load_family(family: Family, said: Said, config: Config, paths: Sequence[Path]) -> nn.Module:
    """A family's network with the weights of safetensors files, in single precision, whatever theirs is.

    Raises InputError where a tensor is missing, is one too many or has another shape than the config says.
    """
    found = (pair for path in paths for pair in load_file(path).items())
    ours = {place: part for name, tensor in found for place, part in family.ours(name, tensor, said)}
    with torch.device("meta"), NothingDrawn():
        network = family.network(config)
    expected = network.state_dict()
    if config.tied:
        expected = {name: tensor for name, tensor in expected.items() if name != DOOR}
        ours.pop(DOOR, None)  # the same numbers once more
    check_tensors(config, family.stack, expected, ours)
    network.load_state_dict({name: tensor.float().contiguous() for name, tensor in ours.items()}, False, True)
    if config.tied and isinstance(network, LanguageModel):
        network.output.project.weight = network.embedding.token_table.weight
    return network.eval()


def load_masked_head(family: Family, config: Config, paths: Sequence[Path], table: Tensor) -> MaskedHead | None:
    """The head of a family that guesses hidden words; where its rows are not in the files, they are the table's. None
    where nothing of it is there. Raises InputError where a part of it is missing or has another shape."""
    tensors: dict[str, Tensor] = {}
    for path in paths:
        with safe_open(path, "pt") as file:
            tensors |= {name: file.get_tensor(name).float() for name in family.masked.keys() & file.keys()}
    found = {ours: tensors[name] for name, ours in family.masked.items() if name in tensors}
    if not found:
        return None
    found.setdefault("words.weight", table)
    with torch.device("meta"), NothingDrawn():
        head = MaskedHead(config, family.masked_activation or config.activation)
    same_tensors(head.state_dict(), found)
    head.load_state_dict(found, assign=True)
    return head.eval()


def check_tensors(config: Config, stack: str, expected: Mapping[str, Tensor], found: Mapping[str, Tensor]) -> None:
    """Raise InputError unless the tensors are those that the config asks for, the layers first."""
    layers = {int(name.split(".")[1]) for name in found if re.match(rf"{stack}\.\d", name)}
    if layers != set(range(config.layers)):
        raise InputError("layers_differ", config=config.layers, file=len(layers))
    same_tensors(expected, found)


def same_tensors(expected: Mapping[str, Tensor], found: Mapping[str, Tensor]) -> None:
    """Raise InputError unless the one has the other's names and shapes."""
    for name in [*expected, *found]:
        if name not in found:
            raise InputError("tensor_missing", name=name)
        if name not in expected:
            raise InputError("unknown_tensor", name=name)
        if expected[name].shape != found[name].shape:
            shapes = (" × ".join(map(str, tensors[name].shape)) for tensors in (found, expected))
            raise InputError("tensor_shape", name=name, found=next(shapes), expected=next(shapes))


DTYPES = {"F32": np.float32, "F16": np.float16}  # of safetensors
# The one matrix of a Transformer stands in three places; a file holds it once, under the name of the first.
DOOR = "output.project.weight"
TIED = ("decoder.embedding.token_table.weight", DOOR)


def saved(network: nn.Module) -> dict[str, Tensor]:
    """The tensors of a network as they are saved."""
    return {name: tensor for name, tensor in network.state_dict().items() if name not in TIED}


def fill(network: nn.Module, tensors: Mapping[str, Tensor], assign: bool = False) -> None:
    """Put saved tensors into a network, or let it have them themselves; a missing or surplus one is an error."""
    tied = [name for name in TIED if name in network.state_dict()]
    table = tensors["embedding.token_table.weight"]
    network.load_state_dict({**tensors, **dict.fromkeys(tied, table)}, assign=assign)


def load_transformer(config: Config, path: Path) -> Transformer:
    """A `Transformer` with the weights of a safetensors file, in single precision, whatever the file's is."""
    network = Transformer(config)
    fill(network, {name: tensor.float() for name, tensor in load_file(path).items()})
    return network.eval()


def load_language_model(config: Config, path: Path) -> LanguageModel:
    """A decoder alone with the weights of a safetensors file, in single precision, whatever the file's is."""
    with torch.device("meta"), NothingDrawn():
        network = LanguageModel(config)
    fill(network, {name: tensor.float() for name, tensor in mapped(path)[0].items()}, assign=True)
    network.output.project.weight = network.embedding.token_table.weight
    return network.eval()


def mapped(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors of a safetensors file, left on disk until they are asked for and shared by all who map them, and what
    else the file says. Written to, one becomes this process's own."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
    numbers = np.memmap(path, np.uint8, "c", offset=8 + size)
    about = header.pop("__metadata__", {})
    tensors = {}
    for name, tensor in header.items():
        part = numbers[slice(*tensor["data_offsets"])].view(DTYPES[tensor["dtype"]])
        tensors[name] = torch.from_numpy(part.reshape(tensor["shape"]))
    return tensors, about
