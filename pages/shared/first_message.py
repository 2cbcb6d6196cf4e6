"""The theme in the first message of every run: Streamlit reads it from the configuration each time, which is a fifth of
what a click costs. Here it is read once; the configuration does not change while a server runs.
"""

from collections.abc import Callable
from functools import cache

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

Populate = Callable[..., None]


def remembering(populate: Populate) -> Populate:
    """The same as Streamlit's own, but for the second time on."""

    @cache
    def theme(section: str) -> CustomThemeConfig:
        message = CustomThemeConfig()
        populate(message, section)
        return message

    def copied(message: CustomThemeConfig, section: str = "theme") -> None:
        if theme(section).ByteSize():  # an empty one must stay unset
            message.CopyFrom(theme(section))

    return copied


def read_once() -> None:
    """To be called once, before there are sessions."""
    app_session._populate_theme_msg = remembering(app_session._populate_theme_msg)
