"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.encoder.context import StageContext
from pages.stages.encoder.followed import followed


def repeat(context: StageContext) -> Repeat:
    return Repeat(
        matrix="""from core.views.encoder import encoder_view, places

view = encoder_view(run, model)
own = [place for place in places(model) if place.stack == model.reader.name]
matrix = np.stack([view.at(place.stack, place.layer + 1, place.part).share for place in own], axis=1)""",
        followed=followed(context),
    )
