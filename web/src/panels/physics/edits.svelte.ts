/** What a person sets, shown at once and sent one after the other, the newest of each setting. */
import { SvelteMap } from 'svelte/reactivity';

import type { SettingChange } from '../../commands/physics';
import { errorText } from '../../lib/errorText';
import { OneByOne } from '../../lib/oneByOne';

type Change = Omit<SettingChange, 'profile'>;

/** The settings of one profile that are being changed, by their keys. */
export class SettingEdits {
  private readonly wishes = new SvelteMap<string, string>();
  private readonly reasons = new SvelteMap<string, string>();
  private readonly senders: Partial<Record<string, OneByOne<Change>>> = {};

  /** `send` fails with a text for people, and when it is done the value is shown by the server. */
  constructor(private readonly send: (change: Change) => Promise<void>) {}

  /** What a setting shows now. */
  shown(key: string, value: string): string {
    return this.wishes.get(key) ?? value;
  }

  waiting(key: string): boolean {
    return this.wishes.has(key);
  }

  /** Why the last change of a setting was refused. */
  reason(key: string): string | undefined {
    return this.reasons.get(key);
  }

  /** A person wants a setting to have a value. */
  wish(key: string, value: string, gesture: string): void {
    this.reasons.delete(key);
    this.wishes.set(key, value);
    this.senders[key] ??= this.senderOf(key);
    this.senders[key].ask({ key, value, gesture });
  }

  /** What was typed cannot even be sent. */
  refuse(key: string, reason: string): void {
    this.reasons.set(key, reason);
  }

  private senderOf(key: string): OneByOne<Change> {
    const send = async (change: Change): Promise<void> => {
      await this.send(change);
      // A newer wish stays until it is answered itself.
      if (this.wishes.get(key) === change.value) {
        this.wishes.delete(key);
      }
    };
    return new OneByOne<Change>(send, (_waiting, newer) => newer, (error) => {
      this.wishes.delete(key);
      this.refuse(key, errorText(error));
    });
  }
}
