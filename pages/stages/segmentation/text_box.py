"""The text's own box."""

from pages.shared.page import own_text
from pages.stages.segmentation.context import LONGEST, StageContext, fresh
from pages.stages.segmentation.gallery import own_first

PRESETS = 5  # all of them stand in the gallery


def box(context: StageContext) -> None:
    own_text.box(context, context.text, list(own_first(context.t.language).values())[:PRESETS], fresh, LONGEST)
