// A disk that takes nothing any more must not keep anybody from seeing what they own.
import test from 'ava';
import { readKnownSeed, startKnownSeedNode } from '../helpers/knownSeed.ts';
import { canMount, type Disk, onDisk } from '../helpers/mountedDisk.ts';
import { startService } from '../helpers/service.ts';

const PASSWORD = 'correct horse';
const run = canMount() ? test : test.skip;
const seed = readKnownSeed('main');
const first = seed.firstHeight;

for (const disk of ['full', 'read-only'] as const satisfies readonly Disk[]) {
  run(
    `with a ${disk} disk the companion starts, unlocks and shows, and says why it cannot sync`,
    async (t) => {
      const node = await startKnownSeedNode(seed);
      t.teardown(() => node.stop());
      const before = await startService(t, { config: { network: 'main', node_url: node.url } });
      await before.post('/api/wallet/restore', {
        mnemonic: seed.mnemonic,
        password: PASSWORD,
        birthday_height: first,
      });
      await before.post('/api/sync', { end_height: first + 29 });
      const { body: balance } = await before.get('/api/balance');
      t.like(balance, { as_of_height: first + 29, complete: true });
      await before.stop();

      const service = await startService(t, {
        folder: before.folder,
        within: (command, folder) => onDisk(disk, folder, command),
      });
      t.like(await service.get('/api/wallet/exists'), { body: { exists: true } });
      t.like(await service.get('/api/config'), { status: 200 });
      t.like(await service.post('/api/wallet/unlock', { password: PASSWORD }), { status: 200 });
      t.deepEqual((await service.get('/api/balance')).body, balance);
      t.like(await service.get('/api/notes'), { status: 200 });
      t.like(await service.post('/api/sync', {}), { status: 500, body: { code: 'STORAGE_FAILED' } });
      t.deepEqual((await service.get('/api/balance')).body, balance);
      t.is(await service.stop(), 0);

      const after = await startService(t, { folder: before.folder });
      t.like(await after.post('/api/sync', { password: PASSWORD }), { body: { start_height: first + 30 } });
      t.like(await after.get('/api/balance'), { body: { complete: true } });
      t.is(await after.stop(), 0);
    },
  );
}
