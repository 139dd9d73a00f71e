// The recorded chain replayed into a real node: every block verified there, every note found here.
import test from 'ava';
import { readFixtureJson, readFixtureLines } from '../helpers/fixtures.ts';
import { startService } from '../helpers/service.ts';
import { IRONWOOD_HEIGHT, startZebrad } from './zebrad.ts';

const PASSWORD = 'a password for tests';

interface ShownNote {
  readonly pool: string;
  readonly account: number;
  readonly scope: string;
  readonly value_zatoshi: number;
  readonly height: number;
  readonly txid: string;
  readonly output_index: number;
  readonly position: number;
  readonly nullifier: string;
  readonly spent: { readonly txid: string; readonly height: number } | null;
}

const byPlace = (a: { pool: string; position: number }, b: { pool: string; position: number }) =>
  a.pool.localeCompare(b.pool) || a.position - b.position;

for (const cookie of [false, true]) {
  test.serial(`recorded chain, ${cookie ? 'with cookie authentication' : 'both sources'}`, async (t) => {
    const { mnemonic, accounts } = readFixtureJson<{
      mnemonic: string;
      accounts: { defaultAddress: string }[];
    }>('known-seed', 'regtest', 'keys.json');
    const node = await startZebrad({ minerAddress: accounts[0]!.defaultAddress, cookie });
    t.teardown(() => node.stop());
    const blocks = readFixtureLines('known-seed', 'zebra-recorded', 'raw-blocks.hex');
    for (const block of blocks) t.is(await node.rpc('submitblock', block), null);
    t.is(await node.rpc('getblockcount'), blocks.length);

    const expected = readFixtureLines('known-seed', 'zebra-recorded', 'expected-notes.jsonl')
      .map((line) => JSON.parse(line) as Record<string, never>)
      .map((note) => ({ ...note, value: Number(note['value']) }) as never)
      .sort(byPlace);
    for (const source of cookie ? ['node'] : ['node', 'compact']) {
      const service = await startService({
        config: {
          network: 'regtest',
          node_url: node.url,
          compact_server_url: node.compactUrl,
          activation_heights: { nu6_3: IRONWOOD_HEIGHT },
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
      t.like(summary, { blocks_scanned: blocks.length, caught_up: true, source });
      const { body } = await service.get<{ notes: ShownNote[] }>('/api/notes?limit=1000');
      t.deepEqual(
        body.notes
          .map((note) => ({
            pool: note.pool,
            account: note.account,
            scope: note.scope,
            value: note.value_zatoshi,
            height: note.height,
            txid: note.txid,
            outputIndex: note.output_index,
            position: note.position,
            nullifier: note.nullifier,
            spentHeight: note.spent?.height ?? null,
            spentTxid: note.spent?.txid ?? null,
          }))
          .sort(byPlace) as never,
        expected,
        source,
      );
      t.log(`${source}: ${body.notes.length} notes in ${String(summary['elapsed_ms'])} ms`);
    }
  });
}
