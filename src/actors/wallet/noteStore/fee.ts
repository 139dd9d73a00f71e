// What a transaction cost the wallet. Where only shielded pools paid, the fee is what left them, less what transparent
// outputs got. The wallet paid it if all inputs are its own: by their number, or by their value.

import type { Zatoshi } from '@wallet-companion/base/values';
import type { PaidByPools, SentOutput } from '@wallet-companion/zcash/scan';
import type { StoredNote } from '../ports/storedNote.ts';

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
  // Actions are padded with inputs of value 0 that belong to no wallet.
  const isAllOurs = spent.length === paid.inputs || ours === sum(outputs.values()) + paid.leaving;
  return isAllOurs ? paid.fee : undefined;
}
