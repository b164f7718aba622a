"""Loading the same files with Retake and with libsdformat, in turn."""

import os
import subprocess

from driver import Driver, DriverError
from spread import digits, spread, table, told

SHAPES = [1_000, 10_000, 100_000]
# Seconds that a file may take; longer ones are told as that.
PATIENCE_SECS = 60.0
# A file that takes longer is loaded once.
ONCE_SECS = 5.0
OURS, THEIRS = "Retake", "libsdformat"


def measure(retake, folder, work, corpus, rounds):
    """Loads generated worlds and, where it is there, a corpus of real ones."""
    roots, real = [], {}
    if corpus and os.path.isdir(os.path.join(corpus, "open")):
        models = os.path.join(corpus, "models")
        roots = sorted(os.path.join(models, name) for name in os.listdir(models))
        real = corpus_groups(os.path.join(corpus, "open"))
    commands = {
        OURS: [retake, "bench", "drive", "loader"] + [f"--resource-path={root}" for root in roots],
        THEIRS: [os.path.join(folder, "sdformat_driver")] + roots,
    }
    results = load_shapes(commands, work, rounds)
    return results | {name: load_all(commands, files, rounds) for name, files in real.items()}


def load_shapes(commands, work, rounds):
    """Ever more shapes; who is late with some need not try ten times as many."""
    results, tried = {}, dict(commands)
    for count in SHAPES:
        path = os.path.join(work, f"shapes_{count}.sdf")
        with open(path, "w", encoding="utf-8") as file:
            subprocess.run([commands[OURS][0], "bench", "shapes", str(count)], stdout=file, check=True)
        found = load_all(tried, [path], rounds)
        tried = {name: command for name, command in tried.items() if name == OURS or not found[name].trouble}
        results[f"{count:,} shapes"] = found
    return results


def corpus_groups(folder):
    """Files by the folder that they lie in."""
    groups = {}
    for name in sorted(os.listdir(folder)):
        inner = os.path.join(folder, name)
        if name == "expected" or not os.path.isdir(inner):
            continue
        endings = (".sdf", ".world", ".urdf")
        groups[f"corpus: {name}"] = sorted(
            os.path.join(inner, file) for file in os.listdir(inner) if file.endswith(endings)
        )
    return {name: files for name, files in groups.items() if files}


class Loads:
    """Shortest CPU time of each file, in µs; why some have none."""

    def __init__(self):
        self.micros, self.trouble, self.missing = {}, {}, None


def load_all(commands, files, rounds):
    results = {name: Loads() for name in commands}
    drivers = {}
    for _ in range(rounds):
        for file in files:
            for name, command in commands.items():
                load_one(name, command, file, (drivers, results[name]))
    for driver in drivers.values():
        driver.close()
    return results


def load_one(name, command, file, known):
    drivers, loads = known
    if loads.missing or file in loads.trouble or loads.micros.get(file, 0.0) > ONCE_SECS * 1e6:
        return
    try:
        if name not in drivers:
            drivers[name] = Driver(command)
        answer = drivers[name].ask(file, patience_secs=PATIENCE_SECS)
        if not answer["loaded"]:
            # It gave up early, so that its time says nothing.
            loads.trouble[file] = "not loaded"
            return
        before = loads.micros.get(file, float("inf"))
        loads.micros[file] = min(before, answer["cpu_us"])
    except DriverError as error:
        if str(error) == "not installed":
            loads.missing = str(error)
        loads.trouble[file] = str(error)
        # A new one for the next file: this one has ended or is still busy.
        driver = drivers.pop(name, None)
        if driver:
            driver.process.kill()
            driver.close()


def rows(name, results):
    ours, theirs = results[OURS], results.get(THEIRS)
    if theirs is None:
        return [[name, total(ours.micros), "", "", f"{THEIRS}: not tried"]]
    if theirs.missing:
        return [[name, total(ours.micros), theirs.missing, "", ""]]
    both = [file for file in ours.micros if file in theirs.micros]
    ratios = [theirs.micros[file] / ours.micros[file] for file in both]
    remark = "; ".join(troubles(OURS, ours) + troubles(THEIRS, theirs))
    if not both:
        return [[name, total(ours.micros), "", "", remark]]
    ours_both = {file: ours.micros[file] for file in both}
    ratio = told(spread(ratios)) if len(both) > 1 else digits(ratios[0])
    theirs_both = {file: theirs.micros[file] for file in both}
    files = f"{len(both)} files" if len(both) > 1 else ""
    remark = "; ".join(text for text in (files, remark) if text)
    return [[name, total(ours_both), total(theirs_both), ratio, remark]]


def troubles(name, loads):
    """What could not be loaded, counted by the reason."""
    counts = {}
    for text in loads.trouble.values():
        counts[text] = counts.get(text, 0) + 1
    return [f"{name}: {count} × {text}" for text, count in sorted(counts.items())]


def total(micros):
    return f"{digits(sum(micros.values()) / 1e6)} s"


def report(results):
    head = ["what", OURS, THEIRS, f"{THEIRS} / {OURS}, by file", ""]
    return table([head] + [row for name, found in results.items() for row in rows(name, found)])
