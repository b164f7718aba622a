"""The scene that every engine simulates, as `retake bench scene NAME` writes it.

One thing per line, words with spaces between, SI units, everything upright in world coordinates:

    step SECONDS
    gravity X Y Z
    friction MU
    body NAME X Y Z MASS IXX IYY IZZ SHAPE...   box X Y Z | sphere R | cylinder R LENGTH | none
    joint NAME PARENT CHILD X Y Z AX AY AZ STIFFNESS DAMPING REFERENCE
    rest NAME X Y Z                            where a body must come to rest
    foot NAME                                  a body that must not slide
    tip NAME                                   a body whose way is compared with the exact one

The parent of a joint is a body or `world`. There is a plane at z = 0. A body's origin is its centre
of mass. A joint pulls with STIFFNESS * (REFERENCE - angle) - DAMPING * speed.
"""

import json
import sys
import time
from dataclasses import dataclass, field


@dataclass
class Body:
    name: str
    position: list
    mass: float
    moments: list
    shape: list


@dataclass
class Joint:
    name: str
    parent: str
    child: str
    anchor: list
    axis: list
    stiffness: float
    damping: float
    reference: float


@dataclass
class Scene:
    step_secs: float = 0.001
    gravity: list = field(default_factory=lambda: [0.0, 0.0, -9.8])
    friction: float = 1.0
    bodies: list = field(default_factory=list)
    joints: list = field(default_factory=list)
    rest: dict = field(default_factory=dict)
    feet: list = field(default_factory=list)
    tips: list = field(default_factory=list)

    def robots(self):
        """Bodies that joints hold together, as lists of joints in the order of the file."""
        groups, group_of = [], {}
        for joint in self.joints:
            group = group_of.get(joint.parent)
            if joint.parent == "world" or group is None:
                group = []
                groups.append(group)
                group_of[joint.parent] = group if joint.parent != "world" else None
            group.append(joint)
            group_of[joint.child] = group
        return groups


def read_scene(path):
    """Reads a scene; the format is told above."""
    scene = Scene()
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            words = line.split()
            if words:
                try:
                    read_line(scene, words)
                except (IndexError, ValueError) as error:
                    raise ValueError(f"{path}:{number}: {line.strip()!r}: {error}") from error
    return scene


def read_line(scene, words):
    kind, rest = words[0], words[1:]
    numbers = lambda some: [float(word) for word in some]
    if kind == "step":
        scene.step_secs = float(rest[0])
    elif kind == "gravity":
        scene.gravity = numbers(rest)
    elif kind == "friction":
        scene.friction = float(rest[0])
    elif kind == "body":
        shape = [rest[8]] + numbers(rest[9:])
        scene.bodies.append(Body(rest[0], numbers(rest[1:4]), float(rest[4]), numbers(rest[5:8]), shape))
    elif kind == "joint":
        places = numbers(rest[3:])
        scene.joints.append(Joint(*rest[:3], places[:3], places[3:6], *places[6:9]))
    elif kind == "rest":
        scene.rest[rest[0]] = numbers(rest[1:4])
    elif kind == "foot":
        scene.feet.append(rest[0])
    elif kind == "tip":
        scene.tips.append(rest[0])
    else:
        raise ValueError(f"there is no such thing as a {kind}")


def cpu_micros():
    """CPU time of this process: what other programs do does not count."""
    return time.process_time_ns() / 1e3


def answer(value):
    """Answers with one line of JSON."""
    json.dump(value, sys.stdout)
    sys.stdout.write("\n")
    sys.stdout.flush()


def serve(engine, step, positions):
    """Answers `step N` with the CPU time of N steps and `state` with where all bodies are."""
    answer({"engine": engine})
    for line in sys.stdin:
        words = line.split()
        if words and words[0] == "step":
            answer({"cpu_us": step(int(words[1]))})
        elif words and words[0] == "state":
            answer({"positions": positions()})
        else:
            break
