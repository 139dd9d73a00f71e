// The prover and the signer of config.json, and the module that makes proofs without one, with what they need from this process.

import { availableParallelism } from 'node:os';
import path from 'node:path';
import { systemAfter } from '@wallet-companion/base/async';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import { groupMemory } from '../programs/groupMemory.ts';
import type { PcztRole } from '../protocol/pcztPrograms.ts';
import { PcztProgram, type ProgramEnvironment } from '../service/programs/pcztProgram.ts';
import { CONFIG_FILE } from '../storage/files/dataFiles.ts';
import type { Directories } from '../storage/files/directories.ts';
import type { Log } from '../workers/threadLog.ts';

export type PcztPrograms = Readonly<Record<PcztRole, PcztProgram>>;

/** The module's key takes longer than a proof, and its memory is some 200 MB. */
const KEPT_MS = 15 * 60_000;
/** Each thread has an instance of the module. */
const MAX_THREADS = 16;

export function pcztProgramsOf(config: Config, { configDir }: Directories, log: Log): PcztPrograms {
  const programOf = (role: PcztRole, module?: ProgramEnvironment['module']): PcztProgram =>
    new PcztProgram(role, {
      setting: config[role],
      settingsFile: path.join(configDir, CONFIG_FILE),
      ...(module && { module }),
      log,
      env: process.env,
      after: systemAfter,
      memoryOf: groupMemory,
    });
  return { prover: programOf('prover', builtModule()), signer: programOf('signer') };
}

/** Loaded with the first payment. */
function builtModule(): NonNullable<ProgramEnvironment['module']> {
  let module: ReturnType<typeof loadModule> | undefined;
  return () => {
    module ??= loadModule();
    return module;
  };
}

async function loadModule() {
  const { createProver, proverIsBuilt } = await import('@wallet-companion/prover');
  if (!proverIsBuilt()) return undefined;
  return createProver({
    threads: Math.min(MAX_THREADS, availableParallelism()),
    whenIdle: (end) => {
      const timer = setTimeout(end, KEPT_MS).unref();
      return () => clearTimeout(timer);
    },
  });
}
