#!/usr/bin/env python3
"""Numbers of a Vision Transformer by PyTorch and PIL: python3 tools/goldens/pictures.py FOLDER

FOLDER has config.json, model.safetensors, preprocessor_config.json, and pictures.json: a picture with its width and
height, and the sizes to resize it to. Prints JSON: the resized bytes in base64, and the logits of every token for the
picture. Layers are torch.nn.TransformerEncoderLayer, patches torch.nn.functional.conv2d.
"""
import base64
import json
import os
import sys

import numpy
import torch
from PIL import Image
from torch import nn
from torch.nn import functional as F

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOOLS, "torch"))
import safetensors  # noqa: E402

FOLDER = sys.argv[1]


def read(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return json.load(file)


config, processor, pictures = read("config.json"), read("preprocessor_config.json"), read("pictures.json")
weights = {name: x.double() for name, x in safetensors.read(os.path.join(FOLDER, "model.safetensors")).items()}
FILTERS = {"nearest": Image.NEAREST, "bilinear": Image.BILINEAR, "bicubic": Image.BICUBIC}


def image(picture):
    pixels = numpy.frombuffer(base64.b64decode(picture["data"]), numpy.uint8)
    return Image.fromarray(pixels.reshape(picture["height"], picture["width"], 3))


def layer(at, heads, eps):
    """The layer with norms before its parts, with the weights of ViT's names."""
    D, width = config["hidden_size"], config["intermediate_size"]
    block = nn.TransformerEncoderLayer(D, heads, width, 0.0, F.gelu, eps, batch_first=True, norm_first=True).double()
    state = {}
    for part in ("weight", "bias"):
        qkv = [weights[f"{at}attention.attention.{name}.{part}"] for name in ("query", "key", "value")]
        state[f"self_attn.in_proj_{part}"] = torch.cat(qkv)
        for own, name in [("self_attn.out_proj", "attention.output.dense"), ("linear1", "intermediate.dense"),
                          ("linear2", "output.dense"), ("norm1", "layernorm_before"), ("norm2", "layernorm_after")]:
            state[f"{own}.{part}"] = weights[f"{at}{name}.{part}"]
    block.load_state_dict(state)
    return block.eval()


def vit(picture):
    size = processor["size"]
    resized = image(picture).resize((size["width"], size["height"]), processor["resample"])
    x = torch.tensor(numpy.asarray(resized)).double() * processor["rescale_factor"]
    x = (x - torch.tensor(processor["image_mean"])) / torch.tensor(processor["image_std"])
    at = "vit.embeddings."
    name = f"{at}patch_embeddings.projection"
    x = F.conv2d(x.permute(2, 0, 1)[None], weights[f"{name}.weight"], weights[f"{name}.bias"],
                 stride=config["patch_size"])
    x = torch.cat([weights[f"{at}cls_token"], x.flatten(2).transpose(1, 2)], 1) + weights[f"{at}position_embeddings"]
    eps = config["layer_norm_eps"]
    for number in range(config["num_hidden_layers"]):
        x = layer(f"vit.encoder.layer.{number}.", config["num_attention_heads"], eps)(x)
    x = F.layer_norm(x, (x.shape[-1],), weights["vit.layernorm.weight"], weights["vit.layernorm.bias"], eps)
    return F.linear(x, weights["classifier.weight"], weights["classifier.bias"])[0]


print(json.dumps({
    "resized": [base64.b64encode(image(source).resize((width, height), FILTERS[kind]).tobytes()).decode()
                for source, width, height, kind in pictures["resizes"]],
    "logits": vit(pictures["picture"]).tolist(),
}))
