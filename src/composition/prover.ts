// The prover of config.json, with what it needs from this process.

import path from 'node:path';
import { systemAfter } from '@wallet-companion/shielded/async';
import type { Config } from '../actors/wallet/ports/storage.ts';
import { groupMemory } from '../service/prover/groupMemory.ts';
import { ProgramProver } from '../service/prover/programProver.ts';
import { CONFIG_FILE } from '../storage/files/dataFiles.ts';
import type { Directories } from '../storage/files/directories.ts';
import type { Log } from '../workers/threadLog.ts';

export const proverOf = ({ prover: setting }: Config, { configDir }: Directories, log: Log): ProgramProver =>
  new ProgramProver({
    setting,
    settingsFile: path.join(configDir, CONFIG_FILE),
    log,
    env: process.env,
    after: systemAfter,
    memoryOf: groupMemory,
  });
