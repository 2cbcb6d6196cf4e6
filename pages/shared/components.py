"""The pictures Plotly cannot do: plain JavaScript in assets/components, mounted through Streamlit's components v2."""

import json
import re
import struct
from pathlib import Path

import numpy as np
from streamlit.components.v2 import component as register

ASSETS = Path(__file__).parents[2] / "assets/components"


def bundle(name: str) -> str:
    """A component's module with the shared one before it: inline modules cannot import from each other."""
    shared = (ASSETS / "shared/shared.js").read_text(encoding="utf-8")
    own = (ASSETS / f"{name}/{name}.js").read_text(encoding="utf-8")
    own = re.sub(r'^import \{[^}]*\} from "\.\./shared/shared\.js";$', "", own, flags=re.MULTILINE)
    return re.sub(r"^export (?!default)", "", shared, flags=re.MULTILINE) + own


def component(name: str):
    """Register the component in assets/components/<name>."""
    css = (ASSETS / f"{name}/{name}.css").read_text(encoding="utf-8")
    return register(f"see_{name}", js=bundle(name), css=css)


strip = component("strip")
sentence = component("sentence")
controls = component("controls")
matrix = component("matrix")
derivation = component("derivation")
thumbnails = component("thumbnails")
depth = component("depth")
ruler = component("ruler")
walk = component("walk")
decoding = component("decoding")
lattice = component("lattice")
lanes = component("lanes")
blocks = component("blocks")
addition = component("addition")
waves = component("waves")
clocks = component("clocks")
orders = component("orders")
curves = component("curves")
solid = component("solid")


def pack(header: object, *arrays: np.ndarray) -> bytes:
    """A header and arrays as one message: 4 bytes of length, JSON padded to 4, then float32 (or uint8 as it is)."""
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    raw = [np.ascontiguousarray(a, a.dtype if a.dtype == np.uint8 else "<f4").tobytes() for a in arrays]
    return b"".join([struct.pack("<I", len(text)), text, *raw])


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
