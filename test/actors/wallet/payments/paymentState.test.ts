// What became of a payment follows from what was scanned: each row is a state of the wallet, and what it makes of one.

import { decodePczt, EMPTY_SAPLING, encodePczt } from '@wallet-companion/pczt/pczt';
import { asTxIdHex } from '@wallet-companion/zcash/identifiers';
import { networkParameters } from '@wallet-companion/zcash/network';
import test from 'ava';
import { spentKeysOf } from '../../../../src/actors/wallet/payments/book/paymentBook.ts';
import {
  type PaymentContext,
  reservations,
  stateOf,
} from '../../../../src/actors/wallet/payments/paymentState.ts';
import { paymentView as viewOf } from '../../../../src/actors/wallet/payments/paymentView.ts';
import type { HeightRange } from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import type { StoredPayment } from '../../../../src/actors/wallet/ports/payment.ts';
import { madeUpPayment } from '../../../helpers/madeUpPayment.ts';

const paymentView = (payment: StoredPayment, around: PaymentContext) =>
  viewOf(payment, around, { at: () => undefined });

const PAYMENT = madeUpPayment(1);
const OTHER = asTxIdHex('0d'.repeat(32));

interface Seen {
  /** Of the block in which its own transaction spends its note. */
  readonly minedAt?: number;
  readonly otherAt?: number;
  /** Its change is known, and the note that it spends is not. */
  readonly changeAt?: number;
  readonly scanned?: readonly HeightRange[];
  readonly inMempool?: boolean;
  readonly minConfirmations?: number;
  /** Where its note is: in the tree; `gone`: nowhere. */
  readonly noteAt?: number | 'gone';
  readonly missing?: readonly HeightRange[];
  /** A later payment that was given its note. */
  readonly newer?: Partial<StoredPayment>;
}

function context(seen: Seen, payment = PAYMENT): PaymentContext {
  const { minedAt, otherAt, changeAt, scanned = [{ start: 1, end: 110 }] } = seen;
  const [spender, height] = minedAt === undefined ? [OTHER, otherAt] : [PAYMENT.txid, minedAt];
  const { noteAt = 7 } = seen;
  const note = {
    position: noteAt,
    spent: height === undefined ? null : { txid: spender, height, txIndex: 0 },
  };
  const holder = seen.newer === undefined ? payment : { ...payment, id: 'newer', ...seen.newer };
  const of = (wanted: boolean, found: object) => (wanted ? [found] : []);
  return {
    noteStore: {
      tables: {
        notes: {
          spentIn: (txid: string) => of(minedAt !== undefined && txid === PAYMENT.txid, note),
          madeIn: (txid: string) =>
            of(changeAt !== undefined && txid === PAYMENT.txid, { height: changeAt, spent: null }),
        },
      },
      note: (key: string) =>
        key === `${PAYMENT.notes[0]!.txid}:ironwood:0:0` && noteAt !== 'gone' ? note : undefined,
      scanned: () => scanned,
      scannedTop: () => scanned.at(-1)?.end,
      missing: () => seen.missing ?? [],
      block: () => undefined,
    } as unknown as PaymentContext['noteStore'],
    holders: new Map(spentKeysOf(payment).map((key) => [key, holder as StoredPayment])),
    unmined: seen.inMempool === true ? [{ txid: PAYMENT.txid }] : [{ txid: OTHER }],
    minConfirmations: seen.minConfirmations ?? 1,
    params: networkParameters('regtest'),
    now: 0,
  };
}

const SENT = { kind: 'sent', at: 1, source: 'node', transaction: '00' } as const;
const REFUSAL = { at: 1, source: 'node', transaction: '00', detail: 'no' } as const;
const unanswered = { state: { ...SENT, outcome: 'unanswered' } } as const;
const accepted = { state: { ...SENT, outcome: 'accepted' } } as const;
const refused = { state: { kind: 'unsent', refused: REFUSAL } } as const;
const refusedLater = { state: { ...SENT, outcome: 'refused', detail: 'no' } } as const;
const discarded = { state: { kind: 'discarded', at: 5, refused: null } } as const;

/** Nothing is missing in it. */
const complete = { pczt: PAYMENT.pczt };
/** A Sapling output in it lacks its proof. */
const incomplete = { pczt: withSaplingOutput() };

function withSaplingOutput(): Uint8Array {
  const { pczt } = decodePczt(PAYMENT.pczt);
  const output = {
    cv: new Uint8Array(32),
    cmu: new Uint8Array(32),
    ephemeralKey: new Uint8Array(32),
    encCiphertext: new Uint8Array(580),
    outCiphertext: new Uint8Array(80),
    zkproof: undefined,
    recipient: undefined,
    value: undefined,
    rseed: undefined,
    rcv: undefined,
    ock: undefined,
    zip32Derivation: undefined,
    userAddress: undefined,
    proprietary: new Map(),
  };
  return encodePczt({ ...pczt, sapling: { ...EMPTY_SAPLING, outputs: [output] } }, 2);
}

const upTo = (end: number): readonly HeightRange[] => [{ start: 1, end }];

type Row = readonly [string, Partial<StoredPayment>, Seen, string, 'reserved' | 'free'];
const ROWS: readonly Row[] = [
  ['waits for proofs', incomplete, {}, 'prepared', 'reserved'],
  ['has everything', complete, {}, 'complete', 'reserved'],
  ['was refused', { ...complete, ...refused }, {}, 'complete', 'reserved'],
  ['was refused, and may have arrived before', { ...complete, ...refusedLater }, {}, 'sent', 'reserved'],
  ['was sent', accepted, {}, 'sent', 'reserved'],
  ['was sent, and no answer came', unanswered, {}, 'sent', 'reserved'],
  ['is seen in the mempool', accepted, { inMempool: true }, 'in_mempool', 'reserved'],
  ['is in the block below the top', accepted, { minedAt: 109 }, 'mined', 'free'],
  ['has the confirmations of change', accepted, { minedAt: 108 }, 'confirmed', 'free'],
  ['needs the wallet’s own', accepted, { minedAt: 108, minConfirmations: 4 }, 'mined', 'free'],
  ['has these', accepted, { minedAt: 107, minConfirmations: 4 }, 'confirmed', 'free'],
  ['is known by its change', accepted, { changeAt: 110 }, 'mined', 'free'],
  ['was mined by somebody else', discarded, { minedAt: 108 }, 'confirmed', 'free'],
  ['lost its note', accepted, { otherAt: 109 }, 'conflicted', 'free'],
  ['lost it before anybody signed', incomplete, { otherAt: 109 }, 'conflicted', 'free'],
  ['can still be mined in one block', accepted, { scanned: upTo(140) }, 'sent', 'reserved'],
  ['is over', accepted, { scanned: upTo(141) }, 'expired', 'free'],
  ['is over for the signer', incomplete, { scanned: upTo(141) }, 'expired', 'free'],
  [
    'may be in a block that was left unread',
    accepted,
    {
      scanned: [
        { start: 1, end: 120 },
        { start: 122, end: 200 },
      ],
    },
    'sent',
    'reserved',
  ],
  [
    'may be in the first block after its anchor',
    accepted,
    {
      scanned: [{ start: 100, end: 200 }],
    },
    'sent',
    'reserved',
  ],
  ['was mined in its last block', accepted, { minedAt: 141, scanned: upTo(141) }, 'mined', 'free'],
  ['is over at an upgrade', { ...accepted, lastHeight: 120 }, { scanned: upTo(120) }, 'expired', 'free'],
  ['was given up', { ...discarded }, {}, 'discarded', 'free'],
  ['was given up long ago', { ...discarded }, { scanned: upTo(200) }, 'discarded', 'free'],
  ['was given up for another', { ...discarded }, { otherAt: 109 }, 'discarded', 'free'],
  ['was given up, and somebody sent it', discarded, { inMempool: true }, 'in_mempool', 'reserved'],
  ['has its note nowhere', complete, { noteAt: 'gone' }, 'lost_note', 'free'],
  ['was sent, and has its note nowhere', accepted, { noteAt: 'gone' }, 'lost_note', 'free'],
  ['was seen, and has its note nowhere', accepted, { noteAt: 'gone', inMempool: true }, 'lost_note', 'free'],
  ['has its note elsewhere in the tree', complete, { noteAt: 6 }, 'complete', 'reserved'],
  ['has it elsewhere, and was sent', accepted, { noteAt: 6 }, 'lost_note', 'free'],
  ['was given up, and has its note nowhere', discarded, { noteAt: 'gone' }, 'discarded', 'free'],
  ['is over, and has its note nowhere', complete, { noteAt: 'gone', scanned: upTo(141) }, 'expired', 'free'],
  ['spent its note before it was gone', accepted, { noteAt: 'gone', changeAt: 110 }, 'mined', 'free'],
  ['gave its note to a newer one', complete, { newer: { targetHeight: 141 } }, 'lost_note', 'free'],
  ['gave it away when it was over', accepted, { newer: { targetHeight: 142 } }, 'expired', 'free'],
  ['was given up for a newer one', discarded, { newer: { targetHeight: 102 } }, 'discarded', 'free'],
];

for (const [what, more, seen, status, notes] of ROWS) {
  test(`a payment that ${what}: ${status}`, (t) => {
    const payment = { ...PAYMENT, ...more };
    const around = context(seen, payment);
    const state = stateOf(payment, around);
    t.is(state.status, status as typeof state.status);
    t.is(state.isReserved, notes === 'reserved');
    const view = paymentView(payment, around);
    t.is(view.reserved_zatoshi, notes === 'reserved' ? 19_000 : 0);
    if (seen.newer === undefined) t.is(reservations(around).size, notes === 'reserved' ? 1 : 0);
    const height = seen.minedAt ?? seen.changeAt;
    t.is(view.mined_height, height === undefined ? null : height);
    const top = seen.scanned?.at(-1)?.end ?? 110;
    t.is(view.confirmations, height === undefined ? 0 : top - height + 1);
  });
}

test('a note that is read again is not lost before the blocks that may have it were read', (t) => {
  const before: readonly Seen[] = [
    { scanned: [] },
    { scanned: upTo(97) },
    { scanned: upTo(80) },
    { scanned: [{ start: 91, end: 120 }] },
    { scanned: [{ start: 90, end: 120 }], missing: [{ start: 50, end: 89 }] },
  ];
  for (const seen of before) {
    const around = context({ ...seen, noteAt: 'gone' });
    t.like(stateOf(PAYMENT, around), { status: 'complete', isReserved: true });
    t.is(paymentView(PAYMENT, around).reserved_zatoshi, 0);
    t.is(reservations(around).size, 1);
  }
  const after: readonly Seen[] = [
    { scanned: upTo(98) },
    { scanned: [{ start: 90, end: 98 }] },
    { scanned: [{ start: 90, end: 98 }], missing: [{ start: 99, end: 120 }] },
  ];
  for (const seen of after) t.is(stateOf(PAYMENT, context({ ...seen, noteAt: 'gone' })).status, 'lost_note');
});

test('a note is kept by the newest payment alone, though an older one that was given up is seen in the mempool', (t) => {
  const payment = { ...PAYMENT, ...discarded };
  const around = context({ inMempool: true, newer: { state: PAYMENT.state } }, payment);
  t.like(stateOf(payment, around), { status: 'in_mempool', isReserved: false });
  t.is(paymentView(payment, around).reserved_zatoshi, 0);
  t.deepEqual(
    [...reservations(around).values()].map(({ id }) => id),
    ['newer'],
  );
});

test('it says about when a payment ends, counted from the last block, and no more once it is over', (t) => {
  const time = 1_700_000_600;
  const around = (seen: Seen, blockTime = time) => {
    const found = context(seen);
    return {
      ...found,
      noteStore: { ...found.noteStore, block: (height: number) => ({ height, time: blockTime }) } as never,
      now: time * 1000 + 30_000,
    };
  };
  const after = (milliseconds: number, seconds: number): string =>
    new Date(milliseconds + seconds * 1000).toISOString();
  const text = (seconds: number): string => after(time * 1000, seconds);
  t.is(paymentView(PAYMENT, around({})).expires_at, text(31 * 25));
  t.is(paymentView({ ...PAYMENT, lastHeight: 120 }, around({})).expires_at, text(10 * 25));
  t.is(paymentView(PAYMENT, around({ minedAt: 100 })).expires_at, null);
  t.is(paymentView({ ...PAYMENT, ...discarded }, around({})).expires_at, null);
  // A block from the future, one of another year, and none since it was prepared at height 100.
  t.is(paymentView(PAYMENT, around({}, time + 7200)).expires_at, text(30 + 31 * 25));
  const { createdAt } = PAYMENT;
  t.is(paymentView(PAYMENT, around({}, 1_296_688_602)).expires_at, after(createdAt, 31 * 25));
  for (const scanned of [upTo(98), upTo(100), []])
    t.is(paymentView(PAYMENT, around({ scanned }, 1_296_688_602)).expires_at, after(createdAt, 41 * 25));
});

test('of a Sapling output without its proof only the proof is missing', (t) => {
  t.deepEqual(paymentView({ ...PAYMENT, ...incomplete }, context({})).missing, [
    { pool: 'sapling', signatures: 0, proofs: true, signer_keys: false },
  ]);
});
