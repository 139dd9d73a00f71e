// Turns a plan into a transaction: notes are really encrypted and committed to; proofs, signatures, value commitments,
// randomized keys and all data of strangers are random but well-formed. A wallet sees a valid transaction; a consensus
// node would refuse the proofs.
import { concatBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { asNullifier, type Nullifier } from '@wallet-companion/zcash/identifiers';
import { branchIdAt, type NetworkParameters } from '@wallet-companion/zcash/network';
import { ACTION_POOLS, type ActionPool, POOL, type Pool, perActionPool } from '@wallet-companion/zcash/pools';
import {
  type OrchardActionContents,
  type OrchardContents,
  orchardProofSize,
  parseTransaction,
  type SaplingContents,
  type SaplingOutputContents,
  type SaplingSpendContents,
  serializeTransaction,
  type TransparentInput,
  type TransparentOutput,
  txid,
} from '@wallet-companion/zcash/transactions';
import type { BuiltTransaction, CreatedNote } from './builtTransaction.ts';
import { type SealedNote, sealNote } from './noteSealing.ts';
import type { PointSource } from './otherPoints.ts';
import type { Randomness } from './randomness.ts';
import {
  actionCount,
  outputCount,
  type PlannedOutput,
  spendCount,
  type TransactionPlan,
  usualFee,
  valueBalances,
} from './transactionPlan.ts';

/** enableSpends: a coinbase does not set it. */
const SPENDS = 0b001;
/** A wallet's transaction expires this many blocks after the block it is meant for. */
const EXPIRY_DELTA = 40;
const SAPLING_PROOF_SIZE = 192;
const SIGNATURE_SIZE = 64;

export interface BuilderTools {
  readonly params: NetworkParameters;
  readonly randomness: Randomness;
  readonly pallas: PointSource;
  readonly jubjub: PointSource;
}

export class TransactionBuilder {
  readonly #tools: BuilderTools;

  constructor(tools: BuilderTools) {
    this.#tools = tools;
  }

  /** `anchorOf`: root of the tree that a bundle's spends refer to, 32 bytes; called for bundles that need one. */
  build(plan: TransactionPlan, anchorOf: (pool: Pool) => Uint8Array): BuiltTransaction {
    const { params } = this.#tools;
    const fee = usualFee(plan, params);
    const balances = valueBalances(plan, fee);
    const sapling = this.#sapling(plan, balances.sapling, anchorOf);
    const actions = perActionPool((pool) => this.#actions(plan, pool, balances[pool], anchorOf));
    const bytes = serializeTransaction({
      version: plan.version,
      consensusBranchId: branchIdAt(params.activation, plan.height),
      lockTime: 0,
      expiryHeight: plan.coinbase ? plan.height : plan.height + EXPIRY_DELTA,
      inputs: this.#inputs(plan),
      outputs: this.#transparentOutputs(plan),
      sapling: sapling?.contents,
      ...perActionPool((pool) => actions[pool]?.contents),
    });
    return {
      txid: txid(parseTransaction(bytes)),
      version: plan.version,
      bytes,
      fee,
      notes: [sapling, ...ACTION_POOLS.map((pool) => actions[pool])].flatMap((bundle) => bundle?.notes ?? []),
      spends: plan.spends.map(({ pool, nullifier }) => ({ pool, nullifier })),
      leafCounts: {
        ...perActionPool((pool) => actionCount(plan, pool)),
        sapling: outputCount(plan, 'sapling'),
      },
    };
  }

  #inputs(plan: TransactionPlan): TransparentInput[] {
    const { randomness } = this.#tools;
    if (plan.coinbase) {
      // With the height alone, both branches of a fork would have the same coinbase.
      const scriptSig = concatBytes(pushHeight(plan.height), Uint8Array.of(8), randomness.bytes(8));
      return [{ prevTxid: new Uint8Array(32), prevIndex: 0xffff_ffff, scriptSig, sequence: 0xffff_ffff }];
    }
    if (plan.payer !== 'transparent') return [];
    const scriptSig = randomness.bytes(107);
    return [{ prevTxid: randomness.bytes(32), prevIndex: 0, scriptSig, sequence: 0xffff_ffff }];
  }

  #transparentOutputs({ coinbase, transparentOutputs = [] }: TransactionPlan): readonly TransparentOutput[] {
    if (!coinbase || coinbase.transparentValue === 0n) return transparentOutputs;
    const payToKeyHash = concatBytes(
      Uint8Array.of(0x76, 0xa9, 20),
      this.#tools.randomness.bytes(20),
      Uint8Array.of(0x88, 0xac),
    );
    return [{ value: coinbase.transparentValue, scriptPubKey: payToKeyHash }];
  }

  #sapling(plan: TransactionPlan, valueBalance: bigint, anchorOf: (pool: Pool) => Uint8Array) {
    const { randomness, jubjub } = this.#tools;
    const spends = this.#nullifiers(plan, 'sapling', spendCount(plan, 'sapling')).map(
      (nullifier): SaplingSpendContents => ({
        cv: jubjub.next(),
        anchor: anchorOf('sapling'),
        nullifier: nullifier ?? asNullifier(randomness.bytes(32)),
        rk: jubjub.next(),
        proof: randomness.bytes(SAPLING_PROOF_SIZE),
        spendAuthSig: randomness.bytes(SIGNATURE_SIZE),
      }),
    );
    const outputs: SaplingOutputContents[] = [];
    const notes: CreatedNote[] = [];
    for (const output of this.#spread(plan, 'sapling', outputCount(plan, 'sapling'))) {
      const cv = jubjub.next();
      const sealed = output
        ? this.#seal(plan, output, cv, undefined, notes, outputs.length)
        : this.#otherOutput(jubjub);
      outputs.push({ cv, ...saplingFields(sealed), proof: randomness.bytes(SAPLING_PROOF_SIZE) });
    }
    if (spends.length + outputs.length === 0) return undefined;
    const contents: SaplingContents = {
      spends,
      outputs,
      valueBalance,
      bindingSig: randomness.bytes(SIGNATURE_SIZE),
    };
    return { contents, notes };
  }

  #actions(
    plan: TransactionPlan,
    pool: ActionPool,
    valueBalance: bigint,
    anchorOf: (pool: Pool) => Uint8Array,
  ) {
    const count = actionCount(plan, pool);
    if (count === 0) return undefined;
    const { randomness, pallas } = this.#tools;
    const nullifiers = this.#nullifiers(plan, pool, count);
    const notes: CreatedNote[] = [];
    const actions = this.#spread(plan, pool, count).map((output, index): OrchardActionContents => {
      const cv = pallas.next();
      const nullifier = nullifiers[index] ?? asNullifier(randomness.fieldElement());
      const sealed = output
        ? this.#seal(plan, output, cv, nullifier, notes, index)
        : this.#otherOutput(pallas);
      return {
        cv,
        nullifier,
        rk: pallas.next(),
        cmx: sealed.commitment,
        ephemeralKey: sealed.ephemeralKey,
        encCiphertext: sealed.encCiphertext,
        outCiphertext: sealed.outCiphertext,
        spendAuthSig: randomness.bytes(SIGNATURE_SIZE),
      };
    });
    const contents: OrchardContents = {
      actions,
      flags: plan.coinbase ? POOL[pool].actionFlags & ~SPENDS : POOL[pool].actionFlags,
      valueBalance,
      anchor: anchorOf(pool),
      proof: randomness.bytes(orchardProofSize(count)),
      bindingSig: randomness.bytes(SIGNATURE_SIZE),
    };
    return { contents, notes };
  }

  /** Nullifiers of the planned spends at random places among `count`; the other places are made-up spends. */
  #nullifiers(plan: TransactionPlan, pool: Pool, count: number): (Nullifier | undefined)[] {
    const own = plan.spends.filter((spend) => spend.pool === pool).map((spend) => spend.nullifier);
    return this.#scatter(own, count);
  }

  /** Planned outputs at random places among `count`; the other places are filler outputs without an owner. */
  #spread(plan: TransactionPlan, pool: Pool, count: number): (PlannedOutput | undefined)[] {
    return this.#scatter(
      plan.outputs.filter((output) => output.pool === pool),
      count,
    );
  }

  #scatter<T>(items: readonly T[], count: number): (T | undefined)[] {
    const places: (T | undefined)[] = Array.from({ length: count }, (_, i) => items[i]);
    if (items.length === 0) return places;
    for (let i = count - 1; i > 0; i--) {
      const j = this.#tools.randomness.below(i + 1);
      [places[i], places[j]] = [places[j], places[i]];
    }
    return places;
  }

  #seal(
    plan: TransactionPlan,
    output: PlannedOutput,
    cv: Uint8Array,
    rho: Uint8Array | undefined,
    notes: CreatedNote[],
    outputIndex: number,
  ): SealedNote {
    const { params, randomness } = this.#tools;
    const sealed = sealNote({ output, cv, rho, height: plan.height, params, randomness });
    const { flaw, ...sent } = output;
    if (!flaw) {
      const { leadByte, rseed, nullifier } = sealed;
      notes.push({ ...sent, outputIndex, leadByte, rseed, rho: sealed.rho, nullifier });
    }
    return sealed;
  }

  #otherOutput(points: PointSource): OutputFields {
    const { randomness } = this.#tools;
    return {
      commitment: randomness.fieldElement(),
      ephemeralKey: points.next(),
      encCiphertext: randomness.bytes(580),
      outCiphertext: randomness.bytes(80),
    };
  }
}

type OutputFields = Omit<SealedNote, 'nullifier' | 'leadByte' | 'rseed' | 'rho'>;

const saplingFields = (sealed: OutputFields) => ({
  cmu: sealed.commitment,
  ephemeralKey: sealed.ephemeralKey,
  encCiphertext: sealed.encCiphertext,
  outCiphertext: sealed.outCiphertext,
});

/** BIP 34: the height as the shortest script that pushes it. */
export function pushHeight(height: Height): Uint8Array {
  if (height <= 16) return Uint8Array.of(0x50 + height);
  const bytes: number[] = [];
  for (let rest = height; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  // The top bit is the sign.
  if (bytes[bytes.length - 1]! >= 0x80) bytes.push(0);
  return Uint8Array.of(bytes.length, ...bytes);
}
