"""Words that agree with a count, in the texts of assets/lessons: `{n} {n:token is/tokens are} gone`."""

import re
from collections.abc import Mapping, Sequence

AGREEING = re.compile(r"\{(\w+):([^{}/]+)/([^{}/]+)\}")


def agreed(text: str, values: Mapping[str, object]) -> str:
    """A text whose words agree with the counts in `values`; where a count is not given, they stand as they were.

    >>> agreed("{n} {n:token is/tokens are} gone", {"n": 1})
    '{n} token is gone'
    """

    def chosen(found: re.Match[str]) -> str:
        name, one, many = found.groups()
        return found[0] if name not in values else one if str(values[name]) == "1" else many

    return AGREEING.sub(chosen, text)


def few(numbers: Sequence[int], most: int = 8) -> list[str]:
    """Numbers in a sentence; of many, the first and the last: dots for one alone would be as long as it.

    >>> few([2, 6]), few(range(50), most=4)
    (['2', '6'], ['0', '1', '2', '…', '49'])
    """
    shown = [str(n) for n in numbers]
    return shown if len(shown) <= most + 1 else [*shown[: most - 1], "…", shown[-1]]
