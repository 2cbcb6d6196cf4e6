"""Words that agree with a count, in the texts of assets/lessons: `{n} {n:token is/tokens are} gone`."""

import re
from collections.abc import Mapping

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
