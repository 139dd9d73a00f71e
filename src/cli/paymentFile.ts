// Writes PCZTs from the command line: as a file that only the owner can read, as base64, or as QR codes.

import type { Output } from '../protocol/operations.ts';
import { qrBlocks } from '../qr/qrBlocks.ts';
import { framesOf } from '../qr/qrFrames.ts';
import { qrMatrix } from '../qr/qrMatrix.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import { terminalCode } from './fileAnswer.ts';
import { type OutputFile, writeOutputFile } from './outputFile.ts';
import { paymentLines } from './paymentText.ts';
import type { ShowCommand } from './shownCommand.ts';

/** Writes the bytes, and shows on the screen what is to be signed. */
export async function givePrepared(
  payment: Output<'payments.prepare'>,
  file: OutputFile | undefined,
  { width, show }: { readonly width: number; readonly show: ShowCommand },
  { stdout, stderr }: CliEnvironment,
): Promise<void> {
  // The payment is shown first: if the file cannot be written, the user still sees which payment reserves the notes.
  stdout.write(`${paymentLines(payment, width, show).join('\n')}\n`);
  if (file === undefined) return;
  await writeOutputFile(file, bytesOf(payment.pczt));
  stderr.write(`${file.path} is written.\n`);
}

export async function givePczt(
  { pczt }: Output<'payments.pczt'>,
  file: OutputFile | undefined,
  qr: boolean,
  environment: CliEnvironment,
): Promise<void> {
  const { stdout, stderr } = environment;
  if (file !== undefined) {
    await writeOutputFile(file, bytesOf(pczt));
    stderr.write(`${file.path} is written.\n`);
  }
  if (qr) for (const [at, frame] of framesOf(pczt).entries()) showFrame(frame, at, environment);
  else if (file === undefined) stdout.write(`${pczt}\n`);
}

async function* bytesOf(base64: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(base64, 'base64');
}

function showFrame(frame: string, at: number, environment: CliEnvironment): void {
  const matrix = qrMatrix(frame);
  if (matrix === undefined) throw new RangeError('a frame fits no QR code');
  const image = qrBlocks(matrix);
  const [place = ''] = frame.split(' ');
  const title = place.replace(/^p(\d+)of(\d+)$/, '$1 of $2');
  environment.stdout.write(`${at === 0 ? '' : '\n'}${title}\n`);
  environment.stdout.write(terminalCode({ image, width: matrix.length }, environment));
}
