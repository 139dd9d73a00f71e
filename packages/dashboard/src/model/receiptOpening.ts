// The check of receipts where there is no companion: what each opens of a transaction that is given, computed here.

import { bytesToHex, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { encodeReceiver } from '@wallet-companion/zcash/addresses';
import { networkParameters } from '@wallet-companion/zcash/network';
import { parseMemo } from '@wallet-companion/zcash/notes';
import { checkReceipt, parseReceipt, type Receipt } from '@wallet-companion/zcash/receipts';
import { parseTransaction, type Transaction } from '@wallet-companion/zcash/transactions';
import { receiptsTexts } from '../texts/receipts.ts';
import { Objection } from './problems.ts';
import { receiptsIn, type Shown, type Verdict } from './receipts.ts';

/** `hex`: the transaction, empty where none is given. Throws an objection where it is none. */
export function openReceipts(text: string, hex: string): readonly Verdict[] {
  const transaction = hex === '' ? undefined : transactionIn(hex);
  return receiptsIn(text).map((one): Verdict => {
    const receipt = unlessMalformed(() => parseReceipt(one));
    if (receipt === undefined) return { kind: 'unreadable' };
    const { network, txid } = receipt;
    if (transaction === undefined) return { kind: 'incomplete', network, txid };
    return { kind: 'checked', answer: opened(receipt, transaction) };
  });
}

function transactionIn(hex: string): Transaction {
  const isHex = /^(?:[0-9a-f]{2})+$/.test(hex);
  const transaction = isHex ? unlessMalformed(() => parseTransaction(hexToBytes(hex))) : undefined;
  if (transaction === undefined) throw new Objection(receiptsTexts().notHex, 'transaction');
  return transaction;
}

function unlessMalformed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof FormatError) return undefined;
    throw thrown;
  }
}

function opened(receipt: Receipt, transaction: Transaction): Shown {
  const { network, txid, pool, outputIndex, label, signature } = receipt;
  const check = checkReceipt(receipt, transaction);
  const isValid = check.kind === 'valid';
  return {
    result: check.kind,
    reason: isValid ? null : check.reason,
    network,
    txid,
    pool,
    output_index: outputIndex,
    label,
    signed: isValid && check.isSigned,
    issuer_pubkey: signature === undefined ? null : bytesToHex(signature.publicKey),
    value_zatoshi: isValid ? Number(check.note.plaintext.value) : null,
    recipient: isValid ? encodeReceiver(pool, check.note.recipient, networkParameters(network)) : null,
    memo: isValid ? memoIn(check.note.memo) : null,
    chain: 'not_asked',
    mined_height: null,
    confirmations: null,
  };
}

function memoIn(bytes: Uint8Array): Shown['memo'] {
  const memo = parseMemo(bytes);
  if (memo.kind === 'none') return null;
  return memo.kind === 'text' ? { text: memo.text } : { hex: bytesToHex(bytes) };
}
