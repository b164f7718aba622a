/** Schemas and messages for tests, as the bus would bring them. */
import { create, toBinary, type DescFile, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { JointStateVSchema, NotificationSchema, WorldStatisticsSchema } from '../protocol/generated/retake/msgs/world_pb';
import { MessageSchema } from './schema';

export { Notification_Level as Level } from '../protocol/generated/retake/msgs/world_pb';

const TYPES = { jointStates: JointStateVSchema, notification: NotificationSchema, statistics: WorldStatisticsSchema } as const;
type Types = typeof TYPES;

/** Returns the schema of a type, as a page gets it that was not compiled with it. */
export function schemaOf(type: keyof Types, order: 'sorted' | 'reversed' = 'sorted'): MessageSchema {
  const desc: DescMessage = TYPES[type];
  const sorted = withDependencies(desc.file).map(({ proto }) => proto);
  const file = order === 'sorted' ? sorted : sorted.toReversed();
  return MessageSchema.read(desc.typeName, toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })));
}

/** Encodes a message. */
export function bytesOf<T extends keyof Types>(type: T, init: MessageInitShape<Types[T]>): Uint8Array {
  const desc: Types[T] = TYPES[type];
  return toBinary(desc, create(desc, init));
}

/** A file after those that it needs. */
function withDependencies(file: DescFile): readonly DescFile[] {
  return [...new Set([...file.dependencies.flatMap(withDependencies), file])];
}
