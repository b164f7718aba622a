"""rospy and actionlib against a world with the arm: what robot people do with ROS 1."""

import importlib
import threading

import actionlib
import rospy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

from ros1_peer import Heard, PATIENCE, definitions, generated, join

# Types that the real ROS has are those that we say.
compared = []
for name, definition in definitions.items():
    package, message = name.split("/")
    try:
        real = getattr(importlib.import_module(package + ".msg"), message)
    except (ImportError, AttributeError):
        continue
    assert real._md5sum == definition["md5"], (name, real._md5sum, definition["md5"])
    compared.append(name)
assert {"sensor_msgs/JointState", "tf2_msgs/TFMessage", "actionlib_msgs/GoalStatusArray"} <= set(compared)

follow = generated("control_msgs/FollowJointTrajectoryAction")
text = generated("sweetie_bot_text_msgs/TextActionAction")

join()

clock, joints = Heard("/clock", Clock), Heard("/joint_states", JointState)
frames, urdf = Heard("/tf", TFMessage), Heard("/robot_description", String)
fixed = Heard("/tf_static", TFMessage)
first = joints.wait()
assert first.name == ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"], first
later = joints.wait(lambda m: (m.header.stamp - first.header.stamp).to_sec() > 0.5)
# One clock for all, and it goes on.
clock.wait(lambda m: m.clock >= later.header.stamp)
stamps = [m.header.stamp for m in joints.messages]
assert stamps == sorted(set(stamps)), stamps
told = {t.child_frame_id: t.header.frame_id for t in frames.wait().transforms}
assert told["shoulder"] == "pedestal" and "pedestal" not in told, told
told = {t.child_frame_id: t.header.frame_id for t in fixed.wait().transforms}
assert told == {"pedestal": "world"}, told
assert '<robot name="arm">' in urdf.wait().data
assert rospy.get_param("/use_sim_time") is True
assert rospy.get_param("/robot_description") == urdf.messages[0].data
assert rospy.get_rostime() >= first.header.stamp


def client(name, kinds, action):
    made = actionlib.SimpleActionClient(name, kinds[action])
    assert made.wait_for_server(rospy.Duration(PATIENCE)), name
    return made


arm = client("/arm/follow_joint_trajectory", follow, "control_msgs/FollowJointTrajectoryAction")


def goal(joint, to, secs, **more):
    made = follow["control_msgs/FollowJointTrajectoryGoal"](**more)
    made.trajectory.joint_names = [joint]
    point = follow["trajectory_msgs/JointTrajectoryPoint"]()
    point.positions, point.time_from_start = [to], rospy.Duration(secs)
    made.trajectory.points = [point]
    return made


def done(sent=arm):
    ended = sent.wait_for_result(rospy.Duration(PATIENCE))
    # What the client knows of the goal, and what it was told of all goals last.
    assert ended, ("the goal does not end", vars(sent.gh.comm_state_machine), sent.action_client.last_status_msg)
    return sent.get_state(), sent.get_result().error_code


feedback = []
arm.send_goal(goal("elbow", -0.4, 1.0), feedback_cb=feedback.append)
assert done() == (3, 0), (arm.get_state(), arm.get_result())
assert feedback and feedback[-1].joint_names == ["elbow"], feedback[-1:]
assert abs(feedback[-1].desired.positions[0] - feedback[-1].actual.positions[0] - feedback[-1].error.positions[0]) < 1e-9

moving = threading.Event()
arm.send_goal(goal("elbow", 0.5, 50.0), feedback_cb=lambda _: moving.set())
assert moving.wait(PATIENCE)
arm.cancel_goal()
assert done()[0] == 2, arm.get_state()

strict = follow["control_msgs/JointTolerance"](name="elbow", position=1e-6)
arm.send_goal(goal("elbow", -1.0, 0.6, path_tolerance=[strict]))
assert done() == (4, -4), (arm.get_state(), arm.get_result())
arm.send_goal(goal("elbow", -0.2, 0.6, goal_tolerance=[strict], goal_time_tolerance=rospy.Duration(0.001)))
assert done() == (4, -5), (arm.get_state(), arm.get_result())
arm.send_goal(goal("knee", 0.0, 1.0))
assert done() == (5, -2), (arm.get_state(), arm.get_result())

# Another goal takes the joints of the first.
first_goal, moving = client("/arm/follow_joint_trajectory", follow, "control_msgs/FollowJointTrajectoryAction"), threading.Event()
first_goal.send_goal(goal("elbow", 0.5, 50.0), feedback_cb=lambda _: moving.set())
assert moving.wait(PATIENCE)
arm.send_goal(goal("elbow", -0.3, 1.0))
assert done(first_goal)[0] == 2, first_goal.get_state()
assert done() == (3, 0), arm.get_state()

player = client("/arm/text_action", text, "sweetie_bot_text_msgs/TextActionAction")
wanted = text["sweetie_bot_text_msgs/TextActionGoal"]()
wanted.command.type, wanted.command.command = "motion/joint_trajectory", "home"
player.send_goal(wanted)
assert done(player) == (3, 0), (player.get_state(), player.get_result())

undo = rospy.ServiceProxy("/retake/undo", Trigger)
undo.wait_for_service(PATIENCE)
assert undo().message == "There is nothing to undo", undo()
rospy.signal_shutdown("done")
print("all is well")
