"""The claims in a browser: search, a stop, a door, and the way back from the stage."""


def test_search_then_a_door_and_back_to_the_claims(visit) -> None:
    page = visit().open("claims", lang="en").page
    page.get_by_label("Search the claims").fill("alibi")
    page.get_by_label("Search the claims").press("Enter")
    page.wait_for_function("document.querySelectorAll('article.claim').length === 1")
    assert "find=alibi" in page.url
    page.get_by_text("choose a head and see where it acts").click()
    page.wait_for_function("location.pathname === '/position' && location.search.includes('section=others')")
    page.locator(".st-key-to_claims a").click()
    page.wait_for_function("location.pathname === '/claims' && location.search.includes('topic=position')")
    page.wait_for_function("document.querySelectorAll('article.claim').length === 7")
