import protobuf from 'protobufjs';
import { slicer } from '../../../core/async/slices.js';
import { SvcError } from '../../../core/errors.js';

/** Number of the one list in each message on the way to the records: of resources, of scopes, of records. */
const PATH = [1, 2, 2] as const;
/** Groups and records of a request. */
const MOST_MESSAGES = 200_000;
/** Members of one record or of what describes a group, nested ones included, and levels of them. */
const MOST_FIELDS = 20_000;
const MOST_LEVELS = 100;

const LENGTH_DELIMITED = 2;

/**
 * Decodes an OTLP request like `type.decode`, record by record, and gives way to the event loop between them. Throws
 * `too_large` for more groups and records than 200,000 or more than 20,000 members in one of them, `invalid_input` for
 * absurd nesting, and what protobufjs throws for bytes that are no such message.
 */
export function decodeInPieces(type: protobuf.Type, bytes: Uint8Array): Promise<object> {
  return new WireReader().group(type, bytes, 0);
}

class WireReader {
  private readonly pause = slicer();
  private messages = 0;

  async group(type: protobuf.Type, bytes: Uint8Array, level: number): Promise<object> {
    const list = type.fieldsById[PATH[level]!]!.resolve();
    const inner = list.resolvedType as protobuf.Type;
    const elements: object[] = [];
    const others: Uint8Array[] = [];
    const reader = protobuf.Reader.create(bytes);
    while (reader.pos < reader.len) {
      const start = reader.pos;
      const tag = reader.uint32();
      if (tag >>> 3 === list.id && (tag & 7) === LENGTH_DELIMITED) {
        const element = reader.bytes();
        this.count();
        elements.push(
          level + 1 < PATH.length ? await this.group(inner, element, level + 1) : decodeRecord(inner, element),
        );
      } else {
        reader.skipType(tag & 7);
        others.push(bytes.subarray(start, reader.pos));
      }
      const pausing = this.pause();
      if (pausing !== undefined) await pausing;
    }
    return Object.assign(decodeRecord(type, Buffer.concat(others)), { [list.name]: elements });
  }

  private count(): void {
    this.messages += 1;
    if (this.messages > MOST_MESSAGES) throw tooMany('The request', MOST_MESSAGES, 'groups and records');
  }
}

function decodeRecord(type: protobuf.Type, bytes: Uint8Array): object {
  countFields(type, bytes, { fields: 0, level: 0 });
  return type.decode(bytes);
}

/** Walks the members of a message without decoding them; returns how many there are together with those counted before. */
function countFields(type: protobuf.Type, bytes: Uint8Array, at: { fields: number; level: number }): number {
  if (at.level > MOST_LEVELS) {
    throw new SvcError('invalid_input', `A record is nested deeper than ${MOST_LEVELS} levels; flatten it.`);
  }
  let { fields } = at;
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    fields += 1;
    if (fields > MOST_FIELDS) throw tooMany('A record or resource', MOST_FIELDS, 'members');
    const inner = type.fieldsById[tag >>> 3]?.resolve().resolvedType;
    if ((tag & 7) === LENGTH_DELIMITED && inner instanceof protobuf.Type) {
      fields = countFields(inner, reader.bytes(), { fields, level: at.level + 1 });
    } else {
      reader.skipType(tag & 7);
    }
  }
  return fields;
}

function tooMany(subject: string, limit: number, of: string): SvcError {
  return new SvcError('too_large', `${subject} has more than ${limit} ${of}; send it in parts.`, { limit });
}
