"""What the texts cite: wherever a citation stands in HTML, it is a link to its source."""

import html
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from core.files import ASSETS

FILE = ASSETS / "papers.toml"


@dataclass(frozen=True)
class Paper:
    title: str
    url: str


PAPERS: Mapping[str, Paper] = {
    cited: Paper(**raw) for cited, raw in tomllib.loads(FILE.read_text(encoding="utf-8")).items()
}


def form(cited: str) -> str:
    """A citation as either language writes it: Su et al. 2021, Su et al. (2021), Su 等 2021, Su 等（2021）."""
    authors, year = cited.rsplit(" ", 1)
    names = (
        re.escape(authors).replace(r"\ \&\ ", "(?: (?:&amp;|&|and|与) |、)").replace(r"\ et\ al\.", "(?: et al\\.| 等)")
    )
    return rf"{names}(?: 团队)?(?: |[,，] ?)?(?:\({year}\)|（{year}）|{year}\b)"


ANY = re.compile("|".join(f"({form(cited)})" for cited in PAPERS))


def linked(text: str) -> str:
    """HTML with its citations as links."""
    return ANY.sub(lambda found: link(found[0], list(PAPERS.values())[(found.lastindex or 1) - 1]), text)


def cited_in(language: str, cited: str) -> str:
    """A citation as a language writes it: Vaswani et al. 2017, 3.2; Vaswani 等 2017，3.2."""
    if language == "en":
        return cited
    return cited.replace(" et al.", " 等").replace(" & ", "、").replace(", ", "，").replace("table ", "表 ")


def link(text: str, paper: Paper) -> str:
    title = html.escape(paper.title)
    return f"<a class='paper' href='{paper.url}' title='{title}' target='_blank' rel='noopener'>{text}</a>"
