"""Every page there is: a stage for each folder here, with the slug it has in core/stages.py; reference pages."""

from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path

from core.stages import STAGES
from core.zoo import SOURCES
from pages import claims, credits, glossary
from pages.shared.page.stage import Stage

HERE = Path(__file__).parent


@cache
def stages() -> dict[str, Stage]:
    """slug -> stage, in the order of the path; a stop whose folder is not there yet is left out, and one that needs a
    model which this place does not have."""
    can = {"", *chain.from_iterable(source.can for source in SOURCES.values())}
    slugs = [stage.slug for stage in STAGES if stage.needs in can and (HERE / stage.slug / "__init__.py").is_file()]
    return {slug: import_module(f"pages.stages.{slug}").STAGE for slug in slugs}


@cache
def pages() -> dict[str, Stage]:
    """The same, and the pages that are no stop of the path."""
    others = (claims.STAGE, glossary.STAGE, credits.STAGE)
    return {**stages(), **{stage.slug: stage for stage in others}}
