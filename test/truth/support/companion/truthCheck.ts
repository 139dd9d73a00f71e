// What the wallet says it owns, against what the chain says it owns after the block that the wallet names.

import { equalBytes } from '@wallet-companion/base/bytes';
import { POOLS } from '@wallet-companion/zcash/pools';
import { keptLeaves } from '../../../../src/actors/wallet/noteStore/leaves/scannedLeaves.ts';
import type { WitnessPartStore } from '../../../../src/actors/wallet/ports/witnessPart.ts';
import type { Output } from '../../../../src/protocol/operations.ts';
import type { WalletHarness } from '../../../helpers/walletHarness.ts';
import { checkBooks } from './booksCheck.ts';
import { nameOf, type TrueLeaves, type TrueNotes, type Truth } from './branch.ts';

type ListedNote = Output<'notes.list'>['notes'][number];
type Birthdays = ReadonlyMap<number, number>;

/** Throws with what is wrong. What is not called complete may lack anything. */
export async function checkAgainst(
  truth: Truth,
  { call }: Pick<WalletHarness, 'call'>,
  birthdays: Birthdays,
  config: { readonly last_scan_height?: number | null },
  store: Pick<WitnessPartStore, 'lastingPart'>,
): Promise<void> {
  const { notes } = await call('notes.list', { limit: 1_000 });
  const balance = await call('balance.get');
  checkBalance(balance, notes);
  for (const account of birthdays.keys()) {
    const own = await call('balance.get', { account });
    const listed = notes.filter((note) => note.account === account);
    checkBalance(own, listed);
    const { accounts } = await call('coverage.get', { account });
    checkVerified(own, accounts[0]?.scanned ?? []);
    if (own.complete) checkNotes(truth.after(asOf(own)), listed, birthdays, account);
  }
  const { transactions } = await call('transactions.list', { limit: 1_000 });
  checkTransactions(transactions, notes);
  await checkBooks({ call }, notes, birthdays.keys());
  if (!balance.complete) return;
  if (config.last_scan_height !== balance.as_of_height)
    throw new Error(
      `complete as of ${balance.as_of_height}, but config.json says ${config.last_scan_height}`,
    );
  checkLeaves(truth.leavesAfter(asOf(balance)), store);
}

/** What is kept for witnesses may have holes, but no leaf of another chain: no witness would prove right then. */
function checkLeaves(leaves: TrueLeaves, store: Pick<WitnessPartStore, 'lastingPart'>): void {
  for (const pool of POOLS)
    for (const [position, leaf] of leaves[pool].entries()) {
      const kept = keptLeaves(store, pool, position, position + 1);
      if (kept !== undefined && !equalBytes(kept, leaf))
        throw new Error(`complete with another leaf at ${pool} ${position}`);
    }
}

function asOf({ as_of_hash: hash }: Output<'balance.get'>): string {
  if (hash === null) throw new Error('complete, as of a block that is not known');
  return hash;
}

function checkBalance(balance: Output<'balance.get'>, notes: readonly ListedNote[]): void {
  const unspent = notes.filter(({ spent }) => spent === null);
  const sum = unspent.reduce((total, note) => total + note.value_zatoshi, 0);
  if (sum !== balance.total_zatoshi)
    throw new Error(`a balance of ${balance.total_zatoshi}, but notes of ${sum}`);
}

type Stretches = Output<'coverage.get'>['accounts'][number]['scanned'];

function checkVerified({ verified_with: by }: Output<'balance.get'>, stretches: Stretches): void {
  const isVerified = stretches.length > 0 && stretches.every(({ verified_with }) => verified_with === 'node');
  if (isVerified !== (by === 'node')) throw new Error(`verified with ${by}, of ${JSON.stringify(stretches)}`);
  for (const [i, { start_height: start, verified_with }] of stretches.slice(1).entries()) {
    const below = stretches[i]!;
    const isCut = below.end_height === start - 1 && below.verified_with !== verified_with;
    if (below.end_height >= start - 1 && !isCut) throw new Error(`not apart at ${start}`);
  }
}

function checkNotes(
  truth: TrueNotes,
  notes: readonly ListedNote[],
  birthdays: Birthdays,
  account: number,
): void {
  const owned = new Map(truth.filter((note) => note.account === account).map((note) => [note.name, note]));
  for (const note of notes) {
    const real = owned.get(nameOf(note));
    if (real === undefined) throw new Error(`complete with a note that is not there: ${nameOf(note)}`);
    const { value, height, position, nullifier, spent } = real;
    const output = [note.value_zatoshi, note.height, note.position, note.nullifier, note.spent];
    const is = [value, height, position, nullifier, spent];
    const [ours, theirs] = [JSON.stringify(output), JSON.stringify(is)];
    if (ours !== theirs) throw new Error(`complete, but ${nameOf(note)} is ${theirs} and not ${ours}`);
    owned.delete(real.name);
  }
  const birthday = birthdays.get(account) ?? Infinity;
  for (const { name, height } of owned.values())
    if (height >= birthday) throw new Error(`complete without ${name} at ${height}`);
}

/** Each transaction that made or spent a note that is listed, once, with its sums. */
function checkTransactions(
  transactions: Output<'transactions.list'>['transactions'],
  notes: readonly ListedNote[],
): void {
  const sum = (of: readonly ListedNote[]) => of.reduce((total, note) => total + note.value_zatoshi, 0);
  const expected = new Set(notes.flatMap(({ txid, spent }) => [txid, spent?.txid ?? txid]));
  for (const { txid, height, received_zatoshi: received, spent_zatoshi: gone } of transactions) {
    const made = notes.filter((note) => note.txid === txid);
    const spent = notes.filter((note) => note.spent?.txid === txid);
    if (!expected.delete(txid)) throw new Error(`a transaction of nobody, or twice: ${txid}`);
    if (received !== sum(made) || gone !== sum(spent)) throw new Error(`wrong sums in ${txid}`);
    const isPlaced = [...made, ...spent.map((note) => note.spent!)].every((at) => at.height === height);
    if (!isPlaced) throw new Error(`${txid} at another height than its notes`);
  }
  if (expected.size > 0) throw new Error(`not listed: ${[...expected]}`);
}
