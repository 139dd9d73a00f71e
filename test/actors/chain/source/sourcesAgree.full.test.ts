// Chains that others made, scanned twice: by compact blocks and by full ones. The answers are equal but for memos.
// (That the full scan is right is shown by test/actors/wallet/recordedChains.test.ts.)

import { hexToBytes } from '@wallet-companion/base/bytes';
import type { ActivationHeights } from '@wallet-companion/zcash/network';
import { readDelimited, readFixtureJson, readRawBlocks } from '@wallet-companion/zcash/test/fixtures';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test, { type ExecutionContext } from 'ava';
import { FixtureCompactServer } from '../../../helpers/fixtureCompactServer.ts';
import { FixtureNode } from '../../../helpers/fixtureNode.ts';
import { shownNotes } from '../../../helpers/knownSeed.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

interface TwinChain {
  readonly mnemonic: string;
  readonly heights: Partial<ActivationHeights>;
  readonly raw: readonly Uint8Array[];
  readonly compact: readonly Uint8Array[];
}

interface Twins {
  readonly node: FixtureNode;
  readonly server: FixtureCompactServer;
  /** Scans with both and compares. */
  readonly syncBoth: () => Promise<void>;
}

async function startTwins(t: ExecutionContext, chain: TwinChain): Promise<Twins> {
  const node = await FixtureNode.start({
    chain: 'test',
    firstHeight: 1,
    blocks: chain.raw,
    treesBefore: EMPTY_TREES,
  });
  const server = await FixtureCompactServer.start({
    blocks: chain.compact,
    info: { chainName: 'test', saplingActivationHeight: 1n },
  });
  t.teardown(async () => {
    server.stop();
    await node.stop();
  });
  const start = async (urls: { node_url: string; compact_server_url: string }): Promise<WalletHarness> => {
    const wallet = await startWallet(t, {
      config: { network: 'regtest', activation_heights: chain.heights, ...urls },
    });
    await wallet.call('wallet.restore', { mnemonic: chain.mnemonic, password: PASSWORD });
    await wallet.call('accounts.create', { password: PASSWORD });
    return wallet;
  };
  const nobody = 'http://127.0.0.1:1';
  const full = await start({ node_url: node.url, compact_server_url: nobody });
  const light = await start({ node_url: nobody, compact_server_url: server.url });
  const syncBoth = async (): Promise<void> => {
    const fromNode = await full.call('sync.run');
    const fromServer = await light.call('sync.run', { source: 'compact' });
    const { elapsed_ms: _, ...counts } = fromNode;
    t.like(fromServer, { ...counts, source: 'compact' });
    const [a, b] = [await full.call('balance.get'), await light.call('balance.get')];
    // A compact server's word is all that one of them has.
    t.deepEqual(b, { ...a, verified_with: null });
    t.is(a.verified_with, 'node');
    const notes = async (wallet: WalletHarness) =>
      shownNotes((await wallet.call('notes.list', { limit: 1000 })).notes, false);
    t.deepEqual(await notes(light), await notes(full));
    t.true(a.note_count > 0);
  };
  return { node, server, syncBoth };
}

test('127 blocks of a real node', async (t) => {
  const folder = ['known-seed', 'zebra-recorded'] as const;
  const { syncBoth } = await startTwins(t, {
    mnemonic: readFixtureJson<{ mnemonic: string }>('known-seed', 'regtest', 'keys.json').mnemonic,
    heights: { nu6_3: 20 },
    raw: readRawBlocks(...folder, 'raw-blocks.hex'),
    compact: readDelimited(...folder, 'compact.bin'),
  });
  await syncBoth();
});

test('the synthetic chain, on both branches', async (t) => {
  interface Block {
    readonly raw: string;
    readonly compact: string;
  }
  const chain = readFixtureJson<{
    meta: { mnemonic: string };
    blocks: readonly Block[];
    reorg_blocks: readonly Block[];
  }>('vectors', 'synthetic_chain.json');
  const bytesOf = (blocks: readonly Block[], form: keyof Block): Uint8Array[] =>
    blocks.map((block) => hexToBytes(block[form]));
  const { node, server, syncBoth } = await startTwins(t, {
    mnemonic: chain.meta.mnemonic,
    heights: { nu5: 2, nu6: 2, nu6_1: 2, nu6_2: 2, nu6_3: 4 },
    raw: bytesOf(chain.blocks, 'raw'),
    compact: bytesOf(chain.blocks, 'compact'),
  });
  await syncBoth();
  node.reorg(6, bytesOf(chain.reorg_blocks, 'raw'));
  server.reorg(6, bytesOf(chain.reorg_blocks, 'compact'));
  await syncBoth();
});
