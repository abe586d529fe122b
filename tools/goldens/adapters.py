#!/usr/bin/env python3
"""Writes tests/goldens/*/adapter: adapters of low rank, their gradients and a short training, computed by PyTorch.

    python3 tools/goldens/adapters.py

Needs Debian's python3-torch, and the folders that architectures.py wrote. A folder has the files of PEFT,
adapter_model.safetensors and adapter_config.json, with random A and B, and expected.safetensors:
- logits: of the adapted model
- gradient/<name>: of the mean cross-entropy of the next id, by A or B
- losses: of ten steps of AdamW on this cross-entropy, with the schedule and the clipping of js/train/tuning/recipe.js
- full, full/<name>: the cross-entropy without adapters, and its gradient by weights of FULL
- full_losses: of ten steps on all weights

Everything is computed in float64 and stored as float32.
"""
import json
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

MODELS = ("gpt2", "llama", "llama-awkward", "mistral", "qwen2")
RANK, ALPHA = 4, 6
STEPS, RATE, FULL_RATE = 10, 1e-2, 1e-3
LINEAR = ("c_attn", "c_proj", "c_fc", "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
# One weight of every kind: tables, norms, biases, matrices.
FULL = ("wte.weight", "wpe.weight", "h.0.ln_1.weight", "h.1.ln_2.bias", "h.0.attn.c_attn.weight", "h.1.mlp.c_fc.bias",
        "ln_f.bias", "embed_tokens.weight", "layers.0.input_layernorm.weight", "layers.1.self_attn.k_proj.weight",
        "layers.0.self_attn.q_proj.bias", "layers.1.mlp.down_proj.weight", "model.norm.weight")


def rate_of(step, rate):
    """Linear warm-up over a twentieth of the steps, then a linear decay to 0."""
    warm_up = math.ceil(0.05 * STEPS)
    return rate * (step + 1) / (warm_up + 1) if step < warm_up else rate * (1 - (step - warm_up) / (STEPS - warm_up))


def matrices(weights):
    return [name[:-len(".weight")] for name in weights
            if name.endswith(".weight") and name.split(".")[-2] in LINEAR]


def adapted(weights, adapter):
    """W + alpha / rank * B A; Conv1D of GPT-2 has W as [inputs][outputs]."""
    out = dict(weights)
    for module in matrices(weights):
        a, b = (adapter[f"base_model.model.{module}.lora_{side}.weight"] for side in "AB")
        change = ALPHA / RANK * (b @ a)
        out[module + ".weight"] = weights[module + ".weight"] + (
            change.T if module.split(".")[-1].startswith("c_") else change)
    return out


def train(parameters, loss_of, rate):
    optimizer = torch.optim.AdamW(parameters, lr=rate, weight_decay=0)
    losses = []
    for step in range(STEPS):
        optimizer.param_groups[0]["lr"] = rate_of(step, rate)
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    for name in MODELS:
        config, ids, weights = checkpoint.read(name)
        random = torch.Generator().manual_seed(5)
        normal = lambda *size: torch.randn(*size, generator=random, dtype=torch.float64).float().double() * 0.25
        adapter = {}
        for module in matrices(weights):
            rows, columns = weights[module + ".weight"].shape
            if module.split(".")[-1].startswith("c_"):
                rows, columns = columns, rows
            adapter[f"base_model.model.{module}.lora_A.weight"] = normal(RANK, columns)
            adapter[f"base_model.model.{module}.lora_B.weight"] = normal(rows, RANK)
        kept = {key: x.float().contiguous() for key, x in adapter.items()}
        adapter = {key: x.double().requires_grad_() for key, x in kept.items()}

        run = lambda w: forward.forward(w, config, ids, lambda hook, x: x)
        cross_entropy = lambda w: F.cross_entropy(run(w)[:-1], ids[1:])
        loss_of = lambda: cross_entropy(adapted(weights, adapter))
        with torch.no_grad():
            expected = {"logits": run(adapted(weights, adapter))}
        loss_of().backward()
        expected.update({f"gradient/{key}": x.grad.clone() for key, x in adapter.items()})
        expected["losses"] = torch.tensor(train(list(adapter.values()), loss_of, RATE))

        learned = {key: w.clone().requires_grad_() for key, w in weights.items()}
        full = cross_entropy(learned)
        full.backward()
        expected["full"] = full.detach()[None]
        expected.update({f"full/{key}": w.grad.clone() for key, w in learned.items() if key.endswith(FULL)})
        used = [w for w in learned.values() if w.grad is not None]
        expected["full_losses"] = torch.tensor(train(used, lambda: cross_entropy(learned), FULL_RATE))

        os.makedirs(os.path.join(checkpoint.folder_of(name), "adapter"), exist_ok=True)
        at = lambda file: os.path.join(checkpoint.folder_of(name), "adapter", file)
        safetensors.write(at("adapter_model.safetensors"), kept)
        safetensors.write(at("expected.safetensors"), {key: x.float().contiguous() for key, x in expected.items()})
        with open(at("adapter_config.json"), "w", encoding="utf-8") as file:
            json.dump({"peft_type": "LORA", "r": RANK, "lora_alpha": ALPHA, "bias": "none",
                       "fan_in_fan_out": config["model_type"] == "gpt2",
                       "target_modules": sorted({m.split(".")[-1] for m in matrices(weights)})}, file, indent=2)
            file.write("\n")
        print(f"{name}: {expected['losses'].tolist()[::9]}, all weights {expected['full_losses'].tolist()[::9]}")


if __name__ == "__main__":
    main()
