#!/usr/bin/env python3
"""The data of the stories model: a vocabulary learned on the stories, and the stories as its ids.

    python3 tools/stories/prepare.py ../shared/data/stories.txt.gz build/stories

Writes tokenizer.json, train.npy and validation.npy (uint16 [token]; stories joined, each after the token that ends one).
Takes some minutes; a file that is there stays.  Needs Debian's python3-numpy and python3-regex.
"""
import argparse
import gzip
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tokenizer as bpe  # noqa: E402

VALIDATION_STORIES = 1000
VOCABULARY = 2048


def read_stories(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        stories = [s.strip("\n") for s in file.read().split(bpe.END_OF_TEXT + "\n")]
    return [s for s in stories if s]


def prepare(data, folder):
    """Ids of the stories to learn from and of those held back; makes them where they are not in the folder yet."""
    paths = [os.path.join(folder, name) for name in ("tokenizer.json", "train.npy", "validation.npy")]
    if not all(os.path.exists(p) for p in paths):
        os.makedirs(folder, exist_ok=True)
        stories = read_stories(data)
        print(f"{len(stories)} stories; learning a vocabulary of {VOCABULARY}", flush=True)
        vocabulary, merges = bpe.train(stories[VALIDATION_STORIES:], VOCABULARY)
        encode = bpe.Encoder(vocabulary, merges)
        end = vocabulary[bpe.END_OF_TEXT]
        for path, part in zip(paths[1:], (stories[VALIDATION_STORIES:], stories[:VALIDATION_STORIES])):
            ids = []
            for story in part:
                ids.append(end)
                ids.extend(encode(story))
            ids.append(end)
            np.save(path, np.array(ids, dtype=np.uint16))
            print(f"{path}: {len(ids)} tokens", flush=True)
        with open(paths[0], "w", encoding="utf-8") as file:
            json.dump(bpe.to_json(vocabulary, merges), file, ensure_ascii=False)
    return np.load(paths[1]), np.load(paths[2])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="stories.txt.gz")
    parser.add_argument("folder", help="where the three files go")
    prepare(**vars(parser.parse_args()))
