// One operation as a command: its input from words, files and prompts, the call, the answer, and the exit code of it.

import { checkedWallet } from '@wallet-companion/client/contract';
import { CompanionError, ERRORS, type ErrorRecord, toErrorRecord } from '../protocol/errors.ts';
import { COMMANDS } from '../protocol/generated/commands.ts';
import type { Dispatcher } from '../protocol/link.ts';
import type { Output } from '../protocol/operations.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import { SECRET_FIELDS } from '../protocol/secretFields.ts';
import { inputFields, inputFromText } from '../protocol/textInput.ts';
import { Prompt } from '../terminal/prompt.ts';
import { widthOf } from '../terminal/terminalText.ts';
import type { CliEnvironment, OpenedLink } from './cliEnvironment.ts';
import { CliSession, type Given } from './cliSession.ts';
import { inFlags } from './errorText.ts';
import { giveCode, giveExport, giveText, type Text } from './fileAnswer.ts';
import { badFlag } from './flags.ts';
import { readInputFile } from './inputFile.ts';
import { ofWallet, openLink, requireNetwork } from './openedLink.ts';
import { printOutput, printSentences, reportFailure, warnOfConfig, whereOf } from './output.ts';
import { refuseExisting } from './outputFile.ts';
import { addsNothing } from './paymentText.ts';
import type { OperationCall } from './program.ts';
import { withRecipients } from './recipientsFile.ts';
import { isSecretGiven, readSecret } from './secrets.ts';
import { showCommand, withOptions } from './shownCommand.ts';
import { newestFirst, runSync, syncCalls } from './syncRun.ts';

export const EXIT_OK = 0;
export const EXIT_CANCELLED = 130;
/** As for every conflict. */
const EXIT_CONFLICT = ERRORS.PAYMENT_INCOMPLETE.exit;

/** Resolves with the exit code. */
export async function operate(call: OperationCall, environment: CliEnvironment): Promise<number> {
  if (call.output !== undefined) {
    if (call.json) throw new CompanionError('INVALID_REQUEST', 'Give either --json or --output.');
    await refuseExisting(call.output);
  }
  const wallet = checkedWallet(call.wallet ?? environment.wallet);
  const prompt = new Prompt(environment);
  const { input, inLines } = await readInput(call, prompt, environment);
  const opened = await open(call, environment);
  try {
    const session = new CliSession(
      ofWallet(opened.link, wallet),
      { json: call.json, password: call.secrets.get('password') ?? {} },
      prompt,
      environment.requestId,
    );
    await requireNetwork(opened.link, call.local.network, environment);
    const { repeated, showsConfig, asksWords, remindsOfBackup } = COMMANDS[call.name].cli;
    const result =
      repeated === true
        ? await sync(session, call, input, environment)
        : await session.call(call.name, input);
    if (!result.ok) {
      const error = inLines(result.error);
      return reportFailure(call.json ? error : inFlags(call, error), call.json, whereOf(call), environment);
    }
    const areWordsAsked =
      asksWords !== undefined && !call.json && prompt.available && input['words'] === undefined;
    if (repeated !== true && !(areWordsAsked && asksWords === 'instead'))
      await giveAnswer({ call, input, session, opened }, result.value, environment);
    if (areWordsAsked) {
      const { askWords } = await import('./phraseWords.ts');
      await askWords(session, String(input['password']), environment);
    }
    if (remindsOfBackup === true && !call.json) await remindOfBackup(session, environment);
    if (showsConfig === true && call.url === undefined) await warnOfConfig(call.local, environment);
    return exitCodeOf(call, result.value, environment);
  } finally {
    await opened.close();
  }
}

/** `inLines` names the lines of a file with recipients, where the failure is about one. */
async function readInput(
  call: OperationCall,
  prompt: Prompt,
  environment: CliEnvironment,
): Promise<{ readonly input: Given; inLines(error: ErrorRecord): ErrorRecord }> {
  const text = await withFiles(call, environment);
  const { input: typed, inLines } = await withRecipients(call, inputFromText(call.name, text));
  const scanned = await scannedFields(call, typed, environment);
  const secrets = await requiredSecrets(call, prompt, scanned);
  return { input: { ...scanned, ...typed, ...secrets }, inLines };
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

/** Backups are of all wallets, so their age is in no answer about one. */
async function remindOfBackup(session: CliSession, { stderr }: CliEnvironment): Promise<void> {
  const backup = await session.dispatch('system.backup', {});
  if (backup.ok && backup.value.warning !== null) stderr.write(`\n${backup.value.warning}\n`);
}

interface Answered {
  readonly call: OperationCall;
  readonly input: Given;
  readonly session: CliSession;
  readonly opened: OpenedLink;
}

async function giveAnswer(answered: Answered, answer: unknown, environment: CliEnvironment): Promise<void> {
  const { call, opened } = answered;
  const { file, withoutCompanion } = COMMANDS[call.name].cli;
  if (opened.endsHere && withoutCompanion !== undefined && !call.json)
    printSentences(withOptions(withoutCompanion, whereOf(call)), environment);
  else if (file !== undefined && !call.json) await giveFile(answered, answer, environment);
  else printOutput(call, opened.endsHere ? withoutSession(call, answer) : answer, environment);
}

async function giveFile(
  { call, input, session }: Answered,
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

/** The wallet that such a command creates is locked after the command. Programs get the body as over HTTP. */
function withoutSession({ name, json }: Pick<OperationCall, 'name' | 'json'>, output: unknown): unknown {
  if (json || COMMANDS[name].makesWallet !== true) return output;
  const { unlocked: _, ...rest } = output as { readonly unlocked?: true };
  return rest;
}

/** An answer may show that the command did not reach its end. */
function exitCodeOf({ name, json }: OperationCall, answer: unknown, { stderr }: CliEnvironment): number {
  const { mustAdd, mustPass, mustEqual, mustProve } = COMMANDS[name].cli;
  if (mustAdd === true && addsNothing(answer as Output<'payments.combine' | 'payments.combine_batch'>)) {
    if (!json) stderr.write(NOTHING_ADDED);
    return EXIT_CONFLICT;
  }
  if (mustPass === true && (answer as Output<'doctor.run'>).worst === 'fail') return ERRORS.NOT_READY.exit;
  if (mustEqual === true && !(answer as Output<'statement.check'>).equal) return EXIT_CONFLICT;
  if (mustProve === true && (answer as Output<'receipts.verify'>).result !== 'valid') return EXIT_CONFLICT;
  return wasCancelled(answer) ? EXIT_CANCELLED : EXIT_OK;
}

const NOTHING_ADDED =
  '\nNothing new came back: the file has no signature and no proof that this payment lacks. Give what the signer wrote.\n';

const wasCancelled = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'cancelled' in output && output.cancelled === true;
