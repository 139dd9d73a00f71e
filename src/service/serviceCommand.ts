// `wallet-companion service ...`: writes the unit, never over a file that it has not written, and reloads systemd.

import fs from 'node:fs';
import path from 'node:path';
import { isPrivateFile, openPasswordFile } from '@wallet-companion/disk/files';
import { CompanionError } from '../protocol/errors.ts';
import { launchdPlist, windowsTask } from './otherManagers.ts';
import type { ServiceOptions } from './serviceOptions.ts';
import { isOwnUnit, systemdUnit, UNIT_NAME } from './systemdUnit.ts';

export interface ServiceContext {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly uid: number | undefined;
  /** Atomic; only the owner can read the file. */
  readonly replaceFile: (file: string, bytes: Uint8Array) => Promise<void>;
  /** Shows the program's output. Resolves with its exit code, or undefined where the program does not exist. */
  readonly run: (program: string, args: readonly string[]) => Promise<number | undefined>;
  readonly print: (text: string) => void;
  /** Sets what the service is to find in config.json. Called once the service manager has answered, before anything else. */
  readonly settle?: () => Promise<void>;
}

export type ServiceAction = 'status' | 'logs' | 'uninstall';

export async function installService(
  options: ServiceOptions,
  context: ServiceContext,
  printOnly: boolean,
): Promise<number> {
  const { platform, print } = context;
  const { passwordFile, walletPasswordFiles = new Map() } = options;
  for (const file of [passwordFile, ...walletPasswordFiles.values()])
    if (file !== undefined) requirePrivate(file, context);
  if (platform !== 'linux') {
    if (!printOnly) await context.settle?.();
    print(platform === 'win32' ? windowsTask(options) : launchdPlist(options));
    return 0;
  }
  const unit = systemdUnit(options);
  if (printOnly) {
    print(unit);
    return 0;
  }
  const file = unitFile(context);
  const before = readOwnUnit(file);
  // Checked before anything is written: without systemd the unit would have no use.
  if ((await systemctl(context, 'daemon-reload')) !== 0) throw noSystemd();
  await context.settle?.();
  // Each folder must exist before systemd can let the service write to it.
  for (const folder of [options.configDir, options.dataDir, path.dirname(file)])
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (before !== unit) {
    await context.replaceFile(file, new TextEncoder().encode(unit));
    await systemctl(context, 'daemon-reload');
  }
  print(before === unit ? `${file} is as it should be.\n` : `Wrote ${file}.\n`);
  const code = await systemctl(context, 'enable', '--now', UNIT_NAME);
  if (code !== 0) throw systemdFailed(code, 'The unit stays; "wallet-companion service logs" may say more.');
  if (before !== undefined && before !== unit)
    print(`Changed; to use it: systemctl --user restart ${UNIT_NAME}\n`);
  print('It ends when you log out, unless you allow more: loginctl enable-linger\n');
  return 0;
}

export async function manageService(action: ServiceAction, context: ServiceContext): Promise<number> {
  if (context.platform !== 'linux')
    throw new CompanionError('INVALID_REQUEST', 'Only systemd is managed; use the tools of your system.');
  if (action === 'uninstall') return uninstallService(context);
  const [program, args] =
    action === 'status'
      ? (['systemctl', ['--user', '--no-pager', 'status', UNIT_NAME]] as const)
      : ([
          'journalctl',
          ['--user', '--no-pager', '--output=cat', '--lines=200', `--unit=${UNIT_NAME}`],
        ] as const);
  const code = await context.run(program, args);
  if (code === undefined) throw new CompanionError('INVALID_REQUEST', `There is no ${program} here.`);
  return code;
}

/** The wallet's files stay where they are. */
async function uninstallService(context: ServiceContext): Promise<number> {
  const { print } = context;
  const file = unitFile(context);
  if (readOwnUnit(file) === undefined) {
    print(`There is no ${file}.\n`);
    return 0;
  }
  const stopped = await systemctl(context, 'disable', '--now', UNIT_NAME);
  fs.rmSync(file);
  print(`Removed ${file}. Wallet and configuration are left as they are.\n`);
  // Fails only without systemd: then there was nobody who could stop it, and a repetition would not help.
  if ((await systemctl(context, 'daemon-reload')) !== 0) throw nothingStopped();
  if (stopped !== 0) throw systemdFailed(stopped, 'If the companion still runs, end it yourself.');
  return 0;
}

export function unitFile({ env, homeDir }: Pick<ServiceContext, 'env' | 'homeDir'>): string {
  const given = env['XDG_CONFIG_HOME'] ?? '';
  const base = path.isAbsolute(given) ? given : path.join(homeDir, '.config');
  return path.join(base, 'systemd', 'user', UNIT_NAME);
}

/** Undefined where there is no unit. Throws for a file that this program has not written, a link included. */
function readOwnUnit(file: string): string | undefined {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const text = stats.isFile() ? fs.readFileSync(file, 'utf8') : '';
  if (isOwnUnit(text)) return text;
  throw new CompanionError(
    'INVALID_REQUEST',
    `${file} was written or edited by somebody else and is left as it is. Move it away; changes belong into a drop-in (systemctl --user edit ${UNIT_NAME}).`,
  );
}

function requirePrivate(file: string, context: ServiceContext): void {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || !isPrivateFile(stats, context)) throw openPasswordFile();
}

/** Resolves with systemctl's exit code; undefined where there is no systemctl. */
const systemctl = ({ run }: ServiceContext, ...args: readonly string[]): Promise<number | undefined> =>
  run('systemctl', ['--user', ...args]);

const noSystemd = (): CompanionError =>
  new CompanionError(
    'INVALID_REQUEST',
    'No systemd answers for this user (systemctl --user), so nothing was installed. Have "wallet-companion serve" started by what starts programs here; "wallet-companion service install --print" shows the unit.',
  );

const nothingStopped = (): CompanionError =>
  new CompanionError(
    'INVALID_REQUEST',
    'No systemd answers for this user (systemctl --user), so nothing was stopped. The unit is removed; if the companion still runs, end it yourself.',
  );

const systemdFailed = (code: number | undefined, more: string): CompanionError =>
  new CompanionError(
    'BUSY',
    code === undefined
      ? `There is no systemctl here any more. ${more}`
      : `systemctl --user ended with ${code}; what it said stands above. ${more}`,
  );
