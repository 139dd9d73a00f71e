// The data of a build from before the first release, under the present program (docs/inside/releases.md has what was decided).
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startDevnet } from '@wallet-companion/devnet';
import test from 'ava';
import { PROGRAM } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { type Ended, output, run } from './support/command.ts';

// Tests run from the project's root.
const { earlierBuild } = (await import(pathToFileURL('scripts/earlierBuild.mjs').href)) as {
  earlierBuild(): string | undefined;
};
const earlier = earlierBuild();
if (earlier === undefined) console.log('The earlier companion is not installed, so its data is not tried.');
const upgrading = earlier === undefined ? test.skip : test;

upgrading('note stores of an earlier format are refused unchanged, and a scan makes them anew', async (t) => {
  const folder = temporaryFolder(t);
  const at = (name: string): string => path.join(folder, name);
  const devnet = await startDevnet({ nodePort: 0, compactPort: 0, seed: t.title, activation: { nu6_3: 1 } });
  t.teardown(() => devnet.close());
  const { devnet: chain, wallet } = devnet.playground;
  const received = [150_000_000, 250_000_000, 350_000_000];
  for (const [index, pool] of (['sapling', 'orchard', 'ironwood'] as const).entries())
    chain.payTo(wallet.address, { pool, zatoshi: received[index]!, memo: `in ${pool}` });
  for (let block = 0; block < 12; block++) chain.mine({});

  writeFileSync(at('password'), 'a password for tests\n', { mode: 0o600 });
  writeFileSync(at('phrase'), `${wallet.mnemonic}\n`, { mode: 0o600 });
  const places = ['--network', 'regtest', '--data-dir', at('data'), '--config-dir', at('config')];
  const opened = [...places, '--password-file', at('password')];
  const then = (...args: string[]): Promise<string> => output(earlier!, args);
  const now = (...args: string[]): Promise<Ended> => run(process.execPath, [PROGRAM, ...args]);

  await then(...opened, 'wallet', 'restore', '--mnemonic-file', at('phrase'), '--birthday-height', '1');
  await then(...places, 'config', 'node-url', devnet.nodeUrl);
  await then(...places, 'config', 'compact-server-url', devnet.compactServerUrl);
  await then(...opened, 'sync');
  const address = JSON.parse(await then(...opened, '--json', 'address', 'get')) as {
    diversifier_index: string;
  };
  await then(...opened, 'labels', 'set', address.diversifier_index, 'the shop');
  const balance = JSON.parse(await then(...opened, '--json', 'balance')) as Balance;
  t.is(balance.total_zatoshi, 750_000_000);

  const store = path.join('data', 'ledger.db');
  const bytes = readFileSync(at(store));
  const refused = await now(...opened, 'balance');
  t.is(refused.status, 7);
  t.regex(
    refused.stderr,
    /ledger\.db.*format 3.*or a build from before the first release.*move the file away and rescan/s,
  );
  t.deepEqual(readFileSync(at(store)), bytes);

  renameSync(at(store), at('ledger.db.earlier'));
  for (const source of ['node', 'compact'])
    t.is((await now(...opened, 'sync', '--source', source)).status, 0);
  const again = JSON.parse((await now(...opened, '--json', 'balance')).stdout) as Balance;
  t.is(again.total_zatoshi, balance.total_zatoshi);
  t.deepEqual(again.pools, balance.pools);
  t.regex((await now(...opened, 'labels', 'list')).stdout, /the shop/);
});

interface Balance {
  readonly total_zatoshi: number;
  readonly pools: object;
}
