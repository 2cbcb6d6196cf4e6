"""The head view as one HTML file that opens without a network: the very pictures of the page, their numbers inside."""

from dataclasses import replace

import numpy as np

from core.notebook import html
from pages.stages.heads.context import StageContext
from pages.stages.heads.picture import grid, lines

SHOWN = ("layer", "head", "q", "k", "also", "pin", "way", "sort", "grid", "kind")  # what of the address goes along


def document(context: StageContext) -> str:
    """The whole file. Of a long text it has the heads that are shown, and not the others in small."""
    page, t = context.page, context.t
    pictures = {"lines": replace(lines(context), all_there=True).pack()}
    if context.heads.weights is not None:
        every = grid(context)
        words = {name: text for name, text in every.words.items() if not name.startswith("help")}
        pictures["grid"] = replace(every, words=words).pack()  # no note opens there
    changed = "" if not context.edits else f"{t('whatif.changed')} {', '.join(context.changed)}"
    said = [page.model_name, t(f"kinds.{context.kind}"), changed]
    params = {
        name: {**parameter, "default": context.values[name], "usual": False}
        for name, parameter in page.address.parameters().items()
        if name in SHOWN
    }
    return html.document(page.text[:200], said, pictures, params, language=page.address.lang)


def numbers(context: StageContext) -> dict[str, np.ndarray]:
    """What the .npz holds: every head of this kind, or those shown of a long text; tokens; what was changed."""
    heads = context.heads
    arrays: dict[str, np.ndarray] = {
        "queries": np.array(heads.tokens),
        "keys": np.array(heads.key_tokens),
        "kind": np.array(context.kind),
        "model": np.array(context.page.address.model),
        "edits": np.array(context.changed, dtype=str),
    }
    if heads.weights is not None:
        arrays["weights"] = heads.weights  # layer, head, query, key
    else:
        arrays |= {f"weights.{layer}.{head}": context.weights(layer, head) for layer, head in context.shown}
    return {**arrays, **{f"measure.{name}": values for name, values in heads.measures.items()}}
