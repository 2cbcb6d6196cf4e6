"""Open it: the formula with this cell's numbers, the code, the shapes."""

from core.views.input import TAPS, InputView, dropped, one_map
from pages.shared.page import compare
from pages.shared.page.opened import Opened, csv
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.stages.input.context import StageContext
from pages.stages.input.repeat import repeat


def opened(context: StageContext) -> Opened:
    page, now, added = context.page, context.view.now, context.view.added
    shown = now.part(context.values["part"]) if added else now.joined()
    taps = [name for name in page.model.tap_dims if name.startswith("embedding.")]
    run = cached.capture(*context.key, only=TAPS, edits=context.view.edits)
    embedding = type(page.model.network.get_submodule("embedding"))
    return Opened(
        formula=formula(context),
        code=(embedding, InputView.shares, InputView.joined, one_map, dropped),
        shapes=[(name, run.dims(name), run[name].shape) for name in taps],
        compare=lambda: (page.t("compared.input"), compare.input_difference(*context.key)),
        compared="open.compared" if now.learned else "compared.torch",
        table=lambda: csv(context.seen(shown, 0), now.tokens, [str(i) for i in range(shown.shape[1])]),
        table_name=f"input-{context.values['part'] if added else 'joined'}.csv",
        captured=not context.veiled,
        edits=context.view.edits,
        repeat=repeat,
    )


def formula(context: StageContext) -> str:
    """The sum in general and, under it, the numbers of the selected token and dimension."""
    now, token, dim = context.view.now, context.selected, context.values["dim"]
    root = r"\sqrt{d}\," if now.scaled else ""
    general = rf"x_{{k}} = {root}E_{{t_k}} + p_{{k}}" + (" + s_{k}" if len(now.names) == 3 else "")
    share = r"\frac{\lVert p\rVert^2}{\lVert p\rVert^2 + \lVert e\rVert^2}"
    if token in context.asked.rows:
        return rf"\begin{{aligned}} & {general} \\ & {share} \end{{aligned}}"
    numbers = " + ".join(f"({short(float(x))})" for x in now.parts[:, token, dim])
    e, p = (short(float(now.norms(name)[token])) for name in ("token", "position"))
    ratio = rf"{share} = \frac{{{p}^2}}{{{p}^2 + {e}^2}} = {short(float(now.shares()[token]))}"
    cell = rf"x_{{{token},{dim}}} = {numbers} = {short(float(now.total[token, dim]))}"
    return rf"\begin{{aligned}} & {general} \\ & {cell} \\ & {ratio} \end{{aligned}}"
