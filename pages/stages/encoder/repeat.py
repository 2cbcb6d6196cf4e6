"""The page as a few lines of Python."""

from pages.shared.notebook import Repeat
from pages.stages.encoder.followed import followed
from pages.stages.encoder.look import Look


def repeat(look: Look) -> Repeat:
    at, place = look.token_of(look.stack), str(look.place)
    return Repeat(
        matrix="""from core.derivation.encoder import derive as derive_share
from core.views.encoder import encoder_view, places

view = encoder_view(run, model)
every = {str(place): place for place in places(model)}
own = [place for place in every.values() if place.stack == model.reader.name]
share = lambda place: view.at(place.stack, place.layer + 1, place.part).share
matrix = np.stack([share(place) for place in own], axis=1)""",
        followed=followed(look),
        number=f"place = every[{place!r}]\nmade = derive_share(run, place, {at}, float(share(place)[{at}]))",
    )
