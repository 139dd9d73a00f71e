// Operations of the product whose machine loses its power: at points all over their calls on files, each time with a disk that
// has what was synced and anything of the rest. Nothing that was answered is lost, and the next run completes.
// WALLET_COMPANION_POWER_RUNS asks for more disks, WALLET_COMPANION_POWER_SEED for those of an earlier run.

import { runs } from '@wallet-companion/base/test/atLength';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import anyTest from 'ava';
import { faultyProgram, notHere } from './support/faultyProgram.ts';
import type { LossReport } from './support/powerLosses.ts';
import { SCENARIOS } from './support/scenarios.ts';

const most = runs(8, 40, 'WALLET_COMPANION_POWER_RUNS');
const seed = Number(process.env['WALLET_COMPANION_POWER_SEED'] ?? 1);
const program = faultyProgram(new URL('./children/losingPower.js', import.meta.url));
anyTest.after.always(() => program.end());

for (const name of Object.keys(SCENARIOS)) {
  if (notHere !== undefined) {
    anyTest.skip(`${name}, without power (skipped: ${notHere})`, () => undefined);
    continue;
  }
  anyTest.serial(`${name}, without power`, async (t) => {
    const report = (await program.ask({ name, room: temporaryFolder(t), most, seed })) as LossReport;
    t.log(JSON.stringify({ ...report, faults: report.faults.length }));
    t.deepEqual(report.faults, []);
    t.is(report.disks, most);
  });
}
