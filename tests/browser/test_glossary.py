"""Terms that explain themselves, in a browser: by keyboard, by pointer, by touch; and the way to the glossary."""

TERMS = "[...document.querySelectorAll('.term')].map((term) => term.dataset.term)"
NOTE = ".term-note:not([hidden])"


def test_a_term_says_what_it_is_and_leads_to_the_glossary(visit) -> None:
    page = visit().open("attention", lang="en", guess="skip").page
    page.wait_for_selector(".term")
    marked = page.evaluate(TERMS)
    assert len(marked) == len(set(marked)) > 5 and {"token", "query"} <= set(marked)
    inside = ":is(button, a, h1, h2, table, code, .katex, [data-testid=stWidgetLabel]) .term"
    assert page.locator(inside).count() == 0
    before = page.locator(".place.lead").inner_text()
    stood = page.locator(".st-key-notice").bounding_box()

    page.locator(".term[data-term=query]").focus()
    note = page.locator(NOTE)
    assert "looks for" in note.inner_text() and "查询" in note.inner_text()
    assert note.locator("code sup").inner_text() == "Q" and "^" not in note.inner_text()
    page.keyboard.press("Escape")
    assert note.count() == 0 and page.evaluate("document.activeElement.dataset.term") == "query"
    assert page.locator(".place.lead").inner_text() == before and page.locator(".st-key-notice").bounding_box() == stood

    page.locator(".term[data-term=token]").hover()
    page.wait_for_selector(NOTE)
    page.mouse.move(5, 790)
    page.wait_for_selector(NOTE, state="detached")

    page.locator(".term[data-term=key]").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.pathname === '/glossary' && location.search.includes('term=key')")
    page.wait_for_selector("article#key")
    page.locator("article a.see").click()
    page.wait_for_function("() => location.pathname === '/attention' && location.search.includes('show=key')")


def test_terms_follow_the_page_and_the_language(visit) -> None:
    page = visit().open("overview", lang="zh", text="The cat sat on the mat.", guess="skip").page
    page.wait_for_selector(".term[data-term=token]")
    assert page.locator(".term[data-term=token]").inner_text() == "词元"
    page.get_by_text("English", exact=True).click()
    page.wait_for_function("() => document.querySelector('.term[data-term=token]')?.textContent === 'tokens'")
    page.locator(".st-key-path a").nth(1).click()
    page.wait_for_function("() => location.pathname === '/tokens'")
    page.wait_for_selector(".term[data-term=vocabulary]")
    marked = page.evaluate(TERMS)
    assert len(marked) == len(set(marked))
