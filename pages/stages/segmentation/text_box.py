"""The text's own box."""

from core.views.segmentation import stated
from pages.shared.page import own_text
from pages.stages.segmentation.context import LONGEST, StageContext, fresh
from pages.stages.segmentation.gallery import GALLERY

PRESETS = list(GALLERY)[:5]  # all of them stand at the foot of the page


def box(context: StageContext) -> None:
    own_text.box(context, context.text, [stated(GALLERY[name]["cut"])[0] for name in PRESETS], fresh, LONGEST)
