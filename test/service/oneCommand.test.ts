// The companion in the process of one command: what the command does not need is not made.
import path from 'node:path';
import test from 'ava';
import { pino } from 'pino';
import type { OperationName, Output } from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { createDataDirectory } from '../../src/storage/files/directories.ts';
import { Companion } from '../../src/workers/companion.ts';
import { readKnownSeed, startKnownSeedNode } from '../helpers/knownSeed.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';

test('the kernel is compiled for a scan, and for nothing else', async (t) => {
  const seed = readKnownSeed('main');
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const folder = temporaryFolder(t);
  const dataDir = path.join(folder, 'data');
  createDataDirectory(dataDir);
  const companion = Companion.start({
    configDir: folder,
    dataDir,
    overrides: { network: 'main', node_url: node.url },
    version: '0.0.0',
    scanThreads: 1,
    oneCommand: true,
    log: pino({ level: 'silent' }),
  });
  t.teardown(() => companion.stop());
  const call = async <N extends OperationName>(name: N, input: object = {}): Promise<Output<N>> =>
    unwrap(await companion.dispatch(name, input, { requestId: 'test' }));
  await call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: seed.firstHeight,
  });
  await call('balance.get');
  t.is((await companion.health()).kernel, null);
  await call('sync.run', { end_height: seed.firstHeight });
  t.not((await companion.health()).kernel, null);
});
