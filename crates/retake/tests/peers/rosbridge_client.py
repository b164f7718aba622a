"""roslibpy against a world with the arm: everything that a client of rosbridge does."""

import sys
import threading

import roslibpy
from roslibpy.ros1 import actionlib

PATIENCE = 60
ros = roslibpy.Ros("127.0.0.1", int(sys.argv[1]))
ros.run(timeout=PATIENCE)


class Heard:
    """Messages of a topic, to be waited for."""

    def __init__(self, name, kind):
        self.messages = []
        self.came = threading.Condition()
        self.topic = roslibpy.Topic(ros, name, kind)
        self.topic.subscribe(self.take)

    def take(self, message):
        with self.came:
            self.messages.append(message)
            self.came.notify_all()

    def wait(self, wanted):
        with self.came:
            found = lambda: next((m for m in self.messages if wanted(m)), None)
            assert self.came.wait_for(lambda: found() is not None, PATIENCE), self.messages[-1:]
            return found()


def call(name, kind, request=None):
    return roslibpy.Service(ros, name, kind).call(roslibpy.ServiceRequest(request or {}), timeout=PATIENCE)


def secs(stamp):
    return stamp["sec"] + stamp["nanosec"] / 1e9


JOINTS = ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"]


def trajectory(joints, *points):
    """Points are (time, positions)."""
    whole = lambda time: {"sec": int(time), "nanosec": round(time % 1 * 1e9)}
    return {
        "joint_names": joints,
        "points": [{"positions": p, "time_from_start": whole(t)} for t, p in points],
    }


# Looking around.
topics = call("/rosapi/topics", "rosapi_msgs/srv/Topics")
assert dict(zip(topics["topics"], topics["types"]))["/joint_states"] == "sensor_msgs/msg/JointState", topics
assert "/arm/follow_joint_trajectory" in call("/rosapi/action_servers", "")["action_servers"]

# Listening.
clock = Heard("/clock", "rosgraph_msgs/msg/Clock")
joints = Heard("/joint_states", "sensor_msgs/msg/JointState")
frames = Heard("/tf", "tf2_msgs/msg/TFMessage")
fixed = Heard("/tf_static", "tf2_msgs/msg/TFMessage")
urdf = Heard("/robot_description", "std_msgs/msg/String")
first = joints.wait(lambda m: True)
assert first["name"] == JOINTS, first
assert len(first["position"]) == len(first["velocity"]) == len(first["effort"]) == 6
later = joints.wait(lambda m: secs(m["header"]["stamp"]) > secs(first["header"]["stamp"]) + 0.5)
clock.wait(lambda m: secs(m["clock"]) >= secs(later["header"]["stamp"]))
stamps = [secs(m["header"]["stamp"]) for m in joints.messages]
assert stamps == sorted(stamps), stamps
hung = lambda m: {t["child_frame_id"]: t["header"]["frame_id"] for t in m["transforms"]}
told = hung(frames.wait(lambda m: True))
assert told["shoulder"] == "pedestal" and "pedestal" not in told, told
assert hung(fixed.wait(lambda m: True)) == {"pedestal": "world"}, fixed.messages
assert '<robot name="arm">' in urdf.wait(lambda m: True)["data"]

# Asking.
state = call("/get_simulation_state", "simulation_interfaces/srv/GetSimulationState")
assert state["state"]["state"] == 1 and state["result"]["result"] == 1, state
found = call("/get_entities", "simulation_interfaces/srv/GetEntities", {"filters": {"filter": "^block_"}})
assert sorted(found["entities"]) == ["block_blue", "block_green", "block_red"], found
robots = {"filters": {"categories": [{"category": 1}]}}
assert call("/get_entities", "simulation_interfaces/srv/GetEntities", robots)["entities"] == ["arm"]
globe = """<sdf version="1.11"><model name="globe"><link name="link"><collision name="c"><geometry>
  <sphere><radius>0.1</radius></sphere></geometry></collision></link></model></sdf>"""
at = {"pose": {"position": {"x": 2, "y": 3, "z": 0.1}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}}
spawn = {"name": "globe", "entity_resource": {"resource_string": globe}, "initial_pose": at}
made = call("/spawn_entity", "simulation_interfaces/srv/SpawnEntity", spawn)
assert (made["result"]["result"], made["entity_name"]) == (1, "globe"), made
there = call("/get_entity_state", "simulation_interfaces/srv/GetEntityState", {"entity": "globe"})
assert abs(there["state"]["pose"]["position"]["x"] - 2) < 1e-6, there
again = call("/spawn_entity", "simulation_interfaces/srv/SpawnEntity", spawn | {"allow_renaming": True})
assert again["result"]["result"] == 1 and again["entity_name"] not in ("", "globe"), again
gone = call("/delete_entity", "simulation_interfaces/srv/DeleteEntity", {"entity": "globe"})
assert gone["result"]["result"] == 1, gone
missing = call("/get_entity_state", "simulation_interfaces/srv/GetEntityState", {"entity": "globe"})
assert missing["result"]["result"] == 2, missing
undone = call("/retake/undo", "std_srvs/srv/Trigger")
assert undone["success"], undone
# At once, before anything of the undo was seen.
redone = call("/retake/redo", "std_srvs/srv/Trigger")
assert redone["success"], redone
undone = call("/retake/undo", "std_srvs/srv/Trigger")
assert undone["success"], undone
try:
    call("/no/such", "std_srvs/srv/Trigger")
    raise AssertionError("a service that is not there was called")
except Exception as refusal:
    assert "No service" in str(refusal), refusal

# A trajectory on a topic.
now = joints.messages[-1]
to = dict(zip(now["name"], now["position"]))["elbow"] - 0.3
talker = roslibpy.Topic(ros, "/arm/joint_trajectory", "trajectory_msgs/msg/JointTrajectory")
talker.publish(roslibpy.Message(trajectory(["elbow"], (1.0, [to]))))
elbow = JOINTS.index("elbow")
joints.wait(lambda m: abs(m["position"][elbow] - to) < 0.01)


class Sent:
    """A goal of an action of ROS 2."""

    def __init__(self, name, kind, goal):
        self.over, self.feedback, self.end = threading.Event(), [], None
        self.moving = threading.Event()
        self.action = roslibpy.ActionClient(ros, name, kind)
        self.id = self.action.send_goal(roslibpy.Goal(goal), self.done, self.told, self.done)

    def told(self, feedback):
        self.feedback.append(feedback)
        self.moving.set()

    def done(self, end):
        self.end = end
        self.over.set()

    def wait(self):
        assert self.over.wait(PATIENCE), "the goal does not end"
        return self.end["status"].value, self.end["values"]


def follow(goal):
    return Sent("/arm/follow_joint_trajectory", "control_msgs/action/FollowJointTrajectory", goal)


# Actions of ROS 2: success, cancel, tolerances, refusal.
goal = follow({"trajectory": trajectory(["elbow", "wrist_1"], (1.0, [-0.5, 0.2]))})
status, values = goal.wait()
assert (status, values["error_code"]) == (4, 0), (status, values)
shown = goal.feedback[0]
assert shown["joint_names"] == ["elbow", "wrist_1"] and len(shown["error"]["positions"]) == 2, shown
saved = call("/retake/save_executed_motion", "retake_interfaces/srv/SaveExecutedMotion", {"name": "from_ros"})
assert saved["success"], saved

goal = follow({"trajectory": trajectory(["elbow"], (50.0, [0.5]))})
assert goal.moving.wait(PATIENCE)
goal.action.cancel_goal(goal.id)
status, values = goal.wait()
assert status == 5, (status, values)

strict = [{"name": "elbow", "position": 1e-6}]
status, values = follow({"trajectory": trajectory(["elbow"], (0.6, [-1.0])), "path_tolerance": strict}).wait()
assert (status, values["error_code"]) == (6, -4), (status, values)
late = {"goal_tolerance": strict, "goal_time_tolerance": {"sec": 0, "nanosec": 1000000}}
status, values = follow({"trajectory": trajectory(["elbow"], (0.6, [0.0])), **late}).wait()
assert (status, values["error_code"]) == (6, -5), (status, values)
status, values = follow({"trajectory": trajectory(["knee"], (1.0, [0.0]))}).wait()
assert (status, values["error_code"]) == (6, -2), (status, values)

# A stored motion by name.
text = {"command": {"type": "motion/joint_trajectory", "command": "home", "options": ""}}
played = Sent("/arm/text_action", "sweetie_bot_text_msgs/action/TextAction", text)
status, values = played.wait()
assert (status, values["error_code"]) == (4, 0), (status, values)

# Actions of ROS 1.
client = actionlib.ActionClient(ros, "/arm/follow_joint_trajectory", "control_msgs/FollowJointTrajectoryAction")
whole = trajectory(["elbow"], (1.0, [-0.4]))
whole["points"][0]["time_from_start"] = {"secs": 1, "nsecs": 0}
goal = actionlib.Goal(client, roslibpy.Message({"trajectory": whole}))
goal.send()
result = goal.wait(PATIENCE)
assert result["error_code"] == 0, result
assert goal.feedback is not None
whole["points"][0]["time_from_start"] = {"secs": 50, "nsecs": 0}
goal = actionlib.Goal(client, roslibpy.Message({"trajectory": whole}))
moving = threading.Event()
goal.on("feedback", lambda _: moving.set())
goal.send()
assert moving.wait(PATIENCE)
goal.cancel()
goal.wait(PATIENCE)
assert goal.status["status"] == actionlib.GoalStatus.PREEMPTED, goal.status

# A service that one client offers, asked for by another.
def doubled(request, response):
    response["twice"] = 2 * request["number"]
    return True


offered = roslibpy.Service(ros, "/twice", "peer_msgs/srv/Twice")
offered.advertise(doubled)
other = roslibpy.Ros("127.0.0.1", int(sys.argv[1]))
other.run(timeout=PATIENCE)


def ask(number):
    return roslibpy.Service(other, "/twice", "peer_msgs/srv/Twice").call(
        roslibpy.ServiceRequest({"number": number}), timeout=PATIENCE
    )


def refused():
    try:
        return ask(1)
    except Exception as refusal:
        return str(refusal)


while "No service" in refused():
    pass
assert ask(21)["twice"] == 42

ros.terminate()
print("all is well")
