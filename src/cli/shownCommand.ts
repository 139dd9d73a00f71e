// Commands that a person is told to type next, with the options that say where as they were given: without them the next
// command would be about another wallet or another folder.

import { COMMANDS } from '../protocol/generated/commands.ts';

/** The options of the root that say where, by name. */
export interface Where {
  readonly url?: string | undefined;
  readonly wallet?: string | undefined;
  readonly configDir?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly network?: string | undefined;
  readonly nodeCookieFile?: string | undefined;
}

/** `words`: what follows the program's name. */
export type ShowCommand = (words: string) => string;

export const PROGRAM = 'wallet-companion';

/** What a failure's text quotes: `"wallet-companion serve"`. */
const QUOTED = new RegExp(`"${PROGRAM} ([^"]+)"`, 'g');

export const showCommand =
  (where: Where): ShowCommand =>
  (words) =>
    [PROGRAM, words, ...optionsFor(words, where)].join(' ');

/** The text with the options in each command that it quotes. */
export const withOptions = (text: string, where: Where): string =>
  text.replaceAll(QUOTED, (_, words: string) => `"${showCommand(where)(words)}"`);

function optionsFor(words: string, where: Where): string[] {
  const { url, wallet, configDir, dataDir, network, nodeCookieFile } = where;
  const operation = operationOf(words);
  const flags = {
    // What is no operation starts a companion, which is not behind a URL yet.
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

/** Whose words these begin with, followed by arguments and flags. */
const operationOf = (words: string) =>
  Object.values(COMMANDS).find(({ cli }) => `${words} `.startsWith(`${cli.words.join(' ')} `));

/** As one word of a shell. */
const asWord = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
