"""The files of somebody else's tokenizer: read where they ask for the rules of uncased BERT, else refused."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .errors import InputError, must_be
from .text.wordpiece import LONGEST_WORD, WordPiece

TOKENIZER = "tokenizer.json"  # all that transformers 5 saves of a tokenizer
CONFIG, NAMED, ADDED = "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"
CALLED = {f"{name.lower()}_token": f"[{name}]" for name in ("PAD", "UNK", "CLS", "SEP", "MASK")}
MORE = ("additional_special_tokens", "extra_special_tokens")
CLASSES = ("BertTokenizer", "BertTokenizerFast", "PreTrainedTokenizerFast", "TokenizersBackend")

# What the files may say, where anything else would cut a text in another way than `WordPiece` does
SAYS: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    CONFIG: {
        "tokenizer_class": CLASSES,
        "auto_map": (None,),
        "backend": ("tokenizers",),
        "do_lower_case": (True,),
        "do_basic_tokenize": (True,),
        "tokenize_chinese_chars": (True,),
        "strip_accents": (True,),
        "never_split": ([],),
        "split_special_tokens": (False,),
        "padding_side": ("right",),
        "truncation_side": ("right",),
    },
    NAMED: {},
    ADDED: {},
    TOKENIZER: {
        "model.type": ("WordPiece",),
        "model.unk_token": ("[UNK]",),
        "model.continuing_subword_prefix": ("##",),
        "model.max_input_chars_per_word": (LONGEST_WORD,),
        "normalizer.type": ("BertNormalizer",),
        "normalizer.clean_text": (True,),
        "normalizer.handle_chinese_chars": (True,),
        "normalizer.strip_accents": (True,),
        "normalizer.lowercase": (True,),
        "pre_tokenizer.type": ("BertPreTokenizer",),
    },
}

# How a token that was added must be found: wherever it is typed, in the text as it is typed
PLAIN = {"single_word": (False,), "lstrip": (False,), "rstrip": (False,), "normalized": (False,)}

ONE = (("[CLS]", 0), ("A", 0), ("[SEP]", 0))  # what stands in a row, and its segment
TWO = (*ONE, ("B", 1), ("[SEP]", 1))

Added = dict[str, int]  # what is found before a text is cut into words -> its id


def read_tokenizer(folder: Path) -> WordPiece:
    """The tokenizer of a folder, from `tokenizer.json`, or from `vocab.txt` where there is none.

    Raises:
        InputError: a file asks for what is not honoured here, or two files for different tokens.
        ValueError, KeyError, TypeError, AttributeError: a file is not what its name says.
    """
    files = [folder / name for name in SAYS if (folder / name).is_file()]
    says = {file.name: json.loads(file.read_text(encoding="utf-8")) for file in files}
    for file in files:
        must_be(file, flat(says[file.name]), SAYS[file.name])
    if TOKENIZER in says:
        pieces, added, apart = from_json(folder, says[TOKENIZER])
    else:
        pieces, added, apart = from_text(folder, says.get(CONFIG, {}))
    for file, content, id in mentioned(says):
        known = content in CALLED.values() or content in added
        if not known or (id is not None and (id >= len(pieces) or pieces[id] != content)):
            raise InputError("token_unknown", file=file, token=content[:80], where=vocabulary_of(folder))
    for file in (CONFIG, NAMED):
        called = {name: value for name, value in says.get(file, {}).items() if name in CALLED}
        names = {name: content_of(file, value) for name, value in called.items()}
        must_be(folder / file, names, {name: (token,) for name, token in CALLED.items()})
    return WordPiece(pieces, tuple(added), apart)


def vocabulary_of(folder: Path) -> str:
    """The file with the pieces: what transformers reads, too."""
    return TOKENIZER if (folder / TOKENIZER).is_file() else "vocab.txt"


def from_json(folder: Path, said: Mapping[str, Any]) -> tuple[list[str], Added, set[str]]:
    """Pieces by id, what was added, and what of that no word is spelt with, of a `tokenizer.json`; its own pieces must
    be those of a `vocab.txt` beside it."""
    vocab: dict[str, int] = said["model"]["vocab"]
    added = plain_ones(folder / TOKENIZER, said.get("added_tokens") or ())
    ids = vocab | added
    if sorted(ids.values()) != list(range(len(ids))):
        raise ValueError(f"{TOKENIZER} leaves ids out")
    pieces = sorted(ids, key=ids.__getitem__)
    for token in CALLED.values():
        if token not in added:
            raise InputError("not_honoured", file=TOKENIZER, setting="added_tokens", value=f"… {token} …", known=token)
    check_template(said.get("post_processor"), ids)
    if (folder / "vocab.txt").is_file():
        listed = lines(folder / "vocab.txt")
        if any(vocab.get(piece) != id for piece, id in {piece: id for id, piece in enumerate(listed)}.items()):
            raise InputError("vocabularies_differ", file="vocab.txt", other=TOKENIZER)
    return pieces, added, set(added) - set(vocab)


def from_text(folder: Path, config: Mapping[str, Any]) -> tuple[list[str], Added, set[str]]:
    """The same of a `vocab.txt`; what was added stands in `tokenizer_config.json`."""
    pieces = lines(folder / "vocab.txt")
    known, listed = set(pieces), config.get("added_tokens_decoder") or {}
    added = plain_ones(folder / CONFIG, [{**token, "id": int(id)} for id, token in listed.items()])
    for token, id in sorted(added.items(), key=lambda pair: pair[1]):
        if id == len(pieces):
            pieces.append(token)
    return pieces, added, set(added) - known


def lines(file: Path) -> list[str]:
    """One piece a line."""
    return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def plain_ones(file: Path, tokens: "list[dict[str, Any]] | tuple[()]") -> Added:
    """What was added, with ids. Raises InputError for one that is to be found in another way than as it is typed."""
    for token in tokens:
        check_plain(file, token)
    return {token["content"]: token["id"] for token in tokens if token["content"]}


def check_plain(file: Path, token: Mapping[str, Any]) -> None:
    """Raise InputError where a token is to be found in another way than as it is typed."""
    where = f"“{token['content']}” "
    must_be(
        file,
        {where + flag: token.get(flag) for flag in PLAIN},
        {where + flag: known for flag, known in PLAIN.items()},
    )


def check_template(said: Mapping[str, Any] | None, ids: Mapping[str, int]) -> None:
    """Raise InputError unless rows are [CLS] A [SEP] and [CLS] A [SEP] B [SEP], of segment 0, and 1 from B on."""
    kind = said["type"] if said else "null"
    if said and kind == "TemplateProcessing":
        found = row(said["single"], said), row(said["pair"], said)
        expected = row_of(ONE, ids), row_of(TWO, ids)
    elif said and kind == "BertProcessing":
        found, expected = (said["cls"], said["sep"]), (["[CLS]", ids["[CLS]"]], ["[SEP]", ids["[SEP]"]])
    else:
        found, expected = kind, "BERT"
    if found != expected:
        shown = kind if not said or "single" not in said else " ".join(str(part[0]) for part in row(said["pair"], said))
        known = " ".join(part for part, _ in TWO)
        raise InputError("not_honoured", file=TOKENIZER, setting="post_processor", value=shown[:80], known=known)


Row = list[tuple[object, int, tuple[int, ...]]]


def row(template: list[dict[str, dict[str, Any]]], said: Mapping[str, Any]) -> Row:
    """What stands in a row of a template: a name, its segment, the ids it is filled with."""
    parts = [(sort, part["id"], part["type_id"]) for piece in template for sort, part in piece.items()]
    return [
        (name, segment, tuple(said["special_tokens"][name]["ids"]) if sort == "SpecialToken" else ())
        for sort, name, segment in parts
    ]


def row_of(parts: tuple[tuple[str, int], ...], ids: Mapping[str, int]) -> Row:
    return [(name, segment, (ids[name],) if name in ids and name.startswith("[") else ()) for name, segment in parts]


def mentioned(says: Mapping[str, Any]) -> Iterator[tuple[str, str, int | None]]:
    """Every token that a file names: the file, the token, and its id where the file says it."""
    for token, id in says.get(ADDED, {}).items():
        yield ADDED, token, id
    for id, token in (says.get(CONFIG, {}).get("added_tokens_decoder") or {}).items():
        yield CONFIG, token["content"], int(id)
    for file in (CONFIG, NAMED):
        for name, value in says.get(file, {}).items():
            if value is None or name in CALLED or not (name.endswith("_token") or name in MORE):
                continue
            each = value.values() if name in MORE and isinstance(value, Mapping) else value
            for token in each if isinstance(each, list) or name in MORE else [value]:
                yield file, content_of(file, token), None


def content_of(file: str, token: Any) -> str:
    """A token as a file names it: by itself, or with how it is to be found, which must be as it is typed."""
    if isinstance(token, Mapping):
        check_plain(Path(file), token)
    return token["content"] if isinstance(token, Mapping) else token


def flat(said: Mapping[str, object]) -> dict[str, object]:
    """What a file says, with "part.setting" for what it says of a part; a part that is null is of the type "null"."""
    flatted = dict(said)
    for part, settings in said.items():
        if part in ("normalizer", "pre_tokenizer") and settings is None:
            flatted[f"{part}.type"] = "null"
        if isinstance(settings, Mapping):
            flatted |= {f"{part}.{setting}": value for setting, value in settings.items()}
    return flatted
