#!/usr/bin/env python3
"""Writes tests/goldens/classifier: a tiny classifier with a learned query by PyTorch, its loss and all its gradients.

    python3 tools/goldens/classifier.py

Needs Debian's python3-torch. One safetensors file has the weights by name, words [batch][time], pieces
[batch][time][piece] with -1 as padding, lengths and targets [batch]. It also has `logits`, `pooled`, `map0`, `map1`,
`loss` and `grad.*`, computed in float64 from float32 weights.
"""
import os
import sys

import torch
import torch.nn.functional as F

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch")]
import safetensors  # noqa: E402
from classifier import Classifier  # noqa: E402

FOLDER = os.path.join(os.path.dirname(TOOLS), "tests", "goldens", "classifier")
VOCABULARY, BUCKETS, WIDTH, HEADS, HIDDEN, LABELS, BLOCKS = 6, 10, 8, 2, 12, 3, 2
# -1: a word that is not in the vocabulary; a text of four words, and one of two
WORDS = [[3, 0, -1, 5], [1, 2]]
PIECES = [[[1, 7, 7], [], [4], [9, 2]], [[0], [3, 3]]]
TARGETS = [2, 0]


def padded(rows, width):
    return [list(row) + [-1] * (width - len(row)) for row in rows]


def main():
    generator = torch.Generator().manual_seed(7)
    model = Classifier(VOCABULARY, BUCKETS, WIDTH, HEADS, HIDDEN, LABELS, BLOCKS).double()
    for name, p in model.named_parameters():
        near_one = "norm" in name and name.endswith("weight")
        scale = 1.0 if name == "query" else 0.3
        p.data = (torch.randn(p.shape, generator=generator) * scale + near_one).float().double()
    logits, pooled, maps = model(WORDS, PIECES)
    loss = F.cross_entropy(logits, torch.tensor(TARGETS))
    loss.backward()
    time, piece = max(map(len, WORDS)), max(len(p) for text in PIECES for p in text)
    numbers = {"words": padded(WORDS, time), "lengths": [len(text) for text in WORDS], "targets": TARGETS,
               "pieces": [padded(text + [[]] * (time - len(text)), piece) for text in PIECES]}
    outputs = {"logits": logits, "pooled": pooled, "loss": loss.reshape(1)}
    outputs.update({f"map{i}": m for i, m in enumerate(maps)})
    tensors = {n: torch.tensor(t).float() for n, t in numbers.items()}
    tensors.update({n: t.detach().float() for n, t in {**dict(model.named_parameters()), **outputs}.items()})
    tensors.update({f"grad.{n}": p.grad.float() for n, p in model.named_parameters()})
    os.makedirs(FOLDER, exist_ok=True)
    safetensors.write(os.path.join(FOLDER, "classifier.safetensors"), tensors)


main()
