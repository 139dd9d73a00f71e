// A disk that takes nothing any more must not keep anybody from seeing what they own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { copyFolder } from '../helpers/copyFolder.ts';
import { readKnownSeed, startKnownSeedNode } from '../helpers/knownSeed.ts';
import { canMount, type Disk, onDisk } from '../helpers/mountedDisk.ts';
import { callsTo, startService } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { startHere } from '../spec/companionHere.ts';

const PASSWORD = 'correct horse';
const run = canMount() ? test.serial : test.skip;
const seed = readKnownSeed('main');
const first = seed.firstHeight;

/** A wallet in the middle of a scan, made once; what it had is the same on each disk. */
let made: Promise<{ readonly folder: string; readonly balance: unknown }> | undefined;
const ends: (() => unknown)[] = [];
test.after.always(async () => {
  for (const end of ends) await end();
});

async function scannedHalf(t: ExecutionContext) {
  const node = await startKnownSeedNode(seed);
  ends.push(() => node.stop());
  const folder = mkdtempSync(path.join(tmpdir(), 'wallet-companion-test-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const before = await startHere(t, { folder, config: { network: 'main', node_url: node.url } });
  const { get, post } = callsTo(before.url);
  await post('/api/wallet/restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: first,
  });
  await post('/api/sync', { end_height: first + 29 });
  const { body: balance } = await get('/api/balance');
  t.like(balance, { as_of_height: first + 29, complete: true });
  await before.stop();
  // The program's own files are there from an earlier start.
  t.is(await (await startService(t, { folder })).stop(), 0);
  return { folder, balance };
}

for (const disk of ['full', 'read-only'] as const satisfies readonly Disk[]) {
  run(
    `with a ${disk} disk the companion starts, unlocks and shows, and says why it cannot sync`,
    async (t) => {
      made ??= scannedHalf(t);
      const { folder: left, balance } = await made;
      const folder = temporaryFolder(t);
      copyFolder(left, folder);
      const service = await startService(t, {
        folder,
        within: (command, where) => onDisk(disk, where, command),
      });
      t.like(await service.get('/api/wallet/exists'), { body: { exists: true } });
      t.like(await service.get('/api/config'), { status: 200 });
      t.like(await service.post('/api/wallet/unlock', { password: PASSWORD }), { status: 200 });
      t.deepEqual((await service.get<unknown>('/api/balance')).body, balance);
      t.like(await service.get('/api/notes'), { status: 200 });
      t.like(await service.post('/api/sync', {}), { status: 500, body: { code: 'STORAGE_FAILED' } });
      t.deepEqual((await service.get<unknown>('/api/balance')).body, balance);
      t.is(await service.stop(), 0);

      const after = await startService(t, { folder });
      t.like(await after.post('/api/sync', { password: PASSWORD }), { body: { start_height: first + 30 } });
      t.like(await after.get('/api/balance'), { body: { complete: true } });
      t.is(await after.stop(), 0);
    },
  );
}
