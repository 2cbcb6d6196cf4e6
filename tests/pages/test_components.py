"""What Python hands to the pictures in the browser: arrays as bytes. Of their code, see tests/test_js.py."""

import json
import struct
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pages.shared.components import pack, pooled


def unpack(data: bytes) -> tuple[object, bytes]:
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
