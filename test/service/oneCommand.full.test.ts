// The companion in the process of one command: what the command does not need is not made.
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import type { OperationName, Output } from '../../src/protocol/operations.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { createDataDirectory } from '../../src/storage/files/directories.ts';
import { Companion } from '../../src/workers/companion.ts';
import { readKnownSeed, startKnownSeedNode } from '../helpers/knownSeed.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';

async function companionOfOneCommand(t: ExecutionContext) {
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
  return { seed, companion, call };
}

// Counts the threads of its process.
test.serial('the chain thread is started for a question to a server, and for nothing else', async (t) => {
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  process.on('worker', count);
  t.teardown(() => process.off('worker', count));
  const { seed, call } = await companionOfOneCommand(t);
  t.false((await call('wallet.exists')).exists);
  await call('config.get');
  t.is(threads, 1);
  // With the settings from before.
  const { node } = await call('system.status');
  t.is(node.tip_height, seed.firstHeight + seed.mainBlocks.length - 1);
  t.is(threads, 2);
});

test.serial('the kernel is compiled for a scan, and for nothing else', async (t) => {
  const { seed, companion, call } = await companionOfOneCommand(t);
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
