// The wallet that setup makes: from the same operations as everywhere, with what they take asked for. A new wallet whose
// phrase was not written down is put aside again when the person leaves.

import { isSameWord, newPasswordProblem, wordsToAsk } from '@wallet-companion/client/contract';
import { CompanionError, type ErrorCode } from '../protocol/errors.ts';
import type { Output } from '../protocol/operations.ts';
import { inputFromText } from '../protocol/textInput.ts';
import { Interrupted } from '../terminal/prompt.ts';
import type { Check, Questions } from '../terminal/questions.ts';
import { widthOf } from '../terminal/terminalText.ts';
import { numberedGrid } from '../terminal/textTable.ts';
import { readScannedAccount } from './scannedAccount.ts';
import { readGivenSecret } from './secrets.ts';
import type { SetupSecret, WalletKind } from './setupCommand.ts';
import type { SetupContext } from './setupServers.ts';

type Made = 'wallet.create' | 'wallet.restore' | 'wallet.import_viewing_key';
type Phrase = Output<'wallet.create'>;
type Given = Readonly<Record<string, unknown>>;

export interface NewWallet {
  readonly operation: Made;
  readonly answer: Output<Made>;
}

interface Way {
  readonly operation: Made;
  readonly label: string;
  readonly hint: string;
  /** What the wallet is made from, and the question for it. */
  readonly secret?: readonly [SetupSecret, string];
}

const WAYS: Readonly<Record<WalletKind, Way>> = {
  create: { operation: 'wallet.create', label: 'Make a new wallet', hint: 'you write down its phrase' },
  restore: {
    operation: 'wallet.restore',
    label: 'Restore a wallet',
    hint: 'from its recovery phrase',
    secret: ['mnemonic', 'The recovery phrase, all words in one line (not shown; "back" goes back)'],
  },
  watch: {
    operation: 'wallet.import_viewing_key',
    label: 'Watch a wallet',
    hint: 'with its viewing key; nothing here can spend',
    secret: ['viewing_key', 'The viewing key (not shown; "back" goes back)'],
  },
};

/** Failures that another answer mends. */
const MENDED: readonly ErrorCode[] = [
  'INVALID_MNEMONIC',
  'INVALID_VIEWING_KEY',
  'INVALID_PASSWORD_FORMAT',
  'INVALID_REQUEST',
];
const ASKED_WORDS = 3;
/** The terminal's other screen, which leaves nothing behind: the phrase must not stay in the window. */
const OTHER_SCREEN = '\u001b[?1049h\u001b[H';
const FIRST_SCREEN = '\u001b[?1049l';

export async function makeWallet(setup: SetupContext): Promise<NewWallet> {
  const { call, ask, link, print } = setup;
  let kind = call.kind;
  for (let isFirst = true; ; isFirst = false) {
    kind ??= await ask?.choose('Which wallet?', kindChoices());
    if (kind === undefined)
      throw missing('which wallet to make', '--create, --mnemonic-file, --viewing-key-file or --scan');
    const { operation } = WAYS[kind];
    const fields = await fieldsOf(setup, kind, isFirst);
    if (fields === 'back') {
      kind = undefined;
      continue;
    }
    const input = { ...fields, password: await passwordOf(setup, isFirst) };
    const result = await link.call(operation, input);
    if (result.ok) {
      if (ask !== undefined && 'mnemonic' in result.value)
        await untilWritten(setup, ask, result.value, input.password);
      return { operation, answer: result.value };
    }
    if (ask === undefined || !MENDED.includes(result.error.code))
      throw CompanionError.fromRecord(result.error);
    print(`${result.error.detail} (${result.error.code})`);
  }
}

const kindChoices = () =>
  (Object.keys(WAYS) as WalletKind[]).map((value) => {
    const { label, hint } = WAYS[value];
    return { value, label, hint };
  });

/** `fromFlags`: what the flags tell was not refused yet. */
async function fieldsOf(
  setup: SetupContext,
  kind: WalletKind,
  fromFlags: boolean,
): Promise<Given | typeof BACK> {
  const { call, ask, environment } = setup;
  const { operation, secret } = WAYS[kind];
  const fields = fromFlags || ask === undefined ? inputFromText(operation, call.text) : {};
  if (secret === undefined) return fields;
  if (fromFlags && call.scan !== undefined) {
    const { account_index: index } = fields as { readonly account_index?: number };
    return { ...(await readScannedAccount([call.scan], index, environment.stdin)), ...fields };
  }
  const [field, question] = secret;
  const given = fromFlags ? await readGivenSecret(field, call.secrets[field]) : undefined;
  const typed = given ?? (await ask!.hidden(question, await secretCheck(setup, field)));
  if (given === undefined && isBack(typed)) return BACK;
  const passphrase = await readGivenSecret('bip39_passphrase', call.secrets.bip39_passphrase);
  return {
    [field]: typed,
    ...(passphrase === undefined ? {} : { bip39_passphrase: passphrase }),
    ...(Object.keys(fields).length > 0 || ask === undefined ? fields : await birthdayOf(setup, ask)),
  };
}

const BACK = 'back';
const isBack = (answer: string): boolean => answer.trim().toLowerCase() === BACK;

/** A phrase is checked before the next question: a person who mistyped a word has the paper in hand now. */
async function secretCheck({ environment }: SetupContext, field: SetupSecret): Promise<Check> {
  const phraseProblem = field === 'mnemonic' ? await environment.phraseCheck() : () => undefined;
  return (answer) => {
    if (answer.trim() === '') return 'Type or paste it.';
    return isBack(answer) ? undefined : phraseProblem(answer);
  };
}

/** Dates are known on the main network alone. */
async function birthdayOf({ link }: SetupContext, ask: Questions): Promise<Given> {
  const { network } = await link.answer('config.get');
  const unknown = 'I do not know: scan the whole chain';
  if (network !== 'main') {
    const height = await ask.line('Block before which it held nothing', {
      orElse: unknown,
      check: (answer) =>
        /^\d{1,9}$/.test(answer) ? undefined : 'Type the height of a block, such as 2500000.',
    });
    return height === unknown ? {} : { birthday_height: Number(height) };
  }
  const { birthday } = await import('../protocol/fields.ts');
  const month = await ask.line('Month before which it held nothing, such as 2021-06', {
    orElse: unknown,
    check: (answer) => (birthday.safeParse(answer).success ? undefined : 'Type a month, such as 2021-06.'),
  });
  return month === unknown ? {} : { birthday: month };
}

async function passwordOf(setup: SetupContext, fromFlags: boolean): Promise<string> {
  const { call, ask, print } = setup;
  const given = fromFlags ? await readGivenSecret('password', call.secrets.password) : undefined;
  if (given !== undefined) return given;
  if (ask === undefined) throw missing("the wallet's password", '--password-file or --password-fd');
  const { password } = await import('../protocol/fields.ts');
  const check: Check = (answer) => {
    const { error } = password.safeParse(answer);
    return error === undefined
      ? newPasswordProblem(answer)
      : `A password ${error.issues[0]?.message ?? 'is needed'}.`;
  };
  for (;;) {
    const first = await ask.hidden('A password for the wallet (not shown)', check);
    if ((await ask.hidden('The password again')) === first) return first;
    print('The two passwords are not the same.');
  }
}

async function untilWritten(
  setup: SetupContext,
  ask: Questions,
  phrase: Phrase,
  password: string,
): Promise<void> {
  try {
    await showPhrase(setup, ask, phrase);
    let words = await typedWords(setup, ask, phrase.mnemonic);
    for (; words === undefined; words = await typedWords(setup, ask, phrase.mnemonic))
      await showPhrase(setup, ask, phrase);
    await setup.link.answer('wallet.confirm_phrase', { password, words });
  } catch (thrown) {
    if (!(thrown instanceof Interrupted)) throw thrown;
    const removed = await setup.link.call('wallet.remove', { password, without_backup: true });
    setup.print(
      removed.ok
        ? `No wallet was made: the new one is put aside as ${removed.value.kept_as}.`
        : 'The new wallet is there; "wallet-companion wallet backup" shows its phrase.',
    );
    throw thrown;
  }
}

async function showPhrase(
  { environment: { stderr } }: SetupContext,
  ask: Questions,
  phrase: Phrase,
): Promise<void> {
  const words = numberedGrid(phrase.mnemonic.split(' '), widthOf(stderr) ?? Number.POSITIVE_INFINITY, 2);
  stderr.write(
    `${OTHER_SCREEN}${[
      'The recovery phrase. Write it on paper: who has it has the funds,',
      'and without it they are lost. It is shown here alone.',
      '',
      ...words.map((line) => `  ${line}`),
      '',
      `Its birthday, for beside it: block ${phrase.birthday_height}.`,
      '',
    ].join('\n')}\n`,
  );
  try {
    await ask.line('Press Enter when it is on paper; three of its words are asked then', { orElse: ' ' });
  } finally {
    stderr.write(FIRST_SCREEN);
  }
}

/** As `wallet.confirm_phrase` takes them; undefined after a wrong one. */
async function typedWords(
  { environment: { random }, print }: SetupContext,
  ask: Questions,
  mnemonic: string,
): Promise<string | undefined> {
  const words: string[] = [];
  for (const asked of wordsToAsk(mnemonic, ASKED_WORDS, random)) {
    if (!isSameWord(await ask.line(`Word ${asked.number} of your phrase`), asked)) {
      print(`Word ${asked.number} is another one. Here is the phrase once more.`);
      return undefined;
    }
    words.push(`${asked.number} ${asked.word}`);
  }
  print('The words are right.');
  return words.join(' ');
}

const missing = (what: string, flags: string): CompanionError =>
  new CompanionError('INVALID_REQUEST', `Nobody is asked here, so a flag must tell ${what}: ${flags}.`);
