#!/usr/bin/env python3
"""Writes tests/goldens/*/sweeps.safetensors: results of the sweeps of heed/insight, computed by PyTorch from their
definitions.

    python3 tools/goldens/sweeps.py

Needs Debian's python3-torch, and the folders that architectures.py wrote. The metric is the logit of the first id minus
the logit of the second, at the last position. The corrupted ids are (5 · id + 1) modulo 60; the other text of resampling
is their first 11. A file has:
- ablation/<part>/<kind> [layer][head] or [layer]: the metric of the ablated run minus the metric
- patch/position [site][layer][position], patch/head [layer][head]: 0 corrupted, 1 clean
- attribution/position, attribution/head: the same to first order, by autograd
- integrated/mean, integrated/token [position]: integrated gradients from the mean embedding and from token 7, by 2048
  points of the midpoint rule
- compare [position]: D(input ‖ corrupted) of the predictions

Everything is computed in float64 and stored as float32.
"""
import os
import sys

import torch

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch")]
import checkpoint  # noqa: E402
import forward  # noqa: E402
import safetensors  # noqa: E402

MODELS = ("gpt2", "llama", "llama-awkward", "qwen2")
PARTS = {"heads": ["attn.hook_z"], "attentions": ["hook_attn_out"], "mlps": ["hook_mlp_out"],
         "layers": ["hook_attn_out", "hook_mlp_out"]}
SITES = ("resid_pre", "attn_out", "mlp_out")
POINTS = 2048


class Model:
    def __init__(self, name):
        self.config, self.ids, self.weights = checkpoint.read(name)
        c = self.config
        is_gpt2 = c["model_type"] == "gpt2"
        self.layers = c["n_layer" if is_gpt2 else "num_hidden_layers"]
        self.heads = c["n_head" if is_gpt2 else "num_attention_heads"]
        self.corrupted = (5 * self.ids + 1) % 60

    def run(self, ids, edits=None):
        """Logits, and every activation after the edits: {hook: function}."""
        cache = {}

        def tap(hook, x):
            cache[hook] = (edits or {}).get(hook, lambda x: x)(x)
            return cache[hook]

        return forward.forward(self.weights, self.config, ids, tap), cache

    def metric(self, logits):
        return logits[-1, self.ids[0]] - logits[-1, self.ids[2]]

    def value(self, ids, edits=None):
        return self.metric(self.run(ids, edits)[0])


def replaced(values, head=None, position=None):
    """An edit that puts values at a head or a position."""
    def edit(x):
        y = x.clone()
        where = (slice(None) if position is None else position, *([] if head is None else [head]))
        y[where] = values[where]
        return y
    return edit


def ablations(m):
    _, clean = m.run(m.ids)
    other = m.corrupted[:11]
    _, cache = m.run(other)
    source = [p if p < 11 else 1 + (p - 1) % 10 for p in range(len(m.ids))]
    results, before = {}, m.value(m.ids)
    for part, hooks in PARTS.items():
        for kind in ("zero", "mean", "resample"):
            rows = []
            for layer in range(m.layers):
                for head in range(m.heads if part == "heads" else 1):
                    edits = {}
                    for hook in (f"blocks.{layer}.{hook}" for hook in hooks):
                        x = clean[hook]
                        values = (torch.zeros_like(x) if kind == "zero" else x.mean(0, keepdim=True).expand_as(x)
                                  if kind == "mean" else cache[hook][source])
                        edits[hook] = replaced(values, head if part == "heads" else None)
                    rows.append(m.value(m.ids, edits) - before)
            shape = (m.layers, m.heads) if part == "heads" else (m.layers,)
            results[f"ablation/{part}/{kind}"] = torch.stack(rows).reshape(shape)
    return results


def places(m):
    """Names of results, and of each place its hook, head and position."""
    positions = [(f"blocks.{layer}.hook_{site}", None, p)
                 for site in SITES for layer in range(m.layers) for p in range(len(m.ids))]
    heads = [(f"blocks.{layer}.attn.hook_z", head, None) for layer in range(m.layers) for head in range(m.heads)]
    return {"position": (positions, (len(SITES), m.layers, len(m.ids))), "head": (heads, (m.layers, m.heads))}


def patches(m):
    logits, clean = m.run(m.ids)
    high, low = m.metric(logits), m.value(m.corrupted)
    activations = {}

    def tap(hook, x):
        x = x if x.requires_grad else x.detach().requires_grad_()
        x.retain_grad()
        activations[hook] = x
        return x

    m.metric(forward.forward(m.weights, m.config, m.corrupted, tap)).backward()
    results = {}
    for name, (where, shape) in places(m).items():
        exact, linear = [], []
        for hook, head, position in where:
            value = m.value(m.corrupted, {hook: replaced(clean[hook], head, position)})
            exact.append((value - low) / (high - low))
            part = (slice(None) if position is None else position, *([] if head is None else [head]))
            x = activations[hook]
            linear.append((x.grad * (clean[hook] - x.detach()))[part].sum() / (high - low))
        results[f"patch/{name}"] = torch.stack(exact).reshape(shape)
        results[f"attribution/{name}"] = torch.stack(linear).reshape(shape)
    return results


def integrated(m):
    x = m.run(m.ids)[1]["hook_embed"]
    token = m.run(torch.tensor([7]))[1]["hook_embed"]
    results = {}
    for name, start in {"mean": x.mean(0, keepdim=True), "token": token}.items():
        total = torch.zeros(len(x), dtype=torch.float64)
        for i in range(POINTS):
            at = (start + (i + 0.5) / POINTS * (x - start)).detach().requires_grad_()
            m.value(m.ids, {"hook_embed": lambda _: at}).backward()
            total += (at.grad * (x - start)).sum(-1)
        results[f"integrated/{name}"] = total / POINTS
        first, last = m.value(m.ids, {"hook_embed": lambda _: start.expand_as(x)}), m.value(m.ids)
        gap = total.sum() / POINTS - (last - first)
        print(f"  {name}: sum {total.sum() / POINTS:.6f}, gap {gap:.2e}")
    return results


def compare(m):
    first, second = (torch.log_softmax(m.run(ids)[0], -1) for ids in (m.ids, m.corrupted))
    return {"compare": (first.exp() * (first - second)).sum(-1)}


def main():
    for name in MODELS:
        m = Model(name)
        tensors = {**ablations(m), **patches(m), **integrated(m), **compare(m)}
        safetensors.write(os.path.join(checkpoint.folder_of(name), "sweeps.safetensors"),
                          {key: x.float().contiguous() for key, x in tensors.items()})
        print(f"{name}: {len(tensors)} results")


if __name__ == "__main__":
    main()
