// Finds keys of dummy spends, which sign and must not leave the process: the IO Finalizer removes them, but some other
// software is known to leave them in.
import { ACTION_POOLS } from '@wallet-companion/zcash/pools';
import type { Pczt } from '../pczt.ts';

/** The field of the first such key; undefined where there is none. */
export function dummyKeyIn(pczt: Pczt): string | undefined {
  const spend = pczt.sapling.spends.findIndex(({ dummyAsk }) => dummyAsk !== undefined);
  if (spend >= 0) return `sapling.spends[${spend}].dummyAsk`;
  for (const pool of ACTION_POOLS) {
    const action = pczt[pool].actions.findIndex(({ spend: { dummySk } }) => dummySk !== undefined);
    if (action >= 0) return `${pool}.actions[${action}].spend.dummySk`;
  }
  return undefined;
}
