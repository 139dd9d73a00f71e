// What the command line needs from its process. Each command loads its modules when it is called: loading all of them
// would take longer than most commands do.

import { randomInt, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { CliEnvironment } from '../cli/cliEnvironment.ts';
import { onHangup } from '../service/hangup.ts';
import { logFiles } from '../storage/files/logFile.ts';
import { LineWriter } from '../terminal/lineWriter.ts';
import { directoriesFor, VERSION } from './directories.ts';
import { every } from './every.ts';

const RANDOM_STEPS = 2 ** 32;

/** A file, as for passwords: arguments and environments of processes are open to others. */
async function grantToken(): Promise<string | undefined> {
  const file = process.env['WALLET_COMPANION_GRANT_FILE'] || undefined;
  return (await import('../cli/secrets.ts')).readGivenSecret('grant token', { file });
}

/** For programs that go on running. */
function printLine(): (line: string) => void {
  const lines = new LineWriter(process.stdout);
  return (line) => lines.write(`${line}\n`);
}

export const environment: CliEnvironment = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  version: VERSION,
  wallet: process.env['WALLET_COMPANION_WALLET'] || undefined,
  grantToken,
  serve: async (...given) => (await import('./serve.ts')).serve(...given),
  installService: async (options, more, passwordFile) =>
    (await import('./service.ts')).install(options, more, passwordFile),
  manageService: async (action) => (await import('./service.ts')).manage(action),
  desktop: async (...given) => (await import('./desktop.ts')).desktop(...given),
  openLocal: async (options) => (await import('./openLocal.ts')).openForCommand(options),
  connectEvents: async (...given) => (await import('./connectEvents.ts')).socketEvents(...given),
  logFiles: (options) => logFiles(directoriesFor(options).dataDir),
  scanWorker: async (options) => (await import('./scanWorker.ts')).scanWorker(options),
  signer: async (call) => (await import('./signer.ts')).signer(call, process),
  bridge: async (options) => (await import('./bridge.ts')).bridge(options, await grantToken()),
  backupOf: async function* (...given) {
    yield* (await import('./backup.ts')).backupOf(...given);
  },
  markBackup: async (options) => (await import('./backup.ts')).markBackup(options),
  restoreBackup: async (...given) => (await import('./backup.ts')).restoreBackup(...given),
  demo: async (once) => (await import('../demo/demo.ts')).runDemo(!once, printLine()),
  devnet: async (options) => {
    const { processTerminal, runDevnet } = await import('../demo/devnetCommand.ts');
    await runDevnet(options, processTerminal(printLine()));
    return 0;
  },
  changeSettings: async (options, change) => (await import('./settings.ts')).changeSettings(options, change),
  diagnose: async (...given) => (await import('./doctor.ts')).doctorWithout(...given),
  configWarnings: async (options) => (await import('./settings.ts')).configWarnings(options),
  requestId: randomUUID,
  // A getter: under Node's permission model `existsSync` throws, and most commands do not need it.
  get hasSystemd() {
    return process.platform === 'linux' && existsSync('/run/systemd/system');
  },
  phraseCheck: async () => (await import('./phraseCheck.ts')).phraseProblem,
  random: () => randomInt(RANDOM_STEPS) / RANDOM_STEPS,
  now: () => new Date(),
  onInterrupt: (callback) => {
    process.on('SIGINT', callback);
    // The terminal is closed: the command stops in order, as after Ctrl-C.
    const deafen = onHangup(callback);
    return () => {
      process.off('SIGINT', callback);
      deafen();
    };
  },
  every,
};
