"""Steps a scene with PyBullet: `pybullet_driver.py SCENE`.

Robots are read as URDF, single boxes are made as rigid bodies: that is the faster of the two ways that
PyBullet has. It has no springs in joints: their torques are computed here between the steps, and the
time for that does not count.
"""

import math
import os
import sys
import tempfile

import pybullet

from scene import cpu_micros, read_scene, serve


def main():
    scene = read_scene(sys.argv[1])
    pybullet.connect(pybullet.DIRECT)
    pybullet.setTimeStep(scene.step_secs)
    pybullet.setGravity(*scene.gravity)
    # Bullet multiplies the frictions of both sides.
    friction = math.sqrt(scene.friction)
    plane = pybullet.createCollisionShape(pybullet.GEOM_PLANE)
    settle_down(pybullet.createMultiBody(0, plane), -1, friction)
    places, springs = {}, []
    jointed = set()
    for robot in scene.robots():
        add_robot(scene, robot, (places, springs), friction)
        jointed |= {joint.child for joint in robot} | {joint.parent for joint in robot}
    for body in scene.bodies:
        if body.name not in jointed:
            places[body.name] = (add_body(body, friction), -1)

    def step(count):
        spent = 0.0
        for _ in range(count):
            pull(springs)
            start = cpu_micros()
            pybullet.stepSimulation()
            spent += cpu_micros() - start
        return spent

    def positions():
        return [position(*places[body.name]) for body in scene.bodies]

    serve("PyBullet " + version(), step, positions)


def version():
    from importlib.metadata import version as installed

    return installed("pybullet")


def position(robot, link):
    if link < 0:
        return list(pybullet.getBasePositionAndOrientation(robot)[0])
    return list(pybullet.getLinkState(robot, link, computeForwardKinematics=True)[0])


def pull(springs):
    for robot, joints in springs:
        numbers = [number for number, _ in joints]
        states = pybullet.getJointStates(robot, numbers)
        torques = [
            joint.stiffness * (joint.reference - state[0]) - joint.damping * state[1]
            for (_, joint), state in zip(joints, states)
        ]
        pybullet.setJointMotorControlArray(robot, numbers, pybullet.TORQUE_CONTROL, forces=torques)


def settle_down(robot, link, friction):
    pybullet.changeDynamics(robot, link, lateralFriction=friction, restitution=0.0)


def add_body(body, friction):
    kind, *sizes = body.shape
    if kind == "box":
        shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[s / 2 for s in sizes])
    else:
        shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=sizes[0])
    made = pybullet.createMultiBody(body.mass, shape, basePosition=body.position, useMaximalCoordinates=1)
    settle_down(made, -1, friction)
    # Its inertia is that of an even box, which the scene has too; setting it gives NaN.
    pybullet.changeDynamics(made, -1, linearDamping=0.0, angularDamping=0.0)
    return made


def add_robot(scene, joints, known, friction):
    places, springs = known
    bodies = {body.name: body for body in scene.bodies}
    root = joints[0].parent
    fixed = root == "world"
    start = [0.0, 0.0, 0.0] if fixed else bodies[root].position
    robot = load(urdf(bodies, joints, root), start, fixed)
    if not fixed:
        places[root] = (robot, -1)
    names = {}
    for number in range(pybullet.getNumJoints(robot)):
        names[pybullet.getJointInfo(robot, number)[1].decode()] = number
    for link in range(-1, len(joints)):
        settle_down(robot, link, friction)
        pybullet.changeDynamics(robot, link, linearDamping=0.0, angularDamping=0.0, jointDamping=0.0)
    for joint in joints:
        number = names[joint.name]
        places[joint.child] = (robot, number)
        # Bullet brakes every joint unless it is told not to.
        pybullet.setJointMotorControl2(robot, number, pybullet.VELOCITY_CONTROL, force=0.0)
    springs.append((robot, [(names[joint.name], joint) for joint in joints]))


def load(text, start, fixed):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "robot.urdf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        flags = pybullet.URDF_USE_INERTIA_FROM_FILE
        return pybullet.loadURDF(path, basePosition=start, useFixedBase=fixed, flags=flags)


def urdf(bodies, joints, root):
    """A robot as URDF: there the origin of a link is its joint, and its mass is elsewhere."""
    origins = {root: bodies[root].position if root in bodies else [0.0, 0.0, 0.0]}
    origins |= {joint.child: joint.anchor for joint in joints}
    parts = ['<robot name="robot">']
    if root in bodies:
        parts.append(link_xml(bodies[root], origins[root]))
    else:
        parts.append(f'<link name="{root}"/>')
    for joint in joints:
        parts.append(link_xml(bodies[joint.child], joint.anchor))
        place = words(minus(joint.anchor, origins[joint.parent]))
        parts.append(
            f'<joint name="{joint.name}" type="continuous"><parent link="{joint.parent}"/>'
            f'<child link="{joint.child}"/><origin xyz="{place}"/><axis xyz="{words(joint.axis)}"/></joint>'
        )
    parts.append("</robot>")
    return "\n".join(parts)


def link_xml(body, origin):
    place = f'<origin xyz="{words(minus(body.position, origin))}"/>'
    x, y, z = body.moments
    inertia = f'<inertia ixx="{x}" iyy="{y}" izz="{z}" ixy="0" ixz="0" iyz="0"/>'
    collision = ""
    if body.shape[0] != "none":
        collision = f"<collision>{place}<geometry>{shape_xml(body.shape)}</geometry></collision>"
    return (
        f'<link name="{body.name}"><inertial>{place}<mass value="{body.mass}"/>{inertia}</inertial>'
        f"{collision}</link>"
    )


def shape_xml(shape):
    kind, *sizes = shape
    if kind == "box":
        return f'<box size="{words(sizes)}"/>'
    if kind == "sphere":
        return f'<sphere radius="{sizes[0]}"/>'
    return f'<cylinder radius="{sizes[0]}" length="{sizes[1]}"/>'


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def words(numbers):
    return " ".join(repr(float(number)) for number in numbers)


main()
