"""Every piece of every page, drawn alone after a whole run that was cut off before it came to that piece."""

from functools import partial

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData
from streamlit.testing.v1 import local_script_runner

from pages.shared.page import drawing
from pages.shared.page.stage import SECTION
from pages.stages import pages
from tests.profiles import some

STAGES = sorted(slug for slug, made in pages().items() if made.sections)


def pieces(page) -> dict[str, str]:
    """The ids of a page's pieces, by their keys."""
    return {key: id for id, key in page.app._fragment_storage._target_key_by_id.items()}


def cut_off(page) -> None:
    """A whole run begins by forgetting what its pieces wrote outside themselves; cut off, it writes it no more."""
    page.app._fragment_storage.clear_outside_wrappers()


def draw_alone(page, id: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "RerunData", partial(RerunData, fragment_id_queue=[id]))
        page.run()


@pytest.mark.parametrize("slug", STAGES)
def test_every_piece_of_every_section_can_be_drawn_alone_after_a_cut_off_run(slug, opened, caplog):
    made, drawn = pages()[slug], set()
    for section in some(list(made.sections)):
        page = opened(slug, "en", text=None, guess="skip", section=section)
        for key, id in pieces(page).items():
            if key not in drawn or key == SECTION:
                drawn.add(key)
                cut_off(page)
                draw_alone(page, id)
    assert "cannot be drawn alone" not in caplog.text
    assert drawn >= {SECTION}


def test_a_piece_that_streamlit_refuses_alone_is_drawn_with_the_whole_page(opened, caplog, monkeypatch):
    """One that does what none of ours may: it writes outside itself."""
    page = opened("position", "en", text=None, guess="skip", section="calculator")
    usual = drawing.Drawing.piece

    def outside(sight, key, draw):
        place = st.empty() if key == "calculated" else None

        def drawn(context) -> None:
            if place is not None:
                place.html("outside")
            draw(context)

        usual(sight, key, drawn)

    monkeypatch.setattr(drawing.Drawing, "piece", outside)
    page.run()
    assert "outside" in page.html
    cut_off(page)
    draw_alone(page, pieces(page)["calculated"])
    assert "cannot be drawn alone" in caplog.text
    assert "outside" in page.html
