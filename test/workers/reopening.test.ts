// A session that went with its thread is opened again; one that somebody ended is not.
import test from 'ava';
import type { ErrorCode } from '../../src/protocol/errors.ts';
import type { CompanionEvent } from '../../src/protocol/events.ts';
import { passwordJson } from '../../src/protocol/startPassword.ts';
import { Reopening } from '../../src/workers/reopening.ts';

const UNLOCKED: CompanionEvent = { event: 'wallet.unlocked', data: { expires_at: null } };
const locked = (reason: 'asked' | 'idle' | 'thread_lost'): CompanionEvent => ({
  event: 'wallet.locked',
  data: { reason },
});

class World {
  readonly passwords: string[] = [];
  readonly answers: (ErrorCode | undefined)[] = [];
  readonly output: object[] = [];
  due: { readonly ms: number; readonly strike: () => void }[] = [];
  forgotten = 0;
  reads = 0;
  read: () => Promise<Uint8Array | undefined> = async () => new TextEncoder().encode('secret');
  readonly reopening = new Reopening(
    {
      dispatchJson: async (_name, body) => {
        this.passwords.push((JSON.parse(new TextDecoder().decode(body)) as { password: string }).password);
        const code = this.answers.shift();
        if (code !== undefined) return { ok: false, error: { code, detail: 'x', retryAfterSeconds: 2 } };
        this.reopening.hear(UNLOCKED);
        return { ok: true, value: new Uint8Array() };
      },
    },
    {
      read: () => {
        this.reads += 1;
        return this.read();
      },
      forget: () => {
        this.forgotten += 1;
      },
    },
    { info: () => undefined, error: (fields) => void this.output.push(fields) },
    (ms, strike) => {
      const timer = { ms, strike };
      this.due.push(timer);
      return () => {
        this.due = this.due.filter((one) => one !== timer);
      };
    },
  );

  async lose(): Promise<void> {
    this.reopening.hear(locked('thread_lost'));
    await this.reopening.restarted();
  }
}

async function opened(): Promise<World> {
  const world = new World();
  await world.reopening.unlock();
  return world;
}

test('a session is opened again each time its thread is lost', async (t) => {
  const world = await opened();
  await world.lose();
  await world.lose();
  t.deepEqual(world.passwords, ['secret', 'secret', 'secret']);
  t.is(world.forgotten, 0);
});

for (const reason of ['asked', 'idle'] as const) {
  test(`a lock (${reason}) is not undone by a thread that is lost later`, async (t) => {
    const world = await opened();
    world.reopening.hear(locked(reason));
    t.is(world.forgotten, 1);
    await world.lose();
    t.is(world.passwords.length, 1);
  });
}

test('somebody who locks while the thread is away, or while the password is read, has the last word', async (t) => {
  const world = await opened();
  world.reopening.hear(locked('thread_lost'));
  world.reopening.asked('wallet.lock');
  await world.reopening.restarted();
  t.is(world.passwords.length, 1);
  const other = await opened();
  let finish: (password: Uint8Array) => void = () => undefined;
  const password = new TextEncoder().encode('secret');
  other.read = () => new Promise((resolve) => (finish = resolve));
  other.reopening.hear(locked('thread_lost'));
  const restarted = other.reopening.restarted();
  other.reopening.asked('wallet.lock');
  finish(password);
  await restarted;
  t.is(other.passwords.length, 1);
  t.true(
    password.every((byte) => byte === 0),
    'wiped unused',
  );
});

test('a thread that is lost again before it is open is tried once more', async (t) => {
  const world = await opened();
  world.answers.push('THREAD_LOST');
  await world.lose();
  await world.lose();
  t.is(world.passwords.length, 3);
  t.deepEqual(world.output, []);
});

test('a wait after wrong tries of others is sat out', async (t) => {
  const world = await opened();
  world.answers.push('TOO_MANY_ATTEMPTS');
  await world.lose();
  t.deepEqual(
    world.due.map(({ ms }) => ms),
    [2000],
  );
  world.due[0]?.strike();
  await new Promise((resolve) => setImmediate(resolve));
  t.is(world.passwords.length, 3);
});

test('a companion that stops waits for nothing', async (t) => {
  const world = await opened();
  world.answers.push('TOO_MANY_ATTEMPTS');
  await world.lose();
  t.is(world.due.length, 1);
  world.reopening.giveUp();
  t.deepEqual(world.due, []);
});

test('a password that is wrong by now, or gone, is reported once and not tried again', async (t) => {
  const world = await opened();
  world.answers.push('WRONG_PASSWORD');
  await world.lose();
  await world.lose();
  t.is(world.passwords.length, 2);
  t.deepEqual(world.output, [{ why: 'WRONG_PASSWORD' }]);
  const gone = await opened();
  gone.read = async () => {
    throw new Error('/a/path');
  };
  await gone.lose();
  t.deepEqual(gone.output, [{ why: 'the password cannot be read any more' }]);
});

test('a wallet that was never opened stays closed', async (t) => {
  const world = new World();
  await world.lose();
  t.is(world.reads, 0);
});

test('passwords become JSON without becoming text', (t) => {
  for (const password of ['', 'a', 'a"b\\c', 'tab\tbell\u0007\u001f', 'päss 密码 🔑', '\u007f\u2028']) {
    const json = new TextDecoder('utf-8', { fatal: true }).decode(
      passwordJson(new TextEncoder().encode(password)),
    );
    t.deepEqual(JSON.parse(json), { password });
  }
});
