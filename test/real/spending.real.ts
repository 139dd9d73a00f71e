// Payments that were prepared here, in the hands of the reference's crates: they verify, sign, prove, combine and extract
// what was built, and get the transaction that was meant.
import { spawnSync } from 'node:child_process';
import { randomBytes as nodeRandomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { decodePczt } from '@wallet-companion/pczt/pczt';
import { combinePczts, extractPczt } from '@wallet-companion/pczt/pcztRoles';
import { build, madeUpNotes, PHRASE, payTo } from '@wallet-companion/pczt/test/spendingAccount';
import { STORIES } from '@wallet-companion/pczt/test/spendingStories';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import test from 'ava';
import { pcztTool } from './pcztTool.ts';

const tool = pcztTool();
const randomBytes = (length: number): Uint8Array => Uint8Array.from(nodeRandomBytes(length));

/** Proving one takes minutes on a busy machine: these have between them every kind of proof and of padding. */
const PROVED = ['Ironwood to Ironwood with a memo', 'Sapling to Ironwood, change kept in Sapling'];

if (!existsSync(tool)) test.skip('the reference tool is not installed', () => {});
else {
  for (const story of STORIES) {
    test.serial(`${story.name}: as the reference reads it`, async (t) => {
      t.timeout(1_800_000);
      const folder = await mkdtemp(path.join(tmpdir(), 'companion-spending-'));
      t.teardown(() => rm(folder, { recursive: true, force: true }));
      const file = (name: string): string => path.join(folder, name);
      const run = (...args: string[]): { status: number | null; stdout: string; stderr: string } => {
        const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
        return { status, stdout, stderr };
      };
      writeFileSync(file('phrase'), PHRASE, { mode: 0o600 });
      const notes = madeUpNotes(story.notes, randomBytes);
      const memo = story.memo === undefined ? undefined : new TextEncoder().encode(story.memo);
      const built = build(
        payTo(story.address, story.zatoshi, notes, story.options, memo),
        notes,
        randomBytes,
      );
      writeFileSync(file('ready'), built.bytes);

      t.deepEqual(JSON.parse(run('roundtrip', file('ready')).stdout), {
        version: 2,
        bytes: built.bytes.length,
        crate_reencodes_equal: true,
        table_reencodes_equal: true,
        minimal_version: 2,
      });
      t.deepEqual(JSON.parse(run('verify', file('ready')).stdout), { complaints: [] });
      t.is(
        (JSON.parse(run('inspect', file('ready')).stdout) as { txid: string }).txid,
        bytesToHex(built.txid),
      );

      const signing = run('sign', file('ready'), '--mnemonic-file', file('phrase'), '-o', file('signed'));
      t.is(signing.stderr.trim(), `signed ${story.signatures}, left 0`);
      if (!PROVED.includes(story.name)) return;
      const proving = run('prove', file('ready'), '--mnemonic-file', file('phrase'), '-o', file('proved'));
      t.is(proving.status, 0, proving.stderr);
      run('combine', file('proved'), file('signed'), '-o', file('done'));
      const extracted = run('extract', file('done'));
      t.is(extracted.status, 0, extracted.stderr);
      const { txid } = JSON.parse(extracted.stderr) as { txid: string };
      t.is(txid, toDisplayHex(built.txid));

      // And so does the product, of the same three copies.
      const read = (name: string) => decodePczt(readFileSync(file(name))).pczt;
      const own = extractPczt(combinePczts([built.pczt, read('proved'), read('signed')]), randomBytes);
      t.true(own.ok);
      if (!own.ok) return;
      t.deepEqual(own.txid, built.txid);
      t.is(own.bytes.length, extracted.stdout.trim().length / 2);
    });
  }
}
