import test from 'ava';
import { EventLog, KEPT_EVENTS, type LoggedEvent } from '../../src/protocol/eventLog.ts';
import { type CompanionEvent, MISSED } from '../../src/protocol/events.ts';
import { FakeLink } from '../helpers/fakeLink.ts';

const reorg = (depth: number): CompanionEvent => ({ event: 'reorg', data: { fork_height: 7, depth } });
/** What a listener gets first that resumes after that event. */
function since(log: EventLog, id: string): LoggedEvent[] {
  const got: LoggedEvent[] = [];
  log.follow((logged) => void got.push(logged), id)();
  return got;
}

const locked: CompanionEvent = { event: 'wallet.locked', data: { reason: 'asked' } };

test('events after an id come in order', (t) => {
  const link = new FakeLink();
  const log = new EventLog(link, 'run');
  t.is(log.lastId, 'run.0');
  t.deepEqual(since(log, 'run.0'), []);
  for (const depth of [1, 2, 3]) link.emit(reorg(depth));
  t.is(log.lastId, 'run.3');
  t.deepEqual(since(log, 'run.1'), [
    { id: 'run.2', event: reorg(2) },
    { id: 'run.3', event: reorg(3) },
  ]);
  t.deepEqual(since(log, 'run.3'), []);
});

test('an id of another run, of the future or of no event is unknown', (t) => {
  const link = new FakeLink();
  const log = new EventLog(link, 'run');
  link.emit(reorg(1));
  for (const id of ['run.2', 'run.-1', 'run.x', 'run', 'run.1e0'])
    t.deepEqual(since(log, id), [{ id: 'run.1', event: MISSED }], id);
  // What this run has comes after it.
  for (const id of ['other.1', 'other', ''])
    t.deepEqual(
      since(log, id),
      [
        { id: 'run.0', event: MISSED },
        { id: 'run.1', event: reorg(1) },
      ],
      id,
    );
});

test('only the latest events are kept', (t) => {
  const link = new FakeLink();
  const log = new EventLog(link, 'run');
  for (let depth = 1; depth <= KEPT_EVENTS + 5; depth++) link.emit(reorg(depth));
  for (const id of ['run.4', 'other.9'])
    t.deepEqual(since(log, id), [{ id: `run.${KEPT_EVENTS + 5}`, event: MISSED }]);
  t.is(since(log, 'run.5').length, KEPT_EVENTS);
  t.is(since(log, 'run.5')[0]?.id, 'run.6');
});

test('amounts and addresses are forgotten when the wallet is locked', (t) => {
  const link = new FakeLink();
  const log = new EventLog(link, 'run');
  const received = { account: 0, pool: 'orchard', height: 5, txid: 'ab', output_index: 1 } as const;
  const spent = {
    account: 0,
    pool: 'orchard',
    height: 6,
    txid: 'cd',
    note_txid: 'ab',
    output_index: 1,
  } as const;
  const event = { value_zatoshi: 123_456, diversifier_index: '3', address: 'u1x' };
  link.emit({ event: 'note.received', data: { ...received, ...event } });
  link.emit({ event: 'note.spent', data: { ...spent, value_zatoshi: 123_456 } });
  const seen = { account: 0, pool: 'orchard', txid: 'ef', output_index: 1, expiry_height: 9 } as const;
  const vanished = { txid: 'ef', reason: 'expired' } as const;
  link.emit({ event: 'note.seen', data: { ...seen, ...event } });
  const sums = { received_zatoshi: 123_456, spent_zatoshi: 123_456 };
  link.emit({ event: 'transaction.vanished', data: { ...vanished, ...sums } });
  const unmined = { txid: 'ef', state: 'replaced' } as const;
  link.emit({ event: 'transaction.unmined', data: { ...unmined, ...sums } });
  t.true(JSON.stringify(since(log, 'run.0')).includes('123456'));
  link.emit(locked);
  t.deepEqual(
    since(log, 'run.0').map(({ event }) => event),
    [
      { event: 'note.received', data: received },
      { event: 'note.spent', data: spent },
      { event: 'note.seen', data: seen },
      { event: 'transaction.vanished', data: vanished },
      { event: 'transaction.unmined', data: unmined },
      locked,
    ],
  );
});

test('after it is closed nothing is kept or emitted', (t) => {
  const link = new FakeLink();
  const log = new EventLog(link, 'run');
  log.follow(() => t.fail());
  log.close();
  link.emit(reorg(1));
  t.is(log.lastId, 'run.0');
});
