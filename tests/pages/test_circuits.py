"""The circuits page."""

import pytest

SECTIONS = ("lens", "patching", "muting", "induction")


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_is_drawn_in_both_languages(opened, section: str) -> None:
    import re

    for lang, text in (("en", "The capital of France is"), ("zh", "床前明月光，疑是地上")):
        page = opened("circuits", lang, text=text, section=section, guess="skip")
        assert "{" not in page.html
        print(re.sub(r"<[^>]+>", " ", page.html)[:6000])
