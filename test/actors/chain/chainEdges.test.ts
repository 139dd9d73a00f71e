// A wallet against chains at their very beginning and end, and against other sides that fall silent while the chain
// changes. What is in the blocks does not matter here, so that they are not decrypted.
import test, { type ExecutionContext } from 'ava';
import {
  COMPACT_CLIENT_LIMITS,
  CompactClient,
  type CompactClientLimits,
} from '../../../src/chain/compactClient.ts';
import { CompactServer } from '../../../src/chain/compactServer.ts';
import { compactUpstream } from '../../../src/chain/compactUpstream.ts';
import { JSON_RPC_LIMITS, JsonRpcClient, type JsonRpcLimits } from '../../../src/chain/jsonRpc.ts';
import { NodeRpc } from '../../../src/chain/nodeRpc.ts';
import { NodeSource } from '../../../src/chain/nodeSource.ts';
import type { CompactFault } from '../../../src/devnet/compactServer.ts';
import { Devnet } from '../../../src/devnet/devnet.ts';
import type { NodeFault } from '../../../src/devnet/nodeServer.ts';
import { toDisplayHex } from '../../../src/shielded/bytes.ts';
import { emptyPool } from '../../helpers/emptyPool.ts';
import { readKnownSeed } from '../../helpers/knownSeed.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../helpers/walletHarness.ts';

const { mnemonic } = readKnownSeed('regtest');
const HIGHEST = 2 ** 31 - 1;
/** How long another side may be silent once it is told to be. */
const SILENCE_MS = 300;

interface Setup {
  readonly devnet: Devnet;
  readonly wallet: WalletHarness;
  /** Shortens all waits, which are as in life until then. */
  readonly hurry: () => void;
  readonly calm: () => void;
}

async function setUp(t: ExecutionContext, startHeight = 1): Promise<Setup> {
  const devnet = new Devnet({ seed: t.title, startHeight });
  t.teardown(() => devnet.close());
  const rpcLimits: { -readonly [K in keyof JsonRpcLimits]: number } = { ...JSON_RPC_LIMITS };
  const callLimits: { -readonly [K in keyof CompactClientLimits]: number } = { ...COMPACT_CLIENT_LIMITS };
  const wallet = await startWallet(t, {
    config: {
      network: 'regtest',
      node_url: await devnet.node.listen(),
      compact_server_url: await devnet.compact.listen(),
    },
    pool: emptyPool(),
    openNode: (endpoint, parameters) =>
      new NodeSource(new NodeRpc(new JsonRpcClient(endpoint, rpcLimits)), parameters),
    openCompact: (url, parameters) => {
      return compactUpstream(new CompactServer(new CompactClient(url, callLimits), parameters), parameters);
    },
  });
  await wallet.call('wallet.restore', { mnemonic, password: PASSWORD, birthday_height: startHeight });
  const hurry = (): void => {
    rpcLimits.idleMs = SILENCE_MS;
    callLimits.callMs = SILENCE_MS;
    callLimits.idleMs = SILENCE_MS;
  };
  const calm = (): void => {
    Object.assign(rpcLimits, JSON_RPC_LIMITS);
    Object.assign(callLimits, COMPACT_CLIENT_LIMITS);
  };
  return { devnet, wallet, hurry, calm };
}

function mine(devnet: Devnet, count: number): void {
  for (let i = 0; i < count; i++) devnet.mine();
}

for (const source of ['node', 'compact'] as const) {
  test(`${source}: a chain of its first block alone has nothing to scan, then goes on`, async (t) => {
    const { devnet, wallet } = await setUp(t);
    t.like(await wallet.call('sync.run', { source }), { blocks_scanned: 0, chain_tip: 0, caught_up: true });
    mine(devnet, 1);
    t.like(await wallet.call('sync.run', { source }), { blocks_scanned: 1, chain_tip: 1, caught_up: true });
  });

  test(`${source}: the highest heights are scanned like all others`, async (t) => {
    const { devnet, wallet } = await setUp(t, HIGHEST - 4);
    mine(devnet, 5);
    t.is(devnet.tip.height, HIGHEST);
    t.like(await wallet.call('sync.run', { source }), {
      blocks_scanned: 5,
      last_scan_height: HIGHEST,
      caught_up: true,
    });
    t.like(await wallet.call('sync.run', { source }), { blocks_scanned: 0, caught_up: true });
    t.is((await wallet.call('balance.get')).as_of_height, HIGHEST);
  });
}

const compactSilences: readonly CompactFault[] = [
  { kind: 'stall', method: 'GetLatestBlock' },
  { kind: 'stall' },
  { kind: 'stall', after: 1 },
  { kind: 'stall', after: 2 },
  { kind: 'stall', at: 17 },
];
const nodeSilences: readonly NodeFault[] = [
  { kind: 'stall' },
  { kind: 'stall', method: 'getblockhash' },
  { kind: 'stall', method: 'getblockhash', after: 2 },
  { kind: 'stall', method: 'getblock' },
  { kind: 'stall', method: 'getblock', after: 3 },
];
const silences = [
  ...compactSilences.map((fault) => ({ source: 'compact' as const, fault })),
  ...nodeSilences.map((fault) => ({ source: 'node' as const, fault })),
];
for (const { source, fault } of silences) {
  const { kind: _, ...when } = fault;
  test(`${source}: silence during a reorg ${JSON.stringify(when)} ends, and the next sync follows`, async (t) => {
    const { devnet, wallet, hurry, calm } = await setUp(t);
    mine(devnet, 20);
    await wallet.call('sync.run', { source });
    devnet.reorganise(5);
    const { compact, node } = devnet;
    if (source === 'compact') compact.misbehave(fault as CompactFault);
    else node.misbehave(fault as NodeFault);
    hurry();
    t.is(await wallet.failure('sync.run', { source }), 'UPSTREAM_TIMEOUT');
    calm();
    compact.behave();
    node.behave();
    t.true((await wallet.call('sync.run', { source })).caught_up);
    const { as_of_height, as_of_hash, complete } = await wallet.call('balance.get');
    t.deepEqual(
      { as_of_height, as_of_hash, complete },
      { as_of_height: devnet.tip.height, as_of_hash: toDisplayHex(devnet.tip.hash), complete: true },
    );
  });
}
