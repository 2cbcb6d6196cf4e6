"""A class together: the strip over the page while a room is open. Who is there and what was answered, the browser asks
by itself (pages/shared/server/room_routes.py); a page only says what its question is."""

from zlib import crc32

from pages.shared.page import predict, sentence_box
from pages.shared.page.share import code
from pages.shared.page.stage import StageContext
from pages.shared.pictures import components
from pages.shared.server.base_path import base_path
from pages.shared.server.room_routes import reached

KEY = "classroom"
WORDS = (
    "title",
    "here",
    "answered",
    "counted",
    "code",
    "lead",
    "follow",
    "end",
    "leave",
    "ended",
    "gone",
    "full",
)


def draw(context: StageContext) -> None:
    """A piece of its own: to draw a code redraws nothing else."""
    if context.page.address["room"]:
        context.page.drawing.piece(KEY, strip)


def strip(context: StageContext) -> None:
    t, question = context.t, context.question
    ids = [choice.id for choice in question.choices] if question else []
    data = {
        "room": context.page.address["room"],
        "page": context.page.slug,
        "base": base_path(),
        "question": question_key(context),
        "choices": list(zip(ids, predict.choices(context), strict=True)),
        "reached": reached(),
        "code": code(sentence_box.said(KEY, "link")),
        "words": {name: t(f"classroom.{name}", n="{n}") for name in WORDS},
    }
    components.classroom(key=KEY, data=data, on_link_change=lambda: None)


def question_key(context: StageContext) -> str | None:
    """Which question this is, for everybody who has the same page, sentence and model, in whatever process."""
    question = context.question
    if question is None:
        return None
    said = (context.key, context.page.address.values.get("ask", 0), question.row, sorted(question.facts.items()))
    return f"{context.page.slug}.{question.template}.{crc32(repr(said).encode()):08x}"
