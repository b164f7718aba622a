/**
 * What goes over the WebSocket, as `page.proto` describes it: a little-endian u32 for the kind,
 * then a protobuf message or a flat pose frame.
 */
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';

import { HostMessageSchema, PageMessageSchema, type HostMessage } from './generated/retake/msgs/page_pb';

const KIND_MESSAGE = 1;
const KIND_POSES = 2;
const MESSAGE_OFFSET = 4;
const POSES_OFFSET = 16;

/** Numbers for each entity of a pose frame: x y z qx qy qz qw. */
export const POSE_STRIDE = 7;

/** World poses of every entity of one pose set, in the order of the set. */
export interface PoseFrame {
  readonly setId: number;
  readonly simTimeSecs: number;
  readonly poses: Float32Array;
}

export type HostFrame =
  | { readonly kind: 'message'; readonly message: HostMessage['message'] }
  | { readonly kind: 'poses'; readonly frame: PoseFrame };

/** Bytes that do not follow the protocol. */
export class FrameError extends Error {}

/** Packs a message to the host. */
export function encodePageMessage(message: MessageInitShape<typeof PageMessageSchema>): Uint8Array<ArrayBuffer> {
  const body = toBinary(PageMessageSchema, create(PageMessageSchema, message));
  const bytes = new Uint8Array(MESSAGE_OFFSET + body.length);
  new DataView(bytes.buffer).setUint32(0, KIND_MESSAGE, true);
  bytes.set(body, MESSAGE_OFFSET);
  return bytes;
}

/**
 * Reads one WebSocket message of the host. The poses are a view of `buffer`, not a copy.
 *
 * @throws FrameError when the bytes are not of a known kind or are cut short.
 */
export function decodeHostFrame(buffer: ArrayBuffer): HostFrame {
  if (buffer.byteLength < MESSAGE_OFFSET) {
    throw new FrameError(`a message of ${buffer.byteLength} bytes is too short`);
  }
  const kind = new DataView(buffer).getUint32(0, true);
  switch (kind) {
    case KIND_MESSAGE:
      return { kind: 'message', message: decodeMessage(buffer).message };
    case KIND_POSES:
      return { kind: 'poses', frame: decodePoses(buffer) };
    default:
      throw new FrameError(`unknown kind of message: ${kind}`);
  }
}

function decodeMessage(buffer: ArrayBuffer): HostMessage {
  try {
    return fromBinary(HostMessageSchema, new Uint8Array(buffer, MESSAGE_OFFSET));
  } catch (cause) {
    throw new FrameError('a message could not be decoded', { cause });
  }
}

function decodePoses(buffer: ArrayBuffer): PoseFrame {
  const bytes = buffer.byteLength - POSES_OFFSET;
  if (bytes < 0 || bytes % (POSE_STRIDE * 4) !== 0) {
    throw new FrameError(`a pose frame of ${buffer.byteLength} bytes is cut short`);
  }
  const view = new DataView(buffer);
  return {
    setId: view.getUint32(4, true),
    simTimeSecs: view.getFloat64(8, true),
    poses: new Float32Array(buffer, POSES_OFFSET, bytes / 4),
  };
}
