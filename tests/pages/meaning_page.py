"""What the tests of the meaning lab read off its page."""

import json

import numpy as np

CAT, BOOKS = "The cat sat on the mat.", "我昨天在北京买了三本书"
MODELS = {"minilm": CAT, "translator": BOOKS}


def protos(page) -> dict:
    return {element.proto.id.rpartition("-")[2]: element.proto for element in page.app.get("bidi_component")}


def packed(page, key: str) -> tuple[dict, np.ndarray]:
    """A picture's header and its numbers."""
    raw = protos(page)[key].bytes
    size = int.from_bytes(raw[:4], "little")
    return json.loads(raw[4 : 4 + size]), np.frombuffer(raw[4 + size :], "<f4")


def drawn(page) -> list[str]:
    """The words on the map."""
    return packed(page, "map")[0]["texts"]


def ring(page) -> list[str]:
    """The name of the chosen word, where it stands on the map."""
    of = address(page, "of") or page.data("address")["params"]["of"]["default"]
    return [word for word in drawn(page) if word == of]


def said_of_senses(page, key: str = "senses") -> str:
    """What is said of the sentences at the depth that is looked at, and the sentences."""
    header = packed(page, key)[0]
    said = header["said"][int(address(page, "depth") or -1)]
    return " ".join([header["word"], *header["sentences"], *said])


def ruler(page) -> dict[str, float]:
    """The rows beside the map, and their cosines."""
    return {row["id"]: row["cosine"] for row in page.data("near")["rows"]}


def address(page, name: str) -> str:
    return "".join(page.query.get(name, []))


def words(page, text: str):
    """The visitor types a list of words and has it drawn."""
    if "own" not in address(page, "groups"):
        page.app.query_params["groups"] = "emotions,own"
        page.run()
    return page.typed("words", text)
