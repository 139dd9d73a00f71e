// Signature hashes of versions 3 and 4 (ZIP 143, ZIP 243): the companion makes no such transactions, but the chain is full
// of signatures over them, which ours can be tried on.
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, u32ToLeBytes, u64ToLeBytes } from '@wallet-companion/base/bytes';
import { recordField } from '../../src/zcash/encoding/records.ts';
import type { Transaction } from '../../src/zcash/encoding/transaction.ts';
import {
  encodeScript,
  encodeTransparentOutput,
  transparentInputs,
  transparentOutputs,
} from '../../src/zcash/encoding/transparentBundle.ts';

export interface LegacyInput {
  readonly index: number;
  readonly scriptCode: Uint8Array;
  readonly amount: bigint;
}

const NOTHING = new Uint8Array(32);

export function legacySighash(
  transaction: Transaction,
  branchId: number,
  hashType = 1,
  input?: LegacyInput,
): Uint8Array {
  const b = (personal: string | Uint8Array, ...parts: Uint8Array[]): Uint8Array =>
    blake2b(concatBytes(...parts), {
      dkLen: 32,
      personalization: typeof personal === 'string' ? Buffer.from(personal) : personal,
    });
  const { transparent, sprout, sapling } = transaction;
  const inputs = transparentInputs(transparent);
  const outputs = transparentOutputs(transparent);
  const outpoint = ({ prevTxid, prevIndex }: (typeof inputs)[number]) =>
    concatBytes(prevTxid, u32ToLeBytes(prevIndex));
  const anyoneCanPay = (hashType & 0x80) !== 0;
  const kind = hashType & 0x1f;
  const covered =
    kind === 2 ? [] : kind === 3 ? outputs.slice(input?.index ?? outputs.length).slice(0, 1) : outputs;
  const parts = [
    transaction.bytes.subarray(0, 8),
    anyoneCanPay ? NOTHING : b('ZcashPrevoutHash', ...inputs.map(outpoint)),
    anyoneCanPay || kind !== 1
      ? NOTHING
      : b('ZcashSequencHash', ...inputs.map(({ sequence }) => u32ToLeBytes(sequence))),
    kind === 2 || (kind === 3 && covered.length === 0)
      ? NOTHING
      : b('ZcashOutputsHash', ...covered.map(encodeTransparentOutput)),
    sprout.joinSplits.count > 0 ? b('ZcashJSplitsHash', sprout.joinSplits.bytes, sprout.publicKey) : NOTHING,
  ];
  if (transaction.version === 4) {
    const { spends } = sapling;
    const signed = Array.from({ length: spends.count }, (_, i) => recordField(spends, i, 0, 320));
    parts.push(
      spends.count > 0 ? b('ZcashSSpendsHash', ...signed) : NOTHING,
      sapling.outputs.count > 0 ? b('ZcashSOutputHash', sapling.outputs.bytes) : NOTHING,
    );
  }
  parts.push(u32ToLeBytes(transaction.lockTime), u32ToLeBytes(transaction.expiryHeight));
  if (transaction.version === 4) parts.push(u64ToLeBytes(BigInt.asUintN(64, sapling.valueBalance)));
  parts.push(u32ToLeBytes(hashType));
  if (input !== undefined) {
    const { sequence } = inputs[input.index]!;
    parts.push(outpoint(inputs[input.index]!), encodeScript(input.scriptCode), u64ToLeBytes(input.amount));
    parts.push(u32ToLeBytes(sequence));
  }
  return b(concatBytes(Buffer.from('ZcashSigHash'), u32ToLeBytes(branchId)), ...parts);
}
