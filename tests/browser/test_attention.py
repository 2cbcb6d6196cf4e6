"""The attention page in a browser: the chain of one query, by mouse and by keys."""

import pytest


def test_the_chain_follows_another_query_without_the_server(visit):
    tab = visit().open("attention", lang="en", guess="skip", section="chain")
    chain = tab.page.locator(".chain")
    assert "query: the₅" in chain.inner_text() and "0.84" in chain.inner_text()
    tab.page.get_by_label("next query").click()
    assert "query: mat" in chain.inner_text()
    tab.settle()
    assert "q=6" in tab.query
    chain.locator(".grid").press("ArrowUp")
    chain.locator(".grid").press("ArrowLeft")
    tab.settle()
    assert "query the₅, key the₅" in tab.text(".chain .heard")
    chain.locator(".number", has_text="27.5").click()
    tab.settle()
    assert "show=scores" in tab.query and "4.864" in tab.followed
    chain.locator("canvas.sum").click()
    tab.settle()
    assert "show=context" in tab.query and tab.page.locator(".matrix").count() == 1


@pytest.mark.thorough
def test_the_matrix_is_large_and_in_sight(visit):
    for lang in ("en", "zh"):
        box = visit().open("attention", lang=lang, guess="skip").page.locator(".matrix canvas.marks").bounding_box()
        assert box and box["height"] > 370 and box["y"] + 0.95 * box["height"] < 812, (lang, box)


@pytest.mark.thorough
def test_on_a_phone_and_of_a_long_text(visit):
    where = {"text": "The cat sat on the mat. " * 8, "guess": "skip", "section": "chain"}
    tab = visit(width=390).open("attention", lang="en", **where)
    assert "+" in tab.text(".chain .others") and tab.sideways() == 0


def test_what_is_inside_a_section_is_set_as_mathematics(visit):
    line = visit().open("attention", lang="en", guess="skip").page.locator(".contents button[data-at=maps] .inside")
    assert line.locator("sup").all_text_contents() == ["Q", "K", "V"] and "<" not in line.inner_text()


def test_a_number_of_the_small_layer_is_edited(visit):
    tab = visit().open("attention", lang="en", guess="skip", section="layer")
    box = tab.page.get_by_label("W^Q [0, 0]")
    with tab.answered():
        box.fill("2")
        box.press("Enter")
    assert "put=" in tab.query
    with tab.answered():
        tab.page.get_by_role("button", name="2 attend").click()
    tab.page.locator(".worksheet", has_text="0.804").wait_for()
    assert "0.804" in tab.text(".st-key-section_in")
    with tab.answered():
        tab.page.get_by_role("button", name="1 project").click()
    with tab.answered():
        tab.page.get_by_label("W^K [0, 0]").fill("two")
        tab.page.get_by_label("W^K [0, 0]").press("Enter")
    assert "W^K[0, 0] says “two”" in tab.notes and tab.page.get_by_label("W^K [0, 0]").input_value() == "two"
    with tab.answered():
        tab.page.get_by_text("restore the original numbers").click()
    assert "put" not in tab.query and tab.page.get_by_label("W^Q [0, 0]").input_value() == "1"


def test_what_is_said_of_a_cell_is_of_the_plane_that_is_drawn(visit):
    """The pointer rests on a cell while a key chooses scores, then weights."""
    tab = visit().open("attention", lang="en", guess="skip")
    canvas = tab.page.locator(".st-key-matrix canvas.marks")
    box, said = canvas.bounding_box(), []
    canvas.hover(position={"x": 0.3 * box["width"], "y": 0.6 * box["height"]})
    for mode in ("scores", "weights"):
        tab.page.locator(f"[data-at=show-{mode}]").first.evaluate("button => button.click()")
        tab.settle()
        said.append(tab.text(".st-key-matrix .tip"))
    cells, values = zip(*(text.rsplit(maxsplit=1) for text in said), strict=True)
    assert cells[0] == cells[1] and values[0] != values[1]
