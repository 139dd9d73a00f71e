// Which trial decryption the scan workers use. Compiled and self-tested once per process; the workers get the compiled
// modules. A machine where no build computes correctly still scans, slowly, with the reference.

import { type KernelModule, KernelUnavailableError } from '@wallet-companion/kernel/kernel';
import {
  findNoteFault,
  type KernelOptions,
  loadKernel,
  wideIdentity,
} from '@wallet-companion/kernel/kernelLoad';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import type { HealthReport } from '../protocol/link.ts';
import { wideFault } from './wideKernel.ts';

/** The setting of config.json, unless `WALLET_COMPANION_KERNEL` forces a build, for tests and for finding faults. */
const CHOICES = ['auto', 'wide', 'fma', 'portable', 'reference'] as const;
type Choice = (typeof CHOICES)[number];

export interface ScanKernel {
  /** Undefined: the workers use the reference. Plain data, posted to the workers. */
  readonly module: KernelModule | undefined;
  readonly report: NonNullable<HealthReport['kernel']>;
  /** For the wide build: what was tested. */
  readonly tested?: string;
}

export interface KernelRequest {
  readonly configured: Config['scan_kernel'];
  /** Where the test of the wide kernel is kept; undefined: nowhere. */
  readonly configDir?: string;
}

export async function chooseScanKernel({ configured, configDir }: KernelRequest): Promise<ScanKernel> {
  const wanted = process.env['WALLET_COMPANION_KERNEL'] ?? configured;
  const choice: Choice = CHOICES.find((known) => known === wanted) ?? 'auto';
  if (choice === 'reference')
    return { module: undefined, report: { variant: 'reference', reason: 'asked for' } };
  try {
    const tested = choice === 'auto' || choice === 'wide' ? await wideIdentity() : undefined;
    const module = await chosenModule(choice, tested, configDir);
    const { variant, reason, watch } = module;
    return { module, report: { variant, reason }, ...(tested && watch && { tested }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the kernel cannot be loaded';
    return { module: undefined, report: { variant: 'reference', reason } };
  }
}

async function chosenModule(
  choice: Exclude<Choice, 'reference'>,
  tested: string | undefined,
  configDir: string | undefined,
): Promise<KernelModule> {
  if (choice === 'fma' || choice === 'portable') return soundKernel(choice);
  const isNamed = choice === 'wide';
  // Its reason says what this machine lacks.
  if (tested === undefined) return soundKernel(isNamed ? 'watched wide' : 'auto');
  const fault = await wideFault({ tested, configDir, isNamed });
  if (fault === undefined) return soundKernel('watched wide');
  return { ...(await soundKernel('auto')), reason: fault };
}

/** A kernel that also finds known notes: one that misses them would report an empty wallet. */
async function soundKernel(choice: NonNullable<KernelOptions['choice']>): Promise<KernelModule> {
  const module = await loadKernel({ choice });
  const fault = findNoteFault(module);
  if (fault === undefined) return module;
  if (choice === module.variant || module.variant === 'portable') throw new KernelUnavailableError(fault);
  return { ...(await soundKernel(module.variant === 'wide' ? 'auto' : 'portable')), reason: fault };
}
