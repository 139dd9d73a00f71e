// Whether the last backup of everything is long ago: what a person hears of it, and the doctor's check. The chain brings notes
// back, but not invoices, contacts, labels and payments that are not sent.

import type { Check } from '../../protocol/operations/system.ts';
import type { Output } from '../../protocol/operations.ts';
import { ok, warn } from './check.ts';

const DAY_MS = 86_400_000;
const MOST_DAYS = 30;

const TODO =
  'Run "wallet-companion backup FILE" and keep the file on another disk; docs/operations/backup.md has a line for cron.';

/** `last`: RFC 3339; `now`: milliseconds since 1970. A time ahead of the clock is no backup to rely on. */
export function reminderOf(last: string | null, hasWallet: boolean, now: number): Output<'system.backup'> {
  const days = last === null ? undefined : (now - Date.parse(last)) / DAY_MS;
  const overdue = hasWallet && (days === undefined || days > MOST_DAYS || days < -1);
  return { last_backup_at: last, overdue, warning: overdue ? `${sentenceOf(days)} ${TODO}` : null };
}

const sentenceOf = (days: number | undefined): string =>
  days === undefined
    ? 'No backup of invoices, contacts, labels and payments is known.'
    : days < 0
      ? "The last backup is dated ahead of this computer's clock."
      : `The last backup is ${Math.floor(days)} days old.`;

export const backupCheck = ({ overdue, warning, last_backup_at: last }: Output<'system.backup'>): Check =>
  overdue && warning !== null
    ? warn('backup', warning.replace(` ${TODO}`, ''), TODO)
    : ok(
        'backup',
        last === null ? 'There is no wallet to back up yet.' : `The last backup is of ${last.slice(0, 10)}.`,
      );
