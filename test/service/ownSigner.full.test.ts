// The program itself signs a payment by the password, in its own thread, and keeps nothing that can spend, and no password, while the
// wallet is open.
import { equalBytes } from '@wallet-companion/base/bytes';
import { Devnet } from '@wallet-companion/devnet';
import { canReadMemory, findInMemory } from '@wallet-companion/disk/test/memoryScan';
import { decodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { effectsOfPczt } from '@wallet-companion/pczt/pcztRoles';
import { deriveSigningKeys, type SigningKeys } from '@wallet-companion/pczt/signer';
import {
  blake2b,
  decodeInteger32,
  encodeInteger32,
  JUBJUB_ORDER,
  PALLAS_SCALAR_ORDER,
  toJubjubScalar,
  toPallasScalar,
} from '@wallet-companion/zcash/curves';
import { deriveOrchardAccountKey, mnemonicToSeed } from '@wallet-companion/zcash/keys';
import { networkParameters } from '@wallet-companion/zcash/network';
import { ACTION_POOLS, POOL, POOLS, type ShieldedProtocol } from '@wallet-companion/zcash/pools';
import { cryptographyOf, shieldedSighash } from '@wallet-companion/zcash/signing';
import anyTest from 'ava';
import { createSocketLink } from '../../src/ipc/socketLink.ts';
import { socketPath } from '../../src/ipc/socketPath.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { startService } from '../helpers/service.ts';

const PASSWORD = 'lime-harbour-Zvoneček-8841-and-the-old-lighthouse';
const params = networkParameters('regtest');
const test = canReadMemory ? anyTest : anyTest.skip;
/** Freed memory has been overwritten at the beginning. */
const latterHalf = (secret: Uint8Array): Buffer => Buffer.from(secret).subarray(secret.length / 2);
const asText = (text: string): Buffer[] => [Buffer.from(text), Buffer.from(text, 'utf16le')];

const RED_DSA = {
  sapling: { name: 'Zcash_RedJubjubH', order: JUBJUB_ORDER, toScalar: toJubjubScalar },
  orchard: { name: 'Zcash_RedPallasH', order: PALLAS_SCALAR_ORDER, toScalar: toPallasScalar },
} as const;

/** What each signature was made with: the key of its spend, and the nonce. With either of them the spending key is computed. */
function secretsOfSignatures(pczt: Pczt, { spendAuth }: SigningKeys): Uint8Array[] {
  const sighash = shieldedSighash(effectsOfPczt(pczt));
  const spends = [
    ...pczt.sapling.spends.map((spend) => ['sapling', spend] as const),
    ...ACTION_POOLS.flatMap((pool) =>
      pczt[pool].actions.map(({ spend }) => [POOL[pool].protocol, spend] as const),
    ),
  ] satisfies (readonly [ShieldedProtocol, object])[];
  return spends.flatMap(([protocol, { rk, alpha, spendAuthSig: signature }]) => {
    if (alpha === undefined || signature === undefined) return [];
    const { name, order, toScalar } = RED_DSA[protocol];
    const key = (decodeInteger32(spendAuth[protocol].ask) + decodeInteger32(alpha)) % order;
    const challenge = toScalar(blake2b(name, 64, signature.subarray(0, 32), rk, sighash));
    const nonce = (decodeInteger32(signature, 32) + order * order - challenge * key) % order;
    // The spends that only hide how many there are have keys of their own.
    const isOurs = equalBytes(
      cryptographyOf(protocol).spendAuth.validatingKey(encodeInteger32(nonce)),
      signature.subarray(0, 32),
    );
    return isOurs ? [key, nonce].map(encodeInteger32) : [];
  });
}

test('over HTTP and the private socket it signs in every pool; phrase, password, spending keys and nonces are not in memory after it', async (t) => {
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
  for (const pool of POOLS) devnet.payTo(address, { pool, zatoshi: 1_000_000n });
  devnet.mineEmpty(12);
  // The thread that made the wallet had its phrase: its end clears it.
  await post('/api/wallet/lock', {});
  await post('/api/wallet/unlock', { password: PASSWORD });
  await post('/api/sync', {});
  const link = createSocketLink(socketPath(service.dataDir));
  t.teardown(() => link.close());
  const keys = deriveSigningKeys(mnemonicToSeed(mnemonic, ''), params, 0);
  const ofSignatures: Uint8Array[] = [];
  for (const way of ['HTTP', 'socket']) {
    // Nothing here may prove its Sapling spend.
    const order = { address, everything: true, privacy: ['crossing_pools'], try_anyway: true };
    const { payment_id, txid } = await post('/api/payments/prepare', order);
    const input = { txid, password: PASSWORD };
    const signed =
      way === 'HTTP'
        ? await post(`/api/payments/${payment_id}/sign`, input)
        : unwrap(await link.dispatch('payments.sign', { payment_id, ...input }, { requestId: 'own' }));
    t.like(signed, { signatures_added: POOLS.length }, way);
    const { body } = await service.get<{ pczt: string }>(`/api/payments/${payment_id}/pczt?reader=anyone`);
    ofSignatures.push(...secretsOfSignatures(decodePczt(Buffer.from(body.pczt, 'base64')).pczt, keys));
    await post(`/api/payments/${payment_id}/discard`, {});
  }
  t.is(ofSignatures.length, 2 * 2 * POOLS.length);
  const words = mnemonic.split(' ').slice(0, 4).join(' ');
  const spends = new Map([
    ['phrase', asText(words)],
    ['seed', [latterHalf(keys.seed)]],
    [
      'spending key',
      [
        deriveOrchardAccountKey(keys.seed, params.coinType, 0),
        keys.spendAuth.orchard.ask,
        keys.spendAuth.sapling.ask,
      ].map(latterHalf),
    ],
    ['key or nonce of a signature', ofSignatures.map(latterHalf)],
  ]);
  // A piece of the key that proves a Sapling spend may be there until the process ends.
  const secrets = new Map([...spends, ['password', asText(PASSWORD.slice(-20))]]);
  const found = (kinds: typeof spends) =>
    [...findInMemory(service.pid!, kinds)].map((each) => each.join(': '));
  t.deepEqual(found(secrets), []);
  t.true(found(new Map([['address', asText(address)]])).length > 0, 'what is there is found');
  await post('/api/wallet/lock', {});
  // Answered by the thread that begins when the other one has ended, which is after the lock's answer.
  t.like((await service.get('/api/wallet/status')).body, { unlocked: false });
  t.deepEqual(found(secrets), []);
});
