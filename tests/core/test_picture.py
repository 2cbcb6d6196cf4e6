"""What a picture is given: a header that is JSON, arrays as bytes behind it, and what must not be seen left out."""

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.figures.matrix import Axis, Matrix, MatrixWords, Thumbnail, Thumbnails, Window
from core.figures.picture import Picture, camel, pack, plain, pooled, veiled


def unpack(data: bytes) -> tuple[Any, bytes]:
    (length,) = struct.unpack_from("<I", data)
    return json.loads(data[4 : 4 + length]), data[4 + length :]


@given(
    header=st.dictionaries(st.text(max_size=9), st.text(st.characters(codec="utf-8"), max_size=9) | st.integers()),
    planes=st.lists(arrays("float32", st.tuples(st.integers(1, 4), st.integers(1, 4))), max_size=4),
)
def test_pack(header: dict, planes: list[np.ndarray]) -> None:
    """Four bytes of length, a header padded to four, and the arrays as they lie: aligned for a Float32Array."""
    header = {key.encode("utf-8", "replace").decode(): value for key, value in header.items()}
    data = pack(header, *planes)
    said, rest = unpack(data)
    assert said == header
    assert (len(data) - len(rest)) % 4 == 0
    assert rest == b"".join(plane.astype("<f4").tobytes() for plane in planes)


def test_pack_turns_everything_but_bytes_into_float32() -> None:
    doubles, small = np.array([[1.5, -2.0]]), np.array([[0, 254, 255]], np.uint8)
    turned = np.arange(6, dtype=np.float32).reshape(2, 3).T  # not contiguous
    _, rest = unpack(pack({}, doubles, turned, small))
    assert np.frombuffer(rest[:8], "<f4").tolist() == [1.5, -2]
    assert np.frombuffer(rest[8:32], "<f4").tolist() == [0, 3, 1, 4, 2, 5]
    assert rest[32:] == bytes([0, 254, 255])


def test_pack_keeps_every_script_readable() -> None:
    said, _ = unpack(pack({"rows": ["猫", "שלום", "👩\u200d💻", '"\\']}))
    assert said == {"rows": ["猫", "שלום", "👩\u200d💻", '"\\']}


def test_pooled_takes_the_maximum_of_each_block() -> None:
    plane = np.zeros((1, 64, 64), np.float32)
    plane[0, 3, 62] = 1.0
    plane[0, 40, 10] = 0.5
    small, ranges = pooled(plane)
    assert (small.dtype, small.shape) == (np.uint8, (1, 32, 32))
    lit = {(int(y), int(x)): int(small[0, y, x]) for y, x in np.argwhere(small[0])}
    assert lit == {(1, 31): 254, (20, 5): 127}
    assert ranges == [[0.0, 1.0]]


def test_pooled_marks_what_is_veiled_and_nothing_else() -> None:
    plane = np.full((2, 40, 3), 0.25, np.float32)
    plane[0, 8:20] = np.nan
    small, ranges = pooled(plane)
    edges = np.linspace(0, 40, 33).astype(int)
    veiled = [bool(a >= 8 and b <= 20) for a, b in pairwise(edges)]
    assert any(veiled) and not all(veiled)
    assert (small[0] == 255).all(axis=1).tolist() == veiled
    assert not (small[1] == 255).any()
    assert ranges == [[0.0, 0.25], [0.0, 0.25]]


@settings(deadline=None, max_examples=60)
@given(
    planes=arrays(
        "float32",
        st.tuples(st.integers(1, 3), st.integers(1, 70), st.integers(1, 70)),
        elements=st.floats(-100, 100, width=32),
    )
)
def test_pooled_of_any_size(planes: np.ndarray) -> None:
    count, height, width = planes.shape
    small, ranges = pooled(planes)
    assert small.shape == (count, min(32, height), min(32, width))
    for plane, bytes_, (low, high) in zip(planes, small, ranges, strict=True):
        assert high == float(plane.max()) and low <= min(0, high)
        assert bytes_.max() <= 254
        y, x = np.unravel_index(plane.argmax(), plane.shape)
        ys, xs = (np.linspace(0, n, min(n, 32) + 1).astype(int) for n in (height, width))
        cell = bytes_[np.searchsorted(ys, y, "right") - 1, np.searchsorted(xs, x, "right") - 1]
        assert cell == (254 if high > low else 0)


# ---- dataclasses


@dataclass(frozen=True)
class Part:
    d_model: int
    from_: int = 0


@dataclass(frozen=True, eq=False)
class Example(Picture):
    ARRAYS: ClassVar[tuple[str, ...]] = ("planes", "extra")

    label: str
    reach_by: tuple[str, ...]
    part: Part
    planes: Mapping[str, np.ndarray]
    extra: np.ndarray | None = None


def test_a_picture_is_its_fields_and_its_arrays_in_order() -> None:
    first, second = np.ones((2, 2), np.float32), np.zeros((2, 2), np.float32)
    picture = Example("x", ("a", "b"), Part(3, 7), {"1/a": first, "1/b": second}, np.array([[5.0]]))
    header, body = unpack(picture.pack())
    assert header == {
        "label": "x", "reachBy": ["a", "b"], "part": {"dModel": 3, "from": 7}, "planes": ["1/a", "1/b"]
    }  # fmt: skip
    assert np.frombuffer(body, "<f4").tolist() == [1, 1, 1, 1, 0, 0, 0, 0, 5]
    assert len(unpack(Example("x", (), Part(3), {"a": first}).pack())[1]) == 16


@pytest.mark.parametrize(("name", "key"), [("d_model", "dModel"), ("from_", "from"), ("q", "q"), ("a_b_c", "aBC")])
def test_names_in_the_browser(name: str, key: str) -> None:
    assert camel(name) == key


def test_numbers_of_numpy_become_json() -> None:
    assert json.dumps(plain({"a": np.float32(0.5), "b": (np.int64(3), None)})) == '{"a": 0.5, "b": [3, null]}'


def test_a_matrix_in_windows_opens_on_the_first() -> None:
    axis = Axis.of_windows("row", [Window(4, ["e", "f"], [4, 5]), Window(9, ["j", "k"])], word="row", room=8)
    assert (axis.count, axis.from_, axis.labels, axis.ids, axis.room) == (2, 4, ["e", "f"], [4, 5], 8)
    words = MatrixWords("label", "range", "marks", "veiled")
    matrix = Matrix("m", {"0": np.zeros((2, 3))}, axis, Axis("dim", 3), words)
    header, _ = unpack(matrix.pack())
    assert header["rows"]["windows"][1] == {"from": 9, "labels": ["j", "k"], "ids": None}
    assert header["columns"]["labels"] is None and header["whole"] is None and header["fragment"] == "picture"


def test_reduced_thumbnails_say_so() -> None:
    planes = np.random.default_rng(0).random((2, 64, 64), np.float32)
    small = Thumbnails.reduced(planes, 1, "reduced", of="m", param="head", label="", word="", items=[Thumbnail(1, "1")])
    header, body = unpack(small.pack())
    assert header["pooled"]["words"] == "reduced" and header["of"] == "m"
    assert len(body) == 2 * header["pooled"]["rows"] * header["pooled"]["columns"] == 2048


# ---- the veil


def test_what_is_veiled_is_not_there() -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    covered = veiled(array, (1,))
    assert np.isnan(covered[1]).all() and not np.isnan(covered[[0, 2]]).any() and not np.isnan(array).any()
    square = veiled(np.ones((3, 3)), (2,), 0, 1)
    assert np.isnan(square[2]).all() and np.isnan(square[:, 2]).all() and np.isnan(square).sum() == 5
    assert veiled(array, ()) is array


@given(rows=st.sets(st.integers(0, 4)), axis=st.integers(0, 2))
def test_the_veil_covers_these_rows_and_no_others(rows: set[int], axis: int) -> None:
    covered = np.moveaxis(veiled(np.ones((5, 5, 5)), sorted(rows), axis), axis, 0)
    assert {i for i in range(5) if np.isnan(covered[i]).all()} == rows
    assert not any(np.isnan(covered[i]).any() for i in set(range(5)) - rows)
