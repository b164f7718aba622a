#!/usr/bin/env python3
"""Compares Retake with other engines and loaders, all in one run; prints Markdown.

usage: run.py --retake PROGRAM --peers FOLDER [--corpus FOLDER] [--rounds N] [--scene NAME]… [--skip steps|load]
"""

import argparse
import os
import sys
import tempfile

import loads
import steps

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--retake", required=True)
    words.add_argument("--peers", required=True)
    words.add_argument("--corpus")
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--scene", action="append", choices=list(steps.SCENES))
    words.add_argument("--skip", action="append", default=[], choices=["steps", "load"])
    chosen = words.parse_args()
    print(f"Load of the machine at the start: {load()}\n")
    with tempfile.TemporaryDirectory() as work:
        if "steps" not in chosen.skip:
            compare_steps(chosen, work)
        if "load" not in chosen.skip:
            found = loads.measure(chosen.retake, chosen.peers, work, chosen.corpus, chosen.rounds)
            print("Loading: CPU time, the shortest of each file; the ratio by file with quartiles\n")
            print(loads.report(found) + "\n", flush=True)
    print(f"Load of the machine at the end: {load()}")


def compare_steps(chosen, work):
    commands = steps.engines(os.path.abspath(chosen.retake), os.path.abspath(chosen.peers), HERE)
    results = {}
    for name in chosen.scene or steps.SCENES:
        print(f"bench-peers: {steps.SCENES[name]}…", file=sys.stderr, flush=True)
        results[name] = steps.measure(name, commands, work, chosen.rounds)
    print(
        f"Steps of 1 ms, one thread: CPU time, medians with quartiles of {chosen.rounds} rounds of "
        f"{steps.BLOCKS} blocks of {steps.BLOCK} steps, the engines in turn\n"
    )
    print(steps.report(results) + "\n", flush=True)


def load():
    return " ".join(f"{number:.1f}" for number in os.getloadavg())


main()
