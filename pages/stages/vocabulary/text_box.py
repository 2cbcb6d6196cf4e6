"""The text's own box."""

from pages.shared.page import own_text
from pages.stages.vocabulary.look import LONGEST, PRESETS, Look, fresh


def box(look: Look) -> None:
    own_text.box(look, look.text, PRESETS, fresh, LONGEST, height=140)
