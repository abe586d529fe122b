#!/usr/bin/env python3
"""Writes tests/goldens/rnn: teacher-forced losses of the recurrent translators by PyTorch, and all their gradients.

    python3 tools/goldens/rnn.py

Needs Debian's python3-torch. Each model has one safetensors file: weights by name, ids with 0 as padding, `logits`,
`pattern` (not without attention), `loss` and `grad.*`. Computed in float64 from float32 weights.
"""
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch")]
import safetensors  # noqa: E402
from rnn import Bahdanau, Cho, Luong  # noqa: E402

FOLDER = os.path.join(os.path.dirname(TOOLS), "tests", "goldens", "rnn")
SOURCE_SYMBOLS, TARGET_SYMBOLS, EMBEDDING, HIDDEN = 9, 7, 3, 4
# 0 pads, 1 begins, 2 ends
SOURCE = [[5, 3, 8, 4, 6], [7, 3, 4], [4, 8, 8, 5]]
TARGET = [[3, 5, 4], [6, 6, 3, 4], [5]]


def padded(rows):
    return nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)


def write(name, seed, make):
    torch.manual_seed(seed)
    model = make().float().double()
    source, lengths = padded(SOURCE), torch.tensor([len(row) for row in SOURCE])
    inputs, wanted = padded([[1, *row] for row in TARGET]), padded([[*row, 2] for row in TARGET])
    logits, pattern = model(source, lengths, inputs)
    loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=0)
    loss.backward()
    tensors = {n: p.detach() for n, p in model.named_parameters()}
    tensors.update({f"grad.{n}": p.grad for n, p in model.named_parameters()})
    tensors.update({"source": source, "input": inputs, "wanted": wanted, "logits": logits.detach(),
                    "loss": loss.detach().reshape(1)})
    if pattern is not None:
        tensors["pattern"] = pattern.detach()
    safetensors.write(os.path.join(FOLDER, f"{name}.safetensors"), {n: t.float() for n, t in tensors.items()})


os.makedirs(FOLDER, exist_ok=True)
write("bahdanau-additive", 1, lambda: Bahdanau(SOURCE_SYMBOLS, TARGET_SYMBOLS, EMBEDDING, HIDDEN))
for number, kind in enumerate(["dot", "bilinear", "concat"]):
    write(f"luong-{kind}", 2 + number, lambda: Luong(SOURCE_SYMBOLS, TARGET_SYMBOLS, EMBEDDING, HIDDEN, kind))
write("none-none", 5, lambda: Cho(SOURCE_SYMBOLS, TARGET_SYMBOLS, EMBEDDING, HIDDEN))
LOCAL = {"scope": "local-m", "window": 1}
FORMS = {
    "location": ("location", {"longest": 6}),
    "dot-feeding": ("dot", {"feeding": True}),
    "location-feeding": ("location", {"feeding": True, "longest": 6}),
    "bilinear-local-m": ("bilinear", LOCAL),
    "concat-local-m-feeding": ("concat", {**LOCAL, "feeding": True}),
    "bilinear-local-p": ("bilinear", {**LOCAL, "scope": "local-p"}),
    "dot-local-p-feeding": ("dot", {"scope": "local-p", "window": 2, "feeding": True}),
}
for number, (form, (kind, options)) in enumerate(FORMS.items()):
    write(f"luong-{form}", 6 + number, lambda: Luong(SOURCE_SYMBOLS, TARGET_SYMBOLS, EMBEDDING, HIDDEN, kind, **options))
