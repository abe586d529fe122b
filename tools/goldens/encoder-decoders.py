#!/usr/bin/env python3
"""Numbers of an encoder-decoder by PyTorch: python3 tools/goldens/encoder-decoders.py FOLDER

FOLDER has config.json, model.safetensors, and ids.json: the ids of a source and of a text. Prints JSON: logits of every
id of the text, and maps of head 1. The maps are of the last layers of the encoder and of the decoder, and of its
cross-attention. The gradients are of the logit of the first id minus that of the third, after the whole text. They are by
the outputs of the first layers, and of T5 by the maps. The buckets are of T5, for distances of -200 to 200, in its encoder and in its decoder.
BART and Marian are torch.nn.TransformerEncoderLayer and TransformerDecoderLayer. T5 has no such class: its attention
with biases is written here (Raffel et al. 2020).
"""
import json
import math
import os
import sys

import torch
from torch import nn
from torch.nn import functional as F

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOOLS, "torch"))
import safetensors  # noqa: E402

FOLDER = sys.argv[1]
HEAD = 1


def read(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return json.load(file)


config, ids = read("config.json"), read("ids.json")
weights = {name: x.double().requires_grad_() for name, x in safetensors.read(os.path.join(FOLDER, "model.safetensors")).items()}
source, text = torch.tensor(ids["source"]), torch.tensor(ids["text"])
D = config["d_model"]
causal = torch.full((len(text), len(text)), -math.inf).double().triu(1)
maps = {}
kept = {}


def keep(hook, x):
    """Keeps the gradient of an activation."""
    x.retain_grad()
    kept[hook] = x
    return x


def parameters(own, name):
    return {f"{own}.{part}": weights[f"{name}.{part}"] for part in ("weight", "bias")}


def attention(own, at, norm, own_norm):
    """The parameters of one nn.MultiheadAttention and of the norm after it."""
    state = {f"{own}.in_proj_{part}": torch.cat([weights[f"{at}.{x}_proj.{part}"] for x in "qkv"])
             for part in ("weight", "bias")}
    return {**state, **parameters(f"{own}.out_proj", f"{at}.out_proj"), **parameters(own_norm, norm)}


def keep_map(layer, own, name):
    """Keeps the map of a head of nn.MultiheadAttention."""
    module = getattr(layer, own)
    forward = module.forward

    def listening(*given, **named):
        y, p = forward(*given, **{**named, "need_weights": True, "average_attn_weights": False})
        maps[name] = p[0, HEAD]
        return y, p
    module.forward = listening


def bucket(distance, buckets, most, both_sides):
    """The buckets of distances key - query."""
    side = torch.zeros_like(distance)
    if both_sides:
        buckets //= 2
        side = (distance > 0) * buckets
        distance = distance.abs()
    else:
        distance = (-distance).clamp(min=0)
    exact = buckets // 2
    share = torch.log(distance.clamp(min=1).float() / exact) / math.log(most / exact)
    far = (exact + (share * (buckets - exact)).long()).clamp(max=buckets - 1)
    return side + torch.where(distance < exact, distance, far)


def bart():
    heads, width = config["encoder_attention_heads"], config["encoder_ffn_dim"]
    activation = {"gelu": F.gelu, "swish": F.silu}[config["activation_function"]]
    options = dict(dropout=0.0, activation=activation, batch_first=True)

    def embedded(part, tokens):
        x = weights["model.shared.weight"][tokens]
        if config["model_type"] == "marian":
            angle = torch.arange(len(tokens)).double()[:, None] / 10000 ** (2 * torch.arange(D // 2).double() / D)
            return x * math.sqrt(D) + torch.cat([angle.sin(), angle.cos()], 1)
        x = x + weights[f"model.{part}.embed_positions.weight"][2:2 + len(tokens)]
        norm = f"model.{part}.layernorm_embedding"
        return F.layer_norm(x, (D,), weights[f"{norm}.weight"], weights[f"{norm}.bias"])

    x = embedded("encoder", source)[None]
    for number in range(config["encoder_layers"]):
        at = f"model.encoder.layers.{number}"
        layer = nn.TransformerEncoderLayer(D, heads, width, **options).double()
        layer.load_state_dict({**attention("self_attn", f"{at}.self_attn", f"{at}.self_attn_layer_norm", "norm1"),
                               **parameters("linear1", f"{at}.fc1"), **parameters("linear2", f"{at}.fc2"),
                               **parameters("norm2", f"{at}.final_layer_norm")})
        keep_map(layer, "self_attn", "encoder")
        x = keep(f"encoder.{number}.ln2.hook_normalized", layer(x))  # the mode of training uses modules one by one
    y = embedded("decoder", text)[None]
    for number in range(config["decoder_layers"]):
        at = f"model.decoder.layers.{number}"
        layer = nn.TransformerDecoderLayer(D, heads, width, **options).double()
        layer.load_state_dict({
            **attention("self_attn", f"{at}.self_attn", f"{at}.self_attn_layer_norm", "norm1"),
            **attention("multihead_attn", f"{at}.encoder_attn", f"{at}.encoder_attn_layer_norm", "norm2"),
            **parameters("linear1", f"{at}.fc1"), **parameters("linear2", f"{at}.fc2"),
            **parameters("norm3", f"{at}.final_layer_norm")})
        keep_map(layer, "self_attn", "decoder")
        keep_map(layer, "multihead_attn", "cross")
        y = keep(f"decoder.{number}.ln3.hook_normalized", layer(y, x, tgt_mask=causal))
    return (F.linear(y, weights["model.shared.weight"]) + weights["final_logits_bias"])[0]


def t5():
    heads, width, eps = config["num_heads"], config["d_kv"], config["layer_norm_epsilon"]
    gated = "gated" in config.get("feed_forward_proj", "relu")

    def norm(x, name):
        return x * (x.pow(2).mean(-1, keepdim=True) + eps).rsqrt() * weights[f"{name}.weight"]

    def biases(part, n):
        """The bias of each head, query and key: [heads][n][n]."""
        distance = torch.arange(n)[None] - torch.arange(n)[:, None]
        of = bucket(distance, config["relative_attention_num_buckets"], config["relative_attention_max_distance"],
                    part == "encoder")
        table = weights[f"{part}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        return table[of].permute(2, 0, 1)

    def attend(x, memory, at, bias, name, hook):
        q, k, v = [F.linear(y, weights[f"{at}.{part}.weight"]).view(-1, heads, width).transpose(0, 1)
                   for part, y in (("q", x), ("k", memory), ("v", memory))]
        p = keep(hook, (q @ k.transpose(1, 2) + bias).softmax(-1))
        maps[name] = p[HEAD]
        return F.linear((p @ v).transpose(0, 1).reshape(len(x), -1), weights[f"{at}.o.weight"])

    def feed_forward(x, at):
        if not gated:
            return F.linear(F.linear(x, weights[f"{at}.wi.weight"]).relu(), weights[f"{at}.wo.weight"])
        gate = F.gelu(F.linear(x, weights[f"{at}.wi_0.weight"]), approximate="tanh")
        return F.linear(gate * F.linear(x, weights[f"{at}.wi_1.weight"]), weights[f"{at}.wo.weight"])

    def stack(part, x, layers, mask, memory=None):
        bias = biases(part, len(x)) + mask
        for number in range(layers):
            at = f"{part}.block.{number}.layer"
            n = norm(x, f"{at}.0.layer_norm")
            x = x + attend(n, n, f"{at}.0.SelfAttention", bias, part, f"{part}.{number}.attn.hook_pattern")
            last = 1
            if memory is not None:
                x = x + attend(norm(x, f"{at}.1.layer_norm"), memory, f"{at}.1.EncDecAttention", 0, "cross",
                               f"{part}.{number}.cross_attn.hook_pattern")
                last = 2
            x = x + feed_forward(norm(x, f"{at}.{last}.layer_norm"), f"{at}.{last}.DenseReluDense")
            x = keep(f"{part}.{number}.hook_resid_post", x)
        return norm(x, f"{part}.final_layer_norm")

    memory = stack("encoder", weights["shared.weight"][source], config["num_layers"], 0)
    y = stack("decoder", weights["shared.weight"][text], config["num_decoder_layers"], causal, memory)
    if config.get("tie_word_embeddings", True):
        return F.linear(y * D ** -0.5, weights["shared.weight"])
    return F.linear(y, weights["lm_head.weight"])


logits = t5() if config["model_type"] == "t5" else bart()
(logits[-1, text[0]] - logits[-1, text[2]]).backward()
gradients = {hook: (x.grad[HEAD] if "pattern" in hook else x.grad.reshape(-1, D))
             for hook, x in kept.items() if ".0." in hook}
distances = torch.arange(-200, 201)
print(json.dumps({
    "logits": logits.tolist(), **{name: x.tolist() for name, x in maps.items()},
    **{f"gradient of {hook}": x.tolist() for hook, x in gradients.items()},
    "buckets": [bucket(distances, 32, 128, both).tolist() for both in (True, False)],
}))
