// CompactBlock messages decoded into objects, field by field: what the reader of the scan, which copies fields straight
// into columns, is compared with.

import { FormatError } from '@wallet-companion/base/bytes';
import {
  COMPACT_CIPHERTEXT_SIZE,
  type CompactAction,
  type CompactBlock,
  type CompactSaplingOutput,
  type CompactTransaction,
  checkedHeight,
  decodeChainMetadata,
} from '../../src/zcash/encoding/compactBlock.ts';
import { ProtobufReader } from '../../src/zcash/encoding/protobuf.ts';
import {
  asBlockHash,
  asNullifier,
  asTxId,
  type BlockHash,
  type Nullifier,
  type TxId,
} from '../../src/zcash/identifiers.ts';
import type { TreeSizes } from '../../src/zcash/pools.ts';
import { perActionPool } from '../../src/zcash/pools.ts';

const EMPTY_HASH = new Uint8Array(32);

/** Decodes one message; its bytes fields are views. FormatError when it is malformed or lacks its hash. */
export function decodeCompactBlock(bytes: Uint8Array): CompactBlock {
  const reader = new ProtobufReader(bytes);
  let height = 0;
  let hash: BlockHash | undefined;
  let prevHash = asBlockHash(EMPTY_HASH);
  let time = 0;
  let treeSizes: TreeSizes | undefined;
  const transactions: CompactTransaction[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) height = checkedHeight(reader.uint());
    else if (field === 3) hash = asBlockHash(reader.fixedBytes(32, 'block hash'));
    else if (field === 4) prevHash = asBlockHash(reader.fixedBytes(32, 'previous block hash'));
    else if (field === 5) time = reader.uint32();
    else if (field === 7) transactions.push(decodeCompactTransaction(reader.bytes()));
    else if (field === 8) treeSizes = decodeChainMetadata(reader.bytes(), treeSizes);
    else reader.skipValue();
  }
  if (!hash) throw new FormatError('a compact block without a hash');
  return { height, hash, prevHash, time, transactions, treeSizes };
}

function decodeCompactTransaction(bytes: Uint8Array): CompactTransaction {
  const reader = new ProtobufReader(bytes);
  let index = 0;
  let txid: TxId | undefined;
  const spends: Uint8Array[] = [];
  const outputs: CompactSaplingOutput[] = [];
  const actions = perActionPool((): CompactAction[] => []);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) index = reader.uint();
    else if (field === 2) txid = asTxId(reader.fixedBytes(32, 'txid'));
    else if (field === 4) spends.push(decodeSpend(reader.bytes()));
    else if (field === 5) outputs.push(decodeOutput(reader.bytes()));
    else if (field === 6) actions.orchard.push(decodeAction(reader.bytes()));
    else if (field === 9) actions.ironwood.push(decodeAction(reader.bytes()));
    else reader.skipValue();
  }
  if (!txid) throw new FormatError('a compact transaction without a txid');
  return { index, txid, spends, outputs, actions };
}

function present<Bytes extends Uint8Array>(value: Bytes | undefined, what: string): Bytes {
  if (!value) throw new FormatError(`${what} is missing`);
  return value;
}

function decodeSpend(bytes: Uint8Array): Uint8Array {
  const reader = new ProtobufReader(bytes);
  let nullifier: Nullifier | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) nullifier = asNullifier(reader.fixedBytes(32, 'nullifier'));
    else reader.skipValue();
  }
  return present(nullifier, 'nullifier');
}

function decodeOutput(bytes: Uint8Array): CompactSaplingOutput {
  const reader = new ProtobufReader(bytes);
  let cmu: Uint8Array | undefined;
  let ephemeralKey: Uint8Array | undefined;
  let ciphertext: Uint8Array | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) cmu = reader.fixedBytes(32, 'cmu');
    else if (field === 2) ephemeralKey = reader.fixedBytes(32, 'ephemeralKey');
    else if (field === 3) ciphertext = reader.fixedBytes(COMPACT_CIPHERTEXT_SIZE, 'ciphertext');
    else reader.skipValue();
  }
  return {
    cmu: present(cmu, 'cmu'),
    ephemeralKey: present(ephemeralKey, 'ephemeralKey'),
    ciphertext: present(ciphertext, 'ciphertext'),
  };
}

function decodeAction(bytes: Uint8Array): CompactAction {
  const reader = new ProtobufReader(bytes);
  let nullifier: Nullifier | undefined;
  let cmx: Uint8Array | undefined;
  let ephemeralKey: Uint8Array | undefined;
  let ciphertext: Uint8Array | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) nullifier = asNullifier(reader.fixedBytes(32, 'nullifier'));
    else if (field === 2) cmx = reader.fixedBytes(32, 'cmx');
    else if (field === 3) ephemeralKey = reader.fixedBytes(32, 'ephemeralKey');
    else if (field === 4) ciphertext = reader.fixedBytes(COMPACT_CIPHERTEXT_SIZE, 'ciphertext');
    else reader.skipValue();
  }
  return {
    nullifier: present(nullifier, 'nullifier'),
    cmx: present(cmx, 'cmx'),
    ephemeralKey: present(ephemeralKey, 'ephemeralKey'),
    ciphertext: present(ciphertext, 'ciphertext'),
  };
}
