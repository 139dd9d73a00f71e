// Commands that the output suggests, with the user's options for wallet and folders: without these options the next
// command would be about another wallet or another folder.

import { COMMANDS } from '../protocol/generated/commands.ts';

/** The root options that choose the companion and wallet, by name. */
export interface Where {
  readonly url?: string | undefined;
  readonly wallet?: string | undefined;
  readonly configDir?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly network?: string | undefined;
  readonly nodeCookieFile?: string | undefined;
}

/** `words`: the words after the program's name. */
export type ShowCommand = (words: string) => string;

export const PROGRAM = 'wallet-companion';

/** A command that an error text quotes: `"wallet-companion serve"`. */
const QUOTED = new RegExp(`"${PROGRAM} ([^"]+)"`, 'g');

export const showCommand =
  (where: Where): ShowCommand =>
  (words) =>
    [PROGRAM, words, ...optionsFor(words, where)].join(' ');

/** The text with the options added to each command that it quotes. */
export const withOptions = (text: string, where: Where): string =>
  text.replaceAll(QUOTED, (_, words: string) => `"${showCommand(where)(words)}"`);

function optionsFor(words: string, where: Where): string[] {
  const { url, wallet, configDir, dataDir, network, nodeCookieFile } = where;
  const operation = operationOf(words);
  const flags = {
    // A command that is no operation starts a companion, which has no URL yet.
    url: operation === undefined ? undefined : url,
    wallet: operation?.isOfWallet === true ? wallet : undefined,
    'config-dir': configDir,
    'data-dir': dataDir,
    network,
    'node-cookie-file': nodeCookieFile,
  };
  return Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag}`, asWord(value)],
  );
}

/** The operation whose words these begin with; arguments and flags may follow. `pay` alone begins with its first step. */
const operationOf = (words: string) =>
  Object.values(COMMANDS).find(({ cli }) => `${words} `.startsWith(`${cli.words.join(' ')} `)) ??
  (words.startsWith('pay ') ? COMMANDS['payments.prepare'] : undefined);

/** Quotes the text as one word of a shell. */
const asWord = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
