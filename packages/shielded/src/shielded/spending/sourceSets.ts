// From which pools a payment may be made, the best first: one pool that has enough before two, and the recipient's own
// before any other, because nothing crosses pools then.
import { isActionPool, type Pool } from '../pools.ts';
import type { Receiver } from './payees.ts';
import type { SpendingRules } from './rules.ts';

/** Each set names the pools in the order in which their notes are used. */
export function sourceSets(
  sources: readonly Pool[],
  receivers: readonly Receiver[],
  { payable }: SpendingRules,
): Pool[][] {
  const paid = receivers.flatMap(({ place }) => (place === 'transparent' ? [] : [place]));
  // Pools that are being left are emptied before Sapling, whose spends ask more of a signer.
  const newestFirst = [...payable.filter(isActionPool).toReversed(), ...sources.filter(isActionPool)];
  const order = [...new Set([...paid, ...newestFirst, ...sources])].filter((pool) => sources.includes(pool));
  return subsetsOf(order).sort((a, b) => a.length - b.length);
}

/** None of them empty, earlier items first. */
function subsetsOf<T>(items: readonly T[]): T[][] {
  const [first, ...rest] = items;
  if (first === undefined) return [];
  const others = subsetsOf(rest);
  return [[first], ...others.map((set) => [first, ...set]), ...others];
}
