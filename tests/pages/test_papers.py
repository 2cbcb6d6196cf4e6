"""Every paper that a text cites stands beside a link to it."""

import re

import pytest

from pages.shared.page.terms import TERMS
from pages.shared.words.papers import ANY, PAPERS, link, linked
from pages.stages.size.context import known_models
from pages.stages.size.models import QUOTED
from tests.pages.test_texts import LANGUAGES, texts

SIZES = "\n".join([*(row[-1] for row in QUOTED), *(one.source for one in known_models().values())])

# A name before a year: Su et al. 2021, Kingma & Ba 2015, Xiong 等（2020）, DeepSeek-AI 团队，2025.
NAMED = re.compile(
    r"[A-Z][\w’-]+(?: et al\.| ?等| 团队)[,，]? ?[(（]?(?:19|20)\d\d[)）]?"
    r"|(?:van der )?[A-Z]\w+ ?(?:&|and|与|、) ?[A-Z]\w+ (?:19|20)\d\d"
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_cited_is_linked(language: str) -> None:
    said = [(f"{slug}:{key}", text) for slug, key, text in texts(language)]
    said += [(term.id, term.reference(language)) for term in TERMS] + [("size", SIZES)]
    found = [(where, cited[0]) for where, text in said for cited in NAMED.finditer(text)]
    assert len(found) > 60
    assert [(where, cited) for where, cited in found if not ANY.search(cited)] == []


def test_each_paper_is_cited_somewhere_and_linked_to_itself() -> None:
    said = "\n".join([*(text for _, _, text in texts("en")), *(term.source for term in TERMS), SIZES])
    cited = {list(PAPERS)[(found.lastindex or 1) - 1] for found in ANY.finditer(said)}
    assert PAPERS.keys() - cited == set()
    for one, paper in PAPERS.items():
        assert linked(one) == link(one, paper)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("(Xiong et al. 2020)", "Xiong et al. 2020"),
        ("Xiong et al. (2020) explain", "Xiong et al. (2020)"),
        ("Xiong 等（2020）据此解释", "Xiong 等（2020）"),
        ("（Liu 等，2020）", "Liu 等，2020"),
        ("Schuster and Nakajima 2012", "Schuster and Nakajima 2012"),
        ("Schuster 与 Nakajima 2012", "Schuster 与 Nakajima 2012"),
        ("DeepSeek-AI 团队，2025", "DeepSeek-AI 团队，2025"),
        ("Kingma &amp; Ba 2015", "Kingma &amp; Ba 2015"),
    ],
)
def test_a_citation_is_a_link_however_it_is_written(text: str, link: str) -> None:
    assert re.sub(r"<a [^>]*>(.*?)</a>", r"[\1]", linked(text)) == text.replace(link, f"[{link}]")


def test_of_papers_of_one_year_the_right_one_is_linked() -> None:
    assert "2412.19437" in linked("DeepSeek-AI 2024") and "2501.12948" in linked("DeepSeek-AI 2025")
    assert all(paper.url.startswith("https://") and paper.title for paper in PAPERS.values())
