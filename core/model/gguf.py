"""SmolLM2's weights out of its 4-bit file (GGUF), and each of them followed to the block it is written in.

The file belongs to llama.cpp: 32 numbers stand in a block, as small whole codes and what they are multiplied by (Q8_0:
scale · code), and in Q4_1 what is then added (scale · code + minimum). `gguf`, its own library, reads it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors.numpy import save_file

from ..errors import WeightsError
from ..settings import CACHE
from .config import Config
from .taps import spoken

if TYPE_CHECKING:
    from gguf import GGUFReader

FORMAT = 1  # of the files that `floats` keeps
BLOCK = 32  # numbers, one behind the other in a row of a matrix
PARTS = {  # our name for a part of a layer -> the file's
    "attention.norm.gamma": "attn_norm",
    "attention.sublayer.to_query.weight": "attn_q",
    "attention.sublayer.to_key.weight": "attn_k",
    "attention.sublayer.to_value.weight": "attn_v",
    "attention.sublayer.to_output.weight": "attn_output",
    "feedforward.norm.gamma": "ffn_norm",
    "feedforward.sublayer.to_gate.weight": "ffn_gate",
    "feedforward.sublayer.to_up.weight": "ffn_up",
    "feedforward.sublayer.narrow.weight": "ffn_down",
}
OUTSIDE = {"embedding.token_table.weight": "token_embd", "decoder.norm.gamma": "output_norm"}


@dataclass(frozen=True)
class Block:
    """How one number stands in the file. `value` is what the three make of it, in single precision.

    Attributes:
        kind: "Q4_1", "Q8_0", or "F32", where a number stands by itself: it is the minimum, and its code is 0.
        scale, minimum: of its block; the minimum is 0 in Q8_0, which has none.
        code: a whole number, 0 to 15 in Q4_1, −127 to 127 in Q8_0.
    """

    kind: str
    scale: np.float32
    minimum: np.float32
    code: int

    @property
    def value(self) -> np.float32:
        return self.scale * np.float32(self.code) + self.minimum


class WeightFile:
    """A GGUF file of a Llama, opened when something is asked of it: its papers, its numbers.

    `said` is what it says of itself, sizes, vocabulary, template, and under "layout" where each tensor stands: its
    kind, its first byte, its shape. Who knows that already spares the reader's way through 98,052 words.
    """

    def __init__(self, path: Path, said: Mapping[str, Any] | None = None):
        self.path = path
        if said is not None:
            self.said = said

    @cached_property
    def reader(self) -> "GGUFReader":
        from gguf import GGUFReader

        return GGUFReader(self.path)

    @cached_property
    def said(self) -> Mapping[str, Any]:
        layout = {t.name: (t.tensor_type.name, int(t.data_offset), list(t.data.shape)) for t in self.reader.tensors}
        return {name: field.contents() for name, field in self.reader.fields.items()} | {"layout": layout}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Our name for each tensor -> the file's."""
        layers = range(self.said["llama.block_count"])
        inside = {f"decoder.{i}.{ours}": f"blk.{i}.{its}.weight" for i in layers for ours, its in PARTS.items()}
        return inside | {ours: f"{its}.weight" for ours, its in OUTSIDE.items()}

    def array(self, name: str) -> np.ndarray:
        """A tensor by our name, in single precision, its rows as our heads have them."""
        from gguf import dequantize

        (tensor,) = (tensor for tensor in self.reader.tensors if tensor.name == self.names[name])
        made = dequantize(tensor.data, tensor.tensor_type)
        return made if (heads := self.turned(name)) is None else made[places(len(made), heads)]

    def turned(self, name: str) -> int | None:
        """How many heads' rows stand in another order in the file; None where they stand as they are."""
        counts = {"to_query.weight": "head_count", "to_key.weight": "head_count_kv"}
        count = counts.get(".".join(name.split(".")[-2:]))
        return None if count is None else self.said[f"llama.attention.{count}"]

    def block(self, name: str, *index: int) -> Block:
        """How the number at an index of a tensor stands in the file; the name is ours, or as taps and places say it."""
        name = next((ours for ours in self.names if spoken(ours) == name), name)
        kind, offset, shape = self.said["layout"][self.names[name]]
        *row, column = index
        if (heads := self.turned(name)) is not None:
            row = [int(places(shape[0], heads)[row[0]])]
        data = np.memmap(self.path, np.float32 if kind == "F32" else np.uint8, "r", offset, tuple(shape))
        return READ[kind](data[tuple(row)], column)


def llama_config(said: Mapping[str, Any], positions: int) -> Config:
    """The shape of the model by what its file says; it is given at most `positions` tokens, and could read more."""
    return Config(
        vocab=len(said["tokenizer.ggml.tokens"]),
        d_model=said["llama.embedding_length"],
        heads=said["llama.attention.head_count"],
        groups=said["llama.attention.head_count_kv"],
        layers=said["llama.block_count"],
        d_ff=said["llama.feed_forward_length"],
        positions=positions,
        segments=0,
        epsilon=float(str(np.float32(said["llama.attention.layer_norm_rms_epsilon"]))),  # 1e-05, not 9.9999997…
        dropout=0.0,
        activation="swiglu",
        norm="pre",
        position="rotary",
        embedding="plain",
        normalization="rms",
        bias=False,
        rotary_base=said["llama.rope.freq_base"],
    )


def floats(file: WeightFile, sha256: str) -> Path:
    """A safetensors file with every number of a weight file, in single precision, by our names, and what it says.

    Made once and kept, so that it can be mapped from disk: however many processes use it, it is in memory once. Its
    name holds the checksum of what it was made from. Raises WeightsError where it cannot be written, or where `gguf` is
    not installed.
    """
    path = CACHE() / f"{file.path.stem}-{sha256[:16]}-{FORMAT}.safetensors"
    if path.is_file():
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent) as folder:  # whole, or not there at all, whoever else makes it now
            new = Path(folder) / path.name
            save_file({name: file.array(name) for name in file.names}, new, {"said": json.dumps(file.said)})
            new.chmod(0o644)
            new.replace(path)
    except ImportError as error:
        raise WeightsError("gguf is not installed. Run: pip install --no-deps -r requirements-models.txt") from error
    except OSError as error:
        mend = "Name a folder with room for .6 GB with SEETHROUGH_CACHE"
        raise WeightsError(f"{path} cannot be written ({error.strerror}). {mend}") from error
    return path


def places(rows: int, heads: int) -> np.ndarray:
    """Where each of our rows of W^Q or W^K stands in the file: dimension c of a head and c + d_head/2, which are turned
    together, are neighbours there.

    >>> places(8, 2).tolist()
    [0, 2, 1, 3, 4, 6, 5, 7]
    """
    return np.arange(rows).reshape(heads, -1, 2).transpose(0, 2, 1).reshape(-1)


def q4_1(row: np.ndarray, column: int) -> Block:
    """Of 20 bytes: scale and minimum in half precision, then 16 bytes with the codes of 32 numbers, those of the first
    half of the block in the low four bits."""
    block, at = divmod(column, BLOCK)
    part = row[block * 20 : block * 20 + 20]
    scale, minimum = part[:4].copy().view(np.float16).astype(np.float32)
    byte = int(part[4 + at % 16])
    return Block("Q4_1", scale, minimum, byte & 15 if at < 16 else byte >> 4)


def q8_0(row: np.ndarray, column: int) -> Block:
    """Of 34 bytes: the scale in half precision, then the codes, a byte each."""
    block, at = divmod(column, BLOCK)
    part = row[block * 34 : block * 34 + 34]
    (scale,) = part[:2].copy().view(np.float16).astype(np.float32)
    return Block("Q8_0", scale, np.float32(0), int(part[2 + at].view(np.int8)))


def f32(row: np.ndarray, column: int) -> Block:
    """As it is."""
    return Block("F32", np.float32(0), row[column], 0)


READ = {"Q4_1": q4_1, "Q8_0": q8_0, "F32": f32}
