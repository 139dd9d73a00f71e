// CompactBlock messages (light wallet protocol 0.5.0) into shielded parts, walked in place: field numbers in any order,
// unknown ones skipped, wrong lengths refused. What identifies and links the block was read when it came
// (`skimCompactBlock`).
import { FormatError } from '../bytes.ts';
import { COMPACT_CIPHERTEXT_SIZE } from '../chain/compactBlock.ts';
import { ProtobufReader } from '../chain/protobuf.ts';
import type { Pool } from '../network.ts';
import type { ShieldedParts } from './shieldedParts.ts';

/** Returns the block's time, in seconds since 1970. FormatError when one of its items is malformed. */
export function readCompactBlock(bytes: Uint8Array, parts: ShieldedParts): number {
  const reader = new ProtobufReader(bytes);
  let time = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 5) time = reader.uint32();
    else if (field === 7) readTransaction(reader, bytes, parts);
    else reader.skipValue();
  }
  return time;
}

function readTransaction(reader: ProtobufReader, bytes: Uint8Array, parts: ShieldedParts): void {
  const before = parts.counts();
  const end = reader.enter();
  let txIndex = 0;
  let txid: Uint8Array | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) txIndex = reader.uint();
    else if (field === 2) txid = reader.fixedBytes(32, 'txid');
    else if (field === 4) readSpend(reader, bytes, parts);
    else if (field === 5) readOutput(reader, bytes, parts);
    else if (field === 6) readAction(reader, bytes, parts, 'orchard');
    else if (field === 9) readAction(reader, bytes, parts, 'ironwood');
    else reader.skipValue();
  }
  reader.leave(end);
  if (txid === undefined) throw new FormatError('a compact transaction without a txid');
  parts.addTransaction(before, { txIndex, txid, full: undefined });
}

const ABSENT = -1;

function readSpend(reader: ProtobufReader, bytes: Uint8Array, parts: ShieldedParts): void {
  const end = reader.enter();
  let nullifier = ABSENT;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) nullifier = reader.fixedOffset(32, 'nullifier');
    else reader.skipValue();
  }
  reader.leave(end);
  parts.addSaplingSpend(bytes, present(nullifier, 'nullifier'));
}

function readOutput(reader: ProtobufReader, bytes: Uint8Array, parts: ShieldedParts): void {
  const end = reader.enter();
  let commitment = ABSENT;
  let ephemeralKey = ABSENT;
  let ciphertext = ABSENT;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) commitment = reader.fixedOffset(32, 'cmu');
    else if (field === 2) ephemeralKey = reader.fixedOffset(32, 'ephemeralKey');
    else if (field === 3) ciphertext = reader.fixedOffset(COMPACT_CIPHERTEXT_SIZE, 'ciphertext');
    else reader.skipValue();
  }
  reader.leave(end);
  parts.addOutput('sapling', bytes, 0, {
    commitment: present(commitment, 'cmu'),
    ephemeralKey: present(ephemeralKey, 'ephemeralKey'),
    ciphertext: present(ciphertext, 'ciphertext'),
    rho: 0,
  });
}

function readAction(
  reader: ProtobufReader,
  bytes: Uint8Array,
  parts: ShieldedParts,
  pool: Exclude<Pool, 'sapling'>,
): void {
  const end = reader.enter();
  let rho = ABSENT;
  let commitment = ABSENT;
  let ephemeralKey = ABSENT;
  let ciphertext = ABSENT;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) rho = reader.fixedOffset(32, 'nullifier');
    else if (field === 2) commitment = reader.fixedOffset(32, 'cmx');
    else if (field === 3) ephemeralKey = reader.fixedOffset(32, 'ephemeralKey');
    else if (field === 4) ciphertext = reader.fixedOffset(COMPACT_CIPHERTEXT_SIZE, 'ciphertext');
    else reader.skipValue();
  }
  reader.leave(end);
  parts.addOutput(pool, bytes, 0, {
    rho: present(rho, 'nullifier'),
    commitment: present(commitment, 'cmx'),
    ephemeralKey: present(ephemeralKey, 'ephemeralKey'),
    ciphertext: present(ciphertext, 'ciphertext'),
  });
}

function present(offset: number, what: string): number {
  if (offset === ABSENT) throw new FormatError(`${what} is missing`);
  return offset;
}
