"""Claims about Transformers as people put them, some true, some not, each with the numbers that decide it.

A claim is a line of CLAIMS; its words stand under its id in assets/lessons/claims.toml. They stand in the order of the
path, the true among the others; nobody who votes sees an id.
"""

from ..stages import STAGES
from .claim import CAT, CHINESE, LOOSE, SO, WRONG, Claim, Facts, Models

NOTES, MIXED, HANDOUT, CODE, FIGURE, COMMON = "notes", "mixed", "handout", "code", "figure", "common"
SMALL = {"sample": "hug×10 pug×5 pun×12 bun×4 hugs×5"}
PUGS = {**SMALL, "section": "use", "try": "pugs", "step": "9"}

CLAIMS = (
    Claim("F1", NOTES, ("tokens", "embedding"), "tokens.cat", {"text": CAT}),
    Claim("F2", NOTES, ("tokens",), "tokens.nine", {"text": CAT}),
    Claim("F14", MIXED, ("tokens", "vocabulary"), "tokens.specials", {"section": "entries", "of": "minilm"}, LOOSE),
    Claim("F15", MIXED, ("tokens",), "tokens.spaces", {"section": "count", "text": CAT}, LOOSE),
    Claim("F12", MIXED, ("vocabulary",), "tokens.merges", {**SMALL, "section": "three", "ties": "id"}),
    Claim("F29", MIXED, ("vocabulary", "tokens"), "tokens.longest", PUGS, SO),
    Claim("F13", MIXED, ("vocabulary",), "tokens.ties", {**SMALL, "section": "ties"}),
    Claim("F25", HANDOUT, ("segmentation",), "tokens.new_words", {"sample": "他来到了网易杭研大厦"}, LOOSE),
    Claim("F28", FIGURE, ("embedding",), "entering.order", {"section": "ids", "ids": "71 8 1234 5"}),
    Claim("F30", FIGURE, ("embedding", "position"), "entering.placeless", {"text": CAT, "pos": "5", "k": "1"}, SO),
    Claim("F8", NOTES, ("embedding",), "entering.beginning", {"section": "begin"}),
    Claim("F3", NOTES, ("position",), "positions.steps", {"section": "far", "a": "100", "b": "101"}),
    Claim("F31", HANDOUT, ("position",), "positions.turned", {"section": "moving", "by": "37"}, SO),
    Claim("F4", NOTES, ("position",), "positions.longest_wave", {"section": "table"}, LOOSE),
    Claim("F5", NOTES, ("position",), "positions.transformer_xl", {"section": "others", "left": "transformer_xl"}),
    Claim("F5b", HANDOUT, ("position",), "positions.fast_and_slow", {"dim": "0"}),
    Claim("F32", HANDOUT, ("position", "attention"), "positions.orderless", {"reader": "off", "order": "example"}, SO),
    Claim("F11", HANDOUT, ("position", "tokens"), "positions.longest_input", {"section": "table", "max_len": "5000"}),
    Claim("P7", COMMON, ("position",), "learning.saved", {"section": "table"}),
    Claim("F23", NOTES, ("position",), "positions.alibi", {"section": "others", "right": "alibi"}, LOOSE),
    Claim("F24", HANDOUT, ("position",), "positions.nearly_again", {"section": "far", "a": "0", "b": "710"}, SO),
    Claim("F6", NOTES, ("input", "attention"), "entering.root", {"section": "why"}),
    Claim("F20", NOTES, ("input",), "entering.broadcast", {"section": "shapes"}),
    Claim("F33", NOTES, ("input",), "entering.side_by_side", {"join": "concat"}, SO),
    Claim("F21", NOTES, ("input",), "entering.one_map", {"section": "tied"}, LOOSE),
    Claim("F26", CODE, ("input", "embedding"), "entering.twice", {"section": "twice"}),
    Claim("F27", CODE, ("input", "embedding", "overview"), "entering.alone", {"text": CAT, "pos": "5"}),
    Claim("F34", NOTES, ("layernorm",), "layers.per_token", {"method": "batch"}, SO),
    Claim("F9", NOTES, ("layernorm",), "attention.norms", {"section": "where"}, LOOSE),
    Claim("F10", NOTES, ("layernorm",), "attention.biased", {"section": "hand", "vector": "1,2,3,4"}, SO),
    Claim("F0", MIXED, ("attention",), "attention.example", {"section": "layer"}),
    Claim("F17", MIXED, ("attention", "heads"), "attention.shapes", {"section": "maps", "text": CAT}),
    Claim("F35", MIXED, ("attention",), "attention.variance", {"section": "scale", "dk": "64"}, SO),
    Claim("F36", MIXED, ("attention",), "attention.rows", {"section": "masks", "mask": "causal", "text": CAT}, SO),
    Claim("F19", MIXED, ("attention",), "attention.gradients", {"section": "step"}),
    Claim("F16", MIXED, ("heads", "attention"), "attention.slices", {"section": "split", "text": CAT}),
    Claim("F37", MIXED, ("heads", "attention"), "attention.own_matrices", {"section": "split", "text": CAT}, SO),
    Claim("F38", MIXED, ("encoder",), "layers.alone", {"section": "network", "text": CAT}, SO),
    Claim("F18", MIXED, ("size", "heads"), "attention.matrices", {"section": "head", "d": "512", "h": "8"}, LOOSE),
    Claim("P5", COMMON, ("size",), "learning.most", {"preset": "gpt3"}),
    Claim("F22", NOTES, ("size",), "attention.width", {"section": "growth", "along": "d"}),
    Claim("P6", COMMON, ("size", "attention"), "learning.doubled", {"section": "growth", "along": "n"}),
    Claim("P9", COMMON, ("size",), "learning.quantised", {"show": "memory", "precision": "int8"}, SO),
    Claim("F40", MIXED, ("size", "attention"), "attention.square", {"section": "growth", "along": "n"}, SO),
    Claim("P1", COMMON, ("training",), "learning.rate", {"rate": "10", "times": "3"}),
    Claim("P2", COMMON, ("training",), "learning.by_heart", {"section": "overfit"}),
    Claim("P3", COMMON, ("training", "heads"), "learning.heads", {"section": "contest", "what": "heads"}, LOOSE),
    Claim(
        "P4", COMMON, ("training", "encoder"), "learning.residual", {"section": "contest", "what": "residual"}, LOOSE
    ),
    Claim("P8", COMMON, ("translation",), "learning.extra", {"text": CHINESE, "section": "masks"}),
    Claim("F39", MIXED, ("translation",), "layers.future", {"section": "peek", "text": CHINESE}, SO),
    Claim("F7", NOTES, ("output", "size"), "attention.tied", {"section": "tied", "text": CHINESE}),
)
BY_ID = {claim.id: claim for claim in CLAIMS}
TOPICS = tuple(stage.slug for stage in STAGES if any(stage.slug in claim.stages for claim in CLAIMS))


def of_stage(slug: str) -> tuple[Claim, ...]:
    """The claims that belong to a stage, its own before those it shares."""
    return tuple(sorted((c for c in CLAIMS if slug in c.stages), key=lambda c: c.stages.index(slug)))


__all__ = ["BY_ID", "CAT", "CLAIMS", "LOOSE", "SO", "TOPICS", "WRONG", "Claim", "Facts", "Models", "of_stage"]
