// What a transaction cost us. Its fee is known from the transaction alone where only shielded pools paid: what left them,
// less what transparent outputs got. It is ours where all inputs are: by their number, or by what they were worth.

import type { PaidByPools, SentOutput } from '@wallet-companion/shielded/scan';
import type { Zatoshi } from '@wallet-companion/shielded/values';
import type { StoredNote } from '../ports/storage.ts';

export function feeOf(
  paid: PaidByPools | undefined,
  made: readonly StoredNote[],
  spent: readonly StoredNote[],
  sent: readonly SentOutput[],
): Zatoshi | undefined {
  if (paid === undefined || paid.fee < 0 || spent.length === 0) return undefined;
  const outputs = new Map<string, number>();
  for (const { pool, outputIndex, value } of [...made, ...sent]) outputs.set(`${pool}:${outputIndex}`, value);
  const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
  const ours = sum(spent.map(({ value }) => value));
  // Actions are filled up with inputs that are worth nothing and are nobody's.
  const isAllOurs = spent.length === paid.inputs || ours === sum(outputs.values()) + paid.leaving;
  return isAllOurs ? paid.fee : undefined;
}
