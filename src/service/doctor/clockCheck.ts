// This machine's clock beside what the servers and the scan show of the time.

import type { Check } from '../../protocol/operations/doctor.ts';
import { SERVERS } from '../../protocol/operations/status.ts';
import type { Output } from '../../protocol/operations.ts';
import { ok, warn } from './check.ts';

export function clockCheck(status: Output<'system.status'>): Check {
  const sources = [status, ...SERVERS.map((name) => status[name])];
  const warnings = sources.flatMap(({ clock_warning }) => clock_warning ?? []);
  if (warnings.length === 0)
    return ok('clock', "Nothing that the servers and the scan show contradicts this machine's clock.");
  return warn(
    'clock',
    warnings.join(' '),
    'Compare date, time and time zone of this machine with a clock that you trust, and let the system set them by itself: invoices and the limits of grants go by this clock.',
  );
}
