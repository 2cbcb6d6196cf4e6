"""The position page in a real Chromium: waves and clocks by hand and by key, typed numbers, the two orders, history."""

from urllib.parse import parse_qs

import pytest

from tests.profiles import some

CAT, BOOKS = "The cat sat on the mat.", "我昨天在北京买了三本书"


@pytest.fixture
def tab(visit):
    return visit().open("position", lang="en", guess="skip", kind="sinusoidal")


@pytest.fixture
def section(visit):
    """`section("far")`: the page with that section open."""
    return lambda section: visit().open("position", lang="en", guess="skip", kind="sinusoidal", section=section)


def asked(tab) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(tab.query).items()}


def settled(tab) -> dict[str, str]:
    return asked(tab.settle())


def derivation(tab, number: int) -> str:
    return tab.page.locator(".derivation").nth(number).inner_text()


def type_in(tab, name: str, value: str) -> dict[str, str]:
    box = tab.page.locator(f"input[data-at={name}]").first
    box.fill(value)
    box.press("Enter")
    return settled(tab)


@pytest.mark.thorough
def test_a_wave_is_pressed_and_dragged(tab):
    waves = tab.page.locator(".waves svg")
    waves.scroll_into_view_if_needed()
    box = waves.bounding_box()
    assert box
    lane = box["y"] + 20 + 47 * 1.5
    tab.page.mouse.move(box["x"] + 200, lane)
    tab.page.mouse.down()
    tab.page.mouse.move(box["x"] + 320, lane, steps=6)
    dragged = tab.page.locator(".clocks .title").first.inner_text()  # the hands turn while the button is down
    tab.page.mouse.up()
    now = settled(tab)
    assert now["dim"] == "24" and 25 < int(now["pos"]) < 45
    assert f"position {now['pos']} " in dragged
    assert f"position {now['pos']}, dim 24" in tab.text(".derivation")


def test_keys_lead_everywhere(tab):
    waves = tab.page.locator(".waves svg")
    waves.press("ArrowRight")
    waves.press("ArrowDown")
    now = settled(tab)
    assert (now["pos"], now["dim"]) == ("7", "49")
    assert "cos(" in tab.text(".derivation")
    assert "position 7, dim 49" in tab.page.locator(".waves .heard").inner_text()
    tab.page.locator(".clocks canvas").first.press("ArrowRight")
    assert settled(tab)["dim"] == "51"


def test_positions_beyond_the_window_come(tab):
    waves = tab.page.locator(".waves svg")
    waves.press("End")
    now = settled(tab)
    assert now["pos"] == "511" and not tab.page.locator(".waiting").count()
    assert "positions 448 to 511" in waves.text_content()
    assert "position 511" in tab.page.locator(".clocks .title").first.inner_text()


def test_a_clock_is_clicked(tab):
    clocks = tab.page.locator(".clocks canvas").first
    clocks.click(position={"x": 10, "y": 10})
    assert settled(tab)["dim"] == "0"
    clocks.hover(position={"x": 10, "y": 10})
    assert "dim 0, 1" in tab.page.locator(".clocks .tip").first.inner_text()


def test_learned_and_back(tab):
    tab.page.get_by_role("button", name="learned", exact=True).click()
    assert "kind" not in settled(tab) and "P[6, 48]" in tab.text(".derivation")
    tab.page.locator("[data-at=kind-sinusoidal]").click()
    settled(tab)
    assert "sin(" in tab.text(".derivation")


def test_the_three_readers(tab):
    values = tab.page.locator(".orders text.value")
    other, outlined = tab.page.locator(".orders text.other"), tab.page.locator(".orders rect.other")
    above = values.all_text_contents()
    assert all(0.05 < float(value) < 1 for value in above), "it opens on what the question was about"
    assert set(other.all_text_contents()) == {"≈ 0"} and outlined.count() == 0
    assert tab.page.locator(".orders text.key").all_text_contents() == ["with positions", "without"]
    tab.page.locator("[data-at=reader-off]").click()
    settled(tab)
    assert set(values.all_text_contents()) == {"≈ 0"} and other.all_text_contents() == above
    named = 1  # the mark beside its name
    assert "bag of words" in tab.text(".orders .caption") and outlined.count() == named + values.count()
    tab.page.get_by_role("button", name="recurrent").click()
    settled(tab)
    assert values.all_text_contents()[0] == "0" and "seed 7" in tab.text(".orders .caption")
    assert "mat" in tab.page.locator(".orders svg").text_content(), "what the question was about"
    tab.page.locator(".st-key-order_controls .more").click()
    tab.page.get_by_role("button", name="short example").click()
    now = settled(tab)
    assert now["order"] == "example" and "bites" in tab.page.locator(".orders svg").text_content()


@pytest.mark.parametrize("width", [390, 1280])
def test_both_orders_are_seen_whole(visit, width):
    """Beside one another, or under one another: both words that change places are in sight, twice."""
    tab = visit(width=width, height=844).open("position", lang="zh", text=BOOKS, guess="skip", order="own")
    assert not tab.page.locator(".orders .more").is_visible() and tab.sideways() <= 0
    moved = tab.page.locator(".orders rect.moved")
    assert moved.count() == 4
    for box in (chip.bounding_box() for chip in moved.all()):
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
    off, on = (
        [box for one in tab.page.locator(f".orders text.{kind}").all() if (box := one.bounding_box())]
        for kind in ("other", "value")
    )
    assert all(a["x"] + a["width"] <= b["x"] or a["y"] >= b["y"] + b["height"] for a, b in zip(off, on, strict=True))


@pytest.mark.thorough
def test_where_the_two_orders_do_not_fit_that_is_said(visit):
    tab = visit(width=390, height=844).open("position", lang="zh", text=3 * BOOKS, guess="skip", order="own")
    assert tab.page.locator(".orders .more").is_visible()
    last = tab.page.locator(".orders text.chip").last
    tab.page.locator(".orders .scroll").evaluate("box => box.scrollTo(9999, 0)")
    box = last.bounding_box()
    assert box and box["x"] + box["width"] <= 390 and tab.sideways() <= 0


@pytest.mark.thorough
def test_the_veil_covers_the_reader_that_is_asked_about(visit):
    tab = visit().open("position", lang="en")
    values = tab.page.locator(".orders text.value")
    assert set(values.all_text_contents()) == {"≈ 0"}, "it opens on the one that is not asked about"
    other, asked = tab.page.locator(".orders text.other"), tab.page.locator(".orders text.key .hidden")
    assert other.count() == 0 and asked.count() == 1, "one question mark, at the name of its row"
    heights = tab.page.locator(".orders rect.open:not([width='10'])").evaluate_all(
        "all => all.map((one) => one.getAttribute('height'))"
    )
    assert len(heights) == 9 and len(set(heights)) == 1, "a dashed bar a token, all alike"
    tab.page.locator("[data-at=reader-on]").click()
    settled(tab)
    assert values.count() == 0 and asked.count() == 1 and set(other.all_text_contents()) == {"≈ 0"}
    tab.page.locator(".st-key-guess_none button").click()
    tab.page.wait_for_url(lambda url: "guess=none" in url)
    tab.settle()
    assert set(other.all_text_contents()) == {"≈ 0"} and asked.count() == 0, "both rows are seen"
    tab.page.locator("[data-at=reader-on]").click()
    settled(tab)
    assert "≈ 0" not in values.all_text_contents()


@pytest.mark.thorough
def test_numbers_are_typed_into_the_calculator(section):
    tab = section("calculator")
    assert type_in(tab, "d", "7")["d"] == "7"
    now = type_in(tab, "i", "6")
    assert now["i"] == "6" and "dim 6" in derivation(tab, 1)
    assert "odd" in tab.page.locator(".st-key-calculator_row").inner_text()
    before = derivation(tab, 1)
    for wrong in ("-3", "1e9", "2.5", ""):
        now = type_in(tab, "i", wrong)
        assert now["i"] == "6" and derivation(tab, 1) == before
    assert "a whole number from 0 to 4,095" in tab.page.locator(".refusal").all_inner_texts()


def test_a_typed_step_turns_the_hands(section):
    tab = section("moving")
    before = derivation(tab, 1)
    assert type_in(tab, "by", "-9")["by"] == "-9"
    assert derivation(tab, 1) != before and "− 9" in derivation(tab, 1)
    assert "k = -9" in tab.page.locator(".katex annotation").first.text_content()


def test_a_pair_of_positions(section):
    tab = section("far")
    assert type_in(tab, "a", "100")["a"] == "100"
    assert type_in(tab, "b", "101")["b"] == "101"
    assert "3.235" in derivation(tab, 1) and "100 and 101" in derivation(tab, 1)
    tab.page.get_by_role("button", name="dot product", exact=True).click()
    assert settled(tab)["measure"] == "dot" and "Σ cos" in derivation(tab, 1)
    matrix = tab.page.locator(".matrix canvas.marks").first
    matrix.scroll_into_view_if_needed()
    matrix.click(position={"x": 200, "y": 200})
    now = settled(tab)
    assert 0 < int(now["a"]) < 128 and f"{now['a']} and {now['b']}" in derivation(tab, 1)
    assert tab.page.locator("input[data-at=a]").input_value() == now["a"]


@pytest.mark.thorough
def test_max_len(section):
    """Presets and a typed number; a row far down is followed, and let go with the table that had it."""
    tab = section("table")
    assert "position 6, dim 48" in derivation(tab, 1)
    tab.page.get_by_role("button", name="5,000", exact=True).click()
    assert settled(tab)["max_len"] == "5000" and "7,680,000" in tab.text("tr.query")
    matrix = tab.page.locator(".st-key-whole_matrix canvas.marks")
    matrix.scroll_into_view_if_needed()
    matrix.click(position={"x": 200, "y": 60})
    now = settled(tab)
    assert 3000 < int(now["row"]) < 5000 and f"{int(now['row']):,}, dim {now['dim']}" in derivation(tab, 1)
    assert not tab.page.locator(".waiting").count()
    now = type_in(tab, "max_len", "4")
    assert now["max_len"] == "4" and "row" not in now and "has no row 6" in derivation(tab, 1)
    before = derivation(tab, 1)
    for wrong in ("0", "10001", "2.5", ""):
        assert type_in(tab, "max_len", wrong) == now and derivation(tab, 1) == before
    assert "a whole number from 1 to 10,000" in tab.page.locator(".refusal").all_inner_texts()
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert asked(tab) == now and "6,144" in tab.text("tr.query")


@pytest.mark.thorough
def test_a_learned_pair(section):
    """A click on the matrix is followed in the learned table; colours by one scale or by two."""
    tab = section("learned")
    assert "2.276" in derivation(tab, 1)
    matrix = tab.page.locator(".matrix canvas.marks").nth(2)
    matrix.scroll_into_view_if_needed()
    matrix.click(position={"x": 210, "y": 200})
    now = settled(tab)
    assert f"{now['a']} and {now['b']}" in derivation(tab, 1)
    assert "15.14" not in tab.page.locator(".matrix .line").nth(2).inner_text()
    tab.page.get_by_role("button", name="one scale").click()
    settled(tab)
    assert "15.14" in tab.page.locator(".matrix .line").nth(2).inner_text()


def test_sections_are_kept_while_cells_are_clicked(tab):
    length = tab.page.evaluate("history.length")
    tab.open_section("far")
    assert asked(tab)["section"] == "far" and tab.page.locator(".st-key-pair_controls").count() == 1
    tab.page.locator(".waves svg").press("ArrowRight")
    now = settled(tab)
    assert (now["section"], now["pos"]) == ("far", "7")
    tab.open_section("far")  # a second press closes it
    assert settled(tab)["pos"] == "7" and "section" not in asked(tab)
    assert tab.page.locator(".st-key-pair_controls").count() == 0
    assert tab.page.evaluate("history.length") == length  # a control makes no history


@pytest.mark.thorough
def test_the_address_reproduces_the_page_and_cells_make_no_history(section):
    tab = section("moving")
    length = tab.page.evaluate("history.length")
    tab.page.locator(".waves svg").press("ArrowRight")
    settled(tab)
    tab.page.get_by_role("button", name="recurrent").click()
    settled(tab)
    now = type_in(tab, "by", "3")
    assert tab.page.evaluate("history.length") == length
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert asked(tab) == now and "position 7" in tab.text(".derivation")
    assert "GRU" in tab.text(".orders .caption") and "+ 3" in derivation(tab, 1)


@pytest.mark.thorough
def test_however_fast_one_steps_and_clicks_there_is_no_history_of_it(visit):
    tab = visit().open("position", lang="en", guess="skip", kind="sinusoidal")
    length = tab.page.evaluate("history.length")
    waves, clocks = tab.page.locator(".waves svg"), tab.page.locator(".clocks canvas").first
    for i in range(12):
        waves.press("ArrowRight")
        clocks.click(position={"x": 10 + 30 * i, "y": 10})
    now = settled(tab)
    assert now["pos"] == "18" and f"position 18, dim {now['dim']}" in tab.text(".derivation")
    assert tab.page.evaluate("history.length") == length


@pytest.mark.thorough
def test_no_section_scrolls_sideways_on_a_phone(visit):
    tab = visit(width=390, height=844).open("position", lang="en", guess="skip", base=10**9, by=-(10**9))
    wide = {name: tab.sideways() for name in tab.sections()}
    assert wide and max(wide.values()) <= 0, wide


@pytest.mark.thorough
@pytest.mark.parametrize("text", some(["one two three four five six seven eight nine ten " * 9, "", CAT, BOOKS]))
def test_nothing_scrolls_sideways(visit, text):
    tab = visit().open("position", lang="en", text=text, guess="skip")
    wide = {width: tab.sideways() for width in tab.widths()}
    assert max(wide.values()) <= 0, wide


@pytest.mark.thorough
@pytest.mark.parametrize("text", some([CAT, BOOKS]))
def test_why_positions_stands_above_the_fold(visit, text):
    tab = visit().open("position", lang="en", text=text)
    for part in (".st-key-predict", ".orders"):
        box = tab.page.locator(part).first.bounding_box()
        assert box and box["y"] + box["height"] <= 800, part


@pytest.mark.thorough
def test_what_a_component_sends_is_checked(tab):
    before = tab.followed
    tab.page.evaluate("() => seeThrough.select({ pos: 9999 })")
    tab.settle()
    assert "pos" in tab.text(".derivation .note") and tab.followed == before
    tab.page.evaluate("() => seeThrough.select({ pos: '<b>', by: [1], d: { a: 1 }, base: 'x' })")
    tab.settle()
    assert tab.followed == before and not {"pos", "by", "d", "base"} & set(asked(tab))


@pytest.mark.thorough
def test_nor_does_the_mark_of_its_row_tell_what_comes_of_reading_without_positions(visit):
    tab = visit().open("position", lang="en", guess="open", ask=1)
    assert tab.page.locator(".orders text.key .hidden").count() == 1 and "≈" not in (
        tab.page.locator(".orders svg").text_content() or ""
    )
    assert tab.page.locator(".orders text.key").count() == 2
    assert tab.page.locator(".orders :is(.still, .flat)").count() == 0
    tab.page.locator(".st-key-skip button").click()
    tab.settle()
    assert tab.page.locator(".orders :is(.still, .flat)").count() == 9 + 1
