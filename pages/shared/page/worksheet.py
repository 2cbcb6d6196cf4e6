"""A sheet of paper for pupils, made of the class's own sentence: guess, compute, find, say. Then the key, apart.

One HTML file that prints on two sheets or more; what is left blank on the first stands in the second.
"""

import html
import re
from collections.abc import Iterator, Sequence

from core.derivation.powers import read
from core.exercises import Exercise, Patch
from core.figures.followed import Door, Line, Words
from core.version import VERSION
from pages.shared.page.drawing import as_set
from pages.shared.page.exercises import in_words
from pages.shared.page.opened import Opened
from pages.shared.page.predict import choices, facts_of
from pages.shared.page.stage import StageContext
from pages.shared.words.texts import typeset

BLANK, LINE = "<span class='blank'></span>", "<div class='line'></div>"
PRESSED = re.compile(r"</?button[^>]*>")  # on paper nothing can be pressed
RAISED = re.compile(r"\^\(([^()]*)\)")  # a power
RESULT = re.compile(r"(?<= = )[^=]+$")  # what stands behind the last sign of a line
# From a table, a sum of more numbers than the sheet has, or but a name.
LOOKED_UP = re.compile(r"^\S+\[[\d, ]+\]$|Σ [x(]|^[^\d÷×+√Σ−#]+$")
NUMBER = re.compile(r"(?<![\w.])−?\d[\d,]*(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?")
DIGIT = re.compile(r"\d")
VEILED = "?"
FEWEST = 2  # digits of a number by which it is known
STYLE = """
body { font: 12pt/1.5 "Source Sans 3", "Helvetica Neue", Arial, "Noto Sans", sans-serif;
  max-width: 44em; margin: 2em auto; padding: 0 1em; color: #1c2126; background: #fff }
:lang(zh) body { font-family: "Source Han Sans SC", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif }
h1 { font-size: 17pt; margin: 0 } h2 { font-size: 13pt; margin: 1.4em 0 .3em; break-after: avoid }
.say, .guess { break-inside: avoid } .guess + .compute { break-before: page }
header { display: flex; justify-content: space-between; gap: 2em; margin-bottom: .6em }
code, pre { font-family: "Source Code Pro", "Noto Sans Mono CJK SC", monospace }
li { margin: .5em 0; break-inside: avoid } li.choice { list-style: "☐  "; margin: .1em 0 }
.terms { margin: .1em 0 .1em 1.5em; font-family: "Source Code Pro", monospace; font-size: 11pt }
.blank { display: inline-block; min-width: 6em; border-bottom: 1px solid #5b646d }
.line { border-bottom: 1px solid #b9bfc4; height: 2.1em }
.key { break-before: page; border-top: 3px double #5b646d; margin-top: 3em; padding-top: 1em }
.about { color: #5b646d; font-size: 10pt }
@media print { body { margin: 0; max-width: none } .key { border: 0; margin: 0 } }
"""


def worksheet(context: StageContext, opened: Opened) -> str:
    """The sheet and its key, of this page as it stands."""
    t, page, computed = context.t, context.page, computing(context, opened)
    sections = [
        (name, pair)
        for name, pair in (
            ("guess", guessing(context, turn=computed is not None)),
            ("compute", computed),
            ("find", finding(context, opened)),
            ("say", (said(t.html("question")), f"<p>{t.html('worksheet.own')}</p>")),
        )
        if pair
    ]
    parts = [
        "".join(
            f"<section class='{name}'><h2>{i}. {t.html(f'worksheet.{name}')}</h2>{pair[at]}</section>"
            for i, (name, pair) in enumerate(sections, 1)
        )
        for at in (0, 1)
    ]
    title = t.html("question")
    return (
        f"<!doctype html><html lang='{page.address.lang}'><meta charset='utf-8'><title>{title}</title>"
        f"<meta name='viewport' content='width=device-width'><style>{STYLE}</style><body>"
        f"<header><span>{t.html('worksheet.name')}{BLANK}</span><span>{t.html('worksheet.date')}{BLANK}</span></header>"
        f"<h1>{title}</h1><p>{'<br>'.join(given(context))}</p>{PRESSED.sub('', parts[0])}"
        f"<div class='key'><h1>{t.html('worksheet.key')}{title}</h1>{PRESSED.sub('', parts[1])}</div></body></html>"
    )


def given(context: StageContext) -> Iterator[str]:
    """What the page is of: the sentence and its tokens, or those of a lab; and who computed it."""
    t, page, stage = context.t, context.page, context.page.stage
    reads = stage.shown is None
    tokens = [token.text for token in stage.shown(context)] if stage.shown else page.tokens
    if reads:
        yield f"{t.html('worksheet.sentence')} <b>{html.escape(page.text)}</b>"
    if tokens:
        yield " ".join(f"<code>{html.escape(token)}</code>" for token in tokens)
    by = t.html(
        "worksheet.by_model" if reads else "worksheet.by", model=page.model_name, site=t("site"), version=VERSION
    )
    yield f"<span class='about'>{by}</span>"


Pair = tuple[str, str]  # what is asked, and what stands in the key


def guessing(context: StageContext, turn: bool) -> Pair | None:
    """The page's question, with boxes to tick; what is computed stands on the next page, and may answer it."""
    question, t = context.question, context.t
    if question is None:
        return None
    words, facts = f"predict.{question.template}", {**facts_of(context), "among": ""}
    offered = "".join(f"<li class='choice'>{html.escape(choice)}</li>" for choice in choices(context))
    return (
        f"<p>{t.html(f'{words}.question', **facts)}</p><ul>{offered}</ul>"
        + (f"<p class='about'>{t.html('worksheet.turn')}</p>" if turn else ""),
        f"<p>{t.html(f'{words}.answer', **facts)}</p>",
    )


def computing(context: StageContext, opened: Opened) -> Pair | None:
    """The steps of the number that is followed, their results left blank."""
    followed = opened.repeat(context).followed if opened.repeat else None
    lines = [step for step in followed.steps if plain(step.value) != VEILED] if followed else []
    if followed is None or all(map(looked_up, lines)):
        return None
    rounded = any("." in plain(text) for step in lines for text in (step.operation, *step.lines))
    digits = f"<p class='about'>{context.t.html('worksheet.digits')}</p>" if rounded else ""
    about = f"<p>{html.escape(f'{followed.title} {followed.where}')}</p>{digits}"
    return tuple(f"{about}<ol>{''.join(steps(lines, key))}</ol>" for key in (False, True))  # type: ignore[return-value]


def steps(every: "tuple[Line, ...] | list[Line]", key: bool) -> Iterator[str]:
    asked: list[str] = []  # results that are left blank
    for step in every:
        value, found = plain(step.value), [] if key else [RESULT.search(plain(line)) for line in step.lines]
        given = key or not DIGIT.search(value) or (looked_up(step) and bool(step.reason or step is not every[-1]))
        terms = "".join(f"<div class='terms'>{filled(plain(line), key, asked)}</div>" for line in step.lines)
        operation = printed(plain(step.operation), asked)
        result = f"<b>{html.escape(value)}</b>" if given else BLANK
        reason = f"<div class='terms'>{typeset(html.escape(plain(step.reason)))}</div>" if step.reason else ""
        yield f"<li>{operation} {terms}= {result}{reason}</li>"
        asked += [] if given else [value]
        asked += [result[0] for result in found if result]


def looked_up(step: Line) -> bool:
    """Whether the result cannot be computed from what the sheet says."""
    return not step.lines and LOOKED_UP.search(plain(step.operation)) is not None


def filled(line: str, key: bool, asked: Sequence[str] = ()) -> str:
    """A line, with the result behind its last sign or with room for it."""
    found = None if key else RESULT.search(line)
    return printed(line[: found.start()] if found else line, asked) + BLANK * bool(found)


def printed(text: str, asked: Sequence[str]) -> str:
    """A text, with room for each number in it that was to be computed before."""
    known = {found for found in NUMBER.findall(text) if any(same(found, one) for one in asked)}
    if {*NUMBER.findall(text)} <= {*known, *asked}:  # nothing in it was given: a single digit is a result, too
        known |= {*asked}
    hidden = NUMBER.sub(lambda found: "\0" if found[0] in known else found[0], text)
    return RAISED.sub(r"<sup>\1</sup>", typeset(html.escape(hidden))).replace("\0", BLANK)


def same(one: str, other: str) -> bool:
    """Whether two printed numbers are one, in as many digits as the shorter has."""
    fewest = min(len(DIGIT.findall(text.partition("×")[0])) for text in (one, other))
    if one == other or fewest <= FEWEST or not (NUMBER.fullmatch(one) and NUMBER.fullmatch(other)):
        return one == other and fewest >= FEWEST
    return abs(read(one) - read(other)) <= 1.000001 * max(map(half_a_digit, (one, other)))


def half_a_digit(text: str) -> float:
    """By how much a number may have been rounded that is printed so."""
    mantissa, times, raised = text.partition("×")
    return 0.5 * 10.0 ** -len(mantissa.partition(".")[2]) * read(f"1{times}{raised}")


def plain(words: Words) -> str:
    """What is said, without its doors."""
    if isinstance(words, str):
        return words
    return "".join(part.text if isinstance(part, Door) else part for part in words)


def finding(context: StageContext, opened: Opened) -> Pair | None:
    """The exercises of the page that have a solution here, with room for it; in the key what the page says of that."""
    t, asked, solved = context.t, [], []
    for exercise in context.exercises:
        facts = in_words(t, exercise.check(context.practised, context.values).facts)
        if (found := exercise.solution(context.practised, context.values)) is None:
            continue
        task = t.html(f"exercises.{exercise.id}.task", **facts)
        asked.append(f"<li>{task}{2 * LINE}</li>")
        solved.append(f"<li>{solution(context, opened, exercise, found)}</li>")
    return (f"<ol>{''.join(asked)}</ol>", f"<ol>{''.join(solved)}</ol>") if asked else None


def solution(context: StageContext, opened: Opened, exercise: Exercise, found: Patch) -> str:
    """What solves an exercise, where the page's own words do not name it; and what the page says of it."""
    t, there, words = context.t, as_set(context, found), f"exercises.{exercise.id}"
    verdict = exercise.check(there.practised, there.values)
    followed = opened.repeat(there).followed if opened.repeat else None
    set_up = t.if_said(f"{words}.key", where=followed.where if followed else "", **found)
    if "text" in found:
        set_up.append(f"{t.html('worksheet.sentence')} <b>{html.escape(str(found['text']))}</b>")
    return "<br>".join([*filter(None, set_up), t.html(f"{words}.{verdict.words}", **in_words(t, verdict.facts))])


def said(question: str) -> str:
    """Room for an answer in one's own words."""
    return f"<p>{question}</p>{4 * LINE}"
