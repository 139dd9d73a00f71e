// The server's answer to a sent transaction. Nodes answer with a code and words, compact servers pass both on, and only
// the words distinguish refusals: those of zebrad 7 and zcashd are known here.

import { equalBytes } from '@wallet-companion/base/bytes';
import { CompanionError, type ErrorCode } from '@wallet-companion/client/contract';
import { type TxId, txIdToHex } from '@wallet-companion/zcash/identifiers';
import type { RefusalReason, SendOutcome } from '../ports/types.ts';
import { txidOf } from './mempoolPacking.ts';

/** A block has at most so many, and the transaction must fit into one. */
const MAX_TRANSACTION_BYTES = 2_000_000;
const MAX_TEXT = 200;

/** Codes of JSON-RPC, and of nodes. */
const PARSE_ERROR = -32_700;
const LAST_PROTOCOL_ERROR = -32_000;
const NOT_CONNECTED = -9;
const IN_INITIAL_DOWNLOAD = -10;
const NOT_DESERIALIZED = -22;
const ALREADY_IN_CHAIN = -27;
const WARMING_UP = -28;

/** Words with hyphens are zcashd's. A queued transaction is known too, if not decided on. */
const KNOWN =
  /already exists in mempool|already queued|committed to the best chain|already in state|already in block chain|txn-already-(?:in-mempool|known)/i;

/** The transaction may be accepted later, or may have been by now. */
const UNDECIDED =
  /timeout waiting for verification|verification (?:was )?cancelled|queue is full|state service/i;
const BEHIND = /synchronization is behind/i;

/** The first match counts. Most refusals of zebrad begin with words about failed validation. */
const REASONS: readonly (readonly [RegExp, RefusalReason])[] = [
  [
    /reached transaction expiry height|greater than its expiry|tx-(?:overwinter-expired|expiring-soon)/i,
    'expired',
  ],
  [
    /duplicate[ -]nullifier|double-spend|nullifiers were revealed|already spent some of its inputs|txn-mempool-conflict/i,
    'conflict',
  ],
  [/ZIP 218 limit/i, 'limit'],
  [/ZIP-317 transaction rules|unpaid action|minimum fee|min(?:imum)? relay fee|insufficient fee/i, 'fee'],
  [
    /did not pass (?:consensus|standard) validation|non-standard|bad-txns|anchor|io error|Invalid character/i,
    'invalid',
  ],
];

/** The server, for messages. */
export interface SentTo {
  /** "The chain node at ..." */
  readonly who: string;
  readonly badResponse: ErrorCode;
}

/** The bytes must be what the caller states: `INVALID_REQUEST`. */
export function checkSendable(raw: unknown, txid: TxId): void {
  const isWhole = raw instanceof Uint8Array && raw.length > 0 && raw.length <= MAX_TRANSACTION_BYTES;
  const own = isWhole ? txidOf(raw) : undefined;
  if (own !== undefined && isTxid(txid) && equalBytes(own, txid)) return;
  throw new CompanionError('INVALID_REQUEST', 'What is to be sent is not the transaction of this txid.');
}

/** `INVALID_REQUEST` otherwise. */
export function checkTxid(txid: unknown): void {
  if (!isTxid(txid)) throw new CompanionError('INVALID_REQUEST', 'A txid has 32 bytes.');
}

const isTxid = (txid: unknown): boolean => txid instanceof Uint8Array && txid.length === 32;

/** The answer to an accepted transaction: its txid, in display order. */
export function parseAccepted(reported: unknown, txid: TxId, { who, badResponse }: SentTo): SendOutcome {
  if (typeof reported === 'string' && reported.toLowerCase() === txIdToHex(txid)) return { kind: 'accepted' };
  const what = 'took a transaction, and answered with the txid of another one';
  throw new CompanionError(badResponse, `${who} ${what}.`);
}

/** The words are about a transaction that the node has already. */
export const meansKnown = (words: string): boolean => KNOWN.test(words);

/** The answer to a refused one. Throws where the answer is not about the transaction. */
export function parseRefused(code: number, words: string, to: SentTo): SendOutcome {
  if (code === ALREADY_IN_CHAIN || meansKnown(words)) return { kind: 'known' };
  checkDecided(code, words, to);
  const reason = REASONS.find(([pattern]) => pattern.test(words))?.[1];
  const otherwise = code === NOT_DESERIALIZED ? 'invalid' : 'other';
  return { kind: 'refused', reason: reason ?? otherwise, text: presentable(words) };
}

function checkDecided(code: number, words: string, { who, badResponse }: SentTo): void {
  if (code === WARMING_UP) {
    throw new CompanionError(badResponse, `${who} is still starting; try again in a moment.`);
  }
  if (code >= PARSE_ERROR && code <= LAST_PROTOCOL_ERROR) {
    throw new CompanionError(badResponse, `${who} does not take transactions (error ${code}).`);
  }
  if (code === NOT_CONNECTED || code === IN_INITIAL_DOWNLOAD || BEHIND.test(words)) {
    const what = 'is still catching up with the chain, and takes no transactions until then';
    throw new CompanionError('NODE_BEHIND', `${who} ${what}.`);
  }
  if (UNDECIDED.test(words)) {
    throw new CompanionError('UPSTREAM_TIMEOUT', `${who} has not decided on the transaction.`);
  }
}

const NOT_PRINTABLE = /[^\x20-\x7e]+/g;
/** A file on the server's machine, or an address that only the server knows. */
const PLACE = /(?:\b[a-z][a-z0-9+.-]*:\/\/|\b[A-Za-z]:\\|(?<![\w.~/-])(?:~|\.{1,2})?\/)[^\s'"()<>]+/g;

/** The first line of a server's text, for people to read. */
export function presentable(words: string): string {
  const [line = ''] = words
    .slice(0, 10 * MAX_TEXT)
    .trim()
    .split(/[\r\n]/);
  return line.replace(NOT_PRINTABLE, ' ').replace(PLACE, '...').trim().slice(0, MAX_TEXT);
}
