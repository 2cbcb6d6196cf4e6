"""What a picture in the browser is given: a header that is JSON, and arrays that travel as bytes behind it.

A picture is a frozen dataclass. Its fields are the header, under the same names in camelCase; those that hold arrays
are named in `ARRAYS` and follow in that order. The component of the same name reads it (assets/components).
"""

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np


@dataclass(frozen=True, eq=False)
class Picture:
    """The base of what a component is given as bytes."""

    ARRAYS: ClassVar[tuple[str, ...]] = ()

    def arrays(self) -> Iterator[np.ndarray]:
        """Every array behind the header, in order: of a mapping or a sequence of arrays, each."""
        for name in self.ARRAYS:
            held = getattr(self, name)
            if held is None:
                continue
            yield from held.values() if isinstance(held, Mapping) else [held] if isinstance(held, np.ndarray) else held

    def header(self) -> dict[str, Any]:
        """The JSON in front; of a mapping of arrays, its keys."""
        return {
            name: list(value) if name in self.ARRAYS and isinstance(value, Mapping) else plain(value)
            for name, value in ((shown, getattr(self, name)) for name, shown in names(type(self)))
            if name not in self.ARRAYS or isinstance(value, Mapping)
        }

    def pack(self) -> bytes:
        """The whole message."""
        return pack(self.header(), *self.arrays())


AS_IT_IS = {"uint8": "<u1", "uint16": "<u2"}


def pack(header: object, *arrays: np.ndarray) -> bytes:
    """A header and arrays as one message: 4 bytes of length, JSON padded to 4, then float32 (uint8 and
    uint16 as they are)."""
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    raw = [np.ascontiguousarray(a, AS_IT_IS.get(a.dtype.name, "<f4")).tobytes() for a in arrays]
    return b"".join([struct.pack("<I", len(text)), text, *raw])


LEAVES = (str, int, float, bool, type(None))  # most of a long list: to ask what else they are takes its time


def plain(value: Any) -> Any:
    """A value as JSON has it: dataclasses become objects with their fields in camelCase."""
    if type(value) in LEAVES:
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {shown: plain(getattr(value, name)) for name, shown in names(type(value))}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


@cache
def names(kind: type) -> tuple[tuple[str, str], ...]:
    """The fields of a dataclass, and what JavaScript calls them."""
    return tuple((field.name, camel(field.name)) for field in fields(kind))


def camel(name: str) -> str:
    """d_model -> dModel; a trailing underscore keeps a name from being Python's own: from_ -> from."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


def pooled(planes: np.ndarray, most: int = 32) -> tuple[np.ndarray, list[list[float]]]:
    """Thumbnails of planes [plane, row, column]: at most `most` × `most` bytes each, reduced by maximum.

    A byte is 0 to 254 between the plane's low and high; 255 where every cell under it is NaN (veiled).
    Returns uint8 [plane, row', column'] and [low, high] of each plane.
    """
    rows, columns = (np.linspace(0, n, min(n, most) + 1).astype(int)[:-1] for n in planes.shape[1:])
    filled = np.where(np.isnan(planes), -np.inf, planes)
    small = np.maximum.reduceat(np.maximum.reduceat(filled, rows, axis=1), columns, axis=2)
    seen = np.where(np.isinf(small), np.nan, small)
    low = np.nanmin(seen, axis=(1, 2), keepdims=True)
    high = np.nanmax(seen, axis=(1, 2), keepdims=True)
    low = np.minimum(low, 0)
    share = (seen - low) / np.where(high > low, high - low, 1)
    bytes_ = np.where(np.isnan(share), 255, np.round(share * 254)).astype(np.uint8)
    return bytes_, [[float(a), float(b)] for a, b in zip(low.ravel(), high.ravel(), strict=True)]


def veiled(array: np.ndarray, rows: Sequence[int], *axes: int) -> np.ndarray:
    """The array without these rows, along each of `axes` (default the first): a NaN cannot be read by anybody.

    The array itself where nothing is veiled, else a copy.
    """
    if not len(rows):
        return array
    covered = array.astype(np.float32)
    for axis in axes or (0,):
        np.moveaxis(covered, axis, 0)[list(rows)] = np.nan
    return covered
