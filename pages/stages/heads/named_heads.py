"""Heads with a name: what each is said to do, how often that holds, against what, and where it does not."""

import html
from random import Random
from urllib.parse import urlencode

from core import grammar
from core.named_heads import known
from core.views.featured import UNIFORM, Case, Claim, alignments, claims
from pages.shared.page.parts import Html, heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.shared.server.base_path import base_path
from pages.shared.words import samples
from pages.shared.words.numbers import percent, short
from pages.shared.words.texts import Texts
from pages.stages.heads.context import StageContext

SENTENCES = 12  # of the grammar
COLUMNS = ("head", "does", "holds", "cases")


def draw(context: StageContext) -> None:
    t, writes = context.t, context.page.translates
    if context.veiled:
        return write(heading(t, "known"), paragraph(t, "known.veiled"))
    if not writes and not known(context.page.address.model):
        return write(heading(t, "known"), paragraph(t, "known.none"))
    found = measured(context)
    sentences = SENTENCES if writes else len(texts())
    rows = [row_of(context, claim) for claim in found]
    head = [t(f"known.columns.{'name' if writes and name == 'does' else name}") for name in COLUMNS]
    said = "known.said_cross" if writes else "known.said"
    which = [paragraph(t, "known.said_name", even=short(found[0].chance))] if writes else []
    write(heading(t, "known"), paragraph(t, said, sentences=sentences), *which, table(rows, head, "known"))
    write(paragraph(t, "known.base"), "" if writes else paragraph(t, "known.not_reasoning"))


SECTION = Section(draw)


def texts() -> tuple[str, ...]:
    return tuple(samples.read("heads")["sentences"])


def measured(context: StageContext) -> list[Claim]:
    name = context.page.address.model
    return aligned(name) if context.page.translates else claimed(name)


@cached.shared
def claimed(name: str) -> list[Claim]:
    return claims(cached.model(name), texts())


@cached.shared
def aligned(name: str) -> list[Claim]:
    """The heads of cross-attention on sentences of the grammar, best first."""
    made = [grammar.sample(Random(seed)) for seed in range(SENTENCES)]
    known = [(one.zh, tuple((word.text, word.source) for word in one.target)) for one in made]
    return sorted(alignments(cached.model(name), known), key=lambda claim: -claim.share)


def row_of(context: StageContext, claim: Claim) -> list[object]:
    t = context.t
    fails = t.html("known.fails" if claim.failing else "known.least")
    return [
        Html(f"<b>{claim.layer}.{claim.head}</b>"),
        tested(t, claim) if context.page.translates else said(t, claim),
        held(t, claim),
        Html(
            f"<small>{t.html('known.example')}</small> {door(context, claim, claim.example)}<br>"
            f"<small>{fails}</small> {door(context, claim, claim.failing or claim.weakest)}"
        ),
    ]


def said(t: Texts, claim: Claim) -> Html:
    """A name, what it says, and the weight on the places it says."""
    name, does = (t.html(f"known.{claim.name}.{part}") for part in ("name", "does"))
    measured = "known.entropy" if claim.name == UNIFORM else "known.weight"
    against = t.html(measured, value=short(claim.mass), even=short(claim.chance))
    return Html(f"<b>{name}</b> {does}<br><small>{against}</small>")


def tested(t: Texts, claim: Claim) -> Html:
    """Where all heads are tested for the same: the name, of those only that do it more often than the others."""
    name = f"<b>{t.html(f'known.{claim.name}.name')}</b>" if claim.share > claim.other else t.html("known.no_name")
    return Html(f"{name}<br><small>{t.html('known.weight_alone', value=short(claim.mass))}</small>")


def held(t: Texts, claim: Claim) -> Html:
    """In how many rows a name holds, as a bar; the other heads as a mark on it."""
    share, other = (f"{100 * part:.1f}%" for part in (claim.share, claim.other))
    facts = {"held": claim.held, "rows": claim.rows, "share": percent(claim.share), "others": percent(claim.other)}
    return Html(
        f"<span class='track'><i style='width:{share}'></i><b style='left:{other}'></b></span>"
        f"<small>{t.html('known.count', **facts)}</small>"
    )


def door(context: StageContext, claim: Claim, case: Case | None) -> Html:
    """A link to the very line, in its sentence."""
    if case is None:
        return Html("–")
    address = context.page.address
    cell = {"layer": claim.layer, "head": claim.head, "q": case.row, "k": case.best}
    model = {"model": name} if (name := address.values["model"]) else {}
    kind = {} if claim.kind == context.page.model.attentions[0] else {"kind": claim.kind}
    query = {"lang": address.lang, "text": case.text, **model, "guess": "skip", **kind, **cell}
    href = f"{base_path()}/heads?{urlencode({**query, 'also': 'alone', 'pin': f'q{case.row}', 'section': 'known'})}"
    line = f"{html.escape(case.token)} → {html.escape(case.at)} {short(case.weight)}"
    return Html(f"<a href='{html.escape(href)}' title='{html.escape(case.text)}'>{line}</a>")
