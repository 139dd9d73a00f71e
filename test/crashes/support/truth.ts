// What must hold of a companion's folder however an operation on it ended: every balance that is called complete is
// true, the next sync comes to the end of the chain, and nothing is left behind.

import fs from 'node:fs';
import path from 'node:path';
import { acquireDirectoryLock } from '@wallet-companion/disk/lock';
import { blockHashFromHex } from '@wallet-companion/zcash/identifiers';
import { removedWalletFile, WALLET_FILE } from '../../../src/storage/files/dataFiles.ts';
import { createDataDirectory } from '../../../src/storage/files/directories.ts';
import { trueNotes } from '../../truth/support/world.ts';
import {
  directoriesIn,
  type MadeUpCompanion,
  type Outside,
  startMadeUpCompanion,
} from './madeUpCompanion.ts';
import { NEW_PASSWORD, PASSWORD, type Scenario } from './scenario.ts';

/** A sync that needs more rounds than that does not come to its end. */
const MOST_ROUNDS = 10;

const USUAL = /^(?:config\/config\.json|data\/(?:wallet\.dat|ledger\.db|lock\.db))$/;

export function require(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

type Listed = { readonly txid: string; readonly output_index: number; readonly account: number };
const keyOf = ({ txid, output_index, account }: Listed): string => `${txid}:${output_index}:${account}`;

/** The changes, from the first one, tell of the notes that there are: each row fits the ones before it. */
async function requireBooks(
  companion: MadeUpCompanion,
  notes: readonly (Listed & { readonly spent: object | null })[],
): Promise<void> {
  const books = new Map<string, { spent: boolean }>();
  let since: string | undefined;
  for (let more = true; more; ) {
    const page = await companion.get('changes.list', { ...(since === undefined ? {} : { since }), limit: 7 });
    for (const change of page.changes) {
      const known = books.get(keyOf(change));
      const fits =
        change.kind === 'received'
          ? known === undefined
          : known !== undefined && (change.kind !== 'spent' || !known.spent);
      require(fits, `change ${change.sequence} does not fit: ${change.kind}`);
      if (change.kind === 'received') books.set(keyOf(change), { spent: false });
      if (change.kind === 'spent') books.set(keyOf(change), { spent: true });
      if (change.kind === 'unspent') books.set(keyOf(change), { spent: false });
      if (change.kind === 'unreceived') books.delete(keyOf(change));
    }
    since = page.next_cursor;
    more = page.has_more;
  }
  for (const note of notes) {
    const known = books.get(keyOf(note));
    // What a rescan has not come to again is as it was.
    require(known !== undefined && (note.spent === null || known.spent), `not in the books: ${keyOf(note)}`);
  }
}

/** Where the balance is called complete it is that of the block it is said of, note for note. */
export async function requireTruth(companion: MadeUpCompanion, { blocks }: Outside): Promise<boolean> {
  const balance = await companion.get('balance.get');
  require(balance.warning === undefined, `false alarm: ${balance.warning}`);
  const { notes } = await companion.get('notes.list', { limit: 1000 });
  const names = notes.map(({ nullifier }) => nullifier);
  require(new Set(names).size === names.length, 'a note is there twice');
  await requireBooks(companion, notes);
  if (!balance.complete || balance.as_of_hash === null) return false;
  const { accounts } = await companion.get('accounts.list');
  const birthdays = new Map(accounts.map(({ account, birthday_height }) => [account, birthday_height]));
  const truth = trueNotes(blocks.named(blockHashFromHex(balance.as_of_hash as never)), birthdays);
  const ours = new Map(
    notes
      .filter(({ spent, account, height }) => spent === null && height >= (birthdays.get(account) ?? 0))
      .map(({ nullifier, value_zatoshi }) => [nullifier ?? '', value_zatoshi]),
  );
  const { changes: reported } = await companion.get('changes.list', { limit: 1000 });
  // What a rescan has not come to again is as it was.
  const changes = reported.filter(({ height }) => height <= (balance.as_of_height ?? 0));
  const received = changes.filter(({ kind }) => kind === 'received').length;
  const undone = changes.filter(({ kind }) => kind === 'unreceived').length;
  require(received - undone ===
    notes.length, `${received} received, ${undone} undone, ${notes.length} there`);
  const same = truth.size === ours.size && [...truth].every(([name, value]) => ours.get(name) === value);
  require(same, `complete at ${balance.as_of_height} with ${ours.size} notes, there are ${truth.size}`);
  return true;
}

/** The session is open. */
export async function settle(companion: MadeUpCompanion, outside: Outside): Promise<void> {
  await requireTruth(companion, outside);
  let gap: { end_height?: number } = {};
  for (let round = 0; ; round++) {
    require(round < MOST_ROUNDS, 'the sync does not come to its end');
    const { caught_up, range_complete, missing_ranges: missing } = await companion.get('sync.run', gap);
    if (caught_up && missing.length === 0) break;
    gap = range_complete && missing.length > 0 ? { end_height: missing.at(-1)!.end_height } : {};
  }
  require(await requireTruth(companion, outside), 'caught up, and not complete');
  const { as_of_height } = await companion.get('balance.get');
  require(as_of_height === outside.world.tip, 'caught up below the tip');
}

/** The password that opens the wallet: exactly one does. */
export async function unlockWithEither(companion: MadeUpCompanion): Promise<string> {
  const opening: string[] = [];
  for (const password of [PASSWORD, NEW_PASSWORD]) {
    const answer = await companion.call('wallet.unlock', { password });
    require(answer.ok || answer.error.code === 'WRONG_PASSWORD', `unlock: ${JSON.stringify(answer)}`);
    if (!answer.ok) continue;
    opening.push(password);
    await companion.get('wallet.lock');
  }
  require(opening.length === 1, `${opening.length} passwords open the wallet`);
  await companion.get('wallet.unlock', { password: opening[0] });
  return opening[0]!;
}

/** A wallet that is not there is not lost, where the operation makes or removes it: now it is there. */
export async function requireWallet(
  scenario: Scenario,
  companion: MadeUpCompanion,
  outside: Outside,
): Promise<void> {
  if ((await companion.get('wallet.exists')).exists) return;
  if (scenario.removesWallet === true) {
    const { dataDir } = directoriesIn(companion.folder);
    fs.renameSync(path.join(dataDir, removedWalletFile(1)), path.join(dataDir, WALLET_FILE));
    return;
  }
  require(scenario.makesWallet === true, 'the wallet is gone');
  const again = await scenario.run(companion, outside);
  require(again.ok, `made again: ${JSON.stringify(again)}`);
  await companion.get('wallet.lock');
}

/** What the process before the next one had come to when it ended. */
export interface Reached {
  /** What it had answered. */
  readonly answer?: unknown;
  /** A transaction had left it. */
  readonly hasSent?: boolean;
  /** Files that may be left besides. */
  readonly leaves?: RegExp;
}

/** What the next process finds. */
export async function requireWhole(
  scenario: Scenario,
  folder: string,
  outside: Outside,
  { answer, hasSent = false, leaves }: Reached = {},
): Promise<void> {
  const text = fs.readFileSync(path.join(directoriesIn(folder).configDir, 'config.json'), 'utf8');
  const { mine } = JSON.parse(text) as { mine?: unknown };
  require(JSON.stringify(mine) === '[1]', `config.json lost what is not ours: ${text}`);
  createDataDirectory(directoriesIn(folder).dataDir);
  const lock = await acquireDirectoryLock(directoriesIn(folder).dataDir);
  require(lock.state === 'acquired', 'somebody holds the lock');
  const companion = await startMadeUpCompanion(folder, outside);
  if (answer !== undefined) {
    const { exists } = await companion.get('wallet.exists');
    require(exists !== (scenario.removesWallet ?? false), 'made or removed, and it is not so');
  }
  await requireWallet(scenario, companion, outside);
  const password = await unlockWithEither(companion);
  require((await scenario.keeps?.(companion)) !== false, 'what was there before is lost');
  const isThere = answer === undefined || (await scenario.promised?.(companion, answer as never, password));
  require(isThere !== false, 'what was answered is lost');
  require(!hasSent || (await scenario.left?.(companion)) !== false, 'what was sent is lost');
  await settle(companion, outside);
  const { operation } = scenario;
  if (operation === 'lwd.sync_compact') {
    const { caught_up } = await companion.get(operation);
    require(caught_up, 'the compact store is not full');
  }
  await companion.stop();
  lock.release();
  const names = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !fs.statSync(path.join(folder, name)).isDirectory());
  const left = names.filter((name) => ![USUAL, scenario.leaves, leaves].some((these) => these?.test(name)));
  require(left.length === 0, `left behind: ${left.join(', ')}`);
}
