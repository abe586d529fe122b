#!/usr/bin/env python3
"""Writes tests/goldens/*/insight.safetensors: results of heed/insight, computed by PyTorch from their definitions.

    python3 tools/goldens/insight.py

Needs Debian's python3-torch, and the folders that architectures.py wrote. A file has:
- logit_lens [layers + 1][position][vocabulary]: log-probabilities of the embedding and of every block's output

Everything is computed in float64 and stored as float32.
"""
import json
import os
import sys

import torch
from torch.nn import functional as F

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch")]
import forward  # noqa: E402
import safetensors  # noqa: E402

FOLDER = os.path.join(os.path.dirname(TOOLS), "tests", "goldens")
# Learned positions and biases; grouped heads, output matrix apart; sizes that no vector divides; biases of q, k and v.
MODELS = ("gpt2", "llama", "llama-awkward", "qwen2")


class Model:
    """A model by the names of TransformerLens, whatever its family: norms as functions, matrices [outputs][inputs]."""

    def __init__(self, name):
        folder = os.path.join(FOLDER, name)
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            self.config = c = json.load(file)
        with open(os.path.join(folder, "ids.json"), encoding="utf-8") as file:
            self.ids = torch.tensor(json.load(file))
        self.weights = {k: w.double() for k, w in safetensors.read(os.path.join(folder, "model.safetensors")).items()}
        self.is_gpt2 = c["model_type"] == "gpt2"
        self.layers = c["n_layer" if self.is_gpt2 else "num_hidden_layers"]
        self.embedding = self.weights["transformer.wte.weight" if self.is_gpt2 else "model.embed_tokens.weight"]
        self.output = self.embedding if c["tie_word_embeddings"] else self.weights["lm_head.weight"]

    def run(self):
        """Every activation by its hook."""
        cache = {}
        forward.forward(self.weights, self.config, self.ids, lambda hook, x: cache.setdefault(hook, x))
        return cache

    def final_norm(self, x):
        w = self.weights
        if self.is_gpt2:
            eps = self.config["layer_norm_epsilon"]
            return F.layer_norm(x, x.shape[-1:], w["transformer.ln_f.weight"], w["transformer.ln_f.bias"], eps)
        return forward.rms_norm(x, w["model.norm.weight"], self.config["rms_norm_eps"])


def logit_lens(model, cache):
    residuals = [cache["blocks.0.hook_resid_pre"]]
    residuals += [cache[f"blocks.{layer}.hook_resid_post"] for layer in range(model.layers)]
    return torch.log_softmax(model.final_norm(torch.stack(residuals)) @ model.output.T, -1)


def main():
    for name in MODELS:
        model = Model(name)
        cache = model.run()
        tensors = {"logit_lens": logit_lens(model, cache)}
        safetensors.write(os.path.join(FOLDER, name, "insight.safetensors"),
                          {key: x.float().contiguous() for key, x in tensors.items()})
        print(f"{name}: " + ", ".join(f"{key} {list(x.shape)}" for key, x in tensors.items()))


if __name__ == "__main__":
    main()
