// Bundles of the Orchard protocol: spends and outputs in pairs, padded with dummies to hide the number of notes, in an order
// that reveals nothing.
import { concatBytes, drawUntilFound, FormatError, randomUint32, wipe } from '@wallet-companion/base/bytes';
import { encodeInteger32 } from '@wallet-companion/zcash/curves';
import {
  deriveOrchardKeys,
  encodeOrchardFullViewingKey,
  orchardAddressAt,
  orchardScopeKeys,
} from '@wallet-companion/zcash/keys';
import { leadByteOf, MEMO_SIZE } from '@wallet-companion/zcash/notes';
import type { ActionPool } from '@wallet-companion/zcash/pools';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import { cryptographyOf } from '@wallet-companion/zcash/signing';
import { TREE_DEPTH } from '@wallet-companion/zcash/trees';
import { mayCrossAddresses } from '../pczt/crossAddress.ts';
import type { Action, ActionBundle, Derivation, Witness } from '../pczt/layout.ts';
import { noteOf } from '../pczt/outputNote.ts';
import { EMPTY_ACTIONS, type Pczt } from '../pczt/pczt.ts';
import { mapInSteps, type Steps } from '../pczt/steps.ts';
import { randomizedKey } from './randomizedKey.ts';
import { randomPallasElement, randomRho, randomScalar, shuffle } from './randomness.ts';
import { LEAST_ACTIONS } from './rules.ts';
import { type OutputToMake, sealOutput } from './sealedOutput.ts';

export interface ActionSpendToMake {
  readonly recipient: Uint8Array;
  readonly value: bigint;
  readonly rho: Uint8Array;
  readonly rseed: Uint8Array;
  readonly fvk: Uint8Array;
  readonly ak: Uint8Array;
  readonly nk: Uint8Array;
  readonly witness: Witness;
  readonly zip32Derivation: Derivation | undefined;
  /** Spending key of a dummy, which signs it. */
  readonly dummySk?: Uint8Array;
  /** The note is at an address for change: only its owner reads what is sent there. */
  readonly isInternal: boolean;
}

/** The account's keys, for spends of value 0 at its change address. */
export type OwnKeys = Pick<ActionSpendToMake, 'fvk' | 'ak' | 'nk' | 'zip32Derivation'>;

export interface ActionBundleContext {
  readonly anchor: Uint8Array;
  /** Needed where change is paid into a pool whose actions only pay back. */
  ownKeys(): OwnKeys;
  /** Receives every key that is made for a dummy: the caller wipes them in any case. */
  readonly dummyKeys: Uint8Array[];
  readonly randomBytes: RandomBytes;
}

type Pair = readonly [ActionSpendToMake, OutputToMake];

/** The PCZT determines the rules. It contains keys of dummies until it is finalized. One step for each action and dummy. */
export function* actionBundle(
  pczt: Pczt,
  pool: ActionPool,
  spends: readonly ActionSpendToMake[],
  outputs: readonly OutputToMake[],
  { anchor, ownKeys, dummyKeys, randomBytes }: ActionBundleContext,
): Steps<ActionBundle> {
  const pairs = mayCrossAddresses(pczt, pool)
    ? yield* freePairs(pool, spends, outputs, dummyKeys, randomBytes)
    : yield* ownPairs(pool, spends, outputs, { ownKeys, dummyKeys, randomBytes });
  const actions = yield* mapInSteps(pairs, ([spend, output]) => actionOf(pool, spend, output, randomBytes));
  const valueSum = pairs.reduce((sum, [spend, output]) => sum + spend.value - output.value, 0n);
  return { ...EMPTY_ACTIONS[pool], actions, valueSum, anchor };
}

/** Pairs any spend with any output. */
function* freePairs(
  pool: ActionPool,
  spends: readonly ActionSpendToMake[],
  outputs: readonly OutputToMake[],
  dummyKeys: Uint8Array[],
  randomBytes: RandomBytes,
): Steps<Pair[]> {
  const count = Math.max(LEAST_ACTIONS, spends.length, outputs.length);
  const filledSpends = shuffle(
    [
      ...spends,
      ...(yield* timesInSteps(count - spends.length, () => dummySpend(pool, dummyKeys, randomBytes))),
    ],
    randomBytes,
  );
  const filledOutputs = shuffle(
    [...outputs, ...(yield* timesInSteps(count - outputs.length, () => dummyOutput(randomBytes)))],
    randomBytes,
  );
  return filledSpends.map((spend, i): Pair => [spend, filledOutputs[i]!]);
}

/** Pairs each output with a note at the same address. */
function* ownPairs(
  pool: ActionPool,
  spends: readonly ActionSpendToMake[],
  outputs: readonly OutputToMake[],
  { ownKeys, dummyKeys, randomBytes }: Omit<ActionBundleContext, 'anchor'>,
): Steps<Pair[]> {
  const pairs: Pair[] = [
    ...spends.map((spend): Pair => [spend, { ...nothingTo(spend), isUnreadable: !spend.isInternal }]),
    ...(yield* mapInSteps(
      outputs,
      (output): Pair => [zeroSpend(pool, output.recipient, ownKeys(), randomBytes), output],
    )),
  ];
  const padding = yield* timesInSteps(LEAST_ACTIONS - pairs.length, (): Pair => {
    const spend = dummySpend(pool, dummyKeys, randomBytes);
    return [spend, nothingTo(spend)];
  });
  return shuffle([...pairs, ...padding], randomBytes);
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: Math.max(0, count) }, make);

const timesInSteps = <T>(count: number, make: () => T): Steps<T[]> =>
  mapInSteps(
    times(count, () => make),
    (one) => one(),
  );

const nothingTo = ({ recipient }: { readonly recipient: Uint8Array }): OutputToMake => ({
  recipient,
  value: 0n,
  memo: new Uint8Array(MEMO_SIZE),
});

/** A key for one dummy, with an address that is never used again. */
function dummyKey(randomBytes: RandomBytes) {
  return drawUntilFound(() => {
    const sk = randomBytes(32);
    try {
      const { fullViewingKey } = deriveOrchardKeys(sk);
      const recipient = orchardAddressAt(orchardScopeKeys(fullViewingKey, 'external'), 0n);
      return { sk, fullViewingKey, recipient };
    } catch (error) {
      wipe(sk);
      if (error instanceof FormatError) return undefined;
      throw error;
    }
  });
}

function dummyOutput(randomBytes: RandomBytes): OutputToMake {
  const { sk, recipient } = dummyKey(randomBytes);
  wipe(sk);
  return nothingTo({ recipient });
}

function dummySpend(pool: ActionPool, dummyKeys: Uint8Array[], randomBytes: RandomBytes): ActionSpendToMake {
  const { sk, fullViewingKey, recipient } = dummyKey(randomBytes);
  dummyKeys.push(sk);
  return {
    ...madeUpNote(pool, recipient, randomBytes),
    fvk: encodeOrchardFullViewingKey(fullViewingKey),
    ak: encodeInteger32(fullViewingKey.ak),
    nk: encodeInteger32(fullViewingKey.nk),
    zip32Derivation: undefined,
    dummySk: sk,
    isInternal: false,
  };
}

/** A spend of value 0 that is signed as a real one: its key is the account's. */
const zeroSpend = (
  pool: ActionPool,
  recipient: Uint8Array,
  ownKeys: OwnKeys,
  randomBytes: RandomBytes,
): ActionSpendToMake => ({ ...madeUpNote(pool, recipient, randomBytes), ...ownKeys, isInternal: true });

/** A note of value 0, which needs no position in a tree. */
function madeUpNote(pool: ActionPool, recipient: Uint8Array, randomBytes: RandomBytes) {
  const witness = {
    position: randomUint32(randomBytes),
    path: concatBytes(...times(TREE_DEPTH, () => randomPallasElement(randomBytes))),
  };
  return drawUntilFound(() => {
    const note = { recipient, value: 0n, rho: randomRho(randomBytes), rseed: randomBytes(32) };
    if (noteOf(pool, { leadByte: leadByteOf(pool), ...note }) === undefined) return undefined;
    return { ...note, witness };
  });
}

function actionOf(
  pool: ActionPool,
  spend: ActionSpendToMake,
  output: OutputToMake,
  randomBytes: RandomBytes,
): Action {
  const { recipient, value, rho, rseed, fvk, ak, nk, witness, zip32Derivation, dummySk } = spend;
  const leadByte = leadByteOf(pool);
  const nullifier = noteOf(pool, { leadByte, recipient, value, rho, rseed })!.nullifier(nk, witness.position);
  const rcv = randomScalar(pool, randomBytes);
  const cvNet = cryptographyOf(pool).values.commit(value - output.value, rcv);
  const sealed = sealOutput(pool, leadByte, output, { cv: cvNet, rho: nullifier }, randomBytes);
  return {
    cvNet,
    spend: {
      nullifier,
      ...randomizedKey(pool, ak, randomBytes),
      spendAuthSig: undefined,
      recipient,
      value,
      rho,
      rseed,
      fvk,
      witness,
      zip32Derivation,
      dummySk,
      proprietary: new Map(),
    },
    output: {
      cmx: sealed.commitment,
      ephemeralKey: sealed.ephemeralKey,
      encCiphertext: { kind: 'encrypted', bytes: sealed.encCiphertext },
      outCiphertext: sealed.outCiphertext,
      recipient: output.recipient,
      value: output.value,
      rseed: sealed.rseed,
      ock: sealed.ock,
      zip32Derivation: output.zip32Derivation,
      userAddress: output.userAddress,
      proprietary: new Map(),
    },
    rcv,
  };
}
