// What `backup` and `restore` do: the password first, then the file, and a sentence at the end.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { normalForm } from '@wallet-companion/base/values';
import { newPasswordProblem } from '@wallet-companion/client/contract';
import { badField, CompanionError } from '../protocol/errors.ts';
import { Prompt } from '../terminal/prompt.ts';
import type { BackupCall } from './backupCommand.ts';
import type { CliEnvironment } from './cliEnvironment.ts';
import { jsonText } from './jsonText.ts';
import { printSentences } from './output.ts';
import { refuseExisting, writeOutputFile } from './outputFile.ts';
import { readSecret, type SecretSource } from './secrets.ts';

export async function runBackup(call: BackupCall, environment: CliEnvironment): Promise<number> {
  if (call.url !== undefined)
    throw new CompanionError('INVALID_REQUEST', 'A backup is made where the files are; leave --url out.');
  await (call.action === 'backup' ? backUp(call, environment) : restore(call, environment));
  return 0;
}

async function backUp(
  { file, force, json, local, password: source }: BackupCall,
  environment: CliEnvironment,
): Promise<void> {
  await refuseExisting({ path: file, force });
  const password = await backupPassword(source, environment, true);
  try {
    await writeOutputFile({ path: file, force }, environment.backupOf(local, password));
  } finally {
    password.fill(0);
  }
  await environment.markBackup(local);
  const { size } = await stat(file);
  if (json) environment.stdout.write(jsonText({ file, bytes: size }));
  else
    printSentences(
      `Everything is in ${file} (${(size / 1e6).toFixed(1)} MB). It opens with the password that you just gave, and each wallet in it with its own. Keep it on another disk, and the recovery phrases on paper.`,
      environment,
    );
}

async function restore(
  { file, json, local, password: source }: BackupCall,
  environment: CliEnvironment,
): Promise<void> {
  await requireReadable(file);
  const password = await backupPassword(source, environment, false);
  try {
    const restored = await environment.restoreBackup(local, file, password);
    if (json) environment.stdout.write(jsonText(restored));
    else
      printSentences(
        `Restored from the backup of ${restored.made_at}: ${restored.wallets.join(', ')}. Start it with "wallet-companion serve" and unlock each wallet with its own password. Then "wallet-companion sync --to-tip" scans what came since. Payments made after the backup are unknown here: let them be mined or expire before you pay again.`,
        environment,
      );
  } finally {
    password.fill(0);
  }
}

/** As bytes, in the form of every password here. The rule for new ones holds for files of passwords too. */
async function backupPassword(
  source: SecretSource,
  environment: CliEnvironment,
  isNew: boolean,
): Promise<Uint8Array> {
  const text = normalForm(await readSecret('password', source, new Prompt(environment), isNew), 'NFKC');
  const problem = isNew ? newPasswordProblem(text) : undefined;
  if (problem !== undefined) throw badField('password', 'is too short', problem);
  return new TextEncoder().encode(text);
}

/** Before the password is asked for. */
async function requireReadable(file: string): Promise<void> {
  try {
    for await (const _piece of createReadStream(file, { end: 0 }));
  } catch (cause) {
    throw new CompanionError('INVALID_REQUEST', `${file} cannot be read.`, { cause });
  }
}
