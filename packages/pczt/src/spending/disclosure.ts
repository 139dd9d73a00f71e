// What a payment reveals to every reader of the chain, and the named consent that it needs from the user (ZIP 315).
// The facts that every shielded transaction reveals, its count of actions and the usual fee for them, need no consent.
import type { Zatoshi } from '@wallet-companion/base/values';
import { type PerPool, POOLS, type Pool } from '@wallet-companion/zcash/pools';

export const CONSENTS = ['crossing_pools', 'transparent_recipients', 'unusual_fee'] as const;
export type Consent = (typeof CONSENTS)[number];

export type Disclosure =
  /** The amount that leaves the pool, fee and transparent amounts included; negative where it enters. */
  | { readonly consent: 'crossing_pools'; readonly pool: Pool; readonly zatoshi: Zatoshi }
  | { readonly consent: 'transparent_recipients'; readonly address: string; readonly zatoshi: Zatoshi }
  /** What is shielded, from an address of the account. Several of them are seen to be of one wallet. */
  | { readonly consent: 'transparent_senders'; readonly address: string; readonly zatoshi: Zatoshi }
  /** Change that is worth less than a note costs, left to the miner: few transactions have such a fee. */
  | { readonly consent: 'unusual_fee'; readonly zatoshi: Zatoshi };

interface Shown {
  /** Balances of the pools that the transaction uses. */
  readonly balances: Partial<PerPool<Zatoshi>>;
  readonly transparent: readonly { readonly address: string; readonly zatoshi: Zatoshi }[];
  /** Excess over the conventional fee. */
  readonly excessFee: Zatoshi;
}

export function disclosuresOf({ balances, transparent, excessFee }: Shown): Disclosure[] {
  const used = POOLS.flatMap((pool) => {
    const zatoshi = balances[pool];
    return zatoshi === undefined ? [] : [{ consent: 'crossing_pools' as const, pool, zatoshi }];
  });
  return [
    ...(used.length > 1 ? used : []),
    ...transparent.map(({ address, zatoshi }) => ({
      consent: 'transparent_recipients' as const,
      address,
      zatoshi,
    })),
    ...(excessFee > 0 ? [{ consent: 'unusual_fee' as const, zatoshi: excessFee }] : []),
  ];
}

/** To show an own address is what shielding is: the request itself agrees to it. */
export const consentsFor = (disclosures: readonly Disclosure[]): Consent[] =>
  CONSENTS.filter((name) => disclosures.some(({ consent }) => consent === name));
