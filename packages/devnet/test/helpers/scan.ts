// The product's reference scanner run over a devnet, and the devnet's own account of the same notes, in one form.

import { bytesToHex, concatBytes } from '@wallet-companion/base/bytes';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { incomingKeys } from '@wallet-companion/zcash/keys';
import {
  type BlockBatch,
  type BlockRef,
  ReferenceDecryptor,
  type ScannedBlock,
  scanBatch,
} from '@wallet-companion/zcash/scan';
import type { Devnet } from '../../src/devnet/devnet.ts';
import type { MinedBlock } from '../../src/devnet/minedBlock.ts';
import type { Person } from './story.ts';

export interface ListedNote {
  readonly pool: string;
  readonly account: number;
  readonly scope: string;
  readonly value: string;
  readonly height: number;
  readonly txid: string;
  readonly outputIndex: number;
  readonly position: number;
  readonly nullifier: string | null;
  readonly memo: string | null;
  readonly spentHeight: number | null;
  readonly spentTxid: string | null;
}

export function batchOf(blocks: readonly MinedBlock[], format: BlockBatch['format']): BlockBatch {
  const parts = blocks.map((block) => (format === 'raw' ? block.bytes : block.compact));
  let offset = 0;
  const refs = blocks.map((block, i): BlockRef => {
    const { length } = parts[i]!;
    const { height, hash, prevHash, treeSizesBefore: treeSizes } = block;
    const ref = { height, hash, prevHash, offset, length, treeSizes, outputCount: 0 };
    offset += length;
    return ref;
  });
  return { format, buffer: concatBytes(...parts).buffer as ArrayBuffer, blocks: refs };
}

/** Blocks above the devnet's first one. */
export function scanDevnet(
  devnet: Devnet,
  people: readonly Person[],
  format: BlockBatch['format'],
): ScannedBlock[] {
  const { network, activation } = devnet.params;
  const keys = people.flatMap((person, index) => incomingKeys(person.keys, index));
  return scanBatch(
    batchOf(devnet.blocks.blocks.slice(1), format),
    keys,
    { network, ...activation },
    new ReferenceDecryptor(),
  );
}

export function notesOfScan(blocks: readonly ScannedBlock[]): ListedNote[] {
  const spends = new Map<string, { height: number; txid: string }>();
  for (const { height, nullifiers } of blocks) {
    for (const { pool, txid, nullifiers: packed } of nullifiers) {
      for (let i = 0; i < packed.length; i += 32) {
        spends.set(`${pool} ${bytesToHex(packed.subarray(i, i + 32))}`, { height, txid: toDisplayHex(txid) });
      }
    }
  }
  return sorted(
    blocks.flatMap(({ notes }) =>
      notes.map((note) => {
        const nullifier = note.nullifier && bytesToHex(note.nullifier);
        const spent = spends.get(`${note.pool} ${nullifier}`);
        return {
          pool: note.pool,
          account: note.account,
          scope: note.scope,
          value: String(note.value),
          height: note.height,
          txid: toDisplayHex(note.txid),
          outputIndex: note.outputIndex,
          position: note.position,
          nullifier,
          memo: note.memo && shortMemo(note.memo),
          spentHeight: spent?.height ?? null,
          spentTxid: spent?.txid ?? null,
        };
      }),
    ),
  );
}

export function notesOfDevnet(people: readonly Person[]): ListedNote[] {
  return sorted(
    people.flatMap(({ account }) =>
      account.notes().map(({ note, key, transaction, mined, nullifier, spent }) => ({
        pool: note.pool,
        account: key.account,
        scope: key.scope,
        value: String(note.value),
        height: mined!.height,
        txid: toDisplayHex(transaction.txid),
        outputIndex: note.outputIndex,
        position: mined!.position,
        nullifier: nullifier ? bytesToHex(nullifier) : null,
        memo: shortMemo(note.memo),
        spentHeight: spent?.height ?? null,
        spentTxid: spent ? toDisplayHex(spent.transaction.txid) : null,
      })),
    ),
  );
}

/** Without the zeros at the end. */
export const shortMemo = (memo: Uint8Array): string => bytesToHex(memo).replace(/(00)+$/, '');

const sorted = (notes: ListedNote[]): ListedNote[] =>
  notes.sort((a, b) => a.height - b.height || a.pool.localeCompare(b.pool) || a.position - b.position);
