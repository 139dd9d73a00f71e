// A node or a compact server announces rules that this version does not know: the wallet goes on, says until when, and
// prepares nothing that could only be mined under them. One that missed rules that it knows is named as that.

import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { orchardAddress } from '@wallet-companion/pczt/test/spendingAccount';
import { LightdInfoSchema } from '@wallet-companion/zcash/compactProto';
import test from 'ava';
import {
  type CompanionWorld,
  companionWorld,
  IRONWOOD_FROM,
  ORCHARD_FIRST,
} from '../../../helpers/companionWorld.ts';
import { failureOf } from '../../../helpers/failureOf.ts';
import { startLyingCompactServer, startLyingNode } from '../../../helpers/lyingSources.ts';

const ZEC = 100_000_000;
const UNKNOWN = '0badc0de';
const PAYMENT = { address: orchardAddress(), amount: '0.1' };

/** What the status says, after a scan. */
async function reported(bed: CompanionWorld, source: 'node' | 'compact'): Promise<number | null> {
  await bed.wallet.call('sync.run', { source });
  const status = await bed.wallet.call('system.status', { known: true });
  return status[source === 'node' ? 'node' : 'compact_server'].unknown_upgrade_height;
}

/** The words of a preparation, and what the status says after a sync. */
async function meets(bed: CompanionWorld, source: 'node' | 'compact') {
  return { refusal: await bed.refusal({ ...PAYMENT, source }), reported: await reported(bed, source) };
}

const refusalAt = (height: number) => ({
  code: 'INVALID_REQUEST',
  detail: `From block ${height} on the network has rules that this version of the companion does not know: nothing that it prepares would be taken. Update it.`,
  errors: [],
});

test('a node: as pending upgrade, and as the rules of the next block', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: 2 * ZEC });
  const tip = bed.devnet.tip.height;
  const node = await startLyingNode(t, bed.devnet);
  await bed.wallet.call('config.node_url', { url: node.url });
  const announce = (height: number, consensus: object = {}) => {
    node.lie = (method, _, honest) => {
      if (method !== 'getblockchaininfo') return honest;
      const info = honest as { upgrades: object; consensus: object };
      const upgrade = { name: 'Tomorrow', activationheight: height, status: 'pending' };
      return {
        ...info,
        upgrades: { ...info.upgrades, [UNKNOWN]: upgrade },
        consensus: { ...info.consensus, ...consensus },
      };
    };
  };
  announce(tip + 20);
  t.is(await reported(bed, 'node'), tip + 20);
  // What can still be mined before is prepared, and says until when.
  const prepared = await bed.prepare(PAYMENT);
  t.like(prepared, { last_height: tip + 19, expiry_height: tip + 121 });
  await bed.wallet.call('payments.discard', { payment_id: prepared.payment_id });

  announce(tip + 4);
  t.deepEqual(await meets(bed, 'node'), { reported: tip + 4, refusal: refusalAt(tip + 4) });
  announce(tip + 4, { nextblock: UNKNOWN });
  t.deepEqual(await meets(bed, 'node'), { reported: tip + 1, refusal: refusalAt(tip + 1) });

  // Another node, or the same after a correction.
  node.lie = (_method, _params, honest) => honest;
  t.is(await reported(bed, 'node'), null);
  t.like(await bed.prepare(PAYMENT), { last_height: tip + 121 });
});

test('a compact server: as its next upgrade by name, and as the rules of the next block', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: 2 * ZEC });
  const tip = bed.devnet.tip.height;
  const honestUrl = (await bed.wallet.call('config.get')).compact_server_url!;
  for (const [change, height] of [
    [{ upgradeName: 'Tomorrow', upgradeHeight: BigInt(tip + 2) }, tip + 2],
    [{ consensusBranchId: UNKNOWN }, tip + 1],
    // It was, and is known by now.
    [{ upgradeName: 'Yesterday', upgradeHeight: BigInt(tip) }, null],
    [{ upgradeName: 'NU7', upgradeHeight: BigInt(tip + 2) }, null],
  ] as const) {
    const server = await startLyingCompactServer(t, honestUrl);
    server.lie = (method, message) =>
      method === 'GetLightdInfo'
        ? [
            toBinary(
              LightdInfoSchema,
              create(LightdInfoSchema, { ...fromBinary(LightdInfoSchema, message), ...change }),
            ),
          ]
        : [message];
    await bed.wallet.call('config.compact_server_url', { url: server.url });
    if (height !== null) {
      t.deepEqual(await meets(bed, 'compact'), { reported: height, refusal: refusalAt(height) });
      continue;
    }
    t.is(await reported(bed, 'compact'), null);
  }
});

test('one that missed an upgrade is named as that, with both branch ids', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  const height = await bed.mine(IRONWOOD_FROM);
  const missed = (who: string, at: number) =>
    new RegExp(
      `^The ${who} at .* missed the network upgrade NU7: at block ${at} its branch id is 37a5165b, and ours is 77190ad9, from block ${IRONWOOD_FROM} on\\. Update it, `,
    );
  const node = await startLyingNode(t, bed.devnet);
  node.lie = (method, _, honest) =>
    method === 'getblockchaininfo' ? { ...(honest as object), consensus: { nextblock: '37a5165b' } } : honest;
  await bed.wallet.call('config.node_url', { url: node.url });
  const server = await startLyingCompactServer(t, (await bed.wallet.call('config.get')).compact_server_url!);
  server.lie = (method, message) => {
    if (method !== 'GetLightdInfo') return [message];
    const honest = fromBinary(LightdInfoSchema, message);
    return [toBinary(LightdInfoSchema, { ...honest, consensusBranchId: '37A5165B' })];
  };
  await bed.wallet.call('config.compact_server_url', { url: server.url });
  const byNode = await failureOf(bed.wallet.call('sync.run', { source: 'node' }));
  t.is(byNode.code, 'NODE_BAD_RESPONSE');
  t.regex(byNode.message, missed('chain node', height + 1));
  const byServer = await failureOf(bed.wallet.call('sync.run', { source: 'compact' }));
  t.is(byServer.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.regex(byServer.message, missed('compact server', height));
});
