// The transactions inside a CompactBlock message, walked in place: fields in any order, unknown ones skipped, wrong
// lengths refused. The same walk serves a block's arrival and its scan, so every accepted block can be read later.
import { FormatError } from '@wallet-companion/base/bytes';
import { asTxId, type TxId } from '../identifiers.ts';
import { ACTION_POOLS, type ActionPool, POOL, type Pool, poolsByNumber } from '../pools.ts';
import { COMPACT_CIPHERTEXT_SIZE } from './compactBlock.ts';
import type { OutputLayout } from './outputLayout.ts';
import type { ProtobufReader } from './protobuf.ts';

/** Receives the items one by one, as offsets into `source`. */
export interface CompactItemSink {
  addSaplingSpend(source: Uint8Array, nullifierAt: number): void;
  addOutput(pool: Pool, source: Uint8Array, start: number, layout: OutputLayout): void;
}

export interface CompactTransactionHead {
  /** Index in the full block. */
  readonly txIndex: number;
  readonly txid: TxId;
}

const SAPLING_OUTPUTS = POOL.sapling.compactOutputsField;
const POOL_OF_ACTIONS: readonly (ActionPool | undefined)[] = poolsByNumber(
  ACTION_POOLS,
  'compactOutputsField',
);

/** Reads the CompactTx that is the reader's next value; `bytes` is the reader's source. FormatError when malformed. */
export function walkCompactTransaction(
  reader: ProtobufReader,
  bytes: Uint8Array,
  sink: CompactItemSink,
): CompactTransactionHead {
  const end = reader.enter();
  let txIndex = 0;
  let txid: TxId | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) txIndex = reader.uint();
    else if (field === 2) txid = asTxId(reader.fixedBytes(32, 'txid'));
    else if (field === 4) readSpend(reader, bytes, sink);
    else if (field === SAPLING_OUTPUTS) readOutput(reader, bytes, sink);
    else {
      const pool = POOL_OF_ACTIONS[field];
      if (pool === undefined) reader.skipValue();
      else readAction(reader, bytes, sink, pool);
    }
  }
  reader.leave(end);
  if (txid === undefined) throw new FormatError('a compact transaction without a txid');
  return { txIndex, txid };
}

const ABSENT = -1;

function readSpend(reader: ProtobufReader, bytes: Uint8Array, sink: CompactItemSink): void {
  const end = reader.enter();
  let nullifier = ABSENT;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) nullifier = reader.fixedOffset(32, 'nullifier');
    else reader.skipValue();
  }
  reader.leave(end);
  sink.addSaplingSpend(bytes, present(nullifier, 'nullifier'));
}

function readOutput(reader: ProtobufReader, bytes: Uint8Array, sink: CompactItemSink): void {
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
  sink.addOutput('sapling', bytes, 0, {
    commitment: present(commitment, 'cmu'),
    ephemeralKey: present(ephemeralKey, 'ephemeralKey'),
    ciphertext: present(ciphertext, 'ciphertext'),
    rho: 0,
  });
}

function readAction(
  reader: ProtobufReader,
  bytes: Uint8Array,
  sink: CompactItemSink,
  pool: ActionPool,
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
  sink.addOutput(pool, bytes, 0, {
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
