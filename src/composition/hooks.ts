// The hooks of config.json, with what they need from this process.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Hooks } from '@wallet-companion/hooks';
import { systemAfter } from '@wallet-companion/shielded/async';
import type { Config } from '../actors/wallet/ports/storage.ts';
import { CONFIG_FILE } from '../storage/files/dataFiles.ts';
import type { Directories } from '../storage/files/directories.ts';
import { hookRecordFile } from '../storage/files/hookRecordFile.ts';
import { walletNames } from '../storage/files/walletFolders.ts';
import type { Log } from '../workers/threadLog.ts';

export const hooksOf = (
  { on_event: settings }: Config,
  { configDir, dataDir }: Directories,
  log: Log,
): Hooks =>
  new Hooks({
    settings,
    settingsFile: path.join(configDir, CONFIG_FILE),
    file: hookRecordFile(dataDir),
    otherWallets: () => walletNames(dataDir),
    log,
    requestId: randomUUID,
    now: () => Date.now(),
    after: systemAfter,
    random: Math.random,
    env: process.env,
  });
