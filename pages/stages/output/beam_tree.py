"""What greedy and beam search wrote and kept on the way, as one tree: a branch a beginning, a word a node."""

import html
from collections.abc import Iterable, Mapping, Sequence
from math import exp

from core.model.decoding import Step

Prefix = tuple[int, ...]


def kept(steps: Iterable[Step]) -> dict[Prefix, float]:
    """Every beginning that was kept at some step, and the probability of its last word."""
    logs: dict[Prefix, float] = {(): 0.0}
    for step in steps:
        logs |= {beam.ids: beam.log_probability for beam in step.beams}
    return {ids: exp(log - logs[ids[:-1]]) for ids, log in logs.items() if ids}


def tree(
    shares: Mapping[Prefix, str], names: Sequence[str], looks: Mapping[Prefix, str], ends: Mapping[Prefix, str]
) -> str:
    """Nested lists, the root left. `shares` are the numbers as HTML, `looks` the classes of nodes on a path that is
    followed, `ends` what is said behind a leaf."""

    def below(prefix: Prefix) -> str:
        children = [ids for ids in shares if ids[:-1] == prefix]
        return f"<ul>{''.join(map(node, children))}</ul>" if children else ""

    def node(ids: Prefix) -> str:
        word = f"<span class='{looks.get(ids, '')}'><b>{html.escape(names[ids[-1]])}</b> {shares[ids]}</span>"
        end = f"<em>{ends[ids]}</em>" if ids in ends else ""
        return f"<li>{word}{end}{below(ids)}</li>"

    return f"<div class='tree' tabindex='0'>{below(())}</div>"
