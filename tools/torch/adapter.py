#!/usr/bin/env python3
"""Logits of a model with an adapter, by PyTorch: python3 tools/torch/adapter.py MODEL ADAPTER IDS OUT

MODEL is a folder with model.safetensors and config.json, ADAPTER one with adapter_model.safetensors and
adapter_config.json as PEFT writes them, IDS a list such as 1,2,3. OUT receives the logits [ids][vocabulary] as float32.
W + lora_alpha / r * B A is computed in float64, as PEFT's merge_and_unload does.
"""
import json
import os
import sys

import torch

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "goldens")]
import forward  # noqa: E402
import safetensors  # noqa: E402

MODEL, ADAPTER, IDS, OUT = sys.argv[1:]


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


settings = read(ADAPTER, "adapter_config.json")
weights = {name: w.double() for name, w in safetensors.read(os.path.join(MODEL, "model.safetensors")).items()}
adapter = {name: w.double() for name, w in safetensors.read(os.path.join(ADAPTER, "adapter_model.safetensors")).items()}
modules = [name[: -len(".lora_A.weight")] for name in adapter if name.endswith(".lora_A.weight")]
assert 2 * len(modules) == len(adapter), "a tensor of the adapter is not lora_A or lora_B"
for module in modules:
    name = module[len("base_model.model."):]
    assert name.split(".")[-1] in settings["target_modules"], name
    change = settings["lora_alpha"] / settings["r"] * adapter[module + ".lora_B.weight"] @ adapter[module + ".lora_A.weight"]
    weights[name + ".weight"] += change.T if settings["fan_in_fan_out"] else change

ids = torch.tensor([int(id) for id in IDS.split(",")])
logits = forward.forward(weights, read(MODEL, "config.json"), ids, lambda hook, x: x)
with open(OUT, "wb") as file:
    file.write(logits.float().numpy().tobytes())
