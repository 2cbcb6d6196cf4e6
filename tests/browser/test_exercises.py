"""Exercises in a browser: one follows what is clicked above it, a solution is set up, and a reload keeps both."""

import pytest


@pytest.mark.thorough
def test_an_exercise_follows_the_picture_and_shows_a_solution(visit) -> None:
    there = visit().open("attention", lang="en", guess="skip")
    page = there.page
    page.locator(".st-key-practice summary").click()
    there.settle()
    assert "task=itself" in page.url and there.text(".st-key-practice .verdict").startswith("Not yet.")
    before = there.text(".st-key-practice .verdict")
    page.get_by_text("cat", exact=True).first.click()
    page.wait_for_function(
        "before => document.querySelector('.st-key-practice .verdict')?.innerText !== before", arg=before
    )
    there.settle()
    page.locator(".st-key-solve button").click()
    page.wait_for_selector(".st-key-practice .verdict.right")
    there.settle()
    solved = there.text(".st-key-practice .verdict")
    page.reload()
    page.wait_for_selector(".st-key-practice .verdict.right", timeout=60_000)
    assert there.settle().text(".st-key-practice .verdict") == solved
    assert page.locator(".st-key-solve").count() == 0 and there.sideways() <= 0


def test_while_the_question_is_open_nothing_is_checked(visit) -> None:
    there = visit().open("heads", lang="zh", text="The cat sat on the mat.")
    there.page.locator(".st-key-practice summary").click()
    there.settle()
    assert "先回答上面的问题" in there.text(".st-key-practice") and "guess=open" in there.query
    assert there.page.locator(".st-key-practice .verdict, .st-key-solve").count() == 0
    with there.answered():
        there.page.locator(".st-key-skip button").click()
    there.page.wait_for_selector(".st-key-practice .verdict")


@pytest.mark.thorough
def test_another_question_is_asked_and_the_score_counts_each_once(visit) -> None:
    there = visit().open("attention", lang="en", text="The little boy kicked the red ball into the garden.")
    page = there.page
    first = there.text(".st-key-predict")
    with there.answered():
        page.locator(".st-key-predict [class*='st-key-guess_'] button").first.click()
    assert "1 right (not kept)" in there.text(".st-key-predict .score")
    with there.answered():
        page.locator(".st-key-another button").click()
    second = there.text(".st-key-predict")
    assert "ask=1" in page.url and "guess=open" in page.url and second != first
    page.reload()
    page.wait_for_selector(".st-key-skip button", timeout=60_000)
    assert there.settle().text(".st-key-predict") == second
    with there.answered():
        page.locator(".st-key-predict [class*='st-key-guess_'] button").first.click()
    assert "of 1 right (not kept)" in there.text(".st-key-predict .score")
    assert "guess=" in page.url and there.sideways() <= 0
