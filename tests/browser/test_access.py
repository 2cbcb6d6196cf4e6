"""Everyone can use every page: axe finds nothing grave, the focus is seen, nothing scrolls sideways, motion can stop.

The stages are asked where they are taken home (test_take.py) and as slides (test_slides.py), one language and theme
each; here their sections, one after the other, in the other theme, the other pages, and a few stages in the rest.
"""

import pytest

from core.stages import STAGES
from pages.stages import stages
from tests.browser import access
from tests.profiles import some

pytestmark = pytest.mark.thorough

DEEP = [stage.slug for stage in STAGES if stages()[stage.slug].sections]
SECTION = ".st-key-section_in"


def test_axe_is_there() -> None:
    if not access.AXE.is_file():
        pytest.skip("axe-core is not installed: make axe (npm and its registry)")


@pytest.mark.parametrize("slug, lang, scheme", some([("credits", "zh", "light"), ("claims", "en", "dark")]))
def test_a_page_beside_the_path(visit, slug: str, lang: str, scheme: str) -> None:
    tab = visit(scheme=scheme).open(slug, lang=lang)
    assert access.grave(tab) == []
    assert access.sideways(tab) == {}


@pytest.mark.parametrize("slug", some(DEEP, every=6))
def test_every_section(visit, slug: str) -> None:
    """Of each only what it brings is looked at."""
    tab = visit(scheme=("dark", "light")[len(slug) % 3 == 0]).open(slug, lang="en", guess="skip")
    found = {name: access.grave(tab, SECTION) for name in tab.sections()}
    assert found and {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize("lang, scheme", some([("zh", "dark"), ("en", "light")]))
def test_an_open_question(visit, lang: str, scheme: str) -> None:
    tab = visit(scheme=scheme).open("attention", lang=lang, open=1)
    tab.page.get_by_role("button", name={"zh": "分享", "en": "share"}[lang], exact=True).click()
    tab.page.wait_for_selector(".share .code svg")
    tab.page.keyboard.press("Tab")
    assert access.grave(tab) == []


def test_the_focus_is_always_seen(visit) -> None:
    tab = visit().open("attention", lang="en", take=1)
    tab.page.wait_for_selector(".take .line button")
    assert access.without_a_ring(tab, 70) == []


def test_who_asked_for_less_motion_gets_none(visit) -> None:
    tab = visit(reduced_motion="reduce").open("tokens", lang="en", guess="skip")
    longest = """() => Math.max(...[...document.querySelectorAll("*")].flatMap((node) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(node);
      return [animationName === "none" ? 0 : parseFloat(animationDuration), parseFloat(transitionDuration)];
    }))"""
    assert tab.page.evaluate(longest) < 0.001
