// The doctor's answer for people: one line for each check, and below it what to do. Its commands get no options of the
// user, as other texts do: people paste it, and a folder may have their name.

import { withoutHidden } from '@wallet-companion/client/contract';
import type { Output } from '../protocol/operations.ts';
import { pad, wrapText } from '../terminal/terminalText.ts';

const STATE_WIDTH = 4;
const GAP = '  ';

export function checkLines({ checks }: Output<'doctor.run'>, width: number): string[] {
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
