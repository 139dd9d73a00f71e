// The lock time that satisfies all inputs of a PCZT (ZIP 374, as BIP 370).
import type { Pczt } from './pczt.ts';
import { refuse } from './refusal.ts';

/** A height where all inputs with a requirement accept one, else a time. PcztRefusal when neither satisfies all. */
export function lockTimeOf({ global, transparent }: Pick<Pczt, 'global' | 'transparent'>): number {
  const asking = transparent.inputs.filter(
    ({ requiredTimeLockTime, requiredHeightLockTime }) =>
      requiredTimeLockTime !== undefined || requiredHeightLockTime !== undefined,
  );
  if (asking.length === 0) return global.fallbackLockTime ?? 0;
  for (const kind of ['requiredHeightLockTime', 'requiredTimeLockTime'] as const) {
    const times = asking.map((input) => input[kind]).filter((time) => time !== undefined);
    if (times.length === asking.length) return Math.max(...times);
  }
  return refuse('inconsistent', 'transparent.inputs', 'they ask for a height and for a time at once');
}
