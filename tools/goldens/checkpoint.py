"""The tiny checkpoints that architectures.py wrote: configuration, a prompt, and weights in float64."""
import json
import os

import torch

import safetensors

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "goldens")


def folder_of(name):
    return os.path.normpath(os.path.join(FOLDER, name))


def read(name):
    """config: dict, ids: int tensor [position], weights: {name: float64 tensor}."""
    def read_json(file):
        with open(os.path.join(folder_of(name), file), encoding="utf-8") as text:
            return json.load(text)

    weights = safetensors.read(os.path.join(folder_of(name), "model.safetensors"))
    return (read_json("config.json"), torch.tensor(read_json("ids.json")),
            {key: w.double() for key, w in weights.items()})
