// roslib against a world with the arm: subscribe, publish, call, send and cancel a goal.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const [port, modules] = process.argv.slice(2);
const from = (path) => import(pathToFileURL(`${modules}/${path}`));
const ROSLIB = await from("roslib/dist/RosLib.js");

const PATIENCE = 60_000;
const within = (promise, what) =>
  Promise.race([
    promise,
    new Promise((_, fail) => setTimeout(() => fail(new Error(`no ${what}`)), PATIENCE).unref()),
  ]);

const ros = new ROSLIB.Ros({ url: `ws://127.0.0.1:${port}` });
await within(new Promise((done, fail) => ros.on("connection", done) && ros.on("error", fail)), "connection");

const hear = (name, messageType, wanted = () => true) =>
  within(
    new Promise((done) => {
      const topic = new ROSLIB.Topic({ ros, name, messageType });
      topic.subscribe((message) => {
        if (!wanted(message)) return;
        topic.unsubscribe();
        done(message);
      });
    }),
    name,
  );
const call = (name, serviceType, request = {}) =>
  within(
    new Promise((done, fail) =>
      new ROSLIB.Service({ ros, name, serviceType }).callService(request, done, (e) => fail(new Error(e))),
    ),
    name,
  );

const joints = await hear("/joint_states", "sensor_msgs/msg/JointState");
assert.deepEqual(joints.name[0], "shoulder_pan");
const clock = await hear("/clock", "rosgraph_msgs/msg/Clock");
assert.ok(clock.clock.sec + clock.clock.nanosec / 1e9 >= joints.header.stamp.sec);
const urdf = await hear("/robot_description", "std_msgs/msg/String");
assert.match(urdf.data, /<robot name="arm">/);

const paused = { state: { state: 2 } };
assert.equal((await call("/set_simulation_state", "simulation_interfaces/srv/SetSimulationState", paused)).result.result, 1);
const step = await call("/step_simulation", "simulation_interfaces/srv/StepSimulation", { steps: 100 });
assert.equal(step.result.result, 1);
const playing = { state: { state: 1 } };
await call("/set_simulation_state", "simulation_interfaces/srv/SetSimulationState", playing);
const early = await call("/step_simulation", "simulation_interfaces/srv/StepSimulation", { steps: 1 });
assert.equal(early.result.result, 3, early.result.error_message);
await assert.rejects(call("/no/such", "std_srvs/srv/Trigger"), /No service/);

const trajectory = (sec, position) => ({
  joint_names: ["elbow"],
  points: [{ positions: [position], time_from_start: { sec, nanosec: 0 } }],
});
const talker = new ROSLIB.Topic({
  ros,
  name: "/arm/joint_trajectory",
  messageType: "trajectory_msgs/msg/JointTrajectory",
});
talker.publish(trajectory(1, -0.3));
const elbow = joints.name.indexOf("elbow");
await hear("/joint_states", "sensor_msgs/msg/JointState", (m) => Math.abs(m.position[elbow] + 0.3) < 0.01);

const action = new ROSLIB.Action({
  ros,
  name: "/arm/follow_joint_trajectory",
  actionType: "control_msgs/action/FollowJointTrajectory",
});
let feedbacks = 0;
const result = await within(
  new Promise((done, fail) =>
    action.sendGoal({ trajectory: trajectory(1, -0.6) }, done, () => feedbacks++, (e) => fail(new Error(e))),
  ),
  "result",
);
assert.equal(result.error_code, 0);
assert.ok(feedbacks > 0);
const ended = await within(
  new Promise((done, fail) => {
    let cancelled = false;
    const id = action.sendGoal(
      { trajectory: trajectory(50, 0.5) },
      () => fail(new Error("it was not cancelled")),
      () => {
        if (!cancelled) action.cancelGoal(id);
        cancelled = true;
      },
      done,
    );
  }),
  "cancel",
);
assert.match(ended, /cancel/i);
console.log("all is well");
process.exit(0);
