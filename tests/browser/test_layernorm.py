"""The layernorm page in a real Chromium: lanes, switches, the veil, the three arrangements."""

import re
from urllib.parse import parse_qs

import pytest

from tests.profiles import some

CHINESE = "我昨天在北京买了三本书"


@pytest.fixture
def tab(visit):
    return visit().open("layernorm", lang="en", guess="skip")


def asked(tab) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(tab.query).items()}


def unfold(tab) -> None:
    """The numbers one by one, which wait behind the hills."""
    press(tab, "folding")


def lane(tab, number: int):
    return tab.page.locator(".lane canvas").nth(number)


def press(tab, name: str) -> None:
    tab.page.locator(f'button[data-at="{name}"]').first.click()
    tab.settle()


def said(tab) -> str:
    return tab.text(".lanes .said")


def pixels(tab, number: int) -> str:
    return lane(tab, number).evaluate("(canvas) => canvas.toDataURL()")


@pytest.mark.thorough
def test_times_ten_plus_five(visit):
    """What goes in is another picture, what comes out the same; with ε raised it is said to move."""
    tab = visit().open("layernorm", lang="en", guess="skip", norm=1)
    unfold(tab)
    before, after = pixels(tab, 0), pixels(tab, 4)
    press(tab, "given-both")
    assert asked(tab)["given"] == "both" and pixels(tab, 0) != before
    assert "4.172×10⁻⁷" in said(tab) and "1e-12" in said(tab)
    assert "5.020" in tab.text(".lane .stat") and "5.020" in tab.text(".derivation")
    tab.page.get_by_text("more controls", exact=True).click()
    press(tab, "eps-1e-5")
    assert "0.003994" in said(tab) and "1e-5" in said(tab)
    press(tab, "eps-own")
    press(tab, "given-as_is")
    assert (pixels(tab, 0), pixels(tab, 4)) == (before, after)


def test_switching_costs_the_server_nothing_but_the_derivation(tab):
    """All changes and ε came with the page: the picture answers before the server does."""
    unfold(tab)
    tab.page.evaluate("() => { seeThrough.report = seeThrough.near = () => {}; }")
    before = pixels(tab, 0)
    tab.page.locator('button[data-at="given-times"]').click()
    assert pixels(tab, 0) != before


def test_a_column_and_a_lane_are_followed(tab):
    unfold(tab)
    lane(tab, 0).click(position={"x": 46 + 100, "y": 40})
    tab.settle()
    now = asked(tab)
    assert now["part"] == "before" and 0 < int(now["dim"]) < 384
    assert f"dim {now['dim']}, input x" in tab.text(".derivation .where")
    tab.page.locator(".lanes").press("ArrowRight")
    tab.settle()
    assert int(asked(tab)["dim"]) == int(now["dim"]) + 1
    tab.page.locator(".lanes").press("ArrowDown")
    tab.settle()
    assert asked(tab)["part"] == "normalized" and "normalised" in tab.text(".derivation .where")
    tab.page.locator(".lane button.stat", has_text="variance").click()
    tab.settle()
    assert asked(tab)["part"] == "variance" and "variance" in tab.text(".derivation .where")
    assert str(int(now["dim"]) + 1) in tab.page.locator(".lanes .heard").inner_text()


def test_a_number_is_followed_where_it_stands_on_an_axis(tab):
    """On the second axis the numbers stand apart, and a press between those of the middle takes the nearest."""
    hills = tab.page.locator(".bells")
    box = hills.bounding_box()
    hills.click(position={"x": box["width"] / 2 + 40, "y": 8 + 2 * 84 + 58 - 6})
    tab.settle()
    now = asked(tab)
    assert now["part"] == "normalized" and f"dim {now['dim']}, normalised" in tab.text(".derivation .where")
    assert 0.5 < float(tab.followed.split()[-1]) < 2


def test_another_token_and_another_norm(tab):
    tab.page.locator(".strip button", has_text="cat").click()
    tab.settle()
    assert asked(tab)["pos"] == "2" and "cat" in tab.text(".place.lead") and not tab.page.locator(".waiting").count()
    press(tab, "norm-on")
    assert asked(tab)["norm"] == "5" and "layer 2, after feed-forward" in tab.text(".controls")
    assert not tab.page.locator(".waiting").count()
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert "cat" in tab.text(".place.lead") and "cat" in tab.text(".derivation .where")


@pytest.mark.thorough
@pytest.mark.parametrize("locale", some(["en-US", "zh-CN"]))
def test_the_question_keeps_its_answer(visit, locale):
    tab = visit(locale=locale).open("layernorm", lang=locale[:2], text="The cat sat on the mat.")
    unfold(tab)
    press(tab, "given-times")
    assert "×10" not in tab.text(".lanes") and "×10" not in tab.text(".derivation")
    lane(tab, 4).hover(position={"x": 120, "y": 40})
    tip = tab.page.locator(".lanes .tip").inner_text()
    assert "veiled" in tip or "先盖着" in tip
    tab.page.locator(".st-key-guess_same button").click()
    tab.settle()
    assert re.search(r"0\.636.*6\.36", tab.text(".answer"))  # ten times the standard deviation
    press(tab, "given-times")
    lane(tab, 4).hover(position={"x": 120, "y": 40})
    tip = tab.page.locator(".lanes .tip").inner_text()
    assert "veiled" not in tip and "先盖着" not in tip


def test_other_norms_wait_behind_one_word(tab):
    assert not tab.page.locator('button[data-at="method-rms"]').count()
    press(tab, "more")
    press(tab, "method-batch")
    assert asked(tab)["method"] == "batch" and "BatchNorm" in tab.text(".derivation")
    press(tab, "method-rms")
    assert tab.page.locator(".lane").count() == 4  # no β
    press(tab, "method-none")
    assert "no norm" in tab.text(".derivation")


@pytest.mark.thorough
def test_the_layer_of_the_three_arrangements(tab):
    tab.open_section("where")
    figures = tab.page.locator(".blocks figure")
    assert figures.count() == 3
    post, pre, on_input = (figures.nth(i) for i in range(3))
    assert post.locator("rect.norm").count() == 3  # two in the layer, and BERT's own before it
    tab.page.locator('button[data-at="layer-6"]').click()
    tab.settle()
    assert [figure.locator("rect.norm").count() for figure in (post, pre, on_input)] == [2, 3, 0]
    assert (
        "after layer 6 only" in pre.text_content() and pre.locator("rect.missing").count() == 1
    )  # BERT's own entrance
    assert "298.5" in on_input.inner_text() and "1.000" in pre.inner_text()
    pre.locator('button[data-at="pre-2"]').click()
    tab.settle()
    assert asked(tab)["layer"] == "2" and post.locator(".depth .on").inner_text().startswith("layer 2")


def test_the_decoders_three_sublayers(visit):
    tab = visit().open("layernorm", lang="en", text="我昨天在北京买了三本书", guess="skip", section="where")
    figures = tab.page.locator(".blocks figure")
    count = lambda: [figures.nth(i).locator("rect.norm").count() for i in range(3)]  # noqa: E731
    assert count() == [2, 2, 1]
    tab.page.locator("[data-at=stack-decoder]").click()
    tab.settle()
    assert count() == [3, 3, 1] and "cross-attention" in figures.first.text_content()
    tab.page.locator('button[data-at="layer-2"]').click()
    tab.settle()
    assert count() == [3, 4, 0] and asked(tab)["stack"] == "decoder"


@pytest.mark.thorough
def test_the_stream_runs_through_the_norm_or_past_it(tab):
    """The one thing to remember: post-norm's boxes lie on the thick line, pre-norm's on the branch."""
    tab.open_section("where")
    tab.page.locator('button[data-at="layer-3"]').click()
    tab.settle()

    def on_the_line(arrangement: str) -> list[bool]:
        return tab.page.evaluate(
            """(id) => { const root = document.querySelector('.blocks') ?? [...document.querySelectorAll('*')]
                 .map((e) => e.shadowRoot?.querySelector('.blocks')).find(Boolean);
               const figure = root.querySelector(`[data-arrangement=${id}]`);
               const x = Number(figure.querySelector('.stream').getAttribute('x1'));
               return [...figure.querySelectorAll('rect.norm')].map((r) => {
                 const left = Number(r.getAttribute('x')), wide = Number(r.getAttribute('width'));
                 return left < x && x < left + wide; }); }""",
            arrangement,
        )

    assert on_the_line("post") == [True, True]
    assert on_the_line("pre") == [False, False]
    assert on_the_line("input") == []


def test_the_translator_and_its_target_tokens(visit):
    tab = visit().open("layernorm", lang="en", text=CHINESE, guess="skip", norm=5)
    tab.page.locator(".strip button", has_text="books").click()
    tab.settle()
    assert "books" in tab.text(".place.lead") and "books" in tab.text(".derivation .where")


@pytest.mark.thorough
def test_picture_and_derivation_end_above_the_fold(tab):
    for which in (".bells", ".derivation"):
        box = tab.page.locator(which).bounding_box()
        assert box and box["y"] + box["height"] <= 800


@pytest.mark.thorough
@pytest.mark.parametrize("text", some([CHINESE, "The cat sat on the mat.", "word " * 600, ""]))
def test_nothing_scrolls_sideways(visit, text):
    tab = visit().open("layernorm", lang="en", text=text, guess="skip")
    wide = {width: tab.sideways() for width in tab.widths()}
    assert max(wide.values()) <= 0, wide


@pytest.mark.thorough
def test_no_section_scrolls_sideways_on_a_phone(visit):
    tab = visit(width=390, height=844).open("layernorm", lang="en", guess="skip")
    wide = {name: tab.sideways() for name in tab.sections()}
    assert wide and max(wide.values()) <= 0, wide


@pytest.mark.thorough
def test_the_table_of_norms_follows_the_token(visit):
    tab = visit().open("layernorm", lang="en", guess="skip", section="traits")
    table = tab.page.locator("table.shapes", has_text="BatchNorm")
    first = table.inner_text()
    tab.page.locator(".strip button", has_text="cat").click()
    tab.settle()
    assert table.count() == 1 and table.inner_text() != first
    for id in ("depth", "traits"):
        tab.open_section(id)
        assert table.count() == (id == "traits")
        tab.page.locator(".strip button", has_text="sat").click()
        tab.settle()
        assert table.count() == (id == "traits")


@pytest.mark.thorough
def test_a_click_on_a_lane_leaves_what_was_chosen_by_hand(visit):
    """A widget inside a piece was undone by the next click on a picture."""
    tab = visit().open("layernorm", lang="en", guess="skip", section="hand", vector="1,2,6")
    with tab.answered():
        tab.page.locator("[data-at='small-0.1']").click()
    assert asked(tab)["small"] == "0.1" and "ε = 0.1" in tab.text("[data-testid=stMain]")
    entries = tab.page.evaluate("history.length")
    unfold(tab)
    for number in (4, 0):
        lane(tab, number).click(position={"x": 46 + 100, "y": 40})
        tab.settle()
        assert (asked(tab)["small"], asked(tab)["vector"]) == ("0.1", "1,2,6")
        assert "(1 + 2 + 6)" in tab.text("[data-testid=stMain]") and "ε = 0.1" in tab.text("[data-testid=stMain]")
    assert asked(tab)["part"] == "before" and tab.page.evaluate("history.length") == entries


@pytest.mark.thorough
def test_a_component_that_reports_what_is_not_there(tab):
    tab.page.evaluate("() => seeThrough.select({ pos: 99, dim: 7 })")
    tab.settle()
    assert "pos" not in asked(tab) and asked(tab)["dim"] == "7"
    assert "pos" in tab.text(".derivation .note") and "dim 7" in tab.text(".derivation .where")
    before = tab.followed
    tab.page.evaluate("() => seeThrough.select({ part: '<b>', dim: [1], given: { a: 1 }, norm: '99' })")
    tab.settle()
    assert tab.followed == before and asked(tab)["dim"] == "7"
    assert not {"part", "given", "norm"} & set(asked(tab))
