#!/usr/bin/env python3
"""Writes tests/goldens/*/insight.safetensors: results of heed/insight, computed by PyTorch from their definitions.

    python3 tools/goldens/insight.py

Needs Debian's python3-torch, and the folders that architectures.py wrote. A file has:
- logit_lens [layers + 1][position][vocabulary]: log-probabilities of the embedding and of every block's output
- attribution/value: logit of the first id minus logit of the second, at the last position; and its parts:
  attribution/component, head [layer][head], neuron [layer][neuron], source [layer][head][key]
- head_scores [score][layer][head]: previous, duplicate, induction, first, entropy, distance
- value_norms [layer][head][query][key], rollout [layer][query][key]
- circuits/qk and circuits/ov [vocabulary][vocabulary] of the last head of layer 1

Everything is computed in float64 and stored as float32.
"""
import math
import os
import sys

import torch
from torch.nn import functional as F

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch")]
import checkpoint  # noqa: E402
import forward  # noqa: E402
import safetensors  # noqa: E402

# Learned positions and biases; grouped heads, output matrix apart; sizes that no vector divides; biases of q, k and v.
MODELS = ("gpt2", "llama", "llama-awkward", "qwen2")


class Model:
    """A model of either family. Matrices have the shape [outputs][inputs], q, k, v and o with an axis of heads."""

    def __init__(self, name):
        self.config, self.ids, self.weights = checkpoint.read(name)
        c, w = self.config, self.weights
        self.is_gpt2 = c["model_type"] == "gpt2"
        self.layers = c["n_layer" if self.is_gpt2 else "num_hidden_layers"]
        self.heads = c["n_head" if self.is_gpt2 else "num_attention_heads"]
        self.kv_heads = self.heads if self.is_gpt2 else c["num_key_value_heads"]
        self.embedding = w["transformer.wte.weight" if self.is_gpt2 else "model.embed_tokens.weight"]
        self.output = self.embedding if c["tie_word_embeddings"] else w["lm_head.weight"]
        self.gain = w["transformer.ln_f.weight" if self.is_gpt2 else "model.norm.weight"]
        self.cache = {}
        forward.forward(w, c, self.ids, lambda hook, x: self.cache.setdefault(hook, x))
        self.width = self.cache["blocks.0.attn.hook_z"].shape[-1]

    def final_norm(self, x):
        if self.is_gpt2:
            bias, eps = self.weights["transformer.ln_f.bias"], self.config["layer_norm_epsilon"]
            return F.layer_norm(x, x.shape[-1:], self.gain, bias, eps)
        return forward.rms_norm(x, self.gain, self.config["rms_norm_eps"])

    def center(self, x):
        """The input of a norm, before its scale."""
        return x - x.mean(-1, keepdim=True) if self.is_gpt2 else x

    def matrix(self, layer, part):
        """q, k, v [heads][width][inputs]; o [outputs][heads][width]; down [outputs][inputs]."""
        if self.is_gpt2:
            at = f"transformer.h.{layer}."
            if part == "o":
                return self.weights[at + "attn.c_proj.weight"].T.unflatten(1, (self.heads, self.width))
            if part == "down":
                return self.weights[at + "mlp.c_proj.weight"].T
            return self.weights[at + "attn.c_attn.weight"].T.unflatten(0, (3, self.heads, self.width))["qkv".index(part)]
        at = f"model.layers.{layer}."
        if part == "down":
            return self.weights[at + "mlp.down_proj.weight"]
        x = self.weights[f"{at}self_attn.{part}_proj.weight"]
        return x.unflatten(1, (self.heads, self.width)) if part == "o" else x.unflatten(0, (-1, self.width))

    def first_gain(self, layer):
        return self.weights[f"transformer.h.{layer}.ln_1.weight" if self.is_gpt2
                            else f"model.layers.{layer}.input_layernorm.weight"]

    def at(self, layer, hook):
        return self.cache[f"blocks.{layer}.{hook}"]

    def values(self, layer):
        """v of every query head [position][head][width]."""
        return self.at(layer, "attn.hook_v").repeat_interleave(self.heads // self.kv_heads, 1)


def logit_lens(model):
    residuals = [model.at(0, "hook_resid_pre")] + [model.at(layer, "hook_resid_post") for layer in range(model.layers)]
    return torch.log_softmax(model.final_norm(torch.stack(residuals)) @ model.output.T, -1)


def attribution(model):
    """Every part goes through the final norm with the scale of the whole residual stream, and to the output."""
    last = model.layers - 1
    stream = model.center(model.at(last, "hook_resid_post")[-1])
    eps = model.config["layer_norm_epsilon" if model.is_gpt2 else "rms_norm_eps"]
    scale = torch.sqrt(stream.pow(2).mean() + eps)
    output = model.output[model.ids[0]] - model.output[model.ids[2]]
    read = lambda x: (model.center(x) / scale * model.gain) @ output  # x [..., d_model]
    each = lambda f: torch.stack([f(layer) for layer in range(model.layers)])

    components = [read(model.cache["hook_embed"][-1])]
    if model.is_gpt2:
        components.append(read(model.cache["hook_pos_embed"][-1]))
    for layer in range(model.layers):
        components += [read(model.at(layer, "hook_attn_out")[-1]), read(model.at(layer, "hook_mlp_out")[-1])]
    if model.is_gpt2:
        components.append(model.weights["transformer.ln_f.bias"] @ output)
    head = lambda layer: read(torch.einsum("hd,ohd->ho", model.at(layer, "attn.hook_z")[-1], model.matrix(layer, "o")))
    neuron = lambda layer: read(model.at(layer, "mlp.hook_post")[-1][:, None] * model.matrix(layer, "down").T)
    source = lambda layer: read(torch.einsum(
        "hk,khd,ohd->hko", model.at(layer, "attn.hook_pattern")[:, -1], model.values(layer), model.matrix(layer, "o")))
    value = model.final_norm(model.at(last, "hook_resid_post")[-1]) @ output
    parts = {"component": torch.stack(components), "head": each(head), "neuron": each(neuron), "source": each(source)}
    assert abs(parts["component"].sum() - value) < 1e-9
    return {"attribution/value": value[None], **{f"attribution/{name}": x for name, x in parts.items()}}


def head_scores(model):
    """Means over the queries to which a score applies."""
    ids = model.ids.tolist()
    scores = torch.zeros(6, model.layers, model.heads, dtype=torch.float64)
    for layer in range(model.layers):
        for head, pattern in enumerate(model.at(layer, "attn.hook_pattern")):
            values = [[], [], [], [], [], []]
            for q in range(1, len(ids)):
                row = pattern[q, :q + 1]
                same = [k for k in range(q) if ids[k] == ids[q]]
                after = [k + 1 for k in same if k + 1 < q]
                values[0].append(row[q - 1])
                if same:
                    values[1].append(row[same].sum())
                if after:
                    values[2].append(row[after].sum())
                values[3].append(row[0])
                values[4].append(-torch.special.xlogy(row, row).sum())
                values[5].append((row * (q - torch.arange(q + 1))).sum())
            scores[:, layer, head] = torch.stack([torch.stack(x).mean() for x in values])
    return scores


def value_norms(model):
    """Norm of pattern times the value after the output matrix."""
    return torch.stack([torch.einsum(
        "hqk,khd,ohd->hqko", model.at(layer, "attn.hook_pattern"), model.values(layer), model.matrix(layer, "o")
    ).norm(dim=-1) for layer in range(model.layers)])


def rollout(model):
    total, results = torch.eye(len(model.ids), dtype=torch.float64), []
    for layer in range(model.layers):
        mean = model.at(layer, "attn.hook_pattern").mean(0)
        total = (0.5 * mean + 0.5 * torch.eye(len(mean), dtype=torch.float64)) @ total
        results.append(total)
    return torch.stack(results)


def circuits(model, layer, head):
    """Bilinear forms of a head on the vocabulary: without biases, embeddings scaled to a mean square of 1."""
    e = model.center(model.embedding)
    e = e / e.pow(2).mean(-1, keepdim=True).sqrt() * model.first_gain(layer)
    group = head // (model.heads // model.kv_heads)
    q, k, v = model.matrix(layer, "q")[head], model.matrix(layer, "k")[group], model.matrix(layer, "v")[group]
    out = model.matrix(layer, "o")[:, head]
    return {"circuits/qk": (e @ q.T) @ (e @ k.T).T / math.sqrt(model.width),
            "circuits/ov": model.center(e @ v.T @ out.T) * model.gain @ model.output.T}


def main():
    for name in MODELS:
        model = Model(name)
        tensors = {"logit_lens": logit_lens(model), **attribution(model), "head_scores": head_scores(model),
                   "value_norms": value_norms(model), "rollout": rollout(model),
                   **circuits(model, 1, model.heads - 1)}
        safetensors.write(os.path.join(checkpoint.folder_of(name), "insight.safetensors"),
                          {key: x.float().contiguous() for key, x in tensors.items()})
        print(f"{name}: " + ", ".join(f"{key} {list(x.shape)}" for key, x in tensors.items()))


if __name__ == "__main__":
    main()
