/**
 * Messages of any type, by the descriptors that travel with topics: this page was not compiled
 * with them.
 */
import {
  createFileRegistry, fromBinary, fromJsonString, ScalarType, toBinary, toJsonString, type DescField, type DescMessage, type FileRegistry,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { FileDescriptorSetSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';

/** How deep a template goes; types may hold themselves. */
const TEMPLATE_DEPTH = 4;

type Json = null | number | string | boolean | readonly Json[] | { readonly [name: string]: Json };

/** What messages of one type look like. */
export class MessageSchema {
  private constructor(
    private readonly desc: DescMessage,
    private readonly registry: FileRegistry,
  ) {}

  /**
   * Reads the schema of a type out of an encoded `FileDescriptorSet`.
   *
   * @throws Error when the set does not describe the type.
   */
  static read(typeName: string, fileDescriptorSet: Uint8Array): MessageSchema {
    const set = fromBinary(FileDescriptorSetSchema, fileDescriptorSet);
    const registry = createFileRegistry({ ...set, file: inOrder(set.file) });
    const desc = registry.getMessage(typeName);
    if (desc === undefined) {
      throw new Error(`The schema of ${typeName} does not describe it`);
    }
    return new MessageSchema(desc, registry);
  }

  get typeName(): string {
    return this.desc.typeName;
  }

  /** @throws Error when the bytes are no message of this type. */
  decode(bytes: Uint8Array): ReflectMessage {
    return reflect(this.desc, fromBinary(this.desc, bytes));
  }

  /**
   * Reads a message that is written as JSON.
   *
   * @throws Error that says where the text is none.
   */
  encode(json: string): Uint8Array {
    return toBinary(this.desc, fromJsonString(this.desc, json, { registry: this.registry }));
  }

  /** Writes a message as JSON, with the names of the schema. */
  json(bytes: Uint8Array): string {
    return toJsonString(this.desc, fromBinary(this.desc, bytes), {
      registry: this.registry, prettySpaces: 2, alwaysEmitImplicit: true, useProtoFieldName: true,
    });
  }

  /** JSON with every field, to be filled in. */
  template(): string {
    return JSON.stringify(templateOf(this.desc, TEMPLATE_DEPTH), undefined, 2);
  }
}

/** Files after those that they need: not every program sends them so, and the registry wants it. */
function inOrder(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  const ordered: FileDescriptorProto[] = [];
  const begun = new Set<string>();
  const add = (name: string): void => {
    const file = files.find((other) => other.name === name);
    if (file !== undefined && !begun.has(name)) {
      begun.add(name);
      file.dependency.forEach(add);
      ordered.push(file);
    }
  };
  files.forEach(({ name }) => {
    add(name);
  });
  return ordered;
}

function templateOf(desc: DescMessage, depth: number): Json {
  // Of each oneof only one field can be set.
  const fields = desc.members.map((member) => (member.kind === 'oneof' ? member.fields[0] : member));
  const entries = fields.flatMap((field): readonly (readonly [string, Json])[] => (field === undefined ? [] : [[field.name, valueOf(field, depth)]]));
  return Object.fromEntries(entries);
}

function valueOf(field: DescField, depth: number): Json {
  switch (field.fieldKind) {
    case 'message':
      return depth > 0 ? templateOf(field.message, depth - 1) : {};
    case 'list':
      return [];
    case 'map':
      return {};
    case 'enum':
      return field.enum.values[0]?.name ?? 0;
    case 'scalar': {
      const zero = field.getDefaultValue() ?? scalarZero(field);
      return typeof zero === 'bigint' ? Number(zero) : typeof zero === 'object' ? '' : zero;
    }
  }
}

function scalarZero({ scalar }: Extract<DescField, { fieldKind: 'scalar' }>): number | string | boolean {
  return scalar === ScalarType.BOOL ? false : scalar === ScalarType.STRING || scalar === ScalarType.BYTES ? '' : 0;
}
