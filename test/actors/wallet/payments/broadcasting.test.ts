// Sending a payment: what is durable before the bytes leave, what an answer makes of it, and that whoever asks again never
// pays twice, however often everything stops in between.
import { setImmediate as turn } from 'node:timers/promises';
import { withFillerProofs } from '@wallet-companion/pczt/test/completion';
import test from 'ava';
import { Broadcasting } from '../../../../src/actors/wallet/payments/broadcasting.ts';
import { stateOf, UNSENT } from '../../../../src/actors/wallet/payments/paymentState.ts';
import { Returns } from '../../../../src/actors/wallet/payments/returned.ts';
import type { StoredPayment } from '../../../../src/actors/wallet/ports/payment.ts';
import { CompanionError, type ErrorCode } from '../../../../src/protocol/errors.ts';
import { failureOf } from '../../../helpers/failureOf.ts';
import {
  ACROSS,
  bytesOf,
  Disk,
  FakeServer,
  IRONWOOD,
  paymentBed,
  SAPLING,
} from '../../../helpers/keptPaymentBed.ts';

type Bed = ReturnType<typeof paymentBed>;

const DISCARDED = { kind: 'discarded', at: 1, refused: null } as const;

const send = (bed: Bed, source: 'node' | 'compact' = 'node'): Promise<StoredPayment> =>
  new Broadcasting(bed.payments).send(bed.session, bed.id, { source });

/** The bytes that have left, or were refused. */
const bytesIn = ({ state }: StoredPayment): string | null | undefined =>
  state.kind === 'sent' ? state.transaction : state.refused?.transaction;

const completeBed = (name?: string): Bed => {
  const bed = paymentBed(name);
  bed.keep(bed.complete);
  return bed;
};

const statusOf = (bed: Bed): string => stateOf(bed.stored, bed.context()).status;
const timeout = new CompanionError('UPSTREAM_TIMEOUT', 'The chain node did not answer in time.');

for (const name of [IRONWOOD, SAPLING, ACROSS])
  test(`what is about to be sent is durable before it leaves: ${name}`, async (t) => {
    const bed = completeBed(name);
    let before: StoredPayment | undefined;
    bed.server.meanwhile = (call) => {
      if (call === 'sendTransaction') before = bed.stored;
    };
    const sent = await send(bed);
    t.deepEqual(bed.server.calls, ['tip node', 'sendTransaction node']);
    t.like(before?.state, { kind: 'sent', outcome: 'unanswered', source: 'node' });
    t.is(bytesIn(before!), bed.server.arrived[0]!.raw);
    t.like(bed.stored.state, { outcome: 'accepted', transaction: bed.server.arrived[0]!.raw });
    t.deepEqual(sent.state, bed.stored.state);
    t.is(bed.server.arrived[0]!.txid, bed.stored.txid);
    t.is(statusOf(bed), 'sent');
  });

test('what is missing is reported before a server is asked: whose signature, which proof', async (t) => {
  const bed = paymentBed(SAPLING);
  const error = await failureOf(send(bed));
  t.is(error.code, 'PAYMENT_INCOMPLETE');
  t.regex(
    error.message,
    /1 signature of account 0 in Sapling, and 3 proofs of Sapling, and the proof of Ironwood/,
  );
  t.deepEqual(
    error.errors?.map(({ path }) => path),
    ['sapling.spends[0]', 'sapling', 'ironwood'],
  );
  bed.keep(bed.signed);
  t.regex((await failureOf(send(bed))).message, /lacks 3 proofs of Sapling.*Have it proved/);
  t.deepEqual(bed.server.calls, []);
  t.is(bed.disk.writes, 0);
});

test('who asks again has the other side asked, and nothing is sent where it has the payment', async (t) => {
  const bed = completeBed();
  await send(bed);
  bed.server.calls.length = 0;
  await send(bed, 'compact');
  t.deepEqual(bed.server.calls, ['transactionStatus compact']);
  bed.server.status = { kind: 'mined', height: 101 };
  await send(bed);
  t.is(bed.server.sent, 0);
  t.like(bed.stored.state, { outcome: 'accepted' });
});

test('what the other side has lost is sent again, with the same bytes', async (t) => {
  const bed = completeBed();
  await send(bed);
  bed.server.status = { kind: 'unknown' };
  await send(bed, 'compact');
  const [first, second, ...others] = bed.server.arrived;
  t.deepEqual(others, []);
  t.deepEqual(second, first);
  t.like(bed.stored.state, { outcome: 'accepted', source: 'compact' });
});

test('its status is computed before the server is called, before the bytes leave, and once for each write', async (t) => {
  const bed = completeBed();
  bed.payments.events.opened(bed.session);
  const { notes } = bed.session.noteStore.tables;
  const { spentIn } = notes;
  let computed = 0;
  const counting: typeof spentIn = (txid) => {
    computed += 1;
    return spentIn(txid);
  };
  Object.assign(notes, { spentIn: counting });
  await send(bed);
  t.is(computed, 4);
});

test('an answer that is lost leaves it sent, says that asking again is safe, and asking again settles it', async (t) => {
  const bed = completeBed();
  bed.server.failing = { sendTransaction: timeout };
  const error = await failureOf(send(bed));
  t.is(error.code, 'UPSTREAM_TIMEOUT');
  t.is(
    error.message,
    'The chain node did not answer in time. The payment may have arrived all the same. Send it again: that asks first, and never pays twice.',
  );
  t.like(bed.stored.state, { kind: 'sent', outcome: 'unanswered' });
  t.is(statusOf(bed), 'sent');
  bed.server.failing = {};
  await send(bed);
  t.is(bed.server.sent, 1);
  t.like(bed.stored.state, { outcome: 'accepted' });
});

test('a refusal is quoted in the other side’s words and leaves the payment complete, to be sent with the same bytes', async (t) => {
  const bed = completeBed();
  bed.server.outcome = { kind: 'refused', reason: 'fee', text: 'unpaid actions limit exceeded' };
  const raws: string[] = [];
  bed.server.meanwhile = (call) => {
    if (call === 'sendTransaction') raws.push(bytesIn(bed.stored) ?? '');
  };
  const error = await failureOf(send(bed));
  t.is(error.code, 'TRANSACTION_REFUSED');
  t.regex(
    error.message,
    /^The other side refuses the transaction: "unpaid actions limit exceeded"\. Its fee/,
  );
  t.like(bed.stored.state, { kind: 'unsent', refused: { detail: 'unpaid actions limit exceeded' } });
  t.is(statusOf(bed), 'complete');
  bed.server.outcome = { kind: 'known' };
  await send(bed, 'compact');
  t.is(raws.length, 2);
  t.is(raws[1], raws[0]);
  t.is(statusOf(bed), 'sent');
});

test('what may have arrived once is not taken back by a refusal', async (t) => {
  const bed = completeBed();
  bed.server.failing = { sendTransaction: timeout };
  await failureOf(send(bed));
  bed.server.failing = {};
  bed.server.status = { kind: 'unknown' };
  bed.server.outcome = { kind: 'refused', reason: 'conflict', text: 'double-spend' };
  const error = await failureOf(send(bed, 'compact'));
  t.is(error.code, 'TRANSACTION_REFUSED');
  t.regex(error.message, /may have arrived with an earlier attempt all the same, and keeps its notes/);
  t.like(bed.stored.state, { kind: 'sent', outcome: 'refused' });
  t.is(statusOf(bed), 'sent');
});

test('a refusal of what is in a block already is none', async (t) => {
  const bed = completeBed();
  bed.server.outcome = { kind: 'refused', reason: 'conflict', text: 'duplicate nullifier' };
  bed.server.status = { kind: 'mined', height: 99 };
  await send(bed);
  t.deepEqual(bed.server.calls, ['tip node', 'sendTransaction node', 'transactionStatus node']);
  t.like(bed.stored.state, { outcome: 'accepted' });
  t.is(bed.payments.view(bed.session, bed.stored).last_sent?.detail, null);
});

test('with a side that is down, behind or of another network nothing was sent, and nothing is kept', async (t) => {
  const bed = completeBed();
  const kept = bed.stored;
  const asked: readonly (readonly ['tip' | 'sendTransaction', ErrorCode])[] = [
    ['tip', 'NODE_UNREACHABLE'],
    ['tip', 'UPSTREAM_TIMEOUT'],
    ['sendTransaction', 'NODE_BEHIND'],
    ['sendTransaction', 'NETWORK_MISMATCH'],
    ['sendTransaction', 'NODE_UNAUTHORIZED'],
  ];
  for (const [call, code] of asked) {
    bed.server.failing = { [call]: new CompanionError(code, 'It is as it is.') };
    const error = await failureOf(send(bed));
    t.is(error.code, code);
    t.is(error.message, 'It is as it is.');
    t.deepEqual(bed.stored, kept);
    t.is(statusOf(bed), 'complete');
  }
});

test('what no block can have is not sent', async (t) => {
  const bed = completeBed();
  bed.server.tipHeight = 141;
  const error = await failureOf(send(bed));
  t.is(error.code, 'PAYMENT_STATE');
  t.regex(
    error.message,
    /block 141 is the last one that can have it, and 141 is there\. Prepare another one\.$/,
  );
  t.is(bed.disk.writes, 0);
  bed.server.tipHeight = 140;
  await send(bed);
  t.is(bed.server.sent, 1);
});

test('what may have been mined of an earlier attempt is looked for before anybody pays anew', async (t) => {
  const bed = completeBed();
  bed.server.failing = { sendTransaction: timeout };
  await failureOf(send(bed));
  bed.server.failing = {};
  bed.server.status = { kind: 'unknown' };
  bed.server.tipHeight = 141;
  const error = await failureOf(send(bed, 'compact'));
  t.is(error.code, 'PAYMENT_STATE');
  t.regex(
    error.message,
    /not sent again: .* sync up to block 141, and prepare another one only if it says expired/,
  );
  t.is(statusOf(bed), 'sent');
});

test('what is over is not sent, and what is mined needs no sending', async (t) => {
  const bed = completeBed();
  const over: readonly (readonly [object, ErrorCode | undefined])[] = [
    [{ top: 141 }, 'PAYMENT_STATE'],
    [{ conflict: true }, 'PAYMENT_STATE'],
    [{ top: 120, mined: 120 }, undefined],
    [{ top: 140, mined: 120 }, undefined],
  ];
  for (const [fate, code] of over) {
    Object.assign(bed.fate, { mined: undefined, conflict: false, top: undefined }, fate);
    if (code === undefined) t.is((await send(bed)).id, bed.id);
    else t.is((await failureOf(send(bed))).code, code);
  }
  Object.assign(bed.fate, { mined: undefined, conflict: false, top: undefined });
  bed.session.payments.put({ ...bed.stored, state: DISCARDED });
  t.is((await failureOf(send(bed))).code, 'PAYMENT_STATE');
  const unknown = new Broadcasting(bed.payments).send(bed.session, 'ab'.repeat(16), { source: 'node' });
  t.is((await failureOf(unknown)).code, 'NOT_FOUND');
  t.deepEqual(bed.server.calls, []);
});

test('what is given up, mined or changed while the other side was asked for its tip is not sent as it was', async (t) => {
  const bed = completeBed();
  bed.server.meanwhile = () => {
    bed.session.payments.put({ ...bed.stored, state: DISCARDED });
  };
  t.is((await failureOf(send(bed))).code, 'PAYMENT_STATE');
  bed.session.payments.put({ ...bed.stored, state: UNSENT });
  bed.server.meanwhile = () => {
    bed.fate.mined = 101;
    bed.fate.top = 101;
  };
  await send(bed);
  t.is(bed.server.sent, 0);
  t.deepEqual(bed.stored.state, UNSENT);
});

test('what was given up is sent where another program has sent it, and is not called given up after that', async (t) => {
  const bed = completeBed();
  bed.session.payments.put({ ...bed.stored, state: DISCARDED });
  bed.fate.inMempool = true;
  await send(bed);
  bed.fate.inMempool = false;
  t.is(statusOf(bed), 'sent');
});

test('what never left is not called sent, though it was over before the other side had refused to look at it', async (t) => {
  const bed = completeBed();
  bed.server.failing = { sendTransaction: new CompanionError('NODE_BEHIND', 'It is behind.') };
  bed.server.meanwhile = (call) => {
    if (call === 'sendTransaction') bed.fate.conflict = true;
  };
  t.is((await failureOf(send(bed))).code, 'NODE_BEHIND');
  bed.fate.conflict = false;
  t.is(statusOf(bed), 'complete');
});

test('proofs that came while the other side was asked for its tip are those that are sent', async (t) => {
  const bed = completeBed();
  const other = withFillerProofs(bed.signed, bed.randomBytes);
  bed.server.meanwhile = () => {
    if (bed.server.calls.length === 1) bed.keep(other);
  };
  await send(bed);
  t.deepEqual(bed.server.calls, ['tip node', 'tip node', 'sendTransaction node']);
  const { raw } = bed.server.arrived[0]!;
  t.true(raw.includes(Buffer.from(other.ironwood.zkproof!).toString('hex')));
});

test('two at once are one', async (t) => {
  const bed = completeBed();
  const broadcasting = new Broadcasting(bed.payments);
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => broadcasting.send(bed.session, bed.id, { source: 'node' })),
  );
  t.is(bed.server.sent, 1);
  for (const { state } of answers) t.like(state, { outcome: 'accepted' });
});

test('locked meanwhile: it says that it may have arrived, and a new session settles it', async (t) => {
  const bed = completeBed();
  bed.server.meanwhile = (call) => {
    if (call === 'sendTransaction') bed.sessions.current = undefined;
  };
  const error = await failureOf(send(bed));
  t.is(error.code, 'WALLET_LOCKED');
  t.regex(error.message, /may have arrived/);
  t.like(bed.stored.state, { kind: 'sent', outcome: 'unanswered' });
  const next = paymentBed(IRONWOOD, bed.disk, bed.server);
  bed.server.meanwhile = () => undefined;
  await send(next);
  t.is(bed.server.sent, 1);
  t.like(bed.stored.state, { outcome: 'accepted' });
});

test('locked before anything was sent: the error is the lock, and not that the wiped bytes cannot be read', async (t) => {
  const bed = completeBed();
  Object.assign(bed.config, { block_source: 'auto' });
  Object.assign(bed.environment.configFile, {
    isSet: () => false,
    chooseSource: async (source: string) => source,
  });
  bed.server.meanwhile = () => {
    bed.sessions.current = undefined;
    bed.session.payments.forget();
  };
  const error = await failureOf(new Broadcasting(bed.payments).send(bed.session, bed.id));
  t.is(error.code, 'WALLET_LOCKED');
  t.is(bed.server.sent, 0);
});

test('without room on the disk nothing leaves', async (t) => {
  const bed = completeBed();
  bed.disk.beforeWrite = () => {
    throw new CompanionError('STORAGE_FAILED', 'The disk is full.');
  };
  t.is((await failureOf(send(bed))).code, 'STORAGE_FAILED');
  t.is(bed.server.sent, 0);
});

test('other proofs make other bytes after a refusal, and none once it may be mined', async (t) => {
  const bed = completeBed();
  const returns = new Returns(bed.payments);
  const other = withFillerProofs(bed.signed, bed.randomBytes);
  const replace = () =>
    returns.combine(bed.session, { payment_id: bed.id, pczt: bytesOf(other), replace_proofs: true });
  bed.server.outcome = { kind: 'refused', reason: 'invalid', text: 'bad proof' };
  const raws: string[] = [];
  bed.server.meanwhile = (call) => {
    if (call === 'sendTransaction') raws.push(bytesIn(bed.stored) ?? '');
  };
  await failureOf(send(bed));
  t.is((await replace()).proofs_added, 1);
  t.like(bed.stored.state, { kind: 'unsent', refused: { transaction: null, detail: 'bad proof' } });
  bed.server.outcome = { kind: 'accepted' };
  await send(bed);
  t.not(raws[1], raws[0]);
  const kept = bed.stored;
  t.regex((await replace()).left_out.join(), /^everything: the payment was sent/);
  t.deepEqual(bed.stored, kept);
});

/** Everything stops for good: what is thrown does not matter, nobody hears it. */
class Killed extends Error {}

interface Stop {
  readonly name: string;
  readonly arm: (bed: Bed, kill: () => void) => void;
}

const atWrite = (when: 'beforeWrite' | 'afterWrite', nth: number): Stop => ({
  name: `${when} ${nth}`,
  arm: (bed, kill) => {
    let count = 0;
    bed.disk[when] = () => {
      count += 1;
      if (count === nth) kill();
    };
  },
});
const atCall = (asked: string, hasArrived = true): Stop => ({
  name: `${asked}${hasArrived ? '' : ', on the way'}`,
  arm: (bed, kill) => {
    bed.server.meanwhile = (call) => {
      if (call !== asked) return;
      if (!hasArrived) bed.server.arrived.length = 0;
      kill();
    };
  },
});

const STOPS: readonly Stop[] = [
  atWrite('beforeWrite', 1),
  atWrite('afterWrite', 1),
  atWrite('beforeWrite', 2),
  atWrite('afterWrite', 2),
  atCall('tip'),
  atCall('sendTransaction', false),
  atCall('sendTransaction'),
];

for (const first of STOPS)
  for (const second of [...STOPS, atCall('transactionStatus'), undefined])
    test(`killed ${first.name}, then ${second?.name ?? 'no more'}: one payment, the same bytes, and it ends sent`, async (t) => {
      const disk = new Disk();
      const server = new FakeServer();
      const bed = paymentBed(IRONWOOD, disk, server);
      bed.keep(bed.complete);
      for (const stop of [first, second]) {
        const life = paymentBed(IRONWOOD, disk, server);
        let isKilled = false;
        stop?.arm(life, () => {
          isKilled = true;
          throw new Killed();
        });
        const ended = await send(life).then(
          () => 'sent',
          (error: unknown) => (error instanceof Killed ? 'killed' : String(error)),
        );
        t.is(ended, isKilled ? 'killed' : 'sent');
        disk.beforeWrite = () => undefined;
        disk.afterWrite = () => undefined;
        server.meanwhile = () => undefined;
        const { status, isReserved } = stateOf(life.stored, life.context());
        t.true(isReserved, 'whatever happens its notes are no other payment’s');
        if (server.arrived.length > 0)
          t.is(status, 'sent', 'what may be mined is never called anything else');
        await turn();
      }
      await send(paymentBed(IRONWOOD, disk, server));
      t.is(server.seen.size, 1);
      t.true(server.arrived.length <= 1, 'what the other side has is not sent again');
      t.like(disk.payments()[0]?.state, { kind: 'sent', outcome: 'accepted' });
      t.is(bytesIn(disk.payments()[0]!), server.arrived[0]?.raw);
    });

test('a payment that was kept with a proof of nothing is not sent', async (t) => {
  const bed = completeBed();
  bed.config.verify_regtest_proofs = true;
  const error = await failureOf(send(bed));
  t.is(error.code, 'PAYMENT_INCOMPLETE');
  t.regex(error.message, /the proof of Ironwood is wrong.*proved again with replace/);
  t.deepEqual(bed.server.arrived, []);
  t.is(bed.disk.writes, 0);
});
