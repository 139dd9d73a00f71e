// Settings that decide who may call and how the wallet is protected. The owner of the files changes them here; they are
// never settable over HTTP, where a malicious page could use them to gain access to everything else.

import path from 'node:path';
import { badField } from '../protocol/errors.ts';
import type { AnonymousAccess } from '../protocol/grants.ts';

/** The names are those of config.json. */
export interface LocalSettings {
  readonly allowed_origins: readonly string[];
  readonly anonymous_access: AnonymousAccess;
  readonly min_confirmations: number;
  readonly auto_lock_seconds: number;
  readonly node_cookie_file: string | null;
}

export interface SettingCommand {
  /** The word after `config`. */
  readonly word: string;
  /** In commander's form: `<needed>` or `[optional]`. */
  readonly argument: string;
  readonly summary: string;
  /** A flag that removes the value from a list. */
  readonly removeFlag?: string;
  change(given: string | undefined, remove: boolean, now: LocalSettings): Partial<LocalSettings>;
}

export const SETTING_COMMANDS: readonly SettingCommand[] = [
  {
    word: 'allow-origin',
    argument: '<origin>',
    summary: 'Let a packaged extension call, such as chrome-extension://abcdefgh',
    removeFlag: 'do not let it call any more',
    change: (given = '', remove, { allowed_origins: now }) => {
      // The address that a browser displays ends with a slash; an Origin header does not.
      const origin = given.replace(/\/$/, '');
      const others = now.filter((known) => known !== origin);
      return { allowed_origins: remove ? others : [...others, origin] };
    },
  },
  {
    word: 'anonymous-access',
    argument: '<level>',
    summary: 'What callers over HTTP may do without a grant: full, read or none',
    change: (given) => ({ anonymous_access: given as AnonymousAccess }),
  },
  {
    word: 'min-confirmations',
    argument: '<number>',
    summary: 'Blocks until a note counts as confirmed (1 to 1,000)',
    change: (given) => ({ min_confirmations: wholeNumber('min-confirmations', given) }),
  },
  {
    word: 'auto-lock-seconds',
    argument: '<number>',
    summary: 'Lock after so many seconds without activity; 0 is never',
    change: (given) => ({ auto_lock_seconds: wholeNumber('auto-lock-seconds', given) }),
  },
  {
    word: 'node-cookie-file',
    argument: '[file]',
    summary:
      "The node's cookie file, read at each use; left out: the node asks for no authentication (not while a companion runs)",
    change: (given) => ({ node_cookie_file: given === undefined ? null : path.resolve(given) }),
  },
];

function wholeNumber(word: string, text = ''): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badField(word.replaceAll('-', '_'), 'must be a whole number', `config ${word} takes a whole number.`);
}
