"""The claims in a browser: search, a stop, a door, and the way back from the stage."""


def test_search_then_a_door_and_back_to_the_claims(visit) -> None:
    page = visit().open("claims", lang="en").page
    page.get_by_role("textbox", name="Search the claims").fill("alibi")
    page.get_by_role("textbox", name="Search the claims").press("Enter")
    page.wait_for_function("() => document.querySelectorAll('article.claim').length === 1")
    assert "find=alibi" in page.url
    page.locator("#F23 button.vote").last.click()
    page.get_by_text("choose a head and see where it acts").click()
    page.wait_for_function("() => location.pathname === '/position' && location.search.includes('section=others')")
    page.wait_for_function("""() => {  // what is to be seen is in sight, and the address is what it would be without
        const { top } = document.querySelector(".st-key-section_in")?.getBoundingClientRect() ?? {};
        return location.hash === "" && top > -5 && top < innerHeight / 2;
    }""")
    page.locator(".st-key-to_claims a").click()
    page.wait_for_function("() => location.pathname === '/claims' && location.search.includes('topic=position')")
    page.wait_for_function("() => document.querySelectorAll('article.claim').length > 1")


def test_vote_then_see(visit) -> None:
    there = visit().open("claims", lang="en", topic="tokens")
    page = there.page
    page.locator("#F2 button.vote").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#F2 .answer:focus")
    there.settle()
    assert "votes=F2.said" in page.url and "true as said" in there.text("#F2 .answer")
    page.locator("#F1 button.vote").last.click()
    page.wait_for_selector("#F1 .answer")
    there.settle()
    assert "votes=F1.not-F2.said" in page.url and page.locator("#F15 .answer").count() == 0
    assert "votes: 2, of them right: 1" in there.text(".st-key-votes")
    with there.answered():
        page.locator(".st-key-every button").click()
    assert page.locator("button.vote").count() == 0
