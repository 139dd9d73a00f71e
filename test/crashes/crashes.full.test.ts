// Operations of the product whose files fail: every call on them with an I/O error, a full disk, a quota, half a write,
// and a kill before it. Nothing may be lost or double, and the next run completes. One call of every other kind in every run;
// WALLET_COMPANION_CRASH_RUNS asks for more.

import { AT_LENGTH, runs } from '@wallet-companion/base/test/atLength';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import anyTest from 'ava';
import { faultyProgram, notHere as reason } from './support/faultyProgram.ts';
import { KINDS, type Report } from './support/interruptions.ts';
import { SCENARIOS } from './support/scenarios.ts';

const most = runs(1, 5, 'WALLET_COMPANION_CRASH_RUNS');
const program = faultyProgram(new URL('./children/interrupted.js', import.meta.url), [String(most)]);
anyTest.after.always(() => program.end());

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

for (const [place, name] of Object.keys(SCENARIOS).entries()) {
  // Each operation fails in some of the ways in npm test, and each way in some operations; at length all in all.
  const kinds = KINDS.map((kind) => kind.name).filter((_, i) => AT_LENGTH || (place + i) % 3 === 0);
  if (reason !== undefined) {
    anyTest.skip(`${name}, interrupted (skipped: ${reason})`, () => undefined);
    continue;
  }
  anyTest.serial(`${name}, interrupted`, async (t) => {
    const report = (await program.ask({ name, room: temporaryFolder(t), kinds })) as Report;
    t.log(JSON.stringify({ calls: report.calls, runs: report.runs, failed: report.failed }));
    t.deepEqual(report.faults, []);
    // Node's own writes and SQLite's are seen: what they touch is among what can fail.
    for (const file of TOUCHED[name] ?? []) t.true(report.files.includes(file), file);
    // What writes nothing cannot write half.
    const has = (half = false) => !half || report.calls['write'] !== undefined;
    for (const kind of KINDS.filter((one) => kinds.includes(one.name) && has(one.half)))
      t.true((report.runs[kind.name] ?? 0) > 0, kind.name);
  });
}
