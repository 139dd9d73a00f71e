// What the table says about one operation. Every front is a loop over these records.

import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';

/** `service`: the main thread itself, about what it does besides. */
export type Actor = 'wallet' | 'chain' | 'service';

/**
 * `anyone`: no secret needed. `session`: the wallet must be unlocked. `password`: the input carries the password and no
 * session is needed. `session_or_password`: an optional password opens the session when there is none.
 */
export type Access = 'anyone' | 'session' | 'password' | 'session_or_password';

/** One member of an answer, to be saved or shown by itself. */
export interface FileAnswer {
  /** Media type. */
  readonly type: string;
  readonly member: string;
  readonly base64?: true;
  readonly name: string;
}

export interface Operation {
  /** The thread that answers. */
  readonly actor: Actor;
  readonly access: Access;
  readonly summary: string;
  /**
   * Strict and flat: every surface can offer each member as a query parameter, a flag or a JSON field. A list of names is
   * text with commas where there is text alone, a list of objects is JSON text.
   */
  readonly input: z.ZodObject;
  /** Of an input as JSON, where 64 KiB are too few; the wallet actor's alone (inputLimits.ts). */
  readonly maxInputBytes?: number;
  readonly output: z.ZodType;
  readonly http: {
    readonly method: 'GET' | 'POST';
    readonly path: `/api/${string}`;
    /** 200 where it is left out. */
    readonly status?: 202;
    /** By the `format` of the answer: what comes instead of it, unless the request accepts JSON by name. */
    readonly files?: Readonly<Record<string, FileAnswer>>;
  };
  /** Command of the in-process and desktop surfaces; the C function is this with `companion_` before it. */
  readonly ipc: string;
  readonly cli: {
    readonly words: readonly string[];
    /** Input members given as arguments rather than flags, in order. */
    readonly positional?: readonly string[];
    /** Of these, bytes in base64: the argument names the file that has them. */
    readonly files?: readonly string[];
    /** Password prompts ask twice: a typo here would lock the owner out. */
    readonly confirmPassword?: true;
    /** How people are shown the answer, where the fields and tables of any answer do not do (src/cli/views.ts). */
    readonly view?: 'inspection' | 'payment' | 'payments';
    /** The columns of its list that fit a terminal; --json has all of them. */
    readonly columns?: readonly string[];
    /** Its amounts are shown as unknown while `as_of_height` is null. */
    readonly amountsFromScan?: true;
    /** The answer goes to a file or to standard output by itself (src/cli/fileAnswer.ts, paymentFile.ts). */
    readonly file?: 'export' | 'code' | 'prepared' | 'pczt';
    /** One command for many calls, with their progress (src/cli/syncRun.ts). */
    readonly repeated?: true;
    /** It shows config.json: people are told of names there that are no setting. */
    readonly showsConfig?: true;
    /** An answer with no signature and no proof added is no success for scripts. */
    readonly mustAdd?: true;
    /** What people are told after the answer. */
    readonly warning?: string;
    /** What people are told instead of the answer where no companion goes on running after the command. */
    readonly withoutCompanion?: string;
  };
  /** Codes that this operation can answer with, besides `COMMON_ERRORS`. */
  readonly errors: readonly ErrorCode[];
  /** It takes as long as it takes: any other that does not end in time has a stuck thread (workers/companion.ts). */
  readonly hasNoDeadline?: true;
  /** It makes the wallet: the wallet that it names need not exist yet. */
  readonly makesWallet?: true;
  /** Of the companion as a whole, though the default wallet's thread answers: no other wallet has it. */
  readonly ofCompanion?: true;
  /** The password is not one of its own fields (checkedPassword.ts), so its handler never sees it. */
  readonly checksPassword?: true;
}

/** What any operation can answer with. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'INTERNAL',
  // The data directory itself may be inaccessible.
  'STORAGE_FAILED',
  'BUSY',
  'THREAD_LOST',
];

export const NEEDS_SESSION: readonly ErrorCode[] = ['NO_WALLET', 'WALLET_LOCKED'];
export const NEEDS_PASSWORD: readonly ErrorCode[] = [
  'NO_WALLET',
  'INVALID_PASSWORD_FORMAT',
  'WRONG_PASSWORD',
  'TOO_MANY_ATTEMPTS',
  'WALLET_CORRUPT',
  // The wallet belongs to another network than the companion's.
  'NETWORK_MISMATCH',
];
export const ASKS_NODE: readonly ErrorCode[] = [
  'INVALID_URL',
  'NODE_UNREACHABLE',
  'NODE_UNAUTHORIZED',
  'NODE_BAD_RESPONSE',
  'NETWORK_MISMATCH',
  'UPSTREAM_TIMEOUT',
];
export const ASKS_COMPACT_SERVER: readonly ErrorCode[] = [
  'INVALID_URL',
  'COMPACT_SERVER_UNREACHABLE',
  'COMPACT_SERVER_BAD_RESPONSE',
  'NETWORK_MISMATCH',
  'UPSTREAM_TIMEOUT',
];
