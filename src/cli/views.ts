// An answer as text for users: the view that its operation's row names, or the general fields and tables.

import { COMMANDS } from '../protocol/generated/commands.ts';
import type { OperationName, Output } from '../protocol/operations.ts';
import { checkLines } from './checksText.ts';
import { humanText } from './humanText.ts';
import { inspectionLines } from './inspectionText.ts';
import { paymentLines, paymentRows } from './paymentText.ts';
import type { ShowCommand } from './shownCommand.ts';

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
    default:
      return humanText(name, output, width);
  }
}

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
