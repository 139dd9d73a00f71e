// What an operator reads about a scan worker whose answer was wrong: which machine it is, and what to scan again. Its
// earlier answers are in the wallet, and what they hid is not.

import type { Accused } from '@wallet-companion/fleet/pool';
import type { Log } from './threadLog.ts';

export function logAccused(log: Log, { worker, offence, from, fleetFrom }: Accused): void {
  const again =
    from === undefined
      ? 'No answer with this identity was used before'
      : `Scan again what it answered before: rescan with from_height ${from}`;
  log.error(
    { worker, offence, from_height: from ?? null, fleet_from_height: fleetFrom ?? null },
    `a scan worker is broken, lies, or reads from a server that does: no fleet is used until the session ends. Stop the worker whose ready line has this identity. ${again}, or from fleet_from_height if the identity may be wrong.`,
  );
}
