"""The plan for a term: sixteen lessons alike in both languages, of 45 minutes; every link leads to what it says."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from core.stages import STAGES
from pages.shared.page.slides import slides_of
from pages.shared.words.texts import LANGUAGES, lesson

FILE = Path(__file__).parents[2] / "docs/term/README.md"
ENGLISH, CHINESE = FILE.read_text(encoding="utf-8").split("## 中文\n")
PLANS = {"en": ENGLISH, "zh": CHINESE}
SLUGS = {stage.slug for stage in STAGES}
LINK = re.compile(r"\[([^]]+)\]\(http://localhost:8501/([^)]+)\)")
ROWS = 5  # predict, slides, exercise, worksheet, hand in


def lessons(lang: str) -> list[str]:
    return re.split(r"^### ", PLANS[lang], flags=re.M)[1:]


def links(text: str) -> list[tuple[str, str, dict[str, str]]]:
    """What each says, and where it leads."""
    found = ((said, urlsplit(to)) for said, to in LINK.findall(text))
    return [(said, to.path, dict(parse_qsl(to.query))) for said, to in found]


def cells(text: str) -> list[list[str]]:
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", text, re.M)
    return [[minutes, *rest.split(" | ")] for minutes, rest in rows]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sixteen_lessons_of_45_minutes_two_levels_each(lang: str) -> None:
    assert [text.split(".")[0] for text in lessons(lang)] == [str(i) for i in range(1, 17)]
    for text in lessons(lang):
        rows = cells(text)
        assert len(rows) == ROWS and all(len(row) == 4 and all(row) for row in rows), text
        assert sum(int(row[0]) for row in rows) == 45
        slug = links(rows[0][2])[0][1]
        assert text.split(". ", 1)[1].startswith(lesson(slug)[lang]["question"])
        upper, students = rows[-1][2:]
        assert upper != students and links(rows[2][2]) and links(rows[2][3])


def test_both_languages_plan_the_same_and_leave_no_page_out() -> None:
    zh, en = ([(to, {**query, "lang": "", "text": ""}) for _, to, query in links(PLANS[lang])] for lang in LANGUAGES)
    assert zh == en
    assert {to for to, _ in en} == {*SLUGS, "claims"}


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_link_leads_to_what_it_says(looked, lang: str) -> None:
    """Each page is looked at as its link has it: nothing has to be repaired, there is a question to vote on, the slide
    is there, and the exercise is the one that is named and can be done."""
    words = lesson("_common")[lang]
    for said, slug, query in links(PLANS[lang]):
        assert query.pop("lang") == lang
        if slug == "claims":
            continue
        context = looked(slug, lang, **query)
        assert not [repair for repair in context.page.address.repairs if repair.code == "address"], (slug, query)
        name = words[f"stages.{slug}"]
        if task := query.get("task"):
            assert said == lesson(slug)[lang][f"exercises.{task}.title"]
            assert task in [exercise.id for exercise in context.exercises], (slug, task)
        elif slide := query.get("slide"):
            assert said == f"{name} {slide}" and int(slide) in [one.number for one in slides_of(slug)]
        else:
            assert said == name and (not context.veiled if "take" in query else context.veiled), (slug, query)
