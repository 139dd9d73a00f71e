// Transparent funds of account 0 that are shielded: what a proposal begins from, and the PCZT of one.
import { asTxId } from '@wallet-companion/zcash/identifiers';
import { perPool } from '@wallet-companion/zcash/pools';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import { type BuiltPczt, buildPczt } from '../../src/spending/builder.ts';
import { type OwnOutput, ownTransparentAddresses } from '../../src/spending/ownOutput.ts';
import type { Proposal } from '../../src/spending/proposal.ts';
import { proposeShielding, type ShieldingRequest } from '../../src/spending/shielding.ts';
import { FINGERPRINT, keysOf, PARAMS, TARGET_HEIGHT, treeOf } from './spendingAccount.ts';

/** Three of each kind. */
export const ADDRESSES = (['external', 'internal'] as const).flatMap((scope) =>
  ownTransparentAddresses(keysOf(0).transparent, scope, { start: 0, count: 3 }, PARAMS),
);

/** Amounts at the addresses, by their place in the list. */
export const outputsAt = (...all: readonly (readonly [place: number, zatoshi: number])[]): OwnOutput[] =>
  all.map(([place, zatoshi], i) => ({
    at: ADDRESSES[place]!,
    txid: asTxId(new Uint8Array(32).fill(i + 1)),
    index: i,
    zatoshi,
  }));

export const shield = (
  outputs: readonly OwnOutput[],
  more: Partial<ShieldingRequest> = {},
): Proposal<never> =>
  proposeShielding({
    params: PARAMS,
    targetHeight: TARGET_HEIGHT,
    scannedHeight: TARGET_HEIGHT - 1,
    outputs,
    waiting: [],
    reserved: 0,
    protocols: ['sapling', 'orchard'],
    joinAddresses: false,
    maxInputs: 32,
    ...more,
  });

export const buildShielding = (
  proposal: Proposal<never>,
  randomBytes: RandomBytes,
  hasPath = true,
): BuiltPczt =>
  buildPczt({
    params: PARAMS,
    proposal,
    openings: [],
    anchors: perPool((pool) => treeOf(pool, []).root),
    keys: keysOf(0),
    ...(hasPath && { seedAccount: { seedFingerprint: FINGERPRINT, accountIndex: 0 } }),
    randomBytes,
  });
