/** One entity of the mirror and its components, decoded when somebody looks at them. */
import { decode } from '@msgpack/msgpack';

import { errorText } from '../lib/errorText';

/** Id of an entity. The server counts from one, so a double holds every id exactly. */
export type EntityId = number;

/** Kinds of entities that the page knows; others are drawn and listed as `unknown`. */
export const KINDS = [
  'world', 'model', 'link', 'joint', 'collision', 'visual', 'light', 'sensor', 'plugin', 'frame',
] as const;
export type Kind = (typeof KINDS)[number] | 'unknown';

/** Reads an id of a message. */
export function entityIdOf(id: bigint): EntityId {
  if (id > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(`entity id ${id} is too large for the page`);
  }
  return Number(id);
}

interface Stored {
  readonly bytes: Uint8Array;
  value?: { readonly decoded: unknown };
}

export class Entity {
  private readonly stored = new Map<string, Stored>();

  constructor(readonly id: EntityId) {}

  /** Returns a component's value, or undefined when there is none. */
  component(name: string): unknown {
    const stored = this.stored.get(name);
    if (stored === undefined) {
      return undefined;
    }
    stored.value ??= { decoded: decodeValue(stored.bytes) };
    return stored.value.decoded;
  }

  /** Names of all components, sorted. */
  componentNames(): readonly string[] {
    return [...this.stored.keys()].sort();
  }

  setComponent(name: string, bytes: Uint8Array): void {
    this.stored.set(name, { bytes });
  }

  removeComponent(name: string): void {
    this.stored.delete(name);
  }

  get name(): string {
    const name = this.component('name');
    return typeof name === 'string' ? name : `#${this.id}`;
  }

  get kind(): Kind {
    const kind = this.component('kind');
    return KINDS.find((known) => known === kind) ?? 'unknown';
  }

  get parent(): EntityId | undefined {
    const parent = this.component('parent');
    return typeof parent === 'number' ? parent : undefined;
  }
}

function decodeValue(bytes: Uint8Array): unknown {
  try {
    return decode(bytes);
  } catch (error) {
    // One bad value must not hide the rest of the world; the inspector shows this text.
    return `cannot be decoded: ${errorText(error)}`;
  }
}
