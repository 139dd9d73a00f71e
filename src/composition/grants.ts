// Grants with this machine's files, clock and randomness, and with what they need of the companion.

import { randomBytes } from 'node:crypto';
import { systemClocks } from '@wallet-companion/base/async';
import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { Access, type AccessSettings } from '../grants/access.ts';
import { GrantBook } from '../grants/grantBook.ts';
import { GrantLog } from '../grants/grantLog.ts';
import { grantHandlers } from '../grants/handlers.ts';
import { PageCodes } from '../grants/pageCodes.ts';
import { Pairings } from '../grants/pairings.ts';
import { Till } from '../grants/till.ts';
import type { FeatureHandlers } from '../protocol/operations.ts';
import { unwrap } from '../protocol/result.ts';
import { GRANTS_LOG } from '../storage/files/dataFiles.ts';
import type { Directories } from '../storage/files/directories.ts';
import { grantFile } from '../storage/files/grantFile.ts';
import { LogFile, latestLines, MOST_GRANT_LOG_BYTES } from '../storage/files/logFile.ts';
import type { Companion } from '../workers/companion.ts';

export interface Grants {
  readonly access: Access;
  readonly handlers: FeatureHandlers<'grants', 'service'> & FeatureHandlers<'pairing', 'service'>;
  readonly book: GrantBook;
}

/** `companion`: read at each call, because it is made with these handlers. Throws what the file is refused for. */
export function grantsOf(
  { configDir, dataDir }: Directories,
  settings: () => AccessSettings,
  companion: () => Pick<Companion, 'dispatch' | 'reload' | 'emit'>,
): Grants {
  const { now } = systemClocks;
  const chance = { ...systemClocks, randomBytes: (length: number) => new Uint8Array(randomBytes(length)) };
  const book = new GrantBook({ ...chance, file: grantFile(configDir) });
  const pages = new PageCodes(chance);
  const file = new LogFile(dataDir, MOST_GRANT_LOG_BYTES, GRANTS_LOG);
  const log = new GrantLog(
    { write: (line) => file.write(line), latest: () => latestLines(dataDir, GRANTS_LOG) },
    now,
  );
  const pairings = new Pairings({
    ...chance,
    book,
    allowedOrigins: () => settings().allowedOrigins,
    allowOnly: async (allowed_origins) => void unwrap(await companion().reload({ allowed_origins })),
    changed: (data) => companion().emit({ event: 'pairing.changed', data }, DEFAULT_WALLET),
  });
  const till = new Till({ ...chance, book, pages });
  const access = new Access({ settings, book, pages, log, ...systemClocks });
  const scannedTime = async (requestId: string): Promise<number | null> => {
    const status = await companion().dispatch('system.status', { known: true }, { requestId });
    const time = status.ok ? status.value.last_scan_time : null;
    return time === null ? null : Date.parse(time) / 1000;
  };
  const handlers = grantHandlers({ book, pages, pairings, till, log, settings, now, scannedTime });
  return { access, book, handlers };
}
