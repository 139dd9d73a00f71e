// What a wallet thread has open at the chain side: its own, bounded, and gone with it.

import test from 'ava';
import { ChainClient, type OpenRange } from '#chain/context/chainClient';
import { FetchMeter } from '#chain/ranges/fetchMeter';

function openRange(connection: object = {}): OpenRange & { readonly closed: () => number } {
  let closed = 0;
  const stream = {
    next: () => Promise.resolve(null),
    close: () => {
      closed += 1;
    },
  };
  const still = () => 0;
  const meter = new FetchMeter({ now: still, idle: still, diskMs: still, receivedBytes: still });
  const at = { server: 'node', url: 'http://127.0.0.1:1' } as const;
  const asked = { at, heights: { start: 1, end: 2 } };
  return { stream, ...asked, connection, held: {}, meter, closed: () => closed };
}

test('a ninth range closes the oldest one of the same client alone', (t) => {
  const [own, other] = [new ChainClient(), new ChainClient()];
  const theirs = openRange();
  const theirId = other.add(theirs);
  const ranges = Array.from({ length: 9 }, () => openRange());
  const ids = ranges.map((range) => own.add(range));
  t.deepEqual(
    ranges.map((range) => range.closed()),
    [1, 0, 0, 0, 0, 0, 0, 0, 0],
  );
  t.is(own.range(ids[0]!), undefined);
  t.is(own.range(ids[8]!), ranges[8]);
  t.is(theirs.closed(), 0);
  t.is(other.range(theirId), theirs);
});

test('who leaves has nothing open, not even what is opened too late', async (t) => {
  const chainClient = new ChainClient();
  const [early, late] = [openRange(), openRange()];
  const id = chainClient.add(early);
  const waiting = chainClient.waitOn(
    {},
    (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
  );
  chainClient.leave();
  await waiting;
  t.is(early.closed(), 1);
  t.is(chainClient.range(id), undefined);
  chainClient.add(late);
  t.is(late.closed(), 1);
  t.true(await chainClient.waitOn({}, async (signal) => signal.aborted));
});

test('a connection is in use while a range or a wait is on it, and a store while a range holds it', async (t) => {
  const chainClient = new ChainClient();
  const [ranged, waited] = [{}, {}];
  const range = openRange(ranged);
  const id = chainClient.add(range);
  const store = {} as NonNullable<OpenRange['held']['store']>;
  range.held.store = store;
  t.true(chainClient.uses(ranged) && chainClient.holds(store));
  t.false(chainClient.uses(waited) || chainClient.holds({} as never));
  await chainClient.waitOn(waited, async () => t.true(chainClient.uses(waited)));
  chainClient.close(id);
  t.false(chainClient.uses(ranged) || chainClient.uses(waited) || chainClient.holds(store));
  t.is(range.closed(), 1);
});
