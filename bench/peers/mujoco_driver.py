"""Steps a scene with MuJoCo: `mujoco_driver.py SCENE [exact]`.

Newton solver and implicit integration, as its documentation advises for robots. Contacts are as stiff
as MuJoCo allows (a time constant of two steps), because its defaults let things sink by millimetres.
`exact` integrates by Runge-Kutta in steps of a fiftieth: what the others are measured against.
"""

import sys

import mujoco

from scene import cpu_micros, read_scene, serve

FINER = 50


def main():
    scene = read_scene(sys.argv[1])
    exact = sys.argv[2:] == ["exact"]
    model = mujoco.MjModel.from_xml_string(xml(scene, exact))
    data = mujoco.MjData(model)
    ids = [model.body(body.name).id for body in scene.bodies]
    times = FINER if exact else 1

    def step(count):
        start = cpu_micros()
        mujoco.mj_step(model, data, nstep=count * times)
        return cpu_micros() - start

    def positions():
        mujoco.mj_kinematics(model, data)
        return [list(data.xpos[body]) for body in ids]

    serve(f"MuJoCo {mujoco.__version__}", step, positions)


def xml(scene, exact):
    step = scene.step_secs / (FINER if exact else 1)
    integrator = "RK4" if exact else "implicitfast"
    # Robots do not touch themselves, as in the other engines; feet and boxes touch all else.
    affinity = 'contype="1" conaffinity="1"'
    parts = [
        "<mujoco>",
        '<compiler angle="radian" inertiafromgeom="false"/>',
        f'<option timestep="{step}" gravity="{words(scene.gravity)}" integrator="{integrator}"/>',
        # A box on a box has eight points in MuJoCo; a thousand need room.
        '<size memory="1G"/>',
        f'<default><geom friction="{scene.friction} 0.005 0.0001" solref="{2 * step} 1" {affinity}/></default>',
        '<worldbody><geom type="plane" size="0 0 1"/>',
    ]
    bodies = {body.name: body for body in scene.bodies}
    held = {}
    for joint in scene.joints:
        held.setdefault(joint.parent, []).append(joint)
    children = {joint.child for joint in scene.joints}
    for joint in held.get("world", []):
        parts.append(body_xml(bodies, held, joint, [0.0, 0.0, 0.0]))
    for body in scene.bodies:
        if body.name not in children:
            parts.append(free_xml(bodies, held, body))
    parts.append("</worldbody>")
    parts.append(excludes(scene))
    parts.append("</mujoco>")
    return "\n".join(parts)


def excludes(scene):
    pairs = []
    for robot in scene.robots():
        links = sorted({joint.child for joint in robot} | {j.parent for j in robot} - {"world"})
        pairs += [(a, b) for i, a in enumerate(links) for b in links[i + 1 :]]
    lines = [f'<exclude body1="{a}" body2="{b}"/>' for a, b in pairs]
    return "<contact>" + "".join(lines) + "</contact>"


def free_xml(bodies, held, body):
    inner = "".join(body_xml(bodies, held, joint, body.position) for joint in held.get(body.name, []))
    return (
        f'<body name="{body.name}" pos="{words(body.position)}"><freejoint/>'
        f"{inertial(body)}{geom(body)}{inner}</body>"
    )


def body_xml(bodies, held, joint, parent_position):
    body = bodies[joint.child]
    inner = "".join(body_xml(bodies, held, below, body.position) for below in held.get(body.name, []))
    spring = f'stiffness="{joint.stiffness}" damping="{joint.damping}" springref="{joint.reference}"'
    hinge = (
        f'<joint name="{joint.name}" type="hinge" pos="{words(minus(joint.anchor, body.position))}" '
        f'axis="{words(joint.axis)}" {spring}/>'
    )
    place = words(minus(body.position, parent_position))
    return f'<body name="{body.name}" pos="{place}">{hinge}{inertial(body)}{geom(body)}{inner}</body>'


def inertial(body):
    return f'<inertial pos="0 0 0" mass="{body.mass}" diaginertia="{words(body.moments)}"/>'


def geom(body):
    kind, *sizes = body.shape
    if kind == "none":
        return ""
    if kind == "box":
        sizes = [size / 2 for size in sizes]
    if kind == "cylinder":
        sizes = [sizes[0], sizes[1] / 2]
    return f'<geom type="{kind}" size="{words(sizes)}"/>'


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def words(numbers):
    return " ".join(repr(float(number)) for number in numbers)


main()
