// Hooks of two wallets in the companion as people run it: each wallet's payments and invoices arrive, in its own order, over
// restart, lock, another name and removal; a hook that names its wallets hears of no other.

import fs from 'node:fs';
import path from 'node:path';
import type { Devnet } from '@wallet-companion/devnet';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../../src/protocol/operations.ts';
import { startDevnetService } from '../../helpers/devnetService.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { until } from '../../helpers/until.ts';

const PASSWORD = 'correct horse';
const unixOnly = process.platform === 'win32' ? test.skip : test;

interface Reported {
  readonly hook: string;
  readonly wallet?: string;
  readonly sequence: number;
  readonly event: string;
  readonly data: { readonly value_zatoshi?: number; readonly txid?: string; readonly state?: string };
}

/** A program that keeps what it was told; all hooks run it. */
function listener(t: ExecutionContext) {
  const folder = temporaryFolder(t);
  const program = path.join(folder, 'hook');
  const heard = path.join(folder, 'heard');
  fs.writeFileSync(program, `#!/bin/sh\ncat >> "${heard}"\n`, { mode: 0o755 });
  const all = (): Reported[] =>
    fs.existsSync(heard)
      ? fs
          .readFileSync(heard, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : [];
  const of = (hook: string, wallet?: string) =>
    all().filter((reported) => reported.hook === hook && reported.wallet === wallet);
  const events = (hook: string, wallet?: string) => of(hook, wallet).map(({ event }) => event);
  return { program, all, of, events };
}

const at = (wallet: string | undefined): string => (wallet === undefined ? '/api' : `/api/wallets/${wallet}`);

async function addressOf(service: Service, wallet?: string): Promise<string> {
  return (await service.get<Output<'address.get'>>(`${at(wallet)}/address`)).body.unified_address;
}

async function pay(devnet: Devnet, service: Service, zatoshi: number, wallet?: string): Promise<void> {
  devnet.payTo(await addressOf(service, wallet), { pool: 'sapling', zatoshi });
  await service.post(`${at(wallet)}/sync`, {});
}

const listed = async (service: Service) => (await service.get<Output<'hooks.list'>>('/api/hooks')).body.hooks;
const lines = async (service: Service) =>
  (await listed(service)).map(({ name, wallet, state }) => `${name} ${wallet} ${state}`);

const rises = (reported: readonly Reported[]): boolean =>
  reported.every(({ sequence }, place) => place === 0 || sequence > reported[place - 1]!.sequence);

unixOnly('every wallet notifies the hooks, and only those that name it where they do', async (t) => {
  const ear = listener(t);
  const events = ['change.received', 'invoice.changed', 'wallet.locked', 'wallet.unlocked'];
  const on_event = [
    { name: 'all', events, command: [ear.program] },
    { name: 'till', events: ['change.received'], wallets: ['savings', 'nobody'], command: [ear.program] },
  ];
  const { devnet, service: first } = await startDevnetService(t, { seed: t.title, config: { on_event } });
  t.deepEqual(await lines(first), ['all default idle', 'till savings no_wallet', 'till nobody no_wallet']);
  t.regex(first.output(), /"hook":"till","wallet":"nobody".*names a wallet that is not there/);
  for (const wallet of [undefined, 'savings'])
    await first.post(`${at(wallet)}/wallet/create`, { password: PASSWORD, birthday_height: 1 });
  await until(() => ear.events('till', 'savings').includes('hook.started'));
  await until(() => ear.events('all', 'savings').includes('hook.started'));
  await until(() => ear.events('all').includes('hook.started'));
  // The event that it was found by.
  await until(() => ear.events('all', 'savings').includes('wallet.unlocked'));
  t.true((await lines(first)).includes('till nobody no_wallet'));

  await pay(devnet, first, 1_000);
  await pay(devnet, first, 2_000, 'savings');
  const got = (hook: string, wallet?: string) =>
    ear
      .of(hook, wallet)
      .flatMap(({ event, data }) => (event === 'change.received' ? [data.value_zatoshi] : []));
  await until(
    () =>
      got('all').length === 1 && got('all', 'savings').length === 1 && got('till', 'savings').length === 1,
  );
  t.deepEqual([got('all'), got('all', 'savings'), got('till', 'savings')], [[1_000], [2_000], [2_000]]);
  await first.post(`${at('savings')}/invoices`, { amount_zatoshi: 5_000 });
  await until(() => ear.events('all', 'savings').includes('invoice.changed'));
  t.is(ear.of('all', 'savings').find(({ event }) => event === 'invoice.changed')?.data.state, 'new');
  t.false(ear.events('all').includes('invoice.changed'), 'it is no invoice of the default wallet');

  // While it is locked its changes wait, over a restart, too.
  await first.post(`${at('savings')}/wallet/lock`);
  await until(() => ear.events('all', 'savings').includes('wallet.locked'));
  t.true((await lines(first)).includes('till savings waiting_for_unlock'));
  await first.stop();
  const folder = path.dirname(first.dataDir);
  const again = await startService(t, { folder });
  // The default wallet's thread is asked whether it is locked, and may not have answered.
  t.deepEqual((await lines(again)).slice(1), [
    'all savings waiting_for_unlock',
    'till savings waiting_for_unlock',
    'till nobody no_wallet',
  ]);
  for (const wallet of [undefined, 'savings'])
    await again.post(`${at(wallet)}/wallet/unlock`, { password: PASSWORD });
  await pay(devnet, again, 3_000, 'savings');
  await until(() => got('all', 'savings').length === 2 && got('till', 'savings').length === 2);

  // Another name keeps the place, and what names the old one alone hears nothing more.
  const renaming = { wallet: 'savings', name: 'cold', password: PASSWORD };
  t.is((await again.post('/api/wallets/rename', renaming)).status, 200);
  t.deepEqual(await lines(again), [
    'all default idle',
    'all cold waiting_for_unlock',
    'till savings no_wallet',
    'till nobody no_wallet',
  ]);
  await again.post(`${at('cold')}/wallet/unlock`, { password: PASSWORD });
  await pay(devnet, again, 4_000, 'cold');
  await until(() => got('all', 'cold').includes(4_000));
  // The last call under the old name comes once more if the lock was before its place was kept.
  t.deepEqual(
    got('all', 'cold').filter((zatoshi) => zatoshi !== 3_000),
    [4_000],
  );
  t.false(ear.events('all', 'cold').includes('hook.started'), 'it goes on where it was');
  t.is(got('till', 'savings').length, 2);

  // Removed, its line goes; a new wallet of that name begins anew.
  t.is(
    (await again.post(`${at('cold')}/wallet/remove`, { password: PASSWORD, without_backup: true })).status,
    200,
  );
  t.deepEqual(await lines(again), ['all default idle', 'till savings no_wallet', 'till nobody no_wallet']);
  await again.post(`${at('cold')}/wallet/create`, { password: PASSWORD, birthday_height: 1 });
  await until(() => ear.events('all', 'cold').includes('hook.started'));
  const started = ear.of('all', 'cold').find(({ event }) => event === 'hook.started');
  t.deepEqual(started?.data, { reason: 'new' } as object);
  await pay(devnet, again, 6_000);
  await until(() => got('all').length === 2);

  for (const [hook, wallet] of [['all'], ['all', 'savings'], ['till', 'savings']] as const)
    t.true(rises(ear.of(hook, wallet)), `${hook} ${wallet}`);
  t.deepEqual([...new Set(ear.all().map(({ hook, wallet }) => `${hook} ${wallet}`))].sort(), [
    'all cold',
    'all savings',
    'all undefined',
    'till savings',
  ]);
  const metrics = await (await fetch(`${again.url}/metrics`)).text();
  t.true(metrics.includes('wallet_companion_hook_failures{hook="all",wallet="cold"} 0\n'), metrics);
});
