// Writes PCZTs from the command line: as a file that only the owner can read, as base64, or as QR codes.

import { pcztUr, signBatchUr, type Ur } from '@wallet-companion/devices/ur';
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

export const givePczt = ({ pczt }: Output<'payments.pczt'>, ...to: Destination): Promise<void> =>
  giveBytes(pczt, (bytes) => pcztUr(bytes), ...to);

export const giveBatch = ({ batch, request_id: id }: Output<'payments.batch'>, ...to: Destination) =>
  giveBytes(batch, (data) => signBatchUr({ data, requestId: Buffer.from(id, 'hex') }), ...to);

type Destination = [file: OutputFile | undefined, qr: boolean, environment: CliEnvironment];

async function giveBytes(
  base64: string,
  urOf: (bytes: Uint8Array) => Ur,
  ...[file, qr, environment]: Destination
): Promise<void> {
  const { stdout, stderr } = environment;
  if (file !== undefined) {
    await writeOutputFile(file, bytesOf(base64));
    stderr.write(`${file.path} is written.\n`);
  }
  if (qr) await showMovingCode(urOf(Buffer.from(base64, 'base64')), environment);
  else if (file === undefined) stdout.write(`${base64}\n`);
}

export async function* bytesOf(base64: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(base64, 'base64');
}
