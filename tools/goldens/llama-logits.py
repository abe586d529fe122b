#!/usr/bin/env python3
"""Logits of llama.cpp after every token: python3 tools/goldens/llama-logits.py FOLDER_OF_LIBLLAMA MODEL IDS OUT [ADAPTER] [--f32] [--source=JSON]

IDS is a JSON file with a list of texts as lists of ids. OUT receives their logits as 32-bit floats, text after text.
ADAPTER is a GGUF file of low rank for the model. --f32 keeps keys and values in F32 instead of F16. The library is that of tools/goldens/quants.py, with default settings
except the context length, on one thread. --source has the ids that the encoder of an encoder–decoder reads.
Structures passed by value are declared larger than they are. The calling convention of x86-64 allows this for the last
one on the stack. The settings are read back as a check.
"""
import ctypes
import glob
import json
import os
import sys


class Parameters(ctypes.Structure):
    _fields_ = [("words", ctypes.c_uint32 * 256)]


class Batch(ctypes.Structure):
    _fields_ = [("n_tokens", ctypes.c_int32), ("pointers", ctypes.c_void_p * 6)]


EXACT = "--f32" in sys.argv
SOURCE = [json.loads(argument[len("--source="):]) for argument in sys.argv if argument.startswith("--source=")]
FOLDER, MODEL, IDS, OUT, *ADAPTERS = [argument for argument in sys.argv[1:] if not argument.startswith("--")]


def library(name):
    [path] = glob.glob(os.path.join(FOLDER, f"lib{name}.v*.so")) or glob.glob(os.path.join(FOLDER, f"lib{name}.so*"))
    return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)


library("ggml-base")
ggml, llama = library("ggml"), library("llama")
silent = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda level, text, data: None)
llama.llama_log_set(silent, None)
ggml.ggml_backend_load_all_from_path(FOLDER.encode())
llama.llama_backend_init()
for name, result, *arguments in [
    ("model_default_params", Parameters),
    ("context_default_params", Parameters),
    ("model_load_from_file", ctypes.c_void_p, ctypes.c_char_p, Parameters),
    ("init_from_model", ctypes.c_void_p, ctypes.c_void_p, Parameters),
    ("set_n_threads", None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32),
    ("n_ctx", ctypes.c_uint32, ctypes.c_void_p),
    ("get_memory", ctypes.c_void_p, ctypes.c_void_p),
    ("memory_clear", None, ctypes.c_void_p, ctypes.c_bool),
    ("batch_get_one", Batch, ctypes.POINTER(ctypes.c_int32), ctypes.c_int32),
    ("decode", ctypes.c_int32, ctypes.c_void_p, Batch),
    ("encode", ctypes.c_int32, ctypes.c_void_p, Batch),
    ("get_logits_ith", ctypes.POINTER(ctypes.c_float), ctypes.c_void_p, ctypes.c_int32),
    ("model_get_vocab", ctypes.c_void_p, ctypes.c_void_p),
    ("vocab_n_tokens", ctypes.c_int32, ctypes.c_void_p),
    ("adapter_lora_init", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p),
    ("set_adapters_lora", ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p),
]:
    function = getattr(llama, f"llama_{name}")
    function.restype, function.argtypes = result, arguments

texts = json.load(open(IDS))
model = llama.llama_model_load_from_file(MODEL.encode(), llama.llama_model_default_params())
assert model, "llama.cpp does not read this model"
parameters = llama.llama_context_default_params()
parameters.words[0] = max(map(len, texts + SOURCE))
if EXACT:
    assert parameters.words[26] == parameters.words[27] == 1, "this version has another layout of parameters"
    parameters.words[26] = parameters.words[27] = 0  # type_k, type_v: F32
    parameters.words[13] = 0  # no flash attention
context = llama.llama_init_from_model(model, parameters)
assert llama.llama_n_ctx(context) >= parameters.words[0], "this version has another layout of parameters"
llama.llama_set_n_threads(context, 1, 1)
for path in ADAPTERS:
    adapter = llama.llama_adapter_lora_init(model, path.encode())
    assert adapter, "llama.cpp does not read this adapter"
    set_adapters = llama.llama_set_adapters_lora
    assert set_adapters(context, (ctypes.c_void_p * 1)(adapter), 1, (ctypes.c_float * 1)(1)) == 0
n_vocabulary = llama.llama_vocab_n_tokens(llama.llama_model_get_vocab(model))
assert n_vocabulary > 0, "a model without a vocabulary: how many logits?"
with open(OUT, "wb") as out:
    for ids in texts:
        llama.llama_memory_clear(llama.llama_get_memory(context), True)
        for source in SOURCE:
            held = (ctypes.c_int32 * len(source))(*source)
            assert llama.llama_encode(context, llama.llama_batch_get_one(held, len(source))) == 0, "llama_encode failed"
        for token in ids:
            one = (ctypes.c_int32 * 1)(token)
            assert llama.llama_decode(context, llama.llama_batch_get_one(one, 1)) == 0, "llama_decode failed"
            logits = llama.llama_get_logits_ith(context, -1)
            out.write(ctypes.string_at(logits, 4 * n_vocabulary))
    out.flush()
os._exit(0)  # a normal exit takes long
