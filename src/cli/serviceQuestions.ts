// What `service install` asks at a terminal: a service runs for months, while others may use the machine.

import type { AnonymousAccess } from '../protocol/grants.ts';
import { type Questions, terminalQuestions } from '../terminal/questions.ts';
import type { CliEnvironment } from './cliEnvironment.ts';

/** As it was given, or as it is answered; undefined without a terminal: it stays as it is in config.json. */
export async function askedAccess(
  given: AnonymousAccess | undefined,
  environment: CliEnvironment,
): Promise<AnonymousAccess | undefined> {
  if (given !== undefined || environment.stdin.isTTY !== true) return given;
  return chosenAccess(await terminalQuestions(environment, new AbortController()));
}

export const chosenAccess = (ask: Questions): Promise<AnonymousAccess> =>
  ask.choose<AnonymousAccess>('What may programs do that have no grant of yours?', [
    {
      value: 'none',
      label: 'Nothing (recommended)',
      hint: '"wallet-companion dashboard" opens the page, "wallet-companion grant create" lets a program in',
    },
    { value: 'read', label: 'Read', hint: 'balance, notes and memos of an open wallet' },
    { value: 'full', label: 'Everything that needs no password', hint: 'as without a service' },
  ]);
