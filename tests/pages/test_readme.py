"""The README's links into the site: each opens without a complaint, and the lesson plans say how long they take."""

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
LINKS = re.findall(r"http://localhost:8501/(\w+)\?([^)\s>]+)", README)
PLANS = re.findall(r"((?:^\| \d+ \| .*localhost.*\n)+)", README, re.MULTILINE)


@pytest.mark.parametrize(("slug", "query"), LINKS)
def test_a_link_of_a_lesson_opens_what_it_promises(opened, slug: str, query: str) -> None:
    asked = dict(parse_qsl(query))
    page = opened(slug, asked.pop("lang"), **asked)
    assert not page.app.exception and "class='note'" not in page.html
    assert asked.items() <= page.address.items()


def test_a_plan_says_how_long_it_takes_in_both_languages() -> None:
    minutes = [sum(int(row.split("|")[1]) for row in plan.splitlines()) for plan in PLANS]
    assert minutes == [45, 10, 45, 10]
    told = [(slug, query.replace("lang=zh", "lang=en")) for slug, query in LINKS]
    assert told[: len(told) // 2] == told[len(told) // 2 :] and len(told) > 20


INSIDE = re.compile(
    r"^from streamlit\.(?:runtime|proto|web|elements|delta_generator\w*)\b|^from streamlit import runtime", re.M
)


def test_what_leans_on_the_inside_of_streamlit_stands_in_one_file_and_both_languages_name_it() -> None:
    pages = Path(__file__).parents[2] / "pages"
    assert [p.name for p in pages.rglob("*.py") if INSIDE.search(p.read_text(encoding="utf-8"))] == []
    told = [line for line in README.splitlines() if line.startswith(("**Versions.**", "**版本**"))]
    assert len(told) == 2 and (pages / "shared/server/streamlit_inside.py").is_file()
    assert all("`pages/shared/server/streamlit_inside.py`" in line for line in told)
