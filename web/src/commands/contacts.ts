import { create, fromBinary, toBinary } from '@bufbuild/protobuf';

import { WorldContactsRequestSchema, WorldContactsSchema } from '../protocol/generated/retake/msgs/world_contacts_pb';
import { contactsOf, type Contacts } from '../world/contacts';
import type { Sender } from './send';
import { callService } from './topics';

/** Asks where things of a world touch. */
export async function fetchContacts(sender: Sender, world: string): Promise<Contacts> {
  const bytes = toBinary(WorldContactsRequestSchema, create(WorldContactsRequestSchema));
  const reply = await callService(sender, `/world/${namePart(world)}/contacts/get`, { typeName: WorldContactsRequestSchema.typeName, bytes });
  return contactsOf(fromBinary(WorldContactsSchema, reply.bytes));
}

/** Writes a name as one part of the name of a service, as the server does. */
function namePart(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('/', '%2F');
}
