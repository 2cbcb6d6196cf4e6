"""The input page in a real Chromium: cells, switches, the sections' own controls, the veil, history, a phone."""

from urllib.parse import parse_qs

import pytest

from tests.profiles import crossed, some

CAT, BOOKS = "The cat sat on the mat.", "我昨天在北京买了三本书"


@pytest.fixture
def tab(visit):
    return visit().open("input", lang="en", text=CAT, guess="skip")


@pytest.fixture
def section(visit):
    """`section("dropout")`: the page with that section open."""
    return lambda section: visit().open("input", lang="en", text=CAT, guess="skip", section=section)


def asked(tab) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(tab.query).items()}


def picture(tab):
    return tab.page.locator(".addition canvas")


def press(tab, name: str, option: str) -> None:
    """A switch above the picture."""
    tab.page.locator(f".control:has-text('{name}')").get_by_role("button", name=option, exact=True).first.click()
    tab.settle()


def pixels(tab) -> str:
    return picture(tab).evaluate("canvas => canvas.toDataURL()")


def test_a_cell_is_followed(tab):
    box = picture(tab).bounding_box()
    picture(tab).click(position={"x": 250, "y": box["height"] - 20})  # in the sum
    tab.settle()
    now = asked(tab)
    assert now["pos"] and int(now["dim"]) > 0 and "E[" in tab.text(".derivation")
    picture(tab).press("PageUp")
    tab.settle()
    assert asked(tab)["part"] == "segment" and "S[0," in tab.text(".derivation")
    assert "P[" not in tab.text(".derivation")
    picture(tab).press("ArrowRight")
    tab.settle()
    assert int(asked(tab)["dim"]) == int(now["dim"]) + 1
    assert "segment" in tab.page.locator(".addition .heard").inner_text()


def test_numbers_in_the_hand_add_up(tab):
    """The large cells: each column's parts make its sum, to the rounding shown; a click selects one."""
    rows = [[float(b.inner_text().replace("−", "-")) for b in tab.page.locator(f"[data-at^={part}-]").all()]
            for part in ("token", "position", "segment", "sum")]  # fmt: skip
    assert len(rows[0]) > 3
    for token, position, segment, total in zip(*rows, strict=True):
        assert total == pytest.approx(token + position + segment, abs=0.0021)
    cell = tab.page.locator("[data-at^=position-]").first
    cell.click()
    tab.settle()
    assert asked(tab)["part"] == "position" and "learned" in tab.text(".derivation")


@pytest.mark.thorough
def test_switches_change_the_picture_and_go_back(section):
    tab = section("switches")
    before, follow = pixels(tab), tab.text(".derivation")
    press(tab, "√d", "on")
    assert asked(tab)["sqrt"] == "on" and pixels(tab) != before and "times √d" in tab.text(".derivation")
    scaled = pixels(tab)
    press(tab, "positions", "off")
    assert (
        asked(tab)["positions"] == "off" and pixels(tab) != scaled and "all positions zero" in tab.text(".derivation")
    )
    press(tab, "combined by", "concatenating")
    assert asked(tab)["join"] == "concat" and "1,152" in tab.text(".addition .caption")
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert "1,152" in tab.text(".addition .caption") and "all positions zero" not in follow
    for name, option in (("√d", "off"), ("positions", "on"), ("combined by", "adding")):
        press(tab, name, option)
    assert tab.text(".derivation") == follow and pixels(tab) == before
    assert not {"sqrt", "positions", "join"} & set(asked(tab))  # where they stood from the start


@pytest.mark.thorough
def test_downstream_and_cosines_are_followed(section):
    tab = section("switches")
    marks = tab.page.locator("canvas.marks")
    marks.nth(0).click(position={"x": 150, "y": 150})
    tab.settle()
    assert asked(tab)["side"] == "own" and "cross terms" in tab.text(".derivation")
    press(tab, "combined by", "concatenating")
    marks.nth(1).click(position={"x": 150, "y": 150})
    tab.settle()
    assert {"pos", "k"} <= set(asked(tab)) and "side" not in asked(tab)  # "now" is where it opens
    assert "cross terms" not in tab.text(".derivation") and "concatenated" in tab.text(".derivation .where")
    tab.page.get_by_role("button", name="entering layer 1", exact=True).click()
    tab.settle()
    assert asked(tab)["of"] == "output"
    press(tab, "combined by", "adding")
    tab.page.get_by_role("button", name="attention in layer 1", exact=True).click()
    tab.settle()
    marks.nth(1).click(position={"x": 150, "y": 150})
    tab.settle()
    assert asked(tab)["look"] == "now" and "with √d" in tab.text(".derivation")
    press(tab, "√d", "on")
    assert "k" not in asked(tab) and "times √d" in tab.text(".derivation")


@pytest.mark.thorough
def test_sections_come_one_at_a_time(tab):
    headings = tab.page.locator("h2.part")
    entries = tab.page.evaluate("history.length")
    for id, heading in (
        ("dropout", "Dropout"),
        ("twice", "A common bug: a new table at each call"),
        ("why", "Why multiply by √d"),
    ):
        tab.open_section(id)
        assert headings.all_inner_texts() == ["Go deeper", heading]
    tab.open_section(id)
    assert "section" not in asked(tab) and headings.all_inner_texts() == ["Go deeper"]
    assert tab.page.evaluate("history.length") == entries  # Back leads to another sentence, language or page
    tab.open_section("twice")
    tab.page.reload()
    tab.page.wait_for_selector(".strip")
    tab.settle()
    assert asked(tab)["section"] == "twice" and "A common bug: a new table at each call" in headings.all_inner_texts()


def typed(tab, name: str, value: str) -> None:
    """Into a box of numbers, by hand."""
    box = tab.page.locator(f"input[data-at={name}]")
    with tab.answered():
        box.fill(value)
        box.press("Enter")


def chosen(tab, mode: str) -> None:
    with tab.answered():
        tab.page.locator(f"[data-at=mode-{mode}]").click()


def drawn(tab, key: str) -> str:
    return tab.page.locator(f".st-key-{key} canvas").first.evaluate("canvas => canvas.toDataURL()")


def test_dropout(section):
    tab = section("dropout")
    before = drawn(tab, "dropout")
    typed(tab, "rate", "0.9")
    assert asked(tab)["rate"] == "0.9" and drawn(tab, "dropout") != before
    chosen(tab, "evaluation")
    assert asked(tab)["mode"] == "evaluation" and "nothing is dropped" in tab.text("[data-testid=stMain]")


@pytest.mark.thorough
def test_a_click_on_a_cell_leaves_what_was_typed(visit):
    """A widget inside a piece was undone by the next click on a picture."""
    tab = visit().open("input", lang="en", text=CAT, guess="skip", section="dropout", rate="0.5")
    before = drawn(tab, "dropout")
    typed(tab, "rate", "0.9")
    typed(tab, "seed", "7")
    after = drawn(tab, "dropout")
    entries = tab.page.evaluate("history.length")
    for key, canvas in (("dropout", ".marks"), ("cosines_before", ".marks"), ("addition", "canvas")):
        tab.page.locator(f".st-key-{key} {canvas}").click(position={"x": 180, "y": 100})
        tab.settle()
        now = asked(tab)
        assert (now["rate"], now["seed"]) == ("0.9", "7") and "pos" in now, key
        assert tab.page.locator("input[data-at=rate]").input_value() == "0.9"
        assert tab.page.locator("input[data-at=seed]").input_value() == "7"
    assert drawn(tab, "dropout") != before and tab.page.evaluate("history.length") == entries
    chosen(tab, "evaluation")
    picture(tab).click(position={"x": 250, "y": 40})
    tab.settle()
    assert asked(tab)["mode"] == "evaluation" and "nothing is dropped" in tab.text("[data-testid=stMain]")
    chosen(tab, "training")
    assert "mode" not in asked(tab) and drawn(tab, "dropout") == after


def test_the_number_after_dropout_follows_the_rate(visit):
    given = {"section": "dropout", "rate": "0.5", "side": "after", "pos": 2, "k": 5}
    tab = visit().open("input", lang="en", text=CAT, guess="skip", **given)
    before = tab.followed
    typed(tab, "seed", "3")
    assert tab.followed != before and asked(tab)["seed"] == "3"


def test_width(section):
    tab = section("why")
    typed(tab, "width", "64")
    assert asked(tab)["width"] == "64" and "d = 64" in tab.text("[data-testid=stMain]")
    picture(tab).click(position={"x": 250, "y": 40})
    tab.settle()
    assert asked(tab)["width"] == "64" and "d = 64" in tab.text("[data-testid=stMain]")


@pytest.mark.thorough
def test_a_token_outside_the_windows_brings_new_ones(visit):
    tab = visit().open("input", lang="en", text="one two three " * 60, guess="skip", section="dropout")
    shown = ("dropout", "cosines_after", "addition")
    before = {key: drawn(tab, key) for key in shown}
    tab.page.locator(".strip button").nth(5).click()  # it opens on the last word
    tab.settle()
    assert asked(tab)["pos"] == "5" and not tab.page.locator(".waiting").count()
    assert [key for key in shown if drawn(tab, key) == before[key]] == []


def test_the_file_is_taken_away(section):
    tab = section("flow")
    with tab.page.expect_download() as download:
        tab.page.locator(".st-key-file button").click()
    file = download.value
    assert file.suggested_filename == "transformer_input.py"
    code = file.path().read_text(encoding="utf-8")
    assert all(piece in code for piece in ("class TransformerInput(", "class BertInput(", "def padding_mask("))


def test_boxes_are_doors(section):
    tab = section("flow")
    tab.page.locator(".flow a", has_text="Embedding").click()
    tab.page.wait_for_url("**/embedding*", timeout=20_000)
    tab.settle()
    assert "/embedding" in tab.page.url and asked(tab)["text"] == CAT


@pytest.mark.thorough
def test_the_question(visit):
    tab = visit().open("input", lang="en", text=CAT)
    said = tab.text("[data-testid=stMain]")
    assert "0.2997" not in said and "0.300" not in said
    tab.page.get_by_role("button", name="closer", exact=True).click()
    tab.settle()
    assert "0.300" in tab.text(".answer") and asked(tab)["guess"] == "nearer"


@pytest.mark.thorough
@pytest.mark.parametrize(("lang", "scheme"), crossed(["zh", "en"], ["light", "dark"]))
def test_above_the_fold_and_on_a_phone(visit, lang, scheme):
    desk = visit(scheme=scheme).open("input", lang=lang, text=BOOKS)
    box = desk.page.locator(".addition").bounding_box()
    assert box and box["y"] + box["height"] < 800 and desk.sideways() <= 0
    phone = visit(width=390, height=844, scheme=scheme).open("input", lang=lang, text=BOOKS, guess="skip")
    assert phone.sideways() <= 0
    box = phone.page.locator(".addition canvas").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390


@pytest.mark.thorough
def test_no_section_scrolls_sideways_on_a_phone(visit):
    tab = visit(width=390, height=844).open("input", lang="en", text=BOOKS, guess="skip")
    wide = {name: tab.sideways() for name in tab.sections()}
    assert wide and max(wide.values()) <= 0, wide


@pytest.mark.thorough
@pytest.mark.parametrize("text", some([BOOKS, CAT]))
def test_no_label_of_a_column_is_cut_on_a_phone(visit, text):
    """No ink in the last column of pixels of what carries the labels: the last one is whole."""
    tab = visit(width=390, height=844).open("input", lang="en", text=text, guess="skip", section="switches")
    marks = tab.page.locator("canvas.marks")
    assert marks.count() == 2
    for canvas in marks.all():
        ink = """c => { const pen = c.getContext("2d"), sum = (x, w) =>
            pen.getImageData(x, 0, w, c.height).data.filter((_, i) => i % 4 === 3).reduce((a, b) => a + b, 0);
            return [sum(c.width - 1, 1), sum(0, c.width)]; }"""
        edge, all_of_it = canvas.evaluate(ink)
        assert edge == 0 < all_of_it
