// The doctor with this machine's files, and with the companion of this process where there is one.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { systemAfter } from '@wallet-companion/base/async';
import { DEFAULT_PORT } from '@wallet-companion/client/contract';
import { NOT_WORTH_IT, wideIdentity } from '@wallet-companion/kernel/kernelLoad';
import { blockTimes, heightAfter } from '@wallet-companion/zcash/blockTimes';
import { MAIN } from '@wallet-companion/zcash/network';
import type { LocalOptions } from '../cli/cliEnvironment.ts';
import { type ErrorRecord, toErrorRecord } from '../protocol/errors.ts';
import type { Network } from '../protocol/network.ts';
import type { Handlers, Output } from '../protocol/operations.ts';
import { reminderOf } from '../service/doctor/backupCheck.ts';
import { type DoctorContext, diagnose, diagnoseWithout, type Running } from '../service/doctor/doctor.ts';
import { unitFile } from '../service/serviceCommand.ts';
import { lastBackup } from '../storage/backup/lastBackup.ts';
import { openConfigFile } from '../storage/config/configFile.ts';
import {
  CONFIG_FILE,
  GRANTS_LOG,
  HOOKS_FILE,
  LEDGER_FILE,
  LOG_FILE,
  WALLET_FILE,
  WALLETS_FOLDER,
} from '../storage/files/dataFiles.ts';
import type { Directories } from '../storage/files/directories.ts';
import { kernelFile } from '../storage/files/kernelFile.ts';
import { walletFolder, walletNames } from '../storage/files/walletFolders.ts';
import { directoriesFor, homeFolder, VERSION } from './directories.ts';

const DAY_SECONDS = 86_400;
/** Blocks come up to so much slower than the schedule over the years. */
const SLOWEST = 0.97;

/** `running`: read at each call, because the companion is made with this handler. */
export const doctorOf = (
  directories: Directories,
  running: () => Pick<Running, 'link' | 'isServing' | 'cookieFile' | 'outgoing' | 'prover' | 'provesSapling'>,
): Pick<Handlers<'service'>, 'doctor.run' | 'system.backup'> => ({
  'system.backup': () => backupReminder(directories.dataDir),
  'doctor.run': (_input, { requestId }) => {
    const configWarnings = warningsNow(directories);
    return diagnose(contextOf(directories), { ...running(), configWarnings, leastHeight }, requestId);
  },
});

function backupReminder(dataDir: string): Output<'system.backup'> {
  const wallets = walletNames(dataDir).filter((name) =>
    existsSync(path.join(walletFolder(dataDir, name), WALLET_FILE)),
  );
  return reminderOf(lastBackup(dataDir).read(), wallets.length > 0, Date.now());
}

/** A person may have edited the file since the start, with mistakes. */
function warningsNow({ configDir }: Directories): readonly string[] {
  try {
    return openConfigFile({ configDir }).warnings();
  } catch (error) {
    return [toErrorRecord(error).detail];
  }
}

export const doctorWithout = (options: LocalOptions, reason: ErrorRecord): Promise<Output<'doctor.run'>> =>
  diagnoseWithout(contextOf(directoriesFor(options)), reason);

const contextOf = ({ configDir, dataDir }: Directories): DoctorContext => ({
  version: VERSION,
  configFile: path.join(configDir, CONFIG_FILE),
  dataDir,
  privateFiles: () => privateFiles(dataDir),
  wideFault: () => wideFault(configDir),
  unit: unitFile({ env: process.env, homeDir: homeFolder() }),
  env: process.env,
  port: DEFAULT_PORT,
  now: () => Date.now(),
  after: systemAfter,
});

/** What is known about this engine and processor; a kernel that is only too slow has no fault. */
async function wideFault(configDir: string): Promise<string | undefined> {
  const known = kernelFile(configDir).read();
  if (known === undefined || known.fault?.startsWith(NOT_WORTH_IT)) return undefined;
  return known.tested === (await wideIdentity()) ? (known.fault ?? undefined) : undefined;
}

function privateFiles(dataDir: string): ReadonlyMap<string, string> {
  const folders = walletNames(dataDir).map((name) => walletFolder(dataDir, name));
  return new Map([
    ['the data directory', dataDir],
    ['the folder of the wallets', path.join(dataDir, WALLETS_FOLDER)],
    [HOOKS_FILE, path.join(dataDir, HOOKS_FILE)],
    [GRANTS_LOG, path.join(dataDir, GRANTS_LOG)],
    [LOG_FILE, path.join(dataDir, LOG_FILE)],
    ...folders.flatMap((folder, at) => {
      const of = at === 0 ? '' : ` of wallet ${at + 1}`;
      return [WALLET_FILE, LEDGER_FILE].map((name): [string, string] => [
        `${name}${of}`,
        path.join(folder, name),
      ]);
    }),
  ]);
}

/** By the newest block whose time is known, and the slowest that the chain can have been since. */
function leastHeight(network: Network, now: number): number | undefined {
  const known = blockTimes(network)?.at(-1);
  if (known === undefined) return undefined;
  const seconds = Math.max(0, (now / 1_000 - known.time) * SLOWEST - DAY_SECONDS);
  return Math.floor(heightAfter(MAIN.activation, known.height, seconds));
}
