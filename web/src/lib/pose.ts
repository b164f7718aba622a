/** Rigid transforms as plain tuples: metres, unit quaternions stored x, y, z, w. */

export type Vec3 = readonly [number, number, number];
export type Quat = readonly [number, number, number, number];

/** `a_from_b` maps coordinates of `b` to coordinates of `a`. */
export interface Pose {
  readonly position: Vec3;
  readonly rotation: Quat;
}

export const IDENTITY_POSE: Pose = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };

/** Turns a vector by a unit quaternion. */
export function rotate([qx, qy, qz, qw]: Quat, [x, y, z]: Vec3): Vec3 {
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  return [
    x + qw * tx + qy * tz - qz * ty,
    y + qw * ty + qz * tx - qx * tz,
    z + qw * tz + qx * ty - qy * tx,
  ];
}

/** Returns the rotation that turns by `b` first and by `a` then. */
export function multiplyQuat([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat): Quat {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** Returns `a_from_c` of `a_from_b` and `b_from_c`. */
export function compose(outer: Pose, inner: Pose): Pose {
  const [x, y, z] = rotate(outer.rotation, inner.position);
  const [px, py, pz] = outer.position;
  return {
    position: [px + x, py + y, pz + z],
    rotation: multiplyQuat(outer.rotation, inner.rotation),
  };
}

/** Returns `a_from_b` of `world_from_a` and `world_from_b`. */
export function within({ position: [ax, ay, az], rotation: [qx, qy, qz, qw] }: Pose, { position: [bx, by, bz], rotation }: Pose): Pose {
  const back: Quat = [-qx, -qy, -qz, qw];
  return { position: rotate(back, [bx - ax, by - ay, bz - az]), rotation: multiplyQuat(back, rotation) };
}

/** Returns roll, pitch and yaw about fixed axes in radians, as SDF writes them. */
export function rollPitchYaw([x, y, z, w]: Quat): Vec3 {
  const sinPitch = Math.min(1, Math.max(-1, 2 * (w * y - z * x)));
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(sinPitch),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

/** Returns the rotation of roll, pitch and yaw about fixed axes in radians. */
export function quatOfRollPitchYaw([roll, pitch, yaw]: Vec3): Quat {
  const about = (angle: number, axis: Vec3): Quat => {
    const sin = Math.sin(angle / 2);
    return [axis[0] * sin, axis[1] * sin, axis[2] * sin, Math.cos(angle / 2)];
  };
  return multiplyQuat(about(yaw, [0, 0, 1]), multiplyQuat(about(pitch, [0, 1, 0]), about(roll, [1, 0, 0])));
}

/** Returns the unit quaternion in the same direction; undefined when there is none. */
export function normalizedQuat([x, y, z, w]: Quat): Quat | undefined {
  const length = Math.hypot(x, y, z, w);
  return length > 1e-9 && Number.isFinite(length) ? [x / length, y / length, z / length, w / length] : undefined;
}

/** Returns the shortest rotation that turns z into the unit vector `to`. */
export function rotationFromZ([x, y, z]: Vec3): Quat {
  if (z < -0.999999) {
    return [1, 0, 0, 0];
  }
  const length = Math.hypot(-y, x, 1 + z);
  return [-y / length, x / length, 0, (1 + z) / length];
}

/** Length of a vector. */
export function magnitude([x, y, z]: Vec3): number {
  return Math.hypot(x, y, z);
}
