/** How commands reach the server. Each command has its own file; nothing else changes the world. */
import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Pose, Quat, Vec3 } from '../lib/pose';
import { uuidV7 } from '../lib/uuid';
import type { EntityRefSchema, UserCmdSchema } from '../protocol/generated/retake/msgs/command_pb';
import type { Reply, RequestSchema } from '../protocol/generated/retake/msgs/page_pb';
import type { EntityId } from '../world/entity';

/** What commands need of the connection. A refusal rejects with a text for people. */
export interface Sender {
  /** Waits for an answer as long as most take, or as long as it is told. */
  request(body: NonNullable<MessageInitShape<typeof RequestSchema>['request']>, patienceMs?: number): Promise<Reply>;
}

/** Reads what came with a refusal; undefined of any other error. */
export function refusedReply(error: unknown): Reply | undefined {
  return error instanceof Error && 'reply' in error ? (error.reply as Reply | undefined) : undefined;
}

type CommandBody = NonNullable<MessageInitShape<typeof UserCmdSchema>['command']>;

/**
 * Sends one user command under a fresh id; those of one `gesture` are one entry of the history,
 * which the server words itself unless there is a `description`.
 */
export function sendUserCommand(sender: Sender, command: CommandBody, gesture = '', description = ''): Promise<Reply> {
  return sender.request({ case: 'command', value: { id: uuidV7(), author: 'page', gesture, description, command } });
}

/** A little longer than the host itself waits for an instant of the past, which may have to be simulated again. */
export const PAST_PATIENCE_MS = 65_000;

/** Names an entity by its id. */
export function entityRef(id: EntityId): MessageInitShape<typeof EntityRefSchema> {
  return { by: { case: 'id', value: BigInt(id) } };
}

export function vectorMessage([x, y, z]: Vec3): { x: number; y: number; z: number } {
  return { x, y, z };
}

export function orientationMessage([x, y, z, w]: Quat): { x: number; y: number; z: number; w: number } {
  return { x, y, z, w };
}

export function poseMessage({ position, rotation }: Pose) {
  return { position: vectorMessage(position), orientation: orientationMessage(rotation) };
}
