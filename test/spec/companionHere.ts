// The companion without a process of its own, for rules that are not about one: its HTTP front, its actors and its files,
// as startService has them, in this thread.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import { createCompactStores } from '../../src/storage/blocks/compactStores.ts';
import { startHttpFront } from '../helpers/httpFront.ts';
import type { ServiceOptions, startService } from '../helpers/service.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { ManualClock, startWallet } from '../helpers/walletHarness.ts';

export type Companion = Pick<
  Awaited<ReturnType<typeof startService>>,
  'url' | 'folder' | 'configDir' | 'dataDir' | 'stop' | 'remove'
>;

const UNLIMITED = { requestsPerSecond: 1_000_000, burst: 1_000_000 };

class SystemClock extends ManualClock {
  override now(): number {
    return Date.now();
  }

  override elapsed(): number {
    return performance.now();
  }

  override after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  }
}

export async function startHere(
  t: ExecutionContext,
  { config, folder = temporaryFolder(t) }: Pick<ServiceOptions, 'config' | 'folder'>,
): Promise<Companion> {
  const configDir = path.join(folder, 'config');
  const dataDir = path.join(folder, 'data');
  if (config !== undefined) {
    mkdirSync(configDir, { recursive: true });
    writeFileSync(path.join(configDir, 'config.json'), JSON.stringify(config));
  }
  const stores = createCompactStores();
  const clock = new SystemClock();
  const wallet = await startWallet(t, { folder: dataDir, configDir, stores, clock });
  const stopping = new AbortController();
  const front = await startHttpFront({
    behind: wallet.link,
    rateLimit: UNLIMITED,
    stopping: stopping.signal,
  });
  let ended: Promise<number> | undefined;
  const end = async (): Promise<number> => {
    stopping.abort();
    await front.close();
    await wallet.stop();
    stores.close();
    return 0;
  };
  return {
    url: front.url,
    folder,
    configDir,
    dataDir,
    stop: () => {
      ended ??= end();
      return ended;
    },
    remove: () => undefined,
  };
}
