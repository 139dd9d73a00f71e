// Failures in the words of the command line: operations name their fields and routes, and a person types flags and commands.

import { MOST_SLIPS, slipsBetween } from '@wallet-companion/base/values';
import { argumentName, ON_OFF } from '../protocol/argumentName.ts';
import type { ErrorRecord } from '../protocol/errors.ts';
import { COMMANDS, type FieldShape } from '../protocol/generated/commands.ts';
import { inputFields } from '../protocol/textInput.ts';
import type { OperationCall } from './program.ts';
import { PROGRAM } from './shownCommand.ts';

const ROUTE = /\b(?:GET|POST) \/api\/[\w/{}-]*[\w}]/g;

/** Each route that the text names, as the command that does the same. */
export const inCommands = (text: string): string =>
  text.replaceAll(ROUTE, (route) => {
    const row = Object.values(COMMANDS).find((known) => known.route === route);
    return row === undefined ? route : `"${PROGRAM} ${row.cli.words.join(' ')}"`;
  });

/** Each field that was refused, by its flag or argument, with the near word where the typed one is no choice. */
export function inFlags(
  { name, text }: Pick<OperationCall, 'name' | 'text'>,
  error: ErrorRecord,
): ErrorRecord {
  const fields = inputFields(name);
  let { detail } = error;
  for (const { path, message } of error.errors ?? []) {
    const field = fields.find((known) => known.name === path);
    if (field === undefined) continue;
    const typed = text.find(([of]) => of === path)?.[1];
    const words = `${typedName(name, fields, path)} ${expected(field, message)}${nearWord(field, typed)}`;
    detail = detail.replace(`${path} ${message}`, () => words);
  }
  return { ...error, detail };
}

function typedName(name: OperationCall['name'], fields: readonly FieldShape[], path: string): string {
  const { positional = [], flags } = COMMANDS[name].cli;
  return positional.includes(path)
    ? argumentName(fields, path)
    : `--${(flags?.[path] ?? path).replaceAll('_', '-')}`;
}

const expected = ({ type }: FieldShape, message: string): string =>
  type === 'boolean' && message.startsWith('must be') ? `must be ${ON_OFF.replace('|', ' or ')}` : message;

function nearWord({ choices = [] }: FieldShape, typed: string | undefined): string {
  const words = (typed ?? '').split(',').map((word) => word.trim().toLowerCase());
  const near = choices.find(
    (choice) =>
      !words.includes(choice) &&
      words.some(
        (word) =>
          !choices.includes(word) && slipsBetween(word, choice) <= Math.min(MOST_SLIPS, choice.length >> 1),
      ),
  );
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}
