#!/usr/bin/env python3
"""Makes the data of the stories model: a vocabulary, and stories as token ids.

    python3 tools/stories/prepare.py ../shared/data build/stories

Reads stories.txt.gz (the bulk, sampled from another small model), the real TinyStories at the start of
stories-2.txt.gz, and names.txt. Writes these files from fixed seeds:

    tokenizer.json      vocabulary learned on the bulk.
    train.npy           the bulk, unchanged                     for recipe stories-base.
    bulk.npy            the bulk without the faults that prose.py finds; half of the stories have new names.
    real.npy            real stories, four copies each: one unchanged, three with new names.
    exercises.npy       short exercises in copying names (exercises.py), for recipe stories.
    validation.npy      the first 1,000 stories of the bulk, held out from all of the above.
    validation-real.npy the first 500 real stories, held out likewise

Each .npy is uint16 [token]: all stories, each after an end token. A new name replaces the old one throughout its story.
Rare names have several tokens, so that only a model that copies predicts them.
Takes a few minutes. Existing files stay. Needs Debian's python3-numpy and python3-regex.
"""
import argparse
import collections
import gzip
import json
import os
import random
import re
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import prose  # noqa: E402
from exercises import exercise  # noqa: E402
import tokenizer as bpe  # noqa: E402

VALIDATION_STORIES = 1000
VALIDATION_REAL = 500
VOCABULARY = 2048
REAL_STORIES = 13414  # the first part of stories-2.txt.gz.
COPIES = 4            # copies of each real story; the first keeps its names.
EXERCISES = 12000
COMMON = 300          # most frequent names of each sex: half of all draws.
HELD_OUT = 10         # one of this many rarer names is never drawn, for tests of copying
QUOTES = str.maketrans("“”‘’", "\"\"''")


def read_stories(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        stories = [s.strip("\n") for s in file.read().split(bpe.END_OF_TEXT + "\n")]
    return [s for s in stories if s]


class Names:
    """Names from names.txt: girls' names by frequency, then boys' names by frequency."""

    def __init__(self, path, small_words):
        with open(path, encoding="utf-8") as file:
            names = [line.strip().capitalize() for line in file]
        boys = len(names) - 1 - names[::-1].index("Liam")  # the most frequent boys' name; it also stands among the girls' names
        self.girls, self.boys = names[:boys], names[boys:]
        self.rank = {}
        for sex in (self.girls, self.boys):
            for i, name in enumerate(sex):
                self.rank.setdefault(name, []).append((i, sex is self.boys))
        self.known = {n for n in self.rank if n not in prose.NO_NAMES}
        self.drawn = []
        for sex in (self.girls, self.boys):
            usable = [(i, n) for i, n in enumerate(sex) if 3 <= len(n) <= 10 and n in self.known
                      and min(self.rank[n])[1] == (sex is self.boys) and small_words[n.lower()] == 0]
            self.drawn.append(([n for i, n in usable if i < COMMON],
                               [n for i, n in usable if i >= COMMON and i % HELD_OUT != 0]))

    def is_boys(self, name, rng):
        return min(self.rank[name])[1] if name in self.rank else rng.random() < 0.5

    def renamed(self, story, rng):
        """The story with each name replaced throughout by another name of the same sex."""
        chosen = {}
        for name in sorted(prose.names_of(story, self.known)):
            sex = "boy" if self.is_boys(name, rng) else "girl"
            while True:
                new = self.draw(sex, rng)
                if new not in story and new not in chosen.values():
                    break
            chosen[name] = new
        if not chosen:
            return story
        return re.sub(r"\b(%s)\b" % "|".join(chosen), lambda m: chosen[m.group(1)], story)

    def draw(self, sex, rng):
        """A name that may occur in training; one in two is common."""
        common, rare = self.drawn[sex == "boy"]
        return rng.choice(common if rng.random() < 0.5 else rare)


def is_sound(story, names, words):
    """Whether a story is free of faults. Faults are repeated 4-grams, subjects that meet themselves, doubled words, words
    that are absent from real stories, and names that occur once."""
    repeated, all_grams = prose.repeated_fourgrams(story)
    return (all_grams > 0 and repeated <= 0.05 * all_grams and not prose.self_meetings(story)
            and not prose.doubled_words(story) and all(words[w] >= 3 for w in set(prose.words(story)))
            and 1 not in prose.names_of(story, names.known).values())


def save_ids(path, stories, encode, end):
    ids = []
    for story in stories:
        ids.append(end)
        ids.extend(encode(story))
    ids.append(end)
    np.save(path, np.array(ids, dtype=np.uint16))
    print(f"{path}: {len(stories)} stories, {len(ids)} tokens", flush=True)


def prepare(data, folder):
    """Writes the files that are missing in the folder."""
    path = lambda name: os.path.join(folder, name)
    missing = lambda *names: not all(os.path.exists(path(name)) for name in names)
    os.makedirs(folder, exist_ok=True)
    bulk = read_stories(os.path.join(data, "stories.txt.gz"))
    held, bulk = bulk[:VALIDATION_STORIES], bulk[VALIDATION_STORIES:]
    if missing("tokenizer.json"):
        print(f"{len(bulk)} stories; learning a vocabulary of {VOCABULARY}", flush=True)
        vocabulary, merges = bpe.train(bulk, VOCABULARY)
        with open(path("tokenizer.json"), "w", encoding="utf-8") as file:
            json.dump(bpe.to_json(vocabulary, merges), file, ensure_ascii=False)
    encode = bpe.load(path("tokenizer.json"))
    end = encode.vocabulary[bpe.END_OF_TEXT]
    if missing("train.npy", "validation.npy"):
        save_ids(path("validation.npy"), held, encode, end)
        save_ids(path("train.npy"), bulk, encode, end)
    if missing("bulk.npy", "real.npy", "validation-real.npy", "exercises.npy"):
        real = read_stories(os.path.join(data, "stories-2.txt.gz"))[:REAL_STORIES]
        held, real = real[:VALIDATION_REAL], real[VALIDATION_REAL:]
        save_ids(path("validation-real.npy"), held, encode, end)
        words = collections.Counter(w for story in real for w in set(prose.words(story)))
        small = collections.Counter(w for story in real for w in re.findall(r"\b[a-z]+\b", story))
        names = Names(os.path.join(data, "names.txt"), small)
        rng = random.Random(1)
        sound = [s for s in (story.translate(QUOTES) for story in bulk) if is_sound(s, names, words)]
        save_ids(path("bulk.npy"), [names.renamed(s, rng) if rng.random() < 0.5 else s for s in sound], encode, end)
        copies = real + [names.renamed(s, rng) for _ in range(COPIES - 1) for s in real]
        rng.shuffle(copies)
        save_ids(path("real.npy"), copies, encode, end)
        rng = random.Random(2)
        save_ids(path("exercises.npy"), [exercise(rng, lambda sex: names.draw(sex, rng)) for _ in range(EXERCISES)],
                 encode, end)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="folder with stories.txt.gz, stories-2.txt.gz and names.txt")
    parser.add_argument("folder", help="output folder")
    prepare(**vars(parser.parse_args()))
