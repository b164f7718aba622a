/** How commands reach the server. Each command has its own file; nothing else changes the world. */
import type { MessageInitShape } from '@bufbuild/protobuf';

import { uuidV7 } from '../lib/uuid';
import type { EntityRefSchema, UserCmdSchema } from '../protocol/generated/retake/msgs/command_pb';
import type { Reply, RequestSchema } from '../protocol/generated/retake/msgs/page_pb';
import type { EntityId } from '../world/entity';

/** What commands need of the connection. A refusal rejects with a text for people. */
export interface Sender {
  request(body: NonNullable<MessageInitShape<typeof RequestSchema>['request']>): Promise<Reply>;
}

type CommandBody = NonNullable<MessageInitShape<typeof UserCmdSchema>['command']>;

/**
 * Sends one user command under a fresh id; those of one `gesture` are one entry of the history,
 * which the server words itself unless there is a `description`.
 */
export function sendUserCommand(sender: Sender, command: CommandBody, gesture = '', description = ''): Promise<Reply> {
  return sender.request({ case: 'command', value: { id: uuidV7(), author: 'page', gesture, description, command } });
}

/** Names an entity by its id. */
export function entityRef(id: EntityId): MessageInitShape<typeof EntityRefSchema> {
  return { by: { case: 'id', value: BigInt(id) } };
}
