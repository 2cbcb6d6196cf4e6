"""The text's own box."""

from pages.shared.page import own_text
from pages.stages.vocabulary.context import LONGEST, PRESETS, StageContext, begins_with, fresh


def box(context: StageContext) -> None:
    begins = begins_with(context.page.address.own_text)
    own_text.box(context, context.text, PRESETS, fresh, LONGEST, height=140, begins=begins)
