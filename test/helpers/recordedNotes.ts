// The notes of the recorded chain of a real node (zebra-recorded), as an independent reader wrote them down.

import type { Pool } from '@wallet-companion/zcash/pools';
import { readFixtureLines } from '@wallet-companion/zcash/test/fixtures';
import type { Output } from '../../src/protocol/operations.ts';

export interface RecordedNote {
  readonly pool: Pool;
  readonly account: number;
  readonly scope: string;
  /** Zatoshi. */
  readonly value: number;
  readonly height: number;
  readonly txid: string;
  readonly outputIndex: number;
  readonly position: number;
  readonly nullifier: string;
  readonly spentHeight: number | null;
  readonly spentTxid: string | null;
}

const byPlace = (a: RecordedNote, b: RecordedNote): number =>
  a.pool.localeCompare(b.pool) || a.position - b.position;

export function readRecordedNotes(): RecordedNote[] {
  return readFixtureLines('known-seed', 'zebra-recorded', 'expected-notes.jsonl')
    .map((line) => JSON.parse(line) as Omit<RecordedNote, 'value'> & { readonly value: string })
    .map((note) => ({ ...note, value: Number(note.value) }))
    .sort(byPlace);
}

/** What the API shows, in the recording's form and order. */
export function inRecordedForm(notes: Output<'notes.list'>['notes']): RecordedNote[] {
  return notes
    .map((note) => ({
      pool: note.pool,
      account: note.account,
      scope: note.scope,
      value: note.value_zatoshi,
      height: note.height,
      txid: note.txid,
      outputIndex: note.output_index,
      position: note.position,
      nullifier: note.nullifier as string,
      spentHeight: note.spent?.height ?? null,
      spentTxid: note.spent?.txid ?? null,
    }))
    .sort(byPlace);
}
