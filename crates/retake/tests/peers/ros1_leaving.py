"""Tells a simulator to end, and looks what its master still knows of it."""

import os
import signal
import sys
import time

import rosgraph

PATIENCE = 60
master = rosgraph.Master("/onlooker")


def known():
    """What the master has of the simulator: topics, services, parameters."""
    publishers, subscribers, services = master.getSystemState()
    of = lambda list: [name for name, nodes in list if "/retake" in nodes]
    parameters = [name for name in ("/robot_description", "/use_sim_time") if master.hasParam(name)]
    return of(publishers) + of(subscribers) + of(services) + parameters


def until(holds):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        # The master may still be starting.
        try:
            if holds(known()):
                return
        except OSError:
            pass
    raise AssertionError(known())


wanted = {"/clock", "/arm/joint_trajectory", "/retake/undo", "/robot_description", "/use_sim_time"}
until(lambda known: wanted <= set(known))
os.kill(int(sys.argv[1]), signal.SIGTERM)
until(lambda known: not known)
print("all is well")
