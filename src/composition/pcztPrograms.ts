// The prover and the signer of config.json, and the provers that are built in, with what they need from this process.

import { availableParallelism } from 'node:os';
import path from 'node:path';
import { systemAfter } from '@wallet-companion/base/async';
import type { PcztProver, ProverOptions } from '@wallet-companion/prover';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import { groupMemory } from '../programs/groupMemory.ts';
import type { BuiltInProver, PcztRole } from '../protocol/pcztPrograms.ts';
import { PcztProgram, type ProgramEnvironment } from '../service/programs/pcztProgram.ts';
import { CONFIG_FILE } from '../storage/files/dataFiles.ts';
import type { Directories } from '../storage/files/directories.ts';
import type { Log } from '../workers/threadLog.ts';

export type PcztPrograms = Readonly<Record<PcztRole, PcztProgram>>;

/** Idle threads keep what a call of theirs needs, some 150 MB; to load it again takes a second. */
const KEPT_MS = 2 * 60_000;
/** The module's key takes longer than a proof, and its memory is some 200 MB. */
const MODULE_KEPT_MS = 15 * 60_000;
const OWN_THREADS = 2;
/** Each thread has an instance of the module. */
const MAX_MODULE_THREADS = 16;

export function pcztProgramsOf(config: Config, { configDir }: Directories, log: Log): PcztPrograms {
  const programOf = (role: PcztRole, builtIn?: ProgramEnvironment['builtIn']): PcztProgram =>
    new PcztProgram(role, {
      setting: config[role],
      settingsFile: path.join(configDir, CONFIG_FILE),
      ...(builtIn && { builtIn }),
      log,
      env: process.env,
      after: systemAfter,
      memoryOf: groupMemory,
    });
  return { prover: programOf('prover', builtInProvers()), signer: programOf('signer') };
}

/** Loaded with the first payment. */
function builtInProvers(): NonNullable<ProgramEnvironment['builtIn']> {
  let provers: ReturnType<typeof loadProvers> | undefined;
  return async (kind) => {
    provers ??= loadProvers();
    return (await provers)[kind];
  };
}

async function loadProvers(): Promise<Record<BuiltInProver, PcztProver | undefined>> {
  const { createModuleProver, createOwnProver, proverIsBuilt, proverOfAll } = await import(
    '@wallet-companion/prover'
  );
  const threads = (most: number): number => Math.min(most, availableParallelism());
  const module = proverIsBuilt()
    ? createModuleProver({ threads: threads(MAX_MODULE_THREADS), whenIdle: endedAfter(MODULE_KEPT_MS) })
    : undefined;
  const own = createOwnProver({ threads: threads(OWN_THREADS), whenIdle: endedAfter(KEPT_MS) });
  return { own: proverOfAll(own, module), module };
}

const endedAfter =
  (milliseconds: number): NonNullable<ProverOptions['whenIdle']> =>
  (end) => {
    const timer = setTimeout(end, milliseconds).unref();
    return () => clearTimeout(timer);
  };
