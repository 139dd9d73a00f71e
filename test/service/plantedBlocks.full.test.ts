// A local user without password has a compact server of its own and names a file for its bytes. Run as it was done:
// over HTTP, against the companion as a process.
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { fileTree } from '../helpers/fileTree.ts';
import { FixtureCompactServer } from '../helpers/fixtureCompactServer.ts';
import { PLANTED_LINE, plantedBlocks } from '../helpers/hostileBlocks.ts';
import { FIRST, MAIN_INFO } from '../helpers/knownSeedBlocks.ts';
import { startService } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const RANGE = { start_height: FIRST, end_height: FIRST + 9 };

test.serial(
  'a stranger’s bytes get into no file that lets it in, and into a store where stores may be',
  async (t) => {
    const home = fs.realpathSync(temporaryFolder(t));
    for (const folder of ['.ssh', 'blocks']) fs.mkdirSync(path.join(home, folder), { mode: 0o700 });
    const server = await FixtureCompactServer.start({ blocks: plantedBlocks(), info: MAIN_INFO });
    const service = await startService(t, {
      config: { network: 'main', compact_server_url: 'http://127.0.0.1:1' },
    });
    t.teardown(async () => {
      await service.stop();
      service.remove();
      server.stop();
    });
    const before = fileTree(home);
    const configuration = fileTree(service.configDir);
    for (const db_path of [
      path.join(home, '.ssh', 'authorized_keys'),
      path.join(home, '.ssh', 'authorized_keys.db'),
      path.join(home, 'blocks', 'authorized_keys'),
      path.join(home, '.bashrc'),
      path.join(service.configDir, 'config.db'),
      path.relative(service.dataDir, path.join(home, '.ssh', 'authorized_keys')),
      'wallet.dat.',
    ]) {
      const { status, body } = await service.post('/api/lwd/sync/compact', {
        compact_server_url: server.url,
        db_path,
        ...RANGE,
      });
      t.is(status, 400, db_path);
      t.is(body['code'], 'INVALID_DB_PATH', db_path);
    }
    t.deepEqual(fileTree(home), before);
    t.deepEqual(fileTree(service.configDir), configuration);
    t.deepEqual(server.calls, []);

    const db_path = path.join(home, 'blocks', 'x.db');
    const { status } = await service.post('/api/lwd/sync/compact', {
      compact_server_url: server.url,
      db_path,
      ...RANGE,
    });
    t.is(status, 200);
    await service.stop();
    t.true(fs.readFileSync(db_path).includes(PLANTED_LINE), 'this is what there is to guard against');
  },
);
