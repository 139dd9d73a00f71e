// Writes PCZTs from the command line: as a file that only the owner can read, as base64, or as QR codes.

import type { Output } from '../protocol/operations.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import { showMovingCode } from './movingCode.ts';
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
  if (qr) await showMovingCode(Buffer.from(pczt, 'base64'), environment);
  else if (file === undefined) stdout.write(`${pczt}\n`);
}

export async function* bytesOf(base64: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(base64, 'base64');
}
