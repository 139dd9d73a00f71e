// Programs of others as provers of config.json: what they make of a payment that was prepared here is proofs, as the
// reference finds them. WALLET_COMPANION_PROVER names one more program, such as that of packages/prover/rust.
import { randomBytes as nodeRandomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { systemAfter } from '@wallet-companion/base/async';
import { decodePczt, encodePczt, type Pczt, takeReturned } from '@wallet-companion/pczt/pczt';
import { combinePczts, redactPczt } from '@wallet-companion/pczt/pcztRoles';
import { build, madeUpNotes, PHRASE, payTo } from '@wallet-companion/pczt/test/spendingAccount';
import { STORIES } from '@wallet-companion/pczt/test/spendingStories';
import test from 'ava';
import { groupMemory } from '../../src/programs/groupMemory.ts';
import { PcztProgram } from '../../src/service/programs/pcztProgram.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { openPcztTool, pcztTool } from './pcztTool.ts';

const randomBytes = (length: number): Uint8Array => Uint8Array.from(nodeRandomBytes(length));

function prepared(name: string) {
  const story = STORIES.find((one) => one.name === name);
  if (story === undefined) throw new Error(`no story ${name}`);
  const notes = madeUpNotes(story.notes, randomBytes);
  const memo = story.memo === undefined ? undefined : new TextEncoder().encode(story.memo);
  return build(payTo(story.address, story.zatoshi, notes, story.options, memo), notes, randomBytes);
}

/** As the wallet has it done. */
async function withProofs(pczt: Pczt, prover: PcztProgram): Promise<Pczt> {
  const asked = encodePczt(redactPczt(pczt, 'prover'), 2);
  const answer = await prover.run(asked, new AbortController().signal);
  const returned = takeReturned(pczt, decodePczt(answer).pczt);
  if (!returned.ok) throw new Error(JSON.stringify(returned.changes));
  return returned.pczt;
}

const tool = openPcztTool(PHRASE);
test.after.always(() => tool?.remove());
const own = process.env['WALLET_COMPANION_PROVER'];
const commands = [[pcztTool(), 'prove'], ...(own === undefined ? [] : [[own]])];

if (tool === undefined) test.skip('the reference tool is not installed', () => {});
else {
  for (const command of commands) {
    const name = path.basename(command[0]!);
    const proverIn = (folder: string): PcztProgram => {
      const settingsFile = path.join(folder, 'config.json');
      fs.writeFileSync(settingsFile, '{}', { mode: 0o600 });
      const log = { info: () => undefined, warn: () => undefined };
      const setting = { command, timeout_seconds: 1500, max_memory_mb: 4096 };
      return new PcztProgram('prover', {
        settingsFile,
        setting,
        log,
        env: process.env,
        after: systemAfter,
        memoryOf: groupMemory,
      });
    };

    test.serial(`${name} proves a payment, and the reference verifies it`, async (t) => {
      t.timeout(1_800_000);
      const built = prepared('Ironwood to Ironwood with a memo');
      const proved = await withProofs(built.pczt, proverIn(temporaryFolder(t)));
      const signed = decodePczt(tool.run('sign', [built.bytes])).pczt;
      const done = combinePczts([proved, signed]);
      const bytes = encodePczt(done, 2);
      // Verifies all proofs and signatures.
      t.regex(tool.run('extract', [bytes]).toString('utf8').trim(), /^[0-9a-f]+$/);
      t.is(tool.json<{ txid: string }>('inspect', bytes).txid, Buffer.from(built.txid).toString('hex'));
    });
  }
}
