// What a command writes: its answer as text or JSON, its failure and the exit code of it, and warnings.

import { toProblem, withoutHidden } from '@wallet-companion/client/contract';
import { ERRORS, type ErrorRecord } from '../protocol/errors.ts';
import { COMMANDS } from '../protocol/generated/commands.ts';
import { widthOf, wrapText } from '../terminal/terminalText.ts';
import type { CliEnvironment, LocalOptions } from './cliEnvironment.ts';
import { inCommands } from './errorText.ts';
import { jsonText } from './jsonText.ts';
import type { ShownCall } from './program.ts';
import { showCommand, type Where, withOptions } from './shownCommand.ts';
import { shownText } from './views.ts';

export const whereOf = ({ url, wallet, local }: ShownCall): Where => ({ url, wallet, ...local });

export function printOutput(call: ShownCall, output: unknown, { stdout, stderr }: CliEnvironment): void {
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

export function printSentences(text: string, { stdout }: CliEnvironment): void {
  stdout.write(`${wrapText(text, widthOf(stdout) ?? Number.POSITIVE_INFINITY).join('\n')}\n`);
}

/** Returns the exit code. */
export function reportFailure(
  record: ErrorRecord,
  json: boolean,
  where: Where,
  environment: CliEnvironment,
): number {
  if (json) environment.stdout.write(jsonText(toProblem(record, environment.requestId())));
  else
    environment.stderr.write(
      `error: ${withoutHidden(withOptions(inCommands(record.detail), where))} (${record.code})\n`,
    );
  return ERRORS[record.code].exit;
}

export async function warnOfConfig(local: LocalOptions, environment: CliEnvironment): Promise<void> {
  for (const warning of await environment.configWarnings(local))
    environment.stderr.write(`warning: ${withoutHidden(warning)}\n`);
}
