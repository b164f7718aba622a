/** What pages ask and say on the bus. A published message is no user command: nobody can undo it. */
import { MessageSchema } from '../world/schema';
import { encodedOf, type Encoded } from '../world/topics';
import type { Sender } from './send';

/** Asks what messages of a type look like. */
export async function describeType(sender: Sender, typeName: string): Promise<MessageSchema> {
  const { descriptor } = await sender.request({ case: 'describeType', value: { typeName } });
  if (descriptor === undefined) {
    throw new Error(`The host said nothing about ${typeName}`);
  }
  return MessageSchema.read(typeName, descriptor.fileDescriptorSet);
}

/** Publishes a message; returns what came of it. */
export async function publishMessage(sender: Sender, topic: string, message: Encoded): Promise<string> {
  const reply = await sender.request({ case: 'publish', value: { topic, message } });
  return reply.message;
}

/** Calls a service and returns its reply. */
export async function callService(sender: Sender, service: string, request: Encoded): Promise<Encoded> {
  const { called } = await sender.request({ case: 'call', value: { service, request } });
  if (called === undefined) {
    throw new Error(`${service} replied nothing`);
  }
  return encodedOf(called);
}
