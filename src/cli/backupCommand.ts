// `backup` and `restore` as commands: everything in one file, sealed with a password of its own. Each wallet in it stays under
// its own too.

import type { Command } from 'commander';
import type { LocalOptions } from './cliEnvironment.ts';
import type { SecretSource } from './secrets.ts';

export interface BackupCall {
  readonly action: 'backup' | 'restore';
  readonly file: string;
  /** Whether a backup may replace the file. */
  readonly force: boolean;
  readonly json: boolean;
  readonly url: string | undefined;
  readonly local: LocalOptions;
  /** The backup's. */
  readonly password: SecretSource;
}

type BackupPlace = Pick<BackupCall, 'json' | 'url' | 'local' | 'password'>;

export function addBackup(
  root: Command,
  run: (call: BackupCall) => Promise<void>,
  where: () => BackupPlace,
): void {
  root
    .command('backup')
    .argument('<file>', 'where it is written, readable by you alone')
    .description(
      'Write all wallets, with payments, invoices, contacts and settings, to one file sealed with a password of its own (--password-file, or asked for)',
    )
    .option('--force', 'replace the file when it is there')
    .action((file: string, { force }: { readonly force?: true }) =>
      run({ ...where(), action: 'backup', file, force: force === true }),
    );
  root
    .command('restore')
    .argument('<file>', 'what "backup" wrote')
    .description(
      'Put everything of a backup into a folder without wallets (--data-dir), here or on another machine',
    )
    .action((file: string) => run({ ...where(), action: 'restore', file, force: false }));
}
