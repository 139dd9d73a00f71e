// Whole transactions that nobody's money is in: commitments, keys and signatures are right, proofs are any bytes of the
// right length. Every spend is a dummy, so its key may be held here.
import { concatBytes } from '@wallet-companion/base/bytes';
import { encodeInteger32 } from '../../src/zcash/curves/integers.ts';
import { orchardProofSize } from '../../src/zcash/encoding/orchardBundle.ts';
import { blake2b } from '../../src/zcash/hashes/blake2.ts';
import { asNullifier } from '../../src/zcash/identifiers.ts';
import { deriveOrchardKeys } from '../../src/zcash/keys/orchardKeys.ts';
import type { ActionPool } from '../../src/zcash/pools.ts';
import type { TransactionAuthorization } from '../../src/zcash/transaction/authorization.ts';
import { signDummySpend } from '../../src/zcash/transaction/dummySpends.ts';
import type {
  ActionEffects,
  SaplingEffects,
  TransactionEffects,
} from '../../src/zcash/transaction/effects.ts';
import { cryptographyOf } from '../../src/zcash/transaction/poolCryptography.ts';
import { shieldedSighash } from '../../src/zcash/transaction/sighash.ts';

/** As many bytes as asked for, the same for the same words. */
export function wordBytes(length: number, ...words: readonly (string | number)[]): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, i) =>
    blake2b('made up for test', 64, new TextEncoder().encode([...words, i].join(' '))),
  );
  return concatBytes(...blocks).subarray(0, length);
}

/** Below the orders of both groups. */
const scalar = (...words: readonly (string | number)[]): Uint8Array => {
  const bytes = Uint8Array.from(wordBytes(32, ...words));
  bytes[31]! &= 7;
  return bytes;
};

export interface MadeUpDummy {
  readonly pool: 'sapling' | ActionPool;
  readonly index: number;
  readonly rk: Uint8Array;
  readonly alpha: Uint8Array;
  /** A copy each time, since signing wipes it. */
  key(): Uint8Array;
}

export interface MadeUpTransaction {
  readonly effects: TransactionEffects;
  readonly authorization: TransactionAuthorization;
  readonly dummies: readonly MadeUpDummy[];
}

function dummy(pool: 'sapling' | ActionPool, index: number, seed: string): MadeUpDummy {
  const { spendAuth } = cryptographyOf(pool);
  const alpha = scalar(seed, pool, 'alpha', index);
  const key = (): Uint8Array => Uint8Array.from(scalar(seed, pool, 'key', index));
  const ask = pool === 'sapling' ? key() : encodeInteger32(deriveOrchardKeys(key()).ask);
  const rk = spendAuth.randomizedValidatingKey(spendAuth.validatingKey(ask), alpha);
  return { pool, index, rk, alpha, key };
}

function ciphertexts(pool: 'sapling' | ActionPool, ...words: readonly (string | number)[]) {
  return {
    ephemeralKey: cryptographyOf(pool).spendAuth.validatingKey(scalar(...words, 'esk')),
    encCiphertext: wordBytes(580, ...words, 'enc'),
    outCiphertext: wordBytes(80, ...words, 'out'),
  };
}

/** Sapling pays 5,000 out, Orchard 30,000; in version 6 Ironwood takes 20,000 of it in. 7,000 come from an input, 9,000 go to an output. */
export function madeUpTransaction(version: 5 | 6, seed = 'a'): MadeUpTransaction {
  const dummies: MadeUpDummy[] = [];
  const sapling = madeUpSapling(seed, dummies);
  const bundles: Partial<Record<ActionPool, { effects: ActionEffects; bsk: Uint8Array }>> = {
    orchard: madeUpActions('orchard', [30_000n, 0n], 3, seed, dummies),
    ...(version === 6 && { ironwood: madeUpActions('ironwood', [-25_000n, 5_000n, 0n], 7, seed, dummies) }),
  };
  const effects: TransactionEffects = {
    version,
    consensusBranchId: version === 6 ? 0x37a5165b : 0x5437f330,
    lockTime: 0,
    expiryHeight: 1_000_000,
    inputs: [
      {
        prevTxid: wordBytes(32, seed, 'previous'),
        prevIndex: 3,
        sequence: 0xffff_ffff,
        value: 7_000n,
        scriptPubKey: wordBytes(25, seed, 'spent script'),
      },
    ],
    outputs: [{ value: 9_000n, scriptPubKey: wordBytes(25, seed, 'script') }],
    sapling: sapling.effects,
    orchard: bundles.orchard!.effects,
    ...(bundles.ironwood && { ironwood: bundles.ironwood.effects }),
  };
  const sighash = shieldedSighash(effects);
  const sigs = (pool: 'sapling' | ActionPool): Uint8Array[] =>
    dummies
      .filter((found) => found.pool === pool)
      .map(({ rk, alpha, key, index }) =>
        signDummySpend(pool, { rk, alpha, key: key() }, sighash, (length) =>
          Uint8Array.from(wordBytes(length, seed, pool, 'nonce', index)),
        ),
      );
  const actions = (pool: ActionPool) => {
    const { effects: bundle, bsk } = bundles[pool]!;
    return {
      spendAuthSigs: sigs(pool),
      proof: wordBytes(orchardProofSize(bundle.actions.length), seed, pool, 'proof'),
      bindingSigningKey: bsk,
    };
  };
  return {
    effects,
    dummies,
    authorization: {
      scriptSigs: [wordBytes(107, seed, 'scriptSig')],
      sapling: {
        spendAuthSigs: sigs('sapling'),
        spendProofs: sapling.effects.spends.map((_, i) => wordBytes(192, seed, 'spend proof', i)),
        outputProofs: sapling.effects.outputs.map((_, i) => wordBytes(192, seed, 'output proof', i)),
        bindingSigningKey: sapling.bsk,
      },
      orchard: actions('orchard'),
      ...(version === 6 && { ironwood: actions('ironwood') }),
    },
  };
}

function madeUpSapling(seed: string, dummies: MadeUpDummy[]): { effects: SaplingEffects; bsk: Uint8Array } {
  const { values } = cryptographyOf('sapling');
  const rcv = (kind: string, i: number) => scalar(seed, 'sapling', kind, i, 'rcv');
  const spent = [10_000n, 0n];
  const created = [2_000n, 3_000n, 0n];
  return {
    effects: {
      spends: spent.map((value, i) => {
        const found = dummy('sapling', i, seed);
        dummies.push(found);
        return {
          cv: values.commit(value, rcv('spend', i)),
          nullifier: asNullifier(wordBytes(32, seed, 'sapling nullifier', i)),
          rk: found.rk,
        };
      }),
      outputs: created.map((value, i) => ({
        cv: values.commit(value, rcv('output', i)),
        cmu: wordBytes(32, seed, 'cmu', i),
        ...ciphertexts('sapling', seed, 'sapling', i),
      })),
      valueBalance: 5_000n,
      anchor: wordBytes(32, seed, 'sapling anchor'),
    },
    bsk: values.bindingSigningKey(
      spent.map((_, i) => rcv('spend', i)),
      created.map((_, i) => rcv('output', i)),
    ),
  };
}

function madeUpActions(
  pool: ActionPool,
  net: readonly bigint[],
  flags: number,
  seed: string,
  dummies: MadeUpDummy[],
): { effects: ActionEffects; bsk: Uint8Array } {
  const { values } = cryptographyOf(pool);
  const rcv = net.map((_, i) => scalar(seed, pool, 'rcv', i));
  return {
    effects: {
      actions: net.map((value, i) => {
        const found = dummy(pool, i, seed);
        dummies.push(found);
        return {
          cv: values.commit(value, rcv[i]!),
          nullifier: asNullifier(wordBytes(32, seed, pool, 'nullifier', i)),
          rk: found.rk,
          cmx: wordBytes(32, seed, pool, 'cmx', i),
          ...ciphertexts(pool, seed, pool, i),
        };
      }),
      flags,
      valueBalance: net.reduce((sum, value) => sum + value, 0n),
      anchor: wordBytes(32, seed, pool, 'anchor'),
    },
    bsk: values.bindingSigningKey(rcv, []),
  };
}
