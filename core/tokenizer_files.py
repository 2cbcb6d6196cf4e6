"""The files of somebody else's tokenizer: by our own rules where they ask for those of uncased BERT, else by what
`tokenizer.json` says, run by the library that wrote it; refused where the files do not agree."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from .errors import InputError, WeightsError, must_be
from .text.library import LibraryTokenizer
from .text.wordpiece import LONGEST_WORD, WordPiece

TOKENIZER = "tokenizer.json"  # all that transformers 5 saves of a tokenizer
CONFIG, NAMED, ADDED = "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"
CALLED = {f"{name.lower()}_token": f"[{name}]" for name in ("PAD", "UNK", "CLS", "SEP", "MASK")}
MORE = ("additional_special_tokens", "extra_special_tokens")
MARKS = ("pad", "unk", "bos", "eos")  # by name, where they have one
ANY_CLASS = ("PreTrainedTokenizerFast", "TokenizersBackend")
OF_BERT = tuple(f"{name}Tokenizer{kind}" for name in ("Bert", "DistilBert") for kind in ("", "Fast"))
OF_BYTES = tuple(f"{name}Tokenizer{kind}" for name in ("GPT2", "Roberta") for kind in ("", "Fast"))
OTHERS = tuple(f"{name}Tokenizer{kind}" for name in ("Llama", "Qwen2") for kind in ("", "Fast"))
CLASSES = (*OF_BERT, *ANY_CLASS)

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

# What else makes no difference, where the rules are the library's: what tokenizer.json says is done
FREE = ("do_lower_case", "tokenize_chinese_chars", "strip_accents", "padding_side")
NORMALIZER = {"do_lower_case": "lowercase", "tokenize_chinese_chars": "handle_chinese_chars"}
NORMALIZER |= {"strip_accents": "strip_accents"}

ONE = (("[CLS]", 0), ("A", 0), ("[SEP]", 0))  # what stands in a row, and its segment
TWO = (*ONE, ("B", 1), ("[SEP]", 1))

Added = dict[str, int]  # what is found before a text is cut into words -> its id


def read_tokenizer(folder: Path) -> WordPiece | LibraryTokenizer:
    """The tokenizer of a folder, from `tokenizer.json`, or from `vocab.txt` where there is none.

    Raises:
        InputError: a file asks for what is not honoured here, or two files for different tokens.
        ValueError, KeyError, TypeError, AttributeError: a file is not what its name says.
    """
    files = [folder / name for name in SAYS if (folder / name).is_file()]
    says = {file.name: json.loads(file.read_text(encoding="utf-8")) for file in files}
    if TOKENIZER in says and not uncased(says):
        return by_library(folder, says)
    for file in files:
        must_be(file, flat(says[file.name]), SAYS[file.name])
    if TOKENIZER in says:
        pieces, added, apart = from_json(folder, says[TOKENIZER])
    else:
        pieces, added, apart = from_text(folder, says.get(CONFIG, {}))
    for file, content, id in mentioned(says, content_of, CALLED):
        known = content in CALLED.values() or content in added
        if not known or (id is not None and (id >= len(pieces) or pieces[id] != content)):
            raise InputError("token_unknown", file=file, token=content[:80], where=vocabulary_of(folder))
    for file in (CONFIG, NAMED):
        called = {name: value for name, value in says.get(file, {}).items() if name in CALLED}
        names = {name: content_of(value, file) for name, value in called.items()}
        must_be(folder / file, names, {name: (token,) for name, token in CALLED.items()})
    return WordPiece(pieces, tuple(added), apart)


def uncased(says: Mapping[str, Any]) -> bool:
    """Whether the files are of an uncased BERT, or of what means to be one."""
    said, config = flat(says[TOKENIZER]), says.get(CONFIG, {})
    lowers = said.get("normalizer.lowercase") is not False or config.get("do_lower_case") is True
    if config.get("tokenizer_class") in (*OF_BYTES, *OTHERS):
        return False
    return lowers if config.get("tokenizer_class") in OF_BERT else lowers and said.get("model.type") == "WordPiece"


def by_library(folder: Path, says: Mapping[str, Any]) -> LibraryTokenizer:
    """A tokenizer whose `tokenizer.json` the library runs. What the other files say must be in it, too: transformers
    would do as they say. Raises InputError where it is not, WeightsError where the library is not installed."""
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise WeightsError(f"{folder / TOKENIZER} needs a library. Run: pip install tokenizers") from error
    config, said = says.get(CONFIG, {}), flat(says[TOKENIZER])
    kind = config.get("tokenizer_class")
    known = {name: honoured for name, honoured in SAYS[CONFIG].items() if name not in FREE}
    classes = CLASSES if said["model.type"] == "WordPiece" else (*CLASSES, *OF_BYTES, *OTHERS)
    must_be(folder / CONFIG, config, {**known, "tokenizer_class": classes})
    if kind in OF_BERT:
        fixed = {
            name: value for name, value in SAYS[TOKENIZER].items() if name.split(".")[-1] not in NORMALIZER.values()
        }
        must_be(folder / TOKENIZER, said, fixed)
        check_template(says[TOKENIZER].get("post_processor"), says[TOKENIZER]["model"]["vocab"])
    for name, its in NORMALIZER.items():
        if said.get("normalizer.type") == "BertNormalizer":
            must_be(folder / CONFIG, {name: config.get(name)}, {name: (said.get(f"normalizer.{its}"),)})
    if said.get("pre_tokenizer.type") == "ByteLevel":
        must_be(folder / CONFIG, config, {"add_prefix_space": (said["pre_tokenizer.add_prefix_space"],)})
    files = {**says.get(NAMED, {}), **config}
    called = {name: named(files[f"{name}_token"]) for name in MARKS if files.get(f"{name}_token")}
    rules = Tokenizer.from_file(str(folder / TOKENIZER))
    added = {token.content: id for id, token in rules.get_added_tokens_decoder().items()}
    for file, content, id in mentioned(says, named, ()):
        if content not in added or id not in (None, added[content]):
            raise InputError("token_unknown", file=file, token=content[:80], where=TOKENIZER)
    made = LibraryTokenizer(rules, called.get("pad"), called.get("unk"), called.get("eos"))
    for name, part in (("bos", made.front), ("eos", made.back)):
        there = called.get(name) in part
        must_be(folder / CONFIG, config, {f"add_{name}_token": (there,)})
    return made


def named(token: Any, file: str = "") -> str:
    """A token as a file names it: by itself, or with how it is to be found."""
    return token["content"] if isinstance(token, Mapping) else token


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


def mentioned(
    says: Mapping[str, Any], content: Callable[[Any, str], str], but: Collection[str]
) -> Iterator[tuple[str, str, int | None]]:
    """Every token that a file names, but those that are called so: the file, the token, as `content` reads it, and its
    id where the file says it."""
    for token, id in says.get(ADDED, {}).items():
        yield ADDED, token, id
    for id, token in (says.get(CONFIG, {}).get("added_tokens_decoder") or {}).items():
        yield CONFIG, token["content"], int(id)
    for file in (CONFIG, NAMED):
        for name, value in says.get(file, {}).items():
            if value is None or isinstance(value, bool) or name in but or not (name.endswith("_token") or name in MORE):
                continue
            each = value.values() if name in MORE and isinstance(value, Mapping) else value
            for token in each if isinstance(each, list) or name in MORE else [value]:
                yield file, content(token, file), None


def content_of(token: Any, file: str) -> str:
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
