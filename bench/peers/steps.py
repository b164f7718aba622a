"""Steps of the same scenes in all engines, in turn, and how exact each one is."""

import math
import os
import subprocess

from driver import Driver, DriverError
from scene import read_scene
from spread import digits, spread, table, told

SCENES = {
    "boxes": "1,000 falling boxes",
    "stacks": "10 stacks of 10",
    "arms": "10 arms of 6 joints",
    "quadruped": "quadruped, 12 joints",
}
# Steps that an engine makes in one turn, and turns of a run: one simulated second.
BLOCK, BLOCKS = 50, 20
# CPU seconds after which an engine makes no more steps of a scene in a round.
CAP_SECS = 90.0
RETAKE = "Retake"


def engines(retake, folder, here):
    """Names and commands, Retake first: the others are told against it."""
    python = os.path.join(folder, "venv", "bin", "python")
    return {
        RETAKE: [retake, "bench", "drive", "retake"],
        "bare Rapier": [retake, "bench", "drive", "rapier"],
        "Retake, fast": [retake, "bench", "drive", "retake", "--preset", "fast"],
        # Built in by `make bench-peers`; without it the row says so.
        "Retake on MuJoCo": [retake, "bench", "drive", "retake", "--engine", "mujoco"],
        "MuJoCo": [python, "-B", os.path.join(here, "mujoco_driver.py")],
        "PyBullet": [python, "-B", os.path.join(here, "pybullet_driver.py")],
        "DART": [os.path.join(folder, "dart_driver")],
    }


class Run:
    """What one engine did with one scene in all rounds."""

    def __init__(self):
        self.blocks = {}
        self.error = None
        self.trouble = None
        self.steps = 0


def measure(scene_name, commands, work, rounds):
    """Runs all engines in turn, a block of steps each."""
    path = os.path.join(work, f"{scene_name}.scene")
    with open(path, "w", encoding="utf-8") as file:
        subprocess.run([commands[RETAKE][0], "bench", "scene", scene_name], stdout=file, check=True)
    scene = read_scene(path)
    exact = exact_way(scene, path, commands)
    runs = {name: Run() for name in commands}
    for number in range(rounds):
        one_round(number, (scene_name, path, scene), (commands, runs), exact)
    return runs


def one_round(number, scene_of, engines_of, exact):
    scene_name, path, scene = scene_of
    commands, runs = engines_of
    drivers, spent, errors = {}, {}, {}
    for name, command in commands.items():
        try:
            ours = "drive" in command
            drivers[name] = Driver(command + [scene_name if ours else path])
            spent[name], errors[name] = 0.0, Error(scene, exact)
        except DriverError as error:
            runs[name].trouble = str(error)
    for block in range(BLOCKS):
        for name, driver in list(drivers.items()):
            if spent[name] > CAP_SECS * 1e6:
                continue
            try:
                micros = driver.ask(f"step {BLOCK}", patience_secs=600)["cpu_us"]
                runs[name].blocks[(number, block)] = micros / BLOCK
                runs[name].steps = (block + 1) * BLOCK
                spent[name] += micros
                if name != "bare Rapier":
                    errors[name].look(block, driver.ask("state")["positions"])
            except DriverError as error:
                runs[name].trouble = str(error)
                driver.close()
                del drivers[name]
    for name, driver in drivers.items():
        driver.close()
        if runs[name].steps == BLOCK * BLOCKS:
            runs[name].error = errors[name].found()


def exact_way(scene, path, commands):
    """Where the tips of arms are after each block, by far smaller steps; None without MuJoCo."""
    if not scene.tips:
        return None
    try:
        driver = Driver(commands["MuJoCo"] + [path, "exact"])
    except DriverError:
        return None
    way = []
    for _ in range(BLOCKS):
        driver.ask(f"step {BLOCK}", patience_secs=600)
        way.append(driver.ask("state")["positions"])
    driver.close()
    return way


class Error:
    """How far an engine is from what is right, in millimetres."""

    def __init__(self, scene, exact):
        self.places = {body.name: number for number, body in enumerate(scene.bodies)}
        self.scene, self.exact = scene, exact
        self.worst, self.halfway, self.last = 0.0, None, None

    def look(self, block, positions):
        self.last = positions
        if block == BLOCKS // 2 - 1:
            self.halfway = positions
        if self.exact:
            for tip in self.scene.tips:
                place = self.places[tip]
                self.worst = max(self.worst, apart(positions[place], self.exact[block][place]))

    def found(self):
        """The worst body: from where it must rest, from the exact way, or that slid."""
        if self.last is None:
            return None
        if self.scene.rest:
            far = [apart(self.last[self.places[name]], at) for name, at in self.scene.rest.items()]
        elif self.scene.feet:
            feet = [self.places[foot] for foot in self.scene.feet]
            far = [apart(self.last[foot][:2], self.halfway[foot][:2]) for foot in feet]
        else:
            far = [self.worst] if self.exact else []
        return 1e3 * max(far) if far else None


def apart(a, b):
    return math.dist(a, b) if all(map(math.isfinite, a)) else math.inf


def rows(scene_name, runs):
    """One row for each engine: time, against Retake, and error."""
    ours = runs[RETAKE].blocks
    for name, run in runs.items():
        if run.trouble or not run.blocks:
            yield [SCENES[scene_name], name, run.trouble or "no answer", "", ""]
            continue
        ratios = [micros / ours[block] for block, micros in run.blocks.items() if block in ours]
        error = f"{digits(run.error)} mm" if run.error is not None else ""
        if name == "bare Rapier":
            error = "as Retake"
        if run.steps < BLOCK * BLOCKS:
            error = f"stopped after {run.steps} steps"
        yield [SCENES[scene_name], name, told(spread(list(run.blocks.values()))), told(spread(ratios)), error]


def report(results):
    """All scenes as one table."""
    head = ["scene", "engine", "µs a step", "× Retake", "error"]
    return table([head] + [row for name, runs in results.items() for row in rows(name, runs)])
