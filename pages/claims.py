"""True or not? What people say of Transformers, each claim as a card: first a vote, then what is
true, computed now, and where to try."""

import html
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from urllib.parse import urlencode

import streamlit as st

from core.claims import BY_ID, CLAIMS, TOPICS, Claim, of_stage
from core.figures.followed import Followed
from pages.shared.address import visit
from pages.shared.address.votes import EVERY, NOT, PARAMETER, SAID, is_right, votes_in
from pages.shared.address.votes import written as votes_written
from pages.shared.number.follow import draw as panel
from pages.shared.number.number_links import number as followable
from pages.shared.page.claim_numbers import origins
from pages.shared.page.claims import CLAIMS as SLUG
from pages.shared.page.parts import write
from pages.shared.page.search import ALL, FIND, controls, groups, head
from pages.shared.page.stage import FOLLOWED, PageContext, Stage, StageContext, piece
from pages.shared.server.base_path import base_path
from pages.shared.server.claim_facts import facts, is_there
from pages.shared.words.numbers import grouped, written
from pages.shared.words.texts import Texts

CARDS = "cards"


def which(page: PageContext):
    return {"topic": groups(TOPICS), "find": FIND, "votes": PARAMETER}


def draw(context: StageContext) -> None:
    head(context, len(CLAIMS))
    with st.container(key="projected") if context.page.address["present"] else nullcontext():  # as it is, but larger
        piece(context, CARDS, draw_cards)
    with st.container(key="followed_here"):
        piece(context, FOLLOWED, draw_followed)


def draw_followed(context: StageContext) -> None:
    """At the foot of the window, once a number on a card is pressed: the cards are many, and of none is it the own."""
    if context.values["trail"] is not None:
        panel(followed, None, FOLLOWED, context)


def followed(context: StageContext) -> Followed:
    """What a trail begins at: the page itself follows nothing."""
    return Followed(FOLLOWED, context.t("follow"), "", context.t("close"))


def draw_cards(context: StageContext) -> None:
    """The search, and what it found, as one element. Only what is open is computed: first one votes, then one sees."""
    t, topic, find = context.t, context.values["topic"], controls(context, "topic", TOPICS)
    shown, votes = found(t, topic, find), votes_in(context.values["votes"] or "")
    if not shown:
        return write(f"<p class='note'>{t.html('none', find=find)}</p>")
    every = EVERY in (context.values["votes"] or "").split("-")
    opened = [claim for claim in shown if every or claim.id in votes or claim.id.casefold() == find.casefold()]
    counted(context, len(shown), votes, every)
    with nullcontext() if all(map(is_there, opened)) else st.spinner(t("computing")):
        cards = [
            card(context, claim, votes.get(claim.id)) if claim in opened else closed(context.page, claim)
            for claim in shown
        ]
    write(tally(t, votes), *cards)


def counted(context: StageContext, shown: int, votes: Mapping[str, str], every: bool) -> None:
    """How many there are, how the votes went, and one button for all of them."""
    t, right = context.t, sum(is_right(BY_ID[id], vote) for id, vote in votes.items())
    said = [t.html("shown", shown=shown, count=len(CLAIMS)), *([t.html("hands")] if not every else [])]
    said += [t.html("voted", votes=len(votes), right=right)] if votes else []
    label, after = ("again", None) if every else ("open_all", votes_written(votes, True))
    with st.container(key="votes", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f"<p class='soft'>{' · '.join(said)}</p>", width="content")
        st.button(t(label), key="every", type="tertiary", on_click=visit.on_press(context, votes=after))


def tally(t: Texts, votes: Mapping[str, str]) -> str:
    """A mark for each claim: voted on rightly, wrongly, or not yet."""
    right = sum(is_right(BY_ID[id], vote) for id, vote in votes.items())
    said = t.html("voted", votes=len(votes), right=right)
    marks = "".join(f"<i class='{how(claim, votes)}'></i>" for claim in CLAIMS)
    return f"<div class='tally' role='img' aria-label='{said}' title='{said}'>{marks}</div>"


def how(claim: Claim, votes: Mapping[str, str]) -> str:
    if claim.id not in votes:
        return "open"
    return "right" if is_right(claim, votes[claim.id]) else "wrong"


# ---- which


def found(t: Texts, topic: str, find: str) -> Sequence[Claim]:
    """Those of the topic in which every word that is looked for occurs, in the visitor's language; or the one whose id
    it is, as links name it."""
    wanted = find.casefold().split()
    claims = CLAIMS if topic == ALL else of_stage(topic)
    named = [claim for claim in claims if [claim.id.casefold()] == wanted]
    return named or [claim for claim in claims if all(word in searched(t, claim) for word in wanted)]


def searched(t: Texts, claim: Claim) -> str:
    """All that a card says, but for its numbers."""
    own = (text for key, text in t.words.items() if key.startswith(f"{claim.id}."))
    around = (number(t, claim), t(f"sources.{claim.source}"), *map(t.stage, claim.stages))
    return "\n".join((*own, *around)).casefold()


def number(t: Texts, claim: Claim) -> str:
    """Which of all it is, as people count; an id would tell who knows the old ones what is true."""
    return t("number", number=CLAIMS.index(claim) + 1)


# ---- a card


def heading(page: PageContext, claim: Claim) -> str:
    """What is said, by whom, and where it belongs."""
    t = page.t
    said_by = t.html("said_by", source=t(f"sources.{claim.source}"), where=t(f"{claim.id}.where"))
    above = " · ".join(map(html.escape, (number(t, claim), *map(t.stage, claim.stages))))
    return (
        f"<p class='soft'>{above}</p><blockquote>{t.html(f'{claim.id}.said')}</blockquote><p class='soft'>{said_by}</p>"
    )


def closed(page: PageContext, claim: Claim) -> str:
    """A card before the vote: nothing on it says what is true."""
    buttons = "".join(
        f"<button class='vote' data-add='votes:{claim.id}.{vote}' data-then='#{claim.id} .answer'>"
        f"{page.t.html(f'vote.{vote}')}</button>"
        for vote in (SAID, NOT)
    )
    ballot = f"<p class='ballot'>{buttons}</p>"
    return f"<article class='claim' id='{claim.id}'><div>{heading(page, claim)}</div>{ballot}</article>"


def card(context: StageContext, claim: Claim, vote: str | None = None) -> str:
    page, t, stage = context.page, context.t, claim.stages[0]
    door = html.escape(href(page, stage, claim.door))
    verdict = t.html(f"verdict.{claim.verdict}")
    mine = f"<b>{t.html(f'mine.{vote}')}</b> " if vote else ""
    return (
        f"<article class='claim' id='{claim.id}'><div>{heading(page, claim)}"
        f"<p class='answer' tabindex='-1'>{mine}<b>{verdict}</b>{t.html(f'{claim.id}.true')}</p>"
        f"<p class='soft'>{t.html('reference')}{t.html(f'{claim.id}.reference')}</p>"
        f"<p>{t.html('door', stage=t.stage(stage))}<a href='{door}' target='_self'>{t.html(f'{claim.id}.try')}</a></p>"
        f"</div><div><p class='soft'>{t.html('computed')}<code>core.claims.{claim.function}</code></p>"
        f"{numbers(context, claim)}</div></article>"
    )


def numbers(context: StageContext, claim: Claim) -> str:
    """What was computed, in the order of the words for it; what is a run's own can be followed."""
    t, made, prefix = context.t, dict(facts(claim)), f"{claim.id}.rows."
    for name, origin in origins(claim, made).items():
        made[name] = followable(context, float(made[name]), origin)
    rows = ((t.html(key), made[key.removeprefix(prefix)]) for key in t.words if key.startswith(prefix))
    said = "".join(f"<dt>{name}</dt><dd{exactly(x)}>{value(x)}</dd>" for name, x in rows)
    return f"<dl tabindex='0'>{said}</dl>"


def value(x: str | int | float) -> str:
    return grouped(x) if isinstance(x, int) else written(x)


def exactly(x: str | int | float) -> str:
    return f" title='{x!r}'" if isinstance(x, float) else ""


def href(page: PageContext, slug: str, door: Mapping[str, str]) -> str:
    """The stage with the control ready and no question in the way, at its section where it has one (contents.js); a
    sentence of the claim's own has its own model."""
    carried = {name: value for name, value in page.address.link().items() if name != "model" or "text" not in door}
    at = "#section" if "section" in door else ""
    return f"{base_path()}/{slug}?{urlencode({**carried, **door, 'guess': 'skip'})}{at}"


STAGE = Stage(SLUG, draw, which=which, redraws={CARDS: ("topic", "find", "votes")})
