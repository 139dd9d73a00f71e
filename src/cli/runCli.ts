// Runs one command line, from words to exit code. Exit codes follow from the error table; 130 means Ctrl-C.

import { checkedWallet, toProblem, withoutHidden } from '@wallet-companion/client/contract';
import { Interrupted, Prompt, widthOf, wrapped } from '@wallet-companion/terminal';
import { CommanderError } from 'commander';
import { CompanionError, ERRORS, type ErrorRecord, toErrorRecord } from '../protocol/errors.ts';
import { COMMANDS } from '../protocol/generated/commands.ts';
import type { Dispatcher } from '../protocol/link.ts';
import type { OperationName, Output } from '../protocol/operations.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import { SECRET_FIELDS } from '../protocol/secretFields.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import { inputFields, inputFromText } from '../protocol/textInput.ts';
import type { CliEnvironment, LocalOptions, OpenedLink } from './cliEnvironment.ts';
import { giveCode, giveExport, giveText, type Text } from './fileAnswer.ts';
import { humanText } from './humanText.ts';
import { readInputFile } from './inputFile.ts';
import { jsonText } from './jsonText.ts';
import { showLog } from './logReader.ts';
import { openLink, requireNetwork } from './openedLink.ts';
import { refuseExisting } from './outputFile.ts';
import { buildProgram, type OperationCall, type SettingCall, type ShownCall } from './program.ts';
import { isSecretGiven, readGivenSecret, readSecret } from './secrets.ts';
import { showCommand, type Where, withOptions } from './shownCommand.ts';
import { startPassword } from './startPassword.ts';
import { newestFirst, runSync } from './syncRun.ts';
import { shownText } from './views.ts';
import { ofWallet } from './walletLink.ts';
import { type WatchOptions, watch } from './watch.ts';

const EXIT_OK = 0;
const EXIT_USAGE = 2;
const EXIT_CANCELLED = 130;
/** As for every conflict. */
const EXIT_CONFLICT = ERRORS.PAYMENT_INCOMPLETE.exit;

type Given = Record<string, unknown>;

/** `argv` without node and the script. Resolves with the exit code, never rejects. */
export async function runCli(argv: readonly string[], environment: CliEnvironment): Promise<number> {
  const json = argv.includes('--json');
  let exitCode: number = EXIT_OK;
  let usage = '';
  const program = buildProgram(environment.version, {
    serve: async (options, source) => {
      const others = new Map<string, StartPassword>();
      for (const [wallet, file] of options.walletPasswordFiles ?? []) {
        const password = await startPassword({ file, fd: undefined });
        if (password !== undefined) others.set(wallet, password);
      }
      exitCode = await environment.serve(options, await startPassword(source), others);
    },
    desktop: async (options, source, given) => {
      const wallet = checkedWallet(given ?? environment.wallet);
      exitCode = await environment.desktop(options, await readGivenSecret('password', source), wallet);
    },
    installService: async (options, source, more) => {
      if (source.fd !== undefined) {
        throw new CompanionError(
          'INVALID_REQUEST',
          'A service reads its password from a file: --password-file.',
        );
      }
      exitCode = await environment.installService(options, more, source.file);
    },
    manageService: async (action) => {
      exitCode = await environment.manageService(action);
    },
    operate: async (call) => {
      exitCode = await operate(call, environment);
    },
    watch: async ({ json: asJson, url, wallet: given, local }) => {
      const wallet = checkedWallet(given ?? environment.wallet);
      const connect: WatchOptions['connect'] =
        url === undefined
          ? (listener, onLost) => environment.connectEvents(local, listener, onLost, wallet)
          : (await import('./eventStream.ts')).httpEvents(url, wallet);
      const where = program.opts<Where>();
      exitCode = await watch(
        { json: asJson, resumes: url !== undefined, wallet, where, connect },
        environment,
      );
    },
    bridge: async ({ wallet, ...options }) => {
      exitCode = await environment.bridge({
        ...options,
        wallet: checkedWallet(wallet ?? environment.wallet),
      });
    },
    log: async (options) => {
      exitCode = await showLog(options, environment);
    },
    scanWorker: async (options) => {
      exitCode = await environment.scanWorker(options);
    },
    setup: async (call) => {
      const { runSetup } = await import('./setup.ts');
      const show = (name: OperationName, output: unknown) =>
        printOutput({ ...call, name }, output, environment);
      exitCode = await runSetup(
        { ...call, wallet: checkedWallet(call.wallet ?? environment.wallet) },
        show,
        environment,
      );
    },
    demo: async (once) => {
      exitCode = await environment.demo(once);
    },
    devnet: async (options) => {
      exitCode = await environment.devnet(options);
    },
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

function reportFailure(
  record: ErrorRecord,
  json: boolean,
  where: Where,
  environment: CliEnvironment,
): number {
  if (json) environment.stdout.write(jsonText(toProblem(record, environment.requestId())));
  else
    environment.stderr.write(`error: ${withoutHidden(withOptions(record.detail, where))} (${record.code})\n`);
  return ERRORS[record.code].exit;
}

async function operate(call: OperationCall, environment: CliEnvironment): Promise<number> {
  const prompt = new Prompt(environment);
  if (call.output !== undefined) {
    if (call.json) throw new CompanionError('INVALID_REQUEST', 'Give either --json or --output.');
    await refuseExisting(call.output);
  }
  const wallet = checkedWallet(call.wallet ?? environment.wallet);
  const text = await withFiles(call, environment);
  const input = { ...inputFromText(call.name, text), ...(await requiredSecrets(call, prompt)) };
  const opened = await open(call, environment);
  try {
    const session = new Session(ofWallet(opened.link, wallet), call, prompt, environment);
    await requireNetwork(opened.link, call.local.network, environment);
    const { repeated, file, withoutCompanion, showsConfig, mustAdd, mustPass, mustEqual } =
      COMMANDS[call.name].cli;
    const result =
      repeated === true
        ? await sync(session, call, input, environment)
        : await session.call(call.name, input);
    if (!result.ok) return reportFailure(result.error, call.json, whereOf(call), environment);
    if (opened.endsHere && withoutCompanion !== undefined && !call.json)
      printSentences(withOptions(withoutCompanion, whereOf(call)), environment);
    else if (file !== undefined && !call.json)
      await giveFile(session, call, input, result.value, environment);
    else if (repeated !== true)
      printOutput(call, opened.endsHere ? withoutSession(call, result.value) : result.value, environment);
    if (showsConfig === true && call.url === undefined) await warnOfConfig(call.local, environment);
    if (mustAdd === true && addsNothing(result.value as Output<'payments.combine'>)) {
      if (!call.json) environment.stderr.write(NOTHING_ADDED);
      return EXIT_CONFLICT;
    }
    if (mustPass === true && (result.value as Output<'doctor.run'>).worst === 'fail')
      return ERRORS.NOT_READY.exit;
    if (mustEqual === true && !(result.value as Output<'statement.check'>).equal) return EXIT_CONFLICT;
    return wasCancelled(result.value) ? EXIT_CANCELLED : EXIT_OK;
  } finally {
    await opened.close();
  }
}

/** The doctor answers also where no companion can start: that is its first finding. */
async function open(call: OperationCall, environment: CliEnvironment): Promise<OpenedLink> {
  const { name, local } = call;
  try {
    return await openLink(call, environment);
  } catch (error) {
    const isLocal = call.url === undefined && error instanceof CompanionError;
    if (COMMANDS[name].cli.mustPass !== true || !isLocal) throw error;
    const link = withoutCompanion(await environment.diagnose(local, toErrorRecord(error)), error);
    return { link, close: async () => {} };
  }
}

const withoutCompanion = (answer: Output<'doctor.run'>, reason: CompanionError): Dispatcher => ({
  dispatch: async (name) =>
    (COMMANDS[name].cli.mustPass === true ? ok(answer) : failure(reason)) as Result<never>,
});

const whereOf = ({ url, wallet, local }: ShownCall): Where => ({ url, wallet, ...local });

async function giveFile(
  session: Session,
  call: OperationCall,
  input: Given,
  answer: unknown,
  environment: CliEnvironment,
): Promise<void> {
  const { name, output: file, qr } = call;
  switch (COMMANDS[name].cli.file) {
    case 'prepared': {
      const { givePrepared } = await import('./paymentFile.ts');
      const width = widthOf(environment.stdout) ?? Number.POSITIVE_INFINITY;
      return givePrepared(
        answer as Output<'payments.prepare'>,
        file,
        { width, show: showCommand(whereOf(call)) },
        environment,
      );
    }
    case 'pczt': {
      const { givePczt } = await import('./paymentFile.ts');
      return givePczt(answer as Output<'payments.pczt'>, file, qr, environment);
    }
    case 'code':
      return giveCode(answer as Output<'payment_uri.qr'>, file, environment);
    case 'text':
      return giveText(answer as Text, file, environment);
    case 'export': {
      const isOnePage = 'cursor' in input || 'limit' in input;
      const next = (cursor: string) => session.call('transactions.export', { ...input, cursor });
      const first = answer as Output<'transactions.export'>;
      return giveExport(first, isOnePage ? undefined : next, file, environment);
    }
  }
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
  const { allowed_origins, min_confirmations, auto_lock_seconds, node_cookie_file } =
    await environment.changeSettings(local, change);
  const settings = { allowed_origins, min_confirmations, auto_lock_seconds, node_cookie_file };
  environment.stdout.write(
    json ? jsonText(settings) : humanText('config.get', settings, widthOf(environment.stdout)),
  );
  await warnOfConfig(local, environment);
}

async function warnOfConfig(local: LocalOptions, environment: CliEnvironment): Promise<void> {
  for (const warning of await environment.configWarnings(local))
    environment.stderr.write(`warning: ${withoutHidden(warning)}\n`);
}

/** The PCZT came back unchanged, and cannot be sent yet. */
const addsNothing = ({
  signatures_added: signatures,
  proofs_added: proofs,
  status,
}: Output<'payments.combine'>) => signatures === 0 && proofs === 0 && status === 'prepared';

const NOTHING_ADDED =
  '\nNothing new came back: the file has no signature and no proof that this payment lacks. Give what the signer wrote.\n';

const wasCancelled = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'cancelled' in output && output.cancelled === true;

function printOutput(call: ShownCall, output: unknown, { stdout, stderr }: CliEnvironment): void {
  const { name, json } = call;
  const shown = () => shownText(name, output, widthOf(stdout), showCommand(whereOf(call)));
  stdout.write(json ? jsonText(output) : shown());
  const { warning } = COMMANDS[name].cli;
  if (warning !== undefined && !json) stderr.write(`\n${warning}\n`);
}

/** The wallet that such a command creates is locked after the command. Programs get the body as over HTTP. */
function withoutSession({ name, json }: Pick<OperationCall, 'name' | 'json'>, output: unknown): unknown {
  if (json || COMMANDS[name].makesWallet !== true) return output;
  const { unlocked: _, ...rest } = output as { readonly unlocked?: true };
  return rest;
}

function printSentences(text: string, { stdout }: CliEnvironment): void {
  stdout.write(`${wrapped(text, widthOf(stdout) ?? Number.POSITIVE_INFINITY).join('\n')}\n`);
}

/** Replaces file names by the contents of the files. */
async function withFiles(
  { name, text }: OperationCall,
  { stdin }: CliEnvironment,
): Promise<OperationCall['text']> {
  const { files = [] } = COMMANDS[name].cli;
  return Promise.all(
    text.map(async ([field, value]): Promise<[string, string]> => {
      return [field, files.includes(field) ? await readInputFile(value, field, stdin) : value];
    }),
  );
}

/** Prompts for the secrets that the operation requires; optional ones are read only when a source was given. */
async function requiredSecrets({ name, secrets }: OperationCall, prompt: Prompt): Promise<Given> {
  const { cli } = COMMANDS[name];
  const fields = inputFields(name).filter((field) => SECRET_FIELDS.includes(field.name));
  const confirmed = fields.some((field) => field.name === 'new_password') ? 'new_password' : 'password';
  const given: Given = {};
  for (const { name: field, required } of fields) {
    const source = secrets.get(field) ?? {};
    if (!required && !isSecretGiven(source)) continue;
    given[field] = await readSecret(
      field,
      source,
      prompt,
      cli.confirmPassword === true && field === confirmed,
    );
  }
  return given;
}

/** Dispatches operations; when the answer is that the wallet is locked, opens a session and tries again. */
class Session {
  readonly #link: Dispatcher;
  readonly #call: OperationCall;
  readonly #prompt: Prompt;
  readonly #requestId: () => string;

  constructor(link: Dispatcher, call: OperationCall, prompt: Prompt, environment: CliEnvironment) {
    this.#link = link;
    this.#call = call;
    this.#prompt = prompt;
    this.#requestId = environment.requestId;
  }

  dispatch<N extends OperationName>(name: N, input: Given): Promise<Result<Output<N>>> {
    return this.#link.dispatch(name, input, { requestId: this.#requestId() });
  }

  async call<N extends OperationName>(name: N, input: Given): Promise<Result<Output<N>>> {
    const result = await this.dispatch(name, input);
    if (result.ok) return result;
    if (wantsPassword(result.error) && input['password'] === undefined && this.#canAskPassword())
      return this.dispatch(name, { ...input, password: await this.#password() });
    if (result.error.code !== 'WALLET_LOCKED') return result;
    if (!this.#canAskPassword()) {
      const tellsHow = !this.#call.json && COMMANDS[name].access !== 'anyone';
      return tellsHow ? { ok: false, error: withWayOut(result.error) } : result;
    }
    const password = input['password'] ?? (await this.#password());
    if (COMMANDS[name].access === 'session_or_password') return this.dispatch(name, { ...input, password });
    const unlocked = await this.dispatch('wallet.unlock', { password });
    return unlocked.ok ? this.dispatch(name, input) : unlocked;
  }

  #canAskPassword(): boolean {
    return this.#prompt.available || isSecretGiven(this.#call.secrets.get('password') ?? {});
  }

  #password(): Promise<string> {
    return readSecret('password', this.#call.secrets.get('password') ?? {}, this.#prompt, false);
  }
}

/** An open wallet is not always enough: settings may require the password for some operations. */
const wantsPassword = ({ code, errors = [] }: ErrorRecord): boolean =>
  code === 'INVALID_REQUEST' && errors.some(({ path }) => path === 'password');

/** Without a prompt a script must supply the password, so the message names the flags. */
const withWayOut = (error: ErrorRecord): ErrorRecord => ({
  ...error,
  detail: 'The wallet is locked. Give its password with --password-file or --password-fd.',
});

async function sync(
  session: Session,
  call: OperationCall,
  input: Given,
  environment: CliEnvironment,
): Promise<Result<Output<'sync.run'>>> {
  return runSync(
    {
      run: (next) => session.call('sync.run', { ...next }),
      status: () => session.dispatch('sync.status', {}),
      coverage: async () => {
        const balance = await session.dispatch('balance.get', {});
        return balance.ok ? balance.value : undefined;
      },
      cancel: () => session.dispatch('sync.cancel', {}),
    },
    call.toTip && !call.oldestFirst ? newestFirst(input) : input,
    { toTip: call.toTip, quiet: call.json },
    environment,
    (summary) => printOutput(call, summary, environment),
  );
}
