// Bodies of the messages between nodes, as far as a client needs them that serves nothing.

import {
  asciiBytes,
  ByteReader,
  concatBytes,
  encodeCompactSize,
  FormatError,
  u32ToLeBytes,
  u64ToLeBytes,
} from '@wallet-companion/base/bytes';
import { type ParsedHeader, parseHeader } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { Network } from '@wallet-companion/zcash/network';

/** What the network's messages begin with; own test networks choose theirs. */
export const MAGIC: Readonly<Record<Network, Uint8Array>> = {
  main: Uint8Array.of(0x24, 0xe9, 0x27, 0x64),
  test: Uint8Array.of(0xfa, 0x1a, 0xf9, 0xbf),
  regtest: Uint8Array.of(0xaa, 0xe8, 0x3f, 0x5f),
};

/** That of NU7; older peers follow another chain. Each upgrade raises it. */
export const PROTOCOL_VERSION = 170_190;

/** The peer has blocks. */
export const NODE_NETWORK = 1n;

/** Headers in one answer, hashes in one question. */
export const MOST_HEADERS = 160;
const MOST_ADDRESSES = 1_000;
/** Items in one message. */
export const MOST_ITEMS = 50_000;
/** A clock identifies a machine: the time that is sent is no finer. */
const TIME_STEP = 300;
const MOST_AGENT = 256;
const ADDRESS_BYTES = 26;

export interface Version {
  readonly version: number;
  readonly services: bigint;
  /** Eight bytes: who meets its own has connected to itself. */
  readonly nonce: Uint8Array;
  readonly agent: string;
  readonly startHeight: number;
}

/** `seconds` since 1970. Addresses are left out, so that nothing says where we are. */
export const versionBody = ({ version, services, nonce, agent, startHeight }: Version, seconds: number) =>
  concatBytes(
    u32ToLeBytes(version),
    u64ToLeBytes(services),
    u64ToLeBytes(BigInt(seconds - (seconds % TIME_STEP))),
    new Uint8Array(2 * ADDRESS_BYTES),
    nonce,
    encodeCompactSize(agent.length),
    asciiBytes(agent),
    u32ToLeBytes(startHeight),
    // No transactions are to be announced to us.
    Uint8Array.of(0),
  );

/** Throws `FormatError`. */
export function readVersion(body: Uint8Array): Version {
  const reader = new ByteReader(body);
  const version = reader.u32();
  const services = reader.u64();
  reader.skip(8 + 2 * ADDRESS_BYTES);
  const nonce = reader.take(8).slice();
  const length = reader.count(1);
  if (length > MOST_AGENT) throw new FormatError('the agent has more than 256 bytes');
  const agent = String.fromCharCode(...reader.take(length)).replaceAll(/[^\x20-\x7e]/g, '?');
  return { version, services, nonce, agent, startHeight: reader.u32() };
}

/** `version` is that which both sides agreed on. The answer begins after the first hash that the peer knows. */
export const getHeadersBody = (version: number, locator: readonly BlockHash[]): Uint8Array =>
  concatBytes(
    u32ToLeBytes(version),
    encodeCompactSize(locator.length),
    ...locator,
    // As many as possible.
    new Uint8Array(32),
  );

export interface ReceivedHeader {
  readonly header: ParsedHeader;
  readonly bytes: Uint8Array;
}

/** Throws `FormatError`. */
export function readHeaders(body: Uint8Array): ReceivedHeader[] {
  const reader = new ByteReader(body);
  const count = reader.compactSize();
  if (count > MOST_HEADERS) throw new FormatError('there are more than 160 headers');
  const headers = Array.from({ length: count }, () => {
    const header = parseHeader(body.subarray(reader.offset));
    const bytes = reader.take(header.headerLength);
    reader.compactSize();
    return { header, bytes };
  });
  reader.expectEnd();
  return headers;
}

/** Of what is announced and asked for; other kinds have no answer. */
const ITEM_BYTES = { 1: 32, 2: 32, 3: 32, 5: 64 } as const;

export type ItemKind = 'transaction' | 'block' | 'witnessed transaction' | 'other';

const KINDS: Readonly<Record<keyof typeof ITEM_BYTES, ItemKind>> = {
  1: 'transaction',
  2: 'block',
  3: 'other',
  5: 'witnessed transaction',
};

export interface Item {
  readonly kind: ItemKind;
  /** The block's hash or the transaction's id; behind the latter, of a witnessed transaction, the digest of its signatures. */
  readonly id: Uint8Array;
}

/** Throws `FormatError`, also for a kind of which the length is not known. */
export function readItems(body: Uint8Array): Item[] {
  const reader = new ByteReader(body);
  const count = reader.count(4 + 32);
  if (count > MOST_ITEMS) throw new FormatError('there are more than 50,000 items');
  const items = Array.from({ length: count }, () => {
    const number = reader.u32();
    if (!(number in ITEM_BYTES)) throw new FormatError('an item is of an unknown kind');
    const known = number as keyof typeof ITEM_BYTES;
    return { kind: KINDS[known], id: reader.take(ITEM_BYTES[known]).slice() };
  });
  reader.expectEnd();
  return items;
}

export const blockItems = (hashes: readonly BlockHash[]): Uint8Array =>
  concatBytes(encodeCompactSize(hashes.length), ...hashes.flatMap((hash) => [u32ToLeBytes(2), hash]));

/** A node's answer to a message that it refuses; newer nodes send none. */
export interface Rejection {
  /** The message that it answers. */
  readonly command: string;
  readonly reason: string;
}

/** Throws `FormatError`. */
export function readRejection(body: Uint8Array): Rejection {
  const reader = new ByteReader(body);
  const text = (): string => String.fromCharCode(...reader.take(reader.count(1)));
  const command = text();
  reader.skip(1);
  return { command, reason: text() };
}

export interface PeerAddress {
  readonly services: bigint;
  /** Sixteen bytes; an IPv4 address is mapped. */
  readonly ip: Uint8Array;
  readonly port: number;
}

/** Throws `FormatError`. */
export function readAddresses(body: Uint8Array): PeerAddress[] {
  const reader = new ByteReader(body);
  const count = reader.count(30);
  if (count > MOST_ADDRESSES) throw new FormatError('there are more than 1,000 addresses');
  const addresses = Array.from({ length: count }, () => {
    reader.skip(4);
    const services = reader.u64();
    const ip = reader.take(16).slice();
    const [high = 0, low = 0] = reader.take(2);
    return { services, ip, port: 256 * high + low };
  });
  reader.expectEnd();
  return addresses;
}
