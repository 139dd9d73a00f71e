// Reads values of the PCZT encoding from hostile bytes: before any allocation, counts are checked against the remaining
// bytes, and all lists and maps together against one limit. Each value has one accepted encoding.
import { ByteReader, bytesToHex } from '@wallet-companion/base/bytes';
import { PcztRefusal, refuse, within } from './refusal.ts';
import { leastSize, type ValueOf, type Wire, type WireNode } from './wire.ts';

/**
 * Limit for the items of all lists and maps of one PCZT. Empty ones take a few bytes each, but some hundred in memory;
 * a large transaction has some thousand.
 */
const MAX_ENTRIES = 65_536;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const EMPTY_MAP: ReadonlyMap<string, unknown> = new Map();

const malformed = (text: string): never => refuse('malformed', '', text);

/** LEB128, at most `bits` long. */
function readVarint(reader: ByteReader, bits: number): bigint {
  let value = 0n;
  for (let shift = 0; ; shift += 7) {
    const byte = reader.u8();
    const part = byte & 0x7f;
    if (shift >= bits || (bits - shift < 7 && part >> (bits - shift) !== 0))
      malformed(`a number has more than ${bits} bits`);
    value |= BigInt(part) << BigInt(shift);
    if (byte < 0x80) {
      if (byte === 0 && shift > 0) malformed('a number is written longer than it needs to be');
      return value;
    }
  }
}

/** Fast path: one byte is by far the most common length. */
function readU32(reader: ByteReader): number {
  const first = reader.bytes[reader.offset];
  if (first !== undefined && first < 0x80) return reader.u8();
  return Number(readVarint(reader, 32));
}

function readTag(reader: ByteReader): boolean {
  const tag = reader.u8();
  if (tag > 1) malformed(`${tag} is neither yes nor no`);
  return tag === 1;
}

export class WireReader {
  readonly #reader: ByteReader;
  #entriesLeft = MAX_ENTRIES;

  constructor(bytes: Uint8Array, start: number) {
    this.#reader = new ByteReader(bytes, start);
  }

  read<W extends Wire<unknown>>(node: W): ValueOf<W> {
    return this.#value(node) as ValueOf<W>;
  }

  expectEnd(): void {
    if (this.#reader.remaining > 0) malformed(`${this.#reader.remaining} bytes follow after its end`);
  }

  #value(node: WireNode): unknown {
    const reader = this.#reader;
    switch (node.kind) {
      case 'u8':
        return reader.u8();
      case 'u32':
        return readU32(reader);
      case 'u64':
        return readVarint(reader, 64);
      case 'i128':
        return fromZigzag(readVarint(reader, 128));
      case 'text':
        return this.#text();
      case 'signedMagnitude':
        return this.#signedMagnitude();
      case 'fixed':
        return reader.take(node.size).slice();
      case 'bytes':
        return this.#bytes(node);
      case 'optional':
        return readTag(reader) ? this.#value(node.of) : undefined;
      case 'tagged':
        return readTag(reader) ? this.#value(node.of) : malformed('it must be there');
      case 'present':
        return this.#value(node.of);
      case 'list':
        return this.#list(node.of, node.atMost);
      case 'map':
        return this.#map(node.keySize, node.of);
      case 'choice':
        return node.names[this.#alternative(node.names.length)];
      case 'constant':
        return node.value;
      case 'variant':
        return this.#variant(node);
      case 'record':
        return this.#record(node.fields);
    }
  }

  #record(fields: readonly (readonly [string, WireNode])[]): unknown {
    const out: Record<string, unknown> = {};
    for (const [name, of] of fields) {
      try {
        out[name] = this.#value(of);
      } catch (error) {
        throw within(name, error);
      }
    }
    return out;
  }

  #list(of: WireNode, atMost: number): readonly unknown[] {
    const count = this.#count(leastSize(of));
    if (count > atMost) refuse('unsupported', '', `${count} are more than a transaction holds`);
    const items: unknown[] = [];
    for (let i = 0; i < count; i++) {
      try {
        items.push(this.#value(of));
      } catch (error) {
        throw within(`[${i}]`, error);
      }
    }
    return items;
  }

  #map(keySize: number | undefined, of: WireNode): ReadonlyMap<string, unknown> {
    const count = this.#count((keySize ?? 1) + leastSize(of));
    if (count === 0) return EMPTY_MAP;
    const entries = new Map<string, unknown>();
    let previous: Uint8Array | undefined;
    for (let i = 0; i < count; i++) {
      const key = this.#reader.take(keySize ?? this.#length());
      if (previous !== undefined && compareBytes(previous, key) >= 0)
        malformed('its keys are out of order or repeated');
      previous = key;
      entries.set(keySize === undefined ? decodeText(key) : bytesToHex(key), this.#value(of));
    }
    return entries;
  }

  #variant({ of }: Extract<WireNode, { kind: 'variant' }>): unknown {
    const [kind, node] = of[of.length > 1 ? this.#alternative(of.length) : 0]!;
    return { kind, bytes: this.#bytes(node) };
  }

  #alternative(count: number): number {
    const number = readU32(this.#reader);
    return number < count ? number : malformed(`there is no variant ${number}`);
  }

  #bytes({ size, atMost }: { readonly size?: number; readonly atMost?: number }): Uint8Array {
    const length = this.#length();
    if (size !== undefined && length !== size) malformed(`it must have ${size} bytes, not ${length}`);
    if (atMost !== undefined && length > atMost) malformed(`it has ${length} bytes, at most ${atMost} fit`);
    return this.#reader.take(length).slice();
  }

  #text(): string {
    return decodeText(this.#reader.take(this.#length()));
  }

  /** Negative zero is refused: it would be a second encoding of zero. */
  #signedMagnitude(): bigint {
    const magnitude = readVarint(this.#reader, 64);
    if (!readTag(this.#reader)) return magnitude;
    return magnitude === 0n ? malformed('zero has no sign') : -magnitude;
  }

  /** The count of bytes that follow. */
  #length(): number {
    const length = readVarint(this.#reader, 64);
    if (length > this.#reader.remaining)
      malformed(`${length} bytes are announced, ${this.#reader.remaining} are left`);
    return Number(length);
  }

  #count(leastBytesEach: number): number {
    const count = readVarint(this.#reader, 64);
    if (count * BigInt(leastBytesEach) > this.#reader.remaining)
      malformed(`${count} items are announced, which do not fit into the rest`);
    if (count > this.#entriesLeft)
      throw new PcztRefusal('unsupported', '', `there are more than ${MAX_ENTRIES} items in all`);
    this.#entriesLeft -= Number(count);
    return Number(count);
  }
}

const fromZigzag = (value: bigint): bigint => ((value & 1n) === 0n ? value >> 1n : -((value + 1n) >> 1n));

function decodeText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return malformed('a text is not UTF-8');
  }
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
