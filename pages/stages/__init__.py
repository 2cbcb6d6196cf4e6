"""Every stage there is: a folder here, with the slug it has in core/stages.py."""

from functools import cache
from importlib import import_module
from pathlib import Path

from core.stages import STAGES
from pages.shared.stage import Stage

HERE = Path(__file__).parent


@cache
def stages() -> dict[str, Stage]:
    """slug -> stage, in the order of the path; a stop whose folder is not there yet is left out."""
    slugs = [stage.slug for stage in STAGES if (HERE / stage.slug / "__init__.py").is_file()]
    return {slug: import_module(f"pages.stages.{slug}").STAGE for slug in slugs}
