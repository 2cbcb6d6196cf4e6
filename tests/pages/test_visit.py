"""The session's share of the address: reports, widgets, buttons, sentences, and what is drawn anew after them."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from streamlit.errors import StreamlitAPIException

from pages.shared.address import visit
from pages.shared.address.address import Address, Repair, choice, index, whole
from pages.shared.page.stage import Stage

TABLE = {"layer": whole(1, 6, 3), "rate": choice("a", "b", default="a"), "q": index(9, 5), "k": index(9, 6)}
STAGE = Stage("attention", lambda context: None, redraws={"picture": ("layer",)}, opened_by=("q", "k"))


class Query(dict):
    """As much of st.query_params as the site uses."""

    def to_dict(self) -> dict[str, str]:
        return dict(self)

    def from_dict(self, values: dict[str, str]) -> None:
        self.clear()
        self.update(values)


class Rerun(Exception):
    """Streamlit's st.rerun ends a callback by raising."""


@contextmanager
def site(**query: str) -> Iterator[SimpleNamespace]:
    """A visit at this address; `drawn` has what was drawn anew."""
    drawn: list[object] = []

    def rerun(scope: object = "app") -> None:
        drawn.append(scope)
        raise Rerun

    streamlit = SimpleNamespace(
        query_params=Query(query), session_state={}, context=SimpleNamespace(locale="en-GB"), rerun=rerun, drawn=drawn
    )
    with patch.object(visit, "st", streamlit):
        yield streamlit


def run(page: str = "attention") -> Address:
    """A whole run, as the frame makes it."""
    address = visit.read(page)
    address.read(TABLE)
    visit.write(address, page)
    visit.browser().page = page
    return address


def act(callback, *args: object, **more: object) -> None:
    """A callback as Streamlit runs it."""
    with suppress(Rerun):
        callback(*args, **more)


def report(site: SimpleNamespace, said: object) -> None:
    site.session_state["address"] = {"report": said}
    act(visit.hear, "address", STAGE)


def patches(*patches: dict, **more: object) -> dict:
    return {"page": "attention", "patches": [[i, one] for i, one in enumerate(patches, 1)], "lacks": [], **more}


def test_a_page_s_first_run_leaves_the_address_to_the_browser() -> None:
    with site(q="2", nonsense="1") as here:
        run()
        assert here.query_params == {"q": "2", "nonsense": "1"}
        run()
        assert here.query_params == {"lang": "en", "text": "The cat sat on the mat.", "q": "2"}
        here.query_params["nonsense"] = "1"
        run(page="tokens")
        assert "nonsense" in here.query_params


def test_each_run_has_its_turn_and_says_how_far_it_is() -> None:
    with site(text="a") as here:
        run()
        report(here, patches({"q": 1}))
        run()
        said = visit.echo()
        assert (said["turn"], said["ack"], said["query"]) == (2, 1, "lang=en&text=a&guess=open&q=1")
        assert said["session"] == visit.browser().session


def test_a_report_redraws_the_pieces_it_concerns() -> None:
    with site(text="a", guess="skip") as here:
        run()
        report(here, patches({"q": 4, "k": 8}))
        assert here.drawn == [["derivation"]]
        assert here.query_params == {"lang": "en", "text": "a", "guess": "skip", "q": "4", "k": "8"}
        report(here, {"page": "attention", "patches": [[2, {"layer": 2}]], "lacks": ["picture"]})
        assert here.drawn[1:] == [["picture"]] and here.query_params["layer"] == "2"


def test_a_report_that_concerns_the_whole_page_redraws_it_whoever_brings_it() -> None:
    with site(text="a", guess="skip") as here:
        run()
        here.session_state["derivation"] = {"report": patches({"layer": 2, "guess": None})}
        act(visit.hear, "derivation", STAGE, "derivation")
        assert len(here.drawn) == 1 and here.drawn[0] in (None, "app") and "guess" not in here.query_params


def test_a_patch_that_comes_again_is_not_applied_again() -> None:
    with site(text="a", guess="skip") as here:
        run()
        report(here, patches({"q": 4}))
        act(visit.change_all, q=None)
        report(here, patches({"q": 4}, {"k": 1}))
        assert "q" not in here.query_params and here.query_params["k"] == "1"


def test_a_widget_is_not_undone_by_the_next_click() -> None:
    """The browser's message may carry an address older than the widget's: patches go on what the session has."""
    with site(text="a", guess="skip") as here:
        run()
        here.session_state["rate_in"] = "b"
        act(visit.handed, "rate_in", partial(visit.moved, STAGE, "rate", {}))
        here.query_params.from_dict({"lang": "en", "text": "a", "guess": "skip"})  # what the browser still had
        report(here, patches({"q": 4}))
        assert here.query_params == {"lang": "en", "text": "a", "guess": "skip", "rate": "b", "q": "4"}


def test_whoever_clicks_while_the_question_is_open_has_not_answered() -> None:
    with site(text="a") as here:
        run()
        report(here, patches({"q": 4}))
        assert here.query_params["guess"] == "open"
        act(visit.set_up, STAGE, {}, {"guess": "6", "q": None})
        assert here.query_params["guess"] == "6" and here.drawn[-1] == "app"


def test_a_report_of_another_page_counts_as_nothing() -> None:
    with site(text="a") as here:
        run()
        before = dict(here.query_params)
        report(here, patches({"q": 4}, page="tokens"))
        assert here.query_params == before and here.drawn == []


@pytest.mark.parametrize("said", [None, "q", 3, [], {}, {"page": "attention", "patches": 3, "lacks": "x"}])
def test_what_is_no_report_counts_as_nothing(said: object) -> None:
    with site(q="1", guess="skip") as here:
        run()
        before = dict(here.query_params)
        report(here, said)
        after = dict(here.query_params)
        assert {**after} == {**before, **after} and after.get("q") == "1"
        assert run().repairs == []


def test_a_piece_that_is_gone_brings_the_whole_page() -> None:
    with site(text="a", guess="skip") as here:
        run()
        real = here.rerun

        def rerun(scope: object = "app") -> None:
            if scope != "app":
                raise StreamlitAPIException("unknown key")
            real(scope)

        here.rerun = rerun
        report(here, patches({"q": 4}))
        assert here.drawn == ["app"] and here.query_params["q"] == "4"


def test_another_sentence_that_is_too_long() -> None:
    with site() as here:
        run()
        act(visit.take_text, {}, "x" * 2001)
        assert here.query_params["text"] == "x" * 2000 and here.drawn == ["app"]
        assert visit.refused() == Repair("text_cut", {"limit": 2000, "length": 2001})
        assert visit.refused() is None  # said once


def test_a_button_that_sets_up_a_sentence() -> None:
    with site(text="a", q="1", guess="skip") as here:
        address = run()
        act(visit.set_up, STAGE, address.ends(), {"text": "b"})
        assert here.query_params == {"lang": "en", "text": "b", "guess": "skip"}


def test_another_model() -> None:
    with site(text="猫", layer="2") as here:
        address = run()
        act(visit.take_model, address.ends(), "minilm")
        assert here.query_params == {"lang": "en", "text": "猫", "model": "minilm"}


def test_the_language_is_the_browser_s() -> None:
    for locale, language in (
        ("zh-CN", "zh"),
        ("ZH-Hant-TW", "zh"),
        ("en-US", "en"),
        ("fr", "en"),
        ("", "en"),
        (None, "en"),
    ):
        with site() as here:
            here.context.locale = locale
            assert visit.language() == language


def test_a_run_that_two_callbacks_asked_for_has_both_their_patches():
    with site(layer="3") as streamlit:
        run()
        act(visit.change, rate="b")
        first = streamlit.query_params.to_dict()
        act(visit.change, q=2)
        streamlit.query_params.from_dict(first)  # Streamlit runs it with the address of the first
        address = run()
        assert (address["rate"], address["q"]) == ("b", 2) and streamlit.query_params["q"] == "2"
        assert run()["q"] == 2
        streamlit.query_params.from_dict({"layer": "3"})  # what a run has read once is the address's alone
        assert run()["rate"] == "a"


def test_of_a_page_that_was_left_too_soon_only_what_the_path_takes_along_goes_on():
    with site(layer="3") as streamlit:
        run()
        act(visit.change, q=2, theme="dark")
        streamlit.query_params.from_dict({"layer": "1"})  # the link that was pressed meanwhile
        address = run("heads")
        assert (address["layer"], address.canonical().get("q"), address["theme"]) == (1, None, "dark")


def test_a_page_that_is_left_asks_for_nothing_more():
    with site(layer="3") as streamlit, patch.object(visit, "another_page_is_next", lambda: True):
        run()
        report(streamlit, patches({"q": 2}))
        act(visit.change_all, theme="dark")
        assert streamlit.drawn == []


HANDED = {"a text": {"typed": "two\nlines"}, "a number": {"typed": 3}, "nothing": {}, "no mapping": "x"}


@pytest.mark.parametrize("what", HANDED)
def test_a_text_that_is_handed_over_is_one(what: str) -> None:
    """A browser may send anything."""
    found: list[str] = []
    with site() as here:
        here.session_state["words_controls"] = HANDED[what]
        visit.take_typed("words_controls", found.append)
    assert found == (["two\nlines"] if what == "a text" else [])
