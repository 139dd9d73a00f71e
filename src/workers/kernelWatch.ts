// What is done about the kernel where it was chosen: the build in use is shown, and a missed canary is logged and keeps the
// build from being used again.

import type { HealthReport } from '../protocol/link.ts';
import { MISSED_CANARY } from '../protocol/missedCanary.ts';
import type { ScanKernel } from './scanKernel.ts';
import type { Log } from './threadLog.ts';

/** Its canaries were found until then, but some values may have come out wrong between them. */
const ADVICE =
  'To be sure, scan again what was scanned since the start of this process (rescan with from_height).';

export function kernelReport({ module, report }: ScanKernel): NonNullable<HealthReport['kernel']> {
  if (module?.watch === undefined) return report;
  const { others, refused } = module.watch;
  const bits = Atomics.load(refused, 0);
  if (bits === 0) return report;
  return { variant: others[31 - Math.clz32(bits)]!.variant, reason: MISSED_CANARY };
}

/** `configDir`: where the test is kept; undefined: nowhere. Settles when that is done; does not keep the process from ending. */
export async function watchKernel(
  { module, tested }: ScanKernel,
  configDir: string | undefined,
  log: Log,
): Promise<void> {
  if (module?.watch === undefined || tested === undefined) return;
  await Atomics.waitAsync(module.watch.refused, 0, 0).value;
  log.error({ where: 'kernel' }, `${MISSED_CANARY}. ${ADVICE}`);
  if (configDir === undefined) return;
  const { kernelFile } = await import('../storage/files/kernelFile.ts');
  await kernelFile(configDir).write({ tested, fault: MISSED_CANARY });
}
