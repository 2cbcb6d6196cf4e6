"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.meaning.context import StageContext
from pages.stages.meaning.followed import followed


def repeat(context: StageContext) -> Repeat:
    return Repeat(
        matrix=f"""from core.views import maps
from core.views.meaning import space as space_of

space = space_of(model)
words = {[word.text for word in context.words.words]!r}
vectors = np.stack([space.word(word).vector for word in words])
matrix = 1 - maps.distances(vectors, "cosine")""",
        followed=followed(context),
    )
