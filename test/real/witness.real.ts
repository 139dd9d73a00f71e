// Witnesses of notes on a real node's chain, by JSON-RPC and by its compact service: each leads to the root that the node
// itself names, through the whole program.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { CompactConnection } from '@wallet-companion/chain/compact';
import { POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { readFixtureJson, readFixtureLines } from '@wallet-companion/zcash/test/fixtures';
import { rootOfPath, TREE_HASH } from '@wallet-companion/zcash/trees';
import test from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { startService } from '../helpers/service.ts';
import { heightsWith, NU7_AFTER_RECORDED, startZebrad } from './zebrad.ts';

const PASSWORD = 'a password for tests';

type States = Readonly<Record<Pool, { readonly commitments: { readonly finalRoot: string } } | undefined>>;

test.serial('witnesses of every note lead to the roots of a real node', async (t) => {
  const { mnemonic, accounts } = readFixtureJson<{
    mnemonic: string;
    accounts: { defaultAddress: string }[];
  }>('known-seed', 'regtest', 'keys.json');
  const node = await startZebrad({
    minerAddress: accounts[0]!.defaultAddress,
    nu7: NU7_AFTER_RECORDED,
  });
  t.teardown(() => node.stop());
  for (const block of readFixtureLines('known-seed', 'zebra-recorded', 'raw-blocks.hex'))
    t.is(await node.rpc('submitblock', block), null);
  // A wallet without transparent addresses gets nothing from these.
  await node.rpc('generatetoaddress', 3, 'tmJymvcUCn1ctbghvTJpXBwHiMEB8P6wxNV');
  const tip = await node.rpc<number>('getblockcount');
  for (const pool of POOLS) t.like(await node.rpc('z_getsubtreesbyindex', pool, 0, 10), { subtrees: [] });
  const compact = new CompactConnection(node.compactUrl);
  for (const pool of POOLS) t.deepEqual(await compact.subtreeRoots({ pool, start: 0, limit: 10 }), []);
  compact.close();

  for (const source of ['node', 'compact']) {
    const service = await startService(t, {
      config: {
        network: 'regtest',
        node_url: node.url,
        compact_server_url: node.compactUrl,
        activation_heights: heightsWith(NU7_AFTER_RECORDED),
      },
    });
    t.teardown(async () => {
      await service.stop();
      service.remove();
    });
    t.is((await service.post('/api/wallet/restore', { mnemonic, password: PASSWORD })).status, 200);
    t.is((await service.post('/api/accounts', { password: PASSWORD })).status, 200);
    t.like((await service.post('/api/sync', { source })).body, { caught_up: true });
    const { body } = await service.get<Output<'notes.list'>>('/api/notes?limit=1000');
    t.deepEqual([...new Set(body.notes.map(({ pool }) => pool))].sort(), [...POOLS].sort());
    for (const { pool, txid, output_index, height, position } of body.notes) {
      for (const anchor of new Set([tip - 2, Math.max(height, tip - 20)])) {
        const query = `txid=${txid}&pool=${pool}&output_index=${output_index}&source=${source}`;
        const usual = anchor === tip - 2 ? '' : `&anchor_height=${anchor}`;
        const { status, body: reported } = await service.get<Output<'notes.witness'>>(
          `/api/notes/witness?${query}${usual}`,
        );
        t.is(status, 200, JSON.stringify(reported));
        t.like(reported, { position, anchor_height: anchor, height });
        const states = await node.rpc<States>('z_gettreestate', String(anchor));
        const siblings = reported.path.map(hexToBytes);
        const root = rootOfPath(TREE_HASH[POOL[pool].protocol], hexToBytes(reported.commitment), {
          position,
          siblings,
        });
        t.is(reported.root, bytesToHex(root));
        const shown = pool === 'sapling' ? root.toReversed() : root;
        t.is(bytesToHex(shown), states[pool]!.commitments.finalRoot);
      }
    }
    t.log(`${source}: ${body.notes.length} notes`);
  }
});
