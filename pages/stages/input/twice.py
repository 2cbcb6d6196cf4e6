"""The function of the notes called twice, beside the module called twice: each drawing of this section calls anew."""

import numpy as np
import streamlit as st

from core.lessons import input as input_part
from pages.shared.page.open_it import source
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.words.texts import Texts
from pages.stages.input.context import StageContext

IDS, VOCAB, WIDTH = [1, 5, 23, 9, 0], 30, 8  # what the function of the notes is called with
CODE = {"function": input_part.transformer_input, "module": input_part.TransformerInput}


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "twice"), paragraph(t, "twice_said"))
    places = st.columns([1, 1.2], gap="large")
    for place, (name, code), results in zip(places, CODE.items(), calls(), strict=True):
        with place:
            compared(t, name, results)
            st.code(source(code), language="python", wrap_lines=True)
    st.button(t("twice.again"), key="again", type="tertiary")


def compared(t: Texts, name: str, results: list[np.ndarray]) -> None:
    difference = float(np.abs(results[0] - results[1]).max())
    rows = [[t("twice.call", number=i + 1), *map(float, result[0, 0, :4])] for i, result in enumerate(results)]
    write(paragraph(t, f"twice_{name}", difference=difference), table(rows, kind="sums"))


def calls() -> tuple[list[np.ndarray], list[np.ndarray]]:
    """[two calls of the function], [two calls of the module], on the same ids."""
    import torch

    ids = torch.tensor([IDS])
    module = input_part.TransformerInput(VOCAB, WIDTH).eval()
    with torch.no_grad():
        function = [input_part.transformer_input(ids, VOCAB, WIDTH).numpy() for _ in range(2)]
        return function, [module(ids).numpy() for _ in range(2)]
