// Runs one command line, from words to exit code. Exit codes follow from the error table; 130 means Ctrl-C.

import { checkedWallet, systemWords } from '@wallet-companion/client/contract';
import { CommanderError } from 'commander';
import { CompanionError, type ErrorRecord, toErrorRecord } from '../protocol/errors.ts';
import type { OperationName } from '../protocol/operations.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import { allWritten, isLive, isReaderGone } from '../terminal/lineWriter.ts';
import { Interrupted } from '../terminal/prompt.ts';
import type { TerminalOutput } from '../terminal/streams.ts';
import { widthOf } from '../terminal/terminalText.ts';
import type { CliEnvironment, ServeOptions, ServiceInstall } from './cliEnvironment.ts';
import { humanText } from './humanText.ts';
import { jsonText } from './jsonText.ts';
import type { WatchCall } from './liveCommands.ts';
import { showLog } from './logReader.ts';
import { EXIT_CANCELLED, EXIT_OK, operate } from './operate.ts';
import { printOutput, reportFailure, warnOfConfig } from './output.ts';
import { buildProgram, type SettingCall, type ShownCall } from './program.ts';
import { readGivenSecret, type SecretSource } from './secrets.ts';
import type { Where } from './shownCommand.ts';
import { startPassword } from './startPassword.ts';
import { watch } from './watch.ts';

const EXIT_USAGE = 2;

/** `argv` without node and the script. Resolves with the exit code, never rejects. */
export async function runCli(argv: readonly string[], environment: CliEnvironment): Promise<number> {
  const answerWritten = watchAnswer(environment.stdout);
  const exitCode = await runWords(argv, environment);
  const failure = await answerWritten(exitCode);
  return failure === undefined ? exitCode : reportFailure(failure, false, {}, environment);
}

async function runWords(argv: readonly string[], environment: CliEnvironment): Promise<number> {
  const json = argv.includes('--json');
  let exitCode: number = EXIT_OK;
  let usage = '';
  const exits =
    <A extends readonly unknown[]>(run: (...args: A) => Promise<number>) =>
    async (...args: A): Promise<void> => {
      exitCode = await run(...args);
    };
  const named = (wallet: string | undefined) => checkedWallet(wallet ?? environment.wallet);
  const ofNamed = <C extends { readonly wallet: string | undefined }>(call: C): C => ({
    ...call,
    wallet: named(call.wallet),
  });
  const shows = (call: Omit<ShownCall, 'name'>) => (name: OperationName, output: unknown) =>
    printOutput({ ...call, name }, output, environment);
  const program = buildProgram(environment.version, {
    serve: exits((options, source) => serve(options, source, environment)),
    installService: exits((options, source, more) => installService(options, source, more, environment)),
    manageService: exits((action) => environment.manageService(action)),
    scanWorker: exits((options) => environment.scanWorker(options)),
    signer: exits((call) => environment.signer(call)),
    bridge: exits(async (options) => environment.bridge(ofNamed(options))),
    desktop: exits(async (options, source, given) => {
      const wallet = named(given);
      return environment.desktop(options, await readGivenSecret('password', source), wallet);
    }),
    operate: exits((call) => operate(call, environment)),
    // Loaded on demand: most command lines are none of these.
    setup: exits(async (call) =>
      (await import('./setup.ts')).runSetup(ofNamed(call), shows(call), environment),
    ),
    pay: exits(async (call) => (await import('./pay.ts')).runPay(ofNamed(call), shows(call), environment)),
    backup: exits(async (call) => (await import('./backup.ts')).runBackup(call, environment)),
    dashboard: exits(async (call) =>
      (await import('./dashboardCommand.ts')).showDashboard(call, environment),
    ),
    watch: exits(async (call) => watchEvents(ofNamed(call), program.opts<Where>(), environment)),
    log: exits((options) => showLog(options, environment)),
    demo: exits((once) => environment.demo(once)),
    devnet: exits((options) => environment.devnet(options)),
    set: (call) => changeSetting(call, environment),
    print: (text) => void environment.stdout.write(text),
  });
  for (const command of allCommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => void environment.stdout.write(text),
      writeErr: (text) => {
        usage += text;
      },
    });
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof Interrupted) return EXIT_CANCELLED;
    if (!(thrown instanceof CommanderError))
      return reportFailure(toErrorRecord(thrown), json, program.opts(), environment);
    if (thrown.exitCode === 0) return EXIT_OK;
    if (!json) environment.stderr.write(usage);
    else reportFailure({ code: 'INVALID_REQUEST', detail: usageDetail(thrown) }, json, {}, environment);
    return EXIT_USAGE;
  }
}

function allCommands(command: ReturnType<typeof buildProgram>): ReturnType<typeof buildProgram>[] {
  return [command, ...command.commands.flatMap((child) => allCommands(child))];
}

const usageDetail = ({ message }: CommanderError): string =>
  message === '(outputHelp)' ? 'Say which command; --help lists them.' : message.replace(/^error: /, '');

async function serve(
  options: ServeOptions,
  source: SecretSource,
  environment: CliEnvironment,
): Promise<number> {
  const others = new Map<string, StartPassword>();
  for (const [wallet, file] of options.walletPasswordFiles ?? []) {
    const password = await startPassword({ file, fd: undefined });
    if (password !== undefined) others.set(wallet, password);
  }
  return environment.serve(options, await startPassword(source), others);
}

async function installService(
  options: ServeOptions,
  { file, fd }: SecretSource,
  more: ServiceInstall,
  environment: CliEnvironment,
): Promise<number> {
  if (fd !== undefined) {
    throw new CompanionError('INVALID_REQUEST', 'A service reads its password from a file: --password-file.');
  }
  const { askedAccess } = await import('./serviceQuestions.ts');
  const anonymousAccess = more.print ? undefined : await askedAccess(more.anonymousAccess, environment);
  return environment.installService(options, { ...more, anonymousAccess }, file);
}

async function watchEvents(
  { json, url, wallet, local }: WatchCall,
  where: Where,
  environment: CliEnvironment,
): Promise<number> {
  const connect =
    url === undefined
      ? await environment.connectEvents(local, wallet)
      : (await import('./httpLink.ts')).httpEvents(url, wallet, await environment.grantToken?.());
  return watch({ json, wallet, where, connect }, environment);
}

async function changeSetting(
  { change, json, url, local }: SettingCall,
  environment: CliEnvironment,
): Promise<void> {
  if (url !== undefined) {
    throw new CompanionError(
      'INVALID_REQUEST',
      'This setting is changed where its config.json lies; leave --url out.',
    );
  }
  const { allowed_origins, anonymous_access, min_confirmations, auto_lock_seconds, node_cookie_file } =
    await environment.changeSettings(local, change);
  const settings = {
    allowed_origins,
    anonymous_access,
    min_confirmations,
    auto_lock_seconds,
    node_cookie_file,
  };
  environment.stdout.write(
    json ? jsonText(settings) : humanText('config.get', settings, widthOf(environment.stdout)),
  );
  await warnOfConfig(local, environment);
}

/**
 * Whether the answer reached standard output, which may be a file on a full disk; a reader that has seen enough (`| head`) is
 * no failure. The returned function waits for the reader, unless the command goes on running, and resolves with the failure.
 */
function watchAnswer(stdout: TerminalOutput): (exitCode: number) => Promise<ErrorRecord | undefined> {
  let failure: Error | undefined;
  const keep = (error: Error): void => {
    if (!isReaderGone(error)) failure ??= error;
  };
  stdout.on('error', keep);
  return async (exitCode) => {
    if (!isLive(stdout)) await allWritten(stdout);
    stdout.off('error', keep);
    if (failure === undefined || isLive(stdout)) return undefined;
    const what = exitCode === 0 ? 'The command did its work, but its answer' : 'The answer';
    const detail = `${what} could not be written to standard output${systemWords(failure)}`;
    return new CompanionError('STORAGE_FAILED', detail).toRecord();
  };
}
