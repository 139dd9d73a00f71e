// Makes receipts for the outputs of a transaction, and checks one against the transaction: which output it opens, and to whom, how
// much and with which memo that output pays. Who paid is not proved: everybody who has a receipt has its key.

import { ed25519 } from '@noble/curves/ed25519.js';
import {
  asciiBytes,
  concatBytes,
  equalBytes,
  hexToBytes,
  leBytesToBigint,
  u32ToLeBytes,
} from '@wallet-companion/base/bytes';
import type { Transaction } from '../encoding/transaction.ts';
import { txid } from '../encoding/txid.ts';
import { txIdToHex } from '../identifiers.ts';
import type { IncomingKey } from '../keys/decryptionKeys.ts';
import { MAX_MONEY, type Network } from '../network.ts';
import { everAllowedLeadBytes } from '../notes/leadBytes.ts';
import type { NoteScheme } from '../notes/noteScheme.ts';
import { NOTE_SCHEMES } from '../notes/noteSchemes.ts';
import { outgoingCipherKey, type RecoveredNote, tryRecoverNoteWithOck } from '../notes/recovery.ts';
import { POOL, POOLS, type Pool } from '../pools.ts';
import type { EnhancementKeys } from '../scan/enhanceTransactions.ts';
import { fullOutput } from '../scan/fullOutput.ts';
import { outputsOf } from '../scan/readRawBlock.ts';
import type { Receipt } from './receipt.ts';

/** A receipt, and what it shows. */
export interface OutputReceipt {
  readonly receipt: Receipt;
  readonly note: RecoveredNote;
}

/** Why a receipt proves nothing about the transaction. */
export type InvalidReceipt =
  /** The bytes are of another transaction. */
  | 'other_transaction'
  | 'bad_signature'
  /** It was made for another question, or for none. */
  | 'other_challenge'
  | 'no_such_output'
  /** The key does not open the output: one of them was changed, or it is of another output. */
  | 'does_not_open';

export type ReceiptCheck =
  | { readonly kind: 'valid'; readonly note: RecoveredNote; readonly isSigned: boolean }
  | { readonly kind: 'invalid'; readonly reason: InvalidReceipt };

/**
 * Receipts for every output that one of the outgoing viewing keys opens, save those at addresses of the incoming ones: change, and
 * what one pays oneself. They have no challenge and no signature.
 */
export function makeReceipts(
  transaction: Transaction,
  { incoming, outgoing }: EnhancementKeys,
  { network, label }: Pick<Receipt, 'network' | 'label'>,
): OutputReceipt[] {
  const id = txIdToHex(txid(transaction));
  const ovks = outgoing.map(({ ovk }) => ovk);
  const made: OutputReceipt[] = [];
  for (const pool of POOLS) {
    const own = incoming.filter(({ protocol }) => protocol === POOL[pool].protocol);
    for (let outputIndex = 0; outputIndex < outputsOf(transaction, pool).records.count; outputIndex++) {
      const opened = openWithAny(transaction, pool, outputIndex, ovks);
      if (opened === undefined || isPaidTo(NOTE_SCHEMES[pool], opened.note.recipient, own)) continue;
      const { ock, note } = opened;
      const challenge = new Uint8Array(0);
      const receipt = { network, pool, txid: id, outputIndex, ock, label, challenge, issuerKeyId: '' };
      made.push({ receipt, note });
    }
  }
  return made;
}

/** Whether the receiver is an address of one of the keys, whichever key the sender gave the output. */
function isPaidTo<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  recipient: Uint8Array,
  keys: readonly IncomingKey[],
): boolean {
  const gd = scheme.diversifyHash(recipient.subarray(0, 11));
  if (gd === undefined || keys.length === 0) return false;
  const scalars = keys.map(({ ivk }) => scheme.prepareScalar(leBytesToBigint(ivk)));
  return scheme
    .multiply(gd, scalars)
    .some((pkd) => pkd !== undefined && equalBytes(scheme.encode(pkd), recipient.subarray(11)));
}

function openWithAny(
  transaction: Transaction,
  pool: Pool,
  index: number,
  ovks: readonly Uint8Array[],
): { readonly ock: Uint8Array; readonly note: RecoveredNote } | undefined {
  for (const ovk of ovks) {
    const ock = outgoingCipherKey(NOTE_SCHEMES[pool], outputAt(transaction, pool, index), ovk);
    const note = openOutput(transaction, pool, index, ock);
    if (note !== undefined) return { ock, note };
  }
  return undefined;
}

/** `challenge`: what the reader has asked for; empty for nothing. Whether the transaction is in the chain is another question. */
export function checkReceipt(
  receipt: Receipt,
  transaction: Transaction,
  challenge: Uint8Array = new Uint8Array(0),
): ReceiptCheck {
  const invalid = (reason: InvalidReceipt): ReceiptCheck => ({ kind: 'invalid', reason });
  if (txIdToHex(txid(transaction)) !== receipt.txid) return invalid('other_transaction');
  const { signature, pool, outputIndex, ock } = receipt;
  if (signature !== undefined && !isSignedBy(signature, signedBytes(receipt)))
    return invalid('bad_signature');
  if (!equalBytes(receipt.challenge, challenge)) return invalid('other_challenge');
  if (outputIndex >= outputsOf(transaction, pool).records.count) return invalid('no_such_output');
  const note = openOutput(transaction, pool, outputIndex, ock);
  return note === undefined
    ? invalid('does_not_open')
    : { kind: 'valid', note, isSigned: signature !== undefined };
}

function outputAt(transaction: Transaction, pool: Pool, index: number) {
  const { encCiphertext: ciphertext, ...output } = fullOutput(transaction, pool, index);
  return { ...output, ciphertext };
}

function openOutput(
  transaction: Transaction,
  pool: Pool,
  index: number,
  ock: Uint8Array,
): RecoveredNote | undefined {
  const output = outputAt(transaction, pool, index);
  const note = tryRecoverNoteWithOck(NOTE_SCHEMES[pool], output, ock, everAllowedLeadBytes(pool));
  return note !== undefined && note.plaintext.value <= MAX_MONEY ? note : undefined;
}

const NETWORK_BYTE: Readonly<Record<Network, number>> = { main: 0, test: 1, regtest: 2 };
const POOL_BYTE: Readonly<Record<Pool, number>> = { ironwood: 0, orchard: 1, sapling: 2 };

/** What a signature is over: every field that a reader is shown. */
export function signedBytes({ network, pool, txid: id, outputIndex, ock, ...texts }: Receipt): Uint8Array {
  const counted = (bytes: Uint8Array): Uint8Array => concatBytes(u32ToLeBytes(bytes.length), bytes);
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  return concatBytes(
    asciiBytes('zeceipt-v0'),
    Uint8Array.of(NETWORK_BYTE[network], POOL_BYTE[pool]),
    hexToBytes(id),
    u32ToLeBytes(outputIndex),
    ock,
    counted(encode(texts.label)),
    counted(texts.challenge),
    counted(encode(texts.issuerKeyId)),
  );
}

/** RFC 8032, strictly. */
export function isSignedBy(
  { publicKey, bytes }: NonNullable<Receipt['signature']>,
  message: Uint8Array,
): boolean {
  try {
    return ed25519.verify(bytes, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}
