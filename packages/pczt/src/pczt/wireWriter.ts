// Writes values in the PCZT encoding. It can write only values that `WireReader` would return.
import { hexToBytes, wipe } from '@wallet-companion/base/bytes';
import { inField, refuse } from './refusal.ts';
import type { Variant, Wire, WireNode } from './wire.ts';
import { compareBytes } from './wireReader.ts';

const UTF8 = new TextEncoder();

export class WireWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;

  write<T>(node: Wire<T>, value: T): void {
    this.#value(node, value);
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #value(node: WireNode, value: unknown): void {
    switch (node.kind) {
      case 'u8':
        this.#raw(Uint8Array.of(value as number));
        break;
      case 'u32':
      case 'u64':
        this.#varint(BigInt(value as number | bigint));
        break;
      case 'i128':
        this.#varint(toZigzag(value as bigint));
        break;
      case 'text':
        this.#withLength(UTF8.encode(value as string));
        break;
      case 'signedMagnitude':
        this.#signedMagnitude(value as bigint);
        break;
      case 'fixed':
        this.#raw(value as Uint8Array);
        break;
      case 'bytes':
        this.#withLength(value as Uint8Array);
        break;
      case 'optional':
        this.#tag(value !== undefined);
        if (value !== undefined) this.#value(node.of, value);
        break;
      case 'tagged':
        this.#tag(true);
        this.#value(node.of, value);
        break;
      case 'present':
        if (value === undefined) refuse('missing', '', 'encoding 1 cannot leave it out');
        this.#value(node.of, value);
        break;
      case 'list':
        this.#list(node.of, value as readonly unknown[]);
        break;
      case 'map':
        this.#map(node, value as ReadonlyMap<string, unknown>);
        break;
      case 'choice':
        this.#varint(BigInt(node.names.indexOf(value as string)));
        break;
      case 'constant':
        if (value !== node.value) refuse('unsupported', '', `encoding 1 knows ${node.value} alone`);
        break;
      case 'variant':
        this.#variant(node, value as Variant<string>);
        break;
      case 'record':
        this.#record(node.fields, value as Readonly<Record<string, unknown>>);
    }
  }

  #record(fields: readonly (readonly [string, WireNode])[], values: Readonly<Record<string, unknown>>): void {
    for (const [name, of] of fields) {
      inField(name, () => {
        this.#value(of, values[name]);
      });
    }
  }

  #list(of: WireNode, items: readonly unknown[]): void {
    this.#varint(BigInt(items.length));
    items.forEach((item, i) => {
      inField(`[${i}]`, () => {
        this.#value(of, item);
      });
    });
  }

  #map(node: Extract<WireNode, { kind: 'map' }>, entries: ReadonlyMap<string, unknown>): void {
    const encoded = [...entries].map(([key, value]) => ({
      key: node.keySize === undefined ? UTF8.encode(key) : hexToBytes(key),
      value,
    }));
    this.#varint(BigInt(encoded.length));
    for (const { key, value } of encoded.sort((a, b) => compareBytes(a.key, b.key))) {
      if (node.keySize === undefined) this.#withLength(key);
      else this.#raw(key);
      this.#value(node.of, value);
    }
  }

  #variant({ of }: Extract<WireNode, { kind: 'variant' }>, { kind, bytes }: Variant<string>): void {
    const number = of.findIndex(([name]) => name === kind);
    if (number < 0) refuse('unsupported', '', `encoding 1 has no ${kind}`);
    if (of.length > 1) this.#varint(BigInt(number));
    this.#withLength(bytes);
  }

  #signedMagnitude(value: bigint): void {
    this.#varint(value < 0n ? -value : value);
    this.#tag(value < 0n);
  }

  #withLength(bytes: Uint8Array): void {
    this.#varint(BigInt(bytes.length));
    this.#raw(bytes);
  }

  #tag(value: boolean): void {
    this.#raw(Uint8Array.of(value ? 1 : 0));
  }

  #varint(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    this.#raw(Uint8Array.from(bytes));
  }

  /** Appends to one buffer: a list of parts would exceed the argument limit of a function. */
  #raw(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      wipe(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }
}

const toZigzag = (value: bigint): bigint => (value >= 0n ? value << 1n : -(value << 1n) - 1n);
