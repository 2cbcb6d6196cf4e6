"""The page of claims: every card in both languages, what is found, and the doors, which all open."""

import html
import re
from functools import cache
from urllib.parse import parse_qsl, urlsplit

import pytest

from core.claims import BY_ID, CLAIMS, of_stage
from pages import claims as page
from pages.shared.address.votes import is_right
from pages.shared.page.claim_numbers import origins
from pages.shared.server import cached, claim_facts
from pages.shared.words.texts import Texts, lesson
from pages.stages import stages
from tests.profiles import some

IDS = [claim.id for claim in CLAIMS]


def shown(opened) -> list[str]:
    return re.findall(r"<article class='claim' id='(\w+)'", opened.html)


@cache
def texts(lang: str) -> Texts:
    return Texts(lang, "claims")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_claim_is_a_card_with_all_its_numbers(opened, lang) -> None:
    whole = opened("claims", lang, votes="all")
    assert shown(whole) == IDS and not re.search(r"\{\w+\}", whole.html.split("<article", 1)[1])
    for claim in CLAIMS:
        made = claim_facts.facts(claim)
        named = {key.rsplit(".", 1)[1] for key in lesson("claims")[lang] if key.startswith(f"{claim.id}.rows.")}
        assert named <= set(made) and named, claim.id
        for name in named:
            written = f">{html.unescape(page.value(made[name]))}"
            ends = "</button></dd>" if name in origins(claim, made) else "</dd>"
            assert written + ends in whole.html, (claim.id, name)
        assert texts(lang)(f"sources.{claim.source}") in whole.html


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"topic": "segmentation"}, ["F25"]),
        ({"topic": "output"}, ["F7"]),
        ({"find": "F3"}, ["F3"]),
        ({"find": "jieba"}, ["F25"]),
        ({"find": "ALIBI"}, ["F23"]),
        ({"find": "bert σ"}, ["F10"]),
        ({"topic": "position", "find": "alibi"}, ["F23"]),
        ({"topic": "tokens", "find": "alibi"}, []),
        ({"find": "<script>"}, []),
    ],
)
def test_search_and_topics(opened, query, found) -> None:
    found_there = opened("claims", "en", **query)
    assert shown(found_there) == found and found_there.address.items() >= query.items()
    assert ("No claim has" in found_there.html) == (not found) and "<script>" not in found_there.html.split("<p", 1)[0]


def test_nothing_is_computed_or_told_before_the_vote(opened, monkeypatch) -> None:
    monkeypatch.setattr(page, "numbers", None)  # a card that is open would fail
    whole = opened("claims", "en")
    assert shown(whole) == IDS and whole.html.count("data-add=") == 2 * len(IDS)
    for claim in CLAIMS:
        assert html.unescape(texts("en")(f"{claim.id}.true")) not in whole.html
        assert f">{claim.id} " not in whole.html  # the true ones came later: an id would tell
    for verdict in ("so", "wrong", "loose"):
        assert texts("en")(f"verdict.{verdict}") not in whole.html


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_each_card_says_what_comes_of_it_and_votes_are_counted_by_that(opened, lang) -> None:
    t, whole = texts(lang), opened("claims", lang, votes="all")
    cards = dict(zip(IDS, whole.html.split("<article class='claim'")[1:], strict=True))
    for claim in CLAIMS:
        assert [v for v in ("so", "wrong", "loose") if f"<b>{t(f'verdict.{v}')}</b>" in cards[claim.id]] == [
            claim.verdict
        ]
    for vote, right in (("not", ["F1", "F4"]), ("said", ["F4", "F31", "F10"])):
        there = opened("claims", lang, votes="-".join(f"{id}.{vote}" for id in ("F1", "F4", "F31", "F10")))
        assert t("voted", votes=4, right=len(right)) in there.html
        marks = re.findall(r"<i class='(\w+)'>", there.html.partition("class='tally'")[2].partition("</div>")[0])
        assert len(marks) == len(CLAIMS) and marks.count("right") == len(right) == 4 - marks.count("wrong")
        assert [is_right(BY_ID[id], vote) for id in right] == [True] * len(right)


@pytest.mark.parametrize(
    ("query", "open_"),
    [
        ({"votes": "F1.not-F2.said"}, ["F1", "F2"]),
        ({"votes": "F2.said-F1.not-F1.said-F99.not-x.y-<b>"}, ["F1", "F2"]),
        ({"find": "F25"}, ["F25"]),
        ({"find": "f10"}, ["F10"]),
        ({"votes": "nonsense"}, []),
        ({"topic": "output", "votes": "all"}, ["F7"]),
    ],
)
def test_a_vote_opens_its_card_and_so_does_a_link(opened, query, open_) -> None:
    there = opened("claims", "zh", **query)
    closed = set(re.findall(r"data-add='votes:(\w+)\.", there.html))
    assert set(shown(there)) - closed == set(open_)
    for id in open_:
        assert html.unescape(texts("zh")(f"{id}.true")) in there.html.replace("\u00a0", " ")
    assert there.address.get("votes") == {"F1.not-F2.said": "F1.not-F2.said", "all": "all"}.get(
        query.get("votes", ""), "F1.not-F2.said" if "F99" in query.get("votes", "") else None
    )


@pytest.mark.long
def test_every_topic_has_its_claims_and_filtering_computes_nothing(monkeypatch) -> None:
    cached.shrink(0)
    monkeypatch.setattr(claim_facts.facts_of, "make", None)  # facts would fail
    for topic in page.TOPICS:
        assert {c.id for c in page.found(texts("en"), topic, "")} == {c.id for c in of_stage(topic)} != set()
    for lang in ("zh", "en"):
        for claim in CLAIMS:
            said = texts(lang)(f"{claim.id}.said")
            assert claim in page.found(texts(lang), "all", said[:30])
            assert claim in page.found(texts(lang), "all", texts(lang).stage(claim.stages[0]))


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("id", IDS)
def test_every_door_opens_with_its_control_ready(looked, id, lang) -> None:
    slug, query = door(looked, id, lang)
    context = looked(slug, lang, **query)
    assert [repair.code for repair in context.page.address.repairs] == [] and not context.veiled
    set_there = {name: str(context.values[name]) for name in BY_ID[id].door if name in context.values}
    assert {**BY_ID[id].door, **set_there} == BY_ID[id].door
    assert BY_ID[id].door.keys() <= {*context.values, "text"}


def door(looked, id: str, lang: str) -> tuple[str, dict[str, str]]:
    """Where the link of a card leads: the slug and the address, without the language."""
    claim = BY_ID[id]
    link = urlsplit(page.href(looked("overview", lang).page, claim.stages[0], claim.door))
    query = dict(parse_qsl(link.query))
    query.pop("lang", None)
    return link.path.strip("/"), query


@pytest.mark.parametrize("id", some(IDS))
def test_every_door_is_drawn_whole(opened, looked, id) -> None:
    slug, query = door(looked, id, "en")
    there = opened(slug, "en", **{"text": None, **query})  # fails where a part of the page could not be drawn
    assert there.address.items() >= BY_ID[id].door.items() - there_by_default(there, BY_ID[id].door)


def there_by_default(there, door) -> set[tuple[str, str]]:
    """What a page does not write into its address, for it opens so."""
    params = there.data("address")["params"]
    return {(name, value) for name, value in door.items() if params[name].get("default") == value}


def test_a_stage_leads_to_its_claims(opened) -> None:
    there = opened("tokens", "en")
    links = [link.proto for link in there.app.get("page_link")]
    said = texts("en")("here.many", count=len(of_stage("tokens")))
    (link,) = [link for link in links if link.label == said]
    assert "topic=tokens" in link.query_string
    assert {slug for slug in stages() if not of_stage(slug)} == {"meaning", "generation", "circuits"}
    assert len([link for link in links if link.page == "claims"]) == 2  # and the foot of the path
