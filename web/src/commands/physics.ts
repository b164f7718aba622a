/** Physics profiles: every change is a user command that can be undone. */
import { physicsOf, type Physics } from '../world/physics';
import { sendUserCommand, type Sender } from './send';

/** What a new profile begins with: defaults, another profile, or a `<physics>` element. */
export type ProfileOrigin = { readonly from: 'defaults' } | { readonly from: 'copy'; readonly of: string } | { readonly from: 'sdf'; readonly sdf: string };

/** A setting of a profile is to have another value. */
export interface SettingChange {
  readonly profile: string;
  readonly key: string;
  /** As SDF writes it. */
  readonly value: string;
  /** Changes of one gesture, as a drag, carry the same; empty for a change of its own. */
  readonly gesture: string;
}

/** Asks for all profiles and what is in force. */
export async function fetchPhysics(sender: Sender): Promise<Physics> {
  const { physics } = await sender.request({ case: 'physics', value: {} });
  if (physics === undefined) {
    throw new Error('The server said nothing about its physics profiles');
  }
  return physicsOf(physics);
}

export async function switchProfile(sender: Sender, name: string): Promise<void> {
  await sendUserCommand(sender, { case: 'setCurrentProfile', value: { name } });
}

export async function setSetting(sender: Sender, { profile, key, value, gesture }: SettingChange): Promise<void> {
  await sendUserCommand(sender, { case: 'setProfileParam', value: { profile, param: [{ key, value }] } }, gesture);
}

export async function createProfile(sender: Sender, name: string, origin: ProfileOrigin): Promise<void> {
  const value = {
    name,
    copyOf: origin.from === 'copy' ? origin.of : '',
    sdf: origin.from === 'sdf' ? origin.sdf : '',
  };
  await sendUserCommand(sender, { case: 'createProfile', value });
}

export async function removeProfile(sender: Sender, name: string): Promise<void> {
  await sendUserCommand(sender, { case: 'removeProfile', value: { name } });
}

/** Makes or replaces every profile of an SDF text; returns what happened. */
export async function loadProfiles(sender: Sender, sdf: string): Promise<string> {
  const { message } = await sendUserCommand(sender, { case: 'loadProfiles', value: { sdf } });
  return message;
}

/** Writes the profiles into the file that the world came from; returns what happened. */
export async function saveProfiles(sender: Sender): Promise<string> {
  const { message } = await sender.request({ case: 'saveProfiles', value: {} });
  return message;
}
