"""The theme that is read once is the theme that Streamlit reads each time."""

import pytest
from streamlit import config
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime.app_session import _populate_theme_msg

from pages.shared.first_message import remembering

SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar", "theme.dark.sidebar")


@pytest.mark.parametrize("section", SECTIONS)
def test_it_is_the_same_each_time(section: str) -> None:
    quick = remembering(_populate_theme_msg)
    for _ in range(3):
        theirs, ours = NewSession(), NewSession()
        _populate_theme_msg(theirs.custom_theme, section)
        quick(ours.custom_theme, section)
        assert ours == theirs and ours.HasField("custom_theme") == theirs.HasField("custom_theme")


def test_nobody_can_change_what_is_remembered() -> None:
    quick = remembering(_populate_theme_msg)
    first, second = NewSession(), NewSession()
    quick(first.custom_theme, "theme.light")
    first.custom_theme.primary_color = "red"
    quick(second.custom_theme, "theme.light")
    assert second.custom_theme.primary_color != "red"


def test_there_is_a_theme() -> None:
    assert config.get_option("theme.light.primaryColor") == "#0f6b6b"
