// The IO Finalizer (ZIP 374): closes the PCZT, sets the binding signing keys and signs the dummy spends, whose keys it
// then removes. The caller passes in curves and signatures: this file only defines the rules.
import { equalBytes, wipe } from '@wallet-companion/base/bytes';
import {
  ACTION_POOLS,
  type ActionPool,
  isActionPool,
  POOLS,
  type Pool,
  perActionPool,
} from '@wallet-companion/zcash/pools';
import type { DummySpend } from '@wallet-companion/zcash/signing';
import { hasCompactFields, resolveCompactFields } from './compactFields.ts';
import { mayCrossAddresses } from './crossAddress.ts';
import type { ActionBundle, SaplingBundle } from './layout.ts';
import { forbidAdditions } from './modifiable.ts';
import type { Pczt } from './pczt.ts';
import { inField, refuse } from './refusal.ts';
import { finish, mapInSteps, type Steps } from './steps.ts';

/** The signature functions of zcash/transaction. FormatError where bytes are not a scalar or point. */
export interface IoCryptography {
  /** The sum of the trapdoors `added` minus the sum of `subtracted`. */
  bindingSigningKey(pool: Pool, added: readonly Uint8Array[], subtracted: readonly Uint8Array[]): Uint8Array;
  /** Whether the value commitments of the pool's bundle, minus its value sum, are [bsk] of the trapdoors' base. */
  isBindingSigningKey(pczt: Pczt, pool: Pool, bsk: Uint8Array): boolean;
  /** The shielded signature hash (ZIP 244, ZIP 229). */
  sighash(pczt: Pczt): Uint8Array;
  /** Signs with a copy of the dummy's key, and wipes it; fails where the key is not that of `rk`. */
  signDummy(pool: Pool, spend: DummySpend, sighash: Uint8Array): Uint8Array;
}

const isUsed = (pczt: Pczt, pool: Pool): boolean =>
  isActionPool(pool)
    ? pczt[pool].actions.length > 0
    : pczt.sapling.spends.length + pczt.sapling.outputs.length > 0;

/**
 * IO Finalizer of ZIP 374: closes the lists, computes each pool's binding key, and signs dummy spends. Throws
 * `PcztRefusal` where an opening that this takes is missing, or the sums do not fit.
 */
export const finalizeIo = (original: Pczt, cryptography: IoCryptography): Pczt =>
  finish(finalizingIo(original, cryptography));

export function* finalizingIo(original: Pczt, cryptography: IoCryptography): Steps<Pczt> {
  const pczt = hasCompactFields(original) ? resolveCompactFields(original) : original;
  checkSides(pczt);
  for (const pool of ACTION_POOLS) checkAddresses(pczt, pool);
  const shielded = POOLS.some((pool) => isUsed(pczt, pool));
  const finalized = withBindingKeys(shielded ? forbidAdditions(pczt) : pczt, cryptography);
  yield;
  const sighash = shielded ? cryptography.sighash(finalized) : undefined;
  return sighash === undefined ? finalized : yield* signingDummies(finalized, cryptography, sighash);
}

function checkSides(pczt: Pczt): void {
  const { transparent, sapling } = pczt;
  const actions = ACTION_POOLS.some((pool) => isUsed(pczt, pool));
  if (transparent.inputs.length + sapling.spends.length === 0 && !actions)
    refuse('missing', '', 'nothing is spent');
  if (transparent.outputs.length + sapling.outputs.length === 0 && !actions)
    refuse('missing', '', 'nothing is paid');
}

function checkAddresses(pczt: Pczt, pool: ActionPool): void {
  if (mayCrossAddresses(pczt, pool)) return;
  pczt[pool].actions.forEach(({ spend, output }, i) => {
    inField(`${pool}.actions[${i}]`, () => {
      if (spend.recipient === undefined || output.recipient === undefined)
        refuse('missing', 'output.recipient', 'it must be known, as it may only be that of the spent note');
      if (!equalBytes(spend.recipient, output.recipient))
        refuse(
          'inconsistent',
          'output.recipient',
          'this pool pays back to the address of the spent note alone',
        );
    });
  });
}

/** An empty Sapling bundle gets the key 0, which other Extractors require. */
function withBindingKeys(pczt: Pczt, cryptography: IoCryptography): Pczt {
  const keyOf = (pool: Pool, added: Trapdoors, subtracted: Trapdoors): Uint8Array =>
    inField(pool, () => {
      const bsk = cryptography.bindingSigningKey(pool, complete(added), complete(subtracted));
      if (!cryptography.isBindingSigningKey(pczt, pool, bsk))
        refuse('inconsistent', 'valueSum', 'the value commitments do not add up to it');
      return bsk;
    });
  const { sapling } = pczt;
  return {
    ...pczt,
    sapling: { ...sapling, bsk: keyOf('sapling', sapling.spends, sapling.outputs) },
    ...perActionPool((pool) => {
      const bundle = pczt[pool];
      return isUsed(pczt, pool) ? { ...bundle, bsk: keyOf(pool, bundle.actions, []) } : bundle;
    }),
  };
}

type Trapdoors = readonly { readonly rcv: Uint8Array | undefined }[];

const complete = (items: Trapdoors): Uint8Array[] =>
  items.map(({ rcv }) => rcv ?? refuse('missing', '', 'an rcv is not there'));

function* signingDummies(pczt: Pczt, cryptography: IoCryptography, sighash: Uint8Array): Steps<Pczt> {
  /** The caller's PCZT keeps its keys: it may be finalized once more. */
  const sign = (
    pool: Pool,
    key: Uint8Array,
    { rk, alpha }: { rk: Uint8Array; alpha: Uint8Array | undefined },
  ) => {
    const copy = key.slice();
    try {
      if (alpha === undefined) refuse('missing', 'alpha', 'a dummy cannot be signed without it');
      return cryptography.signDummy(pool, { rk, alpha, key: copy }, sighash);
    } finally {
      wipe(copy);
    }
  };
  const ofSapling = function* (bundle: SaplingBundle): Steps<SaplingBundle> {
    const spends = yield* mapInSteps(bundle.spends, (spend, i) => {
      const { dummyAsk } = spend;
      if (dummyAsk === undefined) return spend;
      const spendAuthSig = inField(`sapling.spends[${i}]`, () => sign('sapling', dummyAsk, spend));
      return { ...spend, spendAuthSig, dummyAsk: undefined };
    });
    return { ...bundle, spends };
  };
  const ofPool = function* (pool: ActionPool, bundle: ActionBundle): Steps<ActionBundle> {
    const actions = yield* mapInSteps(bundle.actions, (action, i) => {
      const { spend } = action;
      const { dummySk } = spend;
      if (dummySk === undefined) return action;
      const spendAuthSig = inField(`${pool}.actions[${i}].spend`, () => sign(pool, dummySk, spend));
      return { ...action, spend: { ...spend, spendAuthSig, dummySk: undefined } };
    });
    return { ...bundle, actions };
  };
  let signed: Pczt = { ...pczt, sapling: yield* ofSapling(pczt.sapling) };
  for (const pool of ACTION_POOLS) signed = { ...signed, [pool]: yield* ofPool(pool, pczt[pool]) };
  return signed;
}
