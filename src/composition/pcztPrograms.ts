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
import { homeFolder } from './directories.ts';

export type PcztPrograms = Readonly<Record<PcztRole, PcztProgram>>;

/** Idle threads keep what a call of theirs needs, some 150 MB; to load it again takes a second. */
const KEPT_MS = 2 * 60_000;
/** The module's key takes longer than a proof, and its memory is some 200 MB. */
const MODULE_KEPT_MS = 15 * 60_000;
const OWN_THREADS = 2;
/** Each thread has an instance of the module. */
const MAX_MODULE_THREADS = 16;

export function pcztProgramsOf(config: Config, { configDir }: Directories, log: Log): PcztPrograms {
  const programOf = (role: PcztRole, builtIn?: ReturnType<typeof builtInProvers>): PcztProgram =>
    new PcztProgram(role, {
      setting: config[role],
      settingsFile: path.join(configDir, CONFIG_FILE),
      ...builtIn,
      log,
      env: process.env,
      after: systemAfter,
      memoryOf: groupMemory,
    });
  return { prover: programOf('prover', builtInProvers(config)), signer: programOf('signer') };
}

/** Loaded with the first payment. */
function builtInProvers(config: Config): Pick<Required<ProgramEnvironment>, 'builtIn' | 'provesSapling'> {
  let provers: ReturnType<typeof loadProvers> | undefined;
  return {
    builtIn: async (kind) => {
      provers ??= loadProvers(config);
      return (await provers)[kind];
    },
    provesSapling: async () => {
      const { proverIsBuilt } = await import('@wallet-companion/prover');
      return proverIsBuilt() && (await saplingFolder(config)) !== undefined;
    },
  };
}

/** The folder that config.json names, or that nodes before zebrad downloaded to. */
async function saplingFolder({ sapling_params: named }: Config): Promise<string | undefined> {
  const { hasSaplingParameters } = await import('@wallet-companion/prover');
  const home = homeFolder();
  const usual = {
    darwin: path.join(home, 'Library', 'Application Support', 'ZcashParams'),
    win32: path.join(process.env['APPDATA'] ?? home, 'ZcashParams'),
  };
  const folder = named ?? usual[process.platform as keyof typeof usual] ?? path.join(home, '.zcash-params');
  return hasSaplingParameters(folder) ? folder : undefined;
}

async function loadProvers(config: Config): Promise<Record<BuiltInProver, PcztProver | undefined>> {
  const { createModuleProver, createOwnProver, proverIsBuilt, proverOfAll } = await import(
    '@wallet-companion/prover'
  );
  const threads = (most: number): number => Math.min(most, availableParallelism());
  const module = proverIsBuilt()
    ? createModuleProver({
        threads: threads(MAX_MODULE_THREADS),
        whenIdle: endedAfter(MODULE_KEPT_MS),
        sapling: () => saplingFolder(config),
      })
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
