#!/usr/bin/env python3
"""Writes tests/goldens/captioner: a tiny captioner of pictures by PyTorch, its loss and all its gradients.

    python3 tools/goldens/captioner.py

Needs Debian's python3-torch. One safetensors file has the weights by name, pictures [batch][channel][y][x], inputs and
targets [batch][time], labels [batch]. It also has `logits`, `pattern`, `label_logits`, `map0`, `loss` and `grad.*`,
computed in float64 from float32 weights. The patches are a convolution there.

hard.safetensors has the same weights and pictures with hard attention. `draws` [time][row] choose the patches of two
sentences for each picture. The gradients include the score-function estimate of the choices.
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


SAMPLES = 2


def words_loss(logits, targets):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)


def write(name, model, tensors):
    tensors = {**tensors, **dict(model.named_parameters())}
    tensors.update({f"grad.{n}": p.grad for n, p in model.named_parameters()})
    os.makedirs(FOLDER, exist_ok=True)
    safetensors.write(os.path.join(FOLDER, f"{name}.safetensors"),
                      {n: t.detach().float().contiguous() for n, t in tensors.items()})


def hard(model, pictures, draws):
    """Xu et al. 2015, equation 11, with the mean of the other sample as the baseline"""
    inputs, targets = INPUTS.repeat(SAMPLES, 1), TARGETS.repeat(SAMPLES, 1)
    drawn = []

    def draw(alpha, step):
        drawn.append((alpha.cumsum(-1) <= draws[step][:, None]).sum(-1))
        return drawn[-1]

    logits, pattern, labels, _ = model(pictures, inputs, draw)
    each = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0, reduction="none").view(targets.shape)
    later = each.detach().flip(1).cumsum(1).flip(1)
    advantage = later - later.view(SAMPLES, *INPUTS.shape).flip(0).reshape(later.shape)
    log_taken = pattern.gather(-1, torch.stack(drawn, 1)[..., None])[..., 0].log()
    loss = words_loss(logits, targets) + F.cross_entropy(labels, LABELS)
    model.zero_grad()
    (loss + (advantage * log_taken).sum() / (targets != 0).sum()).backward()
    write("hard", model, {"pictures": pictures, "inputs": INPUTS, "targets": TARGETS, "labels": LABELS, "draws": draws,
                          "logits": logits, "loss": loss.reshape(1)})


def main():
    generator = torch.Generator().manual_seed(11)
    model = Captioner(CONFIG).double()
    for name, p in model.named_parameters():
        near_one = "norm" in name and name.endswith("weight")
        p.data = (torch.randn(p.shape, generator=generator) * 0.3 + near_one).float().double()
    pictures = torch.rand(2, CONFIG["channels"], 6, 6, generator=generator).double()
    logits, pattern, labels, first = model(pictures, INPUTS)
    loss = words_loss(logits, TARGETS) + F.cross_entropy(labels, LABELS)
    loss.backward()
    write("captioner", model, {"pictures": pictures, "inputs": INPUTS, "targets": TARGETS, "labels": LABELS,
                               "logits": logits, "pattern": pattern, "label_logits": labels, "map0": first,
                               "loss": loss.reshape(1)})
    hard(model, pictures, torch.rand(3, SAMPLES * 2, generator=generator).double())


main()
