// The program itself signs a payment by the password, in its own thread, and keeps nothing that can spend, with the session open.
import { Devnet } from '@wallet-companion/devnet';
import { canReadMemory, findInMemory } from '@wallet-companion/disk/test/memoryScan';
import { deriveSigningKeys } from '@wallet-companion/pczt/signer';
import { deriveOrchardAccountKey, mnemonicToSeed } from '@wallet-companion/zcash/keys';
import { networkParameters } from '@wallet-companion/zcash/network';
import anyTest from 'ava';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { startService } from '../helpers/service.ts';

const PASSWORD = 'lime-harbour-Zvoneček-8841-and-the-old-lighthouse';
const params = networkParameters('regtest');
const test = canReadMemory ? anyTest : anyTest.skip;

test('over HTTP and the private socket it signs; phrase, seed and spending keys are not in memory after it, though the wallet is open', async (t) => {
  const devnet = new Devnet({ seed: t.title });
  const service = await startService(t, {
    config: { network: 'regtest', node_url: await devnet.node.listen(), auto_lock_seconds: 0 },
  });
  t.teardown(async () => {
    await service.stop();
    service.remove();
    await devnet.close();
  });
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const { status, body: answer } = await service.post(path, body);
    t.is(status, 200, JSON.stringify(answer));
    return answer as Record<string, string>;
  };
  const made = await post('/api/wallet/create', { password: PASSWORD, birthday_height: 1 });
  const { mnemonic = '', unified_address: address = '' } = made;
  for (let i = 0; i < 2; i++) devnet.payTo(address, { pool: 'ironwood', zatoshi: 1_000_000n });
  devnet.mineEmpty(12);
  // The thread that made the wallet had its phrase: its end clears it.
  await post('/api/wallet/lock', {});
  await post('/api/wallet/unlock', { password: PASSWORD });
  await post('/api/sync', {});
  const link = createSocketLink(socketPath(service.dataDir));
  t.teardown(() => link.close());
  for (const way of ['HTTP', 'socket']) {
    const { payment_id, txid } = await post('/api/payments/prepare', { address, zatoshi: 100_000 });
    const input = { txid, password: PASSWORD };
    const signed =
      way === 'HTTP'
        ? await post(`/api/payments/${payment_id}/sign`, input)
        : unwrap(await link.dispatch('payments.sign', { payment_id, ...input }, { requestId: 'own' }));
    t.like(signed, { signatures_added: 1 }, way);
  }
  const seed = mnemonicToSeed(mnemonic, '');
  const { spendAuth, saplingProof } = deriveSigningKeys(seed, params, 0);
  const words = mnemonic.split(' ').slice(0, 4).join(' ');
  const secrets = [
    seed,
    deriveOrchardAccountKey(seed, params.coinType, 0),
    spendAuth.orchard.ask,
    spendAuth.sapling.ask,
    ...saplingProof.map(({ nsk }) => nsk),
  ];
  const needles = new Map([
    ['phrase', [Buffer.from(words), Buffer.from(words, 'utf16le')]],
    ['spending keys', secrets.map((secret) => Buffer.from(secret))],
  ]);
  t.deepEqual([...findInMemory(service.pid!, needles).keys()], []);
});
