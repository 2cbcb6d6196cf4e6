"""What every browser must do (Chromium has the deep tests besides): show each page, and answer ten gestures."""

import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from pages.stages import pages
from tests.browser.engines import Engine, wait
from tests.profiles import some

# Pictures that were painted without any ink: on none of their canvases any two pixels differ.
BLANK = """(() => {
  const blank = ({ shadowRoot }) => {
    const canvases = [...shadowRoot.querySelectorAll("canvas")].filter((canvas) => canvas.clientWidth && canvas.width);
    const painted = (canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Uint32Array(data.buffer).some((pixel, _, all) => pixel !== all[0]);
    };
    return canvases.length && !canvases.some(painted);
  };
  const pictures = watched.all("[data-drawn]").filter((host) => host.shadowRoot && host.checkVisibility());
  return pictures.filter(blank).map((host) => host.closest("[class*=st-key-]").className);
})()"""
BROKEN = "BidiComponent Error"  # what Streamlit writes in the place of a picture that failed


class Gestures:
    """One visit, from gesture to gesture; a module gives `tab`, the browser it is made in."""

    lang = "en"  # of the pages that are looked at
    first = 0  # of these, where they are every second

    @pytest.fixture(autouse=True)
    def faultless(self, tab: Engine):
        yield
        assert tab.take_faults() == []

    def test_every_page_is_drawn(self, tab: Engine) -> None:
        tab.open("overview", lang=self.lang, guess="skip")
        for slug in some(list(pages())[self.first :], every=2):
            tab.evaluate(f"document.querySelector('[data-testid=stSidebar] a[href^=\"{slug}?\"]').click()")
            tab.until(f"window.seeThrough?.page === '{slug}'")
            tab.settle()
            assert BROKEN not in tab.text("body"), slug
            assert tab.count("[data-testid=stException]") == 0 and tab.text("h1"), slug
            assert tab.evaluate(BLANK) == [], slug
            assert tab.take_faults() == [], slug

    def test_a_cell_is_followed(self, tab: Engine) -> None:
        attention(tab)
        before = tab.text(".derivation h2")
        tab.click(".matrix .marks", 0.4, 0.6)
        assert {"q", "k"} <= parse_qs(tab.query[1:]).keys()
        assert tab.text(".derivation h2") != before

    def test_a_number_is_followed_and_back_undoes_it(self, tab: Engine) -> None:
        attention(tab)
        assert tab.evaluate("getComputedStyle(watched.one('.derivation .door')).textDecorationStyle") == "dotted"
        before = tab.text(".derivation h2")
        tab.click(".derivation .door")
        assert "trail=" in tab.query and tab.count(".derivation .crumb") == 1
        tab.evaluate("history.back()")
        tab.until("!location.search.includes('trail=')")
        tab.settle()
        assert tab.text(".derivation h2") == before

    def test_all_the_way(self, tab: Engine) -> None:
        attention(tab, trail="encoder.3.9.weights.5.6~encoder.3.attention.query.9.5.23~output.5.157")
        tab.click(".derivation .all")
        tab.until("location.search.split('%7E').length + location.search.split('~').length > 5")
        tab.click(".derivation .all")

    def test_a_tip_has_every_digit(self, tab: Engine) -> None:
        attention(tab)
        tab.point(".matrix .marks", 0.4, 0.6)
        tab.until("watched.one('.matrix .tip')?.innerText.match(/→.*0\\.\\d{6}/)")

    def test_arrows_that_are_held(self, tab: Engine) -> None:
        """For longer than a browser would write an address each time."""
        attention(tab, q=0, k=0)
        tab.evaluate("watched.one('.matrix .marks').focus()")
        tab.keys(*["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"] * 40, "ArrowDown")
        tab.settle()
        assert "q=1" in tab.query and "k=0" in tab.query

    def test_another_sentence_and_back(self, tab: Engine) -> None:
        attention(tab)
        tab.click(".sentence .open")
        tab.evaluate("watched.one('.sentence textarea').select()")
        tab.keys(*"Dogs bark.", "Enter")
        tab.until("location.search.includes('Dogs+bark.')")
        tab.settle()
        assert "dogs" in tab.text(".strip")
        tab.evaluate("history.back()")
        tab.until("!location.search.includes('Dogs')")
        tab.settle()
        assert "cat" in tab.text(".strip")

    def test_a_class_is_shown_what_is_clicked(self, tab: Engine) -> None:
        """On a large window, where all is enlarged: what lies under a pointer is what the picture takes it for."""
        tab.resize(1920, 1080)
        attention(tab, present=1, slide=3)
        fit = "document.documentElement.style.cssText"
        tab.until(f"watched.fit === (watched.fit = {fit})", still=0.5)  # the picture is as large as it will be
        corners = {(x, y): tab.place(".matrix .marks", x, y) for x in (0.01, 0.99) for y in (0.01, 0.99)}
        for corner, (x, y) in corners.items():
            hit = f"document.elementFromPoint({x}, {y}).shadowRoot.elementFromPoint({x}, {y}).className"
            assert tab.evaluate(hit) == "marks", corner
        tab.click(".matrix .marks", 0.25, 0.4)
        tab.point(".matrix .marks", 0.25, 0.405)
        tab.until("watched.one('.matrix .tip')?.innerText")
        pointed = tab.text(".matrix .tip")
        tab.keys("f")
        tab.settle()
        selected = tab.text(".derivation .where")
        named = [re.findall(r"[\w\[\].]+", said)[:2] for said in (selected, pointed)]
        assert named[0] == named[1], (selected, pointed)
        tab.keys("PageDown")
        tab.until("location.search.includes('slide=4')")
        tab.resize(1280, 800)

    def test_a_clicker_turns_and_the_arrows_come_back(self, tab: Engine) -> None:
        """Whatever was clicked, and after another sentence; the notes’ window reveals; a lab goes on to the next."""
        tab.open("attention", lang="en", present=1)
        tab.until("document.querySelector('.st-key-skip button')")
        tab.evaluate("void new BroadcastChannel('see-through-notes').postMessage({ reveal: true })")
        tab.until("!document.querySelector('.st-key-skip button')")
        tab.settle()
        tab.evaluate("watched.one('.matrix .marks').focus()")
        tab.keys("PageDown")
        tab.until("location.search.includes('slide=2')")
        tab.keys("PageUp")
        tab.until("location.search.includes('slide=1')")
        tab.settle()
        tab.click(".sentence .open")
        tab.evaluate("watched.one('.sentence textarea').select()")
        tab.keys(*"Dogs bark.", "Enter")
        tab.until("location.search.includes('Dogs+bark.')")
        tab.settle()
        tab.keys("ArrowRight")
        tab.until("location.search.includes('slide=2')")
        tab.open("vocabulary", lang="en", present=1, slide=4)
        tab.keys("PageDown")
        tab.until("location.pathname.endsWith('segmentation')")
        tab.settle()

    def test_a_picture_is_downloaded(self, tab: Engine, downloads: Path) -> None:
        attention(tab, take=1)
        tab.click(".take button[data-at$=PNG]")
        wait(lambda: list(downloads.glob("*.png")), "the picture is there")

    def test_light_and_dark(self, tab: Engine) -> None:
        attention(tab)
        paper = "getComputedStyle(document.querySelector('[data-testid=stApp]') ?? document.body).backgroundColor"
        light = tab.evaluate(paper)
        tab.click(".st-key-switch-dark button")
        tab.until(f"{paper} !== {light!r}")
        tab.settle()
        assert "theme=dark" in tab.query and tab.evaluate(BLANK) == []


def attention(tab: Engine, **parameters: object) -> None:
    tab.open("attention", lang="en", guess="skip", **parameters)
