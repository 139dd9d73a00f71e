// Runs one command line, from words to exit code. Exit codes follow from the error table; 130 means Ctrl-C.

import { checkedWallet, toProblem, withoutHidden } from '@wallet-companion/client/contract';
import { CommanderError } from 'commander';
import { CompanionError, ERRORS, type ErrorRecord, toErrorRecord } from '../protocol/errors.ts';
import { COMMANDS } from '../protocol/generated/commands.ts';
import type { Dispatcher } from '../protocol/link.ts';
import type { OperationName, Output } from '../protocol/operations.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import { SECRET_FIELDS } from '../protocol/secretFields.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import { inputFields, inputFromText } from '../protocol/textInput.ts';
import { Interrupted, Prompt } from '../terminal/prompt.ts';
import { widthOf, wrapText } from '../terminal/terminalText.ts';
import { watchAnswer } from './answerWritten.ts';
import type { CliEnvironment, LocalOptions, OpenedLink } from './cliEnvironment.ts';
import { CliSession, type Given } from './cliSession.ts';
import { giveCode, giveExport, giveText, type Text } from './fileAnswer.ts';
import { badFlag } from './flags.ts';
import { humanText } from './humanText.ts';
import { readInputFile } from './inputFile.ts';
import { jsonText } from './jsonText.ts';
import { showLog } from './logReader.ts';
import { openLink, requireNetwork } from './openedLink.ts';
import { refuseExisting } from './outputFile.ts';
import { addsNothing } from './paymentText.ts';
import { buildProgram, type OperationCall, type SettingCall, type ShownCall } from './program.ts';
import { withRecipients } from './recipientsFile.ts';
import { isSecretGiven, readGivenSecret, readSecret } from './secrets.ts';
import { showCommand, type Where, withOptions } from './shownCommand.ts';
import { startPassword } from './startPassword.ts';
import { newestFirst, runSync, syncCalls } from './syncRun.ts';
import { shownText } from './views.ts';
import { ofWallet } from './walletLink.ts';
import { watch } from './watch.ts';

const EXIT_OK = 0;
const EXIT_USAGE = 2;
const EXIT_CANCELLED = 130;
/** As for every conflict. */
const EXIT_CONFLICT = ERRORS.PAYMENT_INCOMPLETE.exit;

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
  const ofNamed = <C extends { readonly wallet: string | undefined }>(call: C): C => ({
    ...call,
    wallet: checkedWallet(call.wallet ?? environment.wallet),
  });
  const shows = (call: Omit<ShownCall, 'name'>) => (name: OperationName, output: unknown) =>
    printOutput({ ...call, name }, output, environment);
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
      const { askedAccess } = await import('./serviceQuestions.ts');
      const anonymousAccess = more.print ? undefined : await askedAccess(more.anonymousAccess, environment);
      exitCode = await environment.installService(options, { ...more, anonymousAccess }, source.file);
    },
    manageService: async (action) => {
      exitCode = await environment.manageService(action);
    },
    operate: async (call) => {
      exitCode = await operate(call, environment);
    },
    watch: async ({ json: asJson, url, wallet: given, local }) => {
      const wallet = checkedWallet(given ?? environment.wallet);
      const connect =
        url === undefined
          ? await environment.connectEvents(local, wallet)
          : (await import('./httpLink.ts')).httpEvents(url, wallet, await environment.grantToken?.());
      const where = program.opts<Where>();
      exitCode = await watch({ json: asJson, wallet, where, connect }, environment);
    },
    bridge: async ({ wallet, ...options }) => {
      exitCode = await environment.bridge({
        ...options,
        wallet: checkedWallet(wallet ?? environment.wallet),
      });
    },
    dashboard: async (call) => {
      const { showDashboard } = await import('./dashboardCommand.ts');
      exitCode = await showDashboard(call, environment);
    },
    log: async (options) => {
      exitCode = await showLog(options, environment);
    },
    scanWorker: async (options) => {
      exitCode = await environment.scanWorker(options);
    },
    setup: async (call) => {
      const { runSetup } = await import('./setup.ts');
      exitCode = await runSetup(ofNamed(call), shows(call), environment);
    },
    pay: async (call) => {
      const { runPay } = await import('./pay.ts');
      exitCode = await runPay(ofNamed(call), shows(call), environment);
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
  const { input: typed, inLines } = await withRecipients(call, inputFromText(call.name, text));
  const scanned = await scannedFields(call, typed, environment);
  const input = { ...scanned, ...typed, ...(await requiredSecrets(call, prompt, scanned)) };
  const opened = await open(call, environment);
  try {
    const session = new CliSession(
      ofWallet(opened.link, wallet),
      { json: call.json, password: call.secrets.get('password') ?? {} },
      prompt,
      environment.requestId,
    );
    await requireNetwork(opened.link, call.local.network, environment);
    const { repeated, file, withoutCompanion, showsConfig, mustAdd, mustPass, mustEqual } =
      COMMANDS[call.name].cli;
    const result =
      repeated === true
        ? await sync(session, call, input, environment)
        : await session.call(call.name, input);
    if (!result.ok) return reportFailure(inLines(result.error), call.json, whereOf(call), environment);
    if (opened.endsHere && withoutCompanion !== undefined && !call.json)
      printSentences(withOptions(withoutCompanion, whereOf(call)), environment);
    else if (file !== undefined && !call.json)
      await giveFile(session, call, input, result.value, environment);
    else if (repeated !== true)
      printOutput(call, opened.endsHere ? withoutSession(call, result.value) : result.value, environment);
    if (showsConfig === true && call.url === undefined) await warnOfConfig(call.local, environment);
    if (
      mustAdd === true &&
      addsNothing(result.value as Output<'payments.combine' | 'payments.combine_batch'>)
    ) {
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
    if (COMMANDS[name].cli.mustPass !== true || call.url !== undefined) throw error;
    const link = withoutCompanion(await environment.diagnose(local, toErrorRecord(error)), error);
    return { link, close: async () => {} };
  }
}

const withoutCompanion = (answer: Output<'doctor.run'>, reason: unknown): Dispatcher => ({
  dispatch: async (name) =>
    (COMMANDS[name].cli.mustPass === true ? ok(answer) : failure(reason)) as Result<never>,
});

const whereOf = ({ url, wallet, local }: ShownCall): Where => ({ url, wallet, ...local });

async function giveFile(
  session: CliSession,
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
    case 'batch': {
      const { giveBatch } = await import('./paymentFile.ts');
      return giveBatch(answer as Output<'payments.batch'>, file, qr, environment);
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

async function warnOfConfig(local: LocalOptions, environment: CliEnvironment): Promise<void> {
  for (const warning of await environment.configWarnings(local))
    environment.stderr.write(`warning: ${withoutHidden(warning)}\n`);
}

const NOTHING_ADDED =
  '\nNothing new came back: the file has no signature and no proof that this payment lacks. Give what the signer wrote.\n';

const wasCancelled = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'cancelled' in output && output.cancelled === true;

function printOutput(call: ShownCall, output: unknown, { stdout, stderr }: CliEnvironment): void {
  const { name, json } = call;
  const shown = () => shownText(name, output, widthOf(stdout), showCommand(whereOf(call)));
  const { warning } = COMMANDS[name].cli;
  const warn = () => void (warning === undefined || stderr.write(`\n${warning}\n`));
  stdout.write(json ? jsonText(output) : shown(), (error) => {
    // A program knows what it asked for; a person who looks for its answer reads this.
    if (error && json) warn();
  });
  if (!json) warn();
}

/** The wallet that such a command creates is locked after the command. Programs get the body as over HTTP. */
function withoutSession({ name, json }: Pick<OperationCall, 'name' | 'json'>, output: unknown): unknown {
  if (json || COMMANDS[name].makesWallet !== true) return output;
  const { unlocked: _, ...rest } = output as { readonly unlocked?: true };
  return rest;
}

function printSentences(text: string, { stdout }: CliEnvironment): void {
  stdout.write(`${wrapText(text, widthOf(stdout) ?? Number.POSITIVE_INFINITY).join('\n')}\n`);
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

/** The account that a device shows, as far as the operation has fields for it. */
async function scannedFields(
  { name, scan, secrets }: OperationCall,
  { account_index }: Given,
  { stdin }: CliEnvironment,
): Promise<Given> {
  if (scan.length === 0) return {};
  if (isSecretGiven(secrets.get('viewing_key') ?? {}))
    throw badFlag('scan', 'cannot be given beside --viewing-key-file');
  const { readScannedAccount } = await import('./scannedAccount.ts');
  const account: Given = await readScannedAccount(scan, account_index, stdin);
  return Object.fromEntries(
    inputFields(name).flatMap((field) => (field.name in account ? [[field.name, account[field.name]]] : [])),
  );
}

/** Prompts for the secrets that the operation requires; optional ones are read only when a source was given. */
async function requiredSecrets(
  { name, secrets }: OperationCall,
  prompt: Prompt,
  scanned: Given,
): Promise<Given> {
  const { cli } = COMMANDS[name];
  const fields = inputFields(name).filter(
    (field) => SECRET_FIELDS.includes(field.name) && !(field.name in scanned),
  );
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

async function sync(
  session: CliSession,
  call: OperationCall,
  input: Given,
  environment: CliEnvironment,
): Promise<Result<Output<'sync.run'>>> {
  return runSync(
    syncCalls(session),
    call.toTip && !call.oldestFirst ? newestFirst(input) : input,
    { toTip: call.toTip, quiet: call.json },
    environment,
    (summary) => printOutput(call, summary, environment),
  );
}
