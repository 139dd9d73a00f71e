// Prepared payments that nobody prepared, for what keeps, lists and follows them. The PCZT is a real one.

import { createHash } from 'node:crypto';
import { encodePczt } from '@wallet-companion/pczt/pczt';
import { createPczt } from '@wallet-companion/pczt/spending';
import { asTxIdHex } from '@wallet-companion/zcash/identifiers';
import { networkParameters } from '@wallet-companion/zcash/network';
import type { KeyedPayment, StoredPayment } from '../../src/actors/wallet/ports/payment.ts';

const hex = (label: string): string => createHash('sha256').update(label).digest('hex');

export function madeUpPayment(i: number, more: Partial<StoredPayment> = {}): StoredPayment {
  return {
    id: hex(`payment ${i}`).slice(0, 32),
    account: 0,
    createdAt: 1_700_000_000_000 + i,
    txid: asTxIdHex(hex(`payment tx ${i}`)),
    pczt: encodePczt(createPczt(networkParameters('regtest'), 101, 141), 2),
    encoding: 2,
    targetHeight: 101,
    anchorHeight: 98,
    expiryHeight: 141,
    lastHeight: 141,
    payments: [
      { place: 'ironwood', address: 'uregtest1typed', zatoshi: 1_000, memo: 'f6'.padEnd(1024, '0') },
    ],
    change: { pool: 'ironwood', zatoshi: 8_000 },
    fee: 10_000,
    disclosures: [],
    notes: [
      {
        pool: 'ironwood',
        txid: asTxIdHex(hex(`note ${i}`)),
        outputIndex: 0,
        zatoshi: 19_000,
        height: 90,
        position: 7,
      },
    ],
    changeConfirmations: 3,
    state: { kind: 'unsent', refused: null },
    ...more,
  };
}

/** What is kept of its idempotency key. */
export const madeUpKey = ({
  id,
  account,
  createdAt,
  txid,
  fee,
  changeConfirmations,
}: StoredPayment): KeyedPayment => ({
  digest: hex(`asked for ${id}`),
  payment: { id, account, createdAt, txid, fee, changeConfirmations },
  last: null,
});
