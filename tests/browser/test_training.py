"""The training page in a browser: a step is followed, a training runs, is paused, diverges, and ends with its tab."""

import subprocess
import time
from itertools import pairwise

import pytest
from playwright.sync_api import expect


def processes() -> int:
    """Trainings under way on this machine in processes of their own."""
    found = subprocess.run(["pgrep", "-fc", "core[.]training[.]live"], capture_output=True, text=True, check=False)
    return int(found.stdout or 0)


def test_a_step_moves_the_weight_and_the_number_that_is_followed(visit) -> None:
    tab = visit().open("training", lang="en")
    expect(tab.page.locator(".descent path.curve")).to_have_count(0)
    tab.page.locator(".st-key-guess_shrink button").click()
    expect(tab.page.locator(".answer")).to_contain_text("the loss from 4.29 to 3.95")
    picture = tab.page.locator(".descent svg")
    expect(picture.locator("path.curve")).to_have_count(1)
    picture.focus()
    with tab.answered():
        picture.press("ArrowRight")
    assert "times=1" in tab.query
    expect(picture.locator("circle.been")).to_have_count(1)
    expect(tab.page.locator(".derivation")).to_contain_text("the weight after step 2")
    picture.press("End")
    tab.settle()
    assert "times=12" in tab.query


def test_a_press_on_a_curve_follows_that_loss(visit) -> None:
    tab = visit().open("training", lang="en", section="contest")
    curves = tab.page.locator(".runs svg[data-panel=loss]")
    curves.scroll_into_view_if_needed()
    box = curves.bounding_box()
    assert box
    with tab.answered():
        curves.click(position={"x": box["width"] * 0.6, "y": 65})
    assert "run=none" in tab.query and "step=" in tab.query
    expect(tab.page.locator(".derivation").last).to_contain_text("no norm")
    curves.press("Home")
    tab.settle()
    assert "step=1&" in f"{tab.query}&"


def test_another_family_is_drawn(visit) -> None:
    tab = visit().open("training", lang="en", section="contest")
    tab.page.locator(".controls select").first.select_option("task")
    expect(tab.page.locator(".derivation").last).to_contain_text("loss at step 400, numerals", timeout=30_000)


def test_the_lines_are_named_at_their_ends_and_on_a_phone_above(visit) -> None:
    tab = visit().open("training", lang="en", section="contest", what="width", guess="skip")
    names = tab.page.locator(".runs .legend .run")
    plot = tab.page.locator(".runs svg[data-panel=loss]").bounding_box()
    boxes = sorted((box for name in names.all() if (box := name.bounding_box())), key=lambda box: box["y"])
    assert plot and len(boxes) == 6
    for above, below in pairwise(boxes):
        assert below["y"] >= above["y"] + above["height"] - 1  # none lies on another
    assert min(box["x"] for box in boxes) > plot["x"] + plot["width"] / 2
    with tab.answered():
        tab.page.locator(".runs .run", has_text="d = 4").click()
    assert "run=d4" in tab.query
    phone = visit(width=390, height=844).open("training", lang="en", section="contest", guess="skip")
    plot = phone.page.locator(".runs svg[data-panel=loss]").bounding_box()
    first = phone.page.locator(".runs .run").first.bounding_box()
    assert plot and first and first["y"] + first["height"] <= plot["y"]


@pytest.mark.thorough
def test_a_rate_of_a_hundred_diverges_and_says_so(visit) -> None:
    tab = visit().open("training", lang="en", section="own", my_rate=100)
    tab.page.locator(".st-key-own_start button").click()
    said = tab.page.get_by_text("It diverged: the first loss was")
    expect(said).to_be_visible(timeout=120_000)


@pytest.mark.thorough
def test_a_training_is_paused_goes_on_and_ends_with_its_tab(visit) -> None:
    before = processes()
    tab = visit(locale="zh-CN").open("training", lang="zh", section="own", my_steps=2000, my_layers=8)
    tab.page.locator(".st-key-own_start button").click()
    expect(tab.page.get_by_text("第 ").and_(tab.page.get_by_text("/ 2,000 步"))).to_be_visible(timeout=60_000)
    tab.page.locator(".st-key-own_pause button").click()
    expect(tab.page.get_by_text("暂停在第")).to_be_visible(timeout=30_000)
    tab.page.locator(".st-key-own_resume button").click()
    expect(tab.page.locator(".st-key-own_pause button")).to_be_visible(timeout=30_000)
    assert tab.page.locator(".runs").count() == 1 and processes() == before + 1
    tab.page.goto("about:blank")  # the connection is lost
    deadline = time.monotonic() + 60
    while processes() > before:
        assert time.monotonic() < deadline, "the process outlived its tab"
        time.sleep(0.1)
