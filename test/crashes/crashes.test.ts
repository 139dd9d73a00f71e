// Operations of the product whose files fail: every call on them with an I/O error, a full disk, a quota, half a write,
// and a kill before it. Nothing may be lost or double, and the next run completes. One call of every other kind in every run;
// WALLET_COMPANION_CRASH_RUNS asks for more.

import { type ChildProcess, fork } from 'node:child_process';
import anyTest from 'ava';
import { temporaryFolder } from '#disk-test/folder';
import { AT_LENGTH, runs } from '#shielded-test/atLength';
import { missingCompiler } from '../helpers/companionLibrary.ts';
import { nextMessage } from '../storage/support/child.ts';
import { faultyEnvironment } from './support/faultyFiles.ts';
import { KINDS, type Report } from './support/interruptions.ts';
import { SCENARIOS } from './support/scenarios.ts';

const most = runs(1, 8, 'WALLET_COMPANION_CRASH_RUNS');
const reason = process.platform === 'linux' ? missingCompiler : 'needs Linux';
const PROGRAM = new URL('./children/interrupted.js', import.meta.url);

/** Some of what an operation must be seen to touch. */
const TOUCHED: Readonly<Record<string, readonly string[]>> = {
  create: [
    'data/.wallet.dat.tmp',
    'data/.ledger.db.tmp-journal',
    'data/ledger.db-wal',
    'config/.config.json.tmp',
  ],
  'change of password': ['data/.wallet.dat.tmp', 'data/wallet.dat'],
  'sync with commits': [
    'data/ledger.db',
    'data/ledger.db-wal',
    'data/ledger.db-shm',
    'config/.config.json.tmp',
  ],
  'first compact sync': ['data/.compact-regtest.db.tmp', 'data/compact-regtest.db-wal'],
  'a payment given up': ['data/ledger.db-wal', 'config/.config.json.tmp'],
  'start and end': ['data/lock.db', 'data/lock.json', 'data/ledger.db'],
};

/** One process for all of them: what is open in it at the end of one shows in the next. */
let child: ChildProcess | undefined;
const ends: (() => unknown)[] = [() => child?.kill('SIGKILL')];
anyTest.after.always(() => ends.forEach((end) => void end()));

async function start(): Promise<ChildProcess> {
  const folder = temporaryFolder({ teardown: (end) => ends.push(end) });
  const env = { ...process.env, ...(await faultyEnvironment(folder)) };
  return fork(PROGRAM, [String(most)], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

for (const [place, name] of Object.keys(SCENARIOS).entries()) {
  // Each operation fails in some of the ways in npm test, and each way in some operations; at length all in all.
  const kinds = KINDS.map((kind) => kind.name).filter((_, i) => AT_LENGTH || (place + i) % 3 === 0);
  if (reason !== undefined) {
    anyTest.skip(`${name}, interrupted (skipped: ${reason})`, () => undefined);
    continue;
  }
  anyTest.serial(`${name}, interrupted`, async (t) => {
    if (child?.connected !== true) child = await start();
    child.send({ name, room: temporaryFolder(t), kinds });
    const report = (await nextMessage(child)) as Report;
    t.log(JSON.stringify({ calls: report.calls, runs: report.runs, failed: report.failed }));
    t.deepEqual(report.faults, []);
    // Node's own writes and SQLite's are seen: what they touch is among what can fail.
    for (const file of TOUCHED[name] ?? []) t.true(report.files.includes(file), file);
    for (const kind of kinds) t.true((report.runs[kind] ?? 0) > 0, kind);
  });
}
