// Receipts for what the wallet paid, and the check of any receipt. The transaction is what was sent from here, where it is kept; else
// the source is asked by its txid, as for memos.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { Source, TransactionStatus } from '@wallet-companion/chain/ports';
import { encodeReceiver } from '@wallet-companion/zcash/addresses';
import { asTxIdHex, type TxIdHex, txIdFromHex } from '@wallet-companion/zcash/identifiers';
import { type NetworkParameters, networkParameters } from '@wallet-companion/zcash/network';
import {
  checkReceipt,
  makeReceipts,
  type OutputReceipt,
  parseReceipt,
  type Receipt,
  type ReceiptCheck,
  receiptText,
} from '@wallet-companion/zcash/receipts';
import { parseTransaction, type Transaction } from '@wallet-companion/zcash/transactions';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import { memoBytesView } from '../noteViews/receivedView.ts';
import type { SessionContext } from '../session/sessions.ts';
import { blockSource } from '../source/blockSource.ts';
import { badAnswer } from '../witnesses/witnessFailures.ts';
import { readTransaction } from './ownOutputs.ts';
import { sentBytes } from './paymentState.ts';
import type { SpendingContext } from './proposalContext.ts';
import { refusing } from './request.ts';

const NOT_WHO_PAID =
  'It proves that the output is there, whom it pays, how much and with which memo. It does not prove who paid: everybody who has the receipt can show it.';

export async function receiptsFor(
  context: SpendingContext,
  { txid, pool, output_index: index, label, source }: Input<'receipts.create'>,
): Promise<Output<'receipts.create'>> {
  const { sessions, params, invoices } = context;
  const id = asTxIdHex(txid);
  const transaction = await ownTransaction(context, id, source);
  // The session may have ended during the request to the source.
  const session = sessions.use();
  const words = label ?? invoices.refunds(session).get(id) ?? '';
  const made = makeReceipts(transaction, session.scanKeys, { network: params.network, label: words }).filter(
    ({ receipt }) =>
      (pool === undefined || receipt.pool === pool) && (index === undefined || receipt.outputIndex === index),
  );
  if (made.length === 0)
    throw new CompanionError(
      'NOT_FOUND',
      'The transaction pays nobody else with an output that a key of this wallet opens: there is nothing to give a receipt for.',
    );
  return { receipts: made.map((one) => receiptView(one, params)), warning: NOT_WHO_PAID };
}

const receiptView = (
  { receipt, note }: OutputReceipt,
  params: NetworkParameters,
): Output<'receipts.create'>['receipts'][number] => ({
  pool: receipt.pool,
  output_index: receipt.outputIndex,
  value_zatoshi: Number(note.plaintext.value),
  recipient: encodeReceiver(receipt.pool, note.recipient, params),
  memo: memoBytesView(note.memo),
  label: receipt.label,
  receipt: receiptText(receipt),
});

/** Throws `NOT_FOUND` for a transaction that is neither in the wallet nor among its payments. */
async function ownTransaction(
  { environment, sessions }: SpendingContext,
  id: TxIdHex,
  given: Source | undefined,
): Promise<Transaction> {
  const session = sessions.use();
  const payment = session.payments.all().find(({ txid }) => txid === id);
  const sent = payment === undefined ? null : sentBytes(payment.state);
  if (sent !== null) return parseTransaction(hexToBytes(sent));
  if (session.noteStore.transaction(id) === undefined)
    throw new CompanionError(
      'NOT_FOUND',
      'The wallet has no such transaction that was sent; GET /api/transactions lists them.',
    );
  const found = await askedTransaction({ environment }, id, await blockSource(environment, given));
  if (found === undefined)
    throw new CompanionError(
      'NOT_FOUND',
      'The source does not have the transaction now. Try again, or use the other source.',
    );
  return found;
}

/** Undefined where the source does not know it. */
async function askedTransaction(
  { environment }: Pick<SessionContext, 'environment'>,
  id: TxIdHex,
  source: Source,
): Promise<Transaction | undefined> {
  const raw = await environment.chain.rawTransaction({ source, txid: txIdFromHex(id) });
  if (raw === null) return undefined;
  const transaction = readTransaction(raw, txIdFromHex(id));
  if (transaction !== undefined) return transaction;
  throw badAnswer(
    source,
    'The server answers with another transaction than it was asked for. Try again, or use the other source.',
  );
}

type View = Output<'receipts.verify'>;
type Found = Pick<View, 'chain' | 'mined_height' | 'confirmations'>;

const NOT_ASKED: Found = { chain: 'not_asked', mined_height: null, confirmations: null };
const UNKNOWN: Found = { ...NOT_ASKED, chain: 'unknown' };

/** Needs no wallet. */
export async function checkedReceipt(
  context: SessionContext,
  input: Input<'receipts.verify'>,
): Promise<View> {
  const { environment, params } = context;
  const receipt = refusing('receipt', () => parseReceipt(input.receipt));
  const given =
    input.transaction === undefined
      ? undefined
      : refusing('transaction', () => parseTransaction(hexToBytes(input.transaction!)));
  if (receipt.network !== params.network) return view(receipt, NOT_ASKED, { reason: 'other_network' });
  const challenge = new Uint8Array(Buffer.from(input.challenge ?? '', 'base64url'));
  if (given !== undefined) return view(receipt, NOT_ASKED, checkReceipt(receipt, given, challenge));
  const source = await blockSource(environment, input.source);
  const transaction = await askedTransaction(context, receipt.txid, source);
  if (transaction === undefined) return view(receipt, UNKNOWN, { reason: 'not_found' });
  const found = await placeOf(context, receipt.txid, source);
  return view(receipt, found, checkReceipt(receipt, transaction, challenge));
}

async function placeOf(
  { environment: { chain } }: Pick<SessionContext, 'environment'>,
  id: TxIdHex,
  source: Source,
): Promise<Found> {
  const status: TransactionStatus = await chain.transactionStatus({ source, txid: txIdFromHex(id) });
  if (status.kind === 'unknown') return UNKNOWN;
  if (status.kind === 'mempool') return { ...UNKNOWN, chain: 'not_mined' };
  const tip: Height = (await chain.tip({ source })).height;
  return {
    chain: 'mined',
    mined_height: status.height,
    confirmations: Math.max(1, tip - status.height + 1),
  };
}

type Reason = NonNullable<View['reason']>;

const PENDING: Readonly<Partial<Record<View['chain'], Reason>>> = {
  not_mined: 'not_mined',
  unknown: 'not_in_chain',
};

const WORDS: Readonly<Record<Reason, string>> = {
  not_found:
    'The source does not have the transaction. It may not have been sent yet, or be of another chain: ask again later.',
  not_mined: 'The transaction is not in a block yet: ask again later.',
  not_in_chain:
    'The source has the transaction, but no block of its chain does: a reorganisation may have removed it, and it may be mined again.',
  other_network: 'The receipt is of another network than this companion, which cannot look there.',
  other_transaction: 'The given transaction is another one than the receipt names.',
  bad_signature: 'The signature does not fit: the receipt was changed after it was signed.',
  other_challenge: 'The receipt was made for another question, or for none.',
  no_such_output: 'The transaction has no output of that pool and number.',
  does_not_open: 'The key in the receipt does not open the output: one of them was changed.',
};

function view(receipt: Receipt, found: Found, check: ReceiptCheck | { readonly reason: Reason }): View {
  const opened = 'kind' in check && check.kind === 'valid' ? check.note : undefined;
  const reason = 'reason' in check ? check.reason : (PENDING[found.chain] ?? null);
  const isPending = reason === 'not_found' || (reason !== null && opened !== undefined);
  const { signature, issuerKeyId } = receipt;
  return {
    result: reason === null ? 'valid' : isPending ? 'pending' : 'invalid',
    reason,
    explanation: reason === null ? validWords(found) : WORDS[reason],
    network: receipt.network,
    txid: receipt.txid,
    pool: receipt.pool,
    output_index: receipt.outputIndex,
    label: receipt.label,
    signed: signature !== undefined && reason !== 'bad_signature',
    issuer_pubkey: signature === undefined ? null : bytesToHex(signature.publicKey),
    issuer_key_id: issuerKeyId === '' ? null : issuerKeyId,
    value_zatoshi: opened === undefined ? null : Number(opened.plaintext.value),
    recipient:
      opened === undefined
        ? null
        : encodeReceiver(receipt.pool, opened.recipient, networkParameters(receipt.network)),
    memo: opened === undefined ? null : memoBytesView(opened.memo),
    ...found,
  };
}

const validWords = ({ chain }: Found): string =>
  chain === 'not_asked'
    ? `${NOT_WHO_PAID} Whether the given transaction is in the chain was not looked at.`
    : NOT_WHO_PAID;
