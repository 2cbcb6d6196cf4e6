"""What visitors do on each page, as `benchmarks` measures it: a line an act. A new page adds its controls here."""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlencode

from benchmarks.loadtest import Visit
from benchmarks.soak import stages

QUERY = urlencode({"lang": "en", "text": "The cat sat on the mat.", "guess": "skip"})
CELL = Visit(query=QUERY)  # of the matrix of attention

# Page -> what is moved there -> the patch: "a..b" is a random whole number, a list a random choice; what is one text
# stands in the address from the beginning.
CONTROLS: dict[str, dict[str, dict[str, object]]] = {
    "overview": {"another pair": {"q": "1..7", "k": "1..7"}, "depth": {"depth": "0..8"}},
    "tokens": {"word": {"word": "0..5", "step": None}, "step": {"step": "0..1"}},
    "vocabulary": {
        "algorithm": {"rule": ["score", "frequency", "bpe"]},
        "ties": {"ties": ["first", "id"]},
        "step": {"step": "0..8", "pair": None},
        "candidate": {"pair": "0..7"},
        "section": {"section": ["three", "ties", "use", "origin"]},
    },
    "segmentation": {
        "frequency": {"words": ["乒乓球拍:26", "乒乓球拍:9", None]},
        "HMM": {"hmm": ["on", "off"]},
        "mode": {"mode": ["accurate", "full", "search"]},
        "path": {"way": "0..2", "arc": None},
    },
    "embedding": {
        "token": {"pos": "0..8", "k": None, "row": None},
        "written as": {"pair": ["onehot", "id", "row"]},
        "a row by hand": {"row": "1000..3000"},
    },
    "meaning": {
        "map": {"map": ["tsne", "pca"]},
        "word": {"of": ["white", "black", "king", "queen"], "to": None},
        "section": {"section": ["context", "sum", "sentences", "grew", "gradient"]},
    },
    "position": {
        "position": {"pos": "0..300"},
        "dimension": {"dim": "0..383"},
        "table": {"kind": ["learned", "sinusoidal"]},
        "two sentences": {"order": ["own", "example"]},
        "max_len": {"max_len": [256, 512, 5000], "row": None},
        "another way": {"left": ["rotary", "t5", "none"], "right": ["shaw", "alibi"], "section": "others"},
        "a cell of another way": {"q": "0..8", "k": "0..8", "section": "others"},
        "random weights": {"draw": "0..9999", "section": "causal"},
        "a recorded model": {"one": ["rotary", "t5", "none"], "section": "lengths"},
        "what T5 learned": {"t5_head": "1..4", "section": "lengths"},
        "section": {
            "section": ["table", "calculator", "moving", "far", "learned", "others", "causal", "lengths"],
        },
    },
    "input": {
        "√d": {"sqrt": ["on", "off"]},
        "√d, what follows": {"sqrt": ["on", "off"], "section": "switches"},
        "positions": {"positions": ["on", "off"]},
        "add or concatenate": {"join": ["add", "concat"]},
        "what is compared": {"of": ["sum", "output", "token"]},
        "head": {"head": "1..12"},
        "section": {"section": ["why", "switches", "tied", "dropout", "shapes", "twice", "flow"]},
    },
    "layernorm": {
        "norm": {"norm": "1..13"},
        "before": {"given": ["as_is", "times", "plus", "both"]},
        "ε": {"eps": ["own", "1e-5", "0.1"]},
        "method": {"method": ["layer", "rms", "batch", "none"]},
        "token": {"pos": "0..8"},
        "section": {"section": ["where", "depth", "traits", "hand", "start"]},
    },
    "attention": {
        "layer": {"layer": "1..6"},
        "head": {"head": "1..12"},
        "show": {"show": ["scores", "weights", "query", "value", "context"]},
        "d_k": {"dk": "1..128"},
        "mask": {"mask": ["none", "padding", "causal"], "section": "masks"},
        "a number of the small layer": {"put": ["WQ.0.0=2", "X.1.1=-1", None], "section": "layer"},
        "learning rate": {"eta": [0.1, 0.5, 1], "section": "step"},
        "a cell, followed through the matrices": {"q": "0..8", "k": "0..8", "section": "maps"},
        "section": {"section": ["scale", "maps", "masks", "layer", "step", "importance", "rollout"]},
    },
    "heads": {
        "cell": {"q": "0..8", "k": "0..8"},
        "layer and head": {"layer": "1..6", "head": "1..12"},
        "what if": {"edit": ["zero", "mute:encoder.1.3", "drop_sqrt_dk:32", None]},
        "section": {"section": ["known", "words", "split", "joined", "whatif", "pair"]},
    },
    "translation": {
        "step": {"q": "0..5"},
        "layer and head": {"layer": "1..2", "head": "1..4"},
        "search": {"search": ["greedy", "beam"]},
        "section": {"section": ["change", "asks", "after", "masks", "peek"]},
    },
    "output": {
        "word of the line": {"q": "0..6", "word": None},
        "row of the table": {"word": "0..1000"},
        "depth": {"depth": "0..2"},
        "temperature": {"temperature": ["0.5", "1", "1.5", "2"]},
        "section": {"section": ["depth", "draw", "search", "tied", "alone", "headless"]},
    },
    "encoder": {
        "layer": {"layer": "1..6"},
        "token": {"pos": "0..8"},
        "box": {"part": ["encoder.attention", "encoder.feedforward"]},
        "section": {"section": ["residual", "network", "walk", "parting", "inside"]},
    },
    "size": {
        "model": {"preset": ["gpt2", "bert_base", "gpt3", "base"], "d": None, "n": None},
        "width": {"d": "12..4096"},
        "length": {"n": "1..4096"},
        "what is counted": {"show": ["parameters", "work", "memory"], "part": None},
        "part": {"part": ["token", "attention", "feedforward", "all"]},
        "along": {"along": ["n", "d"], "section": "growth"},
        "section": {"section": ["growth", "models", "head", "tied"]},
    },
    "training": {
        "step": {"run": ["post", "pre", "none"], "step": "1..240"},
        "what differs": {"what": ["warmup", "width", "task"], "run": None, "step": None},
        "a setting of one’s own": {"my_layers": ["2", "4", "8"], "my_norm": ["post", "none"], "section": "own"},
        "section": {"section": ["own", "translator", "practice"]},
    },
}


def pages() -> dict[str, Visit]:
    """Page -> the whole page opened."""
    return {slug: Visit(slug, QUERY, "address", whole=True) for slug in stages()}


def controls() -> dict[str, Visit]:
    """Every control that needs Python, by page and name."""
    return {
        f"{slug}: {name}": moving(pages()[slug], patch)
        for slug, moved in CONTROLS.items()
        for name, patch in moved.items()
    }


def moving(page: Visit, patch: Mapping[str, object]) -> Visit:
    """A page opened, and then what is moved there."""
    fixed = {name: value for name, value in patch.items() if isinstance(value, str) and ".." not in value}
    moved = {name: value for name, value in patch.items() if name not in fixed}
    return replace(page, query=f"{page.query}&{urlencode(fixed)}", state=moved, whole=False)
