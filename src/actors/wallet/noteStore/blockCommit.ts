// What one commit of scanned blocks changes: notes found and spent, the wallet's transactions, the ranges scanned, the
// hashes to keep, and the nullifiers that a gap below may still need. Applying a block twice changes nothing.
//
// A full block fits its header, a compact block's outputs are a server's word. So full blocks replace what was known of the same
// blocks, and a compact block changes nothing for an account that a full one was scanned for.

import type { Height } from '@wallet-companion/base/values';
import {
  asNullifierHex,
  type BlockHash,
  blockHashToHex,
  chainKey,
  copyOf,
  noteKey,
  nullifierFromHex,
  type TxIdHex,
  txIdToHex,
} from '@wallet-companion/zcash/identifiers';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import type {
  HeightRange,
  NoteStoreChange,
  NoteStoreState,
  PoolOfAccount,
  StoredBlock,
  StoredSentOutput,
  StoredTransaction,
  Verifier,
} from '../ports/noteDatabase.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import { BlockReplacement } from './blockReplacement.ts';
import { searchedState } from './book/emptiedPools.ts';
import { KEPT_BLOCKS, staysKnown } from './book/knownBlocks.ts';
import { DraftNotes } from './book/noteBook.ts';
import type { NoteMemory } from './book/noteMemory.ts';
import { contiguousEnd, includes, isWithin } from './book/ranges.ts';
import { everScanned, extendedState } from './book/scannedRanges.ts';
import { sightingsIn, storedNote } from './book/storedForms.ts';
import { type JournalChange, JournalDraft } from './journal/journalDraft.ts';
import { type Committed, confirmedHeight, keepLowered, notesBefore } from './journal/journalPart.ts';
import { recordApplied } from './journal/journalRecords.ts';

export interface AppliedBlocks {
  /** Notes of the wallet in the blocks, known before or not. */
  readonly found: number;
  /** The notes that were not known, or only from a block of another height, as the chain had it before. */
  readonly received: readonly StoredNote[];
  /** Notes that were not known as spent, or only by another transaction or in a block of another height. */
  readonly spent: readonly StoredNote[];
  /** Blocks that were scanned before, of which a full block and a compact one say different things about the wallet; ascending. */
  readonly contradicted: readonly Height[];
}

type SpentNote = StoredNote & { readonly spent: NonNullable<StoredNote['spent']> };

/**
 * Takes consecutive blocks that fit, scanned with the keys of every account. `tip`: the chain's, where it is known. `verifiedBy`:
 * the source of full blocks; null for compact ones. `without`: the pools that were not searched.
 */
export function appliedBlocks(
  committed: Committed,
  blocks: readonly [ScannedBlock, ...ScannedBlock[]],
  tip: Height | undefined,
  verifiedBy: Verifier,
  without: readonly PoolOfAccount[],
): { readonly change: NoteStoreChange; readonly applied: AppliedBlocks } {
  const { memory, accounts } = committed;
  const [first] = blocks;
  const range = { start: first.height, end: blocks.at(-1)?.height ?? first.height };
  const draft = draftBefore(memory, range, verifiedBy);
  const { notes, ours, again } = draft;

  // Notes of the whole stretch come first, so that a spend in the same block or commit finds its note.
  const { found, received, unwatched } = notesIn(blocks, accounts, draft);
  const spent = [...spendsAbove(committed, unwatched, draft), ...spendsIn(blocks, draft)];
  const putTransactions = ours.merged(memory.transactions);
  const gone = disowned(memory, notes, new Set(putTransactions.map(({ txid }) => txid)));

  const inRange = notes.put
    .filter(({ height }) => isWithin(range, height))
    .map((note) => ({ ...note, isFateless: note.spent === null && unwatched.has(noteKey(note)) }));
  const extended = extendedState(memory.state, accounts, range, verifiedBy, inRange);
  const searched = { accounts, range, verifiedBy, without, notes: notes.put };
  const scanned = searchedState(memory.state, extended, searched);
  const state = { ...scanned, confirmedUpTo: confirmedHeight(committed, scanned) };
  // Below it no gap is left that could hide a note of a spend that was seen above.
  const gapless = Math.min(
    ...accounts.map((a) => contiguousEnd(state.scanned[a.index] ?? [], state.floors[a.index]!)),
  );
  const change: NoteStoreChange = {
    state,
    ...journalOf(committed, blocks, range, notes, state),
    putNotes: notes.put,
    deleteNotes: notes.deleted,
    deleteSentOutputs: gone.sentOutputs,
    putTransactions,
    deleteTransactions: gone.transactions,
    ...blocksToKnow(memory, blocks, state, tip),
    sightings: blocks.filter((block) => block.height > gapless).flatMap(sightingsIn),
    deleteNullifiers: [{ start: 0, end: gapless }, ...(verifiedBy === null ? [] : [range])],
  };
  return { change, applied: { found, received, spent, contradicted: again.contradicted() } };
}

/** What the blocks are compared with, and what becomes of it. */
interface Draft {
  readonly memory: NoteMemory;
  readonly notes: DraftNotes;
  readonly ours: TouchedTransactions;
  readonly again: BlockReplacement;
}

/** Without the notes of the blocks, which they are to confirm. */
function draftBefore(memory: NoteMemory, range: HeightRange, verifiedBy: Verifier): Draft {
  const again = new BlockReplacement(memory, range, verifiedBy);
  const notes = new DraftNotes(memory.notes);
  for (const note of again.toConfirm()) {
    if (isWithin(range, note.height)) notes.forget(note);
    else notes.keep({ ...note, spent: again.spentBefore(note) });
  }
  return { memory, notes, ours: new TouchedTransactions(), again };
}

/** What the journal reports of the draft's notes. */
function journalOf(
  committed: Committed,
  blocks: readonly ScannedBlock[],
  range: HeightRange,
  notes: DraftNotes,
  state: NoteStoreState,
): JournalChange {
  const { memory } = committed;
  const before = notesBefore(committed, blocks);
  const journal = new JournalDraft(before);
  // More confirmations may be required than before.
  keepLowered(committed, journal, state, Number.MAX_SAFE_INTEGER);
  recordApplied(journal, before, {
    notes: [
      ...notes.deleted.map((note) => ({ before: memory.notes.get(noteKey(note)), after: undefined })),
      ...notes.put.map((after) => ({ before: memory.notes.get(noteKey(after)), after })),
    ],
    range,
    noteAt: (key) => notes.get(key),
    isScanned: (account, height) => includes(state.scanned[account] ?? [], height),
    confirmedTo: state.confirmedUpTo,
    unconfirmed: memory.unconfirmed,
  });
  return journal.finish();
}

/** Marks new notes whose spend was seen above before. Returns those that were not known as spent. */
function spendsAbove(
  { store }: Committed,
  unwatched: ReadonlyMap<string, StoredNote>,
  { memory, notes, ours, again }: Draft,
): StoredNote[] {
  const spent: StoredNote[] = [];
  for (const { note, time } of spendsSeenAbove(store, [...unwatched.values()])) {
    // The blocks as they are now replace what was seen in them before.
    if (again.spentBefore(note) === null) continue;
    if (notes.get(noteKey(note))?.spent === null) spent.push(note);
    notes.keep(note);
    ours.touch(note.spent, memory.blocks.get(note.spent.height) ?? { time }, true);
  }
  return spent;
}

/** Takes the notes of the blocks. `unwatched`: their nullifiers were not known before, so a spend may have passed unseen. */
function notesIn(
  blocks: readonly ScannedBlock[],
  accounts: Committed['accounts'],
  { memory, notes, ours, again }: Draft,
) {
  const ends = new Map(accounts.map(({ index, until = Infinity }) => [index, until]));
  const received: StoredNote[] = [];
  const unwatched = new Map<string, StoredNote>();
  /** Notes of the chain. */
  const found = new Set<string>();
  for (const block of blocks) {
    for (const foundNote of block.notes) {
      // The scan had the account's keys for blocks further below.
      if (block.height > (ends.get(foundNote.account) ?? -1)) continue;
      const own = storedNote(foundNote);
      const owner = (notes.twinOf(own) ?? again.twinBefore(own))?.account ?? own.account;
      const note = owner < own.account ? { ...own, account: owner } : own;
      again.found(note);
      if (again.isSettled(note)) {
        if (memory.notes.get(noteKey(note)) !== undefined) found.add(chainKey(note));
        continue;
      }
      found.add(chainKey(note));
      const drafted = notes.twinOf(note);
      const twin = drafted ?? again.twinBefore(note);
      const known = notes.get(noteKey(note)) ?? again.before(note) ?? twin;
      if (drafted !== undefined) notes.forget(drafted);
      const merged = {
        ...note,
        memo: note.memo ?? known?.memo ?? null,
        spent: again.spentBefore(known) ?? again.spentBefore(twin),
      };
      if (known?.height !== note.height) received.push(note);
      if (note.nullifier !== null && known?.nullifier !== note.nullifier)
        unwatched.set(noteKey(note), merged);
      notes.keep(merged);
      ours.touch(note, block, merged.memo === null);
    }
  }
  return { found: found.size, received, unwatched };
}

/** Marks the notes that the blocks spend. Returns those that were not known as spent by that transaction at that height. */
function spendsIn(blocks: readonly ScannedBlock[], { memory, notes, ours, again }: Draft): StoredNote[] {
  const spent: StoredNote[] = [];
  for (const block of blocks) {
    for (const { pool, txIndex, txid, nullifiers } of block.nullifiers) {
      for (let offset = 0; offset + 32 <= nullifiers.length; offset += 32) {
        const note = notes.byNullifier(pool, nullifiers, offset);
        if (note === undefined) continue;
        const spender = { txid: txIdToHex(txid), height: block.height, txIndex };
        // Of a note that is new, what was scanned before could not see the spend.
        if (memory.notes.get(noteKey(note)) !== undefined) {
          again.foundSpend(note, block.height, spender.txid);
          if (again.isSettled({ account: note.account, height: block.height })) continue;
        }
        const spentNote = { ...note, spent: spender };
        const before = note.spent ?? memory.notes.get(noteKey(note))?.spent;
        const isNew = before?.txid !== spender.txid || before.height !== spender.height;
        if (isNew) spent.push(spentNote);
        notes.keep(spentNote);
        ours.touch(spender, block, isNew);
      }
    }
  }
  return spent;
}

/** Which of the blocks become known, and which known ones are no longer needed. */
function blocksToKnow(
  { blocks: known }: NoteMemory,
  blocks: readonly ScannedBlock[],
  state: NoteStoreState,
  tip = -1,
): { putBlocks: StoredBlock[]; deleteBlocks: number[] } {
  const top = Math.max(blocks.at(-1)?.height ?? -1, known.heights.at(-1) ?? -1);
  const window = { top, tip: Math.max(top, tip) };
  const scanned = everScanned(state);
  const stays = (height: Height) => staysKnown(height, window, scanned, state.verified);
  return {
    putBlocks: blocks
      .filter(({ height }) => stays(height))
      .map(({ height, hash, prevHash, time, treeSizes }) => ({
        height,
        // Copies: the originals are views that keep the whole scan result in memory.
        hash: copyOf(hash),
        prevHash: copyOf(prevHash),
        time,
        treeSizes,
      })),
    deleteBlocks: known.upTo(window.tip - KEPT_BLOCKS).filter((height) => !stays(height)),
  };
}

/** Transactions that a change no longer shows as the wallet's. */
function disowned(
  memory: NoteMemory,
  notes: DraftNotes,
  touched: ReadonlySet<TxIdHex>,
): { transactions: StoredTransaction[]; sentOutputs: StoredSentOutput[] } {
  const before = [...notes.deleted, ...notes.put.flatMap((note) => memory.notes.get(noteKey(note)) ?? [])];
  const suspects = new Set(before.flatMap(({ txid, spent }) => [txid, spent?.txid ?? txid]));
  for (const txid of touched) suspects.delete(txid);
  for (const { txid, spent } of notes.put) {
    suspects.delete(txid);
    if (spent !== null) suspects.delete(spent.txid);
  }
  if (suspects.size === 0) return { transactions: [], sentOutputs: [] };
  for (const committed of memory.notes.values()) {
    if (notes.get(noteKey(committed)) !== committed) continue;
    suspects.delete(committed.txid);
    if (committed.spent !== null) suspects.delete(committed.spent.txid);
  }
  return {
    transactions: [...suspects].flatMap((txid) => memory.transactions.get(txid) ?? []),
    sentOutputs: [...memory.sent.values()].filter(({ txid }) => suspects.has(txid)),
  };
}

/** Notes whose nullifier was seen higher up before, marked spent, and the time of the spend. */
function spendsSeenAbove(
  store: Committed['store'],
  wanted: readonly StoredNote[],
): { readonly note: SpentNote; readonly time: number }[] {
  const sightings = store.findSightings(
    wanted.map((note) => ({
      pool: note.pool,
      nullifier: nullifierFromHex(note.nullifier ?? asNullifierHex('')),
    })),
  );
  return wanted.flatMap((note, i) => {
    const seen = sightings[i];
    if (seen === undefined) return [];
    const { txid, height, txIndex, time } = seen;
    return [{ note: { ...note, spent: { txid: txIdToHex(txid), height, txIndex } }, time }];
  });
}

// Transactions of the wallet met while blocks are applied, and whether their full bytes still have to be read.

class TouchedTransactions {
  readonly #touched = new Map<string, StoredTransaction>();

  /** `incomplete`: only its full bytes contain a memo, or what a newly seen spend sent. */
  touch(
    at: Pick<StoredTransaction, 'txid' | 'height' | 'txIndex'>,
    { time, hash }: { readonly time: number; readonly hash?: BlockHash },
    incomplete: boolean,
  ): void {
    const complete = !incomplete && (this.#touched.get(at.txid)?.complete ?? true);
    this.#touched.set(at.txid, {
      txid: at.txid,
      height: at.height,
      txIndex: at.txIndex,
      time,
      complete,
      ...(hash !== undefined && { blockHash: blockHashToHex(hash) }),
    });
  }

  /** Merges with the known ones: a block applied twice leaves a transaction as incomplete as it was. */
  merged(known: ReadonlyMap<string, StoredTransaction>): StoredTransaction[] {
    return [...this.#touched.values()].map((transaction) => {
      const before = known.get(transaction.txid);
      if (before?.height !== transaction.height) return transaction;
      const { blockHash = before.blockHash } = transaction;
      return {
        ...transaction,
        complete: transaction.complete && before.complete,
        ...(blockHash !== undefined && { blockHash }),
        // Without a fee until the bytes are read again: new facts may change who paid.
        ...(transaction.complete && before.fee !== undefined && { fee: before.fee }),
      };
    });
  }
}
