// The companion and a wallet that others built (zcash_client_sqlite) with the same phrases and viewing keys on a real node:
// the same notes, memos, spends, sent notes, fees and balances at more than twenty heights, across Ironwood, a
// reorganisation and NU7; and each pays the other in every pool.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { encodeReceiver, parseAddress } from '@wallet-companion/zcash/addresses';
import { networkParameters } from '@wallet-companion/zcash/network';
import type { Pool } from '@wallet-companion/zcash/pools';
import test, { type ExecutionContext } from 'ava';
import { type Output, operations } from '../../src/protocol/operations.ts';
import type { Service } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import {
  broadcast,
  NOBODY,
  ok,
  openCompanion,
  PASSWORD,
  prepare,
  signAndProve,
  sync,
  untilInMempool,
} from '../real/payingCompanion.ts';
import { openPcztTool, type PcztTool, pcztTool } from '../real/pcztTool.ts';
import {
  heightsWith,
  IRONWOOD_HEIGHT,
  isRealNodeInstalled,
  startZebrad,
  type Zebrad,
} from '../real/zebrad.ts';
import { type Opening, PEER_BIRTHDAY, PEER_PROGRAM, PeerWallet } from './peerWallet.ts';
import { type Ask, companionView, difference, peerView } from './sameWallet.ts';

const NU7_HEIGHT = 38;
const HEIGHTS = heightsWith(NU7_HEIGHT);
const ACCOUNTS = 2;
const PARAMS = networkParameters('regtest');
const PAID = 30_000_000;

/** The wallets of one phrase. */
interface Side {
  readonly name: string;
  readonly companion: Service;
  /** From the viewing key that the other wallet wrote. */
  readonly watching: Service;
  readonly peer: PeerWallet;
  /** From the viewing keys that the companion wrote. */
  readonly peerWatching: PeerWallet;
  readonly tool: PcztTool;
  readonly unified: string;
  readonly sapling: string;
  /** The second account's. */
  readonly second: string;
}

interface Bed {
  readonly node: Zebrad;
  readonly sides: readonly [Side, Side];
  /** Heights at which all wallets were compared. */
  readonly compared: Set<number>;
}

const missing =
  PEER_PROGRAM === undefined
    ? 'the other wallet is not installed'
    : !isRealNodeInstalled()
      ? 'zebrad is not installed'
      : existsSync(pcztTool())
        ? undefined
        : 'the reference tool is not installed';

if (missing !== undefined) test.skip(missing, () => {});
else
  test.serial('two wallets on a real node: each pays the other, and both see the same', async (t) => {
    t.timeout(2 * 3_600_000);
    const bed = await makeBed(t);
    const { node, sides } = bed;

    for (const { unified, sapling, second } of sides) {
      await mine(bed, 2, unified);
      await mine(bed, 1, sapling);
      await mine(bed, 1, second);
      await compare(t, bed);
    }
    await eachPaysTheOther(t, bed, 'orchard');
    await eachPaysTheOther(t, bed, 'sapling');

    await mine(bed, IRONWOOD_HEIGHT - 1 - (await node.rpc<number>('getblockcount')));
    await compare(t, bed);
    for (const { unified, second } of sides) {
      await mine(bed, 1, unified);
      await compare(t, bed);
      await mine(bed, 1, second);
      await compare(t, bed);
    }
    await eachPaysTheOther(t, bed, 'ironwood');
    await eachPaysTheOther(t, bed, 'orchard');
    await reorganised(t, bed);

    await mine(bed, NU7_HEIGHT - 1 - (await node.rpc<number>('getblockcount')));
    await compare(t, bed);
    for (const { unified, sapling } of sides) {
      await mine(bed, 1, unified);
      await compare(t, bed);
      await mine(bed, 1, sapling);
      await compare(t, bed);
    }
    await eachPaysTheOther(t, bed, 'ironwood');
    await eachPaysTheOther(t, bed, 'orchard');
    await eachPaysTheOther(t, bed, 'sapling');
    await paidWithoutSapling(t, bed);
    t.true(bed.compared.size >= 20, String(bed.compared.size));
    t.log(`compared at ${bed.compared.size} heights`);
  });

async function makeBed(t: ExecutionContext): Promise<Bed> {
  const node = await startZebrad({ minerAddress: NOBODY, nu7: NU7_HEIGHT });
  t.teardown(() => node.stop());
  const folder = temporaryFolder(t);
  await node.rpc('generate', PEER_BIRTHDAY - 1);
  const side = (name: string) => makeSide(t, node, path.join(folder, name));
  return { node, sides: [await side('first'), await side('second')], compared: new Set() };
}

async function makeSide(t: ExecutionContext, node: Zebrad, file: string): Promise<Side> {
  const config = {
    network: 'regtest',
    node_url: node.url,
    compact_server_url: node.compactUrl,
    activation_heights: HEIGHTS,
  };
  const companion = await openCompanion(t, config);
  const withPassword = { password: PASSWORD, birthday_height: 1 };
  ok(t, await companion.post('/api/accounts', withPassword));
  const { mnemonic } = ok(
    t,
    await companion.post<Output<'wallet.backup'>>('/api/wallet/backup', { password: PASSWORD }),
  );
  const open = async (name: string, keys: Opening['keys']) => {
    const peer = new PeerWallet(t);
    const opening = {
      heights: HEIGHTS,
      keys,
      accounts: ACCOUNTS,
      birthday: PEER_BIRTHDAY,
      server: node.compactUrl,
    };
    return { peer, ...(await peer.open({ ...opening, file: `${file}-${name}.db` })) };
  };
  const { peer, viewingKeys } = await open('phrase', { mnemonic });
  const exported: string[] = [];
  for (let account = 0; account < ACCOUNTS; account++) {
    const asked = { password: PASSWORD, account };
    exported.push(
      ok(t, await companion.post<Output<'wallet.viewing_key'>>('/api/viewing-key', asked)).viewing_key,
    );
  }
  t.deepEqual(exported, viewingKeys, 'both write the same viewing keys');
  const { peer: peerWatching } = await open('keys', { viewingKeys: exported });
  const watching = await openCompanion(t, config, { viewingKeys });
  const address = (account: number) =>
    companion.get<Output<'address.get'>>(`/api/address?account=${account}`);
  const [first, second] = [ok(t, await address(0)), ok(t, await address(1))];
  const tool = openPcztTool(mnemonic)!;
  t.teardown(() => tool.remove());
  return {
    name: path.basename(file),
    companion,
    watching,
    peer,
    peerWatching,
    tool,
    unified: first.unified_address,
    sapling: first.sapling_address!,
    second: second.unified_address,
  };
}

const mine = ({ node }: Bed, blocks = 1, address = NOBODY) =>
  node.rpc<string[]>('generatetoaddress', blocks, address);

const askOf =
  (t: ExecutionContext, service: Service): Ask =>
  async (name, input) => {
    const query = new URLSearchParams(
      Object.entries(input).map(([field, value]) => [field, String(value)] as [string, string]),
    );
    return ok(t, await service.get<never>(`${operations[name].http!.path}?${query}`));
  };

/** At the tip, the companions by one source each. */
async function compare(t: ExecutionContext, bed: Bed): Promise<void> {
  const height = await bed.node.rpc<number>('getblockcount');
  bed.compared.add(height);
  for (const { name, companion, watching, peer, peerWatching } of bed.sides) {
    await sync(t, companion, 'node');
    await sync(t, watching, 'compact');
    await peer.sync();
    await peerWatching.sync();
    const ours = await companionView(askOf(t, companion), ACCOUNTS, PARAMS);
    const others = {
      'the companion with the viewing keys': await companionView(askOf(t, watching), ACCOUNTS, PARAMS),
      'the other wallet': await peerView(peer, PARAMS),
      'the other wallet with the viewing keys': await peerView(peerWatching, PARAMS),
    };
    for (const [who, theirs] of Object.entries(others))
      t.is(difference(ours, theirs), undefined, `${name} at ${height}: ${who}`);
  }
}

/** The first side's companion and the second side's other wallet, with a payment to the second account each. */
async function eachPaysTheOther(t: ExecutionContext, bed: Bed, from: Pool): Promise<void> {
  const [first, second] = bed.sides;
  const to = ({ unified, sapling }: Side): string => (from === 'sapling' ? sapling : unified);
  await companionPays(t, first, to(second), from);
  await peerPays(bed, second, to(first), from);
  await untilInMempool(bed, 2);
  await mine(bed);
  await compare(t, bed);
  t.log(`each paid the other from ${from}`);
}

async function companionPays(
  t: ExecutionContext,
  { companion, tool, name }: Side,
  address: string,
  from: Pool,
): Promise<void> {
  const prepared = await prepare(t, companion, {
    address,
    zatoshi: PAID,
    memo: `from ${name}, ${from} 🌳`,
    pools: [from],
    privacy: ['crossing_pools'],
  });
  await signAndProve(t, { tool }, companion, prepared);
  const sent = ok(t, await broadcast(companion, prepared, 'node'));
  t.like(sent.last_sent, { outcome: 'accepted' });
}

async function peerPays({ node }: Bed, { peer, name }: Side, address: string, from: Pool): Promise<void> {
  const memo = `from the other wallet of ${name}, ${from}`;
  for (const { raw } of await peer.pay({ account: 0, address, zatoshi: PAID, memo, from }))
    await node.rpc('sendrawtransaction', raw);
}

/** The block with the payments is given up for a longer branch, and they are mined again on it. */
async function reorganised(t: ExecutionContext, bed: Bed): Promise<void> {
  const { node } = bed;
  const before = await node.rpc<number>('getblockcount');
  await eachPaysTheOther(t, bed, 'ironwood');
  const hash = await node.rpc('getblockhash', before + 1);
  const { tx } = await node.rpc<{ tx: string[] }>('getblock', hash);
  const raws = await Promise.all(tx.slice(1).map((txid) => node.rpc<string>('getrawtransaction', txid)));
  while ((await node.rpc<string[]>('getrawmempool')).length > 0);
  await node.rpc('invalidateblock', hash);
  await mine(bed, 2);
  await compare(t, bed);
  for (const raw of raws) await node.rpc('sendrawtransaction', raw);
  await untilInMempool(bed, raws.length);
  await mine(bed);
  await compare(t, bed);
  t.log('reorganised away, and mined again');
}

/** From Sapling into Ironwood: the address has no Sapling receiver. */
async function paidWithoutSapling(t: ExecutionContext, bed: Bed): Promise<void> {
  const [first, second] = bed.sides;
  const orchard = parseAddress(first.unified, PARAMS).orchard!;
  await peerPays(bed, second, encodeReceiver('orchard', orchard, PARAMS), 'sapling');
  await untilInMempool(bed, 1);
  await mine(bed);
  await compare(t, bed);
}
