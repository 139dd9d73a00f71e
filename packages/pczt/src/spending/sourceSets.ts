// The sets of pools that may fund a payment, best first: one sufficient pool before two, and the recipient's pool
// before others, because nothing crosses pools then.
import { isActionPool, type Pool } from '@wallet-companion/zcash/pools';
import type { Receiver } from './payees.ts';
import type { SpendingRules } from './rules.ts';

/** Each set lists the pools in the order in which their notes are used. */
export function sourceSets(
  sources: readonly Pool[],
  receivers: readonly Receiver[],
  { payable }: SpendingRules,
): Pool[][] {
  const paid = receivers.flatMap(({ place }) => (place === 'transparent' ? [] : [place]));
  // Pools that only pay out are emptied before Sapling, whose spends need more from a signer.
  const newestFirst = [...payable.filter(isActionPool).toReversed(), ...sources.filter(isActionPool)];
  const order = [...new Set([...paid, ...newestFirst, ...sources])].filter((pool) => sources.includes(pool));
  return subsetsOf(order).sort((a, b) => a.length - b.length);
}

/** All non-empty subsets, earlier items first. */
function subsetsOf<T>(items: readonly T[]): T[][] {
  const [first, ...rest] = items;
  if (first === undefined) return [];
  const others = subsetsOf(rest);
  return [[first], ...others.map((set) => [first, ...set]), ...others];
}
