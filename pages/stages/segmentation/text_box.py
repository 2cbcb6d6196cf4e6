"""The text's own box."""

from pages.shared.page import own_text
from pages.stages.segmentation.context import LONGEST, StageContext, begins_with, fresh
from pages.stages.segmentation.gallery import own_first

PRESETS = 5  # all of them stand in the gallery


def box(context: StageContext) -> None:
    presets = list(own_first(context.t.language).values())[:PRESETS]
    begins = begins_with(context.page.address.own_text)
    own_text.box(context, context.text, presets, fresh, LONGEST, begins=begins)
