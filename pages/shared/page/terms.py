"""The words that explain themselves: the data of the glossary, and how a text is searched for them.

The browser marks a term where a page first uses it (assets/components/kit/terms.js). It fetches the words once, as a
file of this server; the pages themselves carry nothing.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from zlib import crc32

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.files import ASSETS
from core.stages import STAGES
from pages.shared.server.base_path import base_path
from pages.shared.server.compressed import FOR_GOOD
from pages.shared.words.papers import cited_in
from pages.shared.words.texts import LANGUAGES, Texts

FILE = ASSETS / "glossary.toml"
GLOSSARY = "glossary"
STOPS = tuple(stage.slug for stage in STAGES)


@dataclass(frozen=True)
class Term:
    """One word of the glossary. What depends on the language has a value for each.

    Attributes:
        stop: the stop of the path that introduces it.
        words: what it is called, then in what other forms it is written.
        said: what it is, in one sentence.
        page, door: where it is seen live, and the parameters of that page's address.
        not_on, only_on: the pages on which the word means something else; those alone on which it means this.
    """

    id: str
    stop: str
    words: Mapping[str, tuple[str, ...]]
    said: Mapping[str, str]
    page: str
    door: Mapping[str, str]
    symbol: str = ""
    shape: str = ""
    source: str = ""
    not_on: frozenset[str] = field(default_factory=frozenset)
    only_on: frozenset[str] = field(default_factory=frozenset)

    def means(self, slug: str) -> bool:
        """Whether the word means this on a page."""
        return slug not in self.not_on and (not self.only_on or slug in self.only_on)

    def reference(self, language: str) -> str:
        """The source as it is written in a language: Vaswani et al. 2017, 3.2; Vaswani 等 2017，3.2."""
        return cited_in(language, self.source)


def term(id: str, raw: Mapping) -> Term:
    """A table of the file."""
    see = dict(raw["see"])
    return Term(
        id=id,
        stop=raw["stop"],
        words={lang: (raw[lang], *raw.get(f"{lang}_too", ())) for lang in LANGUAGES},
        said={lang: raw[f"{lang}_said"] for lang in LANGUAGES},
        page=see.pop("page", raw["stop"]),
        door=see,
        symbol=raw.get("symbol", ""),
        shape=raw.get("shape", ""),
        source=raw.get("source", ""),
        not_on=frozenset(raw.get("not_on", ())),
        only_on=frozenset(raw.get("only_on", ())),
    )


RAW = tomllib.loads(FILE.read_text(encoding="utf-8"))
PLAIN: Mapping[str, list[str]] = RAW.pop("plain")
TERMS = tuple(sorted((term(id, raw) for id, raw in RAW.items()), key=lambda term: STOPS.index(term.stop)))
BY_ID = {term.id: term for term in TERMS}


# ---- found in a text


@cache
def forms(language: str) -> Mapping[str, str]:
    """Every form, in lower case, and the id of its term; "" for what holds a term and does not mean it."""
    plain = dict.fromkeys((form.lower() for form in PLAIN[language]), "")
    return {form.lower(): term.id for term in reversed(TERMS) for form in reversed(term.words[language])} | plain


@cache
def pattern(language: str) -> str:
    """A regular expression, of Python's and JavaScript's, that finds the longest form at each place, case ignored."""
    return "|".join(searched(form) for form in sorted(forms(language), key=lambda form: (-len(form), form)))


def searched(form: str) -> str:
    """Chinese stands without spaces; a Latin word ends where its letters end, and may be a plural."""
    quoted = re.sub(r"([^\w\s-])", r"\\\1", form)
    before = r"(?<!\w)" if re.match(r"\w", form, re.ASCII) else ""
    after = r"s?(?!\w)" if re.search("[a-zA-Z]$", form) else r"(?!\w)" if re.search(r"\w$", form, re.ASCII) else ""
    return f"{before}{quoted}{after}"


@cache
def compiled(language: str) -> re.Pattern[str]:
    return re.compile(pattern(language), re.IGNORECASE | re.ASCII)


def found(language: str, text: str) -> list[str]:
    """The ids of the terms in a text, as they come, each once."""
    known = forms(language)
    ids = (known.get(form := match[0].lower(), known.get(form[:-1], "")) for match in compiled(language).finditer(text))
    return list(dict.fromkeys(id for id in ids if id))


# ---- what the browser is given


@cache
def packed(language: str) -> bytes:
    """All it needs to mark terms and to explain them, as JSON (the typedef is in kit/terms.js)."""
    (other,) = (lang for lang in LANGUAGES if lang != language)
    t = Texts(language, GLOSSARY)
    whole = {
        "pattern": pattern(language),
        "forms": forms(language),
        "link": t("link"),
        "terms": {
            term.id: {
                "word": term.words[language][0],
                "other": term.words[other][0],
                "said": term.said[language],
                "sign": t("comma").join(filter(None, (term.symbol, term.shape and f"{t('shape')} {term.shape}"))),
                "not": sorted(slug for slug in STOPS if not term.means(slug)),
            }
            for term in TERMS
        },
    }
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


@cache
def address(language: str) -> str:
    """Where the browser finds it."""
    return f"{base_path()}/terms/{language}-{crc32(packed(language)):08x}.json"


async def serve(request: Request) -> Response:
    language = request.path_params["name"].split("-")[0]
    if language not in LANGUAGES:
        return Response(status_code=404)
    return Response(packed(language), media_type="application/json", headers={"Cache-Control": FOR_GOOD})


def routes() -> list[Route]:
    """For the server (app.py)."""
    return [Route(f"{base_path()}/terms/{{name}}.json", serve)]
