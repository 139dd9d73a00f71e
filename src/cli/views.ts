// An answer as text for users: the view that its operation's row names, or the general fields and tables.

import { withoutHidden } from '@wallet-companion/client/contract';
import { COMMANDS } from '../protocol/generated/commands.ts';
import type { OperationName, Output } from '../protocol/operations.ts';
import { pad, wrapText } from '../terminal/terminalText.ts';
import { humanText } from './humanText.ts';
import { inspectionLines } from './inspectionText.ts';
import { paymentLines, paymentRows } from './paymentText.ts';
import type { ShowCommand } from './shownCommand.ts';
import { transactionRows } from './transactionText.ts';

/** `width` is the terminal's in cells, where there is one; `show` writes the next command. */
export function shownText(
  name: OperationName,
  output: unknown,
  width: number | undefined,
  show: ShowCommand,
): string {
  const cells = width ?? Number.POSITIVE_INFINITY;
  const { view } = COMMANDS[name].cli;
  switch (view) {
    case 'checks':
      return textOf(checkLines(output as Output<'doctor.run'>, cells));
    case 'inspection':
      return textOf(inspectionLines(output as Output<'pczt.inspect'>, cells));
    case 'payment':
      return textOf(paymentLines(output as Output<'payments.get'>, cells, show));
    case 'payments':
      return humanText(
        name,
        paymentRows(output as Output<'payments.list' | 'payments.combine_batch'>),
        width,
      );
    case 'transactions':
      return humanText(name, transactionRows(output as Output<'transactions.list'>), width);
    default:
      return humanText(name, output, width);
  }
}

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

const STATE_WIDTH = 4;
const GAP = '  ';

/**
 * One line for each check of the doctor, and below it what to do. Its commands get no options of the user, as other texts do:
 * people paste it, and a folder may have their name.
 */
function checkLines({ checks }: Output<'doctor.run'>, width: number): string[] {
  const names = checks.map(({ check }) => check.replaceAll('_', ' '));
  const longest = Math.max(...names.map((name) => name.length), 0);
  const indent = STATE_WIDTH + GAP.length + longest + GAP.length;
  return checks.flatMap(({ state, what, do: todo }, at) => {
    const [first = '', ...more] = wrapText(withoutHidden(what), width - indent);
    const below = [...more, ...(todo === null ? [] : wrapText(`-> ${todo}`, width - indent))];
    return [
      [pad(state === 'fail' ? 'FAIL' : state, STATE_WIDTH), pad(names[at] ?? '', longest), first].join(GAP),
      ...below.map((line) => ' '.repeat(indent) + line),
    ];
  });
}
