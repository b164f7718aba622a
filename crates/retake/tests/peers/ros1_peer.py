"""What the programs of ROS 1 share: definitions, a node once the simulator's is there, and waiting."""

import json
import sys
import threading

import genpy.dynamic
import rospy

PATIENCE = 60
definitions = json.load(open(sys.argv[1]))


def generated(name):
    """Makes a message class of our own definition, as genpy does."""
    made = genpy.dynamic.generate_dynamic(name, definitions[name]["text"])
    for kind, made_class in made.items():
        if kind in definitions:
            assert made_class._md5sum == definitions[kind]["md5"], kind
    return made


def join():
    """Becomes a node as soon as the simulator is one."""
    while True:
        # The master may still be starting, and so may the node of the simulator.
        try:
            if rospy.get_master().lookupNode("/retake")[0] == 1:
                break
        except OSError:
            pass
    rospy.init_node("peer", disable_signals=True)


class Heard:
    """Messages of a topic, to be waited for."""

    def __init__(self, name, kind):
        self.messages, self.came = [], threading.Condition()
        self.subscriber = rospy.Subscriber(name, kind, self.take)

    def take(self, message):
        with self.came:
            self.messages.append(message)
            self.came.notify_all()

    def wait(self, wanted=lambda _: True):
        with self.came:
            found = lambda: next((m for m in self.messages if wanted(m)), None)
            assert self.came.wait_for(lambda: found() is not None, PATIENCE), self.messages[-1:]
            return found()
