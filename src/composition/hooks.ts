// The hooks of config.json, with what they need from this process.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { systemAfter, systemClocks } from '@wallet-companion/base/async';
import { memberValue } from '@wallet-companion/base/memory';
import type { WayTo } from '@wallet-companion/base/proxy';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import { permitOf } from '../grants/grant.ts';
import { Hooks } from '../hooks/hooks.ts';
import { mayDeliver } from '../protocol/events.ts';
import { CONFIG_FILE } from '../storage/files/dataFiles.ts';
import type { Directories } from '../storage/files/directories.ts';
import { hookRecordFile } from '../storage/files/hookRecordFile.ts';
import { walletNames } from '../storage/files/walletFolders.ts';
import type { Log } from '../workers/threadLog.ts';
import type { Grants } from './grants.ts';

export const hooksOf = (
  { on_event: settings }: Config,
  { configDir, dataDir }: Directories,
  { book }: Pick<Grants, 'book'>,
  log: Log,
  wayTo: WayTo,
): Hooks =>
  new Hooks({
    settings,
    settingsFile: path.join(configDir, CONFIG_FILE),
    file: hookRecordFile(dataDir),
    walletNames: () => walletNames(dataDir),
    log,
    requestId: randomUUID,
    ...systemClocks,
    after: systemAfter,
    random: Math.random,
    env: process.env,
    wayTo,
    mayHear: (name, { event, wallet, data }) => {
      const grant = book.withName(name);
      if (grant === undefined) return false;
      const about = { grant_id: memberValue(data, 'grant_id') };
      return mayDeliver(permitOf(grant, Date.now()), event, about, wallet);
    },
  });
