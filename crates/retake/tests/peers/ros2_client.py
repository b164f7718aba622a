"""CycloneDDS with the names and types of ROS 2 against a world with the arm: topics and services.

CycloneDDS is what nodes of ROS 2 may have below them; the types here are written by hand from the
definitions of ROS, so that nothing is shared with the program that is tried.
"""

import math
import sys
import types
from dataclasses import dataclass

from cyclonedds.builtin import BuiltinDataReader, BuiltinTopicDcpsPublication, BuiltinTopicDcpsSubscription
from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import array, float64, int32, int64, sequence, uint8, uint32, uint64
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

PATIENCE = duration(seconds=60)
# What is sent before the other side knows of the sender is lost, in DDS; so it is sent again.
TRIES = 12
RELIABLE = Policy.Reliability.Reliable(duration(seconds=10))
# So many messages are enough to see whatever is waited for.
MOST = 20000
JOINTS = ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"]
# What is compared in one clock may differ by rounding only.
CLOSE = 1e-9

participant = DomainParticipant(int(sys.argv[1]))


@dataclass
class Time(IdlStruct, typename="builtin_interfaces::msg::dds_::Time_"):
    sec: int32
    nanosec: uint32

    def secs(self):
        return self.sec + self.nanosec / 1e9


@dataclass
class Duration(IdlStruct, typename="builtin_interfaces::msg::dds_::Duration_"):
    sec: int32
    nanosec: uint32


@dataclass
class Header(IdlStruct, typename="std_msgs::msg::dds_::Header_"):
    stamp: Time
    frame_id: str


@dataclass
class String(IdlStruct, typename="std_msgs::msg::dds_::String_"):
    data: str


@dataclass
class Clock(IdlStruct, typename="rosgraph_msgs::msg::dds_::Clock_"):
    clock: Time


@dataclass
class JointState(IdlStruct, typename="sensor_msgs::msg::dds_::JointState_"):
    header: Header
    name: sequence[str]
    position: sequence[float64]
    velocity: sequence[float64]
    effort: sequence[float64]


@dataclass
class Vector3(IdlStruct, typename="geometry_msgs::msg::dds_::Vector3_"):
    x: float64
    y: float64
    z: float64


@dataclass
class Quaternion(IdlStruct, typename="geometry_msgs::msg::dds_::Quaternion_"):
    x: float64
    y: float64
    z: float64
    w: float64


@dataclass
class Transform(IdlStruct, typename="geometry_msgs::msg::dds_::Transform_"):
    translation: Vector3
    rotation: Quaternion


@dataclass
class TransformStamped(IdlStruct, typename="geometry_msgs::msg::dds_::TransformStamped_"):
    header: Header
    child_frame_id: str
    transform: Transform


@dataclass
class TFMessage(IdlStruct, typename="tf2_msgs::msg::dds_::TFMessage_"):
    transforms: sequence[TransformStamped]


@dataclass
class JointTrajectoryPoint(IdlStruct, typename="trajectory_msgs::msg::dds_::JointTrajectoryPoint_"):
    positions: sequence[float64]
    velocities: sequence[float64]
    accelerations: sequence[float64]
    effort: sequence[float64]
    time_from_start: Duration


@dataclass
class JointTrajectory(IdlStruct, typename="trajectory_msgs::msg::dds_::JointTrajectory_"):
    header: Header
    joint_names: sequence[str]
    points: sequence[JointTrajectoryPoint]


@dataclass
class Gid(IdlStruct, typename="rmw_dds_common::msg::dds_::Gid_"):
    data: array[uint8, 16]


@dataclass
class NodeEntitiesInfo(IdlStruct, typename="rmw_dds_common::msg::dds_::NodeEntitiesInfo_"):
    node_namespace: str
    node_name: str
    reader_gid_seq: sequence[Gid]
    writer_gid_seq: sequence[Gid]


@dataclass
class ParticipantEntitiesInfo(IdlStruct, typename="rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_"):
    gid: Gid
    node_entities_info_seq: sequence[NodeEntitiesInfo]


class Heard:
    """Messages of a topic, to be waited for."""

    def __init__(self, name, kind, durability=Policy.Durability.Volatile):
        qos = Qos(RELIABLE, durability, Policy.History.KeepAll)
        self.name, self.messages = name, []
        self.reader = DataReader(participant, Topic(participant, name, kind), qos=qos)

    def wait(self, wanted=lambda _: True):
        for message in self.messages:
            if wanted(message):
                return message
        for message in self.reader.take_iter(timeout=PATIENCE):
            self.messages.append(message)
            if wanted(message):
                return message
            assert len(self.messages) < MOST, (self.name, message)
        raise AssertionError(f"{self.name}: nothing like it came, last was {self.messages[-1:]}")


def made_class(typename, fields):
    """Makes the class of a message."""
    body = lambda namespace: namespace.update({"__annotations__": fields})
    return dataclass(types.new_class("Message", (IdlStruct,), {"typename": typename}, body))


class Service:
    """A service as CycloneDDS has it: who asks is told in sixteen bytes before each message."""

    def __init__(self, name, kind, request, response):
        def made(part, fields):
            # In the order of the message, behind those that say who asks.
            fields = {"guid": uint64, "seq": int64, **fields}
            return made_class(kind.replace("/", "::srv::dds_::") + f"_{part}_", fields)

        self.name, self.count = name, 0
        self.request_type, response_type = made("Request", request), made("Response", response)
        qos = Qos(RELIABLE, Policy.History.KeepLast(10))
        self.writer = DataWriter(participant, Topic(participant, f"rq{name}Request", self.request_type), qos=qos)
        self.reader = DataReader(participant, Topic(participant, f"rr{name}Reply", response_type), qos=qos)

    def call(self, **request):
        while not (self.writer.get_matched_subscriptions() and self.reader.get_matched_publications()):
            pass
        for _ in range(TRIES):
            self.count += 1
            # The number is any that tells this client from others.
            self.writer.write(self.request_type(guid=0x1122334455667788, seq=self.count, **request))
            for reply in self.reader.take_iter(timeout=duration(seconds=5)):
                if (reply.guid, reply.seq) == (0x1122334455667788, self.count):
                    return reply
        raise AssertionError(f"{self.name} gives no answer")


# Ends of topics: their names, types and promises, as nodes of ROS 2 look for them.
clock, joints = Heard("rt/clock", Clock), Heard("rt/joint_states", JointState)
frames = Heard("rt/tf", TFMessage)
later = Policy.Durability.TransientLocal
fixed, urdf = Heard("rt/tf_static", TFMessage, later), Heard("rt/robot_description", String, later)
nodes = Heard("ros_discovery_info", ParticipantEntitiesInfo, later)

# Whoever comes later gets what was told before.
assert '<robot name="arm">' in urdf.wait().data
assert [t.child_frame_id for t in fixed.wait().transforms] == ["pedestal"], fixed.messages
assert fixed.messages[0].transforms[0].header.frame_id == "world"
node = nodes.wait(lambda m: any(n.node_name == "retake" for n in m.node_entities_info_seq))
assert node.node_entities_info_seq[0].node_namespace == "/", node

# One clock for all: each stamp of joints and frames is one of the clock, and each comes once.
first = clock.wait().clock.secs()
clock.wait(lambda m: m.clock.secs() > first + 3.0)
last = joints.wait(lambda m: m.header.stamp.secs() > first + 2.9)
frames.wait(lambda m: m.transforms[0].header.stamp.secs() > first + 2.9)
assert last.name == JOINTS, last
assert all(len(values) == len(JOINTS) for values in (last.position, last.velocity, last.effort)), last
told = [m.clock.secs() for m in clock.messages]
for of, stamps in {
    "clock": told,
    "joint_states": [m.header.stamp.secs() for m in joints.messages],
    "tf": [m.transforms[0].header.stamp.secs() for m in frames.messages],
}.items():
    assert stamps == sorted(set(stamps)), (of, "goes back or comes twice")
    inside = [stamp for stamp in stamps if first + 0.5 <= stamp <= first + 2.5]
    # Two simulated seconds: often enough for MoveIt, which takes nothing that is older than one.
    assert len(inside) >= 20, (of, len(inside))
    gaps = [after - before for before, after in zip(inside, inside[1:])]
    assert max(gaps) < 0.5, (of, max(gaps))
    strangers = [s for s in inside if min(abs(s - t) for t in told) > CLOSE]
    assert not strangers, (of, strangers)
for message in frames.messages:
    assert len({t.header.stamp.secs() for t in message.transforms}) == 1, message
moving = {t.child_frame_id: t.header.frame_id for t in frames.messages[-1].transforms}
assert moving["shoulder"] == "pedestal" and moving["tool"] == "wrist_2_link", moving
assert "pedestal" not in moving, moving

# A trajectory on a topic moves the arm.
to = -0.7 if joints.messages[-1].position[2] > -0.4 else -0.1
topic = Topic(participant, "rt/arm/joint_trajectory", JointTrajectory)
talker = DataWriter(participant, topic, qos=Qos(RELIABLE, Policy.History.KeepLast(10)))
while not talker.get_matched_subscriptions():
    pass
point = JointTrajectoryPoint([to], [], [], [], Duration(1, 0))
for _ in range(TRIES):
    talker.write(JointTrajectory(Header(Time(0, 0), ""), ["elbow"], [point]))
    sent = joints.messages[-1].header.stamp.secs()
    reached = joints.wait(lambda m: abs(m.position[2] - to) < 0.01 or m.header.stamp.secs() > sent + 5)
    if abs(reached.position[2] - to) < 0.01:
        break
assert abs(reached.position[2] - to) < 0.01, reached

# Services, asked as CycloneDDS asks.
Result = made_class("simulation_interfaces::msg::dds_::Result_", {"result": uint8, "error_message": str})
empty = {"structure_needs_at_least_one_member": uint8}
undo = Service("/retake/undo", "std_srvs/Trigger", empty, {"success": bool, "message": str})
reply = undo.call(structure_needs_at_least_one_member=0)
assert (reply.success, reply.message) == (False, "There is nothing to undo"), reply

pause = Service("/set_simulation_state", "simulation_interfaces/SetSimulationState", {"state": uint8}, {"result": Result})
assert pause.call(state=2).result.result == 1
asked = Service("/get_simulation_state", "simulation_interfaces/GetSimulationState", empty, {"state": uint8, "result": Result})
assert asked.call(structure_needs_at_least_one_member=0).state == 2

# While the world stands, frames are where the world says that the links are.
where = Service(
    "/get_entity_state",
    "simulation_interfaces/GetEntityState",
    {"entity": str},
    {"result": Result, "stamp": Time, "frame_id": str, "position": Vector3, "rotation": Quaternion},
)


def turned(q, v):
    """Turns a vector."""
    ux, uy, uz = q.y * v[2] - q.z * v[1], q.z * v[0] - q.x * v[2], q.x * v[1] - q.y * v[0]
    wx, wy, wz = q.y * uz - q.z * uy, q.z * ux - q.x * uz, q.x * uy - q.y * ux
    return (v[0] + 2 * (q.w * ux + wx), v[1] + 2 * (q.w * uy + wy), v[2] + 2 * (q.w * uz + wz))


tool = where.call(entity="arm::tool")
assert tool.result.result == 1, tool
stood = frames.wait(lambda m: abs(m.transforms[0].header.stamp.secs() - tool.stamp.secs()) < CLOSE)
known = {t.child_frame_id: t for message in (stood, fixed.messages[-1]) for t in message.transforms}
frame, place = "tool", (0.0, 0.0, 0.0)
while frame != "world":
    hung = known[frame]
    shift, turn = hung.transform.translation, hung.transform.rotation
    place = tuple(a + b for a, b in zip((shift.x, shift.y, shift.z), turned(turn, place)))
    frame = hung.header.frame_id
distance = math.dist(place, (tool.position.x, tool.position.y, tool.position.z))
assert distance < 1e-6, (place, tool)

# Names, types and promises of all that there is.
ends = set()
for kind, builtin in (("writes", BuiltinTopicDcpsPublication), ("reads", BuiltinTopicDcpsSubscription)):
    for end in BuiltinDataReader(participant, builtin).take(N=1000):
        if end.participant_key != participant.guid:
            durable = "kept" if end.qos[Policy.Durability] == later else "from now"
            reliable = "reliable" if isinstance(end.qos[Policy.Reliability], Policy.Reliability.Reliable) else "best effort"
            ends.add(f"{kind} {end.topic_name} {end.type_name} {reliable} {durable}")
print("\n".join(sorted(ends)))
