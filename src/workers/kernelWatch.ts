// What the main thread does about the kernel: it tells which build is in use, and when a canary was missed it says so and
// keeps the build from being used again.

import type { HealthReport } from '../protocol/link.ts';
import type { ScanKernel } from './scanKernel.ts';
import type { Log } from './threadLog.ts';

const MISSED =
  'the wide kernel missed a canary, which it must not on this machine: it is not used any more, and what it scanned then was scanned again';

/** Its canaries were found until then, but some values may have come out wrong between them. */
const ADVICE =
  'To be sure, scan again what was scanned since the start of this companion (rescan with from_height).';

export function kernelReport({ module, report }: ScanKernel): NonNullable<HealthReport['kernel']> {
  if (module?.watch === undefined) return report;
  const { others, refused } = module.watch;
  const bits = Atomics.load(refused, 0);
  if (bits === 0) return report;
  return { variant: others[31 - Math.clz32(bits)]!.variant, reason: MISSED };
}

/** `configDir`: where the test is kept. Settles when that is done; does not keep the process from ending. */
export async function watchKernel(
  { module, tested }: ScanKernel,
  configDir: string,
  log: Log,
): Promise<void> {
  if (module?.watch === undefined || tested === undefined) return;
  await Atomics.waitAsync(module.watch.refused, 0, 0).value;
  log.error({ where: 'kernel' }, `${MISSED}. ${ADVICE}`);
  const { kernelFile } = await import('../storage/files/kernelFile.ts');
  await kernelFile(configDir).write({ tested, fault: MISSED });
}
