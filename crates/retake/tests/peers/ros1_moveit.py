"""What MoveIt 1 needs of a robot, row by row, asked for as MoveIt does it: with rospy and actionlib."""

import xml.etree.ElementTree as xml

import actionlib
import rosgraph
import rospy
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from ros1_peer import Heard, PATIENCE, generated, join

follow = generated("control_msgs/FollowJointTrajectoryAction")

join()

# The robot's description, as a parameter; every active joint is in it.
master = rosgraph.Master("/peer")
while not master.hasParam("/robot_description"):
    pass
robot = xml.fromstring(rospy.get_param("/robot_description"))
active = {j.get("name") for j in robot.iter("joint") if j.get("type") not in ("fixed", "floating")}
links = {link.get("name") for link in robot.iter("link")}
assert active, "the description has no joints"

# Where every active joint is.
joints, frames, fixed = Heard("/joint_states", JointState), Heard("/tf", TFMessage), Heard("/tf_static", TFMessage)
first = joints.wait()
assert active <= set(first.name), (active, first.name)
assert len(first.position) == len(first.velocity) == len(first.name), first

# In the clock that MoveIt uses itself, and never older than a second of it.
assert rospy.get_param("/use_sim_time") is True
for _ in range(50):
    newest = joints.wait(lambda m: m.header.stamp > first.header.stamp)
    now = rospy.get_rostime()
    assert abs((now - joints.messages[-1].header.stamp).to_sec()) < 1.0, (now, joints.messages[-1])
    first = newest

# Frames: each link of the description has one, and all hang together.
above = {t.child_frame_id: t.header.frame_id for t in fixed.wait().transforms}
above |= {t.child_frame_id: t.header.frame_id for t in frames.wait().transforms}
assert links - {"world"} <= set(above), (links, above)
for link in links - {"world"}:
    while link != "world":
        link = above[link]

# An action for the controller; goals for some joints, without tolerances and without a stamp.
arm = actionlib.SimpleActionClient("/arm/follow_joint_trajectory", follow["control_msgs/FollowJointTrajectoryAction"])
assert arm.wait_for_server(rospy.Duration(PATIENCE))
goal = follow["control_msgs/FollowJointTrajectoryGoal"]()
goal.trajectory.joint_names = ["wrist_1", "elbow"]
for time, places in ((0.0, None), (0.5, [0.1, -0.4]), (1.0, [0.2, -0.5])):
    point = follow["trajectory_msgs/JointTrajectoryPoint"]()
    where = dict(zip(joints.messages[-1].name, joints.messages[-1].position))
    # MoveIt begins with where the joints are, and ends at rest.
    point.positions = places or [where["wrist_1"], where["elbow"]]
    point.velocities = [0.0, 0.0]
    point.time_from_start = rospy.Duration(time)
    goal.trajectory.points.append(point)
arm.send_goal(goal)
assert arm.wait_for_result(rospy.Duration(PATIENCE)), "the goal does not end"
assert (arm.get_state(), arm.get_result().error_code) == (3, 0), (arm.get_state(), arm.get_result())
joints.wait(lambda m: abs(dict(zip(m.name, m.position))["elbow"] + 0.5) < 0.02)
rospy.signal_shutdown("done")
print("all is well")
