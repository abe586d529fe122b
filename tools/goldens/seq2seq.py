#!/usr/bin/env python3
"""Writes tests/goldens/seq2seq: loss, gradients and logits of a tiny nn.Transformer on a batch with padding.

    python3 tools/goldens/seq2seq.py

Needs Debian's python3-torch. One safetensors file for each position of the norms has parameters by name, their `grad.*`,
and ids `source`, `target_in`, `target_out` [batch][time] with 0 as padding. It also has `loss` (label smoothing 0.1) and
`logits`, computed in float64 from float32 parameters.
"""
import os
import sys

import torch

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch")]
import safetensors  # noqa: E402
import translator  # noqa: E402

FOLDER = os.path.join(os.path.dirname(TOOLS), "tests", "goldens", "seq2seq")
SIZES = dict(width=8, heads=2, hidden=12, layers=2, source=9, target=7)
SOURCE = torch.tensor([[3, 4, 5, 8, 6], [7, 3, 0, 0, 0], [8, 8, 4, 0, 0]])
TARGET_IN = torch.tensor([[1, 3, 4, 0], [1, 6, 5, 3], [1, 0, 0, 0]])
TARGET_OUT = torch.tensor([[3, 4, 2, 0], [6, 5, 3, 2], [2, 0, 0, 0]])


def main():
    os.makedirs(FOLDER, exist_ok=True)
    for norm in ("post", "pre"):
        torch.manual_seed(7)
        model = translator.Translator(**SIZES, norm=norm, dropout=0.0)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.normal_(0.0, 0.4)
        model.double()
        logits = model(SOURCE, TARGET_IN)
        loss = translator.loss_of(logits, TARGET_OUT, smoothing=0.1)
        loss.backward()
        tensors = {name: p.detach().float() for name, p in model.named_parameters()}
        tensors.update({f"grad.{name}": p.grad.float() for name, p in model.named_parameters()})
        tensors.update(source=SOURCE.float(), target_in=TARGET_IN.float(), target_out=TARGET_OUT.float(),
                       loss=loss.detach().float().reshape(1), logits=logits.detach().float())
        safetensors.write(os.path.join(FOLDER, f"{norm}.safetensors"), tensors)


if __name__ == "__main__":
    main()
