// Sapling bundles: separate lists of spends and outputs, each in an order that reveals nothing. The proof key of spends is
// absent, since no viewing key contains it: the signer adds it.
import { concatBytes, drawUntilFound } from '@wallet-companion/base/bytes';
import {
  diversifyHashSapling,
  encodeJubjub,
  multiplyJubjub,
  toJubjubScalar,
} from '@wallet-companion/zcash/curves';
import { MEMO_SIZE } from '@wallet-companion/zcash/notes';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import { cryptographyOf } from '@wallet-companion/zcash/signing';
import type { Derivation, SaplingBundle, SaplingOutput, SaplingSpend, Witness } from '../pczt/layout.ts';
import { noteOf } from '../pczt/outputNote.ts';
import { mapInSteps, type Steps } from '../pczt/steps.ts';
import { randomizedKey } from './randomizedKey.ts';
import { randomScalar, shuffle } from './randomness.ts';
import { LEAST_SAPLING_OUTPUTS } from './rules.ts';
import { type OutputToMake, sealOutput } from './sealedOutput.ts';

/** ZIP 212; earlier notes transmitted the trapdoor itself. */
const LEAD_BYTE = 2;
const NO_RHO = new Uint8Array(0);

export interface SaplingSpendToMake {
  readonly leadByte: number;
  readonly recipient: Uint8Array;
  readonly value: bigint;
  readonly rseed: Uint8Array;
  readonly ak: Uint8Array;
  readonly nk: Uint8Array;
  readonly witness: Witness;
  readonly zip32Derivation: Derivation | undefined;
}

/** One step for each spend and output. */
export function* saplingBundle(
  spends: readonly SaplingSpendToMake[],
  outputs: readonly OutputToMake[],
  anchor: Uint8Array,
  randomBytes: RandomBytes,
): Steps<SaplingBundle> {
  const padding = Array.from({ length: Math.max(0, LEAST_SAPLING_OUTPUTS - outputs.length) }, () =>
    dummyOutput(randomBytes),
  );
  const filled = [...outputs, ...padding];
  return {
    spends: yield* mapInSteps(shuffle(spends, randomBytes), (spend) => spendOf(spend, randomBytes)),
    outputs: yield* mapInSteps(shuffle(filled, randomBytes), (output) => outputOf(output, randomBytes)),
    valueSum:
      spends.reduce((sum, { value }) => sum + value, 0n) -
      outputs.reduce((sum, { value }) => sum + value, 0n),
    anchor,
    bsk: undefined,
  };
}

/** An output to an address without an owner. */
function dummyOutput(randomBytes: RandomBytes): OutputToMake {
  const recipient = drawUntilFound(() => {
    const diversifier = randomBytes(11);
    const base = diversifyHashSapling(diversifier);
    const scalar = toJubjubScalar(randomBytes(64));
    if (base === undefined || scalar === 0n) return undefined;
    return concatBytes(diversifier, encodeJubjub(multiplyJubjub(base, scalar)));
  });
  return { recipient, value: 0n, memo: new Uint8Array(MEMO_SIZE) };
}

/** A separate value commitment for one item of the pool. */
function committed(value: bigint, randomBytes: RandomBytes) {
  const { values, isValueCommitment } = cryptographyOf('sapling');
  return drawUntilFound(() => {
    const rcv = randomScalar('sapling', randomBytes);
    const cv = values.commit(value, rcv);
    return isValueCommitment(cv) ? { cv, rcv } : undefined;
  });
}

function spendOf(spend: SaplingSpendToMake, randomBytes: RandomBytes): SaplingSpend {
  const { leadByte, recipient, value, rseed, ak, nk, witness, zip32Derivation } = spend;
  const note = noteOf('sapling', { leadByte, recipient, value, rseed, rho: NO_RHO })!;
  return {
    ...committed(value, randomBytes),
    nullifier: note.nullifier(nk, witness.position),
    ...randomizedKey('sapling', ak, randomBytes),
    zkproof: undefined,
    spendAuthSig: undefined,
    recipient,
    value,
    rcm: leadByte === LEAD_BYTE ? undefined : rseed,
    rseed: leadByte === LEAD_BYTE ? rseed : undefined,
    proofGenerationKey: undefined,
    witness,
    zip32Derivation,
    dummyAsk: undefined,
    proprietary: new Map(),
  };
}

function outputOf(output: OutputToMake, randomBytes: RandomBytes): SaplingOutput {
  const { cv, rcv } = committed(output.value, randomBytes);
  const sealed = sealOutput('sapling', LEAD_BYTE, output, { cv, rho: NO_RHO }, randomBytes);
  return {
    cv,
    cmu: sealed.commitment,
    ephemeralKey: sealed.ephemeralKey,
    encCiphertext: sealed.encCiphertext,
    outCiphertext: sealed.outCiphertext,
    zkproof: undefined,
    recipient: output.recipient,
    value: output.value,
    rseed: sealed.rseed,
    rcv,
    ock: sealed.ock,
    zip32Derivation: output.zip32Derivation,
    userAddress: output.userAddress,
    proprietary: new Map(),
  };
}
