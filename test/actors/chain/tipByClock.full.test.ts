// A chain that is higher than the clock allows: neither its blocks nor its height are taken from whoever tells of it.

import { Devnet } from '@wallet-companion/devnet';
import { highestTip } from '@wallet-companion/zcash/blocks';
import { MAIN, type NetworkParameters, regtestParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import { openPatientCompact, openPatientNode } from '../../helpers/waits.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../helpers/walletHarness.ts';

const KNOWN = MAIN.knownBlock!;
/** Seconds. */
const NOW = KNOWN.time + 50 * 86_400;
const HIGHEST = highestTip(MAIN, NOW)!;

/** Both sources end at `tip`. */
async function setUp(
  t: ExecutionContext,
  tip: number,
  { now = NOW, params = MAIN }: { now?: number; params?: NetworkParameters } = {},
): Promise<WalletHarness> {
  const devnet = new Devnet({ params, seed: t.title, startHeight: tip });
  t.teardown(() => devnet.close());
  devnet.mine();
  const wallClock = () => now * 1000;
  return startWallet(t, {
    config: {
      network: params.network,
      node_url: await devnet.node.listen(),
      compact_server_url: await devnet.compact.listen(),
    },
    openNode: (endpoint, parameters) => openPatientNode(endpoint, parameters, undefined, wallClock),
    openCompact: (url, parameters) => openPatientCompact(url, parameters, undefined, undefined, wallClock),
  });
}

const asked = [
  ['sync.run', {}, 'NODE_BAD_RESPONSE'],
  ['sync.run', { source: 'compact' }, 'COMPACT_SERVER_BAD_RESPONSE'],
  ['lwd.chain_tip', {}, 'COMPACT_SERVER_BAD_RESPONSE'],
  ['lwd.sync_compact', {}, 'COMPACT_SERVER_BAD_RESPONSE'],
] as const;

for (const [operation, input, code] of asked) {
  const birthday = { password: PASSWORD, birthday_height: HIGHEST };
  const title = `${operation} ${JSON.stringify(input)}`;

  test(`${title}: a tip one above what the clock allows is refused, with a way on`, async (t) => {
    const wallet = await setUp(t, HIGHEST + 1);
    await wallet.call('wallet.create', birthday);
    t.is(await wallet.failure(operation, input), code);
    if (operation !== 'sync.run') return;
    const { last_error, last_scan_height, chain_tip } = await wallet.call('sync.status');
    t.regex(last_error?.detail ?? '', /height 3669581.*below 3669581; check the clock, or ask another/);
    t.is(last_scan_height, HIGHEST - 1);
    t.is(chain_tip, null);
  });

  test(`${title}: the highest tip that the clock allows is taken`, async (t) => {
    const wallet = await setUp(t, HIGHEST);
    await wallet.call('wallet.create', birthday);
    await wallet.call(operation, input);
    t.pass();
  });

  test(`${title}: a clock before the known block refuses nothing`, async (t) => {
    const wallet = await setUp(t, HIGHEST + 1, { now: KNOWN.time - 1 });
    await wallet.call('wallet.create', birthday);
    await wallet.call(operation, input);
    t.pass();
  });
}

test('a new wallet does not take its birthday from a tip that cannot be', async (t) => {
  const wallet = await setUp(t, HIGHEST + 1);
  const { birthday_height, warning } = await wallet.call('wallet.create', { password: PASSWORD });
  t.is(birthday_height, MAIN.activation.nu7!);
  t.regex(warning ?? '', /no usable answer/);
  t.is(wallet.faults.length, 1);
});

test('a new wallet takes its birthday from a tip that can be', async (t) => {
  const wallet = await setUp(t, HIGHEST);
  t.is((await wallet.call('wallet.create', { password: PASSWORD })).birthday_height, HIGHEST - 100);
});

test('a node to be configured is probed by the same rule', async (t) => {
  const wallet = await setUp(t, HIGHEST + 1);
  const { node_url } = await wallet.call('config.get');
  t.is(await wallet.failure('config.node_url', { url: node_url, probe: true }), 'NODE_BAD_RESPONSE');
});

test('on a regtest every height is possible', async (t) => {
  const wallet = await setUp(t, 2_000_000, { params: regtestParameters() });
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 2_000_000 });
  t.is((await wallet.call('sync.run')).chain_tip, 2_000_000);
});
