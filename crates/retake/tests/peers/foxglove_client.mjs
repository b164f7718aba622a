// The client of Foxglove's published protocol against a world with the arm.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const [address, modules] = process.argv.slice(2);
const require = createRequire(`${modules}/x.js`);
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader, MessageWriter } = require("@foxglove/rosmsg2-serialization");
const { WebSocket } = require("ws");

const PATIENCE = 60_000;
const within = (promise, what) =>
  Promise.race([
    promise,
    new Promise((_, fail) => setTimeout(() => fail(new Error(`no ${what}`)), PATIENCE).unref()),
  ]);

const ws = new WebSocket(address, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]);
const client = new FoxgloveClient({ ws });
const once = (name) => within(new Promise((done) => client.on(name, done)), name);
const [info, channels, services] = await Promise.all([
  once("serverInfo"),
  once("advertise"),
  once("advertiseServices"),
]);
assert.ok(info.capabilities.includes("time"), info);
const byTopic = new Map(channels.map((channel) => [channel.topic, channel]));
assert.deepEqual(byTopic.get("/joint_states").schemaName, "sensor_msgs/msg/JointState");
assert.ok(![...byTopic.keys()].some((topic) => topic.endsWith("/status")), "topics of ROS 1 are shown");

// Messages are read with the definitions that the server tells.
const hear = (topic, wanted = () => true) => {
  const channel = byTopic.get(topic);
  const reader = new MessageReader(parse(channel.schema, { ros2: true }));
  const heard = new Promise((done) => {
    const subscription = client.subscribe(channel.id);
    const take = (event) => {
      if (event.subscriptionId !== subscription) return;
      const message = reader.readMessage(event.data);
      if (!wanted(message)) return;
      client.off("message", take);
      client.unsubscribe(subscription);
      done({ message, timestamp: event.timestamp });
    };
    client.on("message", take);
  });
  return within(heard, topic);
};
const joints = (await hear("/joint_states")).message;
assert.deepEqual(joints.name.slice(0, 3), ["shoulder_pan", "shoulder_lift", "elbow"]);
assert.equal(joints.position.length, 6);
const moving = (await hear("/tf")).message.transforms;
assert.equal(moving.find((frame) => frame.child_frame_id === "shoulder").header.frame_id, "pedestal");
const frames = (await hear("/tf_static")).message.transforms;
const pedestal = frames.find((frame) => frame.child_frame_id === "pedestal");
assert.equal(pedestal.header.frame_id, "world");
assert.match((await hear("/robot_description")).message.data, /<robot name="arm">/);
const time = await once("time");
assert.ok(time.timestamp >= BigInt(joints.header.stamp.sec) * 1_000_000_000n);

// Publishing: a trajectory moves the elbow.
const writerOf = (schema) => new MessageWriter(parse(schema, { ros2: true }));
const trajectory = {
  joint_names: ["elbow"],
  points: [{ positions: [-0.35], time_from_start: { sec: 1, nanosec: 0 } }],
};
const own = client.advertise({
  topic: "/arm/joint_trajectory",
  encoding: "json",
  schemaName: "trajectory_msgs/msg/JointTrajectory",
});
client.sendMessage(own, new TextEncoder().encode(JSON.stringify(trajectory)));
const elbow = joints.name.indexOf("elbow");
await hear("/joint_states", (message) => Math.abs(message.position[elbow] + 0.35) < 0.01);

// Services, in CDR.
const call = (name, request) => {
  const service = services.find((one) => one.name === name);
  const callId = Math.floor(Math.random() * 1e9);
  const answered = new Promise((done, fail) => {
    client.on("serviceCallResponse", (event) => {
      if (event.callId !== callId) return;
      done(new MessageReader(parse(service.response.schema, { ros2: true })).readMessage(event.data));
    });
    client.on("serviceCallFailure", (event) => event.callId === callId && fail(new Error(event.message)));
  });
  const data = writerOf(service.request.schema).writeMessage(request);
  client.sendServiceCallRequest({ serviceId: service.id, callId, encoding: "cdr", data });
  return within(answered, name);
};
const found = await call("/get_entity_state", { entity: "block_red" });
assert.equal(found.result.result, 1);
assert.ok(Math.abs(found.state.pose.position.x - 0.73) < 0.05, found.state.pose.position);
const state = await call("/get_simulation_state", {});
assert.equal(state.state.state, 1);
console.log("all is well");
process.exit(0);
