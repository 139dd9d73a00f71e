// A message as the moving QR codes (UR) that devices read: on a terminal one after the other in one place, until Ctrl-C. Where
// a program reads the output it gets the text of the codes, one on each line.

import { MAX_PARTS, type Ur, type UrPart, urCode, urParts } from '@wallet-companion/devices/ur';
import { CompanionError } from '../protocol/errors.ts';
import { qrBlocks } from '../qr/qrCode.ts';
import type { TerminalOutput } from '../terminal/streams.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import { terminalCode } from './fileAnswer.ts';

/** A pace that cameras of devices follow. */
const FRAME_MS = 200;
/** Bytes in a code: as devices themselves show, or less where the window is too small for that. */
const FRAGMENTS = [200, 120, 40] as const;

/** What ends the show, and what the line above the code says of it. */
export interface Ending {
  readonly words: string;
  readonly reached: () => Promise<void>;
}

export async function showMovingCode(
  { type, cbor }: Ur,
  environment: CliEnvironment,
  { words, reached }: Ending = byInterrupt(environment),
): Promise<void> {
  const { stdout, every } = environment;
  const partsOf = (maxFragment: number) => urParts(type, cbor, { maxFragment });
  const sizes = FRAGMENTS.filter((size) => cbor.length <= size * MAX_PARTS);
  if (stdout.isTTY !== true) {
    for (const { text, number, total } of partsOf(FRAGMENTS[0])) {
      stdout.write(`${text}\n`);
      if (number === total) return;
    }
  }
  const widthOf = (size: number): number => urCode(partsOf(size).next().value.text).length;
  const fitting = sizes.find((size) => fits(widthOf(size), stdout));
  if (fitting === undefined) throw tooSmall(widthOf(sizes.at(-1) ?? FRAGMENTS[0]));
  const parts = partsOf(fitting);
  let back = '';
  const draw = (): void => {
    const part = parts.next().value;
    const rows = urCode(part.text);
    const code = terminalCode({ image: qrBlocks(rows), width: rows.length }, environment).trimEnd();
    // The last line is left open: a line break there would move a window that is just high enough.
    stdout.write(`${back}${titleOf(part)}. ${words}\n${code}`);
    back = `\r\x1b[${linesOf(rows.length) - 1}A\x1b[J`;
  };
  draw();
  const stop = every(FRAME_MS, draw);
  await reached().finally(stop);
  stdout.write('\n');
}

const byInterrupt = ({ onInterrupt }: CliEnvironment): Ending => ({
  words: 'Ctrl-C ends',
  reached: () =>
    new Promise((resolve) => {
      const deafen = onInterrupt(() => {
        deafen();
        resolve();
      });
    }),
});

/** With the words of an ending no wider than the smallest code. */
const titleOf = ({ number, total }: UrPart): string => `Code ${number}, about ${total} needed`;

/** Lines that a code of this width takes, with the line above it. */
const linesOf = (width: number): number => Math.ceil(width / 2) + 1;

const fits = (width: number, { columns = width, rows = linesOf(width) }: TerminalOutput): boolean =>
  width <= columns && linesOf(width) <= rows;

const tooSmall = (width: number): CompanionError =>
  new CompanionError(
    'INVALID_REQUEST',
    `The smallest QR code needs ${width} columns and ${linesOf(width)} lines: make the window larger, or give the signer a file (--output).`,
  );
