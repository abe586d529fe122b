#!/usr/bin/env python3
"""Counts faults in stories: repeated 4-grams of words, and nouns that repeat in a clause.

    node tools/stories/sample.js MODEL.gguf | python3 tools/stories/faults.py [--show]
    python3 tools/stories/faults.py --real ../shared/data/stories-2.txt.gz

The second command counts faults in the first 500 real stories. Each is cut after 150 words, the length of a typical
sampled story.
"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import prose  # noqa: E402

WORDS = 150


def cut(story, count):
    """The first `count` words of the story."""
    ends = [m.end() for m in prose.WORD.finditer(story)]
    return story if len(ends) <= count else story[:ends[count - 1]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", metavar="FILE", help="count in held-out real stories instead of standard input")
    parser.add_argument("--show", action="store_true", help="print the subjects that meet themselves")
    args = parser.parse_args()
    if args.real:
        from prepare import VALIDATION_REAL, read_stories
        stories = [cut(s, WORDS) for s in read_stories(args.real)[:VALIDATION_REAL]]
    else:
        stories = [json.loads(line)["text"] for line in sys.stdin]
    repeated = all_grams = 0
    meetings = []
    for story in stories:
        again, grams = prose.repeated_fourgrams(story)
        repeated, all_grams = repeated + again, all_grams + grams
        meetings.append(prose.self_meetings(story))
    words = sum(len(prose.words(s)) for s in stories)
    found = sum(map(len, meetings))
    print(f"{len(stories)} stories, {words} words")
    print(f"repeated 4-grams: {repeated} of {all_grams}, {100 * repeated / all_grams:.2f} %")
    print(f"subjects that meet themselves: {found} in {sum(map(bool, meetings))} stories, {1000 * found / words:.2f} in 1,000 words")
    if args.show:
        for places in meetings:
            for place in places:
                print("  " + place)


if __name__ == "__main__":
    main()
