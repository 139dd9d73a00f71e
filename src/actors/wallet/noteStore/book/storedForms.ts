// The results of a scan, in the form in which the note store keeps them.

import { bytesToHex } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { asNullifier, nullifierToHex, type TxIdHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { PackedMemo } from '@wallet-companion/zcash/notes';
import type { FoundNote, ScannedBlock, SentOutput } from '@wallet-companion/zcash/scan';
import type { NullifierSighting, StoredSentOutput } from '../../ports/noteDatabase.ts';
import type { StoredNote } from '../../ports/storedNote.ts';

export function storedNote(found: FoundNote): StoredNote {
  return {
    pool: found.pool,
    account: found.account,
    scope: found.scope,
    value: found.value,
    height: found.height,
    txid: txIdToHex(found.txid),
    txIndex: found.txIndex,
    outputIndex: found.outputIndex,
    position: found.position,
    nullifier: found.nullifier === null ? null : nullifierToHex(found.nullifier),
    diversifierIndex: found.diversifierIndex.toString(),
    memo: found.memo === null ? null : new PackedMemo(found.memo),
    spent: null,
  };
}

export function storedSentOutput(output: SentOutput, txid: TxIdHex, height: Height): StoredSentOutput {
  const { pool, account, scope, outputIndex, value } = output;
  return {
    pool,
    account,
    scope,
    txid,
    height,
    outputIndex,
    value,
    recipient: bytesToHex(output.recipient),
    memo: new PackedMemo(output.memo),
  };
}

/** All nullifiers of the block, also of other wallets. */
export function sightingsIn(block: ScannedBlock): NullifierSighting[] {
  return block.nullifiers.flatMap(({ pool, txIndex, txid, nullifiers }) => {
    const kept: NullifierSighting[] = [];
    for (let offset = 0; offset + 32 <= nullifiers.length; offset += 32) {
      kept.push({
        pool,
        nullifier: asNullifier(nullifiers.slice(offset, offset + 32)),
        height: block.height,
        time: block.time,
        txIndex,
        txid,
      });
    }
    return kept;
  });
}
