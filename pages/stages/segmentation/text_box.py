"""The text's own box."""

from core.views.segmentation import stated
from pages.shared.page import own_text
from pages.stages.segmentation.gallery import GALLERY
from pages.stages.segmentation.look import LONGEST, Look, fresh

PRESETS = list(GALLERY)[:5]  # all of them stand at the foot of the page


def box(look: Look) -> None:
    own_text.box(look, look.text, [stated(GALLERY[name]["cut"])[0] for name in PRESETS], fresh, LONGEST)
