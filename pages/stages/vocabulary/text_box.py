"""The text's own box."""

from pages.shared.page import own_text
from pages.stages.vocabulary.context import LONGEST, PRESETS, StageContext, fresh


def box(context: StageContext) -> None:
    own_text.box(context, context.text, PRESETS, fresh, LONGEST, height=140)
