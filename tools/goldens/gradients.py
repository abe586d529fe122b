#!/usr/bin/env python3
"""Writes tests/goldens/*/gradients.safetensors: gradients of two metrics by activations, computed by PyTorch.

    python3 tools/goldens/gradients.py

Needs Debian's python3-torch, and the folders that architectures.py wrote. A file has:
- logit_difference: logit of the first id minus logit of the second, at the last position; and
  logit_difference/<hook>, its gradient by every activation
- cross_entropy: the mean over all positions but the last, whose target is the next id; and
  cross_entropy/<hook>, its gradient by the activations of FEW

Everything is computed in float64 and stored as float32.
"""
import os
import sys

import torch
from torch.nn import functional as F

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch")]
import checkpoint  # noqa: E402
import forward  # noqa: E402
import safetensors  # noqa: E402

# Learned positions and biases; sizes that no vector divides; a sliding window; grouped heads and biases in bfloat16.
MODELS = ("gpt2", "llama-awkward", "mistral", "qwen2")
FEW = ("hook_embed", "blocks.0.attn.hook_attn_scores", "ln_final.hook_normalized")


def gradients(weights, config, ids, metric):
    """The metric, and its gradient by every activation."""
    activations = {}

    def tap(hook, x):
        x = x if x.requires_grad else x.detach().requires_grad_()
        x.retain_grad()
        activations[hook] = x
        return x

    value = metric(forward.forward(weights, config, ids, tap))
    value.backward()
    return value.detach(), {hook: x.grad for hook, x in activations.items()}


def main():
    for name in MODELS:
        config, ids, weights = checkpoint.read(name)
        first, second = ids[0], ids[2]
        difference, by_difference = gradients(
            weights, config, ids, lambda logits: logits[-1, first] - logits[-1, second])
        entropy, by_entropy = gradients(
            weights, config, ids, lambda logits: F.cross_entropy(logits[:-1], ids[1:]))
        tensors = {"logit_difference": difference[None], "cross_entropy": entropy[None]}
        tensors.update({f"logit_difference/{hook}": x for hook, x in by_difference.items()})
        tensors.update({f"cross_entropy/{hook}": by_entropy[hook] for hook in FEW})
        safetensors.write(os.path.join(checkpoint.folder_of(name), "gradients.safetensors"),
                          {key: x.float().contiguous() for key, x in tensors.items()})
        print(f"{name}: logit difference {difference.item():.4f}, cross-entropy {entropy.item():.4f}")


if __name__ == "__main__":
    main()
