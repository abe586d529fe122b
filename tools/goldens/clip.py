#!/usr/bin/env python3
"""The two towers of a CLIP by PyTorch: python3 tools/goldens/clip.py FOLDER

FOLDER has config.json, model.safetensors, and input.json: ids of a text, and pixels of a picture, prepared. Prints JSON:
the projected vectors of all tokens of the text and of the picture. Layers are torch.nn.TransformerEncoderLayer.
"""
import json
import os
import sys

import torch
from torch import nn
from torch.nn import functional as F

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOOLS, "torch"))
import safetensors  # noqa: E402

FOLDER = sys.argv[1]


def read(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return json.load(file)


whole, given = read("config.json"), read("input.json")
weights = {name: x.double() for name, x in safetensors.read(os.path.join(FOLDER, "model.safetensors")).items()}


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def norm(x, at, config):
    return F.layer_norm(x, (x.shape[-1],), weights[f"{at}.weight"], weights[f"{at}.bias"], config["layer_norm_eps"])


def layers(x, at, config, mask):
    for number in range(config["num_hidden_layers"]):
        block = nn.TransformerEncoderLayer(config["hidden_size"], config["num_attention_heads"],
                                           config["intermediate_size"], 0.0, quick_gelu, config["layer_norm_eps"],
                                           batch_first=True, norm_first=True).double().eval()
        here, state = f"{at}.encoder.layers.{number}.", {}
        for part in ("weight", "bias"):
            qkv = [weights[f"{here}self_attn.{name}_proj.{part}"] for name in "qkv"]
            state[f"self_attn.in_proj_{part}"] = torch.cat(qkv)
            for own, name in [("self_attn.out_proj", "self_attn.out_proj"), ("linear1", "mlp.fc1"),
                              ("linear2", "mlp.fc2"), ("norm1", "layer_norm1"), ("norm2", "layer_norm2")]:
                state[f"{own}.{part}"] = weights[f"{here}{name}.{part}"]
        block.load_state_dict(state)
        x = block(x, mask)
    return x


def text(ids):
    config, at = whole["text_config"], "text_model.embeddings"
    x = weights[f"{at}.token_embedding.weight"][ids] + weights[f"{at}.position_embedding.weight"][: len(ids)]
    mask = torch.full((len(ids), len(ids)), float("-inf"), dtype=torch.float64).triu(1)
    x = norm(layers(x[None], "text_model", config, mask), "text_model.final_layer_norm", config)
    return F.linear(x, weights["text_projection.weight"])[0]


def vision(pixels):
    config, at = whole["vision_config"], "vision_model.embeddings"
    x = F.conv2d(pixels[None], weights[f"{at}.patch_embedding.weight"], stride=config["patch_size"])
    x = torch.cat([weights[f"{at}.class_embedding"][None, None], x.flatten(2).transpose(1, 2)], 1)
    x = norm(x + weights[f"{at}.position_embedding.weight"], "vision_model.pre_layrnorm", config)
    x = norm(layers(x, "vision_model", config, None), "vision_model.post_layernorm", config)
    return F.linear(x, weights["visual_projection.weight"])[0]


print(json.dumps({
    "text": text(given["ids"]).tolist(),
    "vision": vision(torch.tensor(given["pixels"]).double()).tolist(),
}))
