"""The page as a few lines of Python."""

from pages.shared.notebook import Repeat
from pages.stages.meaning.followed import followed
from pages.stages.meaning.look import Look


def repeat(look: Look) -> Repeat:
    other = f"space.row({look.to!r}) or space.word({look.to!r})"
    return Repeat(
        matrix=f"""from core.derivation.meaning import derive_cosine
from core.views import maps
from core.views.meaning import space as space_of

space = space_of(model)
words = {[word.text for word in look.words.words]!r}
vectors = np.stack([space.word(word).vector for word in words])
matrix = 1 - maps.distances(vectors, "cosine")""",
        followed=followed(look),
        number=f"made = derive_cosine(space.word({look.of!r}), {other})",
    )
