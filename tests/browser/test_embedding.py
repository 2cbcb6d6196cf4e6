"""The embedding page in a real Chromium: tokens, cells, windows of the table, pairs, the veil, history."""

from urllib.parse import parse_qs

import pytest

from tests.profiles import some

TABLE, OUTPUT, PAIRS = 0, 1, 2  # the three matrices, from the top
DIMS = 340  # from the left edge of a picture: somewhere among its dimensions


@pytest.fixture
def tab(visit):
    return visit().open("embedding", lang="en", guess="skip")


def marks(tab, which: int):
    return tab.page.locator("canvas.marks").nth(which)


def asked(tab) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(tab.query).items()}


def click(tab, which: int, x: float, y: float) -> dict[str, str]:
    marks(tab, which).click(position={"x": x, "y": y})
    tab.settle()
    return asked(tab)


def step(tab, name: str) -> None:
    tab.page.locator(f"button[data-at={name}]").click()
    tab.settle()


def test_token_by_token(tab):
    """Another token is there at once: its window came with the page, and only the derivation is asked for."""
    assert "1996" in tab.text(".derivation")
    tab.page.locator(".strip button", has_text="cat").click()
    tab.settle()
    assert asked(tab)["pos"] == "2" and "4937" in tab.text(".derivation")
    step(tab, "pos-on")
    assert asked(tab)["pos"] == "3" and "2938" in tab.text(".derivation")
    assert tab.page.locator(".strip .first").inner_text() == "sat"


def test_a_cell_of_the_output(tab):
    now = click(tab, OUTPUT, DIMS, 22 + 17 * 2.5)
    assert now["pos"] == "2" and 0 < int(now["dim"]) < 384
    assert f"E[4937, {now['dim']}]" in tab.text(".derivation")
    tab.page.keyboard.press("ArrowRight")
    tab.settle()
    assert int(asked(tab)["dim"]) == int(now["dim"]) + 1
    assert "cat" in tab.page.locator(".heard").nth(OUTPUT).inner_text()


@pytest.mark.thorough
def test_the_window_moves_where_the_whole_is_clicked_and_back(tab):
    now = click(tab, TABLE, DIMS, 45)  # halfway down the picture of the whole
    assert abs(int(now["row"]) - 15_261) < 600 and f"row {now['row']}" in tab.text(".derivation")
    tab.page.locator("canvas.marks").nth(TABLE).press("ArrowDown")
    tab.settle()
    assert int(asked(tab)["row"]) == int(now["row"]) + 1
    for _ in range(6):  # beyond the window: a new one comes
        tab.page.locator("canvas.marks").nth(TABLE).press("ArrowDown")
    tab.settle()
    assert int(asked(tab)["row"]) == int(now["row"]) + 7
    assert not tab.page.locator(".waiting").count()
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert f"row {int(now['row']) + 7}" in tab.text(".derivation")
    tab.page.locator(".strip button", has_text="mat").click()
    tab.settle()
    assert "row" not in asked(tab) and "13523" in tab.text(".derivation")


def test_a_pair_is_followed_and_let_go(tab):
    now = click(tab, PAIRS, 150, 150)
    assert {"pos", "k"} <= set(now) and "cosine" in tab.text(".derivation")
    tab.page.locator("[data-at=pair-onehot]").click()
    tab.settle()
    assert asked(tab)["pair"] == "onehot" and "one-hot" in tab.text(".derivation")
    step(tab, "dim-on")
    assert "k" not in asked(tab) and "E[" in tab.text(".derivation")


@pytest.mark.thorough
def test_cells_make_no_history(tab):
    before = tab.page.evaluate("history.length")
    click(tab, OUTPUT, DIMS, 60)
    click(tab, TABLE, DIMS, 50)
    click(tab, PAIRS, 150, 150)
    assert tab.page.evaluate("history.length") == before


@pytest.mark.thorough
@pytest.mark.parametrize("locale", some(["zh-CN", "en-US"]))
def test_the_question_keeps_its_row(visit, locale):
    tab = visit(locale=locale).open("embedding", lang=locale[:2], text="The cat sat on the mat.")
    texts = tab.page.locator("[data-testid=stMain]").inner_text()
    assert "1996" not in texts
    marks(tab, OUTPUT).hover(position={"x": DIMS, "y": 22 + 17 * 5.5})
    tip = tab.page.locator(".tip").nth(OUTPUT).inner_text()
    assert "1996" not in tip and ("veiled" in tip or "先盖着" in tip)
    click(tab, OUTPUT, DIMS, 22 + 17 * 5.5)
    assert "1996" not in tab.text(".derivation")
    tab.page.locator(".st-key-guess_8 button").click()
    tab.settle()
    assert "1996" in tab.text(".answer") and "1996" in tab.text(".derivation")
    marks(tab, OUTPUT).hover(position={"x": DIMS, "y": 22 + 17 * 5.5})
    first = tab.page.locator(".tip").nth(OUTPUT).inner_text().split()[-1]
    marks(tab, OUTPUT).hover(position={"x": DIMS, "y": 22 + 17 * 1.5})
    assert tab.page.locator(".tip").nth(OUTPUT).inner_text().split()[-1] == first


def test_table_and_output_stand_dimension_under_dimension(tab):
    """What is the same number stands in the same column: the fetched row above, the token's row below."""
    marks(tab, TABLE).hover(position={"x": DIMS, "y": 118 + 17 * 1.5})
    above = tab.page.locator(".tip").nth(TABLE).inner_text()
    marks(tab, OUTPUT).hover(position={"x": DIMS, "y": 22 + 17 * 5.5})
    below = tab.page.locator(".tip").nth(OUTPUT).inner_text()
    assert above.split("→")[1] == below.split("→")[1] and "1996" in above and "1996" in below


@pytest.mark.thorough
def test_picture_and_derivation_end_above_the_fold(tab):
    for which in (TABLE, OUTPUT):
        box = marks(tab, which).bounding_box()
        assert box and box["y"] + box["height"] <= 800
    derivation = tab.page.locator(".derivation").bounding_box()
    assert derivation and derivation["y"] + derivation["height"] <= 800


@pytest.mark.thorough
@pytest.mark.parametrize("text", some(["word " * 600, "", "The cat sat on the mat."]))
def test_nothing_scrolls_sideways(visit, text):
    tab = visit().open("embedding", lang="en", text=text, guess="skip")
    wide = {width: tab.sideways() for width in tab.widths()}
    assert max(wide.values()) <= 0, wide


@pytest.mark.thorough
def test_a_component_that_reports_a_cell_outside(tab):
    before = tab.followed
    tab.page.evaluate("() => seeThrough.select({ pos: 99 })")
    tab.settle()
    assert "pos=99" in tab.text(".derivation .note") and tab.followed == before
    assert "pos" not in asked(tab)
    tab.page.evaluate("() => seeThrough.select({ pos: '<b>', row: [1, 2], dim: { a: 1 } })")
    tab.settle()
    assert tab.followed == before and not {"pos", "row", "dim"} & set(asked(tab))


def test_a_long_text_fetches_what_it_lacks(visit):
    text = "Once upon a time a little girl lived near the forest, and whenever she went out she wore a red cloak."
    tab = visit().open("embedding", lang="en", text=text, guess="skip", pos=1)
    tab.page.locator(".strip button", has_text="forest").click()
    tab.settle()
    assert not tab.page.locator(".waiting").count()
    marks(tab, TABLE).hover(position={"x": DIMS, "y": 118 + 17 * 1.5})
    assert "forest" in tab.page.locator(".tip").nth(TABLE).inner_text()


@pytest.mark.thorough
@pytest.mark.parametrize(("motion", "slides"), [("no-preference", 1), ("reduce", 0)])
def test_the_fetched_row_slides_down_unless_less_motion_is_asked_for(visit, motion, slides):
    tab = visit(reduced_motion=motion).open("embedding", lang="en", guess="skip")
    tab.page.evaluate(
        """() => {
      window.slides = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...how) {
        window.slides += this.className === "slid";
        return animate.apply(this, how);
      };
    }"""
    )
    tab.page.locator(".strip button").nth(2).click()
    tab.settle()
    assert asked(tab)["pos"] == "2" and tab.page.evaluate("window.slides") == slides
    tab.page.wait_for_selector(".slid", state="detached")


def test_on_a_phone_the_whole_table_has_the_width(visit):
    tab = visit(width=390, height=844).open("embedding", lang="en")
    left, wide = tab.page.evaluate("""() => {
        const [table] = [...seeThrough.drawn].filter((picture) => picture.header?.whole);
        const [left, , wide] = table.wholeBox();
        return [left, wide];
    }""")
    assert left < 20 and wide > 300
