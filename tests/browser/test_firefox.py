"""Firefox in front of the real site."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.engines import Engine, firefox
from tests.browser.gestures import Gestures

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("firefox")


@pytest.fixture(scope="module")
def tab(site: str, downloads: Path) -> Iterator[Engine]:
    with firefox(site, downloads) as tab:
        tab.resize(1280, 800)
        yield tab


class TestFirefox(Gestures):
    lang = "zh"
    first = 1
