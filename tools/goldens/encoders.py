#!/usr/bin/env python3
"""Vectors of an encoder by PyTorch: python3 tools/goldens/encoders.py FOLDER

FOLDER has config.json, model.safetensors and ids.json (one text). Prints JSON: the logits of every id, or its vector if
the class in config.json has no head. Layers of BERT, RoBERTa and DistilBERT are torch.nn.TransformerEncoderLayer.
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
config = json.load(open(os.path.join(FOLDER, "config.json")))
ids = torch.tensor(json.load(open(os.path.join(FOLDER, "ids.json"))))
weights = {name: x.double() for name, x in safetensors.read(os.path.join(FOLDER, "model.safetensors")).items()}
kind, (architecture,) = config["model_type"], config["architectures"]
D = weights[next(name for name in weights if name.endswith(("word_embeddings.weight", "tok_embeddings.weight", "embed_tokens.weight")))].shape[1]


def linear(x, name):
    return F.linear(x, weights[f"{name}.weight"], weights.get(f"{name}.bias"))


def norm(x, name, eps):
    return F.layer_norm(x, (D,), weights[f"{name}.weight"], weights.get(f"{name}.bias"), eps)


def post_norm_layer(names, heads, eps):
    """The layer of Vaswani et al. 2017, with the weights of these names: q, k, v, output, up, down and two norms."""
    q, k, v, output, up, down, first, second = names
    layer = nn.TransformerEncoderLayer(D, heads, weights[f"{up}.weight"].shape[0], 0.0, F.gelu, eps, batch_first=True)
    state = {}
    for part in ("weight", "bias"):
        state[f"self_attn.in_proj_{part}"] = torch.cat([weights[f"{name}.{part}"] for name in (q, k, v)])
        for own, name in [("self_attn.out_proj", output), ("linear1", up), ("linear2", down), ("norm1", first),
                          ("norm2", second)]:
            state[f"{own}.{part}"] = weights[f"{name}.{part}"]
    layer = layer.double()
    layer.load_state_dict(state)
    return layer.eval()


def bert(prefix):
    eps, reserved = config["layer_norm_eps"], 0 if kind == "bert" else 2
    at = f"{prefix}embeddings."
    x = weights[f"{at}word_embeddings.weight"][ids]
    x = x + weights[f"{at}position_embeddings.weight"][reserved:reserved + len(ids)]
    x = norm(x + weights[f"{at}token_type_embeddings.weight"][0], f"{at}LayerNorm", eps)
    for layer in range(config["num_hidden_layers"]):
        at = f"{prefix}encoder.layer.{layer}."
        names = ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
                 "intermediate.dense", "output.dense", "attention.output.LayerNorm", "output.LayerNorm"]
        x = post_norm_layer([at + name for name in names], config["num_attention_heads"], eps)(x[None])[0]
    return x


def distilbert():
    at, eps = "distilbert.embeddings.", 1e-12
    x = weights[f"{at}word_embeddings.weight"][ids] + weights[f"{at}position_embeddings.weight"][:len(ids)]
    x = norm(x, f"{at}LayerNorm", eps)
    for layer in range(config["n_layers"]):
        at = f"distilbert.transformer.layer.{layer}."
        names = ["attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "ffn.lin1", "ffn.lin2",
                 "sa_layer_norm", "output_layer_norm"]
        x = post_norm_layer([at + name for name in names], config["n_heads"], eps)(x[None])[0]
    return x


def rotated(x, theta):
    """RoPE of x [T][heads][Dh] over halves (Su et al. 2021), by complex numbers."""
    T, _, width = x.shape
    angles = torch.outer(torch.arange(T, dtype=torch.double), theta ** (-torch.arange(0, width, 2).double() / width))
    turned = torch.complex(x[..., :width // 2], x[..., width // 2:]) * torch.polar(torch.ones_like(angles), angles)[:, None]
    return torch.cat([turned.real, turned.imag], -1)


def modernbert():
    eps, heads, T = config["norm_eps"], config["num_attention_heads"], len(ids)
    x = norm(weights["model.embeddings.tok_embeddings.weight"][ids], "model.embeddings.norm", eps)
    apart = (torch.arange(T)[:, None] - torch.arange(T)[None]).abs()
    for layer in range(config["num_hidden_layers"]):
        at, is_global = f"model.layers.{layer}.", layer % 3 == 0
        n = x if layer == 0 else norm(x, f"{at}attn_norm", eps)
        q, k, v = linear(n, f"{at}attn.Wqkv").view(T, 3, heads, D // heads).unbind(1)
        theta = 160000.0 if is_global else 10000.0
        scores = torch.einsum("qhd,khd->hqk", rotated(q, theta), rotated(k, theta)) / (D // heads) ** 0.5
        if not is_global:
            scores = scores.masked_fill(apart > config["local_attention"] // 2, float("-inf"))
        z = torch.einsum("hqk,khd->qhd", scores.softmax(-1), v).reshape(T, D)
        x = x + linear(z, f"{at}attn.Wo")
        value, gate = linear(norm(x, f"{at}mlp_norm", eps), f"{at}mlp.Wi").chunk(2, -1)
        x = x + linear(F.gelu(value) * gate, f"{at}mlp.Wo")
    return norm(x, "model.final_norm", eps)


def nomic_bert():
    eps, heads, T = config["layer_norm_epsilon"], config["n_head"], len(ids)
    x = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, "emb_ln", eps)
    for layer in range(config["n_layer"]):
        at = f"encoder.layers.{layer}."
        q, k, v = linear(x, f"{at}attn.Wqkv").view(T, 3, heads, D // heads).unbind(1)
        q, k = (rotated(each, config["rotary_emb_base"]) for each in (q, k))
        scores = torch.einsum("qhd,khd->hqk", q, k) / (D // heads) ** 0.5
        z = torch.einsum("hqk,khd->qhd", scores.softmax(-1), v).reshape(T, D)
        x = norm(x + linear(z, f"{at}attn.out_proj"), f"{at}norm1", eps)
        inner = linear(x, f"{at}mlp.fc11") * F.silu(linear(x, f"{at}mlp.fc12"))
        x = norm(x + linear(inner, f"{at}mlp.fc2"), f"{at}norm2", eps)
    return x


def jina_bert():
    eps, heads, T = config["layer_norm_eps"], config["num_attention_heads"], len(ids)
    x = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, "embeddings.LayerNorm", eps)
    slopes = 2 ** (-8 * torch.arange(1, heads + 1).double() / heads)  # of a power of two of heads
    alibi = -slopes[:, None, None] * (torch.arange(T)[:, None] - torch.arange(T)[None]).abs()
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        q, k, v = (linear(x, f"{at}attention.self.{name}").view(T, heads, D // heads) for name in ("query", "key", "value"))
        scores = torch.einsum("qhd,khd->hqk", q, k) / (D // heads) ** 0.5 + alibi
        z = torch.einsum("hqk,khd->qhd", scores.softmax(-1), v).reshape(T, D)
        x = norm(x + linear(z, f"{at}attention.output.dense"), f"{at}attention.output.LayerNorm", eps)
        gate, up = linear(x, f"{at}mlp.gated_layers").chunk(2, -1)
        x = norm(x + linear(F.gelu(gate) * up, f"{at}mlp.wo"), f"{at}mlp.layernorm", eps)
    return x


def rms_norm(x, name):
    return x * (x * x).mean(-1, keepdim=True).add(config["rms_norm_eps"]).rsqrt() * (1 + weights[f"{name}.weight"])


def gemma3():
    heads, kv_heads, width, T = config["num_attention_heads"], config["num_key_value_heads"], config["head_dim"], len(ids)
    x = weights["model.embed_tokens.weight"][ids] * D ** 0.5
    apart = (torch.arange(T)[:, None] - torch.arange(T)[None]).abs()
    for layer in range(config["num_hidden_layers"]):
        at, is_global = f"model.layers.{layer}.", layer % 6 == 5
        n, theta = rms_norm(x, f"{at}input_layernorm"), 1e6 if is_global else 1e4
        q = rotated(rms_norm(linear(n, f"{at}self_attn.q_proj").view(T, heads, width), f"{at}self_attn.q_norm"), theta)
        k = rotated(rms_norm(linear(n, f"{at}self_attn.k_proj").view(T, kv_heads, width), f"{at}self_attn.k_norm"), theta)
        v = linear(n, f"{at}self_attn.v_proj").view(T, kv_heads, width)
        k, v = (each.repeat_interleave(heads // kv_heads, 1) for each in (k, v))
        scores = torch.einsum("qhd,khd->hqk", q, k) * config["query_pre_attn_scalar"] ** -0.5
        if not is_global:  # Gemma3TextConfig makes an exclusive bound of the window: window // 2 + 1
            scores = scores.masked_fill(apart >= config["sliding_window"] // 2 + 1, float("-inf"))
        z = torch.einsum("hqk,khd->qhd", scores.softmax(-1), v).reshape(T, heads * width)
        x = x + rms_norm(linear(z, f"{at}self_attn.o_proj"), f"{at}post_attention_layernorm")
        n = rms_norm(x, f"{at}pre_feedforward_layernorm")
        gate = linear(n, f"{at}mlp.gate_proj")
        gate = 0.5 * gate * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (gate + 0.044715 * gate ** 3)))
        inner = linear(gate * linear(n, f"{at}mlp.up_proj"), f"{at}mlp.down_proj")
        x = x + rms_norm(inner, f"{at}post_feedforward_layernorm")
    return rms_norm(x, "model.norm")


def logits(x):
    """The heads of the classes ForMaskedLM and ForSequenceClassification, at every position; x without a head."""
    if architecture.endswith("Model") or "feed_forward_type" in config:
        return x
    is_words = architecture.endswith("ForMaskedLM")
    if kind == "modernbert":
        n = norm(F.gelu(linear(x, "head.dense")), "head.norm", config["norm_eps"])
        words = F.linear(n, weights["model.embeddings.tok_embeddings.weight"], weights.get("decoder.bias"))
        return words if is_words else linear(n, "classifier")
    if kind == "distilbert":
        if not is_words:
            return linear(F.relu(linear(x, "pre_classifier")), "classifier")
        n = norm(F.gelu(linear(x, "vocab_transform")), "vocab_layer_norm", 1e-12)
        return F.linear(n, weights["distilbert.embeddings.word_embeddings.weight"], weights["vocab_projector.bias"])
    dense, scale, bias = {
        "bert": ("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.bias"),
    }.get(kind, ("lm_head.dense", "lm_head.layer_norm", "lm_head.bias"))
    if is_words:
        n = norm(F.gelu(linear(x, dense)), scale, config["layer_norm_eps"])
        table = next(name for name in weights if name.endswith("word_embeddings.weight"))
        return F.linear(n, weights[table], weights[bias])
    first, last = ("bert.pooler.dense", "classifier") if kind == "bert" else ("classifier.dense", "classifier.out_proj")
    return linear(torch.tanh(linear(x, first)), last)


with torch.no_grad():
    run = {"bert": jina_bert if "feed_forward_type" in config else lambda: bert("bert."), "distilbert": distilbert, "modernbert": modernbert,
           "nomic_bert": nomic_bert, "gemma3_text": gemma3}
    print(json.dumps(logits(run.get(kind, lambda: bert("roberta."))()).tolist()))
