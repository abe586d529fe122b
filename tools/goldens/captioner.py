#!/usr/bin/env python3
"""Writes tests/goldens/captioner: a tiny captioner of pictures by PyTorch, its loss and all its gradients.

    python3 tools/goldens/captioner.py

Needs Debian's python3-torch. One safetensors file has the weights by name, pictures [batch][channel][y][x], inputs and
targets [batch][time], labels [batch]. It also has `logits`, `pattern`, `label_logits`, `map0`, `loss` and `grad.*`,
computed in float64 from float32 weights. The patches are a convolution there.
"""
import os
import sys

import torch
import torch.nn.functional as F

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch")]
import safetensors  # noqa: E402
from captioner import Captioner  # noqa: E402

FOLDER = os.path.join(os.path.dirname(TOOLS), "tests", "goldens", "captioner")
CONFIG = {"size": 6, "channels": 2, "patch": 3, "width": 8, "heads": 2, "feedForward": 12, "blocks": 2, "embedding": 5,
          "hidden": 7, "labels": ["a", "b", "c"], "target": list("0123456")}
INPUTS = torch.tensor([[1, 4, 6], [1, 3, 0]])
TARGETS = torch.tensor([[4, 6, 2], [3, 2, 0]])  # 0 is padding
LABELS = torch.tensor([2, 0])


def main():
    generator = torch.Generator().manual_seed(11)
    model = Captioner(CONFIG).double()
    for name, p in model.named_parameters():
        near_one = "norm" in name and name.endswith("weight")
        p.data = (torch.randn(p.shape, generator=generator) * 0.3 + near_one).float().double()
    pictures = torch.rand(2, CONFIG["channels"], 6, 6, generator=generator).double()
    logits, pattern, labels, first = model(pictures, INPUTS)
    loss = F.cross_entropy(logits.flatten(0, 1), TARGETS.flatten(), ignore_index=0) + F.cross_entropy(labels, LABELS)
    loss.backward()
    tensors = {"pictures": pictures, "inputs": INPUTS, "targets": TARGETS, "labels": LABELS, "logits": logits,
               "pattern": pattern, "label_logits": labels, "map0": first, "loss": loss.reshape(1),
               **dict(model.named_parameters())}
    tensors.update({f"grad.{n}": p.grad for n, p in model.named_parameters()})
    os.makedirs(FOLDER, exist_ok=True)
    safetensors.write(os.path.join(FOLDER, "captioner.safetensors"),
                      {n: t.detach().float().contiguous() for n, t in tensors.items()})


main()
