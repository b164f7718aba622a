/** The value of one field of a component, as people edit it. */
import type { MessageInitShape } from '@bufbuild/protobuf';

import type { FieldValue as FieldValueMessage, FieldValueSchema } from '../protocol/generated/retake/msgs/component_pb';
import { entityIdOf, type EntityId } from './entity';

export type FieldValue =
  | { readonly type: 'number'; readonly number: number }
  | { readonly type: 'flag'; readonly flag: boolean }
  /** A text, or one of the choices of the field. */
  | { readonly type: 'text'; readonly text: string }
  /** A vector, a colour, or a pose: x y z and the quaternion x y z w. */
  | { readonly type: 'numbers'; readonly numbers: readonly number[] }
  | { readonly type: 'entity'; readonly entity: EntityId }
  /** Nothing, where the field may be absent. */
  | { readonly type: 'none' };

/** Reads a value of a message; undefined when it is empty or from a newer host. */
export function fieldValueOf(message: FieldValueMessage | undefined): FieldValue | undefined {
  const value = message?.value;
  switch (value?.case) {
    case 'number':
      return { type: 'number', number: value.value };
    case 'flag':
      return { type: 'flag', flag: value.value };
    case 'text':
      return { type: 'text', text: value.value };
    case 'numbers':
      return { type: 'numbers', numbers: value.value.number };
    case 'entity':
      return { type: 'entity', entity: entityIdOf(value.value) };
    case 'none':
      return { type: 'none' };
    case undefined:
      return undefined;
  }
}

/** Writes a value into a message. */
export function fieldValueMessage(value: FieldValue): MessageInitShape<typeof FieldValueSchema> {
  switch (value.type) {
    case 'number':
      return { value: { case: 'number', value: value.number } };
    case 'flag':
      return { value: { case: 'flag', value: value.flag } };
    case 'text':
      return { value: { case: 'text', value: value.text } };
    case 'numbers':
      return { value: { case: 'numbers', value: { number: [...value.numbers] } } };
    case 'entity':
      return { value: { case: 'entity', value: BigInt(value.entity) } };
    case 'none':
      return { value: { case: 'none', value: true } };
  }
}

/** Says whether two values are the same, digit by digit. */
export function sameValue(a: FieldValue, b: FieldValue): boolean {
  if (a.type === 'numbers' && b.type === 'numbers') {
    return a.numbers.length === b.numbers.length && a.numbers.every((number, i) => Object.is(number, b.numbers[i]));
  }
  return keyOf(a) === keyOf(b);
}

function keyOf(value: FieldValue): string {
  switch (value.type) {
    case 'number':
      return `number ${value.number}`;
    case 'flag':
      return `flag ${value.flag}`;
    case 'text':
      return `text ${value.text}`;
    case 'numbers':
      return `numbers ${value.numbers.join(' ')}`;
    case 'entity':
      return `entity ${value.entity}`;
    case 'none':
      return 'none';
  }
}
