// Which trial decryption the scan workers use. Compiled and self-tested once per process; the workers get the compiled
// modules. A machine where no build computes rightly still scans, slowly, with the reference.

import { type KernelModule, KernelUnavailableError } from '../kernel/load/kernelModule.ts';
import { loadKernel } from '../kernel/loadKernel.ts';
import { findNoteFault } from '../kernel/noteSelfTest.ts';
import type { HealthReport } from '../protocol/link.ts';

/** `WALLET_COMPANION_KERNEL` forces a build, for tests and for finding faults. */
const CHOICES = ['auto', 'fma', 'portable', 'reference'] as const;
type Choice = (typeof CHOICES)[number];

export interface ScanKernel {
  /** Undefined: the workers use the reference. Plain data, posted to the workers. */
  readonly module: KernelModule | undefined;
  readonly report: NonNullable<HealthReport['kernel']>;
}

export async function chooseScanKernel(
  wanted = process.env['WALLET_COMPANION_KERNEL'] ?? 'auto',
): Promise<ScanKernel> {
  const choice: Choice = CHOICES.find((known) => known === wanted) ?? 'auto';
  if (choice === 'reference')
    return { module: undefined, report: { variant: 'reference', reason: 'asked for' } };
  try {
    const module = await soundKernel(choice);
    return { module, report: { variant: module.variant, reason: module.reason } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the kernel cannot be loaded';
    return { module: undefined, report: { variant: 'reference', reason } };
  }
}

/** A kernel that also finds known notes: one that misses them would report an empty wallet. */
async function soundKernel(choice: Exclude<Choice, 'reference'>): Promise<KernelModule> {
  const module = await loadKernel({ choice });
  const fault = findNoteFault(module);
  if (fault === undefined) return module;
  if (choice !== 'auto' || module.variant === 'portable') throw new KernelUnavailableError(fault);
  return { ...(await soundKernel('portable')), reason: fault };
}
