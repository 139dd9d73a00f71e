// `service`: sets up the system's service manager to run this program with the user's folders and flags.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { replaceFile } from '@wallet-companion/disk/files';
import type { ServeOptions, ServiceAction, ServiceInstall } from '../cli/cliEnvironment.ts';
import { installService, manageService, type ServiceContext } from '../service/serviceCommand.ts';
import { wordsOf } from '../service/serviceOptions.ts';
import { openConfigFile } from '../storage/config/configFile.ts';
import { directoriesFor, homeFolder, MAIN } from './directories.ts';
import { changeSettings } from './settings.ts';

const context = (): ServiceContext => ({
  platform: process.platform,
  env: process.env,
  homeDir: homeFolder(),
  uid: process.getuid?.(),
  replaceFile,
  run: runVisibly,
  print: (text) => void process.stdout.write(text),
});

export async function install(
  options: ServeOptions,
  { print, namespaces, anonymousAccess }: ServiceInstall,
  passwordFile?: string,
): Promise<number> {
  const { configDir, dataDir } = directoriesFor(options);
  const settle = async (): Promise<void> => {
    const { anonymous_access: before } = openConfigFile({ configDir }).get();
    if (anonymousAccess !== undefined && anonymousAccess !== before)
      await changeSettings(options, () => ({ anonymous_access: anonymousAccess }));
  };
  const service = {
    node: process.execPath,
    main: MAIN,
    configDir,
    dataDir,
    args: wordsOf(options),
    withoutNamespaces: !namespaces,
    walletPasswordFiles: new Map(
      [...(options.walletPasswordFiles ?? [])].map(([name, file]) => [name, path.resolve(file)]),
    ),
    ...(passwordFile === undefined ? {} : { passwordFile: path.resolve(passwordFile) }),
  };
  return installService(service, { ...context(), settle }, print);
}

export async function manage(action: ServiceAction): Promise<number> {
  return manageService(action, context());
}

// Runs another program in the same terminal.

/** Resolves with its exit code; undefined where the program does not exist. */
function runVisibly(program: string, args: readonly string[]): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { stdio: 'inherit' });
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code ?? 1));
  });
}
