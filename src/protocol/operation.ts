// The type of one row of the operation table. Every front is a loop over these records.

import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { CallingGrant, Owned, Reach } from './grants.ts';

/** `service`: the main thread answers, about its other work. */
export type Actor = 'wallet' | 'chain' | 'service';

/**
 * `anyone`: no secret needed. `session`: the wallet must be unlocked. `password`: the input carries the password and no
 * session is needed. `session_or_password`: an optional password opens the session when there is none.
 * `owner_or_password`: the owner (command line, private socket) needs no password, everyone else does.
 */
export type Access = 'anyone' | 'session' | 'password' | 'session_or_password' | 'owner_or_password';

/** One member of an answer that is saved or shown by itself. */
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
  /** Which grants are open to it (docs/grants.md). */
  readonly reach: Reach;
  /** The input names payments, or an invoice, that the grant must have made itself unless those of others are open to it. */
  readonly owns?: Owned;
  /** What a grant gets of the answer, where that is not all of it. */
  readonly answerFor?: (grant: CallingGrant, answer: never) => object;
  readonly summary: string;
  /**
   * Strict and flat: every surface can offer each member as a query parameter, a flag or a JSON field. A list of names is
   * text with commas where there is text alone, a list of objects is JSON text.
   */
  readonly input: z.ZodObject;
  /** The limit of the JSON input where 64 KiB are too few; only for the wallet actor (inputLimits.ts). */
  readonly maxInputBytes?: number;
  readonly output: z.ZodType;
  readonly http: {
    readonly method: 'GET' | 'POST';
    readonly path: `/api/${string}`;
    /** The status is 200 where this is left out. */
    readonly status?: 202;
    /** What replaces an answer, by its `format`, unless the request accepts JSON by name. */
    readonly files?: Readonly<Record<string, FileAnswer>>;
  };
  /** Command of the in-process and desktop surfaces; the C function has this name after `companion_`. */
  readonly ipc: string;
  readonly cli: {
    readonly words: readonly string[];
    /** Earlier words that still work. */
    readonly formerly?: readonly string[];
    /** Input members given as arguments rather than flags, in order. */
    readonly positional?: readonly string[];
    /** The positional members that are bytes in base64: the argument names the file that contains them. */
    readonly files?: readonly string[];
    /** Password prompts ask twice: a typing error here would lock the owner out. */
    readonly confirmPassword?: true;
    /** A view for answers that the general fields and tables do not show well (src/cli/views.ts). */
    readonly view?: 'checks' | 'inspection' | 'payment' | 'payments' | 'transactions';
    /** The columns of the answer's list, those first that matter most: a narrow terminal leaves the last ones out. */
    readonly columns?: readonly string[];
    /** The single values that people need; --json has all of them. */
    readonly lines?: readonly string[];
    /** Shows the amounts as unknown while `as_of_height` is null. */
    readonly amountsFromScan?: true;
    /** Writes the answer alone to a file or to standard output (src/cli/fileAnswer.ts, paymentFile.ts). */
    readonly file?: 'batch' | 'export' | 'code' | 'prepared' | 'pczt' | 'text';
    /** One command makes many calls, and shows their progress (src/cli/syncRun.ts). */
    readonly repeated?: true;
    /** The command shows config.json: it also reports names there that are no setting. */
    readonly showsConfig?: true;
    /** `--scan` reads the account, and what signs for it, from the QR codes of a device (src/cli/scannedAccount.ts). */
    readonly scans?: true;
    /** `--to` takes an address, a contact or a payment request, and sets the field of each. */
    readonly takesRecipient?: true;
    /** On a terminal, words of the recovery phrase are asked for (src/cli/phraseWords.ts): after the answer, or in its place. */
    readonly asksWords?: 'after' | 'instead';
    /** After the answer comes a reminder where the last backup is long ago. */
    readonly remindsOfBackup?: true;
    /** An answer with no signature and no proof added counts as failure for scripts. */
    readonly mustAdd?: true;
    /** An answer with a failed check counts as failure for scripts; it is also given where no companion can start. */
    readonly mustPass?: true;
    /** An answer with differences counts as failure for scripts. */
    readonly mustEqual?: true;
    /** An answer that proves nothing counts as failure for scripts. */
    readonly mustProve?: true;
    /** Other words for flags, by member. */
    readonly flags?: Readonly<Record<string, string>>;
    /** `--wallet` names the wallets of the input, with commas between them. */
    readonly takesWallets?: true;
    /** A text that the command line shows after the answer. */
    readonly warning?: string;
    /** A text shown instead of the answer where no companion goes on running after the command. */
    readonly withoutCompanion?: string;
  };
  /** The answer has amounts of the wallet's funds: the wallet actor adds why they are not what they seem (`warning`). */
  readonly hasFunds?: true;
  /** Codes that this operation can return, besides `COMMON_ERRORS`. */
  readonly errors: readonly ErrorCode[];
  /** No time limit applies; any other operation that does not end in time has a stuck thread (workers/companion.ts). */
  readonly hasNoDeadline?: true;
  /** The operation creates the wallet: the wallet that the call names need not exist yet. */
  readonly makesWallet?: true;
  /** The wallet that the call names is gone when it has succeeded. */
  readonly removesWallet?: true;
  /** The answer for a name without a wallet, where that is no failure (`NO_WALLET`). */
  readonly answerOfNone?: object;
  /** The operation belongs to the whole companion, though the default wallet's thread answers: no other wallet has it. */
  readonly ofCompanion?: true;
  /** Where this is set in config.json the password has to come with each call. */
  readonly needsPasswordBy?: 'broadcast_needs_password';
  /** The password is not one of the operation's fields (operations.ts), so its handler never sees it. */
  readonly checksPassword?: true;
  /** The password, one of its fields, is checked first all the same: only an open wallet knows whose the named payment is. */
  readonly alsoUsesPassword?: true;
}

/** Codes that any operation can return. */
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
  // The wallet belongs to another network than the companion does.
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
export const ASKS_PEERS: readonly ErrorCode[] = ['PEERS_UNREACHABLE', 'PEERS_BAD_RESPONSE'];
/** The source of blocks, whichever it is. */
export const ASKS_SOURCE: readonly ErrorCode[] = [
  ...new Set([...ASKS_NODE, ...ASKS_COMPACT_SERVER, ...ASKS_PEERS, 'CHAIN_OF_LESS_WORK' as const]),
];
