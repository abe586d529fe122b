#!/usr/bin/env python3
"""Writes tests/goldens/lab: results and gradients of every operation and block of heed/lab, computed by PyTorch.

    python3 tools/goldens/lab.py

Needs Debian's python3-torch. Each case is a safetensors file with inputs, parameters, results `out.*` and r. It
also has the gradients `grad.*` of the sum of out.y * r. Computed in float64 from float32 inputs.
"""
import math
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch")]
import safetensors  # noqa: E402

FOLDER = os.path.join(os.path.dirname(TOOLS), "tests", "goldens", "lab")


def draw(seed):
    generator = torch.Generator().manual_seed(seed)
    return lambda *shape, scale=1.0: (torch.randn(shape, generator=generator) * scale).float().double()


def save(name, inputs, outputs):
    """inputs: name -> leaf tensors; outputs: name -> tensors, of which y makes the loss."""
    y = outputs["y"]
    r = draw(99)(*y.shape)
    leaves = {n: t for n, t in inputs.items() if t.requires_grad}
    grads = torch.autograd.grad((y * r).sum(), list(leaves.values()))
    tensors = {n: t.detach().float() for n, t in inputs.items()}
    tensors.update({f"out.{n}": t.detach().float() for n, t in outputs.items()})
    tensors.update({f"grad.{n}": g.float() for n, g in zip(leaves, grads)})
    tensors["r"] = r.float()
    safetensors.write(os.path.join(FOLDER, f"{name}.safetensors"), tensors)


def learn(inputs):
    return {n: t.clone().requires_grad_() for n, t in inputs.items()}


def softmax(scores):
    """Rows of -inf give zeros."""
    hidden = torch.isinf(scores).all(-1, keepdim=True)
    return torch.where(hidden, torch.zeros_like(scores), torch.softmax(scores.masked_fill(hidden, 0.0), -1))


def attention(name, seed, score, batch=2, heads=4, kv_heads=2, queries=5, keys=7, d=6, dk=6, dv=3, causal=False, past=0,
              softcap=None, mask=None, lengths=None):
    rand = draw(seed)
    x = learn({"q": rand(batch, heads, queries, d), "k": rand(batch, kv_heads, keys, dk),
               "v": rand(batch, kv_heads, keys, dv)})
    weights = {"additive": {"W_q": rand(8, d, scale=0.5), "W_k": rand(8, dk, scale=0.5), "w_a": rand(8)},
               "bilinear": {"W": rand(d, dk, scale=0.5)},
               "concat": {"W_a": rand(8, d + dk, scale=0.5), "v_a": rand(8)}}.get(score, {})
    w = learn(weights)
    q = x["q"]
    k, v = (x[n].repeat_interleave(heads // kv_heads, 1) for n in "kv")
    pairs = [q.unsqueeze(3).expand(-1, -1, -1, keys, -1), k.unsqueeze(2).expand(-1, -1, queries, -1, -1)]
    s = {"dot": lambda: q @ k.transpose(-1, -2),
         "scaled-dot": lambda: q @ k.transpose(-1, -2) / math.sqrt(d),
         "bilinear": lambda: torch.einsum("bhid,de,bhje->bhij", q, w["W"], k),
         "additive": lambda: torch.tanh(pairs[0] @ w["W_q"].T + pairs[1] @ w["W_k"].T) @ w["w_a"],
         "concat": lambda: torch.tanh(torch.cat(pairs, -1) @ w["W_a"].T) @ w["v_a"]}[score]()
    if softcap:
        s = softcap * torch.tanh(s / softcap)
    extra = {}
    if mask == "additive":
        extra["mask"] = rand(1, heads, queries, keys).requires_grad_()
        s = s + extra["mask"]
    elif mask == "heads":  # three axes: broadcasting aligns them with head, query and key
        extra["mask"] = rand(heads, queries, keys).requires_grad_()
        s = s + extra["mask"]
    elif mask == "boolean":
        seen = (rand(batch, queries, keys) > 0).double()
        seen[0, 2] = 0  # a row that may see nothing
        extra["mask"] = seen.unsqueeze(1)
        s = s.masked_fill(extra["mask"] == 0, -math.inf)
    if causal:
        s = s.masked_fill(torch.arange(keys) > torch.arange(queries).unsqueeze(1) + past, -math.inf)
    if lengths is not None:
        extra["lengths"] = torch.tensor(lengths).double()
        s = s.masked_fill((torch.arange(keys) >= torch.tensor(lengths).unsqueeze(1))[:, None, None], -math.inf)
    p = softmax(s)
    save(name, {**x, **w, **extra}, {"y": p @ v, "pattern": p, "scores": s})


def module_weights(module, seed):
    """Numbers for a module's parameters: norms near one, the rest small."""
    rand = draw(seed)
    for name, p in module.named_parameters():
        near_one = "norm" in name and name.endswith("weight")
        p.data = rand(*p.shape, scale=0.2) + (1.0 if near_one else 0.0)
        p.data = p.data.float().double()
    return dict(module.named_parameters())


def multi_head():
    rand = draw(20)
    module = nn.MultiheadAttention(12, 3, batch_first=True).double()
    w = module_weights(module, 21)
    x = learn({"q": rand(2, 4, 12), "k": rand(2, 6, 12), "v": rand(2, 6, 12)})
    padding = torch.arange(6) >= torch.tensor([[6], [4]])
    y, p = module(x["q"], x["k"], x["v"], key_padding_mask=padding, average_attn_weights=False)
    save("multi-head", {**x, **w, "lengths": torch.tensor([6.0, 4.0]).double()}, {"y": y, "pattern": p})


def blocks():
    lengths = torch.tensor([5.0, 3.0]).double()
    padding = torch.arange(5) >= lengths.unsqueeze(1)
    for place in ["post", "pre"]:
        for activation in ["relu", "gelu"]:
            rand = draw(30)
            module = nn.TransformerEncoderLayer(12, 3, 20, 0.0, activation, batch_first=True,
                                                norm_first=place == "pre").double()
            w = module_weights(module, 31)
            x = learn({"x": rand(2, 5, 12)})
            save(f"encoder-{place}-{activation}", {**x, **w, "lengths": lengths},
                 {"y": module(x["x"], src_key_padding_mask=padding)})
        rand = draw(40)
        module = nn.TransformerDecoderLayer(12, 3, 20, 0.0, batch_first=True, norm_first=place == "pre").double()
        w = module_weights(module, 41)
        x = learn({"x": rand(2, 4, 12), "memory": rand(2, 5, 12)})
        causal = torch.full((4, 4), -math.inf, dtype=torch.float64).triu(1)
        y = module(x["x"], x["memory"], tgt_mask=causal, memory_key_padding_mask=padding)
        save(f"decoder-{place}", {**x, **w, "lengths": lengths}, {"y": y})


def recurrent():
    for name, both in [("gru", False), ("gru-both", True)]:
        rand = draw(50)
        module = nn.GRU(5, 7, batch_first=True, bidirectional=both).double()
        w = module_weights(module, 51)
        x = learn({"x": rand(3, 6, 5)})
        lengths = torch.tensor([6, 4, 2])
        packed = nn.utils.rnn.pack_padded_sequence(x["x"], lengths, batch_first=True)
        y, h = module(packed)
        y, _ = nn.utils.rnn.pad_packed_sequence(y, batch_first=True, total_length=6)
        save(name, {**x, **w, "lengths": lengths.double()}, {"y": y, "state": torch.cat(list(h), -1)})
    for name, both in [("gru-deep", False), ("gru-deep-both", True)]:
        rand = draw(54)
        module = nn.GRU(5, 7, num_layers=3, batch_first=True, bidirectional=both).double()
        w = module_weights(module, 55)
        x = learn({"x": rand(3, 6, 5), "h0": rand(3, 42 if both else 21)})
        first = torch.stack(x["h0"].chunk(6 if both else 3, -1))
        lengths = torch.tensor([6, 2, 4])
        packed = nn.utils.rnn.pack_padded_sequence(x["x"], lengths, batch_first=True, enforce_sorted=False)
        y, h = module(packed, first)
        y, _ = nn.utils.rnn.pad_packed_sequence(y, batch_first=True, total_length=6)
        save(name, {**x, **w, "lengths": lengths.double()}, {"y": y, "state": torch.cat(list(h), -1)})
    rand = draw(52)
    cell = nn.GRUCell(5, 7).double()
    w = module_weights(cell, 53)
    x = learn({"x": rand(3, 5), "h": rand(3, 7)})
    save("gru-cell", {**x, **w}, {"y": cell(x["x"], x["h"])})


def rotary():
    """Pairs of features are complex numbers, which turn by e^(i·position·theta^(-2j/dims))."""
    for seed, (name, heads, dims, first, theta) in enumerate([("halves", 1, 8, 0, 10000.0),
                                                              ("adjacent", 2, 6, 5, 500.0)]):
        x = learn({"x": draw(80 + seed)(2, 5, heads * 8)})
        features = torch.arange(dims)
        pairs = features.reshape(2, -1).T if name == "halves" else features.reshape(-1, 2)
        angles = torch.outer(torch.arange(first, first + 5).double(),
                             theta ** (-torch.arange(0, dims, 2).double() / dims))
        spins = torch.polar(torch.ones_like(angles), angles)[:, None]
        y = x["x"].reshape(2, 5, heads, 8).clone()
        y[..., pairs] = torch.view_as_real(torch.view_as_complex(y[..., pairs].contiguous()) * spins)
        save(f"rope-{name}", x, {"y": y.reshape(2, 5, heads * 8)})


def operations():
    rand = draw(60)
    x = learn({"x": rand(3, 4, 11, scale=2.0), "weight": rand(11), "bias": rand(11)})
    save("layer-norm", x, {"y": F.layer_norm(x["x"], (11,), x["weight"], x["bias"], 1e-3)})
    x = learn({"x": rand(3, 4, 11, scale=2.0), "weight": rand(11)})
    root = torch.rsqrt(x["x"].pow(2).mean(-1, keepdim=True) + 1e-3)
    save("rms-norm", x, {"y": x["x"] * root * x["weight"]})
    functions = {"relu": F.relu, "gelu": F.gelu, "geluTanh": lambda t: F.gelu(t, approximate="tanh"), "silu": F.silu,
                 "tanh": torch.tanh, "sigmoid": torch.sigmoid, "softmax": lambda t: torch.softmax(t, -1)}
    for name, f in functions.items():
        x = learn({"x": rand(5, 13, scale=3.0)})
        save(f"f-{name}", x, {"y": f(x["x"])})
    x = learn({"x": rand(2, 5, 6), "weight": rand(9, 6), "bias": rand(9)})
    save("linear", x, {"y": F.linear(x["x"], x["weight"], x["bias"])})
    ids = torch.tensor([[1, 4, 1], [0, 6, 4]])
    x = learn({"table": rand(7, 5)})
    save("embedding", {**x, "ids": ids.double()}, {"y": F.embedding(ids, x["table"])})
    targets = torch.tensor([3, -100, 0, 8, 8, 2])
    for name, options in {"mean": {}, "sum": {"reduction": "sum"}, "smooth": {"label_smoothing": 0.1}}.items():
        x = learn({"x": rand(6, 9, scale=2.0)})
        y = F.cross_entropy(x["x"], targets, **options).reshape(1)
        save(f"cross-entropy-{name}", {**x, "targets": targets.double()}, {"y": y})


def optimizers():
    """Five steps down Σ (w - target)², the first gradients clipped to a norm of 1."""
    makers = {"adamw": lambda p: torch.optim.AdamW(p, lr=0.05, betas=(0.8, 0.95), weight_decay=0.1),
              "sgd": lambda p: torch.optim.SGD(p, lr=0.05),
              "sgd-momentum": lambda p: torch.optim.SGD(p, lr=0.02, momentum=0.9, weight_decay=0.1)}
    for name, make in makers.items():
        rand = draw(70)
        start, target = rand(3, 5), rand(3, 5)
        w = start.clone().requires_grad_()
        optimizer = make([w])
        tensors = {"w": start.float(), "target": target.float()}
        for step in range(5):
            optimizer.zero_grad()
            (w - target).pow(2).sum().backward()
            norm = torch.nn.utils.clip_grad_norm_([w], 1.0 if step < 2 else 1e9)
            tensors[f"out.norm{step}"] = norm.float().reshape(1)
            optimizer.step()
            tensors[f"out.{step}"] = w.detach().clone().float()
        safetensors.write(os.path.join(FOLDER, f"optimiser-{name}.safetensors"), tensors)  # words: allow


def main():
    os.makedirs(FOLDER, exist_ok=True)
    attention("attention-dot", 1, "dot")
    attention("attention-scaled-dot", 2, "scaled-dot", causal=True, past=2)
    attention("attention-additive", 3, "additive", dk=4)
    attention("attention-bilinear", 4, "bilinear", dk=4)
    attention("attention-concat", 5, "concat", dk=4)
    attention("attention-softcap", 6, "scaled-dot", softcap=1.5, causal=True)
    attention("attention-mask", 7, "scaled-dot", mask="additive")
    attention("attention-mask-heads", 9, "scaled-dot", mask="heads")
    attention("attention-hidden", 8, "scaled-dot", mask="boolean", lengths=[7, 0])
    multi_head()
    blocks()
    recurrent()
    rotary()
    operations()
    optimizers()


main()
