"""Every claim's numbers once more, by other code or by hand; and what they say where it is said of every input."""

import math
from copy import deepcopy
from functools import cache
from itertools import groupby
from typing import Any

import jieba
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode
from transformers import BertModel, BertTokenizer

from core import capture, load_model
from core.claims import BY_ID, CAT, CLAIMS, LOOSE, SO, TOPICS, WRONG, of_stage
from core.claims.claim import CHINESE
from core.lessons.input import transformer_input
from core.reference import hugging_face
from core.stages import STAGES
from tests.profiles import some

CORRECTED = [*(f"F{i}" for i in range(29)), "F5b"]  # the rows of the table of corrections
RIGHTLY = [f"F{i}" for i in range(29, 41)]  # what the same documents say rightly
COMMON = [f"P{i}" for i in range(1, 10)]  # what is commonly said
EVERY = [*CORRECTED, *RIGHTLY, *COMMON]
few = settings(max_examples=15, deadline=None)
model = cache(load_model)


@cache
def facts(id: str):
    return BY_ID[id].facts(model)


@cache
def bert() -> BertModel:
    return hugging_face.model(model("minilm").folder)


def parameter(name: str) -> torch.Tensor:
    return bert().get_parameter(name).detach()


@cache
def cutter() -> BertTokenizer:
    return hugging_face.tokenizer(model("minilm").folder)


def waves(positions, d: int) -> torch.Tensor:
    """The formula of section 3.5, number by number."""
    rows = [[(math.cos if c % 2 else math.sin)(p / 10_000 ** ((c - c % 2) / d)) for c in range(d)] for p in positions]
    return torch.tensor(rows, dtype=torch.float64)


def test_every_row_of_the_corrections_is_there_once_and_the_true_stand_among_them() -> None:
    assert sorted(claim.id for claim in CLAIMS) == sorted(EVERY)
    held = [claim.holds for claim in CLAIMS]
    leave_something_out = {"F10", "F24"}
    assert {c.id for c in CLAIMS if c.holds} == {*RIGHTLY} | leave_something_out | {"P9"}
    longest = max(len(list(run)) for same, run in groupby(held) if same)
    assert longest <= 2 and held != sorted(held)
    assert {claim.verdict for claim in CLAIMS} == {SO, WRONG, LOOSE}
    assert set(TOPICS) <= {stage.slug for stage in STAGES}
    assert all(claim in of_stage(slug) for claim in CLAIMS for slug in claim.stages)


@pytest.mark.parametrize("id", some(EVERY))
def test_facts_are_finite_and_come_out_again(id) -> None:
    once = dict(facts(id))
    assert once and all(not isinstance(x, float) or math.isfinite(x) for x in once.values())
    for name, x in BY_ID[id].facts(model).items():
        assert once[name] == (pytest.approx(x, abs=1e-5) if isinstance(x, float) else x), name  # but for rounding


# ---- tokens


def test_ids_and_tokens() -> None:
    ids, vocab = cutter()(CAT)["input_ids"], cutter().get_vocab()
    names = cutter().convert_ids_to_tokens(ids)
    assert facts("F1") == {**{w: str(vocab[w]) for w in ("cat", "the", "mat")}, "row": "prix"}
    assert vocab["prix"] == 5431
    assert facts("F2") == {"count": len(ids), "tokens": " ".join(names), "without": len(ids) - 1}
    special = {name: str(vocab[f"[{name.upper()}]"]) for name in ("pad", "unk", "cls", "sep", "mask")}
    assert facts("F14") == {**special, "between": "[unused0] … [unused98]"}
    assert [vocab[f"[unused{i}]"] for i in range(99)] == list(range(1, 100))
    spaces = facts("F15")
    assert spaces["bert"] == "a b" and "tokenization" not in vocab and spaces["whole"] == 0
    assert spaces["long"] == " ".join(cutter().tokenize("tokenization"))
    assert spaces["unknown"] == " ".join(cutter().tokenize("奥利给")) == "[UNK] [UNK] [UNK]"
    assert spaces["bytes"] == "a ␣b"


def test_merges() -> None:
    """The first by hand: of the pairs, ##g ##s alone has a score of 1/20; ##u ##g comes 20 times."""
    merges, ties = facts("F12"), facts("F13")
    assert str(merges["score"]).split()[0] == "##gs"
    assert merges["frequency"] == merges["library"] == "##ug ##un hug pun pug"
    first, smallest = (set(str(ties[way]).split()) for way in ("first", "smallest"))
    assert first != smallest and ties["different"] == len(first ^ smallest)
    assert ties["first"] == "##gs hu hugs hug"  # as the course publishes its first three


def test_longest_match_is_not_the_merges_once_more() -> None:
    """By hand: ##g ##s merge before hu and pu do, so the merges leave no pug in pugs."""
    said, vocab = facts("F29"), cutter().get_vocab()
    assert (said["longest"], said["repeated"]) == ("pug ##s", "pu ##gs")
    assert said["bert"] == " ".join(cutter().tokenize("unaffable"))
    assert said["longer"] == sum("unaffable"[:end] in vocab for end in range(4, 10)) == 0


@pytest.mark.long
def test_new_words() -> None:
    said = facts("F25")
    words = ("杭研", "原神", "社恐", "奥利给")
    for hmm, way in ((False, "off"), (True, "on")):
        assert said[way] == " ".join("/".join(jieba.cut(word, HMM=hmm)) for word in words)
    assert said["known"] == sum(jieba.dt.FREQ.get(word, 0) > 0 for word in words) == 0


# ---- positions


def test_steps_of_waves_and_of_the_learned_table() -> None:
    said, learned = facts("F3"), parameter("embeddings.position_embeddings.weight")
    for name, at in (("near", 0), ("far", 100), ("farther", 5000)):
        one, two = waves((at, at + 1), 512)
        assert said[name] == pytest.approx(float((one - two).norm()), abs=1e-9)
    for at in (0, 1, 100):
        assert said[f"learned_{at}"] == pytest.approx(float((learned[at + 1] - learned[at]).norm()), rel=1e-5)


@few
@given(p=st.integers(0, 4000), gap=st.integers(1, 500), d=st.sampled_from((4, 64, 128)))
def test_the_distance_of_waves_is_free_of_where_they_stand(p, gap, d) -> None:
    (a, b), (zero, far) = waves((p, p + gap), d), waves((0, gap), d)
    assert float((a - b).norm()) == pytest.approx(float((zero - far).norm()), abs=1e-9)


def test_wavelengths() -> None:
    said = facts("F4")
    for d in (512, 128, 4):
        assert said[f"d{d}"] == pytest.approx(2 * math.pi * 10_000 ** ((d - 2) / d))
        assert float(said[f"d{d}"]) < float(said["limit"]) == pytest.approx(20_000 * math.pi)
    slow = facts("F5b")
    assert slow["first"] == pytest.approx(math.sin(1)) and slow["last"] == pytest.approx(
        math.sin(10_000 ** (-510 / 512))
    )


@few
@given(d=st.integers(2, 1024).map(lambda half: 2 * half))
def test_low_dimensions_are_always_the_faster_ones(d) -> None:
    from core.views.position import wavelengths

    assert (np.diff(wavelengths(d)) > 0).all() and wavelengths(d)[-1] < 20_000 * math.pi


def test_relative_positions() -> None:
    said, alibi = facts("F5"), facts("F23")
    assert said["ahead"] == pytest.approx(math.sin(3)) and said["behind"] == -float(said["ahead"])
    assert (said["matrix"], said["u"], said["v"]) == (512 * 512, 512, 512)
    assert (alibi["steepest"], alibi["flattest"], alibi["taken"]) == (2**-1, 2**-8, -5)
    assert alibi["taken_last"] == -10 * 2**-8 and alibi["learned"] == 0


def test_longest_input_and_near_repetition() -> None:
    assert facts("F11")["difference"] == 0 and facts("F11")["last"] == bert().config.max_position_embeddings
    said, (zero, again) = facts("F24"), waves((0, 710), 512)
    assert said["all"] == pytest.approx(float((zero - again).norm()))
    assert said["pair"] == pytest.approx(abs(2 * math.sin(710 / 2)))


@few
@given(k=st.integers(-500, 500), at=st.integers(0, 4000), d=st.sampled_from((4, 64, 512)))
def test_one_turn_moves_every_position(k, at, d) -> None:
    """As complex numbers: cos + i sin of each pair, times one factor for each pair that knows k alone."""
    one, there = (rows[1::2] + 1j * rows[::2] for rows in waves((at, at + k), d))
    factor = torch.exp(1j * k * torch.tensor([10_000 ** (-c / d) for c in range(0, d, 2)], dtype=torch.float64))
    assert float((one * factor - there).abs().max()) < 1e-9
    said = facts("F31")
    assert max(float(said[f"from_{at}"]) for at in (0, 100, 5000)) < 1e-9 and said["matrix"] == 0
    zero, far = waves((0, 37), 512)
    assert said["step"] == pytest.approx(float((far - zero).norm()))


@cache
def without_positions() -> BertModel:
    other = deepcopy(bert())
    other.get_parameter("embeddings.position_embeddings.weight").data.zero_()
    return other


@settings(max_examples=5, deadline=None)
@given(words=st.permutations(("dog", "bites", "a", "big", "man")))
def test_without_positions_order_leaves_no_trace(words) -> None:
    first = ("dog", "bites", "a", "big", "man")
    ids = [cutter()(" ".join(order), return_tensors="pt")["input_ids"] for order in (first, words)]
    there = [0, *(1 + words.index(word) for word in first), 6]
    with torch.no_grad():
        one, two = (without_positions()(id).last_hidden_state[0] for id in ids)
    assert float((one - two[there]).abs().max()) < 1e-4
    said = facts("F32")
    assert float(said["off"]) < 1e-4 < 0.1 < float(said["on"])


# ---- what enters


def test_rows_and_beginnings() -> None:
    order, said = facts("F28"), facts("F8")
    assert order["table"] == "5, 8, 71, 1234" and order["same"] == 4 and order["shape"] == "1 × 4 × 512"
    assert said["bert"] == pytest.approx(bert().config.initializer_range, rel=0.01)
    assert said["variance"] == pytest.approx(4e-4, rel=0.02) and said["wide"] == pytest.approx(0.1414, abs=1e-4)
    assert said["root"] == pytest.approx(512**-0.5, rel=0.01)
    from scipy.stats import spearmanr

    norms = parameter("embeddings.word_embeddings.weight").norm(dim=1).numpy()[999:]
    assert said["spearman"] == pytest.approx(spearmanr(np.arange(len(norms)), norms)[0], abs=1e-3)


def test_root() -> None:
    said = facts("F6")
    assert said["ratio"] == pytest.approx(512) and said["position"] == pytest.approx(math.sqrt(256))
    assert said["plain"] == pytest.approx(1 / 512, rel=0.02) and said["scaled"] == pytest.approx(1, rel=0.02)
    assert said["share_plain"] == pytest.approx(256 / 257, rel=1e-3)
    assert said["share_scaled"] == pytest.approx(256 / (256 + 512), rel=0.01)


def test_shapes_and_one_map() -> None:
    assert facts("F20")["total"] == "32 × 5 × 768" and facts("F20")["position"] == "5 × 768"
    assert (torch.zeros(32, 5, 768) + torch.zeros(5, 768)).shape == (32, 5, 768)
    run = capture(model("minilm"), CAT)
    weight = parameter("encoder.layer.0.attention.self.query.weight").double()
    total = torch.from_numpy(run["embedding.sum"][5].astype(np.float64))
    assert facts("F21")["value"] == pytest.approx(float((weight @ total)[0]), abs=1e-5)
    assert float(facts("F21")["difference"]) < 1e-12


def test_rows_have_no_place_and_joining_costs_twice() -> None:
    said, ids = facts("F30"), cutter()(CAT, return_tensors="pt")["input_ids"]
    with torch.no_grad():
        rows = bert().embeddings.word_embeddings(ids)[0]
    places = parameter("embeddings.position_embeddings.weight")
    assert ids[0, 1] == ids[0, 5] and said["fetched"] == float((rows[1] - rows[5]).abs().max()) == 0
    assert said["placed"] == pytest.approx(float((places[1] - places[5]).abs().max()), abs=1e-6)
    d = bert().config.hidden_size
    assert facts("F33") == {"added": d, "joined": 2 * d, "cost_added": d * d, "cost_joined": 2 * d * d}


@few
@given(seed=st.integers(0, 999))
def test_a_table_made_inside_is_another_each_time(seed) -> None:
    torch.manual_seed(seed)
    ids = torch.tensor([[1, 2]])
    assert not torch.equal(transformer_input(ids, 10, 8), transformer_input(ids, 10, 8))
    assert float(facts("F26")["difference"]) > 0 and "size" in str(facts("F26")["refused"])


def test_the_input_has_no_context() -> None:
    said = facts("F27")
    ids = [cutter()(text, return_tensors="pt")["input_ids"] for text in (CAT, str(said["other"]))]
    with torch.no_grad():
        one, two = (bert()(id, output_hidden_states=True).hidden_states for id in ids)
    assert said["entering"] == float((one[0][0, 5] - two[0][0, 5]).abs().max()) == 0
    assert said["leaving"] == pytest.approx(float((one[1][0, 5] - two[1][0, 5]).abs().max()), abs=1e-5)


@cache
def entering() -> np.ndarray:
    return capture(model("minilm"), CAT, only=("embedding.output",))["embedding.output"][5]


@settings(max_examples=5, deadline=None)
@given(words=st.lists(st.sampled_from(("a", "big", "dog", "ran", "red")), min_size=4, max_size=4))
def test_whatever_stands_around_it_a_token_enters_alike(words) -> None:
    other = capture(model("minilm"), f"{' '.join(words)} the end", only=("embedding.output",))
    assert np.array_equal(other["embedding.output"][5], entering())


# ---- norms, attention, sizes


def test_norms() -> None:
    said, hand = facts("F9"), facts("F10")
    theirs = [name for name, module in bert().named_modules() if isinstance(module, nn.LayerNorm)]
    assert (said["minilm"], said["minilm_first"]) == (len(theirs), sum(n.startswith("embeddings") for n in theirs))
    assert (said["translator"], said["translator_first"]) == (2 * 2 + 2 * 3, 0)
    x = torch.tensor([1.0, 2, 3, 4], dtype=torch.float64)
    assert hand["biased"] == hand["theirs"] == pytest.approx(float(functional.layer_norm(x, (4,))[0]))
    assert hand["unbiased"] == pytest.approx(float((x[0] - x.mean()) / (x.var() + 1e-5).sqrt()))
    assert (hand["variance"], hand["other"]) == (1.25, pytest.approx(5 / 3))


def test_example_of_two_tokens() -> None:
    said = facts("F0")
    own, halved = (torch.softmax(torch.tensor([1 / by, 0], dtype=torch.float64), 0) for by in (2**0.5, 2))
    assert (said["own"], said["other"]) == pytest.approx(tuple(own.tolist()))
    assert (said["halved"], said["halved_other"]) == pytest.approx(tuple(halved.tolist()))
    assert said["context"] == pytest.approx(said["own"]) and round(float(said["halved"]), 3) == 0.622


def test_heads_are_cut_after_the_projection() -> None:
    said, config = facts("F16"), bert().config
    run = capture(model("minilm"), CAT)
    x = torch.tensor(run["encoder.2.attention.skip"][5], dtype=torch.float64)
    query = "encoder.layer.2.attention.self.query"
    weight, bias = (parameter(f"{query}.{name}").double() for name in ("weight", "bias"))
    part = slice(8 * 32, 9 * 32)
    first = weight[part, part] @ x[part] + bias[part]
    assert said["same"] == 0
    assert said["off"] == pytest.approx(float(((weight @ x + bias)[part] - first).abs().max()), abs=1e-5)
    assert facts("F17")["matrix"] == f"{config.hidden_size} × {config.hidden_size // config.num_attention_heads}"
    assert facts("F17")["made"] == f"{facts('F2')['count']} × 32"


@few
@given(seed=st.integers(0, 999))
def test_gradients_of_v_and_of_the_weights_do_not_need_each_other(seed) -> None:
    generator = torch.Generator().manual_seed(seed)
    x, q, k, v = (torch.randn(4, 3, generator=generator, dtype=torch.float64, requires_grad=True) for _ in range(4))
    weights = torch.softmax(q @ k.T, -1)
    whole = torch.autograd.grad(((weights @ v) * x).sum(), v)[0]
    assert torch.equal(torch.autograd.grad(((weights.detach() @ v) * x).sum(), v)[0], whole)
    said = facts("F19")
    assert max(float(said["from_context"]), float(said["alpha_from_context"])) < 1e-12 < float(said["v"])


def test_sizes() -> None:
    theirs = nn.MultiheadAttention(512, 8, bias=False)
    assert facts("F18") == {"head": 3 * 512 * 64, "heads": theirs.in_proj_weight.numel(), "all": 4 * 512 * 512}
    assert sum(x.numel() for x in theirs.parameters()) == facts("F18")["all"]
    assert facts("F22") == {"matrices": 4, "mixing": 2, "table": 2}
    said, (v, d) = facts("F7"), (30_000, 768)
    assert said == {"shape": "30 × 768", "apart": 2 * v * d + v, "tied": v * d + v, "bias": v, "said": v * d + d}


# ---- what each token goes through alone, and what none may see


def test_a_norm_of_each_token_alone() -> None:
    said = facts("F34")
    x = torch.from_numpy(np.array(capture(model("minilm"), CAT, only=("embedding.sum",))["embedding.sum"]))
    assert (said["before"], said["after"]) == (f"{len(x)} × 384", f"{len(x)} × 384")
    assert said["mean"] == pytest.approx(float(x[5].mean()), abs=1e-7) and said["alone"] == 0
    assert said["variance"] == pytest.approx(float(x[5].var(correction=0)), rel=1e-5)
    all_, fewer = (functional.batch_norm(rows, None, None, training=True, eps=1e-12)[5] for rows in (x, x[:6]))
    assert said["batch"] == pytest.approx(float((all_ - fewer).abs().max()), rel=1e-4)


@few
@given(d=st.integers(1, 128), seed=st.integers(0, 99))
def test_the_variance_of_a_dot_product_is_its_width(d, seed) -> None:
    q, k = np.random.default_rng(seed).standard_normal((2, 20_000, d))
    assert (q * k).sum(1).var() / d == pytest.approx(1, abs=0.15)
    said = facts("F35")
    for width in (64, 128):
        assert said[f"variance_{width}"] == pytest.approx(width, rel=0.05)
        assert said[f"scaled_{width}"] == pytest.approx(float(said[f"variance_{width}"]) / width)


def test_rows_and_heads() -> None:
    said, ids = facts("F36"), cutter()(CAT, return_tensors="pt")["input_ids"]
    with torch.no_grad():
        whole = bert()(ids, output_attentions=True, output_hidden_states=True)
    weights = whole.attentions[2][0, 8]
    least, most = (float(getattr(weights.sum(0), which)()) for which in ("min", "max"))
    assert (said["least"], said["most"]) == pytest.approx((least, most), abs=1e-5)
    assert max(float(said["off"]), float(said["off_causal"])) < 1e-6 and said["later"] == 0
    heads, query = facts("F37"), parameter("encoder.layer.2.attention.self.query.weight").view(12, 32, 384)
    flat = functional.normalize(query.flatten(1), dim=1)
    assert heads["alike"] == pytest.approx(float((flat @ flat.T).abs().fill_diagonal_(0).max()), abs=1e-5)
    assert (heads["heads"], heads["shape"]) == (12, "384 × 32") and float(heads["difference"]) < 1e-5


def test_the_feedforward_network_reads_each_token_alone() -> None:
    said, layer = facts("F38"), deepcopy(bert().encoder.layer[0]).double().eval()
    x = capture(model("minilm"), CAT, only=("encoder.0.attention.norm.output",))["encoder.0.attention.norm.output"]
    rows = torch.tensor(x[:2], dtype=torch.float64)

    def network(x: torch.Tensor) -> torch.Tensor:
        return layer.get_submodule("output.dense")(layer.get_submodule("intermediate")(x))

    with torch.no_grad():
        bent = network(rows.mean(0)) - network(rows).mean(0)
    assert said["bent"] == pytest.approx(float(bent.abs().max())) and float(said["bent"]) > 0.1
    assert float(said["difference"]) < 1e-9 and (said["d_model"], said["d_ff"]) == (384, 1536)


def test_no_row_knows_of_what_comes_later() -> None:
    """What a row predicts is what it predicts of a target that ends there."""
    said = facts("F39")
    assert said["masked"] == 0 and float(said["lifted"]) > 0.01
    whole, begun = (
        capture(model("translator"), CHINESE, target=target, only=("output.logits",))["output.logits"]
        for target in (str(said["target"]), "I bought three")
    )
    assert np.abs(whole[:4] - begun[:4]).max() < 1e-4


@few
@given(n=st.integers(1, 64), d=st.integers(1, 64))
def test_scores_take_a_product_for_each_pair_and_dimension(n, d) -> None:
    x = torch.empty(n, d, device="meta")
    with FlopCounterMode(display=False) as counter:
        torch.mm(x, x.T)
    assert counter.get_total_flops() == 2 * n * n * d
    assert facts("F40") == {"once": 512**2 * 64, "twice": 1024**2 * 64, "ratio": 4, "matrices": 2}


# ---- training, sizes, files


def found(id: str) -> Any:
    return facts(id)


@pytest.mark.long
def test_what_is_said_of_training_follows_from_the_numbers() -> None:
    rate, heart, heads, residual = (found(id) for id in ("P1", "P2", "P3", "P4"))
    assert rate["usual"] < rate["small"] < rate["start"] < rate["large_high"] and rate["usual"] < rate["large_low"]
    assert heart["none_own"] < heart["some_own"] and heart["none_held"] > heart["some_held"]
    assert heads["h1_low"] > heads["h8_high"]
    several = [(heads[f"h{n}_low"], heads[f"h{n}_high"]) for n in (2, 4, 8)]
    assert max(low for low, _ in several) < min(high for _, high in several)
    assert residual["cut"] > residual["kept"] and residual["cut_held"] > 10 * residual["kept_held"]


def test_what_is_said_of_sizes_is_what_hugging_face_builds() -> None:
    from transformers import GPT2Config, GPT2LMHeadModel

    with torch.device("meta"):
        layer = GPT2LMHeadModel(GPT2Config(n_embd=12288, n_head=96, n_layer=1)).transformer.h[0]  # type: ignore[index]
    attention, network = (sum(p.numel() for p in part.parameters()) for part in (layer.attn, layer.mlp))  # type: ignore[union-attr]
    assert network / attention == pytest.approx(2, abs=1e-3)
    shares = {name: float(str(share).rstrip("%")) for name, share in found("P5").items()}
    assert shares["gpt3_feedforward"] == pytest.approx(2 * shares["gpt3_attention"], abs=1)
    assert shares["llama_feedforward"] > 4 * shares["llama_attention"]
    assert found("P6")["short"] < 2.1 < found("P6")["full"] < 3 < found("P6")["long"] < 4
    weights = sum(p.numel() * p.element_size() for p in bert().parameters() if p is not None)
    pooler = sum(p.numel() * p.element_size() for name, p in bert().named_parameters() if name.startswith("pooler"))
    assert found("P9")["fp32"] == weights - pooler == 4 * found("P9")["int8"]


def test_a_buffer_is_saved_and_the_extra_attention_covers_nothing() -> None:
    assert found("P7")["usual"] == 5000 * 512 and found("P7")["parameters"] == found("P7")["unsaved"] == 0
    extra = found("P8")
    assert {*extra["decoder"].split(", ")} - {*extra["encoder"].split(", ")} == {"self_attention", "cross_attention"}
    assert extra["cross"] == 0 < extra["self"]
