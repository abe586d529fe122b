#!/usr/bin/env python3
"""Vectors of llama.cpp: python3 tools/goldens/llama-embeddings.py FOLDER_OF_LIBLLAMA MODEL IDS OUT [--decoder]

IDS is a JSON file with a list of texts as lists of ids. OUT receives one vector of each id as 32-bit floats, text after
text; one vector of each text if MODEL names a pooling. --decoder: tokens see no later ones. tools/goldens/llama-logits.py says which library, and has the same layout of parameters.
"""
import ctypes
import glob
import json
import os
import sys

FOLDER, MODEL, IDS, OUT, *REST = sys.argv[1:]
POOLING_NONE = 0


class Parameters(ctypes.Structure):
    _fields_ = [("words", ctypes.c_uint32 * 256)]


class Batch(ctypes.Structure):
    _fields_ = [("n_tokens", ctypes.c_int32), ("token", ctypes.POINTER(ctypes.c_int32)), ("embd", ctypes.c_void_p),
                ("pos", ctypes.POINTER(ctypes.c_int32)), ("n_seq_id", ctypes.POINTER(ctypes.c_int32)),
                ("seq_id", ctypes.POINTER(ctypes.POINTER(ctypes.c_int32))), ("logits", ctypes.POINTER(ctypes.c_int8))]


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
    ("set_embeddings", None, ctypes.c_void_p, ctypes.c_bool),
    ("pooling_type", ctypes.c_int, ctypes.c_void_p),
    ("batch_init", Batch, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32),
    ("encode", ctypes.c_int32, ctypes.c_void_p, Batch),
    ("decode", ctypes.c_int32, ctypes.c_void_p, Batch),
    ("get_embeddings_ith", ctypes.POINTER(ctypes.c_float), ctypes.c_void_p, ctypes.c_int32),
    ("get_embeddings_seq", ctypes.POINTER(ctypes.c_float), ctypes.c_void_p, ctypes.c_int32),
    ("model_n_embd", ctypes.c_int32, ctypes.c_void_p),
]:
    function = getattr(llama, f"llama_{name}")
    function.restype, function.argtypes = result, arguments

texts = json.load(open(IDS))
model = llama.llama_model_load_from_file(MODEL.encode(), llama.llama_model_default_params())
assert model, "llama.cpp does not read this model"
parameters = llama.llama_context_default_params()
parameters.words[0] = parameters.words[1] = parameters.words[2] = max(map(len, texts))  # n_ctx, n_batch, n_ubatch
assert parameters.words[26] == parameters.words[27] == 1, "this version has another layout of parameters"
parameters.words[26] = parameters.words[27] = 0  # type_k, type_v: F32
parameters.words[13] = 0  # no flash attention
context = llama.llama_init_from_model(model, parameters)
llama.llama_set_n_threads(context, 1, 1)
llama.llama_set_embeddings(context, True)
pools = llama.llama_pooling_type(context) != POOLING_NONE
run = llama.llama_decode if "--decoder" in REST else llama.llama_encode
width = llama.llama_model_n_embd(model)
with open(OUT, "wb") as out:
    for ids in texts:
        batch = llama.llama_batch_init(len(ids), 0, 1)
        batch.n_tokens = len(ids)
        for i, token in enumerate(ids):
            batch.token[i], batch.pos[i], batch.n_seq_id[i], batch.logits[i] = token, i, 1, 1
            batch.seq_id[i][0] = 0
        assert run(context, batch) == 0, "llama.cpp failed"
        for i in range(1 if pools else len(ids)):
            vector = (llama.llama_get_embeddings_seq if pools else llama.llama_get_embeddings_ith)(context, i)
            out.write(ctypes.string_at(vector, 4 * width))
    out.flush()
os._exit(0)  # a normal exit takes long
