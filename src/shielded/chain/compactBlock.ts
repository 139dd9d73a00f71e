// CompactBlock messages of the light wallet protocol 0.5.0: what a compact server keeps of a block. Decoded by hand
// because every block of a sync passes here; unknown fields are skipped, wrong lengths fail the block.
import { concatBytes, FormatError } from '../bytes.ts';
import type { TreeSizes } from '../scan/types.ts';
import { bytesField, messageField, ProtobufReader, uintField } from './protobuf.ts';

export const COMPACT_CIPHERTEXT_SIZE = 52;

export interface CompactSaplingOutput {
  readonly cmu: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  /** First 52 bytes of encCiphertext. */
  readonly ciphertext: Uint8Array;
}

export interface CompactAction {
  readonly nullifier: Uint8Array;
  readonly cmx: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  /** First 52 bytes of encCiphertext. */
  readonly ciphertext: Uint8Array;
}

export interface CompactTransaction {
  /** Position in the full block; 0 is the coinbase. Transactions without shielded parts are left out. */
  readonly index: number;
  /** Wire order. */
  readonly txid: Uint8Array;
  /** Nullifiers of the Sapling spends. */
  readonly spends: readonly Uint8Array[];
  readonly outputs: readonly CompactSaplingOutput[];
  readonly actions: readonly CompactAction[];
  readonly ironwoodActions: readonly CompactAction[];
}

export interface CompactBlock {
  readonly height: number;
  /** Wire order. */
  readonly hash: Uint8Array;
  readonly prevHash: Uint8Array;
  /** Seconds since 1970. */
  readonly time: number;
  readonly transactions: readonly CompactTransaction[];
  /** Tree sizes after the block; undefined when the server sends none. A size of 0 may also mean "unset". */
  readonly treeSizes: TreeSizes | undefined;
}

const MAX_HEIGHT = 0x7fff_ffff;
const EMPTY_HASH = new Uint8Array(32);

export function checkedHeight(height: number): number {
  if (height > MAX_HEIGHT) throw new FormatError(`height ${height} is out of range`);
  return height;
}

/** Decodes one message; its bytes fields are views. FormatError when it is malformed or lacks its hash. */
export function decodeCompactBlock(bytes: Uint8Array): CompactBlock {
  const reader = new ProtobufReader(bytes);
  let height = 0;
  let hash: Uint8Array | undefined;
  let prevHash: Uint8Array = EMPTY_HASH;
  let time = 0;
  let treeSizes: TreeSizes | undefined;
  const transactions: CompactTransaction[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) height = checkedHeight(reader.uint());
    else if (field === 3) hash = reader.fixedBytes(32, 'block hash');
    else if (field === 4) prevHash = reader.fixedBytes(32, 'previous block hash');
    else if (field === 5) time = reader.uint32();
    else if (field === 7) transactions.push(decodeCompactTransaction(reader.bytes()));
    else if (field === 8) treeSizes = decodeChainMetadata(reader.bytes(), treeSizes);
    else reader.skipValue();
  }
  if (!hash) throw new FormatError('a compact block without a hash');
  return { height, hash, prevHash, time, transactions, treeSizes };
}

/** Also the message of the mempool stream. */
export function decodeCompactTransaction(bytes: Uint8Array): CompactTransaction {
  const reader = new ProtobufReader(bytes);
  let index = 0;
  let txid: Uint8Array | undefined;
  const spends: Uint8Array[] = [];
  const outputs: CompactSaplingOutput[] = [];
  const actions: CompactAction[] = [];
  const ironwoodActions: CompactAction[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) index = reader.uint();
    else if (field === 2) txid = reader.fixedBytes(32, 'txid');
    else if (field === 4) spends.push(decodeSpend(reader.bytes()));
    else if (field === 5) outputs.push(decodeOutput(reader.bytes()));
    else if (field === 6) actions.push(decodeAction(reader.bytes()));
    else if (field === 9) ironwoodActions.push(decodeAction(reader.bytes()));
    else reader.skipValue();
  }
  if (!txid) throw new FormatError('a compact transaction without a txid');
  return { index, txid, spends, outputs, actions, ironwoodActions };
}

/** Absent sizes are 0; a repeated message adds to the one before, as protobuf merges them. */
export function decodeChainMetadata(bytes: Uint8Array, earlier: TreeSizes | undefined): TreeSizes {
  const reader = new ProtobufReader(bytes);
  let { sapling, orchard, ironwood } = earlier ?? { sapling: 0, orchard: 0, ironwood: 0 };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) sapling = reader.uint32();
    else if (field === 2) orchard = reader.uint32();
    else if (field === 3) ironwood = reader.uint32();
    else reader.skipValue();
  }
  return { sapling, orchard, ironwood };
}

function present(value: Uint8Array | undefined, what: string): Uint8Array {
  if (!value) throw new FormatError(`${what} is missing`);
  return value;
}

function decodeSpend(bytes: Uint8Array): Uint8Array {
  const reader = new ProtobufReader(bytes);
  let nullifier: Uint8Array | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) nullifier = reader.fixedBytes(32, 'nullifier');
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
  let nullifier: Uint8Array | undefined;
  let cmx: Uint8Array | undefined;
  let ephemeralKey: Uint8Array | undefined;
  let ciphertext: Uint8Array | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) nullifier = reader.fixedBytes(32, 'nullifier');
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

/** The message a compact server would send, in canonical field order. */
export function encodeCompactBlock(block: CompactBlock): Uint8Array {
  const sizes = block.treeSizes;
  return concatBytes(
    uintField(2, block.height),
    bytesField(3, block.hash),
    bytesField(4, block.prevHash),
    uintField(5, block.time),
    ...block.transactions.map((transaction) => messageField(7, encodeCompactTransaction(transaction))),
    ...(sizes
      ? [
          messageField(
            8,
            concatBytes(
              uintField(1, sizes.sapling),
              uintField(2, sizes.orchard),
              uintField(3, sizes.ironwood),
            ),
          ),
        ]
      : []),
  );
}

export function encodeCompactTransaction(transaction: CompactTransaction): Uint8Array {
  return concatBytes(
    uintField(1, transaction.index),
    bytesField(2, transaction.txid),
    ...transaction.spends.map((nullifier) => messageField(4, bytesField(1, nullifier))),
    ...transaction.outputs.map((output) =>
      messageField(
        5,
        concatBytes(
          bytesField(1, output.cmu),
          bytesField(2, output.ephemeralKey),
          bytesField(3, output.ciphertext),
        ),
      ),
    ),
    ...transaction.actions.map((action) => messageField(6, encodeAction(action))),
    ...transaction.ironwoodActions.map((action) => messageField(9, encodeAction(action))),
  );
}

const encodeAction = (action: CompactAction): Uint8Array =>
  concatBytes(
    bytesField(1, action.nullifier),
    bytesField(2, action.cmx),
    bytesField(3, action.ephemeralKey),
    bytesField(4, action.ciphertext),
  );
