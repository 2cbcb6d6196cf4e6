"""What is taken home of each page, as a visitor does: files are opened, and compared with the page they are of. On the
way the stage, with all at its foot open, is asked whether everyone can use it."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest

from core.stages import STAGES
from tests.browser import access
from tests.profiles import some

SVG = "{http://www.w3.org/2000/svg}"
# All texts of a picture on the page, but those that serve the hand; what is painted on a canvas is none of them.
HINTS = "host => [...host.shadowRoot.querySelectorAll('.screen')].map((one) => one.innerText)"
WRITTEN = """host => {
  const said = [];
  const walk = (node) => {
    if (node.nodeType === 3 && node.data.trim()) said.push(node.data.trim().replace(/\\s+/g, " "));
    if (node.nodeType !== 1 || node.matches(".tip,.heard,.tool,.sign,.save,.all,.screen")) return;
    if (node.matches("style,script,title,input")) return;
    const style = getComputedStyle(node);
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return;
    if (node.checkVisibility()) for (const child of node.childNodes) walk(child);
  };
  for (const child of host.shadowRoot.childNodes) walk(child);
  return said;
}"""
LETTERS = re.compile(r"\W+")


def letters(text: str) -> str:
    return LETTERS.sub("", text)


def saved(tab, button, folder: Path) -> Path:
    with tab.page.expect_download() as download:
        button.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.mark.thorough
@pytest.mark.parametrize("slug", some([stage.slug for stage in STAGES], every=6))
def test_a_page_is_for_everyone_and_so_is_its_handout(visit, window, slug: str, tmp_path: Path) -> None:
    lang = ("en", "zh")[len(slug) % 2]
    tab = visit(scheme=("light", "dark")[len(slug) % 3 == 0]).open(slug, lang=lang, guess="skip", take=1, open=1)
    tab.page.wait_for_selector(".take .line button")
    assert access.grave(tab) == []
    file = saved(tab, tab.page.locator(".take button[data-at='page.HTML']"), tmp_path)
    handout, asked = window(900, 900, offline=True).new_page(), []
    try:
        handout.on("request", lambda request: asked.append(request.url))
        handout.goto(file.as_uri())
        assert asked == [file.as_uri()]
        assert handout.locator("h1").inner_text() == tab.text("h1")
        lead = letters(tab.text(".place.lead"))
        assert lead and lead in letters(handout.locator("body").inner_text())
        assert handout.locator("button, a, .term, [role=button]").count() == 0  # nothing can be pressed on paper
        assert handout.locator("math").count() and handout.locator("pre").count()
        assert handout.locator("html").get_attribute("lang") == lang
        link = parse_qs(urlsplit(handout.locator("footer td").last.inner_text()).query)
        assert link == {name: given for name, given in parse_qs(tab.query).items() if name not in ("take", "open")}
        said = letters(" ".join(handout.locator("figure").all_text_contents()))
        for host in tab.page.locator("[data-drawn]").all():
            if host.locator(".matrix, .depth, .cloud, .derivation, .waves").count():
                missing = [text for text in host.evaluate(WRITTEN) if letters(text) not in said]
                assert not missing, missing
                hints = host.evaluate(HINTS)
                assert not [hint for hint in hints if letters(hint) in said]  # what is only to press
    finally:
        handout.close()
    assert access.sideways(tab) == {}


def test_a_picture_has_its_labels_whatever_it_is_painted_on(visit, tmp_path: Path) -> None:
    """The matrix is a canvas: its SVG has the tokens as texts and the cells as boxes, in the colours of the page."""
    tab = visit().open("attention", lang="en", text="Cats <see> “dogs” & me.", guess="skip", take=1)
    line = tab.page.locator(".take .line", has_text="Attention matrix")
    root = ElementTree.parse(saved(tab, line.get_by_text("SVG"), tmp_path)).getroot()
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    tokens = tab.page.locator(".strip button").all_inner_texts()
    assert all(texts.count(token) >= 2 * tokens.count(token) for token in tokens)
    assert len([box for box in root.iter(f"{SVG}rect") if box.get("fill")]) > len(tokens) ** 2
    picture = saved(tab, line.get_by_text("PNG"), tmp_path).read_bytes()
    assert picture[:4] == b"\x89PNG" and int.from_bytes(picture[16:20]) == 2 * int(root.get("width", 0))


def test_what_only_serves_the_hand_is_no_picture(visit) -> None:
    tab = visit().open("attention", lang="en", tour="short", take=1)
    tab.page.wait_for_selector(".take .line button")
    files = tab.page.locator(".take button[data-at$=SVG]").evaluate_all("all => all.map((one) => one.dataset.at)")
    assert files and not re.findall(r"begin|slides|share|sentence|address|strip", " ".join(files)), files


def test_a_table_has_every_digit_and_a_veil_is_kept(visit, tmp_path: Path) -> None:
    tab = visit().open("input", lang="en", guess="skip", take=1, open=1, section="why")
    tab.page.wait_for_selector(".take .line >> text=Shapes")
    tables = tab.page.get_by_text("CSV", exact=True)
    rows = saved(tab, tables.first, tmp_path).read_text(encoding="utf-8").splitlines()
    shapes = saved(tab, tables.last, tmp_path).read_text(encoding="utf-8")
    assert "embedding.output,token × d_model,9 × 384" in shapes
    shown = tab.page.locator("[data-testid=stMain] [data-testid=stHtml] table").first
    cells = shown.locator("td").all()
    exact = [cell.get_attribute("title") for cell in cells if cell.get_attribute("title")]
    assert exact and all(digits.replace("−", "-") in "\n".join(rows) for digits in exact)
    veiled = visit().open("attention", lang="en", take=1)
    veiled.page.wait_for_selector(".take .line button")
    page = saved(veiled, veiled.page.locator(".take button[data-at='page.HTML']"), tmp_path).read_text(encoding="utf-8")
    assert (
        "0.8357" not in page
        and "0.836" not in page
        and "covered here" in page
        and veiled.page.locator(".st-key-npz").count() == 0
    )
