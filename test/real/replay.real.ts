// The recorded chain replayed into a real node: every block verified there, every note found here.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { CompactConnection } from '@wallet-companion/chain/compact';
import { readFixtureJson, readFixtureLines } from '@wallet-companion/zcash/test/fixtures';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { inRecordedForm, readRecordedNotes } from '../helpers/recordedNotes.ts';
import { type Service, startService } from '../helpers/service.ts';
import { blocksBySqliteShell, hasSqliteShell } from '../helpers/sqliteShell.ts';
import { heightsWith, NU7_AFTER_RECORDED, startZebrad, type Zebrad } from './zebrad.ts';

const PASSWORD = 'a password for tests';

for (const cookie of [false, true]) {
  test.serial(`recorded chain, ${cookie ? 'with cookie authentication' : 'both sources'}`, async (t) => {
    const { mnemonic, accounts } = readFixtureJson<{
      mnemonic: string;
      accounts: { defaultAddress: string }[];
    }>('known-seed', 'regtest', 'keys.json');
    const node = await startZebrad({
      minerAddress: accounts[0]!.defaultAddress,
      nu7: NU7_AFTER_RECORDED,
      cookie,
    });
    t.teardown(() => node.stop());
    const blocks = readFixtureLines('known-seed', 'zebra-recorded', 'raw-blocks.hex');
    for (const block of blocks) t.is(await node.rpc('submitblock', block), null);
    t.is(await node.rpc('getblockcount'), blocks.length);

    const expected = readRecordedNotes();
    for (const source of cookie ? ['node'] : ['node', 'compact']) {
      const service = await startService(t, {
        config: {
          network: 'regtest',
          node_url: node.url,
          compact_server_url: node.compactUrl,
          activation_heights: heightsWith(NU7_AFTER_RECORDED),
          ...(node.cookieFile === undefined ? {} : { node_cookie_file: node.cookieFile }),
        },
      });
      t.teardown(async () => {
        await service.stop();
        service.remove();
      });
      t.is((await service.post('/api/wallet/restore', { mnemonic, password: PASSWORD })).status, 200);
      t.is((await service.post('/api/accounts', { password: PASSWORD })).status, 200);
      const { body: summary } = await service.post('/api/sync', { source });
      // Blocks are scanned again where an account is found by its notes.
      t.like(summary, { end_height: blocks.length, complete: true, caught_up: true, source });
      const notes = await shownNotes(service);
      t.deepEqual(notes, expected, source);
      t.log(`${source}: ${notes.length} notes in ${String(summary['elapsed_ms'])} ms`);
      if (source === 'node') continue;
      await storeShowsTheWire(t, service, node, blocks.length);
      await storeIsEnough(t, service, node, blocks.length);
    }
  });
}

async function shownNotes(service: Service) {
  const { body } = await service.get<Output<'notes.list'>>('/api/notes?limit=1000');
  return inRecordedForm(body.notes);
}

/** The store's file as other programs read it, while the companion has it open. */
async function storeShowsTheWire(t: ExecutionContext, service: Service, node: Zebrad, tip: number) {
  if (!hasSqliteShell()) {
    t.log('sqlite3 is not installed: the store was not compared with the wire');
    return;
  }
  const client = new CompactConnection(node.compactUrl);
  const wire: { height: number; data: string }[] = [];
  for await (const bytes of client.blockRange(1, tip)) {
    wire.push({ height: wire.length + 1, data: bytesToHex(bytes) });
  }
  client.close();
  t.is(wire.length, tip);
  const { body } = await service.get<{ store: { path: string } }>('/api/lwd/info');
  t.deepEqual(blocksBySqliteShell(body.store.path), wire);
  t.log(`sqlite3 shows the ${tip} blocks of the wire`);
}

/** Stops the node. */
async function storeIsEnough(t: ExecutionContext, service: Service, node: Zebrad, tip: number) {
  const before = await shownNotes(service);
  await node.stop();
  t.is((await service.post('/api/wallet/rescan', {})).status, 200);
  const { body: summary } = await service.post('/api/sync', { source: 'compact' });
  t.like(summary, { blocks_scanned: tip, chain_tip: tip, caught_up: false });
  t.deepEqual(await shownNotes(service), before);
  const { body: problem } = await service.post('/api/sync', { source: 'compact' });
  t.is(problem['code'], 'COMPACT_SERVER_UNREACHABLE');
}
