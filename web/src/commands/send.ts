/** How commands reach the server. Each command has its own file; nothing else changes the world. */
import type { MessageInitShape } from '@bufbuild/protobuf';

import { uuidV7 } from '../lib/uuid';
import type { UserCmdSchema } from '../protocol/generated/retake/msgs/command_pb';
import type { Reply, RequestSchema } from '../protocol/generated/retake/msgs/page_pb';

/** What commands need of the connection. A refusal rejects with a text for people. */
export interface Sender {
  request(body: NonNullable<MessageInitShape<typeof RequestSchema>['request']>): Promise<Reply>;
}

type CommandBody = NonNullable<MessageInitShape<typeof UserCmdSchema>['command']>;

/** Sends one user command under a fresh id. */
export function sendUserCommand(sender: Sender, command: CommandBody): Promise<Reply> {
  return sender.request({ case: 'command', value: { id: uuidV7(), author: 'page', command } });
}
