// A wallet against chains at their very beginning and end, and against other sides that fall silent while the chain
// changes. What is in the blocks does not matter here, so that they are not decrypted.

import { Waits } from '@wallet-companion/base/test/waits';
import type { Devnet } from '@wallet-companion/devnet';
import type { CompactFault, NodeFault } from '@wallet-companion/devnet/servers';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import test, { type ExecutionContext } from 'ava';
import { companionWorld } from '../../helpers/companionWorld.ts';
import { emptyPool } from '../../helpers/emptyPool.ts';
import { openPatientCompact, openPatientNode, PATIENT_CLIENT, PATIENT_RPC } from '../../helpers/waits.ts';

const HIGHEST = 2 ** 31 - 1;

async function setUp(t: ExecutionContext, startHeight = 1) {
  const waits = new Waits();
  const { after } = waits;
  const { devnet, wallet } = await companionWorld(t, {
    devnet: { startHeight },
    pool: emptyPool(),
    openNode: (endpoint, parameters) => openPatientNode(endpoint, parameters, { ...PATIENT_RPC, after }),
    openCompact: (url, parameters) => openPatientCompact(url, parameters, { ...PATIENT_CLIENT, after }),
  });
  return { devnet, wallet, waits };
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
    const { devnet, wallet, waits } = await setUp(t);
    mine(devnet, 20);
    await wallet.call('sync.run', { source });
    devnet.reorganise(5);
    const { compact, node } = devnet;
    const onStall = (): void => waits.end();
    if (source === 'compact') compact.misbehave({ ...(fault as CompactFault), onStall });
    else node.misbehave({ ...(fault as NodeFault), onStall });
    t.is(await wallet.failure('sync.run', { source }), 'UPSTREAM_TIMEOUT');
    compact.behave();
    node.behave();
    waits.begin();
    t.true((await wallet.call('sync.run', { source })).caught_up);
    const { as_of_height, as_of_hash, complete } = await wallet.call('balance.get');
    t.deepEqual(
      { as_of_height, as_of_hash, complete },
      { as_of_height: devnet.tip.height, as_of_hash: toDisplayHex(devnet.tip.hash), complete: true },
    );
  });
}
