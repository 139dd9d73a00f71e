// What holds of every pool and every transaction version, by their rows alone: newRows.full.test.ts runs it again on a copy of
// the sources that has one more of each.

import { decodeJob, decodeResult, encodeJob, encodeResult } from '@wallet-companion/fleet/jobs';
import { changePools, rulesAt } from '@wallet-companion/pczt/spending';
import { PARAMS, TARGET_HEIGHT } from '@wallet-companion/pczt/test/spendingAccount';
import { asBlockHash, asNullifier, asTxId } from '@wallet-companion/zcash/identifiers';
import { TX_VERSIONS, type TxVersion } from '@wallet-companion/zcash/network';
import { POOL, POOL_UPGRADES, POOLS, type Pool, perActionPool, perPool } from '@wallet-companion/zcash/pools';
import { bareOutputSize, type ScanHeights } from '@wallet-companion/zcash/scan';
import { wordBytes } from '@wallet-companion/zcash/test/madeUpTransactions';
import {
  authDigest,
  type OrchardContents,
  orchardProofSize,
  parseTransaction,
  type SaplingContents,
  serializeTransaction,
  type Transaction,
  type TransactionContents,
  transactionContents,
  txid,
} from '@wallet-companion/zcash/transactions';
import test from 'ava';
import { SOURCES, startPaymentStory } from './helpers/paymentStoryBed.ts';

const ZEC = 100_000_000;

const made = (sizes: Readonly<Record<string, number>>, ...words: readonly (string | number)[]) =>
  Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, wordBytes(size, name, ...words)]));
const CIPHERTEXTS = { ephemeralKey: 32, encCiphertext: 580, outCiphertext: 80 };
const SPEND = { cv: 32, nullifier: 32, rk: 32, spendAuthSig: 64 };

const sapling = {
  spends: [made({ ...SPEND, anchor: 32, proof: 192 }, 'spend')],
  outputs: [made({ cv: 32, cmu: 32, ...CIPHERTEXTS, proof: 192 }, 'output')],
  valueBalance: 5n,
  bindingSig: wordBytes(64, 'sapling'),
} as unknown as SaplingContents;

const actions = (pool: Pool) =>
  ({
    actions: [made({ ...SPEND, cmx: 32, ...CIPHERTEXTS }, pool)],
    flags: POOL[pool].actionFlags,
    valueBalance: 5n,
    ...made({ anchor: 32, proof: orchardProofSize(1), bindingSig: 64 }, pool),
  }) as unknown as OrchardContents;

const carries = (version: TxVersion, pool: Pool): boolean => POOL[pool].transactionVersion <= version;

const contentsOf = (version: TxVersion): TransactionContents => ({
  version,
  consensusBranchId: version === 4 ? 0 : 7,
  lockTime: 1,
  expiryHeight: 2,
  inputs: [],
  outputs: [],
  sapling,
  ...perActionPool((pool) => (carries(version, pool) ? actions(pool) : undefined)),
});

for (const version of TX_VERSIONS) {
  const contents = contentsOf(version);
  const changed = (pool: Pool, change: object): Transaction =>
    parseTransaction(serializeTransaction({ ...contents, [pool]: { ...contents[pool], ...change } }));

  test(`version ${version}: what is written is read`, (t) => {
    t.deepEqual(transactionContents(parseTransaction(serializeTransaction(contents))), contents);
  });

  for (const pool of POOLS.filter((pool) => carries(version, pool)))
    test(`version ${version}: its id takes in ${pool}, and its digest the signatures there`, (t) => {
      const before = changed(pool, {});
      t.notDeepEqual(txid(changed(pool, { valueBalance: 6n })), txid(before));
      if (version === 4) return;
      const signed = changed(pool, { bindingSig: wordBytes(64, 'another') });
      t.deepEqual(txid(signed), txid(before));
      t.notDeepEqual(authDigest(signed), authDigest(before));
    });

  for (const pool of POOLS.filter((pool) => !carries(version, pool)))
    test(`version ${version}: there is no place for ${pool}`, (t) => {
      t.throws(() => serializeTransaction({ ...contents, [pool]: actions(pool) }), {
        message: `version ${version} has no ${POOL[pool].name} component`,
      });
    });
}

test('a job of the fleet says where each pool begins, and its result what was found in each', (t) => {
  const heights = {
    network: 'regtest',
    ...Object.fromEntries(POOL_UPGRADES.map((upgrade, i) => [upgrade, 10 + i])),
  } as ScanHeights;
  const planted = POOLS.map((pool) => ({
    height: 20,
    pool,
    bytes: wordBytes(bareOutputSize(pool), pool, 'planted'),
  }));
  const job = { start: 20, end: 20, heights, keys: [], planted };
  t.deepEqual(decodeJob(encodeJob(job)), job);
  const result = {
    worker: wordBytes(8, 'worker'),
    sizesBefore: perPool((pool) => POOLS.indexOf(pool)),
    blocks: [
      {
        height: 20,
        hash: asBlockHash(wordBytes(32, 'hash')),
        prevHash: asBlockHash(wordBytes(32, 'previous')),
        time: 9,
        treeSizes: perPool((pool) => 2 * POOLS.indexOf(pool) + 1),
        outputCount: POOLS.reduce((sum, _, i) => sum + i + 1, 0),
        notes: [],
        nullifiers: POOLS.map((pool, txIndex) => ({
          pool,
          txIndex,
          txid: asTxId(wordBytes(32, pool, 'txid')),
          nullifiers: asNullifier(wordBytes(32, pool, 'nullifier')),
        })),
      },
    ],
    hits: POOLS.map((pool, position) => ({ height: 20, key: 0, pool, position })),
  };
  t.deepEqual(decodeResult(encodeResult(result), { start: 20, end: 20, keyCount: 1 }), result);
});

test('change goes back to whichever pool was spent from', (t) => {
  const note = { zatoshi: 1, height: 1, position: 0, isChange: false, isReserved: false };
  // The newest pool that takes payments would come by itself.
  const rules = { ...rulesAt(PARAMS, TARGET_HEIGHT), payable: ['sapling'] as const };
  for (const pool of POOLS) t.is(changePools([{ ...note, pool }], [], 'kept', rules, () => true)[0], pool);
});

for (const source of SOURCES)
  test(`${source}: notes of every pool are found, and spent together in the newest version`, async (t) => {
    const bed = await startPaymentStory(t, { source, notes: POOLS.map((pool) => [pool, ZEC]) });
    const { pools } = await bed.wallet.call('balance.get');
    t.deepEqual(
      perPool((pool) => pools[pool].total_zatoshi),
      perPool(() => ZEC),
    );
    const prepared = await bed.prepare({ zatoshi: (POOLS.length - 0.5) * ZEC, privacy: ['crossing_pools'] });
    t.deepEqual(prepared.notes.map(({ pool }) => pool).toSorted(), POOLS.toSorted());
    const { payment_id: id } = prepared;
    await bed.complete(id);
    await bed.broadcast(id);
    await bed.mine();
    const { status, txid: shown } = await bed.get(id);
    t.is(status, 'mined');
    t.is(bed.devnet.blocks.byTxid(shown!)?.transaction.version, TX_VERSIONS.at(-1));
    t.is(await bed.total(), ZEC / 2 - prepared.fee_zatoshi);
  });
