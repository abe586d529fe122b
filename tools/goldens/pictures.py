#!/usr/bin/env python3
"""Numbers of a Vision Transformer or DeiT by PyTorch and PIL: python3 tools/goldens/pictures.py FOLDER

FOLDER has config.json, model.safetensors, preprocessor_config.json, and pictures.json: a picture with its width and
height, and the sizes to resize it to. Prints JSON: the resized bytes in base64, the logits of every token for the picture,
and the logits that classify.  DeiT with a teacher has logits of two heads; their mean classifies. Layers are torch.nn.TransformerEncoderLayer, patches torch.nn.functional.conv2d.
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
KIND = config["model_type"]
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
    """The states of every token after the last norm."""
    size = processor["size"]
    resized = image(picture).resize((size["width"], size["height"]), processor["resample"])
    x = torch.tensor(numpy.asarray(resized)).double() * processor["rescale_factor"]
    x = (x - torch.tensor(processor["image_mean"])) / torch.tensor(processor["image_std"])
    at = f"{KIND}.embeddings."
    name = f"{at}patch_embeddings.projection"
    x = F.conv2d(x.permute(2, 0, 1)[None], weights[f"{name}.weight"], weights[f"{name}.bias"],
                 stride=config["patch_size"])
    leading = [weights[f"{at}{name}_token"] for name in ("cls", "distillation") if f"{at}{name}_token" in weights]
    x = torch.cat([*leading, x.flatten(2).transpose(1, 2)], 1) + weights[f"{at}position_embeddings"]
    eps = config["layer_norm_eps"]
    for number in range(config["num_hidden_layers"]):
        x = layer(f"{KIND}.encoder.layer.{number}.", config["num_attention_heads"], eps)(x)
    norm = f"{KIND}.layernorm"
    return F.layer_norm(x, (x.shape[-1],), weights[f"{norm}.weight"], weights[f"{norm}.bias"], eps)[0]


def head(name, states):
    return F.linear(states, weights[f"{name}.weight"], weights[f"{name}.bias"])


def predictions(states):
    """The logits of every token, and the logits that classify."""
    if "classifier.weight" in weights:
        logits = head("classifier", states)
        return {"logits": logits.tolist(), "labels": logits[0].tolist()}
    both = [head("cls_classifier", states), head("distillation_classifier", states)]
    return {"logits": torch.cat(both, 1).tolist(), "labels": ((both[0][0] + both[1][1]) / 2).tolist()}


print(json.dumps({
    "resized": [base64.b64encode(image(source).resize((width, height), FILTERS[kind]).tobytes()).decode()
                for source, width, height, kind in pictures["resizes"]],
    **predictions(vit(pictures["picture"])),
}))
