import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';

import { decodeHostFrame, encodePageMessage, FrameError } from './frames';
import { HostMessageSchema, PageMessageSchema } from './generated/retake/msgs/page_pb';

function poseFrame(count: number): ArrayBuffer {
  const buffer = new ArrayBuffer(16 + count * 28);
  const view = new DataView(buffer);
  view.setUint32(0, 2, true);
  view.setUint32(4, 9, true);
  view.setFloat64(8, 1.5, true);
  for (let i = 0; i < count * 7; i += 1) {
    view.setFloat32(16 + i * 4, i, true);
  }
  return buffer;
}

describe('frames', () => {
  it('reads poses', () => {
    const frame = decodeHostFrame(poseFrame(2));
    expect(frame).toMatchObject({ kind: 'poses', frame: { setId: 9, simTimeSecs: 1.5 } });
    expect(frame.kind === 'poses' ? [...frame.frame.poses] : []).toEqual([...Array(14).keys()]);
  });

  it('reads messages', () => {
    const body = toBinary(
      HostMessageSchema,
      create(HostMessageSchema, { message: { case: 'serverLink', value: { connected: true } } }),
    );
    const bytes = new Uint8Array([1, 0, 0, 0, ...body]);
    const frame = decodeHostFrame(bytes.buffer);
    expect(frame).toMatchObject({ kind: 'message', message: { case: 'serverLink' } });
  });

  it('writes what the host reads', () => {
    const bytes = encodePageMessage({ message: { case: 'hello', value: { protocolVersion: 7 } } });
    expect([...bytes.slice(0, 4)]).toEqual([1, 0, 0, 0]);
    const back = fromBinary(PageMessageSchema, bytes.slice(4));
    expect(back.message).toMatchObject({ case: 'hello', value: { protocolVersion: 7 } });
  });

  it.each([
    [new ArrayBuffer(3), 'a message of 3 bytes is too short'],
    [poseFrame(2).slice(0, 40), 'a pose frame of 40 bytes is cut short'],
    [new Uint8Array([7, 0, 0, 0]).buffer, 'unknown kind of message: 7'],
    [new Uint8Array([1, 0, 0, 0, 0xff]).buffer, 'a message could not be decoded'],
  ])('refuses what is broken', (buffer, text) => {
    expect(() => decodeHostFrame(buffer)).toThrow(new FrameError(text));
  });
});
