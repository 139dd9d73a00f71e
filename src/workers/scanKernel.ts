// Which trial decryption the scan workers use. Compiled and self-tested once per process; the workers get the compiled
// modules. A machine where no build computes correctly still scans, slowly, with the reference.

import { type KernelModule, KernelUnavailableError } from '@wallet-companion/shielded/kernel';
import { findNoteFault, loadKernel } from '@wallet-companion/shielded/kernelLoad';
import type { HealthReport } from '../protocol/link.ts';

/** The setting of config.json, unless `WALLET_COMPANION_KERNEL` forces a build, for tests and for finding faults. */
const CHOICES = ['auto', 'wide', 'fma', 'portable', 'reference'] as const;
type Choice = (typeof CHOICES)[number];

export interface ScanKernel {
  /** Undefined: the workers use the reference. Plain data, posted to the workers. */
  readonly module: KernelModule | undefined;
  readonly report: NonNullable<HealthReport['kernel']>;
}

export async function chooseScanKernel(configured: Choice): Promise<ScanKernel> {
  const wanted = process.env['WALLET_COMPANION_KERNEL'] ?? configured;
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
  const module = await loadKernel({ choice: choice === 'wide' ? 'prefer wide' : choice });
  const fault = findNoteFault(module);
  if (fault === undefined) return module;
  const next = module.variant === 'wide' ? 'auto' : 'portable';
  if ((choice !== 'auto' && choice !== 'wide') || module.variant === 'portable')
    throw new KernelUnavailableError(fault);
  return { ...(await soundKernel(next)), reason: fault };
}
